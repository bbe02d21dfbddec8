/* warpdrill check --for GPU: the sizes of a pack on GPUs that need not be there. */
#ifndef WD_TUI_CMD_CHECK_FOR_H
#define WD_TUI_CMD_CHECK_FOR_H

#include "scenarios/check/checker.h"
#include "tui/commands/cmd.h"

/* The GPUs that were asked for; every: by `all`. {0} to begin with. */
struct for_gpus { struct msg_device *all; int n; bool every; };

/* Reads --for: names between commas, or `all`. 0, or an exit status, and why was said. */
int for_gpus_read(struct for_gpus *out, const struct cmd *c);
void for_gpus_free(struct for_gpus *g);
/* Finds what does not fit, and adds to `sizes` (a JSON array) what the sizes come out as. With
 * `all` those of an architecture that the story does not claim are left out, and said. */
void for_gpus_check(const struct for_gpus *g, struct findings *f, const struct variant *v,
                    json_t *sizes);
/* The sizes as lines on stdout. */
void for_gpus_print(const json_t *sizes);

#endif

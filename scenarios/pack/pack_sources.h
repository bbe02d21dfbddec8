/* Files that a story names: where they may lie, and whether they are device code that may be
 * run. */
#ifndef WD_SCENARIOS_PACK_SOURCES_H
#define WD_SCENARIOS_PACK_SOURCES_H

#include "scenarios/pack/pack_read.h"

/* The file `name` of `folder`, which must be one of ours; *out stays NULL on failure. */
int read_path(struct reader *r, const struct yaml *y, const char *folder, const char *end,
              const struct file **out);
/* Is it device code that may be run, and has it every `kernel:` of the list of launches as a word?
 */
int check_source(struct reader *r, const struct file *f, const struct yaml *launches);
void free_scanned(struct reader *r);

#endif

/* Where a command's drill gets its GPU from: a runner, or what was recorded beside the drills. */
#ifndef WD_TUI_CMD_MEASURE_H
#define WD_TUI_CMD_MEASURE_H

#include "drills/library/measure.h"
#include "tui/commands/cmd.h"

struct drill_place {
    bool live;
    struct client *client; struct msg_device described;   /* live */
    struct recording *recording;                          /* recorded */
    const struct msg_device *device; /* of either; NULL for a drill that needs no GPU */
};

/* By --tier and --gpu; without --tier a drill that is measured is recalled and others over a GPU
 * ask the runner. 0 or an exit status. */
int drill_place_open(struct drill_place *p, const struct cmd *c, const struct drill *d);
void drill_place_close(struct drill_place *p);
/* Measures or recalls the truth of an instance, and reveals it. Progress goes to stderr. */
int drill_place_reveal(const struct drill_place *p, struct drill_instance *i, struct err *err);
/* "live, NVIDIA H200", "recorded, NVIDIA H200, 2026-11-21"; "" for a drill that needs no GPU. */
void drill_place_name(char *out, size_t size, const struct drill_place *p,
                      const struct drill *d);

#endif

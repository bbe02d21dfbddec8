/* Recording what drills are graded against, so that they can be done without a GPU. */
#ifndef WD_DRILLS_MEASURE_RECORD_H
#define WD_DRILLS_MEASURE_RECORD_H

#include "drills/library/measure.h"
#include "scenarios/record/record.h"

struct drill_recorder {
    struct client *client; const struct msg_device *device;   /* borrowed */
    uint64_t first, last;                                     /* seeds */
    const struct recording *kept; /* what need not be measured again; may be NULL */
    int *measured; /* grows by the instances that were measured */
    void (*say)(void *ctx, const char *text);
    void *ctx; /* told what is being measured, and what failed */
};

/* Adds the measurements of these seeds' instances to `out`, those that it has already (two seeds
 * may draw the same) once. *failed grows by those that did not come; a code is returned when the
 * runner is gone or an instance cannot be made. */
int drill_record(const struct drill_recorder *r, const struct drill *d, struct recording *out,
                 int *failed, struct err *err);

#endif

/* The head of a recording: of which GPU, when, by which program. Whoever records begins with it. */
#ifndef WD_SCENARIOS_RECORD_HEAD_H
#define WD_SCENARIOS_RECORD_HEAD_H

#include "scenarios/pack/recording.h"
#include "scenarios/supply/client.h"

/* An empty recording of this GPU at this time, by this client's runner; which card of its kind it
 * was is told by the origin alone. */
int recording_begin(struct recording *out, const struct msg_device *device, const char *when,
                    struct err *err);
void recording_sign(struct recording *r, const struct client *c);   /* method and versions */

#endif

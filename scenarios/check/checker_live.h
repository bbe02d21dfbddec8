/* What only a GPU can tell of a scenario: is the fix right at many sizes, does the suspect differ
 * by more than noise, would the comparison see a wrong result, and does what the answer claims hold
 * here. */
#ifndef WD_SCENARIOS_CHECKER_LIVE_H
#define WD_SCENARIOS_CHECKER_LIVE_H

#include "scenarios/check/live.h"

json_t *lived_encode(const struct lived *l);

/* Checks a variant on the GPU of `b`, whose device is given; findings are of the rules live-*, and
 * those of check_claims. What cannot be measured is a finding too; only a runner that does not come
 * back is an error. */
int check_live(struct findings *f, struct batch *b, const struct msg_device *device,
               const struct variant *v, struct lived *out, struct err *err);

#endif

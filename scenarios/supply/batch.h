/* Many measurements through one runner, a few at a time, so that one which faults or takes too long
 * ends no other. What was measured once is known. */
#ifndef WD_SCENARIOS_BATCH_H
#define WD_SCENARIOS_BATCH_H

#include "scenarios/supply/client.h"
#include "scenarios/evidence/evidence.h"

struct batch;
typedef void batch_say(void *ctx, const char *text); /* told while it runs: "fix.cu at other sizes:
                                                        5 of 40, 12 s, about 80 s more" */

/* Client and device are borrowed. say may be NULL. */
struct batch *batch_new(struct client *c, const struct msg_device *device, batch_say *say,
                        void *ctx);
void batch_free(struct batch *b);

/* Measures those items of `m` of which nothing is known yet; each that fails is tried once more
 * alone. Only a runner that does not come back is an error: ERR_LOST. */
int batch_measure(struct batch *b, const struct msg_measure *m, const char *what, struct err *err);

/* From now on this part is what is known of the key: it is not asked for. A copy is kept. */
void batch_adopt(struct batch *b, const char *key, const struct msg_part *part);

/* What a run of an item brought, NULL if nothing; borrowed until the next batch_measure. */
const struct msg_part *batch_part(const struct batch *b, const struct msg_measure *m, int item,
                                  const char *run);
/* Why it brought nothing: an error code, and the text in *why. */
int batch_why(const struct batch *b, const struct msg_measure *m, int item, const char **why);

/* All of it under its keys, as a recording of this GPU. */
const struct recording *batch_known(const struct batch *b);

#endif

/* Recording: everything that a scenario can be asked, measured once and kept beside it. */
#ifndef WD_SCENARIOS_RECORD_H
#define WD_SCENARIOS_RECORD_H

#include "scenarios/client.h"
#include "scenarios/request.h"

/* Told while it runs: a sentence such as "12 of 41: memory of .../a fix". */
typedef void record_say(void *ctx, const char *text);

struct record_options {
    const char *today;       /* YYYY-MM-DD */
    record_say *say; void *ctx;
};

/* Measures "all" of a variant in several requests and writes sealed/evidence/<slug>.json of its pack's folder, replacing what
 * was recorded on that GPU before. What the GPU cannot measure is recorded as missing, with the reason.
 * Measurements that failed are not in the file: *failed receives them, one a line (malloc'd; NULL when there are none).
 * *path is malloc'd. Writes nothing and returns a code when no measurement of the pair came. */
int record_variant(struct client *c, const struct variant *v, const struct msg_device *device, const struct record_options *options, char **path,
                   char **failed, struct err *err);

/* ---- what other recorders share ---- */

/* An empty recording of this GPU; which card of its kind it was is left out. */
int recording_begin(struct recording *out, const struct msg_device *device, const char *today, struct err *err);
/* Appends a copy of what `item` of `m` brought, under its key. */
void recording_add(struct recording *r, const char *key, const struct msg_part *part, const struct msg_measure *m, int item);
/* Writes PATH, whose folders are made, in one step; method and versions are the client's. */
int recording_write(struct recording *r, const struct client *c, const char *path, struct err *err);

#endif

/* One variant on the GPU at hand: what the parts of the live check share, their findings and their
 * items of a request. */
#ifndef WD_SCENARIOS_LIVE_H
#define WD_SCENARIOS_LIVE_H

#include "scenarios/check/findings.h"
#include "scenarios/supply/batch.h"

/* What one variant showed on this GPU, for the summary. */
struct lived {
    char scenario[128], gpu[64];
    bool fails;                            /* as its answer says: it has no time */
    bool timed; double ratio, low, high;   /* suspect.time / fix.time and its interval */
    int sizes, sizes_right; /* at which fix and best were compared: the story's own, its sweeps' and
                               `shapes` */
    int spoilt, refused; /* results that were spoilt on purpose, and those of them that the
                            comparison refused */
    int readings, held;
    double bought_s, sizes_s,
        spoilt_s; /* what took how long: everything bought, the fix at all sizes, spoilt results */
    int not_again; /* sanitizer runs that did not end when this GPU was recorded, and were not tried
                      again */
};

struct live {
    struct findings *f;
    struct batch *batch;
    const struct msg_device *device;
    const struct variant *v;
    struct lived *out;
};

enum { LIVE_SEED = 7 };
void live_find(const struct live *l, const char *rule, struct place at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* A key of the variant's answer.yaml, and of its scenario.yaml. */
struct place live_in_answer(const struct live *l, const char *key);
struct place live_in_story(const struct live *l, const char *key);
/* An item of `m`, for one run; checks and poison are against run r. The item is borrowed until the
 * next. */
struct msg_item *live_item(struct msg_measure *m, enum wire_probe probe, const char *run,
                           int variant);
/* Why an item brought nothing: a fault, or a kernel that does not build or start, is `rule`; all
 * else a gap. */
void live_missing(const struct live *l, const char *rule, const struct msg_measure *m, int item,
                  const char *what);

/* Was compute-sanitizer ended before it had a figure? */
bool live_was_cut(const struct msg_part *p);

#endif

/* Hardware counters through CUPTI's range profiler: one range around one launch, replayed by us as
 * often as the group needs passes, from restored buffers and a flushed L2. Also the way to the
 * samples of the program counter (lines.h), which need the same library and the same permission. */
#ifndef WD_RUNNER_COUNTERS_H
#define WD_RUNNER_COUNTERS_H

#include "kernels/runner/bench.h"
#include "kernels/runner/buffers.h"
#include "kernels/runner/task.h"
#include "kernels/wire/metric.h"

/* The counters that a metric needs on a chip ("GH100"): first those of its numerator, a sum in
 * which one may occur twice, then those of its denominator. */
struct counter_names {
    char *name[16];
    size_t n, n_numerator;
};
void counters_names(struct counter_names *out, const struct metric *m, const char *chip);
void counters_names_free(struct counter_names *names);

/* Whether a probe needs the profiler: its metrics come from hardware counters, or it samples the
 * program counter. */
bool counters_serve(enum wire_probe probe);

struct counters;

/* Never NULL. CUPTI is loaded and asked on first use only: it costs a third of a second. */
struct counters *counters_new(struct gpu *g);
void counters_free(struct counters *c);

/* Proves, by counting an empty kernel once, that counters can be had. 0, or in err the reason and
 * what would help. */
int counters_prove(struct counters *c, struct task *t, struct err *err);

/* "13.0"; "" when CUPTI is not there. */
const char *counters_version(struct counters *c);

/* Collects the metrics of item->probe for one run and sends its part. What the chip does not have,
 * or the system does not allow, is computed (computed.h) or a missing metric with its reason, not
 * an error. */
int counters_measure(struct counters *c, struct task *t, struct bench *b, struct buffers *base,
                     const struct msg_item *item, const char *run, struct err *err);

#endif

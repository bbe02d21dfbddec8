/* A measurement that stands alone: a source, buffers, launches, and the one metric that is asked of
 * them. Drills are graded against it.
 *
 * It is read from YAML in the vocabulary of packs. What its formulas may name is given by its
 * owner, and so are the values: whole numbers. */
#ifndef WD_SCENARIOS_TRIAL_H
#define WD_SCENARIOS_TRIAL_H

#include "scenarios/evidence/evidence.h"
#include "scenarios/text/yaml.h"

struct trial;

/* `names`: what formulas may name beside gpu.*; the source lies in the folder `measured` of
 * `files`. Both must outlive the trial. */
int trial_read(struct trial **out, const struct yaml *y, const struct files *files,
               char *const *names, int n_names, struct err *err);
void trial_free(struct trial *t);

const struct metric *trial_metric(const struct trial *t);
/* Is the value of names[k] needed? Others may be anything. */
bool trial_uses(const struct trial *t, int k);

/* One item in a request; values[n_names] are those of the names. Failures carry file:line:col. The
 * caller frees it with msg_measure_free. err is not NULL. */
int trial_request(struct msg_measure *out, const struct trial *t, const struct msg_device *device,
                  int64_t *values, struct err *err);

/* Which of the parts that answer such a request holds the metric: "a", or "a/b" for the ratio of
 * two runs. */
const char *trial_run(const struct trial *t);

#endif

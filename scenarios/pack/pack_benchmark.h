/* The program that times a harness, for the files of pack_read.h. */
#ifndef WD_SCENARIOS_PACK_BENCHMARK_H
#define WD_SCENARIOS_PACK_BENCHMARK_H

#include "scenarios/pack/pack_read.h"

/* The step that y, a scalar or a key, names. */
int find_step_of_benchmark(struct reader *r, const struct yaml *y, int *out);
/* STORY/VARIANT/benchmark.yaml, which a harness alone has. */
int read_own_benchmark(struct reader *r, struct variant *v, const struct yaml *at);
/* sealed/benchmark.yaml, the variant's own or its story's. `root`: the answer. */
int read_honest_benchmark(struct reader *r, struct variant *v, const struct yaml *root);
/* The one step that an experiment changes. */
int read_change(struct reader *r, const struct yaml *y, struct experiment *x);
/* Can the variant's benchmark be, with each of its story's changes? */
int check_changes(struct reader *r, const struct variant *v, const struct yaml *at);

#endif

/* A harness: the kernel is fine and the number may not be. What is different in it. */
#ifndef WD_SCENARIOS_HARNESS_H
#define WD_SCENARIOS_HARNESS_H

#include "scenarios/pack/story.h"

/* What a purchase of this probe measures of the story: enum wire_probe; -1: nothing is run. */
int story_measures(const struct story *s, const struct probe *p);
/* The metric that is free: "time", of a harness "reported_time". */
const char *story_clock(const struct story *s);
/* Does it print how many times as fast the kernel is as a baseline? Then that is what the honest
 * benchmark is held against. */
bool story_claims_speed_up(const struct story *s);
/* What a formula calls the clock of run "suspect" or "fix": "suspect.time", "fix.reported_time". */
void story_clock_of(char *out, size_t size, const struct story *s, const char *run);
/* The program that times run "a" or "b"; NULL: the story is no harness. */
const struct benchmark *variant_benchmark(const struct variant *v, const char *run);
/* Has the suspect's program what this experiment would set, and its baseline's too? Then nothing is
 * changed by it: the program is run once, as it is. */
bool variant_has_setting(const struct variant *v, const struct experiment *x);
/* story_price; for an experiment that changes nothing that of a look at the step, in minutes. Whoever
 * has not bought it yet is told the story's. */
enum { LOOK_PRICE = 1 };
int variant_price(const struct variant *v, const char *probe);
/* The line of a harness's listing on which step k of the program stands: a field of the benchmark,
 * or BENCHMARK_FIELDS for what is reported. */
int variant_benchmark_line(const struct variant *v, int k);

#endif

/* What the fake runner answers of a run: runner_parts.c has figures, runner_rows.c what has a row a
 * line or a launch. */
#ifndef FAKE_RUNNER_PARTS_H
#define FAKE_RUNNER_PARTS_H

#include "kernels/wire/message_measure.h"
#include "kernels/wire/message_part.h"
#include "kernels/wire/message_runs.h"
#include "kernels/wire/metric.h"
#include "kernels/wire/text.h"

enum { SHARED_BLOCK = 232448 };

/* Which scenario is it? (fake_runner.c) */
bool plays(const char *name);
void send_message(json_t *msg); /* takes it */

/* Of run m the text may say how much longer than b it takes; else it is as slow as the suspect. */
extern double mended_time;

/* A part of the run without figures, and with one word said of it. */
struct msg_part part_of(const struct msg_measure *m, int item, const char *run);
void send_values(const struct msg_measure *m, int item, const char *run, struct msg_value *values,
                 int n);
/* Not a measurement of anything: the same for the same request, different for different ones. */
double canned(const struct metric *m, const struct msg_shape *s, char run);
struct msg_value statistic(const char *name, double v, bool timed);

void send_part(const struct msg_measure *m, int item, const char *run);
void send_floor(const struct msg_measure *m, int item, const char *run);
void send_outcome(const struct msg_measure *m, int item, const char *run);
void send_benchmark(const struct msg_measure *m, int item, const char *run);
void send_lines(const struct msg_measure *m, int item, const char *run);
void send_timeline(const struct msg_measure *m, int item, const char *run);

#endif

/* NVML: what the GPU says of itself. All of it optional: without NVML nothing is noted. */
#ifndef WD_RUNNER_HEALTH_H
#define WD_RUNNER_HEALTH_H

#include "kernels/runner/task.h"

struct health;

/* One look at the GPU: taken before and after a measurement. */
struct health_look {
    unsigned long long reasons;  /* why clocks are held down; bits as NVML has them */
    double watts, watts_allowed; /* 0: not known */
};

/* Never NULL; a missing library makes one that knows nothing. */
struct health *health_new(const struct gpu *g);
void health_free(struct health *h);

void health_look(struct health *h, struct health_look *out);

/* Names of the reasons why clocks are held down now ("power cap"), idle not among them.
 * Returns how many were put into names[]. */
int health_throttle(struct health *h, const char **names, int max);

/* Notes about a measurement between two looks: "clocks: power cap" where both saw it, "clocks:
 * power cap, before" or "..., after" where one did. "board power, not of this kernel
 * alone: 412 of 700 W": NVML averages over far longer than a kernel takes. */
void health_note(struct msg_part *p, const struct health_look *before,
                 const struct health_look *after);

/* Did either look see heat, a brake or a slowdown by the hardware? Such clocks are nobody's choice.
 * A power cap is not among them: large GPUs meet it in every long matrix product. */
bool health_hampered(const struct health_look *before, const struct health_look *after);

/* Driver version as people know it ("580.159.04"); "" if unknown. */
const char *health_driver(const struct health *h);

/* Uncorrected memory errors since the driver was loaded; 0 when the GPU does not count them. */
uint64_t health_memory_errors(struct health *h);

/* After a worker had to be killed: waits until the GPU, on which nothing of ours runs now, is no
 * longer fully busy, at most 5 s. ERR_WEDGED when it stays so; else 0, also where NVML does not
 * tell. */
int health_wait_free(struct health *h, struct task *t, struct err *err);

#endif

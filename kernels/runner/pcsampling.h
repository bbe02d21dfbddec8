/* Samples of the program counter through CUPTI: at which instructions warps stood, and why.
 *
 * A session hooks into the driver and slows every launch down, so it lives only while it is needed,
 * and never beside the range profiler's. */
#ifndef WD_RUNNER_PCSAMPLING_H
#define WD_RUNNER_PCSAMPLING_H

#include <stdbool.h>

#include "kernels/runner/gpu.h"

/* One instruction of one kernel, of those that were met in one range. */
struct pc_sample {
    const char *function;
    uint64_t crc, pc; /* of its cubin, as pcsampling_crc gives it; offset into the kernel's code */
    const uint32_t *counts;         /* samples by reason: pcsampling_reasons() numbers */
};
typedef void pcsampling_take(void *arg, const struct pc_sample *s);

struct pcsampling;

/* One sample of each SM every 2^period cycles, 5 to 31. ERR_PERMISSION, ERR_BUSY or ERR_UNSUPPORTED
 * when the profiler refuses; err says what would help. */
int pcsampling_open(struct pcsampling **out, struct gpu *g, const struct cupti_api *cupti,
                    int period, struct err *err);
void pcsampling_close(struct pcsampling *p);

/* What warps were doing: "long_scoreboard", as in the metric table's stalls; "selected" is no
 * stall. */
int pcsampling_reasons(const struct pcsampling *p);
const char *pcsampling_reason(const struct pcsampling *p, int i);

/* Samples are taken from start to stop. The stream must be idle at both; stop hands over each
 * instruction met. */
int pcsampling_start(struct pcsampling *p, struct err *err);
int pcsampling_stop(struct pcsampling *p, pcsampling_take *take, void *arg, struct err *err);

uint64_t pcsampling_total(
    const struct pcsampling *p); /* what CUPTI counted, dropped ones included */
uint64_t pcsampling_dropped(const struct pcsampling *p);
bool pcsampling_overflowed(
    const struct pcsampling *p); /* the hardware's buffer was full: a whole range was lost */

/* The checksum by which a sample names its cubin; 0 if it cannot be told. */
uint64_t pcsampling_crc(const struct cupti_api *cupti, const void *cubin, size_t bytes);

/* The source line of an instruction, 1-based, when it stands in a file named `file` (folders do not
 * count); 0 when it stands elsewhere or the cubin does not say. Needs neither GPU nor session. */
int pcsampling_line(const struct cupti_api *cupti, const void *cubin, size_t bytes,
                    const char *function, uint64_t pc, const char *file);

#endif

/* The probe `lines`: samples of the program counter, gathered by source line and by what the warps
 * waited for. */
#ifndef WD_RUNNER_LINES_H
#define WD_RUNNER_LINES_H

#include "kernels/runner/bench.h"
#include "kernels/runner/buffers.h"
#include "kernels/runner/plan.h"
#include "kernels/runner/task.h"

struct lines_work {
    const struct cupti_api *cupti;
    struct task *task;
    struct bench *bench;
    struct buffers *buffers;
    const struct plan *plan;
    const struct msg_run *run;
    int variant;
};

/* Samples the whole run, cold, as often as it takes to have some milliseconds and some thousand
 * samples of it, and puts into the part: samples, top_line, top_line_share and mbarrier_share; the
 * series `line` (1-based lines of the source of the first launch, ascending), `samples` and, for
 * the eight reasons met most, `stall_REASON`; notes on the period, on what was dropped, and on
 * samples that fell elsewhere. Nothing is put there when it fails. */
int lines_collect(const struct lines_work *w, struct msg_part *p, struct err *err);

#endif

/* A kernel to be written from nothing: what its steps ask is held against what was recorded. */
#include "scenarios/check/checks.h"

static void check_wall(struct findings *f, const struct variant *v, const struct task_step *step,
                       const char *gpu, double ratio)
{
    struct place at = {step->file, step->line, step->col};
    if (ratio > step->within)
        findings_add(f, "wall-low", v->story->pack, v->full_id, gpu, at,
                     "%s takes %.3g times the best's time, and the step asks for %.3g; at least "
                     "that was expected",
                     v->full_id, ratio, step->within);
}

void check_walls(struct findings *f, const struct variant *v, const char *gpu,
                 const struct scope *scope)
{
    const struct task *t = v->story->task;
    double best = check_number(scope, "best.time"), suspect = check_number(scope, "suspect.time");
    for (int i = 0; t && best > 0 && suspect > 0 && i < t->n_steps; i++)
        if (t->steps[i].as == v)
            check_wall(f, v, &t->steps[i], gpu, suspect / best);
}

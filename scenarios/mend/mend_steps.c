#include "scenarios/mend/mend_steps.h"

#include <stdio.h>

int mend_steps_reached(const struct task *t, const struct mend_verdict *v)
{
    int n = 0;
    if (v->is != MEND_RIGHT || !v->against.there)
        return 0;
    while (n < t->n_steps && v->against.low <= t->steps[n].within)
        n++;
    return n;
}

int mend_steps_best(const struct task *t, const struct mend_tries *tries)
{
    int most = 0;
    for (int i = 0; i < tries->n; i++) {
        int n = mend_steps_reached(t, &tries->all[i].verdict);
        most = n > most ? n : most;
    }
    return most;
}

bool mend_reached_all(const struct variant *v, const struct mend_verdict *verdict)
{
    return v->task ? mend_steps_reached(v->task, verdict) == v->task->n_steps
                   : mend_is_done(verdict);
}

/* What a step asks for as a share of the roof, by what a try's race told of best and roof; 0:
 * unknown. */
static double mend_step_share(const struct task_step *step, const struct mend_verdict *v)
{
    const struct mend_time *best = v ? &v->time[MEND_BEST] : NULL,
                           *roof = v ? &v->time[MEND_ROOF] : NULL;
    return best && best->there && roof->there && best->value > 0
               ? roof->value / (step->within * best->value)
               : 0;
}

void mend_step_words(char *out, size_t size, const struct task_step *step,
                     const struct mend_verdict *v)
{
    double share = mend_step_share(step, v);
    size_t n = (size_t)snprintf(out, size, "within %.3g times the best's time", step->within);
    if (share > 0 && n < size)
        snprintf(out + n, size - n, ", %.0f %% of the roof", 100 * share);
}

void mend_steps_words(char *out, size_t size, const struct task *t, const struct mend_verdict *v)
{
    int reached = mend_steps_reached(t, v);
    size_t n = (size_t)snprintf(out, size, "walls behind it: %d of %d", reached, t->n_steps);
    if (reached < t->n_steps && n < size)
        n += (size_t)snprintf(out + n, size - n, "; next: %s, ", t->steps[reached].wall);
    if (reached < t->n_steps && n < size)
        mend_step_words(out + n, size - n, &t->steps[reached], v);
}

bool mend_best_open(const struct task *t, const struct mend_tries *tries)
{
    return tries->hints > t->n_steps || mend_steps_best(t, tries) == t->n_steps;
}

json_t *mend_steps_encode(const struct task *t, int reached, const struct mend_verdict *v)
{
    json_t *all = json_array();
    for (int i = 0; i < t->n_steps && i <= reached; i++) {
        const struct task_step *step = &t->steps[i];
        double share = mend_step_share(step, v);
        json_t *one = json_pack("{s:s, s:f, s:b}", "wall", step->wall, "within", step->within,
                                "reached", i < reached);
        if (share > 0)
            json_object_set_new(one, "roof_share", json_real(share));
        json_array_append_new(all, one);
    }
    return all;
}

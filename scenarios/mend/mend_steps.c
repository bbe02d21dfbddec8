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

void mend_steps_words(char *out, size_t size, const struct task *t, int reached)
{
    size_t n = (size_t)snprintf(out, size, "%d of %d walls are behind it", reached, t->n_steps);
    if (reached < t->n_steps && n < size)
        snprintf(out + n, size - n, "; next: %s, within %.3g times the best's time",
                 t->steps[reached].wall, t->steps[reached].within);
}

bool mend_best_open(const struct task *t, const struct mend_tries *tries)
{
    return tries->hints > t->n_steps || mend_steps_best(t, tries) == t->n_steps;
}

json_t *mend_steps_encode(const struct task *t, int reached)
{
    json_t *all = json_array();
    for (int i = 0; i < t->n_steps && i <= reached; i++)
        json_array_append_new(all, json_pack("{s:s, s:f, s:b}", "wall", t->steps[i].wall, "within",
                                             t->steps[i].within, "reached", i < reached));
    return all;
}

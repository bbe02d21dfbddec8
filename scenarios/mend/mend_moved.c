#include "scenarios/mend/mend_moved.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST = 0.1; /* of a share, or of the larger value */

static double moved_by(const struct mend_moved *m)
{
    double most = fmax(fabs(m->from), fabs(m->to));
    double by = fabs(m->to - m->from);
    return m->metric->share ? by : most > 0 ? by / most : 0;
}

static int more_first(const void *a, const void *b)
{
    double x = moved_by(a), y = moved_by(b);
    return (x < y) - (x > y);
}

static const struct msg_value *find(const struct mend_verdict *v, const char *name)
{
    for (int i = 0; i < v->n_metrics; i++)
        if (!strcmp(v->metric[i].name, name))
            return &v->metric[i];
    return NULL;
}

int mend_moved(struct mend_moved out[MEND_MOVED_MOST], const struct mend_verdict *from,
               const struct mend_verdict *to)
{
    struct mend_moved all[MEND_METRICS_MOST];
    int n = 0;
    for (int i = 0; i < to->n_metrics; i++) {
        const struct msg_value *was = find(from, to->metric[i].name);
        const struct metric *m = metric_find(to->metric[i].name);
        if (!was || !m || m->probe == PROBE_TIMING)
            continue;
        all[n] = (struct mend_moved){m, was->value, to->metric[i].value};
        n += moved_by(&all[n]) >= LEAST;
    }
    qsort(all, (size_t)n, sizeof *all, more_first);
    n = n < MEND_MOVED_MOST ? n : MEND_MOVED_MOST;
    memcpy(out, all, (size_t)n * sizeof *all);
    return n;
}

static void show(char out[32], const struct metric *m, double value)
{
    if (m->share)
        snprintf(out, 32, "%.0f %%", 100 * value);
    else
        quantity_show(out, 32, value, m->unit);
}

void mend_moved_words(char *out, size_t size, const struct mend_moved *m)
{
    char from[32], to[32];
    show(from, m->metric, m->from);
    show(to, m->metric, m->to);
    snprintf(out, size, "%-28s  %s -> %s", m->metric->label, from, to);
}

#include "scenarios/pack/exhibit_names.h"

#include <string.h>

static const char *const reduce_names[EXHIBIT_REDUCES] = {"min",   "max",  "median", "mean",
                                                          "first", "last", "at_min", "at_max"};

bool exhibits_figure(const struct story *s, const char *name, const struct experiment **x,
                     int *figure, enum exhibit_reduce *how)
{
    const char *dot = strrchr(name, '.');
    int h = 0;
    while (dot && h < EXHIBIT_REDUCES && strcmp(dot + 1, reduce_names[h]))
        h++;
    if (!dot || h == EXHIBIT_REDUCES)
        return false;
    *how = (enum exhibit_reduce)h;
    for (int e = 0; e < s->n_experiments; e++)
        for (int i = 0; s->experiments[e].exhibit && i < s->experiments[e].exhibit->n_figures;
             i++) {
            const char *figured = s->experiments[e].exhibit->figures[i].name;
            if (strlen(figured) != (size_t)(dot - name) || strncmp(figured, name, strlen(figured)))
                continue;
            *x = &s->experiments[e];
            *figure = i;
            return true;
        }
    return false;
}

bool exhibits_know(const struct story *s, const char *name)
{
    const struct experiment *x;
    int figure;
    enum exhibit_reduce how;
    return exhibits_figure(s, name, &x, &figure, &how);
}

const struct experiment *exhibits_of(const struct story *s, const char *name)
{
    const struct experiment *x = NULL;
    int figure;
    enum exhibit_reduce how;
    return exhibits_figure(s, name, &x, &figure, &how) ? x : NULL;
}

struct dim exhibits_dim(const struct story *s, const char *name)
{
    const struct experiment *x = NULL;
    int figure = 0;
    enum exhibit_reduce how = EXHIBIT_MEAN;
    bool known = exhibits_figure(s, name, &x, &figure, &how);
    return !known || how == EXHIBIT_AT_MIN || how == EXHIBIT_AT_MAX
               ? DIM_NONE
               : x->exhibit->figures[figure].dim;
}

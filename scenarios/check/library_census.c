#include "scenarios/check/library_census.h"

#include <stdlib.h>

#include "kernels/wire/text.h"

struct census {
    const struct openings *o;
    sort_fn *sort;
    double *sorts; int n_sorts;
    struct tally *total;              /* [sort][cause] */
    int n_causes;
};

/* -1: no opening is of this sort. */
static int find_sort(const struct census *c, double sort)
{
    int i = c->n_sorts - 1;
    while (i >= 0 && c->sorts[i] != sort)
        i--;
    return i;
}

static int add_sort(struct census *c, double sort)
{
    size_t n = (size_t)c->n_sorts, row = (size_t)c->n_causes;
    c->sorts = mem_grow(c->sorts, n + 1, sizeof *c->sorts);
    c->sorts[n] = sort;
    c->total = mem_grow(c->total, (n + 1) * row, sizeof *c->total);
    for (size_t i = n * row; i < (n + 1) * row; i++)
        c->total[i] = (struct tally){0};
    return c->n_sorts++;
}

static void put(struct census *c, const struct opening *one)
{
    double sort = c->sort(one);
    int at = find_sort(c, sort);
    if (at < 0)
        at = add_sort(c, sort);
    for (int h = 0; h < one->n; h++) {
        struct tally *t = &c->total[at * c->n_causes + one->cause[h]];
        t->n++;
        t->true_ += h == one->truth;
    }
}

struct census *census_new(const struct openings *o, sort_fn *sort)
{
    struct census *c = mem_new(1, sizeof *c);
    size_t n_causes;
    taxonomy(&n_causes);
    *c = (struct census){.o = o, .sort = sort, .n_causes = (int)n_causes};
    for (int i = 0; i < o->n; i++)
        put(c, &o->all[i]);
    return c;
}

void census_free(struct census *c)
{
    if (!c)
        return;
    free(c->sorts);
    free(c->total);
    free(c);
}

static void take_out(struct tally *t, const struct opening *one, int cause)
{
    for (int h = 0; h < one->n; h++)
        if (one->cause[h] == cause) {
            t->n--;
            t->true_ -= h == one->truth;
        }
}

struct tally census_count(const struct census *c, const struct hidden *hidden,
                          const struct opening *like, int cause)
{
    double sort = c->sort(like);
    int at = find_sort(c, sort);
    if (at < 0)
        return (struct tally){0};
    struct tally t = c->total[at * c->n_causes + cause];
    for (int k = 0; k < hidden->n; k++) {
        const struct opening_story *s = &c->o->stories[hidden->story[k]];
        for (int i = s->first; i < s->first + s->n; i++)
            if (c->sort(&c->o->all[i]) == sort)
                take_out(&t, &c->o->all[i], cause);
    }
    return t;
}

/* What is wrong with a formula whatever will be measured: units that do not go together, and names that its probe does not bring. */
#include "scenarios/checker.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/evidence.h"

struct looking { struct findings *f; const struct variant *v; };

/* ---- units ---- */

/* Its dimension; false when there is none, which was found or cannot be told. */
static bool dim_of(const struct looking *l, const struct expr *e, struct dim *out)
{
    const struct story *s = l->v->story;
    struct err why = {0};
    int column = 1;
    if (!e->f)
        return false;
    int rc = scope_dim(s, e->f, out, &column, &why);
    if (rc && rc != ERR_MISSING)
        findings_add(l->f, "units", s->pack, l->v->full_id, NULL, place_inside(s->pack, e, column), "%s; equal units were expected", why.text);
    return rc == 0;
}

static void check_predicate(const struct looking *l, const struct expr *e)
{
    struct dim dim;
    char is[64];
    if (!dim_of(l, e, &dim) || dim_equal(dim, DIM_NONE))
        return;
    dim_describe(is, sizeof is, dim);
    findings_add(l->f, "units", l->v->story->pack, l->v->full_id, NULL, place_of(l->v->story->pack, e), "this is %s; a predicate was expected", is);
}

/* A working that is a plain number is taken in the estimate's unit. */
static void check_asked(const struct looking *l, const struct estimate *asked, const struct expr *e, const char *what, bool may_be_plain)
{
    struct dim dim;
    char is[64], expected[64];
    if (!dim_of(l, e, &dim) || dim_equal(dim, asked->dim) || (may_be_plain && dim_equal(dim, DIM_NONE)))
        return;
    dim_describe(is, sizeof is, dim);
    dim_describe(expected, sizeof expected, asked->dim);
    findings_add(l->f, "units", l->v->story->pack, l->v->full_id, NULL, place_of(l->v->story->pack, e), "the %s of estimate %s is %s; %s was expected, as it is asked in %s",
                 what, asked->id, is, expected, asked->unit);
}

static void check_units(const struct looking *l)
{
    const struct variant *v = l->v;
    for (int i = 0; i < v->n_readings; i++)
        check_predicate(l, &v->readings[i].expect);
    for (int i = 0; i < v->n_proves; i++)
        check_predicate(l, &v->proves[i]);
    for (int i = 0; i < v->n_pushbacks; i++)
        check_predicate(l, &v->pushbacks[i].expect);
    for (int i = 0; i < v->n_truths; i++) {
        const struct truth *t = &v->truths[i];
        check_asked(l, t->estimate, &t->truth, "truth", false);
        check_asked(l, t->estimate, &t->working, "working", true);
        for (int m = 0; m < t->n_mistakes; m++)
            check_asked(l, t->estimate, &t->mistakes[m].value, "value of a mistake", false);
    }
}

void check_formulas(struct findings *f, const struct variant *v)
{
    struct looking l = {f, v};
    check_units(&l);
}

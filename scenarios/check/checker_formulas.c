/* What is wrong with a formula whatever will be measured: units that do not go together, and names
 * that its probe does not bring. */
#include "scenarios/check/checks.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/evidence/exhibit_table.h"
#include "scenarios/pack/exhibit_names.h"
#include "scenarios/pack/harness.h"

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
    int rc = name_dim(s, e->f, out, &column, &why);
    if (rc && rc != ERR_MISSING)
        findings_add(l->f, "units", s->pack, l->v->full_id, NULL, place_inside(s->pack, e, column),
                     "%s; equal units were expected", why.text);
    return rc == 0;
}

static void check_predicate(const struct looking *l, const struct expr *e)
{
    struct dim dim;
    char is[64];
    if (!dim_of(l, e, &dim) || dim_equal(dim, DIM_NONE))
        return;
    dim_describe(is, sizeof is, dim);
    findings_add(l->f, "units", l->v->story->pack, l->v->full_id, NULL,
                 place_of(l->v->story->pack, e), "this is %s; a predicate was expected", is);
}

/* A working that is a plain number is taken in the estimate's unit. */
static void check_asked(const struct looking *l, const struct estimate *asked, const struct expr *e,
                        const char *what, bool may_be_plain)
{
    struct dim dim;
    char is[64], expected[64];
    if (!dim_of(l, e, &dim) || dim_equal(dim, asked->dim) ||
        (may_be_plain && dim_equal(dim, DIM_NONE)))
        return;
    dim_describe(is, sizeof is, dim);
    dim_describe(expected, sizeof expected, asked->dim);
    findings_add(l->f, "units", l->v->story->pack, l->v->full_id, NULL,
                 place_of(l->v->story->pack, e),
                 "the %s of estimate %s is %s; %s was expected, as it is asked in %s", what,
                 asked->id, is, expected, asked->unit);
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

/* ---- what a reading's own probe brings ---- */

struct naming { const struct story *s; const struct reading *r; int named, brought; };

static bool experiment_brings(const struct experiment *x, const struct metric *m, bool series)
{
    bool fails = x->measure == PROBE_TIMING && m->probe == PROBE_OUTCOME;
    return (m->probe == x->measure || fails) && (series || x->n_steps == 1 ||
                                      x->measure == PROBE_SANITIZE); /* each tool shows its own */
}

static bool probe_brings(const struct story *s, const struct probe *p, const struct metric *m,
                         bool series)
{
    return !series && ((int)m->probe == story_measures(s, p) ||
                       (p->id == SHOP_TIMING &&
                        (m->probe == PROBE_TIMELINE || m->probe == PROBE_OUTCOME)));
}

static bool is_param(const struct story *s, const char *name)
{
    for (int i = 0; i < s->n_params; i++)
        if (!strcmp(s->params[i].name, name))
            return true;
    return false;
}

/* Counts the names that are measured, and those of them that this purchase shows. */
static int on_name(void *ctx, const char *name)
{
    struct naming *n = ctx;
    bool series = false;
    const struct experiment *x = story_experiment(n->s, n->r->probe);
    if (is_param(n->s, name))
        return 0;
    if (story_is_case(n->s)) {
        n->named++;
        n->brought += exhibits_of(n->s, name) == x;
        return 0;
    }
    const struct metric *m = name_metric(name, &series);
    if (!m)
        return 0;
    n->named++;
    n->brought +=
        x ? experiment_brings(x, m, series)
          : probe_brings(n->s, probe_by_name(n->r->probe), m, series);
    return 0;
}

static int stop_at_measured(void *ctx, const char *name)
{
    struct naming n = *(struct naming *)ctx;
    n.named = 0;
    on_name(&n, name);
    return n.named;
}

/* "time.last" -> "other-sizes shows it at several steps: ..." where that is what was meant; else
 * who brings the metric. */
static void say_expected(char *out, size_t size, const struct naming *n)
{
    const struct experiment *x = story_experiment(n->s, n->r->probe);
    size_t probes;
    const struct probe *table = probe_table(&probes);
    const struct expr *e = &n->r->expect;
    snprintf(out, size, "a metric of its own, or the reading under what brings one");
    for (size_t i = 0; i < probes && !story_is_case(n->s); i++) {
        struct reading under = {.probe = table[i].name, .expect = *e};
        struct naming other = {n->s, &under, 0, 0};
        if (table[i].id != SHOP_ASK && table[i].id != SHOP_EXPERIMENT)
            formula_names(e->f, on_name, &other, NULL);
        if (other.brought && other.brought == other.named) {
            bool steps = x && (int)x->measure == table[i].wire;
            snprintf(out, size,
                     steps ? "METRIC.first, .last, .min or .max over its steps, or the reading "
                             "under %s"
                           : "a metric of its own, or the reading under %s",
                     table[i].name);
            return;
        }
    }
}

static void check_reading(const struct looking *l, const struct reading *r)
{
    const struct story *s = l->v->story;
    struct naming n = {s, r, 0, 0};
    char expected[160];
    int column = 1;
    if (!r->expect.f)
        return;
    formula_names(r->expect.f, on_name, &n, NULL);
    if (!n.named || n.brought)
        return;
    formula_names(r->expect.f, stop_at_measured, &n, &column);
    say_expected(expected, sizeof expected, &n);
    findings_add(l->f, "reading-foreign", s->pack, l->v->full_id, NULL,
                 place_inside(s->pack, &r->expect, column),
                 "%s brings nothing of what this reading names; expected was %s", r->probe,
                 expected);
}

void check_formulas(struct findings *f, const struct variant *v)
{
    struct looking l = {f, v};
    check_units(&l);
    for (int i = 0; i < v->n_readings; i++)
        check_reading(&l, &v->readings[i]);
}

#include "drills/question/instance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/question/fill.h"
#include "kernels/wire/lot.h"
#include "kernels/wire/text.h"
#include "scenarios/evidence/evidence.h"

enum { MOST_DRAWS = 1000 };

/* ---- chance ---- */

/* A whole number in [0, n). */
static int pick(uint64_t *state, int n)
{
    return (int)(lot_next(state) >> 33) % n;
}

/* ---- names ---- */

struct names {
    const struct drill_instance *i;
    int n_vars, n_lets;
    bool answered;
    char answer[64];
};

static int lookup_var(const struct names *n, const char *name, struct quantity *out,
                      struct err *err)
{
    const struct drill *d = n->i->drill;
    for (int v = 0; v < n->n_vars; v++) {
        const struct drill_var *var = &d->vars[v];
        size_t len = strlen(var->name);
        if (!strcmp(name, var->name) && var->draw != DRAW_ROW) {
            *out = n->i->vars[v];
            return 0;
        }
        if (var->draw == DRAW_ROW && !strncmp(name, var->name, len) && name[len] == '.')
            return table_value(var->table, n->i->rows[v], name + len + 1, out, err);
    }
    return ERR_BAD_REQUEST;
}

static int lookup(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    static const struct story nothing = {.n_params = 0};
    const struct names *n = ctx;
    struct scope machine = {.story = &nothing, .device = n->i->device};
    int rc = lookup_var(n, name, out, err);
    if (rc != ERR_BAD_REQUEST)
        return rc;
    for (int l = 0; l < n->n_lets; l++)
        if (!strcmp(name, n->i->drill->lets[l].name)) {
            *out = n->i->lets[l];
            return 0;
        }
    if (n->answered && !strcmp(name, "answer")) {
        *out = (struct quantity){n->i->answer, n->i->drill->dim};
        return 0;
    }
    if (!strncmp(name, "gpu.", 4) || !strncmp(name, "ceiling.", 8))
        return n->i->device ? scope_lookup(&machine, name, out, err)
                            : err_set(err, ERR_MISSING, "%s is not known without a GPU", name);
    return err_set(err, ERR_BAD_REQUEST, "'%s' has no value here", name);
}

static const char *word_of(void *ctx, const char *name)
{
    const struct names *n = ctx;
    if (n->answered && !strcmp(name, "answer"))
        return n->answer;
    for (int v = 0; v < n->n_vars; v++)
        if (n->i->drill->vars[v].draw == DRAW_ROW && !strcmp(name, n->i->drill->vars[v].name))
            return table_name(n->i->drill->vars[v].table, n->i->rows[v]);
    return NULL;
}

static int eval(const struct names *n, const struct expr *e, struct quantity *out, struct err *err)
{
    struct err why;
    int rc = formula_eval(e->f, lookup, (void *)n, out, NULL, &why);
    return rc ? err_set(err, rc, "%s: %s (%s:%d: %s)",
                        n->i->drill->full_id ? n->i->drill->full_id : n->i->drill->id, why.text,
                        e->file, e->line, formula_text(e->f))
              : 0;
}

/* ---- drawing ---- */

static double round_digits(double x, int digits)
{
    double scale = pow(10, digits - 1 - floor(log10(fabs(x))));
    return x == 0 ? 0 : round(x * scale) / scale;
}

/* low and high, and a step where there is one, of one dimension. */
static int draw_between(struct drill_instance *i, const struct names *n, int v, uint64_t *state,
                        struct err *err)
{
    const struct drill_var *var = &i->drill->vars[v];
    struct quantity q[3] = {{0}};
    for (int k = 0; k < var->n; k++) {
        int rc = eval(n, &var->values[k], &q[k], err);
        if (rc)
            return rc;
        if (!dim_equal(q[k].dim, q[0].dim))
            return err_set(err, ERR_BAD_REQUEST, "%s: the bounds of %s differ in unit",
                           i->drill->full_id, var->name);
    }
    double low = q[0].value, high = q[1].value, step = q[2].value;
    if (!(low <= high) || (var->draw != DRAW_RANGE && low <= 0) ||
        (var->draw == DRAW_RANGE && step <= 0))
        return err_set(err, ERR_BAD_REQUEST, "%s: the bounds of %s leave nothing to draw",
                       i->drill->full_id, var->name);
    i->vars[v].dim = q[0].dim;
    if (var->draw == DRAW_LOG2)
        i->vars[v].value =
            exp2(ceil(log2(low) - 1e-9) +
                 pick(state, (int)(floor(log2(high) + 1e-9) - ceil(log2(low) - 1e-9)) + 1));
    else if (var->draw == DRAW_RANGE)
        i->vars[v].value = low + step * pick(state, (int)floor((high - low) / step + 1e-9) + 1);
    else
        i->vars[v].value =
            fmin(fmax(round_digits(low * pow(high / low, lot_unit(state)), var->digits), low), high);
    return 0;
}

static int draw_var(struct drill_instance *i, const struct names *n, int v, uint64_t *state,
                    struct err *err)
{
    const struct drill_var *var = &i->drill->vars[v];
    i->rows[v] = -1;
    if (var->draw == DRAW_ROW) {
        i->rows[v] = var->rows[pick(state, var->n)];
        return 0;
    }
    if (var->draw == DRAW_ONE_OF)
        return eval(n, &var->values[pick(state, var->n)], &i->vars[v], err);
    return draw_between(i, n, v, state, err);
}

static int fix_var(struct drill_instance *i, const struct names *n, int v, struct err *err)
{
    for (int c = 0; c < i->drill->n_canonical; c++) {
        const struct drill_fixed *f = &i->drill->canonical[c];
        if (strcmp(f->name, i->drill->vars[v].name))
            continue;
        i->rows[v] = i->drill->vars[v].draw == DRAW_ROW ? f->row : -1;
        return i->rows[v] < 0 ? eval(n, &f->value, &i->vars[v], err) : 0;
    }
    return 0;
}

/* 1: a legal draw; 0: excluded. */
static int draw_once(struct drill_instance *i, uint64_t *state, struct err *err)
{
    const struct drill *d = i->drill;
    struct names n = {.i = i};
    int rc;
    for (int v = 0; v < d->n_vars; v++, n.n_vars++)
        if ((rc = draw_var(i, &n, v, state, err)) ||
            (i->seed == 0 && (rc = fix_var(i, &n, v, err))))
            return rc;
    for (int l = 0; l < d->n_lets; l++, n.n_lets++)
        if ((rc = eval(&n, &d->lets[l].value, &i->lets[l], err)))
            return rc;
    for (int x = 0; x < d->n_excludes; x++) {
        struct quantity q;
        if ((rc = eval(&n, &d->excludes[x], &q, err)))
            return rc;
        if (q.value != 0)
            return 0;
    }
    return 1;
}

static int draw(struct drill_instance *i, struct err *err)
{
    uint64_t state = lot_named(i->seed, i->drill->full_id);
    for (int k = 0; k < MOST_DRAWS; k++) {
        int rc = draw_once(i, &state, err);
        if (rc)
            return rc < 0 ? rc : 0;
    }
    return err_set(err, ERR_BAD_REQUEST,
                   "%s: %d draws were all excluded; its ranges or exclusions leave too little",
                   i->drill->full_id, MOST_DRAWS);
}

/* ---- answers ---- */

void drill_show_value(char *out, size_t size, const struct drill *d, double value)
{
    char own[64];
    dim_unit(own, sizeof own, d->dim);
    fill_value(out, size, (struct quantity){value, d->dim}, strcmp(d->unit, own) ? d->unit : NULL);
}

bool drill_is_right(const struct drill_instance *i, double value)
{
    bool right = tolerance_holds(i->drill->tolerance, value, i->answer);
    for (int a = 0; a < i->n_accepts; a++)
        right = right || tolerance_holds(i->drill->tolerance, value, i->accepts[a]);
    return right;
}

static int eval_as(const struct names *n, const struct expr *e, double *out, struct err *err)
{
    struct quantity q = {0};
    int rc = eval(n, e, &q, err);
    *out = q.value;
    if (rc || dim_equal(q.dim, n->i->drill->dim))
        return rc;
    char is[64], should[64];
    dim_describe(is, sizeof is, q.dim);
    dim_describe(should, sizeof should, n->i->drill->dim);
    return err_set(err, ERR_BAD_REQUEST, "%s: %s is %s; %s was expected (%s:%d)",
                   n->i->drill->full_id, formula_text(e->f), is, should, e->file, e->line);
}

/* A mistake is left out where its number is right after all, or equals another mistake's. */
static int add_wrongs(struct drill_instance *i, const struct names *n,
                      const struct fill_names *fill, struct err *err)
{
    for (int m = 0; m < i->drill->n_mistakes; m++) {
        double value;
        int rc = eval_as(n, &i->drill->mistakes[m].value, &value, err);
        if (rc)
            return rc;
        bool twice = drill_is_right(i, value);
        for (int k = 0; k < i->n_wrongs; k++)
            twice = twice || tolerance_holds(i->drill->tolerance, value, i->wrongs[k].value);
        if (twice)
            continue;
        if (!(i->wrongs[i->n_wrongs].says = fill_text(i->drill->mistakes[m].says, fill, err)))
            return err->code;
        i->wrongs[i->n_wrongs++].value = value;
    }
    return 0;
}

static int fill_all(struct drill_instance *i, struct names *n, struct err *err)
{
    const struct drill *d = i->drill;
    struct fill_names fill = {lookup, word_of, n};
    int rc = eval_as(n, &d->answer, &i->answer, err);
    for (; !rc && i->n_accepts < d->n_accepts; i->n_accepts++)
        rc = eval_as(n, &d->accepts[i->n_accepts], &i->accepts[i->n_accepts], err);
    if (rc)
        return rc;
    n->answered = true;
    drill_show_value(n->answer, sizeof n->answer, d, i->answer);
    for (int c = 0; c < d->n_choices; c++)
        if (!(i->choices[c] = fill_text(d->choices[c], &fill, err)))
            return err->code;
    if (!(i->ask = fill_text(d->ask, &fill, err)) || !(i->hint = fill_text(d->hint, &fill, err)) ||
        !(i->solution = fill_text(d->solution, &fill, err)))
        return err->code;
    return add_wrongs(i, n, &fill, err);
}

int drill_instance_make(struct drill_instance **out, const struct drill *d, uint64_t seed,
                        const struct msg_device *device, struct err *err)
{
    struct err here = {0};
    struct drill_instance *i = mem_new(1, sizeof *i);
    struct names names = {.i = i, .n_vars = d->n_vars, .n_lets = d->n_lets};
    i->drill = d;
    i->seed = seed;
    i->device = device;
    int rc = draw(i, &here);
    if (!rc)
        rc = fill_all(i, &names, &here);
    if (rc) {
        drill_instance_free(i);
        i = NULL;
        if (err)
            *err = here;
    }
    *out = i;
    return rc;
}

void drill_instance_free(struct drill_instance *i)
{
    if (!i)
        return;
    for (int k = 0; k < i->n_wrongs; k++)
        free(i->wrongs[k].says);
    for (int c = 0; c < i->drill->n_choices; c++)
        free(i->choices[c]);
    free(i->ask);
    free(i->hint);
    free(i->solution);
    free(i);
}

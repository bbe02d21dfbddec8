/* The values of a model by a seed: each is worked out when it is first asked for. Chance belongs to
 * a value's name and place, so that a quantity that is added changes no other. */
#include "scenarios/pack/model_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/lot.h"
#include "kernels/wire/text.h"
#include "scenarios/pack/names.h"

const int NOWHERE[MODEL_AXES] = {-1, -1, -1, -1, -1, -1};

enum cell { CELL_NEW, CELL_BUSY, CELL_DONE };
struct values { double *value; unsigned char *state; int n; struct dim dim; bool has_dim; };

struct drawing {
    const struct model *m;
    int which;              /* variant, by its place in the story */
    uint64_t seed;
    int64_t *params;
    struct values *all;     /* of each quantity */
    bool placed;            /* an error has its place already */
};

/* ---- from its beginning to its end ---- */

static int cells_of(const struct model *m, const struct made *q)
{
    int n = 1;
    for (int i = 0; i < q->n_axes; i++)
        n *= m->axes[q->axis[i]].count;
    return n;
}

struct drawing *drawing_new(const struct variant *v)
{
    const struct story *s = v->story;
    struct drawing *d = mem_new(1, sizeof *d);
    d->m = s->model;
    while (s->variants[d->which] != v)
        d->which++;
    d->seed = lot_named(s->pack->files->seed, v->full_id);
    d->params = mem_new((size_t)s->n_params, sizeof *d->params);
    size_params(s, NULL, -1, 0, d->params, NULL);
    d->all = mem_new((size_t)d->m->n, sizeof *d->all);
    for (int i = 0; i < d->m->n; i++) {
        int n = cells_of(d->m, &d->m->all[i]);
        d->all[i] = (struct values){.value = mem_new((size_t)n, sizeof(double)),
                                    .state = mem_new((size_t)n, 1),
                                    .n = n};
    }
    return d;
}

void drawing_free(struct drawing *d)
{
    for (int i = 0; d && i < d->m->n; i++) {
        free(d->all[i].value);
        free(d->all[i].state);
    }
    if (d) {
        free(d->all);
        free(d->params);
    }
    free(d);
}

const struct model *drawing_model(const struct drawing *d)
{
    return d->m;
}

/* ---- names in a formula ---- */

/* Where a formula stands: the axes that are bound, and its chance (NULL: it has none). */
struct scope { struct drawing *d; const int *bound; uint64_t *chance; };

static int ask(struct drawing *d, int quantity, int cell, struct err *err);

static int draw(const struct scope *s, bool normal, struct quantity *out, struct err *err)
{
    if (!s->chance)
        return err_set(err, ERR_BAD_REQUEST,
                       "chance belongs to quantities; the name of one was expected here");
    double u = lot_unit(s->chance);
    *out = (struct quantity){.value = u};
    if (normal)   /* Box and Muller 1958 */
        out->value = sqrt(-2 * log(1 - u)) * cos(2 * 3.14159265358979323846 * lot_unit(s->chance));
    return 0;
}

/* The cell of a quantity where all of its axes are bound, or those in `at`. */
static int cell_at(const struct model *m, const struct made *q, const int *at)
{
    int cell = 0;
    for (int i = 0; i < q->n_axes; i++)
        cell = cell * m->axes[q->axis[i]].count + at[q->axis[i]];
    return cell;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double reduced(double *v, int n, enum over how)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    qsort(v, (size_t)n, sizeof *v, by_value);
    return how == OVER_MIN      ? v[0]
           : how == OVER_MAX    ? v[n - 1]
           : how == OVER_SUM    ? sum
           : how == OVER_MEAN   ? sum / n
           : n % 2                ? v[n / 2]
                                  : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Over the axes that are not bound. */
static int reduce_over(const struct scope *s, int quantity, enum over how, struct quantity *out,
                       struct err *err)
{
    const struct model *m = s->d->m;
    const struct made *q = &m->all[quantity];
    int at[MODEL_AXES], n = 0, rc = 0;
    double *v = mem_new((size_t)s->d->all[quantity].n, sizeof *v);
    memcpy(at, s->bound, sizeof at);
    for (int cell = 0; !rc && cell < s->d->all[quantity].n; cell++) {
        bool within = true;
        for (int i = q->n_axes - 1, rest = cell; i >= 0; rest /= m->axes[q->axis[i--]].count) {
            int place = rest % m->axes[q->axis[i]].count;
            within = within && (s->bound[q->axis[i]] < 0 || s->bound[q->axis[i]] == place);
        }
        rc = within ? ask(s->d, quantity, cell, err) : 0;
        if (within && !rc)
            v[n++] = s->d->all[quantity].value[cell];
    }
    if (!rc)
        *out = (struct quantity){reduced(v, n, how), s->d->all[quantity].dim};
    free(v);
    return rc;
}

static int one_value(const struct scope *s, int quantity, int back, struct quantity *out,
                     struct err *err)
{
    const struct model *m = s->d->m;
    const struct made *q = &m->all[quantity];
    for (int i = 0; i < q->n_axes; i++)
        if (s->bound[q->axis[i]] < 0)
            return err_set(err, ERR_BAD_REQUEST,
                           "'%s' has a value for each %s; %s.max or another reduction was expected",
                           q->name, m->axes[q->axis[i]].name, q->name);
    if (back && (!q->n_axes || s->bound[q->axis[q->n_axes - 1]] == 0))
        return err_set(err, ERR_BAD_REQUEST,
                       "there is no '%s' before the first; if(...) was expected around it",
                       q->name);
    int cell = cell_at(m, q, s->bound) - back, rc = ask(s->d, quantity, cell, err);
    if (!rc)
        *out = (struct quantity){s->d->all[quantity].value[cell], s->d->all[quantity].dim};
    return rc;
}

static int lookup(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    const struct scope *s = ctx;
    const struct model *m = s->d->m;
    size_t len = strcspn(name, ".");
    if (!strcmp(name, "uniform") || !strcmp(name, "normal"))
        return draw(s, *name == 'n', out, err);
    int axis = model_axis(m, name, len), param = axis < 0 ? name_param(m->story, name) : -1,
        quantity = axis < 0 && param < 0 ? model_quantity(m, name, len) : -1;
    if (axis >= 0 && s->bound[axis] < 0)
        return err_set(err, ERR_BAD_REQUEST, "'%s' is no number here; a quantity over it has one",
                       name);
    *out = (struct quantity){.dim = DIM_NONE};
    if (axis >= 0)
        out->value = m->axes[axis].from + s->bound[axis];
    else if (param >= 0)
        out->value = (double)s->d->params[param];
    else if (!name[len])
        return one_value(s, quantity, 0, out, err);
    else if (model_reduce(name + len + 1) == OVER_BEFORE)
        return one_value(s, quantity, 1, out, err);
    else
        return reduce_over(s, quantity, (enum over)model_reduce(name + len + 1), out, err);
    return 0;
}

/* ---- values ---- */

static int evaluate(struct scope *s, const struct expr *e, struct quantity *out, struct err *err)
{
    int column = 1;
    int rc = formula_eval(e->f, lookup, s, out, &column, err);
    if (rc && !s->d->placed) {
        s->d->placed = true;
        expr_fail(e, column, s->d->m->story->pack, err);
    }
    return rc;
}

static int work_out(struct drawing *d, int quantity, int cell, struct err *err)
{
    const struct made *q = &d->m->all[quantity];
    struct values *v = &d->all[quantity];
    const struct expr *e = q->own[d->which].f ? &q->own[d->which] : &q->is;
    int at[MODEL_AXES];
    memcpy(at, NOWHERE, sizeof at);
    for (int i = q->n_axes - 1, rest = cell; i >= 0; rest /= d->m->axes[q->axis[i--]].count)
        at[q->axis[i]] = rest % d->m->axes[q->axis[i]].count;
    uint64_t chance = lot_named(d->seed, q->name) + (uint64_t)cell;
    chance = lot_next(&chance);
    struct scope s = {d, at, &chance};
    struct quantity out;
    v->state[cell] = CELL_BUSY;
    int rc = evaluate(&s, e, &out, err);
    if (!rc && v->has_dim && !dim_equal(v->dim, out.dim)) {
        rc = err_set(err, ERR_BAD_REQUEST, "'%s' has values of different kinds; one was expected",
                     q->name);
        expr_fail(e, 1, d->m->story->pack, err);
        d->placed = true;
    }
    if (rc)
        return rc;
    v->has_dim = true;
    v->dim = out.dim;
    v->value[cell] = out.value;
    v->state[cell] = CELL_DONE;
    return 0;
}

/* Those before it on its last axis first, so that what follows step by step nests no deeper than
 * there are quantities. */
static int ask(struct drawing *d, int quantity, int cell, struct err *err)
{
    const struct made *q = &d->m->all[quantity];
    struct values *v = &d->all[quantity];
    int last = q->n_axes ? d->m->axes[q->axis[q->n_axes - 1]].count : 1, rc = 0;
    for (int c = cell - cell % last; !rc && c <= cell; c++) {
        if (v->state[c] == CELL_BUSY && c == cell)
            return err_set(err, ERR_BAD_REQUEST,
                           "'%s' follows from itself; its own value .before was expected at most",
                           q->name);
        if (v->state[c] == CELL_NEW)
            rc = work_out(d, quantity, c, err);
    }
    return rc;
}

int drawing_value(struct drawing *d, const int *bound, const struct expr *e, struct quantity *out,
                  struct err *err)
{
    struct err unseen;
    struct scope s = {d, bound, NULL};
    d->placed = false;
    return evaluate(&s, e, out, err ? err : &unseen);
}

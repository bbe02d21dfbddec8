/* A timeline out of the values of a model: its form, and the blocks that a seed draws. */
#include "scenarios/pack/model_inside.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/pack/exhibit_blocks.h"

enum { MOST_KINDS = 64 };

/* ---- the form ---- */

static int read_block(struct reader *r, const struct model *m, const struct yaml *y,
                      struct shown_block *out)
{
    const struct yaml *k[BLOCK_KEYS];
    int rc = yaml_keys(y, &block_shape, k, r->err);
    out->over = -1;
    if (!rc)
        rc = yaml_string(k[BLOCK_K_LABEL], 120, false, "the label of a block", r->err);
    if (!rc)
        rc = read_template(r, m, k[BLOCK_K_LABEL], &out->label);
    if (!rc)
        rc = read_own_formula(r, m, k[BLOCK_K_BEGIN], &out->begin);
    if (!rc)
        rc = read_own_formula(r, m, k[BLOCK_K_END], &out->end);
    if (!rc && k[BLOCK_K_FOR])
        rc = find_axis(r, m, k[BLOCK_K_FOR], &out->over);
    if (!rc && k[BLOCK_K_WHEN])
        rc = read_own_formula(r, m, k[BLOCK_K_WHEN], &out->when);
    return rc;
}

/* May this text, with holes or without, come out as `label`? */
static bool may_be(const char *text, const char *label)
{
    const char *hole = strstr(text, "<<");
    return hole ? !strncmp(text, label, (size_t)(hole - text)) : !strcmp(text, label);
}

static bool may_be_labelled(const struct yaml *y, const char *label)
{
    for (const struct yaml *block = y->first; block; block = block->next)
        for (const struct yaml *v = block->first; v; v = v->next)
            if (!strcmp(v->key->text, "label") && may_be(v->text, label))
                return true;
    return false;
}

static int check_figures(struct reader *r, const struct yaml *y, const struct exhibit *x)
{
    for (int i = 0; i < x->n_figures; i++) {
        const char *of = x->figures[i].of;
        if (strcmp(of, "busy") && strcmp(of, "gap") && !may_be_labelled(y, of))
            return yaml_fail(y, ERR_MISSING, r->err,
                             "no block is labelled '%.20s', of which '%.63s' is the time; one was "
                             "expected",
                             of, x->figures[i].name);
    }
    return 0;
}

int read_blocks(struct reader *r, const struct model *m, const struct yaml *y, struct shown *out)
{
    int rc = yaml_is_list(y, 1, MOST_KINDS, "a list of blocks", r->err);
    if (rc)
        return rc;
    out->blocks = arena_new(&r->memory->arena, (size_t)y->n, sizeof *out->blocks);
    for (const struct yaml *v = y->first; !rc && v; v = v->next)
        rc = read_block(r, m, v, &out->blocks[out->n_blocks++]);
    for (int i = 0; !rc && i < out->n_blocks; i++)
        if (out->blocks[i].over == out->rows)
            rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                           "'for' names the axis of the rows, which each block has already; "
                           "another axis was expected");
    return rc ? rc : check_figures(r, y, out->x->exhibit);
}

/* ---- a draw ---- */

/* In the unit of the axis. */
static int time_of(struct drawing *d, const int *bound, const struct exhibit *form,
                   const struct expr *e, double *out, struct err *err)
{
    struct quantity q = {0};
    int rc = drawing_value(d, bound, e, &q, err);
    if (!rc && !dim_equal(q.dim, DIM_SECOND)) {
        err_set(err, ERR_BAD_REQUEST, "this is no time; one was expected of a block");
        rc = expr_fail(e, 1, drawing_model(d)->story->pack, err);
    }
    *out = q.value / form->time_factor;
    return rc;
}

static int add_block(struct drawing *d, const struct shown *w, const struct shown_block *s,
                     const int *bound, struct block_list *all, struct err *err)
{
    struct quantity when = {.value = 1};
    struct block b = {.row = bound[w->rows], .source = (int)(s - w->blocks)};
    char *label = NULL;
    int rc = s->when.f ? drawing_value(d, bound, &s->when, &when, err) : 0;
    if (rc || when.value == 0)
        return rc;
    rc = time_of(d, bound, w->x->exhibit, &s->begin, &b.begin, err);
    if (!rc)
        rc = time_of(d, bound, w->x->exhibit, &s->end, &b.end, err);
    if (!rc)
        rc = drawing_write(d, bound, &s->label, &label, err);
    if (!rc && blocks_add(all, &b, label, err))
        rc = expr_fail(&s->begin, 1, drawing_model(d)->story->pack, err);
    free(label);
    return rc;
}

static int add_row(struct drawing *d, const struct shown *w, int *bound, struct block_list *all,
                   struct err *err)
{
    int rc = 0;
    for (int i = 0; !rc && i < w->n_blocks; i++) {
        const struct shown_block *s = &w->blocks[i];
        int times = s->over < 0 ? 1 : drawing_model(d)->axes[s->over].count;
        for (int k = 0; !rc && k < times; k++) {
            if (s->over >= 0)
                bound[s->over] = k;
            rc = add_block(d, w, s, bound, all, err);
        }
        if (s->over >= 0)
            bound[s->over] = -1;
    }
    return rc;
}

int drawing_blocks(struct drawing *d, const struct shown *w, struct msg_part *part,
                   struct err *err)
{
    struct block_list all = {.n = 0};
    int bound[MODEL_AXES], rc = 0;
    memcpy(bound, NOWHERE, sizeof bound);
    for (int i = 0; !rc && i < part->n_lines; i++) {
        bound[w->rows] = i;
        rc = add_row(d, w, bound, &all, err);
    }
    if (!rc && blocks_keep(&all, w->x->exhibit, part, err))
        rc = expr_fail(&w->blocks[all.wrong].begin, 1, drawing_model(d)->story->pack, err);
    blocks_clear(&all);
    return rc;
}

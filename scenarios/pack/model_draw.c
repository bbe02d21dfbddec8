/* Exhibits out of the values of a model. */
#include "scenarios/pack/model_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/exhibit_blocks.h"
#include "scenarios/pack/exhibits.h"

const char *drawing_by(const struct drawing *d)
{
    return drawing_model(d)->by;
}

const char *drawing_made(const struct drawing *d)
{
    return drawing_model(d)->made;
}

/* ---- tables ---- */

/* In the figure's unit, rounded as a tool would print it. */
static int figure_value(struct drawing *d, const int *bound, const struct figure *f,
                        const struct shown_figure *shown, double *out, struct err *err)
{
    struct quantity q;
    int rc = drawing_value(d, bound, &shown->is, &q, err);
    if (!rc && !dim_equal(q.dim, f->dim)) {
        char is[64];
        dim_describe(is, sizeof is, q.dim);
        err_set(err, ERR_BAD_REQUEST, "this is %s; what is shown in %s was expected", is, f->unit);
        rc = expr_fail(&shown->is, 1, drawing_model(d)->story->pack, err);
    }
    double scale = pow(10, shown->digits);
    if (!rc)
        *out = round(q.value / f->factor * scale) / scale + 0.0;
    return rc;
}

static int draw_figures(struct drawing *d, const struct shown *w, struct msg_part *part,
                        struct err *err)
{
    const struct exhibit *form = w->x->exhibit;
    int rows = drawing_model(d)->axes[w->rows].count, rc = 0;
    int columns = w->columns < 0 ? 1 : drawing_model(d)->axes[w->columns].count;
    int bound[MODEL_AXES];
    memcpy(bound, NOWHERE, sizeof bound);
    for (int i = 0; !rc && i < form->n_figures; i++) {
        struct msg_series *s = exhibit_series(part, form->figures[i].name, rows * columns);
        for (; !rc && s->n < rows * columns; s->n += rc == 0) {
            bound[w->rows] = s->n / columns;
            if (w->columns >= 0)
                bound[w->columns] = s->n % columns;
            rc = figure_value(d, bound, &form->figures[i], &w->figures[i], &s->values[s->n], err);
        }
    }
    return rc;
}

static int row_name(struct drawing *d, const struct shown *w, const int *bound, char **out,
                    struct err *err)
{
    const struct axis *a = &drawing_model(d)->axes[w->rows];
    if (w->names.n)
        return drawing_write(d, bound, &w->names, out, err);
    *out = text_format("%d", a->from + bound[w->rows]);
    return 0;
}

static int draw_table(struct drawing *d, const struct shown *w, struct msg_part *part,
                      struct err *err)
{
    int bound[MODEL_AXES], rc = 0, rows = drawing_model(d)->axes[w->rows].count;
    memcpy(bound, NOWHERE, sizeof bound);
    part->lines = mem_new((size_t)rows, sizeof *part->lines);
    for (int i = 0; !rc && i < rows; i++) {
        bound[w->rows] = i;
        rc = row_name(d, w, bound, &part->lines[i], err);
        part->n_lines += rc == 0;
    }
    if (!rc && w->columns >= 0) {
        const struct axis *a = &drawing_model(d)->axes[w->columns];
        struct msg_series *s = exhibit_series(part, EXHIBIT_COLUMNS, a->count);
        for (; s->n < a->count; s->n++)
            s->values[s->n] = a->from + s->n;
    }
    if (!rc && w->n_blocks)
        return drawing_blocks(d, w, part, err);
    return rc ? rc : draw_figures(d, w, part, err);
}

/* ---- lines, in their order or by a time ---- */

struct written { double at; int order; char *text; };

static int by_time(const void *a, const void *b)
{
    const struct written *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : x->order - y->order;
}

static int write_line(struct drawing *d, const struct shown_line *l, const int *bound,
                      struct written *all, int *n, struct err *err)
{
    struct quantity when = {.value = 1}, at = {.value = -INFINITY};
    int rc = l->when.f ? drawing_value(d, bound, &l->when, &when, err) : 0;
    if (rc || when.value == 0)
        return rc;
    if (*n == EXHIBIT_LINES)
        return err_set(err, ERR_TOO_LARGE,
                       "%s/sealed/model.yaml: more than %d lines were drawn; fewer were expected",
                       drawing_model(d)->story->full_id, EXHIBIT_LINES);
    if (l->at.f)
        rc = drawing_value(d, bound, &l->at, &at, err);
    struct written *w = &all[*n];
    *w = (struct written){.at = at.value, .order = *n};
    if (!rc)
        rc = drawing_write(d, bound, &l->text, &w->text, err);
    *n += rc == 0;
    return rc;
}

static int draw_lines(struct drawing *d, const struct shown *w, struct msg_part *part,
                      struct err *err)
{
    struct written *all = mem_new(EXHIBIT_LINES, sizeof *all);
    int n = 0, rc = 0;
    for (int i = 0; !rc && i < w->n_lines; i++) {
        const struct shown_line *l = &w->lines[i];
        int bound[MODEL_AXES], times = l->over < 0 ? 1 : drawing_model(d)->axes[l->over].count;
        memcpy(bound, NOWHERE, sizeof bound);
        for (int k = 0; !rc && k < times; k++) {
            if (l->over >= 0)
                bound[l->over] = k;
            rc = write_line(d, l, bound, all, &n, err);
        }
    }
    qsort(all, (size_t)n, sizeof *all, by_time);
    part->lines = mem_new((size_t)n + 1, sizeof *part->lines);
    size_t bytes = 0;
    for (int i = 0; i < n; i++) {
        bytes += strlen(all[i].text);
        part->lines[part->n_lines++] = all[i].text;
    }
    free(all);
    if (!rc && bytes > EXHIBIT_TEXT)
        rc = err_set(err, ERR_TOO_LARGE,
                     "%s/sealed/model.yaml: %zu bytes of lines were drawn; at most %d were "
                     "expected",
                     drawing_model(d)->story->full_id, bytes, EXHIBIT_TEXT);
    return rc;
}

int drawing_exhibit(struct drawing *d, const struct experiment *x, struct msg_part *part,
                    struct err *err)
{
    const struct shown *w = drawing_model(d)->shown;
    while (w->x != x)
        w++;
    int rc = w->n_lines ? draw_lines(d, w, part, err) : draw_table(d, w, part, err);
    for (int i = 0; !rc && i < w->n_notes; i++) {
        part->notes = mem_grow(part->notes, (size_t)part->n_notes + 1, sizeof *part->notes);
        rc = drawing_write(d, NOWHERE, &w->notes[i], &part->notes[part->n_notes], err);
        part->n_notes += rc == 0;
    }
    return rc;
}

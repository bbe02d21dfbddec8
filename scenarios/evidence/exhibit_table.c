#include "scenarios/evidence/exhibit_table.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/text.h"
#include "scenarios/evidence/evidence.h"
#include "scenarios/pack/exhibit_blocks.h"
#include "scenarios/pack/exhibit_names.h"

int exhibits_recall(struct evidence **out, const struct variant *v, const struct recording *r,
                    const char *probe, struct err *err)
{
    const struct story *s = v->story;
    bool all = !strcmp(probe, "all") || !strcmp(probe, "debrief");
    if (!all && strcmp(probe, "symptom") && !story_experiment(s, probe))
        return err_set(err, ERR_BAD_REQUEST, "%s is a case: it has exhibits, and no '%s'",
                       s->full_id, probe);
    struct evidence *e =
        evidence_new(all ? "all" : probe, *r->tier ? r->tier : "recorded", r->device.name);
    for (int x = 0; x < s->n_experiments; x++) {
        char key[HASH_HEX];
        exhibit_key(key, &s->experiments[x]);
        const struct msg_part *p =
            all || !strcmp(s->experiments[x].id, probe) ? recording_find(r, key, "a") : NULL;
        if (p)
            evidence_add(e, p)->variant = all ? x : 0;
    }
    *out = e;
    return 0;
}

/* ---- as a table ---- */

bool exhibit_table(struct exhibit_table *out, const struct experiment *x, const struct msg_part *p)
{
    if (!x || !x->exhibit || !x->exhibit->n_figures || !p->n_lines)
        return false;
    const struct msg_series *columns = x->exhibit->column ? evidence_series(p, EXHIBIT_COLUMNS) : NULL;
    *out = (struct exhibit_table){x->exhibit, p->n_lines, columns ? columns->n : 1, p->lines,
                                  columns ? columns->values : NULL};
    const struct msg_series *first = evidence_series(p, x->exhibit->figures[0].name);
    if (x->exhibit->time && first && first->n <= p->n_lines) /* behind its rows there are labels */
        out->n_rows = first->n;
    bool whole = !x->exhibit->column || (columns && columns->n > 0);
    for (int i = 0; whole && i < x->exhibit->n_figures; i++) {
        const struct msg_series *s = evidence_series(p, x->exhibit->figures[i].name);
        whole = s && s->n == out->n_rows * out->n_columns;
    }
    return whole;
}

static bool is_place(double value, int n)
{
    return value >= 0 && value < n && value == (int)value;
}

bool exhibit_timeline(struct exhibit_timeline *out, const struct experiment *x,
                      const struct msg_part *p)
{
    static const char *const names[] = {BLOCKS_ROW, BLOCKS_LABEL, BLOCKS_BEGIN, BLOCKS_END};
    const struct msg_series *s[4];
    struct exhibit_table t;
    if (!x || !x->exhibit || !x->exhibit->time || !exhibit_table(&t, x, p))
        return false;
    for (int k = 0; k < 4; k++)
        if (!(s[k] = evidence_series(p, names[k])) || s[k]->n != s[0]->n)
            return false;
    *out = (struct exhibit_timeline){
        x->exhibit, t.row, t.n_rows, p->lines + t.n_rows, p->n_lines - t.n_rows, s[0]->values,
        s[1]->values, s[2]->values, s[3]->values, s[0]->n, 0};
    for (int i = 0; i < out->n; i++) {
        if (!is_place(out->in_row[i], out->n_rows) || !is_place(out->in_label[i], out->n_labels) ||
            !(out->begin[i] >= 0) || !(out->end[i] > out->begin[i]))
            return false;
        out->length = out->end[i] > out->length ? out->end[i] : out->length;
    }
    return out->length > 0 && out->n_labels <= BLOCK_LABELS;
}

double exhibit_cell(const struct exhibit_table *t, const struct msg_part *p, int figure, int row,
                    int column)
{
    return evidence_series(p, t->form->figures[figure].name)->values[row * t->n_columns + column];
}

double exhibit_row(const struct exhibit_table *t, const struct msg_part *p, int figure, int row)
{
    double sum = 0;
    for (int c = 0; c < t->n_columns; c++)
        sum += exhibit_cell(t, p, figure, row, c);
    return sum / t->n_columns;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static double reduce_rows(double *rows, int n, enum exhibit_reduce how)
{
    int least = 0, most = 0;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        least = rows[i] < rows[least] ? i : least;
        most = rows[i] > rows[most] ? i : most;
        sum += rows[i];
    }
    switch (how) {
    case EXHIBIT_MIN: return rows[least];
    case EXHIBIT_MAX: return rows[most];
    case EXHIBIT_MEAN: return sum / n;
    case EXHIBIT_FIRST: return rows[0];
    case EXHIBIT_LAST: return rows[n - 1];
    case EXHIBIT_AT_MIN: return least;
    case EXHIBIT_AT_MAX: return most;
    default: return median_of(rows, n);
    }
}

/* The part that has this figure, which no two exhibits of a story share. */
static const struct msg_part *part_with(const struct evidence *e, const char *figure)
{
    for (int i = 0; e && i < e->n_parts; i++)
        if (evidence_series(&e->parts[i], figure))
            return &e->parts[i];
    return NULL;
}

int exhibits_lookup(const struct scope *s, const char *name, struct quantity *out, struct err *err)
{
    const struct experiment *x = NULL;
    const struct msg_part *p = NULL;
    struct exhibit_table t;
    int figure = 0;
    enum exhibit_reduce how = EXHIBIT_MEAN;
    if (!exhibits_figure(s->story, name, &x, &figure, &how))
        return err_set(err, ERR_BAD_REQUEST, "unknown name '%s'", name);
    const struct figure *f = &x->exhibit->figures[figure];
    for (int b = 0; !p && b < s->n_bought; b++)
        p = part_with(s->bought[b], f->name);
    if (!p)
        p = part_with(s->all, f->name);
    if (!p || !exhibit_table(&t, x, p))
        return err_set(err, ERR_MISSING, "%s is not known before %s was looked at", name, x->id);
    double *rows = mem_new((size_t)t.n_rows, sizeof *rows);
    for (int r = 0; r < t.n_rows; r++)
        rows[r] = exhibit_row(&t, p, figure, r) * f->factor;
    bool place = how == EXHIBIT_AT_MIN || how == EXHIBIT_AT_MAX;
    *out = (struct quantity){reduce_rows(rows, t.n_rows, how), place ? DIM_NONE : f->dim};
    free(rows);
    return 0;
}

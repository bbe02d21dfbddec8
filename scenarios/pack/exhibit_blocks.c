#include "scenarios/pack/exhibit_blocks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

#define PARTS 1000.0 /* of the unit: what times are rounded to */
#define MOST_TIME 1e9

struct msg_series *exhibit_series(struct msg_part *p, const char *name, int n)
{
    p->series = mem_grow(p->series, (size_t)p->n_series + 1, sizeof *p->series);
    struct msg_series *s = &p->series[p->n_series++];
    *s = (struct msg_series){.values = mem_new((size_t)n, sizeof *s->values)};
    snprintf(s->name, sizeof s->name, "%s", name);
    return s;
}

static double rounded(double time)
{
    return round(time * PARTS) / PARTS;
}

/* ---- one by one ---- */

static int find_label(struct block_list *l, const char *label, int *out, struct err *err)
{
    size_t len = strlen(label);
    for (*out = 0; *out < l->n_labels; (*out)++)
        if (!strcmp(l->label[*out], label))
            return 0;
    if (!len || len > BLOCK_LABEL_BYTES || text_first_bad(label, len) < len || strchr(label, '\n'))
        return err_set(err, ERR_BAD_REQUEST,
                       "the label of a block is no line of 1 to %d bytes; one was expected",
                       BLOCK_LABEL_BYTES);
    if (l->n_labels == BLOCK_LABELS)
        return err_set(err, ERR_TOO_LARGE, "more than %d labels; a letter for each was expected",
                       BLOCK_LABELS);
    l->label[l->n_labels++] = text_dup(label);
    return 0;
}

int blocks_add(struct block_list *l, const struct block *b, const char *label, struct err *err)
{
    struct block own = {b->row, 0, rounded(b->begin), rounded(b->end), b->source};
    if (!(b->begin >= 0) || !(b->end >= b->begin) || !(b->end <= MOST_TIME))
        return err_set(err, ERR_BAD_REQUEST,
                       "a block from %g to %g; 0 <= begin <= end <= %g was expected", b->begin,
                       b->end, MOST_TIME);
    if (l->n == EXHIBIT_BLOCKS)
        return err_set(err, ERR_TOO_LARGE, "more than %d blocks; fewer were expected",
                       EXHIBIT_BLOCKS);
    if (own.end == own.begin)
        return 0;
    int rc = find_label(l, label, &own.label, err);
    if (rc)
        return rc;
    l->block = mem_grow(l->block, (size_t)l->n + 1, sizeof *l->block);
    l->block[l->n++] = own;
    return 0;
}

void blocks_clear(struct block_list *l)
{
    for (int i = 0; i < l->n_labels; i++)
        free(l->label[i]);
    free(l->block);
    *l = (struct block_list){.n = 0};
}

/* ---- figures ---- */

static bool counts(const struct block_list *l, const struct block *b, const char *of)
{
    return !strcmp(of, "busy") || !strcmp(l->label[b->label], of);
}

/* The longest time without a block, from 0 to the end of the whole timeline. */
static double longest_gap(const struct block_list *l, int row, double length)
{
    double gap = 0, until = 0;
    for (int i = 0; i < l->n; i++)
        if (l->block[i].row == row) {
            gap = fmax(gap, l->block[i].begin - until);
            until = l->block[i].end;
        }
    return fmax(gap, length - until);
}

static double time_in(const struct block_list *l, int row, const char *of)
{
    double sum = 0;
    for (int i = 0; i < l->n; i++)
        if (l->block[i].row == row && counts(l, &l->block[i], of))
            sum += l->block[i].end - l->block[i].begin;
    return sum;
}

/* In the figure's unit, which may be another one than the axis has. */
static void add_figure(const struct block_list *l, const struct exhibit *form,
                       const struct figure *f, int rows, double length, struct msg_part *part)
{
    struct msg_series *s = exhibit_series(part, f->name, rows);
    bool gap = !strcmp(f->of, "gap");
    for (; s->n < rows; s->n++) {
        double t = gap ? longest_gap(l, s->n, length) : time_in(l, s->n, f->of);
        s->values[s->n] = rounded(t) * form->time_factor / f->factor;
    }
}

/* ---- all of them ---- */

static int by_place(const void *a, const void *b)
{
    const struct block *x = a, *y = b;
    return x->row != y->row ? x->row - y->row : (x->begin > y->begin) - (x->begin < y->begin);
}

static int check_blocks(struct block_list *l, char *const *row, struct err *err)
{
    if (!l->n)
        return err_set(err, ERR_BAD_REQUEST, "a timeline without blocks; at least one with a "
                                             "length was expected");
    for (int i = 1; i < l->n; i++) {
        const struct block *a = &l->block[i - 1], *b = &l->block[i];
        if (a->row != b->row || b->begin >= a->end)
            continue;
        l->wrong = b->source;
        return err_set(err, ERR_BAD_REQUEST,
                       "in row '%s' '%s' begins at %g, before '%s' ends at %g; one block at a "
                       "time was expected",
                       row[a->row], l->label[b->label], b->begin, l->label[a->label], a->end);
    }
    return 0;
}

static void add_blocks(const struct block_list *l, struct msg_part *part)
{
    static const char *const names[] = {BLOCKS_ROW, BLOCKS_LABEL, BLOCKS_BEGIN, BLOCKS_END};
    for (int k = 0; k < 4; k++) {
        struct msg_series *s = exhibit_series(part, names[k], l->n);
        for (; s->n < l->n; s->n++) {
            const struct block *b = &l->block[s->n];
            const double value[] = {b->row, b->label, b->begin, b->end};
            s->values[s->n] = value[k];
        }
    }
}

int blocks_keep(struct block_list *l, const struct exhibit *form, struct msg_part *part,
                struct err *err)
{
    double length = 0;
    int rows = part->n_lines;
    if (l->n)
        qsort(l->block, (size_t)l->n, sizeof *l->block, by_place);
    int rc = check_blocks(l, part->lines, err);
    if (rc)
        return rc;
    for (int i = 0; i < l->n; i++)
        length = fmax(length, l->block[i].end);
    for (int i = 0; i < form->n_figures; i++)
        add_figure(l, form, &form->figures[i], rows, length, part);
    add_blocks(l, part);
    part->lines = mem_grow(part->lines, (size_t)(rows + l->n_labels), sizeof *part->lines);
    for (int i = 0; i < l->n_labels; i++)
        part->lines[part->n_lines++] = text_dup(l->label[i]);
    return 0;
}

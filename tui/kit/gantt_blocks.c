/* Blocks in rows on one time axis: label | blocks; below the axis and what the letters mean. A row
 * is painted into columns first, since a block may be narrower than one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/kit/charts.h"
#include "tui/kit/draw.h"

enum { LEAST_BAR = 12, LEGEND_ROWS = 3, NOTHING = -1, SEVERAL = -2 };

struct plot {
    int x, w, label_w;
    double from, to;
    int *cell; /* the block in a column, NOTHING or SEVERAL */
};

static int most(int a, int b) { return a > b ? a : b; }
static int least(int a, int b) { return a < b ? a : b; }

static int label_width(const struct gantt_blocks *b, int w)
{
    int label = draw_columns(b->head);
    for (int r = 0; r < b->n_rows; r++)
        label = most(label, draw_columns(b->row[r]));
    return most(1, least(label, w / 3));
}

int gantt_blocks_bar(const struct gantt_blocks *b, int w)
{
    return most(1, w - label_width(b, w) - 1);
}

/* ---- the legend ---- */

static char *legend(const struct gantt_blocks *b)
{
    char *all = text_dup("");
    for (int k = 0; k <= b->n_kinds; k++) {
        char *more = k < b->n_kinds ? text_format("%s%c %s   ", all, 'A' + k, b->kind[k])
                                    : text_format("%s# several", all);
        free(all);
        all = more;
    }
    return all;
}

static int legend_rows(const struct gantt_blocks *b, int w)
{
    char *text = legend(b);
    int rows = draw_wrapped((struct rect){0, 0, 0, w}, 0, STYLE_DIM, text);
    free(text);
    return least(rows, LEGEND_ROWS);
}

static void draw_legend(struct rect r, const struct gantt_blocks *b)
{
    char *text = legend(b);
    draw_wrapped(r, 0, STYLE_DIM, text);
    free(text);
}

int gantt_blocks_frame(const struct gantt_blocks *b, int w)
{
    return TIME_AXIS_ROWS + legend_rows(b, w);
}

/* ---- a row ---- */

static int column(const struct plot *p, double at)
{
    double x = (at - p->from) / (p->to - p->from) * p->w;
    return x < 0 ? 0 : x > p->w ? p->w : (int)lround(x);
}

/* Blocks of a column and more take what is theirs; then narrower ones take one, or share it. */
static void paint(const struct plot *p, const struct gantt_blocks *b, int row, bool narrow)
{
    for (int i = 0; i < b->n; i++) {
        const struct gantt_block *k = &b->block[i];
        if (k->row != row || k->end <= p->from || k->begin >= p->to)
            continue;
        int x = column(p, k->begin), end = column(p, k->end);
        if (narrow != (x == end))
            continue;
        if (narrow) {
            x = least(x, p->w - 1);
            p->cell[x] = p->cell[x] == NOTHING ? i : SEVERAL;
        }
        for (; x < end; x++)
            p->cell[x] = i;
    }
}

static enum style style_of(int kind)
{
    static const enum style styles[] = {STYLE_ACCENT, STYLE_SECOND, STYLE_PLAIN};
    return styles[kind % 3];
}

/* "B backward────": a letter, words where they fit, and a line to its end. */
static void draw_run(const struct plot *p, const struct gantt_blocks *b, int y, int x, int w)
{
    int kind = b->block[p->cell[x]].kind, words = draw_columns(b->kind[kind]);
    enum style s = style_of(kind);
    for (int k = 1; k < w; k++)
        draw_text(y, p->x + x + k, 1, s, glyph("─", "-"));
    draw_textf(y, p->x + x, 1, s, "%c", 'A' + kind);
    if (w >= words + 2) {
        draw_text(y, p->x + x + 1, 1, s, " ");
        draw_text(y, p->x + x + 2, words, s, b->kind[kind]);
    }
}

static void draw_row(const struct plot *p, const struct gantt_blocks *b, int row, int y)
{
    for (int x = 0; x < p->w; x++)
        p->cell[x] = NOTHING;
    paint(p, b, row, false);
    paint(p, b, row, true);
    draw_text(y, p->x - 1 - p->label_w, p->label_w, STYLE_PLAIN, b->row[row]);
    for (int x = 0, end; x < p->w; x = end) {
        for (end = x + 1; end < p->w && p->cell[end] == p->cell[x]; end++)
            ;
        for (int k = x; p->cell[x] == SEVERAL && k < end; k++)
            draw_text(y, p->x + k, 1, STYLE_BOLD, "#");
        if (p->cell[x] >= 0)
            draw_run(p, b, y, x, end - x);
    }
}

void draw_gantt_blocks(struct rect r, const struct gantt_blocks *b, int first, double from,
                       double to)
{
    int label = label_width(b, r.w), below = gantt_blocks_frame(b, r.w),
        rows = least(b->n_rows - first, r.h - below);
    struct plot p = {r.x + label + 1, gantt_blocks_bar(b, r.w), label, from, to, NULL};
    if (rows < 1 || p.w < LEAST_BAR || !(to > from))
        return;
    p.cell = mem_new((size_t)p.w, sizeof *p.cell);
    for (int k = 0; k < rows; k++)
        draw_row(&p, b, first + k, r.y + k);
    free(p.cell);
    draw_text(r.y + rows, r.x, label, STYLE_DIM, b->head);
    draw_time_axis(r.y + rows, p.x, p.w, from, to);
    draw_legend((struct rect){r.y + rows + TIME_AXIS_ROWS, r.x, below - TIME_AXIS_ROWS, r.w}, b);
}

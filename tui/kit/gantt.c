/* Bars on one time axis, a row each: label | bar | duration, rate. What does not fit goes in this
 * order: the rate, then label columns. */
#include <stdio.h>
#include <string.h>

#include "tui/kit/charts.h"
#include "tui/kit/draw.h"

enum { LEAST_BAR = 12, LEAST_LABEL = 8, LABEL_BESIDE_RATE = 12 };

struct gantt {
    struct rect rows;             /* without the axis */
    int label, label_w, lane, bar, bar_w, took_end,
        rate_end; /* columns; lane or rate_end -1: not shown */
    int first, n_shown;
    double length;
};

static int most(int a, int b) { return a > b ? a : b; }
static int least(int a, int b) { return a < b ? a : b; }

static void widths(const struct gantt_row *row, int n, int *label, int *took, int *rate)
{
    *label = *took = *rate = 0;
    for (int i = 0; i < n; i++) {
        *label = most(*label, draw_columns(row[i].label));
        *took = most(*took, draw_columns(row[i].took));
        *rate = most(*rate, draw_columns(row[i].rate));
    }
}

static void lay_out(struct gantt *g, struct rect r, const struct gantt_row *row, int n, bool lanes)
{
    int label, took, rate, fixed;
    widths(row, n, &label, &took, &rate);
    fixed = 2 + 1 + (lanes ? 2 : 0) + 1 + took; /* mark, gaps, lane */
    if (r.w - fixed - rate - 1 < LEAST_BAR + least(label, LABEL_BESIDE_RATE))
        rate = 0;
    if (rate)
        fixed += rate + 1;
    g->label = r.x + 2;
    g->label_w = most(LEAST_LABEL, least(label, r.w - fixed - LEAST_BAR));
    g->lane = lanes ? g->label + g->label_w + 1 : -1;
    g->bar = g->label + g->label_w + 1 + (lanes ? 2 : 0);
    g->bar_w = r.w - fixed - g->label_w;
    g->took_end = g->bar + g->bar_w + 1 + took;
    g->rate_end = rate ? g->took_end + 1 + rate : -1;
}

static void choose_rows(struct gantt *g, int n, int selected)
{
    g->n_shown = least(n, g->rows.h);
    int first = selected - g->n_shown / 2;
    g->first = most(0, least(first, n - g->n_shown));
}

static void draw_gantt_row(const struct gantt *g, const struct gantt_row *row, int y, bool selected)
{
    enum style s = selected ? STYLE_BOLD : STYLE_PLAIN,
               bar = row->lane == GANTT_HOST ? STYLE_DIM
                     : row->lane % 2         ? STYLE_SECOND
                                             : STYLE_ACCENT;
    draw_text(y, g->label - 2, 1, STYLE_ACCENT, selected ? glyph("▸", ">") : " ");
    draw_text(y, g->label, g->label_w, s, row->label);
    if (g->lane >= 0)
        draw_text(y, g->lane, 1, bar, (char[2]){row->lane < 0 ? 'h' : (char)('0' + row->lane)});
    draw_span(y, g->bar, g->bar_w, row->start / g->length, row->end / g->length, bar);
    draw_right(y, g->took_end, 12, s, row->took);
    if (g->rate_end >= 0)
        draw_right(y, g->rate_end, 14, STYLE_DIM, row->rate);
}

static void draw_axis(const struct gantt *g, int y, const char *corner)
{
    if (g->lane >= 0) /* what the digits above it are */
        draw_right(y, g->lane + 1, LEAST_LABEL, STYLE_DIM, "stream");
    draw_time_axis(y, g->bar, g->bar_w, 0, g->length);
    draw_text(y + 1, g->label, g->label_w, STYLE_DIM, corner);
}

void draw_gantt(struct rect r, const struct gantt_row *row, int n, double length, int selected)
{
    struct gantt g = { .rows = { r.y, r.x, r.h - TIME_AXIS_ROWS, r.w }, .length = length };
    bool lanes = false;
    char corner[48] = "";
    for (int i = 1; i < n; i++)
        lanes |= row[i].lane != row[0].lane;
    lay_out(&g, r, row, n, lanes);
    if (g.rows.h < 1 || g.bar_w < LEAST_LABEL || n < 1 || !(length > 0))
        return;
    choose_rows(&g, n, selected);
    for (int k = 0; k < g.n_shown; k++)
        draw_gantt_row(&g, &row[g.first + k], r.y + k, g.first + k == selected);
    if (g.n_shown < n)
        snprintf(corner, sizeof corner, "%d-%d of %d", g.first + 1, g.first + g.n_shown, n);
    draw_axis(&g, r.y + g.n_shown, corner);
}

#include "tui/kit/charts.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tui/kit/draw.h"

/* "0", "250", "4.8 T", "12 m": at most three digits with an SI prefix, for axes. */
static void chart_number(char *out, size_t size, double value)
{
    static const char *const prefix[] = { " n", " u", " m", "", " k", " M", " G", " T", " P" };
    int step = 0;
    double v = fabs(value);
    while (v >= 999.5 && step < 5) {
        v /= 1000;
        step++;
    }
    while (v > 0 && v < 0.0995 && step > -3) {
        v *= 1000;
        step--;
    }
    snprintf(out, size, "%s%.3g%s", value < 0 ? "-" : "", v, prefix[step + 3]);
}

double chart_round_up(double value)
{
    double decade = pow(10, floor(log10(value)));
    double m = value / decade;
    return decade * (m <= 1.0001 ? 1 : m <= 2.0001 ? 2 : m <= 5.0001 ? 5 : 10);
}

/* ---- scales ---- */

struct scale {
    double low, high;
    bool log;
    int from, cells;
}; /* value low at `from`, high at from + cells - 1 */

static int scale_cell(const struct scale *s, double value)
{
    double low = s->log ? log10(s->low) : s->low, high = s->log ? log10(s->high) : s->high;
    double v = s->log ? log10(value > 0 ? value : s->low) : value;
    double at = high > low ? (v - low) / (high - low) : 0;
    at = at < 0 ? 0 : at > 1 ? 1 : at;
    return s->from + (int)lround(at * (s->cells - 1));
}

static double scale_value(const struct scale *s, int cell)
{
    double at = s->cells > 1 ? (double)(cell - s->from) / (s->cells - 1) : 0;
    if (!s->log)
        return s->low + at * (s->high - s->low);
    return pow(10, log10(s->low) + at * (log10(s->high) - log10(s->low)));
}

/* Rows grow downward, values upward. */
static int row_of(const struct rect *plot, const struct scale *s, double value)
{
    return plot->y + plot->h - 1 - scale_cell(s, value);
}

static void draw_axes(const struct rect *plot)
{
    draw_vline(plot->y, plot->x - 1, plot->h);
    for (int i = -1; i < plot->w; i++)
        draw_text(plot->y + plot->h, plot->x + i, 1, STYLE_DIM,
                  i < 0 ? glyph("└", "+") : glyph("─", "-"));
}

static void tick_y(const struct rect *plot, const struct scale *s, double value)
{
    char text[24];
    chart_number(text, sizeof text, value);
    int y = row_of(plot, s, value);
    draw_right(y, plot->x - 2, 7, STYLE_DIM, text);
    draw_text(y, plot->x - 1, 1, STYLE_DIM, glyph("┤", "+"));
}

static void tick_x_as(const struct rect *plot, const struct scale *s, double value,
                      const char *text)
{
    int x = plot->x + scale_cell(s, value), n = draw_columns(text);
    int at = x - n / 2;
    if (at + n > plot->x + plot->w)
        at = plot->x + plot->w - n;
    draw_text(plot->y + plot->h, x, 1, STYLE_DIM, glyph("┬", "+"));
    draw_text(plot->y + plot->h + 1, at, n, STYLE_DIM, text);
}

static void tick_x(const struct rect *plot, const struct scale *s, double value)
{
    char text[24];
    chart_number(text, sizeof text, value);
    tick_x_as(plot, s, value, text);
}

/* ---- roofline ---- */

struct roof { struct rect plot; struct scale x, y; double bandwidth, flops; };

static double roof_at(const struct roof *r, double intensity)
{
    return fmin(intensity * r->bandwidth, r->flops);
}

static void roof_scales(struct roof *r, const struct roof_point *p, int n)
{
    double ridge = r->flops / r->bandwidth, low = ridge / 100, high = ridge * 10,
           floor_rate = r->flops / 1000;
    for (int i = 0; i < n; i++) {
        if (p[i].intensity <= 0 || p[i].rate <= 0)
            continue;
        low = fmin(low, p[i].intensity / 2);
        high = fmax(high, p[i].intensity * 2);
        floor_rate = fmin(floor_rate, p[i].rate / 2);
    }
    floor_rate = fmin(floor_rate, low * r->bandwidth);
    r->x = (struct scale){ low, high, true, 0, r->plot.w };
    r->y = (struct scale){ floor_rate, r->flops * 2, true, 0, r->plot.h };
}

static void roof_line(const struct roof *r)
{
    for (int c = 0; c < r->plot.w; c++) {
        double intensity = scale_value(&r->x, c);
        bool flat = intensity * r->bandwidth >= r->flops;
        draw_text(row_of(&r->plot, &r->y, roof_at(r, intensity)), r->plot.x + c, 1, STYLE_SECOND,
                  flat ? glyph("─", "-") : glyph("╱", "/"));
    }
}

static void roof_ticks(const struct roof *r)
{
    double ridge = r->flops / r->bandwidth;
    tick_y(&r->plot, &r->y, r->flops);
    for (double v = pow(10, ceil(log10(r->y.low))); v < r->flops / 3; v *= 10)
        if (r->plot.h >= 8 || fabs(log10(v) - log10(r->y.low)) < 1)
            tick_y(&r->plot, &r->y, v);
    int last = -100;
    for (double v = pow(10, ceil(log10(r->x.low))); v <= r->x.high; v *= 10) {
        int at = scale_cell(&r->x, v);
        if (at - last < 8 || (v != ridge && abs(at - scale_cell(&r->x, ridge)) < 8))
            continue;
        tick_x(&r->plot, &r->x, v);
        last = at;
    }
    tick_x(&r->plot, &r->x, ridge);
}

/* The label goes to the side where it fits. */
static void roof_mark(const struct rect *plot, int y, int x, const struct roof_point *p)
{
    draw_text(y, x, 1, p->style, glyph("●", "*"));
    if (!p->label)
        return;
    int n = draw_columns(p->label), right = plot->x + plot->w - x - 2;
    if (n <= right)
        draw_text(y, x + 2, right, p->style, p->label);
    else
        draw_right(y, x - 1, x - 1 - plot->x, p->style, p->label);
}

static void roof_full(struct rect r, double bandwidth, double flops, const struct roof_point *p,
                      int n)
{
    struct roof roof = {.plot = {r.y + 1, r.x + 9, r.h - 4, r.w - 10},
                        .bandwidth = bandwidth,
                        .flops = flops};
    if (roof.plot.h < 3 || roof.plot.w < 20)
        return;
    char top[24];
    chart_number(top, sizeof top, bandwidth);
    draw_textf(r.y, r.x, r.w, STYLE_DIM, "  flop/s   memory roof %sB/s", top);
    roof_scales(&roof, p, n);
    draw_axes(&roof.plot);
    roof_ticks(&roof);
    roof_line(&roof);
    for (int i = 0; i < n; i++)
        if (p[i].intensity > 0)
            roof_mark(&roof.plot, row_of(&roof.plot, &roof.y, p[i].rate),
                      roof.plot.x + scale_cell(&roof.x, p[i].intensity), &p[i]);
    draw_right(r.y + r.h - 1, r.x + r.w, r.w, STYLE_DIM, "flop per byte of DRAM traffic");
}

/* Work without arithmetic has no intensity: bars of bandwidth under the one roof that counts. */
static void roof_flat(struct rect r, double bandwidth, const struct roof_point *p, int n)
{
    int bar = r.w - 4;
    double top = bandwidth;
    for (int i = 0; i < n; i++)
        top = fmax(top, p[i].rate);
    char text[24];
    for (int i = 0; i < n && 3 * i + 1 < r.h - 3; i++) {
        chart_number(text, sizeof text, p[i].rate);
        draw_textf(r.y + 3 * i, r.x + 1, bar, p[i].style, "%s  %sB/s, %.0f %% of the roof",
                   p[i].label ? p[i].label : "", text, 100 * p[i].rate / bandwidth);
        draw_bar(r.y + 3 * i + 1, r.x + 1, bar, p[i].rate / top, true, p[i].style);
    }
    int y = r.y + (3 * n < r.h - 3 ? 3 * n : r.h - 3),
        end = r.x + 1 + (int)lround(bandwidth / top * bar);
    for (int x = r.x + 1; x < end - 1; x++)
        draw_text(y, x, 1, STYLE_SECOND, glyph("─", "-"));
    draw_text(y, end - 1, 1, STYLE_SECOND, glyph("┤", "+"));
    chart_number(text, sizeof text, bandwidth);
    draw_text(y + 1, r.x + 1, 8, STYLE_DIM, "0 B/s");
    char roof[64];
    snprintf(roof, sizeof roof, "roof: a plain copy, %sB/s", text);
    draw_right(y + 1, end, end - r.x - 8, STYLE_SECOND, roof);
    if (y + 2 < r.y + r.h)
        draw_text(y + 2, r.x + 1, bar, STYLE_DIM, "hardly any flop: the memory roof counts");
}

void draw_roofline(struct rect r, double bandwidth, double flops, const struct roof_point *p, int n)
{
    bool arithmetic = false;
    for (int i = 0; i < n; i++)
        arithmetic |= p[i].intensity > 0;
    if (!(bandwidth > 0) || r.w < 20 || r.h < 4)
        return;
    if (arithmetic && flops > 0)
        roof_full(r, bandwidth, flops, p, n);
    else
        roof_flat(r, bandwidth, p, n);
}

/* ---- lines ---- */

enum { CURVE_NAME = 13 };                  /* columns for a curve's name at its end */

static const char *line_mark(int series)
{
    static const char *const marks[] = {"●", "○", "+", "x"}, *const plain[] = {"*", "o", "+", "x"};
    return glyph(marks[series % 4], plain[series % 4]);
}

static void line_legend(struct rect r, const struct line_series *s, int n_series,
                        const char *y_label)
{
    int x = r.x + draw_text(r.y, r.x, r.w, STYLE_DIM, y_label ? y_label : "") + 3;
    for (int i = 0; i < n_series; i++) {
        x += draw_text(r.y, x, 2, s[i].style, line_mark(i));
        x += draw_text(r.y, x + 1, r.x + r.w - x - 1, s[i].style, s[i].label ? s[i].label : "") + 3;
    }
}

/* Dots between two marks, one per column. */
static void line_between(const struct rect *plot, const struct scale *y, int x0, double v0, int x1,
                         double v1)
{
    for (int x = x0 + 1; x < x1; x++)
        draw_text(row_of(plot, y, v0 + (v1 - v0) * (x - x0) / (x1 - x0)), plot->x + x, 1, STYLE_DIM,
                  glyph("·", "."));
}

/* Passes 0 draw what lies between, 1 the marks, so that marks stay on top. A value that is not a
 * number is a gap. */
static void line_draw(const struct rect *plot, const struct scale *xs, const struct scale *ys,
                      const double *x, int n, const struct line_series *s, int series, int pass)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(s->y[i]))
            continue;
        int at = scale_cell(xs, x[i]);
        if (pass == 1)
            draw_text(row_of(plot, ys, s->y[i]), plot->x + at, 1, s->style, line_mark(series));
        else if (i + 1 < n && isfinite(s->y[i + 1]))
            line_between(plot, ys, at, s->y[i], scale_cell(xs, x[i + 1]), s->y[i + 1]);
    }
}

static void line_ticks_x(const struct rect *plot, const struct scale *xs, const double *x, int n)
{
    int free_from = -100;
    for (int i = 0; i < n; i++) {
        int at = scale_cell(xs, x[i]);
        if (at < free_from || (i < n - 1 && plot->w - at < 8))
            continue;
        tick_x(plot, xs, x[i]);
        free_from = at + 8;
    }
}

/* "12:00" at round times, few enough to stand apart. */
static void line_ticks_time(const struct rect *plot, const struct scale *xs)
{
    static const int rounds[] = { 5, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200 };
    enum { ROUNDS = sizeof rounds / sizeof *rounds, APART = 10 };
    int k = 0;
    while (k + 1 < ROUNDS && (xs->high - xs->low) / rounds[k] * APART > plot->w)
        k++;
    for (double at = ceil(xs->low / rounds[k]) * rounds[k]; at <= xs->high; at += rounds[k]) {
        char text[24];
        snprintf(text, sizeof text, "%ld:%02ld", (long)at / 60, (long)at % 60);
        tick_x_as(plot, xs, at, text);
    }
}

static double lines_top(const struct line_series *s, int n_series, int n)
{
    double top = 0;
    for (int k = 0; k < n_series; k++)
        for (int i = 0; i < n; i++)
            if (isfinite(s[k].y[i]))
                top = fmax(top, s[k].y[i]);
    return top > 0 ? chart_round_up(top) : 1;
}

static void lines_draw(struct rect r, const double *x, int n, const struct line_series *s,
                       int n_series, bool time, const char *x_label, const char *y_label)
{
    struct rect plot = { r.y + 1, r.x + 9, r.h - 4, r.w - 11 };
    if (n < 1 || plot.h < 3 || plot.w < 12)
        return;
    double top = lines_top(s, n_series, n);
    bool wide = !time && x[0] > 0 && x[n - 1] / x[0] >= 8;
    struct scale xs = { x[0], x[n - 1], wide, 0, plot.w }, ys = { 0, top, false, 0, plot.h };
    line_legend(r, s, n_series, y_label);
    draw_axes(&plot);
    tick_y(&plot, &ys, 0);
    if (plot.h >= 5)
        tick_y(&plot, &ys, top / 2);
    tick_y(&plot, &ys, top);
    if (time)
        line_ticks_time(&plot, &xs);
    else
        line_ticks_x(&plot, &xs, x, n);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < n_series; k++)
            line_draw(&plot, &xs, &ys, x, n, &s[k], k, pass);
    draw_right(r.y + r.h - 1, r.x + r.w, r.w, STYLE_DIM, x_label ? x_label : "");
}

void draw_lines(struct rect r, const double *x, int n, const struct line_series *s, int n_series,
                const char *x_label, const char *y_label)
{
    lines_draw(r, x, n, s, n_series, false, x_label, y_label);
}

void draw_lines_over_time(struct rect r, const double *seconds, int n, const struct line_series *s,
                          int n_series, const char *y_label)
{
    lines_draw(r, seconds, n, s, n_series, true, "min:s", y_label);
}

/* A name below its mark: from it at the left end, up to it at the right end, around it between. */
static void step_names(const struct rect *plot, const struct scale *xs, const char *const *steps,
                       int n)
{
    int slot = n > 1 ? plot->w / (n - 1) - 1 : plot->w, y = plot->y + plot->h + 1;
    for (int i = 0; i < n; i++) {
        int at = plot->x + scale_cell(xs, i), w = draw_columns(steps[i]);
        w = w < slot ? w : slot > 1 ? slot : 1;
        if (i > 0 && i == n - 1)
            draw_right(y, at + 1, w, STYLE_DIM, steps[i]);
        else
            draw_text(y, i ? at - w / 2 : at, w, STYLE_DIM, steps[i]);
    }
}

/* Two curves that end on one row stand below each other. */
static void curve_names(const struct rect *plot, const struct scale *ys, int n,
                        const struct line_series *s, int n_series)
{
    unsigned long long taken = 0;
    for (int k = 0; k < n_series; k++) {
        int y = row_of(plot, ys, s[k].y[n - 1]) - plot->y;
        while (y < 63 && taken >> y & 1)
            y++;
        taken |= 1ull << y;
        draw_text(plot->y + y, plot->x + plot->w + 1, CURVE_NAME, s[k].style, s[k].label);
    }
}

void draw_lines_over_steps(struct rect r, const char *const *steps, int n,
                           const struct line_series *s, int n_series, const char *y_label)
{
    double x[64];
    bool named = r.w >= 60;
    struct rect plot = { r.y + 1, r.x + 9, r.h - 3, r.w - 11 - (named ? CURVE_NAME : 0) };
    struct scale xs = { 0, n > 1 ? n - 1 : 1, false, 0, plot.w },
                 ys = { 0, 100, false, 0, plot.h };
    if (n < 1 || n > 64 || plot.h < 3 || plot.w < 12)
        return;
    for (int i = 0; i < n; i++)
        x[i] = i;
    line_legend(r, s, n_series, y_label);
    draw_axes(&plot);
    tick_y(&plot, &ys, 0);
    if (plot.h >= 5)
        tick_y(&plot, &ys, 50);
    tick_y(&plot, &ys, 100);
    step_names(&plot, &xs, steps, n);
    for (int pass = 0; pass < 2; pass++)
        for (int k = n_series - 1; k >= 0; k--)       /* the first on top */
            line_draw(&plot, &xs, &ys, x, n, &s[k], k, pass);
    if (named)
        curve_names(&plot, &ys, n, s, n_series);
}

/* ---- ranges ---- */

void draw_range(int y, int x, int w, double low, double mean, double high)
{
    struct scale s = { 0, 100, false, 0, w };
    int from = scale_cell(&s, low), dot = scale_cell(&s, mean), to = scale_cell(&s, high);
    for (int i = 0; i < w; i++) {
        bool inside = i > from && i < to;
        draw_text(y, x + i, 1, inside ? STYLE_PLAIN : STYLE_DIM,
                  inside ? glyph("─", "-") : glyph("·", "."));
    }
    draw_text(y, x + from, 1, STYLE_PLAIN, glyph("├", "|"));
    draw_text(y, x + to, 1, STYLE_PLAIN, glyph("┤", "|"));
    draw_text(y, x + dot, 1, STYLE_ACCENT, glyph("●", "*"));
}

/* ---- said against right ---- */

static void calibration_mark(const struct rect *plot, const struct scale *x, const struct scale *y,
                             const struct calibration_point *p)
{
    int at = plot->x + scale_cell(x, p->said);
    if (p->ranged)
        for (int row = row_of(plot, y, p->high); row <= row_of(plot, y, p->low); row++)
            draw_text(row, at, 1, STYLE_PLAIN, glyph("│", "|"));
    draw_text(row_of(plot, y, p->right), at, 1, STYLE_ACCENT, glyph("●", "*"));
}

void draw_calibration(struct rect r, const struct calibration_point *p, int n)
{
    struct rect plot = { r.y, r.x + 6, r.h - 2, r.w - 7 };
    if (plot.h < 3 || plot.w < 10)
        return;
    struct scale x = { 0, 100, false, 0, plot.w }, y = { 0, 100, false, 0, plot.h };
    draw_axes(&plot);
    for (int c = 0; c < plot.w; c += 2)
        draw_text(row_of(&plot, &y, scale_value(&x, c)), plot.x + c, 1, STYLE_DIM, glyph("·", "."));
    for (int v = 0; v <= 100; v += plot.h >= 8 ? 25 : 50) {
        tick_y(&plot, &y, v);
        tick_x(&plot, &x, v);
    }
    for (int i = 0; i < n; i++)
        calibration_mark(&plot, &x, &y, &p[i]);
    if (n == 0)
        draw_text(plot.y + plot.h / 2, plot.x + 2, plot.w - 4, STYLE_DIM, "nothing yet");
}

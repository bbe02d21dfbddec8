/* Rooflines: the figure's own, and one on which workloads are being placed. */
#include "tui/practice/figure_paint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drills/question/fill.h"

enum { PLOT_ROWS = 18, SCALE_X = 9 };
struct axes { int y, x, w, h; double x0, x1, y0, y1; }; /* logarithms to the base ten */

static int column_of(const struct axes *a, double x)
{
    return a->x + (int)((log10(x) - a->x0) / (a->x1 - a->x0) * (a->w - 1) + 0.5);
}

static int row_of(const struct axes *a, double y)
{
    return a->y + a->h - 1 - (int)((log10(y) - a->y0) / (a->y1 - a->y0) * (a->h - 1) + 0.5);
}

static struct axes axes_of(const struct figure_plot *f, int y, int w)
{
    double least = f->point[0].x, most = f->roof[0].rate, low = f->point[0].y;
    double ridge = 0, right = 0;
    for (int i = 0; i < f->n_points; i++) {
        least = fmin(least, f->point[i].x);
        right = fmax(right, f->point[i].x);
        low = fmin(low, f->point[i].y);
    }
    for (int i = 0; i < f->n_roofs; i++) {
        most = fmax(most, f->roof[i].rate);
        ridge = fmax(ridge, f->roof[i].rate / f->bandwidth);
    }
    return (struct axes){.y = y, .x = SCALE_X, .w = w - SCALE_X, .h = PLOT_ROWS,
                         .x0 = floor(log10(least)), .x1 = ceil(log10(fmax(right, ridge)) + 0.1),
                         .y0 = floor(log10(low)), .y1 = log10(most) + 0.1};
}

/* What a cell of the roofs shows. */
static const char *roof_at(const struct figure_plot *f, const struct axes *a, int y, int x)
{
    double intensity = pow(10, a->x0 + (a->x1 - a->x0) * (x - a->x) / (a->w - 1)), most = 0;
    for (int i = 0; i < f->n_roofs; i++) {
        most = fmax(most, f->roof[i].rate);
        if (intensity * f->bandwidth >= f->roof[i].rate && row_of(a, f->roof[i].rate) == y)
            return glyph("─", "-");
    }
    return intensity * f->bandwidth < most && row_of(a, intensity * f->bandwidth) == y
               ? glyph("╱", "/")
               : NULL;
}

static const struct figure_point *point_of(const struct painting *p, int letter)
{
    const struct roofline *r = p->view->put;
    return &p->figure->plot.point[r ? r->point[letter] : letter];
}

/* Where a letter stands; false: nowhere yet. */
static bool stands(const struct painting *p, int letter, double *x, double *y)
{
    const struct roofline *r = p->view->put;
    const struct figure_point *at = point_of(p, letter);
    bool memory;
    *x = r ? r->at[letter] : at->x;
    *y = !r ? at->y : *x > 0 ? roofline_rate(r, letter, *x, &memory) : 0;
    return *x > 0;
}

static bool is_at(const struct painting *p, const struct axes *a, int letter, int y, int x)
{
    double intensity, rate;
    return stands(p, letter, &intensity, &rate) && row_of(a, rate) == y &&
           column_of(a, intensity) == x;
}

/* The letter of a cell, the chosen one before others; -1: none. */
static int letter_at(const struct painting *p, const struct axes *a, int y, int x)
{
    int chosen = p->view->put ? p->view->letter : -1;
    if (chosen >= 0 && is_at(p, a, chosen, y, x))
        return chosen;
    for (int i = 0; i < p->figure->plot.n_points; i++)
        if (is_at(p, a, i, y, x))
            return i;
    return -1;
}

static enum style letter_style(const struct painting *p, int letter)
{
    if (!p->view->put)
        return paint_slot_style(p, point_of(p, letter)->slot, STYLE_ACCENT);
    return letter == p->view->letter ? STYLE_SELECTED : STYLE_ACCENT;
}

static void paint_scale(struct painting *p, const struct axes *a)
{
    for (int e = (int)a->y0; e <= a->y1; e++) {
        char text[64];
        fill_value(text, sizeof text, (struct quantity){pow(10, e), DIM_RATE}, "Tflop/s");
        text[strcspn(text, " ")] = '\0';
        paint_text(p, row_of(a, pow(10, e)), SCALE_X - 2 - draw_columns(text), 8, STYLE_DIM, text);
    }
    for (int i = 0; i < a->w; i++)
        paint_text(p, a->y + a->h, a->x + i, 1, STYLE_DIM, glyph("─", "-"));
    for (int e = (int)a->x0; e <= (int)a->x1; e++) {
        char text[64];
        fill_value(text, sizeof text, (struct quantity){pow(10, e), DIM_NONE}, NULL);
        int n = draw_columns(text), x = column_of(a, pow(10, e)) - (e == (int)a->x1 ? n - 1 : 0);
        paint_text(p, a->y + a->h + 1, x, n, STYLE_DIM, text);
    }
}

static void paint_curves(struct painting *p, const struct axes *a)
{
    const struct figure_plot *f = &p->figure->plot;
    for (int y = a->y; y < a->y + a->h; y++)
        for (int x = a->x; x < a->x + a->w; x++) {
            int letter = letter_at(p, a, y, x);
            const char *roof = roof_at(f, a, y, x), name[] = {(char)('a' + letter), '\0'};
            if (letter >= 0)
                paint_text(p, y, x, 1, letter_style(p, letter), name);
            else if (roof)
                paint_text(p, y, x, 1, STYLE_SECOND, roof);
            if (p->view->put && letter >= 0 && letter == p->view->letter)
                p->out->blank_line = y;
        }
}

static const char *unit_text(char out[64], double value, struct dim dim, const char *unit)
{
    fill_value(out, 64, (struct quantity){value, dim}, unit);
    return out;
}

/* A workload that is placed, or is yet to be: where it stands, and what that makes of it. */
static int paint_placed(struct painting *p, int y, int w, int letter)
{
    char name[] = {(char)('a' + letter), '\0'}, text[64];
    enum style style = letter == p->view->letter ? STYLE_SELECTED : STYLE_PLAIN;
    double intensity, rate;
    bool memory;
    paint_text(p, y, 0, 1, letter_style(p, letter), name);
    int lines = paint_wrapped(p, y, 2, w - 47, style,
                              p->figure->slot[point_of(p, letter)->slot].text);
    if (!stands(p, letter, &intensity, &rate)) {
        paint_text(p, y, w - 44, 16, STYLE_DIM, "not placed");
        return y + lines;
    }
    roofline_rate(p->view->put, letter, intensity, &memory);
    paint_text(p, y, w - 44, 16, STYLE_PLAIN, unit_text(text, intensity, DIM_NONE, "flop/B"));
    paint_text(p, y, w - 27, 16, STYLE_PLAIN, unit_text(text, rate, DIM_RATE, "Tflop/s"));
    paint_text(p, y, w - 10, 10, STYLE_BOLD, memory ? "memory" : "compute");
    return y + lines;
}

static int paint_point(struct painting *p, int y, int w, int which)
{
    const struct figure_point *at = &p->figure->plot.point[which];
    char letter[] = {(char)('a' + which), '\0'};
    int name = w - 44;
    paint_text(p, y, 0, 1, STYLE_ACCENT, letter);
    int lines = paint_slot_wrapped(p, y, 2, name - 3, STYLE_PLAIN, at->slot);
    paint_slot(p, y, name, 16, STYLE_PLAIN, at->intensity);
    paint_slot(p, y, name + 17, 16, STYLE_PLAIN, at->rate);
    paint_slot(p, y, name + 34, 10, STYLE_BOLD, at->bound);
    return y + lines;
}

int paint_plot(struct painting *p, int y, int w)
{
    const struct figure_plot *f = &p->figure->plot;
    struct axes a = axes_of(f, y + 1, w);
    paint_text(p, y, 0, w, STYLE_DIM, "Tflop/s over flop/B, both logarithmic");
    paint_scale(p, &a);
    paint_curves(p, &a);
    y = a.y + a.h + 2;
    int x = paint_text(p, y, 0, w, STYLE_DIM, glyph("╱ memory ", "/ memory "));
    paint_slot(p, y++, x, w - x, STYLE_PLAIN, f->memory);
    for (int i = 0; i < f->n_roofs; i++) {
        x = paint_text(p, y, 0, w, STYLE_DIM, glyph("─ ", "- "));
        x += paint_slot(p, y, x, w - x, STYLE_PLAIN, f->roof[i].slot) + 1;
        paint_slot(p, y++, x, w - x, STYLE_PLAIN, f->roof[i].value);
    }
    paint_text(p, y, w - 44, 16, STYLE_DIM, "intensity");
    paint_text(p, y, w - 27, 16, STYLE_DIM, "at most");
    paint_text(p, y++, w - 10, 10, STYLE_DIM, "bound by");
    for (int i = 0; i < f->n_points; i++)
        y = p->view->put ? paint_placed(p, y, w, i) : paint_point(p, y, w, i);
    return y;
}

/* Lanes over time. */
#include "tui/practice/figure_paint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/question/fill.h"

/* ---- lanes ---- */

static const char *span_fill(enum figure_kind kind)
{
    static const char *const dark[] = {"█", "▒", "░", "·"};
    static const char *const plain[] = {"#", "=", "-", "."};
    return glyph(dark[kind], plain[kind]);
}

static enum style span_style(enum figure_kind kind)
{
    static const enum style styles[] = {STYLE_SECOND, STYLE_ACCENT, STYLE_GOOD, STYLE_DIM};
    return styles[kind];
}

/* "[fwd 0####": as much of the name as there is room for, the rest filled; of one cell the fill
 * alone, which tells what it is. */
static void paint_span(struct painting *p, const struct figure_span *s, int y, int x, int w)
{
    char name[160], text[200];
    const char *shown = paint_slot_text(p, s->slot, name);
    if (s->index >= 0)
        snprintf(text, sizeof text, "%s %d", shown, s->index);
    else
        snprintf(text, sizeof text, "%s", shown);
    enum style style = paint_slot_style(p, s->slot, span_style(s->kind));
    int n = draw_columns(text);
    bool fits = n + 1 <= w;
    if (!fits && s->index >= 0) { /* the number alone, where there is room for it */
        snprintf(text, sizeof text, "%d", s->index);
        n = draw_columns(text);
        fits = n + 1 <= w;
    }
    paint_text(p, y, x, 1, style, w > 1 ? glyph("▐", "[") : span_fill(s->kind));
    if (fits)
        paint_text(p, y, x + 1, n, style, text);
    for (int i = fits ? 1 + n : 1; i < w; i++)
        paint_text(p, y, x + i, 1, style, span_fill(s->kind));
    if (s->part == p->view->part && p->out->part_line < 0)
        p->out->part_line = y;
}

static int by_start(const void *a, const void *b)
{
    const struct figure_span *x = *(const struct figure_span *const *)a,
                             *y = *(const struct figure_span *const *)b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static void paint_idle(struct painting *p, const struct figure_lane *lane, int y, int x, int w)
{
    int n = draw_columns(lane->idle);
    bool named = n + 2 <= w;
    if (named)
        paint_text(p, y, x + 1, n, STYLE_BAD, lane->idle);
    for (int i = 0; i < w; i++)
        if (!named || i == 0 || i > n)
            paint_text(p, y, x + i, 1, STYLE_BAD, glyph("·", "."));
}

/* Spans in the order of time; each has a cell at least, and none lies over another. */
static void paint_lane(struct painting *p, int lane, int y, int x, int w)
{
    const struct figure_lanes *l = &p->figure->lanes;
    const struct figure_span **spans = calloc((size_t)l->n_spans + 1, sizeof *spans);
    int n = 0, at = 0;
    for (int i = 0; spans && i < l->n_spans; i++)
        if (l->span[i].lane == lane && l->span[i].end > l->span[i].start)
            spans[n++] = &l->span[i];
    if (n)
        qsort(spans, (size_t)n, sizeof *spans, by_start);
    for (int i = 0; i < n; i++) {
        int from = (int)(spans[i]->start / l->total * w + 0.5),
            to = (int)(spans[i]->end / l->total * w + 0.5);
        from = from < at ? at : from > w - (n - i) ? w - (n - i) : from;
        to = to <= from ? from + 1 : to > w ? w : to;
        if (l->lane[lane].idle && from > at)
            paint_idle(p, &l->lane[lane], y, x + at, from - at);
        paint_span(p, spans[i], y, x + from, to - from);
        at = to;
    }
    free(spans);
}

static void paint_axis(struct painting *p, int y, int x, int w)
{
    const struct figure_lanes *l = &p->figure->lanes;
    char end[64];
    struct dim dim = DIM_NONE;
    double factor;
    unit_parse(l->unit, strlen(l->unit), &dim, &factor);
    fill_value(end, sizeof end, (struct quantity){l->total, dim}, l->unit);
    int n = draw_columns(end);
    paint_text(p, y, x, 1, STYLE_DIM, "0");
    for (int i = 2; i < w - n - 1; i++)
        paint_text(p, y, x + i, 1, STYLE_DIM, glyph("─", "-"));
    paint_text(p, y, x + w - n, n, STYLE_DIM, end);
}

/* Was a span of the same name before it? Names that can be blank stand for themselves. */
static bool is_told(const struct painting *p, int span)
{
    const struct figure_lanes *l = &p->figure->lanes;
    const struct figure_slot *own = &p->figure->slot[l->span[span].slot];
    for (int i = 0; i < span && !own->ask; i++)
        if (!strcmp(p->figure->slot[l->span[i].slot].text, own->text))
            return true;
    return false;
}

/* A blank stands once in words, since a span may be too short for it. */
static int paint_legend(struct painting *p, int y, int w)
{
    const struct figure_lanes *l = &p->figure->lanes;
    int x = 0, seen = -1;
    for (int i = 0; i < l->n_spans; i++) {
        char text[160], item[200];
        if (l->span[i].slot <= seen || is_told(p, i))
            continue;
        seen = l->span[i].slot;
        snprintf(item, sizeof item, "%s", paint_slot_text(p, seen, text));
        int n = draw_columns(item) + 3;
        if (x > 0 && x + n > w) {
            x = 0;
            y++;
        }
        x += paint_text(p, y, x, w - x, span_style(l->span[i].kind), span_fill(l->span[i].kind));
        x += paint_slot(p, y, x + 1, w - x - 1, STYLE_PLAIN, seen) + 3;
    }
    return y + 1;
}

int paint_lanes(struct painting *p, int y, int w)
{
    const struct figure_lanes *l = &p->figure->lanes;
    int name = 6;
    for (int i = 0; i < l->n_lanes; i++) {
        char text[160];
        int n = draw_columns(paint_slot_text(p, l->lane[i].slot, text));
        name = n > name ? n : name;
    }
    name = name > w / 3 ? w / 3 : name;
    for (int i = 0; i < l->n_lanes; i++) {
        if (l->lane[i].panel) {
            y += i > 0;
            y += paint_wrapped(p, y, 0, w, STYLE_BOLD, l->lane[i].panel);
        }
        int lines = paint_slot_wrapped(p, y, 0, name, STYLE_PLAIN, l->lane[i].slot);
        paint_lane(p, i, y, name + 2, w - name - 2);
        y += lines > 1 ? lines : 1;
    }
    paint_axis(p, y++, name + 2, w - name - 2);
    return paint_legend(p, y, w);
}

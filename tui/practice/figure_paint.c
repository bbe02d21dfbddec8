#include "tui/practice/figure_paint.h"

#include <stdio.h>
#include <string.h>

/* ---- slots ---- */

static int blank_of(const struct painting *p, int slot)
{
    const struct figure_fill *f = p->view->fill;
    for (int b = 0; f && b < f->n; b++)
        if (f->blank[b].slot == slot)
            return b;
    return -1;
}

const char *paint_slot_text(const struct painting *p, int slot, char out[160])
{
    const struct figure_slot *s = &p->figure->slot[slot];
    int b = blank_of(p, slot);
    if (b >= 0 && p->view->fill->blank[b].verdict != BLANK_OPEN)
        snprintf(out, 160, "[%d %s]", b + 1, p->view->fill->blank[b].typed);
    else if (b >= 0)
        snprintf(out, 160, "[%d __]", b + 1);
    else if (p->view->bare && s->ask)
        snprintf(out, 160, "____");
    else
        return s->text;
    return out;
}

enum style paint_slot_style(const struct painting *p, int slot, enum style usual)
{
    static const enum style verdicts[] = {STYLE_ACCENT, STYLE_GOOD, STYLE_BAD};
    int b = blank_of(p, slot);
    if (b >= 0 && b == p->view->blank)
        return STYLE_SELECTED;
    if (b >= 0)
        return verdicts[p->view->fill->blank[b].verdict];
    return p->figure->slot[slot].part == p->view->part ? STYLE_SELECTED : usual;
}

static void note_place(struct painting *p, int y, int slot)
{
    if (p->out->part_line < 0 && p->figure->slot[slot].part == p->view->part)
        p->out->part_line = y;
    if (p->view->blank >= 0 && blank_of(p, slot) == p->view->blank)
        p->out->blank_line = y;
}

/* ---- paint ---- */

static void note_clashes(struct painting *p, int y, int x, int n)
{
    for (int i = 0; i < n; i++) {
        bool inside = y < CANVAS_ROWS_MOST && x + i < p->view->width && y >= 0 && x >= 0;
        const struct canvas_cell *c = inside ? canvas_cell(p->out->canvas, y, x + i) : NULL;
        p->out->clashes += !c || (c->text[0] != L' ' && c->text[0] != 0);
    }
}

int paint_text(struct painting *p, int y, int x, int w, enum style s, const char *text)
{
    int n = draw_columns(text);
    if (w <= 0)
        return 0;
    if (!p->trial) {
        note_clashes(p, y, x, n < w ? n : w);
        draw_text(y, x, w, s, text);
    }
    return n < w ? n : w;
}

int paint_slot(struct painting *p, int y, int x, int w, enum style s, int slot)
{
    char text[160];
    if (!p->trial)
        note_place(p, y, slot);
    return paint_text(p, y, x, w, paint_slot_style(p, slot, s), paint_slot_text(p, slot, text));
}

int paint_wrapped(struct painting *p, int y, int x, int w, enum style s, const char *text)
{
    char line[1024];
    int lines = 0;
    while (*text) {
        size_t n = draw_line_bytes(text, w);
        snprintf(line, sizeof line, "%.*s", (int)n, text);
        paint_text(p, y + lines++, x, w, s, line);
        for (text += n; *text == ' ';)
            text++;
    }
    return lines;
}

int paint_slot_wrapped(struct painting *p, int y, int x, int w, enum style s, int slot)
{
    char text[160];
    if (!p->trial)
        note_place(p, y, slot);
    return paint_wrapped(p, y, x, w, paint_slot_style(p, slot, s), paint_slot_text(p, slot, text));
}

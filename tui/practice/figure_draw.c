#include "tui/practice/figure_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/practice/figure_paint.h"

enum { NARROWEST = 60, GAP = 2 };

/* ---- boxes ---- */

static int paint_box(struct painting *p, const struct figure_box *b, int y, int x, int w);

static int paint_line(struct painting *p, const struct figure_line *l, int y, int x, int w)
{
    char slot[160], text[300];
    if (l->slot < 0)
        return paint_wrapped(p, y, x, w, STYLE_PLAIN, l->text);
    paint_slot_text(p, l->slot, slot);
    snprintf(text, sizeof text, "%s: %s", l->text, paint_slot_text(p, l->slot, slot));
    if (draw_columns(text) > w) {
        int n = paint_wrapped(p, y, x, w, STYLE_PLAIN, l->text);
        return n + paint_slot_wrapped(p, y + n, x, w, STYLE_BOLD, l->slot);
    }
    int at = paint_text(p, y, x, w, STYLE_PLAIN, l->text);
    at += paint_text(p, y, x + at, w - at, STYLE_PLAIN, ": ");
    paint_slot(p, y, x + at, w - at, STYLE_BOLD, l->slot);
    return 1;
}

/* Columns that a box asks for: its longest word, and what stands in it. */
static int least_width(const struct figure_box *b, const struct figure_data *f)
{
    int least = 12, inside = 0;
    for (const char *at = f->slot[b->slot].text; *at;) {
        int n = (int)strcspn(at, " ");
        least = n + 4 > least ? n + 4 : least;
        at += n + (at[n] == ' ');
    }
    for (const struct figure_box *c = b->first; c; c = c->next) {
        int n = least_width(c, f);
        inside = b->across ? inside + n + (c->next ? GAP + b->arrows : 0) : n > inside ? n : inside;
    }
    return inside + 4 > least ? inside + 4 : least;
}

static void paint_frame(struct painting *p, int y, int x, int h, int w, bool chosen)
{
    enum style s = chosen ? STYLE_ACCENT : STYLE_DIM;
    for (int i = 1; i < w - 1; i++) {
        paint_text(p, y, x + i, 1, s, glyph("─", "-"));
        paint_text(p, y + h - 1, x + i, 1, s, glyph("─", "-"));
    }
    for (int i = 1; i < h - 1; i++) {
        paint_text(p, y + i, x, 1, s, glyph("│", "|"));
        paint_text(p, y + i, x + w - 1, 1, s, glyph("│", "|"));
    }
    paint_text(p, y, x, 1, s, glyph("┌", "+"));
    paint_text(p, y, x + w - 1, 1, s, glyph("┐", "+"));
    paint_text(p, y + h - 1, x, 1, s, glyph("└", "+"));
    paint_text(p, y + h - 1, x + w - 1, 1, s, glyph("┘", "+"));
}

static int paint_down(struct painting *p, const struct figure_box *b, int y, int x, int w)
{
    int at = y;
    for (const struct figure_box *c = b->first; c; c = c->next) {
        at += paint_box(p, c, at, x, w);
        if (b->arrows && c->next)
            paint_text(p, at++, x + w / 2, 1, STYLE_DIM, glyph("▼", "v"));
    }
    return at - y;
}

/* Side by side where each has its least width, else one below the other. */
static int paint_across(struct painting *p, const struct figure_box *b, int y, int x, int w)
{
    int gap = GAP + b->arrows, room = w - gap * (b->n - 1), asked = 0, most = 0;
    for (const struct figure_box *c = b->first; c; c = c->next)
        asked += least_width(c, p->figure);
    if (asked > room)
        return paint_down(p, b, y, x, w);
    int spare = (room - asked) / b->n, at = x;
    for (const struct figure_box *c = b->first; c; c = c->next) {
        int cw = c->next ? least_width(c, p->figure) + spare : x + w - at;
        int h = paint_box(p, c, y, at, cw);
        if (b->arrows && c->next)
            paint_text(p, y + 1, at + cw + 1, 1, STYLE_DIM, glyph("▶", ">"));
        most = h > most ? h : most;
        at += cw + gap;
    }
    return most;
}

static int paint_box(struct painting *p, const struct figure_box *b, int y, int x, int w)
{
    int at = y + 1, inner = w - 4;
    at += paint_slot_wrapped(p, at, x + 2, inner, STYLE_BOLD, b->slot);
    for (int i = 0; i < b->n_lines; i++)
        at += paint_line(p, &b->lines[i], at, x + 2, inner);
    if (b->first)
        at += b->across ? paint_across(p, b, at, x + 2, inner) : paint_down(p, b, at, x + 2, inner);
    paint_frame(p, y, x, at + 1 - y, w, b->part == p->view->part);
    return at + 1 - y;
}

/* ---- branches ---- */

static int paint_branch(struct painting *p, const struct figure_box *b, int y, int x, int w)
{
    int at = y;
    at += paint_slot_wrapped(p, at, x, w - x, STYLE_BOLD, b->slot);
    for (int i = 0; i < b->n_lines; i++)
        at += paint_line(p, &b->lines[i], at, x + 2, w - x - 2);
    for (const struct figure_box *c = b->first; c; c = c->next) {
        int begins = at;
        at = paint_branch(p, c, at, x + 4, w);
        const char *joint = c->next ? glyph("├─ ", "+- ") : glyph("└─ ", "`- ");
        paint_text(p, begins, x, 3, STYLE_DIM, joint);
        for (int i = begins + 1; c->next && i < at; i++)
            paint_text(p, i, x, 1, STYLE_DIM, glyph("│", "|"));
    }
    return at;
}

/* ---- levels ---- */

struct level_shape { int tower, name, at[FIGURE_COLUMNS], width[FIGURE_COLUMNS]; }; /* columns */

static int longest_word(const char *text)
{
    int most = 0;
    while (*text) {
        int n = (int)strcspn(text, " ");
        most = n > most ? n : most;
        text += n + (text[n] == ' ');
    }
    return most;
}

/* The widest text of a column, or its longest word. */
static int column_width(const struct figure_data *f, int c, int (*measure)(const char *))
{
    const struct figure_levels *l = &f->levels;
    int most = measure(l->columns[c]);
    for (int i = 0; i < l->n; i++) {
        int slot = l->level[i].values[c], n = slot < 0 ? 1 : measure(f->slot[slot].text);
        most = n > most ? n : most;
    }
    return most;
}

/* The widest column gives way first, as far as its longest word. */
static void fit_columns(struct level_shape *s, const struct figure_data *f, int room)
{
    int n = f->levels.n_columns, all = 0;
    for (int c = 0; c < n; c++)
        all += s->width[c] = column_width(f, c, draw_columns) + GAP;
    while (all > room) {
        int widest = -1;
        for (int c = 0; c < n; c++)
            if (s->width[c] > column_width(f, c, longest_word) + 1 &&
                (widest < 0 || s->width[c] > s->width[widest]))
                widest = c;
        if (widest < 0)
            return;
        s->width[widest]--;
        all--;
    }
}

static struct level_shape levels_shape(const struct figure_data *f, int w)
{
    const struct figure_levels *l = &f->levels;
    struct level_shape s = {.tower = w / 4};
    for (int i = 0; i < l->n; i++) {
        int n = draw_columns(f->slot[l->level[i].slot].text);
        s.name = n > s.name ? n : s.name;
    }
    s.name = (s.name > w / 4 ? w / 4 : s.name) + GAP;
    fit_columns(&s, f, w - s.tower - GAP - s.name);
    for (int c = 0, x = s.tower + GAP + s.name; c < l->n_columns; x += s.width[c++])
        s.at[c] = x;
    return s;
}

static int paint_level(struct painting *p, const struct level_shape *s,
                       const struct figure_level *l, int y)
{
    int bar = (int)(s->tower * l->share + 0.5), name = s->tower + GAP;
    for (int i = 0; i < bar; i++)
        paint_text(p, y, (s->tower - bar) / 2 + i, 1,
                   l->part == p->view->part ? STYLE_ACCENT : STYLE_SECOND, glyph("█", "#"));
    int lines = paint_slot_wrapped(p, y, name, s->name - 1, STYLE_BOLD, l->slot);
    for (int c = 0; c < p->figure->levels.n_columns; c++) {
        int n = 1;
        if (l->values[c] >= 0)
            n = paint_slot_wrapped(p, y, s->at[c], s->width[c] - 1, STYLE_PLAIN, l->values[c]);
        else
            paint_text(p, y, s->at[c], s->width[c] - 1, STYLE_DIM, "-");
        lines = n > lines ? n : lines;
    }
    return lines + (lines < 2);
}

static int paint_levels(struct painting *p, int y, int w)
{
    const struct figure_levels *l = &p->figure->levels;
    struct level_shape s = levels_shape(p->figure, w);
    int head = 1;
    for (int c = 0; c < l->n_columns; c++) {
        int n = paint_wrapped(p, y, s.at[c], s.width[c] - 1, STYLE_DIM, l->columns[c]);
        head = n > head ? n : head;
    }
    y += head;
    for (int i = 0; i < l->n; i++)
        y += paint_level(p, &s, &l->level[i], y);
    return y;
}

/* ---- grids ---- */

struct grid_shape { int name, cell, fold, sum; }; /* columns; fold: cells in a line */

static int widest_cell(const struct painting *p, const struct figure_panel *g)
{
    char text[160];
    int most = 1;
    for (int c = 0; c < g->n_columns; c++)
        most = draw_columns(g->column[c]) > most ? draw_columns(g->column[c]) : most;
    for (int i = 0; i < g->n_rows * g->n_columns; i++) {
        int n = g->cell[i] < 0 ? 1 : draw_columns(paint_slot_text(p, g->cell[i], text));
        most = n > most ? n : most;
    }
    return most;
}

/* Lines are folded in halves until they fit. */
static struct grid_shape shape_of(const struct painting *p, const struct figure_panel *g, int w)
{
    struct grid_shape s = {.fold = g->n_columns, .cell = widest_cell(p, g) + 1};
    for (int i = 0; i < g->n_rows; i++) {
        char text[160];
        int n = draw_columns(paint_slot_text(p, g->row[i], text));
        s.name = n > s.name ? n : s.name;
    }
    s.name = (s.name > w / 3 ? w / 3 : s.name) + 1;
    for (int i = 0; i < g->n_sums; i++)
        s.sum += draw_columns(g->sum[i].name) + 2 > 9 ? draw_columns(g->sum[i].name) + 2 : 9;
    while (s.fold > 1 && s.name + s.fold * s.cell + s.sum > w)
        s.fold = (s.fold + 1) / 2;
    int spare = (w - s.name - s.sum) / s.fold;
    s.cell = spare > s.cell + 4 ? s.cell + 4 : spare > s.cell ? spare : s.cell;
    return s;
}

static void paint_shade(struct painting *p, int y, int x, double share)
{
    static const char *const dark[] = {" ", "░", "▒", "▓", "█"};
    static const char *const plain[] = {" ", ".", "-", "+", "#"};
    int k = share >= 1 ? 4 : (int)(share * 5);
    if (k > 0)
        paint_text(p, y, x, 1, k > 2 ? STYLE_BAD : STYLE_SECOND, glyph(dark[k], plain[k]));
}

static void paint_cells(struct painting *p, const struct figure_panel *g, struct grid_shape s,
                        int row, int first, int y)
{
    for (int c = first; c < g->n_columns && c < first + s.fold; c++) {
        int at = row * g->n_columns + c, x = s.name + (c - first) * s.cell;
        char text[160];
        int n = g->cell[at] < 0 ? 1 : draw_columns(paint_slot_text(p, g->cell[at], text));
        n = n < s.cell - 1 ? n : s.cell - 1;
        if (g->share && s.cell - 1 > n)
            paint_shade(p, y, x, g->share[at]);
        if (g->cell[at] < 0)
            paint_text(p, y, x + s.cell - 2, 1, STYLE_DIM, glyph("·", "."));
        else
            paint_slot(p, y, x + s.cell - 1 - n, n, STYLE_PLAIN, g->cell[at]);
    }
}

static void paint_sums(struct painting *p, const struct figure_panel *g, struct grid_shape s,
                       int row, int y, int w)
{
    int x = w - s.sum, each = g->n_sums ? s.sum / g->n_sums : 0;
    for (int i = 0; i < g->n_sums; i++, x += each)
        if (row < 0)
            paint_text(p, y, x + 1, each - 1, STYLE_DIM, g->sum[i].name);
        else
            paint_slot(p, y, x + 1, each - 1, STYLE_BOLD, g->sum[i].slot[row]);
}

static void paint_columns(struct painting *p, const struct figure_panel *g, struct grid_shape s,
                          int first, int y)
{
    for (int c = first; c < g->n_columns && c < first + s.fold; c++) {
        int n = draw_columns(g->column[c]);
        n = n < s.cell - 1 ? n : s.cell - 1;
        paint_text(p, y, s.name + (c - first + 1) * s.cell - 1 - n, n, STYLE_DIM, g->column[c]);
    }
}

static int paint_panel(struct painting *p, const struct figure_panel *g, int y, int w)
{
    struct grid_shape s = shape_of(p, g, w);
    if (*g->title)
        y += paint_wrapped(p, y, 0, w, STYLE_BOLD, g->title);
    for (int first = 0; first < g->n_columns; first += s.fold) {
        paint_columns(p, g, s, first, y);
        if (first == 0)
            paint_sums(p, g, s, -1, y, w);
        y++;
        for (int row = 0; row < g->n_rows; row++) {
            int lines = paint_slot_wrapped(p, y, 0, s.name - 1, STYLE_PLAIN, g->row[row]);
            paint_cells(p, g, s, row, first, y);
            if (first == 0)
                paint_sums(p, g, s, row, y, w);
            y += lines > 1 ? lines : 1;
        }
        y += first + s.fold < g->n_columns;
    }
    return y + 1;
}

static int paint_grid(struct painting *p, int y, int w)
{
    for (int i = 0; i < p->figure->grid.n; i++)
        y = paint_panel(p, &p->figure->grid.panel[i], y, w);
    return y - 1;
}

/* ---- the whole ---- */

static int paint_values(struct painting *p, int y, int w)
{
    const struct figure_data *f = p->figure;
    int name = 0;
    for (int i = 0; i < f->n_values; i++) {
        int n = draw_columns(f->value[i].name);
        name = n > name ? n : name;
    }
    name = name > w * 2 / 3 ? w * 2 / 3 : name;
    y += f->n_values > 0;
    for (int i = 0; i < f->n_values; i++) {
        int lines = paint_wrapped(p, y, 0, name, STYLE_DIM, f->value[i].name);
        paint_slot(p, y, name + 2, w - name - 2, STYLE_BOLD, f->value[i].slot);
        y += lines;
    }
    return y;
}

static int paint_all(struct painting *p)
{
    int w = p->view->width, y = 0;
    switch (p->figure->form) {
    case FIGURE_NEST: y = paint_box(p, p->figure->box, 0, 0, w); break;
    case FIGURE_TREE: y = paint_branch(p, p->figure->box, 0, 0, w); break;
    case FIGURE_LEVELS: y = paint_levels(p, 0, w); break;
    case FIGURE_LANES: y = paint_lanes(p, 0, w); break;
    case FIGURE_GRID: y = paint_grid(p, 0, w); break;
    case FIGURE_SCHEDULE: y = paint_schedule(p, 0, w); break;
    case FIGURE_COLLECTIVE: y = paint_collective(p, 0, w); break;
    default: y = paint_plot(p, 0, w); break;
    }
    return p->view->placed || p->view->made || p->view->put ? y : paint_values(p, y, w);
}

void figure_picture_make(struct figure_picture *out, const struct figure_data *f,
                         const struct figure_view *view)
{
    struct figure_view v = *view;
    v.width = v.width < NARROWEST ? NARROWEST : v.width;
    *out = (struct figure_picture){.canvas = canvas_new(CANVAS_ROWS_MOST, v.width),
                                   .part_line = -1,
                                   .blank_line = -1};
    struct painting p = {.figure = f, .view = &v, .out = out};
    struct canvas *before = draw_onto(out->canvas);
    int lines = paint_all(&p);
    out->lines = lines < CANVAS_ROWS_MOST ? lines : CANVAS_ROWS_MOST;
    draw_onto(before);
}

void figure_picture_show(const struct figure_picture *p, struct rect r, int top)
{
    for (int y = 0; y < r.h && top + y < p->lines; y++)
        for (int x = 0; x < r.w && x < canvas_columns(p->canvas); x++) {
            const struct canvas_cell *c = canvas_cell(p->canvas, top + y, x);
            if (!c->tail)
                draw_cells(r.y + y, r.x + x, (enum style)c->style, c->turned, c->text, c->n);
        }
}

void figure_picture_free(struct figure_picture *p)
{
    canvas_free(p->canvas);
    *p = (struct figure_picture){.canvas = NULL};
}

char *figure_picture_text(const struct figure_picture *p)
{
    char *all = canvas_text(p->canvas), *end = all;
    for (int i = 0; i < p->lines && end; i++) {
        char *line = strchr(end, '\n');
        end = line ? line + 1 : end;
    }
    *end = '\0';
    return all;
}

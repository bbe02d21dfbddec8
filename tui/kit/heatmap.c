#include "tui/kit/heatmap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MEAN_W = 8, NUMBERED = 6, WIDEST = 7, NARROWEST_LABEL = 4 };

const char *heat_shade(int level)
{
    static const char *const utf8[HEAT_LEVELS] = {"·", "░", "▒", "▓", "█"},
                             *const ascii[HEAT_LEVELS] = {".", ":", "+", "%", "#"};
    return glyph(utf8[level], ascii[level]);
}

/* The next of these times a power of ten: near enough to the largest value that the shades below it
 * differ. */
static double round_up(double value)
{
    static const double steps[] = { 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 };
    double decade = pow(10, floor(log10(value)));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (value <= steps[i] * decade * 1.0001)
            return steps[i] * decade;
    return 10 * decade;
}

double heat_full(const struct exhibit_table *t, const struct msg_part *p)
{
    double most = 0;
    for (int r = 0; r < t->n_rows; r++)
        for (int c = 0; c < t->n_columns; c++)
            most = exhibit_cell(t, p, 0, r, c) > most ? exhibit_cell(t, p, 0, r, c) : most;
    return most > 0 ? round_up(most) : 0;
}

int heat_level(double value, double full)
{
    int level = full > 0 && value > 0 ? (int)(value / full * HEAT_LEVELS) : 0;
    return level < HEAT_LEVELS ? level : HEAT_LEVELS - 1;
}

void heat_legend(char *out, size_t size, double full, const char *unit)
{
    snprintf(out, size, "%s, up to", unit);
    for (int level = 0; level < HEAT_LEVELS; level++)
        snprintf(out + strlen(out), size - strlen(out), " %s %g", heat_shade(level),
                 full * (level + 1) / HEAT_LEVELS);
}

/* Nothing means good or bad here: what is little is dim, what is most stands out. */
static enum style style_of(int level)
{
    return level < 2 ? STYLE_DIM : level < HEAT_LEVELS - 1 ? STYLE_PLAIN : STYLE_ACCENT;
}

struct heat {
    struct rect r;
    int label_w, cell_w, first; /* column that is shown first */
    double full;
};

static struct heat lay_out(struct rect r, const struct exhibit_table *t, const struct msg_part *p)
{
    struct heat h = { .r = r, .label_w = NARROWEST_LABEL, .full = heat_full(t, p) };
    for (int k = 0; k < t->n_rows; k++)
        h.label_w = draw_columns(t->row[k]) > h.label_w ? draw_columns(t->row[k]) : h.label_w;
    if (draw_columns(t->form->row) > h.label_w)
        h.label_w = draw_columns(t->form->row);
    int room = r.w - h.label_w - MEAN_W - 3;
    h.cell_w = room / t->n_columns;
    h.cell_w = h.cell_w > WIDEST ? WIDEST : h.cell_w < 1 ? 1 : h.cell_w;
    h.first = t->n_columns > room && room > 0 ? t->n_columns - room
                                              : 0; /* the last ones are of more use */
    return h;
}

static int cell_x(const struct heat *h, int column)
{
    return h->r.x + 1 + h->label_w + 1 + (column - h->first) * h->cell_w;
}

/* Of how many columns one has its number: evenly, so that each number fits. */
static int head_step(const struct heat *h, const struct exhibit_table *t)
{
    char text[32];
    int w = 0;
    for (int c = h->first; c < t->n_columns; c++) {
        int own = snprintf(text, sizeof text, "%g", t->column[c]);
        w = own > w ? own : w;
    }
    return (w + h->cell_w) / h->cell_w;
}

/* Numbers of columns, what they count before them. Where cells have numbers theirs end in one
 * column with these. */
static void draw_head(const struct heat *h, const struct exhibit_table *t)
{
    int free_from = h->r.x + 1 + h->label_w, step = head_step(h, t);
    draw_text(h->r.y, h->r.x + 1, h->label_w, STYLE_DIM, t->form->row);
    for (int c = h->first; c < t->n_columns; c += step) {
        char text[48];
        snprintf(text, sizeof text, "%s%s%g", c == h->first ? t->form->column : "",
                 c == h->first ? " " : "", t->column[c]);
        int w = draw_columns(text),
            x = cell_x(h, c) + (h->cell_w >= NUMBERED ? h->cell_w - 1 - w : 0);
        if (x >= free_from)
            free_from = x + draw_text(h->r.y, x, w, STYLE_DIM, text) + 1;
    }
    draw_right(h->r.y, h->r.x + h->r.w - 1, MEAN_W, STYLE_DIM, "mean");
}

static void draw_cell(const struct heat *h, int y, int x, double value)
{
    int level = heat_level(value, h->full);
    char text[16];
    if (h->cell_w >= NUMBERED) {
        snprintf(text, sizeof text, "%.*f", h->full < 10 ? 1 : 0, value);
        draw_text(y, x, 1, style_of(level), heat_shade(level));
        draw_right(y, x + h->cell_w - 1, h->cell_w - 2, style_of(level), text);
        return;
    }
    for (int i = 0; i < h->cell_w - (h->cell_w > 2); i++)
        draw_text(y, x + i, 1, style_of(level), heat_shade(level));
}

void heat_draw(struct rect r, const struct exhibit_table *t, const struct msg_part *p, int scroll)
{
    struct heat h = lay_out(r, t, p);
    char text[160];
    if (r.h <= HEAT_FRAME || r.w < h.label_w + MEAN_W + 8)
        return;
    draw_head(&h, t);
    for (int k = scroll; k < t->n_rows && k - scroll < r.h - HEAT_FRAME; k++) {
        int y = r.y + 1 + k - scroll;
        draw_right(y, r.x + 1 + h.label_w, h.label_w, STYLE_PLAIN, t->row[k]);
        for (int c = h.first; c < t->n_columns; c++)
            draw_cell(&h, y, cell_x(&h, c), exhibit_cell(t, p, 0, k, c));
        snprintf(text, sizeof text, "%.3g %s", exhibit_row(t, p, 0, k), t->form->figures[0].unit);
        draw_right(y, r.x + r.w - 1, MEAN_W, STYLE_PLAIN, text);
    }
    heat_legend(text, sizeof text, h.full, t->form->figures[0].unit);
    draw_text(r.y + r.h - 1, r.x + 1, r.w - 2, STYLE_DIM, text);
}

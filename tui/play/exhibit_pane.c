#include "tui/play/exhibit_pane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/kit/heatmap.h"
#include "tui/play/exhibit_timeline.h"

enum { LINE = EXHIBIT_LINE, GAP = 2, MEAN_W = 7, MOST_DECIMALS = 3 };

/* ---- a table as lines of text ---- */

static int most(int a, int b) { return a > b ? a : b; }

/* In four digits; with as many behind the point as its neighbours, where those are given (0 or
 * more). */
static void cell_text(char *out, size_t size, double value, int decimals)
{
    if (decimals < 0)
        snprintf(out, size, "%.4g", value);
    else
        snprintf(out, size, "%.*f", decimals, value);
}

/* How many digits behind the point a column needs that has this value too, so that its points stand
 * one below the other; -1: they are too different. */
static int widen(int decimals, double value)
{
    char text[32];
    cell_text(text, sizeof text, value, -1);
    const char *point = strchr(text, '.');
    int own = point ? (int)strlen(point + 1) : 0;
    return decimals < 0 || own > MOST_DECIMALS || strpbrk(text, "ein") ? -1 : most(decimals, own);
}

static const char *unit_of(const struct figure *f)
{
    return strcmp(f->unit, "1") ? f->unit : "";
}

static int label_width(const struct exhibit_table *t)
{
    int w = draw_columns(t->form->row);
    for (int r = 0; r < t->n_rows; r++)
        w = most(w, draw_columns(t->row[r]));
    return w;
}

static int figure_decimals(const struct exhibit_table *t, const struct msg_part *p, int figure)
{
    int decimals = 0;
    for (int r = 0; r < t->n_rows; r++)
        decimals = widen(decimals, exhibit_cell(t, p, figure, r, 0));
    return decimals;
}

static int figure_width(const struct exhibit_table *t, const struct msg_part *p, int figure)
{
    char text[64];
    int w = most(draw_columns(t->form->figures[figure].label),
                 draw_columns(unit_of(&t->form->figures[figure]))),
        decimals = figure_decimals(t, p, figure);
    for (int r = 0; r < t->n_rows; r++) {
        cell_text(text, sizeof text, exhibit_cell(t, p, figure, r, 0), decimals);
        w = most(w, (int)strlen(text));
    }
    return w;
}

static void append(char *out, size_t size, int w, const char *text, bool right)
{
    size_t used = strlen(out);
    int pad = w - draw_columns(text);
    pad = pad > 0 ? pad : 0;
    snprintf(out + used, size - used, right ? "%*s%s" : "%*s%s", right ? pad : 0, "", text);
    for (int i = 0; !right && i < pad; i++)
        snprintf(out + strlen(out), size - strlen(out), " ");
}

/* Line k of a table without columns, from 0; before them two of the head. */
enum { HEAD_NAMES = -2, HEAD_UNITS };

static void table_line(char out[LINE], const struct exhibit_table *t, const struct msg_part *p,
                       int k)
{
    char text[64];
    out[0] = '\0';
    append(out, LINE, label_width(t),
           k == HEAD_NAMES   ? t->form->row
           : k == HEAD_UNITS ? ""
                             : t->row[k],
           false);
    for (int f = 0; f < t->form->n_figures; f++) {
        const struct figure *figure = &t->form->figures[f];
        if (k >= 0)
            cell_text(text, sizeof text, exhibit_cell(t, p, f, k, 0), figure_decimals(t, p, f));
        append(out, LINE, GAP + figure_width(t, p, f),
               k == HEAD_NAMES   ? figure->label
               : k == HEAD_UNITS ? unit_of(figure)
                                 : text,
               true);
    }
}

/* ---- in the notebook ---- */

static void add_line(struct note *n, const char *text)
{
    note_add_row(n, NOTE_TEXT, text);
}

static int mean_decimals(const struct exhibit_table *t, const struct msg_part *p)
{
    int decimals = 0;
    for (int r = 0; r < t->n_rows; r++)
        decimals = widen(decimals, exhibit_row(t, p, 0, r));
    return decimals;
}

static void add_heat(struct note *n, const struct exhibit_table *t, const struct msg_part *p)
{
    enum {
        SHADES = 24
    }; /* columns that fit beside label and mean in the narrowest pane; the last ones are of more
          use */
    char line[LINE] = "", text[96];
    double full = heat_full(t, p);
    int label = label_width(t), first = t->n_columns > SHADES ? t->n_columns - SHADES : 0,
        decimals = mean_decimals(t, p);
    snprintf(text, sizeof text, "%s %g-%g", t->form->column, t->column[first],
             t->column[t->n_columns - 1]);
    int w = most(t->n_columns - first, draw_columns(text));
    append(line, LINE, label + 1, t->form->row, false);
    append(line, LINE, w, text, false);
    append(line, LINE, MEAN_W, "mean", true);
    add_line(n, line);
    for (int r = 0; r < t->n_rows; r++) {
        line[0] = text[0] = '\0';
        for (int c = first; c < t->n_columns; c++)
            append(text, sizeof text, 1, heat_shade(heat_level(exhibit_cell(t, p, 0, r, c), full)),
                   false);
        append(line, LINE, label, t->row[r], true);
        append(line, LINE, 1, "", false);
        append(line, LINE, w, text, false);
        cell_text(text, sizeof text, exhibit_row(t, p, 0, r), decimals);
        append(line, LINE, MEAN_W, text, true);
        add_line(n, line);
    }
    heat_legend(line, sizeof line, full, t->form->figures[0].unit);
    add_line(n, line);
    note_add_text(n, "Tab turns to the map, f widens it");
}

static void add_table(struct note *n, const struct exhibit_table *t, const struct msg_part *p)
{
    char line[LINE];
    for (int k = HEAD_NAMES; k < t->n_rows; k++) {
        table_line(line, t, p, k);
        add_line(n, line);
    }
}

void exhibit_add_rows(struct note *n, const struct experiment *x, const struct msg_part *p)
{
    struct exhibit_table t;
    struct exhibit_timeline step;
    if (exhibit_timeline(&step, x, p))
        note_add_text(n, "Tab: the timeline, f wider, z and Z zoom");
    if (exhibit_table(&t, x, p)) {
        if (t.column)
            add_heat(n, &t, p);
        else
            add_table(n, &t, p);
    }
    for (int i = 0; i < p->n_lines && !exhibit_table(&t, x, p); i++)
        note_add_text(n, p->lines[i]);
    for (int i = 0; i < p->n_notes; i++)
        note_add_text(n, p->notes[i]);
}

/* ---- in a pane ---- */

int exhibit_lines(const struct experiment *x, const struct msg_part *p)
{
    struct exhibit_table t;
    return exhibit_table(&t, x, p) ? t.n_rows : p->n_lines + p->n_notes;
}

/* Where the numbers come from stands below them, unless so low a pane would hardly have a row;
 * longer remarks are in the notebook. */
/* Of rows that do not scroll those that are no remarks. */
static int form_frame(const struct experiment *x, const struct msg_part *p,
                      const struct exhibit_table *t, int w)
{
    struct exhibit_timeline step;
    return 1 + (exhibit_timeline(&step, x, p) ? timeline_frame(&step, w)
                : t->column                   ? HEAT_FRAME
                                              : -HEAD_NAMES);
}

int exhibit_frame(const struct experiment *x, const struct msg_part *p, struct rect r)
{
    enum { LEAST_ROWS = 3, NOTES = 2 };
    struct exhibit_table t;
    if (!exhibit_table(&t, x, p))
        return 1;
    int frame = form_frame(x, p, &t, r.w),
        notes = p->n_notes < NOTES ? p->n_notes : NOTES;
    return r.h - frame - notes < LEAST_ROWS ? frame : frame + notes;
}

/* From column `shift` on. */
static void draw_shifted(int y, int x, int w, enum style style, const char *text, int shift)
{
    for (; *text && shift > 0; shift--)
        for (text++; text_is_tail(*text); text++)
            continue;
    draw_text(y, x, w, style, text);
}

/* Bars of one figure, each a share of its largest; what is below zero has none. */
static void draw_figure_bars(struct rect r, const struct exhibit_table *t, const struct msg_part *p,
                             int figure, int scroll)
{
    double full = 0;
    for (int k = 0; k < t->n_rows; k++)
        full = exhibit_cell(t, p, figure, k, 0) > full ? exhibit_cell(t, p, figure, k, 0) : full;
    draw_text(r.y, r.x, r.w, STYLE_DIM, t->form->figures[figure].label);
    for (int k = scroll; full > 0 && k < t->n_rows && k - scroll < r.h + HEAD_NAMES; k++) {
        double value = exhibit_cell(t, p, figure, k, 0);
        draw_bar(r.y - HEAD_NAMES + k - scroll, r.x, r.w, value > 0 ? value / full : 0, false,
                 STYLE_SECOND);
    }
}

/* Right of the numbers, where there is room for all figures: a table of counts is a histogram. */
static void draw_bars(struct rect r, const struct exhibit_table *t, const struct msg_part *p,
                      int scroll)
{
    enum { LEAST = 10, MOST = 48, BEFORE = 3 };
    char line[LINE];
    table_line(line, t, p, HEAD_NAMES);
    int x = draw_columns(line) + BEFORE, n = t->form->n_figures,
        each = (r.w - 2 - x) / n - GAP;
    each = each > MOST ? MOST : each;
    for (int f = 0; f < n && each >= LEAST; f++)
        draw_figure_bars((struct rect){r.y, r.x + 1 + x + f * (each + GAP), r.h, each}, t, p, f,
                         scroll);
}

static void draw_table(struct rect r, const struct exhibit_table *t, const struct msg_part *p,
                       int scroll, int shift)
{
    char line[LINE];
    for (int k = HEAD_NAMES; k < 0; k++) {
        table_line(line, t, p, k);
        draw_shifted(r.y + k - HEAD_NAMES, r.x + 1, r.w - 2, STYLE_DIM, line, shift);
    }
    for (int k = scroll; k < t->n_rows && k - scroll < r.h + HEAD_NAMES; k++) {
        table_line(line, t, p, k);
        draw_shifted(r.y - HEAD_NAMES + k - scroll, r.x + 1, r.w - 2, STYLE_PLAIN, line, shift);
    }
    if (shift == 0)
        draw_bars(r, t, p, scroll);
}

static const char *text_line(const struct msg_part *p, int k)
{
    return k < p->n_lines ? p->lines[k] : p->notes[k - p->n_lines];
}

static void draw_text_lines(struct rect r, const struct msg_part *p, int scroll, int shift)
{
    for (int k = scroll; k < p->n_lines + p->n_notes && k - scroll < r.h; k++)
        draw_shifted(r.y + k - scroll, r.x + 1, r.w - 2, STYLE_PLAIN, text_line(p, k), shift);
}

void exhibit_line(char out[EXHIBIT_LINE], const struct experiment *x, const struct msg_part *p,
                  int k)
{
    struct exhibit_table t;
    struct exhibit_timeline step;
    if (exhibit_timeline(&step, x, p))
        timeline_row(out, EXHIBIT_LINE, &step, k);
    else if (!exhibit_table(&t, x, p))
        snprintf(out, EXHIBIT_LINE, "%s", text_line(p, k));
    else if (t.column)
        snprintf(out, EXHIBIT_LINE, "%s", t.row[k]);
    else
        table_line(out, &t, p, k);
}

int exhibit_hidden(const struct experiment *x, const struct msg_part *p, int w, int zoom)
{
    struct exhibit_table t;
    struct exhibit_timeline step;
    if (exhibit_timeline(&step, x, p))
        return timeline_hidden(&step, w, zoom);
    char line[LINE] = "";
    bool table = exhibit_table(&t, x, p);
    if (table && !t.column)
        table_line(line, &t, p, HEAD_NAMES);
    int widest = draw_columns(line);
    for (int k = 0; !table && k < p->n_lines + p->n_notes; k++)
        widest = most(widest, draw_columns(text_line(p, k)));
    return most(0, widest - (w - 2));
}

/* How much of a timeline is shown stands before the end of its title. */
static void draw_title(struct rect r, const char *title, bool zooms, int zoom)
{
    char text[32] = "z zooms";
    if (zoom > 0)
        snprintf(text, sizeof text, "1/%d of it, Z back", 1 << zoom);
    int w = draw_columns(text) + 2;
    bool said = zooms && (zoom > 0 || draw_columns(title) + w <= r.w);
    draw_text(r.y, r.x, said ? r.w - w : r.w, STYLE_BOLD, title);
    if (said)
        draw_right(r.y, r.x + r.w, w, STYLE_DIM, text);
}

void exhibit_draw(struct rect r, const struct experiment *x, const struct msg_part *p, int scroll,
                  int shift, int zoom)
{
    struct exhibit_table t;
    struct exhibit_timeline step;
    struct rect body = { r.y + 1, r.x, r.h - 1, r.w };
    int hidden = exhibit_hidden(x, p, r.w, zoom);
    shift = shift < hidden ? shift : hidden;
    draw_title((struct rect){r.y, r.x + 1, 1, r.w - 2}, x->title, exhibit_timeline(&step, x, p),
               zoom);
    if (!exhibit_table(&t, x, p)) {
        draw_text_lines(body, p, scroll, shift);
        return;
    }
    int notes = exhibit_frame(x, p, r) - form_frame(x, p, &t, r.w);
    for (int i = 0; i < notes; i++)
        draw_text(r.y + r.h - notes + i, r.x + 1, r.w - 2, STYLE_DIM, p->notes[i]);
    body.h -= notes;
    if (exhibit_timeline(&step, x, p))
        timeline_draw(body, &step, scroll, shift, zoom);
    else if (t.column)
        heat_draw(body, &t, p, scroll);
    else
        draw_table(body, &t, p, scroll, shift);
}

/* ---- on paper ---- */

static void print_heat(const struct exhibit_table *t, const struct msg_part *p)
{
    char text[32];
    int label = label_width(t), w = 6, decimals = 0, means = mean_decimals(t, p),
        cells = t->n_rows * t->n_columns;
    for (int k = 0; k < cells; k++)
        decimals = widen(decimals, exhibit_cell(t, p, 0, k / t->n_columns, k % t->n_columns));
    for (int k = 0; k < cells; k++) {
        cell_text(text, sizeof text, exhibit_cell(t, p, 0, k / t->n_columns, k % t->n_columns),
                  decimals);
        w = most(w, (int)strlen(text));
    }
    printf("  %s, %s, by %s and %s\n  %*s", t->form->figures[0].label, t->form->figures[0].unit,
           t->form->row, t->form->column, label, "");
    for (int c = 0; c < t->n_columns; c++)
        printf("  %*g", w, t->column[c]);
    printf("  %*s\n", w, "mean");
    for (int r = 0; r < t->n_rows; r++) {
        printf("  %*s", label, t->row[r]);
        for (int c = 0; c < t->n_columns; c++) {
            cell_text(text, sizeof text, exhibit_cell(t, p, 0, r, c), decimals);
            printf("  %*s", w, text);
        }
        cell_text(text, sizeof text, exhibit_row(t, p, 0, r), means);
        printf("  %*s\n", w, text);
    }
}

void exhibit_print(const struct experiment *x, const struct msg_part *p)
{
    struct exhibit_table t;
    struct exhibit_timeline step;
    char line[LINE];
    bool table = exhibit_table(&t, x, p);
    if (table && t.column)
        print_heat(&t, p);
    for (int k = HEAD_NAMES; table && !t.column && k < t.n_rows; k++) {
        table_line(line, &t, p, k);
        printf("  %s\n", line);
    }
    if (exhibit_timeline(&step, x, p))
        timeline_print(&step);
    for (int k = 0; !table && k < p->n_lines; k++)
        printf("  %s\n", p->lines[k]);
    for (int i = 0; i < p->n_notes; i++)
        printf("  (%s)\n", p->notes[i]);
}

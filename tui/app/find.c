#include "tui/app/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/kit/canvas.h"

/* ---- rows ---- */

static void add(struct find_rows *out, const char *text, size_t len)
{
    if ((out->n & (out->n - 1)) == 0)       /* room for 1, 2, 4 ... */
        out->text = mem_grow(out->text, out->n ? 2 * (size_t)out->n : 1, sizeof *out->text);
    char *copy = text_ndup(text, len);
    text_clean(copy, strlen(copy));
    out->text[out->n++] = copy;
}

void find_add(struct find_rows *out, const char *text)
{
    add(out, text, strlen(text));
}

void find_add_lines(struct find_rows *out, const char *text)
{
    while (*text) {
        size_t len = strcspn(text, "\n");
        add(out, text, len);
        text += len;
        text += *text == '\n';
    }
}

void find_add_wrapped(struct find_rows *out, const char *text, int w)
{
    while (*text && w > 0) {
        size_t len = draw_line_bytes(text, w);
        add(out, text, len);
        text += len;
        text += *text == '\n' ? 1 : strspn(text, " ");
    }
}

void find_add_drawn(struct find_rows *out, struct app *app, const void *self, int rows,
                    find_drawer *draw)
{
    struct canvas *picture = canvas_new(rows, app_columns(app)), *before = draw_onto(picture);
    draw(app, self, (struct rect){0, 0, canvas_rows(picture), canvas_columns(picture)});
    draw_onto(before);
    char *text = canvas_text(picture);
    find_add_lines(out, text);
    free(text);
    canvas_free(picture);
}

int find_top(int top, int row, int lines, int h)
{
    int most = lines > h ? lines - h : 0;
    if (row < top || row >= top + h)
        top = row - h / 3;
    return top < 0 ? 0 : top > most ? most : top;
}

static struct find_rows rows_of(struct app *app, const struct find_ops *ops, const void *self)
{
    struct find_rows rows = { 0 };
    ops->rows(app, self, &rows);
    return rows;
}

static void rows_free(struct find_rows *rows)
{
    for (int k = 0; k < rows->n; k++)
        free(rows->text[k]);
    free(rows->text);
}

/* ---- from row to row ---- */

static bool has(const struct find *f, const struct find_rows *rows, int row)
{
    return pattern_in_text(&f->pattern, rows->text[row]) >= 0;
}

/* The next one in direction `step`, behind the last the first again; `from` itself comes last. -1:
 * there is none. */
static int next_row(const struct find *f, const struct find_rows *rows, int from, int step)
{
    for (int k = 1; k <= rows->n; k++) {
        int row = ((from + step * k) % rows->n + rows->n) % rows->n;
        if (has(f, rows, row))
            return row;
    }
    return -1;
}

/* Where to go on from: the row found last, unless one has moved since. */
static int from_row(const struct find *f, const struct find_rows *rows)
{
    bool stayed = f->row >= 0 && f->row < rows->n && f->stood == rows->at;
    return stayed ? f->row : rows->at;
}

static void go(struct find *f, struct app *app, const struct find_ops *ops, void *self, int step,
               bool here_too)
{
    struct find_rows rows = rows_of(app, ops, self), after;
    int from = from_row(f, &rows) - (here_too ? step : 0), row = next_row(f, &rows, from, step);
    if (row >= 0) {
        ops->go(app, self, row, pattern_in_text(&f->pattern, rows.text[row]), f->pattern.n);
        after = rows_of(app, ops, self);
        f->stood = after.at;
        rows_free(&after);
    }
    f->row = row;
    rows_free(&rows);
}

/* ---- keys ---- */

void find_open(struct find *f, struct app *app, const struct find_ops *ops, const void *self)
{
    struct find_rows rows = rows_of(app, ops, self);
    bool any = rows.n > 0;
    rows_free(&rows);
    if (!any) {
        app_say(app, "There is no text to search here.");
        return;
    }
    f->typing = true;
    f->row = -1;
    textfield_init(&f->field, f->field.bytes);
}

void find_end(struct find *f)
{
    f->typing = f->on = false;
}

static void type(struct find *f, struct app *app, const struct find_ops *ops, void *self, int key)
{
    enum textfield_result r = textfield_key(&f->field, key);
    if (r == TEXTFIELD_CANCELLED || (r == TEXTFIELD_DONE && !f->field.len)) {
        find_end(f);
    } else if (r == TEXTFIELD_DONE) {
        f->typing = false;
        f->on = true;
        pattern_set(&f->pattern, textfield_text(&f->field));
        go(f, app, ops, self, 1, true);
    }
}

bool find_press(struct find *f, struct app *app, const struct find_ops *ops, void *self, int key)
{
    if (f->typing)
        type(f, app, ops, self, key);
    else if (f->on && (key == 'n' || key == 'N'))
        go(f, app, ops, self, key == 'n' ? 1 : -1, false);
    else if (f->on && key == KEY_ESCAPE)
        find_end(f);
    else
        return false;
    return true;
}

/* ---- drawing ---- */

void find_mark(const struct find *f, struct app *app, const struct find_ops *ops,
               const void *self)
{
    if (!f->on || f->typing)
        return;
    struct find_rows rows = rows_of(app, ops, self);
    draw_marked(&f->pattern, rows.where);
    rows_free(&rows);
}

/* "2 of 7", counted in rows. */
static void count_text(char *out, size_t size, const struct find *f, const struct find_rows *rows)
{
    int all = 0, at = 0;
    for (int k = 0; k < rows->n; k++)
        if (has(f, rows, k)) {
            all++;
            at = k == f->row ? all : at;
        }
    if (!all)
        snprintf(out, size, "not found here");
    else if (at)
        snprintf(out, size, "%d of %d", at, all);
    else
        snprintf(out, size, "%d here", all);
}

/* What was typed, as much as fits, then how often it is there, then the keys. */
static void draw_found(const struct find *f, const struct find_rows *rows, int y, int w)
{
    char count[48];
    count_text(count, sizeof count, f, rows);
    const char *keys = w >= 76 ? "n next  N before  / other  Esc ends" : "n N  / other  Esc ends";
    int room = w - 4 - draw_columns(count) - 6 - draw_columns(keys);
    int x = 2 + draw_text(y, 2, room, STYLE_BOLD, textfield_text(&f->field)) + 3;
    draw_text(y, x, w - x, STYLE_ACCENT, count);
    draw_right(y, w - 1, draw_columns(keys), STYLE_DIM, keys);
}

void find_draw(const struct find *f, struct app *app, const struct find_ops *ops,
               const void *self)
{
    int y = draw_rows() - 1, w = draw_width();
    const char *keys = "Enter search  Esc not";
    if (!f->on && !f->typing)
        return;
    draw_textf(y, 0, w, STYLE_PLAIN, "%-*s", w, " /");
    if (f->typing) {
        int n = draw_columns(keys);
        textfield_draw(&f->field, y, 2, w - n - 5, STYLE_BOLD);
        draw_right(y, w - 1, n, STYLE_DIM, keys);
        return;
    }
    struct find_rows rows = rows_of(app, ops, self);
    draw_found(f, &rows, y, w);
    rows_free(&rows);
}

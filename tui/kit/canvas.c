#include "tui/kit/canvas.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

struct canvas {
    int rows, columns;
    int cursor_y, cursor_x;              /* cursor_y < 0: none */
    struct canvas_cell *cells;
};

static const struct canvas_cell blank = { .text = { L' ' }, .n = 1 };

static int within(int n, int most)
{
    return n < 1 ? 1 : n > most ? most : n;
}

struct canvas *canvas_new(int rows, int columns)
{
    struct canvas *c = mem_new(1, sizeof *c);
    canvas_resize(c, rows, columns);
    return c;
}

void canvas_free(struct canvas *c)
{
    if (!c)
        return;
    free(c->cells);
    free(c);
}

void canvas_resize(struct canvas *c, int rows, int columns)
{
    c->rows = within(rows, CANVAS_ROWS_MOST);
    c->columns = within(columns, CANVAS_COLUMNS_MOST);
    free(c->cells);
    c->cells = mem_new((size_t)c->rows * (size_t)c->columns, sizeof *c->cells);
    canvas_clear(c);
}

int canvas_rows(const struct canvas *c) { return c->rows; }
int canvas_columns(const struct canvas *c) { return c->columns; }

void canvas_clear(struct canvas *c)
{
    for (int i = 0; i < c->rows * c->columns; i++)
        c->cells[i] = blank;
    c->cursor_y = -1;
    c->cursor_x = 0;
}

static struct canvas_cell *at(const struct canvas *c, int y, int x)
{
    return &c->cells[y * c->columns + x];
}

const struct canvas_cell *canvas_cell(const struct canvas *c, int y, int x)
{
    return at(c, y, x);
}

static bool inside(const struct canvas *c, int y, int x)
{
    return y >= 0 && y < c->rows && x >= 0 && x < c->columns;
}

/* Half a wide character is none: what is left of it becomes a blank. */
static void break_wide(struct canvas *c, int y, int x)
{
    if (at(c, y, x)->tail && x > 0)
        *at(c, y, x - 1) = blank;
    if (x + 1 < c->columns && at(c, y, x + 1)->tail)
        *at(c, y, x + 1) = blank;
}

static void put_one(struct canvas *c, int y, int x, wchar_t ch, int width, enum style s,
                    bool turned)
{
    struct canvas_cell cell = {.text = {ch}, .n = 1, .style = (unsigned char)s, .turned = turned};
    break_wide(c, y, x);
    if (width == 2)
        break_wide(c, y, x + 1);
    *at(c, y, x) = cell;
    if (width == 2)
        *at(c, y, x + 1) =
            (struct canvas_cell){.style = (unsigned char)s, .turned = turned, .tail = true};
}

static void join(struct canvas *c, int y, int x, wchar_t ch)
{
    struct canvas_cell *cell = at(c, y, x);
    if (cell->tail && x > 0)
        cell = at(c, y, x - 1);
    if (cell->n < CANVAS_JOINED)
        cell->text[cell->n++] = ch;
}

void canvas_put(struct canvas *c, int y, int x, const wchar_t *text, int n, enum style s,
                bool turned)
{
    int first = x;
    for (int i = 0; i < n; i++) {
        int width = wcwidth(text[i]);
        if (width < 0)
            width = 1;
        if (width == 0) {
            if (x > first && inside(c, y, x - 1))
                join(c, y, x - 1, text[i]);
            continue;
        }
        if (inside(c, y, x) && inside(c, y, x + width - 1))
            put_one(c, y, x, text[i], width, s, turned);
        x += width;
    }
}

void canvas_cursor(struct canvas *c, int y, int x)
{
    c->cursor_y = y;
    c->cursor_x = x;
}

bool canvas_cursor_wanted(const struct canvas *c, int *y, int *x)
{
    *y = c->cursor_y;
    *x = c->cursor_x;
    return c->cursor_y >= 0;
}

/* ---- comparing and copying ---- */

static bool cell_equal(const struct canvas_cell *a, const struct canvas_cell *b)
{
    return a->n == b->n && a->style == b->style && a->turned == b->turned && a->tail == b->tail &&
           !wmemcmp(a->text, b->text, a->n);
}

static bool row_equal(const struct canvas *a, const struct canvas *b, int y)
{
    for (int x = 0; x < a->columns; x++)
        if (!cell_equal(at(a, y, x), at(b, y, x)))
            return false;
    return true;
}

static bool same_size(const struct canvas *a, const struct canvas *b)
{
    return a->rows == b->rows && a->columns == b->columns;
}

bool canvas_equal(const struct canvas *a, const struct canvas *b)
{
    if (!same_size(a, b) || a->cursor_y != b->cursor_y ||
        (a->cursor_y >= 0 && a->cursor_x != b->cursor_x))
        return false;
    for (int y = 0; y < a->rows; y++)
        if (!row_equal(a, b, y))
            return false;
    return true;
}

void canvas_copy(struct canvas *to, const struct canvas *from)
{
    if (!same_size(to, from))
        canvas_resize(to, from->rows, from->columns);
    memcpy(to->cells, from->cells,
           (size_t)from->rows * (size_t)from->columns * sizeof *from->cells);
    to->cursor_y = from->cursor_y;
    to->cursor_x = from->cursor_x;
}

/* ---- as JSON ---- */

/* The text of cells from x on up to `end`, in UTF-8; `out` has room for all of a row. */
static size_t cells_text(char *out, const struct canvas *c, int y, int x, int end)
{
    size_t n = 0;
    for (; x < end; x++)
        for (int i = 0; i < at(c, y, x)->n; i++)
            n += text_encode(out + n, (uint32_t)at(c, y, x)->text[i]);
    out[n] = '\0';
    return n;
}

static bool is_blank(const struct canvas_cell *cell)
{
    return cell_equal(cell, &blank);
}

/* How cells look, as one number in a message. */
static int look_of(const struct canvas_cell *cell)
{
    return cell->style + (cell->turned ? STYLE_COUNT : 0);
}

enum { ROW_BYTES = CANVAS_COLUMNS_MOST * CANVAS_JOINED * 4 + 1 };

static json_t *row_encode(const struct canvas *c, int y)
{
    static char text[ROW_BYTES];
    json_t *row = json_array();
    json_array_append_new(row, json_integer(y));
    for (int x = 0, end; x < c->columns; x = end) {
        int look = look_of(at(c, y, x));
        bool skip = is_blank(at(c, y, x));
        for (end = x + 1;
             end < c->columns && look_of(at(c, y, end)) == look && is_blank(at(c, y, end)) == skip;
             end++)
            ;
        if (skip)
            continue;
        size_t n = cells_text(text, c, y, x, end);
        json_array_append_new(row, json_pack("[i,i,s#]", x, look, text, (int)n));
    }
    return row;
}

json_t *canvas_encode(const struct canvas *c, const struct canvas *before)
{
    json_t *lines = json_array(), *out;
    bool all = !before || !same_size(c, before);
    for (int y = 0; y < c->rows; y++)
        if (all || !row_equal(c, before, y))
            json_array_append_new(lines, row_encode(c, y));
    out = json_pack("{s:i,s:i,s:o}", "rows", c->rows, "columns", c->columns, "lines", lines);
    if (c->cursor_y >= 0)
        json_object_set_new(out, "cursor", json_pack("[i,i]", c->cursor_y, c->cursor_x));
    return out;
}

static int bad_picture(struct err *err, const char *what)
{
    return err_set(err, ERR_BAD_REQUEST,
                   "a picture that cannot be drawn came from the other side: %s", what);
}

static bool whole_within(const json_t *j, int low, int end)
{
    return json_is_integer(j) && json_integer_value(j) >= low && json_integer_value(j) < end;
}

static int run_decode(struct canvas *c, int y, const json_t *run, struct err *err)
{
    const json_t *x = json_array_get(run, 0), *look = json_array_get(run, 1),
                 *text = json_array_get(run, 2);
    if (json_array_size(run) != 3 || !whole_within(x, 0, c->columns) ||
        !whole_within(look, 0, 2 * STYLE_COUNT) || !json_is_string(text))
        return bad_picture(err, "a run is [column, look, text]");
    const char *s = json_string_value(text);
    size_t bytes = json_string_length(text);
    if (strlen(s) != bytes || bytes >= ROW_BYTES || text_first_bad(s, bytes) != bytes ||
        strpbrk(s, "\n\t"))
        return bad_picture(err, "text with control characters");
    wchar_t wide[ROW_BYTES / 4];
    int n = 0, style = (int)json_integer_value(look);
    while (*s && n < (int)(sizeof wide / sizeof wide[0]))
        wide[n++] = (wchar_t)text_next(&s);
    canvas_put(c, y, (int)json_integer_value(x), wide, n, (enum style)(style % STYLE_COUNT),
               style >= STYLE_COUNT);
    return 0;
}

static int row_decode(struct canvas *c, const json_t *row, struct err *err)
{
    const json_t *y = json_array_get(row, 0);
    if (!whole_within(y, 0, c->rows))
        return bad_picture(err, "a row outside it");
    for (int x = 0; x < c->columns; x++)
        *at(c, (int)json_integer_value(y), x) = blank;
    for (size_t i = 1; i < json_array_size(row); i++) {
        int rc = run_decode(c, (int)json_integer_value(y), json_array_get(row, i), err);
        if (rc)
            return rc;
    }
    return 0;
}

static int cursor_decode(struct canvas *c, const json_t *cursor, struct err *err)
{
    const json_t *y = json_array_get(cursor, 0), *x = json_array_get(cursor, 1);
    c->cursor_y = -1;
    if (!cursor)
        return 0;
    if (!whole_within(y, 0, c->rows) || !whole_within(x, 0, c->columns))
        return bad_picture(err, "a cursor outside it");
    canvas_cursor(c, (int)json_integer_value(y), (int)json_integer_value(x));
    return 0;
}

static int picture_decode(struct canvas *c, const json_t *picture, struct err *err)
{
    const json_t *rows = json_object_get(picture, "rows"),
                 *columns = json_object_get(picture, "columns");
    const json_t *lines = json_object_get(picture, "lines");
    if (!whole_within(rows, 1, CANVAS_ROWS_MOST + 1) ||
        !whole_within(columns, 1, CANVAS_COLUMNS_MOST + 1) || !json_is_array(lines))
        return bad_picture(err, "rows, columns and lines are needed");
    if (json_integer_value(rows) != c->rows || json_integer_value(columns) != c->columns)
        canvas_resize(c, (int)json_integer_value(rows), (int)json_integer_value(columns));
    size_t i;
    const json_t *line;
    json_array_foreach(lines, i, line) {
        int rc = row_decode(c, line, err);
        if (rc)
            return rc;
    }
    return cursor_decode(c, json_object_get(picture, "cursor"), err);
}

int canvas_decode(struct canvas *c, const json_t *picture, struct err *err)
{
    struct canvas *next = canvas_new(c->rows, c->columns);
    canvas_copy(next, c);
    int rc = picture_decode(next, picture, err);
    if (rc == 0)
        canvas_copy(c, next);
    canvas_free(next);
    return rc;
}

/* ---- shown ---- */

char *canvas_text(const struct canvas *c)
{
    char *out = mem_new((size_t)c->rows * ((size_t)c->columns * CANVAS_JOINED * 4 + 1) + 1, 1);
    size_t n = 0;
    for (int y = 0; y < c->rows; y++) {
        n += cells_text(out + n, c, y, 0, c->columns);
        while (n > 0 && out[n - 1] == ' ')
            n--;
        out[n++] = '\n';
    }
    out[n] = '\0';
    return out;
}

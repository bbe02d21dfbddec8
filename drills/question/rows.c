#include "drills/question/rows.h"

#include <csv.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

struct reading {
    struct rows *rows;
    struct row open;           /* the row that is being read */
    int line;                  /* of the text that is being fed */
    int code;
    struct err *err;
};

static int refuse(struct reading *r, int line, int code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static int refuse(struct reading *r, int line, int code, const char *fmt, ...)
{
    char what[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    if (!r->code)
        r->code = err_set(r->err, code, "%s:%d: %s", r->rows->file, line, what);
    return r->code;
}

static void row_free(struct row *r)
{
    for (int i = 0; i < r->n; i++)
        free(r->cell[i]);
    free(r->cell);
    *r = (struct row){0};
}

static void on_cell(void *cell, size_t len, void *ctx)
{
    struct reading *r = ctx;
    const char *text = cell ? cell : "";
    if (r->code)
        return;
    if (*text == '\'' && text_is_formula(text)) {
        text++;
        len--;
    }
    if (r->open.n == 0)
        r->open.line = r->line;
    if (r->open.n == ROWS_CELLS) {
        refuse(r, r->line, ERR_TOO_LARGE, "more than 64 cells in a row; fewer were expected");
        return;
    }
    if (len > ROWS_CELL_BYTES) {
        refuse(r, r->line, ERR_TOO_LARGE,
               "a cell of more than %d bytes; a shorter one was expected", ROWS_CELL_BYTES);
        return;
    }
    r->open.cell = mem_grow(r->open.cell, (size_t)r->open.n + 1, sizeof *r->open.cell);
    r->open.cell[r->open.n++] = text_ndup(text, len);
}

static bool is_void(const struct row *r)
{
    if (r->n > 0 && r->cell[0][0] == '#')
        return true;
    for (int i = 0; i < r->n; i++)
        if (r->cell[i][0])
            return false;
    return true;
}

static void on_row(int end, void *ctx)
{
    struct reading *r = ctx;
    struct rows *rows = r->rows;
    (void)end;
    if (r->code || is_void(&r->open)) {
        row_free(&r->open);
        return;
    }
    if (rows->head.n == 0) {
        rows->head = r->open;
    } else if (rows->n == ROWS_MAX) {
        refuse(r, r->open.line, ERR_TOO_LARGE, "more than %d rows; fewer were expected", ROWS_MAX);
        row_free(&r->open);
    } else {
        if ((rows->n & (rows->n - 1)) == 0)
            rows->row = mem_grow(rows->row, rows->n ? 2 * (size_t)rows->n : 1, sizeof *rows->row);
        rows->row[rows->n++] = r->open;
    }
    r->open = (struct row){0};
}

/* Fed line by line, so that every row knows the line it begins at. */
static void feed(struct reading *r, struct csv_parser *p, const char *text, size_t len)
{
    size_t at = 0;
    while (at < len && !r->code) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - (text + at)) + 1 : len - at;
        if (csv_parse(p, text + at, n, on_cell, on_row, r) != n)
            refuse(r, r->line, ERR_BAD_REQUEST,
                   "a stray quote; a cell that holds quotes was expected to stand in quotes, with "
                   "each of them doubled");
        r->line++;
        at += n;
    }
    if (!r->code && csv_fini(p, on_cell, on_row, r) != 0)
        refuse(r, r->open.n ? r->open.line : r->line - 1, ERR_BAD_REQUEST,
               "a quote that is never closed; its partner was expected before the end");
}

static int check_text(struct reading *r, const char *text, size_t len)
{
    int line = 1;
    for (size_t at = 0; at < len;) {
        const char *stop = memchr(text + at, '\r', len - at);
        size_t n = stop ? (size_t)(stop - (text + at)) : len - at,
               bad = text_first_bad(text + at, n);
        bool lone = at + n < len && bad == n &&
                    !(text[at + n] == '\r' && at + n + 1 < len && text[at + n + 1] == '\n');
        for (size_t i = at; i < at + (bad < n ? bad : n); i++)
            line += text[i] == '\n';
        if (bad < n || lone)
            return refuse(r, line, ERR_BAD_REQUEST,
                          "bytes that are not plain UTF-8 text (NUL, a control character, or "
                          "another encoding)");
        at += n + 1;
    }
    return 0;
}

static int check_head(struct reading *r)
{
    const struct row *h = &r->rows->head;
    if (h->n == 0)
        return refuse(r, 1, ERR_BAD_REQUEST, "no row at all; names of columns were expected first");
    for (int i = 0; i < h->n; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(h->cell[i], h->cell[k]))
                return rows_fail(r->rows, h, i, r->code = ERR_BAD_REQUEST, r->err,
                                 "stands here twice; each column once was expected");
    return 0;
}

int rows_read(struct rows **out, const char *file, const char *text, size_t len, struct err *err)
{
    struct rows *rows = mem_new(1, sizeof *rows);
    struct reading r = {.rows = rows, .line = 1, .err = err};
    struct csv_parser p;
    rows->file = text_dup(file);
    if (len >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) {
        text += 3;
        len -= 3;
    }
    if (len > ROWS_BYTES)
        refuse(&r, 1, ERR_TOO_LARGE, "more than %d MiB; a smaller file was expected",
               ROWS_BYTES >> 20);
    else if (!check_text(&r, text, len) &&
             csv_init(&p, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) == 0) {
        csv_set_blk_size(&p, 1 << 20); /* a cell without end is copied with each step that it grows */
        feed(&r, &p, text, len);
        csv_free(&p);
    }
    row_free(&r.open);
    if (!r.code)
        check_head(&r);
    if (r.code) {
        rows_free(rows);
        rows = NULL;
    }
    *out = rows;
    return r.code;
}

void rows_free(struct rows *r)
{
    if (!r)
        return;
    row_free(&r->head);
    for (int i = 0; i < r->n; i++)
        row_free(&r->row[i]);
    free(r->row);
    free(r->file);
    free(r);
}

int rows_column(const struct rows *r, const char *name)
{
    size_t n = strlen(name);
    for (int i = 0; i < r->head.n; i++)
        if (!strncmp(r->head.cell[i], name, n) &&
            (r->head.cell[i][n] == '\0' || !strncmp(r->head.cell[i] + n, " [", 2)))
            return i;
    return -1;
}

const char *row_cell(const struct row *r, int column)
{
    return column >= 0 && column < r->n ? r->cell[column] : "";
}

static int by_text(const void *a, const void *b)
{
    const struct rows_entry *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

void rows_index_make(struct rows_index *x, const struct rows *r, int column)
{
    *x = (struct rows_index){mem_new((size_t)r->n, sizeof *x->entry), r->n};
    for (int i = 0; i < r->n; i++)
        x->entry[i] = (struct rows_entry){row_cell(&r->row[i], column), i};
    qsort(x->entry, (size_t)x->n, sizeof *x->entry, by_text);
}

void rows_index_free(struct rows_index *x)
{
    free(x->entry);
    *x = (struct rows_index){NULL, 0};
}

int rows_find(const struct rows_index *x, const char *text, const bool *among)
{
    int low = 0, high = x->n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(x->entry[middle].text, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < x->n && !strcmp(x->entry[low].text, text); low++)
        if (!among || among[x->entry[low].row])
            return x->entry[low].row;
    return -1;
}

int rows_fail(const struct rows *r, const struct row *row, int column, int code, struct err *err,
              const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (column < 0 || column >= r->head.n)
        return err_set(err, code, "%s:%d: %s", r->file, row->line, text);
    return err_set(err, code, "%s:%d: %s: %s", r->file, row->line, r->head.cell[column], text);
}

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return end != text && !*end;
}

void rows_write_cell(FILE *f, const char *text)
{
    bool runs = text_is_formula(text) && !is_number(text);
    bool quoted = runs || strpbrk(text, ",\"\r\n\t") || *text == ' ' || *text == '#' ||
                  (*text && text[strlen(text) - 1] == ' ');
    if (quoted)
        fputc('"', f);
    if (runs)
        fputc('\'', f);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', f);
        fputc(*text, f);
    }
    if (quoted)
        fputc('"', f);
}

/* CSV (RFC 4180) as rows of cells, read with libcsv in strict mode. A byte order mark and CRLF are
 * taken; everything else that is odd is refused with file, line and reason: NUL, control
 * characters, bytes that are not UTF-8, stray or unclosed quotes, too much. */
#ifndef WD_DRILLS_ROWS_H
#define WD_DRILLS_ROWS_H

#include <stdbool.h>
#include <stdio.h>

#include "kernels/wire/err.h"

enum { ROWS_MAX = 20000, ROWS_CELLS = 64, ROWS_CELL_BYTES = 4096, ROWS_BYTES = 16 << 20 };

struct row { int line; char **cell; int n; };  /* line: where it begins, from 1 */
struct rows {
    char *file;                /* as messages name it */
    struct row head;           /* the first row: names of columns, each once */
    struct row *row;
    int n; /* those after it; empty rows and rows whose first cell begins with '#' are left out */
};

/* The text needs no NUL behind it. */
int rows_read(struct rows **out, const char *file, const char *text, size_t len, struct err *err);
void rows_free(struct rows *r);

/* Index of a column by name (a unit in brackets does not count), or -1. */
int rows_column(const struct rows *r, const char *name);
/* "" where the row is shorter. */
const char *row_cell(const struct row *r, int column);

/* Which row has a text in a column, without a look at each. */
struct rows_entry { const char *text; int row; };
/* In the order of the texts; borrows from the rows. */
struct rows_index { struct rows_entry *entry; int n; };
void rows_index_make(struct rows_index *x, const struct rows *r, int column);
void rows_index_free(struct rows_index *x);
/* The first row that has it, of those that `among` marks (NULL: of all); -1: none. */
int rows_find(const struct rows_index *x, const char *text, const bool *among);

/* "FILE:LINE: COLUMN: message"; column -1: none. Returns code. */
int rows_fail(const struct rows *r, const struct row *row, int column, int code, struct err *err,
              const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* One cell on its way out: quoted where needed; a text that a spreadsheet would run
 * (text_is_formula) gets a leading ', which reading takes off again. Numbers pass. */
void rows_write_cell(FILE *f, const char *text);

#endif

/* Files that people bring: CSV read as rows, rows as cards and as a number table, and written
 * again. What is written reads the same, and no cell of it is one that a spreadsheet would run. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/question/card.h"
#include "drills/question/rows.h"
#include "drills/question/table.h"
#include "kernels/wire/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_row(FILE *f, const struct row *row)
{
    for (int i = 0; i < row->n; i++) {
        if (i)
            fputc(',', f);
        rows_write_cell(f, row->cell[i]);
    }
    fputs("\r\n", f);
}

static void same_row(const struct row *a, const struct row *b)
{
    assert(a->n == b->n);
    for (int i = 0; i < a->n; i++)
        assert(!strcmp(a->cell[i], b->cell[i]));
}

/* A lone empty cell, and a first one that begins with #, are rows that reading leaves out. */
static bool comes_back(const struct row *r)
{
    return r->n > 1 ? *r->cell[0] != '#' : r->n == 1 && *r->cell[0] && *r->cell[0] != '#';
}

static void write_and_read(const struct rows *rows)
{
    char *text = NULL;
    size_t n = 0;
    struct rows *again = NULL;
    struct err err = {0};
    FILE *f = open_memstream(&text, &n);
    write_row(f, &rows->head);
    for (int i = 0; i < rows->n; i++)
        write_row(f, &rows->row[i]);
    fclose(f);
    bool all = true;
    for (int i = 0; i < rows->n; i++)
        all = all && comes_back(&rows->row[i]);
    int rc = all ? rows_read(&again, "again.csv", text, n, &err) : -1;
    if (all && rc == 0) {
        assert(again->n == rows->n);
        same_row(&again->head, &rows->head);
        for (int i = 0; i < rows->n; i++)
            same_row(&again->row[i], &rows->row[i]);
    }
    rows_free(again);
    free(text);
}

static void read_cards(const struct rows *rows)
{
    struct card_set set;
    struct err err = {0};
    if (card_set_make(&set, "fuzz", rows, &err)) {
        assert(err.code < 0 && *err.text);
        return;
    }
    card_set_free(&set);
}

/* Takes the rows. */
static void read_table(struct rows *rows)
{
    struct table t;
    struct err err = {0};
    if (table_make(&t, "fuzz", rows, &err))
        assert(err.code < 0 && *err.text);
    else
        table_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rows *rows = NULL;
    struct err err = {0};
    if (rows_read(&rows, "fuzz.csv", (const char *)data, size, &err)) {
        assert(!rows && err.code < 0 && *err.text);
        return 0;
    }
    write_and_read(rows);
    read_cards(rows);
    read_table(rows);
    return 0;
}

#include "drills/question/table.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* The unit in a column's head: "memory [B]" has B; NULL without. `unit` has room for 32 bytes. */
static const char *unit_of(const char *head, char *unit)
{
    const char *open = strchr(head, '['), *close = open ? strchr(open, ']') : NULL;
    if (!close || close - open > 31)
        return NULL;
    memcpy(unit, open + 1, (size_t)(close - open - 1));
    unit[close - open - 1] = '\0';
    return unit;
}

static int read_cell(const struct table *t, const struct row *row, int column, const char *unit,
                     struct quantity *out, struct err *err)
{
    char say[160];
    if (quantity_read(row_cell(row, column), unit, out, say, sizeof say) == QUANTITY_OK)
        return 0;
    return rows_fail(t->rows, row, column, ERR_BAD_REQUEST, err,
                     "%.120s; a number in %s was expected", say, unit);
}

static int check_cells(const struct table *t, int column, struct err *err)
{
    char unit[32];
    struct quantity q;
    struct dim dim;
    double factor;
    if (!unit_of(t->rows->head.cell[column], unit))
        return 0;
    if (!unit_parse(unit, strlen(unit), &dim, &factor))
        return rows_fail(t->rows, &t->rows->head, column, ERR_BAD_REQUEST, err,
                         "unknown unit; one such as B, B/s, flop/s or s was expected");
    for (int i = 0; i < t->rows->n; i++)
        if (*row_cell(&t->rows->row[i], column) &&
            read_cell(t, &t->rows->row[i], column, unit, &q, err))
            return ERR_BAD_REQUEST;
    return 0;
}

static int check_ids(const struct table *t, struct err *err)
{
    struct rows_index ids;
    int rc = 0;
    rows_index_make(&ids, t->rows, 0);
    for (int i = 0; !rc && i < t->rows->n; i++) {
        const char *id = row_cell(&t->rows->row[i], 0);
        if (rows_find(&ids, id, NULL) != i)
            rc = rows_fail(t->rows, &t->rows->row[i], 0, ERR_BAD_REQUEST, err,
                           "'%.60s' stands here twice; each id once was expected", id);
    }
    rows_index_free(&ids);
    return rc;
}

int table_make(struct table *out, const char *id, struct rows *rows, struct err *err)
{
    int rc = 0;
    *out = (struct table){text_dup(id), rows};
    if (rows->head.n < 2 || strcmp(rows->head.cell[0], "id") || strcmp(rows->head.cell[1], "name"))
        rc = rows_fail(rows, &rows->head, -1, ERR_BAD_REQUEST, err,
                       "the columns do not begin with id and name; both were expected first");
    if (!rc)
        rc = check_ids(out, err);
    for (int c = 0; !rc && c < rows->head.n; c++)
        rc = check_cells(out, c, err);
    if (rc)
        table_free(out);
    return rc;
}

void table_free(struct table *t)
{
    free(t->id);
    rows_free(t->rows);
    *t = (struct table){0};
}

int table_row(const struct table *t, const char *id)
{
    for (int i = 0; i < t->rows->n; i++)
        if (!strcmp(row_cell(&t->rows->row[i], 0), id))
            return i;
    return -1;
}

const char *table_name(const struct table *t, int row)
{
    return row_cell(&t->rows->row[row], 1);
}

int table_value(const struct table *t, int row, const char *column, struct quantity *out,
                struct err *err)
{
    char unit[32] = "1";
    int at = rows_column(t->rows, column);
    if (at < 0)
        return err_set(err, ERR_BAD_REQUEST, "the table %s has no column '%s'", t->id, column);
    unit_of(t->rows->head.cell[at], unit);
    if (!*row_cell(&t->rows->row[row], at) || read_cell(t, &t->rows->row[row], at, unit, out, NULL))
        return err_set(err, ERR_MISSING, "%s of %s is not known", column, table_name(t, row));
    return 0;
}

/* A number table: rows of quantities by id, from a CSV file. Columns are `name` or `name [unit]`;
 * cells are numbers of that unit, or quantities with their own ("3.35 TB/s"), or text. The first
 * column is `id`, the second `name`. */
#ifndef WD_DRILLS_TABLE_H
#define WD_DRILLS_TABLE_H

#include "drills/question/rows.h"
#include "scenarios/formula/quantity.h"

struct table { char *id; struct rows *rows; };

/* Takes the rows over, also on failure. Every cell of a column with a unit must be empty or
 * readable. */
int table_make(struct table *out, const char *id, struct rows *rows, struct err *err);
void table_free(struct table *t);

/* Index of a row by its id, or -1. */
int table_row(const struct table *t, const char *id);
const char *table_name(const struct table *t, int row);
/* ERR_BAD_REQUEST: no such column; ERR_MISSING: the cell is empty or text. */
int table_value(const struct table *t, int row, const char *column, struct quantity *out,
                struct err *err);

#endif

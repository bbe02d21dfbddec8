/* Exhibits: the evidence of a case, from files that a person or a simulator wrote, in the shape in which measurements come.
 *
 * A part of an exhibit has its figures as series (a table of rows, or of rows x columns, row by row), the names of its rows as lines, and what a column
 * is numbered as the series EXHIBIT_COLUMNS; a text has its lines alone. Notes: where it comes from, then what its author remarks.
 * Its probe is PROBE_BUILD, as the source's is: no runner answers it. */
#ifndef WD_SCENARIOS_EXHIBITS_H
#define WD_SCENARIOS_EXHIBITS_H

#include "scenarios/evidence.h"

#define EXHIBIT_COLUMNS "#columns"

/* All exhibits of a variant of a case as one recording, of the story's system and of the tier that their files name (one for all).
 * Errors stand at the file and name the key. */
int exhibits_recording(struct recording **out, const struct variant *v, struct err *err);
/* 0 when every exhibit is there and as it was announced. */
int exhibits_check(const struct variant *v, struct err *err);

/* One exhibit by its id, "symptom" (no part: the story says it), or all of them as "all" or "debrief". */
int exhibits_recall(struct evidence **out, const struct variant *v, const struct recording *r, const char *probe, struct err *err);

/* FIGURE.min .max .median .mean .first .last over the rows, a row of several columns counting with its mean, in SI units; .at_min .at_max are
 * the number of that row, from 0. From what was bought, else from `all`. ERR_MISSING where the exhibit is not there. */
int exhibits_lookup(const struct scope *s, const char *name, struct quantity *out, struct err *err);
bool exhibits_know(const struct story *s, const char *name);
/* Of a name that they know: the exhibit, and the dimension. */
const struct experiment *exhibits_of(const struct story *s, const char *name);
struct dim exhibits_dim(const struct story *s, const char *name);

/* ---- as a table, for screens; borrows from the part ---- */
struct exhibit_table {
    const struct exhibit *form;
    int n_rows, n_columns;      /* columns: of one figure; 1 without `column` */
    char *const *row;           /* names of rows */
    const double *column;       /* numbers of columns, or NULL */
};
/* False for a text, and for a part that is no exhibit of this experiment. */
bool exhibit_table(struct exhibit_table *out, const struct experiment *x, const struct msg_part *p);
/* In the figure's own unit. */
double exhibit_cell(const struct exhibit_table *t, const struct msg_part *p, int figure, int row, int column);
double exhibit_row(const struct exhibit_table *t, const struct msg_part *p, int figure, int row);   /* the mean over its columns */

#endif

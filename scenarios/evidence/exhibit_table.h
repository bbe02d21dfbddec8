/* What was looked at of a case: an exhibit as evidence, as a table for screens, and as values in
 * formulas. */
#ifndef WD_SCENARIOS_EXHIBIT_TABLE_H
#define WD_SCENARIOS_EXHIBIT_TABLE_H

#include "scenarios/evidence/evidence.h"
#include "scenarios/pack/exhibits.h"

/* One exhibit by its id, "symptom" (no part: the story says it), or all of them as "all" or
 * "debrief". */
int exhibits_recall(struct evidence **out, const struct variant *v, const struct recording *r,
                    const char *probe, struct err *err);

/* FIGURE.min .max .median .mean .first .last over the rows, a row of several columns counting with
 * its mean, in SI units; .at_min .at_max are the number of that row, from 0. From what was bought,
 * else from `all`. ERR_MISSING where the exhibit is not there. */
int exhibits_lookup(const struct scope *s, const char *name, struct quantity *out, struct err *err);

/* ---- as a table, for screens; borrows from the part ---- */
struct exhibit_table {
    const struct exhibit *form;
    int n_rows, n_columns;      /* columns: of one figure; 1 without `column` */
    char *const *row;           /* names of rows */
    const double *column;       /* numbers of columns, or NULL */
};
/* False for a text, and for a part that is no exhibit of this experiment. */
bool exhibit_table(struct exhibit_table *out, const struct experiment *x, const struct msg_part *p);
/* ---- as a timeline ---- */
struct exhibit_timeline {
    const struct exhibit *form;
    char *const *row; int n_rows;
    char *const *label; int n_labels;
    const double *in_row, *in_label, *begin, *end; /* of each block, in the unit of the axis */
    int n;
    double length;              /* the end of the last one */
};
/* False for everything else, and for a part whose blocks are not whole. */
bool exhibit_timeline(struct exhibit_timeline *out, const struct experiment *x,
                      const struct msg_part *p);

/* In the figure's own unit. */
double exhibit_cell(const struct exhibit_table *t, const struct msg_part *p, int figure, int row,
                    int column);
double exhibit_row(const struct exhibit_table *t, const struct msg_part *p, int figure,
                   int row); /* the mean over its columns */

#endif

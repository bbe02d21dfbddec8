/* What two PTX texts do otherwise: how often each instruction stands in them. No loop is counted,
 * and the assembler may still merge, unroll and move. Pure. */
#ifndef WD_SCENARIOS_MEND_PTX_H
#define WD_SCENARIOS_MEND_PTX_H

#include <stddef.h>

enum { MEND_PTX_NAME = 40, MEND_PTX_ROWS = 160, MEND_PTX_SIDES = 2 };

struct mend_ptx_row { char name[MEND_PTX_NAME]; int n[MEND_PTX_SIDES]; };
struct mend_ptx {
    struct mend_ptx_row row[MEND_PTX_ROWS]; int n_rows;
    int all[MEND_PTX_SIDES];
};

/* Counts a text as side 0 or 1 into *out, which is zeroed before the first. Instructions beyond
 * MEND_PTX_ROWS kinds are in `all` alone. */
void mend_ptx_count(struct mend_ptx *out, int side, const char *ptx);
/* Orders the rows: what moves data or computes in floats first, of these those in which the sides
 * differ most; equal ones last. Returns how many differ. */
int mend_ptx_order(struct mend_ptx *p);

#endif

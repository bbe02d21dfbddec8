/* What two listings do otherwise, of PTX or of machine code: how often each instruction stands in
 * them. No turn of a loop is counted; what stands in PTX the assembler may still merge, unroll and
 * move. Pure. */
#ifndef WD_SCENARIOS_MEND_COUNTS_H
#define WD_SCENARIOS_MEND_COUNTS_H

#include <stddef.h>

enum { MEND_COUNTS_NAME = 40, MEND_COUNTS_ROWS = 160, MEND_COUNTS_SIDES = 2 };

struct mend_count { char name[MEND_COUNTS_NAME]; int n[MEND_COUNTS_SIDES]; };
struct mend_counts {
    struct mend_count row[MEND_COUNTS_ROWS]; int n_rows;
    int all[MEND_COUNTS_SIDES];
};

/* Counts PTX as side 0 or 1 into *out, which is zeroed before the first. Instructions beyond
 * MEND_COUNTS_ROWS kinds are in `all` alone. */
void mend_count_ptx(struct mend_counts *out, int side, const char *ptx);
/* The same of what nvdisasm prints. */
void mend_count_sass(struct mend_counts *out, int side, const char *listing);
/* Orders the rows: what moves data or computes in floats first, of these those in which the sides
 * differ most; equal ones last. Returns how many differ. */
int mend_counts_order(struct mend_counts *p);

#endif

/* Types of the elements of a buffer, and what fills them. */
#ifndef WD_WIRE_ELEMENT_H
#define WD_WIRE_ELEMENT_H

#include <stdbool.h>

/* Reals first. Both kinds of FP8 are those of the OCP: E4M3 has no infinity and one NaN. */
enum elem_type {
    T_F64,
    T_F32,
    T_F16,
    T_BF16,
    T_E4M3,
    T_E5M2,
    T_I64,
    T_I32,
    T_U32,
    T_I8,
    T_U8,
    T_COUNT
};
const char *elem_name(enum elem_type t); /* "f32" */
int elem_size(enum elem_type t);         /* bytes */
bool elem_is_real(enum elem_type t);

enum fill_kind {
    FILL_ZEROS,
    FILL_CONSTANT,
    FILL_RAMP,
    FILL_UNIFORM,
    FILL_NORMAL,
    FILL_PERMUTATION,
    FILL_HOT,
    FILL_ZIPF,
    FILL_COUNT
};
/* constant a; ramp a + b*i; uniform [a,b); normal mean a, sd b; permutation of 0 to count-1; hot:
 * whole numbers below a, 0 with probability b, else any other; zipf: whole numbers below a, k with
 * a weight of about (k + 1.5)^-b */
struct msg_fill { enum fill_kind kind; double a, b; };
const char *fill_fault(
    const struct msg_fill *f); /* why a and b cannot be, "low is above high"; NULL: they can */
/* Can the type hold what fills so many elements? Else *value is one that it cannot. Of normal: what
 * lies a deviation off. */
bool fill_fits(const struct msg_fill *f, int type /* enum elem_type */, double count,
               double *value);

#endif

/* How far an answer may be off: "3%", "exact", "+-1", "x1.25", "1 points". Pure. */
#ifndef WD_DRILLS_TOLERANCE_H
#define WD_DRILLS_TOLERANCE_H

#include <stdbool.h>
#include <stddef.h>

enum tolerance_kind {
    TOLERANCE_EXACT,
    TOLERANCE_RELATIVE,
    TOLERANCE_ABSOLUTE,
    TOLERANCE_FACTOR,
    TOLERANCE_POINTS
};
struct tolerance { enum tolerance_kind kind; double within; };  /* 0.03; 1; 1.25; 0.01 of a share */

/* false when the text is none. */
bool tolerance_read(const char *text, struct tolerance *out);
bool tolerance_holds(struct tolerance t, double value, double right);
/* The factor by which a value may be off, for the nearest of several; 1.001 where the tolerance is
 * no ratio. */
double tolerance_factor(struct tolerance t);
/* How far `value` is from `right`, both above zero: "off by 1.4 x"; "off by 0.019 %" where three
 * digits of the factor would show 1; "far off" from a factor of a thousand on, whose size says
 * nothing. */
void tolerance_off_by(char *out, size_t size, double value, double right);

#endif

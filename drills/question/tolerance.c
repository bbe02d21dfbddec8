#include "drills/question/tolerance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING (1 + 1e-9)
#define FAR_OFF 1000 /* a factor from which on its size says nothing */
#define AS_ONE 1.005 /* below it three digits of a factor are 1.00 */

bool tolerance_read(const char *text, struct tolerance *out)
{
    bool factor = *text == 'x', absolute = !strncmp(text, "+-", 2);
    char *end;
    double value = strtod(text + (factor ? 1 : absolute ? 2 : 0), &end);
    if (!strcmp(text, "exact"))
        *out = (struct tolerance){TOLERANCE_EXACT, 0};
    else if (factor && !*end && value > 1 && value <= 10)
        *out = (struct tolerance){TOLERANCE_FACTOR, value};
    else if (absolute && !*end && value > 0 && isfinite(value))
        *out = (struct tolerance){TOLERANCE_ABSOLUTE, value};
    else if (!factor && !absolute && (!strcmp(end, "%") || !strcmp(end, " %")) && value > 0 &&
             value <= 100)
        *out = (struct tolerance){TOLERANCE_RELATIVE, value / 100};
    else if (!factor && !absolute && !strcmp(end, " points") && value > 0 && value <= 20)
        *out = (struct tolerance){TOLERANCE_POINTS, value / 100};
    else
        return false;
    return true;
}

bool tolerance_holds(struct tolerance t, double value, double right)
{
    double off = fabs(value - right);
    switch (t.kind) {
    case TOLERANCE_RELATIVE: return off <= t.within * fabs(right) * ROUNDING;
    case TOLERANCE_ABSOLUTE: case TOLERANCE_POINTS: return off <= t.within * ROUNDING;
    case TOLERANCE_FACTOR:
        return value * right > 0 && fmax(value / right, right / value) <= t.within * ROUNDING;
    default: return off <= 1e-9 * fabs(right);
    }
}

double tolerance_factor(struct tolerance t)
{
    return t.kind == TOLERANCE_RELATIVE ? 1 + t.within
           : t.kind == TOLERANCE_FACTOR ? t.within
                                        : 1.001;
}

void tolerance_off_by(char *out, size_t size, double value, double right)
{
    double factor = fmax(value / right, right / value);
    if (factor >= FAR_OFF)
        snprintf(out, size, "far off");
    else if (factor < AS_ONE)
        snprintf(out, size, "off by %.2g %%", fabs(value / right - 1) * 100);
    else
        snprintf(out, size, "off by %.3g x", factor);
}

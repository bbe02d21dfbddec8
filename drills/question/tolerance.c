#include "drills/question/tolerance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING (1 + 1e-9)

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

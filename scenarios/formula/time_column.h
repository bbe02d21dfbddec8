/* Times below one another, in one unit and with as many decimals each, so that the eye compares
 * them. */
#ifndef WD_SCENARIOS_TIME_COLUMN_H
#define WD_SCENARIOS_TIME_COLUMN_H

#include <stddef.h>

struct time_column {
    double least, most; /* of those that stand in it, s; {0} is a column of none */
};

/* Every time is added before the first is shown; 0 and less leave the column as it is. */
void time_column_add(struct time_column *c, double seconds);

/* "475.00 µs" below "1.25 µs". The unit is that of the longest; the decimals give the shortest
 * three digits, or two where three would take more than three decimals; four at most, and nothing
 * finer than a nanosecond. */
void time_column_show(char *out, size_t size, const struct time_column *c, double seconds);

#endif

#include "scenarios/formula/time_column.h"

#include <stdio.h>

static const struct unit {
    const char *name;
    double seconds;
    int finest; /* decimals down to a nanosecond */
} units[] = {{"s", 1, 9}, {"ms", 1e-3, 6}, {"µs", 1e-6, 3}, {"ns", 1e-9, 0}};
enum { UNITS = sizeof units / sizeof *units, DECIMALS_MOST = 4, DECIMALS_USUAL = 3 };

void time_column_add(struct time_column *c, double seconds)
{
    if (!(seconds > 0))
        return;
    if (seconds > c->most)
        c->most = seconds;
    if (c->least <= 0 || seconds < c->least)
        c->least = seconds;
}

static const struct unit *unit_of(const struct time_column *c)
{
    int i = 0;
    while (i + 1 < UNITS && c->most < units[i].seconds)
        i++;
    return &units[i];
}

/* That give `value` so many digits. */
static int decimals_for(double value, int digits)
{
    int decimals = 0;
    for (double first = 1; digits > 1; digits--, first *= 10)
        decimals += value < first * 10;
    while (value > 0 && value < 1 && decimals < 12) {
        value *= 10;
        decimals++;
    }
    return decimals;
}

static int least_of(int a, int b) { return a < b ? a : b; }

static int decimals_of(const struct time_column *c, const struct unit *u)
{
    double least = c->least / u->seconds;
    int three = decimals_for(least, 3), two = decimals_for(least, 2);
    int decimals = three <= DECIMALS_USUAL ? three : two > DECIMALS_USUAL ? two : DECIMALS_USUAL;
    return least_of(decimals, least_of(u->finest, DECIMALS_MOST));
}

void time_column_show(char *out, size_t size, const struct time_column *c, double seconds)
{
    const struct unit *u = unit_of(c);
    snprintf(out, size, "%.*f %s", decimals_of(c, u), seconds / u->seconds, u->name);
}

/* Pieces shared by the charts: axis numbers and scales. The charts themselves are declared in
 * draw.h. */
#ifndef WD_TUI_CHARTS_H
#define WD_TUI_CHARTS_H

#include <stddef.h>

/* "0", "250", "4.8 T", "12 m": at most three digits with an SI prefix, for axes. */
void chart_number(char *out, size_t size, double value);

/* The smallest of 1, 2, 5 times a power of ten that is not below `value` (> 0). */
double chart_round_up(double value);

#endif

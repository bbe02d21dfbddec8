/* Pieces shared by the charts: axis numbers and scales. The charts themselves are declared in
 * draw.h. */
#ifndef WD_TUI_CHARTS_H
#define WD_TUI_CHARTS_H

#include <stddef.h>

/* The smallest of 1, 2, 5 times a power of ten that is not below `value` (> 0). */
double chart_round_up(double value);

/* A line with ticks and below it their numbers, from one time (s) to a later one; the unit is the
 * axis' own: "200" under "us" reads better than "0.2 m". */
enum { TIME_AXIS_ROWS = 2 };
void draw_time_axis(int y, int x, int w, double from, double to);

#endif

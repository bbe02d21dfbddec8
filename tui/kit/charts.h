/* Charts on the screen, each in the rectangle that it is given, and the pieces that they share:
 * axes and scales. */
#ifndef WD_TUI_CHARTS_H
#define WD_TUI_CHARTS_H

#include "tui/kit/draw.h"

/* Roofline: log-log; memory roof `bandwidth` B/s and compute roof `flops` flop/s, a point per entry
 * (intensity flop/B, rate flop/s or, when flops of work are 0, plotted as bandwidth against the
 * copy ceiling: one horizontal scale of GB/s). */
struct roof_point { double intensity, rate; const char *label; enum style style; };
void draw_roofline(struct rect r, double bandwidth, double flops, const struct roof_point *p,
                   int n);
/* Lines over an axis: up to 4 series of n points each with labels; y from 0. */
struct line_series { const double *y; const char *label; enum style style; };
void draw_lines(struct rect r, const double *x, int n, const struct line_series *s, int n_series,
                const char *x_label, const char *y_label);
/* The same over n named steps, with each curve's name at its end where there is room. Names that do
 * not fit under their step are cut; y goes from 0 to 100. */
void draw_lines_over_steps(struct rect r, const char *const *steps, int n,
                           const struct line_series *s, int n_series, const char *y_label);
/* The same over seconds from a common start: the axis has round times, "12:00". */
void draw_lines_over_time(struct rect r, const double *seconds, int n, const struct line_series *s,
                          int n_series, const char *y_label);
/* Bars on one axis of `length` seconds, a row each in the order given, with what each took and its
 * rate ("" if unknown); lanes are told apart by a digit and a colour. Scrolls so that `selected` is
 * seen; the axis stands below. Nothing in a rectangle too small for it. */
enum { GANTT_HOST = -1 }; /* the lane of what no stream does; it is drawn as "h" */
struct gantt_row { const char *label; char took[24], rate[24]; double start, end; int lane; };
void draw_gantt(struct rect r, const struct gantt_row *row, int n, double length, int selected);

/* Blocks in rows over one time axis, as a profiler shows ranks or streams. A block begins with the
 * letter of its kind, A for 0, and has the kind's words where they fit; `#` stands where more than
 * one share a column. Below: the axis, and what the letters mean. */
struct gantt_block { int row, kind; double begin, end; /* s; of a row one at a time */ };
struct gantt_blocks {
    const char *head;                           /* what a row is */
    char *const *row; int n_rows;
    char *const *kind; int n_kinds;             /* at most 26 */
    const struct gantt_block *block; int n;
};
/* Rows of r that are no rows of blocks, at that width; columns of the axis. */
int gantt_blocks_frame(const struct gantt_blocks *b, int w);
int gantt_blocks_bar(const struct gantt_blocks *b, int w);
/* Rows from `first` on, from one time (s) to a later one. */
void draw_gantt_blocks(struct rect r, const struct gantt_blocks *b, int first, double from,
                       double to);
/* An interval chart: mean dot between low and high on 0..100. */
void draw_range(int y, int x, int w, double low, double mean, double high);
/* What was said (0..100, x) against how often it was right (0..100, y), with the diagonal where
 * both agree; where `ranged`, the interval of right as a whisker. */
struct calibration_point { double said, right; bool ranged; double low, high; };
void draw_calibration(struct rect r, const struct calibration_point *p, int n);
/* Counts per day as shades: a column a week, a row a weekday from Monday, months named above and
 * the shades explained below; 9 rows and at least 53 + 5 columns, else the oldest weeks are left
 * out. first_day: days since 1970 of the first Monday; a count below 0: not yet. */
void draw_heat(struct rect r, const int (*count)[7], int weeks, int first_day, const char *what);

/* ---- shared by the charts ---- */

/* The smallest of 1, 2, 5 times a power of ten that is not below `value` (> 0). */
double chart_round_up(double value);

/* A line with ticks and below it their numbers, from one time (s) to a later one; the unit is the
 * axis' own: "200" under "us" reads better than "0.2 m". */
enum { TIME_AXIS_ROWS = 2 };
void draw_time_axis(int y, int x, int w, double from, double to);

#endif

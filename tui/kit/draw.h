/* Text, rules and charts on the screen, clipped to rectangles, with ASCII stand-ins where there is
 * no UTF-8. All text from outside is cleaned here once more; widths are columns as wcwidth counts
 * them.
 *
 * In: rectangles, texts, numbers. Out: cells of the terminal or of a canvas. Callers: every
 * screen. First to open: draw.c; layout.c is how rectangles shrink, theme.c what colours mean,
 * keys.c which key means what, canvas.c a picture without a terminal, editor.c and textfield.c
 * what is typed. Nothing here knows what a scenario is. */
#ifndef WD_TUI_DRAW_H
#define WD_TUI_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#include "tui/kit/theme.h"

struct rect { int y, x, h, w; };

struct canvas;
/* Where everything is drawn from here on: a canvas (canvas.h), or the terminal (NULL). The caller
 * keeps it. Returns where it was drawn before. */
struct canvas *draw_onto(struct canvas *c);
/* Draws a picture at the top left of a rectangle, cut to it; its cursor too. */
void draw_canvas(struct rect r, const struct canvas *c);
int draw_rows(void);                                                      /* of the target */
int draw_width(void);

/* From here on text that fits the pattern is drawn with its colours turned round, within `where`;
 * NULL: nothing is. The caller keeps the pattern. */
struct pattern;
void draw_marked(const struct pattern *p, struct rect where);

void draw_clear(void);
int draw_columns(const char *text);                                       /* width in columns */
/* Writes at most `w` columns; returns columns written. A text too long ends in "…" (or "."). */
int draw_text(int y, int x, int w, enum style s, const char *text);
int draw_textf(int y, int x, int w, enum style s, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
int draw_right(int y, int x_end, int w, enum style s,
               const char *text); /* right-aligned, ends before x_end */
/* n characters that take their columns as they are, cut at the target's edge; `turned`: with its
 * colours turned round. Not for text from outside. */
void draw_cells(int y, int x, enum style s, bool turned, const wchar_t *text, int n);
/* Bytes of the first line of clean text, of at most `w` columns: broken at a newline, else at the
 * last blank, else where it is full. */
size_t draw_line_bytes(const char *text, int w);
/* Wraps at words into rect; `skip` lines are left out at the top; returns the number of lines the
 * text needs. */
int draw_wrapped(struct rect r, int skip, enum style s, const char *text);
/* The same from the first line on, but what does not fit ends at a word, and `more` stands behind
 * it. */
void draw_opening(struct rect r, enum style s, const char *text, const char *more);
/* "─ TITLE ───────── right ─" over w columns; title and right may be NULL. */
void draw_rule(int y, int x, int w, const char *title, const char *right);
void draw_vline(int y, int x, int h);
void draw_join(int y, int x, int down); /* ┬ (down 1) or ┴ (0) on a rule */
/* Bar of `w` cells for 0..1 in eighths of a cell, the rest as track when `track`; never drawn for a
 * missing value. */
void draw_bar(int y, int x, int w, double share, bool track, enum style s);

/* A bar from one share of `w` cells to another, both in eighths of a cell; never nothing when it
 * lies inside. */
void draw_span(int y, int x, int w, double from, double to, enum style s);

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

const char *glyph(const char *utf8, const char *ascii);                   /* picks by terminal */

/* The hardware cursor is shown here after this frame (a text field); without a call it is hidden.
 */
void draw_cursor(int y, int x);
/* Where the last draw_cursor put it; false: nowhere since draw_clear. */
bool draw_cursor_wanted(int *y, int *x);

/* After initscr: asks the locale whether the terminal speaks UTF-8. */
void draw_start(void);
bool draw_utf8(void);
/* Whatever the locale says: ASCII alone from here on. */
void draw_ascii(void);

#endif

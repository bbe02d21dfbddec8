/* Text and rules on the screen, clipped to rectangles, with ASCII stand-ins where there is
 * no UTF-8. All text from outside is cleaned here once more; widths are columns as wcwidth counts
 * them.
 *
 * In: rectangles, texts, numbers. Out: cells of the terminal or of a canvas. Callers: every
 * screen. First to open: draw.c; layout.c is how rectangles shrink, theme.c what colours mean,
 * charts.h has the charts, keys.c which key means what, canvas.c a picture without a terminal,
 * editor.c and textfield.c what is typed. Nothing here knows what a scenario is. */
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

/* How screens shrink: pure functions from size to rectangles. */
#ifndef WD_TUI_LAYOUT_H
#define WD_TUI_LAYOUT_H

#include <stdbool.h>

#include "tui/kit/draw.h"

enum layout_size {
    SIZE_NONE /* below 60 x 20 */,
    SIZE_SMALL /* 60 x 20 */,
    SIZE_MIDDLE /* 80 x 24 */,
    SIZE_FULL /* 100 x 30 */
};
enum { LAYOUT_ROWS = 20, LAYOUT_COLUMNS = 60 };
enum layout_size layout_size(int rows, int columns);

/* Title row, body, the rule above the keys, the keys. */
struct frame { int title, rule, keys; struct rect body; };
void layout_frame(struct frame *out, int rows, int columns);

/* The whole screen when it is too small for anything else. */
void draw_too_small(int rows, int columns);

/* ---- home ---- */
struct layout_home {
    int next_rule, next;          /* rule, first entry */
    int today;                    /* row of the day's progress */
    int stand_rule, stand, stand_rows, stand_w;
    int divide;                   /* column between it and the chart; -1: no chart */
    int lately_rule, lately, lately_rows;
    int estimates;                /* row; 0: no room */
    int title_x, note_x;          /* columns of an entry's title and note */
    int bar_x, bar_w, n_end, range_end;
    int score_end, min_end, truth_end; /* right ends in LATELY; truth_end 0: no such column */
};
/* `entries` in NEXT, `groups` in WHERE YOU STAND (0: LATELY alone); what does not fit is given
 * fewer rows, LATELY first. */
void layout_home(struct layout_home *out, int rows, int columns, int entries, int groups);

#endif

/* A timeline among the exhibits: in a pane, zoomed and moved by keys, and on paper. */
#ifndef WD_TUI_EXHIBIT_TIMELINE_H
#define WD_TUI_EXHIBIT_TIMELINE_H

#include "scenarios/evidence/exhibit_table.h"
#include "tui/kit/draw.h"

/* Each step shows half as much; at the last one a column is a 256th of what it is at the first. */
enum { TIMELINE_ZOOMS = 9 };

/* Rows of a pane w wide that do not scroll. */
int timeline_frame(const struct exhibit_timeline *t, int w);
/* Columns of the axis, and how many more the whole has at this zoom (0 to TIMELINE_ZOOMS - 1). */
int timeline_bar(const struct exhibit_timeline *t, int w);
int timeline_hidden(const struct exhibit_timeline *t, int w, int zoom);
/* From row `scroll` and column `shift` on. */
void timeline_draw(struct rect r, const struct exhibit_timeline *t, int scroll, int shift,
                   int zoom);
/* The labels in a row, once each, behind its name, for a search. */
void timeline_row(char *out, size_t size, const struct exhibit_timeline *t, int row);
/* The shift (of at most what is hidden) at which the block is seen whose label stands in column
 * `column` of that line; where nothing has to move, the one that is. */
int timeline_shift_to(const struct exhibit_timeline *t, int w, int zoom, int shift, int row,
                      int column);
/* To stdout: a line for each block. */
void timeline_print(const struct exhibit_timeline *t);

#endif

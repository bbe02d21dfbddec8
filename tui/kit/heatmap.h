/* A heat map of one figure over rows and columns (ranks and steps): a shade for each cell, on a
 * scale from zero to a round number, so that what is equal looks equal. Readable without colour:
 * shades are glyphs, means stand at the right, wide cells have their number. */
#ifndef WD_TUI_HEATMAP_H
#define WD_TUI_HEATMAP_H

#include "scenarios/evidence/exhibit_table.h"
#include "tui/kit/draw.h"

enum { HEAT_LEVELS = 5 };
const char *heat_shade(int level);                    /* one column, level 0 .. HEAT_LEVELS - 1 */
double heat_full(const struct exhibit_table *t,
                 const struct msg_part *p); /* the end of the scale, in the figure's unit; 0 when
                                               nothing is above zero */
int heat_level(double value, double full);
/* "ms, up to · 20 ░ 40 ..." */
void heat_legend(char *out, size_t size, double full, const char *unit);

/* Columns above, rows from `scroll` on, the legend below; HEAT_FRAME rows of r are not rows of the
 * map. */
enum { HEAT_FRAME = 2 };
void heat_draw(struct rect r, const struct exhibit_table *t, const struct msg_part *p, int scroll);

#endif

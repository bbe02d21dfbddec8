/* The table at the end of a sitting: what was answered, how far off, how long, when it comes back.
 * */
#ifndef WD_TUI_SITTING_DRAW_H
#define WD_TUI_SITTING_DRAW_H

#include "drills/progress/sitting.h"
#include "tui/kit/draw.h"

/* The columns' heads, on the rule above the table. */
void sitting_draw_head(const struct sitting *s, int y, struct rect r);
/* Rows from `top` on; returns how many there are in all. */
int sitting_draw(const struct sitting *s, struct rect r, int top);

#endif

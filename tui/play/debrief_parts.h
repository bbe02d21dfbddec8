/* Parts of the debrief's pages, for debrief_draw.c: the runs side by side (debrief_sides.c), the
 * prose with what changed (debrief_why.c). */
#ifndef WD_TUI_DEBRIEF_PARTS_H
#define WD_TUI_DEBRIEF_PARTS_H

#include "tui/play/debrief_screen.h"

/* Suspect, fix, best and a plain copy, a row each; of a case the figures that its story began
 * with. */
const char *debrief_side_title(const struct debrief_screen *s);
/* What is running, or where it ran; NULL: neither. */
const char *debrief_side_tag(const struct debrief_screen *s, char *out, size_t size);
int debrief_side_height(const struct debrief_screen *s);
void debrief_side_draw(const struct debrief_screen *s, struct rect r);

/* Two titles in one rule. */
struct heading { const char *title; bool more; const char *where; /* the rest of it */ };
void debrief_two_rules(int y, int columns, int divide, struct heading left, struct heading right);

/* Prose and change in h rows below a rule of their own, with what is cut named there; the page of
 * both, which scrolls; and what of that page does not fit. */
void debrief_why_draw(const struct debrief_screen *s, int top, int h, int columns);
void debrief_why_page_draw(const struct debrief_screen *s, int top, int columns, int bottom);
void debrief_why_extent(struct debrief_extent *e, const struct debrief_screen *s, int top,
                        int columns, int bottom);
/* So many lines in so many rows count towards what is hidden. */
void debrief_stretch(struct debrief_extent *e, int lines, int rows);

#endif

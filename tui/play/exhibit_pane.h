/* An exhibit of a case: as rows of a notebook, in a pane of its own, on paper. A table of rows and
 * columns is a heat map; one of rows alone has bars beside its numbers, where there is room. */
#ifndef WD_TUI_EXHIBIT_PANE_H
#define WD_TUI_EXHIBIT_PANE_H

#include "scenarios/evidence/exhibit_table.h"
#include "tui/kit/draw.h"
#include "tui/play/notebook_rows.h"

void exhibit_add_rows(struct note *n, const struct experiment *x, const struct msg_part *p);

/* Lines of the pane that can be scrolled, and how many of r's rows do not scroll. */
int exhibit_lines(const struct experiment *x, const struct msg_part *p);
int exhibit_frame(const struct experiment *x, const struct msg_part *p, struct rect r);
/* Line k of those that can be scrolled, as text; of a map its name, of a timeline the labels behind
 * it. */
enum { EXHIBIT_LINE = 512 };
void exhibit_line(char out[EXHIBIT_LINE], const struct experiment *x, const struct msg_part *p,
                  int k);
/* Columns that do not fit into w; of a timeline at this zoom (exhibit_timeline.h). */
int exhibit_hidden(const struct experiment *x, const struct msg_part *p, int w, int zoom);
/* scroll: lines above; shift: columns of text at the left that are out of sight, heads of columns
 * too; no more than is hidden at the right. */
void exhibit_draw(struct rect r, const struct experiment *x, const struct msg_part *p, int scroll,
                  int shift, int zoom);

/* To stdout: a table with every number, in the figures' units. */
void exhibit_print(const struct experiment *x, const struct msg_part *p);

#endif

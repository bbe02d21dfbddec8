/* Code in a pane: source with the samples of each line beside it, and the listing of the machine
 * code. */
#ifndef WD_TUI_CODE_PANE_H
#define WD_TUI_CODE_PANE_H

#include "scenarios/evidence/evidence.h"
#include "tui/kit/draw.h"

/* Samples by source line. */
struct line_samples {
    double share; /* of all samples, those that fell on no line included; 0: none */
    char reason[32];               /* what warps did most often there: "long_scoreboard" */
};
struct line_table {
    struct line_samples *line;     /* [0..n-1], of source lines 1..n */
    int n;
    double most;                   /* the largest share */
};

/* Of a part of the probe `lines`; NULL, or one without samples, makes an empty table. Freed by
 * line_table_free. */
void line_table_make(struct line_table *out, const struct msg_part *p);
void line_table_free(struct line_table *t);

/* Source lines by share, largest first: up to `most` line numbers, 1-based; returns how many. */
int line_table_top(const struct line_table *t, int *lines, int most);

/* At most 8 columns: "memory" for long_scoreboard. For a reason that we have no word for, its own.
 */
const char *stall_brief(const char *reason);

/* Where the pane stands: lines scroll+1.., columns shift+1.. of the code; `cursor` (1-based, 0:
 * none) is marked. What is cut at either side of a line is marked. */
struct code_place { int cursor, scroll, shift; };

/* Columns that its code has in a pane of w. */
int code_room(int w, const struct line_table *samples);

/* A source. With samples their share, a bar (full scale: the largest share) and the reason stand in
 * columns before the code. */
void code_draw_source(const char *text, struct rect r, const struct code_place *at,
                      const struct line_table *samples);

/* The lines of the probe `sass`, each after the number of its source line. */
void code_draw_listing(const struct msg_part *p, struct rect r, const struct code_place *at);

#endif

/* The panes of the console and of replay, a file each; console_draw.c finds their places. All of
 * them read a view and draw into the rectangle that they are given, which begins below the pane's
 * rule.
 *
 *   console_draw.c           places, rules, sizes
 *   console_draw_head.c      row 1
 *   console_draw_truth.c     TRUTH; without a scenario NOW
 *   console_draw_beliefs.c   BELIEFS; in their place PLAN, DRILLS ASKED, WRITTEN DOWN
 *   console_draw_moves.c     MOVES
 *   console_draw_says.c      SAY NEXT
 *   console_draw_rubric.c    RUBRIC, GRADE
 *   console_draw_notes.c     NOTES
 */
#ifndef WD_TUI_CONSOLE_DRAW_H
#define WD_TUI_CONSOLE_DRAW_H

#include "tui/app/app.h"
#include "tui/interview/console_view.h"
#include "tui/kit/draw.h"

/* Letters of the rubric's rows, in order; q is none, since it leaves on every screen. */
#define CONSOLE_LETTERS "werahjklmovy"

/* Everything from row 0 on but the last row, which is for keys; of a replay the last two. The
 * session's "say next" lines are marked from its events. */
void console_draw_panes(struct app *app, const struct console_view *v);
/* How many panes take turns at this size: 1, 2 or 6. */
int console_pane_count(int rows, int columns);

/* ---- the panes ---- */
void pane_head(const struct console_view *v, int columns);
/* Rows that NOW needs in `w` columns for the question of a part of talk, its title included; 0 in
 * other parts. */
int pane_now_rows(const struct console_view *v, int w);
/* The rule above TRUTH or NOW; the score stands there once it may be seen. */
void pane_truth_rule(const struct console_view *v, int y, int columns);
/* `whole`: with everything, where it has a screen of its own. */
void pane_truth(const struct console_view *v, struct rect r, bool whole);
/* The name of what stands in the place of BELIEFS; `right` receives what stands at the end of its
 * rule: in quiet time, as of when it is. */
const char *pane_beliefs_title(const struct console_view *v, char right[48]);
void pane_beliefs(const struct console_view *v, struct rect r);
const char *pane_moves_right(const struct console_view *v);
void pane_moves(const struct console_view *v, struct rect r);
void pane_says(const struct console_view *v, struct rect r);
/* Rows that it needs in `w` columns. */
int pane_rubric_rows(const struct console_view *v, int w);
void pane_rubric(const struct console_view *v, struct rect r);
/* The chosen row of the rubric with what each of its grades means, and the rows that this needs in
 * `w` columns. */
int pane_grade_rows(const struct console_view *v, int w);
void pane_grade(const struct console_view *v, struct rect r);
/* What stands at the end of their rule: how many there are; "" for none, and in replay. */
void pane_notes_right(char *out, size_t size, const struct console_view *v);
void pane_notes(const struct console_view *v, struct rect r);

#endif

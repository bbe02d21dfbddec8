/* What was done: every attempt, and the latest sessions of drills and cards, newest first. Enter
 * opens a finished attempt's debrief again, and goes on with an unfinished one. */
#ifndef WD_TUI_HISTORY_H
#define WD_TUI_HISTORY_H

#include "db/store.h"
#include "tui/app/app.h"
#include "tui/home/lately.h"

extern const struct screen_ops history_screen;

/* "Sat 20:41" within a week before `now_ms`, else "21 Nov", or "Nov 2025" in another year. */
void history_when(char *out, size_t size, int64_t at_ms, int64_t now_ms);
/* One row: when, title, score (or how many were right), minutes spent, belief in the truth; used on
 * home too. x ends are right ends; truth_end 0: left out. */
struct history_columns { int w, score_end, min_end, truth_end; };
void history_row(int y, const struct lately *what, const struct history_columns *c, int64_t now_ms,
                 bool chosen);
/* UTC milliseconds now. */

void history_open(struct app *app);

#endif

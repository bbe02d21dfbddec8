/* Searching the scenarios that fit in a part of the plan: what is found is put there. The marked
 * part is meant, else the first that is a scenario. What stands in another part is found there. */
#ifndef WD_TUI_PLAN_FIND_H
#define WD_TUI_PLAN_FIND_H

#include "tui/app/find.h"
#include "tui/interview/plan_page.h"

void plan_find_rows(struct app *app, const struct plan_page *p, struct find_rows *out);
void plan_find_go(struct plan_page *p, int row);   /* marks the part, too */

#endif

/* What keys change in a plan, each to be taken back by u. The acts return flags such as DO_REDRAW
 * and say in the status line what could not be done. */
#ifndef WD_TUI_PLAN_EDIT_H
#define WD_TUI_PLAN_EDIT_H

#include "tui/app/app.h"
#include "tui/interview/plan_page.h"

void plan_page_keep(struct plan_page *p);      /* what u brings back */
/* A new proposal; what is no part of it stays. False: there is none, and it was said why. */
bool plan_page_propose(struct app *app, struct plan_page *p, int level, int minutes,
                       uint64_t seed);

int plan_page_step(struct app *app, struct plan_page *p, int by);
int plan_page_exchange(struct app *app, struct plan_page *p);
/* Puts a scenario in the place of part k, and marks it. */
void plan_page_take(struct plan_page *p, int k, const struct variant *v);
int plan_page_add(struct app *app, struct plan_page *p, bool again);
int plan_page_remove(struct app *app, struct plan_page *p);
int plan_page_undo(struct app *app, struct plan_page *p);
int plan_page_reseed(struct app *app, struct plan_page *p);
int plan_page_fit(struct app *app, struct plan_page *p);

#endif

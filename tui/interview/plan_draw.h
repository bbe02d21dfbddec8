/* A plan on the screen: settings, parts, and what stands behind the marked row. Reads only. */
#ifndef WD_TUI_PLAN_DRAW_H
#define WD_TUI_PLAN_DRAW_H

#include "tui/app/app.h"
#include "tui/interview/plan_page.h"
#include "tui/kit/layout.h"

int plan_parts_shown(const struct app *app);   /* rows that parts have */
struct rect plan_parts_rect(const struct app *app); /* where they stand, and what is behind one */
void plan_page_draw(struct app *app, const struct plan_page *p, const struct key_list *keys);

#endif

/* Where the parts of the screen stand. */
#ifndef WD_TUI_INVESTIGATION_PLACE_H
#define WD_TUI_INVESTIGATION_PLACE_H

#include "tui/play/investigation_state.h"

void investigation_layout(struct app *app, const struct investigation_screen *s,
                          struct layout *out);
void investigation_show_beliefs(struct app *app,
                                struct investigation_screen *s); /* where one pane fits only */

/* Where notes are written: in the shop's place. */
static inline struct rect note_rect(const struct layout *l)
{
    return (struct rect){l->shop.y, l->shop.x + 2, l->shop.h, l->shop.w - 4};
}

#endif

/* Drills and cards: what other rooms open of it. */
#ifndef WD_TUI_PRACTICE_H
#define WD_TUI_PRACTICE_H

#include "tui/app/app.h"

void drills_begin(
    struct app *app,
    const char *id /* "set/id"; "topic:NAME": up to ten of a topic; NULL: what the queue has */);
void cards_begin(struct app *app);

#endif

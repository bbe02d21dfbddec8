/* Where home finds drills and cards. */
#ifndef WD_TUI_PRACTICE_H
#define WD_TUI_PRACTICE_H

#include "tui/app.h"

#if __has_include("tui/drills_screen.h")
#include "tui/drills_screen.h"
#else
static inline void drills_begin(struct app *app, const char *id)
{
    (void)id;
    app_say(app, "Drills are being built.");
}
#endif
#if __has_include("tui/cards_screen.h")
#include "tui/cards_screen.h"
#else
static inline void cards_begin(struct app *app)
{
    app_say(app, "Cards are being built.");
}
#endif

#endif

/* The passphrase of a sealed pack, asked for without showing it, before one of its scenarios
 * begins. */
#ifndef WD_TUI_SEALED_SCREEN_H
#define WD_TUI_SEALED_SCREEN_H

#include "tui/app/app.h"

/* What begins with the open pack; variant may be NULL. */
typedef void sealed_then(struct app *app, const struct story *story,
                         const struct variant *variant);
/* Asks, opens the pack in memory and goes on with `then`. What --passphrase-file names is tried
 * first, unasked. */
void sealed_open(struct app *app, const struct story *story, const struct variant *variant,
                 sealed_then *then);

/* The same, but nothing begins: the screen below goes on with the open pack. */
void sealed_ask(struct app *app, const struct story *story);

extern const struct screen_ops sealed_screen;

#endif

/* The passphrase of a sealed pack, asked for without showing it, before one of its scenarios
 * begins. */
#ifndef WD_TUI_SEALED_SCREEN_H
#define WD_TUI_SEALED_SCREEN_H

#include "tui/play/play.h"

/* Asks, opens the pack in memory and goes on with `begin`; variant may be NULL. What
 * --passphrase-file names is tried first, unasked. */
void sealed_open(struct app *app, const struct story *story, const struct variant *variant,
                 play_begin *begin);

/* The same, but nothing begins: the screen below goes on with the open pack. */
void sealed_ask(struct app *app, const struct story *story);

#endif

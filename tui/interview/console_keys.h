/* Keys of the console and of its lists. */
#ifndef WD_TUI_CONSOLE_KEYS_H
#define WD_TUI_CONSOLE_KEYS_H

#include "tui/app/app.h"

const struct key_list *console_keys(struct app *app, const void *console);

#endif

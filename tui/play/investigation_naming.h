/* The question which causes are possible. */
#ifndef WD_TUI_INVESTIGATION_NAMING_H
#define WD_TUI_INVESTIGATION_NAMING_H

#include "tui/play/investigation_state.h"

int naming_typed(struct app *app, struct investigation_screen *s, int key);
const char *naming_todo(const struct investigation_screen *s, char *out, size_t size, bool brief);

#endif

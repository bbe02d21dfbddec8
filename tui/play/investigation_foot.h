/* The last rows: what was spent, what to do next, which keys work. */
#ifndef WD_TUI_INVESTIGATION_FOOT_H
#define WD_TUI_INVESTIGATION_FOOT_H

#include "tui/play/investigation_state.h"

void foot_draw(struct app *app, const struct investigation_screen *s, const struct layout *l);

/* What to do in the modes that have no file of their own. */
const char *investigation_open_todo(const struct investigation_screen *s, char *out, size_t size,
                                    bool brief);
const char *investigation_note_todo(const struct investigation_screen *s, char *out, size_t size,
                                    bool brief);

#endif

/* The frame: title, story, symptom, beliefs, the last rows. */
#ifndef WD_TUI_INVESTIGATION_DRAW_H
#define WD_TUI_INVESTIGATION_DRAW_H

#include "tui/play/investigation_state.h"

void investigation_draw(struct app *app, const void *self);

/* Of the modes that have no file of their own. */
void investigation_draw_editor(const struct investigation_screen *s, const struct layout *l);
const char *investigation_open_todo(const struct investigation_screen *s, char *out, size_t size,
                                    bool brief);
const char *investigation_note_todo(const struct investigation_screen *s, char *out, size_t size,
                                    bool brief);

#endif

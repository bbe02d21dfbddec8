/* "And what is left once that is mended?": asked behind the fix in a story that may hold two
 * faults. */
#ifndef WD_TUI_INVESTIGATION_THEN_H
#define WD_TUI_INVESTIGATION_THEN_H

#include "tui/play/investigation_state.h"

int then_act(struct app *app, struct investigation_screen *s, enum action action, int arg);
void then_draw(const struct investigation_screen *s, const struct layout *l);
const char *then_todo(const struct investigation_screen *s, char *out, size_t size, bool brief);

#endif

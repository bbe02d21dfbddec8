/* What keys mean while a scenario is investigated, mode by mode. */
#ifndef WD_TUI_INVESTIGATION_MODES_H
#define WD_TUI_INVESTIGATION_MODES_H

#include "tui/play/investigation_screen.h"

const struct key_list *investigation_keys(struct app *app, const void *self);
extern const char *const play_how[]; /* of help, while a scenario is played */

#endif

/* Playing a scenario: what other rooms open of it. Start reading at investigation_screen.h. */
#ifndef WD_TUI_PLAY_H
#define WD_TUI_PLAY_H

#include "scenarios/play/attempt.h"
#include "tui/app/app.h"

void investigation_open_new(struct app *app, const struct story *story,
                            const struct variant *variant /* NULL: by seed */);
void investigation_open_resumed(struct app *app, const char *attempt_uid);
void debrief_open(struct app *app, struct attempt *attempt /* taken over */);

#endif

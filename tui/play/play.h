/* Playing a scenario: the investigation's screen and the debrief's, as other rooms open them.
 *
 * In: a story to begin with, or an attempt to go on with; keys, and evidence as it arrives. Out:
 * moves for the attempt (scenarios/play), and what a person sees of it. Callers: tui/home,
 * tui/interview (by hooks.h) and tui/commands (interface.c). First to open: investigation_screen.h,
 * which lists the files of the one screen; debrief_screen.h lists those of the other. play_open.c
 * stands over both, notebook.c makes rows of evidence for both, play_supply.c finds what measures
 * it, sealed_screen.c asks for a sealed pack's passphrase. */
#ifndef WD_TUI_PLAY_H
#define WD_TUI_PLAY_H

#include "scenarios/play/attempt.h"
#include "tui/app/app.h"

/* What begins a story, by seed where variant is NULL. False when it could not be opened (said on
 * the screen). */
typedef bool play_begin(struct app *app, const struct story *story, const struct variant *variant);

void investigation_open_new(struct app *app, const struct story *story,
                            const struct variant *variant /* NULL: by seed */);
void investigation_open_resumed(struct app *app, const char *attempt_uid);
void debrief_open(struct app *app, struct attempt *attempt /* taken over */);

#endif

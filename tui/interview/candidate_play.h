/* A scenario on the candidate's screen: the hooks that the screens of tui/play get (hooks.h there),
 * and what candidate.c asks of them. */
#ifndef WD_TUI_CANDIDATE_PLAY_H
#define WD_TUI_CANDIDATE_PLAY_H

#include "tui/play/hooks.h"

/* Opens the investigation of a part, begun or resumed, or its debrief. */
int candidate_play_open(struct app *guest, int part, struct err *err);
/* Of the session, the part that a screen shows; -1: no interview's. */
int candidate_play_part(const struct interviewed *in);
/* Asks for a probe on the interviewer's behalf. ERR_BUSY while the candidate's own is coming. */
int candidate_play_hand(struct app *guest, struct investigation_screen *s, const char *probe,
                        struct err *err);
/* For the console: "choosing", "measuring memory access". Borrowed until the next call. */
const char *candidate_play_doing(const struct investigation_screen *s);
const char *candidate_play_asked(const struct investigation_screen *s);  /* as candidate_asked */
/* What happened to live evidence since the last call, "" if nothing. */
const char *candidate_play_trouble(struct investigation_screen *s);

#endif

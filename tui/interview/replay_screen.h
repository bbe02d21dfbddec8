/* An interview that was, moment by moment, on the interviewer's console. */
#ifndef WD_TUI_REPLAY_SCREEN_H
#define WD_TUI_REPLAY_SCREEN_H

#include "scenarios/interview/interview.h"
#include "tui/app/app.h"

struct replay_options {
    const char *id;          /* the whole id of the session */
    int speed;               /* a power of two: -1 half, 0 as it was, 6 64 times as fast */
    int64_t at_ms;           /* running time to begin at */
};
/* Takes over the session, which is open for reading. */
void replay_open(struct app *app, struct interview *live, const struct replay_options *options);

#endif

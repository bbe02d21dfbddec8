/* The candidate's screens beside the investigation and the debrief, and what all of them share. For
 * candidate.c.
 *
 *   lobby_screen.c       before the start, between parts, while the interviewer chooses a drill, on
 * pause, at the end candidate_drill_screen.c  one drill talk_screen.c        a question to talk
 * about
 */
#ifndef WD_TUI_CANDIDATE_SCREENS_H
#define WD_TUI_CANDIDATE_SCREENS_H

#include "scenarios/interview/interview.h"
#include "tui/app/app.h"
#include "tui/interview/candidate_draw.h"

void lobby_open(struct app *guest);
int candidate_drill_open(struct app *guest, const struct session_drill *drill, struct err *err);
bool candidate_drill_is(const void *self,
                        const struct session_drill *drill); /* does this screen ask it? */
void talk_open(struct app *guest, int part);
int talk_part(const void *self);
bool talk_writes(const void *self);

extern const struct screen_ops lobby_screen, candidate_drill_screen, talk_screen;

#endif

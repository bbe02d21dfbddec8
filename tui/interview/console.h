/* The interviewer's console, and what stands before it: the plan, and the brief.
 *
 * In: an interview that is kept, and the options of `warpdrill host`. Out: the interviewer's
 * screens, the candidate's pictures. Callers: tui/commands (host, join, replay). First to open:
 * console_screen.h, the list of the console's files; candidate.c is what the candidate sees,
 * join.c their end, plan_screen.c the plan, replay_screen.c an interview once more. */
#ifndef WD_TUI_CONSOLE_H
#define WD_TUI_CONSOLE_H

#include "scenarios/interview/interview.h"
#include "scenarios/interview/session_code.h"
#include "scenarios/report/session_briefing.h"
#include "scenarios/link/session_server.h"
#include "tui/app/app.h"

struct replay_options;
struct host_options {
    const char *resume; /* session id to go on with, or of one that is over to grade; NULL: plan a
                           new one */
    int level, minutes;                  /* of the plan proposed; -1: 1, 0: 60 */
    const char *rubric;                  /* a team's file; NULL: built in */
    const char *guest;                   /* --for USER; NULL */
    const char
        *key; /* a candidate's public key file, for the authorized_keys line; NULL: a placeholder */
    bool share;                          /* open a candidate's window on this machine */
    bool no_wall;                        /* let in who cannot be confined */
    bool start;                          /* begin at once with the plan as proposed (scripts) */
    const struct replay_options
        *replay; /* look at one that was, instead of all this (replay_screen.h); NULL */
};
/* Opens the plan (or, resuming, the console) in the app. */
void host_open(struct app *app, const struct host_options *options);

/* The plan, to be edited (plan_screen.c); Enter makes the session and replaces this screen by the
 * console. */
void plan_screen_open(struct app *app, const struct host_options *options);
/* The console over an open session; takes the session over. `codes` NULL: resumed. */
void console_open(struct app *app, struct interview *live, const struct session_codes *codes,
                  const struct host_options *options);
/* One page before a scenario (brief_screen.c). Borrowed. */
void brief_open(struct app *app, const struct session_part *part, const struct variant *variant);

#endif

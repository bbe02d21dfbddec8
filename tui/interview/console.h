/* The interviewer's console, and what stands before it: the plan, and the brief.
 *
 * In: an interview that is kept, and the options of `warpdrill host`. Out: the interviewer's
 * screens, the candidate's pictures. Callers: tui/commands (host, join, replay). First to open:
 * console_screen.h, the list of the console's files; candidate.c is what the candidate sees,
 * join.c their end, plan_screen.c the plan, replay_screen.c an interview once more. */
#ifndef WD_TUI_CONSOLE_H
#define WD_TUI_CONSOLE_H

#include "drills/instance.h"
#include "scenarios/interview/interview.h"
#include "scenarios/interview/session_code.h"
#include "scenarios/report/session_briefing.h"
#include "scenarios/link/session_server.h"
#include "tui/app/app.h"

struct replay_options;
struct drill_previews;
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

/* ---- what console and replay share (console_draw*.c): the session as of an entry ---- */
struct console_view {
    struct interview *live;
    const struct session *session;
    const struct investigation *state;   /* of the running scenario; NULL: none */
    const struct variant *variant;       /* NULL: none */
    const struct briefing *briefing;     /* NULL: none */
    const int *ideal; /* points of the ideal reader of the same evidence; NULL: none */
    const struct debrief *score; /* after the reveal, once session_scores_open; NULL: not yet */
    const struct drill_previews *previews; /* of the running part (interview_drill.h); NULL: none */
    const struct drill_instance
        *drill; /* asked last in a part of drills, with its truth; NULL: none */
    const struct msg_device *device;     /* of the evidence; NULL: unknown */
    const struct interview_entry *entries; int n_entries;   /* up to the moment that is shown */
    int64_t now_ms;
    const char *doing;                   /* of the candidate; "" */
    int scroll;                          /* entries back from the newest */
    bool replay;
    int grading; /* row of the rubric that is being graded, from 1; 0: none */
    int marked;                          /* number of the line that Enter sends; 0: none */
    int pane; /* of console_pane_count: at 80 columns 0 beliefs, 1 moves; at 60 each of the six */
};
/* Everything from row 0 on but the last row, which is for keys; of a replay the last two. The
 * session's "say next" lines are marked from its events. */
void console_draw_panes(struct app *app, const struct console_view *v);
/* Letters of the rubric's rows, in order; q is none, since it leaves on every screen. */
#define CONSOLE_LETTERS "werahjklmovy"
/* How many panes take turns at this size: 1, 2 or 6. */
int console_pane_count(int rows, int columns);
/* Beliefs as whole points of a reader who began even and knows the first `n_bought` purchases (and
 * the pushback, where it was made). */
void console_ideal(int *points, const struct variant *v, const struct investigation *i,
                   int n_bought, const struct msg_device *device, const struct evidence *all);
/* One entry in words: "d       busy 13 %, bytes 1.2 x", "6       14 to 30", "asked   input
 * contiguous? yes". */
void console_entry_text(char *out, size_t size, const struct console_view *v, int entry);

#endif

/* What console and replay show: an interview as of an entry of its log, as plain data that somebody
 * else owns, and the questions that every pane asks of it. */
#ifndef WD_TUI_CONSOLE_VIEW_H
#define WD_TUI_CONSOLE_VIEW_H

#include "drills/question/instance.h"
#include "scenarios/interview/interview.h"
#include "scenarios/report/session_briefing.h"

struct drill_previews;

struct console_view {
    struct interview *live;
    const struct session *session;
    const struct investigation *state;   /* of the running scenario; NULL: none */
    const struct variant *variant;       /* NULL: none */
    const struct briefing *briefing;     /* NULL: none */
    const int *ideal; /* points of the ideal reader of the same evidence; NULL: none */
    const struct debrief *score; /* after the reveal, once session_scores_open; NULL: not yet */
    const struct drill_previews *previews; /* of the running part (candidate_drill.h); NULL: none */
    const struct drill_instance
        *drill; /* asked last in a part of drills, with its truth; NULL: none */
    const struct msg_device *device;     /* of the evidence; NULL: unknown */
    const struct interview_entry *entries; int n_entries;   /* up to the moment that is shown */
    int64_t now_ms;
    const char *doing;                   /* of the candidate; "" */
    const char *asked; /* the estimate on their screen now; NULL: none, or it is not known */
    int scroll;                          /* entries back from the newest */
    bool replay;
    int grading; /* row of the rubric that is being graded, from 1; 0: none */
    int marked;                          /* number of the line that Enter sends; 0: none */
    int pane; /* of console_pane_count: at 80 columns 0 beliefs, 1 moves; at 60 each of the six */
};

/* The part that runs, or ran last, and its state; NULL: none has begun. */
const struct session_part *view_part(const struct console_view *v);
const struct session_state *view_part_state(const struct console_view *v);
bool view_is_scenario(const struct console_view *v); /* one runs: there is a truth to show */
bool console_candidate_here(const struct session *s);

/* Entries that may be shown: candidates' typing, ticks and private things are not among MOVES, and
 * none after quiet time began. */
bool console_entry_shown(const struct interview_entry *e);
/* How many entries come before the quiet time that lasts; n without one. */
int console_quiet_from(const struct console_view *v);
/* What had happened when quiet time began, else until now. */
int console_answered_before(const struct console_view *v); /* drills of this part */
const char *console_written_before(const struct console_view *v); /* in this part of talk */

#endif

/* Lines of SAY NEXT and drills: a line is marked as said, or goes to the candidate's screen. */
#include "tui/interview/console_send.h"

#include "drills/library/library.h"
#include "scenarios/interview/interview_moves.h"
#include "scenarios/interview/interview_says.h"
#include "tui/app/app_data.h"
#include "tui/interview/console_after.h"
#include "tui/interview/console_says.h"

int console_ask_drill(struct console *c, const char *id, struct err *err)
{
    const struct drill *drill = library_drill(app_library(c->app), id);
    uint64_t seed = session_drill_seed(interview_session(c->live), id);
    return interview_drill(c->live, id, drill ? drill->title : NULL, seed, err);
}

static int push_line(struct console *c, const struct say_row *r, int number, struct err *err)
{
    struct attempt *a = interview_attempt(c->live);
    bool locked = a && attempt_state(a)->phase == PHASE_COMMITTED;
    if (!locked) {
        int said = interview_said(c->live, number, r->text, err);
        if (said == 0)
            app_say(c->app,
                    a && attempt_state(a)->phase > PHASE_COMMITTED
                        ? "Marked as said: one pushback was sent already."
                        : "Marked as said. It can be sent to their screen once line and fix are "
                          "in.");
        return said;
    }
    int rc = interview_push(c->live, r->index, err);
    if (rc == 0 && interview_waiting(c->live) < 0)
        app_say(c->app, "The pushback is on their screen.");
    else if (rc == 0)
        app_say(c->app,
                attempt_state(a)->remedy < 0
                    ? "It waits until line and fix are in, and comes by itself; u takes it back."
                    : "It waits: they answer a number first. It comes by itself; u takes it back.");
    return rc;
}

/* Number under which a line of the brief is marked: its place there. */
static int line_number(const struct console *c, const struct say_row *r)
{
    for (int k = 0; c->briefing && k < c->briefing->n_says; k++)
        if (c->briefing->says[k].text == r->text)
            return k;
    return r->index;
}

static const struct say_row *find_line(const struct say_row *say, int n, int number)
{
    for (int k = 0; k < n; k++)
        if (say[k].number == number)
            return &say[k];
    return NULL;
}

/* Would it come to the candidate's screen? */
static bool reaches(const struct console *c, const struct say_row *r)
{
    const struct attempt *a = interview_attempt(c->live);
    if (r->what == SAY_PUSHBACK)
        return a && attempt_state(a)->phase ==
                        PHASE_COMMITTED; /* at once, or when they have answered what they are at */
    return r->what == SAY_HELP || r->what == SAY_DRILL;
}

static int say_now(struct console *c, const struct say_row *r, struct err *err)
{
    switch (r->what) {
    case SAY_DRILL: return console_ask_drill(c, console_part(c)->drills[r->index], err);
    case SAY_HELP: return interview_hint(c->live, r->index, r->text, err);
    case SAY_PUSHBACK: return push_line(c, r, line_number(c, r), err);
    default: return interview_said(c->live, r->index, r->text, err);
    }
}

static void no_line(struct console *c, const struct console_view *v, int number)
{
    struct say_row all[SAYS_MOST];
    const struct say_row *hidden = find_line(all, console_says(all, v, true), number);
    if (view_is_scenario(v) && console_all_said(v->session, v->state))
        app_say(c->app, "The truth is on their screen: nothing of SAY NEXT is left.");
    else if (hidden)
        app_say(c->app, "%d is %s, not shown now; S shows every line.", number % 10, hidden->label);
}

void console_say_line(struct console *c, int number, bool whole, bool sent)
{
    struct console_view v;
    struct say_row say[SAYS_MOST];
    struct err err = { 0 };
    console_view(c, &v);
    const struct say_row *r = find_line(say, console_says(say, &v, whole), number);
    c->marked = 0;
    if (!r) {
        no_line(c, &v, number);
        return;
    }
    if (!sent && reaches(c, r)) {
        c->marked = number;
        app_say(c->app, "Enter sends %s to their screen: %s", r->label, r->text);
        return;
    }
    console_after(c, say_now(c, r, &err), &err);
}

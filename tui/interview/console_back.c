/* What u takes back: the interviewer's last act, where that can be. What is older is named first,
 * and taken back only when u is pressed again. */
#include "tui/interview/console_back.h"
#include "scenarios/interview/interview_moves.h"
#include "scenarios/interview/interview_verbs.h"
#include "tui/interview/console_text.h"

#include <stdio.h>
#include <string.h>

/* Why an act cannot be taken back; NULL: it can, or it is none of the interviewer's. */
static const char *stays(const struct interview_entry *e)
{
    if (e->move)
        return e->move->kind == MOVE_PUSHED ? "A pushback cannot be taken back: they have read it."
                                            : NULL;
    switch (e->event->kind) {
    case SESSION_HANDED: return "Evidence that was given cannot be taken back: they have read it.";
    case SESSION_DRILLED: return "A drill that was asked cannot be taken back: they have read it.";
    case SESSION_REVEALED: return "The truth cannot be taken back: they have read it.";
    case SESSION_RELEASED: return "Released scores cannot be taken back: they may have read them.";
    case SESSION_BEGAN: return "A part that has begun cannot be taken back; p goes to another.";
    case SESSION_FINISHED: return "The end of a part cannot be taken back; p begins it again.";
    case SESSION_EXTENDED: return "Time is not taken back by u; t changes it again.";
    case SESSION_PAUSED: return "A pause is not taken back by u; z goes on.";
    case SESSION_RESUMED: return "The clock is not stopped by u; z pauses it.";
    case SESSION_QUIET: return "Quiet time is not taken back by u; f turns it.";
    case SESSION_MENDING: return "Asking for the fix is not taken back by u; M ends it.";
    case SESSION_HELPED: return "Help with the fix cannot be taken back: they have read it.";
    case SESSION_CLOSED: return "The end of the interview cannot be taken back.";
    default: return NULL;
    }
}

static bool goes_back(enum session_kind k)
{
    return k == SESSION_RATED || k == SESSION_NOTED || k == SESSION_SAID || k == SESSION_HINTED ||
           k == SESSION_INJECTED || k == SESSION_WITHHELD;
}

/* The newest act of the interviewer, a taking back among them; NULL: none. */
static const struct interview_entry *last_act(const struct interview_entry *entries, int n)
{
    for (int k = n - 1; k >= 0; k--) {
        const struct interview_entry *e = &entries[k];
        if (stays(e) || (e->event && (e->event->kind == SESSION_UNDONE ||
                                      (goes_back(e->event->kind) && !e->event->undone))))
            return e;
    }
    return NULL;
}

static int do_take_back(struct console *c, const char *words, struct err *err)
{
    int rc = interview_take_back(c->live, err);
    if (rc == 0)
        app_say(c->app, "Taken back: %s", words);
    return rc;
}

/* Older than the last act: its words and its time are said, and u is to be pressed again. */
static void ask_first(struct console *c, const struct session_event *e, const char *words)
{
    char time[16], part[32] = "";
    console_clock(time, sizeof time, e->elapsed_ms);
    if (e->in_part != interview_session(c->live)->part && e->in_part >= 0)
        snprintf(part, sizeof part, ", part %d", e->in_part + 1);
    c->sure = ACT_UNDO;
    snprintf(c->older, sizeof c->older, "%s", e->uid);
    app_say(c->app, "u once more takes back what is older (%s%s), %s", time, part, words);
}

int console_take_back(struct console *c, enum action before, struct err *err)
{
    struct console_view v;
    char words[400];
    if (interview_waiting(c->live) >= 0) {
        int rc = interview_push_drop(c->live, err);
        if (rc == 0)
            app_say(c->app, "Taken back: the pushback that waited. They have not seen it.");
        return rc;
    }
    console_view(c, &v);
    const char *uid = session_undoable(v.session);
    const struct interview_entry *last = last_act(v.entries, v.n_entries);
    const struct session_event *found = NULL;
    bool again = before == ACT_UNDO, named = again && strcmp(c->older, uid) == 0;
    c->older[0] = '\0';
    for (int k = 0; k < v.session->events && uid[0]; k++)
        found = strcmp(v.session->log[k]->uid, uid) == 0 ? v.session->log[k] : found;
    if (last && stays(last) && !again) {
        c->sure = found ? ACT_UNDO : ACT_NONE;
        app_say(c->app, "%s", stays(last));
        return 0;
    }
    if (!found)
        return err_set(err, ERR_MISSING, "There is nothing to take back.");
    console_event_words(words, sizeof words, &v, found);
    if (named || (last && last->event == found))
        return do_take_back(c, words, err);
    ask_first(c, found, words);
    return 0;
}

/* Beginning a part: what has to be asked or said before. */
#include "tui/interview/console_begin.h"

#include "scenarios/interview/interview_verbs.h"
#include "scenarios/interview/session_mend.h"
#include "tui/app/app_data.h"
#include "tui/play/sealed_screen.h"

int console_begin(struct console *c, int part, struct err *err)
{
    const struct session *s = interview_session(c->live);
    const struct session_part *p = part < s->plan.n_parts ? &s->plan.parts[part] : NULL;
    const struct story *story;
    const struct variant *v = NULL;
    if (!p)
        return 0;
    if (p->kind == PART_SCENARIO && !s->parts[part].attempt[0])
        catalog_find(app_catalog(c->app), p->id, &story, &v, NULL);
    if (v && v->sealed) {
        sealed_ask(c->app, v->story);
        return 0;
    }
    return interview_begin(c->live, part, err);
}

/* A scenario runs in which the candidate has not had the last word. */
static bool is_unfinished(const struct console *c)
{
    const struct session *s = interview_session(c->live);
    const struct session_part *part = console_part(c);
    bool scenario = part && part->kind == PART_SCENARIO && s->phase != SESSION_BETWEEN;
    const struct attempt *a = scenario ? interview_attempt(c->live) : NULL;
    return a && !s->parts[s->part].revealed && attempt_state(a)->phase < PHASE_RESPONDED;
}

bool console_may_begin(struct console *c, int part, enum action before)
{
    const struct session *s = interview_session(c->live);
    bool alone = !c->alone && !c->options.share && !console_candidate_here(s),
         again = part < s->plan.n_parts && s->parts[part].begun && part != s->part;
    bool leaves = part != s->part && is_unfinished(c);
    int mending = session_mending(s);
    if (!alone && !again && !leaves && mending < 0)
        return true;
    c->alone |= before == ACT_ENTER;         /* from here on it is meant */
    if (before == ACT_ENTER)
        return true;
    c->sure = ACT_ENTER;
    if (again)
        app_say(c->app, "Part %d is done. Enter once more begins it again on their screen.",
                part + 1);
    else if (leaves)
        app_say(c->app, "Part %d is not finished. Enter once more leaves it.", s->part + 1);
    else if (mending >= 0)
        app_say(c->app, "The fix of part %d is asked for. Enter once more ends that.", mending + 1);
    else
        app_say(c->app, "The candidate is not here. Enter once more begins anyway.");
    return false;
}

bool console_may_end(struct console *c, enum action before)
{
    if (before == ACT_ENTER || !is_unfinished(c))
        return true;
    c->sure = ACT_ENTER;
    app_say(c->app, "Part %d is not finished. Enter once more ends it; p begins it again.",
            interview_session(c->live)->part + 1);
    return false;
}

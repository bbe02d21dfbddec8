/* What is said and asked, and what a host grades. */
#include "scenarios/interview/interview_says.h"

#include "scenarios/interview/interview_inside.h"

int interview_quiet(struct interview *l, int seconds, struct err *err)
{
    return interview_append(l, &EVENT(SESSION_QUIET, .number = seconds), err);
}

int interview_withhold(struct interview *l, const char *probe, bool back, struct err *err)
{
    return interview_say(l, EVENT(SESSION_WITHHELD, .flag = back), probe, NULL, err);
}

int interview_hint(struct interview *l, int hint, const char *text, struct err *err)
{
    return interview_say(l, EVENT(SESSION_HINTED, .number = hint), NULL, text, err);
}

int interview_said(struct interview *l, int line, const char *text, struct err *err)
{
    return interview_say(l, EVENT(SESSION_SAID, .number = line), NULL, text, err);
}

int interview_inject(struct interview *l, const char *text, struct err *err)
{
    return interview_say(l, EVENT(SESSION_INJECTED), NULL, text, err);
}

int interview_drill(struct interview *l, const char *drill, const char *title, uint64_t seed,
                    struct err *err)
{
    return interview_say(l, EVENT(SESSION_DRILLED, .seed = seed), drill, title, err);
}

int interview_rate(struct interview *l, const char *signal, int grade, struct err *err)
{
    return interview_say(l, EVENT(SESSION_RATED, .number = grade), signal, NULL, err);
}

int interview_note(struct interview *l, const char *text, bool share, struct err *err)
{
    return interview_say(l, EVENT(SESSION_NOTED, .flag = share), NULL, text, err);
}

int interview_spoke(struct interview *l, const char *text, struct err *err)
{
    return interview_say(l, EVENT(SESSION_SPOKE), NULL, text, err);
}

int interview_answer(struct interview *l, const char *answer, int seconds, const char *how,
                     double points, const char *what, struct err *err)
{
    const struct session_drill *d = session_drill_open(l->session);
    if (!d)
        return err_set(err, ERR_BAD_REQUEST, "no drill waits for an answer");
    struct session_event e =
        EVENT(SESSION_ANSWERED, .number = seconds < 0 ? 0 : seconds, .points = points);
    e.answer = interview_cleaned(answer, SESSION_TEXT);
    interview_put_name(e.role, sizeof e.role, how);
    return interview_say(l, e, d->drill, what, err);
}

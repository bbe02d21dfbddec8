/* The rubric's grades of a session, asked for by signal. */
#include "scenarios/interview/session.h"

#include <string.h>

/* -1: it was never graded. */
static int place_of(const struct session *s, const char *signal)
{
    for (int i = 0; i < s->n_grades; i++)
        if (!strcmp(s->signal[i], signal))
            return i;
    return -1;
}

int session_grade(const struct session *s, const char *signal)
{
    int at = place_of(s, signal);
    return at < 0 ? 0 : s->grade[at];
}

int64_t session_graded_late(const struct session *s, const char *signal)
{
    int at = place_of(s, signal);
    return at < 0 || s->grade[at] == 0 ? 0 : s->late_ms[at];
}

int session_graded(const struct session *s)
{
    int n = 0;
    for (int i = 0; i < s->plan.n_signals; i++)
        n += session_grade(s, s->plan.signals[i].id) > 0;
    return n;
}

bool session_rated(const struct session *s)
{
    return session_graded(s) == s->plan.n_signals;
}

bool session_graded_knowing(const struct session *s, const char *signal)
{
    int at = place_of(s, signal);
    return at >= 0 && s->grade[at] > 0 && s->knowing[at];
}

bool session_scores_open(const struct session *s, bool candidate)
{
    bool theirs = s->released || !s->plan.withhold;
    return theirs || (!candidate && (session_rated(s) || s->phase == SESSION_OVER));
}

const char *session_signal_title(const struct session *s, const char *id)
{
    for (int k = 0; k < s->plan.n_signals; k++)
        if (!strcmp(s->plan.signals[k].id, id))
            return s->plan.signals[k].title;
    return id;
}

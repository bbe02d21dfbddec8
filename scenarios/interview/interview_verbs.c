/* What the host does with parts, people and time: each verb is one event. */
#include "scenarios/interview/interview_verbs.h"

#include "kernels/wire/os.h"
#include "scenarios/interview/interview_inside.h"

int interview_plan(struct interview *l, const struct session_plan *plan, struct err *err)
{
    struct session_event e = {.kind = SESSION_PLANNED, .plan = session_plan_encode(plan)};
    int rc = interview_append(l, &e, err);
    session_event_free(&e);
    return rc;
}

/* The clock that ran goes on from where it was shown last. */
static int count_kept(struct interview *l, struct err *err)
{
    int64_t kept = interview_kept_before(l);
    if (l->session->phase != SESSION_RUNNING || kept <= l->session->last_ms ||
        kept > interview_now(l))
        return 0;
    return interview_append(l, &EVENT(SESSION_TICKED, .at_ms = kept), err);
}

int interview_opened(struct interview *l, const char *wall, const char *guest, struct err *err)
{
    struct session_event e = {.kind = SESSION_OPENED};
    int rc = l->kept_ms ? 0 : count_kept(l, err);
    interview_put_name(e.wall, sizeof e.wall, wall);
    interview_put_name(e.who, sizeof e.who, guest);
    return rc ? rc : interview_append(l, &e, err);
}

int interview_joined(struct interview *l, const struct session_party *party, struct err *err)
{
    struct session_event e = {.kind = SESSION_JOINED};
    interview_put_name(e.role, sizeof e.role, party->role);
    interview_put_name(e.who, sizeof e.who, party->name);
    interview_put_name(e.wall, sizeof e.wall, party->wall);
    return interview_say(l, e, party->uid, NULL, err);
}

int interview_left(struct interview *l, const char *party, const char *why, struct err *err)
{
    return interview_say(l, EVENT(SESSION_LEFT), party, why, err);
}

static void rest(struct interview *l)
{
    struct attempt *a = interview_attempt(l);
    if (a)
        attempt_pause(a, os_monotonic_ms());
}

int interview_begin(struct interview *l, int part, struct err *err)
{
    rest(l);
    return interview_append(l, &EVENT(SESSION_BEGAN, .part = part), err);
}

int interview_finish(struct interview *l, struct err *err)
{
    rest(l);
    return interview_append(l, &EVENT(SESSION_FINISHED, .part = l->session->part), err);
}

int interview_pause(struct interview *l, bool on, struct err *err)
{
    return interview_append(l, &EVENT(on ? SESSION_PAUSED : SESSION_RESUMED), err);
}

int interview_tick(struct interview *l, struct err *err)
{
    return interview_append(l, &EVENT(SESSION_TICKED), err);
}

int interview_minutes(struct interview *l, int part, int minutes, struct err *err)
{
    return interview_append(l, &EVENT(SESSION_EXTENDED, .part = part, .number = minutes), err);
}

int interview_revealed(struct interview *l, int part, struct err *err)
{
    return interview_append(l, &EVENT(SESSION_REVEALED, .part = part), err);
}

int interview_release(struct interview *l, struct err *err)
{
    return interview_append(l, &EVENT(SESSION_RELEASED), err);
}

int interview_take_back(struct interview *l, struct err *err)
{
    const char *uid = session_undoable(l->session);
    if (!*uid)
        return err_set(err, ERR_MISSING, "there is nothing to take back");
    return interview_say(l, EVENT(SESSION_UNDONE), uid, NULL, err);
}

int interview_close(struct interview *l, struct err *err)
{
    rest(l);
    return interview_append(l, &EVENT(SESSION_CLOSED), err);
}

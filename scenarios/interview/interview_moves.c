/* Moves of the interviewer in the attempt. */
#include "scenarios/interview/interview_moves.h"

#include <stdio.h>

#include "kernels/wire/os.h"
#include "scenarios/interview/interview_inside.h"

int interview_attempt_begin(struct interview *l, struct attempt *a, struct err *err)
{
    struct session_event e = EVENT(SESSION_ATTEMPTED, .part = l->session->part);
    snprintf(e.name, sizeof e.name, "%s", attempt_uid(a));
    int rc = session_check(l->session, &e, err);
    if (rc == 0)
        rc = attempt_settle(a, os_monotonic_ms(), err);
    if (rc == 0)
        rc = interview_append(l, &e, err);
    if (rc)
        attempt_free(a);
    else
        l->attempt[l->session->part] = a;
    return rc;
}

static int running_attempt(struct interview *l, struct attempt **out, struct err *err)
{
    *out = interview_attempt_of(l, l->session->part, err);
    int rc = *out ? interview_settle(l, err)
                  : ERR_MISSING; /* a full disk says so before anything has changed */
    return rc;
}

int interview_hand(struct interview *l, const char *probe, struct evidence *e, struct err *err)
{
    struct attempt *a;
    struct move m = {.kind = MOVE_HANDED, .evidence = e};
    struct session_event event = EVENT(SESSION_HANDED);
    snprintf(m.probe, sizeof m.probe, "%.47s", probe);
    snprintf(event.name, sizeof event.name, "%.95s", probe);
    int rc = session_check(l->session, &event, err);
    if (rc == 0)
        rc = running_attempt(l, &a, err);
    bool given = rc == 0 &&
                 investigation_handed(attempt_state(a),
                                      probe); /* its event alone is missing: the store refused it */
    if (rc == 0 && !given)
        rc = attempt_move(a, &m, os_monotonic_ms(), err);
    if (rc || given)
        evidence_free(e);
    if (rc)
        return rc;
    l->changes++;
    return interview_append(l, &event, err);
}

/* Is the candidate at what a pushback would take from the screen? */
static bool must_wait(const struct investigation *i)
{
    return i->phase == PHASE_COMMITTED && (i->remedy < 0 || investigation_left(i));
}

int interview_push(struct interview *l, int pushback, struct err *err)
{
    struct attempt *a;
    struct move m = {.kind = MOVE_PUSHED, .pushback = pushback};
    int rc = running_attempt(l, &a, err);
    bool known = rc == 0 && pushback >= 0 && pushback < attempt_variant(a)->n_pushbacks;
    if (known && must_wait(attempt_state(a)))
        return interview_append(l, &EVENT(SESSION_QUEUED, .number = pushback), err);
    if (rc == 0)
        rc = attempt_move(a, &m, os_monotonic_ms(), err);
    if (rc)
        return rc;
    l->changes++;
    return interview_settle(l, err);
}

void interview_scribe(struct interview *l, bool scribe)
{
    l->scribe = scribe;
    for (int p = 0; p < SESSION_MAX_PARTS; p++)
        if (l->attempt[p])
            attempt_scribe(l->attempt[p], scribe);
}

/* One that was sent is in the attempt: a kill between the two neither loses nor repeats it. */
int interview_waiting(const struct interview *l)
{
    const struct session *s = l->session;
    const struct attempt *a = s->part >= 0 ? l->attempt[s->part] : NULL;
    bool sent = a && attempt_state(a)->phase != PHASE_COMMITTED;
    return s->part < 0 || sent ? -1 : s->parts[s->part].queued - 1;
}

int interview_push_drop(struct interview *l, struct err *err)
{
    return interview_append(l, &EVENT(SESSION_QUEUED, .number = -1), err);
}

/* Another part, or the truth, leaves it behind. */
void interview_deliver(struct interview *l)
{
    int pushback = interview_waiting(l);
    struct attempt *a = pushback >= 0 ? interview_attempt(l) : NULL;
    if (a && !must_wait(attempt_state(a)))
        interview_push(l, pushback, NULL);       /* where the store refuses it is tried again */
}

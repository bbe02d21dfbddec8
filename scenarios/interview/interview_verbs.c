/* What the host does in an interview: each verb is one event, checked against the session, written,
 * and then applied. */
#include "scenarios/interview/interview_verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/moment.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/play/attempt_log.h"
#include "scenarios/interview/interview_inside.h"
#include "scenarios/interview/session_mend.h"
#include "scenarios/mend/mend.h"

enum { SLEPT_MS = 2000 };

/* ---- writing ---- */

/* How long this machine has slept since it started, where the system says. */
static int64_t slept_ms(void)
{
#ifdef CLOCK_BOOTTIME
    struct timespec with, without;
    if (clock_gettime(CLOCK_BOOTTIME, &with) == 0 && clock_gettime(CLOCK_MONOTONIC, &without) == 0)
        return (with.tv_sec - without.tv_sec) * 1000 + (with.tv_nsec - without.tv_nsec) / 1000000;
#endif
    return 0;
}

bool interview_is_candidates(enum session_kind k)
{
    return k == SESSION_ANSWERED || k == SESSION_SPOKE || k == SESSION_TRIED ||
           k == SESSION_HELPED;
}

static const char *actor_of(const struct session_event *e)
{
    if (e->kind == SESSION_TICKED || e->kind == SESSION_OPENED || e->kind == SESSION_JUDGED)
        return "program";
    return !interview_is_candidates(e->kind) ? "host" : e->scribe ? ACTOR_SCRIBE : "candidate";
}

static int write_event(struct interview *l, struct session_event *e, struct err *err)
{
    struct store_event out = {.version = 1, .at_ms = e->at_ms, .day = store_day(e->at_ms)};
    json_t *body = session_event_encode(e);
    snprintf(out.uid, sizeof out.uid, "%s", e->uid);
    snprintf(out.stream, sizeof out.stream, "session:%s", l->id);
    snprintf(out.kind, sizeof out.kind, "%s", session_kind_name(e->kind));
    snprintf(out.actor, sizeof out.actor, "%s", actor_of(e));
    snprintf(out.audience, sizeof out.audience, "%s", session_audience(e->kind));
    out.body = json_dumps(body, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(body);
    int rc = store_append(l->store, &out, NULL, 0, &(struct store_change){0});
    free(out.body);
    if (rc != STORE_OK)
        return err_set(err, rc == STORE_BUSY ? ERR_BUSY : ERR_IO, "this was not kept: %s",
                       store_message(l->store));
    e->seq = out.seq;
    return 0;
}

static int append_one(struct interview *l, struct session_event *e, struct err *err)
{
    uid_make(e->uid);
    e->at_ms = e->at_ms ? e->at_ms : interview_now(l);
    e->scribe = l->scribe && interview_is_candidates(e->kind);
    int rc = session_check(l->session, e, err);
    if (rc == 0)
        rc = write_event(l, e, err);
    if (rc == 0)
        rc = session_apply(l->session, e, err);
    if (rc == 0)
        l->changes++;
    return rc;
}

/* What may still come when an interview is opened after its end: grades, what takes one back, and
 * the scores' release. */
static bool comes_late(const struct session *s, const struct session_event *e)
{
    if (e->kind != SESSION_UNDONE)
        return e->kind == SESSION_RATED || e->kind == SESSION_RELEASED;
    for (int i = s->events - 1; i >= 0; i--)
        if (!strcmp(s->log[i]->uid, e->name))
            return s->log[i]->kind == SESSION_RATED;
    return false;
}

int interview_append(struct interview *l, struct session_event *e, struct err *err)
{
    if (l->lock < 0)
        return err_set(err, ERR_PERMISSION, "this interview is open for reading alone");
    if (l->late && !comes_late(l->session, e))
        return err_set(err, ERR_PERMISSION,
                       "the interview is over: grades, and the release of the scores, are all that "
                       "can be added");
    int64_t slept = slept_ms();
    int rc = interview_settle(l, err); /* moves come into the log before what is done after them */
    if (rc)
        return rc;
    if (l->session->phase == SESSION_RUNNING && l->asleep_ms && slept - l->asleep_ms > SLEPT_MS &&
        e->kind != SESSION_OPENED)
        rc = append_one(l, &(struct session_event){.kind = SESSION_TICKED, .flag = true}, err);
    if (rc == 0)
        rc = append_one(l, e, err);
    if (rc == 0)
        l->asleep_ms = slept ? slept : 1;
    return rc;
}

/* ---- texts ---- */

/* At most `most` bytes, cut between characters, without control characters. malloc'd. */
static char *cleaned(const char *s, size_t most)
{
    size_t n = s ? text_cut(s, strlen(s), most) : 0;
    char *out = text_ndup(s ? s : "", n);
    text_clean(out, n);
    return out;
}

static void set_name(char *out, size_t size, const char *s)
{
    char *text = cleaned(s, size - 1);
    for (char *c = text; *c; c++)
        *c = *c == '\n' || *c == '\t' ? ' ' : *c;
    snprintf(out, size, "%s", text);
    free(text);
}

/* `e` with a text and a name; either may be NULL. */
static int say(struct interview *l, struct session_event e, const char *name, const char *text,
               struct err *err)
{
    if (name && strlen(name) >= sizeof e.name)
        return err_set(err, ERR_TOO_LARGE, "a name has at most %zu bytes", sizeof e.name - 1);
    if (name)
        set_name(e.name, sizeof e.name, name);
    e.text = text ? cleaned(text, e.kind == SESSION_SPOKE ? SESSION_TALK : SESSION_TEXT) : NULL;
    int rc = interview_append(l, &e, err);
    session_event_free(&e);
    return rc;
}

#define EVENT(k, ...) ((struct session_event){.kind = (k), __VA_ARGS__})

/* ---- the verbs ---- */

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
    set_name(e.wall, sizeof e.wall, wall);
    set_name(e.who, sizeof e.who, guest);
    return rc ? rc : interview_append(l, &e, err);
}

int interview_joined(struct interview *l, const struct session_party *party, struct err *err)
{
    struct session_event e = {.kind = SESSION_JOINED};
    set_name(e.role, sizeof e.role, party->role);
    set_name(e.who, sizeof e.who, party->name);
    set_name(e.wall, sizeof e.wall, party->wall);
    return say(l, e, party->uid, NULL, err);
}

int interview_left(struct interview *l, const char *party, const char *why, struct err *err)
{
    return say(l, EVENT(SESSION_LEFT), party, why, err);
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

int interview_quiet(struct interview *l, int seconds, struct err *err)
{
    return interview_append(l, &EVENT(SESSION_QUIET, .number = seconds), err);
}

int interview_withhold(struct interview *l, const char *probe, bool back, struct err *err)
{
    return say(l, EVENT(SESSION_WITHHELD, .flag = back), probe, NULL, err);
}

int interview_hint(struct interview *l, int hint, const char *text, struct err *err)
{
    return say(l, EVENT(SESSION_HINTED, .number = hint), NULL, text, err);
}

int interview_said(struct interview *l, int line, const char *text, struct err *err)
{
    return say(l, EVENT(SESSION_SAID, .number = line), NULL, text, err);
}

int interview_inject(struct interview *l, const char *text, struct err *err)
{
    return say(l, EVENT(SESSION_INJECTED), NULL, text, err);
}

int interview_drill(struct interview *l, const char *drill, const char *title, uint64_t seed,
                    struct err *err)
{
    return say(l, EVENT(SESSION_DRILLED, .seed = seed), drill, title, err);
}

int interview_rate(struct interview *l, const char *signal, int grade, struct err *err)
{
    return say(l, EVENT(SESSION_RATED, .number = grade), signal, NULL, err);
}

int interview_note(struct interview *l, const char *text, bool share, struct err *err)
{
    return say(l, EVENT(SESSION_NOTED, .flag = share), NULL, text, err);
}

int interview_spoke(struct interview *l, const char *text, struct err *err)
{
    return say(l, EVENT(SESSION_SPOKE), NULL, text, err);
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
    return say(l, EVENT(SESSION_UNDONE), uid, NULL, err);
}

int interview_close(struct interview *l, struct err *err)
{
    rest(l);
    return interview_append(l, &EVENT(SESSION_CLOSED), err);
}

int interview_answer(struct interview *l, const char *answer, int seconds, const char *how,
                     double points, const char *what, struct err *err)
{
    const struct session_drill *d = session_drill_open(l->session);
    if (!d)
        return err_set(err, ERR_BAD_REQUEST, "no drill waits for an answer");
    struct session_event e =
        EVENT(SESSION_ANSWERED, .number = seconds < 0 ? 0 : seconds, .points = points);
    e.answer = cleaned(answer, SESSION_TEXT);
    set_name(e.role, sizeof e.role, how);
    return say(l, e, d->drill, what, err);
}

/* ---- mending ---- */

int interview_mending(struct interview *l, int part, bool over, struct err *err)
{
    return interview_append(l, &EVENT(SESSION_MENDING, .part = part, .flag = over), err);
}

int interview_tried(struct interview *l, const char *text, struct err *err)
{
    struct session_event e = EVENT(SESSION_TRIED, .part = session_mending(l->session));
    size_t n = strlen(text);
    if (e.part < 0)
        return err_set(err, ERR_BAD_REQUEST, "no fix is asked for");
    if (n > SESSION_TRY)
        return err_set(err, ERR_TOO_LARGE, "a text has at most %d KiB", SESSION_TRY / 1024);
    int rc = mend_text_check(SESSION_TRY_NAME, text, n, err);
    if (rc)
        return rc;
    e.text = text_dup(text);
    rc = interview_append(l, &e, err);
    session_event_free(&e);
    return rc;
}

int interview_helped(struct interview *l, int step, struct err *err)
{
    int part = session_mending(l->session);
    if (part < 0)
        return err_set(err, ERR_BAD_REQUEST, "no fix is asked for");
    return interview_append(l, &EVENT(SESSION_HELPED, .part = part, .number = step), err);
}

int interview_judged(struct interview *l, const struct mend_verdict *verdict, struct err *err)
{
    struct session_event e = EVENT(SESSION_JUDGED);
    if (!session_try_open(l->session, &e.part, &e.number))
        return err_set(err, ERR_BAD_REQUEST, "no text waits for its verdict");
    e.verdict = mend_encode(verdict);
    if (!e.verdict) /* JSON has no word for what is no number */
        e.verdict = mend_encode(&(struct mend_verdict){.is = MEND_NOT_JUDGED,
                                                       .why = "A figure of it is no number."});
    int rc = interview_append(l, &e, err);
    session_event_free(&e);
    return rc;
}

/* ---- moves of the interviewer in the attempt ---- */

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

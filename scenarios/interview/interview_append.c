/* How an event comes into the log: checked against the session, written, and then applied. */
#include "scenarios/interview/interview_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/moment.h"
#include "kernels/wire/text.h"
#include "scenarios/play/attempt_log.h"

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

char *interview_cleaned(const char *s, size_t most)
{
    size_t n = s ? text_cut(s, strlen(s), most) : 0;
    char *out = text_ndup(s ? s : "", n);
    text_clean(out, n);
    return out;
}

void interview_put_name(char *out, size_t size, const char *s)
{
    char *text = interview_cleaned(s, size - 1);
    for (char *c = text; *c; c++)
        *c = *c == '\n' || *c == '\t' ? ' ' : *c;
    snprintf(out, size, "%s", text);
    free(text);
}

int interview_say(struct interview *l, struct session_event e, const char *name, const char *text,
                  struct err *err)
{
    if (name && strlen(name) >= sizeof e.name)
        return err_set(err, ERR_TOO_LARGE, "a name has at most %zu bytes", sizeof e.name - 1);
    if (name)
        interview_put_name(e.name, sizeof e.name, name);
    size_t most = e.kind == SESSION_SPOKE ? SESSION_TALK : SESSION_TEXT;
    e.text = text ? interview_cleaned(text, most) : NULL;
    int rc = interview_append(l, &e, err);
    session_event_free(&e);
    return rc;
}

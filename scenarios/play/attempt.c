#include "scenarios/play/attempt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/items.h"
#include "kernels/wire/hash.h"
#include "kernels/wire/text.h"
#include "scenarios/pack/recordings.h"
#include "scenarios/play/attempt_log.h"
#include "scenarios/play/attempt_pick.h"

enum { BELIEF_PAUSE_MS = 300, RETRY_BUSY_MS = 100, RETRY_FAILED_MS = 2000 };

struct attempt {
    struct store *store;              /* NULL: nothing is kept */
    struct logged log;                /* facts, state, debrief; the pack only when it was resumed */
    struct recording *recording;
    int64_t since_ms, before_ms; /* monotonic start of this sitting; time of earlier sittings */

    bool scribe;                      /* presses for the person */
    bool pressed;                     /* belief keys not yet made a move, or the last word */
    int points[MAX_HYPOTHESES];
    double odds[MAX_HYPOTHESES];         /* behind the points */
    int64_t pressed_ms;

    struct written *waiting, **last;  /* for the store, in order */
    int n_waiting;
    int64_t retry_ms;                 /* not before this; 0: at once */
};

/* ---- the queue for the store ---- */

static void queue(struct attempt *a, struct written *w)
{
    w->next = NULL;
    *a->last = w;
    a->last = &w->next;
    a->n_waiting++;
}

static void drop_first(struct attempt *a)
{
    struct written *w = a->waiting;
    a->waiting = w->next;
    if (!a->waiting)
        a->last = &a->waiting;
    a->n_waiting--;
    written_free(w);
}

static int write_waiting(struct attempt *a, int64_t now_ms, struct err *err)
{
    while (a->waiting && now_ms >= a->retry_ms) {
        struct written *w = a->waiting;
        struct store_change change = written_change(w);
        int rc = store_append(a->store, &w->event, w->blobs, w->n_blobs, &change);
        if (rc == STORE_OK) {
            a->retry_ms = 0;
            a->log.seq = mem_grow(a->log.seq, (size_t)a->log.n_seq + 1, sizeof *a->log.seq);
            a->log.seq[a->log.n_seq++] = w->event.seq;
            drop_first(a);
            continue;
        }
        a->retry_ms = now_ms + (rc == STORE_BUSY ? RETRY_BUSY_MS : RETRY_FAILED_MS);
        if (rc != STORE_BUSY)
            return err_set(err, ERR_IO, "not stored yet, trying again: %s",
                           store_message(a->store));
    }
    return a->n_waiting;
}

/* ---- moves ---- */

static int64_t elapsed(const struct attempt *a, int64_t now_ms)
{
    return a->before_ms + now_ms - a->since_ms;
}

/* Others are made by the interviewer, or by themselves. */
static bool is_persons(enum move_kind k)
{
    return k != MOVE_STARTED && k != MOVE_HANDED && k != MOVE_PUSHED && k != MOVE_REVEALED &&
           k != MOVE_PAUSED;
}

static void stamp(const struct attempt *a, struct move *m, int64_t now_ms)
{
    uid_make(m->uid);
    m->at_ms = attempt_utc_ms();
    m->elapsed_ms = elapsed(a, now_ms);
    m->scribe = a->scribe && is_persons(m->kind);
}

static char *evidence_text(const struct evidence *e)
{
    json_t *obj = evidence_encode(e);
    char *text = json_dumps(obj, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(obj);
    return text;
}

/* Applies and queues. `blob` (taken over) is what the body refers to as `blob_name`. */
static int apply(struct attempt *a, struct move *m, json_t *extra, const char *blob_name,
                 char *blob, struct err *err)
{
    struct move bare = *m;
    bare.evidence = NULL; /* it travels as a blob */
    json_t *body = move_encode(&bare, a->log.state->story);
    json_object_update(body, extra);
    json_decref(extra);
    int rc = investigation_apply(a->log.state, m, err);
    if (rc || !a->store) {
        json_decref(body);
        free(blob);
        return rc;
    }
    struct written *w = mem_new(1, sizeof *w);
    written_event(w, &a->log.facts, m, body, blob_name, blob);
    written_rows(w, &a->log.facts, a->log.state, a->log.debrief);
    queue(a, w);
    return 0;
}

/* Keys pressed since the last move become one `believed` move. */
static int settle_beliefs(struct attempt *a, int64_t now_ms, struct err *err)
{
    if (!a->pressed || a->log.state->phase != PHASE_OPEN)
        return 0;
    a->pressed = false;
    if (!memcmp(a->points, a->log.state->points, sizeof a->points))
        return 0;
    struct move m = {.kind = MOVE_BELIEVED};
    memcpy(m.points, a->points, sizeof m.points);
    memcpy(m.odds, a->odds, sizeof m.odds);
    stamp(a, &m, now_ms);
    return apply(a, &m, NULL, NULL, NULL, err);
}

int attempt_move(struct attempt *a, struct move *m, int64_t now_ms, struct err *err)
{
    int rc = m->kind == MOVE_BELIEVED ? 0 : settle_beliefs(a, now_ms, err);
    if (rc)
        return rc;
    stamp(a, m, now_ms);
    bool shows = m->kind == MOVE_BOUGHT || m->kind == MOVE_HANDED;
    char *blob = shows && m->evidence && a->store ? evidence_text(m->evidence) : NULL;
    rc = apply(a, m, NULL, "evidence", blob, err);
    if (rc == 0 && (m->kind == MOVE_BELIEVED || m->kind == MOVE_RESPONDED))
        a->pressed = false;
    return rc;
}

void attempt_points(const struct attempt *a, int *points)
{
    memcpy(points, a->pressed ? a->points : a->log.state->points, sizeof a->points);
}

void attempt_fill_beliefs(const struct attempt *a, struct move *m)
{
    attempt_points(a, m->points);
    memcpy(m->odds, a->pressed ? a->odds : a->log.state->odds, sizeof m->odds);
}

void attempt_percent(const struct attempt *a, int *percent)
{
    struct move m;
    attempt_fill_beliefs(a, &m);
    belief_show(percent, m.odds, m.points, a->log.state->story->n_hypotheses);
}

/* Until the commitment, and again once it is complete: a story need not push back. */
static bool beliefs_move(const struct investigation *i)
{
    bool complete = i->phase == PHASE_COMMITTED && i->remedy >= 0;
    return i->phase == PHASE_OPEN || i->phase == PHASE_PUSHED || complete;
}

/* The first key goes on from what stands in the log. */
static void begin_press(struct attempt *a, int64_t now_ms)
{
    if (!a->pressed) {
        memcpy(a->points, a->log.state->points, sizeof a->points);
        memcpy(a->odds, a->log.state->odds, sizeof a->odds);
    }
    a->pressed = true;
    a->pressed_ms = now_ms;
}

void attempt_press(struct attempt *a, int chosen, enum belief_key key, int64_t now_ms)
{
    if (!beliefs_move(a->log.state))
        return;
    begin_press(a, now_ms);
    belief_press(a->odds, a->points, a->log.state->story->n_hypotheses, chosen, key);
}

void attempt_say(struct attempt *a, int chosen, int percent, int64_t now_ms)
{
    if (!beliefs_move(a->log.state))
        return;
    begin_press(a, now_ms);
    belief_say(a->odds, a->points, a->log.state->story->n_hypotheses, chosen, percent);
}

void attempt_unpress(struct attempt *a)
{
    a->pressed = false;
}

int attempt_undo(struct attempt *a, int64_t now_ms, struct err *err)
{
    if (a->pressed) { /* not a move yet */
        a->pressed = false;
        return 0;
    }
    const char *uid = investigation_undoable(a->log.state);
    if (!uid)
        return err_set(err, ERR_MISSING, "nothing can be taken back: what was seen stays bought");
    struct move m = {.kind = MOVE_UNDONE};
    snprintf(m.undone, sizeof m.undone, "%s", uid);
    return attempt_move(a, &m, now_ms, err);
}

void attempt_pause(struct attempt *a, int64_t now_ms)
{
    enum phase phase = a->log.state->phase;
    struct move m = {.kind = MOVE_PAUSED};
    if (phase != PHASE_REVEALED && phase != PHASE_ABANDONED &&
        elapsed(a, now_ms) > a->log.state->elapsed_ms)
        attempt_move(a, &m, now_ms, NULL);
}

int attempt_tick(struct attempt *a, int64_t now_ms, struct err *err)
{
    if (a->pressed && now_ms - a->pressed_ms >= BELIEF_PAUSE_MS) {
        int rc = settle_beliefs(a, now_ms, err);
        if (rc)
            return rc;
    }
    return a->store ? write_waiting(a, now_ms, err) : 0;
}

int attempt_settle(struct attempt *a, int64_t now_ms, struct err *err)
{
    int rc = settle_beliefs(a, now_ms, err);
    if (rc || !a->store)
        return rc;
    a->retry_ms = 0;
    rc = write_waiting(a, now_ms, err);
    return rc <= 0
               ? rc
               : err_set(err, ERR_BUSY, "not stored yet, trying again: another program is writing");
}

bool attempt_scribe(struct attempt *a, bool scribe)
{
    bool before = a->scribe;
    a->scribe = scribe;
    return before;
}

bool attempt_has_scribe(const struct attempt *a)
{
    return a->scribe;
}

int64_t attempt_seq(const struct attempt *a, int index)
{
    return index >= 0 && index < a->log.n_seq ? a->log.seq[index] : 0;
}

int attempt_deadline_ms(const struct attempt *a, int64_t now_ms)
{
    int64_t at = -1;
    if (a->pressed && a->log.state->phase == PHASE_OPEN)
        at = a->pressed_ms + BELIEF_PAUSE_MS;
    if (a->waiting && (at < 0 || a->retry_ms < at))
        at = a->retry_ms;
    if (at < 0)
        return -1;
    return at <= now_ms ? 0 : (int)(at - now_ms);
}

/* ---- beginning and end ---- */

static int copy_recording(struct attempt *a, const struct recording *r, struct err *err)
{
    if (!r)
        return 0;
    json_t *root = recording_encode(r);
    char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
    int rc = recording_decode(&a->recording, text, strlen(text), "the attempt's recording", err);
    json_decref(root);
    free(text);
    return rc;
}

static struct attempt *attempt_new(struct store *store, int64_t now_ms)
{
    struct attempt *a = mem_new(1, sizeof *a);
    a->store = store;
    a->since_ms = now_ms;
    a->last = &a->waiting;
    return a;
}

static int begin(struct attempt *a, const struct supply *supply, uint64_t seed, int64_t now_ms,
                 struct err *err)
{
    const struct variant *v = a->log.variant;
    struct move m = {.kind = MOVE_STARTED, .seed = seed};
    snprintf(m.tier, sizeof m.tier, "%s", supply_tier(supply));
    snprintf(m.gpu, sizeof m.gpu, "%s", supply_device(supply)->name);
    m.other = other_gpu_find(v, m.gpu);
    stamp(a, &m, now_ms);
    a->log.facts.started_ms = m.at_ms;
    a->log.facts.counted = v->story->counted && attempt_is_first_look(a->store, v);
    json_t *extra =
        json_pack("{s:s, s:b}", "scenario", v->full_id, "counted", (int)a->log.facts.counted);
    char *content = a->store ? content_make(v, supply_recording(supply)) : NULL;
    if (content)
        hash_bytes(a->log.facts.content, content, strlen(content));
    int rc = apply(a, &m, extra, "content", content, err);
    if (rc)
        move_clear(&m);
    return rc;
}

int attempt_start(struct attempt **out, struct store *store, const struct variant *v,
                  const struct supply *supply, uint64_t seed, int64_t now_ms, struct err *err)
{
    int rc = variant_needs_answer(v, err);
    if (rc)
        return rc;
    struct attempt *a = attempt_new(store, now_ms);
    a->log.variant = v;
    a->log.state = investigation_new(v);
    uid_make(a->log.facts.uid);
    rc = copy_recording(a, supply_recording(supply), err);
    if (rc == 0)
        rc = begin(a, supply, seed & INT64_MAX, now_ms, err);
    if (rc) {
        attempt_free(a);
        return rc;
    }
    *out = a;
    return 0;
}

/* Of how many stories the floor was worked out rightly. Answers come newest first. */
static int floors_known(struct store *store)
{
    struct store_answer_filter all = {0};
    struct store_answer *rows = NULL;
    int n = 0, known = 0;
    if (!store || store_answers(store, &all, &rows, &n) != STORE_OK)
        return 0;
    for (int i = 0; i < n; i++) {
        const char *id = strchr(rows[i].item, '#');
        bool again = !id || !estimate_is_floor(id + 1) || strcmp(rows[i].how, "right") != 0;
        for (int k = 0; !again && k < i; k++)
            again = !strcmp(rows[k].item, rows[i].item) && !strcmp(rows[k].how, "right");
        known += !again;
    }
    free(rows);
    return known;
}

void attempt_leave_floor(struct attempt *a, int64_t now_ms)
{
    enum { ENOUGH = 2 };
    const struct estimate *floor = investigation_floor(a->log.state);
    struct move m = {.kind = MOVE_ESTIMATED, .left = LEFT_KNOWN};
    if (!floor || floors_known(a->store) < ENOUGH)
        return;
    snprintf(m.item, sizeof m.item, "%s", floor->id);
    attempt_move(a, &m, now_ms, NULL);
}

int attempt_resume(struct attempt **out, struct store *store, const char *uid, int64_t now_ms,
                   struct err *err)
{
    if (!store)
        return err_set(err, ERR_IO, "what was begun cannot go on here: progress cannot be written");
    struct attempt *a = attempt_new(store, now_ms);
    struct recording **all = NULL;
    int n = 0, rc = logged_load(&a->log, store, uid, err);
    if (rc == 0 && strcmp(a->log.state->tier, "live") != 0)
        rc = recordings_of(a->log.variant, &all, &n, err);
    if (rc) {
        attempt_free(a);
        return rc;
    }
    if (n > 0) { /* the copy holds one */
        a->recording = all[0];
        all[0] = NULL;
    }
    recordings_free(all, n);
    a->before_ms = a->log.state->elapsed_ms;
    *out = a;
    return 0;
}

void attempt_free(struct attempt *a)
{
    if (!a)
        return;
    while (a->waiting)
        drop_first(a);
    recording_free(a->recording);
    logged_free(&a->log);
    free(a);
}

const struct investigation *attempt_state(const struct attempt *a)
{
    return a->log.state;
}

const char *attempt_uid(const struct attempt *a)
{
    return a->log.facts.uid;
}

const struct variant *attempt_variant(const struct attempt *a)
{
    return a->log.variant;
}

const struct recording *attempt_recording(const struct attempt *a)
{
    return a->recording;
}

const struct debrief *attempt_debrief(const struct attempt *a)
{
    return a->log.debrief;
}

const struct evidence *attempt_all(const struct attempt *a)
{
    return a->log.all;
}

int attempt_reveal(struct attempt *a, const struct msg_device *device, struct evidence *all,
                   int64_t now_ms, struct err *err)
{
    struct debrief *d = mem_new(1, sizeof *d);
    struct move m = {.kind = MOVE_REVEALED};
    int rc = a->log.debrief ? err_set(err, ERR_BAD_REQUEST, "it was revealed already")
                            : debrief_make(d, a->log.state, device, all, err);
    if (rc == 0)
        rc = settle_beliefs(a, now_ms, err);
    if (rc) {
        free(d);
        evidence_free(all);
        return rc;
    }
    a->log.debrief = d;
    stamp(a, &m, now_ms);
    rc = apply(a, &m, NULL, "reveal", a->store ? reveal_encode(device, all) : NULL, err);
    if (rc) {
        a->log.debrief = NULL;
        free(d);
        evidence_free(all);
        return rc;
    }
    a->log.all = all;
    return 0;
}

/* ---- projections ---- */

static int project(struct store *store, const char *uid)
{
    struct logged l;
    if (logged_load(&l, store, uid,
                    NULL)) /* an attempt that cannot be read any more stays in the log */
        return STORE_OK;
    struct written *w = mem_new(1, sizeof *w);
    written_rows(w, &l.facts, l.state, l.debrief);
    struct store_change change = written_change(w);
    int rc = store_project(store, &change, uid);
    written_free(w);
    logged_free(&l);
    return rc;
}

int attempts_project(struct store *store)
{
    static const char prefix[] = "attempt:";
    char **streams = NULL;
    int n = 0, rc = store_streams(store, prefix, &streams, &n);
    for (int i = 0; rc == STORE_OK && i < n; i++)
        rc = project(store, streams[i] + strlen(prefix));
    store_streams_free(streams, n);
    return rc;
}

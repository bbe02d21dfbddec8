#include "drills/memory/review.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "db/items.h"
#include "db/moment.h"
#include "kernels/wire/hash.h"
#include "kernels/wire/text.h"
#include "scenarios/play/attempt.h"
#include "scenarios/play/attempt_log.h"

#define NEAR_ENOUGH 1.5
#define LATE 1.5
#define EARLY 0.5
#define NARROW 2.0 /* high / low of an interval that is as good as a number */
#define WIDE 10.0  /* one that says nothing */

enum { ITEM_BYTES = 122 }; /* a stream holds "item:" before it */

/* ---- what an answer means ---- */

static const char *const how_names[] = {
    [DRILL_SKIPPED] = "skipped",      [DRILL_UNREADABLE] = "unreadable",
    [DRILL_WRONG_UNIT] = "dimension", [DRILL_RIGHT] = "right",
    [DRILL_CLOSE] = "close",          [DRILL_SLIP] = "slip",
    [DRILL_WRONG] = "wrong",
};

static double width_of(const struct review *r)
{
    return r->confidence > 0 && r->low > 0 ? r->high / r->low : 1;
}

/* Correct in statistics. */
static bool is_correct(const struct review *r)
{
    if (r->self)
        return r->self > FSRS_AGAIN;
    return r->most != FSRS_AGAIN && r->how == DRILL_RIGHT && width_of(r) < WIDE;
}

static enum fsrs_grade grade_unseen(const struct review *r)
{
    bool near = fabs(r->log_error) <= log(NEAR_ENOUGH);
    if (r->self)
        return r->self;
    switch (r->how) {
    case DRILL_UNREADABLE:
    case DRILL_WRONG_UNIT:
        return 0;
    case DRILL_CLOSE:
        return near ? FSRS_HARD : FSRS_AGAIN;
    case DRILL_WRONG:
        return r->confidence > 0 && near ? FSRS_HARD : FSRS_AGAIN;
    case DRILL_RIGHT:
        if (width_of(r) > NARROW)
            return width_of(r) < WIDE ? FSRS_HARD : FSRS_AGAIN;
        if (r->hint || (r->allowed > 0 && r->seconds > LATE * r->allowed))
            return FSRS_HARD;
        return r->allowed > 0 && r->seconds <= EARLY * r->allowed ? FSRS_EASY : FSRS_GOOD;
    default:
        return FSRS_AGAIN;
    }
}

enum fsrs_grade review_grade(const struct review *r)
{
    enum fsrs_grade grade = grade_unseen(r);
    return !r->self && r->most && grade > r->most ? r->most : grade;
}

int review_card_seconds(enum card_kind kind)
{
    return kind == CARD_RECALL ? 40 : kind == CARD_CHOICE ? 20 : 15;
}

void review_of_drill(struct review *out, const struct drill_instance *i,
                     const struct drill_graded *g, const char *typed, bool hint, double seconds)
{
    *out = (struct review){.how = g->how,
                           .hint = hint,
                           .seconds = seconds,
                           .allowed = i->drill->seconds,
                           .log_error = g->log_error,
                           .given = typed,
                           .slip = g->slip,
                           .numbered = true,
                           .seed = i->seed,
                           .unit = i->drill->unit,
                           .value = g->value,
                           .truth = i->answer,
                           .low = g->low,
                           .high = g->high,
                           .confidence = g->interval ? g->confidence : 0};
    snprintf(out->item, sizeof out->item, "drill:%s", i->drill->full_id);
}

void review_of_card(struct review *out, const struct card *c, enum card_verdict verdict,
                    enum fsrs_grade self, const char *typed, double seconds)
{
    *out = (struct review){.how = verdict == CARD_RIGHT   ? DRILL_RIGHT
                                  : verdict == CARD_WRONG ? DRILL_WRONG
                                                          : DRILL_UNREADABLE,
                           .self = self,
                           .seconds = seconds,
                           .allowed = review_card_seconds(c->kind),
                           .given = typed,
                           .slip = ""};
    snprintf(out->item, sizeof out->item, "card:%s", c->full_id);
}

struct fsrs review_memory(const struct store_memory *m)
{
    return (struct fsrs){.phase = (enum fsrs_phase)m->phase,
                         .step = m->step,
                         .stability = m->stability,
                         .difficulty = m->difficulty,
                         .reviews = m->reviews,
                         .lapses = m->lapses};
}

/* The item after its review, which holds grade, day and time. */
static void fold(struct store_review *r, double retention)
{
    struct fsrs f = review_memory(&r->before);
    struct fsrs_settings settings = fsrs_default;
    int days = r->before.phase && r->day > r->before.seen_day ? r->day - r->before.seen_day : 0;
    settings.retention = retention;
    struct fsrs_due due = fsrs_review(&f, (enum fsrs_grade)r->grade, days, &settings);
    r->after.phase = f.phase;
    r->after.step = f.step;
    r->after.stability = f.stability;
    r->after.difficulty = f.difficulty;
    r->after.reviews = f.reviews;
    r->after.lapses = f.lapses;
    bool first = !r->before.phase || r->day != r->before.seen_day;
    r->after.days = r->before.days + first;
    r->after.days_right = r->before.days_right + (first && r->correct);
    r->after.first_day = r->before.phase ? r->before.first_day : r->day;
    r->after.seen_day = r->day;
    r->after.seen_ms = r->at_ms;
    r->after.due_day = r->day + due.days;
    r->after.due_ms = due.minutes ? r->at_ms + due.minutes * 60000LL : 0;
}

struct store_memory review_after(const struct store_memory *m, enum fsrs_grade grade, int64_t at_ms,
                                 double retention)
{
    struct store_review r = {.grade = (int)grade,
                             .at_ms = at_ms,
                             .day = store_day(at_ms),
                             .before = *m};
    fold(&r, retention);
    return r.after;
}

/* ---- events ---- */

/* Cut text may end inside a character. */
static void text_take(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%s", text);
    text_clean(out, strlen(out));
}

static void put_text(json_t *body, const char *key, const char *text)
{
    char kept[160];
    if (!text || !*text)
        return;
    text_take(kept, sizeof kept, text);
    json_object_set_new(body, key, json_string(kept));
}

static json_t *body_make(const struct review *r, enum fsrs_grade grade, double retention)
{
    json_t *body =
        json_pack("{s:i, s:b, s:f, s:s, s:f}", "grade", (int)grade, "correct", (int)is_correct(r),
                  "seconds", r->seconds, "model", FSRS_MODEL, "retention", retention);
    put_text(body, "answer", r->given);
    put_text(body, "slip", r->slip);
    if (r->hint)
        json_object_set_new(body, "hint", json_true());
    if (!r->numbered)
        return body;
    json_object_set_new(body, "how", json_string(how_names[r->how]));
    json_object_set_new(body, "allowed", json_real(r->allowed));
    json_object_set_new(body, "seed", json_integer((json_int_t)r->seed));
    json_object_set_new(body, "unit", json_string(r->unit ? r->unit : ""));
    json_object_set_new(body, "truth", json_real(r->truth));
    if (r->how != DRILL_SKIPPED) {
        json_object_set_new(body, "value", json_real(r->value));
        json_object_set_new(body, "log_error", json_real(r->log_error));
    }
    if (r->confidence > 0)
        json_object_update_new(body, json_pack("{s:f, s:f, s:f}", "low", r->low, "high", r->high,
                                               "confidence", r->confidence));
    return body;
}

/* What one event brings, the same when it happens and when the log is read again. */
struct brought {
    struct store_review review;
    struct store_answer answer; bool answered;
    double retention;
};

static const char *text_of(const json_t *body, const char *key)
{
    const char *text = json_string_value(json_object_get(body, key));
    return text ? text : "";
}

static double number_of(const json_t *body, const char *key)
{
    double value = json_number_value(json_object_get(body, key));
    return isfinite(value) ? value : 0;
}

static int64_t ms_of(double seconds)
{
    return seconds > 0 && seconds < 1e6 ? (int64_t)llround(seconds * 1e3) : 0;
}

static void read_review(struct store_review *r, const struct store_event *e, const json_t *body)
{
    *r = (struct store_review){.seq = e->seq,
                               .day = e->day,
                               .at_ms = e->at_ms,
                               .grade = (int)json_integer_value(json_object_get(body, "grade")),
                               .correct = json_is_true(json_object_get(body, "correct")),
                               .took_ms = ms_of(number_of(body, "seconds"))};
    snprintf(r->item, sizeof r->item, "%.122s", e->stream + strlen("item:"));
    text_take(r->given, sizeof r->given, text_of(body, "answer"));
    text_take(r->model, sizeof r->model, text_of(body, "model"));
    r->after.slip = *text_of(body, "slip") != '\0';
}

static void read_answer(struct store_answer *a, const struct store_event *e, const json_t *body)
{
    *a = (struct store_answer){.day = e->day,
                               .at_ms = e->at_ms,
                               .seed = json_integer_value(json_object_get(body, "seed")),
                               .readable = json_is_number(json_object_get(body, "value")),
                               .value = number_of(body, "value"),
                               .truth = number_of(body, "truth"),
                               .log_error = number_of(body, "log_error"),
                               .low = number_of(body, "low"),
                               .high = number_of(body, "high"),
                               .confidence = number_of(body, "confidence"),
                               .hint = json_is_true(json_object_get(body, "hint")),
                               .took_ms = ms_of(number_of(body, "seconds")),
                               .over_ms =
                                   ms_of(number_of(body, "seconds") - number_of(body, "allowed"))};
    snprintf(a->uid, sizeof a->uid, "%s", e->uid);
    snprintf(a->item, sizeof a->item, "%.122s", e->stream + strlen("item:"));
    text_take(a->given, sizeof a->given, text_of(body, "answer"));
    text_take(a->unit, sizeof a->unit, text_of(body, "unit"));
    text_take(a->slip, sizeof a->slip, text_of(body, "slip"));
    text_take(a->how, sizeof a->how, text_of(body, "how"));
}

/* false: the event is none of a review. */
static bool bring(struct brought *out, const struct store_event *e,
                  const struct store_memory *before)
{
    json_t *body = json_loads(e->body, 0, NULL);
    read_review(&out->review, e, body);
    out->answered = !strcmp(e->kind, "answered");
    if (out->answered)
        read_answer(&out->answer, e, body);
    double retention = number_of(body, "retention");
    bool good = out->review.grade >= FSRS_AGAIN && out->review.grade <= FSRS_EASY &&
                (out->answered || !strcmp(e->kind, "reviewed"));
    json_decref(body);
    out->review.before = *before;
    if (good)
        fold(&out->review,
             retention >= 0.7 && retention <= 0.99 ? retention : fsrs_default.retention);
    return good;
}

static struct store_change change_of(const struct brought *b)
{
    return (struct store_change){.review = &b->review,
                                 .answers = b->answered ? &b->answer : NULL,
                                 .n_answers = b->answered};
}

static int fail(struct store *store, int rc, struct err *err)
{
    return err_set(err, rc == STORE_BUSY ? ERR_BUSY : ERR_IO, "%s", store_message(store));
}

static struct store_event event_make(const char *item, const char *kind, const char *uid,
                                     int64_t at_ms, json_t *body)
{
    struct store_event e = {.version = 1,
                            .at_ms = at_ms,
                            .day = store_day(at_ms),
                            .actor = "self",
                            .audience = "all"};
    snprintf(e.uid, sizeof e.uid, "%.32s", uid);
    snprintf(e.stream, sizeof e.stream, "item:%.122s", item);
    snprintf(e.kind, sizeof e.kind, "%s", kind);
    e.body = json_dumps(body, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(body);
    return e;
}

static int write_event(struct store *store, struct store_event *e, struct err *err)
{
    struct store_item item;
    struct brought b;
    int rc = store_item_get(store, e->stream + strlen("item:"), &item);
    if (rc < 0)
        return fail(store, rc, err);
    if (!bring(&b, e, &item.memory))
        return err_set(err, ERR_INTERNAL, "a review without a grade");
    struct store_change change = change_of(&b);
    rc = store_append(store, e, NULL, 0, &change);
    return rc == STORE_OK ? 0 : fail(store, rc, err);
}

int review_write(struct store *store, const struct review *r, char uid[33], int64_t at_ms,
                 double retention, struct err *err)
{
    enum fsrs_grade grade = review_grade(r);
    if (grade == 0)
        return 0;
    if (strlen(r->item) > ITEM_BYTES)
        return err_set(err, ERR_TOO_LARGE, "%s: an item's name may have %d bytes", r->item,
                       ITEM_BYTES);
    if (!*uid)
        uid_make(uid);
    struct store_event e = event_make(r->item, r->numbered ? "answered" : "reviewed", uid, at_ms,
                                      body_make(r, grade, retention));
    int rc = e.body ? write_event(store, &e, err)
                    : err_set(err, ERR_INTERNAL, "a review that cannot be written as text");
    free(e.body);
    return rc ? rc : (int)grade;
}

/* ---- taking back ---- */

/* A uid that follows from another, so that doing the same twice stores it once. */
static void uid_derive(char out[33], const char *what, const char *uid)
{
    char hash[HASH_HEX], text[80];
    snprintf(text, sizeof text, "%s/%s", what, uid);
    hash_bytes(hash, text, strlen(text));
    snprintf(out, 33, "%.32s", hash);
}

int review_undo(struct store *store, const char *uid, int64_t at_ms, struct err *err)
{
    struct store_review r;
    char own[33];
    uid_derive(own, "undone", uid);
    int rc = store_has(store, own);
    if (rc != 0)
        return rc < 0 ? fail(store, rc, err) : 0;
    rc = store_review_get(store, uid, &r);
    if (rc <= 0)
        return rc < 0 ? fail(store, rc, err)
                      : err_set(err, ERR_MISSING, "there is no such review to take back");
    struct store_event e =
        event_make(r.item, "undone", own, at_ms, json_pack("{s:s}", "undone", uid));
    struct store_change change = {.undone = uid};
    rc = store_append(store, &e, NULL, 0, &change);
    free(e.body);
    return rc == STORE_OK ? 0 : fail(store, rc, err);
}

/* ---- causes ---- */

static enum fsrs_grade cause_grade(const struct store_attempt *a)
{
    if (a->cause_right != 1)
        return FSRS_AGAIN;
    return a->on_truth < 0.5 ? FSRS_HARD : a->on_truth <= 0.85 ? FSRS_GOOD : FSRS_EASY;
}

/* 1 when it was written. A cause that was never missed is no item, and an older look does not
 * review what was missed later. */
static int review_cause(struct store *store, const struct store_attempt *a, struct err *err)
{
    struct review r = {.self = cause_grade(a), .seconds = (double)a->elapsed_ms / 1e3};
    struct store_item item;
    char uid[33];
    int64_t end_ms = a->started_ms + a->elapsed_ms;
    if (strcmp(a->state, "revealed") || !a->counted || !*a->cause)
        return 0;
    uid_derive(uid, "cause", a->uid);
    snprintf(r.item, sizeof r.item, "cause:%s", a->cause);
    int has = store_has(store, uid), known = has ? 0 : store_item_get(store, r.item, &item);
    if (has < 0 || known < 0)
        return fail(store, has < 0 ? has : known, err);
    if (has || (r.self >= FSRS_GOOD && (!known || item.memory.seen_ms >= end_ms)))
        return 0;
    int rc = review_write(store, &r, uid, end_ms, fsrs_default.retention, err);
    return rc < 0 ? rc : 1;
}

int review_causes(struct store *store, struct err *err)
{
    struct store_attempt *attempts = NULL;
    int n = 0, written = 0;
    if (store_needs_rebuild(store))
        return 0;
    int rc = store_attempts(store, "revealed", 0, &attempts, &n);
    if (rc != STORE_OK)
        return fail(store, rc, err);
    for (int i = n - 1; i >= 0 && rc >= 0; i--) { /* they come newest first */
        rc = review_cause(store, &attempts[i], err);
        written += rc > 0;
    }
    free(attempts);
    return rc < 0 ? rc : written;
}

/* ---- the log read again ---- */

/* An undone event counts when what it names stands and is the newest: else it was refused when it
 * happened. */
static int project_undone(struct store *store, const struct store_event *e,
                          const struct store_memory *now)
{
    struct store_review r;
    json_t *body = json_loads(e->body, 0, NULL);
    char uid[33];
    snprintf(uid, sizeof uid, "%.32s", text_of(body, "undone"));
    json_decref(body);
    int rc = store_review_get(store, uid, &r);
    if (rc != 1 || r.seq != now->last)
        return rc < 0 ? rc : STORE_OK;
    struct store_change change = {.undone = uid};
    return store_project(store, &change, NULL);
}

/* Events that cannot be read stay in the log. */
static int project_event(struct store *store, const struct store_event *e)
{
    struct store_item item;
    struct brought b;
    int rc = store_item_get(store, e->stream + strlen("item:"), &item);
    if (rc < 0)
        return rc;
    if (!strcmp(e->kind, "undone"))
        return project_undone(store, e, &item.memory);
    if (!bring(&b, e, &item.memory))
        return STORE_OK;
    struct store_change change = change_of(&b);
    return store_project(store, &change, NULL);
}

static int project_stream(struct store *store, const char *stream)
{
    struct store_event *events = NULL;
    int n = 0, rc = store_events(store, stream, &events, &n);
    for (int i = 0; rc == STORE_OK && i < n; i++)
        rc = project_event(store, &events[i]);
    store_events_free(events, n);
    return rc;
}

static int project_items(struct store *store)
{
    char **streams = NULL;
    int n = 0, rc = store_streams(store, "item:", &streams, &n);
    for (int i = 0; rc == STORE_OK && i < n; i++)
        rc = project_stream(store, streams[i]);
    store_streams_free(streams, n);
    return rc;
}

int review_rebuild(struct store *store, struct err *err)
{
    return store_needs_rebuild(store) ? review_rebuild_now(store, err) : 0;
}

int review_rebuild_now(struct store *store, struct err *err)
{
    int rc = store_rebuild_begin(store);
    if (rc == STORE_OK) {
        rc = attempts_project(store);
        if (rc == STORE_OK)
            rc = project_items(store);
        int ended = store_rebuild_end(store, rc == STORE_OK);
        rc = rc == STORE_OK ? ended : rc;
    }
    return rc == STORE_OK ? 0
                          : err_set(err, rc == STORE_BUSY ? ERR_BUSY : ERR_IO,
                                    "history cannot be rebuilt: %s", store_message(store));
}

#include "drills/progress/sitting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/items.h"
#include "drills/question/choice.h"
#include "kernels/wire/text.h"

enum { RETRY_MS = 200, LAST_TRIES = 10, OF_A_TOPIC = 10 };

/* ---- the plan ---- */

bool sitting_wants(const struct sitting *s, const struct queue_entry *e)
{
    const struct queue_item *item = &s->items[e->item];
    return (s->kinds >> item->kind & 1) && (!*s->topic || !strcmp(item->topic, s->topic));
}

bool sitting_answered(const struct sitting *s, const char *id, int n)
{
    for (int i = 0; i < n; i++)
        if (s->answers[i].counted && !strcmp(s->answers[i].item, id))
            return true;
    return false;
}

static bool answered(const struct sitting *s, const char *id)
{
    return sitting_answered(s, id, s->n_answers);
}

int sitting_look(struct sitting *s, const struct sitting_given *given, struct err *err)
{
    free(s->items);
    queue_free(&s->queue);
    s->settings = given->settings;
    int rc = queue_load(&s->items, &s->n_items, given->library, given->store, given->gpu, err);
    queue_settings_begin(&s->settings, s->items, s->n_items);
    /* Memory does not change without a store, which is why an answered item is put aside here. */
    for (int i = 0; !given->store && i < s->n_items; i++)
        if (answered(s, s->items[i].id))
            s->items[i].absent = "answered in this sitting";
    queue_build(&s->queue, s->items, s->n_items, &s->settings);
    return rc;
}

static void plan_add(struct sitting *s, int item)
{
    char *at = s->plan[s->n_plan++];
    snprintf(at, sizeof s->plan[0], "%s", s->items[item].id);
}

/* With room for one that leads. */
static void plan_all(struct sitting *s)
{
    s->plan = mem_new((size_t)s->queue.n_now + 1, sizeof *s->plan);
    for (int i = 0; i < s->queue.n_now; i++)
        if (sitting_wants(s, &s->queue.entries[i]))
            plan_add(s, s->queue.entries[i].item);
}

enum rank { RANK_DUE, RANK_NEW, RANK_NOT_DUE, RANKS, NEVER_ASKED = RANKS };

static enum rank rank_of(const struct sitting *s, const struct queue_entry *e)
{
    if (e->place == QUEUE_ABSENT || !sitting_wants(s, e))
        return NEVER_ASKED;
    if (!s->items[e->item].memory.seen_ms)
        return RANK_NEW;
    return e->place == QUEUE_NOW || e->place == QUEUE_HELD ? RANK_DUE : RANK_NOT_DUE;
}

/* The queue's order holds, but for those not due, which come by chance. */
static void plan_rank(struct sitting *s, enum rank rank, uint64_t seed)
{
    int *found = mem_new((size_t)s->queue.n + 1, sizeof *found), n = 0;
    for (int i = 0; i < s->queue.n; i++)
        if (rank_of(s, &s->queue.entries[i]) == rank)
            found[n++] = s->queue.entries[i].item;
    if (rank == RANK_NOT_DUE)
        choice_deal(found, n, seed);
    for (int i = 0; i < n && s->n_plan < OF_A_TOPIC; i++)
        plan_add(s, found[i]);
    free(found);
}

static void plan_topic(struct sitting *s, uint64_t seed)
{
    s->plan = mem_new(OF_A_TOPIC, sizeof *s->plan);
    for (int rank = RANK_DUE; rank < RANKS; rank++)
        plan_rank(s, (enum rank)rank, seed);
}

int sitting_open(struct sitting *s, const struct sitting_given *given, unsigned kinds,
                 const char *topic, uint64_t seed, struct err *err)
{
    *s = (struct sitting){.kinds = kinds};
    snprintf(s->topic, sizeof s->topic, "%s", topic);
    int rc = sitting_look(s, given, err);
    if (*topic)
        plan_topic(s, seed);
    else
        plan_all(s);
    return rc;
}

/* ---- what is asked ---- */

static struct queue_entry *entry_of(const struct sitting *s, const char *id)
{
    for (int i = 0; i < s->queue.n; i++)
        if (!strcmp(s->items[s->queue.entries[i].item].id, id))
            return &s->queue.entries[i];
    return NULL;
}

/* An item comes again when it was answered in this sitting and its minutes are over. */
static bool comes_again(const struct sitting *s, const struct queue_entry *e)
{
    const struct queue_item *item = &s->items[e->item];
    return e->place == QUEUE_NOW && sitting_wants(s, e) && item->memory.due_ms &&
           answered(s, item->id);
}

const struct queue_item *sitting_next(const struct sitting *s, const struct queue_entry **entry)
{
    for (int i = 0; i < s->queue.n_now; i++)
        if (comes_again(s, &s->queue.entries[i])) {
            *entry = &s->queue.entries[i];
            return &s->items[(*entry)->item];
        }
    for (int i = 0; i < s->n_plan; i++) {
        *entry = answered(s, s->plan[i]) ? NULL : entry_of(s, s->plan[i]);
        if (*entry && (*entry)->place != QUEUE_ABSENT)
            return &s->items[(*entry)->item];
    }
    *entry = NULL;
    return NULL;
}

const struct queue_item *sitting_more(const struct sitting *s)
{
    static const enum queue_place places[] = {QUEUE_NOW, QUEUE_SOON, QUEUE_HELD, QUEUE_UNSEEN};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (int i = 0; i < s->queue.n; i++) {
            const struct queue_entry *e = &s->queue.entries[i];
            if (e->place == places[p] && sitting_wants(s, e))
                return &s->items[e->item];
        }
    return NULL;
}

void sitting_lead(struct sitting *s, const char *id)
{
    int at = 0;
    while (at < s->n_plan && strcmp(s->plan[at], id))
        at++;
    s->n_plan += at == s->n_plan;
    memmove(s->plan + 1, s->plan, (size_t)at * sizeof *s->plan);
    snprintf(s->plan[0], sizeof s->plan[0], "%s", id);
}

void sitting_skip(struct sitting *s, const char *id)
{
    struct queue_entry *e = entry_of(s, id);
    if (e)
        e->place = QUEUE_ABSENT;
    for (int i = 0; i < s->n_plan; i++)
        if (!strcmp(s->plan[i], id))
            s->plan[i][0] = '\0';
}

/* ---- what was seen before ---- */

static struct seen *find_seen(const struct sitting *s, const char *item)
{
    for (int i = 0; i < s->n_seen; i++)
        if (!strcmp(s->seen[i].item, item))
            return &s->seen[i];
    return NULL;
}

static void remember_seen(struct sitting *s, const struct sitting_answer *a)
{
    struct seen *seen = find_seen(s, a->item);
    if (!seen) {
        s->seen = mem_grow(s->seen, (size_t)s->n_seen + 1, sizeof *s->seen);
        seen = &s->seen[s->n_seen++];
        snprintf(seen->item, sizeof seen->item, "%s", a->item);
        seen->most = (enum fsrs_grade)a->grade;
    }
    if ((int)seen->most > a->grade)
        seen->most = (enum fsrs_grade)a->grade;
}

/* The answer after a taken back one: a grade alone, no number for calibration. */
static void cap_seen(struct sitting *s, struct sitting_answer *a)
{
    struct review *r = &a->review;
    struct seen *seen = find_seen(s, a->item);
    enum fsrs_grade unseen = review_grade(r);
    if (!seen || unseen == 0)
        return;
    r->most = seen->most;
    *seen = s->seen[--s->n_seen];
    a->seen = review_grade(r) < unseen;
    if (!a->seen)
        return;
    r->numbered = a->factor = false;
    a->points = 0;
}

/* ---- what is answered ---- */

static struct sitting_answer *push(struct sitting *s, const struct sitting_answer *answer)
{
    if (s->n_answers == s->room) {
        s->room = s->room ? 2 * s->room : 16;
        s->answers = mem_grow(s->answers, (size_t)s->room, sizeof *s->answers);
    }
    struct sitting_answer *a = &s->answers[s->n_answers++];
    *a = *answer;
    a->typed = text_dup(answer->typed ? answer->typed : "");
    return a;
}

void sitting_when(const struct sitting *s, const struct queue_item *item,
                  const struct store_memory *m, char *out, size_t size)
{
    struct queue_item it = *item;
    int seen = 0;
    it.memory = *m;
    if (m->due_ms) {
        snprintf(out, size, "in %d min", queue_minutes(m->due_ms - m->seen_ms));
        return;
    }
    for (int i = 0; i < s->n_items; i++)
        seen += s->items[i].memory.phase != 0;
    int day = queue_comes_back(&it, &s->settings, seen), days = day - s->settings.today;
    if (day == 0)
        snprintf(out, size, "not before the interview");
    else if (days <= 1)
        snprintf(out, size, "tomorrow");
    else
        snprintf(out, size, "in %d days", days);
}

/* The review's texts are the answer's, which may have moved. */
static int write_one(struct sitting *s, struct store *store, int64_t now_ms,
                     struct sitting_answer *a, struct err *err)
{
    struct store_item now;
    a->review.given = a->typed;
    a->review.slip = a->slip;
    int rc = review_write(store, &a->review, a->uid, now_ms, s->settings.retention, err);
    if (rc < 0)
        return rc;
    const struct queue_item *item = queue_find(s->items, s->n_items, a->item);
    if (item && store_item_get(store, a->item, &now) == 1)
        sitting_when(s, item, &now.memory, a->next, sizeof a->next);
    return 0;
}

/* A store that is busy or cannot be written now may be written later. */
static bool may_pass(int code)
{
    return code == ERR_BUSY || code == ERR_IO;
}

static void not_kept(struct sitting_answer *a)
{
    snprintf(a->next, sizeof a->next, "not kept");
    a->uid[0] = '\0';
}

/* Keeps what waits, in order; stops at the first that has to wait on. */
static int write_waiting(struct sitting *s, struct store *store, int64_t now_ms, struct err *err)
{
    int result = 0;
    for (; s->n_settled < s->n_answers; s->n_settled++) {
        struct sitting_answer *a = &s->answers[s->n_settled];
        int rc = a->counted && store ? write_one(s, store, now_ms, a, err) : 0;
        if (may_pass(rc))
            return rc;
        if (rc < 0)
            result = rc;
        if (a->counted && (rc < 0 || !store))
            not_kept(a);
    }
    return result;
}

int sitting_answer(struct sitting *s, struct store *store, int64_t now_ms,
                   const struct sitting_answer *answer, const struct review *r, struct err *err)
{
    struct sitting_answer *a = push(s, answer);
    a->counted = true;
    a->review = *r;
    cap_seen(s, a);
    a->grade = (int)review_grade(&a->review);
    return write_waiting(s, store, now_ms, err);
}

void sitting_answer_uncounted(struct sitting *s, const struct sitting_answer *answer)
{
    struct sitting_answer *a = push(s, answer);
    a->counted = false;
    snprintf(a->next, sizeof a->next, "not counted");
    if (s->n_settled == s->n_answers - 1)
        s->n_settled = s->n_answers;
}

bool sitting_retry(struct sitting *s, struct store *store, int64_t now_ms)
{
    return s->n_settled < s->n_answers && write_waiting(s, store, now_ms, NULL) == 0;
}

int sitting_due_ms(const struct sitting *s)
{
    return s->n_settled < s->n_answers ? RETRY_MS : -1;
}

int sitting_undo(struct sitting *s, struct store *store, int64_t now_ms,
                 struct sitting_answer *out, struct err *err)
{
    if (s->n_answers == 0)
        return 0;
    const struct sitting_answer *a = &s->answers[s->n_answers - 1];
    bool kept = a->counted && s->n_settled == s->n_answers && *a->uid;
    int rc = kept && store ? review_undo(store, a->uid, now_ms, err) : 0;
    if (rc != 0)
        return rc;
    *out = *a;
    s->n_answers--;
    if (s->n_settled > s->n_answers)
        s->n_settled = s->n_answers;
    if (a->counted)
        remember_seen(s, a);
    return 1;
}

void sitting_close(struct sitting *s, struct store *store, int64_t now_ms)
{
    /* Each try waits for the lock as long as the store was told to. */
    for (int k = 0; sitting_due_ms(s) >= 0 && k < LAST_TRIES; k++)
        sitting_retry(s, store, now_ms);
    for (int i = 0; i < s->n_answers; i++)
        free(s->answers[i].typed);
    free(s->answers);
    free(s->items);
    free(s->plan);
    free(s->seen);
    queue_free(&s->queue);
    *s = (struct sitting){0};
}

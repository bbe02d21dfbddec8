#include "drills/memory/queue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/memory/review.h"
#include "kernels/wire/text.h"

const struct queue_settings queue_default = {.retention = 0.9,
                                             .new_cards = 15,
                                             .new_drills = 5,
                                             .most_reviews = 200};

enum { RISING_DAYS = 30, LAST_DAYS = 7, NOTHING_NEW = 2, WINDOW = 12, MANY_DAYS = 36500 };
#define RETENTION_LAST 0.97
#define LAST_LOAD 0.7 /* of the day's reviews, that the last looks may take */

int queue_weight(const char *topic)
{
    static const struct { const char *topic; int weight;
    } table[] = {
        {"roofline", 3},    {"inference", 3}, {"memory", 3},  {"kernels", 3}, {"measurement", 3},
        {"collectives", 2}, {"training", 2},  {"silicon", 2}, {"formats", 2}, {"system", 2},
        {"moe", 1},         {"pipeline", 1},  {"cost", 1},    {"machine", 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].topic, topic))
            return table[i].weight;
    return 2;
}

/* The same on every machine, and different for each day where a day is given (FNV-1a, then mixed).
 */
static uint64_t hash_of(const char *id, int day)
{
    uint64_t h = 0xcbf29ce484222325u ^ (uint64_t)(unsigned)day;
    for (; *id; id++)
        h = (h ^ (unsigned char)*id) * 0x100000001b3u;
    h = (h ^ (h >> 31)) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
}

/* ---- when one item is due ---- */

static bool is_before_interview(const struct queue_settings *s)
{
    return s->interview > s->today;
}

int queue_last_days(const struct queue_settings *s, int n_seen)
{
    double a_day = fmax(1, LAST_LOAD * s->most_reviews);
    int days = (int)ceil(n_seen / a_day);
    return s->interview - (days > LAST_DAYS ? days : LAST_DAYS);
}

static double retention_now(const struct queue_settings *s)
{
    int left = s->interview - s->today;
    if (!is_before_interview(s) || left >= RISING_DAYS || s->retention >= RETENTION_LAST)
        return s->retention;
    return RETENTION_LAST - (RETENTION_LAST - s->retention) * left / RISING_DAYS;
}

int queue_due_day(const struct queue_item *item, const struct queue_settings *s, int n_seen,
                  enum queue_reason *why)
{
    const struct store_memory *m = &item->memory;
    int due = m->due_day, first = queue_last_days(s, n_seen);
    double retention = retention_now(s);
    *why = m->slip ? WHY_SLIP : WHY_DUE;
    if (m->due_ms || !is_before_interview(s))
        return due;
    if (retention > s->retention) {
        int sooner = m->seen_day + fsrs_interval(m->stability, retention, MANY_DAYS);
        if (sooner < due) {
            due = sooner;
            *why = m->slip ? WHY_SLIP : WHY_SOONER;
        }
    }
    if (m->seen_day < first) {
        int last = first + (int)(hash_of(item->id, 0) % (uint64_t)(s->interview - first));
        if (last < due) {
            due = last;
            *why = WHY_LAST_LOOK;
        }
    } else if (due >= s->interview) {
        due = 0;
        *why = WHY_NOT_AFTER;
    }
    return due;
}

int queue_comes_back(const struct queue_item *item, const struct queue_settings *s, int n_seen)
{
    struct queue_settings then = *s;
    enum queue_reason why;
    int due = queue_due_day(item, s, n_seen, &why);
    for (then.today++; is_before_interview(s) && then.today < due; then.today++) {
        int sooner = queue_due_day(item, &then, n_seen, &why);
        if (sooner > 0 && sooner <= then.today)
            return then.today;
    }
    return due;
}

/* ---- building ---- */

struct ranked { struct queue_entry entry; double key; uint64_t tie; };

struct list { struct ranked *at; int n; };

struct work {
    const struct queue_item *items; int n;
    const struct queue_settings *settings;
    int n_seen, done_reviews, done_new[QUEUE_KINDS], unseen[QUEUE_KINDS];
    struct list slip, step, due, fresh, soon, held, waiting, unseen_list, absent;
};

static void list_add(struct list *l, const struct work *w, struct queue_entry e, double key)
{
    l->at[l->n++] = (struct ranked){e, key, hash_of(w->items[e.item].id, w->settings->today)};
}

static int by_key(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->tie != y->tie)
        return x->tie < y->tie ? -1 : 1;
    return x->entry.item - y->entry.item;
}

static void list_sort(struct list *l)
{
    qsort(l->at, (size_t)l->n, sizeof *l->at, by_key);
}

static void count(struct work *w)
{
    for (int i = 0; i < w->n; i++) {
        const struct queue_item *it = &w->items[i];
        const struct store_memory *m = &it->memory;
        w->n_seen += m->phase != 0 && !it->absent;
        w->unseen[it->kind] += m->phase == 0 && !it->absent;
        w->done_new[it->kind] += m->phase != 0 && m->first_day == w->settings->today;
        w->done_reviews +=
            m->phase != 0 && m->first_day < w->settings->today && m->seen_day == w->settings->today;
    }
}

static double recall_of(const struct queue_item *it, const struct queue_settings *s)
{
    struct fsrs f = review_memory(&it->memory);
    return fsrs_recall(&f, s->today > it->memory.seen_day ? s->today - it->memory.seen_day : 0);
}

/* A step in minutes that was left on an earlier day is due now. */
static void sort_step(struct work *w, struct queue_entry e, const struct store_memory *m)
{
    bool now = m->due_ms <= w->settings->now_ms || m->seen_day < w->settings->today;
    e.reason = m->slip && now ? WHY_SLIP : WHY_STEP;
    e.place = now ? QUEUE_NOW : QUEUE_SOON;
    list_add(!now ? &w->soon : m->slip ? &w->slip : &w->step, w, e, (double)m->due_ms);
}

static void sort_seen(struct work *w, struct queue_entry e, const struct queue_item *it)
{
    e.recall = recall_of(it, w->settings);
    if (it->memory.due_ms) {
        e.day = it->memory.due_day;
        sort_step(w, e, &it->memory);
        return;
    }
    e.day = queue_due_day(it, w->settings, w->n_seen, &e.reason);
    if (e.day && e.day <= it->memory.seen_day)
        e.day = it->memory.seen_day + 1;
    if (e.day == 0 || e.day > w->settings->today) {
        e.place = QUEUE_WAITING;
        list_add(&w->waiting, w, e, e.day ? e.day : 1e9);
        return;
    }
    e.place = QUEUE_NOW;
    bool again = is_before_interview(w->settings) &&
                 it->memory.seen_day >= queue_last_days(w->settings, w->n_seen);
    list_add(e.reason == WHY_SLIP ? &w->slip : &w->due, w, e,
             e.recall + again); /* first looks of the last days before second ones */
}

static void sort_out(struct work *w)
{
    for (int i = 0; i < w->n; i++) {
        const struct queue_item *it = &w->items[i];
        struct queue_entry e = {.item = i, .place = QUEUE_UNSEEN};
        if (it->absent) {
            e.place = QUEUE_ABSENT;
            e.reason = WHY_ABSENT;
            list_add(&w->absent, w, e, i);
        } else if (it->memory.phase) {
            sort_seen(w, e, it);
        } else {
            list_add(&w->unseen_list, w, e, i);
        }
    }
}

/* What is nearest to being forgotten stays; what passes the day's reviews is held. */
static void cap_reviews(struct work *w)
{
    int room = w->settings->most_reviews - w->done_reviews;
    int keep = room < 0 ? 0 : w->due.n < room ? w->due.n : room;
    list_sort(&w->due);
    for (int i = keep; i < w->due.n; i++) {
        struct queue_entry e = w->due.at[i].entry;
        e.place = QUEUE_HELD;
        e.reason = WHY_CAP;
        list_add(&w->held, w, e, w->due.at[i].key);
    }
    w->due.n = keep;
}

/* ---- what is new ---- */

enum { TOPICS = 64 };
struct fairness { const char *topic[TOPICS]; int taken[TOPICS], n; };

static int topic_index(struct fairness *f, const char *topic)
{
    for (int i = 0; i < f->n; i++)
        if (!strcmp(f->topic[i], topic))
            return i;
    if (f->n == TOPICS)
        return TOPICS - 1;
    f->topic[f->n] = topic;
    f->taken[f->n] = 0;
    return f->n++;
}

static bool is_short(const struct work *w, enum queue_kind kind, int a_day)
{
    int left = w->settings->interview - w->settings->today - NOTHING_NEW;
    return is_before_interview(w->settings) && w->unseen[kind] > a_day * left;
}

/* Less comes first: the lowest level, topics in turn, content's order; when time is short what is
 * asked most. */
static double new_key(const struct queue_item *it, int taken, bool hurry)
{
    int weight = queue_weight(it->topic);
    return hurry ? (double)(taken + 1) / weight + it->level * 0.01
                 : it->level * 100 + taken - 0.1 * weight;
}

/* Moves at most `most` of a kind from unseen to fresh. */
static void take_new(struct work *w, enum queue_kind kind, int a_day)
{
    struct list *from = &w->unseen_list;
    struct fairness fair = {.n = 0};
    bool hurry = is_short(w, kind, a_day);
    int *topic = mem_new((size_t)from->n + 1, sizeof *topic);
    for (int i = 0; i < from->n; i++)
        topic[i] = topic_index(&fair, w->items[from->at[i].entry.item].topic);
    for (int room = a_day - w->done_new[kind]; room > 0; room--) {
        int best = -1;
        double least = 0;
        for (int i = 0; i < from->n; i++) {
            const struct queue_item *it = &w->items[from->at[i].entry.item];
            double key = new_key(it, fair.taken[topic[i]], hurry);
            if (it->kind == kind && from->at[i].entry.place == QUEUE_UNSEEN &&
                (best < 0 || key < least)) {
                best = i;
                least = key;
            }
        }
        if (best < 0)
            break;
        fair.taken[topic[best]]++;
        struct queue_entry *e = &from->at[best].entry;
        e->place = QUEUE_NOW;
        e->reason = hurry ? WHY_NEW_ASKED : WHY_NEW;
        list_add(&w->fresh, w, *e, w->fresh.n);
    }
    free(topic);
}

static void choose_new(struct work *w)
{
    struct list *l = &w->unseen_list;
    int left = w->settings->interview - w->settings->today, kept = 0;
    bool too_late = is_before_interview(w->settings) && left <= NOTHING_NEW;
    if (!too_late) {
        take_new(w, QUEUE_DRILL, w->settings->new_drills);
        take_new(w, QUEUE_CARD, w->settings->new_cards);
    }
    for (int i = 0; i < l->n; i++) {
        l->at[i].entry.reason = too_late ? WHY_NEW_TOO_LATE : WHY_NEW_TOMORROW;
        if (l->at[i].entry.place == QUEUE_UNSEEN)
            l->at[kept++] = l->at[i];
    }
    l->n = kept;
}

/* ---- order ---- */

/* From the next few, the first that shares neither topic nor kind with the one before, else the one
 * that shares least. */
static void interleave(const struct work *w, struct ranked *at, int n,
                       const struct queue_item *before)
{
    for (int i = 0; i < n; i++) {
        int best = i, least = 4;
        for (int j = i; j < n && j < i + WINDOW && least > 0; j++) {
            const struct queue_item *it = &w->items[at[j].entry.item];
            int cost =
                before ? 2 * !strcmp(it->topic, before->topic) + (it->kind == before->kind) : 0;
            if (cost < least) {
                least = cost;
                best = j;
            }
        }
        struct ranked chosen = at[best];
        memmove(&at[i + 1], &at[i], (size_t)(best - i) * sizeof *at);
        at[i] = chosen;
        before = &w->items[chosen.entry.item];
    }
}

/* Spreads the new evenly among the reviews. */
static int merge(struct ranked *out, const struct list *due, const struct list *fresh)
{
    int n = 0, d = 0, f = 0, all = due->n + fresh->n;
    while (n < all) {
        bool is_new = f < fresh->n && (d == due->n || (f + 1) * (int64_t)(due->n + 1) <=
                                                          (int64_t)(d + 1) * (fresh->n + 1));
        out[n++] = is_new ? fresh->at[f++] : due->at[d++];
    }
    return n;
}

static void put(struct queue *q, const struct list *l)
{
    for (int i = 0; i < l->n; i++)
        q->entries[q->n++] = l->at[i].entry;
}

static void put_now(struct queue *q, struct work *w)
{
    struct ranked *mixed = mem_new((size_t)(w->due.n + w->fresh.n) + 1, sizeof *mixed);
    struct list rest = {mixed, merge(mixed, &w->due, &w->fresh)};
    list_sort(&w->slip);
    list_sort(&w->step);
    put(q, &w->slip);
    put(q, &w->step);
    interleave(w, rest.at, rest.n, q->n ? &w->items[q->entries[q->n - 1].item] : NULL);
    put(q, &rest);
    q->n_now = q->n;
    free(mixed);
}

static void sum_up(struct queue *q, const struct work *w)
{
    for (int i = 0; i < q->n; i++) {
        const struct queue_entry *e = &q->entries[i];
        const struct queue_item *it = &w->items[e->item];
        struct queue_sum *s = &q->sum[it->kind];
        bool now = e->place == QUEUE_NOW,
             first_by_scenario =
                 it->kind == QUEUE_CAUSE && it->memory.reviews < 2; /* the one that missed it */
        bool done = it->memory.phase != 0 && it->memory.seen_day == w->settings->today &&
                    !first_by_scenario;
        s->now += now;
        s->slips += now && e->reason == WHY_SLIP;
        s->fresh += now && it->memory.phase == 0;
        s->seconds += now ? it->seconds : 0;
        s->soon += e->place == QUEUE_SOON;
        s->held += e->place == QUEUE_HELD;
        s->unseen += it->memory.phase == 0 && !it->absent;
        s->done += done;
        s->again += now && done;
    }
}

void queue_build(struct queue *out, const struct queue_item *items, int n,
                 const struct queue_settings *settings)
{
    struct work w = {.items = items, .n = n, .settings = settings};
    struct list *lists[] = {&w.slip, &w.step,    &w.due,         &w.fresh, &w.soon,
                            &w.held, &w.waiting, &w.unseen_list, &w.absent};
    enum { LISTS = sizeof lists / sizeof *lists };
    struct ranked *memory = mem_new((size_t)n * LISTS + 1, sizeof *memory);
    for (int l = 0; l < LISTS; l++)
        lists[l]->at = memory + (size_t)n * (size_t)l;
    *out = (struct queue){.entries = mem_new((size_t)n + 1, sizeof *out->entries)};
    count(&w);
    sort_out(&w);
    cap_reviews(&w);
    choose_new(&w);
    put_now(out, &w);
    list_sort(&w.soon);
    list_sort(&w.waiting);
    put(out, &w.soon);
    put(out, &w.held);
    put(out, &w.waiting);
    put(out, &w.unseen_list);
    put(out, &w.absent);
    sum_up(out, &w);
    free(memory);
}

struct queue_sum queue_cards(const struct queue *q)
{
    const struct queue_sum *a = &q->sum[QUEUE_CARD], *b = &q->sum[QUEUE_CAUSE];
    return (struct queue_sum){a->now + b->now,   a->slips + b->slips, a->fresh + b->fresh,
                              a->soon + b->soon, a->held + b->held,   a->unseen + b->unseen,
                              a->done + b->done, a->again + b->again, a->seconds + b->seconds};
}

void queue_free(struct queue *q)
{
    free(q->entries);
    *q = (struct queue){0};
}

/* ---- why ---- */

static const char *days_text(char *out, size_t size, int days)
{
    snprintf(out, size,
             days == 0    ? "today"
             : days == 1  ? "tomorrow"
             : days == -1 ? "yesterday"
             : days < 0   ? "%d days ago"
                          : "in %d days",
             abs(days));
    return out;
}

int queue_minutes(int64_t ms)
{
    enum { MINUTE_MS = 60000 };
    return (int)((ms + MINUTE_MS - 1) / MINUTE_MS);
}

static void why_due(char *out, size_t size, const struct queue_entry *e, const char *when)
{
    if (e->place == QUEUE_WAITING)
        snprintf(out, size, "due %s", when);
    else
        snprintf(out, size, "due %s, %.0f %% likely to be recalled", when, 100 * e->recall);
}

void queue_why(char *out, size_t size, const struct queue_entry *e, const struct queue_item *items,
               const struct queue_settings *s)
{
    const struct queue_item *it = &items[e->item];
    char when[32], until[32];
    int left = s->interview - s->today;
    days_text(when, sizeof when, e->day - s->today);
    switch (e->reason) {
    case WHY_STEP: {
        int64_t wait = it->memory.due_ms - s->now_ms;
        if (e->place == QUEUE_NOW)
            snprintf(out, size, "still being learned: its next look is now");
        else
            snprintf(out, size, "still being learned: again in %d min", queue_minutes(wait));
        break;
    }
    case WHY_SLIP:
        snprintf(out, size,
                 e->place == QUEUE_WAITING ? "the last answer was a slip: due %s"
                                           : "the last answer was a slip: due %s, slips first",
                 when);
        break;
    case WHY_DUE: why_due(out, size, e, when); break;
    case WHY_SOONER:
        snprintf(out, size, "brought forward to %s: the interview is %s", when,
                 days_text(until, sizeof until, left));
        break;
    case WHY_LAST_LOOK: snprintf(out, size, "a last look before the interview, %s", when); break;
    case WHY_NEW:
        snprintf(out, size, it->kind == QUEUE_DRILL ? "new: %s, level %d" : "new: %s", it->topic,
                 it->level);
        break;
    case WHY_NEW_ASKED:
        snprintf(out, size, "new, and asked in interviews: too few days are left for all, %d", left);
        break;
    case WHY_CAP:
        snprintf(out, size, "due %s; today's %d reviews go to what is nearer to being forgotten",
                 when, s->most_reviews);
        break;
    case WHY_NOT_AFTER:
        snprintf(out, size, "seen in the last days; nothing more before the interview");
        break;
    case WHY_NEW_TOMORROW: snprintf(out, size, "not seen yet; today's new ones are chosen"); break;
    case WHY_NEW_TOO_LATE:
        snprintf(out, size, "not seen yet; nothing new in the last days before the interview");
        break;
    default: snprintf(out, size, "%s", it->absent ? it->absent : ""); break;
    }
}

#include "drills/memory/forecast.h"

#include <stdlib.h>
#include <string.h>

#include "drills/memory/review.h"
#include "kernels/wire/text.h"

enum { FREE_DAYS = 30, WRONG_EVERY = 10, TRIES_MOST = 4, NEEDED_TRIES = 6, NEEDED_MOST = 1000 };
#define DAY_MS 86400000LL

static void answer(struct queue_item *it, int day, bool right)
{
    struct store_memory *m = &it->memory;
    struct fsrs f = review_memory(m);
    struct fsrs_due due = fsrs_review(&f, right ? FSRS_GOOD : FSRS_AGAIN,
                                      m->phase ? day - m->seen_day : 0, &fsrs_default);
    m->first_day = m->phase ? m->first_day : day;
    m->phase = (int)f.phase;
    m->step = f.step;
    m->stability = f.stability;
    m->difficulty = f.difficulty;
    m->reviews = f.reviews;
    m->lapses = f.lapses;
    m->seen_day = day;
    m->due_day = day + due.days;
    m->due_ms = due.minutes ? 1 : 0; /* at once: the minutes pass */
    m->slip = false;
}

/* One day: the list, and what comes back of it the same day. */
static void play_day(struct forecast *out, struct queue_item *items, int n,
                     const struct queue_settings *s, unsigned *answers)
{
    struct queue q;
    for (int round = 0; round < TRIES_MOST; round++) {
        queue_build(&q, items, n, s);
        for (int k = 0; k < QUEUE_KINDS; k++)
            out->seconds += q.sum[k].seconds;
        if (round == 0)
            out->items += q.n_now;
        int now = q.n_now;
        for (int i = 0; i < now; i++)
            answer(&items[q.entries[i].item], s->today, ++*answers % WRONG_EVERY != 0);
        queue_free(&q);
        if (now == 0)
            break;
    }
}

void forecast_make(struct forecast *out, const struct queue_item *items, int n,
                   const struct queue_settings *settings)
{
    struct queue_settings s = *settings;
    struct queue_item *copy = mem_new((size_t)n + 1, sizeof *copy);
    unsigned answers = 0;
    if (n > 0)
        memcpy(copy, items, (size_t)n * sizeof *copy);
    *out = (struct forecast){
        .days = s.interview > 0 && s.interview >= s.today ? s.interview - s.today : FREE_DAYS};
    if (out->days > FORECAST_DAYS)
        out->days = FORECAST_DAYS;
    for (int day = 0; day < out->days; day++, s.today++, s.now_ms += DAY_MS)
        play_day(out, copy, n, &s, &answers);
    for (int i = 0; i < n; i++)
        if (copy[i].memory.phase == 0 && !copy[i].absent && copy[i].kind != QUEUE_CAUSE) {
            out->unseen++;
            out->unseen_drills += copy[i].kind == QUEUE_DRILL;
        }
    if (out->days > 0) {
        out->items /= out->days;
        out->seconds /= out->days;
    }
    free(copy);
}

static int raised(int a_day, int unseen, int days)
{
    int more = a_day + (unseen + days - 1) / days;
    return more < NEEDED_MOST ? more : NEEDED_MOST;
}

bool forecast_needed(int *new_cards, int *new_drills, const struct queue_item *items, int n,
                     const struct queue_settings *settings)
{
    struct queue_settings s = *settings;
    struct forecast f;
    forecast_make(&f, items, n, &s);
    for (int tries = 0; tries < NEEDED_TRIES && f.unseen > 0 && f.days > 0; tries++) {
        s.new_drills = raised(s.new_drills, f.unseen_drills, f.days);
        s.new_cards = raised(s.new_cards, f.unseen - f.unseen_drills, f.days);
        forecast_make(&f, items, n, &s);
    }
    *new_cards = s.new_cards;
    *new_drills = s.new_drills;
    return f.unseen == 0;
}

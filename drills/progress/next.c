#include "drills/progress/next.h"

#include <stdio.h>
#include <string.h>

const char *next_label(enum next_kind kind)
{
    switch (kind) {
    case NEXT_CONTINUE: return "continue";
    case NEXT_WARMUP: return "warm-up";
    case NEXT_DRILLS: return "drills";
    case NEXT_CARDS: return "cards";
    case NEXT_MOCK: return "mock";
    case NEXT_MEND: return "mend";
    default: return "scenario";
    }
}

static void text_copy(char *out, size_t n, const char *text)
{
    snprintf(out, n, "%s", text);
}

static const struct store_attempt *newest(const struct store_attempt *open, int n)
{
    const struct store_attempt *best = NULL;
    for (int i = 0; i < n; i++)
        if (!best || open[i].started_ms > best->started_ms)
            best = &open[i];
    return best;
}

bool next_is_of_story(const char *scenario, const char *id)
{
    size_t n = strlen(id);
    return strncmp(scenario, id, n) == 0 && (scenario[n] == '\0' || scenario[n] == '/');
}

/* Does the item fit the kind? */
static bool fits(const struct next_item *it, enum next_kind kind)
{
    switch (kind) {
    case NEXT_WARMUP: return !it->counted;
    case NEXT_SCENARIO: return it->counted && it->seen == 0;
    case NEXT_VARIANT:
        return it->counted && !it->rests && it->seen > 0 && it->unseen_variants > 0;
    case NEXT_AGAIN:
        return it->counted && !it->rests && it->seen > 0 && it->unseen_variants == 0;
    default: return false;
    }
}

/* The highest level that two solved stories have or exceed: one may be luck. 0: there are none. */
static int level_reached(const struct next_item *items, int n)
{
    int most = 0, second = 0;
    for (int i = 0; i < n; i++) {
        if (!items[i].counted || !items[i].solved)
            continue;
        second = items[i].level < second ? second : items[i].level < most ? items[i].level : most;
        most = items[i].level < most ? most : items[i].level;
    }
    return second;
}

/* The lowest level from the one reached on, then those below it, the hardest first; of one level
 * the longest unseen, then the pack's order. Scenarios that were finished go by age alone. */
static bool is_before(const struct next_item *a, const struct next_item *b, enum next_kind kind,
                      int reached)
{
    int from = kind == NEXT_SCENARIO ? reached : 0;
    bool easy = a->level < from;
    if (easy != (b->level < from))
        return !easy;
    if (kind != NEXT_AGAIN && a->level != b->level)
        return easy ? a->level > b->level : a->level < b->level;
    return a->seen_ms < b->seen_ms;
}

static const struct next_item *pick(const struct next_item *items, int n, enum next_kind kind,
                                    const char *taken)
{
    const struct next_item *best = NULL;
    int reached = level_reached(items, n);
    for (int i = 0; i < n; i++)
        if (fits(&items[i], kind) && !next_is_of_story(taken, items[i].id) &&
            (!best || is_before(&items[i], best, kind, reached)))
            best = &items[i];
    return best;
}

static void give_reason(struct next *out, const struct next_item *it)
{
    switch (out->kind) {
    case NEXT_WARMUP:
        text_copy(out->reason, sizeof out->reason, "two minutes, not counted");
        break;
    case NEXT_SCENARIO:
        snprintf(out->reason, sizeof out->reason,
                 it->begun ? "level %d, begun" : "level %d, not seen yet", it->level);
        break;
    case NEXT_VARIANT:
        snprintf(out->reason, sizeof out->reason,
                 it->begun ? "level %d, begun" : "level %d, same story, another variant",
                 it->level);
        break;
    default:
        snprintf(out->reason, sizeof out->reason,
                 it->begun ? "level %d, begun, not counted"
                           : "level %d, seen longest ago, not counted",
                 it->level);
        break;
    }
}

int next_suggest(struct next out[NEXT_MOST], const struct next_item *items, int n,
                 const struct store_attempt *open, int n_open, bool finished_any)
{
    int count = 0;
    const struct store_attempt *going = newest(open, n_open);
    if (going) {
        struct next *s = &out[count++];
        s->kind = NEXT_CONTINUE;
        text_copy(s->id, sizeof s->id, going->uid);
        text_copy(s->title, sizeof s->title, going->title);
        snprintf(s->reason, sizeof s->reason, "%d min spent, not finished", going->price);
    }
    for (enum next_kind kind = NEXT_WARMUP; kind <= NEXT_AGAIN && count < NEXT_MOST; kind++) {
        const struct next_item *it = pick(items, n, kind, going ? going->scenario : "");
        if (!it || (kind == NEXT_WARMUP && finished_any))
            continue;
        struct next *s = &out[count++];
        s->kind = kind;
        text_copy(s->id, sizeof s->id, it->id);
        text_copy(s->title, sizeof s->title, it->title);
        give_reason(s, it);
    }
    return count;
}

/* ---- the whole day ---- */

enum { FIRST_DRILLS = 10, NEAR_DAYS = 7 };

static void add(struct next *out, int *count, const struct next *s)
{
    if (*count < NEXT_MOST)
        out[(*count)++] = *s;
}

static int minutes(int seconds)
{
    return (seconds + 59) / 60;
}

/* "8 due", "5 new", "8 due, 5 new" */
static void count_text(char *out, size_t size, int now, int fresh)
{
    if (fresh == 0 || fresh == now)
        snprintf(out, size, fresh ? "%d new" : "%d due", now);
    else
        snprintf(out, size, "%d due, %d new", now - fresh, fresh);
}

static bool drills_suggest(struct next *out, const struct next_practice *p)
{
    *out = (struct next){.kind = NEXT_DRILLS};
    int due = p->drills.now - p->drills.fresh;
    if (p->drills.now == 0)
        return false;
    int each = (p->drills.seconds / p->drills.now + 5) / 10 * 10;
    if (!p->drills_known) {
        int n = p->drills.now < FIRST_DRILLS ? p->drills.now : FIRST_DRILLS;
        snprintf(out->title, sizeof out->title, "%d number%s, %d s each", n, n == 1 ? "" : "s",
                 each);
        text_copy(out->reason, sizeof out->reason, "no GPU needed, in your head or on paper");
        return true;
    }
    count_text(out->title, sizeof out->title, p->drills.now, p->drills.fresh);
    snprintf(out->reason, sizeof out->reason, "%d min, %d s each%s", minutes(p->drills.seconds),
             each,
             p->drills.slips ? ", your slips first"
             : due           ? ", nearest to being forgotten first"
                             : ", nothing is due");
    return true;
}

static bool cards_suggest(struct next *out, const struct next_practice *p)
{
    *out = (struct next){.kind = NEXT_CARDS};
    if (p->cards.now == 0)
        return false;
    count_text(out->title, sizeof out->title, p->cards.now, p->cards.fresh);
    snprintf(out->reason, sizeof out->reason, "%d min", minutes(p->cards.seconds));
    return true;
}

static bool mock_suggest(struct next *out, const struct next_practice *p)
{
    *out = (struct next){.kind = NEXT_MOCK, .title = "one hour, five parts"};
    if (p->mock_before && p->interview_in > 0)
        snprintf(out->reason, sizeof out->reason, "best before %s", p->mock_before);
    return p->mock;
}

static bool mend_suggest(struct next *out, const struct next_practice *p)
{
    *out = (struct next){.kind = NEXT_MEND};
    if (!p->mend)
        return false;
    text_copy(out->id, sizeof out->id, p->mend);
    text_copy(out->title, sizeof out->title, p->mend_title);
    text_copy(out->reason, sizeof out->reason, "its cause was named, not mended yet");
    return true;
}

/* Adds the scenarios from `at` on, `most` of them at most; returns the next one. */
static int add_scenarios(struct next *out, int *count, const struct next *scenarios, int n, int at,
                         int most)
{
    for (; at < n && most > 0; at++, most--)
        add(out, count, &scenarios[at]);
    return at;
}

int next_day(struct next out[NEXT_MOST], const struct next_practice *p,
             const struct next *scenarios, int n)
{
    int count = 0, at = 0;
    struct next s;
    if (n > 0 && scenarios[0].kind == NEXT_CONTINUE)
        at = add_scenarios(out, &count, scenarios, n, at, 1);
    bool first = at < n && scenarios[at].kind == NEXT_WARMUP,
         near = p->interview_in > 0 && p->interview_in < NEAR_DAYS;
    if (first)
        at = add_scenarios(out, &count, scenarios, n, at, 2);
    if (drills_suggest(&s, p))
        add(out, &count, &s);
    if (near && cards_suggest(&s, p))
        add(out, &count, &s);
    if (!first)
        at = add_scenarios(out, &count, scenarios, n, at, 1);
    if (!near && cards_suggest(&s, p))
        add(out, &count, &s);
    if (mock_suggest(&s, p))
        add(out, &count, &s);
    if (mend_suggest(&s, p))
        add(out, &count, &s);
    add_scenarios(out, &count, scenarios, n, at, NEXT_MOST);
    return count;
}

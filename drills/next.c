#include "drills/next.h"

#include <stdio.h>
#include <string.h>

const char *next_label(enum next_kind kind)
{
    switch (kind) {
    case NEXT_CONTINUE: return "continue";
    case NEXT_WARMUP: return "warm-up";
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

static bool is_of_story(const char *scenario, const char *id)
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
    case NEXT_VARIANT: return it->counted && it->seen > 0 && it->unseen_variants > 0;
    case NEXT_AGAIN: return it->counted && it->seen > 0 && it->unseen_variants == 0;
    default: return false;
    }
}

/* The lowest level first, then what was not looked at for longest, then the pack's order; what was
 * seen whole goes by age alone. */
static bool is_before(const struct next_item *a, const struct next_item *b, enum next_kind kind)
{
    if (kind != NEXT_AGAIN && a->level != b->level)
        return a->level < b->level;
    return a->seen_ms < b->seen_ms;
}

static const struct next_item *pick(const struct next_item *items, int n, enum next_kind kind, const char *taken)
{
    const struct next_item *best = NULL;
    for (int i = 0; i < n; i++)
        if (fits(&items[i], kind) && !is_of_story(taken, items[i].id) && (!best || is_before(&items[i], best, kind)))
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
        snprintf(out->reason, sizeof out->reason, "level %d, not seen yet", it->level);
        break;
    case NEXT_VARIANT:
        snprintf(out->reason, sizeof out->reason, "level %d, same story, another variant", it->level);
        break;
    default:
        snprintf(out->reason, sizeof out->reason, "level %d, seen longest ago, not counted", it->level);
        break;
    }
}

int next_suggest(struct next out[NEXT_MOST], const struct next_item *items, int n, const struct store_attempt *open,
                 int n_open, bool finished_any)
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

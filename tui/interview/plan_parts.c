#include "tui/interview/plan_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "kernels/wire/lot.h"
#include "kernels/wire/text.h"
#include "scenarios/interview/interview.h"
#include "scenarios/interview/interview_life.h"

/* ---- what this candidate has seen ---- */

static void see(struct plan_stock *s, const char *id)
{
    if (!*id || plan_was_seen(s, id) == SEEN_VARIANT)
        return;
    s->seen = mem_grow(s->seen, (size_t)s->n_seen + 1, sizeof *s->seen);
    snprintf(s->seen[s->n_seen++], sizeof *s->seen, "%s", id);
}

static void see_session(struct plan_stock *s, const char *session)
{
    struct interview *l = NULL;
    if (interview_open(&l, session, true, NULL))
        return;
    const struct session *in = interview_session(l);
    for (int k = 0; k < in->plan.n_parts; k++)
        if (in->plan.parts[k].kind == PART_SCENARIO && in->parts[k].begun)
            see(s, in->plan.parts[k].id);
    interview_free(l);
}

void plan_seen_load(struct plan_stock *s, const char *candidate)
{
    struct interview_listed *list = NULL;
    int n = 0;
    s->n_seen = 0;
    if (!*candidate || interview_list(&list, &n, NULL))
        return;
    for (int i = 0; i < n; i++)
        if (!list[i].unreadable && !strcasecmp(list[i].candidate, candidate))
            see_session(s, list[i].id);
    free(list);
}

void plan_stock_free(struct plan_stock *s)
{
    free(s->seen);
    s->seen = NULL;
    s->n_seen = 0;
}

/* Of "pack/story/variant" what stands before the variant. */
static size_t story_bytes(const char *full_id)
{
    const char *last = strrchr(full_id, '/');
    return last ? (size_t)(last - full_id) : strlen(full_id);
}

enum plan_seen plan_was_seen(const struct plan_stock *s, const char *full_id)
{
    enum plan_seen seen = SEEN_NEVER;
    size_t n = story_bytes(full_id);
    for (int i = 0; i < s->n_seen; i++) {
        if (!strcmp(s->seen[i], full_id))
            return SEEN_VARIANT;
        if (n && story_bytes(s->seen[i]) == n && !strncmp(s->seen[i], full_id, n))
            seen = SEEN_STORY;
    }
    return seen;
}

/* ---- drills ---- */

static uint64_t mix(uint64_t x)
{
    return lot_next(&x);
}

static bool can_ask(const struct plan_stock *s, const struct drill *d, int level)
{
    return abs(d->level - level) <= 1 && strlen(d->full_id) < 96 && !d->needs_links &&
           (s->gpu || (!d->needs_gpu && !d->trial));
}

/* The one of the topic that comes next by lot and is not in the list yet. */
static const struct drill *draw_drill(const struct plan_stock *s, const char *topic, int level,
                                      uint64_t seed, char (*out)[96], int n)
{
    const struct drill *best = NULL;
    uint64_t least = 0;
    for (int k = 0; k < library_drills(s->library); k++) {
        const struct drill *d = library_drill_at(s->library, k);
        uint64_t lot = mix(seed ^ mix((uint64_t)k));
        bool taken = strcmp(d->topic, topic) != 0 || !can_ask(s, d, level);
        for (int i = 0; i < n && !taken; i++)
            taken = !strcmp(out[i], d->full_id);
        if (!taken && (!best || lot < least)) {
            best = d;
            least = lot;
        }
    }
    return best;
}

int plan_drills(const struct plan_stock *s, int level, uint64_t seed, char (*out)[96], int most)
{
    int topics = 0, n = 0;
    while (drill_topics[topics])
        topics++;
    int first = topics ? (int)(mix(seed) % (uint64_t)topics) : 0;
    for (int round = 0; round < most && n < most; round++)
        for (int t = 0; t < topics && n < most; t++) {
            const struct drill *d =
                draw_drill(s, drill_topics[(first + t) % topics], level, seed, out, n);
            if (d)
                snprintf(out[n++], sizeof *out, "%s", d->full_id);
        }
    return n;
}

/* ---- a plan ---- */

int plan_propose(struct session_plan *out, const struct plan_stock *s, int level, int minutes,
                 uint64_t seed, struct err *err)
{
    char drills[8][96], (*stories)[96] = mem_new((size_t)s->n_seen + 1, sizeof *stories);
    const char *ids[8], **avoid = mem_new(2 * (size_t)s->n_seen + 1, sizeof *avoid);
    int n = plan_drills(s, level, seed, drills, 8);
    for (int i = 0; i < n; i++)
        ids[i] = drills[i];
    for (int i = 0; i < s->n_seen; i++) {
        snprintf(stories[i], sizeof *stories, "%.*s", (int)story_bytes(s->seen[i]), s->seen[i]);
        avoid[i] = s->seen[i];
        avoid[s->n_seen + i] = stories[i];
    }
    int rc =
        session_plan_make(out, s->catalog, ids, n, level, minutes, seed, avoid, 2 * s->n_seen, err);
    if (rc == ERR_MISSING && s->n_seen > 0)
        rc =
            session_plan_make(out, s->catalog, ids, n, level, minutes, seed, avoid, s->n_seen, err);
    if (rc == ERR_MISSING && s->n_seen > 0)
        rc = session_plan_make(out, s->catalog, ids, n, level, minutes, seed, NULL, 0, err);
    free(avoid);
    free(stories);
    return rc;
}

const struct variant *plan_variant(const struct plan_stock *s, const struct session_part *part)
{
    const struct story *story;
    const struct variant *v = NULL;
    if (part->kind != PART_SCENARIO || !s->catalog ||
        catalog_find(s->catalog, part->id, &story, &v, NULL))
        return NULL;
    return v;
}

/* ---- what could stand in a scenario's place ---- */

static bool story_taken(const struct session_plan *p, const struct plan_stock *s, int but,
                        const struct story *story)
{
    for (int k = 0; k < p->n_parts; k++) {
        const struct variant *v = k == but ? NULL : plan_variant(s, &p->parts[k]);
        if (v && !strcmp(v->story->full_id, story->full_id))
            return true;
    }
    return false;
}

struct choice { const struct variant *v; int rank; };

static int nearer(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;
    return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : strcmp(x->v->full_id, y->v->full_id);
}

static struct choice *choices(const struct session_plan *p, const struct plan_stock *s, int k,
                              int *n)
{
    struct choice *list = NULL;
    *n = 0;
    for (int c = 0; s->catalog && c < s->catalog->n_packs; c++)
        for (int t = 0; t < s->catalog->packs[c]->n_stories; t++) {
            const struct story *story = &s->catalog->packs[c]->stories[t];
            for (int v = 0; v < story->n_variants && !story_taken(p, s, k, story); v++) {
                int rank = abs(story->level - p->level) +
                           100 * (int)plan_was_seen(s, story->variants[v]->full_id);
                list = mem_grow(list, (size_t)*n + 1, sizeof *list);
                list[(*n)++] = (struct choice){ story->variants[v], rank };
            }
        }
    if (*n)
        qsort(list, (size_t)*n, sizeof *list, nearer);
    return list;
}

const struct variant **plan_choices(const struct session_plan *p, const struct plan_stock *s, int k,
                                    int *n)
{
    struct choice *list = choices(p, s, k, n);
    const struct variant **out = mem_new((size_t)*n + 1, sizeof *out);
    for (int i = 0; i < *n; i++)
        out[i] = list[i].v;
    free(list);
    return out;
}

void plan_take(struct session_plan *p, int k, const struct variant *v)
{
    struct session_part *part = &p->parts[k];
    snprintf(part->id, sizeof part->id, "%s", v->full_id);
    snprintf(part->title, sizeof part->title, "%s", v->story->title);
}

static bool exchange_scenario(struct session_plan *p, const struct plan_stock *s, int k)
{
    int n, at = -1;
    const struct variant **list = plan_choices(p, s, k, &n);
    for (int i = 0; i < n; i++)
        if (!strcmp(list[i]->full_id, p->parts[k].id))
            at = i;
    bool other = n > 1 || (n == 1 && at < 0);
    if (other)
        plan_take(p, k, list[(at + 1) % n]);
    free(list);
    return other;
}

static const struct { const char *title, *ask;
} talks[] = {
    {"How you work", "Tell me how you approach a kernel that is slower than it should be. What do "
                     "you look at first, and why that?"},
    {"Something that you made faster",
     "Take one kernel that you made faster. How did you know what held it back, what did you try, "
     "and what did it cost?"},
    {"Something that you measured wrong",
     "Tell me of a number that you believed and that was wrong. How did you find out?"},
    {"A step from end to end", "One token takes 30 ms and should take 10. You have an hour and a "
                               "profiler. What do you do, in which order?"},
    {"Your questions", "What would you like to know?"},
};
enum { TALKS = sizeof talks / sizeof *talks };

static void take_talk(struct session_part *part, int which)
{
    snprintf(part->title, sizeof part->title, "%s", talks[which % TALKS].title);
    snprintf(part->ask, sizeof part->ask, "%s", talks[which % TALKS].ask);
}

static void exchange_talk(struct session_part *part)
{
    int at = -1;
    for (int t = 0; t < TALKS; t++)
        if (!strcmp(talks[t].title, part->title))
            at = t;
    take_talk(part, at + 1);
}

/* Draws again until the list is another one. */
static bool exchange_drills(struct session_plan *p, const struct plan_stock *s, int k)
{
    struct session_part *part = &p->parts[k];
    char other[8][96] = { "" };
    uint64_t seed = p->seed;
    for (int i = 0; i < part->n_drills; i++)
        for (const char *c = part->drills[i]; *c; c++)
            seed = mix(seed ^ (unsigned char)*c);
    int n = plan_drills(s, p->level, seed, other, part->n_drills ? part->n_drills : 4);
    bool differs = n != part->n_drills || memcmp(other, part->drills, sizeof other) != 0;
    if (n == 0)
        return false;
    memcpy(part->drills, other, sizeof part->drills);
    part->n_drills = n;
    return differs;
}

bool plan_exchange(struct session_plan *p, const struct plan_stock *s, int k)
{
    if (k < 0 || k >= p->n_parts)
        return false;
    switch (p->parts[k].kind) {
    case PART_SCENARIO: return exchange_scenario(p, s, k);
    case PART_DRILLS: return exchange_drills(p, s, k);
    case PART_TALK: exchange_talk(&p->parts[k]); return true;
    }
    return false;
}

/* ---- parts ---- */

bool plan_add(struct session_plan *p, const struct plan_stock *s, int k,
              enum session_part_kind kind)
{
    static const int minutes[] = { [PART_SCENARIO] = 20, [PART_DRILLS] = 10, [PART_TALK] = 5 };
    if (p->n_parts == SESSION_MAX_PARTS)
        return false;
    int at = k < -1 ? 0 : k >= p->n_parts ? p->n_parts : k + 1;
    struct session_part part = { .kind = kind, .minutes = minutes[kind] };
    memmove(&p->parts[at + 1], &p->parts[at], (size_t)(p->n_parts - at) * sizeof *p->parts);
    p->parts[at] = part;
    p->n_parts++;
    if (kind == PART_DRILLS)
        snprintf(p->parts[at].title, sizeof part.title, "Numbers on demand");
    if (kind == PART_TALK)
        take_talk(&p->parts[at], 1);
    else if (!plan_exchange(p, s, at)) {
        plan_remove(p, at);
        return false;
    }
    return true;
}

bool plan_remove(struct session_plan *p, int k)
{
    if (k < 0 || k >= p->n_parts)
        return false;
    memmove(&p->parts[k], &p->parts[k + 1], (size_t)(p->n_parts - k - 1) * sizeof *p->parts);
    p->n_parts--;
    return true;
}

bool plan_minutes_step(struct session_plan *p, int k, int by)
{
    int now = k >= 0 && k < p->n_parts ? p->parts[k].minutes : 0;
    int next = by > 0     ? (now < 5 ? now + 1 : now - now % 5 + 5)
               : now <= 5 ? now - 1
               : now % 5  ? now - now % 5
                          : now - 5;
    if (now == 0 || next < 1 || next > 180)
        return false;
    p->parts[k].minutes = next;
    return true;
}

bool plan_fit(struct session_plan *p, int minutes)
{
    int over = session_plan_minutes(p) - minutes, longest = 0;
    if (over <= 0)
        return false;
    while (over > 0) {
        for (int k = longest = 0; k < p->n_parts; k++)
            if (p->parts[k].minutes > p->parts[longest].minutes)
                longest = k;
        int cut = over >= 5 && p->parts[longest].minutes > 5 ? 5 : 1;
        if (p->parts[longest].minutes <= cut)
            return true;                 /* a minute for each */
        p->parts[longest].minutes -= cut;
        over -= cut;
    }
    return true;
}

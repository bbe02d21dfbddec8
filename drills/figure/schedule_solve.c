/* Microbatches are alike, so which comes next in a pass needs no choice: a state is how many have
 * passed where. Whether all can be done within a time is searched from a bound upwards, blocks in
 * the order in which they start; a state that failed is kept, and a budget ends it. */
#include "drills/figure/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

enum {
    PLACES = SCHEDULE_STAGES * SCHEDULE_CHUNKS, /* chunk by chunk, stage by stage */
    STATES = 1 << 20,                           /* of the table of failed ones */
    BUDGET = 400000
};

struct search {
    const struct schedule_rules *r;
    int limit, places;
    int n[PLACES][PART_KINDS];                                /* passed */
    int end[PLACES][PART_KINDS][SCHEDULE_MICROBATCHES];
    int free[SCHEDULE_STAGES], held[SCHEDULE_STAGES], left[SCHEDULE_STAGES][PART_KINDS];
    int now;
    uint64_t *failed;
    int nodes;
};

static int max(int a, int b)
{
    return a > b ? a : b;
}

/* ---- a bound ---- */

/* Of each stage: until its first forward can begin, its work, and the way back of its last
 * backward. Without chunks also: until its first backward can begin, and what comes after that. */
static int bound(const struct schedule_rules *r)
{
    int work = schedule_stage_time(r), f = r->time[0], b = r->time[1], most = work;
    for (int p = 0; p < r->stages && !r->own_steps; p++) {
        int way_back = r->split ? 0 : p * b;
        int turn = r->stages * f + (r->stages - 1 - p) * b, rest = work - r->microbatches * f;
        most = max(most, p * f + work + way_back);
        if (r->chunks == 1)
            most = max(most, turn + rest + way_back);
    }
    return most;
}

/* ---- the search ---- */

static uint64_t mix(uint64_t h, int v)
{
    h = (h ^ (uint64_t)v) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

/* What the rest depends on: ends that lie in the past are all the same. */
static uint64_t key_of(const struct search *x)
{
    uint64_t h = mix(1, x->now);
    for (int p = 0; p < x->r->stages; p++)
        h = mix(h, max(x->free[p], x->now));
    for (int q = 0; q < x->places; q++)
        for (int k = 0; k < PART_KINDS; k++) {
            h = mix(h, x->n[q][k]);
            for (int m = x->n[q][k] - 1; m >= 0 && x->end[q][k][m] > x->now; m--)
                h = mix(h, x->end[q][k][m]);
        }
    return h | 1;
}

static bool fits(const struct search *x)
{
    const int *t = x->r->time;
    for (int p = 0; p < x->r->stages; p++) {
        const int *left = x->left[p];
        int from = max(x->free[p], x->now), passes = left[0] * t[0] + left[1] * t[1];
        if (from + passes + left[2] * t[2] > x->limit ||
            (left[1] && from + passes + p * t[1] > x->limit))
            return false;
    }
    return true;
}

/* The start of the next of this kind in this place; -1: none now. */
static int start_of(const struct search *x, int q, enum schedule_part part)
{
    int m = x->n[q][part], stage = q % x->r->stages, at = x->free[stage];
    int from = part == PART_FORWARD ? q - 1 : part == PART_BACKWARD ? q + 1 : -1;
    if (m == x->r->microbatches || (part == PART_WEIGHTS && !x->r->split))
        return -1;
    if (part == PART_FORWARD && x->held[stage] == x->r->cap[stage])
        return -1;
    if (part != PART_FORWARD && x->n[q][part - 1] <= m)
        return -1;
    if (part != PART_FORWARD)
        at = max(at, x->end[q][part - 1][m]);
    for (int c = stage; x->r->phases && part == PART_BACKWARD && c < x->places; c += x->r->stages)
        if (x->n[c][PART_FORWARD] < x->r->microbatches)
            return -1;
    if (from < 0 || from >= x->places)
        return at;
    return x->n[from][part] <= m ? -1 : max(at, x->end[from][part][m]);
}

struct move { int q, start; enum schedule_part part; };

static void apply(struct search *x, struct move v, int by)
{
    int stage = v.q % x->r->stages;
    enum schedule_part last = x->r->split ? PART_WEIGHTS : PART_BACKWARD;
    if (by > 0)
        x->end[v.q][v.part][x->n[v.q][v.part]] = v.start + x->r->time[v.part];
    x->n[v.q][v.part] += by;
    x->left[stage][v.part] -= by;
    x->held[stage] += v.part == PART_FORWARD ? by : v.part == last ? -by : 0;
}

/* Soonest first, and of those backward first. */
static int moves_of(const struct search *x, struct move *out)
{
    static const enum schedule_part parts[] = {PART_BACKWARD, PART_FORWARD, PART_WEIGHTS};
    int n = 0;
    for (int k = 0; k < PART_KINDS; k++)
        for (int q = 0; q < x->places; q++) {
            struct move v = {q, start_of(x, q, parts[k]), parts[k]};
            int at = n;
            if (v.start < x->now)
                continue;
            for (; at > 0 && out[at - 1].start > v.start; at--)
                out[at] = out[at - 1];
            out[at] = v;
            n++;
        }
    return n;
}

static bool search(struct search *x, int left)
{
    struct move moves[PLACES * PART_KINDS];
    if (left == 0)
        return true;
    if (!fits(x) || ++x->nodes > BUDGET)
        return false;
    uint64_t key = key_of(x), *slot = &x->failed[key % STATES];
    if (*slot == key)
        return false;
    int n = moves_of(x, moves), now = x->now;
    for (int i = 0; i < n; i++) {
        int *free = &x->free[moves[i].q % x->r->stages], before = *free;
        apply(x, moves[i], 1);
        *free = moves[i].start + x->r->time[moves[i].part];
        x->now = moves[i].start;
        bool done = search(x, left - 1);
        apply(x, moves[i], -1);
        *free = before;
        x->now = now;
        if (done)
            return true;
    }
    if (x->nodes <= BUDGET)
        *slot = key;
    return false;
}

static bool within(struct search *x, const struct schedule_rules *r, int limit)
{
    uint64_t *failed = x->failed;
    memset(failed, 0, STATES * sizeof *failed);
    *x = (struct search){.r = r, .limit = limit, .places = r->stages * r->chunks, .failed = failed};
    for (int p = 0; p < r->stages; p++)
        for (int k = 0; k < PART_KINDS; k++)
            x->left[p][k] = r->microbatches * r->chunks;
    return search(x, schedule_blocks(r));
}

void schedule_solve(struct schedule_optimum *out, const struct schedule_rules *r)
{
    struct schedule *s = mem_new(1, sizeof *s);
    struct schedule_sum sum;
    struct search *x = NULL;
    bool known = !schedule_known(s, r, NULL);
    schedule_sum(&sum, s);
    out->least = bound(r);
    out->most = known ? sum.time : schedule_stage_time(r) * r->stages;
    if (out->least < out->most && !r->own_steps) {
        x = mem_new(1, sizeof *x);
        x->failed = mem_new(STATES, sizeof *x->failed);
    }
    while (x && out->least < out->most) {
        if (within(x, r, out->least))
            out->most = out->least;
        else if (x->nodes > BUDGET)
            break;
        else
            out->least++;
    }
    if (x)
        free(x->failed);
    free(x);
    free(s);
}

void schedule_grade(struct schedule_grade *out, const struct schedule *s)
{
    schedule_sum(&out->sum, s);
    schedule_solve(&out->optimum, &s->rules);
    int best = out->sum.time < out->optimum.most ? out->sum.time : out->optimum.most;
    out->share = out->sum.whole ? (double)best / out->sum.time : 0;
    out->best = out->sum.whole && out->sum.time <= out->optimum.most;
}

#include "drills/figure/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const schedule_kinds[] = {"gpipe", "1f1b", "interleaved", "zb-h1", "zb-h2"};
const char *const schedule_faults[] = {"none",  "stage",   "microbatch", "chunk",
                                       "whole", "time",    "twice",      "overlap",
                                       "order", "own-pass", "phase",     "memory"};

/* ---- rules ---- */

static int cap_of(const struct schedule_rules *r, int stage)
{
    int all = r->microbatches * r->chunks, behind = r->stages - stage, cap = all;
    switch (r->kind) {
    case SCHEDULE_1F1B: cap = behind; break;
    case SCHEDULE_INTERLEAVED: cap = 2 * (behind - 1) + (r->chunks - 1) * r->stages + 1; break;
    case SCHEDULE_ZB_H1: cap = r->stages; break;
    case SCHEDULE_ZB_H2: cap = 2 * r->stages - 1; break;
    default: break;
    }
    return cap < all ? cap : all;
}

static bool is_split(enum schedule_kind kind)
{
    return kind == SCHEDULE_ZB_H1 || kind == SCHEDULE_ZB_H2;
}

static int check_size(const struct schedule_rules *r, struct err *err)
{
    int p = r->stages, m = r->microbatches, v = r->chunks;
    if (p < 2 || p > SCHEDULE_STAGES || m < 2 || m > SCHEDULE_MICROBATCHES)
        return err_set(err, ERR_BAD_REQUEST, "%d stages and %d microbatches; 2 to %d and 2 to %d "
                       "were expected", p, m, SCHEDULE_STAGES, SCHEDULE_MICROBATCHES);
    bool interleaved = r->kind == SCHEDULE_INTERLEAVED;
    if (v < 1 + interleaved || v > (interleaved ? SCHEDULE_CHUNKS : 1))
        return err_set(err, ERR_BAD_REQUEST, "%d chunks; 2 to %d are interleaved, all others have "
                       "1", v, SCHEDULE_CHUNKS);
    if (interleaved && m % p)
        return err_set(err, ERR_BAD_REQUEST, "%d microbatches on %d stages; interleaving needs a "
                       "multiple of the stages", m, p);
    int least = r->kind == SCHEDULE_ZB_H1 ? p : r->kind == SCHEDULE_ZB_H2 ? 2 * p - 1 : 2;
    if (m < least)
        return err_set(err, ERR_BAD_REQUEST, "%d microbatches; %s on %d stages needs %d", m,
                       schedule_kinds[r->kind], p, least);
    for (int i = 0; i < PART_KINDS - !r->split; i++)
        if (r->time[i] < 1 || r->time[i] > SCHEDULE_TIME)
            return err_set(err, ERR_BAD_REQUEST, "a block of %d; 1 to %d was expected", r->time[i],
                           SCHEDULE_TIME);
    return 0;
}

int schedule_rules_make(struct schedule_rules *out, enum schedule_kind kind, int stages,
                        int microbatches, int chunks, const int times[PART_KINDS],
                        struct err *err)
{
    *out = (struct schedule_rules){
        .kind = kind,
        .stages = stages,
        .microbatches = microbatches,
        .chunks = chunks,
        .time = {times[0], times[1], is_split(kind) ? times[2] : 0},
        .phases = kind == SCHEDULE_GPIPE,
        .split = is_split(kind),
        .own_steps = kind == SCHEDULE_ZB_H2,
    };
    int rc = check_size(out, err);
    for (int p = 0; !rc && p < stages; p++)
        out->cap[p] = cap_of(out, p);
    return rc;
}

void schedule_draw_size(struct schedule_rules *out, const struct schedule_rules *like,
                        uint64_t seed)
{
    enum { BLOCKS = 48, MOST = 8 };
    struct schedule_rules fit[3 * MOST];
    int n = 0;
    for (int p = 2; p <= 4; p++)
        for (int m = 2; m <= MOST; m++) {
            struct schedule_rules *r = &fit[n];
            bool ok = !schedule_rules_make(r, like->kind, p, m, like->chunks, like->time, NULL);
            n += ok && m >= p && schedule_blocks(r) <= BLOCKS;
        }
    uint64_t mixed = (seed ^ 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
    *out = fit[(mixed >> 33) % (uint64_t)n];
}

int schedule_blocks(const struct schedule_rules *r)
{
    return r->stages * r->microbatches * r->chunks * (r->split ? 3 : 2);
}

int schedule_stage_time(const struct schedule_rules *r)
{
    return r->microbatches * r->chunks * (r->time[0] + r->time[1] + r->time[2]);
}

void schedule_words(const struct schedule_rules *r, char *out, size_t size)
{
    static const char *const rules[] = {
        "all forwards of a stage come before its backwards",
        "a stage holds activations from f to the end of b, no more than its row says",
        "a stage holds activations of chunks from f to the end of b, no more than its row says",
        "w waits for its b alone; activations are held from f to the end of w, no more than "
        "the row says",
        "each stage steps for itself, so idle time counts from its first block to its last",
    };
    char chunks[32] = "", weights[24] = "";
    if (r->chunks > 1)
        snprintf(chunks, sizeof chunks, ", %d chunks each", r->chunks);
    if (r->split)
        snprintf(weights, sizeof weights, ", w %d", r->time[2]);
    snprintf(out, size, "%d stages%s, %d microbatches; f lasts %d, b %d%s. As short as can be: %s.",
             r->stages, chunks, r->microbatches, r->time[0], r->time[1], weights, rules[r->kind]);
}

/* ---- what stands where ---- */

const char *schedule_name(const struct schedule_block *b, char out[8])
{
    snprintf(out, 8, "%c%d", (b->chunk % 2 ? "FBW" : "fbw")[b->part], b->microbatch % 100);
    return out;
}

int schedule_end(const struct schedule *s, int block)
{
    return s->block[block].start + s->rules.time[s->block[block].part];
}

int schedule_find(const struct schedule *s, struct schedule_block b)
{
    for (int i = 0; i < s->n; i++) {
        const struct schedule_block *o = &s->block[i];
        if (o->part == b.part && o->stage == b.stage && o->microbatch == b.microbatch &&
            o->chunk == b.chunk)
            return i;
    }
    return -1;
}

int schedule_at(const struct schedule *s, int stage, int time)
{
    for (int i = 0; i < s->n; i++)
        if (s->block[i].stage == stage && s->block[i].start <= time && time < schedule_end(s, i))
            return i;
    return -1;
}

int schedule_stage_end(const struct schedule *s, int stage)
{
    int end = 0;
    for (int i = 0; i < s->n; i++)
        if (s->block[i].stage == stage && schedule_end(s, i) > end)
            end = schedule_end(s, i);
    return end;
}

/* ---- what waits for what ---- */

/* The same pass one stage nearer to where it comes from; false: it begins here. */
static bool neighbour(const struct schedule_rules *r, struct schedule_block b,
                      struct schedule_block *out)
{
    int by = b.part == PART_FORWARD ? -1 : 1, place = b.chunk * r->stages + b.stage + by;
    *out = b;
    out->stage = (place + r->stages) % r->stages;
    out->chunk = place / r->stages;
    return b.part != PART_WEIGHTS && place >= 0 && place < r->chunks * r->stages;
}

/* The pass of the same block before; false: a forward. */
static bool own_pass(struct schedule_block b, struct schedule_block *out)
{
    *out = b;
    if (b.part == PART_FORWARD)
        return false;
    out->part = (enum schedule_part)(b.part - 1);
    return true;
}

int schedule_soonest(const struct schedule *s, struct schedule_block b)
{
    struct schedule_block first[2];
    int at = schedule_stage_end(s, b.stage);
    bool waits[] = {neighbour(&s->rules, b, &first[0]), own_pass(b, &first[1])};
    for (int i = 0; i < 2; i++) {
        int k = waits[i] ? schedule_find(s, first[i]) : -1;
        if (waits[i] && k < 0)
            return -1;
        at = waits[i] && schedule_end(s, k) > at ? schedule_end(s, k) : at;
    }
    return at;
}

/* ---- placing ---- */

static enum schedule_fault fail(struct err *err, enum schedule_fault fault,
                                struct schedule_block b, const char *why)
{
    char name[8];
    err_set(err, ERR_BAD_REQUEST, "%s on stage %d at %d: %s", schedule_name(&b, name), b.stage,
            b.start, why);
    return fault;
}

static enum schedule_fault check_names(const struct schedule *s, struct schedule_block b,
                                       struct err *err)
{
    const struct schedule_rules *r = &s->rules;
    const struct { enum schedule_fault fault; int value, n; const char *what; } names[] = {
        {FAULT_STAGE, b.stage, r->stages, "stage"},
        {FAULT_MICROBATCH, b.microbatch, r->microbatches, "microbatch"},
        {FAULT_CHUNK, b.chunk, r->chunks, "chunk"},
    };
    char why[120];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].value >= 0 && names[i].value < names[i].n)
            continue;
        if (names[i].n > 1)
            snprintf(why, sizeof why, "no such %s, only 0 to %d", names[i].what, names[i].n - 1);
        else
            snprintf(why, sizeof why, "no such %s, there is 0 alone", names[i].what);
        return fail(err, names[i].fault, b, why);
    }
    if (b.part == PART_WEIGHTS && !r->split)
        return fail(err, FAULT_WHOLE, b, "no w here, backward is whole");
    if (b.start < 0)
        return fail(err, FAULT_TIME, b, "time begins at 0");
    return FAULT_NONE;
}

static enum schedule_fault check_room(const struct schedule *s, struct schedule_block b,
                                      struct err *err)
{
    char why[120], name[8];
    int twice = schedule_find(s, b);
    if (twice >= 0) {
        snprintf(why, sizeof why, "it stands there already, from %d", s->block[twice].start);
        return fail(err, FAULT_TWICE, b, why);
    }
    for (int t = b.start; t < b.start + s->rules.time[b.part]; t++) {
        int other = schedule_at(s, b.stage, t);
        if (other < 0)
            continue;
        snprintf(why, sizeof why, "the stage runs %s from %d to %d",
                 schedule_name(&s->block[other], name), s->block[other].start,
                 schedule_end(s, other));
        return fail(err, FAULT_OVERLAP, b, why);
    }
    return FAULT_NONE;
}

static enum schedule_fault check_after(const struct schedule *s, struct schedule_block b,
                                       struct schedule_block first, enum schedule_fault fault,
                                       struct err *err)
{
    char why[160], name[8];
    int k = schedule_find(s, first);
    schedule_name(&first, name);
    if (k >= 0 && schedule_end(s, k) <= b.start)
        return FAULT_NONE;
    if (k < 0)
        snprintf(why, sizeof why, "needs %s of stage %d, not placed yet", name, first.stage);
    else
        snprintf(why, sizeof why, "needs %s of stage %d, which ends at %d", name, first.stage,
                 schedule_end(s, k));
    return fail(err, fault, b, why);
}

static enum schedule_fault check_order(const struct schedule *s, struct schedule_block b,
                                       struct err *err)
{
    struct schedule_block first;
    enum schedule_fault fault = FAULT_NONE;
    if (own_pass(b, &first))
        fault = check_after(s, b, first, FAULT_OWN, err);
    if (!fault && neighbour(&s->rules, b, &first))
        fault = check_after(s, b, first, FAULT_BEFORE, err);
    if (!s->rules.phases || b.part != PART_BACKWARD)
        return fault;
    for (int m = 0; !fault && m < s->rules.microbatches; m++)
        fault = check_after(s, b, (struct schedule_block){PART_FORWARD, b.stage, m, b.chunk, 0},
                            FAULT_PHASE, err);
    return fault;
}

/* Activations held on a stage just after a time. */
static int held_at(const struct schedule *s, int stage, int time)
{
    enum schedule_part last = s->rules.split ? PART_WEIGHTS : PART_BACKWARD;
    int held = 0;
    for (int i = 0; i < s->n; i++) {
        const struct schedule_block *b = &s->block[i];
        if (b->stage != stage)
            continue;
        held += b->part == PART_FORWARD && b->start <= time;
        held -= b->part == last && schedule_end(s, i) <= time;
    }
    return held;
}

/* The most is held when a forward begins. */
static int most_held(const struct schedule *s, int stage)
{
    int most = 0;
    for (int i = 0; i < s->n; i++) {
        if (s->block[i].stage != stage || s->block[i].part != PART_FORWARD)
            continue;
        int held = held_at(s, stage, s->block[i].start);
        most = held > most ? held : most;
    }
    return most;
}

enum schedule_fault schedule_place(struct schedule *s, struct schedule_block b, struct err *err)
{
    char why[120];
    enum schedule_fault fault = check_names(s, b, err);
    if (!fault)
        fault = check_room(s, b, err);
    if (!fault)
        fault = check_order(s, b, err);
    if (fault)
        return fault;
    s->block[s->n++] = b;
    int held = b.part == PART_FORWARD ? most_held(s, b.stage) : 0;
    if (held <= s->rules.cap[b.stage])
        return FAULT_NONE;
    s->n--;
    snprintf(why, sizeof why, "would hold %d activations, at most %d may be", held,
             s->rules.cap[b.stage]);
    return fail(err, FAULT_MEMORY, b, why);
}

static int by_start(const void *a, const void *b)
{
    return ((const struct schedule_block *)a)->start - ((const struct schedule_block *)b)->start;
}

/* What is left is placed anew, in the order of time: the first that is refused needed it. */
int schedule_remove(struct schedule *s, int block, struct err *err)
{
    struct schedule left = *s, anew = {.rules = s->rules};
    char name[8], needs[8];
    left.block[block] = left.block[--left.n];
    qsort(left.block, (size_t)left.n, sizeof *left.block, by_start);
    for (int i = 0; i < left.n; i++)
        if (schedule_place(&anew, left.block[i], NULL))
            return err_set(err, ERR_BAD_REQUEST, "%s stays: %s on stage %d at %d needs it",
                           schedule_name(&s->block[block], name),
                           schedule_name(&left.block[i], needs), left.block[i].stage,
                           left.block[i].start);
    s->n--;
    memmove(&s->block[block], &s->block[block + 1], (size_t)(s->n - block) * sizeof *s->block);
    return 0;
}

/* ---- what it comes to ---- */

/* From a stage's first block, or from 0, to the end of its last. */
static int span_of(const struct schedule *s, int stage)
{
    int from = -1;
    for (int i = 0; i < s->n; i++)
        if (s->block[i].stage == stage && (from < 0 || s->block[i].start < from))
            from = s->block[i].start;
    return schedule_stage_end(s, stage) - (s->rules.own_steps && from > 0 ? from : 0);
}

void schedule_sum(struct schedule_sum *out, const struct schedule *s)
{
    int busy = 0, spans = 0;
    *out = (struct schedule_sum){.whole = s->n == schedule_blocks(&s->rules)};
    for (int i = 0; i < s->n; i++)
        busy += s->rules.time[s->block[i].part];
    for (int p = 0; p < s->rules.stages; p++) {
        int span = span_of(s, p);
        spans += span;
        out->time = span > out->time ? span : out->time;
        out->held[p] = most_held(s, p);
    }
    out->idle = (out->whole ? out->time * s->rules.stages : spans) - busy;
    out->bubble = busy ? (double)out->idle / (out->idle + busy) : 0;
}

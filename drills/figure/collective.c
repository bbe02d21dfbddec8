#include "drills/figure/collective.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const collective_faults[] = {
    "",      "rank",  "chunk",    "self", "edge",  "aim",  "lacks",
    "early", "sends", "receives", "has",  "twice", "many", "ends",
};

enum { LETTERS = 26 };

static uint16_t bit(int rank)
{
    return (uint16_t)(1u << rank);
}

static uint16_t everybody(const struct collective_rules *r)
{
    return (uint16_t)((1u << r->ranks) - 1);
}

/* ---- names ---- */

const char *collective_mask_words(const struct collective_rules *r, uint16_t mask, char out[48])
{
    size_t at = 0;
    out[0] = '\0';
    if (mask == everybody(r))
        snprintf(out, 48, "all");
    for (int k = 0; k < r->ranks && mask != everybody(r); k++) {
        int from = k;
        if (!(mask & bit(k)))
            continue;
        while (k + 1 < r->ranks && mask & bit(k + 1))
            k++;
        const char *plus = at ? "+" : "", *joint = k - from > 1 ? "-" : "+";
        if (k > from)
            at += (size_t)snprintf(out + at, 48 - at, "%s%d%s%d", plus, from, joint, k);
        else
            at += (size_t)snprintf(out + at, 48 - at, "%s%d", plus, k);
    }
    return out;
}

const char *collective_chunk_words(const struct collective_rules *r, int from, int chunk,
                                   char out[24])
{
    int k = chunk + (r->kind == COLLECTIVE_ALL_TO_ALL ? from * r->ranks : 0);
    if (k < LETTERS)
        snprintf(out, 24, "%c", 'a' + k);
    else
        snprintf(out, 24, "chunk %d", k);
    return out;
}

void collective_sends_words(const struct collective *c, int step, int rank, char *out, size_t size)
{
    size_t at = 0;
    int to = -1;
    char name[24];
    *out = '\0';
    for (int i = 0; i < c->n && at < size; i++) {
        const struct collective_send *s = &c->send[i];
        if (s->step != step || s->from != rank)
            continue;
        if (to >= 0 && s->to != to)
            at += (size_t)snprintf(out + at, size - at, "->%d ", to);
        to = s->to;
        collective_chunk_words(&c->rules, rank, s->chunk, name);
        if (at < size)
            at += (size_t)snprintf(out + at, size - at, "%s", name);
    }
    if (to >= 0 && at < size)
        snprintf(out + at, size - at, "->%d", to);
}

/* ---- what is held ---- */

int collective_slot(const struct collective_rules *r, const struct collective_send *s)
{
    return r->kind == COLLECTIVE_ALL_TO_ALL ? s->from : s->chunk;
}

/* What each rank begins with: its own chunk where nothing is summed, else its data in all. */
static void begin(struct collective_state *out, const struct collective_rules *r)
{
    bool own = r->kind == COLLECTIVE_ALL_GATHER || r->kind == COLLECTIVE_ALL_TO_ALL;
    memset(out, 0, sizeof *out);
    for (int rank = 0; rank < r->ranks; rank++)
        for (int chunk = 0; chunk < r->chunks; chunk++)
            out->held[rank][chunk] = own && chunk != rank ? 0 : bit(rank);
}

/* What a rank must hold of a chunk at the end; 0: it need not. */
static uint16_t collective_wanted(const struct collective_rules *r, int rank, int chunk)
{
    switch (r->kind) {
    case COLLECTIVE_ALL_GATHER:
    case COLLECTIVE_ALL_TO_ALL: return bit(chunk);
    case COLLECTIVE_REDUCE_SCATTER: return rank == chunk ? everybody(r) : 0;
    default: return everybody(r);
    }
}

static uint16_t brings(const struct collective_rules *r, const struct collective_state *before,
                       const struct collective_send *s)
{
    return r->kind == COLLECTIVE_ALL_TO_ALL ? bit(s->from) : before->held[s->from][s->chunk];
}

/* Added or copied, the receiver has both. */
static void land(struct collective_state *now, const struct collective_rules *r,
                 const struct collective_state *before, const struct collective_send *s)
{
    now->held[s->to][collective_slot(r, s)] |= brings(r, before, s);
}

void collective_held(struct collective_state *out, const struct collective *c, int steps)
{
    struct collective_state before;
    int i = 0;
    begin(out, &c->rules);
    for (int step = 0; step < steps && i < c->n; step++) {
        before = *out;
        for (; i < c->n && c->send[i].step == step; i++)
            land(out, &c->rules, &before, &c->send[i]);
    }
}

/* ---- what cannot be ---- */

static enum collective_fault fail(struct err *err, enum collective_fault fault,
                                  const struct collective *c, struct collective_send s,
                                  const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* "b from 1 to 2: why" */
static enum collective_fault fail(struct err *err, enum collective_fault fault,
                                  const struct collective *c, struct collective_send s,
                                  const char *fmt, ...)
{
    char why[160], chunk[24];
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    err_set(err, ERR_BAD_REQUEST, "%s from %d to %d: %s",
            collective_chunk_words(&c->rules, s.from, s.chunk, chunk), s.from, s.to, why);
    return fault;
}

static enum collective_fault check_names(const struct collective *c, struct collective_send s,
                                         struct err *err)
{
    const struct collective_rules *r = &c->rules;
    char first[24], last[24];
    int ranks = r->ranks;
    if (s.from < 0 || s.from >= ranks || s.to < 0 || s.to >= ranks)
        return fail(err, SEND_NO_RANK, c, s, "no such rank, only 0 to %d", ranks - 1);
    if (s.chunk < 0 || s.chunk >= r->chunks)
        return fail(err, SEND_NO_CHUNK, c, s, "rank %d has %s to %s to send", s.from,
                    collective_chunk_words(r, s.from, 0, first),
                    collective_chunk_words(r, s.from, r->chunks - 1, last));
    if (s.from == s.to)
        return fail(err, SEND_SELF, c, s, "rank %d has it itself", s.to);
    if (r->kind == COLLECTIVE_ALL_TO_ALL && s.to != s.chunk)
        return fail(err, SEND_AIM, c, s, "that block is for rank %d", s.chunk);
    return SEND_FINE;
}

/* All below a rank in a tree, and itself. */
static uint16_t subtree(const struct collective_rules *r, int chunk, int top)
{
    uint16_t all = 0;
    for (int rank = 0; rank < r->ranks; rank++)
        for (int at = rank; at >= 0; at = collective_parent(r, chunk, at))
            if (at == top)
                all |= bit(rank);
    return all;
}

static enum collective_fault check_branch(const struct collective *c, struct collective_send s,
                                          uint16_t has, struct err *err)
{
    const struct collective_rules *r = &c->rules;
    char words[48];
    bool up = collective_parent(r, s.chunk, s.from) == s.to,
         down = collective_parent(r, s.chunk, s.to) == s.from;
    uint16_t lacks = (uint16_t)((up ? subtree(r, s.chunk, s.from) : everybody(r)) & ~has);
    if (!up && !down)
        return fail(err, SEND_EDGE, c, s, "no branch of its tree joins them");
    if (!lacks)
        return SEND_FINE;
    collective_mask_words(r, lacks, words);
    if (up)
        return fail(err, SEND_EARLY, c, s, "rank %d still lacks %s from below", s.from,
                    words);
    return fail(err, SEND_EARLY, c, s, "only the whole sum goes down; rank %d lacks %s",
                s.from, words);
}

/* One receiver and one sender in a step, and one chunk; hierarchical: several chunks. */
static enum collective_fault check_ports(const struct collective *c, struct collective_send s,
                                         struct err *err)
{
    bool several = c->rules.kind == COLLECTIVE_HIERARCHICAL;
    for (int i = 0; i < c->n; i++) {
        const struct collective_send *o = &c->send[i];
        bool pair = o->from == s.from && o->to == s.to;
        if (o->step != c->step || (pair && several))
            continue;
        if (o->from == s.from)
            return fail(err, SEND_FROM_BUSY, c, s, "rank %d sends to %d in this step already",
                        s.from, o->to);
        if (o->to == s.to)
            return fail(err, SEND_TO_BUSY, c, s,
                        "rank %d receives from %d in this step already", s.to, o->from);
    }
    return SEND_FINE;
}

static enum collective_fault check_lands(const struct collective *c, struct collective_send s,
                                         uint16_t comes, uint16_t has, struct err *err)
{
    const struct collective_rules *r = &c->rules;
    bool summed = r->kind != COLLECTIVE_ALL_GATHER && r->kind != COLLECTIVE_ALL_TO_ALL;
    char a[48], b[48], both[48];
    if ((comes & ~has) == 0 && summed)
        return fail(err, SEND_HAS, c, s, "rank %d has %s of it already", s.to,
                    collective_mask_words(r, has, a));
    if ((comes & ~has) == 0)
        return fail(err, SEND_HAS, c, s, "rank %d has it already", s.to);
    if (!(comes & has) || !(has & ~comes))
        return SEND_FINE;
    return fail(err, SEND_TWICE, c, s, "rank %d has %s, %s comes: %s would count twice",
                s.to, collective_mask_words(r, has, a), collective_mask_words(r, comes, b),
                collective_mask_words(r, comes & has, both));
}

/* ---- sends ---- */

enum collective_fault collective_add(struct collective *c, struct collective_send s,
                                     struct err *err)
{
    const struct collective_rules *r = &c->rules;
    struct collective_state before, now;
    enum collective_fault fault = check_names(c, s, err);
    if (fault)
        return fault;
    collective_held(&before, c, c->step);
    collective_held(&now, c, c->step + 1);
    uint16_t comes = brings(r, &before, &s), has = now.held[s.to][collective_slot(r, &s)];
    if (!comes)
        return fail(err, SEND_LACKS, c, s, "rank %d does not hold it yet", s.from);
    fault = collective_is_tree(r) ? check_branch(c, s, comes, err) : check_ports(c, s, err);
    if (!fault)
        fault = check_lands(c, s, comes, has, err);
    if (fault)
        return fault;
    if (c->n == COLLECTIVE_SENDS)
        return fail(err, SEND_MANY, c, s, "more than %d sends", COLLECTIVE_SENDS);
    s.step = c->step;
    c->send[c->n++] = s;
    return SEND_FINE;
}

int collective_next(struct collective *c, struct err *err)
{
    if (c->n == 0 || c->send[c->n - 1].step < c->step)
        return err_set(err, ERR_BAD_REQUEST, "nothing is sent in step %d yet", c->step + 1);
    if (c->step + 1 == COLLECTIVE_STEPS)
        return err_set(err, ERR_TOO_LARGE, "more than %d steps", COLLECTIVE_STEPS);
    c->step++;
    return 0;
}

bool collective_undo(struct collective *c)
{
    if (c->n == 0)
        return false;
    c->step = c->send[--c->n].step;
    return true;
}

enum collective_fault collective_ends(const struct collective *c, struct err *err)
{
    const struct collective_rules *r = &c->rules;
    struct collective_state now;
    char words[48], name[24];
    collective_held(&now, c, COLLECTIVE_STEPS);
    for (int rank = 0; rank < r->ranks; rank++)
        for (int k = 0; k < r->chunks; k++) {
            uint16_t lacks =
                (uint16_t)(collective_wanted(r, rank, k) & ~now.held[rank][k]);
            bool block = r->kind == COLLECTIVE_ALL_TO_ALL;
            if (!lacks)
                continue;
            collective_chunk_words(r, k, block ? rank : k, name);
            if (block || r->kind == COLLECTIVE_ALL_GATHER)
                err_set(err, ERR_BAD_REQUEST, "rank %d lacks %s of rank %d", rank, name, k);
            else
                err_set(err, ERR_BAD_REQUEST, "rank %d lacks %s in the sum of %s", rank,
                        collective_mask_words(r, lacks, words), name);
            return SEND_ENDS;
        }
    return SEND_FINE;
}

/* ---- what it comes to ---- */

static bool leaves_node(const struct collective_rules *r, const struct collective_send *s)
{
    int each = r->ranks / r->nodes;
    return s->from / each != s->to / each;
}

static double chunk_bytes(const struct collective_rules *r)
{
    return r->bytes / r->chunks;
}

/* Chunks that a rank sends or receives in the steps from..to-1, over links inside and outside. */
static void count(const struct collective *c, int rank, bool received, int from, int to, int out[2])
{
    out[0] = out[1] = 0;
    for (int i = 0; i < c->n; i++) {
        const struct collective_send *s = &c->send[i];
        if ((received ? s->to : s->from) == rank && s->step >= from && s->step < to)
            out[leaves_node(&c->rules, s)]++;
    }
}

static double link_time(const struct collective_rules *r, int outside, int chunks)
{
    const struct collective_link *l = outside ? &r->outer : &r->inner;
    return chunks ? l->alpha + chunks * chunk_bytes(r) / l->rate : 0;
}

struct collective_sum collective_step_sum(const struct collective *c, int step)
{
    struct collective_sum sum = {.steps = 1};
    for (int k = 0; k < 2 * c->rules.ranks; k++) {
        int n[2];
        count(c, k / 2, k % 2, step, step + 1, n);
        sum.bytes = fmax(sum.bytes, (n[0] + n[1]) * chunk_bytes(&c->rules));
        sum.outer = fmax(sum.outer, n[1] * chunk_bytes(&c->rules));
        for (int outside = 0; outside < 2; outside++)
            sum.time = fmax(sum.time, link_time(&c->rules, outside, n[outside]));
    }
    return sum;
}

double collective_sent(const struct collective *c, int rank)
{
    int n[2];
    count(c, rank, false, 0, COLLECTIVE_STEPS, n);
    return (n[0] + n[1]) * chunk_bytes(&c->rules);
}

void collective_sum(struct collective_sum *out, const struct collective *c)
{
    *out = (struct collective_sum){.steps = c->n ? c->send[c->n - 1].step + 1 : 0};
    for (int step = 0; step < out->steps; step++)
        out->time += collective_step_sum(c, step).time;
    for (int rank = 0; rank < c->rules.ranks; rank++) {
        int n[2];
        count(c, rank, false, 0, COLLECTIVE_STEPS, n);
        out->bytes = fmax(out->bytes, (n[0] + n[1]) * chunk_bytes(&c->rules));
        out->outer = fmax(out->outer, n[1] * chunk_bytes(&c->rules));
    }
}

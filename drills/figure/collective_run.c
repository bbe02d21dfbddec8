#include "drills/figure/collective.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* ---- places in a tree ---- */

static int depth(const struct collective_rules *r, int chunk, int rank)
{
    int n = 0;
    while ((rank = collective_parent(r, chunk, rank)) >= 0)
        n++;
    return n;
}

/* Branches between a rank and the farthest leaf below it. */
static int height(const struct collective_rules *r, int chunk, int top)
{
    int most = 0;
    for (int rank = 0; rank < r->ranks; rank++)
        for (int at = rank, n = 0; at >= 0; at = collective_parent(r, chunk, at), n++)
            if (at == top && n > most)
                most = n;
    return most;
}

/* ---- known orders: does the rank send the chunk in this step, and to whom ---- */

static void put(struct collective *c, int from, int to, int chunk)
{
    struct err err = {0};
    enum collective_fault fault =
        collective_add(c, (struct collective_send){0, from, to, chunk}, &err);
    assert(!fault);
    (void)fault;
}

static int turn(int k, int n)
{
    return ((k % n) + n) % n;
}

/* Chunks go round; `late` is by how many one rank is behind its number. */
static void ring_step(struct collective *c, int step, int late)
{
    int n = c->rules.ranks;
    for (int rank = 0; rank < n; rank++)
        put(c, rank, (rank + 1) % n, turn(rank - step - late, n));
}

static void tree_step(struct collective *c, int step)
{
    const struct collective_rules *r = &c->rules;
    for (int chunk = 0; chunk < r->chunks; chunk++)
        for (int rank = 0; rank < r->ranks; rank++) {
            int up = collective_parent(r, chunk, rank), root = rank;
            while (collective_parent(r, chunk, root) >= 0)
                root = collective_parent(r, chunk, root);
            if (up >= 0 && step == height(r, chunk, rank))
                put(c, rank, up, chunk);
            if (up >= 0 && step == height(r, chunk, root) + depth(r, chunk, up))
                put(c, up, rank, chunk);
        }
}

/* Shard l of a node is its chunks l*nodes to l*nodes + nodes-1, a chunk for each node. */
static void inside_step(struct collective *c, int step, int late)
{
    int nodes = c->rules.nodes, each = c->rules.ranks / nodes;
    for (int rank = 0; rank < c->rules.ranks; rank++) {
        int local = rank % each, node = rank / each;
        for (int k = 0; k < nodes; k++)
            put(c, rank, node * each + (local + 1) % each,
                turn(local - step - late, each) * nodes + k);
    }
}

static void between_step(struct collective *c, int step)
{
    int nodes = c->rules.nodes, each = c->rules.ranks / nodes;
    for (int rank = 0; rank < c->rules.ranks; rank++) {
        int local = rank % each, node = rank / each;
        put(c, rank, (node + 1) % nodes * each + local, local * nodes + turn(node - step, nodes));
    }
}

static void hierarchical_step(struct collective *c, int step)
{
    int nodes = c->rules.nodes, inside = c->rules.ranks / nodes - 1, between = 2 * (nodes - 1);
    if (step < inside)
        inside_step(c, step, 1);
    else if (step < inside + between)
        between_step(c, step - inside);
    else
        inside_step(c, step - inside - between, 0);
}

static void known_step(struct collective *c, int step)
{
    int n = c->rules.ranks;
    switch (c->rules.kind) {
    case COLLECTIVE_TREE:
    case COLLECTIVE_DOUBLE_TREE: tree_step(c, step); break;
    case COLLECTIVE_HIERARCHICAL: hierarchical_step(c, step); break;
    case COLLECTIVE_ALL_TO_ALL:
        for (int rank = 0; rank < n; rank++)
            put(c, rank, (rank + step + 1) % n, (rank + step + 1) % n);
        break;
    default: ring_step(c, step, c->rules.kind == COLLECTIVE_REDUCE_SCATTER); break;
    }
}

void collective_known(struct collective *out, const struct collective_rules *r)
{
    *out = (struct collective){.rules = *r};
    known_step(out, 0);
    for (int step = 1; collective_ends(out, NULL); step++) {
        collective_next(out, NULL);
        known_step(out, step);
    }
}

/* ---- an order that is written ---- */

/* "0a1": where it ends, or NULL. */
static const char *read_send(const char *at, const struct collective_rules *r,
                             struct collective_send *out)
{
    if (!isdigit((unsigned char)at[0]) || !islower((unsigned char)at[1]) ||
        !isdigit((unsigned char)at[2]) || (at[3] && !strchr(" \t\n;", at[3])))
        return NULL;
    *out = (struct collective_send){0, at[0] - '0', at[2] - '0', at[1] - 'a'};
    if (r->kind == COLLECTIVE_ALL_TO_ALL)
        out->chunk -= out->from * r->ranks;
    return at + 3;
}

static int next_step(struct collective *c, enum collective_fault *fault, struct err *err)
{
    int rc = collective_next(c, err);
    *fault = rc == ERR_TOO_LARGE ? SEND_MANY : SEND_FINE;
    return rc;
}

static int send_written(struct collective *c, struct collective_send s,
                        enum collective_fault *fault, struct err *err)
{
    struct err why = {0};
    *fault = collective_add(c, s, &why);
    return *fault ? err_set(err, ERR_BAD_REQUEST, "step %d, %s", c->step + 1, why.text) : 0;
}

int collective_read(struct collective *out, const struct collective_rules *r, const char *text,
                    enum collective_fault *fault, struct err *err)
{
    *out = (struct collective){.rules = *r};
    *fault = SEND_FINE;
    for (const char *at = text + strspn(text, " \t\n"); *at; at += strspn(at, " \t\n")) {
        struct collective_send s;
        bool ends = *at == ';';
        const char *end = ends ? at + 1 : read_send(at, r, &s);
        if (!end)
            return err_set(err, ERR_BAD_REQUEST, "'%.12s' is no send; 0a1, from rank 0 chunk a to "
                           "rank 1, was expected, and ; between steps", at);
        at = end;
        bool last = !at[strspn(at, " \t\n;")];
        int rc = !ends ? send_written(out, s, fault, err) : last ? 0 : next_step(out, fault, err);
        if (rc)
            return rc;
    }
    *fault = collective_ends(out, err);
    return *fault ? ERR_BAD_REQUEST : 0;
}

/* ---- grading ---- */

void collective_grade(struct collective_grade *out, const struct collective *c)
{
    struct collective known;
    double grain = c->rules.bytes / c->rules.chunks / 2;
    collective_known(&known, &c->rules);
    collective_sum(&out->sum, c);
    collective_sum(&out->least, &known);
    out->whole = collective_ends(c, NULL) == SEND_FINE;
    out->best = out->whole && out->sum.steps <= out->least.steps &&
                out->sum.bytes < out->least.bytes + grain &&
                out->sum.outer < out->least.outer + grain;
}

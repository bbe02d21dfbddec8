#include "drills/collective.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "drills/fill.h"

/* ---- rules ---- */

bool collective_is_tree(const struct collective_rules *r)
{
    return r->kind == COLLECTIVE_TREE || r->kind == COLLECTIVE_DOUBLE_TREE;
}

static int chunks_of(enum collective_kind kind, int ranks)
{
    return kind == COLLECTIVE_TREE ? 1 : kind == COLLECTIVE_DOUBLE_TREE ? 2 : ranks;
}

int collective_rules_make(struct collective_rules *out, enum collective_kind kind, int ranks,
                          int nodes, double bytes, const struct collective_link links[2],
                          struct err *err)
{
    bool far = kind == COLLECTIVE_HIERARCHICAL;
    *out = (struct collective_rules){kind,  ranks,    far ? nodes : 1, chunks_of(kind, ranks),
                                     bytes, links[0], links[1]};
    if (ranks < 2 || ranks > COLLECTIVE_RANKS)
        return err_set(err, ERR_BAD_REQUEST, "%d ranks; 2 to %d were expected", ranks,
                       COLLECTIVE_RANKS);
    if (far && (nodes < 2 || nodes >= ranks || ranks % nodes))
        return err_set(err, ERR_BAD_REQUEST, "%d ranks on %d nodes; two nodes or more, each with "
                       "as many ranks, two or more, were expected", ranks, nodes);
    if (!(bytes > 0))
        return err_set(err, ERR_BAD_REQUEST, "no bytes; some were expected");
    for (int i = 0; i <= far; i++)
        if (!(links[i].rate > 0) || !(links[i].alpha >= 0))
            return err_set(err, ERR_BAD_REQUEST, "a link without a rate; a bandwidth above 0 and a "
                           "latency of at least 0 were expected");
    return 0;
}

void collective_draw_size(struct collective_rules *out, const struct collective_rules *like,
                          uint64_t seed)
{
    static const struct { int least, n, by; } sizes[] = {
        {3, 2, 1}, {3, 2, 1}, {3, 2, 1}, {4, 3, 1}, {4, 2, 2}, {4, 1, 1}, {3, 2, 1},
    };
    uint64_t mixed = (seed ^ 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
    int k = (int)((mixed >> 33) % (uint64_t)sizes[like->kind].n),
        ranks = sizes[like->kind].least + k * sizes[like->kind].by;
    *out = *like;
    out->ranks = ranks;
    out->nodes = like->kind == COLLECTIVE_HIERARCHICAL ? 2 : 1;
    out->chunks = chunks_of(like->kind, ranks);
}

void collective_words(const struct collective_rules *r, char *out, size_t size)
{
    static const char *const rules[] = {
        "every rank ends with the sum of all chunks. In a step a rank sends one chunk to one rank "
        "and receives one",
        "rank 0 ends with the sum of a, rank 1 with that of b, and so on. In a step a rank sends "
        "one chunk to one rank and receives one",
        "every rank ends with all chunks. In a step a rank sends one chunk to one rank and "
        "receives one",
        "every rank ends with the sum, which goes up the tree and comes down whole",
        "every rank ends with the sum of both halves, each by its own tree: up, and down whole",
        "every rank ends with the sum of all chunks. In a step a rank sends chunks to one rank "
        "and receives from one",
        "every rank ends with the blocks that are for it. In a step a rank sends one block and "
        "receives one",
    };
    char bytes[48], nodes[48] = "";
    fill_value(bytes, sizeof bytes, (struct quantity){r->bytes, DIM_BYTE}, NULL);
    if (r->nodes > 1)
        snprintf(nodes, sizeof nodes, " on %d nodes", r->nodes);
    snprintf(out, size, "%d ranks%s, %s each: %s. As few steps and bytes as can be.", r->ranks,
             nodes, bytes, rules[r->kind]);
}

double collective_factor(const struct collective_rules *r)
{
    bool both = r->kind != COLLECTIVE_REDUCE_SCATTER && r->kind != COLLECTIVE_ALL_GATHER &&
                r->kind != COLLECTIVE_ALL_TO_ALL;
    return (both ? 2.0 : 1.0) * (r->ranks - 1) / r->ranks;
}

/* ---- trees ---- */

/* Odd places are leaves; the parent has the lowest bit moved up by one, or cleared where that is
 * outside. */
static int parent_place(int place, int ranks)
{
    int low = place & -place, up = (place ^ low) | low << 1;
    return place == 0 ? -1 : up < ranks ? up : place ^ low;
}

int collective_parent(const struct collective_rules *r, int chunk, int rank)
{
    int n = r->ranks, up;
    if (chunk == 0)
        return parent_place(rank, n);
    if (n % 2 == 0) {
        up = parent_place(n - 1 - rank, n);
        return up < 0 ? -1 : n - 1 - up;
    }
    up = parent_place((rank + n - 1) % n, n);
    return up < 0 ? -1 : (up + 1) % n;
}

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

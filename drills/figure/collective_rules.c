#include "drills/figure/collective.h"

#include <stdio.h>

#include "drills/question/fill.h"

const char *const collective_kinds[] = {
    "ring-all-reduce", "ring-reduce-scatter", "ring-all-gather", "tree",
    "double-tree",     "hierarchical",        "all-to-all",
};

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
    char bytes[48], nodes[64] = "";
    fill_value(bytes, sizeof bytes, (struct quantity){r->bytes, DIM_BYTE}, NULL);
    if (r->nodes > 1)
        snprintf(nodes, sizeof nodes, " on %d nodes, 0 to %d on the first", r->nodes,
                 r->ranks / r->nodes - 1);
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

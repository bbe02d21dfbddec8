/* A collective, from its kind and sizes. Steps and ranks are parts that the program explains. */
#include "drills/figure/figure_read.h"

#include <stdio.h>
#include <string.h>

#include "drills/question/fill.h"

enum { KIND, RANKS, NODES, BYTES, ALPHA, BANDWIDTH, OUTER_ALPHA, OUTER_BANDWIDTH, STEP, COUNT };
SHAPE(collective, "a collective", COUNT, {"kind", true}, {"ranks", true}, {"nodes", false},
      {"bytes", true}, {"alpha", true}, {"bandwidth", true}, {"outer-alpha", false},
      {"outer-bandwidth", false}, {"step", false});

/* Blocks of an all-to-all have a letter each. */
enum { MOST_RANKS = 8, MOST_BLOCKS = 5, MOST_NODES = 3 };

static const char *bytes_unit(double bytes)
{
    return bytes >= 1e9 ? "GB" : bytes >= 1e6 ? "MB" : bytes >= 1e3 ? "kB" : "B";
}

static const char *time_unit(double time)
{
    return time >= 1 ? "s" : time >= 1e-3 ? "ms" : "us";
}

/* ---- what is explained ---- */

/* Of a step, from 0, of so many. */
static const char *step_says(const struct collective *c, int step, int steps)
{
    int nodes = c->rules.nodes, each = c->rules.ranks / nodes, n = c->rules.ranks;
    switch (c->rules.kind) {
    case COLLECTIVE_TREE:
    case COLLECTIVE_DOUBLE_TREE:
        return step * 2 < steps
                   ? "Up: a rank that has all from below sends it to its parent, which adds it."
                   : "Down: who has the whole sum sends it to its children.";
    case COLLECTIVE_HIERARCHICAL:
        if (step < each - 1)
            return "Reduce-scatter inside each node: every rank gets the node's sum of a shard.";
        if (step < each - 1 + 2 * (nodes - 1))
            return "All-reduce between nodes: each rank with those of its place, by its own NIC.";
        return "All-gather inside each node: whole shards go round.";
    case COLLECTIVE_ALL_TO_ALL:
        return "Each rank sends a block as many places on as the step's number.";
    case COLLECTIVE_ALL_GATHER: return "Chunks go round the ring, unchanged.";
    default:
        if (step < n - 1)
            return "Reduce-scatter: each rank sends a sum to the next, which adds its own.";
        return "All-gather: whole sums go round and are copied.";
    }
}

/* ", in tree a under 2 and above 1 3" */
static const char *place_in_tree(struct figure_reader *r, const struct collective *c, int tree,
                                 int rank)
{
    const char *below = "";
    int up = collective_parent(&c->rules, tree, rank);
    for (int k = 0; k < c->rules.ranks; k++)
        if (collective_parent(&c->rules, tree, k) == rank)
            below = arena_format(r->arena, "%s %d", below, k);
    const char *under = up < 0 ? "the root" : arena_format(r->arena, "under %d", up);
    return arena_format(r->arena, ", in tree %c %s%s%s", 'a' + tree, under,
                        *below ? " and above" : ", a leaf", below);
}

static const char *rank_says(struct figure_reader *r, const struct collective *c, int rank)
{
    char bytes[48];
    const char *places = "";
    fill_value(bytes, sizeof bytes, (struct quantity){collective_sent(c, rank), DIM_BYTE}, NULL);
    for (int tree = 0; collective_is_tree(&c->rules) && tree < c->rules.chunks; tree++)
        places = arena_format(r->arena, "%s%s", places, place_in_tree(r, c, tree, rank));
    if (c->rules.nodes > 1)
        places = arena_format(r->arena, ", on node %d", rank * c->rules.nodes / c->rules.ranks);
    return arena_format(r->arena, "Sends %s in all%s.", bytes, places);
}

static int add_part(struct figure_reader *r, const char *name, const char *says)
{
    int part = figure_part(r, name, NULL);
    r->figure->part[part].says = arena_text(r->arena, says, strlen(says));
    return part;
}

/* ---- slots ---- */

static int size_slot(struct figure_reader *r, double value, struct dim dim, int part, bool ask)
{
    const char *unit = dim_equal(dim, DIM_BYTE) ? bytes_unit(value) : time_unit(value);
    return figure_computed(r, (struct quantity){value, dim}, unit, part, ask);
}

/* What came in the step may be left blank. A rank's own number is no choice beside sums: it would be
 * taken for a place. */
static int held_slot(struct figure_reader *r, const struct collective *c, uint16_t mask,
                     int rank, int k, bool fresh)
{
    char words[48], name[24];
    bool block = c->rules.kind == COLLECTIVE_ALL_TO_ALL,
         moves = block || c->rules.kind == COLLECTIVE_ALL_GATHER;
    if (!mask)
        return -1;
    collective_chunk_words(&c->rules, k, block ? rank : k, name);
    return figure_word(r, moves ? name : collective_mask_words(&c->rules, mask, words),
                       moves || mask & (mask - 1) ? "held" : "own",
                       r->figure->slot[r->figure->collective.row[rank]].part, fresh);
}

static void add_held(struct figure_reader *r, struct figure_step *step, int at)
{
    const struct collective *c = r->figure->collective.known;
    struct collective_state before, now;
    collective_held(&before, c, at > 0 ? at - 1 : 0);
    collective_held(&now, c, at);
    for (int rank = 0; rank < c->rules.ranks; rank++)
        for (int k = 0; k < c->rules.chunks; k++)
            step->held[rank][k] = held_slot(r, c, now.held[rank][k], rank, k,
                                            now.held[rank][k] != before.held[rank][k]);
}

/* Sizes are asked where they change. */
static void add_step(struct figure_reader *r, int at)
{
    struct figure_collective *f = &r->figure->collective;
    struct figure_step *step = &f->step[at];
    int part = at - f->first; /* steps are the first parts */
    struct collective_sum sum = collective_step_sum(f->known, at - 1),
                          last = collective_step_sum(f->known, at - 2);
    *step = (struct figure_step){
        .name = figure_word(r, r->figure->part[part].name, "step", part, false),
        .bytes = -1, .time = -1};
    if (at > 0) {
        bool changes = at == f->first || at == 1 || sum.time != last.time;
        step->bytes = size_slot(r, sum.bytes, DIM_BYTE, part, changes);
        step->time = size_slot(r, sum.time, DIM_SECOND, part, changes);
    }
    for (int rank = 0; rank < f->known->rules.ranks; rank++) {
        char words[48];
        collective_sends_words(f->known, at - 1, rank, words, sizeof words);
        step->sends[rank] =
            *words ? figure_word(r, words, "send", r->figure->slot[f->row[rank]].part, true) : -1;
    }
    add_held(r, step, at);
}

static void bind(struct figure_reader *r, const struct yaml *y, const struct collective_sum *sum)
{
    const struct collective *c = r->figure->collective.known;
    figure_bind_plain(r, y, "steps", sum->steps);
    figure_bind_plain(r, y, "factor", collective_factor(&c->rules));
    figure_bind(r, y, "bytes", (struct quantity){c->rules.bytes, DIM_BYTE});
    figure_bind(r, y, "sent", (struct quantity){sum->bytes, DIM_BYTE});
    figure_bind(r, y, "outer", (struct quantity){sum->outer, DIM_BYTE});
    figure_bind(r, y, "time", (struct quantity){sum->time, DIM_SECOND});
}

/* ---- reading ---- */

static double value_of(struct figure_reader *r, const struct yaml *y, struct dim dim,
                       const char *what)
{
    struct quantity q = figure_formula(r, y);
    if (y && !r->rc && !dim_equal(q.dim, dim))
        figure_fail(r, y, "%s was expected", what);
    return q.value;
}

static void read_rules(struct figure_reader *r, const struct yaml *const *k, const struct yaml *y,
                       struct collective_rules *out)
{
    struct err why = {0};
    int kind = figure_choice(r, k[KIND], collective_kinds, COLLECTIVE_KINDS,
                             "ring-all-reduce, ring-reduce-scatter, ring-all-gather, tree, "
                             "double-tree, hierarchical or all-to-all");
    int most = kind == COLLECTIVE_ALL_TO_ALL ? MOST_BLOCKS : MOST_RANKS,
        ranks = figure_whole(r, k[RANKS], 2, most),
        nodes = k[NODES] ? figure_whole(r, k[NODES], 2, MOST_NODES) : 1;
    double bytes = value_of(r, k[BYTES], DIM_BYTE, "bytes");
    struct collective_link links[] = {
        {value_of(r, k[ALPHA], DIM_SECOND, "a time"),
         value_of(r, k[BANDWIDTH], DIM_BANDWIDTH, "a bandwidth")},
        {value_of(r, k[OUTER_ALPHA], DIM_SECOND, "a time"),
         value_of(r, k[OUTER_BANDWIDTH], DIM_BANDWIDTH, "a bandwidth")},
    };
    bool far = kind == COLLECTIVE_HIERARCHICAL, given = k[OUTER_ALPHA] || k[OUTER_BANDWIDTH];
    if (!r->rc && !far && (k[NODES] || given))
        figure_fail(r, y, "nodes and outer links of %s; only hierarchical has them",
                    collective_kinds[kind]);
    if (!r->rc && collective_rules_make(out, (enum collective_kind)kind, ranks, nodes, bytes,
                                        links, &why))
        figure_fail(r, y, "%s", why.text);
}

void figure_read_collective(struct figure_reader *r, const struct yaml *y)
{
    const struct yaml *k[COUNT];
    struct figure_collective *f = &r->figure->collective;
    struct collective_rules rules = {.ranks = 0};
    struct collective_sum sum;
    f->known = arena_new(r->arena, 1, sizeof *f->known);
    if (!figure_keys(r, y, &figure_collective_shape, k))
        return;
    read_rules(r, k, y, &rules);
    if (r->rc)
        return;
    collective_known(f->known, &rules);
    collective_sum(&sum, f->known);
    f->step = arena_new(r->arena, (size_t)sum.steps + 1, sizeof *f->step);
    f->first = k[STEP] ? figure_whole(r, k[STEP], 1, sum.steps) : 0;
    f->last = k[STEP] ? f->first : sum.steps;
    for (int at = f->first; at <= f->last; at++)
        add_part(r, arena_format(r->arena, at ? "step %d" : "before", at),
                 at ? step_says(f->known, at - 1, sum.steps) : "What each rank begins with.");
    for (int rank = 0; rank < rules.ranks; rank++) {
        int part = add_part(r, arena_format(r->arena, "rank %d", rank),
                            rank_says(r, f->known, rank));
        f->row[rank] = figure_word(r, arena_format(r->arena, "%d", rank), "rank", part, false);
    }
    for (int at = f->first; at <= f->last && !r->rc; at++)
        add_step(r, at);
    bind(r, y, &sum);
}

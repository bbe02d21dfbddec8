/* Collectives: every known order ends with what it should, with the table's bytes and steps, each
 * contribution once; wrong sends are named. */
#include "drills/figure/collective.h"
#include "scenarios/formula/formula.h"
#include "tests/drills/library/shipped.h"
#include "tests/unit.h"

static struct collective c;

static const struct size { int ranks, nodes; } sizes[] = {
    {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {8, 1}, {9, 1}, {12, 1}, {16, 1},
};
static const struct size far_sizes[] = {
    {4, 2}, {6, 2}, {6, 3}, {8, 2}, {8, 4}, {9, 3}, {10, 5}, {12, 3}, {16, 2}, {16, 4},
};
enum { SIZES = 10 };
#define BYTES 5040e6 /* whole chunks for most counts of ranks */
#define ALPHA 1e-6
#define RATE 450e9
static const struct collective_link links[] = {{ALPHA, RATE}, {2e-6, 50e9}};

static struct collective_rules rules(enum collective_kind kind, int ranks, int nodes)
{
    struct collective_rules r;
    struct err err = {0};
    if (collective_rules_make(&r, kind, ranks, nodes, BYTES, links, &err))
        fail_msg("%s", err.text);
    return r;
}

/* The known order of each kind at each size. */
static void each_known(void (*check)(const struct collective_rules *r))
{
    for (int k = 0; k < COLLECTIVE_KINDS; k++)
        for (int i = 0; i < SIZES; i++) {
            const struct size *s = k == COLLECTIVE_HIERARCHICAL ? &far_sizes[i] : &sizes[i];
            struct collective_rules r = rules((enum collective_kind)k, s->ranks, s->nodes);
            collective_known(&c, &r);
            check(&r);
        }
}

/* ---- what is summed ---- */

/* How often each rank's data are in what a rank holds: sums add the counts, copies replace them.
 * Nothing counts twice, and the model's bits say the same. */
static void check_counts(const struct collective_rules *r)
{
    static int counts[16][16][16], before[16][16][16];
    int n = r->ranks;
    bool moves = r->kind == COLLECTIVE_ALL_GATHER || r->kind == COLLECTIVE_ALL_TO_ALL;
    memset(counts, 0, sizeof counts);
    for (int rank = 0; rank < n; rank++)
        for (int chunk = 0; chunk < r->chunks; chunk++)
            counts[rank][chunk][rank] = !moves || rank == chunk;
    for (int i = 0, step = -1; i < c.n; i++) {
        const struct collective_send *s = &c.send[i];
        int slot = collective_slot(r, s);
        if (s->step != step)
            memcpy(before, counts, sizeof counts);
        step = s->step;
        int *to = counts[s->to][slot], own[16] = {0}, common = 0;
        const int *from = r->kind == COLLECTIVE_ALL_TO_ALL ? own : before[s->from][slot];
        own[s->from] = 1;
        for (int k = 0; k < n; k++)
            common += to[k] && from[k];
        for (int k = 0; k < n; k++)
            to[k] = common ? from[k] : to[k] + from[k];
    }
    struct collective_state now;
    collective_held(&now, &c, COLLECTIVE_STEPS);
    for (int rank = 0; rank < n; rank++)
        for (int chunk = 0; chunk < r->chunks; chunk++)
            for (int k = 0; k < n; k++)
                assert_int_equal(counts[rank][chunk][k], now.held[rank][chunk] >> k & 1);
}

static void check_end(const struct collective_rules *r)
{
    struct collective_state end;
    assert_int_equal(collective_ends(&c, NULL), SEND_FINE);
    collective_held(&end, &c, COLLECTIVE_STEPS);
    for (int rank = 0; rank < r->ranks; rank++)
        for (int chunk = 0; chunk < r->chunks; chunk++) {
            unsigned all = (1u << r->ranks) - 1, has = end.held[rank][chunk];
            bool moves = r->kind == COLLECTIVE_ALL_GATHER || r->kind == COLLECTIVE_ALL_TO_ALL,
                 owned = r->kind != COLLECTIVE_REDUCE_SCATTER || rank == chunk;
            if (owned)
                assert_int_equal(has, moves ? 1u << chunk : all);
        }
}

static void every_rank_ends_with_what_it_should(void **state)
{
    each_known(check_end);
}

static void each_contribution_counts_once(void **state)
{
    each_known(check_counts);
}

/* Sends by lot, of which those are taken that the model takes. */
static void whatever_is_taken_counts_once(void **state)
{
    uint64_t lot = 1;
    for (int i = 0; i < 40 * COLLECTIVE_KINDS; i++) {
        enum collective_kind kind = (enum collective_kind)(i % COLLECTIVE_KINDS);
        int far = kind == COLLECTIVE_HIERARCHICAL;
        struct collective_rules r = rules(kind, far ? 6 : 3 + i / 20 % 4, far ? 2 : 1);
        c = (struct collective){.rules = r};
        for (int k = 0; k < 400; k++) {
            lot = lot * 6364136223846793005ull + 1442695040888963407ull;
            struct collective_send s = {0, (int)(lot >> 33) % r.ranks, (int)(lot >> 40) % r.ranks,
                                        (int)(lot >> 48) % r.chunks};
            if (collective_add(&c, s, NULL) && k % 5 == 0 && c.step < 30)
                collective_next(&c, NULL);
        }
        assert_true(c.n > 0);
        check_counts(&r);
    }
}

/* ---- bytes, steps, time ---- */

static int name_value(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    const struct collective_rules *r = ctx;
    *out = (struct quantity){!strcmp(name, "n") ? r->ranks : r->bytes, DIM_NONE};
    return !strcmp(name, "n") || !strcmp(name, "M") ? 0 : err_set(err, ERR_MISSING, "%s?", name);
}

static double formula(const struct collective_rules *r, const char *table, const char *row,
                      const char *column)
{
    const struct table *t = library_table(&library, table);
    int at = table_row(t, row), column_at = rows_column(t->rows, column), place = 0;
    struct formula *f = NULL;
    struct quantity q;
    struct err err = {0};
    assert_true(at >= 0 && column_at >= 0);
    if (formula_parse(&f, row_cell(&t->rows->row[at], column_at), &place, &err) ||
        formula_eval(f, name_value, (void *)(size_t)r, &q, &place, &err))
        fail_msg("%s", err.text);
    formula_free(f);
    return q.value;
}

static const char *const rows[] = {"all-reduce", "reduce-scatter", "all-gather", NULL, NULL,
                                   "all-reduce", "all-to-all"};

static void check_bytes(const struct collective_rules *r)
{
    struct collective_sum sum;
    collective_sum(&sum, &c);
    if (!rows[r->kind])
        return;
    assert_float_equal(sum.bytes, formula(r, "collectives", rows[r->kind], "moved"), 1);
    for (int rank = 0; rank < r->ranks; rank++)
        assert_float_equal(collective_sent(&c, rank), sum.bytes, 1);
    assert_float_equal(collective_factor(r),
                       formula(r, "collectives", rows[r->kind], "busbw"), 1e-12);
}

static void bytes_are_the_tables(void **state)
{
    each_known(check_bytes);
}

/* An inner node has two children and a parent: three times the message, in two trees of halves
 * twice, since a rank is inside only one of them. */
static void trees_are_bounded_by_their_inner_nodes(void **state)
{
    for (int n = 4; n <= 16; n += 2) {
        struct collective_sum sum;
        struct collective_rules r = rules(COLLECTIVE_TREE, n, 1);
        collective_known(&c, &r);
        collective_sum(&sum, &c);
        assert_true(sum.bytes >= 3 * BYTES);
        if (n == 8) /* up and down: two messages land or leave, two again, one */
            assert_float_equal(sum.time, 6 * ALPHA + 10 * BYTES / RATE, 1e-9);
        r = rules(COLLECTIVE_DOUBLE_TREE, n, 1);
        collective_known(&c, &r);
        for (int rank = 0; rank < n; rank++) {
            int inside = 0;
            for (int tree = 0; tree < 2; tree++)
                for (int k = 0, is = 0; k < n && !is; k++)
                    inside += is = collective_parent(&r, tree, k) == rank;
            assert_int_equal(inside, 1);
        }
        collective_sum(&sum, &c);
        if ((n & (n - 1)) == 0)
            assert_float_equal(sum.bytes, 2 * BYTES, 1);
    }
}

static int log2_up(int n)
{
    int k = 0;
    while (1 << k < n)
        k++;
    return k;
}

static void check_steps(const struct collective_rules *r)
{
    struct collective_sum sum;
    int n = r->ranks, inside = n / r->nodes - 1;
    const int want[] = {2 * (n - 1), n - 1, n - 1, 2 * log2_up(n), 2 * log2_up(n),
                        2 * inside + 2 * (r->nodes - 1), n - 1};
    collective_sum(&sum, &c);
    assert_int_equal(sum.steps, want[r->kind]);
    if (r->kind == COLLECTIVE_ALL_REDUCE)
        assert_float_equal(sum.steps, formula(r, "algorithms", "ring", "steps"), 0);
    if (r->kind != COLLECTIVE_HIERARCHICAL && rows[r->kind])
        assert_float_equal(sum.time, sum.steps * ALPHA + sum.bytes / RATE, 1e-12);
}

static void steps_are_those_that_are_known(void **state)
{
    each_known(check_steps);
}

/* Inside a node M(g-1)/g twice, on each NIC 2(N-1)/N of M/g. */
static void a_hierarchy_adds_its_links_up(void **state)
{
    for (int i = 0; i < SIZES; i++) {
        int nodes = far_sizes[i].nodes, each = far_sizes[i].ranks / nodes;
        double outer = 2.0 * (nodes - 1) / nodes * BYTES / each,
               inner = 2.0 * (each - 1) / each * BYTES;
        struct collective_rules r = rules(COLLECTIVE_HIERARCHICAL, each * nodes, nodes);
        struct collective_sum sum;
        collective_known(&c, &r);
        collective_sum(&sum, &c);
        assert_float_equal(sum.outer, outer, 1);
        assert_float_equal(sum.bytes - sum.outer, inner, 1);
        assert_float_equal(sum.time, 2 * (each - 1) * ALPHA + inner / RATE +
                                         2 * (nodes - 1) * 2e-6 + outer / 50e9, 1e-9);
    }
}

/* ---- what is refused ---- */

static const struct wrong {
    enum collective_kind kind;
    const char *text;
    enum collective_fault fault;
    const char *says;
} wrong[] = {
    {COLLECTIVE_ALL_REDUCE, "0a4", SEND_NO_RANK,
     "step 1, a from 0 to 4: no such rank, only 0 to 3"},
    {COLLECTIVE_ALL_REDUCE, "0e1", SEND_NO_CHUNK,
     "step 1, e from 0 to 1: rank 0 has a to d to send"},
    {COLLECTIVE_ALL_REDUCE, "0a1 2b2", SEND_SELF, "b from 2 to 2: rank 2 has it itself"},
    {COLLECTIVE_ALL_REDUCE, "0a1 0b2", SEND_FROM_BUSY, "rank 0 sends to 1 in this step already"},
    {COLLECTIVE_ALL_REDUCE, "0a2 1b2", SEND_TO_BUSY, "rank 2 receives from 0 in this step already"},
    {COLLECTIVE_ALL_REDUCE, "0a1; 0a1", SEND_HAS,
     "step 2, a from 0 to 1: rank 1 has 0+1 of it already"},
    {COLLECTIVE_ALL_REDUCE, "0a1 2a3; 1a2; 3a2", SEND_TWICE,
     "step 3, a from 3 to 2: rank 2 has 0-2, 2+3 comes: 2 would count twice"},
    {COLLECTIVE_ALL_REDUCE, "0a1 1a2; 1a2", SEND_TWICE,
     "rank 2 has 1+2, 0+1 comes: 1 would count twice"},
    {COLLECTIVE_ALL_REDUCE, "0a1; 1a2; 2a3", SEND_ENDS, "rank 0 lacks 1-3 in the sum of a"},
    {COLLECTIVE_REDUCE_SCATTER, "1a0; 2a0; 3a0", SEND_ENDS, "rank 1 lacks 0+2+3 in the sum of b"},
    {COLLECTIVE_ALL_GATHER, "0b1", SEND_LACKS, "b from 0 to 1: rank 0 does not hold it yet"},
    {COLLECTIVE_ALL_GATHER, "0a1; 2c1; 1a0", SEND_HAS, "rank 0 has it already"},
    {COLLECTIVE_ALL_GATHER, "0a1 1b2 2c3 3d0", SEND_ENDS, "rank 0 lacks b of rank 1"},
    {COLLECTIVE_TREE, "1a3", SEND_EDGE, "a from 1 to 3: no branch of its tree joins them"},
    {COLLECTIVE_TREE, "1a2; 2a0", SEND_EARLY,
     "step 2, a from 2 to 0: rank 2 still lacks 3 from below"},
    {COLLECTIVE_TREE, "1a2 3a2; 2a1", SEND_EARLY, "only the whole sum goes down; rank 2 lacks 0"},
    {COLLECTIVE_TREE, "1a2 1a2", SEND_HAS, "rank 2 has 1+2 of it already"},
    {COLLECTIVE_DOUBLE_TREE, "0b2", SEND_EDGE, "b from 0 to 2"},
    {COLLECTIVE_HIERARCHICAL, "0a1 0b2", SEND_FROM_BUSY, "rank 0 sends to 1"},
    {COLLECTIVE_ALL_TO_ALL, "0b2", SEND_AIM, "b from 0 to 2: that block is for rank 1"},
    {COLLECTIVE_ALL_TO_ALL, "1b0", SEND_NO_CHUNK, "rank 1 has e to h to send"},
    {COLLECTIVE_ALL_TO_ALL, "0b1; 0b1", SEND_HAS, "rank 1 has it already"},
    {COLLECTIVE_ALL_TO_ALL, "0b1", SEND_ENDS, "rank 0 lacks e of rank 1"},
};

static void wrong_sends_are_named(void **state)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct wrong *w = &wrong[i];
        struct collective_rules r = rules(w->kind, 4, w->kind == COLLECTIVE_HIERARCHICAL ? 2 : 1);
        enum collective_fault fault;
        struct err err = {0};
        assert_true(collective_read(&c, &r, w->text, &fault, &err) < 0);
        if (fault != w->fault || !strstr(err.text, w->says))
            fail_msg("'%s': %s: %s", w->text, collective_faults[fault], err.text);
    }
}

static void what_is_no_order_is_not_read(void **state)
{
    static const char *const texts[] = {"a01", "0a", "0a12", "0A1", "0a1;;1b2", ";0a1"};
    struct collective_rules r = rules(COLLECTIVE_ALL_REDUCE, 4, 1);
    enum collective_fault fault;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct err err = {0};
        assert_true(collective_read(&c, &r, texts[i], &fault, &err) < 0);
        assert_int_equal(fault, SEND_FINE);
        assert_true(*err.text);
    }
}

static void sizes_that_do_not_fit_are_refused(void **state)
{
    struct collective_rules r;
    const struct collective_link none[] = {{0, 0}, {0, 0}};
    assert_true(collective_rules_make(&r, COLLECTIVE_TREE, 1, 1, BYTES, links, NULL) < 0);
    assert_true(collective_rules_make(&r, COLLECTIVE_TREE, 17, 1, BYTES, links, NULL) < 0);
    assert_true(collective_rules_make(&r, COLLECTIVE_TREE, 4, 1, 0, links, NULL) < 0);
    assert_true(collective_rules_make(&r, COLLECTIVE_TREE, 4, 1, BYTES, none, NULL) < 0);
    assert_true(collective_rules_make(&r, COLLECTIVE_HIERARCHICAL, 6, 4, BYTES, links, NULL) < 0);
    assert_true(collective_rules_make(&r, COLLECTIVE_HIERARCHICAL, 4, 4, BYTES, links, NULL) < 0);
}

/* ---- grading and taking back ---- */

static void grading_holds_it_against_the_least(void **state)
{
    struct collective_rules r = rules(COLLECTIVE_ALL_GATHER, 3, 1);
    struct collective_grade g;
    enum collective_fault fault;
    assert_int_equal(collective_read(&c, &r, "0a1 1b2 2c0; 0c1 1a2 2b0", &fault, NULL), 0);
    collective_grade(&g, &c);
    assert_true(g.whole && g.best);
    assert_int_equal(collective_read(&c, &r, "0a1 1b2; 2c0 0a2; 1b0 2c1;", &fault, NULL), 0);
    collective_grade(&g, &c);
    assert_true(g.whole && !g.best);
    assert_int_equal(g.sum.steps, 3);
    assert_int_equal(g.least.steps, 2);
    assert_int_equal(collective_read(&c, &r, "0a1", &fault, NULL), ERR_BAD_REQUEST);
    collective_grade(&g, &c);
    assert_false(g.whole || g.best);
}

static void every_puzzle_is_solved_by_the_known_order(void **state)
{
    for (int k = 0; k < COLLECTIVE_KINDS; k++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            int far = k == COLLECTIVE_HIERARCHICAL;
            struct collective_rules like = rules((enum collective_kind)k, 8, far ? 4 : 1), r;
            struct collective_grade g;
            collective_draw_size(&r, &like, seed);
            assert_in_range(r.ranks, 3, 6);
            collective_known(&c, &r);
            collective_grade(&g, &c);
            assert_true(g.best);
        }
}

static void sends_are_taken_back_over_steps(void **state)
{
    struct collective_rules r = rules(COLLECTIVE_ALL_REDUCE, 4, 1);
    struct collective_state start, now;
    collective_known(&c, &r);
    collective_held(&start, &c, 0);
    int n = c.n, step = c.step;
    assert_true(collective_undo(&c));
    assert_int_equal(c.n, n - 1);
    assert_int_equal(c.step, step);
    while (collective_undo(&c))
        ;
    assert_int_equal(c.step, 0);
    collective_held(&now, &c, COLLECTIVE_STEPS);
    assert_memory_equal(&now, &start, sizeof now);
    assert_true(collective_next(&c, NULL) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rank_ends_with_what_it_should),
        cmocka_unit_test(each_contribution_counts_once),
        cmocka_unit_test(whatever_is_taken_counts_once),
        cmocka_unit_test(bytes_are_the_tables),
        cmocka_unit_test(trees_are_bounded_by_their_inner_nodes),
        cmocka_unit_test(steps_are_those_that_are_known),
        cmocka_unit_test(a_hierarchy_adds_its_links_up),
        cmocka_unit_test(wrong_sends_are_named),
        cmocka_unit_test(what_is_no_order_is_not_read),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
        cmocka_unit_test(grading_holds_it_against_the_least),
        cmocka_unit_test(every_puzzle_is_solved_by_the_known_order),
        cmocka_unit_test(sends_are_taken_back_over_steps),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}

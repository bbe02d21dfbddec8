/* Pipeline schedules: their bubble is the table's formula, wrong blocks are named, the optimum is
 * one, and grading agrees with it. */
#include "drills/figure/schedule.h"
#include "scenarios/formula/formula.h"
#include "tests/drills/library/shipped.h"
#include "tests/unit.h"

static struct schedule s;

static const struct size { int stages, microbatches; } sizes[] = {
    {2, 4}, {2, 8}, {3, 6}, {3, 9}, {4, 8}, {4, 12}, {5, 10}, {6, 12}, {7, 14}, {8, 16},
};
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct schedule_rules rules(enum schedule_kind kind, int stages, int microbatches,
                                   int chunks, int f, int b, int w)
{
    struct schedule_rules r;
    struct err err = {0};
    if (schedule_rules_make(&r, kind, stages, microbatches, chunks, (const int[]){f, b, w}, &err))
        fail_msg("%s", err.text);
    return r;
}

static struct schedule_rules usual(enum schedule_kind kind, int stages, int microbatches)
{
    bool split = kind == SCHEDULE_ZB_H1 || kind == SCHEDULE_ZB_H2;
    return rules(kind, stages, microbatches, 1 + (kind == SCHEDULE_INTERLEAVED), 1, split ? 1 : 2,
                 1);
}

static struct schedule_sum known(const struct schedule_rules *r)
{
    struct schedule_sum sum;
    struct err err = {0};
    if (schedule_known(&s, r, &err))
        fail_msg("%s P %d M %d: %s", schedule_kinds[r->kind], r->stages, r->microbatches, err.text);
    schedule_sum(&sum, &s);
    assert_true(sum.whole);
    return sum;
}

/* ---- formulas ---- */

/* A stage's own times, as the table has them: V blocks are one. */
static int name_value(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    const struct schedule_rules *r = ctx;
    int v = r->chunks;
    double weights = r->split ? r->time[2] : 0;
    const struct { const char *name; double value; } names[] = {
        {"P", r->stages},      {"M", r->microbatches}, {"V", v}, {"F", r->time[0] * v},
        {"B", r->time[1] * v}, {"W", weights * v},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].name, name)) {
            *out = (struct quantity){names[i].value, DIM_NONE};
            return 0;
        }
    return err_set(err, ERR_BAD_REQUEST, "%s?", name);
}

static double formula(const struct schedule_rules *r, const char *column)
{
    const struct table *t = library_table(&library, "schedules");
    const struct rows *rows = t->rows;
    int row = table_row(t, schedule_kinds[r->kind]), c = rows_column(rows, column);
    assert_true(row >= 0 && c >= 0);
    struct formula *f = NULL;
    struct quantity q;
    struct err err = {0};
    int at = 0;
    if (formula_parse(&f, row_cell(&rows->row[row], c), &at, &err) ||
        formula_eval(f, name_value, (void *)(size_t)r, &q, &at, &err))
        fail_msg("%s", err.text);
    formula_free(f);
    return q.value;
}

static void every_bubble_is_the_formulas(void **state)
{
    for (int k = 0; k < SCHEDULE_KINDS; k++)
        for (int i = 0; i < SIZES; i++) {
            struct schedule_rules r = usual((enum schedule_kind)k, sizes[i].stages,
                                            sizes[i].microbatches);
            struct schedule_sum sum = known(&r);
            assert_float_equal(sum.bubble, formula(&r, "bubble"), 1e-12);
            assert_float_equal(sum.time - schedule_stage_time(&r), formula(&r, "bubble_time"),
                               1e-9);
        }
}

static void other_times_have_the_formulas_bubble_too(void **state)
{
    for (int k = 0; k <= SCHEDULE_INTERLEAVED; k++)
        for (int f = 1; f <= 3; f++)
            for (int b = 1; b <= 4; b++)
                for (int i = 0; i < SIZES; i++) {
                    struct schedule_rules r =
                        rules((enum schedule_kind)k, sizes[i].stages, sizes[i].microbatches,
                              k == SCHEDULE_INTERLEAVED ? 2 : 1, f, b, 0);
                    assert_float_equal(known(&r).bubble, formula(&r, "bubble"), 1e-12);
                }
}

static void memory_is_what_each_is_known_for(void **state)
{
    for (int i = 0; i < SIZES; i++) {
        int p = sizes[i].stages, m = sizes[i].microbatches;
        struct schedule_rules r = usual(SCHEDULE_1F1B, p, m);
        struct schedule_sum sum = known(&r);
        for (int stage = 0; stage < p; stage++)
            assert_int_equal(sum.held[stage], p - stage);
        r = usual(SCHEDULE_GPIPE, p, m);
        assert_int_equal(known(&r).held[p - 1], m);
        r = usual(SCHEDULE_INTERLEAVED, p, m); /* chunks of half a stage */
        assert_float_equal(known(&r).held[0] / 2.0, p * (1 + (p - 1) / (p * 2.0)), 1e-9);
        r = usual(SCHEDULE_ZB_H1, p, m);
        assert_int_equal(known(&r).held[p - 1], p);
        r = usual(SCHEDULE_ZB_H2, p, m);
        assert_int_equal(known(&r).held[0], 2 * p - 1);
    }
}

/* ---- what is refused ---- */

static void wrong_blocks_are_named(void **state)
{
    static const struct {
        enum schedule_kind kind;
        const char *order;
        struct schedule_block block;
        enum schedule_fault fault;
        const char *says;
    } cases[] = {
        {SCHEDULE_1F1B, "f0", {0, 4, 0, 0, 1}, FAULT_STAGE, "no such stage, only 0 to 3"},
        {SCHEDULE_1F1B, "", {0, 0, 8, 0, 0}, FAULT_MICROBATCH, "no such microbatch, only 0 to 7"},
        {SCHEDULE_1F1B, "", {0, 0, 0, 1, 0}, FAULT_CHUNK, "no such chunk, there is 0 alone"},
        {SCHEDULE_1F1B, "f0", {2, 0, 0, 0, 9}, FAULT_WHOLE, "no w here, backward is whole"},
        {SCHEDULE_1F1B, "", {0, 0, 0, 0, -1}, FAULT_TIME, "time begins at 0"},
        {SCHEDULE_1F1B, "f0", {0, 0, 0, 0, 5}, FAULT_TWICE, "there already, from 0"},
        {SCHEDULE_1F1B, "f0@2", {0, 0, 1, 0, 2}, FAULT_OVERLAP, "f1 on stage 0 at 2: the stage "
         "runs f0 from 2 to 3"},
        {SCHEDULE_1F1B, "", {0, 1, 0, 0, 1}, FAULT_BEFORE, "needs f0 of stage 0, not placed"},
        {SCHEDULE_1F1B, "f0", {0, 1, 0, 0, 0}, FAULT_BEFORE,
         "needs f0 of stage 0, which ends at 1"},
        {SCHEDULE_1F1B, "f0; f0; f0; f0", {1, 0, 0, 0, 9}, FAULT_BEFORE, "needs b0 of stage 1"},
        {SCHEDULE_1F1B, "", {1, 3, 0, 0, 9}, FAULT_OWN, "needs f0 of stage 3"},
        {SCHEDULE_ZB_H1, "f0; f0; f0; f0", {2, 3, 0, 0, 9}, FAULT_OWN, "needs b0 of stage 3"},
        {SCHEDULE_GPIPE, "f0 f1; f0; f0; f0", {1, 3, 0, 0, 9}, FAULT_PHASE, "needs f1 of stage 3"},
        {SCHEDULE_1F1B, "f0 f1; f0 f1; f0; f0", {0, 3, 1, 0, 9}, FAULT_BEFORE,
         "needs f1 of stage 2"},
        {SCHEDULE_1F1B, "f0 f1 f2 f3", {0, 0, 4, 0, 4}, FAULT_MEMORY,
         "would hold 5 activations, at most 4"},
        {SCHEDULE_INTERLEAVED, "f0; f0; f0", {0, 0, 0, 1, 9}, FAULT_BEFORE,
         "F0 on stage 0 at 9: needs f0 of stage 3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct schedule_rules r = usual(cases[i].kind, 4, 8);
        enum schedule_fault fault;
        struct err err = {0};
        assert_int_equal(schedule_read(&s, &r, cases[i].order, &fault, &err), 0);
        int n = s.n;
        fault = schedule_place(&s, cases[i].block, &err);
        if (fault != cases[i].fault || !strstr(err.text, cases[i].says))
            fail_msg("case %zu: %s: %s", i, schedule_faults[fault], err.text);
        assert_int_equal(s.n, n);
    }
}

static void an_order_is_read_and_its_first_fault_named(void **state)
{
    static const struct {
        const char *order;
        enum schedule_fault fault;
        const char *says;
    } cases[] = {
        {"f0 f1 b0 b1; f0 b0 f1 b1", FAULT_NONE, ""},
        {"f0 f1 b0@9 b1; f0 b0 f1 b1", FAULT_NONE, ""},
        {"f0 b0; b0 f0", FAULT_OWN, "b0 on stage 1 at 0: needs f0 of stage 1"},
        {"f0 b0 f1; f0", FAULT_BEFORE, "needs b0 of stage 1, not placed"},
        {"f0 x1", FAULT_NONE, "'x1' is no block"},
        {"f0 b0-; f0", FAULT_NONE, "'b0-; f0' is no block"},
        {"f0; f0; f0", FAULT_NONE, "3 lists for 2 stages"},
    };
    struct schedule_rules r = usual(SCHEDULE_1F1B, 2, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum schedule_fault fault;
        struct err err = {0};
        int rc = schedule_read(&s, &r, cases[i].order, &fault, &err);
        assert_int_equal(rc != 0, *cases[i].says != '\0');
        if (fault != cases[i].fault || !strstr(err.text, cases[i].says))
            fail_msg("case %zu: %s: %s", i, schedule_faults[fault], err.text);
    }
}

static void a_block_that_is_needed_stays(void **state)
{
    struct schedule_rules r = usual(SCHEDULE_1F1B, 2, 2);
    enum schedule_fault fault;
    struct err err = {0};
    assert_int_equal(schedule_read(&s, &r, "f0 f1; f0", &fault, &err), 0);
    int f0 = schedule_at(&s, 0, 0), f1 = schedule_at(&s, 0, 1);
    assert_true(schedule_remove(&s, f0, &err) < 0);
    assert_non_null(strstr(err.text, "f0 stays: f0 on stage 1 at 1 needs it"));
    assert_int_equal(s.n, 3);
    assert_int_equal(schedule_remove(&s, f1, &err), 0);
    assert_int_equal(s.n, 2);
    assert_int_equal(schedule_at(&s, 0, 1), -1);
}

static void sizes_without_a_schedule_are_refused(void **state)
{
    static const int one[] = {1, 1, 1}, none[] = {1, 0, 1};
    struct schedule_rules r;
    struct err err = {0};
    assert_true(schedule_rules_make(&r, SCHEDULE_1F1B, 1, 4, 1, one, &err) < 0);
    assert_true(schedule_rules_make(&r, SCHEDULE_1F1B, 4, 33, 1, one, &err) < 0);
    assert_true(schedule_rules_make(&r, SCHEDULE_1F1B, 4, 8, 2, one, &err) < 0);
    assert_true(schedule_rules_make(&r, SCHEDULE_INTERLEAVED, 4, 6, 2, one, &err) < 0);
    assert_true(schedule_rules_make(&r, SCHEDULE_ZB_H2, 4, 6, 1, one, &err) < 0);
    assert_non_null(strstr(err.text, "zb-h2 on 4 stages needs 7"));
    assert_true(schedule_rules_make(&r, SCHEDULE_1F1B, 4, 8, 1, none, &err) < 0);
}

/* ---- the optimum ---- */

static void the_known_schedules_are_optimal(void **state)
{
    for (int k = 0; k < SCHEDULE_KINDS; k++)
        for (int i = 0; i < SIZES; i++) {
            struct schedule_rules r = usual((enum schedule_kind)k, sizes[i].stages,
                                            sizes[i].microbatches);
            struct schedule_optimum o;
            schedule_solve(&o, &r);
            assert_int_equal(o.least, o.most);
            assert_int_equal(o.most, known(&r).time);
        }
}

/* Tried by hand: with less memory there is a gap for each microbatch more. */
static void less_memory_takes_longer(void **state)
{
    struct schedule_rules r = usual(SCHEDULE_1F1B, 2, 4);
    struct schedule_optimum o;
    r.cap[0] = 1; /* one microbatch at a time: 2 (F + B) each, but for nothing */
    schedule_solve(&o, &r);
    assert_int_equal(o.least, o.most);
    assert_int_equal(o.most, 4 * 2 * 3);
    r = usual(SCHEDULE_1F1B, 3, 3);
    r.cap[0] = 2;
    schedule_solve(&o, &r);
    assert_int_equal(o.least, o.most);
    assert_true(o.most > (3 + 3 - 1) * 3);
    r = usual(SCHEDULE_ZB_H1, 3, 4);
    r.cap[0] = 2;
    schedule_solve(&o, &r);
    assert_int_equal(o.least, o.most);
    assert_true(o.most > 3 * 4 + 2);
}

/* Every order of two stages with three microbatches, backward split: none is shorter than what is
 * proven, and one is as short as what is found. */
static int shortest;
struct lists { struct schedule_rules rules; char text[2][64]; };

static void try_lists(struct lists *l, int stage, int at, int f, int b, int w)
{
    static const char letters[] = "fbw";
    const int n[] = {f, b, w}, most[] = {3, f, b};
    if (stage == 2) {
        char text[140];
        enum schedule_fault fault;
        struct schedule_sum sum;
        snprintf(text, sizeof text, "%s;%s", l->text[0], l->text[1]);
        if (schedule_read(&s, &l->rules, text, &fault, NULL))
            return;
        schedule_sum(&sum, &s);
        shortest = sum.time < shortest ? sum.time : shortest;
        return;
    }
    if (w == 3)
        try_lists(l, stage + 1, 0, 0, 0, 0);
    for (int k = 0; k < 3; k++) {
        if (n[k] == most[k])
            continue;
        int len = snprintf(l->text[stage] + at, sizeof l->text[stage] - (size_t)at, "%c%d ",
                           letters[k], n[k]);
        try_lists(l, stage, at + len, f + (k == 0), b + (k == 1), w + (k == 2));
        l->text[stage][at] = '\0';
    }
}

static void the_search_agrees_with_trying_everything(void **state)
{
    static const int times[][3] = {{1, 1, 1}, {2, 3, 1}, {1, 3, 2}};
    for (int t = 0; t < 3; t++)
        for (int first = 1; first <= 3; first++)
            for (int second = 1; second <= 3; second++) {
                struct lists l = {rules(SCHEDULE_ZB_H1, 2, 3, 1, times[t][0], times[t][1],
                                        times[t][2]), {"", ""}};
                struct schedule_optimum o;
                l.rules.cap[0] = first;
                l.rules.cap[1] = second;
                shortest = 1000;
                try_lists(&l, 0, 0, 0, 0, 0);
                schedule_solve(&o, &l.rules);
                assert_int_equal(o.least, o.most);
                assert_int_equal(o.most, shortest);
            }
}

/* Backward twice as long as weights: H1 as it is known is not the best, and the search says so. */
static void the_search_is_no_worse_than_what_is_known(void **state)
{
    for (int p = 2; p <= 3; p++)
        for (int m = p; m <= 5; m++)
            for (int b = 1; b <= 3; b++) {
                struct schedule_rules r = rules(SCHEDULE_ZB_H1, p, m, 1, 2, b, 1);
                struct schedule_optimum o;
                schedule_solve(&o, &r);
                assert_true(o.least <= o.most);
                assert_true(o.most <= known(&r).time);
            }
}

static void puzzles_have_an_optimum_that_is_proven(void **state)
{
    for (int k = 0; k < SCHEDULE_KINDS; k++)
        for (uint64_t seed = 0; seed < 60; seed++) {
            struct schedule_rules like = usual((enum schedule_kind)k, 4, 8), r, again;
            struct schedule_grade g;
            schedule_draw_size(&r, &like, seed);
            schedule_draw_size(&again, &like, seed);
            assert_memory_equal(&r, &again, sizeof r);
            assert_in_range(r.stages, 2, 4);
            assert_in_range(r.microbatches, 2, 8);
            assert_in_range(schedule_blocks(&r), 1, 48);
            int time = known(&r).time;
            schedule_grade(&g, &s);
            assert_int_equal(g.optimum.least, g.optimum.most);
            assert_int_equal(g.optimum.most, time);
            assert_true(g.best);
            assert_float_equal(g.share, 1, 0);
        }
}

static void grading_tells_how_much_of_the_optimum_is_reached(void **state)
{
    struct schedule_rules r = usual(SCHEDULE_1F1B, 2, 2);
    struct schedule_grade g;
    enum schedule_fault fault;
    struct err err = {0};
    assert_int_equal(schedule_read(&s, &r, "f0 f1 b0 b1; f0 b0 f1 b1", &fault, &err), 0);
    schedule_grade(&g, &s);
    assert_true(g.best);
    assert_int_equal(g.sum.time, 9);
    assert_int_equal(schedule_read(&s, &r, "f0 b0 f1 b1; f0 b0 f1 b1", &fault, &err), 0);
    schedule_grade(&g, &s);
    assert_false(g.best);
    assert_float_equal(g.share, 9.0 / 12, 1e-12);
    assert_int_equal(schedule_read(&s, &r, "f0 f1 b0; f0 b0 f1 b1", &fault, &err), 0);
    schedule_grade(&g, &s);
    assert_false(g.best);
    assert_float_equal(g.share, 0, 0);
}

/* What a stage waits for counts; with steps of their own, only within it. */
static void idle_time_is_counted_as_it_grows(void **state)
{
    struct schedule_rules r = usual(SCHEDULE_1F1B, 2, 2);
    struct schedule_sum sum;
    enum schedule_fault fault;
    assert_int_equal(schedule_read(&s, &r, "f0 f1; f0", &fault, NULL), 0);
    schedule_sum(&sum, &s);
    assert_int_equal(sum.idle, 1);
    assert_float_equal(sum.bubble, 0.25, 1e-12);
    assert_int_equal(sum.held[0], 2);
    r = usual(SCHEDULE_ZB_H2, 2, 3);
    assert_int_equal(schedule_read(&s, &r, "f0 f1; f0 f1@3", &fault, NULL), 0);
    schedule_sum(&sum, &s);
    assert_int_equal(sum.idle, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bubble_is_the_formulas),
        cmocka_unit_test(other_times_have_the_formulas_bubble_too),
        cmocka_unit_test(memory_is_what_each_is_known_for),
        cmocka_unit_test(wrong_blocks_are_named),
        cmocka_unit_test(an_order_is_read_and_its_first_fault_named),
        cmocka_unit_test(a_block_that_is_needed_stays),
        cmocka_unit_test(sizes_without_a_schedule_are_refused),
        cmocka_unit_test(the_known_schedules_are_optimal),
        cmocka_unit_test(less_memory_takes_longer),
        cmocka_unit_test(the_search_agrees_with_trying_everything),
        cmocka_unit_test(the_search_is_no_worse_than_what_is_known),
        cmocka_unit_test(puzzles_have_an_optimum_that_is_proven),
        cmocka_unit_test(grading_tells_how_much_of_the_optimum_is_reached),
        cmocka_unit_test(idle_time_is_counted_as_it_grows),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}

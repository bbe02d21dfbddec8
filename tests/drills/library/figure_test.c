/* Figures: what is computed when they are read, what is refused and where, blanks and grading. */
#include "drills/figure/figure_fill.h"
#include "drills/question/choice.h"
#include "tests/drills/library/shipped.h"
#include "tests/unit.h"

#define HEAD "format: 1\nid: t\ntitle: T\nfigures:\n  f:\n    title: F\n    topic: kernels\n" \
             "    source: s\n    note: n\n"

static int read_text(struct figure_set **out, const char *text, struct err *err)
{
    struct files *fs = files_new("");
    files_add(fs, "t.yaml", text, strlen(text));
    int rc = figure_set_read(out, fs, &fs->file[0], NULL, 0, err);
    files_free(fs);
    return rc;
}

static void what_is_wrong_is_named_with_its_place(void **state)
{
    static const struct { const char *text, *says; } cases[] = {
        {HEAD, "0 forms"},
        {HEAD "    nest: {name: a}\n", "left blank"},
        {HEAD "    nest: {name: a, across: [{name: b}], down: [{name: c}]}\n", "across and down"},
        {HEAD "    nest: {name: a, colour: red}\n", "unknown key 'colour'"},
        {HEAD "    nest: {name: a, lines: [{name: b, value: nobody}]}\n", "t.yaml:10:46"},
        {HEAD "    nest: {name: a, lines: [{name: b, value: 3 s, unit: B}]}\n", "that is a time"},
        {HEAD "    lanes: {lanes: {a: {name: A}}, spans: {x: {name: X, lane: b, takes: 1}}}\n",
         "no such lane"},
        {HEAD "    lanes: {lanes: {a: {name: A}}, spans: {x: {name: X, lane: a, takes: 1}, "
              "y: {name: Y, lane: a, takes: 1}}}\n", "lie over each other"},
        {HEAD "    lanes: {lanes: {a: {name: A}, b: {name: B}}, spans: {x: {name: X, lane: a, "
              "takes: 1, after: [y]}, y: {name: Y, lane: b, takes: 1, after: [x]}}}\n", "circle"},
        {HEAD "    lanes: {lanes: {a: {name: A}}, spans: {x: {name: X, lane: a, takes: 0}}}\n",
         "nothing takes any time"},
        {HEAD "    grid: [{rows: [{name: r}], columns: [{name: c}]}]\n", "no rule for a cell"},
        {HEAD "    grid: [{rows: [{name: r, count: 65}], columns: [{name: c}], cell: 1}]\n",
         "from 1 to 64"},
        {HEAD "    plot: {memory: 0 TB/s, roofs: [{name: r, rate: 1 Tflop/s}], "
              "points: [{name: p, intensity: 1 flop/B}]}\n", "above 0"},
        {HEAD "    schedule: {kind: zb-h2, stages: 4, microbatches: 6}\n", "needs 7"},
        {HEAD "    schedule: {kind: 1f1b, stages: 4, microbatches: 8, weights: 1}\n", "is whole"},
        {HEAD "    schedule: {kind: gpipe, stages: 8, microbatches: 10, forward: 5, backward: 9}\n",
         "it lasts 238"},
        {HEAD "    collective: {kind: hierarchical, ranks: 8, nodes: 3, bytes: 1 MB, alpha: 1 us, "
              "bandwidth: 1 GB/s}\n", "8 ranks on 3 nodes"},
        {HEAD "    collective: {kind: tree, ranks: 6, nodes: 2, bytes: 1 MB, alpha: 1 us, "
              "bandwidth: 1 GB/s}\n", "only hierarchical has them"},
        {HEAD "    collective: {kind: all-to-all, ranks: 6, bytes: 1 MB, alpha: 1 us, "
              "bandwidth: 1 GB/s}\n", "from 2 to 5"},
        {HEAD "    collective: {kind: tree, ranks: 4, bytes: 1 s, alpha: 1 us, "
              "bandwidth: 1 GB/s}\n", "bytes was expected"},
        {HEAD "    collective: {kind: tree, ranks: 4, bytes: 1 MB, alpha: 1 us, "
              "bandwidth: 1 GB/s, step: 5}\n", "from 1 to 4"},
        {HEAD "    rows: {h: chips/h100}\n    nest: {name: a}\n", "no such row"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct figure_set *s = NULL;
        struct err err = {0};
        assert_true(read_text(&s, cases[i].text, &err) < 0);
        assert_null(s);
        if (!strstr(err.text, cases[i].says))
            fail_msg("case %zu says: %s", i, err.text);
        assert_non_null(strstr(err.text, "t.yaml:"));
    }
}

static const struct figure_data *figure(const char *id)
{
    const struct figure_data *f = library_figure(&library, id);
    if (!f)
        fail_msg("no figure %s", id);
    return f;
}

static const struct figure_slot *value(const struct figure_data *f, const char *name)
{
    for (int i = 0; i < f->n_values; i++)
        if (!strcmp(f->value[i].name, name))
            return &f->slot[f->value[i].slot];
    fail_msg("%s has no value %s", f->id, name);
    return NULL;
}

static void every_shipped_figure_reads(void **state)
{
    for (int i = 0; i < library.n_problems; i++)
        fail_msg("%s", library.problems[i].text);
    assert_int_equal(library_figures(&library), 39);
    assert_ptr_equal(figure("banks"), figure("gpu/banks"));
}

static void what_can_be_computed_is(void **state)
{
    const struct figure_panel *banks = &figure("banks")->grid.panel[0];
    static const double conflicts[] = {1, 2, 4, 32, 1, 1};
    for (int i = 0; i < banks->n_rows; i++)
        assert_float_equal(figure("banks")->slot[banks->sum[0].slot[i]].low, conflicts[i], 0);
    const struct figure_panel *lines = &figure("coalescing")->grid.panel[0];
    static const double sectors[] = {4, 5, 8, 32};
    for (int i = 0; i < 4; i++)
        assert_float_equal(figure("coalescing")->slot[lines->sum[0].slot[i]].low, sectors[i], 0);
    const struct figure_data *fsdp = figure("fsdp-prefetch");
    assert_float_equal(value(fsdp, "one gather")->low, 3.403e-3, 1e-6);
    assert_float_equal(value(fsdp, "one block")->low, 14.495e-3, 1e-5);
    assert_float_equal(figure("overlap-fail")->lanes.total, 56e-3, 1e-9);
    assert_float_equal(value(figure("roofline-h100"), "ridge of BF16")->low, 295.22, 0.01);
    assert_float_equal(value(figure("pd-disagg"), "cache of a request")->low, 2.684e9, 1e6);
    static const double h1_held[] = {4, 4, 4, 4}, shrinking[] = {4, 3, 2, 1};
    for (int i = 0; i < 4; i++) {
        const struct figure_data *f = figure("zero-bubble"), *g = figure("1f1b");
        assert_float_equal(f->slot[f->schedule.held[i]].low, h1_held[i], 0);
        assert_float_equal(g->slot[g->schedule.held[i]].low, shrinking[i], 0);
    }
    assert_float_equal(value(figure("gpipe"), "bubble, of the whole")->low, 3.0 / 11, 1e-12);
    assert_float_equal(value(figure("interleaved"), "bubble, of the whole")->low, 3.0 / 19, 1e-12);
    const struct figure_data *ring = figure("ring-steps"), *hier = figure("hier-ar");
    assert_float_equal(value(ring, "a rank sends")->low, 1.5e9, 1);
    assert_float_equal(value(ring, "time")->low, 6e-6 + 1.5e9 / 450e9, 1e-12);
    assert_string_equal(ring->slot[ring->collective.step[2].held[1][3]].text, "0+1+3");
    assert_string_equal(ring->slot[ring->collective.step[4].sends[0]].text, "b->1");
    assert_float_equal(value(hier, "of that over its NIC")->low, 0.8e9, 1);
    assert_float_equal(value(hier, "16 GB, 64 nodes of 8 GPUs: between nodes")->low, 78.75e-3,
                       1e-9);
    assert_float_equal(value(figure("tree-ar"), "an inner node sends, of M")->low, 3, 1e-12);
    assert_float_equal(value(figure("double-tree"), "the busiest rank sends, of M")->low, 2, 1e-12);
    const struct figure_panel *swizzle = &figure("xor-swizzle")->grid.panel[1];
    assert_float_equal(figure("xor-swizzle")->slot[swizzle->sum[0].slot[0]].low, 4, 0);
    assert_float_equal(figure("xor-swizzle")->slot[swizzle->sum[0].slot[1]].low, 2, 0);
}

static void a_seed_leaves_the_same_blanks(void **state)
{
    for (int k = 0; k < library_figures(&library); k++) {
        const struct figure_data *f = library_figure_at(&library, k);
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct figure_fill a, b;
            figure_fill_make(&a, f, seed);
            figure_fill_make(&b, f, seed);
            assert_memory_equal(&a, &b, sizeof a);
            assert_in_range(a.n, 2, FIGURE_BLANKS);
            for (int i = 1; i < a.n; i++)
                assert_true(a.blank[i].slot > a.blank[i - 1].slot);
        }
    }
}

static void its_own_texts_are_right_and_others_are_not(void **state)
{
    for (int k = 0; k < library_figures(&library); k++) {
        const struct figure_data *f = library_figure_at(&library, k);
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct figure_fill fill;
            char say[200], typed[128];
            figure_fill_make(&fill, f, seed);
            for (int i = 0; i < fill.n; i++) {
                const struct figure_slot *s = &f->slot[fill.blank[i].slot];
                if (s->low == s->high)
                    snprintf(typed, sizeof typed, "%s", s->text);
                else
                    snprintf(typed, sizeof typed, "%.17g", (s->low + s->high) / 2);
                if (s->low != s->high)
                    continue; /* a range is graded below */
                if (!figure_fill_put(&fill, i, typed, say, sizeof say))
                    fail_msg("%s: '%s' is not read: %s", f->id, typed, say);
                if (fill.blank[i].verdict != BLANK_RIGHT)
                    fail_msg("%s: '%s' is not right", f->id, typed);
                assert_true(figure_fill_put(&fill, i, "", say, sizeof say));
                assert_int_equal(fill.blank[i].verdict, BLANK_WRONG);
            }
        }
    }
}

/* A rank's number among the choices would be taken for a place of theirs. */
static void choices_of_a_collective_are_no_places(void **state)
{
    for (int k = 0; k < library_figures(&library); k++) {
        const struct figure_data *f = library_figure_at(&library, k);
        for (uint64_t seed = 0; f->form == FIGURE_COLLECTIVE && seed < 50; seed++) {
            struct figure_fill fill;
            figure_fill_make(&fill, f, seed);
            for (int b = 0; b < fill.n; b++)
                for (int i = 0; i < fill.blank[b].n_choices; i++)
                    if (choice_is_place(fill.blank[b].choice[i]))
                        fail_msg("%s: '%s'", f->id, fill.blank[b].choice[i]);
        }
    }
}

static void a_range_takes_what_lies_in_it(void **state)
{
    const struct figure_data *f = figure("memory-pyramid");
    struct figure_fill fill;
    char say[200];
    bool found = false;
    for (uint64_t seed = 0; seed < 200 && !found; seed++) {
        figure_fill_make(&fill, f, seed);
        for (int i = 0; i < fill.n && !found; i++) {
            if (strcmp(f->slot[fill.blank[i].slot].text, "2-10 us") != 0)
                continue;
            found = true;
            assert_true(figure_fill_put(&fill, i, "4 us", say, sizeof say));
            assert_int_equal(fill.blank[i].verdict, BLANK_RIGHT);
            assert_true(figure_fill_put(&fill, i, "20 us", say, sizeof say));
            assert_int_equal(fill.blank[i].verdict, BLANK_WRONG);
            assert_false(figure_fill_put(&fill, i, "4 GB", say, sizeof say));
            assert_true(*say);
        }
    }
    assert_true(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_is_named_with_its_place),
        cmocka_unit_test(every_shipped_figure_reads),
        cmocka_unit_test(what_can_be_computed_is),
        cmocka_unit_test(a_seed_leaves_the_same_blanks),
        cmocka_unit_test(its_own_texts_are_right_and_others_are_not),
        cmocka_unit_test(choices_of_a_collective_are_no_places),
        cmocka_unit_test(a_range_takes_what_lies_in_it),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}

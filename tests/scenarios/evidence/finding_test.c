/* Lines that name differing elements, held against a tolerance. */
#include "scenarios/evidence/finding.h"

#include "tests/unit.h"

static const struct msg_tolerance loose = {TOL_RELATIVE, 1e-4, 1e-9}, exact = {TOL_EXACT, 0, 0};

static void expect(const char *line, const struct msg_tolerance *t, const char *want)
{
    char *text = finding_text(line, t);
    assert_string_equal(text, want);
    free(text);
}

static void a_rounding_is_said_to_be_within(void **state)
{
    expect("out[8192] is 7.75979279e-05 with NaN in shared memory, 7.75979424e-05 from zeros",
           &loose,
           "out[8192] is 7.75979279e-05 with NaN in shared memory, 7.75979424e-05 from zeros "
           "(differ by 1.45e-11, tolerance 8.76e-09: within it)");
    expect("out[1] is -2.5 in launch 2, -2.50001 in the first", &loose,
           "out[1] is -2.5 in launch 2, -2.50001 in the first (differ by 1e-05, tolerance 0.00025: "
           "within it)");
}

static void a_wrong_value_is_not(void **state)
{
    expect("out[0] is 0.5, should be 1", &loose,
           "out[0] is 0.5, should be 1 (differ by 0.5, tolerance 0.0001)");
}

static void other_lines_stay(void **state)
{
    static const char *const same[] = {"logits[0] is nan with NaN in the buffers, 0.74 from zeros",
                                       "hazard at suspect.cu:41", "", "out[1] is 3"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        expect(same[i], &loose, same[i]);
    expect("tokens[0] is 33791 with NaN in the buffers, 23681 from zeros", &exact,
           "tokens[0] is 33791 with NaN in the buffers, 23681 from zeros");
}

static void a_rate_is_what_users_count_over_the_time(void **state)
{
    struct story with = {.rate = {.unit = "tokens"}}, without = {.title = "x"};
    char text[48];
    assert_true(finding_rate(text, sizeof text, &with, 4, 0.942e-3));
    assert_string_equal(text, "4246 tokens/s");
    assert_true(finding_rate(text, sizeof text, &with, 491520, 1.002e-3));
    assert_string_equal(text, "491 M tokens/s");
    assert_false(finding_rate(text, sizeof text, &without, 4, 1e-3) || text[0]);
    assert_false(finding_rate(text, sizeof text, NULL, 4, 1e-3) || text[0]);
    assert_false(finding_rate(text, sizeof text, &with, 0, 1e-3) || text[0]);
    assert_false(finding_rate(text, sizeof text, &with, 4, 0) || text[0]);
}

static void a_tolerance_has_both_parts(void **state)
{
    char text[80];
    tolerance_text(text, sizeof text, &loose);
    assert_string_equal(text, "tolerance 1e-09 + 0.0001 x value");
    tolerance_text(text, sizeof text, &exact);
    assert_string_equal(text, "tolerance: exact");
}

/* Two launches, the second with a label; a part with this note, and waves where they are above 0.
 */
static void expect_note(const char *note, double waves, bool known, const char *want)
{
    struct launch launches[2] = {{.kernel = "order"}, {.kernel = "move", .label = "move rows"}};
    struct story story = {.launches = launches, .n_launches = 2};
    char *notes[] = {(char *)note};
    struct msg_value value = {.name = "waves", .present = true, .value = waves};
    struct msg_part part = {.notes = notes,
                            .n_notes = 1,
                            .metrics = &value,
                            .n_metrics = waves > 0};
    struct variant v = {.story = &story};
    char *text = finding_note(&part, 0, known ? &v : NULL);
    assert_string_equal(text, want);
    free(text);
}

static void counters_say_whose_they_are(void **state)
{
    expect_note("of launch 2 of 2, the longest", 0, true,
                "figures of launch 2 of 2 alone, the longest when each runs alone: move rows");
    expect_note("of launch 1 of 2, the longest", 0, true,
                "figures of launch 1 of 2 alone, the longest when each runs alone: order");
    expect_note("of launch 2 of 3, the longest: copy", 0, true,
                "figures of launch 2 of 3 alone, the longest when each runs alone: copy");
    expect_note("of launch 2 of 3, the longest", 0, true, "of launch 2 of 3, the longest");
    expect_note("of launch 2 of 2, the longest", 0, false, "of launch 2 of 2, the longest");
    expect_note("of launch two", 0, true, "of launch two");
    expect_note("5 passes", 0, true, "counted in 5 runs: one has no room for all counters");
    expect_note("fenced", 0, true,
                "memory behind each buffer is unmapped: to touch it is a fault");
    expect_note("taps ends 12 bytes before the fence, for its base stays on a boundary of 16", 0,
                true, "taps begins at a multiple of 16 bytes, so the first 12 behind it fault "
                      "nothing");
    expect_note("ballast: 512 bytes of shared memory", 0, true,
                "with 512 more bytes of shared memory a block");
    expect_note("1 pass", 0, true, "counted in one run");
}

static void older_words_are_said_anew(void **state)
{
    expect_note("verdict: deterministic", 0, true, "verdict: identical");
    expect_note("verdict: rounding order", 0, true, "verdict: differing within the tolerance");
    expect_note("verdict: values differ", 0, true, "verdict: differing beyond the tolerance");
    expect_note("power: 130 of 700 W", 0, true,
                "the whole board drew 130 of 700 W about then; pauses between runs may be in it");
    expect_note("board power, not of this kernel alone: 130 of 700 W", 0, true,
                "the whole board drew 130 of 700 W about then; pauses between runs may be in it");
}

static void a_limit_that_no_grid_meets_is_out_of_reach(void **state)
{
    expect_note("limiter: registers", 0.5, true,
                "limiter: registers, out of this grid's reach: 0.5 of a wave");
    expect_note("limiter: registers", 1, true, "limiter: registers");
    expect_note("limiter: registers", 0, true, "limiter: registers");
    expect_note("cold", 0.5, true, "cold");
}

static void shares_of_pipes_are_of_busy_cycles(void **state)
{
    struct msg_part pipes = {.probe = PROBE_PIPES}, dram = {.probe = PROBE_DRAM};
    assert_non_null(strstr(finding_caveat(&pipes, NULL), "had a warp"));
    assert_null(finding_caveat(&dram, NULL));
}

static void repetition_clears_nobody_of_old_memory(void **state)
{
    struct msg_part repeat = {.probe = PROBE_REPEAT};
    assert_non_null(strstr(finding_caveat(&repeat, NULL), "poison changes them"));
}

static void poison_cannot_show_a_missing_edge_where_there_are_streams(void **state)
{
    struct launch one[] = {{.stream = 0}, {.stream = 0}}, two[] = {{.stream = 0}, {.stream = 1}};
    struct story all_in_order = {.launches = one, .n_launches = 2},
                 all_beside = {.launches = two, .n_launches = 2};
    struct variant in_order = {.story = &all_in_order}, beside = {.story = &all_beside};
    struct msg_part poison = {.probe = PROBE_POISON}, check = {.probe = PROBE_CHECK};
    assert_non_null(strstr(finding_caveat(&poison, &beside), "one by one"));
    assert_null(finding_caveat(&poison, &in_order));
    assert_null(finding_caveat(&poison, NULL));
    assert_null(finding_caveat(&check, &beside));
    struct variant own = {.story = &all_in_order, .launches = two, .n_launches = 2};
    struct variant *both[] = {&in_order, &own};
    all_in_order.variants = both;
    all_in_order.n_variants = 2;                     /* of one as of the other */
    assert_non_null(strstr(finding_caveat(&poison, &in_order), "one by one"));
}

static void bytes_of_a_timeline_are_said_to_be_the_storys(void **state)
{
    struct launch told[] = {{.bytes = {.f = (struct formula *)told}}}, untold[] = {{.stream = 0}};
    struct story all_with = {.launches = told, .n_launches = 1},
                 all_without = {.launches = untold, .n_launches = 1};
    struct variant with = {.story = &all_with}, without = {.story = &all_without};
    struct msg_part timeline = {.probe = PROBE_TIMELINE};
    assert_non_null(strstr(finding_caveat(&timeline, &with), "by the story"));
    assert_null(finding_caveat(&timeline, &without));
}

/* A step that takes 49 us, and `step` with a timeline that begins with `note`. */
static void expect_traced(const char *note, double step, const char *want)
{
    char *cold[] = {"cold"}, *hosted[] = {(char *)note};
    struct msg_value time = {.name = "time", .present = true, .value = 49e-6},
                     whole = {.name = "step_time", .present = true, .value = step};
    struct msg_part parts[] = {
        {.probe = PROBE_TIMING, .run = "a", .variant = -1, .notes = cold, .n_notes = 1,
         .metrics = &time, .n_metrics = 1},
        {.probe = PROBE_TIMELINE, .run = "a", .variant = -1, .notes = hosted, .n_notes = 1,
         .metrics = &whole, .n_metrics = 1}};
    struct evidence e = {.parts = parts, .n_parts = 2},
                    timeless = {.parts = parts + 1, .n_parts = 1};
    char *text = finding_traced(&e, &parts[1]);
    if (want)
        assert_string_equal(text, want);
    else
        assert_null(text);
    free(text);
    assert_null(finding_traced(&e, &parts[0]));
    assert_null(finding_traced(&timeless, &parts[1]));
}

static void a_host_that_is_traced_is_said_to_be_slower(void **state)
{
    const char *hosted = "from the host's first step until nothing runs";
    expect_traced(hosted, 74e-6,
                  "traced, which slows the host: untraced the step takes 49.0 \302\265s");
    expect_traced(hosted, 49e-6, NULL);
    expect_traced("cold", 74e-6, NULL);
}

static void a_control_is_told_from_the_suspect(void **state)
{
    struct msg_value of[] = {{.name = "zeros_wrong", .present = true, .value = 8e6},
                             {.name = "poison_wrong", .present = true, .value = 8e6},
                             {.name = "input_wrong", .present = true, .value = 0}};
    struct msg_part control = {.probe = PROBE_CHECK, .run = "r", .metrics = of, .n_metrics = 3},
                    suspect = {.probe = PROBE_CHECK, .run = "a"};
    char text[160];
    assert_true(finding_is_control(&control));
    assert_false(finding_is_control(&suspect));
    assert_true(finding_control(text, sizeof text, &control, true));
    assert_string_equal(text, "control of the comparison, nothing of this kernel: zeros and "
                              "garbage would be found wrong");
    assert_true(finding_control(text, sizeof text, &control, false));
    assert_string_equal(text, "control of the comparison, nothing of this kernel: a copied input "
                              "would pass for right");
    of[2].value = 1;
    assert_true(finding_control(text, sizeof text, &control, true));
    assert_non_null(strstr(text, ": zeros, garbage and a copied input would be found wrong"));
    assert_false(finding_control(text, sizeof text, &control, false));
    assert_true(finding_is_verdict("verdict: right"));
    assert_false(finding_is_verdict("check of the check: passed"));
}

static void expect_verdict(enum wire_probe probe, const char *verdict, double wrong, double outside,
                           double changed, const char *want)
{
    char *note = (char *)verdict;
    struct msg_value values[] = {
        {.name = "wrong_elements", .present = true, .value = wrong},
        {.name = "canaries_broken", .present = true, .value = outside},
        {.name = "inputs_changed", .present = true, .value = changed}};
    struct msg_part part = {
        .probe = probe, .notes = &note, .n_notes = 1, .metrics = values, .n_metrics = 3};
    char *text = finding_note(&part, 0, NULL);
    assert_string_equal(text, want);
    free(text);
}

static void a_verdict_says_what_it_rests_on(void **state)
{
    expect_verdict(PROBE_CHECK, "verdict: right", 0, 0, 0, "verdict: right");
    expect_verdict(PROBE_CHECK, "verdict: wrong", 7, 4, 0, "verdict: wrong");
    expect_verdict(PROBE_CHECK, "verdict: wrong", 0, 4, 0,
                   "verdict: wrong, since it writes outside");
    expect_verdict(PROBE_CHECK, "verdict: wrong", 0, 0, 1,
                   "verdict: wrong, since it changes an input");
    expect_verdict(PROBE_BENCHMARK, "verdict: wrong", 7, 0, 0,
                   "verdict: wrong, by what its timed runs left behind");
    expect_verdict(PROBE_REPEAT, "verdict: identical", 0, 0, 0, "verdict: identical");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_verdict_says_what_it_rests_on),
        cmocka_unit_test(a_rounding_is_said_to_be_within),
        cmocka_unit_test(a_wrong_value_is_not),
        cmocka_unit_test(other_lines_stay),
        cmocka_unit_test(counters_say_whose_they_are),
        cmocka_unit_test(older_words_are_said_anew),
        cmocka_unit_test(a_limit_that_no_grid_meets_is_out_of_reach),
        cmocka_unit_test(shares_of_pipes_are_of_busy_cycles),
        cmocka_unit_test(repetition_clears_nobody_of_old_memory),
        cmocka_unit_test(bytes_of_a_timeline_are_said_to_be_the_storys),
        cmocka_unit_test(poison_cannot_show_a_missing_edge_where_there_are_streams),
        cmocka_unit_test(a_host_that_is_traced_is_said_to_be_slower),
        cmocka_unit_test(a_control_is_told_from_the_suspect),
        cmocka_unit_test(a_rate_is_what_users_count_over_the_time),
        cmocka_unit_test(a_tolerance_has_both_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Samples of the program counter by source line, on a fake profiler: which samples count, where
 * they fall, what is said of those that were lost, and that a refusal is told with its remedy. */
#include "tests/kernels/runner/plan.h"

#include <math.h>

#include "tests/unit.h"

static const char LINES[] = "{\"probe\":\"lines\",\"runs\":[\"a\"]}";

static json_t *lines_of(struct talk *t, const char *plan, const char *items)
{
    talk_planned(t, plan);
    talk_measure(t, 1, "move", 20000, items);
    json_t *part = talk_part(t, "a");
    assert_non_null(part);
    return part;
}

static double number_at(const json_t *part, const char *series, size_t at)
{
    const json_t *values = json_object_get(json_object_get(part, "series"), series);
    assert_true(json_array_size(values) > at);
    return json_number_value(json_array_get(values, at));
}

static size_t length_of(const json_t *part, const char *series)
{
    return json_array_size(json_object_get(json_object_get(part, "series"), series));
}

/* 1,000 samples a range: line 2 has 700, line 3 has 150, the rest fell in the header and behind the
 * end. */
static void samples_fall_on_their_lines(void **state)
{
    struct talk t;
    json_t *part = lines_of(&t, "", LINES);
    double all = talk_value(part, "samples");
    assert_true(all >= 2000 && fmod(all, 1000) == 0);
    assert_true(talk_value(part, "top_line") == 2);
    assert_true(fabs(talk_value(part, "top_line_share") - 0.7) < 1e-12);
    assert_int_equal(length_of(part, "line"), 2);
    assert_true(number_at(part, "line", 0) == 2 && number_at(part, "line", 1) == 3);
    assert_true(number_at(part, "samples", 0) == 0.7 * all &&
                number_at(part, "samples", 1) == 0.15 * all);
    assert_true(talk_notes(part, "elsewhere: 15.0 % of the samples"));
    assert_true(talk_notes(part, "a sample of each SM every 256 cycles"));
    assert_false(talk_notes(part, "dropped") || talk_notes(part, "lost"));
    json_decref(part);
    talk_end(&t, "ok");
}

/* Those of cycles without an issue are part of the others and are not counted twice. */
static void reasons_are_told_for_each_line(void **state)
{
    struct talk t;
    json_t *part = lines_of(&t, "", LINES);
    double runs = talk_value(part, "samples") / 1000;
    assert_true(number_at(part, "stall_long_scoreboard", 0) == 600 * runs &&
                number_at(part, "stall_long_scoreboard", 1) == 0);
    assert_true(number_at(part, "stall_lg_throttle", 0) == 80 * runs &&
                number_at(part, "stall_lg_throttle", 1) == 100 * runs);
    assert_true(number_at(part, "stall_no_instruction", 1) == 50 * runs);
    assert_true(number_at(part, "stall_selected", 0) == 20 * runs);
    assert_int_equal(json_object_size(json_object_get(part, "series")), 6);
    json_decref(part);
    talk_end(&t, "ok");
}

/* Scoreboards that an mbarrier's answer sets; at the other lines a scoreboard is one of memory. */
static void waits_for_an_mbarrier_are_told_apart(void **state)
{
    struct talk t;
    json_t *part = lines_of(&t, "mbarrier 1\n", LINES);
    double runs = talk_value(part, "samples") / 1000;
    assert_true(number_at(part, "stall_mbarrier", 0) == 600 * runs &&
                number_at(part, "stall_mbarrier", 1) == 0);
    assert_true(number_at(part, "stall_lg_throttle", 0) == 80 * runs);
    assert_int_equal(length_of(part, "stall_long_scoreboard"), 0);
    assert_true(fabs(talk_value(part, "mbarrier_share") - 0.6) < 1e-12);
    json_decref(part);
    talk_end(&t, "ok");
    part = lines_of(&t, "", LINES); /* without machine code that has one */
    assert_true(talk_value(part, "mbarrier_share") == 0);
    assert_int_equal(length_of(part, "stall_mbarrier"), 0);
    json_decref(part);
    talk_end(&t, "ok");
}

static void lost_samples_are_told(void **state)
{
    struct talk t;
    json_t *part = lines_of(&t, "pc_dropped 7\n", LINES);
    assert_true(talk_notes(part, "dropped: "));
    json_decref(part);
    talk_end(&t, "ok");
    part = lines_of(&t, "fail_cuptiPCSamplingGetData 2 8\n",
                    LINES); /* the hardware's buffer is full once */
    assert_true(talk_notes(part, "some runs were lost"));
    assert_true(talk_value(part, "samples") > 0);
    json_decref(part);
    talk_end(&t, "ok");
}

/* The range profiler and the sampler, one after the other in one request: the fake refuses both at
 * once. */
static void it_takes_turns_with_the_counters(void **state)
{
    struct talk t;
    json_t *part =
        lines_of(&t, "",
                 "{\"probe\":\"memory\",\"runs\":[\"a\"]},{\"probe\":\"lines\",\"runs\":[\"a\"]},{"
                 "\"probe\":\"memory\",\"runs\":[\"a\"]},{\"probe\":\"lines\",\"runs\":[\"a\"]}");
    for (int i = 0; i < 4; i++) {
        assert_non_null(part);
        assert_true(talk_value(part, i % 2 ? "samples" : "load_requests") > 0);
        assert_int_equal(talk_notes(part, "2 passes"), i % 2 == 0);
        json_decref(part);
        part = i < 3 ? talk_part(&t, "a") : NULL;
    }
    talk_end(&t, "ok");
}

static const char *missing_of(const json_t *part, const char *metric)
{
    const char *text = json_string_value(
        json_object_get(json_object_get(json_object_get(part, "metrics"), metric), "missing"));
    return text ? text : "";
}

static void a_refusal_is_a_missing_metric(void **state)
{
    static const struct { const char *plan, *missing;
    } cases[] = {
        {"fail_cuptiPCSamplingEnable 1 35\n", "permission"},
        {"fail_cuptiPCSamplingStart 1 35\n", "permission"},
        {"fail_cuptiPCSamplingSetConfigurationAttribute 1 26\n", "busy"},
        {"fail_cuptiPCSamplingEnable 1 27\n", "unsupported"},
        {"newest_arch 86\n", "unsupported"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct talk t;
        json_t *part = lines_of(&t, cases[i].plan, LINES);
        assert_string_equal(missing_of(part, "samples"), cases[i].missing);
        assert_string_equal(missing_of(part, "top_line"), cases[i].missing);
        assert_int_equal(length_of(part, "line"), 0);
        json_decref(part);
        talk_end(&t, "partial");
    }
}

/* Whatever call of it fails, the session ends, and what follows finds the profiler free. */
static void a_failure_leaves_the_profiler_free(void **state)
{
    static const char *const calls[] =
        {"GetNumStallReasons", "GetStallReasons", "Start", "Stop", "GetData", "Disable"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct talk t;
        char *plan = text_format("fail_cuptiPCSampling%s 1 999\n", calls[i]);
        json_t *part = lines_of(&t, plan,
                                "{\"probe\":\"lines\",\"runs\":[\"a\"]},{\"probe\":\"memory\","
                                "\"runs\":[\"a\"]}");
        free(plan);
        json_decref(part);
        part = talk_part(&t, "a");
        assert_non_null(part);
        assert_true(talk_value(part, "load_requests") > 0);
        json_decref(part);
        talk_end(&t, strcmp(calls[i], "Disable") ? "partial" : "ok");
    }
}

static void the_tier_needs_the_profiler(void **state)
{
    struct talk t;
    talk_planned(&t, "fail_cuptiRangeProfilerEnable 1 35\n");
    dprintf(t.to, "{\"type\":\"describe\",\"id\":1,\"ceilings\":\"none\"}\n");
    json_t *device = talk_wait(&t, "device"),
           *tier = json_object_get(json_object_get(device, "tiers"), "lines");
    assert_string_equal(json_string_value(json_object_get(tier, "missing")), "permission");
    assert_non_null(strstr(json_string_value(json_object_get(tier, "remedy")),
                           "NVreg_RestrictProfilingToAdminUsers=0"));
    json_decref(device);
    talk_end(&t, "ok");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_fall_on_their_lines),
        cmocka_unit_test(reasons_are_told_for_each_line),
        cmocka_unit_test(waits_for_an_mbarrier_are_told_apart),
        cmocka_unit_test(lost_samples_are_told),
        cmocka_unit_test(it_takes_turns_with_the_counters),
        cmocka_unit_test(a_refusal_is_a_missing_metric),
        cmocka_unit_test(a_failure_leaves_the_profiler_free),
        cmocka_unit_test(the_tier_needs_the_profiler),
    };
    talk_cupti = "libfakecupti.so";
    return cmocka_run_group_tests(tests, plan_make, plan_remove);
}

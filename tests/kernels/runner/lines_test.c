/* Samples of the program counter by source line, on a fake profiler: which samples count, where
 * they fall, what is said of those that were lost, and that a refusal is told with its remedy. */
#include "tests/kernels/runner/talk.h"

#include <math.h>

#include "tests/unit.h"

static const char LINES[] = "{\"probe\":\"lines\",\"runs\":[\"a\"]}";
static char plan_path[] = "/tmp/warpdrill-plan-XXXXXX";

static void open_planned(struct talk *t, const char *plan)
{
    FILE *f = fopen(plan_path, "w");
    assert_non_null(f);
    fputs(plan, f);
    fclose(f);
    talk_open(t);
}

static json_t *lines_of(struct talk *t, const char *plan, const char *items)
{
    open_planned(t, plan);
    talk_measure(t, 1, "move", 20000, items);
    json_t *part = talk_part(t, "a");
    assert_non_null(part);
    return part;
}

static void close_done(struct talk *t, const char *status)
{
    json_t *done = talk_wait(t, "done");
    assert_string_equal(json_string_value(json_object_get(done, "status")), status);
    json_decref(done);
    assert_int_equal(talk_close(t), 0);
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

static bool notes_say(const json_t *part, const char *text)
{
    size_t i;
    json_t *note;
    json_array_foreach(json_object_get(part, "notes"), i, note)
        if (strstr(json_string_value(note), text))
            return true;
    return false;
}

/* 1,000 samples a range: line 2 has 700, line 3 has 150, the rest fell in the header and behind the
 * end. */
static void samples_fall_on_their_lines(void **state)
{
    struct talk t;
    (void)state;
    json_t *part = lines_of(&t, "", LINES);
    double all = talk_value(part, "samples");
    assert_true(all >= 2000 && fmod(all, 1000) == 0);
    assert_true(talk_value(part, "top_line") == 2);
    assert_true(fabs(talk_value(part, "top_line_share") - 0.7) < 1e-12);
    assert_int_equal(length_of(part, "line"), 2);
    assert_true(number_at(part, "line", 0) == 2 && number_at(part, "line", 1) == 3);
    assert_true(number_at(part, "samples", 0) == 0.7 * all &&
                number_at(part, "samples", 1) == 0.15 * all);
    assert_true(notes_say(part, "elsewhere: 15.0 % of the samples"));
    assert_true(notes_say(part, "a sample of each SM every 256 cycles"));
    assert_false(notes_say(part, "dropped") || notes_say(part, "lost"));
    json_decref(part);
    close_done(&t, "ok");
}

/* Those of cycles without an issue are part of the others and are not counted twice. */
static void reasons_are_told_for_each_line(void **state)
{
    struct talk t;
    (void)state;
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
    close_done(&t, "ok");
}

/* Scoreboards that an mbarrier's answer sets; at the other lines a scoreboard is one of memory. */
static void waits_for_an_mbarrier_are_told_apart(void **state)
{
    struct talk t;
    (void)state;
    json_t *part = lines_of(&t, "mbarrier 1\n", LINES);
    double runs = talk_value(part, "samples") / 1000;
    assert_true(number_at(part, "stall_mbarrier", 0) == 600 * runs &&
                number_at(part, "stall_mbarrier", 1) == 0);
    assert_true(number_at(part, "stall_lg_throttle", 0) == 80 * runs);
    assert_int_equal(length_of(part, "stall_long_scoreboard"), 0);
    assert_true(fabs(talk_value(part, "mbarrier_share") - 0.6) < 1e-12);
    json_decref(part);
    close_done(&t, "ok");
    part = lines_of(&t, "", LINES); /* without machine code that has one */
    assert_true(talk_value(part, "mbarrier_share") == 0);
    assert_int_equal(length_of(part, "stall_mbarrier"), 0);
    json_decref(part);
    close_done(&t, "ok");
}

static void lost_samples_are_told(void **state)
{
    struct talk t;
    (void)state;
    json_t *part = lines_of(&t, "pc_dropped 7\n", LINES);
    assert_true(notes_say(part, "dropped: "));
    json_decref(part);
    close_done(&t, "ok");
    part = lines_of(&t, "fail_cuptiPCSamplingGetData 2 8\n",
                    LINES); /* the hardware's buffer is full once */
    assert_true(notes_say(part, "some runs were lost"));
    assert_true(talk_value(part, "samples") > 0);
    json_decref(part);
    close_done(&t, "ok");
}

/* The range profiler and the sampler, one after the other in one request: the fake refuses both at
 * once. */
static void it_takes_turns_with_the_counters(void **state)
{
    struct talk t;
    (void)state;
    json_t *part =
        lines_of(&t, "",
                 "{\"probe\":\"memory\",\"runs\":[\"a\"]},{\"probe\":\"lines\",\"runs\":[\"a\"]},{"
                 "\"probe\":\"memory\",\"runs\":[\"a\"]},{\"probe\":\"lines\",\"runs\":[\"a\"]}");
    for (int i = 0; i < 4; i++) {
        assert_non_null(part);
        assert_true(talk_value(part, i % 2 ? "samples" : "load_requests") > 0);
        assert_int_equal(notes_say(part, "2 passes"), i % 2 == 0);
        json_decref(part);
        part = i < 3 ? talk_part(&t, "a") : NULL;
    }
    close_done(&t, "ok");
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
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct talk t;
        json_t *part = lines_of(&t, cases[i].plan, LINES);
        assert_string_equal(missing_of(part, "samples"), cases[i].missing);
        assert_string_equal(missing_of(part, "top_line"), cases[i].missing);
        assert_int_equal(length_of(part, "line"), 0);
        json_decref(part);
        close_done(&t, "partial");
    }
}

/* Whatever call of it fails, the session ends, and what follows finds the profiler free. */
static void a_failure_leaves_the_profiler_free(void **state)
{
    static const char *const calls[] =
        {"GetNumStallReasons", "GetStallReasons", "Start", "Stop", "GetData", "Disable"};
    (void)state;
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
        close_done(&t, strcmp(calls[i], "Disable") ? "partial" : "ok");
    }
}

static void the_tier_needs_the_profiler(void **state)
{
    struct talk t;
    (void)state;
    open_planned(&t, "fail_cuptiRangeProfilerEnable 1 35\n");
    dprintf(t.to, "{\"type\":\"describe\",\"id\":1,\"ceilings\":\"none\"}\n");
    json_t *device = talk_wait(&t, "device"),
           *tier = json_object_get(json_object_get(device, "tiers"), "lines");
    assert_string_equal(json_string_value(json_object_get(tier, "missing")), "permission");
    assert_non_null(strstr(json_string_value(json_object_get(tier, "remedy")),
                           "NVreg_RestrictProfilingToAdminUsers=0"));
    json_decref(device);
    close_done(&t, "ok");
}

static int name_plan(void **state)
{
    int fd = mkstemp(plan_path);
    (void)state;
    talk_cupti = "libfakecupti.so";
    if (fd < 0 || close(fd))
        return -1;
    return setenv("WARPDRILL_FAKE_PLAN", plan_path, 1);
}

static int remove_plan(void **state)
{
    (void)state;
    return unlink(plan_path);
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
    return cmocka_run_group_tests(tests, name_plan, remove_plan);
}

/* Benchmarks on the fake driver: each field is in the order of the driver's calls or in the
 * figures, the output is judged after all of it, and a fault at any call ends in words. */
#include "tests/kernels/runner/talk.h"

#include <math.h>

#include "tests/folder.h"
#include "tests/kernels/runner/fault.h"
#include "tests/unit.h"

static char calls_file[96], fault_file[96];

static void item_of(char *out, size_t size, const char *fields)
{
    snprintf(out, size,
             "{\"probe\":\"benchmark\",\"runs\":[\"a\"],\"against\":\"r\",\"benchmark\":{%s}}",
             fields);
}

static json_t *measured(const char *behaviour, const char *fields)
{
    struct talk t;
    char item[512];
    item_of(item, sizeof item, fields);
    talk_open(&t);
    talk_measure(&t, 1, behaviour, 20000, item);
    json_t *part = talk_part(&t, "a");
    if (!part)
        fail_msg("%s: no part", fields);
    assert_int_equal(talk_close(&t), 0);
    return part;
}

/* ---- the order of calls ---- */

/* What the program did: after the last filling, before the comparison. Lines end with "; ". */
static char *program_calls(void)
{
    static char text[1 << 16];
    FILE *f = fopen(calls_file, "r");
    char line[128];
    assert_non_null(f);
    *text = '\0';
    while (fgets(line, sizeof line, f) && strncmp(line, "wd_compare", 10) != 0) {
        if (!strncmp(line, "wd_fill", 7))
            *text = '\0';
        else
            snprintf(text + strlen(text), sizeof text - strlen(text), "%.*s; ",
                     (int)strcspn(line, "\n"), line);
    }
    fclose(f);
    return text;
}

#define HONEST "wd_flush 0; event 0; move 0; event 0; wait 0; "
#define QUICK "\"warm_up\":0,\"repeat\":1"

static void each_field_is_a_step(void **state)
{
    static const char *const cases[][2] = {
        {QUICK, HONEST},
        {"\"warm_up\":2,\"repeat\":2", "move 0; move 0; all 0; " HONEST HONEST},
        {QUICK ",\"flush\":\"none\"", "event 0; move 0; event 0; wait 0; "},
        {QUICK ",\"flush\":\"inside\"", "event 0; wd_flush 0; move 0; event 0; wait 0; "},
        {QUICK ",\"launches\":3", "wd_flush 0; event 0; move 0; move 0; move 0; event 0; wait 0; "},
        {QUICK ",\"stream\":\"side\"", "wd_flush 1; event 1; move 0; event 1; wait 1; "},
        {QUICK ",\"synchronise\":\"none\"", HONEST},
        {QUICK ",\"load\":\"inside\"",
         "unload 0; unload 0; wd_flush 0; event 0; load 0; move 0; event 0; wait 0; "},
        {"\"warm_up\":1,\"repeat\":1,\"load\":\"inside\"",
         "unload 0; unload 0; load 0; move 0; all 0; " HONEST},
        {QUICK ",\"clock\":\"host\"", "wd_flush 0; wait 0; move 0; wait 0; "},
        {QUICK ",\"clock\":\"host\",\"flush\":\"inside\"", "wd_flush 0; move 0; wait 0; "},
        {QUICK ",\"clock\":\"host\",\"stream\":\"side\"", "wd_flush 1; wait 1; move 0; wait 1; "},
        {"\"warm_up\":0,\"repeat\":3,\"clock\":\"host\",\"synchronise\":\"none\",\"flush\":"
         "\"none\"",
         "move 0; move 0; move 0; "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(truncate(calls_file, 0), 0);
        json_t *part = measured("move", cases[i][0]);
        if (strcmp(program_calls(), cases[i][1]) != 0)
            fail_msg("%s: %s", cases[i][0], program_calls());
        assert_true(talk_notes(part, "verdict: right"));
        json_decref(part);
    }
}

/* ---- figures ---- */

static double sample_at(const json_t *part, size_t i)
{
    const json_t *list = json_object_get(json_object_get(part, "series"), "sample");
    return json_number_value(json_array_get(list, i));
}

static size_t samples(const json_t *part)
{
    return json_array_size(json_object_get(json_object_get(part, "series"), "sample"));
}

static void figures_are_those_of_the_samples(void **state)
{
    json_t *part = measured("move", "\"repeat\":41,\"reduce\":\"mean\"");
    double least = INFINITY, most = 0, sum = 0;
    assert_int_equal(samples(part), 41);
    for (size_t i = 0; i < 41; i++) {
        double s = sample_at(part, i);
        least = fmin(least, s);
        most = fmax(most, s);
        sum += s;
    }
    assert_true(least > 0.9e-4 && most > least);
    assert_true(talk_value(part, "sample_first") == sample_at(part, 0));
    assert_true(talk_value(part, "sample_min") == least);
    assert_true(talk_value(part, "sample_max") == most);
    assert_true(fabs(talk_value(part, "reported_time") - sum / 41) < 1e-12);
    assert_true(talk_value(part, "sample_median") <= talk_value(part, "sample_p95"));
    assert_true(talk_value(part, "sample_p95") < most);
    assert_true(talk_value(part, "sample_spread") > 0);
    json_decref(part);
}

static void what_is_reported_is_chosen(void **state)
{
    static const char *const of[][2] = {{"median", "sample_median"},
                                        {"min", "sample_min"},
                                        {"max", "sample_max"}};
    char fields[64];
    for (size_t i = 0; i < 3; i++) {
        snprintf(fields, sizeof fields, "\"repeat\":5,\"reduce\":\"%s\"", of[i][0]);
        json_t *part = measured("move", fields);
        assert_true(talk_value(part, "reported_time") == talk_value(part, of[i][1]));
        json_decref(part);
    }
}

/* A sample of many launches is the time of one: the fake's takes 100 us, give or take. */
static void a_sample_is_divided_by_its_launches(void **state)
{
    json_t *part = measured("move", "\"launches\":50,\"flush\":\"none\"");
    assert_true(talk_value(part, "sample_median") > 0.9e-4 &&
                talk_value(part, "sample_median") < 1.1e-4);
    json_decref(part);
}

/* Two events of another stream have nothing between them. */
static void a_side_stream_escapes_the_events(void **state)
{
    json_t *part = measured("move", "\"stream\":\"side\"");
    assert_true(talk_value(part, "sample_max") < 1e-5);
    assert_true(talk_notes(part, "verdict: right"));
    json_decref(part);
}

static void a_flush_inside_costs(void **state)
{
    char *plan = text_format("%s/plan", folder);
    FILE *f = fopen(plan, "w");
    fputs("wd_flush 1e-3\n", f);
    fclose(f);
    setenv("WARPDRILL_FAKE_PLAN", plan, 1);
    json_t *before = measured("move", ""), *inside = measured("move", "\"flush\":\"inside\"");
    unsetenv("WARPDRILL_FAKE_PLAN");
    assert_true(talk_value(before, "sample_max") < 2e-4);
    assert_true(talk_value(inside, "sample_min") > 1e-3);
    json_decref(before);
    json_decref(inside);
    free(plan);
}

/* `care` is the program of the baseline, whose source no other run has: 1 ms. */
static json_t *compared(const char *behaviour, const char *fields, const char *care)
{
    char all[400];
    snprintf(all, sizeof all, "%s},\"baseline\":{\"run\":\"o\",\"benchmark\":{%s}", fields, care);
    return measured(behaviour, all);
}

static void a_baseline_is_timed_by_its_own_program(void **state)
{
    char *plan = text_format("%s/plan", folder);
    FILE *f = fopen(plan, "w");
    fputs("wd_flush 1e-3\nnoise 0\n", f);
    fclose(f);
    setenv("WARPDRILL_FAKE_PLAN", plan, 1);
    json_t *part = compared("move", "\"repeat\":3", "\"repeat\":5,\"flush\":\"inside\"");
    assert_true(fabs(talk_value(part, "reported_time") - 1e-4) < 1e-5);
    assert_true(fabs(talk_value(part, "baseline_time") - 2e-3) < 2e-5);
    assert_true(fabs(talk_value(part, "speed_up") - 20) < 1);
    assert_int_equal(samples(part), 3); /* of the run alone */
    assert_true(talk_notes(part, "verdict: right") && talk_notes(part, "baseline: right"));
    json_decref(part);
    part = compared("move", "\"repeat\":3", "\"repeat\":3");
    assert_true(fabs(talk_value(part, "speed_up") - 10) < 0.5);
    json_decref(part);
    part = compared("move", "\"repeat\":3,\"warm_up\":0", "\"repeat\":3,\"load\":\"inside\"");
    assert_true(talk_notes(part, "verdict: right") && talk_notes(part, "baseline: right"));
    json_decref(part);
    part = compared("off", "\"repeat\":3", "\"repeat\":3");
    assert_true(talk_notes(part, "verdict: wrong") && talk_notes(part, "baseline: right"));
    json_decref(part);
    unsetenv("WARPDRILL_FAKE_PLAN");
    free(plan);
}

static void an_idle_host_waits(void **state)
{
    int64_t from = os_monotonic_ms();
    json_decref(measured("move", "\"repeat\":4,\"idle\":25000"));
    assert_true(os_monotonic_ms() - from >= 100);
}

/* ---- the output ---- */

static void the_output_is_judged(void **state)
{
    static const struct { const char *how, *fields, *verdict;
    } cases[] = {
        {"move", "", "verdict: right"},
        {"off", "", "verdict: wrong"},
        {"nothing", "", "verdict: wrong"},
        {"zeros", "", "verdict: wrong"},
        {"zeros", "\"inputs\":\"zeros\"", "verdict: right"},
        {"input", "\"inputs\":\"declared\"", "verdict: wrong"},
        {"input", "\"inputs\":\"equal\"", "verdict: right"},
        {"zeros", "\"inputs\":\"equal\"", "verdict: wrong"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *part = measured(cases[i].how, cases[i].fields);
        if (!talk_notes(part, cases[i].verdict))
            fail_msg("%s, %s", cases[i].how, cases[i].fields);
        bool right = talk_value(part, "wrong_elements") == 0;
        assert_true(right == !strstr(cases[i].verdict, "wrong"));
        assert_true(talk_value(part, "compared_elements") == 4096);
        json_decref(part);
    }
}

/* What many runs leave there is not what the reference's one run leaves. */
static void in_out_buffers_are_not_compared(void **state)
{
    struct talk t;
    talk_open(&t);
    dprintf(t.to,
            "{\"type\":\"measure\",\"id\":1,\"deadline_ms\":20000,\"sources\":{\"a\":{\"name\":"
            "\"a.cu\",\"text\":\"// fake: move 1e-6\\n\"}},\"buffers\":[{\"name\":\"in\",\"type\":"
            "\"f32\",\"count\":4096},{\"name\":\"out\",\"type\":\"f32\",\"count\":4096,\"role\":"
            "\"inout\"}],\"runs\":{\"a\":[" TALK_LAUNCH "]},\"work\":{\"bytes\":32768,\"flops\":0},"
            "\"items\":[{\"probe\":\"benchmark\",\"runs\":[\"a\"],\"against\":\"a\","
            "\"benchmark\":{}}]}\n");
    json_t *part = talk_part(&t, "a");
    assert_non_null(part);
    assert_true(talk_notes(part, "not compared: in/out buffers went through 23 runs"));
    assert_true(talk_value(part, "wrong_elements") == -1);
    json_decref(part);
    assert_int_equal(talk_close(&t), 0);
}

/* ---- what cannot be, and what goes wrong ---- */

/* A deadline is short where it is what ends the request: a busy host needs long for the others. */
static void expect_end(struct talk *t, int id, const char *how, const char *fields,
                       const char *code, const char *words)
{
    char item[512];
    item_of(item, sizeof item, fields);
    talk_measure(t, id, how, !strcmp(code, "timeout") ? 2000 : 20000, item);
    json_t *done = talk_wait(t, "done");
    const json_t *error = json_object_get(done, "error");
    if (strcmp(text_of(error, "code"), code) != 0 || !strstr(text_of(error, "text"), words))
        fail_msg("%s, %s: %s: %s", how, fields, text_of(error, "code"), text_of(error, "text"));
    json_decref(done);
}

static void what_cannot_be_is_refused(void **state)
{
    struct talk t;
    talk_open(&t);
    expect_end(&t, 1, "move", "\"repeat\":60,\"idle\":1000000", "too-large", "(63 runs of");
    expect_end(&t, 2, "move", "\"repeat\":60,\"idle\":1000000", "too-large", "60 s idle), and");
    expect_end(&t, 3, "move", "\"repeat\":61,\"idle\":1000000", "bad-request", "more than 60 s");
    expect_end(&t, 4, "move", "\"flush\":\"after\"", "bad-request", "items[0].benchmark.flush");
    expect_end(&t, 5, "fault", "", "fault", "outside its buffers");
    expect_end(&t, 6, "move", "", "", "");
    expect_end(&t, 7, "endless", "", "timeout", "deadline");
    expect_end(&t, 8, "move", "", "", "");
    assert_int_equal(talk_close(&t), 0);
}

/* A cancel comes once progress tells of samples. */
static void a_benchmark_can_be_cancelled(void **state)
{
    struct talk t;
    char item[512];
    json_t *m;
    item_of(item, sizeof item, "\"repeat\":100,\"idle\":100000");
    talk_open(&t);
    talk_measure(&t, 1, "move", 20000, item);
    for (bool begun = false; !begun; json_decref(m)) {
        assert_non_null(m = talk_wait(&t, "progress"));
        begun = !strcmp(text_of(m, "phase"), "benchmark");
    }
    dprintf(t.to, "{\"type\":\"cancel\",\"id\":1}\n");
    assert_non_null(m = talk_wait(&t, "done"));
    assert_string_equal(text_of(m, "status"), "cancelled");
    json_decref(m);
    expect_end(&t, 2, "move", "", "", "");
    assert_int_equal(talk_close(&t), 0);
}

static void each_run_has_a_part(void **state)
{
    struct talk t;
    talk_open(&t);
    talk_measure(&t, 1, "move", 20000,
                 "{\"probe\":\"benchmark\",\"runs\":[\"a\",\"a2\"],\"against\":\"r\","
                 "\"benchmark\":{\"load\":\"inside\"}}");
    json_t *a = talk_part(&t, "a"), *a2 = talk_part(&t, "a2");
    assert_true(a && a2 && talk_notes(a, "verdict: right") && talk_notes(a2, "verdict: right"));
    json_decref(a);
    json_decref(a2);
    assert_int_equal(talk_close(&t), 0);
}

/* The fault happens at call `at` of the request; false: it does not make so many. */
static bool try_fault(struct talk *t, struct fake_fault *f, const char *call, int at, int result)
{
    static int id = 100;
    char item[512];
    item_of(item, sizeof item,
            "\"warm_up\":1,\"repeat\":2,\"load\":\"inside\",\"stream\":\"side\"");
    fault_put(f, call, at, result);
    talk_measure(t, ++id, "move", 20000, item);
    return fault_ends(t, f);
}

static void a_fault_at_each_call_is_told(void **state)
{
    static const char *const calls[] = {
        "cuLaunchKernel",      "cuEventRecord",      "cuStreamSynchronize", "cuCtxSynchronize",
        "cuModuleLoadDataEx",  "cuModuleGetFunction", "cuEventElapsedTime", "cuStreamQuery",
        "cuStreamCreate",      "cuEventCreate",      "cuMemsetD8Async",     "cuMemcpyDtoH_v2",
        "cuMemAlloc_v2",
    };
    enum { MOST = 64, STICKY_EVERY = 4 };
    struct talk t;
    char *log = text_format("log_path=%s/sanitizer", folder);
    setenv("ASAN_OPTIONS", log, 1);
    setenv("WARPDRILL_FAKE_FAULT", fault_file, 1);
    struct fake_fault *fault = fault_map(fault_file);
    talk_open(&t);
    try_fault(&t, fault, "nothing", 1, 2);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int at = 1;
        while (at < MOST && try_fault(&t, fault, calls[i], at, 2))
            at++;
        if (at == 1 || at == MOST)
            fail_msg("%s: %d calls", calls[i], at);
        for (int k = 1; k < at; k += STICKY_EVERY)
            try_fault(&t, fault, calls[i], k, 700);
        try_fault(&t, fault, "nothing", 1, 2);
    }
    assert_int_equal(talk_close(&t), 0);
    munmap(fault, sizeof *fault);
    unsetenv("WARPDRILL_FAKE_FAULT");
    unsetenv("ASAN_OPTIONS");
    char *look = text_format("cat %s/sanitizer.* 2>/dev/null | head -60 | grep .", folder);
    assert_int_not_equal(system(look), 0);
    free(look);
    free(log);
}

static int make_folder(void **state)
{
    if (folder_make("benchmark"))
        return -1;
    snprintf(calls_file, sizeof calls_file, "%s/calls", folder);
    snprintf(fault_file, sizeof fault_file, "%s/fault", folder);
    setenv("WARPDRILL_FAKE_CALLS", calls_file, 1);
    int fd = open(calls_file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    return fd < 0 ? -1 : close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_field_is_a_step),
        cmocka_unit_test(figures_are_those_of_the_samples),
        cmocka_unit_test(what_is_reported_is_chosen),
        cmocka_unit_test(a_sample_is_divided_by_its_launches),
        cmocka_unit_test(a_side_stream_escapes_the_events),
        cmocka_unit_test(a_flush_inside_costs),
        cmocka_unit_test(a_baseline_is_timed_by_its_own_program),
        cmocka_unit_test(an_idle_host_waits),
        cmocka_unit_test(the_output_is_judged),
        cmocka_unit_test(in_out_buffers_are_not_compared),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_benchmark_can_be_cancelled),
        cmocka_unit_test(each_run_has_a_part),
        cmocka_unit_test(a_fault_at_each_call_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, folder_remove);
}

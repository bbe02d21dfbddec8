/* Runs in which the host does more than launch: each step is taken, in order, and its time is in
 * the run's; what cannot be is refused by name. The fake driver's GPU takes no time of the host's.
 */
#include "tests/kernels/runner/talk.h"

#include "tests/unit.h"

/* A request whose run a is `steps`, one item, `item`. */
static void ask(struct talk *t, const char *steps, const char *item)
{
    dprintf(t->to,
            "{\"type\":\"measure\",\"id\":1,\"deadline_ms\":20000,\"sources\":{\"a\":{\"name\":"
            "\"a.cu\",\"text\":\"// fake: move 1e-6\\n\"}},\"buffers\":[{\"name\":\"in\",\"type\":"
            "\"f32\",\"count\":4096,\"fill\":{\"kind\":\"uniform\",\"low\":-1,\"high\":1}},{"
            "\"name\":\"out\",\"type\":\"f32\",\"count\":4096,\"role\":\"output\"}],\"runs\":{"
            "\"a\":[%s],\"b\":[" TALK_LAUNCH "]},\"work\":{\"bytes\":32768,\"flops\":0},"
            "\"items\":[%s]}\n",
            steps, item);
}

enum { STEPS_OF_H = 12, WAIT_OF_H = 10 };

#define TIMING_A "{\"probe\":\"timing\",\"runs\":[\"a\"]}"
#define PAIR "{\"probe\":\"timing\",\"runs\":[\"a\",\"b\"]}"

static double time_of(const char *steps, const char *run, const char *item)
{
    struct talk t;
    talk_open(&t);
    ask(&t, steps, item);
    json_t *part = talk_part(&t, run);
    assert_non_null(part);
    assert_true(talk_notes(part, "by the host's clock"));
    double seconds = talk_value(part, "time");
    json_decref(part);
    assert_int_equal(talk_close(&t), 0);
    return seconds;
}

static void a_host_that_computes_is_timed(void **state)
{
    double s = time_of("{\"step\":\"wait\",\"seconds\":0.002}," TALK_LAUNCH, "a", TIMING_A);
    assert_true(s >= 0.002);
    s = time_of("{\"step\":\"wait\",\"seconds\":0.002}," TALK_LAUNCH
                ",{\"step\":\"wait\",\"seconds\":0.003}",
                "a", TIMING_A);
    assert_true(s >= 0.005);
}

static void every_step_is_taken(void **state)
{
    assert_true(time_of(TALK_HOSTED, "a", TIMING_A) >= 0.0005);
}

/* Two clocks would be compared with each other. */
static void a_pair_has_one_clock(void **state)
{
    assert_true(time_of("{\"step\":\"wait\",\"seconds\":0.002}," TALK_LAUNCH, "b", PAIR) < 0.002);
}

/* What is done to the data is the launches' business alone. */
static void other_probes_see_the_launches(void **state)
{
    struct talk t;
    talk_open(&t);
    talk_measure(&t, 1, "move", 20000,
                 "{\"probe\":\"check\",\"runs\":[\"h\"],\"against\":\"r\"}");
    json_t *part = talk_part(&t, "h");
    assert_non_null(part);
    assert_true(talk_value(part, "wrong_elements") == 0);
    json_decref(part);
    assert_int_equal(talk_close(&t), 0);
}

/* Each round has inputs of its own, on the host as well as on the device. */
static void what_is_copied_from_the_host_is_of_the_round(void **state)
{
    struct talk t;
    talk_open(&t);
    talk_measure(&t, 1, "move", 20000,
                 "{\"probe\":\"timing\",\"runs\":[\"h\"],\"against\":\"r\"}");
    json_t *part = talk_part(&t, "h");
    assert_non_null(part);
    assert_true(talk_value(part, "time") >= 0.0005);
    assert_false(talk_notes(part, "wrong where it was timed"));
    json_decref(part);
    assert_int_equal(talk_close(&t), 0);
}

static json_t *timeline_of_h(const char *cupti)
{
    struct talk t;
    talk_cupti = cupti;
    talk_open(&t);
    talk_measure(&t, 1, "move", 20000, "{\"probe\":\"timeline\",\"runs\":[\"h\"]}");
    json_t *part = talk_part(&t, "h");
    assert_non_null(part);
    assert_int_equal(talk_close(&t), 0);
    talk_cupti = "missing/libcupti.so";
    return part;
}

static double at(const json_t *part, const char *series, size_t i)
{
    const json_t *list = json_object_get(json_object_get(part, "series"), series);
    assert_int_equal(json_array_size(list), STEPS_OF_H + 1);
    return json_number_value(json_array_get(list, i));
}

/* Rows of the host: one for each step, in order, and the wait behind them. */
static void a_timeline_has_rows_of_the_host(void **state)
{
    json_t *part = timeline_of_h("libfakecupti.so");
    const json_t *lines = json_object_get(part, "lines");
    for (size_t i = 0; i <= STEPS_OF_H; i++) {
        assert_true(at(part, "host", i) == (double)i);
        assert_true(at(part, "host_end", i) >= at(part, "host_start", i));
        assert_true(i == 0 || at(part, "host_start", i) >= at(part, "host_end", i - 1));
    }
    assert_string_equal(json_string_value(json_array_get(lines, 0)), "move");
    assert_string_equal(json_string_value(json_array_get(lines, 2)), "alloc");
    assert_true(at(part, "host_end", WAIT_OF_H) - at(part, "host_start", WAIT_OF_H) >= 0.0005);
    assert_true(talk_value(part, "step_time") >= talk_value(part, "api_time") + 0.0005);
    json_decref(part);
}

static void without_cupti_there_is_no_such_timeline(void **state)
{
    json_t *part = timeline_of_h("missing/libcupti.so");
    const json_t *v = json_object_get(json_object_get(part, "metrics"), "step_time");
    assert_non_null(strstr(json_string_value(json_object_get(v, "say")), "CUPTI"));
    json_decref(part);
}

static void expect_refusal(struct talk *t, const char *steps, const char *words)
{
    ask(t, steps, TIMING_A);
    json_t *done = talk_wait(t, "done");
    assert_non_null(done);
    const json_t *error = json_object_get(done, "error");
    const char *code = json_string_value(json_object_get(error, "code"));
    assert_true(!strcmp(code, "bad-request") || !strcmp(code, "too-large"));
    if (!strstr(json_string_value(json_object_get(error, "text")), words))
        fail_msg("%s: %s", steps, json_string_value(json_object_get(error, "text")));
    json_decref(done);
}

static void what_cannot_be_is_refused(void **state)
{
    static const char *const bad[][2] = {
        {"{\"step\":\"dance\"}", "is no step"},
        {"{\"step\":\"sync\"}", "nothing was launched"},
        {TALK_LAUNCH ",{\"step\":\"free\"}", "frees what no step allocated"},
        {TALK_LAUNCH ",{\"step\":\"alloc\",\"bytes\":1}", "never freed"},
        {"{\"step\":\"capture\"}," TALK_LAUNCH, "never replayed"},
        {TALK_LAUNCH ",{\"step\":\"replay\"}", "replays what no step captured"},
        {TALK_LAUNCH ",{\"step\":\"capture\"},{\"step\":\"replay\"}", "without launches"},
        {"{\"step\":\"capture\"},{\"step\":\"sync\"}," TALK_LAUNCH ",{\"step\":\"replay\"}",
         "where only launches may"},
        {"{\"step\":\"capture\"},{\"step\":\"capture\"}", "inside another"},
        {TALK_LAUNCH ",{\"step\":\"wait\",\"seconds\":1}", "at most 0.1"},
        {TALK_LAUNCH ",{\"step\":\"wait\",\"seconds\":1e-6,\"bytes\":3}", "bytes"},
        {TALK_LAUNCH ",{\"step\":\"read\",\"buffer\":\"gone\"}", "names no buffer"},
        {TALK_LAUNCH ",{\"step\":\"copy\",\"buffer\":\"in\",\"to\":\"mars\"}", "to"},
        {TALK_LAUNCH ",{\"step\":\"sync\",\"stream\":8}", "stream"},
        {TALK_LAUNCH ",{\"step\":\"alloc\",\"bytes\":1e9}", "bytes"},
        {"{\"step\":\"capture\",\"anew\":7}," TALK_LAUNCH ",{\"step\":\"replay\"}", "anew"},
        {TALK_LAUNCH ",{\"step\":\"sync\",\"anew\":true}", "anew"},
        {"{\"step\":\"load\",\"from\":\"text\"}," TALK_LAUNCH, "from"},
        {"{\"step\":\"load\"}," TALK_LAUNCH, "from"},
        {"{\"step\":\"capture\"}," TALK_LAUNCH ",{\"step\":\"load\",\"from\":\"ptx\"},"
         "{\"step\":\"replay\"}",
         "where only launches may"},
        {TALK_LAUNCH ",7", "[1]"},
    };
    struct talk t;
    talk_open(&t);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refusal(&t, bad[i][0], bad[i][1]);
    assert_int_equal(talk_close(&t), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_that_computes_is_timed),
        cmocka_unit_test(every_step_is_taken),
        cmocka_unit_test(a_pair_has_one_clock),
        cmocka_unit_test(other_probes_see_the_launches),
        cmocka_unit_test(what_is_copied_from_the_host_is_of_the_round),
        cmocka_unit_test(a_timeline_has_rows_of_the_host),
        cmocka_unit_test(without_cupti_there_is_no_such_timeline),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

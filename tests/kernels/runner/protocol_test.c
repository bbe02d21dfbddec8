/* What the runner answers to requests proper and improper: exactly one done each, nothing that
 * cannot be had shown as a figure, and no GPU touched before it is asked for. */
#include "tests/kernels/runner/talk.h"

#include "kernels/wire/frame.h"
#include "kernels/wire/metric.h"
#include "tests/unit.h"

enum { MARK = 999999 };

/* The next done with this id (-1: null) and error code ("" none); fails the test if another comes
 * first. */
static void expect_done(struct talk *t, int64_t id, const char *code, const char *says)
{
    json_t *done = talk_wait(t, "done");
    const json_t *error = json_object_get(done, "error"), *of = json_object_get(done, "id");
    const char *got = json_string_value(json_object_get(error, "code")),
               *text = json_string_value(json_object_get(error, "text"));
    assert_non_null(done);
    print_message("# %s: %s\n", got ? got : "no error", text ? text : "");
    assert_string_equal(got ? got : "", code);
    assert_true(id < 0 ? json_is_null(of) : json_integer_value(of) == id);
    assert_non_null(strstr(text ? text : "", says));
    json_decref(done);
}

/* No further done is waiting: the next one answers a request made now. */
static void expect_no_other(struct talk *t)
{
    dprintf(t->to, "{\"type\":\"nonsense\",\"id\":%d}\n", MARK);
    expect_done(t, MARK, "bad-request", "nonsense");
}

static void ask(struct talk *t, const char *line, int64_t id, const char *code, const char *says)
{
    dprintf(t->to, "%s\n", line);
    expect_done(t, id, code, says);
}

static void open_is_answered_by_hello(void **state)
{
    struct talk t;
    talk_open(&t);
    json_t *hello = talk_wait(&t, NULL);
    assert_string_equal(json_string_value(json_object_get(hello, "type")), "hello");
    assert_string_equal(json_string_value(json_object_get(hello, "nonce")), "n");
    assert_int_equal(json_integer_value(json_object_get(hello, "protocol")), 1);
    assert_int_equal(json_array_size(json_object_get(hello, "can")),
                     PROBE_COUNT + 3); /* compile, links and ahead */
    json_decref(hello);
    ask(&t, "{\"type\":\"open\",\"protocol\":1,\"client\":\"test\",\"nonce\":\"m\"}", -1,
        "bad-request", "open");
    expect_no_other(&t);
    assert_int_equal(talk_close(&t), 0);
}

static void another_version_is_refused_and_both_named(void **state)
{
    struct talk t;
    talk_start(&t, NULL);
    ask(&t, "{\"type\":\"describe\",\"id\":1}", 1, "version", "protocol 1");
    ask(&t, "{\"type\":\"open\",\"protocol\":7,\"later\":true}", -1, "version",
        "protocol 7, this runner");
    ask(&t, "{\"type\":\"describe\",\"id\":2}", 2, "version", "protocol 1");
    assert_int_equal(talk_close(&t), 0);
}

static void bad_lines_are_refused_by_name(void **state)
{
    struct talk t;
    talk_open(&t);
    ask(&t, "this is no message", -1, "bad-request", "");
    ask(&t, "{\"type\":\"describe\",\"id\":1,\"id\":2}", -1, "bad-request", "");
    ask(&t, "{\"type\":\"describe\",\"id\":3,\"colour\":1}", 3, "bad-request", "colour");
    ask(&t, "{\"type\":\"describe\",\"id\":\"four\"}", -1, "bad-request", "id");
    ask(&t, "{\"type\":\"measure\",\"id\":5,\"deadline_ms\":20000}", 5, "bad-request", "");
    ask(&t, "{\"type\":\"sing\",\"id\":6}", 6, "bad-request", "sing");
    talk_measure(&t, 7, "move", 20000, "{\"probe\":\"timing\",\"runs\":[\"a\"],\"hue\":1}");
    expect_done(&t, 7, "bad-request", "hue");
    talk_measure(&t, 8, "move", 20000, "{\"probe\":\"timing\",\"runs\":[\"z\"]}");
    expect_done(&t, 8, "bad-request", "z");
    talk_measure(&t, 9, "move", 20000, "{\"probe\":\"resources\",\"runs\":[\"a\"]}");
    expect_done(&t, 9, "", "");
    expect_no_other(&t);
    assert_int_equal(talk_close(&t), 0);
}

static void what_is_too_large_is_refused(void **state)
{
    struct talk t;
    size_t n = FRAME_MAX + 4096;
    char *line = mem_new(n + 1, 1);
    memset(line, 'x', n);
    talk_open(&t);
    dprintf(t.to, "%s\n", line);
    expect_done(&t, -1, "too-large", "");
    line[300 << 10] = '\0'; /* a behaviour's name that makes the source too long */
    talk_measure(&t, 2, line, 20000, "{\"probe\":\"resources\",\"runs\":[\"a\"]}");
    expect_done(&t, 2, "too-large", "");
    talk_measure(&t, 3, "move", 20000, "{\"probe\":\"resources\",\"runs\":[\"a\"]}");
    expect_done(&t, 3, "", "");
    expect_no_other(&t);
    free(line);
    assert_int_equal(talk_close(&t), 0);
}

static void a_second_request_is_busy(void **state)
{
    struct talk t;
    talk_open(&t);
    talk_measure(&t, 1, "endless", 20000, "{\"probe\":\"timing\",\"runs\":[\"a\"]}");
    talk_measure(&t, 2, "move", 20000, "{\"probe\":\"timing\",\"runs\":[\"a\"]}");
    expect_done(&t, 2, "busy", "request 1");
    ask(&t, "{\"type\":\"describe\",\"id\":3}", 3, "busy", "request 1");
    ask(&t, "{\"type\":\"cancel\",\"id\":1}", 1, "cancelled", "");
    expect_no_other(&t);
    assert_int_equal(talk_close(&t), 0);
}

static void describe_says_what_can_be_had(void **state)
{
    struct talk t;
    talk_open(&t);
    dprintf(t.to, "{\"type\":\"describe\",\"id\":1,\"ceilings\":\"none\"}\n");
    json_t *device = talk_wait(&t, "device"), *gpu = json_object_get(device, "gpu"),
           *tiers = json_object_get(device, "tiers");
    assert_string_equal(json_string_value(json_object_get(gpu, "slug")), "fake-gpu");
    assert_true(
        json_number_value(json_object_get(json_object_get(gpu, "attributes"), "sm_count")) == 4);
    assert_true(json_is_true(json_object_get(json_object_get(tiers, "timing"), "ok")));
    const json_t *stalls = json_object_get(tiers, "stalls");
    assert_non_null(json_object_get(stalls, "missing"));
    assert_true(json_string_length(json_object_get(stalls, "say")) > 0);
    assert_non_null(strstr(json_string_value(json_object_get(stalls, "remedy")),
                           "unset the variable")); /* WARPDRILL_CUPTI names nothing */
    json_decref(device);
    expect_done(&t, 1, "", "");
    expect_no_other(&t);
    assert_int_equal(talk_close(&t), 0);
}

static void a_measurement_gives_its_parts(void **state)
{
    struct talk t;
    talk_open(&t);
    talk_measure(&t, 1, "move", 20000,
                 "{\"probe\":\"resources\",\"runs\":[\"a\"]},{\"probe\":\"sass\",\"runs\":[\"a\"]},"
                 "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\"},{\"probe\":\"timing\","
                 "\"runs\":[\"a\",\"a2\"]}");
    json_t *resources = talk_part(&t, "a"), *ptx = talk_part(&t, "a"), *check = talk_part(&t, "a"),
           *pair = talk_part(&t, "a/a2");
    assert_true(talk_value(resources, "registers") == 32);
    assert_int_equal(json_array_size(json_object_get(ptx, "lines")),
                     1); /* the comment is left out */
    assert_string_equal(json_string_value(json_array_get(json_object_get(ptx, "lines"), 0)),
                        "void move();");
    assert_true(talk_value(check, "wrong_elements") == 0);
    assert_true(talk_value(pair, "ratio") > 0.9 && talk_value(pair, "ratio") < 1.1);
    json_decref(resources);
    json_decref(ptx);
    json_decref(check);
    json_decref(pair);
    expect_done(&t, 1, "", "");
    expect_no_other(&t);
    assert_int_equal(talk_close(&t), 0);
}

/* A figure that cannot be had is missing with a reason, not zero. */
static void counters_without_cupti_are_missing(void **state)
{
    struct talk t;
    const char *name;
    json_t *value;
    talk_open(&t);
    talk_measure(&t, 1, "move", 20000, "{\"probe\":\"memory\",\"runs\":[\"a\"]}");
    json_t *part = talk_part(&t, "a"), *metrics = json_object_get(part, "metrics");
    assert_true(json_object_size(metrics) > 0);
    json_object_foreach(metrics, name, value) {
        assert_null(json_object_get(value, "value"));
        assert_true(json_string_length(json_object_get(value, "missing")) > 0);
        assert_true(json_string_length(json_object_get(value, "say")) > 0);
    }
    json_decref(part);
    json_t *done = talk_wait(&t, "done");
    assert_string_equal(json_string_value(json_object_get(done, "status")), "partial");
    json_decref(done);
    expect_no_other(&t);
    assert_int_equal(talk_close(&t), 0);
}

static void without_a_driver_there_is_no_gpu(void **state)
{
    struct talk t;
    talk_open_with(&t, "/nonexistent/libcuda.so");
    ask(&t, "{\"type\":\"describe\",\"id\":1}", 1, "no-gpu", "");
    talk_measure(&t, 2, "move", 20000, "{\"probe\":\"timing\",\"runs\":[\"a\"]}");
    expect_done(&t, 2, "no-gpu", "");
    expect_no_other(&t);
    assert_int_equal(talk_close(&t), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_is_answered_by_hello),
        cmocka_unit_test(another_version_is_refused_and_both_named),
        cmocka_unit_test(bad_lines_are_refused_by_name),
        cmocka_unit_test(what_is_too_large_is_refused),
        cmocka_unit_test(a_second_request_is_busy),
        cmocka_unit_test(describe_says_what_can_be_had),
        cmocka_unit_test(a_measurement_gives_its_parts),
        cmocka_unit_test(counters_without_cupti_are_missing),
        cmocka_unit_test(without_a_driver_there_is_no_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

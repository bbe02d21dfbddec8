/* How much a runner may say to one request, and for how long. */
#include "scenarios/supply/client_bounds.h"

#include "tests/unit.h"

static struct client_bounds begun(const char *request, int64_t now_ms)
{
    struct client_bounds b;
    json_t *msg = json_loads(request, 0, NULL);
    assert_non_null(msg);
    bounds_begin(&b, msg, now_ms);
    json_decref(msg);
    return b;
}

static void answers_are_counted_by_the_request(void **state)
{
    static const struct {
        const char *request;
        size_t most;
    } cases[] = {
        {"{\"type\":\"describe\"}", 1},
        {"{\"type\":\"measure\",\"items\":[{},{},{}]}", 3 * BOUNDS_ANSWERS},
        {"{\"type\":\"compile\",\"sources\":{\"a\":{},\"b\":{}},\"arch\":[\"sm_90\",\"sm_80\",\"sm_"
         "75\"]}",
         7},
        {"{\"type\":\"measure\"}", 0},
        {"{}", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct client_bounds b = begun(cases[i].request, 5);
        struct err err = {0};
        for (size_t k = 0; k < cases[i].most; k++)
            assert_int_equal(bounds_answer(&b, &err), 0);
        assert_int_equal(bounds_answer(&b, &err), ERR_TOO_LARGE);
        assert_non_null(strstr(err.text, "answers to one request"));
    }
}

static void lines_and_bytes_have_an_end(void **state)
{
    struct client_bounds b = begun("{\"type\":\"describe\"}", 0);
    struct err err = {0};
    for (int i = 0; i < BOUNDS_MESSAGES; i++)
        assert_int_equal(bounds_line(&b, 0, &err), 0);
    assert_int_equal(bounds_line(&b, 0, &err), ERR_TOO_LARGE);
    b = begun("{\"type\":\"describe\"}", 0);
    assert_int_equal(bounds_line(&b, BOUNDS_BYTES, &err), 0);
    bounds_end(&b); /* what is said unasked counts on */
    assert_int_equal(bounds_line(&b, 1, &err), ERR_TOO_LARGE);
}

static void time_is_the_deadline_and_some(void **state)
{
    struct err err = {0};
    struct client_bounds b =
        begun("{\"type\":\"measure\",\"deadline_ms\":20000,\"items\":[{}]}", 1000);
    assert_int_equal(bounds_time(&b, 1000 + 20000 + BOUNDS_SLACK_MS - 1, &err), 0);
    assert_int_equal(bounds_time(&b, 1000 + 20000 + BOUNDS_SLACK_MS, &err), ERR_TIMEOUT);
    assert_non_null(strstr(err.text, "for 50 seconds"));
    bounds_end(&b);
    assert_int_equal(bounds_time(&b, INT64_MAX, &err), 0);
    b = begun("{\"type\":\"describe\"}", 0);
    assert_int_equal(bounds_time(&b, BOUNDS_DESCRIBE_MS + BOUNDS_SLACK_MS, &err), ERR_TIMEOUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_counted_by_the_request),
        cmocka_unit_test(lines_and_bytes_have_an_end),
        cmocka_unit_test(time_is_the_deadline_and_some),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Launches with attributes: what the driver is told, and what it or the GPU refuses, by name. */
#include "tests/kernels/runner/talk.h"

#include "tests/unit.h"

static void ask(struct talk *t, const char *grid, const char *attributes)
{
    dprintf(t->to,
            "{\"type\":\"measure\",\"id\":1,\"deadline_ms\":20000,\"sources\":{\"a\":{\"name\":"
            "\"a.cu\",\"text\":\"// fake: move 1e-6\\n\"}},\"buffers\":[{\"name\":\"in\",\"type\":"
            "\"f32\",\"count\":4096},{\"name\":\"out\",\"type\":\"f32\",\"count\":4096,\"role\":"
            "\"output\"}],\"runs\":{\"a\":[{\"source\":\"a\",\"kernel\":\"move\",\"grid\":%s,"
            "\"block\":[32],\"args\":[{\"buffer\":\"out\"},{\"buffer\":\"in\"},{\"i32\":64}]%s}]},"
            "\"work\":{\"bytes\":32768,\"flops\":0},\"items\":[{\"probe\":\"timing\",\"runs\":[\"a\"]}]}"
            "\n",
            grid, attributes);
}

static void a_launch_may_have_attributes(void **state)
{
    static const char *const all[] = {
        ",\"cooperative\":true", ",\"programmatic\":true", ",\"cluster\":[2,1,1]",
        ",\"cooperative\":true,\"programmatic\":true,\"cluster\":[4]"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct talk t;
        talk_open(&t);
        ask(&t, "[8]", all[i]);
        json_t *part = talk_part(&t, "a");
        assert_non_null(part);
        assert_true(talk_value(part, "time") > 0);
        json_decref(part);
        assert_int_equal(talk_close(&t), 0);
    }
}

/* The request ends with what the driver says; the runner goes on. */
static void a_cooperative_grid_must_fit(void **state)
{
    struct talk t;
    talk_open(&t);
    ask(&t, "[100000]", ",\"cooperative\":true");
    json_t *done = talk_wait(&t, "done");
    assert_non_null(done);
    const json_t *error = json_object_get(done, "error");
    assert_string_equal(json_string_value(json_object_get(error, "code")), "launch");
    assert_non_null(strstr(json_string_value(json_object_get(error, "text")),
                           "more blocks than fit on the GPU at once"));
    json_decref(done);
    ask(&t, "[8]", ",\"cooperative\":true");
    json_t *part = talk_part(&t, "a");
    assert_non_null(part);
    json_decref(part);
    assert_int_equal(talk_close(&t), 0);
}

/* The fake driver puts the base into the map, where the fake kernel looks for a pointer. A base is
 * moved by 16 bytes where 4 were asked for, since a map could not be made otherwise. */
static void a_launch_may_pass_a_tensor_map(void **state)
{
    struct talk t;
    talk_open(&t);
    dprintf(t.to,
            "{\"type\":\"measure\",\"id\":1,\"deadline_ms\":20000,\"sources\":{\"a\":{\"name\":"
            "\"a.cu\",\"text\":\"// fake: move 1e-6\\n\"},\"r\":{\"name\":\"r.cu\",\"text\":"
            "\"// fake: reference\\n\"}},\"buffers\":[{\"name\":\"in\",\"type\":"
            "\"f32\",\"count\":4096,\"fill\":{\"kind\":\"ramp\",\"start\":0,\"step\":1}},"
            "{\"name\":\"out\",\"type\":\"f32\",\"count\":4096,\"role\":"
            "\"output\"}],\"runs\":{\"a\":[{\"source\":\"a\",\"kernel\":\"move\",\"grid\":[1],"
            "\"block\":[32],\"args\":[{\"buffer\":\"out\"},{\"map\":\"in\",\"size\":[64,64],"
            "\"pitch\":[256],\"box\":[32,64],\"swizzle\":128},{\"i32\":64}]}],"
            "\"r\":[{\"source\":\"r\",\"kernel\":\"reference\",\"grid\":[1],\"block\":[32],"
            "\"args\":[{\"buffer\":\"out\"},{\"buffer\":\"in\"},{\"i32\":64}]}]},"
            "\"work\":{\"bytes\":32768,\"flops\":0},\"items\":[{\"probe\":\"check\",\"runs\":"
            "[\"a\"],\"against\":\"r\",\"offset\":4}]}\n");
    json_t *part = talk_part(&t, "a");
    assert_non_null(part);
    assert_true(talk_value(part, "wrong_elements") == 0);
    assert_true(talk_value(part, "compared_elements") == 4096);
    assert_true(talk_value(part, "faults") == 0);
    json_decref(part);
    assert_int_equal(talk_close(&t), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_may_have_attributes),
        cmocka_unit_test(a_cooperative_grid_must_fit),
        cmocka_unit_test(a_launch_may_pass_a_tensor_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

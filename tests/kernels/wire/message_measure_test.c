/* The measure request against its example in kernels/PROTOCOL.md: it goes round unchanged, and
 * every single change that a request may not have is refused by name. */
#include "kernels/wire/message_measure.h"

#include "tests/kernels/wire/message_examples.h"

static void measure_goes_round(void **state)
{
    struct msg_measure m, again;
    struct err err = {0};
    json_t *msg = example("measure", 0);
    assert_int_equal(msg_measure_decode(&m, msg, &err), 0);
    assert_int_equal(m.id, 7);
    assert_int_equal(m.base.buffers[1].role, ROLE_OUTPUT);
    assert_int_equal(m.base.buffers[0].fill.kind, FILL_UNIFORM);
    assert_int_equal(m.variants[0].buffers[0].fill.kind, FILL_ZEROS);
    assert_int_equal(m.base.runs[0].launches[0].grid[1], 1024);
    assert_int_equal(msg_run_find(&m.base, "r")->launches[0].grid[2], 1);
    assert_int_equal(m.items[3].variant, 0);
    assert_int_equal(m.items[3].cache, CACHE_WARM);
    json_t *encoded = msg_measure_encode(&m);
    assert_int_equal(msg_measure_decode(&again, encoded, &err), 0);
    json_t *twice = msg_measure_encode(&again);
    assert_true(json_equal(encoded, twice));
    json_decref(twice);
    json_decref(encoded);
    json_decref(msg);
    msg_measure_free(&m);
    msg_measure_free(&again);
}

/* Puts the JSON text `value` (NULL: nothing) at path.key of the example and decodes it. */
static int decode_with(const char *path, const char *key, const char *value, struct err *err)
{
    json_t *msg = example("measure", 0), *where = at(msg, path);
    json_t *put = value ? json_loads(value, JSON_DECODE_ANY, NULL) : NULL;
    struct msg_measure m;
    assert_true(!value || put);
    if (json_is_array(where))
        json_array_set_new(where, (size_t)atoi(key), put);
    else if (put)
        json_object_set_new(where, key, put);
    else
        json_object_del(where, key);
    int rc = msg_measure_decode(&m, msg, err);
    msg_measure_free(&m);
    json_decref(msg);
    return rc;
}

static void requests_are_strict(void **state)
{
    static const struct { const char *path, *key, *value; int code; const char *says;
    } cases[] = {
        {"", "surprise", "1", ERR_BAD_REQUEST, "surprise"},
        {"", "id", NULL, ERR_BAD_REQUEST, "id"},
        {"", "id", "0", ERR_BAD_REQUEST, "id"},
        {"", "id", "1.5", ERR_BAD_REQUEST, "id"},
        {"", "id", "9007199254740992", ERR_TOO_LARGE, "id"},
        {"", "deadline_ms", "999", ERR_BAD_REQUEST, "deadline_ms"},
        {"", "deadline_ms", "600001", ERR_TOO_LARGE, "deadline_ms"},
        {"", "seed", "-1", ERR_BAD_REQUEST, "seed"},
        {"", "sources", "[]", ERR_BAD_REQUEST, "sources"},
        {"sources", "a b", "{\"name\":\"x.cu\",\"text\":\"\"}", ERR_BAD_REQUEST, "a b"},
        {"sources.a", "name", "\"../x.cu\"", ERR_BAD_REQUEST, "sources.a.name"},
        {"sources.a", "text", "1", ERR_BAD_REQUEST, "sources.a.text"},
        {"sources.a", "path", "\"x\"", ERR_BAD_REQUEST, "path"},
        {"define", "9N", "\"1\"", ERR_BAD_REQUEST, "9N"},
        {"define", "N", "4", ERR_BAD_REQUEST, "define.N"},
        {"define", "N", "\"1\\n#include\"", ERR_BAD_REQUEST, "define.N"},
        {"define", "N", "\"\\\"x\\\"\"", ERR_BAD_REQUEST, "define.N"},
        {"define", "N", "\"__has_include(</etc/passwd>)\"", ERR_BAD_REQUEST, "define.N"},
        {"define", "N", "\"__has_include\"", ERR_BAD_REQUEST, "define.N"},
        {"define", "N", "\"- __FILE__\"", ERR_BAD_REQUEST, "define.N"},
        {"define", "N", "\"/*\"", ERR_BAD_REQUEST, "define.N"},
        {"define", "__has_embed", "\"1\"", ERR_BAD_REQUEST, "__has_embed"},
        {"buffers.0", "type", "\"f31\"", ERR_BAD_REQUEST, "f31"},
        {"buffers.0", "count", "0", ERR_BAD_REQUEST, "buffers[0].count"},
        {"buffers.0", "count", "9007199254740991", ERR_TOO_LARGE, "buffers[0].count"},
        {"buffers.0", "role", "\"in\"", ERR_BAD_REQUEST, "workspace"},
        {"buffers.0", "name", "\"out\"", ERR_BAD_REQUEST, "twice"},
        {"buffers.0", "name", "\"a-b\"", ERR_BAD_REQUEST, "a-b"},
        {"buffers.0", "fill", "{\"kind\":\"uniform\",\"low\":0}", ERR_BAD_REQUEST, "high"},
        {"buffers.0", "fill", "{\"kind\":\"zeros\",\"value\":0}", ERR_BAD_REQUEST, "value"},
        {"buffers.0", "fill", "{\"kind\":\"uniform\",\"low\":2,\"high\":1}", ERR_BAD_REQUEST,
         "low"},
        {"buffers.0", "fill", "{\"kind\":\"permutation\",\"low\":2}", ERR_BAD_REQUEST, "low"},
        {"buffers.0", "fill", "{\"kind\":\"permutation\"}", ERR_BAD_REQUEST,
         "67108863"}, /* more than f32 tells apart */
        {"buffers.0", "fill", "{\"kind\":\"hot\",\"below\":10,\"share\":1.5}", ERR_BAD_REQUEST,
         "share"},
        {"buffers.0", "fill", "{\"kind\":\"hot\",\"below\":33554432,\"share\":0}", ERR_BAD_REQUEST,
         "33554431"},
        {"buffers.0", "fill", "{\"kind\":\"zipf\",\"below\":2.5,\"exponent\":1}", ERR_BAD_REQUEST,
         "below"},
        {"runs", "a", "[]", ERR_BAD_REQUEST, "a"},
        {"runs", "toolongnameforarun", "[]", ERR_TOO_LARGE, "toolongnameforarun"},
        {"runs.a.0", "source", "\"z\"", ERR_BAD_REQUEST, "runs.a[0].source"},
        {"runs.a.0", "kernel", "\"a::b\"", ERR_BAD_REQUEST, "a::b"},
        {"runs.a.0", "grid", "[0]", ERR_BAD_REQUEST, "grid"},
        {"runs.a.0", "grid", "[]", ERR_BAD_REQUEST, "grid"},
        {"runs.a.0", "grid", "[1,1,1,1]", ERR_TOO_LARGE, "grid"},
        {"runs.a.0", "grid", "[2147483648]", ERR_TOO_LARGE, "grid"},
        {"runs.a.0", "grid", "[1,65536]", ERR_TOO_LARGE, "65535"},
        {"runs.a.0", "block", "[33,32]", ERR_TOO_LARGE, "1024"},
        {"runs.a.0", "block", "[1,1,65]", ERR_TOO_LARGE, "64"},
        {"runs.a.0", "shared", "-1", ERR_BAD_REQUEST, "shared"},
        {"runs.a.0", "stream", "-1", ERR_BAD_REQUEST, "stream"},
        {"runs.a.0", "stream", "8", ERR_TOO_LARGE, "stream"},
        {"runs.a.0", "stream", "\"1\"", ERR_BAD_REQUEST, "stream"},
        {"runs.a.0", "after", "0", ERR_BAD_REQUEST, "after"},
        {"runs.a.0", "after", "[0]", ERR_BAD_REQUEST, "runs.a[0].after"},
        {"runs.a.0", "after", "[-1]", ERR_BAD_REQUEST, "after"},
        {"runs.a.0", "args", "[{}]", ERR_BAD_REQUEST, "args[0]"},
        {"runs.a.0", "args", "[{\"i32\":1,\"i64\":1}]", ERR_BAD_REQUEST, "args[0]"},
        {"runs.a.0", "args", "[{\"buffer\":\"nope\"}]", ERR_BAD_REQUEST, "nope"},
        {"runs.a.0", "args", "[{\"i32\":2147483648}]", ERR_TOO_LARGE, "i32"},
        {"runs.a.0", "args", "[{\"f32\":1e39}]", ERR_BAD_REQUEST, "f32"},
        {"work", "bytes", "-1", ERR_BAD_REQUEST, "work"},
        {"work", "flops", NULL, ERR_BAD_REQUEST, "flops"},
        {"tolerance", "kind", "\"exact\"", ERR_BAD_REQUEST, "rel"},
        {"tolerance", "abs", "-1", ERR_BAD_REQUEST, "tolerance"},
        {"variants.0", "seed", "1", ERR_BAD_REQUEST, "variants[0]"},
        {"variants.0", "work", NULL, ERR_BAD_REQUEST, "variants[0].work"},
        {"", "items", "[]", ERR_BAD_REQUEST, "items"},
        {"items.0", "against", NULL, ERR_BAD_REQUEST, "against"},
        {"items.0", "against", "\"z\"", ERR_BAD_REQUEST, "against"},
        {"items.0", "cache", "\"cold\"", ERR_BAD_REQUEST, "cache"},
        {"items.1", "probe", "\"magic\"", ERR_BAD_REQUEST, "magic"},
        {"items.1", "runs", "[\"a\",\"a\"]", ERR_BAD_REQUEST, "twice"},
        {"items.1", "runs", "[\"a\",\"r\",\"a\"]", ERR_TOO_LARGE, "runs"},
        {"items.1", "runs", "[1]", ERR_BAD_REQUEST, "runs"},
        {"items.1", "poison", "\"nan\"", ERR_BAD_REQUEST, "poison"},
        {"items.1", "variant", "1", ERR_BAD_REQUEST, "variant"},
        {"items.3", "runs", "[\"r\"]", ERR_BAD_REQUEST, "names no run"},
        {"items", "0", "7", ERR_BAD_REQUEST, "items[0]"},
        {"items.4", "benchmark", NULL, ERR_BAD_REQUEST, "items[4].benchmark"},
        {"items.4", "against", NULL, ERR_BAD_REQUEST, "items[4].against"},
        {"items.4", "repeat", "2", ERR_BAD_REQUEST, "unknown key \"repeat\""},
        {"items.0", "benchmark", "{}", ERR_BAD_REQUEST, "unknown key \"benchmark\""},
        {"items.4.benchmark", "surprise", "1", ERR_BAD_REQUEST, "surprise"},
        {"items.4.benchmark", "inputs", "\"random\"", ERR_BAD_REQUEST, "benchmark.inputs"},
        {"items.4.benchmark", "load", "true", ERR_BAD_REQUEST, "benchmark.load"},
        {"items.4.benchmark", "warm_up", "101", ERR_TOO_LARGE, "benchmark.warm_up"},
        {"items.4.benchmark", "idle", "1000001", ERR_TOO_LARGE, "benchmark.idle"},
        {"items.4.benchmark", "idle", "-1", ERR_BAD_REQUEST, "benchmark.idle"},
        {"items.4.benchmark", "idle", "1000000", 0, ""},
        {"items.4.benchmark", "repeat", "0", ERR_BAD_REQUEST, "benchmark.repeat"},
        {"items.4.benchmark", "repeat", "1001", ERR_TOO_LARGE, "benchmark.repeat"},
        {"items.4.benchmark", "flush", "\"after\"", ERR_BAD_REQUEST, "benchmark.flush"},
        {"items.4.benchmark", "launches", "0", ERR_BAD_REQUEST, "benchmark.launches"},
        {"items.4.benchmark", "launches", "1001", ERR_TOO_LARGE, "benchmark.launches"},
        {"items.4", "benchmark", "{\"repeat\":61,\"idle\":1000000}", ERR_BAD_REQUEST,
         "idles for more than 60 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};
        int rc = decode_with(cases[i].path, cases[i].key, cases[i].value, &err);
        if (rc != cases[i].code || !strstr(err.text, cases[i].says))
            print_message("# case %zu (%s.%s): %s: %s\n", i, cases[i].path, cases[i].key,
                          err_name(rc), err.text);
        assert_int_equal(rc, cases[i].code);
        assert_non_null(strstr(err.text, cases[i].says));
    }
}

/* Three launches of run a on streams 0, 1 and 0; the last has `after`. */
static json_t *step_example(const char *after)
{
    json_t *msg = example("measure", 0), *list = at(msg, "runs.a"),
           *first = json_array_get(list, 0);
    for (int i = 1; i < 3; i++) {
        json_t *copy = json_deep_copy(first);
        json_object_set_new(copy, "stream", json_integer(i % 2));
        json_array_append_new(list, copy);
    }
    json_object_set_new(json_array_get(list, 2), "after", json_loads(after, 0, NULL));
    return msg;
}

static void a_step_goes_round(void **state)
{
    static const struct { const char *after; int code; const char *says;
    } cases[] = {
        {"[1]", 0, ""},
        {"[]", 0, ""},
        {"[0]", ERR_BAD_REQUEST, "same stream"},
        {"[2]", ERR_BAD_REQUEST, "runs.a[2].after"},
        {"[1,1]", ERR_BAD_REQUEST, "twice"},
        {"[1.5]", ERR_BAD_REQUEST, "after"},
        {"[99]", ERR_BAD_REQUEST, "after"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};
        struct msg_measure m;
        json_t *msg = step_example(cases[i].after);
        assert_int_equal(msg_measure_decode(&m, msg, &err), cases[i].code);
        assert_non_null(strstr(err.text, cases[i].says));
        if (i == 0) {
            const struct msg_launch *l = m.base.runs[0].launches;
            assert_true(l[0].stream == 0 && l[1].stream == 1 && l[2].stream == 0 &&
                        l[2].after == 1u << 1);
            json_t *encoded = msg_measure_encode(&m);
            assert_null(json_object_get(at(encoded, "runs.a.0"), "stream"));
            assert_null(json_object_get(at(encoded, "runs.a.1"), "after"));
            assert_true(json_equal(at(encoded, "runs.a.2.after"), at(msg, "runs.a.2.after")));
            json_decref(encoded);
        }
        msg_measure_free(&m);
        json_decref(msg);
    }
}

/* `in` has 2^26 floats. What the driver would refuse is refused with what it is. */
static void a_tensor_map_goes_round(void **state)
{
#define MAP(size, pitch, box, swizzle) \
    "[{\"map\":\"in\",\"size\":" size ",\"pitch\":" pitch ",\"box\":" box \
    ",\"swizzle\":" swizzle "}]"
    static const struct { const char *args; int code; const char *says;
    } cases[] = {
        {MAP("[8192,8192]", "[32768]", "[32,256]", "128"), 0, ""},
        {MAP("[64]", "[]", "[4]", "0"), 0, ""},
        {MAP("[16,4,4,4,4]", "[64,256,1024,4096]", "[8,1,1,1,1]", "32"), 0, ""},
        {MAP("[8192,8193]", "[32768]", "[32,8]", "0"), ERR_BAD_REQUEST, "behind the buffer's"},
        {MAP("[16,4294967296]", "[1099511627760]", "[4,8]", "0"), ERR_BAD_REQUEST, "behind the"},
        {MAP("[8192,8]", "[32776]", "[32,8]", "0"), ERR_BAD_REQUEST, "multiple of 16"},
        {MAP("[8192,8]", "[16]", "[32,8]", "0"), ERR_BAD_REQUEST, "steps over has 32768"},
        {MAP("[8192,8]", "[32768]", "[257,8]", "0"), ERR_BAD_REQUEST, "box[0] is 257"},
        {MAP("[8192,8]", "[32768]", "[3,8]", "0"), ERR_BAD_REQUEST, "box[0] has 12 bytes"},
        {MAP("[8192,8]", "[32768]", "[64,8]", "128"), ERR_BAD_REQUEST, "of the swizzle"},
        {MAP("[8192,8]", "[32768]", "[16,8]", "48"), ERR_BAD_REQUEST, "swizzle is 48"},
        {MAP("[8192,8]", "[]", "[16,8]", "0"), ERR_BAD_REQUEST, "one pitch less"},
        {MAP("[]", "[]", "[]", "0"), ERR_BAD_REQUEST, "one pitch less"},
        {MAP("[0]", "[]", "[4]", "0"), ERR_BAD_REQUEST, "size[0] is 0"},
        {MAP("[1,1,1,1,1,1]", "[]", "[4]", "0"), ERR_TOO_LARGE, "size"},
        {MAP("[-1]", "[]", "[4]", "0"), ERR_BAD_REQUEST, "whole numbers"},
        {"[{\"map\":\"none\",\"size\":[4],\"pitch\":[],\"box\":[4],\"swizzle\":0}]",
         ERR_BAD_REQUEST, "none"},
        {"[{\"map\":\"in\",\"size\":[4],\"pitch\":[],\"box\":[4]}]", ERR_BAD_REQUEST, "swizzle"},
        {"[{\"map\":\"in\",\"i32\":4}]", ERR_BAD_REQUEST, "i32"},
    };
#undef MAP
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};
        struct msg_measure m;
        json_t *msg = example("measure", 0);
        json_object_set_new(at(msg, "runs.a.0"), "args", json_loads(cases[i].args, 0, NULL));
        assert_int_equal(msg_measure_decode(&m, msg, &err), cases[i].code);
        if (!strstr(err.text, cases[i].says))
            fail_msg("%s says %s", cases[i].args, err.text);
        if (cases[i].code == 0) {
            json_t *encoded = msg_measure_encode(&m);
            assert_true(json_equal(at(encoded, "runs.a.0.args"), at(msg, "runs.a.0.args")));
            json_decref(encoded);
        }
        msg_measure_free(&m);
        json_decref(msg);
    }
}

/* What CUDA calls attributes of a launch; those that nobody asks for are not sent. */
static void launch_attributes_go_round(void **state)
{
    static const struct { const char *key, *value; int code; const char *says;
    } cases[] = {
        {"cooperative", "true", 0, ""},
        {"programmatic", "true", 0, ""},
        {"cluster", "[2,1]", 0, ""},
        {"cluster", "[1,1,1]", 0, ""},
        {"cluster", "[8,2,1]", ERR_TOO_LARGE, "more than 8 blocks"},
        {"cluster", "[9]", ERR_TOO_LARGE, "runs.a[0].cluster"},
        {"cluster", "[0]", ERR_BAD_REQUEST, "at least 1"},
        {"cluster", "[7]", ERR_BAD_REQUEST, "does not divide"},
        {"cluster", "2", ERR_BAD_REQUEST, "cluster"},
        {"cooperative", "1", ERR_BAD_REQUEST, "cooperative"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};
        struct msg_measure m;
        json_t *msg = example("measure", 0);
        json_object_set_new(at(msg, "runs.a.0"), "grid", json_loads("[64,16]", 0, NULL));
        json_object_set_new(at(msg, "runs.a.0"), cases[i].key,
                            json_loads(cases[i].value, JSON_DECODE_ANY, NULL));
        assert_int_equal(msg_measure_decode(&m, msg, &err), cases[i].code);
        assert_non_null(strstr(err.text, cases[i].says));
        if (cases[i].code == 0) {
            json_t *encoded = msg_measure_encode(&m), *launch = at(encoded, "runs.a.0");
            assert_non_null(json_object_get(launch, cases[i].key));
            assert_int_equal(json_object_size(launch),
                             json_object_size(at(msg, "runs.a.0")) +
                                 !json_object_get(at(msg, "runs.a.0"), "shared"));
            json_decref(encoded);
        }
        msg_measure_free(&m);
        json_decref(msg);
    }
}

/* n copies of the first element of the array at `path`. */
static int decode_with_copies(const char *path, size_t n, struct err *err)
{
    json_t *msg = example("measure", 0), *list = at(msg, path);
    struct msg_measure m;
    while (json_array_size(list) < n)
        json_array_append_new(list, json_deep_copy(json_array_get(list, 0)));
    int rc = msg_measure_decode(&m, msg, err);
    msg_measure_free(&m);
    json_decref(msg);
    return rc;
}

static void caps_are_exact(void **state)
{
    static const struct { const char *path; size_t cap;
    } cases[] = {
        {"items", CAP_ITEMS},
        {"variants", CAP_VARIANTS},
        {"runs.a", CAP_LAUNCHES},
        {"runs.a.0.args", CAP_ARGS},
    };
    struct err err = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(decode_with_copies(cases[i].path, cases[i].cap, &err), 0);
        assert_int_equal(decode_with_copies(cases[i].path, cases[i].cap + 1, &err), ERR_TOO_LARGE);
        assert_non_null(strstr(err.text, "cap"));
    }
}

static void a_source_may_fill_its_cap(void **state)
{
    for (int over = 0; over <= 1; over++) {
        json_t *msg = example("measure", 0);
        char *text = calloc(CAP_SOURCE_BYTES + 2, 1);
        struct msg_measure m;
        memset(text, ' ', (size_t)(CAP_SOURCE_BYTES + over));
        json_object_set_new(at(msg, "sources.a"), "text", json_string(text));
        assert_int_equal(msg_measure_decode(&m, msg, NULL), over ? ERR_TOO_LARGE : 0);
        msg_measure_free(&m);
        json_decref(msg);
        free(text);
    }
}

static void a_benchmark_goes_round(void **state)
{
    struct msg_measure m;
    json_t *msg = example("measure", 0);
    assert_int_equal(msg_measure_decode(&m, msg, NULL), 0);
    const struct msg_benchmark *b = &m.items[4].benchmark;
    assert_true(b->repeat == 50 && b->clock == CLOCK_HOST && b->reduce == REDUCE_MEAN &&
                b->synchronise == SYNCHRONISE_NONE);
    assert_true(b->warm_up == 3 && b->launches == 1 && b->flush == FLUSH_BEFORE);
    json_t *encoded = msg_measure_encode(&m);
    assert_int_equal(json_object_size(at(encoded, "items.4.benchmark")), BENCHMARK_FIELDS);
    assert_null(json_object_get(at(encoded, "items.0"), "benchmark"));
    json_decref(encoded);
    msg_measure_free(&m);
    json_decref(msg);
}

/* Its runs only launch: the rest is the benchmark's. */
static void a_benchmark_of_host_steps_is_refused(void **state)
{
    struct err err = {0};
    json_t *msg = example("measure", 0);
    struct msg_measure m;
    json_array_append_new(at(msg, "runs.a"), json_pack("{s:s}", "step", "sync"));
    assert_int_equal(msg_measure_decode(&m, msg, &err), ERR_BAD_REQUEST);
    assert_non_null(strstr(err.text, "items[4].runs names run a, whose host does more"));
    json_decref(msg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measure_goes_round),
        cmocka_unit_test(requests_are_strict),
        cmocka_unit_test(a_step_goes_round),
        cmocka_unit_test(launch_attributes_go_round),
        cmocka_unit_test(a_tensor_map_goes_round),
        cmocka_unit_test(caps_are_exact),
        cmocka_unit_test(a_source_may_fill_its_cap),
        cmocka_unit_test(a_benchmark_goes_round),
        cmocka_unit_test(a_benchmark_of_host_steps_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The key of an item's evidence: what it depends on changes it, and nothing else does. */
#include "kernels/wire/message_measure.h"

#include "tests/kernels/wire/message_examples.h"

/* The key of item `item` after path.key was set to `value`. */
static void key_with(char out[65], int item, const char *path, const char *key, const char *value)
{
    json_t *msg = example("measure", 0);
    struct msg_measure m;
    if (path)
        json_object_set_new(at(msg, path), key, json_loads(value, JSON_DECODE_ANY, NULL));
    assert_int_equal(msg_measure_decode(&m, msg, NULL), 0);
    assert_int_equal(msg_item_key(out, &m, item, NULL), 0);
    msg_measure_free(&m);
    json_decref(msg);
}

static void keys_hold_what_a_measurement_depends_on(void **state)
{
    static const struct { int item; const char *path, *key, *value; bool same;
    } cases[] = {
        {1, "", "seed", "8", true},
        {1, "", "id", "9", true},
        {1, "", "deadline_ms", "30000", true},
        {1, "sources.a", "name", "\"other.cu\"", true},
        {1, "sources.r", "text", "\"int other;\"", true},
        {1, "tolerance", "rel", "1e-3", true},
        {1, "items.2", "probe", "\"pipes\"", true},
        {1, "variants.0.work", "bytes", "1", true},
        {1, "sources.a", "text",
         "\"// new\\nextern \\\"C\\\" __global__ void move(float *out, const float *in, int n) "
         "{}\"",
         true},
        {1, "sources.a", "text", "\"int other;\"", false},
        {1, "items.1", "cache", "\"warm\"", false},
        {1, "define", "TILE", "\"33\"", false},
        {1, "buffers.0", "count", "5", false},
        {1, "runs.a.0", "grid", "[1]", false},
        {1, "runs.a.0", "stream", "0", true},
        {1, "runs.a.0", "after", "[]", true},
        {1, "runs.a.0", "stream", "1", false},
        {1, "work", "bytes", "1", false},
        {0, "tolerance", "rel", "1e-3", false},
        {0, "sources.r", "text", "\"int other;\"", false},
        {3, "variants.0.work", "bytes", "1", false},
        {3, "work", "bytes", "1", true},
    };
    char plain[65], changed[65];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        key_with(plain, cases[i].item, NULL, NULL, NULL);
        key_with(changed, cases[i].item, cases[i].path, cases[i].key, cases[i].value);
        if (!strcmp(plain, changed) != cases[i].same)
            print_message("# case %zu (%s.%s)\n", i, cases[i].path, cases[i].key);
        assert_int_equal(!strcmp(plain, changed), cases[i].same);
    }
}

static void each_field_of_a_benchmark_is_in_its_key(void **state)
{
    char keys[BENCHMARK_FIELDS + 1][65], other[65], value[32];
    key_with(keys[BENCHMARK_FIELDS], 4, "items.4", "benchmark", "{}");
    for (int i = 0; i < BENCHMARK_FIELDS; i++) {
        struct benchmark_field f = msg_benchmark_field(i);
        assert_int_equal(msg_benchmark_find(f.name), i);
        if (f.choices)
            snprintf(value, sizeof value, "{\"%s\":\"%s\"}", f.name, f.choices[f.high]);
        else
            snprintf(value, sizeof value, "{\"%s\":%d}", f.name, f.honest + 1);
        key_with(keys[i], 4, "items.4", "benchmark", value);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(keys[i], keys[k]);
        assert_string_not_equal(keys[i], keys[BENCHMARK_FIELDS]);
    }
    key_with(other, 4, "items.4", "benchmark", "{\"repeat\":20,\"flush\":\"before\"}");
    assert_string_equal(other, keys[BENCHMARK_FIELDS]);
    assert_int_equal(msg_benchmark_find("run"), -1);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_hold_what_a_measurement_depends_on),
        cmocka_unit_test(each_field_of_a_benchmark_is_in_its_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

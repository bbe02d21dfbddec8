/* The other messages against their examples in kernels/PROTOCOL.md, and the types of elements. */
#include "kernels/wire/message_part.h"

#include "kernels/wire/benchmark.h"
#include "kernels/wire/message_compile.h"
#include "kernels/wire/message_device.h"
#include "kernels/wire/message_done.h"
#include "kernels/wire/message_runs.h"
#include "tests/kernels/wire/message_examples.h"

/* What is written may be read, and nothing is read where nothing is asked. */
static void other_inputs_are_values_of_the_fill(void **state)
{
    struct msg_benchmark b = msg_benchmark_honest();
    struct msg_buffer in = {.fill = {FILL_UNIFORM, -1, 1}},
                      rows = {.fill = {FILL_HOT, 100, 0.5}},
                      out = {.role = ROLE_OUTPUT, .fill = {FILL_ZEROS, 0, 0}};
    assert_int_equal(msg_benchmark_fill(&b, &in).kind, FILL_UNIFORM);
    b.inputs = INPUTS_ZEROS;
    assert_int_equal(msg_benchmark_fill(&b, &in).kind, FILL_ZEROS);
    b.inputs = INPUTS_EQUAL;
    assert_int_equal(msg_benchmark_fill(&b, &in).kind, FILL_CONSTANT);
    assert_true(msg_benchmark_fill(&b, &in).a == -0.5);
    assert_true(msg_benchmark_fill(&b, &rows).a == 0);
    assert_int_equal(msg_benchmark_fill(&b, &out).kind, FILL_ZEROS);
}

static void parts_go_round(void **state)
{
    struct msg_part p, again;
    json_t *msg = example("part", 1), *encoded;
    assert_int_equal(msg_part_decode(&p, msg, NULL), 0);
    const struct msg_value *v = msg_part_value(&p, "dram_bytes");
    assert_false(v->present);
    assert_string_equal(v->missing, "permission: needs counter access");
    assert_true(msg_part_value(&p, "store_sectors_per_request")->value == 32);
    assert_null(msg_part_value(&p, "time"));
    assert_int_equal(p.variant, -1);
    encoded = msg_part_encode(&p);
    assert_int_equal(msg_part_decode(&again, encoded, NULL), 0);
    assert_string_equal(msg_part_value(&again, "dram_bytes")->missing, v->missing);
    msg_part_free(&again);
    json_decref(encoded);
    msg_part_free(&p);
    json_decref(msg);
    msg = example("part", 0);
    json_object_set_new(msg, "surprise", json_true());
    assert_int_equal(msg_part_decode(&p, msg, NULL), 0);
    v = msg_part_value(&p, "time");
    assert_true(v->present && v->low == 0.00104 && v->high == 0.00106 && v->n == 41);
    assert_true(msg_part_note(&p, "cold") && !msg_part_note(&p, "warm"));
    msg_part_free(&p);
    json_decref(msg);
}

static void a_metric_is_a_number_or_a_reason(void **state)
{
    static const char *const bad[] = {"{}",
                                      "{\"value\":1,\"missing\":\"x\"}",
                                      "{\"missing\":\"\"}",
                                      "{\"value\":\"1\"}",
                                      "{\"value\":1,\"unit\":\"B\"}",
                                      "7"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        json_t *msg = example("part", 0);
        struct msg_part p;
        json_object_set_new(at(msg, "metrics"), "time", json_loads(bad[i], JSON_DECODE_ANY, NULL));
        assert_int_equal(msg_part_decode(&p, msg, NULL), ERR_BAD_REQUEST);
        json_decref(msg);
    }
    struct msg_value v = {.name = "time", .present = true, .value = 1.0 / 0.0, .low = 0, .high = 0};
    struct msg_part p = {.probe = PROBE_TIMING, .variant = -1, .metrics = &v, .n_metrics = 1};
    json_t *encoded = msg_part_encode(&p);
    assert_non_null(at(encoded, "metrics.time.missing"));
    json_decref(encoded);
}

static void text_from_a_runner_is_cleaned(void **state)
{
    json_t *msg = example("part", 0);
    struct msg_part p;
    json_object_set_new(msg, "lines", json_loads("[\"a\\u001b[31m\"]", 0, NULL));
    assert_int_equal(msg_part_decode(&p, msg, NULL), 0);
    assert_string_equal(p.lines[0], "a?[31m");
    msg_part_free(&p);
    json_decref(msg);
}

/* Files are named by it. */
static void a_slug_is_a_plain_name(void **state)
{
    static const char *const bad[] = {"../x",
                                      "a/b",
                                      "/",
                                      "..",
                                      ".a",
                                      "A",
                                      "a b",
                                      "a\n",
                                      "a\\b",
                                      "\xC3\xBC",
                                      "012345678901234567890123456789012345678901234567890123456789"
                                      "0123"};
    static const char *const good[] = {"", "nvidia-h200", "a.b_c",
                                       "01234567890123456789012345678901234567890123456789012345678"
                                       "9012"};
    struct msg_device d;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = {0};
        json_t *msg = json_pack("{s:s, s:{s:s}}", "type", "device", "gpu", "slug", bad[i]);
        assert_int_equal(msg_device_decode(&d, msg, &err), ERR_BAD_REQUEST);
        assert_non_null(strstr(err.text, "gpu.slug is no plain name"));
        json_decref(msg);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        json_t *msg = json_pack("{s:s, s:{s:s}}", "type", "device", "gpu", "slug", good[i]);
        assert_int_equal(msg_device_decode(&d, msg, NULL), 0);
        assert_string_equal(d.slug, good[i]);
        msg_device_free(&d);
        json_decref(msg);
    }
}

static void devices_go_round(void **state)
{
    struct msg_device d, again;
    double n = 0;
    json_t *msg = example("device", 0);
    assert_int_equal(msg_device_decode(&d, msg, NULL), 0);
    assert_true(d.walls.known);
    assert_string_equal(d.walls.compiler, "files calls memory");
    assert_string_equal(d.walls.worker, "writes calls");
    json_t *encoded = msg_device_encode(&d);
    assert_int_equal(msg_device_decode(&again, encoded, NULL), 0);
    assert_string_equal(again.slug, "nvidia-h200");
    assert_true(msg_device_number(&again, "sm_count", &n) && n == 132);
    assert_true(msg_device_ceiling(&again, "copy", &n) && n == 4.2e12);
    assert_false(msg_device_ceiling(&again, "launch", &n));
    assert_int_equal(again.n_tiers, 2);
    assert_string_equal(again.tiers[1].missing, "permission");
    assert_string_equal(again.nvrtc, "13.0");
    assert_string_equal(again.origin, "3d1f0c52a97be864");
    json_decref(encoded);
    msg_device_free(&d);
    msg_device_free(&again);
    json_object_set_new(msg, "origin", json_string("gpubox.example.org"));
    assert_int_equal(msg_device_decode(&d, msg, NULL), 0);
    assert_string_equal(d.origin, "");
    json_decref(msg);
    msg_device_free(&d);
}

static void dones_go_round(void **state)
{
    struct msg_done d;
    json_t *first = example("done", 0), *second = example("done", 1);
    assert_int_equal(msg_done_decode(&d, first, NULL), 0);
    assert_true(d.has_id && d.id == 7 && d.status == DONE_PARTIAL && d.code == ERR_PERMISSION);
    assert_string_equal(d.remedy, "run as root");
    json_t *encoded = msg_done_encode(&d);
    assert_true(json_equal(encoded, first));
    msg_done_free(&d);
    json_decref(encoded);
    assert_int_equal(msg_done_decode(&d, second, NULL), 0);
    assert_false(d.has_id);
    encoded = msg_done_encode(&d);
    assert_true(json_equal(encoded, second));
    msg_done_free(&d);
    json_decref(encoded);
    json_object_set_new(second, "status", json_string("fine"));
    assert_int_equal(msg_done_decode(&d, second, NULL), ERR_BAD_REQUEST);
    json_decref(first);
    json_decref(second);
}

/* The example of compile with the JSON text `value` at key, NULL: without it. */
static int compile_with(const char *key, const char *value, struct err *err)
{
    json_t *msg = example("compile", 0);
    struct msg_compile m;
    if (value)
        json_object_set_new(msg, key, json_loads(value, JSON_DECODE_ANY, NULL));
    else
        json_object_del(msg, key);
    int rc = msg_compile_decode(&m, msg, err);
    msg_compile_free(&m);
    json_decref(msg);
    return rc;
}

static void requests_to_compile_are_strict(void **state)
{
    static const struct { const char *key, *value; int code;
    } cases[] = {
        {"arch", NULL, ERR_BAD_REQUEST},
        {"arch", "[]", ERR_BAD_REQUEST},
        {"arch", "[90]", ERR_BAD_REQUEST},
        {"arch", "[\"sm_09\"]", ERR_BAD_REQUEST},
        {"arch", "[\"sm_90a\"]", ERR_BAD_REQUEST},
        {"arch", "[\"sm_9\"]", ERR_BAD_REQUEST},
        {"arch", "[\"sm_90\", \"sm_90\"]", ERR_BAD_REQUEST},
        {"sources", "{}", ERR_BAD_REQUEST},
        {"deadline_ms", "600001", ERR_TOO_LARGE},
        {"kernels", "[]", ERR_BAD_REQUEST},
        {"define", "{\"N\":\"#\"}", ERR_BAD_REQUEST},
    };
    struct msg_compile m;
    json_t *msg = example("compile", 0);
    assert_int_equal(msg_compile_decode(&m, msg, NULL), 0);
    assert_true(m.id == 8 && m.n_sources == 1 && m.n_define == 1 && m.n_arch == 3 &&
                m.arch[0] == 70);
    json_t *encoded = msg_compile_encode(&m);
    assert_true(json_equal(encoded, msg));
    json_decref(encoded);
    json_decref(msg);
    msg_compile_free(&m);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};
        assert_int_equal(compile_with(cases[i].key, cases[i].value, &err), cases[i].code);
        assert_non_null(strstr(err.text, cases[i].key));
    }
    assert_int_equal(compile_with("define", NULL, NULL), 0);
}

static void answers_of_a_compiler_go_round(void **state)
{
    static const enum compiled is[] = {COMPILED_SKIPPED, COMPILED_OK, COMPILED_NOT};
    struct msg_compiler compiler;
    json_t *msg = example("compiler", 0), *encoded;
    assert_int_equal(msg_compiler_decode(&compiler, msg, NULL), 0);
    assert_true(compiler.id == 8 && compiler.n_arch == 3 && compiler.arch[2] == 90);
    encoded = msg_compiler_encode(&compiler);
    assert_true(json_equal(encoded, msg));
    json_decref(encoded);
    json_decref(msg);
    for (int i = 0; i < 3; i++) {
        struct msg_compiled c;
        msg = example("compiled", i);
        assert_int_equal(msg_compiled_decode(&c, msg, NULL), 0);
        assert_int_equal(c.is, is[i]);
        encoded = msg_compiled_encode(&c);
        assert_true(json_equal(encoded, msg));
        json_decref(encoded);
        msg_compiled_free(&c);
        json_object_set_new(msg, "later", json_true());
        json_object_set_new(msg, "arch", json_string("gfx90a"));
        assert_int_equal(msg_compiled_decode(&c, msg, NULL), ERR_BAD_REQUEST);
        json_decref(msg);
    }
}

static void types_have_names_and_sizes(void **state)
{
    for (int t = 0; t < T_COUNT; t++) {
        for (int other = 0; other < t; other++)
            assert_string_not_equal(elem_name(t), elem_name(other));
        assert_true(elem_size(t) >= 1 && elem_size(t) <= 8);
    }
    assert_true(elem_is_real(T_E5M2));
    assert_false(elem_is_real(T_I64));
}

/* FP8 of E4M3 ends at 448, of E5M2 at 57344. */
static void types_hold_what_fills_them(void **state)
{
    static const struct { enum elem_type type; double most;
    } rows[] = {{T_E4M3, 448}, {T_E5M2, 57344}, {T_F16, 65504}, {T_I8, 127}, {T_U8, 255}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct msg_fill f = {.kind = FILL_CONSTANT, .a = rows[i].most};
        double value = 0;
        assert_true(fill_fits(&f, rows[i].type, 1, &value));
        f.a += 1;
        assert_false(fill_fits(&f, rows[i].type, 1, &value));
        assert_true(value == f.a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_inputs_are_values_of_the_fill),
        cmocka_unit_test(parts_go_round),
        cmocka_unit_test(a_metric_is_a_number_or_a_reason),
        cmocka_unit_test(text_from_a_runner_is_cleaned),
        cmocka_unit_test(a_slug_is_a_plain_name),
        cmocka_unit_test(devices_go_round),
        cmocka_unit_test(dones_go_round),
        cmocka_unit_test(requests_to_compile_are_strict),
        cmocka_unit_test(answers_of_a_compiler_go_round),
        cmocka_unit_test(types_have_names_and_sizes),
        cmocka_unit_test(types_hold_what_fills_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The ceilings on the fake driver, whose own kernels take the seconds that the plan says: what is
 * computed from them, which of several shapes counts, and when the cache is believed. */
#include "tests/kernels/runner/plan.h"

#include <math.h>

#include "tests/unit.h"

#define PAIR 1e-6 /* the fake's second event */
#define KERNELS \
    "wd_copy_one 1e-4\nwd_copy_four 5e-5\nwd_copy_loop 2e-4\nwd_read 4e-5\nwd_write_one " \
    "2e-4\nwd_write_loop 1e-4\n" \
    "wd_l2 3e-5\nwd_fma 2e-3\nwd_tensor 1e-3\nwd_empty 2e-6\n"

/* The ceilings of a description; the caller's reference. */
static json_t *describe(struct talk *t, int id, const char *how)
{
    dprintf(t->to, "{\"type\":\"describe\",\"id\":%d,\"ceilings\":\"%s\"}\n", id, how);
    json_t *device = talk_wait(t, "device"), *ceilings;
    assert_non_null(device);
    ceilings = json_incref(json_object_get(device, "ceilings"));
    json_decref(device);
    json_decref(talk_wait(t, "done"));
    assert_non_null(ceilings);
    return ceilings;
}

static void expect(const json_t *ceilings, const char *name, double value, const char *unit)
{
    const json_t *c = json_object_get(ceilings, name);
    double got = json_number_value(json_object_get(c, "value"));
    if (!(fabs(got / value - 1) < 1e-4))
        print_message("# %s: %.6g, expected %.6g\n", name, got, value);
    assert_true(fabs(got / value - 1) < 1e-4);
    assert_string_equal(json_string_value(json_object_get(c, "unit")), unit);
}

/* Of 1 GiB an eighth is free for each side; L2 is 1 MiB, 4 SMs of 2048 threads at 1 GHz,
 * compute 9.0. */
static void ceilings_are_the_best_of_their_shapes(void **state)
{
    double side = 128 << 20, l2_threads = 4 * 2048, threads = 4 * 2048;
    struct talk t;
    plan_write(KERNELS);
    talk_open(&t);
    json_t *c = describe(&t, 1, "measure");
    expect(c, "copy", 2 * side / (5e-5 + PAIR), "B/s");
    expect(c, "read", side / (4e-5 + PAIR), "B/s");
    expect(c, "write", 2 * side / (1e-4 + PAIR), "B/s");
    expect(c, "l2", 64 * l2_threads * (floor(268435456.0 / 64 / l2_threads) + 1) / (3e-5 + PAIR),
           "B/s");
    expect(c, "fma", 512.0 * 128 * threads / (2e-3 + PAIR), "flop/s");
    expect(c, "tensor", 4096.0 * 64 * 256 * 4 * 1024 / 32 / (1e-3 + PAIR), "flop/s");
    expect(c, "event", PAIR, "s");
    expect(c, "launch", 2e-6 + PAIR, "s");
    expect(c, "launch_next", 2e-6, "s");
    expect(c, "peak_dram", 3.84e12, "B/s");
    expect(c, "peak_fma", 4 * 128 * 2 * 1e9, "flop/s");
    expect(c, "peak_tensor", 4 * 4096 * 1e9, "flop/s");
    json_decref(c);
    assert_int_equal(talk_close(&t), 0);
}

static bool has_copy(struct talk *t, int id, const char *how)
{
    json_t *c = describe(t, id, how);
    bool has = json_object_get(c, "copy") != NULL;
    assert_non_null(json_object_get(c, "peak_dram")); /* needs no measurement */
    json_decref(c);
    return has;
}

static void run_command(const char *fmt, const char *a, const char *b)
{
    char *command = text_format(fmt, a, b);
    assert_int_equal(system(command), 0);
    free(command);
}

/* What one runner stored, another finds; under another driver, or cut short, it does not count. */
static void the_cache_is_believed_for_its_driver_alone(void **state)
{
    struct talk first, same, other, broken;
    plan_write(KERNELS "driver 580.1\n");
    talk_open(&first);
    assert_false(has_copy(&first, 1, "cached"));
    assert_true(has_copy(&first, 2, "measure"));
    assert_true(has_copy(&first, 3, "cached"));
    assert_false(has_copy(&first, 4, "none"));
    talk_open(&same);
    run_command("cp -R %s/ceilings %s/", first.folder, same.folder);
    assert_true(has_copy(&same, 1, "cached"));
    plan_write("driver 581.1\n");
    talk_open(&other);
    run_command("cp -R %s/ceilings %s/", first.folder, other.folder);
    assert_false(has_copy(&other, 1, "cached"));
    plan_write("driver 580.1\n");
    talk_open(&broken);
    run_command("mkdir -p %2$s/ceilings && for f in %1$s/ceilings/*.json; do head -c 40 $f > "
                "%2$s/ceilings/${f##*/}; done",
                first.folder, broken.folder);
    assert_false(has_copy(&broken, 1, "cached"));
    /* the later ones hold the earlier ones' pipes open */
    assert_int_equal(talk_close(&broken), 0);
    assert_int_equal(talk_close(&other), 0);
    assert_int_equal(talk_close(&same), 0);
    assert_int_equal(talk_close(&first), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ceilings_are_the_best_of_their_shapes),
        cmocka_unit_test(the_cache_is_believed_for_its_driver_alone),
    };
    talk_nvml = "libfakenvml.so";
    return cmocka_run_group_tests(tests, plan_make, plan_remove);
}

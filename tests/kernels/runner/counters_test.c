/* The runner's counters on a fake profiler: figures are the counters' ratios, a refusal is told
 * with its remedy, and clocks held down by the GPU are named. */
#include "tests/kernels/runner/plan.h"

#include <math.h>

#include "tests/unit.h"

static const char MEMORY[] = "{\"probe\":\"memory\",\"runs\":[\"a\"]}";

static const char *text_in(const json_t *object, const char *key, const char *field)
{
    const char *text = json_string_value(json_object_get(json_object_get(object, key), field));
    return text ? text : "";
}

static json_t *memory_of(struct talk *t)
{
    talk_measure(t, 1, "move", 20000, MEMORY);
    json_t *part = talk_part(t, "a");
    assert_non_null(part);
    return part;
}

static void figures_are_ratios_of_counters(void **state)
{
    struct talk t;
    talk_planned(&t, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum "
                     "4096\nl1tex__t_requests_pipe_lsu_mem_global_op_ld.sum "
                     "1024\nl1tex__t_sectors_pipe_lsu_mem_global_op_st.sum "
                     "32\nl1tex__t_requests_pipe_lsu_mem_global_op_st.sum "
                     "0\nl1tex__t_sector_hit_rate.pct 62.5\n");
    json_t *part = memory_of(&t), *metrics = json_object_get(part, "metrics");
    assert_true(talk_value(part, "load_sectors_per_request") == 4);
    assert_true(talk_value(part, "load_requests") == 1024);
    assert_true(fabs(talk_value(part, "l1_hit") - 0.625) < 1e-12);
    assert_string_equal(text_in(metrics, "store_sectors_per_request", "missing"), "nothing");
    json_decref(part);
    talk_end(&t, "partial");
}

static void a_counter_that_the_chip_lacks_is_missing_alone(void **state)
{
    struct talk t;
    talk_planned(&t, "l1tex__t_sector_hit_rate.pct -1\n");
    json_t *part = memory_of(&t);
    assert_string_equal(text_in(json_object_get(part, "metrics"), "l1_hit", "missing"),
                        "unsupported");
    assert_true(talk_value(part, "load_sectors_per_request") == 1);
    json_decref(part);
    talk_end(&t, "partial");
}

/* Error 35, wherever the profiler first says it. */
static void a_missing_permission_is_told(void **state)
{
    static const char *const plans[] = {"fail_cuptiRangeProfilerEnable 1 35\n",
                                        "fail_cuptiRangeProfilerSetConfig 1 35\n",
                                        "fail_cuptiProfilerInitialize 1 35\n"};
    for (int i = 0; i < 3; i++) {
        struct talk t;
        talk_planned(&t, plans[i]);
        json_t *part = memory_of(&t);
        assert_string_equal(text_in(json_object_get(part, "metrics"), "load_sectors_per_request",
                                    "missing"),
                            "permission");
        json_decref(part);
        talk_end(&t, "partial");
        talk_planned(&t, plans[i]);
        dprintf(t.to, "{\"type\":\"describe\",\"id\":1,\"ceilings\":\"none\"}\n");
        json_t *device = talk_wait(&t, "device"), *tiers = json_object_get(device, "tiers");
        assert_string_equal(text_in(tiers, "dram", "missing"), "permission");
        assert_non_null(
            strstr(text_in(tiers, "dram", "remedy"), "NVreg_RestrictProfilingToAdminUsers=0"));
        assert_true(json_is_true(json_object_get(json_object_get(tiers, "memory"), "ok")));
        assert_non_null(strstr(text_in(tiers, "memory", "say"), "computed"));
        assert_non_null(
            strstr(text_in(tiers, "memory", "remedy"), "NVreg_RestrictProfilingToAdminUsers=0"));
        assert_string_equal(text_in(tiers, "timing", "missing"), "");
        json_decref(device);
        talk_end(&t, "ok");
    }
}

static void clocks_held_down_are_named(void **state)
{
    struct talk t;
    bool power = false, heat = false;
    talk_planned(&t, "throttle_bits 36\n"); /* power cap and temperature */
    talk_measure(&t, 1, "move", 20000, "{\"probe\":\"timing\",\"runs\":[\"a\"]}");
    json_t *part = talk_part(&t, "a"), *notes = json_object_get(part, "notes");
    for (size_t i = 0; i < json_array_size(notes); i++) {
        power = power || !strcmp(json_string_value(json_array_get(notes, i)), "clocks: power cap");
        heat = heat || !strcmp(json_string_value(json_array_get(notes, i)), "clocks: temperature");
    }
    assert_true(power && heat);
    json_decref(part);
    talk_end(&t, "ok");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_ratios_of_counters),
        cmocka_unit_test(a_counter_that_the_chip_lacks_is_missing_alone),
        cmocka_unit_test(a_missing_permission_is_told),
        cmocka_unit_test(clocks_held_down_are_named),
    };
    talk_cupti = "libfakecupti.so";
    talk_nvml = "libfakenvml.so";
    return cmocka_run_group_tests(tests, plan_make, plan_remove);
}

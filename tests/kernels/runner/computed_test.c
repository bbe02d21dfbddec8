/* Counters computed in an instrumented copy, on the fake driver: where the profiler refuses,
 * figures of the tier "computed" with the reason and what would help; where the copy cannot be had
 * either, what is missing and why. */
#include "tests/kernels/runner/plan.h"

#include <math.h>

#include "tests/unit.h"

/* What the fake compiler gives back as PTX: a load, a store, a shared load of 8 bytes and a shared
 * store. */
static const char PTX[] =
    "move 1e-4\\n.version 9.0\\n.target sm_90\\n.address_size 64\\n.visible .entry move(.param "
    ".u64 p)\\n{\\n.reg .b64 %rd<4>;\\n.reg .f32 %f<4>;\\nld.global.f32 %f1, "
    "[%rd1];\\nst.global.f32 [%rd1], %f1;\\nld.shared.v2.f32 {%f1, %f2}, [%rd2+8];\\nst.shared.f32 "
    "[%rd2], %f1;\\nret;\\n}\\n//";
static const char MEMORY[] = "{\"probe\":\"memory\",\"runs\":[\"a\"]}",
                  SHARED[] = "{\"probe\":\"shared\",\"runs\":[\"a\"]}";

static json_t *part_of(struct talk *t, const char *behaviour, const char *item)
{
    talk_measure(t, 1, behaviour, 20000, item);
    json_t *part = talk_part(t, "a");
    assert_non_null(part);
    return part;
}

static const char *missing(const json_t *part, const char *metric)
{
    const char *s = json_string_value(
        json_object_get(json_object_get(json_object_get(part, "metrics"), metric), "missing"));
    return s ? s : "";
}

static const char *tier(const json_t *part)
{
    return json_string_value(json_object_get(part, "tier"));
}

/* Error 35, wherever the profiler first says it. */
static void memory_is_computed_when_the_profiler_refuses(void **state)
{
    static const char *const plans[] = {"fail_cuptiRangeProfilerSetConfig 1 35\n",
                                        "fail_cuptiProfilerInitialize 1 35\n"};
    for (int i = 0; i < 2; i++) {
        struct talk t;
        talk_planned(&t, plans[i]);
        json_t *part = part_of(&t, PTX, MEMORY);
        assert_string_equal(tier(part), "computed");
        assert_true(talk_value(part, "load_sectors_per_request") == 4 &&
                    talk_value(part, "store_requests") == 10);
        assert_true(talk_value(part, "load_efficiency") == 1 &&
                    talk_value(part, "local_instructions") == 0);
        assert_true(talk_value(part, "active_lanes") == 32);
        assert_string_equal(missing(part, "l1_hit"), "permission");
        assert_true(talk_notes(part, "computed from an instrumented copy"));
        assert_true(talk_notes(part, "NVreg_RestrictProfilingToAdminUsers=0"));
        json_decref(part);
        talk_end(&t, "partial");
    }
}

static void shared_memory_is_computed_whole(void **state)
{
    struct talk t;
    talk_planned(&t, "fail_cuptiProfilerInitialize 1 35\n");
    json_t *part = part_of(&t, PTX, SHARED);
    assert_string_equal(tier(part), "computed");
    assert_true(talk_value(part, "shared_load_wavefronts") == 4 &&
                talk_value(part, "shared_instructions") == 20);
    assert_true(talk_value(part, "bank_conflicts") == 10);
    json_decref(part);
    talk_end(&t, "ok");
}

static void counters_that_can_be_had_are_measured(void **state)
{
    struct talk t;
    talk_planned(&t, "");
    json_t *part = part_of(&t, PTX, SHARED);
    assert_string_equal(tier(part), "live");
    json_decref(part);
    talk_end(&t, "ok");
}

/* A text that is no PTX, a driver older than the compiler's PTX, a copy that would count for too
 * long. */
static void what_cannot_be_computed_is_missing(void **state)
{
    static const struct { const char *plan, *behaviour, *note;
    } cases[] = {
        {"fail_cuptiProfilerInitialize 1 35\n", "move", "no header"},
        {"fail_cuptiProfilerInitialize 1 35\nfail_cuModuleLoadDataEx %d 222\n", PTX,
         "cuModuleLoadDataEx"},
        {"fail_cuptiProfilerInitialize 1 35\ncount_late 1\n", PTX, "counts too much"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct talk t;
        char plan[256];
        snprintf(plan, sizeof plan, "%s", cases[i].plan);
        bool noted = false;
        for (int call = 1; call < 20 && !noted;
             call++) { /* the copy is the last module to be loaded */
            if (strstr(cases[i].plan, "%d"))
                snprintf(plan, sizeof plan,
                         "fail_cuptiProfilerInitialize 1 35\nfail_cuModuleLoadDataEx %d 222\n",
                         call);
            talk_planned(&t, plan);
            talk_measure(&t, 1, cases[i].behaviour, 20000, SHARED);
            json_t *part = talk_part(&t, "a");
            if ((noted = part && talk_notes(part, cases[i].note))) {
                assert_string_equal(missing(part, "bank_conflicts"), "permission");
                assert_string_equal(tier(part), "live");
                talk_end(&t, "partial");
            } else {
                talk_close(&t);
            }
            json_decref(part);
        }
        assert_true(noted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_computed_when_the_profiler_refuses),
        cmocka_unit_test(shared_memory_is_computed_whole),
        cmocka_unit_test(counters_that_can_be_had_are_measured),
        cmocka_unit_test(what_cannot_be_computed_is_missing),
    };
    talk_cupti = "libfakecupti.so";
    return cmocka_run_group_tests(tests, plan_make, plan_remove);
}

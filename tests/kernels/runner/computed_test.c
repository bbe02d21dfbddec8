/* Counters computed in an instrumented copy, on the fake driver: where the profiler refuses,
 * figures of the tier "computed" with the reason and what would help; where the copy cannot be had
 * either, what is missing and why. */
#include "tests/kernels/runner/talk.h"

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
static char plan_path[] = "/tmp/warpdrill-plan-XXXXXX";

static void open_planned(struct talk *t, const char *plan)
{
    FILE *f = fopen(plan_path, "w");
    assert_non_null(f);
    fputs(plan, f);
    fclose(f);
    talk_open(t);
}

static json_t *part_of(struct talk *t, const char *behaviour, const char *item)
{
    talk_measure(t, 1, behaviour, 20000, item);
    json_t *part = talk_part(t, "a");
    assert_non_null(part);
    return part;
}

static bool has_note(const json_t *part, const char *text)
{
    json_t *notes = json_object_get(part, "notes");
    for (size_t i = 0; i < json_array_size(notes); i++)
        if (strstr(json_string_value(json_array_get(notes, i)), text))
            return true;
    return false;
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

static void close_done(struct talk *t, const char *status)
{
    json_t *done = talk_wait(t, "done");
    assert_string_equal(json_string_value(json_object_get(done, "status")), status);
    json_decref(done);
    assert_int_equal(talk_close(t), 0);
}

/* Error 35, wherever the profiler first says it. */
static void memory_is_computed_when_the_profiler_refuses(void **state)
{
    static const char *const plans[] = {"fail_cuptiRangeProfilerSetConfig 1 35\n",
                                        "fail_cuptiProfilerInitialize 1 35\n"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct talk t;
        open_planned(&t, plans[i]);
        json_t *part = part_of(&t, PTX, MEMORY);
        assert_string_equal(tier(part), "computed");
        assert_true(talk_value(part, "load_sectors_per_request") == 4 &&
                    talk_value(part, "store_requests") == 10);
        assert_true(talk_value(part, "load_efficiency") == 1 &&
                    talk_value(part, "local_instructions") == 0);
        assert_true(talk_value(part, "active_lanes") == 32);
        assert_string_equal(missing(part, "l1_hit"), "permission");
        assert_true(has_note(part, "computed from an instrumented copy"));
        assert_true(has_note(part, "NVreg_RestrictProfilingToAdminUsers=0"));
        json_decref(part);
        close_done(&t, "partial");
    }
}

static void shared_memory_is_computed_whole(void **state)
{
    struct talk t;
    (void)state;
    open_planned(&t, "fail_cuptiProfilerInitialize 1 35\n");
    json_t *part = part_of(&t, PTX, SHARED);
    assert_string_equal(tier(part), "computed");
    assert_true(talk_value(part, "shared_load_wavefronts") == 4 &&
                talk_value(part, "shared_instructions") == 20);
    assert_true(talk_value(part, "bank_conflicts") == 10);
    json_decref(part);
    close_done(&t, "ok");
}

static void counters_that_can_be_had_are_measured(void **state)
{
    struct talk t;
    (void)state;
    open_planned(&t, "");
    json_t *part = part_of(&t, PTX, SHARED);
    assert_string_equal(tier(part), "live");
    json_decref(part);
    close_done(&t, "ok");
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
    (void)state;
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
            open_planned(&t, plan);
            talk_measure(&t, 1, cases[i].behaviour, 20000, SHARED);
            json_t *part = talk_part(&t, "a");
            if ((noted = part && has_note(part, cases[i].note))) {
                assert_string_equal(missing(part, "bank_conflicts"), "permission");
                assert_string_equal(tier(part), "live");
                close_done(&t, "partial");
            } else {
                talk_close(&t);
            }
            json_decref(part);
        }
        assert_true(noted);
    }
}

static int name_plan(void **state)
{
    int fd = mkstemp(plan_path);
    (void)state;
    talk_cupti = "libfakecupti.so";
    if (fd < 0 || close(fd))
        return -1;
    return setenv("WARPDRILL_FAKE_PLAN", plan_path, 1);
}

static int remove_plan(void **state)
{
    (void)state;
    return unlink(plan_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_computed_when_the_profiler_refuses),
        cmocka_unit_test(shared_memory_is_computed_whole),
        cmocka_unit_test(counters_that_can_be_had_are_measured),
        cmocka_unit_test(what_cannot_be_computed_is_missing),
    };
    return cmocka_run_group_tests(tests, name_plan, remove_plan);
}

/* Steps of several kernels on streams, on the fake driver, whose clocks are virtual and noiseless
 * here: who waits for whom, what the step takes, and the timeline by CUPTI's records and by events.
 */
#include "tests/kernels/runner/plan.h"

#include <math.h>

#include "kernels/runner/timeline.h"
#include "tests/unit.h"

#define EVENT_S 1e-6 /* what the fake's event takes */


static void write_plan(const char *extra)
{
    FILE *f = fopen(plan_path, "w");
    assert_non_null(f);
    fprintf(f, "noise 0\n%s", extra);
    fclose(f);
}

struct drawn_launch { const char *source; int stream; const char *after; };

static char *launch_text(const struct drawn_launch *l)
{
    return text_format("{\"source\":\"%s\",\"kernel\":\"move_%s\",\"grid\":[1],\"block\":[64],"
                       "\"stream\":%d,\"after\":[%s],\"args\":[{\"buffer\":\"out\"},{\"buffer\":"
                       "\"in\"},{\"i32\":8}]}",
                       l->source, l->source, l->stream, l->after);
}

/* Kernels of source s take 100 us, of m 200 us, of l 400 us. */
static void ask(struct talk *t, int id, const struct drawn_launch *launches, int n,
                const char *items)
{
    char *run = text_dup("");
    for (int i = 0; i < n; i++) {
        char *one = launch_text(&launches[i]),
             *longer = text_format("%s%s%s", run, i ? "," : "", one);
        free(one);
        free(run);
        run = longer;
    }
    dprintf(t->to,
            "{\"type\":\"measure\",\"id\":%d,\"deadline_ms\":20000,\"sources\":{\"s\":{\"name\":"
            "\"s.cu\",\"text\":\"// fake: move 1e-4\\n\"},\"m\":{\"name\":\"m.cu\",\"text\":\"// "
            "fake: move 2e-4\\n\"},\"l\":{\"name\":\"l.cu\",\"text\":\"// fake: move "
            "4e-4\\n\"}},\"buffers\":[{\"name\":\"in\",\"type\":\"f32\",\"count\":64},{\"name\":"
            "\"out\",\"type\":\"f32\",\"count\":64,\"role\":\"output\"}],\"runs\":{\"a\":[%s]},"
            "\"work\":{\"bytes\":512,\"flops\":0},\"items\":[%s]}\n",
            id, run, items);
    free(run);
}

static const json_t *series(const json_t *part, const char *name, int n)
{
    const json_t *list = json_object_get(json_object_get(part, "series"), name);
    assert_int_equal(json_array_size(list), n);
    return list;
}

static double at(const json_t *part, const char *name, int n, int i)
{
    return json_number_value(json_array_get(series(part, name, n), (size_t)i));
}

static bool near(double value, double want, double slack)
{
    if (fabs(value - want) <= slack)
        return true;
    print_message("# %.9g, not %.9g\n", value, want);
    return false;
}

static bool has_note(const json_t *part, const char *start)
{
    const json_t *notes = json_object_get(part, "notes");
    for (size_t i = 0; i < json_array_size(notes); i++)
        if (!strncmp(json_string_value(json_array_get(notes, i)), start, strlen(start)))
            return true;
    return false;
}

static json_t *finish(struct talk *t, json_t *part)
{
    json_t *done = talk_wait(t, "done");
    assert_non_null(part);
    assert_string_equal(json_string_value(json_object_get(done, "status")), "ok");
    json_decref(done);
    return part;
}

static json_t *timeline_of(const struct drawn_launch *launches, int n, const char *cupti,
                           const char *plan)
{
    struct talk t;
    talk_cupti = cupti;
    write_plan(plan);
    talk_open(&t);
    ask(&t, 1, launches, n, "{\"probe\":\"timeline\",\"runs\":[\"a\"]}");
    json_t *part = finish(&t, talk_part(&t, "a"));
    assert_int_equal(talk_close(&t), 0);
    return part;
}

/* s0 [0..100] and l1 [0..400] side by side, m0 after s0 [100..300], s0 after both [400..500]. */
static const struct drawn_launch diamond[] = {{"s", 0, ""},
                                              {"l", 1, ""},
                                              {"m", 0, ""},
                                              {"s", 0, "1"}};
enum { DIAMOND = 4 };

static void check_diamond(const json_t *part, double slack)
{
    static const double starts[DIAMOND] = {0, 0, 1e-4, 4e-4},
                        ends[DIAMOND] = {1e-4, 4e-4, 3e-4, 5e-4};
    for (int i = 0; i < DIAMOND; i++) {
        assert_true(at(part, "kernel", DIAMOND, i) == i);
        assert_true(at(part, "stream", DIAMOND, i) == diamond[i].stream);
        assert_true(near(at(part, "start", DIAMOND, i), starts[i], slack));
        assert_true(near(at(part, "end", DIAMOND, i), ends[i], slack));
    }
    assert_true(near(talk_value(part, "step_time"), 5e-4, slack));
    assert_true(near(talk_value(part, "busy_time"), 5e-4, slack));
    assert_true(near(talk_value(part, "longest_share"), 0.8, 0.02));
    assert_true(talk_value(part, "longest_kernel") == 2);
    assert_string_equal(json_string_value(json_array_get(json_object_get(part, "lines"), 1)),
                        "move_l");
    assert_true(has_note(part, "cold"));
}

static void cupti_tells_when_each_kernel_ran(void **state)
{
    json_t *part = timeline_of(diamond, DIAMOND, "libfakecupti.so", "");
    assert_true(has_note(part, "by CUPTI"));
    check_diamond(part, 5 * EVENT_S); /* the events of forks and waits take time here */
    json_decref(part);
}

static void without_cupti_events_tell(void **state)
{
    json_t *part = timeline_of(diamond, DIAMOND, "missing/libcupti.so", "");
    assert_true(has_note(part, "by events: each kernel is charged with about 1.0 us"));
    check_diamond(part, 12 * EVENT_S);
    json_decref(part);
}

/* Whatever CUPTI refuses or loses, events stand in, and the note says why. */
static void what_cupti_cannot_events_can(void **state)
{
    static const char *const plans[] = {"fail_cuptiActivityEnable 1 35\n",
                                        "fail_cuptiActivityRegisterCallbacks 1 39\n",
                                        "fail_cuptiActivityFlushAll 2 999\n", "cupti_loses 2\n"};
    for (int i = 0; i < 4; i++) {
        json_t *part = timeline_of(diamond, DIAMOND, "libfakecupti.so", plans[i]);
        assert_true(has_note(part, "by events"));
        check_diamond(part, 12 * EVENT_S);
        json_decref(part);
    }
}

static void a_gap_is_time_without_kernels(void **state)
{
    static const struct drawn_launch chain[] = {{"s", 0, ""}, {"s", 0, ""}, {"s", 0, ""}};
    json_t *part = timeline_of(chain, 3, "missing/libcupti.so", "");
    assert_true(near(talk_value(part, "gap_time"), 2 * EVENT_S,
                     1e-8)); /* between a mark behind and the next one before */
    assert_true(near(talk_value(part, "gap_time") + talk_value(part, "busy_time"),
                     talk_value(part, "step_time"), 1e-9));
    json_decref(part);
}

static double time_of(struct talk *t, int id, const struct drawn_launch *launches, int n)
{
    ask(t, id, launches, n, "{\"probe\":\"timing\",\"runs\":[\"a\"]}");
    json_t *part = finish(t, talk_part(t, "a"));
    double time = talk_value(part, "time");
    json_decref(part);
    return time;
}

/* The timing probe sees the step from the fork to the join. */
static void streams_are_timed_as_one_step(void **state)
{
    static const struct drawn_launch row[] = {{"s", 0, ""},
                                              {"l", 0, ""},
                                              {"m", 0, ""},
                                              {"s", 0, ""}};
    static const struct drawn_launch beside[] = {{"l", 3, ""}, {"l", 5, ""}};
    struct talk t;
    talk_cupti = "missing/libcupti.so";
    write_plan("");
    talk_open(&t);
    assert_true(near(time_of(&t, 1, row, 4), 8e-4, 5 * EVENT_S));
    assert_true(near(time_of(&t, 2, diamond, DIAMOND), 5e-4, 12 * EVENT_S));
    assert_true(near(time_of(&t, 3, beside, 2), 4e-4,
                     12 * EVENT_S)); /* none on the main stream: joined all the same */
    assert_int_equal(talk_close(&t), 0);
}

static void timing_comes_before_cupti_is_loaded(void **state)
{
    struct talk t;
    talk_cupti = "libfakecupti.so";
    write_plan("");
    talk_open(&t);
    ask(&t, 1, diamond, DIAMOND,
        "{\"probe\":\"memory\",\"runs\":[\"a\"]},{\"probe\":\"timeline\",\"runs\":[\"a\"]},{"
        "\"probe\":\"timing\",\"runs\":[\"a\"]}");
    for (int i = 2; i >= 0;
         i--) { /* timing, timeline, counters: in the order of what disturbs least */
        json_t *part = talk_part(&t, "a");
        assert_non_null(part);
        assert_int_equal(json_integer_value(json_object_get(part, "item")), i);
        json_decref(part);
    }
    json_decref(talk_wait(&t, "done"));
    assert_int_equal(talk_close(&t), 0);
}

static void a_fault_in_the_step_ends_it(void **state)
{
    struct talk t;
    talk_cupti = "libfakecupti.so";
    write_plan("");
    talk_open(&t);
    talk_measure(&t, 1, "fault", 20000, "{\"probe\":\"timeline\",\"runs\":[\"a\"]}");
    json_t *done = talk_wait(&t, "done");
    assert_string_equal(json_string_value(json_object_get(json_object_get(done, "error"), "code")),
                        "fault");
    json_decref(done);
    assert_int_equal(talk_close(&t), 0);
}

/* A call that fails names itself; where the context survives, the same worker goes on. */
static void a_failing_call_is_told(void **state)
{
    static const struct { const char *call; int at, code; const char *says;
    } cases[] = {
        {"cuStreamCreate", 2, 2, "memory"},    {"cuEventCreate", 5, 2, "memory"},
        {"cuStreamWaitEvent", 1, 2, "memory"}, {"cuStreamWaitEvent", 2, 2, "memory"},
        {"cuStreamWaitEvent", 3, 2, "memory"}, {"cuStreamWaitEvent", 7, 700, "fault"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char plan[96];
        struct talk t;
        talk_cupti = "missing/libcupti.so";
        snprintf(plan, sizeof plan, "fail_%s %d %d\n", cases[i].call, cases[i].at, cases[i].code);
        write_plan(plan);
        talk_open(&t);
        ask(&t, 1, diamond, DIAMOND, "{\"probe\":\"timeline\",\"runs\":[\"a\"]}");
        json_t *done = talk_wait(&t, "done"), *error = json_object_get(done, "error");
        assert_string_equal(json_string_value(json_object_get(error, "code")), cases[i].says);
        assert_string_equal(json_string_value(json_object_get(error, "call")), cases[i].call);
        json_decref(done);
        if (cases[i].code == 2)
            assert_true(near(time_of(&t, 2, diamond, DIAMOND), 5e-4, 12 * EVENT_S));
        assert_int_equal(talk_close(&t), 0);
    }
}

static void overlaps_are_busy_once(void **state)
{
    static const struct span spans[] = {{5, 6}, {0, 2}, {1, 3}, {1.5, 2.5}, {6, 6.5}};
    assert_true(timeline_busy(spans, 5) == 4.5);
    assert_true(timeline_busy(spans, 1) == 1);
    assert_true(timeline_busy(spans, 0) == 0);
}

static void the_longest_gap_may_be_at_either_end(void **state)
{
    static const struct span spans[] = {{3, 4}, {1, 2}, {1.5, 2.5}};
    assert_true(near(timeline_gap(spans, 3, 4.5), 1, 1e-12));
    assert_true(near(timeline_gap(spans, 3, 6), 2, 1e-12));
    assert_true(near(timeline_gap(spans, 1, 4), 3, 1e-12));
}

/* A launch that a late host makes fifty times as long is not taken for the longest. */
static void an_outlier_is_not_the_longest_kernel(void **state)
{
    struct talk t;
    write_plan("outlier_share 0.2\noutlier_size 50\n");
    talk_open(&t);
    for (int id = 1; id <= 10; id++) {
        ask(&t, id, diamond, DIAMOND, "{\"probe\":\"resources\",\"runs\":[\"a\"]}");
        json_t *part = talk_part(&t, "a");
        assert_non_null(part);
        json_decref(talk_wait(&t, "done")); /* a fake's image has no machine code: partial */
        assert_true(has_note(part, "of launch 2 of 4, the longest: move_l"));
        json_decref(part);
    }
    assert_int_equal(talk_close(&t), 0);
}

/* Of launches that take about as long each request counts the same one. */
static void of_launches_alike_the_first_is_the_longest(void **state)
{
    static const struct drawn_launch alike[] = {{"s", 0, ""}, {"l", 0, ""}, {"l", 0, ""}, {"l", 0, ""}};
    struct talk t;
    write_plan("noise 0.02\n");
    talk_open(&t);
    for (int id = 1; id <= 10; id++) {
        ask(&t, id, alike, 4, "{\"probe\":\"resources\",\"runs\":[\"a\"]}");
        json_t *part = talk_part(&t, "a");
        assert_non_null(part);
        json_decref(talk_wait(&t, "done"));
        assert_true(has_note(part, "of launch 2 of 4, the longest: move_l"));
        json_decref(part);
    }
    assert_int_equal(talk_close(&t), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_launches_alike_the_first_is_the_longest),
        cmocka_unit_test(cupti_tells_when_each_kernel_ran),
        cmocka_unit_test(without_cupti_events_tell),
        cmocka_unit_test(what_cupti_cannot_events_can),
        cmocka_unit_test(a_gap_is_time_without_kernels),
        cmocka_unit_test(streams_are_timed_as_one_step),
        cmocka_unit_test(timing_comes_before_cupti_is_loaded),
        cmocka_unit_test(a_fault_in_the_step_ends_it),
        cmocka_unit_test(a_failing_call_is_told),
        cmocka_unit_test(overlaps_are_busy_once),
        cmocka_unit_test(the_longest_gap_may_be_at_either_end),
        cmocka_unit_test(an_outlier_is_not_the_longest_kernel),
    };
    return cmocka_run_group_tests(tests, plan_make, plan_remove);
}

/* The runner's timing of kernels whose true times are known: how often its intervals cover the true
 * ratio, what it says of pairs, and what it does when the clock drops. The fake driver's clock is
 * virtual and its noise seeded by each request, so the figures are the same in every run. */
#include "tests/kernels/runner/plan.h"

#include <math.h>

#include "tests/unit.h"

#define FLOOR_S 1e-6 /* what the fake's event adds to every sample */


struct answer {
    double ratio, low, high, seconds[2], clock;
    int n, discarded;
    bool throttled, batched;
    char verdict[16];
};

static void ask(struct talk *t, int id, double a, double b)
{
    static const char run[] = "[{\"source\":\"%s\",\"kernel\":\"move\",\"grid\":[1],\"block\":[64],"
                              "\"args\":[{\"buffer\":\"out\"},{\"buffer\":\"in\"},{\"i32\":8}]}]";
    char *runs[] = {text_format(run, "a"), text_format(run, "b")};
    dprintf(t->to,
            "{\"type\":\"measure\",\"id\":%d,\"deadline_ms\":20000,\"sources\":{\"a\":{\"name\":"
            "\"a.cu\",\"text\":\"// fake: move %.9g "
            "%d\\n\"},\"b\":{\"name\":\"b.cu\",\"text\":\"// fake: move "
            "%.9g\\n\"}},\"buffers\":[{\"name\":\"in\",\"type\":\"f32\",\"count\":64,\"fill\":{"
            "\"kind\":\"uniform\",\"low\":-1,\"high\":1}},{\"name\":\"out\",\"type\":\"f32\","
            "\"count\":64,\"role\":\"output\"}],\"runs\":{\"a\":%s,\"b\":%s},\"work\":{\"bytes\":"
            "512,\"flops\":0},\"tolerance\":{\"kind\":\"relative\",\"rel\":0,\"abs\":1e-6},"
            "\"items\":[{\"probe\":\"timing\",\"runs\":[\"a\",\"b\"]}]}\n",
            id, a, id, b, runs[0], runs[1]);
    free(runs[0]);
    free(runs[1]);
}

static double number_of(const json_t *part, const char *metric, const char *field)
{
    const json_t *v =
        json_object_get(json_object_get(json_object_get(part, "metrics"), metric), field);
    assert_true(json_is_number(v));
    return json_number_value(v);
}

static void read_notes(struct answer *out, const json_t *part)
{
    const json_t *notes = json_object_get(part, "notes");
    for (size_t i = 0; i < json_array_size(notes); i++) {
        const char *note = json_string_value(json_array_get(notes, i));
        sscanf(note, "verdict: %15s", out->verdict);
        sscanf(note, "discarded: %d", &out->discarded);
        out->throttled = out->throttled || !strcmp(note, "throttled");
        out->batched = out->batched || !strncmp(note, "batched: ", 9);
    }
}

static struct answer measure(struct talk *t, int id, double a, double b)
{
    static const char *const runs[] = {"a", "b"};
    struct answer out = {.n = 0};
    ask(t, id, a, b);
    for (int i = 0; i < 2; i++) {
        json_t *part = talk_part(t, runs[i]);
        assert_non_null(part);
        out.seconds[i] = number_of(part, "time", "value");
        out.clock = number_of(part, "sm_clock", "value");
        json_decref(part);
    }
    json_t *part = talk_part(t, "a/b"), *done;
    assert_non_null(part);
    out.ratio = number_of(part, "ratio", "value");
    out.low = number_of(part, "ratio", "low");
    out.high = number_of(part, "ratio", "high");
    out.n = (int)number_of(part, "ratio", "n");
    read_notes(&out, part);
    json_decref(part);
    assert_non_null(done = talk_wait(t, "done"));
    assert_string_equal(json_string_value(json_object_get(done, "status")), "ok");
    json_decref(done);
    return out;
}

static void intervals_cover_the_true_ratio(void **state)
{
    static const struct { double ratio; const char *plan; } cases[] = {
        {1.0, "noise 0.02\noutlier_share 0.03\ndrift 0.0005\n"},
        {1.05, "noise 0.05\noutlier_share 0.03\ndrift 0.0005\n"},
        {2.2, "noise 0.02\noutlier_share 0.1\noutlier_size 3\n"},
        {7.0, "noise 0.005\ndrift 0.002\n"},
    };
    enum { EACH = 250 };
    int covered = 0;
    for (int c = 0; c < 4; c++) {
        int here = 0, rounds = 0;
        int64_t from = os_monotonic_ms();
        struct talk t;
        talk_planned(&t, cases[c].plan);
        for (int k = 0; k < EACH; k++) {
            double a = 1e-3 * cases[c].ratio, truth = (a + FLOOR_S) / (1e-3 + FLOOR_S);
            struct answer got = measure(&t, 1 + c * EACH + k, a, 1e-3);
            here += got.low <= truth && truth <= got.high;
            rounds += got.n;
        }
        assert_int_equal(talk_close(&t), 0);
        print_message("# ratio %g: covered %d of %d, %d rounds on average, %d ms\n", cases[c].ratio,
                      here, EACH, rounds / EACH, (int)(os_monotonic_ms() - from));
        covered += here;
    }
    print_message("# covered %d of %d\n", covered, 4 * EACH);
    assert_in_range(covered, 930, 970);
}

static int count_verdicts(const char *plan, double ratio, int n, const char *verdict)
{
    struct talk t;
    int count = 0;
    talk_planned(&t, plan);
    for (int k = 1; k <= n; k++)
        count += !strcmp(measure(&t, k, 1e-3 * ratio, 1e-3).verdict, verdict);
    assert_int_equal(talk_close(&t), 0);
    print_message("# ratio %g: %d of %d %s\n", ratio, count, n, verdict);
    return count;
}

static void verdicts(void **state)
{
    assert_int_equal(count_verdicts("noise 0.01\n", 1, 50, "same"), 50);
    assert_int_equal(count_verdicts("noise 0.02\n", 1.2, 50, "slower"), 50);
    assert_int_equal(count_verdicts("noise 0.02\n", 1 / 1.2, 50, "faster"), 50);
    assert_in_range(count_verdicts("noise 0.2\n", 1.005, 20, "ambiguous"), 18, 20);
    assert_in_range(count_verdicts("noise 0.2\n", 1.015, 20, "ambiguous"), 18, 20);
}

/* One launch in twenty at half the clock: those rounds go, and the rest says what is true. */
static void rounds_at_a_dropped_clock_go(void **state)
{
    struct talk t;
    int discarded = 0;
    talk_planned(&t, "noise 0.01\nslow_share 0.05\nslow_clock 0.5\n");
    for (int k = 1; k <= 10; k++) {
        struct answer got = measure(&t, k, 1.2e-3, 1e-3);
        discarded += got.discarded;
        assert_string_equal(got.verdict, "slower");
        assert_true(fabs(got.ratio - 1.2) < 0.03);
        assert_true(fabs(got.clock - 1e9) < 1e7);
    }
    print_message("# %d rounds discarded\n", discarded);
    assert_true(discarded > 0);
    assert_int_equal(talk_close(&t), 0);
}

/* A clock that never recovers: some rounds go, the others count and the answer says so. */
static void a_lasting_drop_is_reported(void **state)
{
    struct talk t;
    talk_planned(&t, "noise 0.01\nslow_share 1\nslow_clock 0.6\n");
    struct answer got = measure(&t, 1, 1.2e-3, 1e-3);
    assert_true(got.throttled);
    assert_true(got.discarded >= 3 && 4 * got.discarded <= got.n);
    assert_true(fabs(got.clock - 6e8) < 1e7);
    assert_true(fabs(got.seconds[1] - 1e-3 / 0.6) < 2e-5);
    assert_int_equal(talk_close(&t), 0);
}

static void short_calls_are_batched(void **state)
{
    struct talk t;
    talk_planned(&t, "noise 0.01\n");
    struct answer got = measure(&t, 1, 3e-6, 2e-6);
    assert_true(got.batched);
    assert_string_equal(got.verdict, "slower");
    assert_true(fabs(got.seconds[1] - 2e-6) < 2e-7);
    assert_false(measure(&t, 2, 3e-4, 2e-4).batched);
    assert_int_equal(talk_close(&t), 0);
}

/* ---- one run alone, with notes and refusals ---- */

/* Square of n x n, so that a test can choose footprint and declared work. */
static void ask_one(struct talk *t, int n, double seconds, double bytes, double flops,
                    const char *cache)
{
    dprintf(t->to,
            "{\"type\":\"measure\",\"id\":1,\"deadline_ms\":20000,\"sources\":{\"a\":{\"name\":\"a."
            "cu\",\"text\":\"// fake: nothing %.9g "
            "1\\n\"}},\"buffers\":[{\"name\":\"in\",\"type\":\"f32\",\"count\":%d},{\"name\":"
            "\"out\",\"type\":\"f32\",\"count\":%d,\"role\":\"output\"}],\"runs\":{\"a\":[{"
            "\"source\":\"a\",\"kernel\":\"move\",\"grid\":[1],\"block\":[64],\"args\":[{"
            "\"buffer\":\"out\"},{\"buffer\":\"in\"},{\"i32\":%d}]}],\"b\":[{\"source\":\"a\","
            "\"kernel\":\"move\",\"grid\":[1],\"block\":[64],\"args\":[{\"buffer\":\"out\"},{"
            "\"buffer\":\"in\"},{\"i32\":%d}]}]},\"work\":{\"bytes\":%.17g,\"flops\":%.17g},"
            "\"tolerance\":{\"kind\":\"exact\"},\"items\":[{\"probe\":\"timing\",\"runs\":[\"a\","
            "\"b\"],\"cache\":\"%s\"}]}\n",
            seconds, n * n, n * n, n, n, bytes, flops, cache);
}

static bool notes_hold(const json_t *part, const char *note)
{
    const json_t *notes = json_object_get(part, "notes");
    for (size_t i = 0; i < json_array_size(notes); i++)
        if (!strcmp(json_string_value(json_array_get(notes, i)), note))
            return true;
    return false;
}

static const char *say_of(const json_t *part, const char *metric)
{
    const json_t *v = json_object_get(json_object_get(part, "metrics"), metric);
    return json_object_get(v, "missing") ? json_string_value(json_object_get(v, "say")) : NULL;
}

/* `say` NULL: the time is shown; else it is refused, with these words, and so is the ratio. */
static void expect_refusal(int n, double seconds, double bytes, double flops, const char *cache,
                           const char *say)
{
    struct talk t;
    json_t *one, *both;
    talk_planned(&t, "noise 0.001\n");
    ask_one(&t, n, seconds, bytes, flops, cache);
    assert_non_null(one = talk_part(&t, "a"));
    assert_non_null(both = talk_part(&t, "a/b"));
    if (say) {
        assert_non_null(say_of(one, "time"));
        assert_non_null(strstr(say_of(one, "time"), say));
        assert_non_null(say_of(both, "ratio"));
    } else {
        assert_true(talk_value(one, "time") > 0);
        assert_true(talk_value(both, "ratio") > 0);
    }
    assert_true(notes_hold(one, "below the physical floor") == (say != NULL));
    json_decref(one);
    json_decref(both);
    assert_int_equal(talk_close(&t), 0);
}

/* The fake has 1 MiB of L2, 3.84 TB/s of DRAM and a fastest pipe of 4 x 8192 flop/cycle at 1 GHz.
 */
static void impossible_times_are_refused(void **state)
{
    double moved = 2.0 * 1024 * 1024 * 4;
    expect_refusal(1024, 1e-7, moved, 0, "cold", "DRAM's peak of 3840 GB/s");
    expect_refusal(1024, 1e-7, moved, 0, "warm", NULL);
    expect_refusal(256, 1e-7, moved, 0, "cold", NULL);              /* L2 could hold it */
    expect_refusal(1024, 2.0e-6, moved, 0, "cold", NULL); /* 2.18 us less what may be dirty in L2 */
    expect_refusal(64, 1e-3, 0, 1e12, "cold", "fastest pipe (32.77 Tflop/s)");
    expect_refusal(64, 1e-3, 0, 1e10, "cold", NULL);
}

/* Both looks are named, and heat makes the time a throttled one. */
static void what_held_the_clocks_is_noted(void **state)
{
    struct talk t;
    json_t *part;
    talk_nvml = "libfakenvml.so";
    talk_planned(&t, "throttle_first 4\nthrottle_bits 32\n"); /* power cap, then temperature */
    ask_one(&t, 64, 1e-4, 0, 0, "cold");
    assert_non_null(part = talk_part(&t, "a"));
    assert_true(notes_hold(part, "clocks: power cap, before"));
    assert_true(notes_hold(part, "clocks: temperature, after"));
    assert_true(notes_hold(part, "board power, not of this kernel alone: 300 of 700 W"));
    assert_true(notes_hold(part, "throttled"));
    json_decref(part);
    assert_int_equal(talk_close(&t), 0);
    talk_nvml = "missing/libnvml.so";
}

/* Three seconds of GPU time a call: the time cap comes before an interval can be one. */
static void few_rounds_are_said_to_be_few(void **state)
{
    struct talk t;
    json_t *part;
    talk_planned(&t, "noise 0.001\n");
    ask_one(&t, 64, 3, 0, 0, "cold");
    assert_non_null(part = talk_part(&t, "a"));
    assert_true(notes_hold(part, "few rounds: 1, so the interval is only their range"));
    json_decref(part);
    assert_int_equal(talk_close(&t), 0);
}

/* ---- what is timed is compared ---- */

static json_t *compared_part(struct talk *t, int id, const char *behaviour, double seconds)
{
    static const char run[] = "[{\"source\":\"%s\",\"kernel\":\"%s\",\"grid\":[1],\"block\":[64],"
                              "\"args\":[{\"buffer\":\"out\"},{\"buffer\":\"in\"},{\"i32\":8}]}]";
    char *a = text_format(run, "a", "move"), *r = text_format(run, "r", "reference");
    dprintf(t->to,
            "{\"type\":\"measure\",\"id\":%d,\"deadline_ms\":20000,\"seed\":7,\"sources\":{"
            "\"a\":{\"name\":\"a.cu\",\"text\":\"// fake: %s %.9g 1\\n\"},"
            "\"r\":{\"name\":\"r.cu\",\"text\":\"// fake: move\\n\"}},\"buffers\":[{\"name\":"
            "\"in\",\"type\":\"f32\",\"count\":64,\"fill\":{\"kind\":\"uniform\",\"low\":-1,"
            "\"high\":1}},{\"name\":\"out\",\"type\":\"f32\",\"count\":64,\"role\":\"output\"}],"
            "\"runs\":{\"a\":%s,\"r\":%s},\"work\":{\"bytes\":512,\"flops\":0},\"tolerance\":{"
            "\"kind\":\"relative\",\"rel\":0,\"abs\":1e-6},\"items\":[{\"probe\":\"timing\","
            "\"runs\":[\"a\"],\"against\":\"r\"},{\"probe\":\"check\",\"runs\":[\"a\"],"
            "\"against\":\"r\"}]}\n",
            id, behaviour, seconds, a, r);
    free(a);
    free(r);
    return talk_part(t, "a");
}

/* Each launch must work on inputs of its own; "stale" writes in the first launch alone. The items
 * behind it find the request's own inputs. */
static void what_is_timed_is_compared(void **state)
{
    static const struct { const char *behaviour; double seconds; bool right; } cases[] = {
        {"move", 1e-3, true},  {"move", 2e-6, true},     {"stale", 1e-3, false},
        {"off", 1e-3, false},  {"nothing", 2e-6, false}, {"adds", 1e-3, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct talk t;
        talk_planned(&t, "noise 0.001\n");
        json_t *part = compared_part(&t, 1, cases[i].behaviour, cases[i].seconds), *check;
        assert_non_null(part);
        print_message("# %s: %s\n", cases[i].behaviour,
                      say_of(part, "time") ? say_of(part, "time") : "right");
        assert_true(notes_hold(part, "wrong where it was timed") == !cases[i].right);
        assert_true(cases[i].right == !say_of(part, "time"));
        json_decref(part);
        if (cases[i].right) {
            assert_non_null(check = talk_part(&t, "a"));
            assert_true(notes_hold(check, "verdict: right"));
            json_decref(check);
        }
        assert_int_equal(talk_close(&t), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_cover_the_true_ratio),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(rounds_at_a_dropped_clock_go),
        cmocka_unit_test(a_lasting_drop_is_reported),
        cmocka_unit_test(short_calls_are_batched),
        cmocka_unit_test(impossible_times_are_refused),
        cmocka_unit_test(what_held_the_clocks_is_noted),
        cmocka_unit_test(few_rounds_are_said_to_be_few),
        cmocka_unit_test(what_is_timed_is_compared),
    };
    return cmocka_run_group_tests(tests, plan_make, plan_remove);
}

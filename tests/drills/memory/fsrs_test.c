/* Sequences computed by ts-fsrs 5.4.2 (tests/drills/vectors/fsrs.json says how): stability and
 * difficulty to 1e-5, intervals equal. */
#include "drills/memory/fsrs.h"

#include <jansson.h>
#include <math.h>

#include "tests/unit.h"

static double number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

static void is_near(const char *name, size_t review, const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-5 * fmax(1, fabs(want))))
        fail_msg("%s, review %zu: %s is %.9g, should be %.9g", name, review + 1, what, got, want);
}

static void replay(const char *name, const json_t *vector)
{
    const json_t *params = json_object_get(vector, "params"), *one;
    struct fsrs_settings settings = {number(params, "request_retention"),
                                     (int)number(params, "maximum_interval"),
                                     json_is_true(json_object_get(params, "enable_short_term"))};
    struct fsrs f = {0};
    size_t i;
    json_array_foreach(json_object_get(vector, "reviews"), i, one) {
        int days = (int)number(one, "elapsed_whole_days_utc");
        if (i > 0)
            is_near(name, i, "recall", fsrs_recall(&f, days), number(one, "retrievability_before"));
        struct fsrs_due due =
            fsrs_review(&f, (enum fsrs_grade)number(one, "rating"), days, &settings);
        is_near(name, i, "stability", f.stability, number(one, "stability"));
        is_near(name, i, "difficulty", f.difficulty, number(one, "difficulty"));
        assert_int_equal(due.days, (int)number(one, "scheduled_days"));
        assert_int_equal(due.days ? due.days * 1440 : due.minutes,
                         (int)number(one, "due_in_minutes"));
        assert_int_equal(f.step, (int)number(one, "learning_step"));
        assert_int_equal(f.reviews, (int)number(one, "reps"));
        assert_int_equal(f.lapses, (int)number(one, "lapses"));
    }
}

static void sequences_agree(void **state)
{
    json_t *root = json_load_file("tests/drills/vectors/fsrs.json", 0, NULL), *one;
    size_t i, n = json_array_size(json_object_get(root, "vectors"));
    assert_true(n >= 12);
    json_array_foreach(json_object_get(root, "vectors"), i, one)
        replay(json_string_value(json_object_get(one, "name")), one);
    json_decref(root);
}

/* Whatever is answered, memory stays in its bounds and a better grade never brings it back sooner.
 */
static void any_history_stays_in_bounds(void **state)
{
    unsigned long long x = 7;
    for (int run = 0; run < 200; run++) {
        struct fsrs f = {0};
        for (int k = 0; k < 60; k++) {
            x = x * 6364136223846793005ull + 1442695040888963407ull;
            int days = (int)(x >> 40) % 400, last = -1;
            for (int g = FSRS_AGAIN; g <= FSRS_EASY; g++) {
                struct fsrs copy = f;
                struct fsrs_due due = fsrs_review(&copy, (enum fsrs_grade)g, days, &fsrs_default);
                assert_true(due.days == 0 ? due.minutes > 0
                                          : due.days >= 1 && due.days <= fsrs_default.most_days);
                if (f.phase == FSRS_REVIEW && g >= FSRS_HARD) {
                    assert_true(due.days >= last);
                    last = due.days;
                }
            }
            fsrs_review(&f, (enum fsrs_grade)(1 + (x >> 60) % 4), days, &fsrs_default);
            assert_true(f.stability >= 0.001 && f.stability <= 36500);
            assert_true(f.difficulty >= 1 && f.difficulty <= 10);
        }
    }
}

static void recall_falls_to_the_wanted_share(void **state)
{
    struct fsrs f = {.phase = FSRS_REVIEW, .stability = 100, .difficulty = 5};
    assert_true(fabs(fsrs_recall(&f, 100) - 0.9) < 1e-12);
    assert_true(fabs(fsrs_recall(&f, fsrs_interval(100, 0.8, 36500)) - 0.8) < 1e-3);
    assert_int_equal(fsrs_interval(100, 0.9, 12), 12);
    assert_int_equal(fsrs_interval(0.01, 0.9, 36500), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sequences_agree),
                                       cmocka_unit_test(any_history_stays_in_bounds),
                                       cmocka_unit_test(recall_falls_to_the_wanted_share)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

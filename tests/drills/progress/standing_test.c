/* Means, ranges and calibration on small samples worked out by hand. */
#include "drills/progress/standing.h"

#include <math.h>

#include "db/moment.h"
#include "drills/memory/review.h"
#include "drills/progress/standing_load.h"
#include "tests/db/sample.h"
#include "tests/unit.h"

static void assert_near(double got, double want, double within)
{
    if (!(fabs(got - want) <= within))
        fail_msg("%g is not %g", got, want);
}

static void test_groups(void **state)
{
    const struct standing_look looks[] = {{"memory", 70}, {"latency", 40}, {"memory", 80},
                                          {"memory", 75}, {"latency", 60}, {"elsewhere", 1}};
    struct standing_group g[] = {{.group = "memory"}, {.group = "latency"}, {.group = "system"}};
    standing_groups(g, 3, looks, 6);
    /* sd 5, t(2) 4.303: 75 +- 4.303 * 5 / sqrt(3) = 75 +- 12.42 */
    assert_int_equal(g[0].n, 3);
    assert_true(g[0].ranged);
    assert_near(g[0].mean, 75, 1e-9);
    assert_near(g[0].low, 62.58, 0.01);
    assert_near(g[0].high, 87.42, 0.01);
    assert_int_equal(g[1].n, 2);
    assert_near(g[1].mean, 50, 1e-9);
    assert_false(g[1].ranged);
    assert_int_equal(g[2].n, 0);
    assert_near(g[2].mean, 0, 0);
}

static void test_range_is_clipped(void **state)
{
    const struct standing_look looks[] = {{"m", -60}, {"m", -80}, {"m", 100}};
    struct standing_group g = {.group = "m"};
    standing_groups(&g, 1, looks, 3);
    assert_near(g.mean, 0, 0);
    assert_near(g.low, 0, 0);
    assert_near(g.high, 100, 0);
}

/* sd is 10 * sqrt(n / (n - 1)) for half 40 and half 60, so half the range is t * 10 / sqrt(n - 1):
 * 3.663 with n = 32, t(31) = 2.0395. With 16 of 60 and 15 of 40 the variance is 100 (1 - 1/961) n /
 * (n - 1). */
static void test_many_looks(void **state)
{
    struct standing_look looks[32];
    for (int i = 0; i < 32; i++)
        looks[i] = (struct standing_look){"m", i % 2 ? 40 : 60};
    struct standing_group g = {.group = "m"};
    standing_groups(&g, 1, looks, 32);
    assert_near(g.high - g.mean, 3.663, 0.001);
    standing_groups(&g, 1, looks, 31);
    assert_true(g.ranged);
    assert_near(g.high - g.low, 2 * 2.042 * sqrt(100 * (1 - 1.0 / 961) / 30), 1e-6);
}

static void test_calibration(void **state)
{
    const struct standing_said said[] = {{0, false}, {0.05, false}, {0.1, true}, {0.95, true},
                                         {1, false}, {0.9, true},   {0.6, true}};
    struct standing_bin bins[STANDING_BINS];
    standing_calibrate(bins, said, 7);
    const int n[STANDING_BINS] = {2, 1, 0, 1, 0, 3};
    for (int i = 0; i < STANDING_BINS; i++)
        assert_int_equal(bins[i].n, n[i]);
    assert_near(bins[0].said, 0.025, 1e-12);
    assert_near(bins[0].right, 0, 0);
    assert_near(bins[1].right, 1, 0);
    assert_near(bins[2].said, 0, 0);
    assert_near(bins[5].said, 0.95, 1e-12);
    assert_near(bins[5].right, 2.0 / 3, 1e-12);
}

/* ---- shares ---- */

/* Wilson's interval as worked out by hand for 8 of 10 (0.490 to 0.943) and 0 of 5 (0 to 0.434). */
static void test_wilson(void **state)
{
    double low, high;
    standing_wilson(&low, &high, 8, 10);
    assert_near(low, 0.4902, 0.0001);
    assert_near(high, 0.9433, 0.0001);
    standing_wilson(&low, &high, 0, 5);
    assert_near(low, 0, 0);
    assert_near(high, 0.4345, 0.0001);
    standing_wilson(&low, &high, 5, 5);
    assert_near(high, 1, 0);
    standing_wilson(&low, &high, 0, 0);
    assert_near(high - low, 1, 0);
}

/* Over the binomial distribution it holds the truth about 95 times in 100. */
static void test_wilson_covers(void **state)
{
    const int n = 20;
    double sum = 0;
    int shares = 0;
    for (double p = 0.1; p < 0.95; p += 0.05, shares++)
        for (int k = 0; k <= n; k++) {
            double low, high,
                chance = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) +
                             (n - k) * log(1 - p));
            standing_wilson(&low, &high, k, n);
            sum += low <= p && p <= high ? chance : 0;
        }
    assert_near(sum / shares, 0.95, 0.012);
}

static void test_shares(void **state)
{
    const struct standing_try tries[] = {{"memory", 10, 8, 0, NULL},  {"cost", 2, 1, 0, NULL},
                                         {"memory", 0, 0, 1.2, NULL}, {"memory", 0, 0, 4, "x"},
                                         {"memory", 0, 0, 1, ""},     {"elsewhere", 9, 9, 9, NULL}};
    struct standing_share g[] = {{.group = "memory"}, {.group = "cost"}, {.group = "moe"}};
    standing_shares(g, 3, tries, 6);
    assert_int_equal(g[0].n, 10);
    assert_near(g[0].share, 0.8, 1e-12);
    assert_true(g[0].ranged && g[0].low > 0.49 && g[0].high < 0.95);
    assert_int_equal(g[0].estimates, 3);
    assert_near(g[0].factor, 1.2, 1e-12);
    assert_false(g[1].ranged);
    assert_near(g[1].share, 0.5, 1e-12);
    assert_int_equal(g[2].n, 0);
    assert_near(g[2].factor, 0, 0);
    const double two[] = {2, 8, 0};
    assert_near(standing_median(two, 3), 4, 1e-12);
}

static void test_slips(void **state)
{
    const struct standing_try tries[] = {{"a", 1, 0, 0, "bits for bytes"},
                                         {"a", 1, 0, 0, "That is one GPU of 8."},
                                         {"b", 1, 0, 0, "bits for bytes"},
                                         {"b", 1, 0, 0, ""},
                                         {"b", 1, 0, 0, "That is one GPU of 16."},
                                         {"c", 1, 0, 0, "That is one GPU of 2."},
                                         {"c", 1, 0, 0, "all else"}};
    struct standing_slip out[2];
    assert_int_equal(standing_slips(out, 2, tries, 7), 2);
    assert_int_equal(out[0].n, 3);
    assert_int_equal(strncmp(out[0].slip, "That is one GPU", 15), 0);
    assert_string_equal(out[1].slip, "bits for bytes");
    assert_int_equal(out[1].n, 2);
}

static void test_stated_confidence(void **state)
{
    struct standing_said said[40];
    for (int i = 0; i < 40; i++)
        said[i] = (struct standing_said){i < 30 ? 0.8 : 0.5, i % 2};
    struct standing_bin bins[STANDING_STATED];
    standing_calibrate_stated(bins, said, 40);
    assert_int_equal(bins[3].n, 30);
    assert_near(bins[3].right, 0.5, 1e-12);
    assert_true(bins[3].ranged &&
                bins[3].high <
                    0.8); /* sure beyond doubt: the bin's interval lies below what was said */
    assert_int_equal(bins[0].n, 10);
    assert_true(bins[0].low < 0.5 && bins[0].high > 0.5);
}

static void test_a_year(void **state)
{
    const int today = 20778; /* Saturday 2026-11-21 */
    const struct standing_done done[] = {{today, 3},       {today - 1, 4},   {today, 2},
                                         {today - 364, 1}, {today - 400, 9}, {today + 1, 9}};
    struct standing_heat h;
    standing_heat(&h, today, done, 6);
    assert_int_equal(h.count[STANDING_WEEKS - 1][5], 5);
    assert_int_equal(h.count[STANDING_WEEKS - 1][4], 4);
    assert_int_equal(h.count[STANDING_WEEKS - 1][6], -1);
    assert_int_equal(h.count[0][5], 1);
    assert_int_equal(h.first_day, today - 5 - 52 * 7);
    assert_true(h.days == 3 && h.total == 10 && h.most == 5);
}

/* ---- from the store ---- */

static void answer(struct store *s, const char *item, double value, const char *slip, int64_t at_ms)
{
    struct review r = {.how = *slip ? DRILL_SLIP : DRILL_RIGHT,
                       .seconds = 20,
                       .allowed = 60,
                       .given = "x",
                       .slip = slip,
                       .numbered = true,
                       .unit = "s",
                       .value = value,
                       .truth = 1,
                       .log_error = log(value),
                       .low = 0.5,
                       .high = 1.5,
                       .confidence = 0.8};
    char uid[33] = "";
    struct err err = {0};
    snprintf(r.item, sizeof r.item, "%s", item);
    if (review_write(s, &r, uid, at_ms, 0.9, &err) < 0)
        fail_msg("%s", err.text);
}

static void test_gathered(void **state)
{
    const int64_t noon = 1700049600000, day = 86400000;
    char *folder = sample_folder(), path[256];
    struct store *s;
    struct err err = {0};
    snprintf(path, sizeof path, "%s/progress.db", folder);
    setenv("TZ", "UTC", 1);
    assert_int_equal(store_open(&s, path, 5000), STORE_OK);
    const struct queue_item items[] = {{.id = "drill:a/one",
                                        .topic = "memory",
                                        .kind = QUEUE_DRILL},
                                       {.id = "card:b/two", .topic = "cost", .kind = QUEUE_CARD}};
    for (int i = 0; i < 4; i++)
        answer(s, "drill:a/one", i ? 1 : 8, i ? "" : "bits for bytes", noon + i * day);
    answer(s, "drill:gone/x", 2, "", noon);
    struct store_event e = sample_event(1);
    struct store_attempt a = sample_attempt("revealed");
    struct store_blob blob = {.sha256 = SAMPLE_SHA, .bytes = "story", .n = 5};
    struct store_belief b[] = {{0, "", "mem.uncoalesced", 10},
                               {1, "time", "mem.uncoalesced", 70},
                               {1, "time", "none.at-limit", 30}};
    struct store_change change = {.attempt = &a, .beliefs = b, .n_beliefs = 3};
    snprintf(a.cause, sizeof a.cause, "mem.uncoalesced");
    a.cause_right = 1;
    a.started_ms = noon;
    assert_int_equal(store_append(s, &e, &blob, 1, &change), STORE_OK);

    struct standing st;
    assert_int_equal(standing_load(&st, s, items, 2, store_day(noon) + 5, &err), 0);
    assert_int_equal(st.n_topics, 2);
    assert_string_equal(st.topics[0].group, "memory");
    assert_true(st.topics[0].n == 4 && st.topics[0].right == 3 && st.topics[0].ranged &&
                st.topics[0].estimates == 4);
    assert_near(st.topics[0].factor, 1, 1e-9);
    assert_int_equal(st.topics[1].n, 0);
    assert_int_equal(st.n_causes, 1);
    assert_true(st.causes[0].n == 1 && st.causes[0].right == 1 && !st.causes[0].ranged);
    assert_true(st.estimates.n == 5 && st.estimates.right == 4);
    assert_int_equal(st.n_slips, 1);
    assert_string_equal(st.slips[0].slip, "bits for bytes");
    assert_true(st.stated[3].n == 5);
    assert_near(st.stated[3].right, 1, 1e-12);
    assert_int_equal(st.n_beliefs, 2); /* those at the end */
    assert_true(st.beliefs[4].n == 1 && st.beliefs[4].right == 1);
    assert_true(st.heat.total == 6 && st.heat.days == 4 && st.heat.most == 3);
    standing_free(&st);
    store_free(s);
    sample_folder_free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_range_is_clipped),
        cmocka_unit_test(test_many_looks),
        cmocka_unit_test(test_calibration),
        cmocka_unit_test(test_wilson),
        cmocka_unit_test(test_wilson_covers),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_slips),
        cmocka_unit_test(test_stated_confidence),
        cmocka_unit_test(test_a_year),
        cmocka_unit_test(test_gathered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

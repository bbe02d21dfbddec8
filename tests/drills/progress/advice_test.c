/* What next and why: only what the data bear, in order, and never more than there is room for; and
 * the forecast of a day's practice. */
#include "drills/progress/advice.h"

#include "drills/memory/forecast.h"
#include "tests/unit.h"

static struct standing_share topic(const char *name, int right, int n)
{
    struct standing_share s = {.group = name,
                               .n = n,
                               .right = right,
                               .share = n ? (double)right / n : 0,
                               .ranged = n >= 3};
    standing_wilson(&s.low, &s.high, right, n);
    return s;
}

static bool says(const struct advice *a, int n, const char *what, const char *why)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(a[i].what, what) && strstr(a[i].why, why))
            return true;
    return false;
}

static void nothing_known_says_nothing(void **state)
{
    struct advice a[ADVICE_MOST];
    struct standing s = {0};
    struct queue q = {0};
    assert_int_equal(advice_make(a, &s, &q), 0);
    struct standing_share fresh[] = {topic("roofline", 0, 0), topic("moe", 0, 0)};
    s.topics = fresh;
    s.n_topics = 2;
    assert_int_equal(advice_make(a, &s, &q),
                     0); /* nothing was tried: no topic is the one that is missing */
}

static void what_is_due_comes_first(void **state)
{
    struct advice a[ADVICE_MOST];
    struct standing s = {0};
    struct queue q = {0};
    q.sum[QUEUE_DRILL] = (struct queue_sum){.now = 1, .seconds = 61};
    q.sum[QUEUE_CARD] = (struct queue_sum){.now = 15, .fresh = 15, .seconds = 240};
    assert_int_equal(advice_make(a, &s, &q), 1);
    assert_string_equal(a[0].what, "drills and cards");
    assert_string_equal(a[0].why,
                        "1 drill (2 min) and 15 cards (4 min) for today, 1 of them due again");
    q.sum[QUEUE_CARD].now = 14; /* a missed cause is asked among the cards */
    q.sum[QUEUE_CAUSE] = (struct queue_sum){.now = 1, .fresh = 1};
    q.sum[QUEUE_CARD].fresh = 14;
    q.sum[QUEUE_DRILL].now = 0;
    advice_make(a, &s, &q);
    assert_string_equal(a[0].why, "15 cards (4 min) for today, all new");
}

static void the_weakest_and_the_untried(void **state)
{
    struct advice a[ADVICE_MOST];
    struct queue q = {0};
    struct standing_share t[] = {topic("silicon", 9, 10), topic("memory", 40, 90),
                                 topic("cost", 0, 2), topic("pipeline", 0, 0),
                                 topic("roofline", 0, 0)};
    struct standing s = {.topics = t, .n_topics = 5};
    int n = advice_make(a, &s, &q);
    assert_int_equal(n, 2);
    assert_true(says(a, n, "memory", "right 40 of 90 times, 35 to 55 %"));
    assert_true(says(a, n, "roofline", "interviews often ask it"));
    t[1] = topic("memory", 90, 90);
    assert_false(says(a, advice_make(a, &s, &q), "memory", ""));
}

static void only_a_calibration_that_is_off_is_told(void **state)
{
    struct advice a[ADVICE_MOST];
    struct queue q = {0};
    struct standing s = {0};
    s.beliefs[4] = (struct standing_bin){.n = 20,
                                         .said = 0.8,
                                         .right = 0.75,
                                         .ranged = true,
                                         .low = 0.53,
                                         .high = 0.89};
    assert_int_equal(advice_make(a, &s, &q), 0);
    s.beliefs[4] = (struct standing_bin){.n = 20,
                                         .said = 0.8,
                                         .right = 0.45,
                                         .ranged = true,
                                         .low = 0.26,
                                         .high = 0.66};
    s.stated[5] = (struct standing_bin){.n = 9,
                                        .said = 0.5,
                                        .right = 1,
                                        .ranged = true,
                                        .low = 0.7,
                                        .high = 1};
    int n = advice_make(a, &s, &q);
    assert_int_equal(n, 2);
    assert_true(says(a, n, "say less", "held at 80 % were the truth in 45 % of 20 cases"));
    assert_true(says(a, n, "narrower intervals", "gave 50 % held the truth in 100 % of 9 cases"));
}

static void everything_fits(void **state)
{
    struct advice a[ADVICE_MOST];
    struct queue q = {0};
    char slip[400];
    memset(slip, 's', sizeof slip - 1);
    slip[sizeof slip - 1] = '\0';
    struct standing_share t[] = {topic("memory", 1, 90), topic("roofline", 0, 0)};
    struct standing s = {.topics = t, .n_topics = 2, .n_slips = 1};
    s.slips[0] = (struct standing_slip){slip, INT32_MAX};
    s.beliefs[0] = s.stated[0] = (struct standing_bin){.n = INT32_MAX,
                                                       .said = 0.9,
                                                       .right = 0.1,
                                                       .ranged = true,
                                                       .high = 0.2};
    for (int k = 0; k < QUEUE_KINDS; k++)
        q.sum[k] = (struct queue_sum){.now = INT32_MAX / 8, .fresh = 1, .seconds = INT32_MAX / 8};
    assert_int_equal(advice_make(a, &s, &q), ADVICE_MOST);
    for (int i = 0; i < ADVICE_MOST; i++)
        assert_true(strlen(a[i].why) > 0 && strlen(a[i].why) < sizeof a[i].why);
}

/* ---- the forecast ---- */

enum { TODAY = 20778, ITEMS = 100 };

static void content(struct queue_item *items)
{
    memset(items, 0, ITEMS * sizeof *items);
    for (int i = 0; i < ITEMS; i++) {
        items[i] = (struct queue_item){.topic = "memory",
                                       .kind = i % 2 ? QUEUE_CARD : QUEUE_DRILL,
                                       .level = 1,
                                       .seconds = i % 2 ? 20 : 60};
        items[i].id[0] = (char)('a' + i / 26);
        items[i].id[1] = (char)('a' + i % 26);
    }
}

static void a_forecast_counts_days_and_leaves_the_items_alone(void **state)
{
    struct queue_item items[ITEMS], before[ITEMS];
    struct queue_settings s = queue_default;
    struct forecast f, slower, again;
    content(items);
    memcpy(before, items, sizeof items);
    s.today = TODAY;
    forecast_make(&f, items, ITEMS, &s);
    assert_memory_equal(items, before, sizeof items);
    assert_int_equal(f.days, 30);
    assert_int_equal(f.unseen, 0);
    assert_true(f.items > ITEMS / 30.0 && f.seconds >= 20 * f.items);
    s.new_cards = s.new_drills = 1;
    forecast_make(&slower, items, ITEMS, &s);
    assert_true(slower.items < f.items);
    assert_int_equal(slower.unseen, ITEMS - 60);
    forecast_make(&again, items, ITEMS, &s);
    assert_memory_equal(&again, &slower, sizeof again);
}

static void a_forecast_ends_at_the_interview(void **state)
{
    struct queue_item items[ITEMS];
    struct queue_settings s = queue_default;
    struct forecast f;
    content(items);
    s.today = TODAY;
    s.interview = TODAY + 12;
    forecast_make(&f, items, ITEMS, &s);
    assert_int_equal(f.days, 12);
    s.interview = TODAY + 5000;
    forecast_make(&f, items, ITEMS, &s);
    assert_int_equal(f.days, FORECAST_DAYS);
    s.interview = TODAY;
    forecast_make(&f, items, ITEMS, &s);
    assert_int_equal(f.days, 0);
    s.interview = TODAY - 3; /* over: as if there were none */
    forecast_make(&f, items, ITEMS, &s);
    assert_int_equal(f.days, 30);
    forecast_make(&f, NULL, 0, &s);
    assert_true(f.items == 0 && f.seconds == 0 && f.unseen == 0);
}

static void what_is_needed_shows_everything_and_no_less_would_much(void **state)
{
    struct queue_item items[ITEMS];
    struct queue_settings s = queue_default;
    struct forecast f;
    int cards = 0, drills = 0;
    content(items);
    s.today = TODAY;
    s.interview = TODAY + 12;
    s.new_drills = 1;
    forecast_make(&f, items, ITEMS, &s);
    assert_int_equal(f.unseen, f.unseen_drills);
    assert_true(f.unseen > 30);
    assert_true(forecast_needed(&cards, &drills, items, ITEMS, &s));
    assert_int_equal(cards, s.new_cards); /* suffices */
    assert_in_range(drills, 5, 7);        /* 50 in ten days */
    s.new_drills = drills;
    forecast_make(&f, items, ITEMS, &s);
    assert_int_equal(f.unseen, 0);
    s.interview = TODAY + 1;              /* nothing new comes so late */
    assert_false(forecast_needed(&cards, &drills, items, ITEMS, &s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_known_says_nothing),
        cmocka_unit_test(what_is_due_comes_first),
        cmocka_unit_test(the_weakest_and_the_untried),
        cmocka_unit_test(only_a_calibration_that_is_off_is_told),
        cmocka_unit_test(everything_fits),
        cmocka_unit_test(a_forecast_counts_days_and_leaves_the_items_alone),
        cmocka_unit_test(a_forecast_ends_at_the_interview),
        cmocka_unit_test(what_is_needed_shows_everything_and_no_less_would_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The home screen's suggestions: their order, their limits, and that no cause can show in them. */
#include "drills/progress/next.h"

#include "tests/unit.h"

static const struct next_item shelf[] = {
    {.id = "p/hard", .title = "Hard", .level = 3, .counted = true, .unseen_variants = 2},
    {.id = "p/warm", .title = "Plain copy", .level = 0, .counted = false, .unseen_variants = 1},
    {.id = "p/easy", .title = "Easy", .level = 1, .counted = true, .unseen_variants = 3},
    {.id = "p/again",
     .title = "Again",
     .level = 2,
     .counted = true,
     .seen = 1,
     .unseen_variants = 1,
     .seen_ms = 50},
    {.id = "p/old",
     .title = "Old",
     .level = 5,
     .counted = true,
     .seen = 2,
     .unseen_variants = 0,
     .seen_ms = 10},
    {.id = "p/less-old",
     .title = "Less old",
     .level = 1,
     .counted = true,
     .seen = 2,
     .seen_ms = 20},
};
enum { SHELF = sizeof shelf / sizeof *shelf };

static void test_first_start(void **state)
{
    struct next out[NEXT_MOST];
    assert_int_equal(next_suggest(out, shelf, 3, NULL, 0, false), 2);
    assert_int_equal(out[0].kind, NEXT_WARMUP);
    assert_string_equal(out[0].id, "p/warm");
    assert_string_equal(next_label(out[0].kind), "warm-up");
    assert_int_equal(out[1].kind, NEXT_SCENARIO);
    assert_string_equal(out[1].id, "p/easy");
    assert_string_equal(out[1].reason, "level 1, not seen yet");
}

static void test_all_kinds_in_order(void **state)
{
    struct store_attempt open[] =
        {{.uid = "older", .scenario = "p/hard/a", .title = "Hard", .started_ms = 1},
         {.uid = "newer", .scenario = "p/hard/b", .title = "Hard", .started_ms = 2, .price = 5}};
    struct next out[NEXT_MOST];
    assert_int_equal(next_suggest(out, shelf, SHELF, open, 2, false), 5);
    const char *const ids[] = {"newer", "p/warm", "p/easy", "p/again", "p/old"};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(out[i].kind, i);
        assert_string_equal(out[i].id, ids[i]);
    }
    assert_string_equal(out[0].reason, "5 min spent, not finished");
}

/* Two solved stories say what is right for somebody; one may be luck, a warm-up says nothing. */
static void test_new_stories_begin_at_the_level_reached(void **state)
{
    struct next_item items[] = {
        {.id = "p/one", .title = "One", .level = 1, .counted = true, .unseen_variants = 1},
        {.id = "p/two", .title = "Two", .level = 2, .counted = true, .unseen_variants = 1},
        {.id = "p/four", .title = "Four", .level = 4, .counted = true, .unseen_variants = 1},
        {.id = "p/a", .title = "A", .level = 4, .counted = true, .seen = 1, .solved = true},
        {.id = "p/b", .title = "B", .level = 3, .counted = true, .seen = 1, .solved = false},
        {.id = "p/w", .title = "W", .level = 0, .seen = 1, .solved = true},
    };
    struct next out[NEXT_MOST];
    assert_true(next_suggest(out, items, 6, NULL, 0, true) > 0);
    assert_string_equal(out[0].id, "p/one");
    items[4].solved = true; /* level 3 is reached */
    assert_true(next_suggest(out, items, 6, NULL, 0, true) > 0);
    assert_string_equal(out[0].id, "p/four");
    items[2].counted = false; /* none is left from there on: the hardest below */
    assert_true(next_suggest(out, items, 6, NULL, 0, true) > 0);
    assert_string_equal(out[0].id, "p/two");
}

static void test_open_story_is_not_offered_twice(void **state)
{
    struct store_attempt open = {.uid = "u", .scenario = "p/easy", .title = "Easy"};
    struct next out[NEXT_MOST];
    assert_int_equal(next_suggest(out, shelf, 3, &open, 1, true), 2);
    assert_string_equal(out[1].id, "p/hard");
    /* A name that merely begins alike is another story. */
    strcpy(open.scenario, "p/easy-going");
    assert_int_equal(next_suggest(out, shelf, 3, &open, 1, true), 2);
    assert_string_equal(out[1].id, "p/easy");
}

static void test_a_begun_story_says_so(void **state)
{
    const struct next_item begun = {.id = "p/easy",
                                    .title = "Easy",
                                    .level = 1,
                                    .counted = true,
                                    .begun = true,
                                    .unseen_variants = 3};
    struct next out[NEXT_MOST];
    assert_int_equal(next_suggest(out, &begun, 1, NULL, 0, true), 1);
    assert_string_equal(out[0].reason, "level 1, begun");
}

static void test_no_warmup_once_something_was_finished(void **state)
{
    struct next out[NEXT_MOST];
    int n = next_suggest(out, shelf, SHELF, NULL, 0, true);
    assert_int_equal(n, 3);
    for (int i = 0; i < n; i++)
        assert_int_not_equal(out[i].kind, NEXT_WARMUP);
    assert_int_equal(next_suggest(out, NULL, 0, NULL, 0, true), 0);
}

static void test_cause_changes_nothing(void **state)
{
    struct store_attempt a = {.uid = "u",
                              .scenario = "p/x",
                              .title = "X",
                              .cause = "mem.uncoalesced",
                              .on_truth = 1};
    struct store_attempt b = {.uid = "u",
                              .scenario = "p/x",
                              .title = "X",
                              .cause = "none.at-limit"};
    struct next one[NEXT_MOST] = {0}, other[NEXT_MOST] = {0};
    assert_int_equal(next_suggest(one, shelf, SHELF, &a, 1, true),
                     next_suggest(other, shelf, SHELF, &b, 1, true));
    assert_memory_equal(one, other, sizeof one);
}

/* ---- the whole day ---- */

static const struct next found[] = {{NEXT_CONTINUE, "uid", "Three buffers", "5 min spent"},
                                    {NEXT_SCENARIO, "p/easy", "The tidy tile", "level 1"},
                                    {NEXT_VARIANT, "p/again", "Again", "level 2"}};

static void test_the_day_as_home_draws_it(void **state)
{
    struct next out[NEXT_MOST];
    struct next_practice p = {.drills = {8, 2, 0, 480},
                              .cards = {15, 0, 0, 225},
                              .drills_known = true,
                              .interview_in = 12,
                              .mock_before = "Tue 1 Dec",
                              .mock = true};
    assert_int_equal(next_day(out, &p, found, 3), 5);
    const enum next_kind kinds[] = {NEXT_CONTINUE, NEXT_DRILLS, NEXT_SCENARIO, NEXT_CARDS,
                                    NEXT_MOCK};
    for (int i = 0; i < 5; i++)
        assert_int_equal(out[i].kind, kinds[i]);
    assert_string_equal(next_label(out[1].kind), "drills");
    assert_string_equal(out[1].title, "8 due");
    assert_string_equal(out[1].reason, "8 min, 60 s each, your slips first");
    assert_string_equal(out[3].title, "15 due");
    assert_string_equal(out[3].reason, "4 min");
    assert_string_equal(out[4].reason, "best before Tue 1 Dec");

    p.drills.slips = 0;
    p.drills.fresh = 3;
    p.interview_in = 3; /* near: what is due before what is new */
    next_day(out, &p, found, 3);
    assert_string_equal(out[1].title, "5 due, 3 new");
    assert_string_equal(out[1].reason, "8 min, 60 s each, nearest to being forgotten first");
    assert_int_equal(out[2].kind, NEXT_CARDS);
    assert_int_equal(out[3].kind, NEXT_SCENARIO);
}

static void test_an_empty_queue_leaves_scenarios(void **state)
{
    struct next out[NEXT_MOST];
    struct next_practice p = {.drills_known = true};
    assert_int_equal(next_day(out, &p, found, 3), 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(out[i].kind, found[i].kind);
    assert_int_equal(next_day(out, &p, NULL, 0), 0);
}

static void test_the_first_day(void **state)
{
    struct next first[NEXT_MOST], out[NEXT_MOST];
    struct next_practice p = {.drills = {40, 0, 40, 2400}, .cards = {15, 0, 15, 240}};
    int n = next_suggest(first, shelf, 3, NULL, 0, false);
    assert_int_equal(next_day(out, &p, first, n), 4);
    const enum next_kind kinds[] = {NEXT_WARMUP, NEXT_SCENARIO, NEXT_DRILLS, NEXT_CARDS};
    for (int i = 0; i < 4; i++)
        assert_int_equal(out[i].kind, kinds[i]);
    assert_string_equal(out[2].title, "10 numbers, 60 s each");
    assert_string_equal(out[3].title, "15 new");
}

static void a_cause_that_was_named_and_not_mended_is_suggested(void **state)
{
    struct next_practice p = {.mend = "uid", .mend_title = "The slow copy", .mock = true};
    struct next out[NEXT_MOST];
    int n = next_day(out, &p, found, 2);
    assert_int_equal(n, 4);
    assert_int_equal(out[3].kind, NEXT_MEND);
    assert_string_equal(out[3].id, "uid");
    assert_string_equal(out[3].title, "The slow copy");
    assert_string_equal(next_label(out[3].kind), "mend");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_start),
        cmocka_unit_test(test_all_kinds_in_order),
        cmocka_unit_test(test_new_stories_begin_at_the_level_reached),
        cmocka_unit_test(test_open_story_is_not_offered_twice),
        cmocka_unit_test(test_a_begun_story_says_so),
        cmocka_unit_test(test_no_warmup_once_something_was_finished),
        cmocka_unit_test(test_cause_changes_nothing),
        cmocka_unit_test(test_the_day_as_home_draws_it),
        cmocka_unit_test(test_an_empty_queue_leaves_scenarios),
        cmocka_unit_test(test_the_first_day),
        cmocka_unit_test(a_cause_that_was_named_and_not_mended_is_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

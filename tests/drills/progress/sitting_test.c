/* A sitting: its order holds, answers are kept in order however busy the store is, undo, and
 * minutes that are over. */
#include "drills/progress/sitting.h"

#include <sqlite3.h>

#include "db/items.h"
#include "kernels/wire/text.h"
#include "tests/db/sample.h"
#include "tests/unit.h"

enum { MINUTE_MS = 60000, DAY_MS = 86400000, CARDS = 6, TOPIC_CARDS = 14 };
#define NOON 1700049600000 /* 2023-11-15 12:00 UTC */

static const unsigned cards_and_causes = 1u << QUEUE_CARD | 1u << QUEUE_CAUSE;

struct place {
    char *folder, path[256];
    struct store *store;
    struct card cards[CARDS + TOPIC_CARDS];
    struct card_set set;
    struct library library;
    struct sitting sitting;
    int64_t now_ms;
};

/* ---- a room to sit in ---- */

static void card_number(struct card *c, int i)
{
    *c = (struct card){
        .set = "t",
        .id = text_format("c%d", i),
        .full_id = text_format("t/c%d", i),
        .topic = text_dup(i < CARDS ? "memory" : "roofline"),
        .kind = CARD_RECALL,
    };
}

static int setup(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    setenv("TZ", "UTC", 1);
    p->folder = sample_folder();
    snprintf(p->path, sizeof p->path, "%s/progress.db", p->folder);
    for (int i = 0; i < CARDS + TOPIC_CARDS; i++)
        card_number(&p->cards[i], i);
    p->set = (struct card_set){.cards = p->cards, .n = CARDS};
    p->library = (struct library){.cards = &p->set, .n_cards = 1};
    p->now_ms = NOON;
    *state = p;
    return store_open(&p->store, p->path, 1);
}

static int teardown(void **state)
{
    struct place *p = *state;
    sitting_close(&p->sitting, p->store, p->now_ms);
    for (int i = 0; i < CARDS + TOPIC_CARDS; i++) {
        free(p->cards[i].id);
        free(p->cards[i].full_id);
        free(p->cards[i].topic);
    }
    store_free(p->store);
    sample_folder_free(p->folder);
    free(p);
    return 0;
}

static struct sitting_given given(const struct place *p)
{
    struct sitting_given g = {.library = &p->library, .store = p->store};
    queue_settings_load(&g.settings, p->store, p->now_ms);
    return g;
}

static void open_topic(struct place *p, const char *topic, uint64_t seed)
{
    struct sitting_given g = given(p);
    assert_int_equal(sitting_open(&p->sitting, &g, cards_and_causes, topic, seed, NULL), 0);
}

static void look(struct place *p)
{
    struct sitting_given g = given(p);
    assert_int_equal(sitting_look(&p->sitting, &g, NULL), 0);
}

/* ---- asking and answering ---- */

/* The next item's id; "" at the end. */
static const char *asked(struct place *p)
{
    const struct queue_entry *e;
    look(p);
    const struct queue_item *item = sitting_next(&p->sitting, &e);
    return item ? item->id : "";
}

static struct sitting_answer answer_to(const char *item)
{
    struct sitting_answer a = {.typed = (char *)"as I know it", .how = DRILL_RIGHT, .seconds = 10};
    snprintf(a.item, sizeof a.item, "%s", item);
    snprintf(a.title, sizeof a.title, "%s", item);
    return a;
}

static int answer_how(struct place *p, const char *item, enum drill_how how)
{
    struct sitting_answer a = answer_to(item);
    struct review r = {.how = how, .seconds = 10, .allowed = 15, .numbered = true, .unit = "1"};
    snprintf(r.item, sizeof r.item, "%s", item);
    a.how = how;
    a.points = 1;
    a.factor = true;
    return sitting_answer(&p->sitting, p->store, p->now_ms, &a, &r, NULL);
}

static int answer(struct place *p, const char *item)
{
    return answer_how(p, item, DRILL_RIGHT);
}

static const struct sitting_answer *newest(const struct place *p)
{
    return &p->sitting.answers[p->sitting.n_answers - 1];
}

static int undo(struct place *p)
{
    struct sitting_answer a = {0};
    int rc = sitting_undo(&p->sitting, p->store, p->now_ms, &a, NULL);
    if (rc == 1)
        free(a.typed);
    return rc;
}

/* Reviews of an item that the file holds. */
static int kept(const struct place *p, const char *item)
{
    struct store_review *r = NULL;
    int n = 0;
    assert_int_equal(store_reviews(p->store, item, 0, 0, &r, &n), STORE_OK);
    free(r);
    return n;
}

static void assert_place(const struct place *p, const char *item, bool open, const char *expected)
{
    char text[48];
    sitting_place(&p->sitting, item, open, text, sizeof text);
    assert_string_equal(text, expected);
}

/* ---- another program that writes ---- */

static sqlite3 *lock(const struct place *p)
{
    sqlite3 *other = NULL;
    assert_int_equal(sqlite3_open(p->path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    return other;
}

static void unlock(sqlite3 *other)
{
    assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
}

/* ---- order ---- */

/* The queue changes with every answer; the plan of the beginning is what is asked. */
static void test_the_order_is_kept(void **state)
{
    struct place *p = *state;
    char plan[CARDS][128], at[48];
    open_topic(p, "", 0);
    assert_int_equal(p->sitting.n_plan, CARDS);
    memcpy(plan, p->sitting.plan, sizeof plan);
    for (int i = 0; i < CARDS; i++) {
        assert_string_equal(asked(p), plan[i]);
        snprintf(at, sizeof at, "%d of %d", i + 1, CARDS);
        assert_place(p, plan[i], true, at);
        assert_int_equal(answer(p, plan[i]), 0);
        assert_place(p, plan[i], false, at);
    }
    assert_string_equal(asked(p), "");
}

static void test_a_skipped_item_does_not_come_back(void **state)
{
    struct place *p = *state;
    char first[128];
    open_topic(p, "", 0);
    snprintf(first, sizeof first, "%s", asked(p));
    sitting_skip(&p->sitting, first);
    assert_string_not_equal(asked(p), first);
    assert_place(p, asked(p), true, "1 of 5");
}

static void test_a_step_comes_again_when_its_minutes_are_over(void **state)
{
    struct place *p = *state;
    char first[128], second[128], why[128];
    open_topic(p, "", 0);
    snprintf(first, sizeof first, "%s", asked(p));
    assert_int_equal(answer_how(p, first, DRILL_WRONG), 0);
    assert_string_equal(newest(p)->next, "in 1 min");
    snprintf(second, sizeof second, "%s", asked(p));
    assert_string_not_equal(second, first);

    p->now_ms += MINUTE_MS;
    assert_string_equal(asked(p), first);
    assert_place(p, first, true, "1 of 6 and one again");
    const struct queue_entry *e;
    sitting_next(&p->sitting, &e);
    sitting_why(&p->sitting, e, why, sizeof why);
    assert_true(*why);

    assert_int_equal(answer(p, first), 0);
    assert_string_equal(asked(p), second);
}

static void test_one_more_at_the_end_is_what_is_nearest(void **state)
{
    struct place *p = *state;
    char item[128], later[160];
    open_topic(p, "", 0);
    while (*asked(p)) {
        snprintf(item, sizeof item, "%s", asked(p));
        assert_int_equal(answer_how(p, item, DRILL_WRONG), 0);
        p->now_ms += 1000;
    }
    sitting_later(&p->sitting, later, sizeof later);
    assert_string_equal(later, "6 still being learned, the next in 1 min.  ");
    assert_string_equal(sitting_more(&p->sitting)->id, p->sitting.answers[0].item);
}

/* ---- one topic ---- */

/* Due ones come first, then new ones; the same seed brings the same sitting. */
static void test_a_topic_has_ten_and_the_due_come_first(void **state)
{
    struct place *p = *state;
    char first[10][128];
    p->set.n = CARDS + TOPIC_CARDS;
    open_topic(p, "", 0);
    assert_int_equal(answer_how(p, "card:t/c19", DRILL_WRONG), 0);
    sitting_close(&p->sitting, p->store, p->now_ms);

    p->now_ms += DAY_MS;
    open_topic(p, "roofline", 3);
    assert_int_equal(p->sitting.n_plan, 10);
    assert_string_equal(asked(p), "card:t/c19");
    for (int i = 0; i < 10; i++)
        assert_string_equal(queue_find(p->sitting.items, p->sitting.n_items,
                                       p->sitting.plan[i])->topic, "roofline");
    memcpy(first, p->sitting.plan, sizeof first);
    sitting_close(&p->sitting, p->store, p->now_ms);
    open_topic(p, "roofline", 3);
    assert_memory_equal(first, p->sitting.plan, sizeof first);
}

/* What was looked at and is not due fills the rest, by chance. */
static void test_a_topic_is_filled_by_chance(void **state)
{
    struct place *p = *state;
    char one[CARDS][128];
    open_topic(p, "memory", 1);
    for (int i = 0; i < CARDS; i++) {
        assert_int_equal(answer(p, p->sitting.plan[i]), 0);
        assert_string_equal(newest(p)->next, "in 10 min");
    }
    sitting_close(&p->sitting, p->store, p->now_ms);
    open_topic(p, "memory", 1);
    assert_int_equal(p->sitting.n_plan, CARDS);
    memcpy(one, p->sitting.plan, sizeof one);
    sitting_close(&p->sitting, p->store, p->now_ms);
    open_topic(p, "memory", 2);
    assert_memory_not_equal(one, p->sitting.plan, sizeof one);
}

/* ---- a busy store ---- */

static void test_a_busy_store_is_tried_again(void **state)
{
    struct place *p = *state;
    open_topic(p, "", 0);
    assert_int_equal(sitting_due_ms(&p->sitting), -1);
    sqlite3 *other = lock(p);
    assert_int_equal(answer(p, "card:t/c0"), ERR_BUSY);
    assert_true(sitting_due_ms(&p->sitting) > 0);
    assert_false(sitting_retry(&p->sitting, p->store, p->now_ms));
    unlock(other);
    assert_int_equal(kept(p, "card:t/c0"), 0);

    assert_true(sitting_retry(&p->sitting, p->store, p->now_ms));
    assert_int_equal(kept(p, "card:t/c0"), 1);
    assert_string_equal(newest(p)->next, "in 10 min");
    assert_int_equal(sitting_due_ms(&p->sitting), -1);
    assert_false(sitting_retry(&p->sitting, p->store, p->now_ms));
    assert_int_equal(kept(p, "card:t/c0"), 1);
}

/* The second answer does not take the place of the first, which waits too. */
static void test_several_answers_wait_and_keep_their_order(void **state)
{
    struct place *p = *state;
    struct sitting_answer beside = answer_to("card:t/c5");
    open_topic(p, "", 0);
    sqlite3 *other = lock(p);
    assert_int_equal(answer(p, "card:t/c0"), ERR_BUSY);
    sitting_answer_uncounted(&p->sitting, &beside);
    for (int i = 0; i < 20; i++) /* the list moves in memory */
        assert_int_equal(answer(p, i % 2 ? "card:t/c1" : "card:t/c2"), ERR_BUSY);
    unlock(other);

    assert_true(sitting_retry(&p->sitting, p->store, p->now_ms));
    assert_int_equal(kept(p, "card:t/c0"), 1);
    assert_int_equal(kept(p, "card:t/c1"), 10);
    assert_int_equal(kept(p, "card:t/c2"), 10);
    assert_int_equal(kept(p, "card:t/c5"), 0);

    struct store_review first, last;
    const struct sitting_answer *a = p->sitting.answers;
    assert_int_equal(store_review_get(p->store, a[0].uid, &first), 1);
    assert_int_equal(store_review_get(p->store, newest(p)->uid, &last), 1);
    assert_true(first.seq < last.seq);
    assert_string_equal(last.given, "as I know it");
}

static void test_what_waits_is_kept_when_one_leaves(void **state)
{
    struct place *p = *state;
    open_topic(p, "", 0);
    sqlite3 *other = lock(p);
    assert_int_equal(answer(p, "card:t/c0"), ERR_BUSY);
    assert_int_equal(answer(p, "card:t/c1"), ERR_BUSY);
    unlock(other);
    sitting_close(&p->sitting, p->store, p->now_ms);
    assert_int_equal(kept(p, "card:t/c0"), 1);
    assert_int_equal(kept(p, "card:t/c1"), 1);
}

/* An answer that can never be kept stands in nobody's way. */
static void test_a_hopeless_answer_does_not_wait(void **state)
{
    struct place *p = *state;
    char item[128];
    memset(item, 'x', sizeof item);
    memcpy(item, "card:", 5);
    item[sizeof item - 1] = '\0';
    open_topic(p, "", 0);
    assert_int_equal(answer(p, item), ERR_TOO_LARGE);
    assert_string_equal(newest(p)->next, "not kept");
    assert_int_equal(sitting_due_ms(&p->sitting), -1);
    assert_int_equal(answer(p, "card:t/c0"), 0);
    assert_int_equal(kept(p, "card:t/c0"), 1);
}

static void test_without_a_store_nothing_is_asked_twice(void **state)
{
    struct place *p = *state;
    store_free(p->store);
    p->store = NULL;
    open_topic(p, "", 0);
    for (int i = 0; i < CARDS; i++) {
        assert_int_equal(answer(p, asked(p)), 0);
        assert_string_equal(newest(p)->next, "not kept");
    }
    assert_string_equal(asked(p), "");
    assert_null(sitting_more(&p->sitting));
}

/* ---- undo ---- */

static void test_undo_restores_memory_and_the_place(void **state)
{
    struct place *p = *state;
    struct sitting_answer a;
    open_topic(p, "", 0);
    char first[128];
    snprintf(first, sizeof first, "%s", asked(p));
    assert_int_equal(undo(p), 0);
    assert_int_equal(answer(p, first), 0);
    assert_int_equal(sitting_undo(&p->sitting, p->store, p->now_ms, &a, NULL), 1);
    assert_string_equal(a.item, first);
    assert_string_equal(a.typed, "as I know it");
    free(a.typed);
    assert_int_equal(kept(p, first), 0);
    assert_string_equal(asked(p), first);
    assert_place(p, first, true, "1 of 6");
}

/* An answer that waits was never kept: nothing is written by taking it back. */
static void test_undo_of_what_waits(void **state)
{
    struct place *p = *state;
    open_topic(p, "", 0);
    sqlite3 *other = lock(p);
    assert_int_equal(answer(p, "card:t/c0"), ERR_BUSY);
    assert_int_equal(answer(p, "card:t/c1"), ERR_BUSY);
    assert_int_equal(undo(p), 1);
    assert_int_equal(undo(p), 1); /* this one was tried */
    assert_int_equal(answer(p, "card:t/c2"), ERR_BUSY);
    unlock(other);
    assert_true(sitting_retry(&p->sitting, p->store, p->now_ms));
    assert_int_equal(kept(p, "card:t/c0"), 0);
    assert_int_equal(kept(p, "card:t/c1"), 0);
    assert_int_equal(kept(p, "card:t/c2"), 1);
}

static void test_undo_that_the_store_refuses_changes_nothing(void **state)
{
    struct place *p = *state;
    open_topic(p, "", 0);
    assert_int_equal(answer(p, "card:t/c0"), 0);
    sqlite3 *other = lock(p);
    assert_int_equal(undo(p), ERR_BUSY);
    unlock(other);
    assert_int_equal(p->sitting.n_answers, 1);
    assert_int_equal(kept(p, "card:t/c0"), 1);
    assert_int_equal(undo(p), 1);
}

/* The solution was shown before `u`, so that the answer after it is seen: its grade is no better,
 * and it has no points and no number. */
static void test_an_answer_after_undo_counts_as_seen(void **state)
{
    struct place *p = *state;
    open_topic(p, "", 0);
    assert_int_equal(answer_how(p, "card:t/c0", DRILL_WRONG), 0);
    assert_false(newest(p)->seen);
    assert_int_equal(undo(p), 1);
    assert_int_equal(answer(p, "card:t/c0"), 0);
    assert_true(newest(p)->seen);
    assert_int_equal(newest(p)->grade, FSRS_AGAIN);
    assert_true(newest(p)->points == 0 && !newest(p)->factor);

    char sum[160];
    sitting_sum(&p->sitting, sum, sizeof sum);
    assert_string_equal(sum, "0 of 1 right   0:10");
    struct store_answer *numbers = NULL;
    int n = -1;
    struct store_answer_filter all = {0};
    assert_int_equal(store_answers(p->store, &all, &numbers, &n), STORE_OK);
    free(numbers);
    assert_int_equal(n, 0);
}

/* The worst grade that was taken back is the cap, however often. */
static void test_undo_twice_keeps_the_worst_grade(void **state)
{
    struct place *p = *state;
    open_topic(p, "", 0);
    assert_int_equal(answer_how(p, "card:t/c0", DRILL_WRONG), 0);
    assert_int_equal(undo(p), 1);
    assert_int_equal(answer(p, "card:t/c0"), 0);
    assert_int_equal(undo(p), 1);
    assert_int_equal(answer(p, "card:t/c0"), 0);
    assert_true(newest(p)->seen);
    assert_int_equal(newest(p)->grade, FSRS_AGAIN);
    assert_int_equal(answer(p, "card:t/c1"), 0);
    assert_false(newest(p)->seen);
}

/* Two looks at one item, both taken back, the better one last. */
static void test_undo_of_two_looks_keeps_the_worse(void **state)
{
    struct place *p = *state;
    open_topic(p, "", 0);
    assert_int_equal(answer(p, "card:t/c0"), 0);
    p->now_ms += DAY_MS;
    assert_int_equal(answer_how(p, "card:t/c0", DRILL_WRONG), 0);
    assert_int_equal(undo(p), 1);
    assert_int_equal(undo(p), 1);
    assert_int_equal(answer(p, "card:t/c0"), 0);
    assert_int_equal(newest(p)->grade, FSRS_AGAIN);
}

/* An extra question has nothing in memory to take back, and caps no later answer. */
static void test_undo_of_what_does_not_count(void **state)
{
    struct place *p = *state;
    struct sitting_answer beside = answer_to("card:t/c0");
    open_topic(p, "", 0);
    sitting_answer_uncounted(&p->sitting, &beside);
    assert_string_equal(newest(p)->next, "not counted");
    assert_int_equal(undo(p), 1);
    assert_int_equal(answer(p, "card:t/c0"), 0);
    assert_false(newest(p)->seen);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_the_order_is_kept),
        TEST(test_a_skipped_item_does_not_come_back),
        TEST(test_a_step_comes_again_when_its_minutes_are_over),
        TEST(test_one_more_at_the_end_is_what_is_nearest),
        TEST(test_a_topic_has_ten_and_the_due_come_first),
        TEST(test_a_topic_is_filled_by_chance),
        TEST(test_a_busy_store_is_tried_again),
        TEST(test_several_answers_wait_and_keep_their_order),
        TEST(test_what_waits_is_kept_when_one_leaves),
        TEST(test_a_hopeless_answer_does_not_wait),
        TEST(test_without_a_store_nothing_is_asked_twice),
        TEST(test_undo_restores_memory_and_the_place),
        TEST(test_undo_of_what_waits),
        TEST(test_undo_that_the_store_refuses_changes_nothing),
        TEST(test_an_answer_after_undo_counts_as_seen),
        TEST(test_undo_twice_keeps_the_worst_grade),
        TEST(test_undo_of_two_looks_keeps_the_worse),
        TEST(test_undo_of_what_does_not_count),
    };
    return cmocka_run_group_tests_name("sitting", tests, NULL, NULL);
}

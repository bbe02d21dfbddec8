/* Sessions of drills and cards among attempts: where one ends, what it is called, what is left out.
 */
#include "tui/home/lately.h"

#include "tests/unit.h"

enum { MINUTE = 60000 };

static struct store_review review(const char *item, int minute, bool correct, int seconds)
{
    struct store_review r = {.at_ms = 1000000000000 + (int64_t)minute * MINUTE,
                             .correct = correct,
                             .took_ms = seconds * 1000};
    snprintf(r.item, sizeof r.item, "%.127s", item);
    return r;
}

static void a_pause_ends_a_session(void **state)
{
    struct store_review r[] = {review("drill:a/1", 100, true, 61),
                               review("drill:a/2", 90, false, 30),
                               review("drill:a/3", 59, true, 10)};
    struct lately *row;
    assert_int_equal(lately_make(&row, NULL, 0, r, 3, false, NULL, 10), 2);
    assert_true(row[0].n == 2 && row[0].right == 1 && row[0].minutes == 2 && !row[0].cards);
    assert_int_equal(row[0].at_ms, r[1].at_ms); /* when it began */
    assert_true(row[1].n == 1 && row[1].minutes == 1);
    assert_string_equal(row[0].title, "Drills");
    free(row);
}

static void kinds_interleave_and_causes_are_left_out(void **state)
{
    struct store_review r[] = {review("card:a/1", 12, true, 5),
                               review("cause:mem.uncoalesced", 11, true, 5),
                               review("drill:a/1", 10, true, 5), review("figure:a/2", 9, false, 5),
                               review("drill:a/2", 8, true, 5)};
    struct lately *row;
    assert_int_equal(lately_make(&row, NULL, 0, r, 5, false, NULL, 10), 2);
    assert_true(row[0].cards && row[0].n == 2 &&
                row[0].right == 1); /* began at 9, the drills at 8 */
    assert_true(!row[1].cards && row[1].n == 2 && row[1].right == 2);
    free(row);
}

static void attempts_stand_where_they_happened(void **state)
{
    struct store_review r[] = {review("card:a/1", 50, true, 5), review("card:a/2", 0, true, 5)};
    struct store_attempt a[] = {{.started_ms = r[0].at_ms + MINUTE, .title = "new"},
                                {.started_ms = r[1].at_ms + MINUTE, .title = "old"}};
    struct lately *row;
    assert_int_equal(lately_make(&row, a, 2, r, 2, false, NULL, 10), 4);
    assert_ptr_equal(row[0].attempt, &a[0]);
    assert_null(row[1].attempt);
    assert_ptr_equal(row[2].attempt, &a[1]);
    free(row);
    assert_int_equal(lately_make(&row, a, 2, r, 2, false, NULL, 3), 3);
    free(row);
    assert_int_equal(lately_make(&row, NULL, 0, NULL, 0, false, NULL, 3), 0);
    free(row);
}

static void what_was_cut_is_not_shown_as_whole(void **state)
{
    struct store_review r[] = {review("card:a/1", 50, true, 5), review("card:a/2", 0, true, 5),
                               review("card:a/3", -1, true, 5)};
    struct lately *row;
    assert_int_equal(lately_make(&row, NULL, 0, r, 3, true, NULL, 10), 1);
    assert_int_equal(row[0].n, 1);
    free(row);
    assert_int_equal(lately_make(&row, NULL, 0, r + 1, 2, true, NULL, 10),
                     1); /* better a part than nothing */
    free(row);
}

static void topics_name_a_session(void **state)
{
    struct library l;
    struct lately *row;
    struct store_review r[40];
    int n = 0, n_topics = 0;
    library_open_at(&l, "content");
    assert_true(library_drills(&l) > 3);
    const char *seen = "";
    for (int k = 0; k < library_drills(&l) && n < 40; k++) {
        const struct drill *d = library_drill_at(&l, k);
        char item[256];
        if (!strcmp(d->topic, seen))
            continue;
        seen = d->topic;
        n_topics++;
        snprintf(item, sizeof item, "drill:%s", d->full_id);
        r[n++] = review(item, 100, true, 5);
    }
    assert_true(n_topics > 3);
    assert_int_equal(lately_make(&row, NULL, 0, r, n, false, &l, 10), 1);
    assert_memory_equal(row[0].title, "Drills: ", 8);
    assert_non_null(strstr(row[0].title, " and more"));
    free(row);
    strcpy(r[0].item, "drill:gone/away");
    assert_int_equal(lately_make(&row, NULL, 0, r, 1, false, &l, 10), 1);
    assert_string_equal(row[0].title, "Drills");
    free(row);
    library_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pause_ends_a_session),
        cmocka_unit_test(kinds_interleave_and_causes_are_left_out),
        cmocka_unit_test(attempts_stand_where_they_happened),
        cmocka_unit_test(what_was_cut_is_not_shown_as_whole),
        cmocka_unit_test(topics_name_a_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What comes next of a story: its healthy variant rests while the debrief of a sibling is fresh.
 * And who worked out the floor of two stories is asked for it no more. */
#include "scenarios/pack/pack.h"
#include "db/moment.h"
#include "scenarios/play/attempt.h"
#include "tests/folder.h"
#include "tests/unit.h"

enum { SEEDS = 24 };
static const int64_t day = INT64_C(24) * 3600 * 1000;
static struct pack *pack, *healthy;
static struct store *store;

static int set_up(void **state)
{
    struct err err = {0};
    return folder_make("drawing") || pack_open(&pack, "content/packs/first-principles", &err) ||
           pack_open(&healthy, "content/packs/hidden-depths", &err);
}

static int tear_down(void **state)
{
    pack_free(pack);
    pack_free(healthy);
    return folder_remove(state);
}

static int open_store(void **state)
{
    static int n;
    char path[160];
    snprintf(path, sizeof path, "%s/%d.db", folder, n++);
    return store_open(&store, path, 2000) == STORE_OK ? 0 : -1;
}

static int close_store(void **state)
{
    store_free(store);
    return 0;
}

/* An attempt whose debrief was read; `floor`: the id under which its estimate stands, or NULL. */
static void lived(const struct variant *v, int64_t at_ms, const char *floor, const char *how)
{
    static const struct store_blob blob = {"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f"
                                           "61caaff8a", "{}", 2};
    static int n;
    struct store_attempt a = {.started_ms = at_ms, .cause_right = 1, .counted = true,
                              .state = "revealed", .tier = "recorded"};
    struct store_event e = {.at_ms = at_ms, .day = store_day(at_ms), .kind = "started",
                            .body = (char *)"{}"};
    struct store_answer answer = {.at_ms = at_ms, .day = e.day, .readable = true, .unit = "s"};
    struct store_change change = {.attempt = &a, .answers = &answer, .n_answers = floor != NULL};
    snprintf(a.uid, sizeof a.uid, "%032d", ++n);
    snprintf(e.uid, sizeof e.uid, "%032d", 1000 + n);
    snprintf(answer.uid, sizeof answer.uid, "%032d", 2000 + n);
    snprintf(e.stream, sizeof e.stream, "attempt:%s", a.uid);
    snprintf(a.scenario, sizeof a.scenario, "%s", v->full_id);
    snprintf(a.content, sizeof a.content, "%s", blob.sha256);
    snprintf(answer.item, sizeof answer.item, "%s#%s", v->story->full_id, floor ? floor : "");
    snprintf(answer.how, sizeof answer.how, "%s", how);
    if (store_append(store, &e, &blob, 1, &change) != STORE_OK)
        fail_msg("%s", store_message(store));
}

static bool draws_healthy(const struct story *s)
{
    bool any = false;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        any = any || attempt_pick(s, store, seed)->pair == PAIR_HEALTHY;
    return any;
}

static void the_healthy_sibling_rests_behind_a_debrief(void **state)
{
    const struct story *s = pack_story(healthy, "tile-product");
    int64_t now = attempt_utc_ms();
    assert_true(draws_healthy(s));
    lived(s->variants[0], now - 60000, NULL, "");
    assert_false(draws_healthy(s));
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const struct variant *other = attempt_pick_other(s->variants[0], store, seed);
        assert_ptr_not_equal(other, s->variants[0]);
        assert_int_not_equal(other->pair, PAIR_HEALTHY);
    }
}

static void it_comes_back_after_some_days(void **state)
{
    const struct story *s = pack_story(healthy, "tile-product");
    lived(s->variants[0], attempt_utc_ms() - 4 * day, NULL, "");
    assert_true(draws_healthy(s));
}

static void one_cause_has_no_other(void **state)
{
    const struct story *s = pack_story(pack, "plain-copy");
    assert_null(attempt_pick_other(s->variants[0], store, 1));
    assert_ptr_equal(attempt_pick(s, store, 1), s->variants[0]);
}

static bool asks_for_the_floor(const char *story)
{
    const struct variant *v = pack_story(pack, story)->variants[0];
    struct err err = {0};
    struct supply *supply = NULL;
    struct attempt *a = NULL;
    assert_int_equal(supply_recorded(&supply, v, NULL, &err), 0);
    assert_int_equal(attempt_start(&a, store, v, supply, 7, 0, &err), 0);
    attempt_leave_floor(a, 0);
    const struct investigation *i = attempt_state(a);
    bool asks = investigation_floor(i) != NULL;
    assert_false(investigation_has_yardstick(i));
    assert_int_equal(asks, strncmp(investigation_due(i, "timing") ? "floor" : "", "floor", 5) == 0);
    attempt_free(a);
    supply_free(supply);
    return asks;
}

static void two_good_floors_are_enough(void **state)
{
    const struct variant *rows = pack_story(pack, "row-means")->variants[0],
                         *copy = pack_story(pack, "transposed-copy")->variants[0];
    int64_t now = attempt_utc_ms();
    assert_true(asks_for_the_floor("scaled-rows"));
    lived(rows, now - 9 * day, "floor-time", "right");
    lived(rows, now - 8 * day, "floor-time", "right");      /* of the same story: known once */
    lived(copy, now - 7 * day, "floor-time", "slip");
    lived(copy, now - 7 * day, "store-requests", "right");
    assert_true(asks_for_the_floor("scaled-rows"));
    lived(copy, now - 6 * day, "floor-time", "right");
    assert_false(asks_for_the_floor("scaled-rows"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_healthy_sibling_rests_behind_a_debrief, open_store,
                                        close_store),
        cmocka_unit_test_setup_teardown(it_comes_back_after_some_days, open_store, close_store),
        cmocka_unit_test_setup_teardown(one_cause_has_no_other, open_store, close_store),
        cmocka_unit_test_setup_teardown(two_good_floors_are_enough, open_store, close_store),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* Reviews: what an answer means, what is written, that undo restores exactly, that the log brings
 * back every row, and which causes come in. */
#include "drills/memory/review.h"

#include <limits.h>
#include <math.h>
#include <sqlite3.h>

#include "db/items.h"
#include "db/moment.h"
#include "scenarios/play/attempt_log.h"
#include "tests/db/sample.h"
#include "tests/unit.h"

enum { DAY_MS = 86400000 };
#define NOON 1700049600000 /* 2023-11-15 12:00 UTC */

struct place { char *folder; char path[256]; struct store *store; };

static int setup(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    setenv("TZ", "UTC", 1);
    p->folder = sample_folder();
    snprintf(p->path, sizeof p->path, "%s/progress.db", p->folder);
    *state = p;
    return store_open(&p->store, p->path, 5000);
}

static int teardown(void **state)
{
    struct place *p = *state;
    store_free(p->store);
    sample_folder_free(p->folder);
    free(p);
    return 0;
}

/* ---- the grade ---- */

static void test_grades(void **state)
{
    static const struct { struct review r; int grade;
    } cases[] = {
        {{.how = DRILL_RIGHT, .seconds = 40, .allowed = 60}, FSRS_GOOD},
        {{.how = DRILL_RIGHT, .seconds = 30, .allowed = 60}, FSRS_EASY},
        {{.how = DRILL_RIGHT, .seconds = 30, .allowed = 0}, FSRS_GOOD},
        {{.how = DRILL_RIGHT, .seconds = 30, .allowed = 60, .hint = true}, FSRS_HARD},
        {{.how = DRILL_RIGHT, .seconds = 90, .allowed = 60}, FSRS_GOOD},
        {{.how = DRILL_RIGHT, .seconds = 91, .allowed = 60}, FSRS_HARD},
        {{.how = DRILL_CLOSE, .log_error = 0.4, .allowed = 60}, FSRS_HARD},
        {{.how = DRILL_CLOSE, .log_error = -0.4, .allowed = 60}, FSRS_HARD},
        {{.how = DRILL_CLOSE, .log_error = -0.5, .allowed = 60}, FSRS_AGAIN},
        {{.how = DRILL_RIGHT, .seconds = 40, .allowed = 60, .low = 4, .high = 6, .confidence = 0.8},
         FSRS_GOOD},
        {{.how = DRILL_RIGHT, .seconds = 40, .allowed = 60, .low = 2, .high = 9, .confidence = 0.8},
         FSRS_HARD},
        {{.how = DRILL_RIGHT,
          .seconds = 40,
          .allowed = 60,
          .low = 1,
          .high = 99,
          .confidence = 0.8},
         FSRS_AGAIN},
        {{.how = DRILL_WRONG, .log_error = 0.3, .low = 4, .high = 6, .confidence = 0.8}, FSRS_HARD},
        {{.how = DRILL_WRONG, .log_error = 0.6, .low = 4, .high = 6, .confidence = 0.8},
         FSRS_AGAIN},
        {{.how = DRILL_SLIP, .seconds = 5, .allowed = 60}, FSRS_AGAIN},
        {{.how = DRILL_WRONG, .seconds = 5, .allowed = 60}, FSRS_AGAIN},
        {{.how = DRILL_SKIPPED, .seconds = 5, .allowed = 60}, FSRS_AGAIN},
        {{.how = DRILL_UNREADABLE}, 0},
        {{.how = DRILL_WRONG_UNIT}, 0},
        {{.how = DRILL_WRONG, .self = FSRS_EASY}, FSRS_EASY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(review_grade(&cases[i].r), cases[i].grade);
}

/* ---- writing ---- */

static struct review card(const char *item, enum fsrs_grade self)
{
    struct review r = {.self = self, .seconds = 7.5, .given = "as I know it"};
    snprintf(r.item, sizeof r.item, "%s", item);
    return r;
}

static struct review drill(const char *item, enum drill_how how, double value)
{
    struct review r = {.how = how,
                       .seconds = 70,
                       .allowed = 60,
                       .given = "4 to 6 ms, 80 %",
                       .slip = how == DRILL_SLIP ? "bits for bytes" : "",
                       .numbered = true,
                       .seed = UINT64_MAX - 5,
                       .unit = "s",
                       .value = value,
                       .truth = 5e-3,
                       .low = 4e-3,
                       .high = 6e-3,
                       .confidence = 0.8,
                       .log_error = log(value / 5e-3)};
    snprintf(r.item, sizeof r.item, "%s", item);
    return r;
}

static int write_one(struct store *s, struct review r, char uid[33], int64_t at_ms)
{
    struct err err = {0};
    int rc = review_write(s, &r, uid, at_ms, 0.9, &err);
    if (rc < 0)
        fail_msg("%s", err.text);
    return rc;
}

static void test_a_drill_is_kept_whole(void **state)
{
    struct place *p = *state;
    char uid[33] = "";
    assert_int_equal(write_one(p->store, drill("drill:inference/decode", DRILL_SLIP, 0.04), uid,
                               NOON),
                     FSRS_AGAIN);
    struct store_answer *a;
    struct store_review *r;
    struct store_item item;
    int n;
    assert_int_equal(store_answers(p->store,
                                   &(struct store_answer_filter){.prefix = "drill:",
                                                                 .slips = true,
                                                                 .intervals = true},
                                   &a, &n),
                     STORE_OK);
    assert_int_equal(n, 1);
    assert_string_equal(a->uid, uid);
    assert_string_equal(a->item, "drill:inference/decode");
    assert_string_equal(a->given, "4 to 6 ms, 80 %");
    assert_string_equal(a->slip, "bits for bytes");
    assert_string_equal(a->how, "slip");
    assert_string_equal(a->unit, "s");
    assert_true(a->readable && a->value == 0.04 && a->truth == 5e-3 && a->low == 4e-3 &&
                a->high == 6e-3 && a->confidence == 0.8);
    assert_true((uint64_t)a->seed == UINT64_MAX - 5 && a->took_ms == 70000 && a->over_ms == 10000 &&
                !a->hint && a->log_error > 2);
    free(a);
    assert_int_equal(store_reviews(p->store, "drill:inference/decode", 0, 0, &r, &n), STORE_OK);
    assert_int_equal(n, 1);
    assert_true(r->grade == FSRS_AGAIN && !r->correct && r->before.phase == 0 &&
                r->after.phase == FSRS_LEARNING && r->after.slip);
    assert_string_equal(r->model, "fsrs-6");
    free(r);
    assert_int_equal(store_item_get(p->store, "drill:inference/decode", &item), 1);
    assert_true(item.memory.slip && item.memory.due_ms == NOON + 60000 && item.memory.reviews == 1);

    /* The right answer takes the mark away; the filters then find nothing new. */
    *uid = '\0';
    assert_int_equal(write_one(p->store, drill("drill:inference/decode", DRILL_RIGHT, 5e-3), uid,
                               NOON + 60000),
                     FSRS_GOOD);
    assert_int_equal(store_item_get(p->store, "drill:inference/decode", &item), 1);
    assert_false(item.memory.slip);
    assert_int_equal(store_answers(p->store, &(struct store_answer_filter){.slips = true}, &a, &n),
                     STORE_OK);
    assert_int_equal(n, 1);
    free(a);
    assert_int_equal(store_answers(p->store, &(struct store_answer_filter){.limit = 1}, &a, &n),
                     STORE_OK);
    assert_int_equal(n, 1);
    assert_string_equal(a->uid, uid);
    free(a);
    assert_int_equal(store_answers(p->store,
                                   &(struct store_answer_filter){.since_day = store_day(NOON) + 1},
                                   &a, &n),
                     STORE_OK);
    assert_int_equal(n, 0);
    free(a);
}

static void test_what_cannot_be_read_is_no_review(void **state)
{
    struct place *p = *state;
    char uid[33] = "";
    struct store_item item;
    assert_int_equal(write_one(p->store, drill("drill:x/y", DRILL_UNREADABLE, 0.04), uid, NOON), 0);
    assert_int_equal(write_one(p->store, drill("drill:x/y", DRILL_WRONG_UNIT, 0.04), uid, NOON), 0);
    assert_int_equal(store_item_get(p->store, "drill:x/y", &item), 0);
}

static void test_the_same_uid_counts_once(void **state)
{
    struct place *p = *state;
    char uid[33] = "";
    struct store_item one, two;
    write_one(p->store, card("card:a/b", FSRS_GOOD), uid, NOON);
    assert_int_equal(store_item_get(p->store, "card:a/b", &one), 1);
    write_one(p->store, card("card:a/b", FSRS_GOOD), uid, NOON);
    assert_int_equal(store_item_get(p->store, "card:a/b", &two), 1);
    assert_memory_equal(&one, &two, sizeof one);
}

/* Two programs on one file: who read the item before the other wrote is told to read again. */
static void test_a_quicker_program_is_noticed(void **state)
{
    struct place *p = *state;
    char uid[33] = "";
    write_one(p->store, card("card:a/b", FSRS_GOOD), uid, NOON);
    struct store_item now;
    assert_int_equal(store_item_get(p->store, "card:a/b", &now), 1);
    struct store_event e = {.uid = "0123456789abcdef0123456789abcdef",
                            .stream = "item:card:a/b",
                            .kind = "reviewed",
                            .body = (char *)"{}"};
    struct store_review stale = {.item = "card:a/b",
                                 .grade = 3,
                                 .before = now.memory,
                                 .after = now.memory};
    struct store_change change = {.review = &stale};
    stale.before.last = 0;
    assert_int_equal(store_append(p->store, &e, NULL, 0, &change), STORE_BUSY);
    assert_int_equal(store_has(p->store, e.uid), 0);
    stale.before.last = now.memory.last;
    assert_int_equal(store_append(p->store, &e, NULL, 0, &change), STORE_OK);
}

static void test_not_text(void **state)
{
    struct place *p = *state;
    char uid[33] = "", typed[300];
    memset(typed, 'x', sizeof typed);
    memcpy(typed + 126, "\xe2\x82\xac and \xff\x01", 9);
    typed[299] = '\0';
    struct review r = card("card:a/b", FSRS_GOOD);
    r.given = typed;
    write_one(p->store, r, uid, NOON);
    struct store_review got;
    assert_int_equal(store_review_get(p->store, uid, &got), 1);
    assert_int_equal(strncmp(got.given, "xxxx", 4), 0);
}

/* ---- the whole state of reviews as text ---- */

static int append_row(void *out, int n, char **values, char **names)
{
    (void)names;
    for (int i = 0; i < n; i++)
        fprintf(out, "%s|", values[i] ? values[i] : "NULL");
    fputc('\n', out);
    return 0;
}

/* The rows that a query brings, as text. */
static char *ask(const char *path, const char *sql)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, append_row, out, NULL), SQLITE_OK);
    sqlite3_close(db);
    fclose(out);
    return text;
}

static char *dump(const char *path)
{
    return ask(path, "SELECT * FROM item ORDER BY id; SELECT * FROM review ORDER BY seq;"
                     "SELECT * FROM answer ORDER BY uid");
}

static uint64_t seed;
static unsigned draw(unsigned below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

static int64_t write_any(struct store *s, int64_t at_ms, char uid[33])
{
    char item[64];
    *uid = '\0';
    snprintf(item, sizeof item, draw(2) ? "card:set/%u" : "drill:set/%u", draw(12));
    at_ms += draw(3) ? (int64_t)draw(600000) : (int64_t)draw(9) * DAY_MS;
    if (*item == 'c')
        write_one(s, card(item, (enum fsrs_grade)(1 + draw(4))), uid, at_ms);
    else
        write_one(s, drill(item, draw(3) ? DRILL_RIGHT : DRILL_SLIP, 1e-3 * (1 + draw(20))), uid,
                  at_ms);
    return at_ms;
}

static void undo(struct store *s, const char *uid, int64_t at_ms)
{
    struct err err = {0};
    if (review_undo(s, uid, at_ms, &err))
        fail_msg("%s", err.text);
}

static void test_undo_restores_exactly(void **state)
{
    struct place *p = *state;
    char uid[33], other[33];
    int64_t at_ms = NOON;
    seed = 5;
    for (int i = 0; i < 200; i++) {
        char *before = dump(p->path);
        at_ms = write_any(p->store, at_ms, uid);
        char *after = dump(p->path);
        assert_string_not_equal(before, after);
        if (draw(2)) {
            undo(p->store, uid, at_ms);
            undo(p->store, uid, at_ms); /* twice is once */
            free(after);
            after = dump(p->path);
            assert_string_equal(before, after);
        }
        free(before);
        free(after);
    }
    /* Backwards through several of one item, but only from the newest. */
    struct err err = {0};
    char *none = dump(p->path);
    *uid = *other = '\0';
    write_one(p->store, card("card:own/one", FSRS_GOOD), uid, at_ms);
    char *one = dump(p->path);
    write_one(p->store, card("card:own/one", FSRS_EASY), other, at_ms + DAY_MS);
    assert_int_equal(review_undo(p->store, uid, at_ms, &err), ERR_IO);
    assert_non_null(strstr(err.text, "not the newest"));
    undo(p->store, other, at_ms + DAY_MS);
    char *got = dump(p->path);
    assert_string_equal(one, got);
    free(got);
    undo(p->store, uid, at_ms + DAY_MS);
    got = dump(p->path);
    assert_string_equal(none, got);
    free(got);
    free(one);
    free(none);
    assert_int_equal(review_undo(p->store, "ffffffffffffffffffffffffffffffff", at_ms, &err),
                     ERR_MISSING);
}

static void test_rebuilt_rows_are_equal(void **state)
{
    struct place *p = *state;
    char uid[33];
    int64_t at_ms = NOON;
    seed = 9;
    for (int i = 0; i < 400; i++) {
        at_ms = write_any(p->store, at_ms, uid);
        if (draw(5) == 0)
            undo(p->store, uid, at_ms);
    }
    char *before = dump(p->path);
    struct store_event odd = {.uid = "0123456789abcdef0123456789abcdef",
                              .stream = "item:card:set/1",
                              .kind = "reviewed",
                              .at_ms = at_ms};
    odd.body = (char *)"{\"grade\":9}"; /* of a later version, or by hand: it stays in the log */
    assert_int_equal(store_append(p->store, &odd, NULL, 0, NULL), STORE_OK);
    store_free(p->store);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(p->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "UPDATE projection SET version = 0; DELETE FROM item; UPDATE "
                                  "review SET grade = 1",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(store_open(&p->store, p->path, 5000), STORE_OK);
    assert_true(store_needs_rebuild(p->store));
    struct err err = {0};
    if (review_rebuild(p->store, &err))
        fail_msg("%s", err.text);
    assert_false(store_needs_rebuild(p->store));
    char *after = dump(p->path);
    assert_string_equal(before, after);
    free(before);
    free(after);
    write_any(p->store, at_ms, uid); /* and it goes on */
}

/* Reviews of three items and undos of them, as deep as they come: after each step the rows are what
 * the log gives. */
static void test_chains_of_undo(void **state)
{
    struct place *p = *state;
    struct err err = {0};
    char uids[90][33];
    int depth = 0;
    int64_t at_ms = NOON;
    seed = 17;
    for (int i = 0; i < 90; i++) {
        int back = depth > 0 && draw(3) == 0 ? 1 + (int)draw((unsigned)depth) : 0;
        if (back == 0)
            at_ms = write_any(p->store, at_ms, uids[depth++]);
        for (; back > 0; back--)
            undo(p->store, uids[--depth], ++at_ms);
        char *before = dump(p->path);
        if (review_rebuild_now(p->store, &err))
            fail_msg("%s", err.text);
        char *after = dump(p->path);
        assert_string_equal(before, after);
        free(before);
        free(after);
    }
    while (depth > 0)
        undo(p->store, uids[--depth], ++at_ms);
    char *none = dump(p->path);
    assert_string_equal(none, "");
    free(none);
}

/* ---- the version before ---- */

#define MEMORY                                                                                     \
    "phase, step, stability, difficulty, reviews, lapses, first_day, seen_day, seen_ms, due_day, " \
    "due_ms, slip, last "
#define WAS                                                                                        \
    "was_phase, was_step, was_stability, was_difficulty, was_reviews, was_lapses, was_first_day, " \
    "was_seen_day, was_seen_ms, was_due_day, was_due_ms, was_slip, was_last "

static void lay_version_3(const char *path)
{
    char *sql = NULL;
    size_t size = 0;
    FILE *f = fopen("tests/db/progress-v3.sql", "r");
    assert_non_null(f);
    assert_true(getdelim(&sql, &size, '\0', f) > 0);
    fclose(f);
    free(ask(path, sql));
    free(sql);
}

/* Version 3 kept in each review what its item had been; now the review before tells. */
static void test_version_3_with_reviews_to_take_back(void **state)
{
    static const char items[] = "SELECT id, " MEMORY "FROM item ORDER BY id";
    struct place *p = *state;
    struct err err = {0};
    store_free(p->store);
    assert_int_equal(remove(p->path), 0);
    lay_version_3(p->path);
    char *items_then = ask(p->path, items);
    char *was = ask(p->path, "SELECT item, " WAS "FROM review WHERE seq IN (7, 8) ORDER BY item");

    assert_int_equal(store_open(&p->store, p->path, 5000), STORE_OK);
    assert_true(store_needs_rebuild(p->store));
    if (review_rebuild(p->store, &err))
        fail_msg("%s", err.text);
    char *items_now = ask(p->path, items);
    assert_string_equal(items_now, items_then);

    undo(p->store, "00000000000000000000000000000006", NOON);
    undo(p->store, "00000000000000000000000000000007", NOON);
    undo(p->store, "00000000000000000000000000000008", NOON); /* the only one: its item goes */
    char *undone = ask(p->path, items);
    assert_string_equal(undone, was);
    free(items_then);
    free(was);
    free(items_now);
    free(undone);
}

/* ---- for the screens ---- */

static void test_days_and_tallies(void **state)
{
    struct place *p = *state;
    char uid[33];
    struct store_study_day *days;
    struct store_tally *tallies;
    int n;
    const enum fsrs_grade grades[] = {FSRS_AGAIN, FSRS_GOOD, FSRS_GOOD, FSRS_EASY};
    for (int i = 0; i < 4; i++) { /* twice on the first day, then once on each of two days */
        *uid = '\0';
        write_one(p->store, card("card:a/b", grades[i]), uid,
                  NOON + (i > 0 ? i - 1 : 0) * (int64_t)DAY_MS);
    }
    assert_int_equal(store_study_days(p->store, store_day(NOON), store_day(NOON) + 1, &days, &n),
                     STORE_OK);
    assert_int_equal(n, 2);
    assert_int_equal(days[0].day, store_day(NOON));
    assert_true(days[0].reviews == 2 && days[0].correct == 1 && days[0].took_ms == 15000 &&
                days[1].reviews == 1);
    free(days);
    assert_int_equal(store_tallies(p->store, &tallies, &n), STORE_OK);
    assert_int_equal(n, 1);
    assert_true(tallies->n == 3 &&
                tallies->correct == 2); /* the second look of a day says little */
    free(tallies);
    struct store_item *items;
    assert_int_equal(store_items(p->store, store_day(NOON), &items, &n), STORE_OK);
    assert_int_equal(n, 0);
    free(items);
    assert_int_equal(store_items(p->store, INT_MAX, &items, &n), STORE_OK);
    assert_int_equal(n, 1);
    free(items);
}

/* ---- causes ---- */

static void play(struct store *s, int number, const char *cause, int right, double on_truth,
                 bool counted)
{
    struct store_event e = sample_event(1000 + (unsigned)number);
    struct store_attempt a = sample_attempt("revealed");
    struct store_blob blob = {.sha256 = SAMPLE_SHA, .bytes = "story", .n = 5};
    struct store_change change = {.attempt = &a};
    snprintf(a.uid, sizeof a.uid, "%032x", number);
    snprintf(a.cause, sizeof a.cause, "%s", cause);
    snprintf(e.stream, sizeof e.stream, "attempt:%s", a.uid);
    a.cause_right = right;
    a.on_truth = on_truth;
    a.counted = counted;
    a.started_ms = NOON + number * (int64_t)DAY_MS;
    a.elapsed_ms = 480000;
    assert_int_equal(store_append(s, &e, &blob, 1, &change), STORE_OK);
}

static void test_missed_causes_come_in_once(void **state)
{
    struct place *p = *state;
    struct err err = {0};
    struct store_item item;
    struct store_review *r;
    int n;
    play(p->store, 1, "mem.uncoalesced", 0, 0.1, true);
    play(p->store, 2, "lat.low-mlp", 1, 0.4, true);
    play(p->store, 3, "smem.bank-conflict", 1, 0.9, true);    /* never missed: no item */
    play(p->store, 4, "mem.uncoalesced", 1, 0.6, true);
    play(p->store, 5, "mem.uncoalesced", 1, 0.9, true);
    play(p->store, 6, "none.at-limit", 0, 0.1, false);        /* not a first look */
    assert_int_equal(review_causes(p->store, &err), 4);
    assert_int_equal(review_causes(p->store, &err), 0);
    assert_int_equal(store_item_get(p->store, "cause:smem.bank-conflict", &item), 0);
    assert_int_equal(store_item_get(p->store, "cause:none.at-limit", &item), 0);
    assert_int_equal(store_item_get(p->store, "cause:lat.low-mlp", &item), 1);
    assert_int_equal(store_reviews(p->store, "cause:mem.uncoalesced", 0, 0, &r, &n), STORE_OK);
    assert_int_equal(n, 3);
    assert_true(r[0].grade == FSRS_EASY && r[1].grade == FSRS_GOOD && r[2].grade == FSRS_AGAIN);
    assert_int_equal(r[0].day, store_day(NOON + 5 * (int64_t)DAY_MS));

    /* Taken back stays taken back; an older good look does not review a later miss. */
    undo(p->store, r[0].uid, NOON);
    free(r);
    assert_int_equal(review_causes(p->store, &err), 0);
    play(p->store, 7, "smem.bank-conflict", 0, 0, true);
    assert_int_equal(review_causes(p->store, &err), 1);
    assert_int_equal(review_causes(p->store, &err), 0);
    assert_int_equal(store_item_get(p->store, "cause:smem.bank-conflict", &item), 1);
    assert_int_equal(item.memory.reviews, 1);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grades),
        CASE(test_a_drill_is_kept_whole),
        CASE(test_what_cannot_be_read_is_no_review),
        CASE(test_the_same_uid_counts_once),
        CASE(test_a_quicker_program_is_noticed),
        CASE(test_not_text),
        CASE(test_undo_restores_exactly),
        CASE(test_rebuilt_rows_are_equal),
        CASE(test_chains_of_undo),
        CASE(test_version_3_with_reviews_to_take_back),
        CASE(test_days_and_tallies),
        CASE(test_missed_causes_come_in_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

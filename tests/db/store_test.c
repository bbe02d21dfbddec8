/* The store: what goes in comes out, and what cannot be stored is refused with a message that says
 * what happened, in which file, and what to do. */
#include "db/store.h"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "tests/db/fixture.h"

/* ---- what goes in comes out ---- */

static void test_event_round_trip(void **state)
{
    struct place *p = *state;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    struct store_event e = sample_event(2);
    snprintf(e.audience, sizeof e.audience, "host");
    assert_int_equal(store_append(p->s, &e, NULL, 0, NULL), STORE_OK);
    close_store(p);
    assert_int_equal(store_open(&p->s, p->path, 0), STORE_OK);

    struct store_event *events;
    int n;
    assert_int_equal(store_events(p->s, SAMPLE_STREAM, &events, &n), STORE_OK);
    assert_int_equal(n, 2);
    assert_string_equal(events[0].kind, "started");
    assert_true(events[1].seq > events[0].seq);
    assert_int_equal(events[1].seq, e.seq);
    assert_string_equal(events[1].uid, e.uid);
    assert_string_equal(events[1].body, e.body);
    assert_string_equal(events[1].audience, "host");
    assert_int_equal(events[1].at_ms, e.at_ms);
    assert_int_equal(events[1].day, e.day);
    store_events_free(events, n);

    char *bytes;
    size_t size;
    assert_int_equal(store_blob_get(p->s, SAMPLE_SHA, &bytes, &size), STORE_OK);
    assert_int_equal(size, 5);
    assert_string_equal(bytes, "story");
    free(bytes);
    assert_int_equal(store_blob_get(p->s, "2222", &bytes, &size), STORE_FAILED);
    assert_null(bytes);
}

static void test_rows_round_trip(void **state)
{
    struct place *p = *state;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    struct store_event e = sample_event(2);
    struct store_attempt a = sample_attempt("revealed");
    a.scored = true, a.score = -12.5, a.score_rule = 1, a.cause_right = 0, a.on_truth = 0.09,
    a.counted = false;
    snprintf(a.cause, sizeof a.cause, "mem.uncoalesced");
    struct store_score_line lines[] = {{"cause", -9.5, 40, "sure and wrong"},
                                       {"location", 5, 5, "line 6"}};
    struct store_belief beliefs[] = {{0, "", "none.at-limit", 40},
                                     {1, "timing", "none.at-limit", 10}};
    struct store_answer answers[] =
        {{.uid = "00000000000000000000000000000002",
          .item = "store-sectors",
          .given = "~32",
          .readable = true,
          .value = 32,
          .unit = "1",
          .truth = 32},
         {.uid = "unread", .item = "fixed-time", .given = "dunno", .unit = "s"}};
    struct store_change change = {.attempt = &a,
                                  .lines = lines,
                                  .n_lines = 2,
                                  .beliefs = beliefs,
                                  .n_beliefs = 2,
                                  .answers = answers,
                                  .n_answers = 2};
    assert_int_equal(store_append(p->s, &e, NULL, 0, &change), STORE_OK);

    struct store_attempt got = sample_attempt_row(p->s, SAMPLE_ATTEMPT);
    assert_string_equal(got.title, a.title);
    assert_string_equal(got.cause, a.cause);
    assert_true(got.scored && !got.counted && got.cause_right == 0);
    assert_true(got.score == -12.5 && got.on_truth == 0.09);

    struct store_score_line *got_lines;
    struct store_belief *got_beliefs;
    int n;
    assert_int_equal(store_score_lines(p->s, SAMPLE_ATTEMPT, &got_lines, &n), STORE_OK);
    assert_int_equal(n, 2);
    assert_string_equal(got_lines[0].line, "cause");
    assert_string_equal(got_lines[1].why, "line 6");
    free(got_lines);
    assert_int_equal(store_beliefs(p->s, SAMPLE_ATTEMPT, &got_beliefs, &n), STORE_OK);
    assert_int_equal(n, 2);
    assert_string_equal(got_beliefs[0].after, "");
    assert_string_equal(got_beliefs[1].after, "timing");
    assert_int_equal(got_beliefs[1].points, 10);
    free(got_beliefs);
    assert_int_equal(count_rows(p->s,
                                "answer WHERE value IS NULL AND attempt = '" SAMPLE_ATTEMPT "'"),
                     1);
}

static void test_lines_and_beliefs_find_their_attempt_by_the_stream(void **state)
{
    struct place *p = *state;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    struct store_event e = sample_event(2);
    struct store_belief belief = {0, "", "none.at-limit", 40};
    struct store_change change = {.beliefs = &belief, .n_beliefs = 1};
    assert_int_equal(store_append(p->s, &e, NULL, 0, &change), STORE_OK);
    belief.points = 70;
    e = sample_event(3);
    assert_int_equal(store_append(p->s, &e, NULL, 0, &change), STORE_OK);
    struct store_belief *got;
    int n;
    assert_int_equal(store_beliefs(p->s, SAMPLE_ATTEMPT, &got, &n), STORE_OK);
    assert_int_equal(n, 1);
    assert_int_equal(got[0].points, 70);
    free(got);
}

static void test_attempts_newest_first(void **state)
{
    struct place *p = *state;
    for (int i = 0; i < 3; i++) {
        struct store_event e = sample_event((unsigned)i + 1);
        struct store_attempt a = sample_attempt(i == 1 ? "revealed" : "open");
        struct store_blob blob = {.sha256 = SAMPLE_SHA, .bytes = NULL, .n = 0};
        struct store_change change = {.attempt = &a};
        snprintf(a.uid, sizeof a.uid, "%032x", i);
        a.started_ms += i;
        assert_int_equal(store_append(p->s, &e, &blob, 1, &change), STORE_OK);
    }
    struct store_attempt *got;
    int n;
    assert_int_equal(store_attempts(p->s, NULL, 0, &got, &n), STORE_OK);
    assert_int_equal(n, 3);
    assert_true(got[0].started_ms > got[1].started_ms && got[1].started_ms > got[2].started_ms);
    free(got);
    assert_int_equal(store_attempts(p->s, "open", 1, &got, &n), STORE_OK);
    assert_int_equal(n, 1);
    assert_string_equal(got[0].state, "open");
    free(got);
    assert_int_equal(store_attempts(p->s, "abandoned", 0, &got, &n), STORE_OK);
    assert_int_equal(n, 0);
    free(got);
}

static void test_same_uid_is_stored_once(void **state)
{
    struct place *p = *state;
    struct store_event e = sample_event(7), again = sample_event(7);
    assert_int_equal(store_append(p->s, &e, NULL, 0, NULL), STORE_OK);
    again.body = (char *)"{\"other\":1}";
    struct store_attempt a = sample_attempt("open");
    struct store_blob blob = {.sha256 = SAMPLE_SHA, .bytes = "x", .n = 1};
    struct store_change change = {.attempt = &a};
    assert_int_equal(store_append(p->s, &again, &blob, 1, &change), STORE_OK);
    assert_int_equal(again.seq, e.seq);
    assert_int_equal(count_rows(p->s, "event"), 1);
    assert_int_equal(count_rows(p->s, "blob"), 0);
    assert_int_equal(count_rows(p->s, "attempt"), 0);
}

static void test_settings(void **state)
{
    struct place *p = *state;
    char *value;
    assert_int_equal(store_setting_get(p->s, "theme", &value), 0);
    assert_null(value);
    assert_int_equal(store_setting_put(p->s, "theme", "li\"ght\nü"), STORE_OK);
    assert_int_equal(store_setting_put(p->s, "runner", "ssh gpubox warpdrill-runner"), STORE_OK);
    assert_int_equal(store_setting_get(p->s, "theme", &value), 1);
    assert_string_equal(value, "li\"ght\nü");
    free(value);
    assert_int_equal(store_setting_put(p->s, "theme", "dark"), STORE_OK);
    assert_int_equal(store_setting_get(p->s, "theme", &value), 1);
    assert_string_equal(value, "dark");
    free(value);
    struct store_event *events;
    int n;
    assert_int_equal(store_events(p->s, "settings", &events, &n), STORE_OK);
    assert_int_equal(n, 3);
    store_events_free(events, n);
}

static void test_streams(void **state)
{
    struct place *p = *state;
    const char *const names[] = {"attempt:bb", "item:x", "attempt:aa", "attempt:bb"};
    for (unsigned i = 0; i < 4; i++) {
        struct store_event e = sample_event(i);
        snprintf(e.stream, sizeof e.stream, "%s", names[i]);
        assert_int_equal(store_append(p->s, &e, NULL, 0, NULL), STORE_OK);
    }
    char **streams;
    int n;
    assert_int_equal(store_streams(p->s, "attempt:", &streams, &n), STORE_OK);
    assert_int_equal(n, 2);
    assert_string_equal(streams[0], "attempt:bb");
    assert_string_equal(streams[1], "attempt:aa");
    store_streams_free(streams, n);
}

/* ---- what is refused ---- */

static void test_body_must_be_an_object(void **state)
{
    struct place *p = *state;
    const char *const bad[] = {"", "[1]", "\"text\"", "{\"a\":", "{} {}", "null"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct store_event e = sample_event(1);
        e.body = (char *)bad[i];
        assert_int_equal(store_append(p->s, &e, NULL, 0, NULL), STORE_FAILED);
        assert_says(p->s, "JSON object");
        assert_says(p->s, p->path);
    }
    assert_int_equal(count_rows(p->s, "event"), 0);
}

static void test_failing_row_takes_the_event_with_it(void **state)
{
    struct place *p = *state;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    struct store_event e = sample_event(2);
    struct store_belief belief = {0, "", "none.at-limit", 101};
    struct store_change change = {.beliefs = &belief, .n_beliefs = 1};
    struct store_blob blob = {.sha256 = "2222222222222222222222222222222222222222222222222222222222"
                                        "222222",
                              .bytes = "x",
                              .n = 1};
    assert_int_equal(store_append(p->s, &e, &blob, 1, &change), STORE_FAILED);
    assert_int_equal(e.seq, 0);
    assert_int_equal(count_rows(p->s, "event"), 1);
    assert_int_equal(count_rows(p->s, "blob"), 1);
    belief.points = 100;
    assert_int_equal(store_append(p->s, &e, &blob, 1, &change), STORE_OK);
}

static void test_event_is_fixed(void **state)
{
    struct place *p = *state;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    assert_int_equal(foreign_sql(p->path, "UPDATE event SET body = '{}'"), SQLITE_CONSTRAINT);
    assert_int_equal(foreign_sql(p->path, "DELETE FROM event"), SQLITE_CONSTRAINT);
    assert_int_equal(count_rows(p->s, "event WHERE body <> '{}'"), 1);
}

static int64_t clock_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void test_busy_comes_at_once(void **state)
{
    struct place *p = *state;
    sqlite3 *other = NULL;
    assert_int_equal(sqlite3_open(p->path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    struct store_event e = sample_event(1);
    int64_t before = clock_ms();
    int rc = store_append(p->s, &e, NULL, 0, NULL);
    int64_t took = clock_ms() - before;
    assert_int_equal(rc, STORE_BUSY);
    assert_true(took < 4000); /* SQLite's own waiting would be the 5 s of opening */
    assert_says(p->s, "try again");
    assert_int_equal(count_rows(p->s, "event"), 0);

    /* Another reader opens beside the writer. */
    struct store *second;
    assert_int_equal(store_open(&second, p->path, 0), STORE_OK);
    store_free(second);

    assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    assert_int_equal(store_append(p->s, &e, NULL, 0, NULL), STORE_OK);
}

static void test_full_disk(void **state)
{
    struct place *p = *state;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    small = before;
    small.rlim_cur = 200000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    unsigned stored = 1;
    int rc = STORE_OK;
    while (rc == STORE_OK && stored < 10000) {
        struct store_event e = sample_event(stored + 1);
        rc = store_append(p->s, &e, NULL, 0, NULL);
        stored += rc == STORE_OK;
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(rc, STORE_FAILED);
    assert_says(p->s, "Make room");
    assert_says(p->s, "all earlier ones are safe");
    assert_says(p->s, p->path);
    assert_int_equal(count_rows(p->s, "event"), stored);
    assert_int_equal(store_check(p->s), STORE_OK);
    struct store_event e = sample_event(stored + 1);
    assert_int_equal(store_append(p->s, &e, NULL, 0, NULL), STORE_OK);
    assert_int_equal(count_rows(p->s, "event"), stored + 1);
}

static void test_an_event_is_kept(void **state)
{
    struct place *p = *state;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    assert_int_equal(foreign_sql(p->path, "DELETE FROM event"), SQLITE_CONSTRAINT);
    assert_int_equal(foreign_sql(p->path, "UPDATE event SET day = 0"), SQLITE_CONSTRAINT);
}

/* ---- projections ---- */

static void test_rebuild(void **state)
{
    struct place *p = *state;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    assert_false(store_needs_rebuild(p->s));
    assert_int_equal(foreign_sql(p->path, "UPDATE projection SET version = 99; CREATE TABLE "
                                          "stranger(x);ALTER TABLE belief ADD COLUMN mood TEXT"),
                     SQLITE_OK);
    assert_true(store_needs_rebuild(p->s));

    /* Until then the log grows and the rows are left alone. */
    struct store_event e = sample_event(2);
    struct store_attempt a = sample_attempt("revealed");
    struct store_change change = {.attempt = &a};
    assert_int_equal(store_append(p->s, &e, NULL, 0, &change), STORE_OK);
    assert_string_equal(sample_attempt_row(p->s, SAMPLE_ATTEMPT).state, "open");

    assert_int_equal(store_rebuild_begin(p->s), STORE_OK);
    assert_int_equal(store_rebuild_end(p->s, false), STORE_OK);
    assert_int_equal(count_rows(p->s, "stranger"), 0);
    assert_int_equal(count_rows(p->s, "attempt"), 1);
    assert_true(store_needs_rebuild(p->s));

    struct store_belief belief = {0, "", "none.at-limit", 40};
    struct store_change beliefs = {.beliefs = &belief, .n_beliefs = 1};
    assert_int_equal(store_rebuild_begin(p->s), STORE_OK);
    assert_int_equal(count_rows(p->s, "attempt"), 0);
    assert_int_equal(store_project(p->s, &change, NULL), STORE_OK);
    assert_int_equal(store_project(p->s, &beliefs, SAMPLE_ATTEMPT), STORE_OK);
    assert_int_equal(store_rebuild_end(p->s, true), STORE_OK);
    assert_false(store_needs_rebuild(p->s));
    assert_string_equal(sample_attempt_row(p->s, SAMPLE_ATTEMPT).state, "revealed");
    assert_int_equal(count_rows(p->s, "belief"), 1);
    assert_int_equal(count_rows(p->s, "event"), 2);
    assert_int_equal(count_rows(p->s, "sqlite_schema WHERE name = 'stranger'"), 0);
}

static void test_lagging_rows_ask_for_a_rebuild(void **state)
{
    struct place *p = *state;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    assert_int_equal(foreign_sql(p->path, "UPDATE projection SET seq = 0"), SQLITE_OK);
    assert_true(store_needs_rebuild(p->s));
    struct store_event e = sample_event(2);
    assert_int_equal(store_append(p->s, &e, NULL, 0, NULL), STORE_OK);
    assert_true(store_needs_rebuild(p->s)); /* one new event does not hide the gap */
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_event_round_trip),
        CASE(test_rows_round_trip),
        CASE(test_lines_and_beliefs_find_their_attempt_by_the_stream),
        CASE(test_attempts_newest_first),
        CASE(test_same_uid_is_stored_once),
        CASE(test_settings),
        CASE(test_streams),
        CASE(test_body_must_be_an_object),
        CASE(test_failing_row_takes_the_event_with_it),
        CASE(test_event_is_fixed),
        CASE(test_busy_comes_at_once),
        CASE(test_full_disk),
        CASE(test_an_event_is_kept),
        CASE(test_rebuild),
        CASE(test_lagging_rows_ask_for_a_rebuild),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Databases that somebody bent: opened or put back, each is refused with a sentence, nothing
 * foreign in it runs, and nothing is changed. */
#include <sys/stat.h>
#include <unistd.h>

#include "db/backup.h"
#include "db/copy.h"
#include "db/items.h"
#include "db/moment.h"
#include "tests/db/fixture.h"

#define T0 1767261600000LL

/* The same with SQLite's protection of its own tables off. */
static void bend(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* An endless view in the place of the table: whoever counts its rows never comes back. */
#define ENDLESS                                                                                    \
    "CREATE VIEW event AS WITH RECURSIVE n(seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM n) "    \
    "SELECT seq,"                                                                                  \
    " '' AS uid, '' AS stream, '' AS kind, 1 AS version, 0 AS at_ms, 0 AS day, '' AS actor, '' "   \
    "AS audience, '{}' AS body FROM n"

static const struct {
    const char *sql;
    int rc;
    const char *says;
} bent[] = {
    {"PRAGMA user_version = -1", STORE_DAMAGED, "its format is -1"},
    {"PRAGMA user_version = -2147483648", STORE_DAMAGED, "its format is -2147483648"},
    {"PRAGMA user_version = 0", STORE_DAMAGED, "its format is 0"},
    {"PRAGMA user_version = 2147483647", STORE_NEWER, "newer warpdrill"},
    {"PRAGMA application_id = 1", STORE_DAMAGED, "another program"},
    {"DROP TABLE event; " ENDLESS, STORE_DAMAGED, "it lacks the table 'event'"},
    {"DROP TABLE event", STORE_DAMAGED, "it lacks the table 'event'"},
    {"DROP TABLE blob", STORE_DAMAGED, "it lacks the table 'blob'"},
    {"DROP INDEX event_stream", STORE_DAMAGED, "it lacks the index 'event_stream'"},
    {"DROP TRIGGER event_is_kept", STORE_DAMAGED, "it lacks the trigger 'event_is_kept'"},
    {"DROP TABLE item", STORE_DAMAGED, "it lacks the table 'item'"},
    {"CREATE TABLE stranger(x)", STORE_DAMAGED, "the table 'stranger'"},
    {"CREATE INDEX stranger ON event(hex(body))", STORE_DAMAGED, "the index 'stranger'"},
    {"CREATE VIEW stranger AS SELECT 1", STORE_DAMAGED, "the view 'stranger'"},
    {"CREATE TRIGGER stranger AFTER INSERT ON event BEGIN DELETE FROM item; END", STORE_DAMAGED,
     "the trigger 'stranger'"},
    {"CREATE VIRTUAL TABLE stranger USING fts5(x)", STORE_DAMAGED, "'stranger"},
    {"DROP TABLE projection; CREATE VIEW projection AS SELECT 'progress' AS name, 2 AS version, 9 "
     "AS seq",
     STORE_DAMAGED, "the view 'projection'"},
    {"UPDATE projection SET version = 99; CREATE TRIGGER stranger AFTER INSERT ON event BEGIN "
     "DELETE FROM item; END",
     STORE_DAMAGED, "the trigger 'stranger'"},
    {"UPDATE projection SET version = 99; CREATE INDEX stranger ON event(hex(body))", STORE_DAMAGED,
     "the index 'stranger'"},
    {"UPDATE projection SET version = 99; CREATE INDEX stranger ON event(hex(body));"
     "UPDATE sqlite_schema SET tbl_name = 'item' WHERE name = 'stranger'",
     STORE_DAMAGED, "a page inside it makes no sense"},
    {"UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL UNIQUE', 'NOT NULL') WHERE name = "
     "'event'",
     STORE_DAMAGED, ""},
    {"UPDATE sqlite_schema SET sql = replace(sql, 'an event is kept', 'no') WHERE name = "
     "'event_is_kept'",
     STORE_DAMAGED, "it lacks the trigger 'event_is_kept'"},
};
enum { BENT = sizeof bent / sizeof *bent };

static long long changed(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return (long long)st.st_size * 1000003 + st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec;
}

static int reset(void **state)
{
    struct place *p = *state;
    return store_open(&p->s, p->path, 0);
}

static void test_none_is_opened(void **state)
{
    struct place *p = *state;
    bool reading;
    for (int i = 0; i < BENT; i++) {
        assert_int_equal(sample_start(p->s, 1), STORE_OK);
        close_store(p);
        bend(p->path, bent[i].sql);
        long long before = changed(p->path);
        int rc = store_open(&p->s, p->path, 0);
        if (rc != bent[i].rc || !strstr(store_message(p->s), bent[i].says) ||
            !strstr(store_message(p->s), p->path))
            fail_msg("%s: %d %s", bent[i].sql, rc, store_message(p->s));
        close_store(p);
        assert_int_equal(store_open_to_read(&p->s, p->path, 0, &reading), bent[i].rc);
        close_store(p);
        assert_int_equal(changed(p->path), before);
        remove(p->path);
        assert_int_equal(reset(state), STORE_OK);
    }
}

static void refuses(struct place *p, const char *sql, int rc, const char *says)
{
    char *said = NULL, *backup = NULL;
    assert_int_equal(backup_make_at(p->s, "bent", T0, &backup), STORE_OK);
    close_store(p);
    bend(backup, sql);
    long long before = changed(p->path);
    int got = backup_restore(p->path, backup, anything_goes, &said);
    if (got != rc || !said || !strstr(said, says) || !strstr(said, "Nothing was changed"))
        fail_msg("%s: %d %s", sql, got, said ? said : "");
    assert_int_equal(changed(p->path), before);
    free(said);
    remove(backup);
    free(backup);
    assert_int_equal(store_open(&p->s, p->path, 0), STORE_OK);
}

static void test_none_is_put_back(void **state)
{
    static const struct {
        const char *sql, *says;
    } more[] = {
        {"UPDATE sqlite_sequence SET seq = 9223372036854775807", "the order of its events"},
        {"DROP TRIGGER event_is_fixed; UPDATE event SET seq = -seq;"
         "CREATE TRIGGER event_is_fixed BEFORE UPDATE ON event\nBEGIN SELECT RAISE(ABORT, 'an "
         "event is never changed'); END",
         "the order of its events"},
        {"PRAGMA foreign_keys = OFF; DELETE FROM blob", "refers to what is not there"},
        {"PRAGMA ignore_check_constraints = ON; UPDATE attempt SET state = 'x'",
         "CHECK constraint"},
        {"UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = "
         "'item') WHERE name = 'blob'",
         "damaged"},
    };
    struct place *p = *state;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    for (int i = 0; i < BENT; i++)
        refuses(p, bent[i].sql, bent[i].rc, bent[i].says);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        refuses(p, more[i].sql, STORE_DAMAGED, more[i].says);
}

static int objects(struct store *copy, char *why, size_t n)
{
    snprintf(why, n, "the judge says no");
    return store_rebuild_begin(copy) == STORE_OK && store_rebuild_end(copy, true) == STORE_OK
               ? STORE_DAMAGED
               : STORE_FAILED;
}

/* Whoever judges may make the rows of the copy again; the backup stays as it is. */
static void test_the_judge_decides(void **state)
{
    struct place *p = *state;
    char *said = NULL, *backup = NULL;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    assert_int_equal(backup_make_at(p->s, "good", T0, &backup), STORE_OK);
    close_store(p);
    long long before = changed(p->path), kept = changed(backup);
    assert_int_equal(backup_restore(p->path, backup, objects, &said), STORE_DAMAGED);
    assert_non_null(strstr(said, "the judge says no. Nothing was changed"));
    assert_int_equal(changed(p->path), before);
    assert_int_equal(changed(backup), kept);
    free(said);
    remove(backup);
    free(backup);
}

/* Rows that a program of ours never wrote are read within their bounds. */
static void test_numbers_stay_in_bounds(void **state)
{
    struct place *p = *state;
    struct store_item *items = NULL;
    struct store_event *events = NULL;
    int n = 0;
    for (int i = 1; i <= 2; i++)
        assert_int_equal(sample_start(p->s, i), STORE_OK);
    close_store(p);
    bend(p->path, "PRAGMA ignore_check_constraints = ON; DELETE FROM item; INSERT INTO item "
                  "VALUES('card:a/b', -7, -9, 0, 0, -1, 9e18, -1, 9e18, -5,"
                  " -9223372036854775807, 9223372036854775807, 77, 9223372036854775807, "
                  "-9223372036854775807, 1);"
                  "DROP TRIGGER event_is_fixed; UPDATE event SET at_ms = 9223372036854775807, day "
                  "= -9223372036854775807;"
                  "CREATE TRIGGER event_is_fixed BEFORE UPDATE ON event\nBEGIN SELECT RAISE(ABORT, "
                  "'an event is never changed'); END");
    assert_int_equal(store_open(&p->s, p->path, 0), STORE_OK);
    assert_int_equal(store_items(p->s, INT32_MAX, &items, &n), STORE_OK);
    assert_int_equal(n, 1);
    assert_in_range(items->memory.phase, 0, 3);
    assert_int_equal(items->memory.step, 0);
    assert_int_equal(items->memory.seen_ms, 0);
    assert_int_equal(items->memory.due_ms, STORE_MS_MOST);
    assert_in_range(items->memory.seen_day, 0, 200000);
    free(items);
    assert_int_equal(store_events(p->s, SAMPLE_STREAM, &events, &n), STORE_OK);
    assert_int_equal(events->at_ms, STORE_MS_MOST);
    assert_int_equal(events->day, -1);
    store_events_free(events, n);
}

static void test_a_clock_gone_wrong(void **state)
{
    assert_int_equal(store_moment(INT64_MIN), 0);
    assert_int_equal(store_moment(INT64_MAX), STORE_MS_MOST);
    assert_int_equal(store_moment(T0), T0);
    assert_int_equal(store_day(INT64_MAX), store_day(STORE_MS_MOST));
    assert_int_equal(store_day(INT64_MIN), store_day(-86400000));
    assert_in_range(store_clock(), T0 - 10LL * 365 * 86400000, STORE_MS_MOST);
}

static int teardown_backups(void **state)
{
    struct place *p = *state;
    char folder[300];
    snprintf(folder, sizeof folder, "%s/backups", p->folder);
    rmdir(folder);
    return teardown(state);
}

int main(void)
{
    alarm(300); /* what is refused too late would never end */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_none_is_opened, setup, teardown),
        cmocka_unit_test_setup_teardown(test_none_is_put_back, setup, teardown_backups),
        cmocka_unit_test_setup_teardown(test_the_judge_decides, setup, teardown_backups),
        cmocka_unit_test_setup_teardown(test_numbers_stay_in_bounds, setup, teardown),
        cmocka_unit_test(test_a_clock_gone_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

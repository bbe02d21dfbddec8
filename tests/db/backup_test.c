/* Backups: made and verified, listed with what is wrong with each, thinned, due once a day, put
 * back. */
#include "db/backup.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "db/copy.h"
#include "tests/db/fixture.h"

#define T0 1767261600000LL /* 2026-01-01T10:00:00Z */
#define DAY 86400000LL

static void folder_of(const struct place *p, char out[320])
{
    snprintf(out, 320, "%s/backups", p->folder);
}

static int count_files(const char *folder)
{
    DIR *dir = opendir(folder);
    int n = 0;
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;)
        n += e->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return n;
}

static int teardown_backups(void **state)
{
    struct place *p = *state;
    char folder[320];
    folder_of(p, folder);
    if (access(folder, F_OK) == 0)
        sample_folder_free(strdup(folder));
    return teardown(state);
}

static void steps(struct place *p, unsigned first, unsigned last)
{
    for (unsigned i = first; i <= last; i++)
        assert_int_equal(sample_step(p->s, i), STORE_OK);
}

static char *make(struct place *p, const char *reason, int64_t at_ms)
{
    char *path;
    if (backup_make_at(p->s, reason, at_ms, &path) != STORE_OK)
        fail_msg("%s", store_message(p->s));
    return path;
}

static void assert_holds(const char *path, int count)
{
    struct store *s;
    if (store_open(&s, path, 0) != STORE_OK)
        fail_msg("%s", store_message(s));
    assert_int_equal(store_check(s), STORE_OK);
    assert_int_equal(sample_count(s), count);
    store_free(s);
}

static void test_a_copy_is_one_whole_file(void **state)
{
    struct place *p = *state;
    struct backup_entry *list;
    struct stat st;
    int n;
    steps(p, 1, 6);
    char *path = make(p, "by-hand", T0);
    assert_string_equal(strrchr(path, '/'), "/progress-20260101T100000Z-by-hand.db");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(backup_list(p->path, &list, &n), STORE_OK);
    assert_int_equal(n, 1);
    assert_true(list[0].good);
    assert_int_equal(list[0].events, 6);
    assert_int_equal(list[0].at_ms, T0);
    assert_int_equal(list[0].size, st.st_size);
    assert_string_equal(list[0].reason, "by-hand");
    backup_list_free(list, n);
    char folder[320];
    folder_of(p, folder);
    assert_int_equal(count_files(folder), 1); /* looking left nothing beside it */
    steps(p, 7, 9);
    assert_holds(path, 6);
    free(path);
}

static int64_t pages_read(sqlite3 *db)
{
    int now = 0, most = 0;
    assert_int_equal(sqlite3_db_status(db, SQLITE_DBSTATUS_CACHE_MISS, &now, &most, 0), SQLITE_OK);
    return now;
}

/* A look reads as many pages of a copy of 200,000 events as of one of 20,000. */
static void test_a_look_costs_the_same_however_large(void **state)
{
    static const char grow[] =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
        "INSERT INTO event(uid, stream, kind, at_ms, day, body) "
        "SELECT lower(hex(randomblob(16))), 'settings', 'set', 0, 0, '{}' FROM n";
    static const int sizes[] = {COPY_EVENTS_MOST, 20000, 200000};
    struct place *p = *state;
    int64_t reads[3];
    for (int i = 0; i < 3; i++) {
        char sql[400], why[160];
        struct copy_facts facts;
        sqlite3 *db = NULL;
        snprintf(sql, sizeof sql, grow, sizes[i] - (i ? sizes[i - 1] : 0));
        assert_int_equal(foreign_sql(p->path, sql), SQLITE_OK);
        char *path = make(p, "by-hand", T0 + i * 1000);
        assert_int_equal(copy_open(&db, path, why, sizeof why), STORE_OK);
        assert_int_equal(copy_look(db, path, false, &facts, why, sizeof why), STORE_OK);
        reads[i] = pages_read(db);
        assert_int_equal(facts.events, COPY_EVENTS_MOST);
        assert_int_equal(facts.more, i > 0);
        assert_int_equal(facts.last, sizes[i]);
        sqlite3_close(db);
        free(path);
    }
    assert_in_range(reads[2], 1, reads[1] + 8); /* a level more of each tree */
}

static void test_the_same_second_replaces_nothing(void **state)
{
    struct place *p = *state;
    steps(p, 1, 2);
    char *a = make(p, "by-hand", T0), *b = make(p, "by-hand", T0);
    assert_string_not_equal(a, b);
    free(a);
    free(b);
}

static void test_a_reason_is_no_path(void **state)
{
    struct place *p = *state;
    char *path;
    assert_int_equal(backup_make_at(p->s, "../../x", T0, &path), STORE_FAILED);
    assert_null(path);
    assert_says(p->s, "no reason");
}

static void test_bad_ones_are_listed_with_why(void **state)
{
    struct place *p = *state;
    struct backup_entry *list;
    int n;
    steps(p, 1, 3);
    char *paths[4];
    for (int i = 0; i < 4; i++)
        paths[i] = make(p, "by-hand", T0 + i * 1000);
    assert_int_equal(truncate(paths[0], 0), 0);
    assert_int_equal(truncate(paths[1], 5000), 0);
    assert_int_equal(foreign_sql(paths[2], "PRAGMA user_version = 77"), SQLITE_OK);
    assert_int_equal(backup_list(p->path, &list, &n), STORE_OK);
    assert_int_equal(n, 4);
    static const char *const whys[] = {"", "newer", "ends after 5000", "nothing is in it"};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(list[i].good, i == 0);
        if (!strstr(list[i].why, whys[i]))
            fail_msg("%s: %s", whys[i], list[i].why);
    }
    backup_list_free(list, n);
    for (int i = 0; i < 4; i++)
        free(paths[i]);
}

/* ---- thinning ---- */

static void test_what_stays(void **state)
{
    enum { N = 800 };
    int days[N], kept = 0, today = 20454;
    bool keep[N];
    for (int i = 0; i < N; i++)
        days[i] = today - i / 2; /* two a day for over a year */
    backup_thin(days, N, today, keep);
    assert_true(keep[0] && keep[1]);
    for (int i = 2; i < N; i++) {
        kept += keep[i];
        if (i < 2 + 24)
            assert_int_equal(keep[i], i % 2 == 0);
        if (keep[i])
            assert_true(i == 0 || days[i] != days[i - 1] || i < 2);
    }
    assert_in_range(kept, 12 + 8 + 6, 12 + 10 + 9);
    int one[] = {today - 4000};
    backup_thin(one, 1, today, keep);
    assert_true(keep[0]);
}

/* Thinned every day, what is left at the end is what thinning once would leave; the oldest reach
 * back for months. */
static void test_thinning_daily_reaches_back(void **state)
{
    int days[400], n = 0, today = 20000;
    bool keep[400];
    for (; today < 20400; today++) {
        memmove(days + 1, days, (size_t)n * sizeof *days);
        days[0] = today;
        n++;
        backup_thin(days, n, today, keep);
        int left = 0;
        for (int i = 0; i < n; i++)
            if (keep[i])
                days[left++] = days[i];
        n = left;
        assert_true(n <= 1 + 12 + 10 + 9);
    }
    assert_true(days[n - 1] < 20400 - 200);
    assert_true(days[12] == 20399 - 12);
}

static void test_old_ones_go_but_never_the_last_good(void **state)
{
    struct place *p = *state;
    struct backup_entry *list;
    int n;
    steps(p, 1, 2);
    for (int i = 0; i < 40; i++)
        free(make(p, "daily", T0 + i * DAY));
    assert_int_equal(backup_list(p->path, &list, &n), STORE_OK);
    assert_in_range(n, 13, 32);
    for (int i = 1; i < n; i++)
        assert_int_equal(truncate(list[i].path, 10), 0);
    backup_list_free(list, n);
    free(make(p, "daily", T0 + 4000 * DAY));
    int again;
    assert_int_equal(backup_list(p->path, &list, &again), STORE_OK);
    assert_int_equal(again, n + 1);
    backup_list_free(list, again);
}

/* ---- by itself ---- */

static void test_once_a_day_when_something_changed(void **state)
{
    struct place *p = *state;
    assert_int_equal(backup_if_due(p->s, T0), 0); /* nothing to keep yet */
    steps(p, 1, 3);
    assert_int_equal(backup_if_due(p->s, T0), 1);
    steps(p, 4, 4);
    assert_int_equal(backup_if_due(p->s, T0 + DAY / 2), 0);
    assert_int_equal(backup_if_due(p->s, T0 + DAY), 1);
    assert_int_equal(backup_if_due(p->s, T0 + 9 * DAY), 0);
}

static void test_a_full_disk_leaves_nothing(void **state)
{
    struct place *p = *state;
    struct rlimit old, small;
    char *path, folder[320];
    steps(p, 1, 6);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 8192;
    setrlimit(RLIMIT_FSIZE, &small);
    int rc = backup_make_at(p->s, "by-hand", T0, &path);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_true(rc < 0);
    assert_null(path);
    assert_says(p->s, "cannot make a backup");
    folder_of(p, folder);
    assert_int_equal(count_files(folder), 0);
    steps(p, 7, 9);
    free(make(p, "by-hand", T0));
}

/* ---- putting back ---- */

static char *restore(const char *db, const char *backup, int want)
{
    char *said;
    int rc = backup_restore(db, backup, anything_goes, &said);
    if (rc != want)
        fail_msg("%d: %s", rc, said ? said : "");
    return said;
}

static void test_restore_keeps_the_former_beside(void **state)
{
    struct place *p = *state;
    steps(p, 1, 4);
    char *backup = make(p, "by-hand", T0);
    steps(p, 5, 9);
    close_store(p);
    char *kept = restore(p->path, backup, STORE_OK);
    assert_non_null(strstr(kept, "progress.db.before-restore-2"));
    assert_holds(p->path, 4);
    assert_holds(kept, 9);
    free(restore(p->path, kept, STORE_OK));
    assert_holds(p->path, 9);
    assert_int_equal(store_open(&p->s, p->path, 0), STORE_OK);
    assert_int_equal(backup_if_due(p->s, T0 + 90 * DAY), 0); /* paused in this process */
    free(kept);
    free(backup);
}

static void test_restore_where_nothing_is(void **state)
{
    struct place *p = *state;
    char elsewhere[300];
    steps(p, 1, 4);
    char *backup = make(p, "by-hand", T0);
    snprintf(elsewhere, sizeof elsewhere, "%s/other.db", p->folder);
    assert_null(restore(elsewhere, backup, STORE_OK));
    assert_holds(elsewhere, 4);
    free(backup);
}

static void overwrite_bytes(const char *path, long at, size_t n)
{
    FILE *f = fopen(path, "r+b");
    fseek(f, at, SEEK_SET);
    for (size_t i = 0; i < n; i++)
        fputc(0x5a, f);
    fclose(f);
}

static void test_restore_over_a_damaged_file(void **state)
{
    struct place *p = *state;
    steps(p, 1, 4);
    char *backup = make(p, "by-hand", T0);
    for (int round = 0; round < 3; round++) {
        struct stat before, after;
        store_free(p->s);
        if (round == 0)
            overwrite_bytes(p->path, 0, 100);       /* no header */
        else if (round == 1)
            assert_int_equal(truncate(p->path, 20), 0);
        else
            overwrite_bytes(p->path, 4096, 12000);  /* pages inside */
        assert_int_equal(stat(p->path, &before), 0);
        char *kept = restore(p->path, backup, STORE_OK);
        assert_int_equal(stat(kept, &after), 0);
        assert_int_equal(before.st_size, after.st_size);
        assert_holds(p->path, 4);
        free(kept);
        assert_int_equal(store_open(&p->s, p->path, 0), STORE_OK);
    }
    free(backup);
}

/* A journal of the damaged file must not be played into the new one. */
static void test_an_old_journal_goes_too(void **state)
{
    struct place *p = *state;
    char wal[300], *said;
    steps(p, 1, 4);
    char *backup = make(p, "by-hand", T0);
    steps(p, 5, 9);
    snprintf(wal, sizeof wal, "%s/saved", p->folder);
    char command[900];
    snprintf(command, sizeof command, "cp '%s-wal' '%s'", p->path, wal);
    assert_int_equal(system(command), 0);
    close_store(p);
    snprintf(command, sizeof command, "mv '%s' '%s-wal'", wal, p->path);
    assert_int_equal(system(command), 0);
    overwrite_bytes(p->path, 0, 100);
    said = restore(p->path, backup, STORE_OK);
    assert_holds(p->path, 4);
    free(said);
    free(backup);
}

static void refused(struct place *p, const char *backup, int want, const char *says, int count)
{
    char *said = restore(p->path, backup, want);
    if (!strstr(said, says) || !strstr(said, "Nothing was changed"))
        fail_msg("%s", said);
    free(said);
    if (p->s)
        assert_int_equal(sample_count(p->s), count);
    else
        assert_holds(p->path, count);
}

static void test_what_restore_refuses(void **state)
{
    struct place *p = *state;
    char other[300];
    steps(p, 1, 4);
    char *backup = make(p, "by-hand", T0), *newer = make(p, "newer", T0),
         *damaged = make(p, "damaged", T0);
    steps(p, 5, 6);
    refused(p, backup, STORE_BUSY, "Close the other warpdrill", 6);
    close_store(p);
    assert_int_equal(foreign_sql(newer, "PRAGMA user_version = 77"), SQLITE_OK);
    refused(p, newer, STORE_NEWER, "newer warpdrill", 6);
    overwrite_bytes(damaged, 8192, 4000);
    refused(p, damaged, STORE_DAMAGED, "damaged", 6);
    snprintf(other, sizeof other, "%s/other", p->folder);
    refused(p, other, STORE_FAILED, "No such file", 6);
    assert_int_equal(foreign_sql(other, "CREATE TABLE event(seq)"), SQLITE_OK);
    refused(p, other, STORE_DAMAGED, "another program", 6);
    char *said = restore(other, backup, STORE_FAILED);
    assert_non_null(strstr(said, "another program"));
    free(said);
    refused(p, p->path, STORE_FAILED, "same file", 6);
    free(backup);
    free(newer);
    free(damaged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_look_costs_the_same_however_large, setup,
                                        teardown_backups),
        cmocka_unit_test_setup_teardown(test_a_copy_is_one_whole_file, setup, teardown_backups),
        cmocka_unit_test_setup_teardown(test_the_same_second_replaces_nothing, setup,
                                        teardown_backups),
        cmocka_unit_test_setup_teardown(test_a_reason_is_no_path, setup, teardown_backups),
        cmocka_unit_test_setup_teardown(test_bad_ones_are_listed_with_why, setup, teardown_backups),
        cmocka_unit_test(test_what_stays),
        cmocka_unit_test(test_thinning_daily_reaches_back),
        cmocka_unit_test_setup_teardown(test_old_ones_go_but_never_the_last_good, setup,
                                        teardown_backups),
        cmocka_unit_test_setup_teardown(test_once_a_day_when_something_changed, setup,
                                        teardown_backups),
        cmocka_unit_test_setup_teardown(test_a_full_disk_leaves_nothing, setup, teardown_backups),
        cmocka_unit_test_setup_teardown(test_restore_keeps_the_former_beside, setup,
                                        teardown_backups),
        cmocka_unit_test_setup_teardown(test_restore_where_nothing_is, setup, teardown_backups),
        cmocka_unit_test_setup_teardown(test_restore_over_a_damaged_file, setup, teardown_backups),
        cmocka_unit_test_setup_teardown(test_an_old_journal_goes_too, setup, teardown_backups),
        cmocka_unit_test_setup_teardown(test_what_restore_refuses, setup, teardown_backups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

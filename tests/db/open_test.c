/* Opening the store: files of every sort, migrations, and where the file lies. */
#include "db/store.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "db/bulk.h"
#include "db/moment.h"
#include "db/place.h"
#include "tests/db/fixture.h"

static void test_newer_version(void **state)
{
    struct place *p = *state;
    close_store(p);
    assert_int_equal(foreign_sql(p->path, "PRAGMA user_version = 7"), SQLITE_OK);
    assert_int_equal(store_open(&p->s, p->path, 0), STORE_NEWER);
    assert_says(p->s, "its format is 7, this program knows up to 1");
    assert_says(p->s, "Update warpdrill");
    assert_says(p->s, p->path);
}

static void test_other_program(void **state)
{
    struct place *p = *state;
    close_store(p);
    remove(p->path);
    assert_int_equal(foreign_sql(p->path, "CREATE TABLE bookmark(url TEXT)"), SQLITE_OK);
    assert_int_equal(store_open(&p->s, p->path, 0), STORE_DAMAGED);
    assert_says(p->s, "another program");
    assert_says(p->s, "--db");
    close_store(p);
    assert_int_equal(foreign_sql(p->path, "SELECT url FROM bookmark"), SQLITE_OK);
}

static void overwrite(const char *path, long at, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    fseek(f, at, SEEK_SET);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static void test_damaged_header(void **state)
{
    struct place *p = *state;
    close_store(p);
    overwrite(p->path, 0, "This is a letter", 16);
    assert_int_equal(store_open(&p->s, p->path, 0), STORE_DAMAGED);
    assert_says(p->s, "does not begin like an SQLite database");
    assert_says(p->s, p->path);
    assert_says(p->s, "Put back a copy");
}

static void test_truncated_file(void **state)
{
    struct place *p = *state;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    close_store(p);
    assert_int_equal(truncate(p->path, 8192), 0);
    assert_int_equal(store_open(&p->s, p->path, 0), STORE_DAMAGED);
    assert_says(p->s, "it ends after 8192 of ");
    close_store(p);
    assert_int_equal(truncate(p->path, 60), 0);
    assert_int_equal(store_open(&p->s, p->path, 0), STORE_DAMAGED);
    assert_says(p->s, "it ends after 60 bytes");
}

static void test_damaged_page(void **state)
{
    struct place *p = *state;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    close_store(p);
    struct stat st;
    assert_int_equal(stat(p->path, &st), 0);
    char noise[4096];
    memset(noise, 0xa5, sizeof noise);
    for (long at = 4096; at < st.st_size; at += 4096)
        overwrite(p->path, at, noise, sizeof noise);
    int rc = store_open(&p->s, p->path, 0);
    if (rc == STORE_OK)
        rc = store_check(p->s);
    assert_int_equal(rc, STORE_DAMAGED);
    assert_says(p->s, "a page inside it makes no sense");
}

static void test_file_in_place_of_the_folder(void **state)
{
    struct place *p = *state;
    char path[300];
    struct store *s;
    snprintf(path, sizeof path, "%s/deeper/progress.db", p->path);
    assert_int_equal(store_open(&s, path, 0), STORE_FAILED);
    assert_says(s, p->path);
    assert_says(s, "Not a directory");
    assert_says(s, "--db");
    store_free(s);
    assert_int_equal(store_open(&s, p->folder, 0), STORE_FAILED);
    assert_says(s, "Is a directory");
    store_free(s);
    assert_int_equal(store_open(&s, "", 0), STORE_FAILED);
    store_free(s);
    store_free(NULL);
}

static void test_makes_private_folders(void **state)
{
    struct place *p = *state;
    char folder[300], path[320];
    struct stat st;
    struct store *s;
    snprintf(folder, sizeof folder, "%s/new", p->folder);
    snprintf(path, sizeof path, "%s/progress.db", folder);
    assert_int_equal(store_open(&s, path, 0), STORE_OK);
    store_free(s);
    assert_int_equal(stat(folder, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    remove(path);
    assert_int_equal(rmdir(folder), 0); /* closing left one file alone */
}

/* ---- what may be read and not written ---- */

/* The rights of a file are nothing to root, so root becomes nobody meanwhile. */
static void act_as(uid_t user)
{
    if (getuid() == 0)
        assert_int_equal(seteuid(user), 0);
}

static long size_of(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (long)st.st_size : -1;
}

static void test_read_only(void **state)
{
    struct place *p = *state;
    struct store_attempt *attempts = NULL;
    int n = 0;
    bool reading = true;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    close_store(p);
    long size = size_of(p->path);
    assert_int_equal(chmod(p->path, 0444) | chmod(p->folder, 0555), 0);
    act_as(65534);
    assert_int_equal(store_open(&p->s, p->path, 0), STORE_FAILED);
    close_store(p);
    assert_int_equal(store_open_to_read(&p->s, p->path, 0, &reading), STORE_OK);
    assert_true(reading);
    assert_says(p->s, "Permission denied");
    assert_string_equal(store_path(p->s), p->path);
    assert_int_equal(store_attempts(p->s, NULL, 0, &attempts, &n), STORE_OK);
    assert_int_equal(n, 1);
    free(attempts);
    assert_int_equal(store_check(p->s), STORE_OK);
    assert_int_equal(sample_start(p->s, 2), STORE_FAILED);
    assert_says(p->s, "only be opened for reading");
    assert_int_equal(store_import_begin(p->s), STORE_FAILED);
    assert_int_equal(store_rebuild_begin(p->s), STORE_OK); /* what an older program left is brought
                                                              up to date for whoever reads */
    assert_int_equal(store_rebuild_end(p->s, true), STORE_OK);
    assert_false(store_needs_rebuild(p->s));
    assert_int_equal(count_rows(p->s, "event"), 1);
    close_store(p);
    act_as(0);
    assert_int_equal(size_of(p->path), size);
    char beside[300];
    snprintf(beside, sizeof beside, "%s-wal", p->path);
    assert_int_equal(size_of(beside), -1);
    chmod(p->folder, 0700);
}

/* A file that can be written in a folder that cannot: SQLite finds no place for its journal. */
static void test_read_only_folder(void **state)
{
    struct place *p = *state;
    bool reading = false;
    close_store(p);
    assert_int_equal(chmod(p->path, 0666) | chmod(p->folder, 0555), 0);
    act_as(65534);
    assert_int_equal(store_open_to_read(&p->s, p->path, 0, &reading), STORE_OK);
    assert_true(reading);
    assert_says(p->s, "cannot be written");
    close_store(p);
    act_as(0);
    chmod(p->folder, 0700);
}

/* As a full disk leaves it: there is nothing to read, and the reason why nothing is kept is told.
 */
static void test_read_only_and_empty(void **state)
{
    struct place *p = *state;
    bool reading = true;
    close_store(p);
    assert_int_equal(truncate(p->path, 0), 0);
    assert_int_equal(chmod(p->path, 0444) | chmod(p->folder, 0555), 0);
    act_as(65534);
    assert_int_equal(store_open_to_read(&p->s, p->path, 0, &reading), STORE_FAILED);
    assert_false(reading);
    assert_says(p->s, "Permission denied");
    close_store(p);
    act_as(0);
    chmod(p->folder, 0700);
}

static void test_not_to_be_read(void **state)
{
    struct place *p = *state;
    bool reading = true;
    assert_int_equal(chmod(p->folder, 0755), 0);
    close_store(p);
    assert_int_equal(store_open_to_read(&p->s, p->path, 0, &reading), STORE_OK);
    assert_false(reading); /* it can be written */
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    close_store(p);
    assert_int_equal(chmod(p->path, 0), 0);
    act_as(65534);
    assert_int_equal(store_open_to_read(&p->s, p->path, 0, &reading), STORE_FAILED);
    assert_false(reading);
    assert_says(p->s, "Permission denied");
    close_store(p);
    act_as(0);
    assert_int_equal(truncate(p->path, 8192), 0);
    chmod(p->path, 0444);
    chmod(p->folder, 0555);
    act_as(65534);
    assert_int_not_equal(store_open_to_read(&p->s, p->path, 0, &reading), STORE_OK);
    assert_false(reading);
    close_store(p);
    act_as(0);
    chmod(p->folder, 0700);
}

/* ---- migrations ---- */

static const char second_step[] = "ALTER TABLE event ADD COLUMN mood TEXT";

static int open_with_steps(struct place *p, const struct store_step *steps, int n)
{
    struct store_place place = {.steps = steps, .n_steps = n};
    return store_open_at(&p->s, p->path, &place);
}

static void test_migration_copies_first(void **state)
{
    struct place *p = *state;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    close_store(p);
    struct store_step steps[] = {{store_schema("log.sql")}, {second_step}};
    assert_int_equal(open_with_steps(p, steps, 2), STORE_OK);
    assert_int_equal(count_rows(p->s, "event WHERE mood IS NULL"), 1);
    close_store(p);
    assert_int_equal(open_with_steps(p, steps, 2), STORE_OK);
    close_store(p);
    assert_int_equal(store_open(&p->s, p->path, 0), STORE_NEWER);
    close_store(p);

    char copy[300];
    snprintf(copy, sizeof copy, "%s.before-v2", p->path);
    assert_int_equal(store_open(&p->s, copy, 0), STORE_OK);
    assert_int_equal(count_rows(p->s, "event"), 1);
    assert_int_equal(store_check(p->s), STORE_OK);
}

static void test_failing_migration_changes_nothing(void **state)
{
    struct place *p = *state;
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    close_store(p);
    struct store_step steps[] = {{store_schema("log.sql")}, {second_step}, {"DROP TABLE absent"}};
    assert_int_equal(open_with_steps(p, steps, 3), STORE_FAILED);
    assert_says(p->s, "absent");
    close_store(p);
    assert_int_equal(store_open(&p->s, p->path, 0), STORE_OK);
    assert_int_equal(count_rows(p->s, "event"), 1);
}

static void test_no_copy_no_migration(void **state)
{
    struct place *p = *state;
    close_store(p);
    char copy[300], inside[320];
    snprintf(copy, sizeof copy, "%s.before-v2", p->path);
    snprintf(inside, sizeof inside, "%s/x", copy);
    assert_int_equal(mkdir(copy, 0700), 0);
    assert_int_equal(mkdir(inside, 0700), 0);
    struct store_step steps[] = {{store_schema("log.sql")}, {second_step}};
    assert_int_equal(open_with_steps(p, steps, 2), STORE_FAILED);
    assert_says(p->s, "its format was not changed");
    close_store(p);
    rmdir(inside);
    rmdir(copy);
    assert_int_equal(store_open(&p->s, p->path, 0), STORE_OK);
}

/* ---- where it lies ---- */

static void test_network_place(void **state)
{
    struct place *p = *state;
    char shm[300];
    snprintf(shm, sizeof shm, "%s-shm", p->path);
    assert_true(place_is_network_type(0x6969));
    assert_true(place_is_network_type(0xffffffffff534d42UL)); /* a sign-extended magic */
    assert_false(place_is_network_type(0xef53));              /* ext4 */
    assert_int_equal(sample_start(p->s, 1), STORE_OK);
    close_store(p);
    struct store_step steps[] = {{store_schema("log.sql")}};
    struct store_place place = {.network = true, .steps = steps, .n_steps = 1};
    assert_int_equal(store_open_at(&p->s, p->path, &place), STORE_OK);
    struct store_event e = sample_event(2);
    assert_int_equal(store_append(p->s, &e, NULL, 0, NULL), STORE_OK);
    assert_int_not_equal(access(shm, F_OK), 0); /* no shared memory */
    struct store *second;
    assert_int_equal(store_open_at(&second, p->path, &place), STORE_OK);
    assert_int_equal(count_rows(second, "event"), 2);
    store_free(second);
}

static void test_day_begins_at_four(void **state)
{
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
    int64_t midnight = (19676LL * 86400 - 3600) * 1000; /* 2023-11-15 00:00 there */
    assert_int_equal(store_day(midnight), 19675);
    assert_int_equal(store_day(midnight + 4 * 3600000 - 1), 19675);
    assert_int_equal(store_day(midnight + 4 * 3600000), 19676);
    int64_t spring = (19813LL * 86400 - 3600) * 1000; /* 2024-03-31: 02:00 is followed by 03:00 */
    assert_int_equal(store_day(spring + 3 * 3600000 - 1), 19812);
    assert_int_equal(store_day(spring + 3 * 3600000), 19813);
    assert_int_equal(store_day(-1),
                     -1); /* 00:59:59 on 1970-01-01 still belongs to the day before */
    unsetenv("TZ");
    tzset();
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_newer_version),
        CASE(test_other_program),
        CASE(test_damaged_header),
        CASE(test_truncated_file),
        CASE(test_damaged_page),
        CASE(test_file_in_place_of_the_folder),
        CASE(test_makes_private_folders),
        CASE(test_read_only),
        CASE(test_read_only_folder), CASE(test_read_only_and_empty),
        CASE(test_not_to_be_read),
        CASE(test_migration_copies_first),
        CASE(test_failing_migration_changes_nothing),
        CASE(test_no_copy_no_migration),
        CASE(test_network_place),
        CASE(test_day_begins_at_four),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

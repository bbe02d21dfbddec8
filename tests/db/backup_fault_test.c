/* Backing up and restoring on a disk that fails at its Nth operation, and killed there, for every
 * N: a backup is good or absent, the database is the former or the restored one, never a mixture,
 * and what is on the disk can always be opened and used. */
#include "db/backup.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include "db/copy.h"
#include "tests/db/disk.h"
#include "tests/db/sample.h"
#include "tests/unit.h"

enum { FORMER = 9, KEPT = 5 };
#define T0 1767261600000LL

struct scene { char *folder, db[128], backup[128], backups[128]; };
enum start { FROM_WHOLE, FROM_DAMAGED, FROM_NOTHING, STARTS };

static void spoil(const char *path)
{
    FILE *f = fopen(path, "r+b");
    fputs("no database at all", f);
    fclose(f);
}

static void scene_name(struct scene *s)
{
    s->folder = sample_folder();
    snprintf(s->db, sizeof s->db, "%s/progress.db", s->folder);
    snprintf(s->backup, sizeof s->backup, "%s/five", s->folder);
    snprintf(s->backups, sizeof s->backups, "%s/backups", s->folder);
}

/* A database of nine steps and a file that holds five of them: made once, and copied from then on. */
static struct scene whole;

static void whole_make(void)
{
    struct store *store;
    scene_name(&whole);
    assert_int_equal(store_open(&store, whole.db, 0), STORE_OK);
    for (unsigned i = 1; i <= FORMER; i++) {
        assert_int_equal(sample_step(store, i), STORE_OK);
        if (i == KEPT)
            assert_int_equal(backup_make_as(store, whole.backup), STORE_OK);
    }
    store_free(store);
}

static void copy(const char *to, const char *from)
{
    char bytes[4096];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_true(in && out);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;)
        assert_int_equal(fwrite(bytes, 1, n, out), n);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

static void scene_make(struct scene *s, enum start start)
{
    if (!whole.folder)
        whole_make();
    scene_name(s);
    copy(s->db, whole.db);
    copy(s->backup, whole.backup);
    if (start == FROM_DAMAGED)
        spoil(s->db);
    else if (start == FROM_NOTHING)
        remove(s->db);
}

static void scene_free(struct scene *s)
{
    if (access(s->backups, F_OK) == 0)
        sample_folder_free(strdup(s->backups));
    sample_folder_free(s->folder);
}

static int count_of(const char *path)
{
    struct store *s;
    int rc = store_open(&s, path, 0), n = -1;
    if (rc == STORE_OK && store_check(s) == STORE_OK)
        n = sample_count(s);
    else if (rc != STORE_DAMAGED)
        fail_msg("%s", store_message(s));
    store_free(s);
    return n;
}

/* ---- the two works; they answer whether all went well ---- */

static bool back_up(const struct scene *s)
{
    struct store *store;
    bool good = store_open(&store, s->db, 0) == STORE_OK &&
                backup_make_at(store, "daily", T0, NULL) == STORE_OK;
    store_free(store);
    return good;
}

static bool put_back(const struct scene *s)
{
    char *said;
    int rc = backup_restore(s->db, s->backup, anything_goes, &said);
    if (rc != STORE_OK)
        assert_true(said && strstr(said, "Nothing was changed"));
    free(said);
    return rc == STORE_OK;
}

static void check_backed_up(const struct scene *s, bool done)
{
    struct backup_entry *all;
    int n;
    assert_int_equal(count_of(s->db), FORMER);
    assert_int_equal(backup_list(s->db, &all, &n), STORE_OK);
    assert_true(n <= 1 && (n == 1 || !done));
    for (int i = 0; i < n; i++)
        assert_int_equal(count_of(all[i].path), FORMER);
    backup_list_free(all, n);
    assert_true(back_up(s));
}

static void check_put_back(const struct scene *s, enum start start, bool done)
{
    bool there = access(s->db, F_OK) == 0;
    int n = there ? count_of(s->db) : -1;
    if (done || start == FROM_WHOLE)
        assert_true(n == KEPT || (n == FORMER && !done));
    assert_true(n == KEPT || n == FORMER || start != FROM_WHOLE);
    assert_int_equal(count_of(s->backup), KEPT);
    assert_true(put_back(s));
    assert_int_equal(count_of(s->db), KEPT);
}

/* Returns false once the fault lies behind the end of the work. */
static bool run(int at, enum fault_kind kind, bool for_ever, bool restoring, enum start start)
{
    struct scene s;
    int status = 0;
    bool done = false;
    scene_make(&s, start);
    disk.countdown = at;
    disk.kind = kind;
    disk.for_ever = for_ever;
    disk.hit = false;
    pid_t child = kind == FAULT_KILLED ? fork() : -1;
    if (child <= 0)
        done = restoring ? put_back(&s) : back_up(&s);
    if (child == 0)
        _exit(0);
    if (child > 0)
        assert_int_equal(waitpid(child, &status, 0), child);
    bool hit = child > 0 ? WIFSIGNALED(status) : disk.hit;
    disk.countdown = 0;
    disk.kind = FAULT_REFUSED;
    disk.hit = false;
    disk.for_ever = false;
    if (restoring)
        check_put_back(&s, start, done);
    else
        check_backed_up(&s, done);
    scene_free(&s);
    return hit;
}

/* How many faults or kills were tried. */
static int sweep(enum fault_kind kind, bool for_ever, bool restoring, enum start start)
{
    int tried = 0;
    for (int at = 1 + (int)kind % ONE_OF; run(at, kind, for_ever, restoring, start); at += ONE_OF)
        tried++;
    return tried;
}

static void test_a_backup_is_good_or_absent(void **state)
{
    int faults = 0;
    for (enum fault_kind kind = 0; kind < FAULT_KINDS; kind++)
        for (int for_ever = 0; for_ever < 2; for_ever++)
            faults += sweep(kind, for_ever, false, FROM_WHOLE);
    int kills = sweep(FAULT_KILLED, false, false, FROM_WHOLE);
    print_message("# %d faults, %d kills\n", faults, kills);
    assert_true(faults > 100 / ONE_OF && kills > 20 / ONE_OF);
}

static void test_a_restore_is_done_or_not(void **state)
{
    int faults = 0, kills = 0;
    for (enum start start = 0; start < STARTS; start++) {
        for (enum fault_kind kind = 0; kind < FAULT_KINDS; kind++)
            for (int for_ever = 0; for_ever < 2; for_ever++)
                faults += sweep(kind, for_ever, true, start);
        kills += sweep(FAULT_KILLED, false, true, start);
    }
    print_message("# %d faults, %d kills\n", faults, kills);
    assert_true(faults > 100 / ONE_OF && kills > 40 / ONE_OF);
}

static int forget_whole(void **state)
{
    sample_folder_free(whole.folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_backup_is_good_or_absent),
                                       cmocka_unit_test(test_a_restore_is_done_or_not)};
    return cmocka_run_group_tests(tests, install_shim, forget_whole);
}

/* A disk that fails at its Nth write, truncation or sync, for every N that the work below reaches:
 * refusing, tearing the write in half, or full; once, or from then on for ever. What was
 * acknowledged is there afterwards, what was not is absent or whole, the file is never broken, and
 * repeating a refused step on a disk that works again stores it once. */
#include "db/store.h"

#include <sqlite3.h>

#include "tests/db/disk.h"
#include "tests/db/sample.h"
#include "tests/unit.h"

/* ---- the work ---- */

enum { STEPS = 7 };

/* Stops at the first step that stays refused; one repetition is allowed. Returns steps
 * acknowledged. */
static int work(const char *path)
{
    struct store *s;
    int done = 0;
    if (store_open(&s, path, 0) == STORE_OK) {
        while (done < STEPS) {
            unsigned number = (unsigned)done + 1;
            if (sample_step(s, number) != STORE_OK) {
                assert_true(strlen(store_message(s)) > 0);
                int again = sample_step(s, number);
                if (!disk.for_ever)
                    assert_int_equal(again, STORE_OK);
                if (again != STORE_OK)
                    break;
            }
            done++;
        }
    }
    store_free(s);
    return done;
}

/* On a disk that works again. */
static void check_file(const char *path, int done)
{
    struct store *s;
    int rc = store_open(&s, path, 0);
    if (rc != STORE_OK)
        fail_msg("%s", store_message(s));
    assert_int_equal(store_check(s), STORE_OK);
    assert_false(store_needs_rebuild(s));
    assert_in_range(sample_count(s), done, done + 1);
    for (unsigned i = 1; i <= STEPS; i++)
        assert_int_equal(sample_step(s, i), STORE_OK);
    assert_int_equal(sample_count(s), STEPS);
    store_free(s);
}

/* False once the fault lies behind the end of the work. */
static bool run_with_fault(int at, enum fault_kind kind, bool for_ever)
{
    char *folder = sample_folder();
    char path[256];
    snprintf(path, sizeof path, "%s/progress.db", folder);
    disk.countdown = at;
    disk.kind = kind;
    disk.for_ever = for_ever;
    disk.hit = false;
    int done = work(path);
    bool hit = disk.hit;
    disk.countdown = 0;
    disk.hit = false;
    check_file(path, done);
    sample_folder_free(folder);
    return hit;
}

static void test_no_fault_breaks_the_file(void **state)
{
    int points = 0;
    for (enum fault_kind kind = 0; kind < FAULT_KINDS; kind++)
        for (int for_ever = 0; for_ever < 2; for_ever++)
            for (int at = 1 + (int)kind % ONE_OF; run_with_fault(at, kind, for_ever);
                 at += ONE_OF)
                points++;
    print_message("# %d fault points\n", points);
    assert_true(points > 100 / ONE_OF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_fault_breaks_the_file)};
    return cmocka_run_group_tests(tests, install_shim, NULL);
}

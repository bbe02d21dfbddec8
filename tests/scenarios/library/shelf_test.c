/* An update of a pack is killed before each of its renames: the old copy or the new one is there. */
#include "scenarios/library/shelf.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/folder.h"
#include "tests/unit.h"

static char place[128];
/* In the child alone: the rename before which it dies, and whether its file system can exchange. */
static int renames_left = -1;
static bool can_exchange = true;

static void count_rename(void)
{
    if (renames_left == 0)
        kill(getpid(), SIGKILL);
    renames_left--;
}

/* These two stand before libc's. */
int rename(const char *from, const char *to)
{
    count_rename();
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    count_rename();
    if (!can_exchange) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
}

static int shell(const char *before, const char *behind)
{
    char command[512];
    snprintf(command, sizeof command, "%s %s/%s", before, folder, behind);
    return system(command);
}

static int setup(void **state)
{
    char data[96], states[96];
    struct shelf_source source;
    struct pack *p = NULL;
    struct err err = {0};
    if (folder_make("shelf"))
        return -1;
    snprintf(data, sizeof data, "%s/data", folder);
    snprintf(states, sizeof states, "%s/state", folder);
    snprintf(place, sizeof place, "%s/warpdrill/packs/example", data);
    setenv("XDG_DATA_HOME", data, 1);
    setenv("XDG_STATE_HOME", states, 1);
    char from[96];
    snprintf(from, sizeof from, "%s/from", folder);
    int rc = shell("cp -r tests/packs/good", "from");
    rc = rc ? rc : shelf_source_read(&source, from, &err);
    rc = rc ? rc : shelf_add(&p, &source, &err);
    pack_free(p);
    shelf_source_free(&source);
    return rc;
}

/* An update that dies before its `left`-th rename; was it killed? */
static bool update_killed_at(int left, bool exchanges)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct pack *p;
        struct err err;
        bool changed;
        can_exchange = exchanges;
        renames_left = left;
        _exit(shelf_update(&p, &changed, "example", NULL, &err) ? 1 : 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status);
}

static void assert_listed(void)
{
    int n;
    struct shelf_entry *all = shelf_list(&n);
    assert_int_equal(n, 1);
    assert_string_equal(all[0].id, "example");
    shelf_list_free(all, n);
    struct pack *p = NULL;
    struct err err = {0};
    if (pack_open_whole(&p, place, &err))
        fail_msg("%s", err.text);
    pack_free(p);
}

static void where_folders_can_be_exchanged_one_is_always_in_its_place(void **state)
{
    (void)state;
    int at = 0;
    while (update_killed_at(at, true)) {
        assert_int_equal(access(place, F_OK), 0);
        at++;
    }
    assert_true(at > 0);
    assert_listed();
}

static void where_they_cannot_the_old_one_is_put_back(void **state)
{
    (void)state;
    int at = 0, gone = 0;
    while (update_killed_at(at, false)) {
        gone += access(place, F_OK) != 0;
        assert_listed();
        at++;
    }
    assert_int_equal(gone, 1);
    assert_listed();
    assert_int_not_equal(shell("ls -A", "data/warpdrill/packs | grep -v '^example$'"), 0);
}

static void the_next_update_puts_it_back_too(void **state)
{
    (void)state;
    int at = 0;
    while (update_killed_at(at, false) && access(place, F_OK) == 0)
        at++;
    assert_int_not_equal(access(place, F_OK), 0);
    assert_false(update_killed_at(-1, false));
    assert_listed();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_folders_can_be_exchanged_one_is_always_in_its_place),
        cmocka_unit_test(where_they_cannot_the_old_one_is_put_back),
        cmocka_unit_test(the_next_update_puts_it_back_too),
    };
    return cmocka_run_group_tests(tests, setup, folder_remove);
}

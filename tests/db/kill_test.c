/* Kills on one file: a child appends beliefs, reviews and their reversals, and reports every
 * acknowledged event over a pipe; after a seeded number of reports it is killed. Nothing
 * acknowledged may be lost. */
#include "db/store.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/db/sample.h"
#include "tests/unit.h"

enum { KILLS = 300 / ONE_OF, MOST_REPORTS = 24, PATIENCE_MS = 60000 };

static void append_until_killed(const char *path, int out, unsigned number)
{
    struct store *s;
    if (store_open(&s, path, 5000) != STORE_OK)
        _exit(1);
    for (;; number++)
        if (sample_step(s, number) != STORE_OK ||
            write(out, &number, sizeof number) != sizeof number)
            _exit(2);
}

/* Reads one report; false at the end of the pipe. */
static bool read_report(int in, unsigned *number)
{
    struct pollfd p = {.fd = in, .events = POLLIN};
    if (poll(&p, 1, PATIENCE_MS) <= 0)
        return false;
    return read(in, number, sizeof *number) == sizeof *number;
}

/* Returns the number of the last acknowledged event. */
static unsigned run_and_kill(const char *path, unsigned first, int reports)
{
    int fd[2];
    unsigned last = first - 1;
    assert_int_equal(pipe(fd), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(fd[0]);
        append_until_killed(path, fd[1], first);
    }
    close(fd[1]);
    for (int i = 0; i < reports; i++)
        assert_true(read_report(fd[0], &last));
    assert_int_equal(kill(child, SIGKILL), 0);
    while (read_report(fd[0], &last)) {
        /* it ran on until the signal arrived */
    }
    close(fd[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    return last;
}

/* Steps are numbered without a gap, so the count says whether an acknowledged one is missing; the
 * rows of beliefs, items and reviews must be what so many steps bring. At most one more was
 * committed but not yet reported. Returns how many there are. */
static int check_file(const char *path, unsigned acknowledged)
{
    struct store *s;
    struct store_event *events;
    int n_events;
    assert_int_equal(store_open(&s, path, 5000), STORE_OK);
    assert_int_equal(store_check(s), STORE_OK);
    assert_false(store_needs_rebuild(s));
    int n = sample_count(s);
    assert_in_range(n, acknowledged, acknowledged + 1);
    assert_int_equal(store_events(s, SAMPLE_STREAM, &events, &n_events), STORE_OK);
    for (int i = 1; i < n_events; i++)
        assert_true(events[i].seq > events[i - 1].seq &&
                    strcmp(events[i].uid, events[i - 1].uid) > 0);
    store_events_free(events, n_events);
    store_free(s);
    return n;
}

static void test_kills_lose_nothing(void **state)
{
    char *folder = sample_folder();
    char path[256];
    struct store *s;
    snprintf(path, sizeof path, "%s/progress.db", folder);
    assert_int_equal(store_open(&s, path, 5000), STORE_OK);
    assert_int_equal(sample_step(s, 1), STORE_OK);
    store_free(s);
    uint32_t seed = 20;
    int stored = 1;
    for (int i = 0; i < KILLS; i++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned last = run_and_kill(path, (unsigned)stored + 1, (int)(seed >> 16) % MOST_REPORTS);
        stored = check_file(path, last);
    }
    assert_true(stored > KILLS);
    print_message("# %d kills, %d events kept\n", KILLS, stored);
    sample_folder_free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kills_lose_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

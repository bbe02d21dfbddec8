/* 300 kills on one file: a child appends and reports every acknowledged event over a pipe; after a
 * seeded number of reports it is killed. Nothing acknowledged may be lost. */
#include "db/store.h"

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/db/sample.h"

enum { KILLS = 300, MOST_REPORTS = 24, PATIENCE_MS = 60000 };

static void append_until_killed(const char *path, int out, unsigned number)
{
    struct store *s;
    if (store_open(&s, path, 5000) != STORE_OK)
        _exit(1);
    struct store_belief belief = {.step = 0, .hypothesis = "none.at-limit", .points = 50};
    struct store_change change = {.beliefs = &belief, .n_beliefs = 1};
    for (;; number++) {
        struct store_event e = sample_event(number);
        belief.step = (int)number;
        if (store_append(s, &e, NULL, 0, &change) != STORE_OK || write(out, &number, sizeof number) != sizeof number)
            _exit(2);
    }
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

/* Events are numbered without a gap, so the count says whether an acknowledged one is missing. At
 * most one more was committed but not yet reported. Returns how many there are. */
static int check_file(const char *path, unsigned acknowledged)
{
    struct store *s;
    struct store_event *events;
    struct store_belief *beliefs;
    int n, n_beliefs;
    assert_int_equal(store_open(&s, path, 5000), STORE_OK);
    assert_int_equal(store_check(s), STORE_OK);
    assert_false(store_needs_rebuild(s));
    assert_int_equal(store_events(s, SAMPLE_STREAM, &events, &n), STORE_OK);
    assert_in_range(n, acknowledged, acknowledged + 1);
    for (int i = 0; i < n; i++) {
        assert_int_equal(strtoul(events[i].uid, NULL, 16), i + 1);
        assert_true(i == 0 || events[i].seq > events[i - 1].seq);
    }
    store_events_free(events, n);
    assert_int_equal(store_beliefs(s, SAMPLE_ATTEMPT, &beliefs, &n_beliefs), STORE_OK);
    assert_int_equal(n_beliefs, n - 1); /* the first event started the attempt */
    free(beliefs);
    store_free(s);
    return n;
}

static void test_kills_lose_nothing(void **state)
{
    (void)state;
    char *folder = sample_folder();
    char path[256];
    struct store *s;
    snprintf(path, sizeof path, "%s/progress.db", folder);
    assert_int_equal(store_open(&s, path, 5000), STORE_OK);
    assert_int_equal(sample_start(s, 1), STORE_OK);
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

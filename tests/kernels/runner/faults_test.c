/* A fault, an endless kernel and an endless compilation, a worker killed or stopped, a cancel, a
 * client that does not read: each gets its message soon after the deadline, each request exactly
 * one done, and the next request succeeds. Whatever ends the runner, no process of it is
 * left. A worker that does not end, or a GPU that stays busy after it, makes the runner wedged
 * until a describe finds it free. */
#include "tests/kernels/runner/talk.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <time.h>

#include "tests/unit.h"

static const char TIMING[] = "{\"probe\":\"timing\",\"runs\":[\"a\"]}";

/* SLACK_MS: a busy host's, and half of the deadline of what is ended before it. */
enum { MANY = 2000, CHILDREN = 8, SLACK_MS = 10000 };

static void expect_done(struct talk *t, int id, const char *code, int64_t from, int within_ms)
{
    json_t *done = talk_wait(t, "done");
    const char *got = json_string_value(json_object_get(json_object_get(done, "error"), "code"));
    int took = (int)(os_monotonic_ms() - from);
    print_message("# request %d: %s after %d ms\n", id, got ? got : "no error", took);
    assert_int_equal(json_integer_value(json_object_get(done, "id")), id);
    assert_string_equal(got ? got : "", code);
    assert_true(took < within_ms);
    json_decref(done);
}

static void expect(struct talk *t, int id, const char *behaviour, int deadline_ms, const char *code)
{
    int64_t from = os_monotonic_ms();
    talk_measure(t, id, behaviour, deadline_ms, TIMING);
    expect_done(t, id, code, from, deadline_ms + SLACK_MS);
}

/* ---- processes ---- */

/* The parent of a process that is not yet gone; 0 when it is. */
static int parent_of(int pid)
{
    char path[64], state = 'Z';
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%*d (%*[^)]) %c %d", &state, &parent) != 2)
        parent = 0;
    if (f)
        fclose(f);
    return state == 'Z' || state == 'X' ? 0 : parent;
}

static bool has_role(int pid, const char *role)
{
    char path[64], words[512] = {0};
    snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(words, 1, sizeof words - 1, f) : 0;
    if (f)
        fclose(f);
    return n && memmem(words, n, role, strlen(role));
}

static int list_children(int of, const char *role, int pids[CHILDREN])
{
    DIR *dir = opendir("/proc");
    int n = 0;
    for (struct dirent *e; dir && n < CHILDREN && (e = readdir(dir));) {
        int pid = atoi(e->d_name);
        if (pid > 0 && parent_of(pid) == of && has_role(pid, role))
            pids[n++] = pid;
    }
    closedir(dir);
    return n;
}

/* Begins a measurement without end; its worker, once it is at work. */
static int begin_endless(struct talk *t, int id, int deadline_ms)
{
    int pids[CHILDREN];
    bool at_work = false;
    talk_measure(t, id, "endless", deadline_ms, TIMING);
    while (!at_work) {
        json_t *m = talk_wait(t, "progress");
        const char *phase = json_string_value(json_object_get(m, "phase"));
        assert_non_null(phase);
        at_work = json_integer_value(json_object_get(m, "id")) == id &&
                  (!strcmp(phase, "measuring") || !strcmp(phase, "timing"));
        json_decref(m);
    }
    assert_int_equal(list_children(t->pid, "--worker", pids), 1);
    return pids[0];
}

/* ---- the tests ---- */

static void each_gets_its_message(void **state)
{
    struct talk t;
    talk_open(&t);
    expect(&t, 1, "move", 20000, "");
    expect(&t, 2, "fault", 20000, "fault");
    expect(&t, 3, "move", 20000, "");
    expect(&t, 4, "endless", 1500, "timeout");
    expect(&t, 5, "move", 20000, "");
    expect(&t, 6, "endless-compilation", 1500, "timeout");
    expect(&t, 7, "move", 20000, "");
    expect(&t, 8, "refuse", 20000, "compile");
    assert_int_equal(talk_close(&t), 0);
}

static void a_killed_worker_is_lost(void **state)
{
    struct talk t;
    talk_open(&t);
    int worker = begin_endless(&t, 1, 20000);
    int64_t from = os_monotonic_ms();
    assert_int_equal(kill(worker, SIGKILL), 0);
    expect_done(&t, 1, "lost", from, SLACK_MS);
    expect(&t, 2, "move", 20000, "");
    assert_int_equal(talk_close(&t), 0);
}

static void a_stopped_worker_meets_the_deadline(void **state)
{
    struct talk t;
    talk_open(&t);
    int64_t from = os_monotonic_ms();
    int worker = begin_endless(&t, 1, 4000);
    assert_int_equal(kill(worker, SIGSTOP), 0);
    expect_done(&t, 1, "timeout", from, 4000 + SLACK_MS);
    expect(&t, 2, "move", 20000, "");
    assert_int_equal(parent_of(worker), 0);
    assert_int_equal(talk_close(&t), 0);
}

static void a_cancel_is_answered_by_done(void **state)
{
    struct talk t;
    talk_open(&t);
    dprintf(t.to, "{\"type\":\"cancel\",\"id\":9}\n"); /* of nothing: ignored */
    begin_endless(&t, 1, 20000);
    int64_t from = os_monotonic_ms();
    dprintf(t.to, "{\"type\":\"cancel\",\"id\":1}\n");
    expect_done(&t, 1, "cancelled", from, SLACK_MS);
    expect(&t, 2, "move", 20000, "");
    assert_int_equal(talk_close(&t), 0);
}

/* More answers than a pipe holds wait until they are read. */
static void a_client_that_does_not_read_loses_nothing(void **state)
{
    static int dones[MANY + 2];
    struct talk t;
    talk_open(&t);
    for (int id = 1; id <= MANY; id++)
        dprintf(t.to, "{\"type\":\"describe\",\"id\":%d,\"and\":0}\n", id);
    talk_measure(&t, MANY + 1, "move", 20000, TIMING);
    for (int left = MANY + 1; left > 0; left--) {
        json_t *done = talk_wait(&t, "done");
        int id = (int)json_integer_value(json_object_get(done, "id"));
        assert_in_range(id, 1, MANY + 1);
        assert_int_equal(++dones[id], 1);
        json_decref(done);
    }
    expect(&t, MANY + 2, "move", 20000, ""); /* nothing stands between */
    assert_int_equal(talk_close(&t), 0);
}

static void expect_no_process_left(bool by_signal)
{
    struct talk t;
    int pids[CHILDREN];
    talk_open(&t);
    begin_endless(&t, 1, 20000);
    int n = list_children(t.pid, "warpdrill-runner", pids);
    int64_t from = os_monotonic_ms();
    assert_int_equal(n, 2);
    if (by_signal)
        kill(t.pid, SIGTERM);
    assert_int_equal(by_signal ? talk_reap(&t) : talk_close(&t), 0);
    print_message("# left after %d ms\n", (int)(os_monotonic_ms() - from));
    assert_true(os_monotonic_ms() - from < SLACK_MS);
    for (int i = 0; i < n; i++)
        assert_int_equal(parent_of(pids[i]), 0);
}

static void end_of_input_leaves_nothing(void **state)
{
    expect_no_process_left(false);
}

static void a_signal_leaves_nothing(void **state)
{
    expect_no_process_left(true);
}

/* Slurm signals every process of a job: what a child makes of it must not be told in its place. */
static void a_child_leaves_signals_to_the_supervisor(void **state)
{
    struct talk t;
    int pids[CHILDREN];
    talk_open(&t);
    begin_endless(&t, 1, 20000);
    int n = list_children(t.pid, "warpdrill-runner", pids);
    for (int i = 0; i < n; i++)
        kill(pids[i], SIGTERM);
    dprintf(t.to, "{\"type\":\"describe\",\"id\":2,\"and\":0}\n");
    json_t *done = talk_wait(&t, "done");
    assert_int_equal(json_integer_value(json_object_get(done, "id")), 2);
    json_decref(done);
    kill(t.pid, SIGTERM);
    assert_int_equal(talk_reap(&t), 0);
    for (int i = 0; i < n; i++)
        assert_int_equal(parent_of(pids[i]), 0);
}

/* ---- SIGKILL ---- */

/* Children whose parent was killed become ours, so that they can be waited for. */
static void expect_gone(const int *pids, int n)
{
    int64_t until = os_monotonic_ms() + SLACK_MS;
    for (int i = 0; i < n; i++)
        while (parent_of(pids[i]) != 0 && os_monotonic_ms() < until) {
            struct timespec nap = {0, 5000000};
            nanosleep(&nap, NULL);
        }
    for (int i = 0; i < n; i++) {
        assert_int_equal(parent_of(pids[i]), 0);
        waitpid(pids[i], NULL, WNOHANG);
    }
}

static void kill_supervisor(bool stopped)
{
    struct talk t;
    int pids[CHILDREN];
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    talk_open(&t);
    int worker = begin_endless(&t, 1, 20000), n = list_children(t.pid, "warpdrill-runner", pids);
    assert_int_equal(n, 2);
    if (stopped)
        assert_int_equal(kill(worker, SIGSTOP), 0);
    assert_int_equal(kill(t.pid, SIGKILL), 0);
    assert_int_equal(talk_reap(&t), SIGKILL);
    expect_gone(pids, n);
}

static void a_killed_supervisor_leaves_nothing(void **state)
{
    kill_supervisor(false);
}

static void nor_does_one_whose_worker_is_stopped(void **state)
{
    kill_supervisor(true);
}

/* A process between us and the runner stands for warpdrill: it holds the other ends of the runner's
 * pipes, tells us its children's numbers once a kernel is running, and is killed. */
static void a_killed_client_leaves_nothing(void **state)
{
    int tell[2], pids[1 + CHILDREN] = {0};
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    assert_int_equal(pipe(tell), 0);
    pid_t client = fork();
    if (client == 0) {
        struct talk t;
        talk_open(&t);
        begin_endless(&t, 1, 20000);
        pids[0] = t.pid;
        list_children(t.pid, "warpdrill-runner", pids + 1);
        if (write(tell[1], pids, sizeof pids) != sizeof pids ||
            write(tell[1], t.folder, sizeof t.folder) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    char folder[64];
    assert_int_equal(read(tell[0], pids, sizeof pids), sizeof pids);
    assert_int_equal(read(tell[0], folder, sizeof folder), sizeof folder);
    assert_true(pids[0] > 0 && pids[1] > 0 && pids[2] > 0);
    assert_int_equal(kill(client, SIGKILL), 0);
    assert_int_equal(waitpid(client, NULL, 0), client);
    expect_gone(pids, 3);
    char *command = text_format("rm -rf %s", folder);
    assert_int_equal(system(command), 0);
    free(command);
    close(tell[0]);
    close(tell[1]);
}

/* ---- wedged ---- */

static void expect_state(struct talk *t, const char *is)
{
    for (bool found = false; !found;) {
        json_t *m = talk_wait(t, "state");
        assert_non_null(m);
        found = !strcmp(json_string_value(json_object_get(m, "is")), is);
        json_decref(m);
    }
}

static void describe(struct talk *t, int id, const char *code)
{
    int64_t from = os_monotonic_ms();
    dprintf(t->to, "{\"type\":\"describe\",\"id\":%d,\"ceilings\":\"none\"}\n", id);
    expect_done(t, id, code, from, 20000);
}

static void set_busy(const char *plan, int percent)
{
    FILE *f = fopen(plan, "we");
    assert_non_null(f);
    fprintf(f, "busy_percent %d\n", percent);
    fclose(f);
}

/* The old worker went, but NVML says that the GPU still works: nothing measured there would be
 * true. */
static void a_gpu_that_stays_busy_is_wedged(void **state)
{
    struct talk t;
    char plan[] = "/tmp/faults_test.XXXXXX";
    close(mkstemp(plan));
    setenv("WARPDRILL_FAKE_PLAN", plan, 1);
    set_busy(plan, 100);
    talk_nvml = "libfakenvml.so";
    talk_open(&t);
    expect(&t, 1, "move", 20000, ""); /* before anything was killed that is others' business */
    expect(&t, 2, "endless", 1500, "timeout");
    expect(&t, 3, "move", 20000, "wedged");
    expect_state(&t, "wedged");
    int64_t from = os_monotonic_ms();
    talk_measure(&t, 4, "move", 20000, TIMING);
    expect_done(&t, 4, "wedged", from, 4000); /* without asking, which takes 5 s */
    describe(&t, 5, "wedged");
    set_busy(plan, 3);
    describe(&t, 6, "");
    expect_state(&t, "ready");
    expect(&t, 7, "move", 20000, "");
    assert_int_equal(talk_close(&t), 0);
    unsetenv("WARPDRILL_FAKE_PLAN");
    talk_nvml = "missing/libnvml.so";
    unlink(plan);
}

/* A traced process that was killed stays until its tracer lets go: a worker stuck in the driver
 * does the same. */
static void a_worker_that_does_not_end_is_wedged(void **state)
{
    struct talk t;
    int status;
    talk_open(&t);
    int worker = begin_endless(&t, 1, 2500);
    if (ptrace(PTRACE_SEIZE, worker, NULL, (void *)PTRACE_O_TRACEEXIT) != 0) {
        print_message("# ptrace is not allowed here (%s): not tried\n", strerror(errno));
        expect_done(&t, 1, "timeout", os_monotonic_ms(), 3500);
        assert_int_equal(talk_close(&t), 0);
        return;
    }
    assert_int_equal(kill(worker, SIGSTOP), 0); /* else it would leave by itself */
    expect_done(&t, 1, "timeout", os_monotonic_ms(), 3500);
    int64_t from = os_monotonic_ms();
    talk_measure(&t, 2, "move", 20000, TIMING);
    expect_done(&t, 2, "wedged", from, 3500);
    describe(&t, 3, "wedged");
    while (waitpid(worker, &status, __WALL) == worker && !WIFEXITED(status) && !WIFSIGNALED(status))
        ptrace(PTRACE_CONT, worker, NULL, NULL);
    describe(&t, 4, "");
    expect_state(&t, "ready");
    expect(&t, 5, "move", 20000, "");
    assert_int_equal(talk_close(&t), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_gets_its_message),
        cmocka_unit_test(a_killed_worker_is_lost),
        cmocka_unit_test(a_stopped_worker_meets_the_deadline),
        cmocka_unit_test(a_cancel_is_answered_by_done),
        cmocka_unit_test(a_client_that_does_not_read_loses_nothing),
        cmocka_unit_test(end_of_input_leaves_nothing),
        cmocka_unit_test(a_signal_leaves_nothing),
        cmocka_unit_test(a_child_leaves_signals_to_the_supervisor),
        cmocka_unit_test(a_killed_supervisor_leaves_nothing),
        cmocka_unit_test(nor_does_one_whose_worker_is_stopped),
        cmocka_unit_test(a_killed_client_leaves_nothing),
        cmocka_unit_test(a_gpu_that_stays_busy_is_wedged),
        cmocka_unit_test(a_worker_that_does_not_end_is_wedged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

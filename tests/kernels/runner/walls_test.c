/* The second wall: what code that took over the compiler or the worker could still do, and what a
 * supervisor believes of them. The fake libraries try everything inside the runner's own processes.
 */
#include "tests/kernels/runner/talk.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "kernels/wire/confine.h"
#include "tests/unit.h"

#define CHECK "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\"}"

/* The request's done; its error's code is as expected. */
static json_t *end(struct talk *t, const char *code)
{
    json_t *done = talk_wait(t, "done");
    assert_non_null(done);
    const char *is = talk_text(json_object_get(done, "error"), "code");
    if (strcmp(is, code) != 0)
        fail_msg("ended with '%s' (%s), not with '%s'", is,
                 talk_text(json_object_get(done, "error"), "text"), code);
    return done;
}

static json_t *ask(struct talk *t, int id, const char *behaviour, const char *code)
{
    talk_measure(t, id, behaviour, 20000, CHECK);
    return end(t, code);
}

static void expect_works(struct talk *t, int id)
{
    json_decref(ask(t, id, "move", ""));
}

static void expect_words(const char *text, const char *words)
{
    const char *at = strstr(text, "could:");
    assert_non_null(at);
    char *line = text_format("could:%s", words);
    if (strncmp(at, line, strlen(line)) != 0 || (at[strlen(line)] && at[strlen(line)] != '\n'))
        fail_msg("'%.*s', not '%s'", (int)strcspn(at, "\n"), at, line);
    free(line);
}

/* ---- what could still be done ---- */

/* A source for the compiler alone, which is refused; what it says of it is malloc'd. */
static char *refused(struct talk *t, int id, const char *marker)
{
    dprintf(t->to,
            "{\"type\":\"compile\",\"id\":%d,\"deadline_ms\":20000,\"sources\":{\"a\":{\"name\":"
            "\"suspect.cu\",\"text\":\"// fake: %s\\n\"}},\"arch\":[\"sm_90\"]}\n",
            id, marker);
    json_t *m = talk_wait(t, "compiled");
    assert_non_null(m);
    char *log = text_dup(talk_text(m, "log"));
    json_decref(m);
    json_decref(end(t, ""));
    return log;
}

static bool filters(void)
{
    bool can = confine_possible() & CONFINED_CALLS;
    if (!can)
        print_message("# this kernel has no filter of system calls: not tried\n");
    return can;
}

static void expect_compiler(const char *words)
{
    struct talk t;
    talk_open(&t);
    char *log = refused(&t, 1, "compiler-tempted");
    expect_words(log, words);
    free(log);
    expect_works(&t, 2);
    assert_int_equal(talk_close(&t), 0);
}

static void expect_worker(const char *words)
{
    struct talk t;
    talk_open(&t);
    json_t *done = ask(&t, 1, "tempt", "");
    expect_words(talk_text(done, "log"), words);
    json_decref(done);
    expect_works(&t, 2);
    assert_int_equal(talk_close(&t), 0);
}

static void a_compiler_that_was_taken_over_can_only_compute(void **state)
{
    if (filters())
        expect_compiler(" thread");
}

static void a_worker_that_was_taken_over_can_read(void **state)
{
    if (filters() && os_confine_abi() > 0)
        expect_worker(" read device thread");
}

/* ---- which walls there are ---- */

static void expect_walls(const char *compiler, const char *worker)
{
    struct talk t;
    talk_open(&t);
    dprintf(t.to, "{\"type\":\"describe\",\"id\":1,\"ceilings\":\"none\"}\n");
    json_t *device = talk_wait(&t, "device"), *walls = json_object_get(device, "walls");
    char *is = json_dumps(json_object_get(walls, "compiler"), JSON_COMPACT);
    assert_string_equal(is, compiler);
    free(is);
    is = json_dumps(json_object_get(walls, "worker"), JSON_COMPACT);
    assert_string_equal(is, worker);
    free(is);
    json_decref(device);
    json_decref(end(&t, ""));
    assert_int_equal(talk_close(&t), 0);
}

#ifdef __SANITIZE_ADDRESS__
#define MEMORY ""
#else
#define MEMORY ",\"memory\""
#endif

static void the_device_says_which_walls_stand(void **state)
{
    if (filters() && os_confine_abi() > 0)
        expect_walls("[\"files\",\"calls\"" MEMORY "]", "[\"writes\",\"calls\"]");
}

/* A driver that does not start behind the wall around its files starts without, and that is told.
 */
static void a_driver_that_needs_files_has_them(void **state)
{
    char plan[] = "/tmp/walls_test.XXXXXX";
    if (!filters() || os_confine_abi() == 0)
        return;
    int fd = mkstemp(plan);
    assert_true(fd >= 0 && write(fd, "needs_home 1\n", 13) == 13 && close(fd) == 0);
    setenv("WARPDRILL_FAKE_PLAN", plan, 1);
    expect_walls("[\"files\",\"calls\"" MEMORY "]", "[\"calls\"]");
    unsetenv("WARPDRILL_FAKE_PLAN");
    unlink(plan);
}

/* ---- greed ---- */

static void expect_no_memory(const char *how)
{
    struct talk t;
    talk_open(&t);
    dprintf(t.to,
            "{\"type\":\"compile\",\"id\":1,\"deadline_ms\":20000,\"sources\":{\"a\":{\"name\":"
            "\"suspect.cu\",\"text\":\"// fake: compiler-%s\\n\"}},\"arch\":[\"sm_90\"]}\n",
            how);
    json_t *done = end(&t, "memory");
    assert_string_equal(talk_text(json_object_get(done, "error"), "text"),
                        "the compiler ran out of its 4 GiB of memory while compiling suspect.cu");
    json_decref(done);
    expect_works(&t, 2);
    assert_int_equal(talk_close(&t), 0);
}

static void a_compiler_that_eats_memory_is_told_as_such(void **state)
{
    expect_no_memory("says-memory");
#ifdef __SANITIZE_ADDRESS__
    print_message("# the sanitizer reserves terabytes: there is no limit in this build\n");
#else
    expect_no_memory("eats-memory");
#endif
}

/* The supervisor's child of this role. */
static pid_t child_of(pid_t supervisor, const char *role)
{
    char path[64], line[256];
    long pid, found = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)supervisor, (long)supervisor);
    FILE *list = fopen(path, "re");
    while (list && !found && fscanf(list, "%ld", &pid) == 1) {
        snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
        FILE *f = fopen(path, "re");
        size_t n = f ? fread(line, 1, sizeof line - 1, f) : 0;
        if (f)
            fclose(f);
        line[n] = '\0';
        for (size_t i = 0; i < n; i += strlen(line + i) + 1)
            if (!strcmp(line + i, role))
                found = pid;
    }
    if (list)
        fclose(list);
    return (pid_t)found;
}

static char state_of(pid_t pid)
{
    char path[64], is = '-';
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%*d (%*[^)]) %c", &is) != 1)
        is = '-';
    if (f)
        fclose(f);
    return is;
}

static void a_compiler_that_nobody_watches_runs_out_of_time(void **state)
{
    struct talk t;
    talk_open(&t);
    dprintf(t.to,
            "{\"type\":\"compile\",\"id\":1,\"deadline_ms\":1000,\"sources\":{\"a\":{\"name\":"
            "\"suspect.cu\",\"text\":\"// fake: compiler-eats-time\\n\"}},\"arch\":[\"sm_90\"]}\n");
    json_decref(talk_wait(&t, "compiler"));
    pid_t compiler = child_of(t.pid, "--compiler");
    assert_true(compiler > 0);
    while (state_of(compiler) != 'R') /* it has the source */
        poll(NULL, 0, 5);
    assert_int_equal(kill(t.pid, SIGSTOP), 0);
    int64_t until = os_monotonic_ms() + 60000;
    while (state_of(compiler) != 'Z' && os_monotonic_ms() < until)
        poll(NULL, 0, 20);
    assert_int_equal(state_of(compiler), 'Z');
    assert_int_equal(kill(t.pid, SIGCONT), 0);
    json_t *done = talk_wait(&t, "done");
    assert_string_equal(talk_text(done, "status"), "failed");
    json_decref(done);
    expect_works(&t, 2);
    assert_int_equal(talk_close(&t), 0);
}

/* ---- a worker that lies ---- */

static void what_nobody_asked_for_is_not_passed_on(void **state)
{
    static const struct { const char *how, *code; } cases[] = {
        {"floods", "too-large"}, {"unasked", "internal"}, {"hoards", "lost"}, {"drones", "lost"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct talk t;
        talk_open(&t);
        json_decref(ask(&t, 1, cases[i].how, cases[i].code));
        expect_works(&t, 2);
        assert_int_equal(talk_close(&t), 0);
    }
}

/* ---- an older kernel ---- */

static void refuse_landlock(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof steps / sizeof *steps, .filter = steps};
    assert_int_equal(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    assert_int_equal(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

/* From here on this program and all that it starts live without Landlock, so it comes last. */
static void without_landlock_the_filter_stands(void **state)
{
    if (!filters())
        return;
    refuse_landlock();
    assert_int_equal(os_confine_abi(), 0);
    expect_compiler(" thread");
    expect_walls("[\"files\",\"calls\"" MEMORY "]", "[\"calls\"]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_compiler_that_was_taken_over_can_only_compute),
        cmocka_unit_test(a_worker_that_was_taken_over_can_read),
        cmocka_unit_test(the_device_says_which_walls_stand),
        cmocka_unit_test(a_driver_that_needs_files_has_them),
        cmocka_unit_test(a_compiler_that_eats_memory_is_told_as_such),
        cmocka_unit_test(a_compiler_that_nobody_watches_runs_out_of_time),
        cmocka_unit_test(what_nobody_asked_for_is_not_passed_on),
        cmocka_unit_test(without_landlock_the_filter_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

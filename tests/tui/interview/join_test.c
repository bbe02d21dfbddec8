/* `warpdrill join` in a terminal, with a host that stands in and is killed, frozen and started
 * again. */
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tui/steps.h"
#include "tests/folder.h"
#include "tests/unit.h"

#define CODE "t7q-m3xr-dw9f"
static char runtime[96];

struct host { pid_t pid; int in; };

static struct host host_start(void)
{
    char program[512];
    const char *build = getenv("BUILD");
    struct host h;
    int in[2], out[2];
    char byte;
    assert_true(pipe(in) == 0 && pipe(out) == 0);
    snprintf(program, sizeof program, "%s/tests/fakes/fake_host", build ? build : "build");
    fflush(stdout);
    h.pid = fork();
    if (h.pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        for (int fd = 3; fd < 64; fd++)
            close(fd);
        execl(program, program, CODE, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    assert_int_equal(read(out[0], &byte, 1), 1); /* "listening" */
    h.in = in[1];
    /* what it says further is read by nobody, and must not stop it */
    if (fork() == 0) {
        for (int fd = 3; fd < 64; fd++) /* a terminal among them could not be hung up */
            if (fd != out[0])
                close(fd);
        for (char rest[256]; read(out[0], rest, sizeof rest) > 0;)
            ;
        _exit(0);
    }
    close(out[0]);
    return h;
}

static void host_end(struct host *h, int signal_number)
{
    if (signal_number)
        kill(h->pid, signal_number);
    close(h->in);
    waitpid(h->pid, NULL, 0);
}

static struct screen *join(int rows, int columns, const char *code, const char *name)
{
    const char *arguments[] = {"join", code, name ? "--name" : NULL, name, NULL};
    const char *environment[] = {runtime, NULL};
    return screen_start(&(struct screen_start){.rows = rows,
                                               .columns = columns,
                                               .arguments = arguments,
                                               .environment = environment});
}

static void keys_reach_the_host(void **state)
{
    struct host h = host_start();
    struct screen *s = join(24, 80, "T7Q M3XR DW9F", "J\033[2J");
    screen_expect(s, "a host stands in");
    screen_expect(s, "J?[2J, ");
    screen_expect(s, "80 x 24");
    screen_send(s, "abc");
    screen_expect(s, "3 keys: abc");
    screen_resize(s, 30, 100);
    screen_expect(s, "100 x 30");
    screen_send(s, "\033[200~xy\033[201~"); /* a paste: its marks are keys, too */
    screen_expect(s, "7 keys: abc#xy#");
    screen_send(s, "\003");
    screen_expect(s, "Leave the interview?");
    screen_send(s, "n");
    screen_expect_gone(s, "Leave the interview?");
    screen_send(s, "\034"); /* SIGQUIT, whose key is beside it */
    screen_expect(s, "Leave the interview?");
    screen_send(s, "n");
    screen_expect_gone(s, "Leave the interview?");
    screen_send(s, "\035");
    screen_expect(s, "Leave the interview?");
    screen_send(s, "y");
    assert_int_equal(screen_wait_exit(s), 0);
    assert_true(screen_same_modes(s));
    screen_free(s);
    s = join(24, 80, CODE, NULL);
    screen_expect(s, "takes the seat back with the name given then");
    screen_send(s, "J?[2J\r");
    screen_expect(s, "7 keys: abc#xy#");
    screen_send(s, "q"); /* the host's own affair: this one ends */
    assert_int_equal(screen_wait_exit(s), 0);
    screen_expect(s, "The interviewer has closed the session.");
    screen_free(s);
    host_end(&h, 0);
}

static void a_bad_code_is_said_before_a_name_is_asked_for(void **state)
{
    struct host h = host_start();
    struct screen *s = join(24, 80, "t7q-aaaa-aaaa", NULL);
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 1);
    screen_expect(s, "That code lets nobody in.");
    size_t n;
    assert_null(strstr(screen_bytes(s, &n), "Name to show"));
    screen_free(s);
    s = join(24, 80, CODE, NULL);
    screen_expect(s, "The code is good.");
    screen_send(s, "\r");
    screen_expect(s, "a name to show is needed");
    screen_send(s, "Ada\r");
    screen_expect(s, "Ada, ");
    host_end(&h, 0);
    assert_int_equal(screen_wait_exit(s), 0);
    screen_free(s);
}

static void the_host_dies_and_comes_back(void **state)
{
    struct host h = host_start();
    struct screen *s = join(24, 80, CODE, "J");
    screen_expect(s, "0 keys");
    kill(h.pid, SIGSTOP);
    screen_send(s, "ab");
    kill(h.pid, SIGCONT);
    screen_expect(s, "2 keys: ab");
    host_end(&h, SIGKILL);
    screen_expect(s, "The host does not answer");
    screen_expect(s, "your keys are kept");
    screen_send(s, "cd");
    screen_expect(s, "2 keys are kept");
    h = host_start();
    screen_expect(s, "0 keys");
    screen_expect(s, "2 keys may not have reached it: cd.");
    screen_expect(s, "Press again");
    screen_send(s, "e");
    screen_expect(s, "1 keys: e");
    screen_hang_up(s);
    int status = screen_wait_exit(s);
    assert_int_not_equal(status, -1);
    assert_true(WIFEXITED(status));
    screen_free(s);
    host_end(&h, 0);
}

/* Every one of them is named, however narrow the terminal is. */
static void lost_keys_are_named(void **state)
{
    struct host h = host_start();
    struct screen *s = join(24, 60, CODE, "J");
    screen_expect(s, "0 keys");
    host_end(&h, SIGKILL);
    screen_expect(s, "The host does not answer");
    screen_send(s, "0.2 ms\r\t\x15\033OA");
    screen_expect(s, "10 keys are kept");
    h = host_start();
    screen_expect(s, "0.2 blank ms Enter");
    screen_expect(s, "Ctrl-U Up");
    screen_expect(s, "on the screen.");
    screen_hang_up(s);
    screen_wait_exit(s);
    screen_free(s);
    host_end(&h, 0);
}

static void what_is_wrong_is_said(void **state)
{
    struct screen *s = join(24, 80, CODE, "J");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 1);
    screen_expect(s, "no interview with the code t7q-... is open on this machine");
    screen_free(s);
    s = join(24, 80, "what", "J");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 1);
    screen_free(s);
    struct host h = host_start();
    s = join(24, 80, "t7q-0000-0000", "J");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 1);
    screen_expect(s, "That code lets nobody in.");
    screen_free(s);
    struct screen *here = join(24, 80, CODE, "C-07");
    screen_expect(here, "a host stands in");
    s = join(24, 80, CODE, "C-08");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 1);
    screen_expect(s, "The candidate is here already");
    screen_free(s);
    s = join(24, 80, CODE, "C-07");
    screen_expect(s, "a host stands in");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(here)), 0);
    screen_expect(here, "come back elsewhere");
    screen_free(here);
    screen_free(s);
    host_end(&h, 0);
}

static int begin(void **state)
{
    if (folder_make("join"))
        return -1;
    snprintf(runtime, sizeof runtime, "XDG_RUNTIME_DIR=%s", folder);
    return setenv("XDG_RUNTIME_DIR", folder, 1);
}

static int end(void **state)
{
    char inner[96];
    snprintf(inner, sizeof inner, "%s/warpdrill", folder);
    rmdir(inner);
    return rmdir(folder); /* nothing is left behind */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keys_reach_the_host, begin, end),
        cmocka_unit_test_setup_teardown(a_bad_code_is_said_before_a_name_is_asked_for, begin, end),
        cmocka_unit_test_setup_teardown(the_host_dies_and_comes_back, begin, end),
        cmocka_unit_test_setup_teardown(lost_keys_are_named, begin, end),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_said, begin, end),
    };
    return RUN_CASES(tests, NULL, NULL);
}

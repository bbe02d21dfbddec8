/* What goes wrong with an interview is said, on the terminal of the person whom it concerns: two
 * candidates, wrong code, expired code, another version, a full disk, a host that is taken. */
#include "tests/tui/interview/interview.h"

#include <sys/resource.h>

#include "scenarios/interview/interview_life.h"
#include "tests/tui/interview/interview_proxy.h"

static struct screen *host, *guest;
static char code[32];

static void host_begins(const char *extra)
{
    static const char *const words[] = {"--start", "--seed",    "5",  "--level",
                                        "1",       "--minutes", "60", NULL};
    host = host_waits(words, extra, code, sizeof code);
}

/* Somebody who is refused: the program ends with 1 and says why. */
static void is_refused(const char *with, const char *name, const char *runtime, const char *why)
{
    struct screen *s = join_screen(with, name, runtime);
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 1);
    screen_expect(s, why);
    assert_true(screen_same_modes(s));
    screen_free(s);
}

static void two_with_one_code_and_a_wrong_one(void **state)
{
    char wrong[32];
    host_begins(NULL);
    guest = join_screen(code, "Ada", env_runtime);
    screen_expect(guest, "The interviewer begins");
    is_refused(code, "Bob", env_runtime, "The candidate is here already");
    screen_expect(host, "Somebody was not let in: the candidate is here, and is not called Bob.");
    snprintf(wrong, sizeof wrong, "%.4s0000-0000", code);
    is_refused(wrong, "Eve", env_runtime, "does not let anybody in");
    screen_expect(host, "Somebody was not let in: their code is wrong or too old; c shows it.");
    is_refused("zzz-0000-0000", "Eve", env_runtime,
               "no interview with the code zzz-... is open on this machine");
    screen_expect(guest, "The interviewer begins");      /* she notices nothing of it */
    static const char *const again[] = { "--resume", NULL };
    struct screen *second = host_screen(again, NULL);
    assert_int_equal(WEXITSTATUS(screen_wait_exit(second)), 1);
    screen_expect(second, "another warpdrill has this interview open");
    screen_free(second);
    screen_send(guest, "\x1d");
    press(guest, "", "Leave the interview?");
    screen_send(guest, "y");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(guest)), 0);
    screen_free(guest);
    host_leaves(host);
}

/* The host's clock is put forward when it comes back. */
static void an_expired_code(void **state)
{
    static const char *const words[] = { "--resume", NULL };
    char later[64];
    host_begins(NULL);
    host_leaves(host);
    snprintf(later, sizeof later, "WARPDRILL_NOW_MS=%lld",
             (long long)attempt_utc_ms() + 25LL * 3600 * 1000);
    host = host_screen(words, later);
    screen_expect(host, "Enter begins part 1");
    is_refused(code, "Ada", env_runtime,
               "This code has expired: ask the interviewer for a new one.");
    press(host, "c", "the codes have expired");
    press(host, "\r", "Enter once more");
    screen_send(host, "\r");
    screen_expect_gone(host, "the codes have expired");
    screen_word(host, "warpdrill join ", code, sizeof code);
    guest = join_screen(code, "Ada", env_runtime);
    screen_expect(guest, "The interviewer begins");
    screen_free(guest);
    screen_send(host, "\x1b");
    host_leaves(host);
}

/* An older party at the real host, then the real party at a host that says what the real one said.
 */
static void another_version(void **state)
{
    char folder[96], line[8192];
    ssize_t n = 0;
    snprintf(folder, sizeof folder, "%s/away/warpdrill", place);
    mkdir(folder, 0700);
    host_begins(NULL);
    int fd =
        proxy_socket(strchr(env_runtime, '=') + 1, (char[]){code[0], code[1], code[2], 0}, false);
    static const char hello[] = "{\"type\":\"join\",\"protocol\":0,\"program\":\"0.0.1\"}\n";
    assert_true(fd >= 0 && write(fd, hello, sizeof hello - 1) == (ssize_t)sizeof hello - 1);
    for (ssize_t k;
         n < (ssize_t)sizeof line - 1 && (k = read(fd, line + n, sizeof line - 1 - (size_t)n)) > 0;)
        n += k;
    line[n] = '\0';
    close(fd);
    assert_non_null(strstr(line, "Use one version on both sides."));
    screen_expect(host, "Use one version on both sides.");
    host_leaves(host);
    int listening = proxy_socket(strcat(strcpy(folder, place), "/away"), "abc", true);
    assert_true(listening >= 0);
    char away[96];
    snprintf(away, sizeof away, "XDG_RUNTIME_DIR=%.70s", folder);
    guest = join_screen("abc-0000-0000", "Ada", away);
    struct pollfd in = { listening, POLLIN, 0 };
    while (poll(&in, 1, 5) == 0)
        screens_take(5);
    fd = accept(listening, NULL, NULL);
    assert_true(fd >= 0 && write(fd, line, (size_t)n) == n);
    assert_int_equal(WEXITSTATUS(screen_wait_exit(guest)), 1);
    screen_expect(guest, "Use one version on both sides.");
    close(fd);
    close(listening);
    screen_free(guest);
}

/* Files may not grow: what cannot be kept is said on both screens, and kept once they may. */
static void a_full_disk(void **state)
{
    struct rlimit limit = { 0 };
    signal(SIGXFSZ, SIG_IGN);            /* handed down: the write fails, and nobody is killed */
    host_begins(NULL);
    guest = join_screen(code, "Ada", env_runtime);
    screen_expect(guest, "The interviewer begins");
    press(host, "\r", "WRITTEN DOWN");
    screen_expect(guest, "Tell me how you approach");
    press(host, "t2", "BELIEFS");
    screen_expect(guest, "nothing: at the limit");
    assert_int_equal(prlimit(screen_pid(host), RLIMIT_FSIZE, NULL, &limit), 0);
    struct rlimit none = { .rlim_cur = 4096, .rlim_max = limit.rlim_max };
    assert_int_equal(prlimit(screen_pid(host), RLIMIT_FSIZE, &none, NULL), 0);
    screen_send(guest, "1+");
    screen_expect(host, "NOT STORED");
    screen_expect(guest,
                  "The interviewer's disk is full: what you do now is kept once it works again.");
    press(host, "nnot now\r", "note: not now");    /* it stays to be stored again */
    assert_int_equal(prlimit(screen_pid(host), RLIMIT_FSIZE, &limit, NULL), 0);
    screen_send(host, "\r");
    screen_expect(host, "10 to 1");
    screen_expect_gone(host, "NOT STORED");
    screen_expect_gone(guest, "disk is full");
    struct interview *log = log_open();
    const struct investigation *i = attempt_state(interview_attempt_of(log, 1, NULL));
    assert_true(i->points[0] > 10);
    assert_int_equal(interview_session(log)->n_notes, 1);
    interview_free(log);
    screen_free(guest);
    host_leaves(host);
}

#define each(test) cmocka_unit_test_setup_teardown(test, in_place, out_of_place)

int main(void)
{
    const struct CMUnitTest tests[] = {each(two_with_one_code_and_a_wrong_one),
                                       each(an_expired_code), each(another_version),
                                       each(a_full_disk)};
    return RUN_CASES(tests, NULL, NULL);
}

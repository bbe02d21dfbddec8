/* An interview that is killed at random moments: the host's program, the candidate's, and the link
 * between them. Whatever was shown as done before stands in the log afterwards, once, at the same
 * place; and the interview can be finished.
 *
 * A seed fixes what is done and how it is killed; when a kill falls between two bytes is up to the
 * machine. */
#include "tests/tui/interview/interview.h"

#include <signal.h>

#include "scenarios/interview/interview_life.h"
#include "tests/tui/interview/interview_proxy.h"

enum {
    KILLS_TALK = 106 / ONE_OF,
    KILLS_SCENARIO = 85 / ONE_OF,
    FACTS = 8192,
    MARKS = 2048,
    HURRY_MS = 4
};

enum how {
    HOST_KILLED,
    HOST_HUNG_UP,
    HOST_TERMINAL_GONE,
    HOST_STOPPED,
    GUEST_KILLED,
    GUEST_HUNG_UP,
    GUEST_STOPPED,
    CUT_NOW,
    CUT_LATER,
    HOWS
};
static const char *const how_names[] = {"host SIGKILL",         "host SIGHUP",
                                        "host terminal gone",   "host SIGSTOP",
                                        "candidate SIGKILL",    "candidate SIGHUP",
                                        "candidate SIGSTOP",    "link cut",
                                        "link cut in a message"};

static struct screen *host, *guest;
static struct proxy wire;
static char code[32], env_away[96];
static int kills[HOWS], round_now;
static uint64_t random_state = 20261121;

static unsigned draw(unsigned below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % below;
}

static void give_up(const char *what)
{
    printf("# round %d: %s\n# host:\n", round_now, what);
    screen_dump(host);
    printf("# candidate:\n");
    screen_dump(guest);
    fail_msg("round %d: %s", round_now, what);
}

static void see(struct screen *s, const char *text)
{
    if (!screen_wait(s, text)) {
        printf("# '%s' never came\n", text);
        give_up(s == host ? "the host's screen" : "the candidate's screen");
    }
}

/* ---- what the log must hold ---- */

struct fact { char uid[33]; };
struct mark {
    char text[24];
    enum { OPEN, DONE, GONE } state;
}; /* OPEN: sent and not seen to be done */
static struct fact facts[FACTS];
static struct mark marks[MARKS];
static int n_facts, n_marks;

static struct mark *mark_new(const char *kind)
{
    struct mark *m = &marks[n_marks];
    assert_true(n_marks < MARKS);
    snprintf(m->text, sizeof m->text, "<%s%d>", kind, n_marks++);
    m->state = OPEN;
    return m;
}

static int occurrences(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = text; at && (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

static int times_in_log(const struct session *s, const char *what)
{
    int n = 0;
    for (int k = 0; k < s->events; k++)
        if (s->log[k]->kind == SESSION_INJECTED || s->log[k]->kind == SESSION_NOTED)
            n += occurrences(s->log[k]->text, what);
    return n + occurrences(s->parts[0].talk, what);
}

/* What stood there before stands at the same place, nothing stands twice. */
static void log_grows(struct interview *log)
{
    const struct interview_entry *e;
    int n = interview_entries(log, &e);
    assert_true(n < FACTS);
    for (int k = 0; k < n; k++) {
        const char *uid = e[k].event ? e[k].event->uid : e[k].move->uid;
        if (k < n_facts && strcmp(uid, facts[k].uid) != 0)
            give_up("what was acknowledged stands elsewhere in the log, or is gone");
        for (int i = n_facts; k >= n_facts && i < k; i++)
            if (!strcmp(facts[i].uid, uid))
                give_up("something stands twice in the log");
        snprintf(facts[k].uid, sizeof facts[k].uid, "%s", uid);
    }
    if (n < n_facts)
        give_up("something that was acknowledged is gone from the log");
    n_facts = n;
}

static void percent_in_log(struct interview *log, int *percent, int *moves)
{
    struct attempt *a = interview_attempt_of(log, 1, NULL);
    *moves = a ? attempt_state(a)->n_moves : 0;
    if (a)
        attempt_percent(a, percent);
}

/* The percent that the candidate sees; 0 where none stand. */
static int percent_shown(int row)
{
    int y, x, n = 0;
    if (!screen_find(guest, "% +/-", &y, &x))
        return 0;
    for (int c = x - 2; c <= x + 2; c++) {   /* what a belief moved by stands further right */
        unsigned digit = screen_cell(guest, y + 1 + row, c).chars[0];
        n = digit >= '0' && digit <= '9' ? n * 10 + (int)(digit - '0') : n;
    }
    return n;
}

static bool beliefs_agree(struct interview *log)
{
    int percent[10], moves;
    percent_in_log(log, percent, &moves);
    if (moves == 0 || attempt_state(interview_attempt_of(log, 1, NULL))->phase == PHASE_REVEALED)
        return true;                     /* there is no such column yet, or not any more */
    for (int k = 0; k < 10; k++)
        if (percent_shown(k) != percent[k])
            return false;
    return true;
}

/* Everything that was seen to be done is in the log; the rest may be, once. What is decided now
 * stays so. */
static void check_log(void)
{
    struct interview *log = log_open();
    log_grows(log);
    for (int k = 0; k < n_marks; k++) {
        int n = times_in_log(interview_session(log), marks[k].text);
        if (n > 1 || (marks[k].state == DONE && n != 1) || (marks[k].state == GONE && n)) {
            printf("# %s: %d times\n", marks[k].text, n);
            give_up(n > 1 ? "something was done twice" : "what was done is not in the log");
        }
        marks[k].state = n ? DONE : GONE;
    }
    int64_t end = os_monotonic_ms() + 10000;
    while (!beliefs_agree(log) && os_monotonic_ms() < end)
        screens_take(5);                 /* the rest of a picture */
    if (!beliefs_agree(log))
        give_up("the candidate sees other beliefs than are kept");
    interview_free(log);
}

/* ---- what the two do ---- */

static struct mark *host_says(void)
{
    static const char *const verbs[] = { "i", "n", "N" };
    unsigned which = draw(3);
    struct mark *m = mark_new(which ? "h" : "i");
    screen_send(host, verbs[which]);
    screen_send(host, m->text);
    screen_send(host, "\r");
    return m;
}

/* Notes of the host are on its own screen, what it injects on the candidate's too. */
static void host_said(struct mark *m)
{
    see(host, m->text);
    if (m->text[1] == 'i')
        see(guest, m->text);
    screen_expect_gone(host, "Esc throw away");
    m->state = DONE;
}

static struct mark *guest_writes(void)
{
    struct mark *m = mark_new("c");
    screen_send(guest, "n\r");           /* a line of its own, so that it is in one row */
    screen_send(guest, m->text);
    screen_send(guest, "\t");
    return m;
}

static void guest_wrote(struct mark *m)
{
    see(guest, m->text);
    if (!screen_wait_gone(guest, "Tab keep"))
        give_up("the note is never kept");
    m->state = DONE;
}

/* One key that changes a belief. Returns what is shown before it. */
static int guest_believes(void)
{
    int before = percent_shown(0);
    screen_send(guest, before > 40 ? "-" : before < 12 ? "+" : draw(2) ? "+" : "-");
    return before;
}

static void guest_believed(int before)
{
    int64_t end = os_monotonic_ms() + 30000;
    while ((percent_shown(0) == before || !percent_shown(0)) && os_monotonic_ms() < end)
        screens_take(5);
    if (percent_shown(0) == before)
        give_up("a belief never moved");
}

/* ---- coming and going ---- */

static void join_again(void)
{
    if (screen_wait_exit(guest) == -1)
        give_up("the candidate's program does not end");
    screen_free(guest);
    guest = join_screen(code, "Ada", env_away);
}

/* It ends as it was told to: by SIGKILL, or in order. */
static void host_again(enum how how)
{
    static const char *const words[] = { "--no-wall", "--resume", NULL };
    int status = screen_wait_exit(host);
    if (status == -1)
        give_up("the host's program does not end");
    bool hung_up = WIFEXITED(status) && (WEXITSTATUS(status) == 128 + SIGHUP ||
                                         (how == HOST_TERMINAL_GONE && WEXITSTATUS(status) == 0));
    if (how == HOST_KILLED ? !WIFSIGNALED(status) : !hung_up) {
        printf("# wait status %x\n", (unsigned)status);
        give_up("the host's program ended otherwise than it was told to");
    }
    screen_free(host);
    host = host_screen(words, NULL);
    see(host, "SAY NEXT");
}

static void signal_to(struct screen *s, int number)
{
    assert_int_equal(kill(screen_pid(s), number), 0);
}

/* Neither side may be waited for here: what was sent is under way. */
static void strike(enum how how)
{
    kills[how]++;
    switch (how) {
    case HOST_KILLED: signal_to(host, SIGKILL); break;
    case HOST_HUNG_UP: signal_to(host, SIGHUP); break;
    case HOST_TERMINAL_GONE: screen_hang_up(host); break;
    case HOST_STOPPED: signal_to(host, SIGSTOP); break;
    case GUEST_KILLED: signal_to(guest, SIGKILL); break;
    case GUEST_HUNG_UP: signal_to(guest, SIGHUP); break;
    case GUEST_STOPPED: signal_to(guest, SIGSTOP); break;
    case CUT_NOW: proxy_cut_after(&wire, 0); break;
    default: proxy_cut_after(&wire, 1 + (int)draw(600)); break;
    }
}

static void mend(enum how how)
{
    switch (how) {
    case HOST_KILLED:
    case HOST_HUNG_UP:
    case HOST_TERMINAL_GONE: host_again(how); break;
    case HOST_STOPPED: signal_to(host, SIGCONT); break;
    case GUEST_KILLED:
    case GUEST_HUNG_UP: join_again(); break;
    case GUEST_STOPPED: signal_to(guest, SIGCONT); break;
    default: break;
    }
}

/* Did both programs live on? Then nothing that was sent may be missing. */
static bool is_harmless(enum how how)
{
    return how == HOST_STOPPED || how == GUEST_STOPPED || how == CUT_NOW || how == CUT_LATER;
}

/* Fields that a kill left open are closed, and both ends hear each other. */
static void settle_down(enum how how)
{
    struct mark *m = mark_new("i");
    screen_send(host, "\x1b");
    see(host, "SAY NEXT");
    screen_expect_gone(host, "Esc throw away");
    screen_send(host, "i");
    see(host, "Enter send to the candidate");
    screen_send(host, m->text);
    screen_send(host, "\r");
    see(guest, m->text);
    m->state = DONE;
    proxy_cut_after(&wire, -1);
    if (is_harmless(how) || !is_on(guest, "Tab keep"))
        return;
    screen_send(guest, "\x1b");
    screen_expect_gone(guest, "Tab keep");
}

/* ---- rounds ---- */

static void hurry(void)
{
    for (int ms = (int)draw(HURRY_MS); ms > 0; ms--)
        screens_take(1);
}

static void talk_round(enum how how)
{
    struct mark *said = host_says(), *wrote;
    if (draw(2))
        host_said(said);
    wrote = guest_writes();
    if (draw(3) == 0)
        guest_wrote(wrote);
    hurry();
    strike(how);
    if (how == HOST_STOPPED && wrote->state == DONE)
        wrote = guest_writes();
    mend(how);
    if (is_harmless(how)) {
        guest_wrote(wrote);
        host_said(said);
    }
    settle_down(how);
}

static void scenario_round(enum how how)
{
    struct mark *said = host_says();
    int before, moved = 0;
    if (draw(2))
        host_said(said);
    before = guest_believes();
    if (draw(3) == 0) {
        guest_believed(before);
        moved = 1;
    }
    hurry();
    strike(how);
    mend(how);
    if (is_harmless(how) && !moved)
        guest_believed(before);
    if (is_harmless(how))
        host_said(said);
    settle_down(how);
    see(guest, "WHAT YOU BELIEVE");
    before = guest_believes();           /* its picture comes after all that was sent before */
    guest_believed(before);
}

/* --no-wall, since it is the proxy that the host sees, and that gives up nothing. */
static void begin_interview(void)
{
    static const char *const words[] = {"--no-wall", "--start",   "--seed", "5", "--level",
                                        "1",         "--minutes", "60",     NULL};
    char id[8], near[72];
    host = host_waits(words, NULL, code, sizeof code);
    snprintf(id, sizeof id, "%.3s", code);
    snprintf(near, sizeof near, "%s/away", place);
    snprintf(env_away, sizeof env_away, "XDG_RUNTIME_DIR=%s", near);
    wire = proxy_start(near, strchr(env_runtime, '=') + 1, id, NULL);
    guest = join_screen(code, "Ada", env_away);
    screen_expect(guest, "The interviewer begins");
    screen_expect(host, "candidate Ada, here");
}

/* The last steps of a scenario, each with a kill right after it was seen. */
static void step_and_kill(struct screen **who, const char *keys, const char *there, enum how how)
{
    screen_send(*who, keys);
    see(guest, there);
    strike(how);
    mend(how);
    see(host, "SAY NEXT");
    see(guest, there);
    settle_down(how);
    check_log();
    round_now++;
}

/* Even beliefs are asked about once more before they are locked; where a random walk has ended is
 * up to the machine. */
static void tilt_beliefs(void)
{
    if (percent_shown(0) == percent_shown(1))
        guest_believed(guest_believes());
}

static void the_end(void)
{
    tilt_beliefs();
    press(guest, "\r", "Enter lock");
    press(guest, "\r", "WHERE IS IT");
    press(guest, "\r", "HOW WOULD YOU FIX IT");
    step_and_kill(&guest, "2\r", "How long does it take at the very least", GUEST_KILLED);
    step_and_kill(&guest, "130 us\r", "How many store requests", HOST_KILLED);
    step_and_kill(&guest, "2097152\r", "Beliefs, line and fix are locked", HOST_KILLED);
    press(host, "1", "Enter sends conviction");
    step_and_kill(&host, "\r", "fire and forget", HOST_KILLED);
    step_and_kill(&guest, "-\r", "Your beliefs are final", HOST_HUNG_UP);
    press(host, "x", "x once more");
    step_and_kill(&host, "x", "The interviewer will release the score.", HOST_KILLED);
    press(host, "t2", "DRILLS ASKED");
    see(guest, "The interviewer asks the next question");
    step_and_kill(&host, "\r", "your answer", HOST_KILLED);
    step_and_kill(&guest, "\r\r", "1 answered", GUEST_KILLED);
    step_and_kill(&host, "z", "On pause", HOST_KILLED);
    screen_send(host, "z");
    screen_expect_gone(guest, "On pause");
    press(host, "C", "C once more");
    screen_send(host, "C");
    see(guest, "The interview is over.");
    screen_send(host, "Q");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(host)), 0);
    see(guest, "Thank you.  q leaves.");
    screen_send(guest, "q");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(guest)), 0);
}

static void killed_at_random(void **state)
{
    int64_t began = os_monotonic_ms();
    begin_interview();
    press(host, "\r", "WRITTEN DOWN");
    screen_expect(guest, "Tell me how you approach");
    for (; round_now < KILLS_TALK; round_now++) {
        talk_round((enum how)draw(HOWS));
        check_log();
    }
    press(host, "t2", "BELIEFS");
    screen_expect(guest, "this kernel");
    screen_expect(guest, "nothing: at the limit");
    screen_send(guest, "1");
    for (; round_now < KILLS_TALK + KILLS_SCENARIO; round_now++) {
        scenario_round((enum how)draw(HOWS));
        check_log();
    }
    the_end();
    screen_free(guest);
    screen_free(host);
    struct interview *log = log_open();
    assert_int_equal(interview_session(log)->phase, SESSION_OVER);
    assert_int_equal(interview_session(log)->parts[2].n_drills, 1);
    interview_free(log);
    for (int k = 0; k < HOWS; k++)
        printf("# %3d  %s\n", kills[k], how_names[k]);
    printf("# %d kills, %d entries in the log, %.1f s\n", round_now, n_facts,
           (double)(os_monotonic_ms() - began) / 1000);
}


static int end(void **state)
{
    proxy_end(&wire);
    return interview_clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(killed_at_random) };
    return RUN_CASES(tests, in_place, end);
}

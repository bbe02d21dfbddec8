/* Interviews and what goes wrong below them: a full disk, keys that wait for it, kills at any
 * moment. */
#include "scenarios/interview/interview.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "scenarios/interview/interview_life.h"
#include "scenarios/interview/interview_moves.h"
#include "scenarios/interview/interview_says.h"
#include "scenarios/interview/interview_verbs.h"
#include "tests/db/disk.h"
#include "tests/scenarios/interview/sample_interview.h"

enum { KILLS = 200 / ONE_OF, MOST_REPORTS = 7, PATIENCE_MS = 60000 };

static int begin_all(void **state)
{
    return install_shim(state) ? -1 : interviews_begin("live-fault", 1000);
}

/* ---- a full disk ---- */

typedef int (*verb)(struct interview *l, struct err *err);
static int do_note(struct interview *l, struct err *err)
{
    return interview_note(l, "a note", false, err);
}
static int do_rate(struct interview *l, struct err *err)
{
    return interview_rate(l, "space", 2, err);
}
static int do_hint(struct interview *l, struct err *err)
{
    return interview_hint(l, 1, "look", err);
}
static int do_pause(struct interview *l, struct err *err)
{
    return interview_pause(l, interview_session(l)->phase == SESSION_RUNNING, err);
}
static int do_hand(struct interview *l, struct err *err)
{
    return interview_hand(l, "timing", recorded(l, "timing"), err);
}
static int do_finish(struct interview *l, struct err *err) { return interview_finish(l, err); }
static int do_attempt(struct interview *l, struct err *err)
{
    return interview_attempt_begin(l, attempt_new(l), err);
}

static void fails_then_works(struct interview *l, verb v, enum fault_kind kind, int countdown)
{
    struct err err = {0};
    const struct session *s = interview_session(l);
    int events = s->events, grades = s->n_grades, notes = s->n_notes, phase = s->phase;
    disk.kind = kind, disk.countdown = countdown, disk.for_ever = true, disk.hit = false;
    int rc = v(l, &err);
    bool hit = disk.hit;
    disk.countdown = 0, disk.for_ever = disk.hit = false;
    if (!hit || rc == 0) {
        ok(rc, &err);
        return;
    }
    assert_int_equal(rc, ERR_IO);
    assert_true(strlen(err.text) > 20);
    assert_true(s->events == events && s->n_grades == grades && s->n_notes == notes &&
                (int)s->phase == phase);
    ok(v(l, &err), &err);
    assert_int_equal(s->events, events + 1);
}

static void a_full_disk_changes_nothing(void **state)
{
    static const verb verbs[] = {do_note, do_rate, do_hint, do_pause, do_pause};
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        struct interview *l = create(NULL);
        char id[64];
        snprintf(id, sizeof id, "%s", interview_id(l));
        DO(interview_begin(l, 1, &err));
        fails_then_works(l, do_attempt, (enum fault_kind)kind, 1);
        for (int countdown = 1; countdown <= 3; countdown += ONE_OF)
            for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++)
                fails_then_works(l, verbs[v], (enum fault_kind)kind, countdown);
        fails_then_works(l, do_hand, (enum fault_kind)kind, kind + 1);
        fails_then_works(l, do_finish, (enum fault_kind)kind, 1);
        const struct session *s = interview_session(l);
        int events = s->events, moves = attempt_state(interview_attempt(l))->n_moves;
        interview_free(l);
        l = open_again(id, false);
        assert_int_equal(interview_session(l)->events, events);
        assert_int_equal(attempt_state(interview_attempt(l))->n_moves, moves);
        made_interview_end(l);
    }
}

/* Keys pressed while the disk is full are kept in memory, said to be unkept, and kept later. */
static void keys_wait_for_the_disk(void **state)
{
    struct interview *l = create(NULL);
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    press_belief(l, 1, BELIEF_MORE);
    disk.kind = FAULT_FULL, disk.countdown = 1, disk.for_ever = true, disk.hit = false;
    attempt_press(interview_attempt(l), 2, BELIEF_MORE, os_monotonic_ms());
    REFUSED(ERR_IO, "not stored yet", interview_settle(l, &err));
    REFUSED(ERR_IO, "not stored yet",
            interview_note(l, "refused too: it would come before the move", false, &err));
    disk.countdown = 0, disk.for_ever = disk.hit = false;
    DO(interview_settle(l, &err));
    const struct investigation *mine = attempt_state(interview_attempt(l));
    struct interview *again = open_again(interview_id(l), true);
    const struct investigation *theirs = attempt_state(interview_attempt(again));
    assert_int_equal(mine->n_moves, theirs->n_moves);
    assert_memory_equal(mine->points, theirs->points, sizeof mine->points);
    interview_free(again);
    made_interview_end(l);
}

static void a_disk_that_was_full_leaves_no_half_interview(void **state)
{
    struct session_plan p = sample_plan();
    session_rubric_builtin(&p);
    int refused = 0;
    for (int countdown = 1; countdown <= 40; countdown += 3) {
        struct session_codes code;
        struct interview *l = NULL;
        struct err err = {0};
        disk.kind = FAULT_FULL, disk.countdown = countdown, disk.for_ever = true, disk.hit = false;
        int rc = interview_create(&l, &code, &p, HOUR_MS, &err);
        disk.countdown = 0, disk.for_ever = disk.hit = false;
        struct interview_listed *list;
        int n;
        refused += rc != 0;
        if (rc == 0)
            made_interview_end(l);
        else
            assert_true(err.text[0]);
        ok(interview_list(&list, &n, &err), &err);
        assert_int_equal(n, 0);
        free(list);
    }
    assert_true(refused > 2);
}

/* ---- kills ---- */

struct report { int notes, moves, flips; };

static struct report count(struct interview *l)
{
    struct report r = {0};
    const struct session *s = interview_session(l);
    for (int i = 0; i < s->n_notes; i++) {       /* each once, in order */
        char expected[24];
        snprintf(expected, sizeof expected, "note %d", i);
        assert_string_equal(s->notes[i].text, expected);
    }
    r.notes = s->n_notes;
    for (int i = 0; i < s->events; i++)
        r.flips += s->log[i]->kind == SESSION_PAUSED || s->log[i]->kind == SESSION_RESUMED;
    r.moves = attempt_state(interview_attempt(l))->n_moves;
    return r;
}

static void host_until_killed(const char *id, int out, unsigned number)
{
    struct interview *l = NULL;
    if (interview_open(&l, id, false, NULL) || interview_opened(l, "confined", NULL, NULL))
        _exit(1);
    struct report r = count(l);
    for (;; number = number * 1103515245u + 12345u) {
        char text[24];
        snprintf(text, sizeof text, "note %d", r.notes);
        int rc = 0;
        switch (number >> 16 & 3) {
        case 0: rc = interview_note(l, text, false, NULL); r.notes++; break;
        case 1:
            rc = interview_pause(l, interview_session(l)->phase == SESSION_RUNNING, NULL);
            r.flips++;
            break;
        default:
            attempt_press(interview_attempt(l), (int)(number >> 20 & 3),
                          number >> 22 & 1 ? BELIEF_MORE : BELIEF_LESS, os_monotonic_ms());
            rc = interview_settle(l, NULL);
            r.moves = attempt_state(interview_attempt(l))->n_moves;
        }
        if (rc || write(out, &r, sizeof r) != sizeof r)
            _exit(2);
    }
}

static bool read_report(int in, struct report *r)
{
    struct pollfd p = {.fd = in, .events = POLLIN};
    return poll(&p, 1, PATIENCE_MS) > 0 && read(in, r, sizeof *r) == sizeof *r;
}

static void run_and_kill(const char *id, struct report *last, unsigned number, int reports)
{
    int fd[2];
    assert_int_equal(pipe(fd), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(fd[0]);
        host_until_killed(id, fd[1], number);
    }
    close(fd[1]);
    for (int i = 0; i < reports; i++)
        assert_true(read_report(fd[0], last));
    if (reports == 0 && number & 1)      /* somewhere in the opening */
        nanosleep(&(struct timespec){.tv_nsec = (long)(number % 4000000)}, NULL);
    assert_int_equal(kill(child, SIGKILL), 0);
    while (read_report(fd[0], last)) {
        /* it ran on until the signal arrived */
    }
    close(fd[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void nothing_acknowledged_is_lost(void **state)
{
    struct interview *l = create(NULL);
    char id[64];
    snprintf(id, sizeof id, "%s", interview_id(l));
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    struct report r = count(l);
    interview_free(l);
    for (int k = 0; k < KILLS; k++) {
        unsigned number = 77u + (unsigned)k * 2654435761u;
        run_and_kill(id, &r, number, (int)(number >> 8 & 0xffff) % MOST_REPORTS);
        l = open_again(id, true);
        struct report found = count(l);
        int more = found.notes - r.notes + found.moves - r.moves + found.flips - r.flips;
        if (found.notes < r.notes || found.moves < r.moves || found.flips < r.flips || more > 1)
            fail_msg("after kill %d: notes %d of %d, moves %d of %d, flips %d of %d", k,
                     found.notes, r.notes, found.moves, r.moves, found.flips, r.flips);
        r = found;
        interview_free(l);
    }
    assert_true(r.notes > 50 / ONE_OF && r.moves > 50 / ONE_OF && r.flips > 50 / ONE_OF);
    made_interview_delete(id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_disk_changes_nothing),
        cmocka_unit_test(keys_wait_for_the_disk),
        cmocka_unit_test(a_disk_that_was_full_leaves_no_half_interview),
        cmocka_unit_test(nothing_acknowledged_is_lost),
    };
    return cmocka_run_group_tests_name("live_fault", tests, begin_all, interviews_end);
}

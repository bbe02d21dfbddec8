/* Replay and report of a two-hour interview of 10,000 events: from the start of the program to the
 * first frame, from a key that jumps to the changed picture, and to the end of a report. Prints
 * distributions; the bounds that we aim at stand beside them. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "scenarios/interview/interview.h"
#include "scenarios/interview/interview_life.h"
#include "scenarios/interview/interview_moves.h"
#include "scenarios/interview/interview_says.h"
#include "scenarios/interview/interview_verbs.h"
#include "tests/bench/bench.h"
#include "tests/scenarios/small_pack.h"
#include "tests/tui/screen.h"

enum { EVENTS = 10000, STARTS = 10, JUMPS = 40, REPORTS = 10, HOURS_MS = 7200000 };

static int64_t clock_ms = 1795262400000;

static void pass(void)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)(clock_ms += HOURS_MS / EVENTS));
    setenv("WARPDRILL_NOW_MS", text, 1);
}

static int begin(struct interview **l, struct pack *pack, struct err *err)
{
    struct session_codes unused;
    struct session_plan p = {.title = "Two hours",
                             .candidate = "C-07",
                             .level = 1,
                             .tier = "recorded",
                             .n_parts = 1};
    struct supply *supply = NULL;
    struct attempt *a = NULL;
    const struct variant *v = pack->stories[0].variants[0];
    p.parts[0] = (struct session_part){.kind = PART_SCENARIO,
                                       .minutes = 120,
                                       .title = "Sums",
                                       .id = "small/sums/a"};
    session_rubric_builtin(&p);
    pass();
    int rc = interview_create(l, &unused, &p, HOURS_MS, err);
    rc = rc ? rc : interview_begin(*l, 0, err);
    rc = rc ? rc : supply_recorded(&supply, v, NULL, err);
    rc = rc ? rc : attempt_start(&a, interview_store(*l), v, supply, 7, os_monotonic_ms(), err);
    supply_free(supply);
    return rc ? rc : interview_attempt_begin(*l, a, err);
}

static int hold(struct pack *pack, struct err *err)
{
    struct interview *l = NULL;
    int rc = begin(&l, pack, err);
    for (int k = 0; k < EVENTS && rc == 0; k++) {
        pass();
        if (k % 20 == 0)
            rc = interview_note(l, "a note", false, err);
        else if (k % 4 == 0)
            rc = interview_tick(l, err);
        else {
            attempt_press(interview_attempt(l), k % 3, k % 2 ? BELIEF_MORE : BELIEF_LESS,
                          os_monotonic_ms());
            rc = interview_settle(l, err);
        }
    }
    rc = rc ? rc : interview_close(l, err);
    interview_free(l);
    return rc;
}

/* From the first byte of the program to its first frame, then from keys to pictures. */
static int replays(void)
{
    static const char *const arguments[] = {"replay", NULL};
    static const struct {
        const char *key, *text;
    } jumps[] = {{"\x1bOF", "stands  120:00"},
                 {"5", "stands  60:0"},
                 {"\x1bOH", "stands  0:00"},
                 {"9", "stands  108:0"}};
    double start[STARTS], jump[JUMPS];
    for (int i = 0; i < STARTS; i++) {
        const struct screen_start how = {.rows = 30, .columns = 100, .arguments = arguments};
        double before = now_ms();
        struct screen *s = screen_start(&how);
        bool there = screen_wait(s, "stands  0:00");
        start[i] = now_ms() - before;
        for (int k = 0; there && i == 0 && k < JUMPS; k++) {
            before = now_ms();
            screen_send(s, jumps[k % 4].key);
            there = screen_wait(s, jumps[k % 4].text);
            jump[k] = now_ms() - before;
        }
        screen_send(s, "q");
        screen_wait_exit(s);
        if (!there)
            screen_dump(s);
        screen_free(s);
        if (!there)
            return 1;
    }
    printf("An interview of %d events\n", EVENTS);
    show("  replay to first frame", start, STARTS, "under 1000 ms");
    show("  replay, jump to paint", jump, JUMPS, "under 100 ms");
    return 0;
}

static int reports(void)
{
    const char *program = getenv("WARPDRILL_BIN");
    double ms[REPORTS];
    char command[512];
    snprintf(command, sizeof command, "'%s' report --format html > /dev/null",
             program ? program : "build/warpdrill");
    for (int i = 0; i < REPORTS; i++) {
        double before = now_ms();
        if (system(command) != 0)
            return 1;
        ms[i] = now_ms() - before;
    }
    show("  report as HTML", ms, REPORTS, "under 1000 ms");
    return 0;
}

int main(void)
{
    char folder[128], command[160];
    struct err err = {0};
    snprintf(folder, sizeof folder, "%s/warpdrill-bench-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(folder))
        return 1;
    setenv("XDG_STATE_HOME", folder, 1);
    struct pack *pack = small_recorded(&err);
    int failed = !pack || hold(pack, &err);
    if (failed)
        fprintf(stderr, "%s\n", err.text);
    unsetenv("WARPDRILL_NOW_MS");
    pack_free(pack);
    failed = failed || replays() || reports();
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0 || failed;
}

/* A host and a candidate who was let in. */
#ifndef WD_TESTS_TUI_INTERVIEW_PAIR_H
#define WD_TESTS_TUI_INTERVIEW_PAIR_H

#include "tests/tui/interview/interview.h"

static struct screen *host, *guest;
static char code[32];

static inline void both_begin_with(const char *const *words)
{
    host = host_waits(words, NULL, code, sizeof code);
    guest = join_screen(code, "Ada", env_runtime);
    screen_expect(host, "candidate Ada, here");
    screen_expect(guest, "The interviewer begins");
}

static inline void both_begin(void)
{
    static const char *const words[] = {"--no-wall", "--start", "--seed", "5",
                                        "--level",   "1",       NULL};
    both_begin_with(words);
}

/* A scenario, the second part, runs. */
static inline void scenario_begins(void)
{
    both_begin();
    press(host, "\r", "WRITTEN DOWN");
    press(host, "t2", "BELIEFS");
    screen_expect(guest, "this kernel");
}

static inline void both_leave(void)
{
    host_leaves(host);
    screen_free(guest);
}

#endif

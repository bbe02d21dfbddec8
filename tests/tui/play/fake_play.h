/* A variant of a test's pack played on a runner that answers at once, seed 1. */
#ifndef WD_TESTS_TUI_FAKE_PLAY_H
#define WD_TESTS_TUI_FAKE_PLAY_H

#include <stdio.h>

#include "tests/tui/steps.h"

#define DOWN "\x1bOB"

static inline struct screen *fake_play(const char *pack, const char *variant, int rows, int columns)
{
    char runner[512];
    snprintf(runner, sizeof runner, "%s/tests/fakes/fake_runner good", getenv("BUILD"));
    const char *play[] = {"--pack",   pack,   "--trust", "--seed", "1",
                          "--runner", runner, "play",    variant,  NULL};
    struct screen_start how = {.rows = rows, .columns = columns, .arguments = play};
    return screen_start(&how);
}

#endif

/* A client of the fake runner, which plays the scenario named. */
#ifndef WD_TESTS_FAKE_CLIENT_H
#define WD_TESTS_FAKE_CLIENT_H

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/supply/client.h"
#include "tests/unit.h"

/* The command that starts it; malloc'd. */
static inline char *fake_command(const char *plays)
{
    char *program = os_program_path(), *slash = strrchr(program, '/');
    char *command = text_format("exec '%.*s/../../fakes/fake_runner' %s", (int)(slash - program),
                                program, plays);
    free(program);
    return command;
}

static inline struct client *open_command(const char *command)
{
    struct err err = {0};
    struct client *c = NULL;
    if (client_open(&c, command, &err))
        fail_msg("%s", err.text);
    return c;
}

static inline struct client *open_fake(const char *plays)
{
    char *command = fake_command(plays);
    struct client *c = open_command(command);
    free(command);
    return c;
}

#endif

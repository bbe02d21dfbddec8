/* `warpdrill replay`: what can be wrong is said before the screen is taken. */
#include "tui/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/interview/interview.h"
#include "scenarios/interview/interview_life.h"
#include "tui/interview/host.h"
#include "tui/interview/replay_screen.h"

/* "4", "0.5x" to a power of two. */
static int read_speed(int *out, const char *text)
{
    char *end = NULL;
    text = text ? text : "1";
    double speed = strtod(text, &end);
    bool read = end != text && (!*end || !strcmp(end, "x"));
    for (*out = -1; read && *out <= 6; ++*out)
        if (speed == (*out < 0 ? 0.5 : 1 << *out))
            return CMD_OK;
    return cmd_misuse("--speed is 0.5, 1, 2, 4, 8, 16, 32 or 64, not '%s'", text);
}

/* "12:04", "1:02:04"; a number alone is minutes. */
static int read_time(int64_t *out, const char *text)
{
    int64_t ms = 0;
    const char *at = text;
    *out = 0;
    for (int groups = 0; at; groups++) {
        char *end;
        long n = strtol(at, &end, 10);
        if (*at < '0' || *at > '9' || n > 99999 || (groups && n > 59) || groups > 2 ||
            (*end && *end != ':'))
            return cmd_misuse("--at is a time such as 12:04 or 1:02:04, not '%s'", text);
        ms = ms * 60 + n;
        at = *end ? end + 1 : NULL;
        if (!at)
            ms *= groups ? 1000 : 60000;
    }
    *out = ms;
    return CMD_OK;
}

int cmd_replay(const struct cmd *c)
{
    struct interview *live = NULL;
    struct replay_options options = {0};
    char id[64];
    int status = read_speed(&options.speed, c->speed);
    status = status ? status : read_time(&options.at_ms, c->at);
    if (!status && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
        status = cmd_misuse(
            "replay needs a terminal, and there is none here; `warpdrill report` writes it down");
    status = status ? status : cmd_session(&live, c);
    status = status ? status : cmd_truth(live, c);
    if (status) {
        interview_free(live);
        return status;
    }
    snprintf(id, sizeof id, "%s", interview_id(live));
    interview_free(live);
    options.id = id;
    return cmd_tui(c, NULL, &(struct host_options){ .replay = &options });
}

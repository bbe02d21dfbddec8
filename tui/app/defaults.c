#include "tui/app/defaults.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/moment.h"
#include "db/store.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

/* 'quoted' for /bin/sh. */
static char *shell_quote(const char *s)
{
    char *out = mem_new(strlen(s) * 4 + 3, 1), *at = out;
    *at++ = '\'';
    for (; *s; s++) {
        if (*s == '\'') {
            memcpy(at, "'\\''", 4);
            at += 4;
        } else {
            *at++ = *s;
        }
    }
    *at++ = '\'';
    *at = '\0';
    return out;
}

char *default_runner(const char *given)
{
    const char *from_environment = getenv("WARPDRILL_RUNNER");
    if (given)
        return text_dup(given);
    return from_environment && *from_environment ? text_dup(from_environment)
                                                 : default_runner_here();
}

char *default_runner_here(void)
{
    char *program = os_program_path(), *command = NULL;
    char *slash = program ? strrchr(program, '/') : NULL;
    if (slash) {
        char *beside = text_format("%.*s/warpdrill-runner", (int)(slash - program), program);
        if (access(beside, X_OK) == 0)
            command = shell_quote(beside);
        free(beside);
    }
    free(program);
    return command ? command : text_dup("warpdrill-runner");
}

char *default_db(const char *given)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (given)
        return text_dup(given);
    if (data && *data == '/')
        return text_format("%s/warpdrill/progress.db", data);
    return text_format("%s/.local/share/warpdrill/progress.db", home && *home ? home : ".");
}

int64_t wall_now(void)
{
    return store_clock();
}

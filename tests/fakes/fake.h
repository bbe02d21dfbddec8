/* What the fake driver libraries share: the plan, a file of `key value` lines named by
 * WARPDRILL_FAKE_PLAN. Keys: `fail CALL` = N CODE, `hang CALL` = N (counted from 1 in each process),
 * and plain numbers, each read with a default. No plan: everything works. */
#ifndef FAKE_H
#define FAKE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *fake_value(const char *key, char *line, int size)
{
    const char *path = getenv("WARPDRILL_FAKE_PLAN");
    FILE *f = path && *path ? fopen(path, "re") : NULL;
    size_t len = strlen(key);
    char *found = NULL;
    while (f && !found && fgets(line, size, f))
        if (!strncmp(line, key, len) && line[len] == ' ')
            found = line + len + 1;
    if (f)
        fclose(f);
    return found;
}

static inline double fake_number(const char *key, double otherwise)
{
    char line[256], *value = fake_value(key, line, sizeof line);
    return value ? strtod(value, NULL) : otherwise;
}

/* What call number `n` of this name answers; a hang ends with the process. */
static inline int fake_result(const char *call, int n)
{
    char key[128], line[256], *value;
    int at = 0, code = 0;
    snprintf(key, sizeof key, "hang_%s", call);
    if ((value = fake_value(key, line, sizeof line)) && atoi(value) == n)
        for (;;)
            pause();
    snprintf(key, sizeof key, "fail_%s", call);
    if ((value = fake_value(key, line, sizeof line)) && sscanf(value, "%d %d", &at, &code) == 2 && at == n)
        return code;
    return 0;
}

/* In every function of a fake: counts the call and obeys the plan. */
#define FAKE_CALL() \
    do { \
        static int calls_; \
        int result_ = fake_result(__func__, ++calls_); \
        if (result_) \
            return result_; \
    } while (0)

#endif

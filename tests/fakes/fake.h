/* What the fake driver libraries share: the plan, a file of `key value` lines named by
 * WARPDRILL_FAKE_PLAN. Keys: `fail_CALL` = N CODE, `hang_CALL` = N (counted from 1 in each process),
 * and plain numbers, each read with a default. No plan: everything works. */
#ifndef FAKE_H
#define FAKE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The plan's text, read anew when the file has changed: it is looked up several times a launch. */
static const char *fake_plan(void)
{
    static char text[4096];
    static struct stat seen;
    const char *path = getenv("WARPDRILL_FAKE_PLAN");
    struct stat is;
    if (!path || !*path || stat(path, &is))
        return "";
    if (is.st_ino == seen.st_ino && is.st_size == seen.st_size && is.st_mtim.tv_sec == seen.st_mtim.tv_sec &&
        is.st_mtim.tv_nsec == seen.st_mtim.tv_nsec)
        return text;
    FILE *f = fopen(path, "re");
    text[f ? fread(text, 1, sizeof text - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    seen = is;
    return text;
}

static const char *fake_value(const char *key)
{
    size_t len = strlen(key);
    for (const char *at = fake_plan(); at && *at; at = strchr(at, '\n'), at += at != NULL)
        if (!strncmp(at, key, len) && at[len] == ' ')
            return at + len + 1;
    return NULL;
}

static inline double fake_number(const char *key, double otherwise)
{
    const char *value = fake_value(key);
    return value ? strtod(value, NULL) : otherwise;
}

/* What call number `n` of this name answers; a hang ends with the process. */
static inline int fake_result(const char *call, int n)
{
    const char *value;
    char key[128];
    int at = 0, code = 0;
    snprintf(key, sizeof key, "hang_%s", call);
    if ((value = fake_value(key)) && atoi(value) == n)
        for (;;)
            pause();
    snprintf(key, sizeof key, "fail_%s", call);
    if ((value = fake_value(key)) && sscanf(value, "%d %d", &at, &code) == 2 && at == n)
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

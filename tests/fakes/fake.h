/* What the fake driver libraries share: the plan, a file of `key value` lines named by
 * WARPDRILL_FAKE_PLAN. Keys: `fail_CALL` = N CODE, `hang_CALL` = N (counted from 1 in each
 * process), and plain numbers, each read with a default. No plan: everything works. */
#ifndef FAKE_H
#define FAKE_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
    if (is.st_ino == seen.st_ino && is.st_size == seen.st_size &&
        is.st_mtim.tv_sec == seen.st_mtim.tv_sec && is.st_mtim.tv_nsec == seen.st_mtim.tv_nsec)
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

/* A kernel that ran on the fake driver, or a copy: what the fake CUPTI makes records of. */
enum { FAKE_KERNELS = 4096 };
struct fake_kernel {
    char name[96];
    double start, end;
    int device, copy;
};

/* One fault that a test arms while the runner is at work, in a file that every process of the
 * runner maps (WARPDRILL_FAKE_FAULT; the compiler too, since it maps it before it gives up its
 * files): call number `at` of this name, counted over all processes since it was armed, answers
 * `code`. seen >= at: it happened. */
struct fake_fault {
    char call[64];
    int at, code, seen;
};

static inline struct fake_fault *fake_fault(void)
{
    static struct fake_fault *fault;
    static int tried;
    const char *path = getenv("WARPDRILL_FAKE_FAULT");
    if (tried++ || !path)
        return fault;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    void *at =
        fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *fault, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    fault = at == MAP_FAILED ? NULL : at;
    if (fd >= 0)
        close(fd);
    return fault;
}

static inline int fake_armed(const char *call)
{
    struct fake_fault *f = fake_fault();
    return f && f->at && !strcmp(f->call, call) && ++f->seen == f->at ? f->code : 0;
}

/* What call number `n` of this name answers; a hang ends with the process. */
static inline int fake_result(const char *call, int n)
{
    const char *value;
    char key[128];
    int at = 0, code = fake_armed(call);
    if (code)
        return code;
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

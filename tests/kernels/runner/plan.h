/* The plan of the fakes: a file whose lines say what NVIDIA's libraries are to do, read by them
 * whenever they are started or asked, and written anew by the tests. */
#ifndef TESTS_PLAN_H
#define TESTS_PLAN_H

#include "tests/kernels/runner/talk.h"

static char plan_path[] = "/tmp/warpdrill-plan-XXXXXX";

static inline void plan_write(const char *text)
{
    FILE *f = fopen(plan_path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static inline void talk_planned(struct talk *t, const char *text)
{
    plan_write(text);
    talk_open(t);
}

/* Set-up and tear-down of a group. */
static inline int plan_make(void **state)
{
    int fd = mkstemp(plan_path);
    return fd < 0 || close(fd) ? -1 : setenv("WARPDRILL_FAKE_PLAN", plan_path, 1);
}

static inline int plan_remove(void **state)
{
    return unlink(plan_path);
}

#endif

/* A fault that a test puts at one call of NVIDIA's fake libraries, and how its request must end. */
#ifndef WD_TESTS_FAULT_H
#define WD_TESTS_FAULT_H

#include <fcntl.h>
#include <sys/mman.h>

#include "tests/fakes/fake.h"
#include "tests/kernels/runner/talk.h"
#include "tests/unit.h"

/* Shared with the runner, which finds `file` by WARPDRILL_FAKE_FAULT. */
static inline struct fake_fault *fault_map(const char *file)
{
    int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(ftruncate(fd, sizeof(struct fake_fault)), 0);
    void *at = mmap(NULL, sizeof(struct fake_fault), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(at != MAP_FAILED);
    close(fd);
    return at;
}

/* The call of number `at` from here on answers `code`. */
static inline void fault_put(struct fake_fault *f, const char *call, int at, int code)
{
    snprintf(f->call, sizeof f->call, "%s", call);
    f->code = code;
    f->seen = 0;
    f->at = at;
}

/* "" where it is not there. */
static inline const char *text_of(const json_t *error, const char *key)
{
    const char *text = json_string_value(json_object_get(error, key));
    return text ? text : "";
}

/* A launch of a graph launches its kernels, in the fake driver by the same call. */
static inline bool fault_is_told(const json_t *error, const struct fake_fault *f)
{
    const char *told = text_of(error, "call");
    bool nested = !strcmp(f->call, "cuLaunchKernel") && !strcmp(told, "cuGraphLaunch");
    return (nested || !strcmp(told, f->call)) && *text_of(error, "remedy") &&
           !strcmp(text_of(error, "code"), f->code == 2 ? "memory" : "fault");
}

/* Waits for the end of the request; false: it makes fewer such calls, and went well. */
static inline bool fault_ends(struct talk *t, struct fake_fault *f)
{
    json_t *done = talk_wait(t, "done");
    const json_t *error = json_object_get(done, "error");
    bool hit = f->seen >= f->at;
    assert_non_null(done);
    if (hit ? !fault_is_told(error, f) : error != NULL)
        fail_msg("%s, call %d answers %d: %s (%s): %s", f->call, f->at, f->code,
                 text_of(error, "code"), text_of(error, "call"), text_of(error, "text"));
    f->at = 0;
    json_decref(done);
    return hit;
}

#endif

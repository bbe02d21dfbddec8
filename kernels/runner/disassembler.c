#include "kernels/runner/disassembler.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/tool.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum { PATIENCE_MS = 10000, LOOK_EVERY_MS = 50, OUTPUT_MOST = 16 << 20, CHUNK = 64 << 10 };

/* ---- where it is ---- */

char *disassembler_find(void)
{
    return tool_find("nvdisasm");
}

/* ---- what it works on ---- */

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

/* A descriptor, or ERR_UNSUPPORTED. */
static int put_in_memory(const void *bytes, size_t n, struct err *err)
{
    int fd = memfd_create("kernel.cubin", MFD_CLOEXEC);
    if (fd >= 0 && write_all(fd, bytes, n))
        return fd;
    err_set(err, ERR_UNSUPPORTED, "no memory for the machine code: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return ERR_UNSUPPORTED;
}

/* ---- the process ---- */

/* It stays in the worker's process group, so that it ends with the worker. */
static int start(int *from, struct launcher *launcher, int input, struct err *err)
{
    struct launch what = {.program = LAUNCH_NVDISASM, .input = input};
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC) != 0)
        return err_set(err, ERR_UNSUPPORTED, "no pipe for nvdisasm: %s", strerror(errno));
    what.output = pipes[1];
    int rc = launcher_start(launcher, &what, err);
    close(pipes[1]);
    if (rc)
        close(pipes[0]);
    *from = pipes[0];
    return rc;
}

struct output { char *text; size_t len, room; };

/* 1: there is more to come; 0: the end. */
static int read_some(struct output *o, int from, struct err *err)
{
    if (o->len + CHUNK > OUTPUT_MOST)
        return err_set(err, ERR_UNSUPPORTED, "nvdisasm printed more than %d MB", OUTPUT_MOST >> 20);
    if (o->len + CHUNK >= o->room) {
        o->room = 2 * (o->len + CHUNK);
        o->text = mem_grow(o->text, o->room, 1);
    }
    ssize_t n = read(from, o->text + o->len, CHUNK);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN
                   ? 1
                   : err_set(err, ERR_UNSUPPORTED, "nvdisasm: %s", strerror(errno));
    o->len += (size_t)n;
    o->text[o->len] = '\0';
    return n > 0;
}

static int read_all(struct output *o, int from, struct task *t, struct err *err)
{
    int64_t until = os_monotonic_ms() + PATIENCE_MS;
    for (int rc = 1; rc == 1;) {
        struct pollfd p = {.fd = from, .events = POLLIN};
        if (poll(&p, 1, LOOK_EVERY_MS) > 0)
            rc = read_some(o, from, err);
        else if (os_monotonic_ms() >= until)
            rc = err_set(err, ERR_UNSUPPORTED, "nvdisasm did not end within %d s",
                         PATIENCE_MS / 1000);
        else
            rc = task_check(t, err) ? err->code : 1;
        if (rc <= 0)
            return rc;
    }
    return 0;
}

/* The end of the output is not yet the end of the process. */
static int end(struct launcher *launcher, bool kill_it, struct err *err)
{
    int64_t until = os_monotonic_ms() + 2000;
    int status = 0;
    while (!launcher_ended(launcher, kill_it || os_monotonic_ms() >= until, &status))
        poll(NULL, 0, 5);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    return err_set(err, ERR_UNSUPPORTED, "nvdisasm failed with %s %d",
                   WIFEXITED(status) ? "status" : "signal",
                   WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

static int run(struct output *o, int input, struct task *t, struct err *err)
{
    int from = -1, rc = start(&from, t->launcher, input, err);
    if (rc)
        return rc;
    rc = read_all(o, from, t, err);
    int ended = end(t->launcher, rc != 0, rc ? NULL : err);
    close(from);
    return rc ? rc : ended;
}

int disassembler_run(char **out, const void *cubin, size_t bytes, struct task *t, struct err *err)
{
    struct err here = {.code = 0};
    struct output o = {.text = NULL};
    int input = put_in_memory(cubin, bytes, &here),
        rc = input < 0 ? input : run(&o, input, t, &here);
    if (input >= 0)
        close(input);
    *out = NULL;
    if (rc) {
        free(o.text);
        return err_copy(err, &here);
    }
    *out = o.text ? o.text : text_dup("");
    return 0;
}

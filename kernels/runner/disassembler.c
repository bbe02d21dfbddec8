#include "kernels/runner/disassembler.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/runner/tool.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum { PATIENCE_MS = 10000, LOOK_EVERY_MS = 50, OUTPUT_MOST = 16 << 20, CHUNK = 64 << 10 };

extern char **environ;

/* ---- where it is ---- */

char *disassembler_find(void)
{
    return tool_find("nvdisasm");
}

/* ---- the file ---- */

struct scratch { char folder[512], file[544]; };

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

static void remove_scratch(const struct scratch *s)
{
    unlink(s->file);
    rmdir(s->folder);
}

static int write_scratch(struct scratch *s, const void *bytes, size_t n, struct err *err)
{
    const char *root = getenv("TMPDIR");
    snprintf(s->folder, sizeof s->folder, "%.480s/warpdrill-XXXXXX", root && *root ? root : "/tmp");
    if (!mkdtemp(s->folder)) /* mode 0700 */
        return err_set(err, ERR_UNSUPPORTED, "no folder for the machine code: %s: %s", s->folder, strerror(errno));
    snprintf(s->file, sizeof s->file, "%s/kernel.cubin", s->folder);
    int fd = open(s->file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = fd >= 0 && write_all(fd, bytes, n);
    if (fd >= 0 && close(fd) != 0)
        ok = false;
    if (ok)
        return 0;
    int rc = err_set(err, ERR_UNSUPPORTED, "%s cannot be written: %s", s->file, strerror(errno));
    remove_scratch(s);
    return rc;
}

/* ---- the process ---- */

/* It stays in the worker's process group, so that it ends with the worker. */
static int start(pid_t *pid, int *from, const char *program, const char *file, struct err *err)
{
    char *arguments[] = {"nvdisasm", "-c", "-g", (char *)file, NULL};
    posix_spawn_file_actions_t actions;
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC) != 0)
        return err_set(err, ERR_UNSUPPORTED, "no pipe for nvdisasm: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawn(pid, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(pipes[1]);
    *from = pipes[0];
    if (!failed)
        return 0;
    close(pipes[0]);
    return err_set(err, ERR_UNSUPPORTED, "%s cannot be started: %s", program, strerror(failed));
}

struct output { char *text; size_t len; };

/* 1: there is more to come; 0: the end. */
static int read_some(struct output *o, int from, struct err *err)
{
    if (o->len + CHUNK > OUTPUT_MOST)
        return err_set(err, ERR_UNSUPPORTED, "nvdisasm printed more than %d MB", OUTPUT_MOST >> 20);
    o->text = mem_grow(o->text, o->len + CHUNK + 1, 1);
    ssize_t n = read(from, o->text + o->len, CHUNK);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN ? 1 : err_set(err, ERR_UNSUPPORTED, "nvdisasm: %s", strerror(errno));
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
            rc = err_set(err, ERR_UNSUPPORTED, "nvdisasm did not end within %d s", PATIENCE_MS / 1000);
        else
            rc = task_check(t, err) ? err->code : 1;
        if (rc <= 0)
            return rc;
    }
    return 0;
}

/* The end of the output is not yet the end of the process. */
static int end(pid_t pid, bool kill_it, struct err *err)
{
    int64_t until = os_monotonic_ms() + 2000;
    int status = 0;
    if (kill_it)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, kill_it ? 0 : WNOHANG) == 0) {
        if (os_monotonic_ms() >= until) {
            kill(pid, SIGKILL);
            kill_it = true;
        } else {
            poll(NULL, 0, 5);
        }
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    return err_set(err, ERR_UNSUPPORTED, "nvdisasm failed with %s %d", WIFEXITED(status) ? "status" : "signal",
                   WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

static int run(struct output *o, const char *program, const char *file, struct task *t, struct err *err)
{
    pid_t pid = 0;
    int from = -1, rc = start(&pid, &from, program, file, err);
    if (rc)
        return rc;
    rc = read_all(o, from, t, err);
    int ended = end(pid, rc != 0, rc ? NULL : err);
    close(from);
    return rc ? rc : ended;
}

int disassembler_run(char **out, const char *program, const void *cubin, size_t bytes, struct task *t, struct err *err)
{
    struct err here = {.code = 0};
    struct output o = {.text = NULL};
    struct scratch scratch;
    int rc = write_scratch(&scratch, cubin, bytes, &here);
    *out = NULL;
    if (!rc) {
        rc = run(&o, program, scratch.file, t, &here);
        remove_scratch(&scratch);
    }
    if (rc) {
        free(o.text);
        return err_copy(err, &here);
    }
    *out = o.text ? o.text : text_dup("");
    return 0;
}

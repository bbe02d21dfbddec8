#include "scenarios/mend/mend_sass.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/confine.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "kernels/wire/tool.h"

enum { PATIENCE_MS = 10000, MOST = 16 << 20, CHUNK = 64 << 10, INPUT = 3 };

struct listing { char *text; size_t n; };

/* ---- what it works on ---- */

/* A file without a name; NULL: ERR_UNSUPPORTED. */
static FILE *decode(const char *cubin, struct err *err)
{
    size_t most = strlen(cubin), n = 0;
    unsigned char *bytes = mem_new(most + 1, 1);
    bool good = sodium_base642bin(bytes, most, cubin, most, NULL, &n, NULL,
                                  sodium_base64_VARIANT_ORIGINAL) == 0;
    FILE *f = good ? tmpfile() : NULL;
    if (f && (fwrite(bytes, 1, n, f) != n || fflush(f) != 0)) {
        fclose(f);
        f = NULL;
    }
    if (!f)
        err_set(err, ERR_UNSUPPORTED, "the machine code cannot be handed to nvdisasm");
    free(bytes);
    return f;
}

/* ---- the program ---- */

/* After the fork. */
static void become(const char *program, int input, int output)
{
    static const char *const folders[] = {"/dev", "/tmp", NULL};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (dup2(output, 1) < 0 || dup2(quiet, 2) < 0 || (input != INPUT && dup2(input, INPUT) < 0))
        _exit(126);
    fcntl(INPUT, F_SETFD, 0);
    confine_writes(folders);
    confine_self(CONFINE_TOOL);
    execl(program, "nvdisasm", "-c", "/proc/self/fd/3", (char *)NULL);
    _exit(127);
}

/* 1: there is more to come; 0: the end; -1: it failed, or there is more than anybody reads. */
static int read_some(struct listing *l, int from)
{
    if (l->n + CHUNK > MOST)
        return -1;
    l->text = mem_grow(l->text, l->n + CHUNK + 1, 1);
    ssize_t got = read(from, l->text + l->n, CHUNK);
    l->n += got > 0 ? (size_t)got : 0;
    l->text[l->n] = '\0';
    return got > 0 || (got < 0 && errno == EINTR) ? 1 : got < 0 ? -1 : 0;
}

/* Was all read that it printed? */
static bool read_all(struct listing *l, int from)
{
    int64_t until = os_monotonic_ms() + PATIENCE_MS, left;
    struct pollfd p = {.fd = from, .events = POLLIN};
    int more = 1;
    while (more == 1 && (left = until - os_monotonic_ms()) > 0)
        if (poll(&p, 1, (int)left) > 0)
            more = read_some(l, from);
    return more == 0;
}

static int fail(struct err *err)
{
    return err_set(err, ERR_UNSUPPORTED, "nvdisasm of this machine failed");
}

static int run(struct listing *l, const char *program, int input, struct err *err)
{
    int pipes[2], status = 0;
    if (pipe2(pipes, O_CLOEXEC) != 0)
        return fail(err);
    pid_t pid = fork();
    if (pid == 0)
        become(program, input, pipes[1]);
    close(pipes[1]);
    bool whole = pid > 0 && read_all(l, pipes[0]);
    close(pipes[0]);
    if (pid > 0 && !whole)
        kill(pid, SIGKILL);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return whole && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : fail(err);
}

int mend_sass_list(char **out, const char *cubin, struct err *err)
{
    struct listing l = {0};
    char *program = tool_find("nvdisasm");
    FILE *input = NULL;
    *out = NULL;
    if (!program)
        return err_set(err, ERR_MISSING,
                       "nvdisasm is not there (package cuda-nvdisasm or the CUDA toolkit)");
    int rc = (input = decode(cubin, err)) ? run(&l, program, fileno(input), err)
                                          : ERR_UNSUPPORTED;
    if (input)
        fclose(input);
    free(program);
    if (rc == 0)
        *out = l.text ? l.text : text_dup("");
    else
        free(l.text);
    return rc;
}

#include "kernels/runner/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/tool.h"
#include "kernels/runner/walls.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum order { ORDER_START, ORDER_LOOK, ORDER_KILL };
struct question { enum order order; struct launch launch; };
struct answer { int failed; /* errno */ bool ended; int status; };

struct launcher { int fd; };

/* ---- in the launcher ---- */

struct post { pid_t worker, program; };

static int open_theirs(const struct post *p, int fd, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)p->worker, fd);
    return open(path, flags);
}

/* After the fork. The listing's input is descriptor 3; walls keep it from the worker's own. */
static void become_nvdisasm(const char *program)
{
    int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (quiet < 0 || dup2(quiet, 2) < 0)
        _exit(126);
    walls_tool();
    execl(program, "nvdisasm", "-c", "-g", "/proc/self/fd/3", (char *)NULL);
    _exit(127);
}

/* Without padding one past the end of a buffer is the beginning of the next. */
static void become_sanitizer(const char *program, const char *tool, const char *us,
                             const char *request)
{
    if (!strcmp(tool, "memcheck"))
        execl(program, "compute-sanitizer", "--tool", tool, "--padding", "64", "--print-limit",
              "1000", "--show-backtrace", "no", us, "--sanitized", request, (char *)NULL);
    else
        execl(program, "compute-sanitizer", "--tool", tool, "--print-limit", "1000",
              "--show-backtrace", "no", us, "--sanitized", request, (char *)NULL);
    _exit(127);
}

static bool is_tool(const char *name)
{
    return !strcmp(name, "memcheck") || !strcmp(name, "racecheck") || !strcmp(name, "initcheck") ||
           !strcmp(name, "synccheck");
}

static void become(const struct post *p, const struct launch *what, const char *program,
                   const char *us, int input, int output)
{
    char request[64];
    if (dup2(output, 1) < 0 || dup2(output, 2) < 0)
        _exit(126);
    if (what->program == LAUNCH_NVDISASM) {
        if (input != 3 && dup2(input, 3) < 0)
            _exit(126);
        fcntl(3, F_SETFD, 0);
        become_nvdisasm(program);
    }
    snprintf(request, sizeof request, "/proc/%ld/fd/%d", (long)p->worker, what->input);
    become_sanitizer(program, what->tool, us, request);
}

/* 0 or an errno. */
static int start(struct post *p, const struct launch *what)
{
    bool lists = what->program == LAUNCH_NVDISASM;
    if (p->program || (!lists && (what->program != LAUNCH_SANITIZER || !is_tool(what->tool))))
        return EINVAL;
    char *program = tool_find(lists ? "nvdisasm" : "compute-sanitizer"), *us = os_program_path();
    int input = open_theirs(p, what->input, O_RDONLY | O_CLOEXEC),
        output = open_theirs(p, what->output, O_WRONLY | O_CLOEXEC);
    int failed = program && us && input >= 0 && output >= 0 ? 0 : errno ? errno : ENOENT;
    pid_t pid = failed ? -1 : fork();
    if (pid == 0)
        become(p, what, program, us, input, output);
    if (!failed && pid < 0)
        failed = errno;
    p->program = failed ? 0 : pid;
    if (input >= 0)
        close(input);
    if (output >= 0)
        close(output);
    free(program);
    free(us);
    return failed;
}

static struct answer look(struct post *p, bool kill_it)
{
    struct answer a = {.ended = true};
    if (!p->program)
        return a;
    if (kill_it)
        kill(p->program, SIGKILL);
    a.ended = waitpid(p->program, &a.status, kill_it ? 0 : WNOHANG) == p->program;
    if (a.ended)
        p->program = 0;
    return a;
}

static void serve(int fd, pid_t worker)
{
    struct post p = {.worker = worker};
    struct question q;
    while (recv(fd, &q, sizeof q, 0) == sizeof q) {
        q.launch.tool[sizeof q.launch.tool - 1] = '\0';
        errno = 0;
        struct answer a = q.order == ORDER_START ? (struct answer){.failed = start(&p, &q.launch)}
                                                 : look(&p, q.order == ORDER_KILL);
        if (send(fd, &a, sizeof a, MSG_NOSIGNAL) != sizeof a)
            break;
    }
    look(&p, true);
}

/* ---- in the worker ---- */

struct launcher *launcher_new(int channel, struct err *err)
{
    int ends[2];
    pid_t worker = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        err_set(err, ERR_INTERNAL, "cannot make a socket pair: %s", strerror(errno));
        return NULL;
    }
    pid_t pid = fork();
    if (pid == 0) {
        os_die_with_parent(worker);
        close(channel);
        close(ends[0]);
        serve(ends[1], worker);
        _exit(0);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        err_set(err, ERR_INTERNAL, "cannot start a process: %s", strerror(errno));
        return NULL;
    }
    struct launcher *l = mem_new(1, sizeof *l);
    l->fd = ends[0];
    return l;
}

void launcher_free(struct launcher *l)
{
    if (l)
        close(l->fd);
    free(l);
}

static bool ask(struct launcher *l, const struct question *q, struct answer *a)
{
    return send(l->fd, q, sizeof *q, MSG_NOSIGNAL) == sizeof *q &&
           recv(l->fd, a, sizeof *a, 0) == sizeof *a;
}

int launcher_start(struct launcher *l, const struct launch *what, struct err *err)
{
    struct question q = {.order = ORDER_START, .launch = *what};
    struct answer a;
    const char *name = what->program == LAUNCH_NVDISASM ? "nvdisasm" : "compute-sanitizer";
    if (!ask(l, &q, &a))
        return err_set(err, ERR_UNSUPPORTED,
                       "%s cannot be started: the process that would do it is gone", name);
    return a.failed
               ? err_set(err, ERR_UNSUPPORTED, "%s cannot be started: %s", name, strerror(a.failed))
               : 0;
}

bool launcher_ended(struct launcher *l, bool kill_it, int *status)
{
    struct question q = {.order = kill_it ? ORDER_KILL : ORDER_LOOK};
    struct answer a = {.ended = true};
    bool asked = ask(l, &q, &a);
    *status = a.status;
    return !asked || a.ended;
}

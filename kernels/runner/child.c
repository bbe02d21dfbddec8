#include "kernels/runner/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kernels/wire/message.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

/* Between fork and exec: only calls that are safe there. Who ends a whole job signals each of its
 * processes (Slurm does); the supervisor alone answers that, and takes its children along. */
static void become(const char *program, const char *role, int channel, int print, pid_t parent)
{
    char number[16];
    sigset_t none;
    int empty = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    os_die_with_parent(parent);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGTERM, SIG_IGN);
    if (empty < 0 || dup2(empty, 0) < 0 || dup2(print, 1) < 0 || dup2(print, 2) < 0)
        _exit(126);
    fcntl(channel, F_SETFD, 0);
    snprintf(number, sizeof number, "%d", channel);
    execl(program, program, role, number, (char *)NULL);
    _exit(127);
}

int child_start(struct child *c, const char *program, const char *role, struct err *err)
{
    int channel[2], print[2];
    pid_t parent = getpid();
    *c = (struct child){.printed = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0)
        return err_set(err, ERR_INTERNAL, "cannot make a socket pair: %s", strerror(errno));
    if (pipe2(print, O_CLOEXEC) != 0) {
        close(channel[0]);
        close(channel[1]);
        return err_set(err, ERR_INTERNAL, "cannot make a pipe: %s", strerror(errno));
    }
    pid_t pid = fork();
    int why = errno;
    if (pid == 0)
        become(program, role, channel[1], print[1], parent);
    close(channel[1]);
    close(print[1]);
    if (pid < 0) {
        close(channel[0]);
        close(print[0]);
        return err_set(err, ERR_INTERNAL, "cannot start a process: %s", strerror(why));
    }
    setpgid(pid, pid); /* also here: whichever of the two comes first */
    fcntl(print[0], F_SETFL, O_NONBLOCK);
    c->pid = pid;
    c->ipc = ipc_new(channel[0]);
    c->printed = print[0];
    return 0;
}

static void kill_group(const struct child *c)
{
    if (c->pid > 0 && kill(-c->pid, SIGKILL) != 0)
        kill(c->pid, SIGKILL);
}

void child_kill(struct child *c, int64_t now)
{
    if (c->pid == 0)
        return;
    kill_group(c);
    c->condemned = true;
    c->kill_at = 0;
    if (!c->killed_at)
        c->killed_at = now;
}

void child_dismiss(struct child *c, int64_t kill_at)
{
    ipc_free(c->ipc);
    c->ipc = NULL;
    c->condemned = true;
    c->kill_at = kill_at;
}

void child_forget(struct child *c)
{
    if (c->pid > 0)
        kill(-c->pid, SIGKILL); /* what it may have left behind in its group */
    ipc_free(c->ipc);
    if (c->printed >= 0)
        close(c->printed);
    *c = (struct child){.printed = -1};
}

static void keep(struct captured *into, const char *bytes, size_t n)
{
    static const char cut[] = "\n[cut]";
    size_t room = CAP_LOG_BYTES - sizeof cut - into->len;
    if (!into->text)
        into->text = mem_new(CAP_LOG_BYTES + 1, 1);
    if (into->full)
        return;
    memcpy(into->text + into->len, bytes, n < room ? n : room);
    into->len += n < room ? n : room;
    into->full = n > room;
    if (into->full)
        strcpy(into->text + into->len, cut);
}

void child_drain(struct child *c, struct captured *into)
{
    char block[16384];
    ssize_t n = 0;
    /* A child that prints without end must not hold the loop: a few blocks, then the others' turn.
     */
    for (int i = 0; i < 16 && c->printed >= 0 && (n = read(c->printed, block, sizeof block)) > 0;
         i++)
        keep(into, block, (size_t)n);
    if (c->printed >= 0 && (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))) {
        close(c->printed);
        c->printed = -1;
    }
}

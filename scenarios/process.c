#include "scenarios/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void process_close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void process_close(struct process *c)
{
    process_close_fd(&c->in);
    process_close_fd(&c->out);
    process_close_fd(&c->log);
}

static int make_pipes(int fd[3][2], struct err *err)
{
    for (int i = 0; i < 3; i++)
        fd[i][0] = fd[i][1] = -1;
    for (int i = 0; i < 3; i++) {
        if (pipe(fd[i]) != 0)
            return err_set(err, ERR_IO, "cannot make a pipe for the runner: %s", strerror(errno));
        for (int k = 0; k < 2; k++)
            fcntl(fd[i][k], F_SETFD, FD_CLOEXEC);
    }
    fcntl(fd[0][1], F_SETFL, O_NONBLOCK);
    fcntl(fd[1][0], F_SETFL, O_NONBLOCK);
    fcntl(fd[2][0], F_SETFL, O_NONBLOCK);
    return 0;
}

static int spawn_shell(pid_t *pid, const char *command, int fd[3][2])
{
    char *const argv[] = {(char[]){"sh"}, (char[]){"-c"}, (char *)command, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (int s = 1; s < 32; s++)
        if (s != SIGKILL && s != SIGSTOP)
            sigaddset(&usual, s);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setsigdefault(&attr, &usual);
    posix_spawn_file_actions_adddup2(&files, fd[0][0], 0);
    posix_spawn_file_actions_adddup2(&files, fd[1][1], 1);
    posix_spawn_file_actions_adddup2(&files, fd[2][1], 2);
    int rc = posix_spawn(pid, "/bin/sh", &files, &attr, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attr);
    return rc;
}

int process_start(struct process *c, const char *command, struct err *err)
{
    int fd[3][2];
    pid_t pid = -1;
    int rc = make_pipes(fd, err);
    signal(SIGPIPE, SIG_IGN);
    int failed = rc ? 0 : spawn_shell(&pid, command, fd);
    if (failed)
        rc = err_set(err, ERR_IO, "cannot start the runner '%s': %s", command, strerror(failed));
    process_close_fd(&fd[0][0]);
    process_close_fd(&fd[1][1]);
    process_close_fd(&fd[2][1]);
    *c = (struct process){.pid = pid, .in = fd[0][1], .out = fd[1][0], .log = fd[2][0]};
    if (rc)
        process_close(c);
    return rc;
}

bool process_ended(const struct process *c, int *status)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
        return false;
    *status = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
    return true;
}

void process_finish(struct process *c, int wait_ms)
{
    enum { STEP_MS = 10 };
    int status;
    process_close(c);
    for (int waited = 0; waited < wait_ms && !process_ended(c, &status); waited += STEP_MS)
        poll(NULL, 0, STEP_MS);
    kill(-c->pid, SIGKILL);
    waitpid(c->pid, &status, 0);
}

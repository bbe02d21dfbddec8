#include "scenarios/supply/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/os.h"

void process_close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void process_close(struct process *c)
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

/* ssh must not ask: not on a terminal (there is none in the new session), and not in a window
 * either. */
static void forbid_questions(void)
{
    setenv("SSH_ASKPASS_REQUIRE", "never", 1);
    setenv("SSH_ASKPASS", "/bin/false", 1); /* for an ssh that does not know the other */
}

/* Runs the command in the same session and leaves as it does. Told to go (by process_leave, or
 * because this program died), it tells the whole session: srun must give its job back, and a shell
 * that waits for it would not pass that on. */
static const char minder[] = "trap 'trap \"\" TERM; kill -TERM 0; told=1' TERM\n"
                             "exec 3<&0\n"
                             "/bin/sh -c \"$1\" <&3 3<&- &\n"
                             "exec 3<&- </dev/null >/dev/null 2>&1\n"
                             "wait $!\n"
                             "status=$?\n"
                             "[ -z \"$told\" ] || { wait $!; status=$?; }\n"
                             "exit $status\n";

static void become_shell(const char *command, int fd[3][2], pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    for (int s = 1; s < 32; s++)
        signal(s, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    os_follow_parent(parent, SIGTERM);
    for (int i = 0; i < 3; i++)
        dup2(fd[i][i > 0], i);
    forbid_questions();
    execl("/bin/sh", "sh", "-c", minder, "sh", command, (char *)NULL);
    _exit(127);
}

int process_start(struct process *c, const char *command, struct err *err)
{
    int fd[3][2];
    pid_t pid = -1;
    int rc = make_pipes(fd, err);
    signal(SIGPIPE, SIG_IGN);
    pid_t self = getpid();
    if (!rc && (pid = fork()) == 0)
        become_shell(command, fd, self);
    if (!rc && pid < 0)
        rc = err_set(err, ERR_IO, "cannot start the runner '%s': %s", command, strerror(errno));
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

/* Ends the session and reaps; nothing of it is left afterwards. */
static void end_session(struct process *c)
{
    int status;
    kill(-c->pid, SIGKILL);
    waitpid(c->pid, &status, 0);
    c->pid = 0;
}

bool process_leave(struct process *c, bool hurry)
{
    enum { PATIENCE_MS = 2000 };
    int status;
    int64_t now = os_monotonic_ms();
    if (c->pid <= 0)
        return true;
    if (!c->leaving_ms) {
        process_close(c);
        c->leaving_ms = now;
    }
    bool ended = process_ended(c, &status);
    if (!ended && c->pushed == 0 && (hurry || now - c->leaving_ms >= PATIENCE_MS)) {
        kill(-c->pid, SIGTERM);
        c->pushed = 1;
        c->leaving_ms = now;
    }
    if (!ended && (c->pushed == 0 || now - c->leaving_ms < PATIENCE_MS))
        return false;
    end_session(c);
    return true;
}

void process_finish(struct process *c, bool hurry)
{
    enum { STEP_MS = 10 };
    while (!process_leave(c, hurry))
        poll(NULL, 0, STEP_MS);
}

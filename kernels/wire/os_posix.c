/* Plain POSIX, meant for macOS and untried there: signals over a pipe, no confinement. */
#include "kernels/wire/os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <sys/random.h>
#endif

#include "kernels/wire/text.h"

static int signal_pipe[2] = {-1, -1};

int os_die_with_parent(pid_t parent)
{
    (void)parent;
    return 0;
}

int os_follow_parent(pid_t parent, int signal)
{
    (void)parent, (void)signal;
    return 0;
}

int os_confine_abi(void)
{
    return 0;
}

int os_confine_writes(const char *const *folders)
{
    (void)folders;
    return 0;
}

int os_confine_no_files(void)
{
    return 0;
}

static void note_signal(int signo)
{
    int saved = errno;
    unsigned char byte = (unsigned char)signo;
    ssize_t n = write(signal_pipe[1], &byte, 1);
    (void)n; /* a full pipe already says that signals came */
    errno = saved;
}

int os_signal_open(const sigset_t *set, struct err *err)
{
    if (pipe(signal_pipe) != 0)
        return err_set(err, ERR_IO, "cannot watch signals: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(signal_pipe[i], F_SETFD, FD_CLOEXEC);
        fcntl(signal_pipe[i], F_SETFL, O_NONBLOCK);
    }
    struct sigaction act = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    sigemptyset(&act.sa_mask);
    for (int signo = 1; signo < NSIG; signo++)
        if (sigismember(set, signo) == 1)
            sigaction(signo, &act, NULL);
    return signal_pipe[0];
}

int os_signal_read(int fd)
{
    unsigned char byte;
    return read(fd, &byte, 1) == 1 ? byte : 0;
}

void os_signal_close(int fd)
{
    if (fd < 0)
        return;
    for (int signo = 1; signo < NSIG; signo++) {
        struct sigaction old;
        if (sigaction(signo, NULL, &old) == 0 && old.sa_handler == note_signal)
            signal(signo, SIG_DFL);
    }
    close(signal_pipe[0]);
    close(signal_pipe[1]);
    signal_pipe[0] = signal_pipe[1] = -1;
}

int os_peer(int fd, uid_t *uid, pid_t *pid)
{
    *pid = 0;
#ifdef __APPLE__
    gid_t gid;
    return getpeereid(fd, uid, &gid);
#else
    (void)fd, (void)uid;
    return -1;
#endif
}

int os_exchange(const char *a, const char *b)
{
    (void)a, (void)b;
    return -1;
}

char *os_program_path(void)
{
#ifdef __APPLE__
    char path[4096];
    uint32_t size = sizeof path;
    if (_NSGetExecutablePath(path, &size) == 0)
        return realpath(path, NULL);
#endif
    return NULL;
}

int64_t os_monotonic_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void os_random(void *out, size_t n)
{
    for (size_t done = 0; done < n;) { /* getentropy gives at most 256 bytes a call */
        size_t step = n - done < 256 ? n - done : 256;
        if (getentropy((char *)out + done, step) != 0)
            abort();
        done += step;
    }
}

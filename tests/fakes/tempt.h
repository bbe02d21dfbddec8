/* What code that took a process over would try first. For the fake compiler and the fake driver,
 * which then run it inside the runner's own processes. */
#ifndef TEMPT_H
#define TEMPT_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static bool tempt_open(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool tempt_socket(int domain)
{
    int fd = socket(domain, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool tempt_fork(void)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    return pid > 0 && waitpid(pid, NULL, 0) == pid;
}

static bool tempt_exec(void)
{
    char *argv[] = {"true", NULL}, *none[] = {NULL};
    execve("/bin/true", argv, none); /* who could is gone now */
    return errno != EPERM && errno != EACCES;
}

static bool tempt_write_home(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tempted", getenv("HOME") ? getenv("HOME") : "");
    bool could = tempt_open(path, O_WRONLY | O_CREAT);
    if (could)
        unlink(path);
    return could;
}

static bool tempt_peek(pid_t pid)
{
    char path[64], byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};
    snprintf(path, sizeof path, "/proc/%ld/mem", (long)pid);
    return tempt_open(path, O_RDWR) ||
           (process_vm_readv(pid, &here, 1, &there, 1, 0) < 0 && errno != EPERM);
}

static void *tempt_nothing(void *arg) { return arg; }

static bool tempt_thread(void)
{
    pthread_t t;
    return pthread_create(&t, NULL, tempt_nothing, NULL) == 0 && pthread_join(t, NULL) == 0;
}

static bool tempt_limits(void)
{
    struct rlimit most = {1 << 20, 1 << 20};
    return prlimit(getppid(), RLIMIT_NOFILE, &most, NULL) == 0;
}

/* "could: read thread": the words of what succeeded. */
static inline void tempt(char *say, size_t size)
{
    const struct { const char *name; bool could; } tried[] = {
        {"read", tempt_open("/etc/passwd", O_RDONLY)},
        {"write", tempt_write_home()},
        {"device", tempt_open("/dev/null", O_WRONLY)},
        {"exec", tempt_exec()},
        {"fork", tempt_fork()},
        {"inet", tempt_socket(AF_INET)},
        {"inet6", tempt_socket(AF_INET6)},
        {"unix", tempt_socket(AF_UNIX)},
        {"netlink", tempt_socket(AF_NETLINK)},
        {"ptrace", ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0},
        {"peek", tempt_peek(getppid())},
        {"signal", kill(getppid(), 0) == 0},
        {"type", ioctl(0, TIOCSTI, "x") == 0 || errno != EPERM},
        {"limits", tempt_limits()},
        {"thread", tempt_thread()},
    };
    size_t used = (size_t)snprintf(say, size, "could:");
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
        if (tried[i].could && used < size)
            used += (size_t)snprintf(say + used, size - used, " %s", tried[i].name);
}

#endif

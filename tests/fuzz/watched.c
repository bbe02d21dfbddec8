#include "tests/fuzz/watched.h"

#include <string.h>

static char first[256];
static bool (*is_ours)(const char *path);

const char *watched_path(void)
{
    return first;
}

void watched_clear(bool (*ours)(const char *path))
{
    first[0] = '\0';
    is_ours = ours;
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __x86_64__
#define ARGUMENT(u, n) ((u)->uc_mcontext.gregs[(n) ? REG_RSI : REG_RDI])
#define RESULT(u) ((u)->uc_mcontext.gregs[REG_RAX])
static const int path_first[] = {SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink,
                                 SYS_execve};
#else
#define ARGUMENT(u, n) ((u)->uc_mcontext.regs[n])
#define RESULT(u) ((u)->uc_mcontext.regs[0])
static const int path_first[] = {SYS_execve};
#endif

/* Signals come to the thread that called, so the path is read in the caller's own memory. */
static void on_call(int sig, siginfo_t *info, void *context)
{
    (void)sig;
    ucontext_t *u = context;
    int at = 1; /* behind the folder's descriptor */
    for (size_t i = 0; i < sizeof path_first / sizeof *path_first; i++)
        if (info->si_syscall == path_first[i])
            at = 0;
    const char *path = (const char *)ARGUMENT(u, at);
    RESULT(u) = -ENOENT;
    if (path && *path && !first[0] && !(is_ours && is_ours(path)))
        strncpy(first, path, sizeof first - 1);
}

#define TRAP(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), \
                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)

bool watched_begin(void)
{
    static struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
        TRAP(open), TRAP(stat), TRAP(lstat), TRAP(access), TRAP(readlink),
#endif
        TRAP(openat), TRAP(openat2), TRAP(newfstatat), TRAP(statx), TRAP(faccessat),
        TRAP(faccessat2), TRAP(readlinkat), TRAP(execve), TRAP(execveat),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    const struct sigaction trap = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO};
    return sigaction(SIGSYS, &trap, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

#else

bool watched_begin(void)
{
    return false;
}

#endif

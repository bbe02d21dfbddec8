#include "kernels/wire/confine.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kernels/wire/os.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define OUR_ARCH AUDIT_ARCH_X86_64
#else
#define OUR_ARCH AUDIT_ARCH_AARCH64
#endif
#define X32_CALLS 0x40000000u

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, field))
#define ARGUMENT(n) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)(offsetof(struct seccomp_data, args) + 8 * (n))) /* its low half */
#define DENY        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define ALLOW       BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define UNLESS(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), 0, skip)
#define NEVER(call) UNLESS(SYS_##call, 1), DENY

/* Old names first: not every machine has them. */
static struct sock_filter filter[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1),
    DENY,
#ifdef __x86_64__
    NEVER(open), NEVER(creat), NEVER(fork), NEVER(vfork), NEVER(unlink), NEVER(rename), NEVER(link), NEVER(symlink), NEVER(mkdir), NEVER(rmdir),
    NEVER(mknod), NEVER(chmod), NEVER(chown), NEVER(lchown), NEVER(utime), NEVER(utimes), NEVER(futimesat), NEVER(uselib),
#endif
    NEVER(execve), NEVER(execveat), NEVER(clone), NEVER(clone3), NEVER(ptrace), NEVER(process_vm_readv), NEVER(process_vm_writev),
    NEVER(pidfd_open), NEVER(pidfd_getfd), NEVER(pidfd_send_signal), NEVER(kcmp), NEVER(perf_event_open), NEVER(bpf), NEVER(userfaultfd),
    NEVER(io_uring_setup) /* its own way to open, past this filter */, NEVER(memfd_create), NEVER(keyctl), NEVER(add_key), NEVER(request_key),
    NEVER(openat), NEVER(openat2), NEVER(open_by_handle_at), NEVER(truncate), NEVER(unlinkat), NEVER(renameat2), NEVER(linkat), NEVER(symlinkat),
    NEVER(mkdirat), NEVER(mknodat), NEVER(fchmodat), NEVER(fchownat), NEVER(utimensat), NEVER(setxattr), NEVER(lsetxattr), NEVER(removexattr),
    NEVER(lremovexattr), NEVER(mount), NEVER(umount2), NEVER(open_tree), NEVER(move_mount), NEVER(fsopen), NEVER(pivot_root), NEVER(chroot),
    NEVER(unshare), NEVER(setns), NEVER(inotify_add_watch), NEVER(fanotify_init), NEVER(quotactl), NEVER(acct), NEVER(swapon), NEVER(prlimit64),
#ifdef SYS_renameat
    NEVER(renameat),
#endif
    UNLESS(SYS_ioctl, 6), ARGUMENT(1), UNLESS(TIOCSTI, 1), DENY, UNLESS(0x541C /* TIOCLINUX */, 1), DENY, ALLOW,
    UNLESS(SYS_socket, 4), ARGUMENT(0), UNLESS(AF_UNIX, 1), ALLOW, DENY,
#define SIGNAL_OF 1 /* places of confine_self's own id, written before the filter is set */
    UNLESS(SYS_kill, 4), ARGUMENT(0), UNLESS(SIGNAL_OF, 1), ALLOW, DENY,
    UNLESS(SYS_tgkill, 4), ARGUMENT(0), UNLESS(SIGNAL_OF, 1), ALLOW, DENY,
    UNLESS(SYS_tkill, 1), DENY,
    UNLESS(SYS_rt_sigqueueinfo, 1), DENY,
    UNLESS(SYS_rt_tgsigqueueinfo, 1), DENY,
    ALLOW,
};
enum { STEPS = sizeof filter / sizeof filter[0] };

/* The two comparisons with SIGNAL_OF stand behind the loads of kill's and tgkill's first argument. */
static void name_ourselves(void)
{
    for (int i = 2; i < STEPS; i++)
        if (filter[i].code == (BPF_JMP | BPF_JEQ | BPF_K) && filter[i].k == SIGNAL_OF && (filter[i - 2].k == SYS_kill || filter[i - 2].k == SYS_tgkill))
            filter[i].k = (unsigned)getpid();
}

static bool confine_calls(void)
{
    struct sock_fprog program = {.len = STEPS, .filter = filter};
    name_ourselves();
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static bool calls_possible(void)
{
    return prctl(PR_GET_SECCOMP) == 0 || prctl(PR_GET_SECCOMP) == 2;
}

#else

static bool confine_calls(void)
{
    return false;
}

static bool calls_possible(void)
{
    return false;
}

#endif

unsigned confine_self(void)
{
    struct rlimit none = {0, 0};
    unsigned stands = 0;
    setrlimit(RLIMIT_CORE, &none);
    if (os_confine_no_files() > 0)
        stands |= CONFINED_FILES;
    if (confine_calls())
        stands |= CONFINED_CALLS | CONFINED_FILES; /* the filter opens nothing either */
    return stands;
}

unsigned confine_possible(void)
{
    unsigned could = os_confine_abi() > 0 ? CONFINED_FILES : 0;
    return calls_possible() ? could | CONFINED_FILES | CONFINED_CALLS : could;
}

bool confine_seen(pid_t pid)
{
    char path[64], line[256];
    bool no_more = false, filtered = false;
    if (pid <= 0)
        return false;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f)) {
        no_more = no_more || !strcmp(line, "NoNewPrivs:\t1\n");
        filtered = filtered || !strcmp(line, "Seccomp:\t2\n");
    }
    if (f)
        fclose(f);
    return no_more && filtered;
}

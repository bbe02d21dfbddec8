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
#include <sched.h>
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

/* ---- the list ---- */

enum {
    J = CONFINE_JOIN,
    C = CONFINE_COMPILER,
    W = CONFINE_WORKER,
    S = CONFINE_SANITIZED,
    T = CONFINE_TOOL,
    CLOSED = J | C, /* no files */
    ALONE = CLOSED | W | S, /* no programs, no processes */
    ALL = ALONE | T,
};

/* Who never makes which call. Calls of which some arguments are harmless are in put_rules. */
static const struct never { int call; unsigned who;
} nevers[] = {
#define NEVER(who, call) {SYS_##call, who}
#ifdef __x86_64__ /* old names, which not every machine has */
    NEVER(CLOSED, open),
    NEVER(CLOSED, creat),
    NEVER(CLOSED, unlink),
    NEVER(CLOSED, rename),
    NEVER(CLOSED, link),
    NEVER(CLOSED, symlink),
    NEVER(CLOSED, mkdir),
    NEVER(CLOSED, rmdir),
    NEVER(CLOSED, mknod),
    NEVER(CLOSED, chmod),
    NEVER(CLOSED, chown),
    NEVER(CLOSED, lchown),
    NEVER(CLOSED, utime),
    NEVER(CLOSED, utimes),
    NEVER(CLOSED, futimesat),
    NEVER(ALL, uselib),
    NEVER(ALONE, fork),
    NEVER(ALONE, vfork),
#endif
#ifdef SYS_renameat
    NEVER(CLOSED, renameat),
#endif
    NEVER(CLOSED, openat),
    NEVER(CLOSED, openat2),
    NEVER(CLOSED, truncate),
    NEVER(CLOSED, unlinkat),
    NEVER(CLOSED, renameat2),
    NEVER(CLOSED, linkat),
    NEVER(CLOSED, symlinkat),
    NEVER(CLOSED, mkdirat),
    NEVER(CLOSED, mknodat),
    NEVER(CLOSED, fchmodat),
    NEVER(CLOSED, fchownat),
    NEVER(CLOSED, utimensat),
    NEVER(CLOSED, setxattr),
    NEVER(CLOSED, lsetxattr),
    NEVER(CLOSED, removexattr),
    NEVER(CLOSED, lremovexattr),
    NEVER(CLOSED, inotify_add_watch),
    NEVER(CLOSED, memfd_create),
    NEVER(ALL, open_by_handle_at),
    NEVER(ALL, fanotify_init),
    NEVER(ALONE, execve),
    NEVER(ALONE, execveat),
    NEVER(ALL, ptrace),
    NEVER(ALL, process_vm_readv),
    NEVER(ALL, process_vm_writev),
    NEVER(ALL, kcmp),
    NEVER(ALL, pidfd_open),
    NEVER(ALL, pidfd_getfd),
    NEVER(ALL, pidfd_send_signal),
    NEVER(ALL, rt_sigqueueinfo),
    NEVER(ALL, rt_tgsigqueueinfo),
    NEVER(ALL, tkill),
    NEVER(ALL, perf_event_open),
    NEVER(ALL, bpf),
    NEVER(ALL, userfaultfd),
    NEVER(ALL, io_uring_setup), /* its own way to open and to connect, past this filter */
    NEVER(ALL, keyctl),
    NEVER(ALL, add_key),
    NEVER(ALL, request_key),
    NEVER(ALL, mount),
    NEVER(ALL, umount2),
    NEVER(ALL, open_tree),
    NEVER(ALL, move_mount),
    NEVER(ALL, fsopen),
    NEVER(ALL, pivot_root),
    NEVER(ALL, chroot),
    NEVER(ALL, unshare),
    NEVER(ALL, setns),
    NEVER(ALL, quotactl),
    NEVER(ALL, acct),
    NEVER(ALL, swapon),
    NEVER(ALL, reboot),
    NEVER(ALL, init_module),
    NEVER(ALL, finit_module),
    NEVER(ALL, delete_module),
    NEVER(ALL, kexec_load),
    NEVER(C | W | T, socket),
    NEVER(C, socketpair),
    NEVER(J, clone),
    NEVER(J, clone3),
#ifdef SYS_setrlimit
    NEVER(CLOSED, setrlimit),
#endif
    NEVER(J | T, prlimit64),
#undef NEVER
};

/* ---- the filter ---- */

enum { STEPS_MOST = 512 };
struct program { struct sock_filter steps[STEPS_MOST]; int n; };

static void put(struct program *p, unsigned code, unsigned value, int yes, int no)
{
    if (p->n < STEPS_MOST)
        p->steps[p->n++] = (struct sock_filter)BPF_JUMP((unsigned short)code, value,
                                                        (unsigned char)yes, (unsigned char)no);
}

static void put_load(struct program *p, size_t offset)
{
    put(p, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0);
}
static void put_answer(struct program *p, unsigned answer)
{
    put(p, BPF_RET | BPF_K, answer, 0, 0);
}
static void put_deny(struct program *p) { put_answer(p, SECCOMP_RET_ERRNO | EPERM); }

/* Goes on behind the next `skip` steps unless what was loaded is `value`. */
static void put_unless(struct program *p, unsigned value, int skip)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip);
}

/* One half of an argument; the kernel itself looks at no more than the low half of an int. */
static void put_argument(struct program *p, int n, bool high)
{
    put_load(p, offsetof(struct seccomp_data, args) + 8 * (size_t)n +
                    (high ? 4 : 0)); /* both machines are little-endian */
}

/* The call is denied unless its argument n is `value`. */
static void put_only(struct program *p, int call, int n, unsigned value)
{
    put_unless(p, (unsigned)call, 4);
    put_argument(p, n, false);
    put_unless(p, value, 1);
    put_answer(p, SECCOMP_RET_ALLOW);
    put_deny(p);
}

static void put_terminal(struct program *p)
{
    put_unless(p, SYS_ioctl, 6);
    put_argument(p, 1, false);
    put_unless(p, TIOCSTI, 1);
    put_deny(p);
    put_unless(p, 0x541C /* TIOCLINUX */, 1);
    put_deny(p);
    put_answer(p, SECCOMP_RET_ALLOW);
}

/* Threads of our own; clone3 tells its flags in memory, so the C library is sent to clone. */
static void put_threads(struct program *p)
{
    put_unless(p, SYS_clone3, 1);
    put_answer(p, SECCOMP_RET_ERRNO | ENOSYS);
    put_unless(p, SYS_clone, 4);
    put_argument(p, 0, false);
    put(p, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
    put_answer(p, SECCOMP_RET_ALLOW);
    put_deny(p);
}

/* Limits of our own alone. */
static void put_limits(struct program *p)
{
    put_only(p, SYS_prlimit64, 0, 0);
}

/* They may be read; what a compiler sets is its time, and its stack, which NVRTC widens while it
 * works. */
static void put_compiler_limits(struct program *p)
{
    put_unless(p, SYS_prlimit64, 11);
    put_argument(p, 0, false);
    put_unless(p, 0, 8);
    put_argument(p, 1, false);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, RLIMIT_STACK, 5, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, RLIMIT_CPU, 4, 0);
    put_argument(p, 2, false);
    put_unless(p, 0, 3);
    put_argument(p, 2, true);
    put_unless(p, 0, 1);
    put_answer(p, SECCOMP_RET_ALLOW);
    put_deny(p);
}

static void put_rules(struct program *p, enum confine_role role)
{
    put_terminal(p);
    put_only(p, SYS_kill, 0, (unsigned)getpid());
    put_only(p, SYS_tgkill, 0, (unsigned)getpid());
    if (role == CONFINE_JOIN)
        put_only(p, SYS_socket, 0, AF_UNIX);
    if (role & (C | W | S))
        put_threads(p);
    if (role == CONFINE_COMPILER)
        put_compiler_limits(p);
    if (role & (W | S))
        put_limits(p);
}

static void put_all(struct program *p, enum confine_role role)
{
    put_load(p, offsetof(struct seccomp_data, arch));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0);
    put_answer(p, SECCOMP_RET_KILL_PROCESS);
    put_load(p, offsetof(struct seccomp_data, nr));
    put(p, BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1);
    put_deny(p);
    for (size_t i = 0; i < sizeof nevers / sizeof *nevers; i++)
        if (nevers[i].who & role) {
            put_unless(p, (unsigned)nevers[i].call, 1);
            put_deny(p);
        }
    put_rules(p, role);
    put_answer(p, SECCOMP_RET_ALLOW);
}

/* For every thread, also those that a library made. Mitigations against speculation stay as they
 * are for the worker: some kernels would otherwise slow the launches that it measures. */
static bool confine_calls(enum confine_role role)
{
    static struct program p;
    p.n = 0;
    put_all(&p, role);
    struct sock_fprog program = {.len = (unsigned short)p.n, .filter = p.steps};
    unsigned flags =
        SECCOMP_FILTER_FLAG_TSYNC | (role == CONFINE_WORKER ? SECCOMP_FILTER_FLAG_SPEC_ALLOW : 0);
    return p.n < STEPS_MOST && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0;
}

static bool calls_possible(void)
{
    return prctl(PR_GET_SECCOMP) == 0 || prctl(PR_GET_SECCOMP) == 2;
}

#else

static bool confine_calls(enum confine_role role)
{
    (void)role;
    return false;
}

static bool calls_possible(void)
{
    return false;
}

#endif

unsigned confine_self(enum confine_role role)
{
    bool closed = role == CONFINE_JOIN || role == CONFINE_COMPILER;
    struct rlimit none = {0, 0};
    unsigned stands = 0;
    setrlimit(RLIMIT_CORE, &none);
    if (closed && os_confine_no_files() > 0)
        stands |= CONFINED_FILES;
    if (confine_calls(role))
        stands |= closed ? CONFINED_CALLS | CONFINED_FILES
                         : CONFINED_CALLS; /* the filter opens nothing either */
    return stands;
}

unsigned confine_writes(const char *const *folders)
{
    return os_confine_writes(folders) > 0 ? CONFINED_WRITES : 0;
}

unsigned confine_possible(void)
{
    unsigned could = os_confine_abi() > 0 ? CONFINED_FILES | CONFINED_WRITES : 0;
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

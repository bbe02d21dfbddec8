/* What Linux gives: PR_SET_PDEATHSIG, Landlock, signalfd. */
#include "kernels/wire/os.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kernels/wire/text.h"

int os_follow_parent(pid_t parent, int signal)
{
    if (prctl(PR_SET_PDEATHSIG, signal) != 0)
        return -1;
    if (getppid() != parent) /* it went before the call took effect */
        _exit(1);
    return 0;
}

int os_die_with_parent(pid_t parent)
{
    return os_follow_parent(parent, SIGKILL);
}

/* Every right of the first Landlock ABI; later ones add a bit each for moves, truncation, ioctl. */
static uint64_t rights_of_abi(long abi)
{
    uint64_t rights = (1ull << 13) - 1;
    if (abi >= 2)
        rights |= 1ull << 13;
    if (abi >= 3)
        rights |= 1ull << 14;
    if (abi >= 5)
        rights |= 1ull << 15;
    return rights;
}

int os_confine_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return abi < 0 ? 0 : (int)abi;
}

/* Closes the ruleset. */
static int restrict_by(int rules)
{
    int ok = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
             syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return ok;
}

static int new_rules(uint64_t handled)
{
    struct landlock_ruleset_attr attr = {.handled_access_fs = handled};
    return (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
}

int os_confine_no_files(void)
{
    int abi = os_confine_abi(), rules = abi < 1 ? -1 : new_rules(rights_of_abi(abi));
    return rules < 0 ? 0 : restrict_by(rules);
}

/* Everything but executing, reading a file, reading a folder, and ioctl, which device files are
 * opened for. */
static uint64_t rights_to_change(long abi)
{
    uint64_t rights =
        rights_of_abi(abi) & ~(uint64_t)(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                         LANDLOCK_ACCESS_FS_READ_DIR);
    return rights & ((1ull << 15) - 1);
}

int os_confine_writes(const char *const *folders)
{
    int abi = os_confine_abi(), rules = abi < 1 ? -1 : new_rules(rights_to_change(abi));
    if (rules < 0)
        return 0;
    for (; *folders; folders++) {
        struct landlock_path_beneath_attr below = {.allowed_access = rights_to_change(abi),
                                                   .parent_fd = open(*folders, O_PATH | O_CLOEXEC)};
        if (below.parent_fd < 0)
            continue;
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0);
        close(below.parent_fd);
    }
    return restrict_by(rules);
}

int os_signal_open(const sigset_t *set, struct err *err)
{
    if (sigprocmask(SIG_BLOCK, set, NULL) != 0)
        return err_set(err, ERR_IO, "cannot block signals: %s", strerror(errno));
    int fd = signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        return err_set(err, ERR_IO, "cannot watch signals: %s", strerror(errno));
    return fd;
}

int os_signal_read(int fd)
{
    struct signalfd_siginfo info;
    return read(fd, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

void os_signal_close(int fd)
{
    if (fd >= 0)
        close(fd);
}

int os_peer(int fd, uid_t *uid, pid_t *pid)
{
    struct ucred who;
    socklen_t n = sizeof who;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) != 0)
        return -1;
    *uid = who.uid;
    *pid = who.pid;
    return 0;
}

int os_exchange(const char *a, const char *b)
{
    return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
}

char *os_program_path(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    return n <= 0 || (size_t)n == sizeof path ? NULL : text_ndup(path, (size_t)n);
}

int64_t os_monotonic_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void os_random(void *out, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t got = getrandom((char *)out + done, n - done, 0);
        if (got > 0)
            done += (size_t)got;
        else if (errno != EINTR)
            abort(); /* without randomness nothing of ours can be unique */
    }
}

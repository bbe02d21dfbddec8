#include "kernels/runner/walls.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kernels/wire/confine.h"

#define MEMORY_MOST ((rlim_t)4 << 30)

enum { HAS_MEMORY = 1 << 8 }; /* beside CONFINED_*: its address space is limited */

static json_t *names(unsigned stands)
{
    static const struct { unsigned bit; const char *name;
    } list[] = {
        {CONFINED_FILES, "files"},
        {CONFINED_WRITES, "writes"},
        {CONFINED_CALLS, "calls"},
        {HAS_MEMORY, "memory"},
    };
    json_t *out = json_array();
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (stands & list[i].bit)
            json_array_append_new(out, json_string(list[i].name));
    return out;
}

#ifdef __SANITIZE_ADDRESS__
/* LeakSanitizer looks into a process from another one at its end, which the filter denies: it is
 * told to let it be. */
static bool walled;

int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return walled;
}
#endif

static unsigned confine(enum confine_role role)
{
#ifdef __SANITIZE_ADDRESS__
    walled = true;
#endif
    return confine_self(role);
}

/* Never above what the account has anyway. */
static bool limit(int what, rlim_t most)
{
    struct rlimit has;
    if (getrlimit(what, &has) != 0)
        return false;
    rlim_t n = has.rlim_max < most ? has.rlim_max : most;
    return setrlimit(what, &(struct rlimit){n, n}) == 0;
}

/* ---- the compiler ---- */

static rlim_t hard_limit(int what)
{
    struct rlimit has;
    return getrlimit(what, &has) == 0 ? has.rlim_max : RLIM_INFINITY;
}

static rlim_t memory_most(void)
{
    rlim_t data = hard_limit(RLIMIT_DATA), most = hard_limit(RLIMIT_AS);
    most = data < most ? data : most;
    return most < MEMORY_MOST ? most : MEMORY_MOST;
}

double walls_compiler_memory(void)
{
    return (double)memory_most() / (1 << 30);
}

/* A library that finds no memory mostly crashes, and the crash alone would tell nobody why. */
static void explain(int signo)
{
    if (mmap(NULL, memory_most() / 4, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
        _exit(COMPILER_NO_MEMORY);
    raise(signo); /* SA_RESETHAND: this time it ends the process */
}

/* AddressSanitizer gives each thread such a stack, and unmaps at the thread's end whichever is there
 * then: one of ours would end the process. */
void walls_compiler_thread(void)
{
#ifndef __SANITIZE_ADDRESS__
    static _Thread_local char stack[1 << 16]; /* a recursion has used up the other one */
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
#endif
}

static void explain_crashes(void)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL};
    struct sigaction act = {.sa_handler = explain,
                            .sa_flags = (int)(SA_ONSTACK | SA_RESETHAND | SA_NODEFER)};
    walls_compiler_thread();
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &act, NULL);
}

/* Bytes of addresses, and of those that may be written. */
static bool has_now(rlim_t *addresses, rlim_t *data)
{
    unsigned long pages, writable;
    FILE *f = fopen("/proc/self/statm", "re");
    bool read = f && fscanf(f, "%lu %*u %*u %*u %*u %lu", &pages, &writable) == 2;
    if (f)
        fclose(f);
    if (read) {
        *addresses = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
        *data = (rlim_t)writable * (rlim_t)sysconf(_SC_PAGESIZE);
    }
    return read;
}

/* NVRTC loads the driver where there is one, which reserves addresses by the size of the machine:
 * so the limits are on what comes on top. Data alone would leave out the stack, which NVRTC lets
 * grow. AddressSanitizer reserves terabytes that count as data, so a build with it has no such
 * limit. */
static bool limit_memory(void)
{
#ifdef __SANITIZE_ADDRESS__
    (void)has_now, (void)explain_crashes;
    return false;
#else
    rlim_t addresses, data;
    explain_crashes();
    return has_now(&addresses, &data) && limit(RLIMIT_DATA, data + MEMORY_MOST) &&
           limit(RLIMIT_AS, addresses + MEMORY_MOST);
#endif
}

/* Processes are denied by the filter, not by RLIMIT_NPROC, which counts all that the account runs.
 */
json_t *walls_compiler(void)
{
    unsigned stands = limit_memory() ? HAS_MEMORY : 0;
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NOFILE, 64);
    return names(stands | confine(CONFINE_COMPILER));
}

void walls_compiler_time(int64_t ms, int beside)
{
    struct rlimit has;
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &has) != 0)
        return;
    rlim_t most = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                  (rlim_t)(ms / 1000) * (rlim_t)(beside + 1) + 2;
    has.rlim_cur = beside && has.rlim_cur > most ? has.rlim_cur : most;
    setrlimit(RLIMIT_CPU, &has);
}

/* ---- the worker ---- */

/* Before the driver's devices are there its library asks a setuid program to make them, which this
 * wall would forbid. */
static bool needs_modprobe(void)
{
    return access("/usr/bin/nvidia-modprobe", X_OK) == 0 && access("/dev/nvidia-uvm", F_OK) != 0;
}

/* Device files; what CUDA shares between processes or locks; and the names of its own threads,
 * without which cuInit fails (304). */
static const char *const everybodys[] = {"/dev", "/tmp", "/proc/self/task"};

unsigned walls_worker_files(const char *cache)
{
    const char *temporary = getenv("TMPDIR");
    const char *folders[] = {everybodys[0], everybodys[1], everybodys[2], NULL, NULL, NULL};
    int n = 3;
    if (open(everybodys[2], O_PATH | O_CLOEXEC) <
        0) /* held for good: what the kernel forgets has no rule when it is looked up again */
        return 0;
    if (cache)
        folders[n++] = cache;
    if (temporary && *temporary)
        folders[n++] = temporary;
    return needs_modprobe() ? 0 : confine_writes(folders);
}

/* No limit on memory: CUDA reserves as many addresses as all GPUs and the machine have bytes. */
json_t *walls_worker(unsigned stands)
{
    signal(SIGXFSZ, SIG_IGN); /* a file that is too large is an error, not the end */
    limit(RLIMIT_FSIZE, (rlim_t)1 << 30);
    limit(RLIMIT_NOFILE, 4096);
    return names(stands | confine(CONFINE_WORKER));
}

/* LeakSanitizer looks into the process from another one at its end, which the filter would deny. */
void walls_sanitized(void)
{
#ifndef __SANITIZE_ADDRESS__
    confine_self(CONFINE_SANITIZED);
#endif
}

void walls_tool(void)
{
    const char *temporary = getenv("TMPDIR");
    const char *folders[] = {everybodys[0], everybodys[1],
                             temporary && *temporary ? temporary : NULL, NULL};
    confine_writes(folders);
    confine_self(CONFINE_TOOL);
}

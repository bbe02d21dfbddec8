/* A compiler whose image is the source text itself; its PTX goes on with one ".visible .entry
 * NAME(" for each
 * `__global__ void NAME(` of the text, under a C++ name where no extern "C" stands before it. A
 * text with "fake: refuse" does not compile, one with "fake: needs sm_80" does not below that
 * architecture, one with "fake: figures" is told to need 255 registers, one with "fake: dislike
 * OPTION" does not compile with this option, one with "fake:
 * crash-compiler" ends it, one with "fake: endless-compilation" never ends; "fake: read PATH" is a
 * compiler that was talked into opening a file, whose log says how that went, "fake:
 * compiler-tempted" one that tries everything (tempt.h), "fake: compiler-eats-memory" one that
 * allocates until there is no more and then crashes as libraries do, "fake: compiler-says-memory"
 * one that says so itself before it gives up, "fake: compiler-eats-time" one that computes for
 * ever. Like the real one beside a driver it reserves addresses by the size of the machine. The
 * plan's `newest_arch` is the newest architecture that it knows; with `mbarrier` the text stands
 * behind a cubin whose third instruction waits for an mbarrier. */
#include "kernels/runner/api.h"

#include "tests/fakes/cubin.h"
#include "tests/fakes/fake.h"
#include "tests/fakes/tempt.h"

#define DECLARE(name, result, parameters, needed) result name parameters;
NVRTC_CALLS(DECLARE)

struct _nvrtcProgram { char *text, *ptx; const char *log; };

/* The text, and what it declares. */
static char *make_ptx(const char *text)
{
    static const char declares[] = "__global__ void ", plain[] = "extern \"C\" ";
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    fputs(text, f);
    for (const char *at = text; (at = strstr(at, declares));) {
        int is_plain = at - text >= (long)sizeof plain - 1 &&
                       !strncmp(at - (sizeof plain - 1), plain, sizeof plain - 1);
        at += sizeof declares - 1;
        if (!strncmp(at, "__launch_bounds__", strlen("__launch_bounds__")))
            at += strcspn(at, ")") + 1;
        at += strspn(at, " \n");
        int n = (int)strcspn(at, " (\n");
        if (is_plain)
            fprintf(f, "\n.visible .entry %.*s()\n", n, at);
        else
            fprintf(f, "\n.visible .entry _Z%d%.*sv()\n", n, n, at);
    }
    fclose(f);
    return out;
}

nvrtc_result nvrtcVersion(int *major, int *minor)
{
    FAKE_CALL();
    if (mmap(NULL, (size_t)12 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
             0) == MAP_FAILED)
        return 1;
    *major = 13;
    *minor = 0;
    return 0;
}
nvrtc_result nvrtcGetNumSupportedArchs(int *n) { FAKE_CALL(); *n = 3; return 0; }
nvrtc_result nvrtcGetSupportedArchs(int *archs)
{
    FAKE_CALL();
    archs[0] = 75;
    archs[1] = 80;
    archs[2] = (int)fake_number("newest_arch", 90);
    return 0;
}

nvrtc_result nvrtcCreateProgram(nvrtc_program *out, const char *src, const char *name, int n,
                                const char *const *headers, const char *const *names)
{
    (void)name, (void)n, (void)headers, (void)names;
    FAKE_CALL();
    *out = calloc(1, sizeof **out);
    (*out)->text = strdup(src);
    (*out)->ptx = make_ptx(src);
    (*out)->log = "";
    return 0;
}

static nvrtc_result try_to_read(nvrtc_program p, const char *path)
{
    static char log[128];
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(path, " \n"), path);
    FILE *f = fopen(name, "re");
    snprintf(log, sizeof log, "%s %s", name, f ? "was opened" : "was denied");
    if (f)
        fclose(f);
    p->log = log;
    return 6;
}

static nvrtc_result try_everything(nvrtc_program p)
{
    static char log[256];
    tempt(log, sizeof log);
    p->log = log;
    return 6;
}

/* It touches little of it: the limit is on addresses. */
static void eat_memory(void)
{
    for (volatile char *p; (p = malloc(64 << 20)); *p = 1)
        continue;
    abort();
}

static int is_too_old(const char *text, int n, const char *const *options)
{
    static const char needs[] = "fake: needs sm_", option[] = "--gpu-architecture=sm_";
    const char *at = strstr(text, needs);
    int arch = 0;
    for (int i = 0; i < n; i++)
        if (!strncmp(options[i], option, sizeof option - 1))
            arch = atoi(options[i] + sizeof option - 1);
    return at && arch && arch < atoi(at + sizeof needs - 1);
}

static int dislikes(const char *text, int n, const char *const *options)
{
    static const char word[] = "fake: dislike ";
    const char *at = strstr(text, word);
    size_t len = at ? strcspn(at + sizeof word - 1, " \n") : 0;
    for (int i = 0; at && i < n; i++)
        if (strlen(options[i]) == len && !strncmp(options[i], at + sizeof word - 1, len))
            return 1;
    return 0;
}

nvrtc_result nvrtcCompileProgram(nvrtc_program p, int n, const char *const *options)
{
    FAKE_CALL();
    while (strstr(p->text, "fake: endless-compilation"))
        pause();
    const char *read = strstr(p->text, "fake: read ");
    if (read)
        return try_to_read(p, read + strlen("fake: read "));
    if (strstr(p->text, "fake: compiler-tempted"))
        return try_everything(p);
    if (strstr(p->text, "fake: compiler-eats-memory"))
        eat_memory();
    if (strstr(p->text, "fake: compiler-says-memory")) {
        fputs("LLVM ERROR: out of memory\n", stderr);
        abort();
    }
    for (volatile int i = 0; strstr(p->text, "fake: compiler-eats-time"); i++)
        continue;
    if (strstr(p->text, "fake: crash-compiler"))
        abort();
    if (is_too_old(p->text, n, options)) {
        p->log = "ptxas error   : Entry function 'move' needs a newer GPU";
        return 6;
    }
    if (strstr(p->text, "fake: figures"))
        p->log = "ptxas info    : Compiling entry function 'sums' for 'sm_90'\n"
                 "ptxas info    : Used 255 registers, 4224 bytes smem\n";
    if (!strstr(p->text, "fake: refuse") && !dislikes(p->text, n, options))
        return 0;
    p->log = "suspect.cu(1): error: refused by the fake";
    return 6;
}

nvrtc_result nvrtcDestroyProgram(nvrtc_program *p)
{
    free((*p)->text);
    free((*p)->ptx);
    free(*p);
    *p = NULL;
    FAKE_CALL();
    return 0;
}
nvrtc_result nvrtcGetPTXSize(nvrtc_program p, size_t *bytes)
{
    FAKE_CALL();
    *bytes = strlen(p->ptx) + 1;
    return 0;
}
nvrtc_result nvrtcGetPTX(nvrtc_program p, char *out)
{
    FAKE_CALL();
    memcpy(out, p->ptx, strlen(p->ptx) + 1);
    return 0;
}
static size_t cubin_before_text(void)
{
    return fake_number("mbarrier", 0) > 0 ? sizeof(struct cubin) : 0;
}

nvrtc_result nvrtcGetCUBINSize(nvrtc_program p, size_t *bytes)
{
    FAKE_CALL();
    *bytes = cubin_before_text() + strlen(p->text) + 1;
    return 0;
}
nvrtc_result nvrtcGetCUBIN(nvrtc_program p, char *out)
{
    FAKE_CALL();
    struct cubin c;
    cubin_make(&c, CUBIN_ROOM);
    cubin_put_wait(&c, 1);
    memcpy(out, &c, cubin_before_text());
    memcpy(out + cubin_before_text(), p->text, strlen(p->text) + 1);
    return 0;
}
nvrtc_result nvrtcGetProgramLogSize(nvrtc_program p, size_t *bytes)
{
    FAKE_CALL();
    *bytes = strlen(p->log) + 1;
    return 0;
}
nvrtc_result nvrtcGetProgramLog(nvrtc_program p, char *out)
{
    FAKE_CALL();
    memcpy(out, p->log, strlen(p->log) + 1);
    return 0;
}
const char *nvrtcGetErrorString(nvrtc_result e)
{
    return e == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_OF_THE_FAKE";
}

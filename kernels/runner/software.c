#include "kernels/runner/software.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

static void add(struct msg_device *d, const char *name, const char *text)
{
    d->software = mem_grow(d->software, (size_t)d->n_software + 1, sizeof *d->software);
    struct msg_software *s = &d->software[d->n_software++];
    *s = (struct msg_software){.name = ""};
    snprintf(s->name, sizeof s->name, "%s", name);
    snprintf(s->text, sizeof s->text, "%s", text);
}

/* The first number with a dot in the file's real place: /usr/local/cuda-13.0/bin/ncu is of 13.0.
 * The place itself is nobody's business. */
static void version_of_place(char *out, size_t size, const char *path)
{
    char *real = realpath(path, NULL);
    const char *at = real ? real : path;
    snprintf(out, size, "found");
    for (; *at; at++) {
        size_t n = strspn(at, "0123456789.");
        if (n >= 3 && at[0] != '.' && memchr(at, '.', n) && at[n - 1] != '.') {
            snprintf(out, size, "%.*s", (int)n, at);
            break;
        }
        at += n ? n - 1 : 0;
    }
    free(real);
}

/* ---- libraries ---- */

static void *open_any(const char *const *names, const char *variable)
{
    const char *forced = variable ? getenv(variable) : NULL;
    if (forced && *forced)
        return dlopen(forced, RTLD_LAZY | RTLD_LOCAL);
    void *lib = NULL;
    for (; *names && !lib; names++)
        lib = dlopen(*names, RTLD_LAZY | RTLD_LOCAL);
    return lib;
}

static void add_library(struct msg_device *d, const char *label, const char *const *names,
                        const char *variable, const char *symbol)
{
    char version[48] = "";
    Dl_info info;
    void *lib = open_any(names, variable);
    void *known = lib ? dlsym(lib, symbol) : NULL;
    if (lib)
        snprintf(version, sizeof version, "found");
    if (known && dladdr(known, &info) && info.dli_fname)
        version_of_place(version, sizeof version, info.dli_fname);
    add(d, label, version);
    if (lib)
        dlclose(lib);
}

/* ---- programs ---- */

static char *program_in(const char *folder, size_t len, const char *name)
{
    char *path = text_format("%.*s/%s", (int)len, folder, name);
    if (len > 0 && *folder == '/' && access(path, X_OK) == 0)
        return path;
    free(path);
    return NULL;
}

static char *program_find(const char *name)
{
    const char *path = getenv("PATH"), *home = getenv("CUDA_HOME");
    char *bin = text_format("%s/bin", home && *home ? home : "/usr/local/cuda"), *found = NULL;
    for (const char *at = path ? path : ""; *at && !found;) {
        size_t len = strcspn(at, ":");
        found = program_in(at, len, name);
        at += len + (at[len] == ':');
    }
    if (!found)
        found = program_in(bin, strlen(bin), name);
    if (!found)
        found = program_in("/usr/local/cuda/bin", strlen("/usr/local/cuda/bin"), name);
    free(bin);
    return found;
}

bool software_has(const char *program)
{
    char *path = program_find(program);
    bool found = path != NULL;
    free(path);
    return found;
}

static void add_program(struct msg_device *d, const char *name)
{
    char version[48] = "";
    char *path = program_find(name);
    if (path)
        version_of_place(version, sizeof version, path);
    add(d, name, version);
    free(path);
}

static void add_wall(struct msg_device *d)
{
    char text[48] = "";
    int abi = os_confine_abi();
    if (abi > 0)
        snprintf(text, sizeof text, "ABI %d", abi);
    add(d, "Landlock", text);
}

void software_add(struct msg_device *d, int gpus)
{
    static const char *const nccl[] = {"libnccl.so.2", NULL};
    static const char *const nvml[] = {"libnvidia-ml.so.1", NULL}, *const perf[] = {"libnvperf_"
                                                                                    "host.so",
                                                                                    NULL};
    add_library(d, "NVML", nvml, "WARPDRILL_NVML", "nvmlInit_v2");
    add_library(d, "libnvperf_host", perf, NULL, "NVPW_InitializeHost");
    if (gpus > 1)
        add_library(d, "NCCL", nccl, "WARPDRILL_NCCL", "ncclGetVersion");
    add_program(d, "nvdisasm");
    add_program(d, "ncu");
    add_program(d, "compute-sanitizer");
    add_wall(d);
}

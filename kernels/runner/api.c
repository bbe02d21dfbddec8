#include "kernels/runner/api.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/fault_rows.h"

/* One symbol of a table: where its pointer goes. */
struct symbol {
    const char *name;
    size_t offset;
    bool needed;
};

#define SYMBOLS(api) \
    static const struct symbol api##_symbols[]
#define CUDA_SYMBOL(name, result, parameters, needed) \
    {#name, offsetof(struct cuda_api, name), needed},
#define NVRTC_SYMBOL(name, result, parameters, needed) \
    {#name, offsetof(struct nvrtc_api, name), needed},
#define CUPTI_SYMBOL(name, result, parameters, needed) \
    {#name, offsetof(struct cupti_api, name), needed},
#define NVML_SYMBOL(name, result, parameters, needed) \
    {#name, offsetof(struct nvml_api, name), needed},
#define NCCL_SYMBOL(name, result, parameters, needed) \
    {#name, offsetof(struct nccl_api, name), needed},
SYMBOLS(cuda) = {CUDA_CALLS(CUDA_SYMBOL){NULL, 0, false}};
SYMBOLS(nvrtc) = {NVRTC_CALLS(NVRTC_SYMBOL){NULL, 0, false}};
SYMBOLS(cupti) = {CUPTI_CALLS(CUPTI_SYMBOL){NULL, 0, false}};
SYMBOLS(nvml) = {NVML_CALLS(NVML_SYMBOL){NULL, 0, false}};
SYMBOLS(nccl) = {NCCL_CALLS(NCCL_SYMBOL){NULL, 0, false}};

/* What to look for, by plain name first (the loader's own search), then in the toolkit's folders.
 */
struct library {
    const char *env, *title;
    const char *names[5];
    const char *remedy;
    int code;
};
static const struct library cuda_library = {
    "WARPDRILL_CUDA", "the CUDA driver", {"libcuda.so.1"},
    "install NVIDIA's driver for this GPU; in a container, start it with --gpus all", ERR_NO_GPU};
static const struct library nvrtc_library = {
    "WARPDRILL_NVRTC", "NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
    SAY_NVRTC, ERR_UNSUPPORTED};
static const struct library cupti_library = {
    "WARPDRILL_CUPTI", "CUPTI", {"libcupti.so.13", "libcupti.so.12", "libcupti.so"},
    SAY_CUPTI, ERR_UNSUPPORTED};
static const struct library nvml_library = {"WARPDRILL_NVML",
                                            "NVML",
                                            {"libnvidia-ml.so.1"},
                                            "libnvidia-ml.so.1 comes with NVIDIA's driver",
                                            ERR_UNSUPPORTED};
static const struct library nccl_library = {
    "WARPDRILL_NCCL", "NCCL", {"libnccl.so.2"}, SAY_NCCL, ERR_UNSUPPORTED};

static const char *const toolkit_folders[] = {"extras/CUPTI/lib64", "lib64",
                                              "targets/x86_64-linux/lib", "lib"};

static void *open_below(const char *root, const char *name)
{
    for (size_t i = 0; root && *root && i < sizeof toolkit_folders / sizeof *toolkit_folders; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s/%s", root, toolkit_folders[i], name);
        void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (lib)
            return lib;
    }
    return NULL;
}

static void *open_library(const struct library *l, struct err *err)
{
    const char *forced = getenv(l->env);
    if (forced && *forced) {
        void *lib = dlopen(forced, RTLD_NOW | RTLD_LOCAL);
        if (!lib) {
            err_set(err, l->code, "%s cannot be loaded from %s=%s: %s", l->title, l->env, forced,
                    dlerror());
            err_advise(err, "dlopen", "unset the variable, or let it name the library's file");
        }
        return lib;
    }
    for (int i = 0; l->names[i]; i++) {
        void *lib = dlopen(l->names[i], RTLD_NOW | RTLD_LOCAL);
        lib = lib ? lib : open_below(getenv("CUDA_HOME"), l->names[i]);
        lib = lib ? lib : open_below("/usr/local/cuda", l->names[i]);
        if (lib)
            return lib;
    }
    err_set(err, l->code, "%s is not there (looked for %s)", l->title, l->names[0]);
    err_advise(err, "dlopen", l->remedy);
    return NULL;
}

static int load(void *table, const struct library *l, const struct symbol *symbols, struct err *err)
{
    void *lib = open_library(l, err);
    if (!lib)
        return l->code;
    for (const struct symbol *s = symbols; s->name; s++) {
        void *found = dlsym(lib, s->name);
        if (!found && s->needed) {
            err_set(err, l->code, "%s is too old: it has no %s", l->title, s->name);
            err_advise(err, s->name, l->remedy);
            return l->code;
        }
        memcpy((char *)table + s->offset, &found, sizeof found);
    }
    memcpy(table, &lib, sizeof lib); /* lib is each table's first field */
    return 0;
}

int api_load_cuda(struct cuda_api *out, struct err *err)
{
    *out = (struct cuda_api){.lib = NULL};
    return load(out, &cuda_library, cuda_symbols, err);
}

int api_load_nvrtc(struct nvrtc_api *out, struct err *err)
{
    *out = (struct nvrtc_api){.lib = NULL};
    return load(out, &nvrtc_library, nvrtc_symbols, err);
}

int api_load_cupti(struct cupti_api *out, struct err *err)
{
    *out = (struct cupti_api){.lib = NULL};
    return load(out, &cupti_library, cupti_symbols, err);
}

int api_load_nvml(struct nvml_api *out, struct err *err)
{
    *out = (struct nvml_api){.lib = NULL};
    return load(out, &nvml_library, nvml_symbols, err);
}

int api_load_nccl(struct nccl_api *out, struct err *err)
{
    *out = (struct nccl_api){.lib = NULL};
    return load(out, &nccl_library, nccl_symbols, err);
}

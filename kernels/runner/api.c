#include "kernels/runner/api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One symbol of a table: where its pointer goes. */
struct symbol {
    const char *name;
    size_t offset;
    bool needed;
};

#define SYMBOLS(api) \
    static const struct symbol api##_symbols[]
#define CUDA_SYMBOL(name, result, parameters, needed) {#name, offsetof(struct cuda_api, name), needed},
#define NVRTC_SYMBOL(name, result, parameters, needed) {#name, offsetof(struct nvrtc_api, name), needed},
#define CUPTI_SYMBOL(name, result, parameters, needed) {#name, offsetof(struct cupti_api, name), needed},
#define NVML_SYMBOL(name, result, parameters, needed) {#name, offsetof(struct nvml_api, name), needed},
SYMBOLS(cuda) = {CUDA_CALLS(CUDA_SYMBOL){NULL, 0, false}};
SYMBOLS(nvrtc) = {NVRTC_CALLS(NVRTC_SYMBOL){NULL, 0, false}};
SYMBOLS(cupti) = {CUPTI_CALLS(CUPTI_SYMBOL){NULL, 0, false}};
SYMBOLS(nvml) = {NVML_CALLS(NVML_SYMBOL){NULL, 0, false}};

/* What to look for, by plain name first (the loader's own search), then in the toolkit's folders. */
struct library {
    const char *env, *title;
    const char *names[5];
    const char *remedy;
    int code;
};
static const struct library cuda_library = {
    "WARPDRILL_CUDA", "the CUDA driver", {"libcuda.so.1"},
    "install NVIDIA's driver for this GPU; in a container, start it with the GPU passed through", ERR_NO_GPU};
static const struct library nvrtc_library = {
    "WARPDRILL_NVRTC", "NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
    "install the CUDA toolkit's cuda-nvrtc package, or set CUDA_HOME", ERR_UNSUPPORTED};
static const struct library cupti_library = {
    "WARPDRILL_CUPTI", "CUPTI", {"libcupti.so.13", "libcupti.so.12", "libcupti.so"},
    "install the CUDA toolkit's cuda-cupti package, or set CUDA_HOME", ERR_UNSUPPORTED};
static const struct library nvml_library = {
    "WARPDRILL_NVML", "NVML", {"libnvidia-ml.so.1"}, "it comes with NVIDIA's driver", ERR_UNSUPPORTED};

static const char *const toolkit_folders[] = {"extras/CUPTI/lib64", "lib64", "targets/x86_64-linux/lib", "lib"};

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
        if (!lib)
            err_set(err, l->code, "%s cannot be loaded from %s=%s: %s", l->title, l->env, forced, dlerror());
        return lib;
    }
    for (int i = 0; l->names[i]; i++) {
        void *lib = dlopen(l->names[i], RTLD_NOW | RTLD_LOCAL);
        lib = lib ? lib : open_below(getenv("CUDA_HOME"), l->names[i]);
        lib = lib ? lib : open_below("/usr/local/cuda", l->names[i]);
        if (lib)
            return lib;
    }
    err_set(err, l->code, "%s is not there (looked for %s): %s", l->title, l->names[0], l->remedy);
    return NULL;
}

static int load(void *table, const struct library *l, const struct symbol *symbols, struct err *err)
{
    void *lib = open_library(l, err);
    if (!lib)
        return l->code;
    for (const struct symbol *s = symbols; s->name; s++) {
        void *found = dlsym(lib, s->name);
        if (!found && s->needed)
            return err_set(err, l->code, "%s is too old: it has no %s", l->title, s->name);
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

/* cuda.h says of the first nine that the process must be ended; the rest lose data the same way. */
bool api_cuda_sticky(cu_result r)
{
    switch (r) {
    case CU_CONTAINED: case CU_ILLEGAL_ADDRESS: case CU_LAUNCH_TIMEOUT: case CU_STACK:
    case CU_ILLEGAL_INSTRUCTION: case CU_MISALIGNED: case CU_ADDRESS_SPACE: case CU_INVALID_PC:
    case CU_LAUNCH_FAILED: case CU_TENSOR_FAILED: case CU_ASSERT: case CU_ECC: case CU_NVLINK: case CU_UNKNOWN:
        return true;
    default:
        return false;
    }
}

static int cuda_code(cu_result r)
{
    if (api_cuda_sticky(r))
        return ERR_FAULT;
    switch (r) {
    case CU_OUT_OF_MEMORY: return ERR_MEMORY;
    case CU_NO_DEVICE: return ERR_NO_GPU;
    case CU_INVALID_VALUE: case CU_LAUNCH_RESOURCES: return ERR_LAUNCH;
    case CU_NO_BINARY: case CU_INVALID_PTX: case CU_PTX_TOO_NEW: return ERR_UNSUPPORTED;
    case CU_NOT_FOUND: return ERR_BAD_REQUEST;
    default: return ERR_INTERNAL;
    }
}

int api_cuda_check(const struct cuda_api *cu, cu_result r, const char *call, struct err *err)
{
    const char *name = NULL, *meaning = NULL;
    if (r == CU_OK)
        return 0;
    if (cu->cuGetErrorName(r, &name) != CU_OK || !name)
        name = "unnamed error";
    if (cu->cuGetErrorString(r, &meaning) != CU_OK || !meaning)
        meaning = "the driver has no words for it";
    return err_set(err, cuda_code(r), "%s: %s (%d, %s)", call, name, r, meaning);
}

struct refusal {
    cupti_result result;
    int code;
    const char *say, *remedy;
};
static const struct refusal refusals[] = {
    {CUPTI_PRIVILEGES, ERR_PERMISSION, "profiling is reserved for administrators on this machine",
     "as root: echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' > /etc/modprobe.d/nvidia-profiling.conf, "
     "then reload the driver or reboot; in a container: --cap-add=SYS_ADMIN"},
    {CUPTI_VGPU, ERR_PERMISSION, "profiling is switched off for this virtual GPU",
     "ask the host's administrator to enable profiling for the vGPU (pciPassthruN.cfg.enable_profiling)"},
    {CUPTI_CONFIDENTIAL, ERR_UNSUPPORTED, "confidential computing forbids profiling", NULL},
    {CUPTI_CMP, ERR_UNSUPPORTED, "mining processors have no profiling", NULL},
    {CUPTI_MIG, ERR_UNSUPPORTED, "this MIG slice cannot be profiled", NULL},
    {CUPTI_SLI, ERR_UNSUPPORTED, "GPUs in SLI cannot be profiled", "switch SLI off"},
    {CUPTI_WSL, ERR_UNSUPPORTED, "profiling is not available under this version of WSL",
     "update the Windows driver and allow access to the GPU performance counters in its control panel"},
    {CUPTI_UNSUPPORTED, ERR_UNSUPPORTED, "this GPU or driver has no range profiler", NULL},
    {CUPTI_BUSY, ERR_BUSY, "another profiler (DCGM, perhaps) holds the counters", "dcgmi profile --pause, or end the other profiler"},
    {CUPTI_TOO_OLD, ERR_UNSUPPORTED, "the driver is too old for this CUPTI, or libnvperf_host.so is not beside it",
     "update the driver, or install the whole cuda-cupti package"},
    {CUPTI_SECOND, ERR_BUSY, "another profiler is attached to this process", "run without ncu, nsys or a debugger"},
};

static const struct refusal *find_refusal(cupti_result r)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (refusals[i].result == r)
            return &refusals[i];
    return NULL;
}

int api_cupti_check(const struct cupti_api *cupti, cupti_result r, const char *call, struct err *err)
{
    const char *name = NULL;
    if (r == CUPTI_OK)
        return 0;
    const struct refusal *f = find_refusal(r);
    if (cupti->cuptiGetResultString(r, &name) != CUPTI_OK || !name)
        name = "unnamed error";
    return err_set(err, f ? f->code : ERR_UNSUPPORTED, "%s (%s: %s, %d)", f ? f->say : "the profiler failed", call, name, r);
}

const char *api_cupti_remedy(cupti_result r)
{
    const struct refusal *f = find_refusal(r);
    return f ? f->remedy : NULL;
}

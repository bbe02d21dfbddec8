#include "kernels/runner/faults.h"

#include <stddef.h>
#include <string.h>

#include "kernels/runner/fault_rows.h"

struct fault {
    int number;
    const char *name;
    int code;
    bool sticky;
    const char *text, *remedy;
};

#define ROW(number, name, code, sticky, text, remedy) {number, #name, code, sticky, text, remedy},
static const struct fault cuda_rows[] = {CUDA_FAULTS(ROW){0}};
static const struct fault start_rows[] = {CUDA_START_FAULTS(ROW){0}};
static const struct fault cupti_rows[] = {CUPTI_FAULTS(ROW){0}};
static const struct fault nvrtc_rows[] = {NVRTC_FAULTS(ROW){0}};
static const struct fault nccl_rows[] = {NCCL_FAULTS(ROW){0}};
#undef ROW

/* What stands behind a number that has no row. */
static const struct fault other_cuda = {0, "", ERR_INTERNAL, false, "the driver failed", SAY_XID};
static const struct fault other_cupti =
    {0, "", ERR_UNSUPPORTED, false, "the profiler failed", SAY_CUPTI};
static const struct fault other_nvrtc = {0,        "", ERR_INTERNAL, false, "the compiler failed",
                                         SAY_NVRTC};

static const struct fault other_nccl = {0, "", ERR_INTERNAL, false, "NCCL failed", SAY_NCCL};

static const struct fault *find(const struct fault *rows, int number)
{
    while (rows->name && rows->number != number)
        rows++;
    return rows->name ? rows : NULL;
}

static int tell(const struct fault *f, const char *prefix, const char *name, const char *call,
                int number, struct err *err)
{
    if (*f->name)
        err_set(err, f->code, "%s (%s: %s%s, %d)", f->text, call, prefix, f->name, number);
    else
        err_set(err, f->code, "%s (%s: %s, %d)", f->text, call, name ? name : "unnamed error",
                number);
    err_advise(err, call, f->remedy);
    return f->code;
}

bool fault_is_sticky(cu_result r)
{
    const struct fault *f = find(cuda_rows, r);
    return f && f->sticky;
}

const char *fault_of_kernel(cu_result r)
{
    switch (r) {
    case CU_ILLEGAL_ADDRESS: return "illegal address";
    case CU_MISALIGNED: return "misaligned address";
    case CU_ADDRESS_SPACE: return "address in the wrong space";
    case CU_INVALID_PC: return "jump to nowhere";
    case CU_ILLEGAL_INSTRUCTION: return "illegal instruction";
    case CU_STACK: return "stack out of bounds";
    case CU_ASSERT: return "assertion failed";
    case CU_LAUNCH_FAILED: return "launch failed";
    default: return NULL; /* time limits and hardware: nothing that the kernel's addresses tell */
    }
}

int fault_cuda(const struct cuda_api *cu, cu_result r, const char *call, struct err *err)
{
    bool start = !strcmp(call, "cuInit") || !strcmp(call, "cuDeviceGetCount");
    const struct fault *f = start ? find(start_rows, r) : NULL;
    const char *name = NULL;
    if (r == CU_OK)
        return 0;
    if (!f && !(f = find(cuda_rows, r)) && cu->cuGetErrorName(r, &name) != CU_OK)
        name = NULL;
    return tell(f ? f : &other_cuda, "CUDA_ERROR_", name, call, r, err);
}

int fault_cupti(const struct cupti_api *cupti, cupti_result r, const char *call, struct err *err)
{
    const struct fault *f = find(cupti_rows, r);
    const char *name = NULL;
    if (r == CUPTI_OK)
        return 0;
    if (!f && cupti->cuptiGetResultString(r, &name) != CUPTI_OK)
        name = NULL;
    return tell(f ? f : &other_cupti, "CUPTI_ERROR_", name, call, r, err);
}

int fault_nccl(const struct nccl_api *nccl, nccl_result r, const char *call, struct err *err)
{
    const struct fault *f = find(nccl_rows, r);
    if (r == NCCL_OK)
        return 0;
    return tell(f ? f : &other_nccl, "", f ? NULL : nccl->ncclGetErrorString(r), call, r, err);
}

int fault_nvrtc(const struct nvrtc_api *rtc, nvrtc_result r, const char *call, struct err *err)
{
    const struct fault *f = find(nvrtc_rows, r);
    if (r == 0)
        return 0;
    return tell(f ? f : &other_nvrtc, "NVRTC_ERROR_", f ? NULL : rtc->nvrtcGetErrorString(r), call,
                r, err);
}

const char *fault_remedy(int code)
{
    switch (code) {
    case ERR_VERSION:
        return "install warpdrill and warpdrill-runner of one version on both machines";
    case ERR_TIMEOUT:
        return "look for a loop that does not end; else ask for less, or allow more time";
    case ERR_LOST: return "try again; " SAY_XID;
    case ERR_WEDGED:
        return "nvidia-smi shows what still runs on the GPU; end it, then describe the GPU again "
               "(warpdrill doctor)";
    case ERR_BUSY: return "wait for the open request's end, or cancel it";
    case ERR_MEMORY: return "end what else holds memory, or choose a smaller size";
    case ERR_NO_GPU: return SAY_DRIVER;
    case ERR_COMPILE: return "the log names the line";
    case ERR_FAULT: return SAY_XID;
    case ERR_INTERNAL: return SAY_REPORT;
    default: return NULL;
    }
}

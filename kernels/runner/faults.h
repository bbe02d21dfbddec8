/* From an error to what the person should do. Every error that leaves the runner has passed here:
 * results of the driver, of CUPTI and of NVRTC, libraries that are not there, and our own refusals.
 */
#ifndef WD_RUNNER_FAULTS_H
#define WD_RUNNER_FAULTS_H

#include <stdbool.h>

#include "kernels/runner/api.h"
#include "kernels/wire/err.h"

/* True for results after which the context is lost and the process must end. */
bool fault_is_sticky(cu_result r);

/* 0 for success; else our code, with call, text ("PLAIN WORDS (cuLaunchKernel: CUDA_ERROR_...,
 * 700)") and remedy. */
int fault_cuda(const struct cuda_api *cu, cu_result r, const char *call, struct err *err);
int fault_cupti(const struct cupti_api *cupti, cupti_result r, const char *call, struct err *err);
int fault_nccl(const struct nccl_api *nccl, nccl_result r, const char *call, struct err *err);
int fault_nvrtc(const struct nvrtc_api *rtc, nvrtc_result r, const char *call, struct err *err);

/* What to do about an error of ours by its code alone, where nothing better is known; NULL when its
 * text says it all. */
const char *fault_remedy(int code);

/* What stopped a kernel, in words: "illegal address". NULL: nothing that its code does (hardware, a
 * limit of time). */
const char *fault_of_kernel(cu_result r);

#endif

/* CUDA driver, NVRTC, CUPTI, NVML and NCCL, each loaded by dlopen into one table of functions.
 *
 * A field of a table has the name of the exported symbol, version suffix included, so that one
 * macro can call it and say which call failed. The X-macros are the only list: tables, loader and
 * the tests' fake libraries are made from them.
 *
 * WARPDRILL_CUDA, WARPDRILL_NVRTC, WARPDRILL_CUPTI, WARPDRILL_NVML and WARPDRILL_NCCL each replace
 * the search by one path. */
#ifndef WD_RUNNER_API_H
#define WD_RUNNER_API_H

#include "kernels/runner/abi.h"
#include "kernels/wire/err.h"

/* X(name, result, parameters, needed) */
#define CUDA_CALLS(X) \
    X(cuInit, cu_result, (unsigned flags), 1) \
    X(cuDriverGetVersion, cu_result, (int *version), 1) \
    X(cuGetErrorName, cu_result, (cu_result e, const char **out), 1) \
    X(cuGetErrorString, cu_result, (cu_result e, const char **out), 1) \
    X(cuDeviceGetCount, cu_result, (int *n), 1) \
    X(cuDeviceGet, cu_result, (cu_device * out, int ordinal), 1) \
    X(cuDeviceGetName, cu_result, (char *name, int len, cu_device d), 1) \
    X(cuDeviceGetUuid_v2, cu_result, (struct cu_uuid * out, cu_device d), 1) \
    X(cuDeviceGetAttribute, cu_result, (int *out, int attribute, cu_device d), 1) \
    X(cuDeviceGetPCIBusId, cu_result, (char *id, int len, cu_device d), 1) \
    X(cuDeviceTotalMem_v2, cu_result, (size_t * bytes, cu_device d), 1) \
    X(cuDevicePrimaryCtxRetain, cu_result, (cu_context * out, cu_device d), 1) \
    X(cuCtxSetCurrent, cu_result, (cu_context ctx), 1) \
    X(cuCtxSynchronize, cu_result, (void), 1) \
    X(cuCtxSetLimit, cu_result, (int limit, size_t value), 1) \
    X(cuCtxResetPersistingL2Cache, cu_result, (void), 1) \
    X(cuMemGetInfo_v2, cu_result, (size_t * free_bytes, size_t * total), 1) \
    X(cuMemAlloc_v2, cu_result, (cu_ptr * out, size_t bytes), 1) \
    X(cuMemFree_v2, cu_result, (cu_ptr p), 1) \
    X(cuMemHostAlloc, cu_result, (void **out, size_t bytes, unsigned flags), 1) \
    X(cuMemFreeHost, cu_result, (void *p), 1) \
    X(cuMemHostGetDevicePointer_v2, cu_result, (cu_ptr * out, void *host, unsigned flags), 1) \
    X(cuMemcpyHtoD_v2, cu_result, (cu_ptr to, const void *from, size_t bytes), 1) \
    X(cuMemcpyDtoH_v2, cu_result, (void *to, cu_ptr from, size_t bytes), 1) \
    X(cuMemcpyHtoDAsync_v2, cu_result, \
      (cu_ptr to, const void *from, size_t bytes, cu_stream s), 1) \
    X(cuMemcpyDtoHAsync_v2, cu_result, (void *to, cu_ptr from, size_t bytes, cu_stream s), 1) \
    X(cuMemcpyDtoDAsync_v2, cu_result, (cu_ptr to, cu_ptr from, size_t bytes, cu_stream s), 1) \
    X(cuMemsetD8Async, cu_result, (cu_ptr p, unsigned char value, size_t n, cu_stream s), 1) \
    X(cuMemGetAllocationGranularity, cu_result, \
      (size_t * out, const struct cu_memory_kind *kind, int which), 0) \
    X(cuMemAddressReserve, cu_result, \
      (cu_ptr * out, size_t bytes, size_t align, cu_ptr wish, unsigned long long flags), 0) \
    X(cuMemAddressFree, cu_result, (cu_ptr p, size_t bytes), 0) \
    X(cuMemCreate, cu_result, \
      (cu_memory * out, size_t bytes, const struct cu_memory_kind *kind, \
       unsigned long long flags), \
      0) \
    X(cuMemRelease, cu_result, (cu_memory m), 0) \
    X(cuMemMap, cu_result, \
      (cu_ptr p, size_t bytes, size_t offset, cu_memory m, unsigned long long flags), 0) \
    X(cuMemUnmap, cu_result, (cu_ptr p, size_t bytes), 0) \
    X(cuMemSetAccess, cu_result, \
      (cu_ptr p, size_t bytes, const struct cu_memory_access *access, size_t n), 0) \
    X(cuStreamCreate, cu_result, (cu_stream * out, unsigned flags), 1) \
    X(cuStreamDestroy_v2, cu_result, (cu_stream s), 1) \
    X(cuStreamWaitEvent, cu_result, (cu_stream s, cu_event e, unsigned flags), 1) \
    X(cuStreamQuery, cu_result, (cu_stream s), 1) \
    X(cuStreamSynchronize, cu_result, (cu_stream s), 1) \
    X(cuStreamBeginCapture_v2, cu_result, (cu_stream s, int mode), 1) \
    X(cuStreamEndCapture, cu_result, (cu_stream s, cu_graph * out), 1) \
    X(cuGraphInstantiateWithFlags, cu_result, \
      (cu_graph_exec * out, cu_graph graph, unsigned long long flags), 1) \
    X(cuGraphLaunch, cu_result, (cu_graph_exec graph, cu_stream s), 1) \
    X(cuGraphDestroy, cu_result, (cu_graph graph), 1) \
    X(cuGraphExecDestroy, cu_result, (cu_graph_exec graph), 1) \
    X(cuEventCreate, cu_result, (cu_event * out, unsigned flags), 1) \
    X(cuEventRecord, cu_result, (cu_event e, cu_stream s), 1) \
    X(cuEventQuery, cu_result, (cu_event e), 1) \
    X(cuEventElapsedTime, cu_result, (float *ms, cu_event from, cu_event to), 1) \
    X(cuEventDestroy_v2, cu_result, (cu_event e), 1) \
    X(cuLinkCreate_v2, cu_result, \
      (unsigned n, int *options, void **values, cu_link *out), 0) \
    X(cuLinkAddData_v2, cu_result, \
      (cu_link link, int kind, void *data, size_t bytes, const char *name, unsigned n, \
       int *options, void **values), \
      0) \
    X(cuLinkComplete, cu_result, (cu_link link, void **cubin, size_t *bytes), 0) \
    X(cuLinkDestroy, cu_result, (cu_link link), 0) \
    X(cuModuleLoadDataEx, cu_result, \
      (cu_module * out, const void *image, unsigned n, int *options, void **values), 1) \
    X(cuModuleUnload, cu_result, (cu_module m), 1) \
    X(cuModuleGetFunction, cu_result, (cu_function * out, cu_module m, const char *name), 1) \
    X(cuFuncGetAttribute, cu_result, (int *out, int attribute, cu_function f), 1) \
    X(cuFuncSetAttribute, cu_result, (cu_function f, int attribute, int value), 1) \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, cu_result, \
      (int *out, cu_function f, int threads, size_t dynamic), 1) \
    X(cuLaunchKernel, cu_result, \
      (cu_function f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, \
       unsigned bz, unsigned shared, cu_stream s, void **args, void **extra), \
      1) \
    X(cuLaunchKernelEx, cu_result, \
      (const struct cu_launch_config *how, cu_function f, void **args, void **extra), \
      0) \
    X(cuDeviceCanAccessPeer, cu_result, (int *out, cu_device d, cu_device peer), 1) \
    X(cuCtxEnablePeerAccess, cu_result, (cu_context peer, unsigned flags), 1) \
    X(cuMemcpyPeerAsync, cu_result, \
      (cu_ptr to, cu_context there, cu_ptr from, cu_context here, size_t bytes, cu_stream s), 1) \
    X(cuTensorMapEncodeTiled, cu_result, \
      (struct cu_tensor_map * out, int type, unsigned rank, void *base, const uint64_t *size, \
       const uint64_t *pitch, const unsigned *box, const unsigned *stride, int interleave, \
       int swizzle, int promotion, int fill), \
      0)

#define NVRTC_CALLS(X) \
    X(nvrtcVersion, nvrtc_result, (int *major, int *minor), 1) \
    X(nvrtcGetNumSupportedArchs, nvrtc_result, (int *n), 1) \
    X(nvrtcGetSupportedArchs, nvrtc_result, (int *archs), 1) \
    X(nvrtcCreateProgram, nvrtc_result, \
      (nvrtc_program * out, const char *src, const char *name, int n, const char *const *headers, \
       const char *const *names), 1) \
    X(nvrtcCompileProgram, nvrtc_result, (nvrtc_program p, int n, const char *const *options), 1) \
    X(nvrtcDestroyProgram, nvrtc_result, (nvrtc_program * p), 1) \
    X(nvrtcGetPTXSize, nvrtc_result, (nvrtc_program p, size_t *bytes), 1) \
    X(nvrtcGetPTX, nvrtc_result, (nvrtc_program p, char *out), 1) \
    X(nvrtcGetCUBINSize, nvrtc_result, (nvrtc_program p, size_t *bytes), 1) \
    X(nvrtcGetCUBIN, nvrtc_result, (nvrtc_program p, char *out), 1) \
    X(nvrtcGetProgramLogSize, nvrtc_result, (nvrtc_program p, size_t *bytes), 1) \
    X(nvrtcGetProgramLog, nvrtc_result, (nvrtc_program p, char *out), 1) \
    X(nvrtcGetErrorString, const char *, (nvrtc_result e), 1)

#define CUPTI_CALLS(X) \
    X(cuptiGetVersion, cupti_result, (uint32_t * version), 1) \
    X(cuptiGetResultString, cupti_result, (cupti_result e, const char **out), 1) \
    X(cuptiProfilerInitialize, cupti_result, (struct cupti_init * p), 1) \
    X(cuptiProfilerDeInitialize, cupti_result, (struct cupti_init * p), 1) \
    X(cuptiProfilerDeviceSupported, cupti_result, (struct cupti_supported * p), 1) \
    X(cuptiDeviceGetChipName, cupti_result, (struct cupti_chip * p), 1) \
    X(cuptiProfilerGetCounterAvailability, cupti_result, (struct cupti_availability * p), 1) \
    X(cuptiProfilerHostInitialize, cupti_result, (struct cupti_host_init * p), 1) \
    X(cuptiProfilerHostDeinitialize, cupti_result, (struct cupti_host_deinit * p), 1) \
    X(cuptiProfilerHostGetSupportedChips, cupti_result, (struct cupti_host_chips * p), 1) \
    X(cuptiProfilerHostConfigAddMetrics, cupti_result, (struct cupti_host_add * p), 1) \
    X(cuptiProfilerHostGetConfigImageSize, cupti_result, (struct cupti_host_config_size * p), 1) \
    X(cuptiProfilerHostGetConfigImage, cupti_result, (struct cupti_host_config * p), 1) \
    X(cuptiProfilerHostGetNumOfPasses, cupti_result, (struct cupti_host_passes * p), 1) \
    X(cuptiProfilerHostEvaluateToGpuValues, cupti_result, (struct cupti_host_evaluate * p), 1) \
    X(cuptiRangeProfilerEnable, cupti_result, (struct cupti_range_enable * p), 1) \
    X(cuptiRangeProfilerDisable, cupti_result, (struct cupti_range_object * p), 1) \
    X(cuptiRangeProfilerGetCounterDataSize, cupti_result, (struct cupti_range_data_size * p), 1) \
    X(cuptiRangeProfilerCounterDataImageInitialize, cupti_result, \
      (struct cupti_range_data_init * p), 1) \
    X(cuptiRangeProfilerSetConfig, cupti_result, (struct cupti_range_set * p), 1) \
    X(cuptiRangeProfilerStart, cupti_result, (struct cupti_range_object * p), 1) \
    X(cuptiRangeProfilerStop, cupti_result, (struct cupti_range_stop * p), 1) \
    X(cuptiRangeProfilerDecodeData, cupti_result, (struct cupti_range_decode * p), 1) \
    X(cuptiRangeProfilerGetCounterDataInfo, cupti_result, (struct cupti_range_info * p), 1) \
    X(cuptiPCSamplingEnable, cupti_result, (struct cupti_pc_object * p), 0) \
    X(cuptiPCSamplingDisable, cupti_result, (struct cupti_pc_object * p), 0) \
    X(cuptiPCSamplingStart, cupti_result, (struct cupti_pc_object * p), 0) \
    X(cuptiPCSamplingStop, cupti_result, (struct cupti_pc_object * p), 0) \
    X(cuptiPCSamplingGetNumStallReasons, cupti_result, (struct cupti_pc_number * p), 0) \
    X(cuptiPCSamplingGetStallReasons, cupti_result, (struct cupti_pc_names * p), 0) \
    X(cuptiPCSamplingSetConfigurationAttribute, cupti_result, (struct cupti_pc_set * p), 0) \
    X(cuptiPCSamplingGetData, cupti_result, (struct cupti_pc_take * p), 0) \
    X(cuptiGetSassToSourceCorrelation, cupti_result, (struct cupti_place * p), 0) \
    X(cuptiGetCubinCrc, cupti_result, (struct cupti_crc * p), 0) \
    X(cuptiGetTimestamp, cupti_result, (uint64_t * ns), 1) \
    X(cuptiActivityRegisterCallbacks, cupti_result, \
      (cupti_buffer_wanted wanted, cupti_buffer_full full), 1) \
    X(cuptiActivityEnable, cupti_result, (int kind), 1) \
    X(cuptiActivityDisable, cupti_result, (int kind), 1) \
    X(cuptiActivityFlushAll, cupti_result, (uint32_t flag), 1) \
    X(cuptiActivityGetNextRecord, cupti_result, (uint8_t * buffer, size_t valid, void **record), 1)

/* Every part of NVML may be absent; what is missing is a NULL. */
#define NVML_CALLS(X) \
    X(nvmlInit_v2, nvml_result, (void), 1) \
    X(nvmlShutdown, nvml_result, (void), 1) \
    X(nvmlSystemGetDriverVersion, nvml_result, (char *out, unsigned len), 0) \
    X(nvmlDeviceGetHandleByPciBusId_v2, nvml_result, (const char *id, nvml_device *out), 1) \
    X(nvmlDeviceGetCurrentClocksEventReasons, nvml_result, \
      (nvml_device d, unsigned long long *bits), 0) \
    X(nvmlDeviceGetCurrentClocksThrottleReasons, nvml_result, \
      (nvml_device d, unsigned long long *bits), 0) \
    X(nvmlDeviceGetPowerUsage, nvml_result, (nvml_device d, unsigned *milliwatts), 0) \
    X(nvmlDeviceGetEnforcedPowerLimit, nvml_result, (nvml_device d, unsigned *milliwatts), 0) \
    X(nvmlDeviceGetTotalEccErrors, nvml_result, \
      (nvml_device d, int corrected, int lifetime, unsigned long long *n), 0) \
    X(nvmlDeviceGetUtilizationRates, nvml_result, (nvml_device d, struct nvml_utilization * out), 0)

#define NCCL_CALLS(X) \
    X(ncclGetVersion, nccl_result, (int *version), 1) \
    X(ncclGetErrorString, const char *, (nccl_result r), 1) \
    X(ncclCommInitAll, nccl_result, (nccl_comm * out, int n, const int *devices), 1) \
    X(ncclAllReduce, nccl_result, \
      (const void *from, void *to, size_t count, int type, int op, nccl_comm c, cu_stream s), 1) \
    X(ncclAllGather, nccl_result, \
      (const void *from, void *to, size_t count, int type, nccl_comm c, cu_stream s), 1) \
    X(ncclReduceScatter, nccl_result, \
      (const void *from, void *to, size_t count, int type, int op, nccl_comm c, cu_stream s), 1) \
    X(ncclSend, nccl_result, \
      (const void *from, size_t count, int type, int peer, nccl_comm c, cu_stream s), 1) \
    X(ncclRecv, nccl_result, \
      (void *to, size_t count, int type, int peer, nccl_comm c, cu_stream s), 1) \
    X(ncclGroupStart, nccl_result, (void), 1) \
    X(ncclGroupEnd, nccl_result, (void), 1)

#define API_FIELD(name, result, parameters, needed) result(*name) parameters;
struct cuda_api { void *lib; CUDA_CALLS(API_FIELD) };
struct nvrtc_api { void *lib; NVRTC_CALLS(API_FIELD) };
struct cupti_api { void *lib; CUPTI_CALLS(API_FIELD) };
struct nvml_api { void *lib; NVML_CALLS(API_FIELD) };
struct nccl_api { void *lib; NCCL_CALLS(API_FIELD) };
#undef API_FIELD

/* Fill the table, or say in err what was looked for and what would help. A table that failed to
 * load has lib NULL. Libraries stay loaded until the process ends: each process loads them once.
 * ERR_NO_GPU (cuda), ERR_UNSUPPORTED (the others). */
int api_load_cuda(struct cuda_api *out, struct err *err);
int api_load_nvrtc(struct nvrtc_api *out, struct err *err);
int api_load_cupti(struct cupti_api *out, struct err *err);
int api_load_nvml(struct nvml_api *out, struct err *err);
int api_load_nccl(struct nccl_api *out, struct err *err);

#endif

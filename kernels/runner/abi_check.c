/* Compares abi.h with NVIDIA's own headers, where they are installed. No code comes out of it.
 * cupti_profiler_host.h includes a C++ header, so its structs are checked by the same rule on the
 * figures that a C++ compiler gives for them (see HOST below). */
#include "kernels/runner/abi.h"

#if defined(__has_include)
#if __has_include(<cuda.h>)
#define HAVE_CUDA_H 1
#endif
#if __has_include(<cupti_range_profiler.h>)
#define HAVE_CUPTI_H 1
#endif
#if __has_include(<nccl.h>)
#define HAVE_NCCL_H 1
#endif
#if __has_include(<nvrtc.h>)
#define HAVE_NVRTC_H 1
#endif
#endif

#define SAME(a, b) _Static_assert((long long)(a) == (long long)(b), #a " is not " #b)

/* The numbers and names of the table of faults. */
#include "kernels/runner/fault_rows.h"
#define CUDA_ROW(number, name, code, sticky, text, remedy) SAME(number, CUDA_ERROR_##name);
#define CUPTI_ROW(number, name, code, sticky, text, remedy) SAME(number, CUPTI_ERROR_##name);
#define NCCL_ROW(number, name, code, sticky, text, remedy) SAME(number, name);
#define NVRTC_ROW(number, name, code, sticky, text, remedy) SAME(number, NVRTC_ERROR_##name);

#ifdef HAVE_CUDA_H
#include <cuda.h>
CUDA_FAULTS(CUDA_ROW)
CUDA_START_FAULTS(CUDA_ROW)
SAME(CU_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY);
SAME(CU_NO_DEVICE, CUDA_ERROR_NO_DEVICE);
SAME(CU_ECC, CUDA_ERROR_ECC_UNCORRECTABLE);
SAME(CU_PTX_TOO_NEW, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME(CU_CONTAINED, CUDA_ERROR_CONTAINED);
SAME(CU_NOT_FOUND, CUDA_ERROR_NOT_FOUND);
SAME(CU_NOT_READY, CUDA_ERROR_NOT_READY);
SAME(CU_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS);
SAME(CU_LAUNCH_RESOURCES, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
SAME(CU_LAUNCH_TIMEOUT, CUDA_ERROR_LAUNCH_TIMEOUT);
SAME(CU_MISALIGNED, CUDA_ERROR_MISALIGNED_ADDRESS);
SAME(CU_LAUNCH_FAILED, CUDA_ERROR_LAUNCH_FAILED);
SAME(CU_TENSOR_FAILED, CUDA_ERROR_TENSOR_MEMORY_LEAK);
SAME(CU_ATTR_THREADS_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(CU_ATTR_CLOCK_KHZ, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
SAME(CU_ATTR_SM_COUNT, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(CU_ATTR_EXEC_TIMEOUT, CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT);
SAME(CU_ATTR_MEM_CLOCK_KHZ, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
SAME(CU_ATTR_BUS_BITS, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
SAME(CU_ATTR_L2_BYTES, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
SAME(CU_ATTR_THREADS_SM, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
SAME(CU_ATTR_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(CU_ATTR_SMEM_SM, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
SAME(CU_ATTR_REGS_SM, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
SAME(CU_ATTR_FP64_RATIO, CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO);
SAME(CU_ATTR_SMEM_OPTIN, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME(CU_ATTR_BLOCKS_SM, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
SAME(CU_ATTR_SMEM_RESERVED, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
SAME(CU_FUNC_SHARED, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME(CU_FUNC_CONST, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
SAME(CU_FUNC_LOCAL, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME(CU_FUNC_REGS, CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME(CU_FUNC_DYNAMIC_SHARED, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME(CU_LIMIT_PERSISTING_L2, CU_LIMIT_PERSISTING_L2_CACHE_SIZE);
SAME(CU_STREAM_NONBLOCKING, CU_STREAM_NON_BLOCKING);
SAME(CU_CAPTURE_THREAD, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
SAME(CU_HOST_DEVICEMAP, CU_MEMHOSTALLOC_DEVICEMAP);
SAME(CU_JIT_LOG, CU_JIT_ERROR_LOG_BUFFER);
SAME(CU_JIT_LOG_BYTES, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME(CU_JIT_REGISTERS, CU_JIT_MAX_REGISTERS);
SAME(CU_JIT_LINES, CU_JIT_GENERATE_LINE_INFO);
SAME(CU_LINK_PTX, CU_JIT_INPUT_PTX);
#if CUDA_VERSION >= 11080
SAME(CU_LAUNCH_COOPERATIVE, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
SAME(CU_LAUNCH_CLUSTER, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
SAME(CU_LAUNCH_PROGRAMMATIC, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
SAME(sizeof(struct cu_launch_attribute), sizeof(CUlaunchAttribute));
SAME(offsetof(struct cu_launch_attribute, value), offsetof(CUlaunchAttribute, value));
SAME(sizeof(struct cu_launch_config), sizeof(CUlaunchConfig));
SAME(offsetof(struct cu_launch_config, shared), offsetof(CUlaunchConfig, sharedMemBytes));
SAME(offsetof(struct cu_launch_config, stream), offsetof(CUlaunchConfig, hStream));
SAME(offsetof(struct cu_launch_config, n_attributes), offsetof(CUlaunchConfig, numAttrs));
SAME(sizeof(struct cu_tensor_map), sizeof(CUtensorMap));
SAME(CU_MAP_ALIGN % _Alignof(CUtensorMap), 0);
SAME(CU_MAP_U8, CU_TENSOR_MAP_DATA_TYPE_UINT8);
SAME(CU_MAP_U32, CU_TENSOR_MAP_DATA_TYPE_UINT32);
SAME(CU_MAP_I32, CU_TENSOR_MAP_DATA_TYPE_INT32);
SAME(CU_MAP_I64, CU_TENSOR_MAP_DATA_TYPE_INT64);
SAME(CU_MAP_F16, CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
SAME(CU_MAP_F32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
SAME(CU_MAP_F64, CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
SAME(CU_MAP_BF16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
SAME(CU_MAP_PLAIN, CU_TENSOR_MAP_INTERLEAVE_NONE);
SAME(CU_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE);
SAME(CU_MAP_SWIZZLE_32, CU_TENSOR_MAP_SWIZZLE_32B);
SAME(CU_MAP_SWIZZLE_64, CU_TENSOR_MAP_SWIZZLE_64B);
SAME(CU_MAP_SWIZZLE_128, CU_TENSOR_MAP_SWIZZLE_128B);
SAME(CU_MAP_PROMOTE_256, CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
SAME(CU_MAP_ZEROS, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
#endif
SAME(sizeof(cu_ptr), sizeof(CUdeviceptr));
SAME(sizeof(cu_device), sizeof(CUdevice));
SAME(sizeof(struct cu_uuid), sizeof(CUuuid));
SAME(sizeof(cu_memory), sizeof(CUmemGenericAllocationHandle));
SAME(sizeof(struct cu_memory_kind), sizeof(CUmemAllocationProp));
SAME(offsetof(struct cu_memory_kind, device), offsetof(CUmemAllocationProp, location.id));
SAME(sizeof(struct cu_memory_access), sizeof(CUmemAccessDesc));
SAME(CU_MEMORY_PINNED, CU_MEM_ALLOCATION_TYPE_PINNED);
SAME(CU_LOCATION_DEVICE, CU_MEM_LOCATION_TYPE_DEVICE);
SAME(CU_ACCESS_READ_WRITE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
SAME(CU_GRANULARITY_LEAST, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
SAME(CU_FUNC_CARVEOUT, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
#endif

#if defined(HAVE_CUDA_H) && defined(HAVE_CUPTI_H)
#include <cupti_pcsampling.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
CUPTI_FAULTS(CUPTI_ROW)
SAME(CUPTI_PRIVILEGES, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
SAME(CUPTI_SECOND, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
SAME(CUPTI_WSL, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED);
SAME(CUPTI_AUTO_RANGE, CUPTI_AutoRange);
SAME(CUPTI_USER_REPLAY, CUPTI_UserReplay);
SAME(CUPTI_API_RANGE, CUPTI_PROFILER_RANGE_PROFILING);
SAME(CUPTI_SUPPORTED, CUPTI_PROFILER_CONFIGURATION_SUPPORTED);
#define FIELD(ours, our_field, theirs, their_field) \
    SAME(offsetof(struct ours, our_field), offsetof(theirs, their_field))
SAME(ABI_SIZE(cupti_init, priv), CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
SAME(ABI_SIZE(cupti_supported, api), CUpti_Profiler_DeviceSupported_Params_STRUCT_SIZE);
FIELD(cupti_supported, supported, CUpti_Profiler_DeviceSupported_Params, isSupported);
FIELD(cupti_supported, wsl, CUpti_Profiler_DeviceSupported_Params, wsl);
SAME(ABI_SIZE(cupti_chip, chip), CUpti_Device_GetChipName_Params_STRUCT_SIZE);
SAME(ABI_SIZE(cupti_availability, image), CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE);
FIELD(cupti_availability, image_size, CUpti_Profiler_GetCounterAvailability_Params,
      counterAvailabilityImageSize);
SAME(ABI_SIZE(cupti_range_enable, object), CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
SAME(ABI_SIZE(cupti_range_object, object), CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
SAME(ABI_SIZE(cupti_range_object, object), CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
SAME(ABI_SIZE(cupti_range_data_size, bytes),
     CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
FIELD(cupti_range_data_size, max_nodes, CUpti_RangeProfiler_GetCounterDataSize_Params,
      maxNumRangeTreeNodes);
SAME(ABI_SIZE(cupti_range_data_init, data),
     CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
SAME(ABI_SIZE(cupti_range_set, target_nesting), CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
FIELD(cupti_range_set, range, CUpti_RangeProfiler_SetConfig_Params, range);
FIELD(cupti_range_set, nesting, CUpti_RangeProfiler_SetConfig_Params, numNestingLevels);
FIELD(cupti_range_set, pass, CUpti_RangeProfiler_SetConfig_Params, passIndex);
SAME(ABI_SIZE(cupti_range_stop, all_submitted), CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
FIELD(cupti_range_stop, target_nesting, CUpti_RangeProfiler_Stop_Params, targetNestingLevel);
SAME(ABI_SIZE(cupti_range_decode, dropped), CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
SAME(ABI_SIZE(cupti_range_info, ranges), CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE);
SAME(CUPTI_OUT_OF_MEMORY, CUPTI_ERROR_OUT_OF_MEMORY);
SAME(CUPTI_PC_PERIOD, CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD);
SAME(CUPTI_PC_REASONS, CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON);
SAME(CUPTI_PC_HARDWARE_BYTES, CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE);
SAME(CUPTI_PC_MODE, CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE);
SAME(CUPTI_PC_START_STOP, CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL);
SAME(CUPTI_PC_BUFFER, CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER);
SAME(CUPTI_PC_SERIALIZED, CUPTI_PC_SAMPLING_COLLECTION_MODE_KERNEL_SERIALIZED);
SAME(CUPTI_PC_NAME, CUPTI_STALL_REASON_STRING_SIZE);
SAME(sizeof(struct cupti_pc_count), sizeof(CUpti_PCSamplingStallReason));
SAME(sizeof(struct cupti_pc_record), sizeof(CUpti_PCSamplingPCData));
FIELD(cupti_pc_record, function, CUpti_PCSamplingPCData, functionName);
FIELD(cupti_pc_record, counts, CUpti_PCSamplingPCData, stallReason);
FIELD(cupti_pc_record, correlation, CUpti_PCSamplingPCData, correlationId);
SAME(sizeof(struct cupti_pc_data), sizeof(CUpti_PCSamplingData));
FIELD(cupti_pc_data, remaining, CUpti_PCSamplingData, remainingNumPcs);
FIELD(cupti_pc_data, records, CUpti_PCSamplingData, pPcData);
FIELD(cupti_pc_data, full, CUpti_PCSamplingData, hardwareBufferFull);
SAME(sizeof(struct cupti_pc_setting), sizeof(CUpti_PCSamplingConfigurationInfo));
FIELD(cupti_pc_setting, to, CUpti_PCSamplingConfigurationInfo, attributeData);
FIELD(cupti_pc_setting, to.reasons.indices, CUpti_PCSamplingConfigurationInfo,
      attributeData.stallReasonData.pStallReasonIndex);
SAME(ABI_SIZE(cupti_pc_object, ctx), CUpti_PCSamplingEnableParamsSize);
SAME(ABI_SIZE(cupti_pc_object, ctx), CUpti_PCSamplingDisableParamsSize);
SAME(ABI_SIZE(cupti_pc_object, ctx), CUpti_PCSamplingStartParamsSize);
SAME(ABI_SIZE(cupti_pc_object, ctx), CUpti_PCSamplingStopParamsSize);
SAME(ABI_SIZE(cupti_pc_set, settings), CUpti_PCSamplingConfigurationInfoParamsSize);
SAME(ABI_SIZE(cupti_pc_take, data), CUpti_PCSamplingGetDataParamsSize);
SAME(ABI_SIZE(cupti_pc_number, n), CUpti_PCSamplingGetNumStallReasonsParamsSize);
SAME(ABI_SIZE(cupti_pc_names, names), CUpti_PCSamplingGetStallReasonsParamsSize);
SAME(ABI_SIZE(cupti_place, folder), CUpti_GetSassToSourceCorrelationParamsSize);
FIELD(cupti_place, line, CUpti_GetSassToSourceCorrelationParams, lineNumber);
FIELD(cupti_place, file, CUpti_GetSassToSourceCorrelationParams, fileName);
SAME(ABI_SIZE(cupti_crc, crc), CUpti_GetCubinCrcParamsSize);
#endif

#if defined(HAVE_CUDA_H) && defined(HAVE_CUPTI_H)
#include <cupti_activity.h>
#include <cupti_version.h>
SAME(CUPTI_NO_MORE, CUPTI_ERROR_MAX_LIMIT_REACHED);
SAME(CUPTI_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
SAME(CUPTI_FLUSH_FORCED, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
#define KERNEL_RECORD(theirs) \
    FIELD(cupti_kernel, kind, theirs, kind); \
    FIELD(cupti_kernel, start, theirs, start); \
    FIELD(cupti_kernel, end, theirs, end); \
    FIELD(cupti_kernel, device, theirs, deviceId); \
    FIELD(cupti_kernel, stream, theirs, streamId); \
    FIELD(cupti_kernel, correlation, theirs, correlationId); \
    FIELD(cupti_kernel, name, theirs, name)
#if __has_include(<cupti_activity_deprecated.h>) && CUPTI_API_VERSION >= 130000
#include <cupti_activity_deprecated.h>
KERNEL_RECORD(CUpti_ActivityKernel3);
KERNEL_RECORD(CUpti_ActivityKernel6);
KERNEL_RECORD(CUpti_ActivityKernel9);
KERNEL_RECORD(CUpti_ActivityKernel10);
#endif
SAME(CUPTI_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY);
SAME(CUPTI_KIND_MEMCPY_PEER, CUPTI_ACTIVITY_KIND_MEMCPY2);
#define COPY_RECORD(theirs, correlated) \
    FIELD(cupti_copy, kind, theirs, kind); \
    FIELD(cupti_copy, bytes, theirs, bytes); \
    FIELD(cupti_copy, start, theirs, start); \
    FIELD(cupti_copy, end, theirs, end); \
    FIELD(cupti_copy, device, theirs, deviceId); \
    FIELD(cupti_copy, stream, theirs, streamId); \
    FIELD(cupti_copy, correlated, theirs, correlationId)
#if CUPTI_API_VERSION >= 130000
COPY_RECORD(CUpti_ActivityMemcpy6, correlation);
COPY_RECORD(CUpti_ActivityMemcpyPtoP4, peer_correlation);
#endif
#endif

#ifdef HAVE_NCCL_H
#include <nccl.h>
NCCL_FAULTS(NCCL_ROW)
SAME(NCCL_OK, ncclSuccess);
SAME(NCCL_SUM, ncclSum);
SAME(NCCL_I8, ncclInt8);
SAME(NCCL_U8, ncclUint8);
SAME(NCCL_I32, ncclInt32);
SAME(NCCL_U32, ncclUint32);
SAME(NCCL_I64, ncclInt64);
SAME(NCCL_F16, ncclFloat16);
SAME(NCCL_F32, ncclFloat32);
SAME(NCCL_F64, ncclFloat64);
SAME(NCCL_BF16, ncclBfloat16);
#endif

#ifdef HAVE_NVRTC_H
#include <nvrtc.h>
NVRTC_FAULTS(NVRTC_ROW)
#endif

/* HOST: what g++ prints for the ..._STRUCT_SIZE macros of cupti_profiler_host.h, CUDA 13.0. */
SAME(ABI_SIZE(cupti_host_init, host), 48);
SAME(ABI_SIZE(cupti_host_deinit, host), 24);
SAME(ABI_SIZE(cupti_host_chips, chips), 32);
SAME(ABI_SIZE(cupti_host_add, n), 40);
SAME(ABI_SIZE(cupti_host_config_size, bytes), 32);
SAME(ABI_SIZE(cupti_host_config, image), 40);
SAME(ABI_SIZE(cupti_host_passes, passes), 40);
SAME(ABI_SIZE(cupti_host_evaluate, values), 72);

/* What we use of NVIDIA's binary interfaces, declared by us: the runner needs no toolkit to build.
 * abi_check.c compares sizes, offsets and values with NVIDIA's headers where a toolkit is present.
 *
 * A parameter struct's first field is the offset of the end of its *last field*, not sizeof: the
 * ABI_SIZE macro computes it, ABI_PARAMS declares a zeroed struct with it filled in. */
#ifndef WD_RUNNER_ABI_H
#define WD_RUNNER_ABI_H

#include <stddef.h>
#include <stdint.h>

/* ---- driver ---- */
typedef int cu_result;
typedef int cu_device;
typedef unsigned long long cu_ptr;
typedef struct CUctx_st *cu_context;
typedef struct CUmod_st *cu_module;
typedef struct CUlinkState_st *cu_link;
typedef struct CUfunc_st *cu_function;
typedef struct CUstream_st *cu_stream;
typedef struct CUevent_st *cu_event;
typedef struct CUgraph_st *cu_graph;
typedef struct CUgraphExec_st *cu_graph_exec;
struct cu_uuid { char bytes[16]; };

enum { /* results that we tell apart; the rest go by their name */
    CU_OK = 0, CU_INVALID_VALUE = 1, CU_OUT_OF_MEMORY = 2, CU_NO_DEVICE = 100, CU_NO_BINARY = 209,
    CU_ECC = 214, CU_INVALID_PTX = 218, CU_NVLINK = 220, CU_PTX_TOO_NEW = 222, CU_CONTAINED = 226,
    CU_NOT_FOUND = 500, CU_NOT_READY = 600, CU_ILLEGAL_ADDRESS = 700, CU_LAUNCH_RESOURCES = 701,
    CU_LAUNCH_TIMEOUT = 702, CU_ASSERT = 710, CU_STACK = 714, CU_ILLEGAL_INSTRUCTION = 715,
    CU_MISALIGNED = 716, CU_ADDRESS_SPACE = 717, CU_INVALID_PC = 718, CU_LAUNCH_FAILED = 719,
    CU_PEER_ALREADY = 704, CU_TENSOR_FAILED = 721, CU_UNKNOWN = 999,
};
enum cu_attribute {
    CU_ATTR_THREADS_BLOCK = 1,
    CU_ATTR_SMEM_BLOCK = 8,
    CU_ATTR_WARP_SIZE = 10,
    CU_ATTR_CLOCK_KHZ = 13,
    CU_ATTR_SM_COUNT = 16,
    CU_ATTR_EXEC_TIMEOUT = 17,
    CU_ATTR_MEM_CLOCK_KHZ = 36,
    CU_ATTR_BUS_BITS = 37,
    CU_ATTR_L2_BYTES = 38,
    CU_ATTR_THREADS_SM = 39,
    CU_ATTR_MAJOR = 75,
    CU_ATTR_MINOR = 76,
    CU_ATTR_SMEM_SM = 81,
    CU_ATTR_REGS_SM = 82,
    CU_ATTR_FP64_RATIO = 87,
    CU_ATTR_SMEM_OPTIN = 97,
    CU_ATTR_BLOCKS_SM = 106,
    CU_ATTR_SMEM_RESERVED = 111,
};
enum cu_func_attribute {
    CU_FUNC_THREADS_BLOCK = 0,
    CU_FUNC_SHARED = 1,
    CU_FUNC_CONST = 2,
    CU_FUNC_LOCAL = 3,
    CU_FUNC_REGS = 4,
    CU_FUNC_DYNAMIC_SHARED = 8,
    CU_FUNC_CARVEOUT = 9, /* per cent of the SM's memory for shared; -1: the driver's choice */
};
enum {
    CU_LIMIT_PERSISTING_L2 = 6,
    CU_STREAM_NONBLOCKING = 1,
    CU_CAPTURE_THREAD = 1, /* only this thread's calls are held to the rules of a capture */
    CU_EVENT_PLAIN = 0,
    CU_EVENT_NO_TIMING = 2,
    CU_HOST_PORTABLE = 1,
    CU_HOST_DEVICEMAP = 2
};
enum cu_jit {
    CU_JIT_REGISTERS = 0,
    CU_JIT_LOG = 5,
    CU_JIT_LOG_BYTES = 6,
    CU_JIT_LINES = 13,
};
enum { CU_LINK_PTX = 1 };

/* A launch with attributes. */
enum cu_launch_attribute_id {
    CU_LAUNCH_COOPERATIVE = 2,
    CU_LAUNCH_CLUSTER = 4,
    CU_LAUNCH_PROGRAMMATIC = 6,
};
struct cu_launch_attribute {
    int id;
    char pad[4];
    union { unsigned cluster[3]; int on; char bytes[64]; } value;
};
struct cu_launch_config {
    unsigned grid[3], block[3], shared;
    cu_stream stream;
    struct cu_launch_attribute *attributes;
    unsigned n_attributes;
};

/* Where TMA finds a tensor: opaque, made by the driver on a boundary of 64 bytes (of 128 from CUDA
 * 13 on). */
enum { CU_MAP_ALIGN = 128 };
struct cu_tensor_map { char opaque[128]; };
enum { /* kinds of elements, interleaving, swizzles, promotion in L2, what lies outside */
       CU_MAP_U8 = 0, CU_MAP_U32 = 2, CU_MAP_I32 = 3, CU_MAP_I64 = 5, CU_MAP_F16 = 6,
       CU_MAP_F32 = 7, CU_MAP_F64 = 8, CU_MAP_BF16 = 9,
       CU_MAP_PLAIN = 0,
       CU_MAP_SWIZZLE_NONE = 0, CU_MAP_SWIZZLE_32 = 1, CU_MAP_SWIZZLE_64 = 2,
       CU_MAP_SWIZZLE_128 = 3,
       CU_MAP_PROMOTE_256 = 3,
       CU_MAP_ZEROS = 0,
};

/* Virtual memory: a range of addresses, of which only a part is mapped. */
typedef unsigned long long cu_memory;
struct cu_memory_kind {
    int type, handle_types, location, device;
    void *win32;
    unsigned char compression, rdma;
    unsigned short usage;
    unsigned char reserved[4];
};
struct cu_memory_access { int location, device, flags; };
enum {
    CU_MEMORY_PINNED = 1,
    CU_LOCATION_DEVICE = 1,
    CU_ACCESS_READ_WRITE = 3,
    CU_GRANULARITY_LEAST = 0
};

/* ---- NCCL ---- */
typedef int nccl_result;
typedef struct ncclComm *nccl_comm;
enum {
    NCCL_OK = 0,
    NCCL_SUM = 0,
    NCCL_I8 = 0, NCCL_U8 = 1, NCCL_I32 = 2, NCCL_U32 = 3, NCCL_I64 = 4, NCCL_F16 = 6, NCCL_F32 = 7,
    NCCL_F64 = 8, NCCL_BF16 = 9,
};

/* ---- NVRTC ---- */
typedef int nvrtc_result;
typedef struct _nvrtcProgram *nvrtc_program;

/* ---- NVML ---- */
typedef int nvml_result;
typedef struct nvmlDevice_st *nvml_device;
struct nvml_utilization { unsigned gpu, memory; };
enum { NVML_OK = 0 };

/* ---- CUPTI: range profiler and profiler host ---- */
typedef int cupti_result;
enum {
    CUPTI_OK = 0,
    CUPTI_TOO_OLD = 15,
    CUPTI_BAD_METRIC = 17,
    CUPTI_BUSY = 26,
    CUPTI_UNSUPPORTED = 27,
    CUPTI_PRIVILEGES = 35,
    CUPTI_SECOND = 39,
    CUPTI_VGPU = 40,
    CUPTI_CONFIDENTIAL = 41,
    CUPTI_CMP = 42,
    CUPTI_MIG = 43,
    CUPTI_SLI = 44,
    CUPTI_WSL = 45,
};
enum {
    CUPTI_AUTO_RANGE = 1,
    CUPTI_USER_REPLAY = 3,
    CUPTI_TYPE_RANGE_PROFILER = 0,
    CUPTI_API_RANGE = 0,
    CUPTI_SUPPORTED = 3
};

struct cupti_init { size_t size; void *priv; }; /* Profiler Initialize and DeInitialize */
struct cupti_supported {
    size_t size; void *priv; cu_device device;
    int supported, architecture, sli, vgpu, confidential, cmp, wsl, api;
};
struct cupti_chip { size_t size; void *priv; size_t device_index; const char *chip; };
struct cupti_availability {
    size_t size;
    void *priv;
    cu_context ctx;
    size_t image_size;
    uint8_t *image;
};

struct cupti_host_init {
    size_t size;
    void *priv;
    int type;
    const char *chip;
    const uint8_t *availability;
    void *host;
};
struct cupti_host_deinit { size_t size; void *priv; void *host; };
struct cupti_host_chips { size_t size; void *priv; size_t n; const char *const *chips; };
struct cupti_host_add { size_t size; void *priv; void *host; const char **names; size_t n; };
struct cupti_host_config_size { size_t size; void *priv; void *host; size_t bytes; };
struct cupti_host_config { size_t size; void *priv; void *host; size_t bytes; uint8_t *image; };
struct cupti_host_passes { size_t size; void *priv; size_t bytes; uint8_t *image; size_t passes; };
struct cupti_host_evaluate {
    size_t size; void *priv; void *host; const uint8_t *data; size_t data_size, range;
    const char **names; size_t n; double *values;
};

struct cupti_range_object { size_t size; void *priv; void *object; }; /* Disable and Start */
struct cupti_range_enable { size_t size; void *priv; cu_context ctx; void *object; };
struct cupti_range_data_size {
    size_t size;
    void *priv;
    void *object;
    const char **names;
    size_t n, max_ranges;
    uint32_t max_nodes;
    size_t bytes;
};
struct cupti_range_data_init {
    size_t size;
    void *priv;
    void *object;
    size_t bytes;
    uint8_t *data;
};
struct cupti_range_set {
    size_t size;
    void *priv;
    void *object;
    size_t config_size;
    const uint8_t *config;
    size_t data_size;
    uint8_t *data;
    int range, replay;
    size_t max_ranges;
    uint16_t nesting, min_nesting;
    size_t pass;
    uint16_t target_nesting;
};
struct cupti_range_stop {
    size_t size;
    void *priv;
    void *object;
    size_t pass, target_nesting;
    uint8_t all_submitted;
};
struct cupti_range_decode { size_t size; void *priv; void *object; size_t dropped; };
struct cupti_range_info { size_t size; void *priv; const uint8_t *data; size_t data_size, ranges; };

/* ---- CUPTI: activity records ---- */
enum {
    CUPTI_NO_MORE = 12,
    CUPTI_KIND_MEMCPY = 1,
    CUPTI_KIND_CONCURRENT_KERNEL = 10,
    CUPTI_KIND_MEMCPY_PEER = 22,
    CUPTI_FLUSH_FORCED = 1
};

/* A record of a kernel as far as all versions of it since CUDA 7.0 agree (CUpti_ActivityKernel3 to
 * ...10 in CUDA 13.0): later ones only grew at the end, which nobody here looks at. */
struct cupti_kernel {
    uint32_t kind, unused0[3];
    uint64_t start, end;                          /* ns of the GPU's clock */
    uint64_t unused1;
    uint32_t device, context, stream, unused2[10],
        correlation; /* correlation: grows from launch to launch */
    uint32_t unused3[2];
    const char *name;
};
/* A record of a copy, likewise (CUpti_ActivityMemcpy ... and CUpti_ActivityMemcpyPtoP ...). */
struct cupti_copy {
    uint32_t kind, unused0;
    uint64_t bytes, start, end;
    uint32_t device, context, stream;
    uint32_t correlation;                         /* of a copy between GPUs: not this, but */
    uint32_t unused1[3], peer_correlation;        /* this */
};
typedef void (*cupti_buffer_wanted)(uint8_t **buffer, size_t *size, size_t *records);
typedef void (*cupti_buffer_full)(cu_context ctx, uint32_t stream, uint8_t *buffer, size_t size,
                                  size_t valid);

/* ---- CUPTI: samples of the program counter ---- */
enum cupti_pc_attribute {
    CUPTI_PC_PERIOD = 1,
    CUPTI_PC_REASONS = 2,
    CUPTI_PC_HARDWARE_BYTES = 4,
    CUPTI_PC_MODE = 5,
    CUPTI_PC_START_STOP = 6,
    CUPTI_PC_BUFFER = 8,
};
enum {
    CUPTI_OUT_OF_MEMORY = 8, CUPTI_PC_SERIALIZED = 2, CUPTI_PC_NAME = 128,
    CUPTI_PC_SINCE = 22, /* the first version (CUDA 12.4) whose records have a correlation id */
};
struct cupti_pc_count { uint32_t reason, samples; };
struct cupti_pc_record { /* size: all of it; counts is the caller's */
    size_t size; uint64_t crc, pc; uint32_t function_index, pad; char *function; size_t n_counts;
    struct cupti_pc_count *counts; uint32_t correlation;
};
struct cupti_pc_data {
    size_t size, room; uint64_t total, dropped; size_t n, remaining; uint64_t range;
    struct cupti_pc_record *records; uint64_t total_elsewhere; uint8_t full;
};
struct cupti_pc_setting {
    int attribute; cupti_result status;
    union {
        uint64_t all[3]; uint32_t number; size_t bytes; void *buffer; int mode;
        struct { size_t n; uint32_t *indices; } reasons;
    } to;
};
struct cupti_pc_object {
    size_t size;
    void *priv;
    cu_context ctx;
}; /* Enable, Disable, Start and Stop */
struct cupti_pc_set {
    size_t size;
    void *priv;
    cu_context ctx;
    size_t n;
    struct cupti_pc_setting *settings;
};
struct cupti_pc_take { size_t size; void *priv; cu_context ctx; struct cupti_pc_data *data; };
struct cupti_pc_number { size_t size; void *priv; cu_context ctx; size_t *n; };
struct cupti_pc_names {
    size_t size;
    void *priv;
    cu_context ctx;
    size_t n;
    uint32_t *indices;
    char **names;
};
struct cupti_place { /* file and folder are the caller's to free() */
    size_t size;
    const void *cubin;
    const char *function;
    size_t cubin_bytes;
    uint32_t line;
    uint64_t pc;
    char *file, *folder;
};
struct cupti_crc { size_t size, cubin_bytes; const void *cubin; uint64_t crc; };

#define ABI_SIZE(type, last) (offsetof(struct type, last) + sizeof(((struct type *)0)->last))
#define ABI_PARAMS(type, var, last) struct type var = {.size = ABI_SIZE(type, last)}

#endif

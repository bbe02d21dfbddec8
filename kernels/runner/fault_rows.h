/* Every failure that we have words for, in one table: number, NVIDIA's name without its prefix, our
 * code, whether it is sticky (the context is lost and the process must end), what happened in plain
 * words, and what the person can do about it. Nothing of that is ever run by us.
 *
 * Lists for faults.c, which searches them, and for abi_check.c, which compares numbers with names
 * where NVIDIA's headers are installed. cuda.h itself says of 226, 700, 702, 714 to 719 and 721
 * that the process must be ended; 214, 220, 710 and 999 lose the context's data the same way. */
#ifndef WD_RUNNER_FAULT_ROWS_H
#define WD_RUNNER_FAULT_ROWS_H

#define SAY_XID "sudo dmesg | grep -i xid shows the driver's own report"
#define SAY_SANITIZER "compute-sanitizer names the thread and, with -lineinfo, the source line"
#define SAY_RESTART "nvidia-smi shows its state; if this happens again, reboot the machine"
#define SAY_DRIVER \
    "install NVIDIA's current driver for this GPU, then reboot; nvidia-smi names the version"
#define SAY_VERSIONS \
    "reload the driver (sudo rmmod nvidia_uvm nvidia; sudo modprobe nvidia) or reboot, so that " \
    "module and " \
    "libcuda.so.1 are of one version; nvidia-smi names both"
#define SAY_REPORT "a mistake of warpdrill's own: please report it with the text above"

#define SAY_PEERS \
    "nvidia-smi topo -m shows how they are linked; IOMMU, ACS, a container or a virtual machine " \
    "may forbid peer access"

/* X(number, name, code, sticky, text, remedy) */
#define CUDA_FAULTS(X) \
    X(1, INVALID_VALUE, ERR_LAUNCH, 0, \
      "the driver refused an argument, such as a grid or block beyond the GPU's limits", \
      "compare grid, block and shared memory with the GPU's limits") \
    X(2, OUT_OF_MEMORY, ERR_MEMORY, 0, "the GPU has no memory left", \
      "end what else holds GPU memory (nvidia-smi lists it), or choose a smaller size") \
    X(3, NOT_INITIALIZED, ERR_INTERNAL, 0, "the driver was not initialised", SAY_REPORT) \
    X(4, DEINITIALIZED, ERR_LOST, 1, "the driver is shutting down", "try again") \
    X(34, STUB_LIBRARY, ERR_NO_GPU, 0, \
      "libcuda.so.1 is the toolkit's stub, not the driver's library", \
      "take the toolkit's stubs folder out of LD_LIBRARY_PATH; " SAY_DRIVER) \
    X(36, CALL_REQUIRES_NEWER_DRIVER, ERR_UNSUPPORTED, 0, "the driver is too old for this call", \
      SAY_DRIVER) \
    X(46, DEVICE_UNAVAILABLE, ERR_BUSY, 0, \
      "another process holds the GPU for itself (exclusive compute mode)", \
      "end that process (nvidia-smi lists it), or as root: nvidia-smi -c DEFAULT") \
    X(100, NO_DEVICE, ERR_NO_GPU, 0, "the driver is there, but it shows no GPU", \
      "nvidia-smi lists the GPUs; unset CUDA_VISIBLE_DEVICES, or start the container with --gpus " \
      "all") \
    X(101, INVALID_DEVICE, ERR_NO_GPU, 0, "there is no GPU of that number", \
      "check CUDA_VISIBLE_DEVICES") \
    X(102, DEVICE_NOT_LICENSED, ERR_PERMISSION, 0, "this virtual GPU has no licence", \
      "set up the vGPU licence in /etc/nvidia/gridd.conf, then: sudo systemctl restart " \
      "nvidia-gridd") \
    X(200, INVALID_IMAGE, ERR_UNSUPPORTED, 0, "the driver does not accept the compiled kernel", \
      "empty the compile cache (~/.cache/warpdrill/kernels) and try again") \
    X(201, INVALID_CONTEXT, ERR_INTERNAL, 0, "the CUDA context is not valid", SAY_REPORT) \
    X(209, NO_BINARY_FOR_GPU, ERR_UNSUPPORTED, 0, "the kernel was not compiled for this GPU", \
      "install a CUDA toolkit whose NVRTC knows this GPU") \
    X(214, ECC_UNCORRECTABLE, ERR_FAULT, 1, \
      "the GPU found a memory error that it cannot correct: figures cannot be trusted", \
      "nvidia-smi -q -d ECC counts them; drain the GPU and reboot; replace it if they return") \
    X(218, INVALID_PTX, ERR_UNSUPPORTED, 0, "the driver's compiler does not accept the PTX", \
      "the log names the instruction; it may need another architecture") \
    X(220, NVLINK_UNCORRECTABLE, ERR_FAULT, 1, "NVLink failed beyond repair", \
      "nvidia-smi nvlink -e shows the link; " SAY_RESTART) \
    X(221, JIT_COMPILER_NOT_FOUND, ERR_UNSUPPORTED, 0, "the driver's PTX compiler is missing", \
      "install libnvidia-ptxjitcompiler.so.1 of the driver's version; in a container: " \
      "NVIDIA_DRIVER_CAPABILITIES=compute,utility") \
    X(222, UNSUPPORTED_PTX_VERSION, ERR_UNSUPPORTED, 0, \
      "the driver is older than the toolkit that made the PTX", \
      "update the driver, or set CUDA_HOME to a toolkit no newer than the driver (nvidia-smi " \
      "names its CUDA version)") \
    X(217, PEER_ACCESS_UNSUPPORTED, ERR_UNSUPPORTED, 0, \
      "the two GPUs cannot reach into each other's memory", SAY_PEERS) \
    X(223, JIT_COMPILATION_DISABLED, ERR_UNSUPPORTED, 0, "compiling PTX is switched off", \
      "unset CUDA_DISABLE_PTX_JIT") \
    X(226, CONTAINED, ERR_FAULT, 1, \
      "the GPU contained a memory error by ending this program's work", "try again; " SAY_XID) \
    X(303, SHARED_OBJECT_INIT_FAILED, ERR_UNSUPPORTED, 0, \
      "a library of the driver cannot be loaded", SAY_DRIVER) \
    X(304, OPERATING_SYSTEM, ERR_INTERNAL, 0, "the operating system refused the driver something", \
      "check the limits (ulimit -l, ulimit -v) and that /dev/nvidia* may be read and written") \
    X(400, INVALID_HANDLE, ERR_INTERNAL, 0, "a handle is not valid", SAY_REPORT) \
    X(500, NOT_FOUND, ERR_BAD_REQUEST, 0, "the compiled source has no such kernel", \
      "declare the kernel extern \"C\"") \
    X(700, ILLEGAL_ADDRESS, ERR_FAULT, 1, "the kernel touched an address outside its buffers", \
      SAY_SANITIZER) \
    X(701, LAUNCH_OUT_OF_RESOURCES, ERR_LAUNCH, 0, \
      "one block needs more registers or shared memory than an SM has", \
      "smaller blocks, less shared memory, or __launch_bounds__") \
    X(702, LAUNCH_TIMEOUT, ERR_FAULT, 1, \
      "the kernel ran too long for a GPU that also drives a display", \
      "keep launches below half a second, or use a GPU without a display (nvidia-smi shows " \
      "Disp.A)") \
    X(704, PEER_ACCESS_ALREADY_ENABLED, ERR_INTERNAL, 0, "peer access is on already", SAY_REPORT) \
    X(709, CONTEXT_IS_DESTROYED, ERR_FAULT, 1, "the CUDA context is gone", "try again; " SAY_XID) \
    X(710, ASSERT, ERR_FAULT, 1, "an assert in the kernel failed", \
      "the log holds the assert's line") \
    X(714, HARDWARE_STACK_ERROR, ERR_FAULT, 1, \
      "the kernel's call stack was corrupted or overflowed", \
      "look for deep recursion or a write past a local array; " SAY_SANITIZER) \
    X(715, ILLEGAL_INSTRUCTION, ERR_FAULT, 1, \
      "the kernel executed an illegal instruction, or a trap of its own", \
      "look for __trap() and for inline PTX; " SAY_SANITIZER) \
    X(716, MISALIGNED_ADDRESS, ERR_FAULT, 1, \
      "the kernel read or wrote at an address that is not a multiple of the access's size", \
      "a float4 needs 16-byte alignment: check offsets and pitches; " SAY_SANITIZER) \
    X(717, INVALID_ADDRESS_SPACE, ERR_FAULT, 1, \
      "an instruction met an address of the wrong space (shared, local or global)", \
      "check casts between shared and generic pointers; " SAY_SANITIZER) \
    X(718, INVALID_PC, ERR_FAULT, 1, "the kernel jumped to an address that holds no code", \
      "look for a write past a local array or a wild function pointer") \
    X(719, LAUNCH_FAILED, ERR_FAULT, 1, \
      "the kernel failed on the GPU (a trap, or a shared-memory access out of bounds)", \
      SAY_SANITIZER "; " SAY_XID) \
    X(720, COOPERATIVE_LAUNCH_TOO_LARGE, ERR_LAUNCH, 0, \
      "a cooperative launch has more blocks than fit on the GPU at once", \
      "at most blocks_per_sm x SMs blocks; the resources probe shows both") \
    X(721, TENSOR_MEMORY_LEAK, ERR_FAULT, 1, "the kernel ended without freeing its tensor memory", \
      "pair every tcgen05.alloc with tcgen05.dealloc") \
    X(800, NOT_PERMITTED, ERR_PERMISSION, 0, "the driver does not permit this here", \
      "MIG, MPS or the container may forbid it: nvidia-smi -q, and the container's capabilities") \
    X(801, NOT_SUPPORTED, ERR_UNSUPPORTED, 0, "this GPU or driver cannot do that", SAY_DRIVER) \
    X(802, SYSTEM_NOT_READY, ERR_NO_GPU, 0, \
      "the GPUs are not ready: the fabric manager has not set up NVSwitch", \
      "sudo systemctl start nvidia-fabricmanager (its version must be the driver's)") \
    X(803, SYSTEM_DRIVER_MISMATCH, ERR_NO_GPU, 0, \
      "libcuda.so.1 and the loaded kernel module are of different versions", SAY_VERSIONS) \
    X(804, COMPAT_NOT_SUPPORTED_ON_DEVICE, ERR_NO_GPU, 0, \
      "the cuda-compat libraries do not work on this GPU", \
      "take cuda-compat out of LD_LIBRARY_PATH, or update the driver") \
    X(805, MPS_CONNECTION_FAILED, ERR_NO_GPU, 0, "the MPS daemon does not answer", \
      "unset CUDA_MPS_PIPE_DIRECTORY, or start it: nvidia-cuda-mps-control -d") \
    X(807, MPS_SERVER_NOT_READY, ERR_BUSY, 0, "the MPS server is not ready", \
      "try again in some seconds") \
    X(808, MPS_MAX_CLIENTS_REACHED, ERR_BUSY, 0, "the MPS server takes no more clients", \
      "end another client") \
    X(810, MPS_CLIENT_TERMINATED, ERR_FAULT, 1, "the MPS server ended this client", \
      "a fault of another MPS client may be the reason: try again") \
    X(909, TIMEOUT, ERR_TIMEOUT, 0, "an operation of the driver took too long", SAY_RESTART) \
    X(999, UNKNOWN, ERR_FAULT, 1, "the driver failed without saying why", SAY_XID "; " SAY_RESTART)

/* Asked of cuInit and cuDeviceGetCount, a result means that there is no GPU to be had. */
#define CUDA_START_FAULTS(X) \
    X(999, UNKNOWN, ERR_NO_GPU, 0, \
      "the driver cannot start; the nvidia_uvm module is often the missing part", \
      "sudo modprobe nvidia_uvm (in a container: pass /dev/nvidia-uvm through); " SAY_XID)

#define SAY_CUPTI \
    "install the CUDA toolkit's cuda-cupti package (libcupti and libnvperf_host.so beside it), " \
    "or set CUDA_HOME"
#define SAY_COUNTERS \
    "as root: echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' > " \
    "/etc/modprobe.d/nvidia-profiling.conf, " \
    "then reload the driver or reboot; in a container: --cap-add=SYS_ADMIN"

#define CUPTI_FAULTS(X) \
    X(2, INVALID_DEVICE, ERR_UNSUPPORTED, 0, "the profiler does not know this GPU", SAY_CUPTI) \
    X(8, OUT_OF_MEMORY, ERR_MEMORY, 0, "the profiler found no memory", \
      "end what else holds GPU memory (nvidia-smi lists it), or choose a smaller size") \
    X(9, HARDWARE, ERR_FAULT, 0, "the counters failed in hardware", SAY_XID) \
    X(14, NOT_COMPATIBLE, ERR_UNSUPPORTED, 0, "driver and CUPTI do not go together", \
      "install the cuda-cupti package of the driver's CUDA version (nvidia-smi names it)") \
    X(15, NOT_INITIALIZED, ERR_UNSUPPORTED, 0, \
      "the driver is too old for this CUPTI, or libnvperf_host.so is not beside it", \
      "update the driver, or install the whole cuda-cupti package") \
    X(17, INVALID_METRIC_NAME, ERR_UNSUPPORTED, 0, "this chip has no counter of that name", \
      SAY_CUPTI) \
    X(26, HARDWARE_BUSY, ERR_BUSY, 0, "another profiler (DCGM, perhaps) holds the counters", \
      "dcgmi profile --pause (and --resume afterwards), or end the other profiler") \
    X(27, NOT_SUPPORTED, ERR_UNSUPPORTED, 0, "this GPU or driver has no range profiler", \
      SAY_DRIVER) \
    X(33, VIRTUALIZED_DEVICE_NOT_SUPPORTED, ERR_UNSUPPORTED, 0, \
      "this virtual GPU has no counters", \
      "ask the host's administrator for a vGPU type with profiling, or use a whole GPU") \
    X(35, INSUFFICIENT_PRIVILEGES, ERR_PERMISSION, 0, \
      "profiling is reserved for administrators on this machine", SAY_COUNTERS) \
    X(36, OLD_PROFILER_API_INITIALIZED, ERR_BUSY, 0, \
      "an older profiler is at work in this process", "run without CUDA_INJECTION64_PATH") \
    X(39, MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, ERR_BUSY, 0, \
      "another profiler is attached to this process", "run without ncu, nsys or a debugger") \
    X(40, VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, ERR_PERMISSION, 0, \
      "profiling is switched off for this virtual GPU", \
      "ask the host's administrator to enable profiling for the vGPU " \
      "(pciPassthruN.cfg.enable_profiling)") \
    X(41, CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, ERR_UNSUPPORTED, 0, \
      "confidential computing forbids profiling", \
      "only a machine with confidential computing off, or in its devtools mode, gives counters") \
    X(42, CMP_DEVICE_NOT_SUPPORTED, ERR_UNSUPPORTED, 0, "mining processors have no profiling", \
      "use another GPU") \
    X(43, MIG_DEVICE_NOT_SUPPORTED, ERR_UNSUPPORTED, 0, "this MIG slice cannot be profiled", \
      "use the whole GPU (as root: nvidia-smi -mig 0), or a slice that holds the full GPU " \
      "instance") \
    X(44, SLI_DEVICE_NOT_SUPPORTED, ERR_UNSUPPORTED, 0, "GPUs in SLI cannot be profiled", \
      "switch SLI off") \
    X(45, WSL_DEVICE_NOT_SUPPORTED, ERR_UNSUPPORTED, 0, \
      "profiling is not available under this version of WSL", \
      "update the Windows driver and allow access to the GPU performance counters in its control " \
      "panel") \
    X(46, INVALID_CHIP_NAME, ERR_UNSUPPORTED, 0, "this CUPTI does not know this GPU's chip", \
      SAY_CUPTI)

#define SAY_NCCL \
    "install NCCL (the package libnccl2), or name its file in WARPDRILL_NCCL: Python packages " \
    "keep it as nvidia/nccl/lib/libnccl.so.2 in their folder"

/* NCCL's own names end otherwise, so that they stand in full. */
#define NCCL_FAULTS(X) \
    X(1, ncclUnhandledCudaError, ERR_FAULT, 0, "NCCL met a failure of the driver", SAY_XID) \
    X(2, ncclSystemError, ERR_UNSUPPORTED, 0, \
      "NCCL met a failure of the operating system, such as too little shared memory in /dev/shm", \
      "NCCL_DEBUG=WARN in the runner's environment has NCCL say which") \
    X(3, ncclInternalError, ERR_INTERNAL, 0, "NCCL failed", \
      "NCCL_DEBUG=WARN in the runner's environment has NCCL say more") \
    X(4, ncclInvalidArgument, ERR_INTERNAL, 0, "NCCL refused an argument", SAY_REPORT) \
    X(5, ncclInvalidUsage, ERR_UNSUPPORTED, 0, \
      "NCCL refused how it was asked: libraries of different versions, or one GPU twice", \
      "NCCL_DEBUG=WARN in the runner's environment has NCCL say why") \
    X(6, ncclRemoteError, ERR_LOST, 0, "NCCL lost another rank", SAY_XID)

#define SAY_NVRTC "install the CUDA toolkit's cuda-nvrtc package, or set CUDA_HOME"

#define NVRTC_FAULTS(X) \
    X(1, OUT_OF_MEMORY, ERR_MEMORY, 0, "the compiler found no memory", \
      "free host memory, or raise ulimit -v") \
    X(2, PROGRAM_CREATION_FAILURE, ERR_INTERNAL, 0, "the compiler cannot begin", SAY_REPORT) \
    X(3, INVALID_INPUT, ERR_INTERNAL, 0, "the compiler refused an argument", SAY_REPORT) \
    X(4, INVALID_PROGRAM, ERR_INTERNAL, 0, "the compiler refused its own handle", SAY_REPORT) \
    X(5, INVALID_OPTION, ERR_UNSUPPORTED, 0, "this NVRTC does not know an option", \
      "install CUDA 12 or 13's cuda-nvrtc package") \
    X(6, COMPILATION, ERR_COMPILE, 0, "the source does not compile", "the log names the line") \
    X(7, BUILTIN_OPERATION_FAILURE, ERR_UNSUPPORTED, 0, \
      "NVRTC does not find its built-in functions", \
      "libnvrtc-builtins.so of the same version must lie beside libnvrtc.so: " SAY_NVRTC) \
    X(11, INTERNAL_ERROR, ERR_INTERNAL, 0, "the compiler failed in itself", \
      "try another version of the cuda-nvrtc package") \
    X(16, CANCELLED, ERR_CANCELLED, 0, "the compilation was cancelled", "try again")

#endif

#include "kernels/wire/metric.h"

#include <string.h>

static const char *const probe_names[PROBE_COUNT] = {
    "timing", "resources", "build",  "dram",   "occupancy", "memory", "shared",   "stalls",
    "pipes",  "check",     "poison", "repeat", "sanitize",  "lines",  "sass",     "timeline",
    "benchmark", "outcome",
};

const char *wire_probe_name(enum wire_probe p)
{
    return probe_names[p];
}

int wire_probe_find(const char *name)
{
    for (int i = 0; i < PROBE_COUNT; i++)
        if (!strcmp(probe_names[i], name))
            return i;
    return -1;
}

/* A counter expression is a sum of counters, "A + B". Shorthands for the long common parts: */
#define L1_SECTORS(op) "l1tex__t_sectors_pipe_lsu_mem_global_op_" op ".sum"
#define L1_REQUESTS(op) "l1tex__t_requests_pipe_lsu_mem_global_op_" op ".sum"
#define TMA_READ_PART(to) "l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld" to ".sum"
#define TMA_READ TMA_READ_PART("")
#define TMA_WRITTEN "l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_st.sum"
#define TENSOR_OPS(types) "sm__ops_path_tensor_src_" types ".sum"
#define SHARED_WAVES(op) "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" op ".sum"
#define EXECUTED(op) "smsp__inst_executed_op_" op ".sum"
#define SHARED_LOADS \
    EXECUTED("shared_ld") \
    " + " EXECUTED("ldsm") /* ldmatrix: its wavefronts count among those of loads */
#define ARITH(op) "smsp__sass_thread_inst_executed_op_" op "_pred_on.sum"
#define STALL_UNIT " In cycles of a warp for each instruction that it issues."
#define STALL(reason, label, everywhere, explain) \
    { \
        "stall_" reason, PROBE_STALLS, "cycle", label, explain STALL_UNIT, \
            "smsp__average_warps_issue_stalled_" reason "_per_issue_active.ratio", NULL, NULL, \
            NULL, 1, GOOD_NONE, false, everywhere \
    }
#define PLAIN(name, probe, unit, label, good, explain) \
    {name, probe, unit, label, explain, NULL, NULL, NULL, NULL, 1, good, false, true}
#define SHARE(name, probe, label, good, explain) \
    {name, probe, "1", label, explain, NULL, NULL, NULL, NULL, 1, good, true, true}
#define COUNT(name, probe, unit, label, scale, num, good, explain) \
    {name, probe, unit, label, explain, num, NULL, NULL, NULL, scale, good, false, true}
#define COUNT_OF_SOME(name, probe, unit, label, num, chips, num_there, explain) \
    {name, probe, unit, label, explain, num, NULL, chips, num_there, 1, GOOD_NONE, false, false}
#define COUNT_OF_HOPPER(name, probe, unit, label, num, explain) \
    COUNT_OF_SOME(name, probe, unit, label, num, NULL, NULL, explain)
#define RATIO(name, probe, unit, label, num, den, good, explain) \
    {name, probe, unit, label, explain, num, den, NULL, NULL, 1, good, false, true}
#define PERCENT(name, probe, label, num, good, explain) \
    {name, probe, "1", label, explain, num, NULL, NULL, NULL, 0.01, good, true, true}

static const struct metric table[] = {
    PLAIN("time", PROBE_TIMING, "s", "time", GOOD_LOW,
          "Median time of one call between two GPU events, launch overhead outside, with L2 "
          "flushed before each call unless the note says warm. Compare it with the bytes that must "
          "move divided by the copy rate of this GPU."),
    PLAIN("sm_clock", PROBE_TIMING, "Hz", "SM clock", GOOD_NONE,
          "The clock that the SMs really ran at during the timed calls. Well below the rated clock "
          "means power or heat: then times of two runs compare only if they were interleaved."),
    PLAIN("ratio", PROBE_TIMING, "1", "time ratio", GOOD_NONE,
          "Median of time a over time b, each pair measured back to back in alternating order, so "
          "that drift cancels. An interval that contains 1 is no evidence of a difference."),
    PLAIN("bandwidth", PROBE_TIMING, "B/s", "effective bandwidth", GOOD_HIGH,
          "The bytes that the algorithm must move, divided by the time. It says nothing about "
          "bytes that were moved needlessly: DRAM traffic does."),
    SHARE("copy_fraction", PROBE_TIMING, "share of copy rate", GOOD_HIGH,
          "Effective bandwidth over what a plain copy reaches on this GPU. Above 0.9 a "
          "memory-bound kernel is at the limit of the machine; well below, something is in the "
          "way. Both rates count the bytes asked for: part of what a copy writes may stay in L2, "
          "so DRAM itself moves a little less."),

    PLAIN("registers", PROBE_RESOURCES, "1", "registers per thread", GOOD_NONE,
          "Registers that the compiler gave to each thread. Up to 32 allow full occupancy on most "
          "chips; 255 is the most there can be. Many are fine when they hold useful work; beyond "
          "the limit values spill to local memory."),
    PLAIN("shared_bytes", PROBE_RESOURCES, "B", "shared memory per block", GOOD_NONE,
          "Static and dynamic shared memory of one block. Zero rules bank conflicts out. Much of "
          "it limits how many blocks share an SM."),
    PLAIN("local_bytes", PROBE_RESOURCES, "B", "local memory per thread", GOOD_LOW,
          "Stack of each thread, which lives in device memory behind L1: spilled registers, and "
          "arrays indexed by a value that the compiler does not know. Healthy is 0."),
    PLAIN("const_bytes", PROBE_RESOURCES, "B", "constant memory", GOOD_NONE,
          "Constants that the kernel's module declares, arguments not counted. Lanes of a warp "
          "that read different constants take turns."),
    PLAIN("threads_per_block", PROBE_RESOURCES, "1", "threads per block", GOOD_NONE,
          "Block size of the launch. Multiples of 32 waste no lanes; very small blocks meet the "
          "limit of blocks per SM, very large ones fit an SM badly."),
    PLAIN("blocks", PROBE_RESOURCES, "1", "blocks", GOOD_NONE,
          "Blocks in the grid. Fewer than the SMs leave part of the GPU idle for the whole run."),
    PLAIN("blocks_per_sm", PROBE_RESOURCES, "1", "resident blocks per SM", GOOD_HIGH,
          "How many blocks fit one SM at once; the note names what is full first: registers, "
          "shared memory, warps, or the limit of blocks itself. That keeps nobody away where the "
          "grid has no more blocks: waves below 1."),
    SHARE("occupancy_limit", PROBE_RESOURCES, "theoretical occupancy", GOOD_HIGH,
          "Resident warps over what an SM can hold, if there are blocks enough. Low is harmful "
          "only where the resident warps cannot hide latency: kernels with much work in flight per "
          "thread do well at a quarter."),
    PLAIN("waves", PROBE_RESOURCES, "1", "waves", GOOD_NONE,
          "Blocks over what the whole GPU holds at once. Just above a small whole number means "
          "that the last wave leaves most SMs idle (1.05 waves can cost nearly two); above ten the "
          "tail hardly matters."),
    PLAIN("code_bytes", PROBE_RESOURCES, "B", "machine code", GOOD_NONE,
          "Size of the kernel's machine code, 16 bytes an instruction on every chip from Volta on. "
          "Loops beyond the instruction caches stall for instructions."),

    COUNT("dram_bytes", PROBE_DRAM, "B", "DRAM bytes", 1, "dram__bytes.sum", GOOD_LOW,
          "Bytes that crossed between L2 and device memory. Healthy is about what the algorithm "
          "must read and write once. More means traffic that caches did not merge; less means that "
          "L2 kept some of it."),
    {"dram_read_bytes", PROBE_DRAM, "B", "DRAM bytes read",
     "Bytes read from device memory. Above the size of the inputs: read several times, or whole "
     "sectors fetched for a few useful bytes.",
     "dram__bytes_read.sum", NULL, "GB20", "dram__bytes_op_read.sum", 1, GOOD_LOW, false, true},
    {"dram_write_bytes", PROBE_DRAM, "B", "DRAM bytes written",
     "Bytes written to device memory. Data still in L2 when the kernel ends is not counted yet, so "
     "a small output may show less than its size; far more means partly filled sectors or repeated "
     "stores.",
     "dram__bytes_write.sum", NULL, "GB20", "dram__bytes_op_write.sum", 1, GOOD_LOW, false, true},
    PERCENT("dram_fraction", PROBE_DRAM, "DRAM busy",
            "dram__throughput.avg.pct_of_peak_sustained_elapsed", GOOD_NONE,
            "Device memory's throughput as a share of its peak. Above about 0.8 the kernel is at "
            "the limit of DRAM and only fewer bytes help. Low means that something else is in the "
            "way: latency, another pipe, or bad access."),
    PERCENT("l2_hit", PROBE_DRAM, "L2 hit rate", "lts__t_sector_hit_rate.pct", GOOD_NONE,
            "Share of sectors asked of L2 that were there; stores count as hits. Streaming reads "
            "of fresh data miss by nature, so low is bad only where data should be reused."),
    COUNT("l2_traffic", PROBE_DRAM, "B", "L2 bytes", 32, "lts__t_sectors.sum", GOOD_LOW,
          "Bytes that L2 handled, in sectors of 32. A plain copy shows 1.5 times its bytes on an "
          "H200 (what crosses between the halves of L2 counts twice, as we read it). Far above "
          "that: reuse in L2, or sectors of which only a part was wanted."),

    PERCENT("occupancy", PROBE_OCCUPANCY, "achieved occupancy",
            "sm__warps_active.avg.pct_of_peak_sustained_active", GOOD_HIGH,
            "Warps that were resident on average over what an SM can hold, while it had any: SMs "
            "without work do not lower it. Clearly below the theoretical figure means tails, short "
            "blocks or uneven work. There is no target: it matters only if latency is exposed."),
    COUNT("warps_eligible", PROBE_OCCUPANCY, "1", "eligible warps", 1,
          "smsp__warps_eligible.avg.per_cycle_active", GOOD_HIGH,
          "Warps per scheduler and cycle that could have issued, while it had any. Above 1 there "
          "is always something to issue; far below 1 the scheduler idles, and the stall reasons "
          "say what the warps wait for."),
    COUNT("sm_active_min", PROBE_OCCUPANCY, "cycle", "active cycles, idlest SM", 1,
          "sm__cycles_active.min", GOOD_NONE,
          "Cycles with at least one warp, on the SM that had least to do."),
    COUNT("sm_active_avg", PROBE_OCCUPANCY, "cycle", "active cycles, mean SM", 1,
          "sm__cycles_active.avg", GOOD_NONE,
          "Cycles with at least one warp, averaged over the SMs."),
    COUNT("sm_active_max", PROBE_OCCUPANCY, "cycle", "active cycles, busiest SM", 1,
          "sm__cycles_active.max", GOOD_NONE,
          "Cycles with at least one warp, on the busiest SM: about the length of the kernel."),
    {"sm_balance", PROBE_OCCUPANCY, "1", "SM balance",
     "Mean over maximum of the SMs' active cycles. Near 1 all SMs finish together. Low means too "
     "few blocks, a last wave that is nearly empty, or blocks of very unequal work.",
     "sm__cycles_active.avg", "sm__cycles_active.max", NULL, NULL, 1, GOOD_HIGH, true, true},

    RATIO("load_sectors_per_request", PROBE_MEMORY, "1", "sectors per load request",
          L1_SECTORS("ld"), L1_REQUESTS("ld"), GOOD_LOW,
          "32-byte sectors that one global load of a warp touches. Healthy is 4 for 4-byte lanes, "
          "8 for 8-byte, 16 for 16-byte ones; 1 when all lanes read one address. 32 means that "
          "every lane hits another sector. Uncoalesced, strided and misaligned access share it; it "
          "harms only if these loads carry real traffic."),
    RATIO("store_sectors_per_request", PROBE_MEMORY, "1", "sectors per store request",
          L1_SECTORS("st"), L1_REQUESTS("st"), GOOD_LOW,
          "32-byte sectors that one global store of a warp touches. Healthy is 4 for 4-byte lanes, "
          "8 for 8-byte, 16 for 16-byte ones; 32 means that every lane writes to another sector. "
          "Uncoalesced, strided and misaligned access share it."),
    COUNT("load_requests", PROBE_MEMORY, "1", "global load requests", 1, L1_REQUESTS("ld"),
          GOOD_NONE,
          "Global load instructions that warps sent to L1. Narrow loads need more of them for the "
          "same bytes."),
    COUNT("store_requests", PROBE_MEMORY, "1", "global store requests", 1, L1_REQUESTS("st"),
          GOOD_NONE, "Global store instructions that warps sent to L1."),
    PERCENT("load_efficiency", PROBE_MEMORY, "used of loaded bytes",
            "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", GOOD_HIGH,
            "Bytes that lanes asked for over bytes of the sectors touched by global loads. Healthy "
            "is 1; 0.125 is one 4-byte word of each sector. Lanes that share an address can exceed "
            "1."),
    PERCENT("store_efficiency", PROBE_MEMORY, "used of stored bytes",
            "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", GOOD_HIGH,
            "Bytes that lanes stored over bytes of the sectors touched by global stores. Healthy "
            "is 1; 0.125 is one 4-byte word of each sector."),
    PERCENT("l1_hit", PROBE_MEMORY, "L1 hit rate", "l1tex__t_sector_hit_rate.pct", GOOD_NONE,
            "Share of sectors that L1 had. Streaming kernels read each sector once and score near "
            "0 in full health; with strided walks a high rate may hide bad access, since L1 keeps "
            "what the next iteration needs."),
    COUNT("local_instructions", PROBE_MEMORY, "1", "local-memory instructions", 1,
          EXECUTED("local_ld") " + " EXECUTED("local_st"), GOOD_LOW,
          "Loads and stores of local memory that warps executed: spilled registers and dynamically "
          "indexed arrays. Healthy is 0, or few beside the rest."),
    PLAIN("active_lanes", PROBE_MEMORY, "1", "lanes per memory instr.", GOOD_HIGH,
          "Lanes that took part in a memory instruction of a warp, from an instrumented copy of "
          "the kernel alone. Healthy is near 32; branches that split warps, predicates and blocks "
          "that are no multiple of 32 lower it."),
    COUNT_OF_HOPPER("tma_loads", PROBE_MEMORY, "1", "TMA loads", EXECUTED("tma_ld"),
                    "Copies into shared memory that threads asked of TMA, one for a whole box or a "
                    "stretch of bytes. What they move is in no count of sectors per request. On "
                    "Hopper and later."),
    COUNT_OF_HOPPER("tma_stores", PROBE_MEMORY, "1", "TMA stores", EXECUTED("tma_st"),
                    "Copies out of shared memory that threads asked of TMA. On Hopper and later."),
    COUNT_OF_HOPPER("tma_load_bytes", PROBE_MEMORY, "B", "bytes that TMA loaded", TMA_READ,
                    "Bytes that came to multiprocessors at the request of TMA. What multicast "
                    "sends to several blocks counts in each of them, so that DRAM and L2 may have "
                    "read less. On Hopper and later."),
    COUNT_OF_HOPPER("tma_multicast_bytes", PROBE_MEMORY, "B", "of them by multicast",
                    TMA_READ_PART("_dest_multicast"),
                    "The part of the bytes that TMA loaded which was sent to several blocks of a "
                    "cluster at once, counted where it came to. 0 in a kernel with clusters: each "
                    "block fetches for itself. On Hopper, and on Blackwell's data-centre chips."),
    COUNT_OF_HOPPER("tma_store_bytes", PROBE_MEMORY, "B", "bytes that TMA stored", TMA_WRITTEN,
                    "Bytes that TMA wrote to global memory, out of shared memory. On Hopper and "
                    "later."),
    COUNT("atomic_sectors", PROBE_MEMORY, "1", "atomic sectors in L2", 1,
          "lts__t_sectors_op_atom.sum + lts__t_sectors_op_red.sum", GOOD_LOW,
          "Sectors of atomic operations that L2 handled. Many to few addresses take turns there."),

    COUNT("shared_instructions", PROBE_SHARED, "1", "shared-memory instructions", 1,
          SHARED_LOADS " + " EXECUTED("shared_st"), GOOD_NONE,
          "Loads and stores of shared memory that warps executed. Zero means that shared memory "
          "cannot be the cause."),
    COUNT("shared_load_instructions", PROBE_SHARED, "1", "shared loads", 1, SHARED_LOADS, GOOD_NONE,
          "Shared-memory loads that warps executed, those of matrices (ldmatrix) among them."),
    COUNT("shared_store_instructions", PROBE_SHARED, "1", "shared stores", 1, EXECUTED("shared_st"),
          GOOD_NONE, "Shared-memory stores that warps executed."),
    RATIO("shared_load_wavefronts", PROBE_SHARED, "1", "wavefronts per shared load",
          SHARED_WAVES("ld"), SHARED_LOADS, GOOD_LOW,
          "Passes that one shared load of a warp takes. Healthy is 1 for 4-byte lanes, 2 for "
          "8-byte, 4 for 16-byte ones and for ldmatrix of four matrices. More are bank conflicts: "
          "lanes that want different words of one bank wait for each other; 32 is the worst. It "
          "costs time only if the shared pipe is busy. It is a mean over all loads that were "
          "issued: 1.5 may be as many loads of 1 pass as of 2; below 1, some of them took no "
          "pass, as loads without effect that compilers put before cp.async."),
    RATIO("shared_store_wavefronts", PROBE_SHARED, "1", "wavefronts per shared store",
          SHARED_WAVES("st"), EXECUTED("shared_st"), GOOD_LOW,
          "Passes that one shared store of a warp takes. Healthy is 1 for 4-byte lanes, 2 for "
          "8-byte, 4 for 16-byte ones; more are bank conflicts. A mean over all stores: 1.5 may be "
          "as many stores of 1 pass as of 2."),
    COUNT("bank_conflicts", PROBE_SHARED, "1", "bank conflicts", 1,
          "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", GOOD_LOW,
          "Extra passes through shared memory that the hardware counted. It may include "
          "arbitration with other traffic, so a few per cent of the instructions mean nothing: "
          "believe wavefronts per instruction. Atomics in shared memory count here, and in no "
          "line of loads and stores."),

    STALL("long_scoreboard", "global or local memory", true,
          "Waiting for data that comes through L1: global, local, texture. Bad access, excess "
          "traffic, cache misses and too few loads in flight all show here, and so does a healthy "
          "kernel at the limit of DRAM. Waits for an mbarrier count here, too: by line they are "
          "told apart."),
    STALL("short_scoreboard", "shared memory, special fns", true,
          "Waiting for shared memory or other results of the memory input/output pipe, special "
          "functions among them. Bank conflicts and chains of shared loads raise it."),
    STALL("mio_throttle", "queue to shared memory full", true,
          "The queue to the memory input/output pipe is full: shared memory, special functions, "
          "and on some chips double precision and dynamic branches. Bank conflicts fill it."),
    STALL("lg_throttle", "queue to L1 full", true,
          "The queue for global and local memory instructions is full. Many narrow or scattered "
          "accesses fill it; wider or coalesced ones empty it."),
    STALL("tex_throttle", "texture queue full", true, "The queue to the texture unit is full."),
    STALL("math_pipe_throttle", "arithmetic pipe busy", true,
          "The arithmetic unit that the instruction needs is taken. High in kernels that compute "
          "at full rate, and in those that use a slow pipe by mistake, such as double precision."),
    STALL("barrier", "barrier", true,
          "Waiting for the other warps of the block at a barrier. Uneven work between warps, too "
          "many barriers, or one large block per SM."),
    STALL("membar", "memory fence", true,
          "Waiting for a memory fence. Fences inside loops show here."),
    STALL("branch_resolving", "branch target", true,
          "Waiting for a branch to be resolved. Short loops and code with many jumps."),
    STALL("dispatch_stall", "dispatch", true,
          "The dispatcher held the instruction back, for conflicts of resources inside the SM. "
          "Rarely more than a trace."),
    STALL("drain", "stores at the end", true,
          "The warp is done and waits until its stores have left. Many scattered stores just "
          "before the exit."),
    STALL("imc_miss", "constant cache miss", false,
          "A constant was not in the immediate-constant cache. Lanes or iterations that read many "
          "different constants. Not counted on Blackwell."),
    STALL("misc", "other", true, "Reasons that the hardware does not tell apart."),
    STALL("no_instruction", "instruction fetch", true,
          "The next instruction had not been fetched: code larger than the instruction caches, or "
          "very short kernels that never warm them."),
    STALL("not_selected", "another warp was chosen", true,
          "The warp could have issued but another one was picked. High means that there are warps "
          "enough: a good sign."),
    STALL("selected", "issuing", true,
          "The warp issued. It is 1 by definition: the yardstick for the other bars."),
    STALL("sleeping", "sleeping", true,
          "All lanes of the warp sleep by their own wish (nanosleep)."),
    STALL("wait", "fixed latency", true,
          "Waiting out the fixed latency of the previous instruction. Long chains of dependent "
          "arithmetic with few warps to fill the gaps; some of it is always there."),
    STALL("gmma", "warpgroup matrix unit", false,
          "Waiting for the warpgroup's tensor-core instructions. Hopper only."),
    PLAIN("stall_total", PROBE_STALLS, "cycle", "all reasons together", GOOD_NONE,
          "Sum of all reasons, issuing included: cycles that a resident warp takes, on average, "
          "for each instruction that it issues. Compare a reason with it to see its weight."),

    PERCENT("issue_active", PROBE_PIPES, "issue slots used",
            "smsp__issue_active.avg.pct_of_peak_sustained_active", GOOD_NONE,
            "Cycles in which a scheduler issued, over those in which it had a warp: schedulers and "
            "SMs without work do not lower it. Above 0.7 the instructions themselves are the work; "
            "low means that warps wait, for memory most often. Whether all SMs work says the SM "
            "balance."),
    COUNT("instructions", PROBE_PIPES, "1", "warp instructions", 1, "smsp__inst_executed.sum",
          GOOD_LOW,
          "Instructions that warps executed. Compare it with the elements: index arithmetic, "
          "conversions and narrow accesses add to it."),
    COUNT("lanes_per_instruction", PROBE_PIPES, "1", "lanes per instruction", 1,
          "smsp__thread_inst_executed_per_inst_executed.ratio", GOOD_HIGH,
          "Lanes that were active in an instruction. Healthy is near 32; branches that split warps "
          "and blocks that are no multiple of 32 lower it. Lanes that are only predicated off "
          "still count."),
    PERCENT("branch_uniform", PROBE_PIPES, "uniform branches",
            "smsp__sass_average_branch_targets_threads_uniform.pct", GOOD_HIGH,
            "Share of branches that all lanes of a warp took the same way. Healthy is near 1."),
    PERCENT("alu_busy", PROBE_PIPES, "integer and logic pipe",
            "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_active", GOOD_NONE,
            "Cycles in which the pipe for integer, logic and comparison was busy, over those in "
            "which its SM had a warp. High in a memory kernel means index arithmetic: division by "
            "run-time values, 64-bit offsets."),
    PERCENT("fma_busy", PROBE_PIPES, "multiply-add pipe",
            "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active", GOOD_NONE,
            "Cycles in which the single-precision multiply-add pipe was busy, over those in which "
            "its SM had a warp; integer multiplication runs there too. High is the aim of "
            "arithmetic kernels."),
    PERCENT("fp64_busy", PROBE_PIPES, "double-precision pipe",
            "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active", GOOD_LOW,
            "Cycles in which the double-precision pipe was busy, over those in which its SM had a "
            "warp. In a kernel of floats it should be 0: a literal without f, or a math function "
            "in double, wakes it."),
    PERCENT("tensor_busy", PROBE_PIPES, "tensor pipe",
            "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", GOOD_NONE,
            "Cycles in which the tensor cores were busy, with whatever instruction, over those in "
            "which their SM had a warp. 1 is the best of that instruction and may be below the "
            "data sheet's rate: on Hopper mma.sync does less than two thirds of wgmma's products in "
            "a cycle. 0 in a matrix kernel means that it fell off them: type, alignment or "
            "dimensions."),
    COUNT_OF_HOPPER("wgmma_instructions", PROBE_PIPES, "1", "warpgroup products",
                    "smsp__inst_executed_pipe_tensor_op_gmma.sum",
                    "wgmma instructions, counted for each of the four warps of a group. 0 with a "
                    "busy tensor pipe means mma.sync, which reaches less on Hopper. Hopper only."),
    COUNT_OF_SOME("tensor_fp16_flops", PROBE_PIPES, "flop", "tensor flops, fp16",
                  TENSOR_OPS("fp16_dst_fp16") " + " TENSOR_OPS("fp16_dst_fp32"), "GH1",
                  TENSOR_OPS("fp16"),
                  "Products and sums of tensor cores whose operands are fp16, two for a "
                  "multiply-add, by whatever instruction. More than the algorithm has: tiles that "
                  "are partly empty, or work that is done again. On Ampere and later."),
    COUNT_OF_SOME("tensor_bf16_flops", PROBE_PIPES, "flop", "tensor flops, bf16",
                  TENSOR_OPS("bf16_dst_fp32"), NULL, NULL,
                  "Products and sums of tensor cores whose operands are bf16. On Ampere and "
                  "later."),
    COUNT_OF_SOME("tensor_tf32_flops", PROBE_PIPES, "flop", "tensor flops, tf32",
                  TENSOR_OPS("tf32_dst_fp32"), NULL, NULL,
                  "Products and sums of tensor cores whose operands are floats, of which ten bits "
                  "of the mantissa count. They run at half the rate of fp16: where the data is "
                  "fp16 or bf16, something has widened it. On Ampere and later."),
    COUNT_OF_SOME("tensor_fp8_flops", PROBE_PIPES, "flop", "tensor flops, fp8", TENSOR_OPS("fp8"),
                  "GB20", TENSOR_OPS("fp8_dst_fp16") " + " TENSOR_OPS("fp8_dst_fp32"),
                  "Products and sums of tensor cores whose operands are fp8. 0 in a kernel whose "
                  "data is fp8: it is widened before it is multiplied, and half of the rate is "
                  "lost. On Ada and Hopper, and on Blackwell's smaller chips."),
    COUNT_OF_SOME("tensor_int8_ops", PROBE_PIPES, "1", "tensor operations, int8",
                  TENSOR_OPS("int8"), NULL, NULL,
                  "Products and sums of tensor cores whose operands are integers of eight bits."),
    COUNT_OF_SOME("tensor_fp64_flops", PROBE_PIPES, "flop", "tensor flops, double",
                  TENSOR_OPS("fp64"), NULL, NULL,
                  "Products and sums of tensor cores whose operands are doubles. On Ampere and "
                  "later."),
    PERCENT("xu_busy", PROBE_PIPES, "special-function pipe",
            "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", GOOD_NONE,
            "Instructions of the special-function unit over its peak while an SM has a warp: "
            "exponentials, sines, square roots and conversions between types. It is narrow, so a "
            "few per element saturate it."),
    PERCENT("lsu_busy", PROBE_PIPES, "load-store pipe",
            "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active", GOOD_NONE,
            "Load and store instructions over the peak rate while an SM has a warp. High with "
            "little data moved means narrow accesses."),
    COUNT("fp32_flops", PROBE_PIPES, "flop", "single-precision flops", 1,
          ARITH("fadd") " + " ARITH("fmul") " + " ARITH("ffma") " + " ARITH("ffma"), GOOD_NONE,
          "Floating-point operations that lanes executed in single precision, a multiply-add "
          "counted as two."),
    COUNT("fp64_flops", PROBE_PIPES, "flop", "double-precision flops", 1,
          ARITH("dadd") " + " ARITH("dmul") " + " ARITH("dfma") " + " ARITH("dfma"), GOOD_LOW,
          "Floating-point operations that lanes executed in double precision, a multiply-add "
          "counted as two. In a kernel of floats it should be 0."),

    PLAIN("wrong_elements", PROBE_CHECK, "1", "wrong elements", GOOD_LOW,
          "Elements of the outputs that differ from the reference by more than the tolerance. "
          "Healthy is 0. A plain comparison of one run proves less than it seems: garbage may "
          "happen to be right."),
    PLAIN("compared_elements", PROBE_CHECK, "1", "compared elements", GOOD_NONE,
          "Elements of the outputs that were compared with the reference."),
    PLAIN("max_error", PROBE_CHECK, "1", "largest difference", GOOD_LOW,
          "Largest absolute difference from the reference among finite values. Compare it with the "
          "tolerance."),
    PLAIN("not_finite", PROBE_CHECK, "1", "not finite by mistake", GOOD_LOW,
          "Wrong elements that are NaN or infinite where the reference is not. After a poisoned "
          "start they are often elements that nobody wrote."),
    PLAIN("faults", PROBE_CHECK, "1", "faults", GOOD_LOW,
          "1 when the kernel was stopped by the hardware: an address that is not mapped, or not "
          "aligned for the width of the access. Healthy is 0."),
    PLAIN("canaries_broken", PROBE_CHECK, "1", "bytes written outside", GOOD_LOW,
          "Bytes changed in the 4 KiB before and after each buffer. Healthy is 0."),
    PLAIN("inputs_changed", PROBE_CHECK, "1", "inputs changed", GOOD_LOW,
          "Input buffers whose contents differ after the run. Healthy is 0."),
    PLAIN("zeros_wrong", PROBE_CHECK, "1", "control: zeros that would be found", GOOD_NONE,
          "Elements that the check calls wrong when the output is all zeros; it must be above 0, "
          "else the check proves nothing."),
    PLAIN("poison_wrong", PROBE_CHECK, "1", "control: garbage that would be found", GOOD_NONE,
          "Elements that the check calls wrong when nobody wrote the output; it must be above 0."),
    PLAIN("input_wrong", PROBE_CHECK, "1", "control: copied input that would be found", GOOD_NONE,
          "Elements that the check calls wrong when an input stands in the output's place. 0 means "
          "that a kernel which only copies passes: right for a copy, a hole in the check of "
          "anything else."),
    PLAIN("largest_value", PROBE_CHECK, "1", "largest value of the truth", GOOD_NONE,
          "Largest magnitude in the reference's outputs; a tolerance near it would let anything "
          "pass."),

    PLAIN("poisoned_wrong", PROBE_POISON, "1", "wrong, memory poisoned", GOOD_LOW,
          "Wrong elements, at worst, over runs that found NaN, random numbers or zeros in outputs, "
          "workspaces and shared memory. Healthy is 0, and as many as without poison. The kernels "
          "of a step run one by one here: what they lack between streams does not show."),
    PLAIN("buffer_differences", PROBE_POISON, "1", "depends on old buffers", GOOD_LOW,
          "Output elements whose bits change with what outputs and workspaces held before. Healthy "
          "is 0: more means elements that are not written, sums into garbage, or reads of stale "
          "memory."),
    PLAIN("shared_differences", PROBE_POISON, "1", "depends on old shared memory", GOOD_LOW,
          "Output elements whose bits change with what shared memory held before the kernel began. "
          "Healthy is 0: more means that the kernel reads words which it never wrote."),

    PLAIN("repeats", PROBE_REPEAT, "1", "launches compared", GOOD_NONE,
          "Launches on the same inputs and the same buffers, filled anew before each, with cold and "
          "warm caches and with another kernel running beside them."),
    PLAIN("identical_repeats", PROBE_REPEAT, "1", "same bits as the first launch", GOOD_HIGH,
          "Launches whose outputs equal those of the first bit by bit, the first included. Fewer "
          "than all is a race, or sums whose order is free: the size of the differences tells them "
          "apart. The note below counts those that differ from the first, apart for launches alone "
          "and beside another kernel."),
    PLAIN("ulp_spread", PROBE_REPEAT, "1", "largest spread in ULP", GOOD_LOW,
          "Largest distance between two launches' values of one element, in units of the last "
          "place. A few are rounding in another order; thousands are wrong values."),

    PLAIN("race_hazards", PROBE_SANITIZE, "1", "shared-memory hazards", GOOD_LOW,
          "Hazards that compute-sanitizer's racecheck reported: two threads use one word of shared "
          "memory, one of them writes, and no barrier stands between. Healthy is 0."),
    PLAIN("memory_errors", PROBE_SANITIZE, "1", "memory errors", GOOD_LOW,
          "Accesses out of bounds or misaligned that compute-sanitizer's memcheck reported. "
          "Healthy is 0."),
    PLAIN("uninitialised_reads", PROBE_SANITIZE, "1", "uninitialised global reads", GOOD_LOW,
          "Reads of global memory that nobody had written, by compute-sanitizer's initcheck. It "
          "does not look at shared memory, of which 0 says nothing: poison does. Healthy is 0."),
    PLAIN("barrier_errors", PROBE_SANITIZE, "1", "barrier errors", GOOD_LOW,
          "Barriers that not all threads reached, and other misuse, by compute-sanitizer's "
          "synccheck. Healthy is 0."),

    PLAIN("samples", PROBE_LINES, "1", "samples", GOOD_NONE,
          "Samples of a warp's program counter that the hardware took. Shares of fewer than a few "
          "hundred are noise."),
    PLAIN("top_line", PROBE_LINES, "1", "line with most samples", GOOD_NONE,
          "The source line at which warps were seen most often. That is where they waited, which "
          "may be after the line that made them wait: a load is charged to the first use of its "
          "value."),
    SHARE("top_line_share", PROBE_LINES, "its share of samples", GOOD_NONE,
          "Share of all samples that fell on that line."),
    SHARE("mbarrier_share", PROBE_LINES, "waits for an mbarrier", GOOD_NONE,
          "Share of all samples in which a warp waited for the phase of an mbarrier. The hardware "
          "calls that a wait for a scoreboard, as it does with memory; it is told apart by what "
          "the instruction waits for, and stands as mbarrier beside the lines. A warp that only "
          "fetches is meant to wait so. Where the warps that multiply do, data comes too late."),

    PLAIN("machine_instructions", PROBE_SASS, "1", "instructions in the code", GOOD_NONE,
          "Machine instructions of the kernel as compiled; how often each is executed is another "
          "matter."),

    PLAIN("step_time", PROBE_TIMELINE, "s", "step, end to end", GOOD_LOW,
          "From the start of the first kernel to the end of the last, in the run whose timeline is "
          "shown. Where the host takes steps of its own: from its first one until nothing runs."),
    PLAIN("busy_time", PROBE_TIMELINE, "s", "some kernel running", GOOD_NONE,
          "Time of the step in which at least one kernel ran. What is left are gaps."),
    PLAIN("gap_time", PROBE_TIMELINE, "s", "gaps", GOOD_LOW,
          "Time of the step in which no kernel ran: launches that come late, and dependencies. Of "
          "several GPUs it is that of the busiest."),
    PLAIN("longest_kernel", PROBE_TIMELINE, "1", "longest kernel", GOOD_NONE,
          "Number of the kernel that ran longest, counted from 1 in the order of launch."),
    SHARE("longest_share", PROBE_TIMELINE, "its share of the step", GOOD_NONE,
          "Duration of the longest kernel over the whole step."),
    PLAIN("api_time", PROBE_TIMELINE, "s", "host in driver calls", GOOD_NONE,
          "Time of the step that its host spent inside calls of the driver: launches, copies, "
          "allocations, waits for the GPU. Near the whole step with short calls: it is bound by "
          "launches; by one long call: that one blocks."),
    PLAIN("longest_gap", PROBE_TIMELINE, "s", "longest gap", GOOD_LOW,
          "The longest time in which no kernel ran, from the host's first step to the last one's "
          "end. What the host did meanwhile is in the rows of the host. Of several GPUs it is that of "
          "the one where it is longest, so it may exceed the gaps of the busiest."),
    PLAIN("comm_time", PROBE_TIMELINE, "s", "communication", GOOD_NONE,
          "Time of the step in which a collective or a copy to the next GPU runs, on the GPU where "
          "that is longest. A collective's kernel runs from when this GPU has come to it, so "
          "waiting for a late one counts."),
    PLAIN("exposed_time", PROBE_TIMELINE, "s", "exposed communication", GOOD_LOW,
          "The part of it in which no other kernel runs on that GPU: what overlap could hide, of "
          "the GPU where it is longest."),
    PLAIN("comm_skew", PROBE_TIMELINE, "s", "skew of communication", GOOD_LOW,
          "Most minus least communication over the GPUs. A collective ends on all of them "
          "together, so the one that comes late is in it for the shortest time: the others wait "
          "inside of theirs."),

    PLAIN("reported_time", PROBE_BENCHMARK, "s", "time that it reports", GOOD_NONE,
          "What the benchmark makes of its samples: their median, mean, least or most, as it says. "
          "It is what the program measures, which need not be the time of the kernel."),
    PLAIN("speed_up", PROBE_BENCHMARK, "1", "times as fast as baseline", GOOD_HIGH,
          "What the benchmark reports of its baseline over what it reports of the kernel. It says as "
          "much of the one as of the other, and is worth as much as the care that both had."),
    PLAIN("baseline_time", PROBE_BENCHMARK, "s", "baseline, as reported", GOOD_NONE,
          "What the benchmark reports of its baseline, by the steps that it has for that."),
    PLAIN("sample_first", PROBE_BENCHMARK, "s", "first sample", GOOD_NONE,
          "The first sample. Far above the median: something happens once inside of it, such as "
          "loading the module, or caches and clocks are not yet what they will be."),
    PLAIN("sample_min", PROBE_BENCHMARK, "s", "least sample", GOOD_NONE,
          "The shortest sample: the best case, which users seldom meet. Below what the kernel's "
          "bytes need at the rate of DRAM, the sample lacks part of the work or the data was in "
          "L2."),
    PLAIN("sample_median", PROBE_BENCHMARK, "s", "median sample", GOOD_NONE,
          "Half of the samples are shorter. A few outliers do not move it; a mistake that is in "
          "every sample does."),
    PLAIN("sample_p95", PROBE_BENCHMARK, "s", "95th percentile", GOOD_NONE,
          "The time that 95 of 100 samples do not exceed. Close to the median: the tail is thin."),
    PLAIN("sample_max", PROBE_BENCHMARK, "s", "greatest sample", GOOD_NONE,
          "The longest sample. One alone far above the 95th percentile is an event, not the "
          "kernel; a mean is pulled by it."),
    SHARE("sample_spread", PROBE_BENCHMARK, "spread of the samples", GOOD_LOW,
          "Standard deviation of the samples over their mean, which other tools call noise. A few "
          "per cent are common. Little of it does not mean that the number is right: a mistake in "
          "every sample has no spread."),

    PLAIN("refused", PROBE_OUTCOME, "1", "launch refused", GOOD_LOW,
          "1: the driver refused the launch, so no thread ran. Its limits are of a block (threads, "
          "registers times threads, shared memory), of a grid, and of a cluster. What the kernel "
          "asks for stands among its resources."),
    PLAIN("faulted", PROBE_OUTCOME, "1", "stopped by a fault", GOOD_LOW,
          "1: the hardware stopped the kernel, at an address that is not mapped or not aligned, or "
          "at an instruction that it does not take. The error is told by a later call than the "
          "launch."),
    PLAIN("unfinished", PROBE_OUTCOME, "1", "no end in time", GOOD_LOW,
          "1: the kernel had not ended by the limit and was killed. No clock tells a wait that "
          "nothing will satisfy from a loop that is merely long."),
};

const struct metric *metric_table(size_t *n)
{
    *n = sizeof table / sizeof *table;
    return table;
}

const char *metric_per(const struct metric *m)
{
    return m && m->probe == PROBE_STALLS ? "per instruction" : "";
}

const struct metric *metric_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].name, name))
            return &table[i];
    return NULL;
}

const struct metric *metric_of_probe(enum wire_probe p, size_t *n)
{
    const struct metric *first = NULL;
    *n = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].probe == p) {
            first = first ? first : &table[i];
            ++*n;
        }
    return first;
}

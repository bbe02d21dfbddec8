#include "scenarios/pack/taxonomy.h"

#include <string.h>

#define MEM "memory"
#define SMEM "shared memory"
#define LAT "latency"
#define OCC "occupancy and shape"
#define INST "instructions"
#define HOST "host and pipeline"
#define CORR "correctness"
#define BENCH "measurement"
#define SYS "system"
#define NONE "nothing was wrong"

static const struct hypothesis table[] = {
    {"mem.uncoalesced", "uncoalesced access", "uncoalesced access", MEM,
     "The lanes of a warp touch scattered 32-byte sectors, so one request becomes many. Settled by "
     "sectors per request well above 4, 8 or 16 for lanes of 4, 8 or 16 bytes; 32 is the worst."},
    {"mem.width-alignment", "narrow or misaligned", "narrow, misaligned", MEM,
     "Each instruction moves few bytes, or starts off a boundary, so vector access is lost. "
     "Settled by low bytes per instruction, lg_throttle stalls, and a comb when the size or offset "
     "is swept."},
    {"mem.excess-traffic", "excess DRAM traffic", "excess traffic", MEM,
     "Work that is needed moves more bytes than it must, in whatever order it is done: loaded or "
     "stored again instead of kept, a type wider than necessary. Settled by bytes of DRAM, or of "
     "a link, above the compulsory ones that no other order would save."},
    {"mem.cache-locality", "cache thrash", "cache thrash", MEM,
     "What is loaded again has left L1 or L2 by then, and would not have in another order: loops, "
     "pitch, rasterisation. Settled when the same loads hit more and DRAM bytes fall with order, "
     "pitch or distance alone."},
    {"mem.local-spill", "spills to local memory", "local spills", MEM,
     "Registers spill, or an array is indexed at run time, so values live in local memory. Settled "
     "by local bytes per thread and local traffic inside the loop."},
    {"smem.bank-conflict", "bank conflicts", "bank conflicts", SMEM,
     "Lanes of a warp meet in the same shared-memory bank and take turns. Settled by wavefronts "
     "per request above the minimum and a busy shared-memory pipe, both together."},
    {"occ.smem-limited", "shared memory per block", "shared per block", SMEM,
     "Each block takes so much shared memory that few are resident, or the launch is refused. "
     "Settled by the occupancy limiter and by allocating a dummy array."},
    {"lat.low-mlp", "too few loads in flight", "too few loads", LAT,
     "Too few bytes or instructions are in flight to cover latency, on multiprocessors that all "
     "have work. Settled when bandwidth rises with unrolling or more warps."},
    {"lat.pipeline-broken", "no copy-compute overlap", "no overlap", LAT,
     "Copy and compute wait for one another instead of overlapping: nothing is on its way while "
     "something is used. Settled when time is their sum, not the larger, whatever the number of "
     "stages."},
    {"lat.oversync", "needless barriers", "needless barriers", LAT,
     "Barriers, fences, staging or waits for a product that nothing needs. Settled by barrier, membar "
     "or gmma stalls, and by taking one away."},
    {"occ.register-limited", "registers per thread", "registers/thread", OCC,
     "Registers per thread keep warps from being resident, without spills, or have the launch "
     "refused. Settled by the occupancy limiter, in a grid of more than one wave, and by capping "
     "registers."},
    {"occ.block-shape", "block shape", "block shape", OCC,
     "Blocks are too small or too large for the multiprocessor. Settled by the limit of blocks per "
     "SM and by cliffs near 1024 threads."},
    {"occ.grid-underfill", "grid too small", "grid too small", OCC,
     "There are fewer blocks, or blocks with work, than the device has room for, so multiprocessors "
     "or places on them never have any. Settled by waves below 1, or by an idlest SM that is hardly "
     "active at all."},
    {"occ.tail-imbalance", "tail or uneven blocks", "tail, uneven", OCC,
     "All multiprocessors have work, and some are done long before others: a last partial wave, a "
     "last partial tile, uneven work. Settled by active cycles that differ between SMs of which "
     "none is idle, and by steps in time against size."},
    {"inst.divergence", "warp divergence", "divergence", INST,
     "Lanes of a warp take different paths, so part of each instruction is idle. Settled by active "
     "lanes per instruction."},
    {"inst.wrong-pipe", "wrong pipe or type", "wrong pipe", INST,
     "Work runs on a slow pipe: FP64 by promotion, no tensor cores, an emulated type. Settled by "
     "pipe utilisation."},
    {"inst.index-math", "index arithmetic", "index arithmetic", INST,
     "Integer division, 64-bit indices or a search eat the issue slots. Settled by the share of "
     "integer instructions."},
    {"inst.special-function", "slow maths functions", "slow functions", INST,
     "Slow division, transcendental or trigonometric paths. One of them is many instructions, most "
     "on the FMA pipe. Settled by more instructions than the formula has, or a busy xu pipe where "
     "no types are converted, and by replacing the function with the identity."},
    {"inst.atomic-contention", "contended atomics", "contended atomics", INST,
     "Many threads update few addresses, or the atomic is emulated. Settled when time depends on "
     "the histogram of the indices alone."},
    {"build.codegen", "build or code generation", "build, code gen.", INST,
     "Debug flags, missing bounds, a wrong target or another compiler; or no code for this GPU, "
     "so that the driver compiles at the start. Settled when all kernels suffer, or attributes "
     "differ with the same source."},
    {"host.launch-bound", "launch overhead", "launch overhead", HOST,
     "The GPU waits for launches, or for the beginning and end of many small messages. Settled by "
     "gaps everywhere and by time that is flat in size."},
    {"host.blocking-call", "blocking host call", "blocking call", HOST,
     "The GPU has nothing to do while the host waits or works: a synchronise, an allocation, a "
     "compilation for a new shape, the making of a graph, or data that the host makes ready. "
     "Settled by a gap beside one API call, by an empty queue, or by what the host is busy with."},
    {"host.pageable-copy", "pageable copies", "pageable copies", HOST,
     "Copies begin or end in host memory that is not pinned, so that the driver takes them through "
     "a buffer of its own. Settled by the kind of memory in the record of a copy, and by the same "
     "copy from pinned memory."},
    {"pipe.extra-pass", "an extra pass", "extra pass", HOST,
     "Work that can be left out whole: a fill, copy, cast, sort or transpose whose result nobody "
     "needs, or that fusion would save. Settled by kernels or loops whose bytes no result asks "
     "for."},
    {"pipe.ordering", "wrong order of work", "wrong order", HOST,
     "Work is on the wrong stream, lacks a dependency or has one too many, so that it begins too "
     "early or too late. Settled by producer and consumer overlapping, and by a device-wide "
     "synchronise that mends it; kernels of one stream never overlap."},
    {"serve.admission-limit", "too few admitted", "too few admitted", HOST,
     "A server runs fewer requests at once than its memory and its limits of latency allow, and the "
     "others wait. Settled by a number of running requests that stands still while some wait and "
     "memory for keys and values is free."},
    {"serve.prefill-stall", "prefill stalls decode", "prefill stalls", HOST,
     "A long prompt is worked through in one piece, and all answers under way pause for it. Settled "
     "by steps with many tokens of prompts that take as long as the longest pauses."},
    {"serve.prefix-recomputed", "prefixes computed anew", "prefixes anew", HOST,
     "Prompts begin alike, and keys and values of that beginning are computed and stored for each "
     "of them. Settled by tokens taken from the prefix cache, beside those that prompts share."},
    {"serve.kv-preemption", "KV memory too small", "KV memory", HOST,
     "Memory for keys and values is too small for the requests that run, so that some lose theirs "
     "and compute them again. Settled by preemptions while it is full, and by its size beside what "
     "the card has left for it."},
    {"corr.race", "data race", "data race", CORR,
     "Threads read and write the same place without a barrier or fence. Settled by racecheck "
     "(shared memory only), repeated runs and amplified delays."},
    {"corr.uninit-stale", "uninitialised or stale", "uninit. or stale", CORR,
     "What is read was never written, or is left over from earlier. Settled by poisoning it: "
     "kernels then run one by one, so an edge that is missing between streams does not show."},
    {"corr.bounds-layout", "bounds, tail or layout", "bounds or layout", CORR,
     "Bounds, tails, strides, masks or index widths are wrong. Settled by odd sizes, views and "
     "large sizes."},
    {"corr.numerics", "numerics", "numerics", CORR,
     "Overflow, low-precision accumulation, a fragile formula or a factor that is wrong. Settled by "
     "inputs that are scaled, shifted, all equal or all masked."},
    {"corr.work-skipped", "work is skipped", "work is skipped", CORR,
     "The work is not done, whatever memory held before: a no-op, a failed launch, a part left "
     "out, a result for one input. Settled by bandwidth above the roof, a result that is wrong "
     "in cleared memory too, and changed inputs."},
    {"hang.deadlock", "deadlock", "deadlock", CORR,
     "Threads, blocks or ranks wait for one another in a circle, or for one that has ended or "
     "taken another branch. Settled by finding who has not arrived, and what that one does."},
    {"bench.invalid-timing", "timed the wrong span", "timed wrong span", BENCH,
     "The timed span is wrong: no synchronise, another stream, compilation, loading or a flush "
     "inside. Settled by events against the wall clock and by a timeline."},
    {"bench.unrepresentative", "misleading benchmark", "misleading bench.", BENCH,
     "Size, baseline, precision or build are not those that matter. Settled by swapping one "
     "condition at a time."},
    {"bench.cache-state", "data left in cache", "data in cache", BENCH,
     "Samples find in L2 what users would fetch from DRAM, or miss what they would find. Settled by "
     "the same benchmark with the flush changed, and by the bytes that DRAM could have moved."},
    {"bench.unlike-inputs", "inputs unlike real ones", "unlike inputs", BENCH,
     "Zeros, one value everywhere or sorted data: other branches, other conflicts, fewer bits that "
     "switch and so less power. Settled by the declared inputs."},
    {"bench.low-clocks", "clocks were not up", "clocks not up", BENCH,
     "The GPU idles between samples and clocks come late, or heat lowers them. Settled by samples "
     "in their order, by warming up and by what the clocks were."},
    {"bench.hidden-spread", "figure hides the spread", "hidden spread", BENCH,
     "Runs differ though each is timed rightly, and a mean over two modes or over one event, a "
     "median, the best of many or too few samples stand for them. Settled by the samples "
     "themselves, and by more of them."},
    {"bench.unit-slip", "wrong unit or count", "wrong unit", BENCH,
     "The time is right and what is made of it is not: bytes that never move, GiB for GB, flop "
     "counted once or twice. Settled by working out the figure from the time."},
    {"sys.straggler-skew", "straggler or skew", "straggler, skew", SYS,
     "One rank is slow, or its share of the work is larger. Settled by arrival and wait times per "
     "rank."},
    {"sys.thermal-power", "power or heat throttling", "throttling", SYS,
     "Power or temperature lowers the clock. Settled by clocks, power and the throttle reasons."},
    {"sys.link-topology", "link or topology", "link, topology", SYS,
     "A PCIe, NVLink, RDMA or NUMA path works, and is slower than thought. Settled by a "
     "bandwidth test per path and the topology."},
    {"sys.shared-path", "shared path", "shared path", SYS,
     "Others use the same link or switch at the same time, and each alone has its full rate. "
     "Settled by a test alone and together, and by who else is at work."},
    {"sys.fallback-path", "fallback to a detour", "fallback, detour", SYS,
     "The direct way is refused and data takes one that always works: sockets for RDMA, host memory "
     "for copies between cards. Settled by the transport that the library names, and by asking "
     "whether peers may reach each other."},
    {"sys.shared-device", "shared with others", "shared", SYS,
     "Somebody else's programs take turns with one's own on a device, or on the part of one that "
     "was thought to be one's own. Settled by the list of processes by part, and by the time with "
     "the others stopped."},
    {"sys.short-share", "less than was asked for", "less than asked", SYS,
     "A slice, a limit or a quota gives fewer multiprocessors, cores or bytes a second than were "
     "asked for. Settled by what was given beside what was asked for."},
    {"sys.fault-stack", "faulty part or stack", "faulty part, stack", SYS,
     "Hardware fails, or driver, library and architecture do not match, so that something is "
     "refused, wrong or missing. Settled by Xid logs, versions and the list of images in the "
     "binary."},
    {"none.at-limit", "nothing: at the limit", "at the limit", NONE,
     "No defect: the kernel is at the limit of the machine, or the metric that was pointed at is "
     "innocent. Settled by the roofline and by taking the suspected thing away."},
};

const struct hypothesis *taxonomy_find(const char *id)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].id, id))
            return &table[i];
    return NULL;
}

const struct hypothesis *taxonomy(size_t *n)
{
    *n = sizeof table / sizeof *table;
    return table;
}

int taxonomy_rank(const struct hypothesis *h)
{
    return (int)(h - table);
}

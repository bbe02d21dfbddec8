// What an instrumented copy of a kernel calls before each memory instruction (runner/instrument.h puts the
// calls in), so that a GPU whose counters cannot be had still tells how its warps reach memory. No headers.
//
// Tried: one call that a lane makes alone, with an atomic for each (32 times the traffic); a buffer of raw
// addresses for the host (gigabytes); this one, where the lanes of a warp compare notes by match and ballot
// and the lowest of them adds up. It is what the hardware does with a request:
//   sectors     distinct 32-byte pieces among the lanes' addresses; a natural access lies in one
//   wavefronts  shared memory has 32 banks of 4 bytes. Lanes of 8 bytes go by halves of the warp, lanes of 16
//               by quarters. Within a part the depth is the largest number of different words of one bank;
//               the same word is read once for all. Two neighbouring parts go as one when every lane shares
//               its address with its neighbour at distance 1, or every lane with that at distance 2.
// Checked against the profiler's counters by tests/gpu/computed.py and, lane by lane on a processor, by
// tests/runner/warp_test.c, which defines WD_LANES and the functions that stand in for the hardware's.

typedef unsigned long long wd_u64;
enum { WD_COPIES = 16, WD_FIELDS = 4 }; // of each counter, chosen by SM, against queues at one address

#ifndef WD_LANES
#define WD_CALL extern "C" __device__ __noinline__ void
#define WD_INSIDE static __device__ __forceinline__
WD_INSIDE unsigned lanes_here() { return __activemask(); }
WD_INSIDE unsigned ballot(unsigned mask, bool yes) { return __ballot_sync(mask, yes); }
WD_INSIDE unsigned equals(unsigned mask, wd_u64 key) { return __match_any_sync(mask, key); }
WD_INSIDE unsigned bits(unsigned mask) { return __popc(mask); }
WD_INSIDE unsigned lane_number()
{
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

static __device__ wd_u64 *wd_counts;     // [copy][site][field], behind them one word: the time was up
static __device__ unsigned wd_sites;
static __device__ wd_u64 wd_until;       // of %globaltimer

WD_INSIDE wd_u64 nanoseconds()
{
    wd_u64 t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

WD_INSIDE volatile wd_u64 *stop_word() { return wd_counts + (wd_u64)WD_COPIES * wd_sites * WD_FIELDS; }

WD_INSIDE bool is_over(unsigned mask) { return ballot(mask, *stop_word() != 0) != 0; }

WD_INSIDE void add(unsigned mask, unsigned site, unsigned touches, unsigned extra)
{
    unsigned sm;
    if ((mask & ((1u << lane_number()) - 1)) != 0 || site >= wd_sites)
        return;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    wd_u64 *c = wd_counts + ((wd_u64)(sm % WD_COPIES) * wd_sites + site) * WD_FIELDS;
    atomicAdd(c, 1ull);
    atomicAdd(c + 1, (wd_u64)bits(mask));
    atomicAdd(c + 2, (wd_u64)touches);
    if (extra)
        atomicAdd(c + 3, (wd_u64)extra);
    if (nanoseconds() > wd_until)
        *stop_word() = 1;
}

// Run by one thread before the copy. Past the limit nothing is counted any more, so that the copy ends.
extern "C" __global__ void wd_count_begin(wd_u64 *where, unsigned n, wd_u64 limit_ns)
{
    wd_counts = where;
    wd_sites = n;
    wd_until = nanoseconds() + limit_ns;
}

WD_INSIDE bool is_shared(wd_u64 address)
{
    unsigned yes;
    asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(yes) : "l"(address));
    return yes;
}
WD_INSIDE bool is_local(wd_u64 address)
{
    unsigned yes;
    asm("{ .reg .pred p; isspacep.local p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(yes) : "l"(address));
    return yes;
}
WD_INSIDE wd_u64 shared_offset(wd_u64 address)
{
    wd_u64 offset;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(offset) : "l"(address));
    return offset;
}
#endif

// ---- one warp's request ----

// The lowest of the lanes that have the same key.
WD_INSIDE bool is_first(unsigned mask, wd_u64 key)
{
    return (equals(mask, key) & ((1u << lane_number()) - 1)) == 0;
}

WD_INSIDE unsigned sectors(unsigned mask, wd_u64 address)
{
    return bits(ballot(mask, is_first(mask, address / 32)));
}

// The largest value below 64 among the lanes `among`.
WD_INSIDE unsigned largest(unsigned mask, unsigned among, unsigned value)
{
    unsigned most = 0, left = among;
    for (int bit = 5; bit >= 0; bit--) {
        unsigned having = ballot(mask, (value >> bit & 1) != 0) & left;
        if (having) {
            left = having;
            most |= 1u << bit;
        }
    }
    return most;
}

// Lanes whose neighbour at that distance takes part with another address.
WD_INSIDE unsigned strangers(unsigned mask, unsigned same, unsigned distance)
{
    unsigned neighbour = lane_number() ^ distance;
    return ballot(mask, (mask >> neighbour & 1) != 0 && (same >> neighbour & 1) == 0);
}

// The part of the warp that a lane goes with, when lanes of `unit` bytes go by parts of 128 / unit lanes.
WD_INSIDE unsigned part_of(unsigned mask, wd_u64 word, unsigned lanes)
{
    unsigned part = lane_number() / lanes, pair = part / 2 * 2;
    if (lanes == 32)
        return 0;
    unsigned same = equals(mask, word), near = strangers(mask, same, 1), far = strangers(mask, same, 2);
    unsigned both = lanes == 16 ? ~0u : 0xffffu << pair * lanes;
    return (near & both) == 0 || (far & both) == 0 ? pair : part;
}

// Passes through shared memory of lanes that reach `lanes` a part; *parts: how many there would be without conflicts.
WD_INSIDE unsigned passes(unsigned mask, wd_u64 word, unsigned lanes, unsigned part, unsigned *parts)
{
    unsigned firsts = ballot(mask, is_first(mask, word | (wd_u64)part << 60));
    unsigned depth = bits(equals(mask, (word & (lanes - 1)) | (wd_u64)part << 60) & firsts), sum = 0;
    *parts = 0;
    for (unsigned i = 0; i < 32 / lanes; i++) {
        unsigned among = ballot(mask, part == i);
        if (among) {
            sum += largest(mask, among, depth);
            ++*parts;
        }
    }
    return sum;
}

WD_INSIDE void count_shared(unsigned mask, wd_u64 address, unsigned site, unsigned width)
{
    unsigned unit = width < 4 ? 4 : width > 16 ? 16 : width, parts;
    wd_u64 word = address / unit;
    unsigned sum = passes(mask, word, 128 / unit, part_of(mask, word, 128 / unit), &parts);
    add(mask, site, sum, sum - parts);
}

// ---- what the copy calls: the address, the number of the place, bytes a lane, and whether the lane takes part ----

WD_CALL wd_count_global(wd_u64 address, unsigned site, unsigned width, unsigned on)
{
    unsigned mask = ballot(lanes_here(), on != 0);
    (void)width;
    if (!on || is_over(mask))
        return;
    add(mask, site, sectors(mask, address), 0);
}

WD_CALL wd_count_shared(wd_u64 address, unsigned site, unsigned width, unsigned on)
{
    unsigned mask = ballot(lanes_here(), on != 0);
    if (!on || is_over(mask))
        return;
    count_shared(mask, address, site, width);
}

WD_CALL wd_count_local(wd_u64 address, unsigned site, unsigned width, unsigned on)
{
    unsigned mask = ballot(lanes_here(), on != 0);
    (void)address, (void)width;
    if (!on || is_over(mask))
        return;
    add(mask, site, 0, 0);
}

// Rows of 16 bytes, eight a matrix: lanes 0 to 7 name those of the first, and so on; width is the number of matrices.
WD_CALL wd_count_matrix(wd_u64 address, unsigned site, unsigned width, unsigned on)
{
    unsigned here = ballot(lanes_here(), on != 0), mask = here & (width >= 4 ? ~0u : (1u << 8 * width) - 1), parts;
    if (!on || is_over(here) || (mask >> lane_number() & 1) == 0)
        return;
    unsigned sum = passes(mask, address / 16, 8, lane_number() / 8, &parts);
    add(mask, site, sum, sum - parts);
}

// Where an address belongs is known only now: the places after `site` are those of global, shared and local memory.
WD_CALL wd_count_generic(wd_u64 address, unsigned site, unsigned width, unsigned on)
{
    unsigned mask = ballot(lanes_here(), on != 0);
    if (!on || is_over(mask))
        return;
    unsigned in_shared = ballot(mask, is_shared(address)), in_local = ballot(mask, is_local(address));
    unsigned lane = 1u << lane_number();
    if (in_shared & lane)
        count_shared(in_shared, shared_offset(address), site + 1, width);
    else if (in_local & lane)
        add(in_local, site + 2, 0, 0);
    else
        add(mask & ~in_shared & ~in_local, site, sectors(mask & ~in_shared & ~in_local, address), 0);
}

/* The arithmetic of device/instrument.cu, run lane by lane on the processor: 32 threads meet
 * wherever the lanes of a warp compare notes. Sectors, wavefronts and conflicts of patterns whose
 * figures are known from NVIDIA's hardware. */
#include <pthread.h>

#include "tests/unit.h"

enum { LANES = 32, SITES = 3 };

static pthread_barrier_t meeting;
static _Thread_local unsigned this_lane;
static unsigned long long said[LANES];
static unsigned present[LANES];  /* the mask that each lane came with */
static unsigned active;          /* lanes that run */
static int
    strangers_met; /* lanes named in a mask that were elsewhere: on a GPU, a hang or nonsense */
static struct { unsigned n, lanes, touches, extra; } seen[SITES];

/* Every lane comes, also one that has left the function: it brings an empty mask till all are
 * through. */
static void meet(unsigned mask, unsigned long long value)
{
    said[this_lane] = value;
    present[this_lane] = mask;
    pthread_barrier_wait(&meeting);
}

static unsigned gather(unsigned mask, unsigned long long value, bool equal)
{
    unsigned result = 0;
    meet(mask, value);
    for (unsigned i = 0; i < LANES; i++)
        if ((mask >> i & 1) && present[i] != mask)
            __atomic_fetch_add(&strangers_met, 1, __ATOMIC_RELAXED);
        else if ((mask >> i & 1) && (equal ? said[i] == value : said[i] != 0))
            result |= 1u << i;
    pthread_barrier_wait(&meeting);
    return result;
}

typedef unsigned long long wd_u64;
#define WD_LANES
#define WD_CALL static void
#define WD_INSIDE static
static unsigned lanes_here(void) { return active; }
static unsigned ballot(unsigned mask, bool yes) { return gather(mask, yes, false); }
static unsigned equals(unsigned mask, wd_u64 key) { return gather(mask, key, true); }
static unsigned bits(unsigned mask) { return (unsigned)__builtin_popcount(mask); }
static unsigned lane_number(void) { return this_lane; }
static bool is_over(unsigned mask) { (void)mask; return false; }
static bool is_shared(wd_u64 address) { return address >> 32 == 1; }
static bool is_local(wd_u64 address) { return address >> 32 == 2; }
static wd_u64 shared_offset(wd_u64 address) { return address & 0xffffffff; }
static void add(unsigned mask, unsigned site, unsigned touches, unsigned extra)
{
    if ((mask & ((1u << this_lane) - 1)) == 0) {
        seen[site].n++;
        seen[site].lanes += bits(mask);
        seen[site].touches += touches;
        seen[site].extra += extra;
    }
}
#include "kernels/runner/device/instrument.cu"

typedef void (*counting)(wd_u64 address, unsigned site, unsigned width, unsigned on);
struct warp {
    counting call;
    wd_u64 address[LANES];
    unsigned width, on;    /* on: lanes whose predicate holds */
};
struct lane { const struct warp *warp; unsigned number; };

/* Lanes that are through go on meeting the others until nobody brings a mask. */
static void *run_lane(void *arg)
{
    const struct lane *l = arg;
    const struct warp *w = l->warp;
    this_lane = l->number;
    if (active >> this_lane & 1)
        w->call(w->address[this_lane], 0, w->width, w->on >> this_lane & 1);
    for (bool anybody = true; anybody;) {
        meet(0, 0);
        anybody = false;
        for (int i = 0; i < LANES; i++)
            anybody = anybody || present[i] != 0;
        pthread_barrier_wait(&meeting);
    }
    return NULL;
}

static void run_warp(const struct warp *w, unsigned lanes)
{
    pthread_t threads[LANES];
    struct lane lane[LANES];
    active = lanes;
    for (int i = 0; i < SITES; i++)
        seen[i].n = seen[i].lanes = seen[i].touches = seen[i].extra = 0;
    assert_int_equal(pthread_barrier_init(&meeting, NULL, LANES), 0);
    for (unsigned i = 0; i < LANES; i++) {
        lane[i] = (struct lane){w, i};
        assert_int_equal(pthread_create(&threads[i], NULL, run_lane, &lane[i]), 0);
    }
    for (int i = 0; i < LANES; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&meeting);
    assert_int_equal(strangers_met, 0);
}

static unsigned touches_of(counting call, unsigned width, unsigned lanes,
                           unsigned (*place)(unsigned lane))
{
    struct warp w = {.call = call, .width = width, .on = ~0u};
    for (unsigned i = 0; i < LANES; i++)
        w.address[i] = 4096 + (wd_u64)place(i) * (call == wd_count_matrix ? 16 : width);
    run_warp(&w, lanes);
    assert_int_equal(seen[0].n, 1);
    return seen[0].touches;
}

static unsigned same(unsigned lane) { return lane; }
static unsigned none(unsigned lane) { (void)lane; return 0; }
static unsigned pairs(unsigned lane) { return lane / 2; }
static unsigned twice(unsigned lane) { return 2 * lane; }
static unsigned by_8(unsigned lane) { return 8 * lane; }
static unsigned by_16(unsigned lane) { return 16 * lane; }
static unsigned by_32(unsigned lane) { return 32 * lane; }
static unsigned by_33(unsigned lane) { return 33 * lane; }
static unsigned after_one(unsigned lane) { return lane + 1; }
static unsigned by_9(unsigned lane) { return 9 * lane; }

static void sectors_are_distinct_pieces_of_32_bytes(void **state)
{
    assert_int_equal(touches_of(wd_count_global, 4, ~0u, same), 4);
    assert_int_equal(touches_of(wd_count_global, 4, ~0u, after_one), 5);
    assert_int_equal(touches_of(wd_count_global, 8, ~0u, same), 8);
    assert_int_equal(touches_of(wd_count_global, 16, ~0u, same), 16);
    assert_int_equal(touches_of(wd_count_global, 4, ~0u, none), 1);
    assert_int_equal(touches_of(wd_count_global, 4, ~0u, twice), 8);
    assert_int_equal(touches_of(wd_count_global, 4, ~0u, by_33), 32);
    assert_int_equal(touches_of(wd_count_global, 1, ~0u, same), 1);
    assert_int_equal(touches_of(wd_count_global, 4, 0xf, same), 1);
}

static void wavefronts_are_the_deepest_bank(void **state)
{
    assert_int_equal(touches_of(wd_count_shared, 4, ~0u, same), 1);
    assert_int_equal(touches_of(wd_count_shared, 4, ~0u, none), 1);
    assert_int_equal(touches_of(wd_count_shared, 4, ~0u, twice), 2);
    assert_int_equal(touches_of(wd_count_shared, 4, ~0u, by_32), 32);
    assert_int_equal(seen[0].extra, 31);
    assert_int_equal(touches_of(wd_count_shared, 4, ~0u, by_33), 1);
    assert_int_equal(touches_of(wd_count_shared, 4, 0xff, by_32), 8);
    assert_int_equal(touches_of(wd_count_shared, 1, ~0u, same), 1);
    assert_int_equal(touches_of(wd_count_shared, 2, ~0u, pairs), 1);
}

static void wide_lanes_go_by_parts(void **state)
{
    assert_int_equal(touches_of(wd_count_shared, 8, ~0u, same), 2);
    assert_int_equal(seen[0].extra, 0);
    assert_int_equal(touches_of(wd_count_shared, 8, ~0u, pairs), 1);
    assert_int_equal(touches_of(wd_count_shared, 8, ~0u, none), 1);
    assert_int_equal(touches_of(wd_count_shared, 8, ~0u, twice), 4);
    assert_int_equal(touches_of(wd_count_shared, 8, ~0u, by_16), 32);
    assert_int_equal(seen[0].extra, 30);
    assert_int_equal(touches_of(wd_count_shared, 8, 0xffff, same), 1);
    assert_int_equal(touches_of(wd_count_shared, 16, ~0u, same), 4);
    assert_int_equal(touches_of(wd_count_shared, 16, ~0u, by_8), 32);
    assert_int_equal(touches_of(wd_count_shared, 16, 0xff, same), 1);
}

static void a_matrix_has_eight_rows(void **state)
{
    assert_int_equal(touches_of(wd_count_matrix, 4, ~0u, same), 4);
    assert_int_equal(touches_of(wd_count_matrix, 4, ~0u, by_8), 32);
    assert_int_equal(touches_of(wd_count_matrix, 4, ~0u, by_9), 4);
    assert_int_equal(touches_of(wd_count_matrix, 1, ~0u, by_8), 8);
    assert_int_equal(seen[0].extra, 7);
}

/* Lanes whose predicate is false, and lanes that are not there, take no part. */
static void only_taking_part_counts(void **state)
{
    struct warp w = {.call = wd_count_global, .width = 4, .on = 0xffff0001};
    for (unsigned i = 0; i < LANES; i++)
        w.address[i] = 4096 + 32 * i;
    run_warp(&w, 0x0fffffff);
    assert_true(seen[0].n == 1 && seen[0].lanes == 13 && seen[0].touches == 13);
    w.call = wd_count_local;
    run_warp(&w, 0x0fffffff);
    assert_true(seen[0].n == 1 && seen[0].lanes == 13);
    w.on = 0;
    run_warp(&w, ~0u);
    assert_int_equal(seen[0].n, 0);
}

static void an_address_tells_its_memory(void **state)
{
    struct warp w = {.call = wd_count_generic, .width = 4, .on = ~0u};
    for (wd_u64 i = 0; i < LANES; i++)
        w.address[i] = i < 8 ? 4096 + 4 * i : i < 24 ? (1ull << 32) + 128 * i : 2ull << 32;
    run_warp(&w, ~0u);
    assert_true(seen[0].n == 1 && seen[0].lanes == 8 && seen[0].touches == 1);
    assert_true(seen[1].n == 1 && seen[1].lanes == 16 && seen[1].touches == 16 &&
                seen[1].extra == 15);
    assert_true(seen[2].n == 1 && seen[2].lanes == 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors_are_distinct_pieces_of_32_bytes),
        cmocka_unit_test(wavefronts_are_the_deepest_bank),
        cmocka_unit_test(wide_lanes_go_by_parts),
        cmocka_unit_test(a_matrix_has_eight_rows),
        cmocka_unit_test(only_taking_part_counts),
        cmocka_unit_test(an_address_tells_its_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

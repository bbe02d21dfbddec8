/* Which figures of a purchase come first: of made evidence for each probe, a sweep, an exhibit. */
#include "scenarios/play/headline.h"

#include "scenarios/evidence/exhibit_table.h"
#include "tests/scenarios/toy.h"
#include "tests/unit.h"

enum { MOST = 6 };
struct made { const char *metric; double value; };

static void add_all(struct evidence *e, int variant, const struct made *made)
{
    for (int k = 0; made[k].metric; k++)
        toy_metric(e, (int)metric_find(made[k].metric)->probe, "a", variant, made[k].metric,
                   made[k].value);
}

/* "label value, label value", or with the brief words. */
static char *told(const struct toy *t, const char *probe, const struct evidence *e,
                  const struct msg_device *device, int most, bool brief)
{
    struct headline list[MOST];
    int n = headlines_of(list, most, &t->variant, probe, e, device);
    char *all = text_dup("");
    for (int k = 0; k < n; k++) {
        char *more = text_format("%s%s%s %s", all, k ? ", " : "",
                                 brief ? list[k].brief : list[k].label, list[k].value);
        free(all);
        all = more;
    }
    return all;
}

static void expect(const struct toy *t, const char *probe, const struct evidence *e, int most,
                   bool brief, const char *text)
{
    char *all = told(t, probe, e, &t->device, most, brief);
    assert_string_equal(all, text);
    free(all);
}

static void what_decides_comes_first(void **state)
{
    static const struct { const char *probe, *text; struct made made[8];
    } rows[] = {
        {"timing",
         "time 8.00 µs, share of the copy rate 12 %",
         {{"sm_clock", 1.9e9}, {"time", 8e-6}}},
        {"dram",
         "DRAM busy 97 %, DRAM bytes 6.00 MB (1.50 x the compelled), L2 hit rate 3 %",
         {{"dram_read_bytes", 4e6},
          {"l2_hit", 0.03},
          {"dram_bytes", 6e6},
          {"dram_fraction", 0.97}}},
        {"memory",
         "sectors per store request 32, sectors per load request 4, L1 hit rate 6 %",
         {{"atomic_sectors", 0},
          {"l1_hit", 0.06},
          {"load_sectors_per_request", 4},
          {"store_sectors_per_request", 32}}},
        {"shared",
         "wavefronts per shared load 32, wavefronts per shared store 1, bank conflicts 900",
         {{"bank_conflicts", 900}, {"shared_store_wavefronts", 1}, {"shared_load_wavefronts", 32}}},
        {"stalls",
         "barrier 40 of 51 cycles, global or local memory 6 cycles, fixed latency 3 cycles, branch "
         "target 0.5 cycles",
         {{"stall_branch_resolving", 0.5},
          {"stall_wait", 3},
          {"stall_selected", 1},
          {"stall_barrier", 40},
          {"stall_long_scoreboard", 6},
          {"stall_total", 51}}},
        {"pipes",
         "special-function pipe 90 %, issue slots used 38 %, double-precision pipe 23 %, integer "
         "and logic pipe 13 %",
         {{"issue_active", 0.38},
          {"alu_busy", 0.13},
          {"fma_busy", 0.06},
          {"xu_busy", 0.9},
          {"fp64_busy", 0.23},
          {"tensor_busy", 0}}},
        {"verify",
         "bytes written outside 12, wrong elements 3, largest difference 0.5",
         {{"compared_elements", 1e6},
          {"max_error", 0.5},
          {"wrong_elements", 3},
          {"canaries_broken", 12},
          {"faults", 0}}},
        {"verify",
         "wrong elements 0",
         {{"compared_elements", 1e6}, {"max_error", 0}, {"faults", 0}, {"wrong_elements", 0}}},
        {"repeat",
         "same bits as the first launch 18 of 20, largest spread in ULP 7",
         {{"repeats", 20}, {"ulp_spread", 7}, {"identical_repeats", 18}}},
        {"lines",
         "line 28 41 % of the samples",
         {{"samples", 5000}, {"top_line_share", 0.41}, {"top_line", 28}}},
        {"resources",
         "theoretical occupancy 50 %, registers per thread 64, local memory per thread 96 B, waves "
         "2.1",
         {{"waves", 2.1},
          {"blocks", 400},
          {"registers", 64},
          {"shared_bytes", 0},
          {"local_bytes", 96},
          {"occupancy_limit", 0.5}}},
        {"source", "", {{NULL, 0}}},
    };
    struct toy *t = toy_new();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct evidence *e = toy_empty(rows[k].probe);
        add_all(e, -1, rows[k].made);
        expect(t, rows[k].probe, e, MOST, false, rows[k].text);
        evidence_free(e);
    }
    expect(t, "timing", NULL, MOST, false, "");
    t->story.kind = "pipeline";         /* counters are of one launch, the compelled bytes of all */
    struct evidence *e = toy_empty("dram");
    add_all(e, -1, (const struct made[]){{"dram_bytes", 6e6}, {NULL, 0}});
    expect(t, "dram", e, MOST, false, "DRAM bytes 6.00 MB");
    evidence_free(e);
    toy_free(t);
}

static void two_fit_among_the_moves(void **state)
{
    struct toy *t = toy_new();
    struct evidence *stalls = toy_empty("stalls"), *memory = toy_empty("memory");
    add_all(stalls, -1,
            (const struct made[]){{"stall_wait", 3},
                                  {"stall_long_scoreboard", 600},
                                  {"stall_total", 610},
                                  {NULL, 0}});
    add_all(memory, -1,
            (const struct made[]){{"l1_hit", 0.1},
                                  {"load_sectors_per_request", 4},
                                  {"store_sectors_per_request", 32},
                                  {NULL, 0}});
    expect(t, "stalls", stalls, 2, true, "long_scoreboard 600 of 610 cycles, wait 3 cycles");
    expect(t, "memory", memory, 2, true, "stores 32, loads 4");
    expect(t, "memory", memory, 1, true, "stores 32");
    evidence_free(stalls);
    evidence_free(memory);
    toy_free(t);
}

/* Of the roofs the nearest stands first; beyond what multiply-adds reach it is the tensor cores'
 * roof; without a device there is none. */
static void a_time_is_held_against_the_roofs(void **state)
{
    static const struct { const char *flops, *text; } rows[] = {
        {"0", "time 8.00 µs, share of the copy rate 12 %"},
        {"4e6", "time 8.00 µs, share of the copy rate 12 %"},
        {"2e8", "time 8.00 µs, share of the FMA roof 50 %, share of the copy rate 12 %"},
        {"8e8", "time 8.00 µs, share of the tensor roof 25 %, share of the copy rate 12 %"},
    };
    struct msg_number ceilings[] = {{.name = "copy", .unit = "B/s", .value = 4e12},
                                    {.name = "fma", .unit = "flop/s", .value = 50e12},
                                    {.name = "tensor", .unit = "flop/s", .value = 400e12}};
    struct toy *t = toy_new();
    struct evidence *e = toy_evidence("timing");
    t->device.ceilings = ceilings;
    t->device.n_ceilings = 3;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        formula_free(t->story.work_flops.f);
        t->story.work_flops = toy_expr(rows[k].flops);
        expect(t, "timing", e, MOST, false, rows[k].text);
    }
    char *alone = told(t, "timing", e, NULL, MOST, false);
    assert_string_equal(alone, "time 8.00 µs");
    free(alone);
    evidence_free(e);
    toy_free(t);
}

static void steps_from_the_first_to_the_last(void **state)
{
    size_t n;
    const struct standard *standards = standard_table(&n);
    struct toy *t = toy_new();
    for (size_t k = 0; k < n; k++)
        if (!strcmp(standards[k].id, "registers"))
            t->experiment = (struct experiment){.id = "registers",
                                                .title = "Registers",
                                                .kind = EXPERIMENT_STANDARD,
                                                .shop = SHOP_EXPERIMENT,
                                                .measure = PROBE_TIMING,
                                                .n_steps = standards[k].n_steps,
                                                .standard = &standards[k],
                                                .vary = -1};
    struct evidence *e = toy_empty("registers");
    toy_metric(e, PROBE_TIMING, "a", 0, "time", 1e-3);
    toy_metric(e, PROBE_TIMING, "a", 1, "time", 2e-3);
    toy_metric(e, PROBE_TIMING, "a", 3, "time", 8e-3);
    expect(t, "registers", e, MOST, false,
           "no cap: 1.000 ms, 128: 2.000 ms, 64: n/a, 32: 8.000 ms");
    expect(t, "registers", e, 2, true, "no cap: 1.000 ms, 32: 8.000 ms");
    evidence_free(e);
    toy_free(t);
}

static void an_exhibit_says_where_the_most_is(void **state)
{
    struct err err = {0};
    struct pack *pack;
    struct recording *r = NULL;
    struct evidence *e = NULL;
    struct headline list[MOST];
    if (pack_open(&pack, "tests/packs/cases", &err))
        fail_msg("%s", err.text);
    const struct variant *v = pack->stories[0].variants[0];
    if (exhibits_recording(&r, v, &err) || exhibits_recall(&e, v, r, "waits", &err))
        fail_msg("%s", err.text);
    assert_int_equal(headlines_of(list, MOST, v, "waits", e, NULL), 1);
    assert_string_equal(list[0].value, "2 to 4.133 ms (rank 3)");
    evidence_free(e);
    recording_free(r);
    pack_free(pack);
}

static void what_counts_wrong_results(void **state)
{
    assert_true(headline_is_wrong("wrong_elements") && headline_is_wrong("race_hazards"));
    assert_false(headline_is_wrong("time") || headline_is_wrong("max_error") ||
                 headline_is_wrong("nothing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_decides_comes_first),
        cmocka_unit_test(two_fit_among_the_moves),
        cmocka_unit_test(a_time_is_held_against_the_roofs),
        cmocka_unit_test(steps_from_the_first_to_the_last),
        cmocka_unit_test(an_exhibit_says_where_the_most_is),
        cmocka_unit_test(what_counts_wrong_results),
    };
    return cmocka_run_group_tests_name("headline", tests, NULL, NULL);
}

#include "scenarios/check/checker_bought.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/recordings.h"
#include "scenarios/play/ideal.h"
#include "scenarios/evidence/request.h"

static void buy(struct bought *b, const char *probe)
{
    struct evidence *e = NULL;
    if (b->scope.n_bought == MOST_BOUGHT)
        return;
    if (!strcmp(probe, "source"))
        e = request_source(b->v, &b->r->device);
    else if (request_recall(&e, b->v, b->r, probe, NULL))
        return;
    b->list[b->scope.n_bought++] = e;
}

static void buy_everything(struct bought *b)
{
    size_t n;
    const struct probe *table = probe_table(&n);
    for (size_t i = 0; i < n; i++)
        if ((table[i].wire >= 0 && table[i].id != SHOP_EXPERIMENT) || table[i].id == SHOP_SOURCE)
            buy(b, table[i].name);
    for (int x = 0; x < b->v->story->n_experiments; x++)
        buy(b, b->v->story->experiments[x].id);
}

int bought_open(struct bought *out, const struct variant *v, const struct recording *r, bool whole,
                struct err *err)
{
    struct evidence *all = NULL;
    int rc = whole ? request_fresh(v, r, err) : 0;
    if (rc == 0)
        rc = request_recall_all(&all, v, r, err);
    if (rc)
        return rc;
    *out = (struct bought){.v = v,
                           .r = r,
                           .all = all,
                           .other = other_gpu_find(v, r->device.name)};
    out->scope = (struct scope){.story = v->story,
                                .device = &r->device,
                                .bought = out->list,
                                .all = all,
                                .other = out->other};
    buy_everything(out);
    out->holds = mem_new((size_t)v->n_readings, sizeof *out->holds);
    ideal_flags(v, &out->scope, out->holds);
    return 0;
}

void bought_close(struct bought *b)
{
    for (int i = 0; i < b->scope.n_bought; i++)
        evidence_free(b->list[i]);
    evidence_free(b->all);
    other_gpu_free(b->other);
    free(b->holds);
    *b = (struct bought){0};
}

int bought_each(const struct variant *v, void (*fn)(void *ctx, const struct bought *b), void *ctx)
{
    struct recording **recordings = NULL;
    struct bought b;
    int n = 0, fresh = 0;
    if (recordings_of(v, &recordings, &n, NULL))
        return 0;
    for (int i = 0; i < n; i++)
        if (bought_open(&b, v, recordings[i], true, NULL) == 0) {
            fn(ctx, &b);
            bought_close(&b);
            fresh++;
        }
    recordings_free(recordings, n);
    return fresh;
}

static const struct msg_number large[] = {
    {"compute", "1", 9.0},        {"sm_count", "1", 132},
    {"l2_bytes", "B", 52428800},  {"smem_block_optin", "B", 232448},
    {"smem_sm", "B", 233472},     {"regs_sm", "1", 65536},
    {"threads_sm", "1", 2048},    {"warps_sm", "1", 64},
    {"blocks_sm", "1", 32},       {"warp_size", "1", 32},
    {"clock_hz", "Hz", 1.98e9},   {"mem_clock_hz", "Hz", 3.2e9},
    {"bus_bits", "1", 6144},      {"mem_bytes", "B", 1.4e11},
    {"dram_peak", "B/s", 4.9e12}, {"fp64_ratio", "1", 2},
};

struct msg_device checker_large_gpu(void)
{
    return (struct msg_device){.name = "a large GPU",
                               .attributes = (struct msg_number *)(uintptr_t)large,
                               .n_attributes = sizeof large / sizeof *large};
}

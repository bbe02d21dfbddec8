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
    int rc = whole ? request_recall_fresh(&all, v, r, err) : request_recall_all(&all, v, r, err);
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

/* ---- all recordings ---- */

/* A variant's; `fresh` of them are open. */
struct shelved { struct recording **recordings; int n; struct bought *open; int fresh; bool asked; };
struct shelf { const struct story *s; struct shelved *of; };

static void shelved_open(struct shelved *k, const struct variant *v)
{
    k->asked = true;
    if (recordings_of(v, &k->recordings, &k->n, NULL))
        return;
    k->open = mem_new((size_t)k->n, sizeof *k->open);
    for (int i = 0; i < k->n; i++)
        k->fresh += bought_open(&k->open[k->fresh], v, k->recordings[i], true, NULL) == 0;
}

static void shelved_close(struct shelved *k)
{
    for (int i = 0; i < k->fresh; i++)
        bought_close(&k->open[i]);
    free(k->open);
    recordings_free(k->recordings, k->n);
}

struct shelf *shelf_new(const struct story *s)
{
    struct shelf *shelf = mem_new(1, sizeof *shelf);
    *shelf = (struct shelf){s, mem_new((size_t)s->n_variants, sizeof *shelf->of)};
    return shelf;
}

void shelf_free(struct shelf *s)
{
    for (int i = 0; s && i < s->s->n_variants; i++)
        shelved_close(&s->of[i]);
    if (s)
        free(s->of);
    free(s);
}

static struct shelved *of_variant(struct shelf *shelf, const struct variant *v)
{
    for (int i = 0; shelf && i < shelf->s->n_variants; i++)
        if (shelf->s->variants[i] == v) {
            if (!shelf->of[i].asked)
                shelved_open(&shelf->of[i], v);
            return &shelf->of[i];
        }
    return NULL;
}

const struct bought *shelf_find(struct shelf *shelf, const struct variant *v, const char *slug)
{
    const struct shelved *k = of_variant(shelf, v);
    const struct bought *found = NULL;
    int n = 0;
    for (int i = 0; k && i < k->n; i++)
        n += !strcmp(k->recordings[i]->device.slug, slug);
    for (int i = 0; n == 1 && i < k->fresh; i++)
        if (!strcmp(k->open[i].r->device.slug, slug))
            found = &k->open[i];
    return found;
}

int bought_each(struct shelf *shelf, const struct variant *v,
                void (*fn)(void *ctx, const struct bought *b), void *ctx)
{
    struct shelved own = {0}, *k = of_variant(shelf, v);
    if (!k)
        shelved_open(k = &own, v);
    for (int i = 0; i < k->fresh; i++)
        fn(ctx, &k->open[i]);
    int fresh = k->fresh;
    if (k == &own)
        shelved_close(k);
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

/* GPUs that are known without one being there. Memory is what the driver reports where a source
 * has it, else the data sheet's, GB taken as 1e9 bytes, of which a driver leaves a little less or
 * more. Limits of an SM belong to the compute capability and stand once. The tables of drills
 * (content/tables) have what people quote; a test holds what both have against each other. */
#include "scenarios/evidence/gpus.h"

#include <stdio.h>
#include <string.h>

#include "kernels/wire/message.h"
#include "kernels/wire/text.h"

/* CUDA C++ Programming Guide, technical specifications per compute capability; the ratio is that
 * of its table of arithmetic throughput. Every SM has 65536 registers, every warp 32 lanes. */
static const struct sm { double compute, smem_block, smem, threads, warps, blocks, fp64_ratio;
} sms[] = {
    {7.0, 98304, 98304, 2048, 64, 32, 2},     {7.5, 65536, 65536, 1024, 32, 16, 32},
    {8.0, 166912, 167936, 2048, 64, 32, 2},   {8.6, 101376, 102400, 1536, 48, 16, 64},
    {8.9, 101376, 102400, 1536, 48, 24, 64},  {9.0, 232448, 233472, 2048, 64, 32, 2},
    {10.0, 232448, 233472, 2048, 64, 32, 2},  {12.0, 101376, 102400, 1536, 48, 24, 64},
};

enum { MI = 1 << 20 };
static const struct row {
    struct gpu gpu;
    double sm_count, l2, memory, clock, memory_clock, bus;
} rows[] = {
    {{"tesla-v100-sxm2-16gb", "Tesla V100-SXM2-16GB",
      "NVIDIA V100 data sheet and Volta white paper (80 SMs, 6 MB of L2, 900 GB/s)", 7.0},
     80, 6 * MI, 16e9, 1530e6, 877e6, 4096},
    {{"tesla-t4", "Tesla T4", "deviceQuery on a T4 (driver 11.0); NVIDIA T4 data sheet", 7.5},
     40, 4 * MI, 15843721216, 1590e6, 5001e6, 256},
    {{"nvidia-a100-sxm4-40gb", "NVIDIA A100-SXM4-40GB",
      "deviceQuery in bottlerocket-os/bottlerocket#3873 and samridh-dev/votess#10", 8.0},
     108, 40 * MI, 42298834944, 1410e6, 1215e6, 5120},
    {{"nvidia-a100-sxm4-80gb", "NVIDIA A100-SXM4-80GB",
      "NVIDIA A100 data sheet (2039 GB/s); memory and L2 of an 80 GB A100 in ekondis/mixbench#47",
      8.0},
     108, 40 * MI, 81049. * MI, 1410e6, 1593e6, 5120},
    {{"nvidia-a10", "NVIDIA A10", "NVIDIA A10 data sheet and GA102 white paper (600 GB/s)", 8.6},
     72, 6 * MI, 24e9, 1695e6, 6251e6, 384},
    {{"nvidia-geforce-rtx-3090", "NVIDIA GeForce RTX 3090", "NVIDIA GA102 white paper", 8.6},
     82, 6 * MI, 24e9, 1695e6, 9751e6, 384},
    {{"nvidia-l4", "NVIDIA L4", "NVIDIA L4 data sheet and Ada white paper (300 GB/s)", 8.9},
     58, 48 * MI, 24e9, 2040e6, 6251e6, 192},
    {{"nvidia-geforce-rtx-4090", "NVIDIA GeForce RTX 4090", "NVIDIA Ada white paper", 8.9},
     128, 72 * MI, 24e9, 2520e6, 10501e6, 384},
    {{"nvidia-l40s", "NVIDIA L40S", "NVIDIA L40S data sheet and Ada white paper (864 GB/s)", 8.9},
     142, 96 * MI, 48e9, 2520e6, 9001e6, 384},
    {{"nvidia-h100-pcie", "NVIDIA H100 PCIe",
      "NVIDIA H100 data sheet and Hopper white paper (114 SMs, 50 MB of L2, 2 TB/s)", 9.0},
     114, 50 * MI, 80e9, 1755e6, 1593e6, 5120},
    {{"nvidia-h100-80gb-hbm3", "NVIDIA H100 80GB HBM3",
      "attributes as recorded with the shipped packs", 9.0},
     132, 50 * MI, 85017493504, 1980e6, 2619e6, 5120},
    {{"nvidia-h200", "NVIDIA H200", "attributes as recorded with the shipped packs", 9.0},
     132, 60 * MI, 150109880320, 1980e6, 3201e6, 6016},
    {{"nvidia-b200", "NVIDIA B200",
      "attributes that a driver reports, in pytorch/ao#4002; clock: NVIDIA Blackwell data sheet",
      10.0},
     148, 126.5 * MI, 178.35 * 1024 * MI, 1965e6, 3996e6, 7680},
    {{"nvidia-geforce-rtx-5090", "NVIDIA GeForce RTX 5090",
      "deviceQuery in NVIDIA/nccl#1637; clock: NVIDIA RTX Blackwell white paper", 12.0},
     170, 96 * MI, 33680457728, 2407e6, 14001e6, 512},
    {{"nvidia-rtx-pro-6000-blackwell-workstation-edition",
      "NVIDIA RTX PRO 6000 Blackwell Workstation Edition",
      "NVIDIA RTX PRO 6000 Blackwell data sheet and RTX Blackwell PRO white paper (1792 GB/s)",
      12.0},
     188, 128 * MI, 96e9, 2617e6, 14001e6, 512},
};
enum { ROWS = sizeof rows / sizeof *rows };

const struct gpu *gpu_row(int i)
{
    return i < ROWS ? &rows[i].gpu : NULL;
}

/* Has the slug all parts of the name in their order? a100-40 is nvidia-a100-sxm4-40gb. */
static bool has_parts(const char *slug, const char *name)
{
    char part[64];
    for (; slug && *name; name += *name == '-') {
        size_t n = strcspn(name, "-");
        if (n >= sizeof part)
            return false;
        snprintf(part, sizeof part, "%.*s", (int)n, name);
        slug = strstr(slug, part);
        slug = slug ? slug + n : NULL;
        name += n;
    }
    return slug != NULL;
}

/* Is it the whole slug, or all of it behind the maker's name? */
static bool is_called(const char *slug, const char *name)
{
    const char *rest = strchr(slug, '-');
    return !strcmp(slug, name) || (rest && !strcmp(rest + 1, name));
}

/* Lists those that the name may mean; all, where it means none. */
static int refuse(const char *name, int several, struct err *err)
{
    char list[1024] = "";
    size_t len = 0;
    for (int i = 0; i < ROWS; i++)
        if (!several || has_parts(rows[i].gpu.slug, name))
            len += (size_t)snprintf(list + len, sizeof list - len, "%s%s", len ? ", " : "",
                                    rows[i].gpu.slug);
    return err_set(err, ERR_MISSING,
                   "'%s' names %s; one of these, or parts that one alone has, was expected: %s",
                   name, several ? "several GPUs" : "no GPU whose attributes are known", list);
}

const struct gpu *gpu_find(const char *name, struct err *err)
{
    const struct gpu *found = NULL;
    int n = 0;
    for (int i = 0; i < ROWS; i++) {
        if (is_called(rows[i].gpu.slug, name))
            return &rows[i].gpu;
        if (has_parts(rows[i].gpu.slug, name)) {
            found = &rows[i].gpu;
            n++;
        }
    }
    if (n != 1)
        refuse(name, n, err);
    return n == 1 ? found : NULL;
}

/* Behind the words that all of a maker's GPUs have. */
static const char *behind_maker(const char *slug)
{
    static const char *const makers[] = {"nvidia-", "tesla-", "geforce-"};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (!strncmp(slug, makers[i], strlen(makers[i])))
            slug += strlen(makers[i]);
    return slug;
}

void gpu_short(char out[GPU_NAME_MOST], const char *slug)
{
    const char *name = behind_maker(slug);
    size_t n = strcspn(name, "-");
    for (; name[n]; n += 1 + strcspn(name + n + 1, "-")) {
        struct err err;
        snprintf(out, GPU_NAME_MOST, "%.*s", (int)n, name);
        const struct gpu *found = strpbrk(out, "0123456789") ? gpu_find(out, &err) : NULL;
        if (found && !strcmp(found->slug, slug))
            return;
    }
    snprintf(out, GPU_NAME_MOST, "%s", gpu_find(name, &(struct err){0}) ? name : slug);
}

const struct gpu *gpu_least(double compute)
{
    for (int i = 0; i < ROWS; i++)
        if (rows[i].gpu.compute >= compute)
            return &rows[i].gpu;
    return NULL;
}

static void add(struct msg_device *d, const char *name, const char *unit, double value)
{
    struct msg_number *n = &d->attributes[d->n_attributes++];
    snprintf(n->name, sizeof n->name, "%s", name);
    snprintf(n->unit, sizeof n->unit, "%s", unit);
    n->value = value;
}

static void add_limits(struct msg_device *d, double compute)
{
    const struct sm *sm = sms;
    while (sm->compute < compute)
        sm++;
    add(d, "compute", "1", sm->compute);
    add(d, "smem_block_optin", "B", sm->smem_block);
    add(d, "smem_sm", "B", sm->smem);
    add(d, "regs_sm", "1", 65536);
    add(d, "threads_sm", "1", sm->threads);
    add(d, "warps_sm", "1", sm->warps);
    add(d, "blocks_sm", "1", sm->blocks);
    add(d, "warp_size", "1", 32);
    add(d, "fp64_ratio", "1", sm->fp64_ratio);
}

void gpu_attributes(struct msg_device *out, const struct gpu *g)
{
    enum { ATTRIBUTES = 17, BITS = 8, EDGES = 2 };
    const struct row *r = rows;
    while (&r->gpu != g)
        r++;
    *out = (struct msg_device){.attributes = mem_new(ATTRIBUTES, sizeof *out->attributes)};
    snprintf(out->name, sizeof out->name, "%s", g->name);
    snprintf(out->slug, sizeof out->slug, "%s", g->slug);
    add_limits(out, g->compute);
    add(out, "sm_count", "1", r->sm_count);
    add(out, "l2_bytes", "B", r->l2);
    add(out, "mem_bytes", "B", r->memory);
    add(out, "clock_hz", "Hz", r->clock);
    add(out, "mem_clock_hz", "Hz", r->memory_clock);
    add(out, "bus_bits", "1", r->bus);
    add(out, "dram_peak", "B/s", EDGES * r->memory_clock * r->bus / BITS);
    add(out, "gpus", "1", CAP_RANKS); /* a host's, not the GPU's: as many as anybody may ask for */
}

#include "kernels/runner/limits.h"

#include <math.h>
#include <stdio.h>

/* Per SM and clock, from NVIDIA's white papers and data sheets. narrow: how many times the f16 rate
 * the narrowest dense type has: int4 up to 8.9 (four times), fp8 on 9.0, fp4 from 10.0 on (10.3 has
 * more of it). */
static const struct { int arch, lanes, tensor, narrow;
} chips[] = {
    {75, 64, 1024, 4},   {80, 64, 2048, 4},   {86, 128, 1024, 4},  {87, 128, 2048, 4},
    {88, 128, 2048, 4},  {89, 128, 1024, 4},  {90, 128, 4096, 2},  {100, 128, 8192, 4},
    {103, 128, 8192, 8}, {110, 128, 8192, 4}, {120, 128, 1024, 4}, {121, 128, 1024, 4},
};
enum { CACHES_MATTER = 4 }; /* footprints below so many times L2 */

struct limits limits_of(const struct gpu_facts *f)
{
    struct limits out = {.dram = f->dram_peak};
    double clocks = f->clock_hz * f->sm_count;
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++)
        if (chips[i].arch == 10 * f->major + f->minor) {
            out.fma = 2 * chips[i].lanes * clocks;
            out.tensor = chips[i].tensor * clocks;
            out.fastest = chips[i].narrow * out.tensor;
        }
    return out;
}

static double shortest_by_bytes(const struct gpu_facts *f, const struct limits_work *w)
{
    double l2 = (double)f->l2_bytes, crossing = w->bytes - fmin(w->written, l2);
    if (!w->cold || l2 <= 0 || w->footprint < CACHES_MATTER * l2 || f->dram_peak <= 0)
        return 0;
    return fmax(0, crossing / f->dram_peak);
}

double limits_shortest(const struct gpu_facts *f, const struct limits_work *w, char *why,
                       size_t size)
{
    struct limits peak = limits_of(f);
    double bytes = shortest_by_bytes(f, w), flops = peak.fastest > 0 ? w->flops / peak.fastest : 0;
    why[0] = '\0';
    if (bytes > 0 && bytes >= flops)
        snprintf(why, size, "%.4g bytes cannot cross DRAM's peak of %.4g GB/s in less than %.4g us",
                 w->bytes, peak.dram / 1e9, bytes * 1e6);
    else if (flops > 0)
        snprintf(why, size, "%.4g flops take the fastest pipe (%.4g Tflop/s) at least %.4g us",
                 w->flops, peak.fastest / 1e12, flops * 1e6);
    return fmax(bytes, flops);
}

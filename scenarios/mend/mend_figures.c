#include "scenarios/mend/mend_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* ---- the assembler's words ---- */

/* The number right before `words` between the two places; 0: they are not said. */
static int number_before(const char *from, const char *end, const char *words)
{
    size_t n = strlen(words);
    for (const char *at = from; at + n <= end; at++) {
        if (strncmp(at, words, n))
            continue;
        const char *digit = at;
        int value = 0, unit = 1;
        while (digit > from && digit[-1] >= '0' && digit[-1] <= '9' && unit <= 100000000) {
            value += (*--digit - '0') * unit;
            unit *= 10;
        }
        return value;
    }
    return 0;
}

bool mend_figures_read(struct mend_figures *out, const char *log, const char *kernel)
{
    static const char begin[] = "Compiling entry function";
    char *wanted = text_format("%s '%s'", begin, kernel);
    const char *from = log ? strstr(log, wanted) : NULL;
    *out = (struct mend_figures){0};
    if (from) {
        const char *next = strstr(from + strlen(wanted), begin), *end = next ? next
                                                                            : from + strlen(from);
        out->registers = number_before(from, end, " registers");
        out->stack = number_before(from, end, " bytes stack frame");
        out->spill_stores = number_before(from, end, " bytes spill stores");
        out->spill_loads = number_before(from, end, " bytes spill loads");
        out->shared = number_before(from, end, " bytes smem");
    }
    free(wanted);
    return from && out->registers > 0;
}

/* ---- an SM ---- */

static double device_number(const struct msg_device *d, const char *name)
{
    double value = 0;
    return msg_device_number(d, name, &value) ? value : 0;
}

static void take_limit(double blocks, const char *what, double *least, const char **limit)
{
    if (blocks >= *least)
        return;
    *least = blocks;
    *limit = what;
}

/* Registers are given out by the warp, 256 at a time, from the quarter of the SM in which it runs;
 * shared memory 128 bytes at a time, and from compute capability 8.0 on each block has 1 KiB more.
 */
double mend_occupancy(const char **limit, const struct mend_figures *f, const struct msg_launch *l,
                      const struct msg_device *d)
{
    enum { QUARTERS = 4, CHUNK = 256, LINE = 128, OWN = 1024 };
    double warps_sm = device_number(d, "warps_sm"), regs = device_number(d, "regs_sm"),
           smem = device_number(d, "smem_sm"), blocks = device_number(d, "blocks_sm");
    double threads = (double)l->block[0] * l->block[1] * l->block[2], warps = ceil(threads / 32);
    double own = device_number(d, "compute") >= 8 ? OWN : 0;
    if (warps_sm <= 0 || regs <= 0 || smem <= 0 || blocks <= 0 || f->registers <= 0)
        return -1;
    double of_warp = ceil(f->registers * 32.0 / CHUNK) * CHUNK,
           of_block = ceil((f->shared + l->shared + own) / LINE) * LINE;
    double least = blocks;
    *limit = "blocks";
    take_limit(floor(warps_sm / warps), "warps", &least, limit);
    take_limit(floor(floor(regs / QUARTERS / of_warp) * QUARTERS / warps), "registers", &least,
               limit);
    if (of_block > 0)
        take_limit(floor(smem / of_block), "shared memory", &least, limit);
    return least * warps / warps_sm;
}

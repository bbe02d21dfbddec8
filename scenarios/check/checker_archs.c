#include "scenarios/check/checker_archs.h"

#include <stdlib.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/names.h"

/* Architectures of GPUs that are sold for this work: T4 and RTX 20, A100, A10 and RTX 30, L4, L40S
 * and RTX 40, H100 and H200, B200, B300, RTX 50 and RTX PRO. Left out are those of embedded boards
 * (87, 88, 101, 110) and of one workstation (121), for which the same code is made as for a
 * neighbour here, and what the newest NVRTC has dropped (70, 72). */
static const int products[ARCHS_MOST] = {75, 80, 86, 89, 90, 100, 103, 120};

enum { FIRST_ARCH = 75 };

static int needed(const struct story *s, const struct msg_device *device)
{
    int64_t *values = mem_new((size_t)s->n_params, sizeof *values);
    struct quantity need = {.value = FIRST_ARCH / 10.0};
    if (s->needs_compute.f && size_params(s, device, -1, 0, values, NULL) == 0)
        size_value(s, device, values, &s->needs_compute, &need, NULL);
    free(values);
    return need.value > 0 && need.value < 100 ? (int)(need.value * 10 + 0.5) : FIRST_ARCH;
}

void archs_choose(struct archs *out, const struct story *s, const struct msg_device *device)
{
    int least = needed(s, device);
    out->n = 0;
    for (int i = 0; i < ARCHS_MOST && !s->needs_exact; i++)
        if (products[i] >= least)
            out->list[out->n++] = products[i];
    if (out->n == 0)
        out->list[out->n++] = least;
}

int archs_of(const struct msg_device *device)
{
    double compute = 0;
    msg_device_number(device, "compute", &compute);
    return (int)(compute * 10 + 0.5);
}

unsigned archs_bit(const struct archs *a, int arch)
{
    for (int i = 0; i < a->n; i++)
        if (a->list[i] == arch)
            return 1u << i;
    return 0;
}

unsigned archs_all(const struct archs *a)
{
    return (1u << a->n) - 1;
}

unsigned archs_outer(unsigned known, unsigned own)
{
    return known ? 1u << __builtin_ctz(known) | 1u << (31 - __builtin_clz(known)) | (own & known)
                 : 0;
}

int archs_first_without(const struct archs *a, unsigned bad, unsigned tried)
{
    unsigned good = tried & ~bad;
    bool older = bad && good > bad && !(bad & ~((good & -good) - 1));
    return older ? a->list[__builtin_ctz(good)] : 0;
}

char *archs_name(const struct archs *a, unsigned these, unsigned tried)
{
    int of[ARCHS_MOST], n = 0;
    char *out = NULL;
    for (int i = 0; i < a->n; i++)
        if (these >> i & 1)
            of[n++] = a->list[i];
    if (these == tried && n > 1)
        return text_format("sm_%d to sm_%d", of[0], of[n - 1]);
    for (int i = 0; i < n; i++) {
        const char *between = i == 0 ? "" : i == n - 1 ? " and " : ", ";
        char *longer = text_format("%s%ssm_%d", out ? out : "", between, of[i]);
        free(out);
        out = longer;
    }
    return out ? out : text_dup("no architecture");
}

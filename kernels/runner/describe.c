#include "kernels/runner/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/ceilings.h"
#include "kernels/runner/computed.h"
#include "kernels/runner/limits.h"
#include "kernels/runner/links_kept.h"
#include "kernels/runner/origin.h"
#include "kernels/runner/sanitize.h"
#include "kernels/runner/software.h"
#include "kernels/wire/text.h"

static void add_number(struct msg_number **list, int *n, const char *name, const char *unit,
                       double value)
{
    *list = mem_grow(*list, (size_t)*n + 1, sizeof **list);
    struct msg_number *m = &(*list)[(*n)++];
    *m = (struct msg_number){.value = value};
    snprintf(m->name, sizeof m->name, "%s", name);
    snprintf(m->unit, sizeof m->unit, "%s", unit);
}

static void add_attributes(struct msg_device *d, const struct gpu_facts *f)
{
    const struct { const char *name, *unit; double value; } list[] = {
        {"compute", "1", f->major + f->minor / 10.0},
        {"sm_count", "1", f->sm_count},
        {"l2_bytes", "B", (double)f->l2_bytes},
        {"smem_block_optin", "B", f->smem_block_optin},
        {"smem_sm", "B", f->smem_sm},
        {"regs_sm", "1", f->regs_sm},
        {"threads_sm", "1", f->threads_sm},
        {"warps_sm", "1", f->warp_size ? f->threads_sm / f->warp_size : 0},
        {"blocks_sm", "1", f->blocks_sm},
        {"warp_size", "1", f->warp_size},
        {"clock_hz", "Hz", f->clock_hz},
        {"mem_clock_hz", "Hz", f->mem_clock_hz},
        {"bus_bits", "1", f->bus_bits},
        {"mem_bytes", "B", (double)f->mem_bytes},
        {"dram_peak", "B/s", f->dram_peak},
        {"fp64_ratio", "1", f->fp64_ratio},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].value > 0) /* 0: the driver does not say */
            add_number(&d->attributes, &d->n_attributes, list[i].name, list[i].unit, list[i].value);
}

static struct msg_tier *add_tier(struct msg_device *d, enum wire_probe p)
{
    d->tiers = mem_grow(d->tiers, (size_t)d->n_tiers + 1, sizeof *d->tiers);
    struct msg_tier *t = &d->tiers[d->n_tiers++];
    *t = (struct msg_tier){.probe = p, .ok = true};
    return t;
}

static void refuse_tier(struct msg_tier *t, const char *missing, const char *say,
                        const char *remedy)
{
    t->ok = false;
    t->missing = text_dup(missing);
    t->say = text_dup(say);
    t->remedy = remedy ? text_dup(remedy) : NULL;
}

/* It works, but not by the hardware's counters; the remedy is for those. */
static void tell_computed(struct msg_tier *t, const struct err *why)
{
    t->say = text_format("computed in a copy of the kernel, since: %s", why->text);
    t->remedy = why->remedy ? text_dup(why->remedy) : NULL;
}

/* Without NVRTC nothing can be compiled, so nothing can be measured. */
static int add_tiers(struct msg_device *d, struct task *t, struct counters *c,
                     const struct describe_options *o, struct err *err)
{
    struct err why = {.code = 0}, no_tool;
    bool compiler = o->nvrtc && *o->nvrtc;
    int refused = counters_prove(c, t, &why);
    if (t->gpu->lost || refused == ERR_CANCELLED || refused == ERR_LOST || refused == ERR_TIMEOUT)
        return err_copy(err, &why);
    for (int p = 0; p < PROBE_COUNT; p++) {
        struct msg_tier *tier = add_tier(d, (enum wire_probe)p);
        if (!compiler)
            refuse_tier(tier, "compiler", o->nvrtc_say ? o->nvrtc_say : "NVRTC is not there",
                        o->nvrtc_remedy);
        else if (refused && computed_serves((enum wire_probe)p))
            tell_computed(tier, &why);
        else if (refused && counters_serve((enum wire_probe)p))
            refuse_tier(tier, err_name(why.code), why.text, why.remedy);
        else if (p == PROBE_SANITIZE && sanitize_prove(&no_tool))
            refuse_tier(tier, err_name(no_tool.code), no_tool.text, no_tool.remedy);
        else if (p == PROBE_SASS && !software_has("nvdisasm"))
            tier->say = text_dup("as PTX, for nvdisasm is not installed");
    }
    return 0;
}

static void add_peaks(struct msg_device *d, const struct gpu_facts *f)
{
    struct limits l = limits_of(f);
    const struct { const char *name, *unit; double value;
    } list[] = {
        {"peak_dram", "B/s", l.dram},
        {"peak_fma", "flop/s", l.fma},
        {"peak_tensor", "flop/s", l.tensor},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].value > 0)
            add_number(&d->ceilings, &d->n_ceilings, list[i].name, list[i].unit, list[i].value);
}

static int add_ceilings(struct msg_device *d, struct task *t, struct bench *b, struct health *h,
                        const char *how, struct err *err)
{
    struct ceilings c;
    bool known = strcmp(how, "cached") == 0 && ceilings_load(&c, t->gpu, health_driver(h));
    if (strcmp(how, "measure") == 0) {
        int rc = ceilings_measure(&c, t, b, err);
        if (rc)
            return rc;
        ceilings_store(&c, t->gpu, health_driver(h));
        known = true;
    }
    for (int i = 0; known && i < CEILING_COUNT; i++)
        if (c.value[i] > 0)
            add_number(&d->ceilings, &d->n_ceilings, ceiling_name((enum ceiling)i),
                       ceiling_unit((enum ceiling)i), c.value[i]);
    add_peaks(d, &t->gpu->facts);
    return 0;
}

static void add_software(struct msg_device *d, const struct gpu *g, struct counters *c,
                         struct health *h, const struct describe_options *options)
{
    if (*health_driver(h))
        snprintf(d->driver, sizeof d->driver, "%.31s", health_driver(h));
    else
        snprintf(d->driver, sizeof d->driver, "CUDA %d.%d", g->facts.driver / 1000,
                 g->facts.driver % 1000 / 10);
    snprintf(d->nvrtc, sizeof d->nvrtc, "%s", options->nvrtc ? options->nvrtc : "");
    snprintf(d->cupti, sizeof d->cupti, "%s", counters_version(c));
    software_add(d, options->gpus);
}

static void add_throttle(struct msg_device *d, struct health *h)
{
    const char *names[8];
    int n = health_throttle(h, names, 8);
    d->throttle = mem_new((size_t)n + 1, sizeof *d->throttle);
    for (int i = 0; i < n; i++)
        d->throttle[d->n_throttle++] = text_dup(names[i]);
}

int describe_send(struct task *t, struct bench *b, struct counters *c, struct health *h,
                  const struct describe_options *options, struct err *err)
{
    const struct gpu_facts *f = &t->gpu->facts;
    struct msg_device d = {.id = t->id};
    int rc;
    snprintf(d.name, sizeof d.name, "%s", f->name);
    snprintf(d.slug, sizeof d.slug, "%s", f->slug);
    snprintf(d.uuid, sizeof d.uuid, "%s", f->uuid);
    origin_here(d.origin, f->uuid);
    add_attributes(&d, f);
    if (options->gpus > 1)
        add_number(&d.attributes, &d.n_attributes, "gpus", "1", options->gpus);
    if (options->gpus > 1 && strcmp(options->ceilings, "none") != 0)
        links_load(&d.links, t->gpu, 2, health_driver(h));
    if (!(rc = add_ceilings(&d, t, b, h, options->ceilings, err)) &&
        !(rc = add_tiers(&d, t, c, options, err))) {
        add_software(&d, t->gpu, c, h, options);
        add_throttle(&d, h);
        json_t *m = msg_device_encode(&d);
        rc = m ? ipc_send(t->ipc, m, NULL, 0, err)
               : err_set(err, ERR_INTERNAL, "the device could not be written as JSON");
        json_decref(m);
    }
    msg_device_free(&d);
    return rc;
}

#include "kernels/runner/resources.h"

#include <math.h>
#include <string.h>

#include "kernels/runner/plan.h"
#include "kernels/wire/text.h"

enum { LOG_LINES = CAP_NUMBERS, LINE_BYTES = 400 };

struct limits { int registers, shared, warps, blocks; };

static int limit(double available, double needed)
{
    return needed > 0 ? (int)floor(available / needed) : 1 << 20;
}

/* What each resource alone would allow. Registers are handed out to warps in units of 256, warps by
 * fours; the driver's own count (blocks_per_sm) stays the truth, this only names the tightest. */
static struct limits resource_limits(const struct gpu_facts *f, int threads, int registers,
                                     double shared)
{
    int warps = (threads + f->warp_size - 1) / f->warp_size;
    double per_warp = ceil(registers * (double)f->warp_size / 256) * 256;
    int warps_by_registers = per_warp > 0 ? (int)floor(f->regs_sm / per_warp) / 4 * 4 : 1 << 20;
    return (struct limits){.registers = warps_by_registers / warps,
                           .shared = limit(f->smem_sm, shared > 0 ? shared + f->smem_reserved : 0),
                           .warps = f->threads_sm / f->warp_size / warps, .blocks = f->blocks_sm};
}

static const char *tightest(const struct limits *l)
{
    int least = l->warps;
    const char *name = "warps";
    if (l->registers < least) {
        least = l->registers;
        name = "registers";
    }
    if (l->shared < least) {
        least = l->shared;
        name = "shared memory";
    }
    return l->blocks < least ? "blocks" : name;
}

static int read_attribute(struct gpu *g, cu_function f, int which, double *out, struct err *err)
{
    int value = 0, rc = GPU(g, err, cuFuncGetAttribute, &value, which, f);
    *out = value;
    return rc;
}

/* None at all of a block that does not fit, whatever the driver calls that. */
static int read_residency(struct gpu *g, cu_function f, int threads, size_t dynamic, int *per_sm,
                          struct err *err)
{
    int rc = GPU(g, err, cuOccupancyMaxActiveBlocksPerMultiprocessor, per_sm, f, threads, dynamic);
    if (rc != ERR_LAUNCH)
        return rc;
    *per_sm = 0;
    return 0;
}

static int add_resources(struct task *t, const struct msg_launch *m, cu_function f,
                         const struct image *image, struct msg_part *p, struct err *err)
{
    struct gpu *g = t->gpu;
    double registers, fixed, local, constant;
    int per_sm = 0, rc, threads = (int)(m->block[0] * m->block[1] * m->block[2]);
    if ((rc = read_attribute(g, f, CU_FUNC_REGS, &registers, err)) ||
        (rc = read_attribute(g, f, CU_FUNC_SHARED, &fixed, err)) ||
        (rc = read_attribute(g, f, CU_FUNC_LOCAL, &local, err)) ||
        (rc = read_attribute(g, f, CU_FUNC_CONST, &constant, err)) ||
        (rc = read_residency(g, f, threads, m->shared, &per_sm, err)))
        return rc;
    double blocks = (double)m->grid[0] * m->grid[1] * m->grid[2], shared = fixed + m->shared;
    double warps = (threads + g->facts.warp_size - 1) / g->facts.warp_size;
    struct limits l = resource_limits(&g->facts, threads, (int)registers, shared);
    size_t code = image_code_bytes(image, m->kernel);
    part_value(p, "registers", registers);
    part_value(p, "shared_bytes", shared);
    part_value(p, "local_bytes", local);
    part_value(p, "const_bytes", constant);
    part_value(p, "threads_per_block", threads);
    part_value(p, "blocks", blocks);
    part_value(p, "blocks_per_sm", per_sm);
    part_value(p, "occupancy_limit", per_sm * warps / (g->facts.threads_sm / g->facts.warp_size));
    if (per_sm)
        part_value(p, "waves", blocks / ((double)per_sm * g->facts.sm_count));
    else
        part_missing(p, "waves", "unsupported: not even one block fits on a multiprocessor");
    if (code)
        part_value(p, "code_bytes", (double)code);
    else
        part_missing(p, "code_bytes", "unsupported: the driver compiled this kernel from PTX");
    part_note(p, "limiter: %s", tightest(&l));
    return 0;
}

int resources_measure(struct task *t, struct buffers *base, const struct msg_item *item,
                      const char *run, struct err *err)
{
    const struct msg_run *r = msg_run_find(msg_shape_of(t->measure, item->variant), run);
    struct plan plan;
    bool runs = r && r->n_launches > 1; /* to find the longest */
    int at = 0, rc = runs ? plan_new(&plan, t, item->variant, run, base, err)
                          : plan_new_as_is(&plan, t, item->variant, run, base, err);
    if (rc)
        return rc;
    struct msg_part *p = task_part_new(t, PROBE_RESOURCES, run, item->variant);
    if (!(rc = plan_longest(&plan, t, &at, err))) {
        const struct msg_launch *m = &r->launches[at];
        rc = add_resources(t, m, plan_function(&plan, at),
                           images_find(t->images, m->source, item->variant), p, err);
        if (r->n_launches > 1)
            part_note(p, "of launch %d of %d, the longest: %s", at + 1, r->n_launches, m->kernel);
    }
    plan_free(&plan);
    if (rc) {
        task_part_free(p);
        return rc;
    }
    return task_part_send(t, p, err);
}

/* One line of text into the part; blanks at its ends go. */
static void add_text_line(struct msg_part *p, const char *line, size_t len)
{
    char text[LINE_BYTES + 1];
    while (len && (line[len - 1] == ' ' || line[len - 1] == '\r' || line[len - 1] == '\t'))
        len--;
    if (len > LINE_BYTES)
        len = LINE_BYTES;
    memcpy(text, line, len);
    text[len] = '\0';
    if (len && p->n_lines < LOG_LINES)
        part_line(p, "%s", text);
}

/* The compiler's log, without the time it took: the same build must give the same evidence. */
static void add_log(struct msg_part *p, const char *text)
{
    while (text && *text) {
        size_t len = strcspn(text, "\n");
        const char *time = strstr(text, "Compile time");
        if (!time || time >= text + len)
            add_text_line(p, text, len);
        text += len + (text[len] == '\n');
    }
}

/* The sources that a run uses, each once, in the order of its launches. */
static int run_sources(const struct msg_run *r, const char **ids)
{
    int n = 0;
    for (int i = 0; i < r->n_launches; i++) {
        int k = 0;
        if (r->launches[i].transfer.kind)
            continue;
        while (k < n && strcmp(ids[k], r->launches[i].source) != 0)
            k++;
        if (k == n && n < CAP_SOURCES)
            ids[n++] = r->launches[i].source;
    }
    return n;
}

typedef void (*describe_image)(const struct task *t, const struct image *image, struct msg_part *p);

static int send_images(struct task *t, const struct msg_item *item, enum wire_probe probe,
                       const char *run, describe_image describe, struct err *err)
{
    const struct msg_run *r = msg_run_find(msg_shape_of(t->measure, item->variant), run);
    const char *ids[CAP_SOURCES];
    if (!r)
        return err_set(err, ERR_BAD_REQUEST, "there is no run %s", run);
    struct msg_part *p = task_part_new(t, probe, run, item->variant);
    int n = run_sources(r, ids);
    for (int i = 0; i < n; i++) {
        const struct image *image = images_find(t->images, ids[i], item->variant);
        if (image)
            describe(t, image, p);
    }
    return task_part_send(t, p, err);
}

static void describe_build(const struct task *t, const struct image *image, struct msg_part *p)
{
    const struct gpu_facts *f = &t->gpu->facts;
    part_line(p, "source %s: machine code for sm_%d%d, %s", image->source, f->major, f->minor,
              image->cubin && !image->given ? "by NVRTC" : "by the driver from PTX");
    part_line(p, "driver supports CUDA %d.%d", f->driver / 1000, f->driver % 1000 / 10);
    add_log(p, image->log);
}

int resources_build(struct task *t, const struct msg_item *item, const char *run, struct err *err)
{
    return send_images(t, item, PROBE_BUILD, run, describe_build, err);
}

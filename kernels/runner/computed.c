#include "kernels/runner/computed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/instrument.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

#define FULL_LANES 31.5

enum { COPY_LIMIT_MS = 10000, REGISTERS_MOST = 255 };

bool computed_serves(enum wire_probe probe)
{
    return probe == PROBE_MEMORY || probe == PROBE_SHARED;
}

/* One instrumented copy at work. */
struct copy {
    struct task *task;
    struct plan *plan;
    const struct msg_launch *launch;
    int at;                      /* the launch's number */
    struct instrumented text;
    cu_module module;
    cu_function begin, kernel;
    const struct image *image;
    int local_bytes;             /* a thread's, in the original */
    cu_ptr counts;
    uint64_t *seen;              /* counts, brought back */
    size_t words;
};

/* ---- making it ---- */

static int load_copy(struct copy *c, struct err *err)
{
    struct gpu *g = c->task->gpu;
    unsigned threads = c->launch->block[0] * c->launch->block[1] * c->launch->block[2];
    uintptr_t registers =
        threads ? (uintptr_t)(g->facts.regs_sm / (int)threads / 8 * 8) : REGISTERS_MOST;
    int options[] = {CU_JIT_REGISTERS};
    void *values[] = {
        (void *)(registers < REGISTERS_MOST && registers >= 16 ? registers : REGISTERS_MOST)};
    int rc = GPU(g, err, cuModuleLoadDataEx, &c->module, c->text.ptx, 1, options, values);
    if (rc || (rc = GPU(g, err, cuModuleGetFunction, &c->begin, c->module, "wd_count_begin")))
        return rc;
    return GPU(g, err, cuModuleGetFunction, &c->kernel, c->module, c->launch->kernel);
}

static int make_copy(struct copy *c, int variant, struct err *err)
{
    struct gpu *g = c->task->gpu;
    const char *library = images_instrument(c->task->images);
    int rc;
    c->image = images_find(c->task->images, c->launch->source, variant);
    if (!c->image || !c->image->ptx || !library)
        return err_set(err, ERR_UNSUPPORTED, "the compiler gave no PTX to instrument");
    if ((rc = GPU(g, err, cuFuncGetAttribute, &c->local_bytes, CU_FUNC_LOCAL,
                  plan_function(c->plan, c->at))) ||
        (rc = instrument_rewrite(&c->text, c->image->ptx, library, err)) ||
        (rc = load_copy(c, err)))
        return rc;
    c->words = (size_t)c->text.n_sites * COUNT_COPIES * COUNT_FIELDS + 1;
    c->seen = mem_new(c->words, sizeof *c->seen);
    if ((rc = GPU(g, err, cuMemAlloc_v2, &c->counts, c->words * sizeof *c->seen)) ||
        (rc = GPU(g, err, cuMemsetD8Async, c->counts, 0, c->words * sizeof *c->seen, g->stream)))
        return rc;
    return plan_replace(c->plan, g, c->at, c->kernel, err);
}

static void free_copy(struct copy *c)
{
    struct gpu *g = c->task->gpu;
    if (c->counts && !g->lost)
        GPU(g, NULL, cuMemFree_v2, c->counts);
    if (c->module && !g->lost)
        GPU(g, NULL, cuModuleUnload, c->module);
    instrument_free(&c->text);
    free(c->seen);
}

/* ---- running it ---- */

static int run_copy(struct copy *c, struct buffers *buffers, struct err *err)
{
    struct task *t = c->task;
    struct gpu *g = t->gpu;
    int64_t left = (t->until - os_monotonic_ms()) / 2;
    uint64_t limit_ns = 1000000u * (uint64_t)(left < 1               ? 1
                                              : left < COPY_LIMIT_MS ? left
                                                                     : COPY_LIMIT_MS);
    unsigned sites = (unsigned)c->text.n_sites;
    void *args[] = {&c->counts, &sites, &limit_ns};
    int rc;
    if ((rc = buffers_restore(buffers, POISON_NAN, err)) ||
        (rc = plan_enqueue(c->plan, g, 0, c->at, err)) ||
        (rc = GPU(g, err, cuLaunchKernel, c->begin, 1, 1, 1, 1, 1, 1, 0, g->stream, args, NULL)) ||
        (rc = plan_enqueue(c->plan, g, c->at, c->at + 1, err)) || (rc = task_wait(t, err)))
        return rc;
    if ((rc = GPU(g, err, cuMemcpyDtoH_v2, c->seen, c->counts, c->words * sizeof *c->seen)))
        return rc;
    if (c->seen[c->words - 1])
        return err_set(err, ERR_TIMEOUT,
                       "the instrumented copy of %s counts too much for the time there is",
                       c->launch->kernel);
    return 0;
}

/* ---- what it says ---- */

struct sums {
    double requests, lanes, touches, extra, bytes;
};

static double field(const struct copy *c, int site, int which)
{
    double sum = 0;
    for (int copy = 0; copy < COUNT_COPIES; copy++)
        sum +=
            (double)c->seen[((size_t)copy * (size_t)c->text.n_sites + (size_t)site) * COUNT_FIELDS +
                            (size_t)which];
    return sum;
}

/* `ops` is a set of 1 << enum site_op. */
static struct sums sum_of(const struct copy *c, enum site_space space, unsigned ops)
{
    struct sums s = {0};
    for (int i = 0; i < c->text.n_sites; i++) {
        const struct site *site = &c->text.sites[i];
        if (site->space != space || !(ops >> site->op & 1))
            continue;
        s.requests += field(c, i, 0);
        s.lanes += field(c, i, 1);
        s.touches += field(c, i, 2);
        s.extra += field(c, i, 3);
        s.bytes += field(c, i, 1) * site->width;
    }
    return s;
}

static void add_ratio(struct msg_part *p, const char *name, double num, double den)
{
    if (den == 0)
        part_missing(p, name, "nothing: no such instruction was executed");
    else
        part_value(p, name, num / den);
}

/* The hardware counts copies from global to shared memory, and matrix loads, in counters of their
 * own. */
enum {
    LOADS = 1 << SITE_LOAD,
    STORES = 1 << SITE_STORE,
    ATOMICS = 1 << SITE_ATOMIC,
    GLOBAL_LOADS =
        LOADS | 1 << SITE_COPY_FROM, /* the hardware counts asynchronous copies among the loads */
    MATRIX = 1 << SITE_MATRIX_LOAD | 1 << SITE_MATRIX_STORE,
    EVERY = (1 << (SITE_MATRIX_STORE + 1)) - 1,
    LANES = EVERY & ~(1 << SITE_COPY_TO)
};

/* Whether the compiler says that it spilled nothing, in its log's lines about the kernel. */
static bool nothing_spilled(const struct copy *c)
{
    char start[160];
    unsigned stack, stored, loaded;
    snprintf(start, sizeof start, "Function properties for %s\n", c->launch->kernel);
    const char *at = c->image->log ? strstr(c->image->log, start) : NULL;
    return at &&
           sscanf(at + strlen(start),
                  " %u bytes stack frame, %u bytes spill stores, %u bytes spill loads", &stack,
                  &stored, &loaded) == 3 &&
           stored + loaded == 0;
}

static void add_local(struct msg_part *p, const struct copy *c)
{
    if (c->local_bytes && !nothing_spilled(c))
        part_missing(p, "local_instructions",
                     "unsupported: the compiler spilled registers, where the copy cannot count");
    else
        part_value(p, "local_instructions",
                   c->local_bytes ? sum_of(c, SITE_LOCAL, LOADS | STORES).requests : 0);
}

static void add_memory(struct msg_part *p, const struct copy *c)
{
    struct sums ld = sum_of(c, SITE_GLOBAL, GLOBAL_LOADS), st = sum_of(c, SITE_GLOBAL, STORES),
                all = {0};
    struct sums own = sum_of(c, SITE_GLOBAL,
                             LOADS); /* of efficiency the hardware leaves asynchronous copies out */
    for (int space = SITE_GLOBAL; space <= SITE_LOCAL; space++) {
        struct sums s = sum_of(c, (enum site_space)space, LANES);
        all.lanes += s.lanes;
        all.requests += s.requests;
    }
    add_ratio(p, "load_sectors_per_request", ld.touches, ld.requests);
    add_ratio(p, "store_sectors_per_request", st.touches, st.requests);
    part_value(p, "load_requests", ld.requests);
    part_value(p, "store_requests", st.requests);
    add_ratio(p, "load_efficiency", own.bytes, 32 * own.touches);
    add_ratio(p, "store_efficiency", st.bytes, 32 * st.touches);
    add_local(p, c);
    add_ratio(p, "active_lanes", all.lanes, all.requests);
}

static void add_shared(struct msg_part *p, const struct copy *c)
{
    struct sums ld = sum_of(c, SITE_SHARED, LOADS), st = sum_of(c, SITE_SHARED, STORES);
    part_value(p, "shared_instructions", ld.requests + st.requests);
    part_value(p, "shared_load_instructions", ld.requests);
    part_value(p, "shared_store_instructions", st.requests);
    add_ratio(p, "shared_load_wavefronts", ld.touches, ld.requests);
    add_ratio(p, "shared_store_wavefronts", st.touches, st.requests);
    part_value(p, "bank_conflicts", ld.extra + st.extra);
}

/* Where lanes of a warp go separate ways, the counting brings them together again at other places
 * than the kernel does: on an H200 requests of a divergent kernel were off by a factor of 1.7 while
 * its sectors agreed within 2 %. */
static void add_divergence(struct msg_part *p)
{
    const struct msg_value *lanes = msg_part_value(p, "active_lanes");
    if (lanes && lanes->present && lanes->value < FULL_LANES)
        part_note(p,
                  "lanes diverge (%.1f of 32 a memory instruction): figures per request are of the "
                  "copy, which divides warps otherwise",
                  lanes->value);
}

static bool goes_anywhere(const struct copy *c)
{
    for (int i = 0; i < c->text.n_sites; i++)
        if (c->text.sites[i].anywhere && field(c, i, 0) > 0)
            return true;
    return false;
}

static void add_doubts(struct msg_part *p, const struct copy *c)
{
    double matrix = sum_of(c, SITE_SHARED, MATRIX).requests;
    add_divergence(p);
    if (c->text.unseen)
        part_note(p, "not counted: %d memory instructions of other kinds in the code, the first %s",
                  c->text.unseen, c->text.unseen_name);
    if (p->probe == PROBE_SHARED && matrix > 0)
        part_note(p,
                  "%.0f loads and stores of matrices (ldmatrix, stmatrix) are in neither loads nor "
                  "stores",
                  matrix);
    if (goes_anywhere(c))
        part_note(p, "generic addresses: the hardware counts accesses by them apart from those "
                     "that name their memory");
    if (p->probe == PROBE_SHARED && c->text.shared_float_atomics)
        part_note(p,
                  "not counted: the loops that atomic additions of floats to shared memory become");
}

/* Loads or stores of a memory that stand in the kernel's own PTX. */
static int written(const struct copy *c, enum site_space space, enum site_op op)
{
    size_t n = strlen(c->launch->kernel);
    int sum = 0;
    for (int i = 0; i < c->text.n_sites; i++) {
        const struct site *s = &c->text.sites[i];
        sum += s->space == space && s->op == op && !s->anywhere && s->kernel &&
               !strncmp(s->kernel, c->launch->kernel, n) && strspn(s->kernel + n, " \t\n(") > 0;
    }
    return sum;
}

static void add_change(struct msg_part *p, const char *what, int ptx, int code)
{
    if (ptx != code)
        part_note(p,
                  "the PTX has %d %s, the machine code %d: some were merged, split, unrolled or "
                  "added, so the hardware may count otherwise",
                  ptx, what, code);
}

static void add_changes(struct msg_part *p, const struct copy *c)
{
    struct image_accesses a;
    if (!image_count_accesses(&a, c->image, c->launch->kernel))
        return;
    if (p->probe == PROBE_MEMORY) {
        add_change(p, "global loads", written(c, SITE_GLOBAL, SITE_LOAD), a.global_loads);
        add_change(p, "global stores", written(c, SITE_GLOBAL, SITE_STORE), a.global_stores);
    } else {
        add_change(p, "shared loads", written(c, SITE_SHARED, SITE_LOAD), a.shared_loads);
        add_change(p, "shared stores", written(c, SITE_SHARED, SITE_STORE), a.shared_stores);
    }
}

static void add_reason(struct msg_part *p, const struct err *why)
{
    part_note(p, "computed from an instrumented copy of the kernel, since: %.700s", why->text);
    if (why->remedy)
        part_note(p, "for the hardware's own counters: %.700s", why->remedy);
}

/* What was not computed is missing for the reason given, in the table's order. */
static void add_rest(struct msg_part *p, struct task *t, const struct err *why)
{
    size_t n;
    const struct metric *m = metric_of_probe(p->probe, &n);
    for (size_t i = 0; i < n; i++)
        if (!msg_part_value(p, m[i].name)) {
            part_missing(p, m[i].name, "%s: %.900s", err_name(why->code), why->text);
            task_refuse(t, why);
        }
}

static bool ends_request(int code, const struct gpu *g)
{
    return g->lost || code == ERR_CANCELLED || code == ERR_LOST;
}

int computed_fill(struct msg_part *p, struct task *t, struct buffers *buffers, struct plan *plan,
                  const struct err *why, struct err *err)
{
    struct copy c = {.task = t, .plan = plan};
    struct err failed = {.code = 0};
    int rc = plan_longest(plan, t, &c.at, err);
    if (rc)
        return rc;
    c.launch = &msg_run_find(msg_shape_of(t->measure, p->variant), p->run)->launches[c.at];
    task_progress(t, wire_probe_name(p->probe), 0, 0, "counting in a copy of %s", c.launch->kernel);
    rc = make_copy(&c, p->variant, &failed);
    if (!rc)
        rc = run_copy(&c, buffers, &failed);
    if (!rc) {
        snprintf(p->tier, sizeof p->tier, "computed");
        (p->probe == PROBE_MEMORY ? add_memory : add_shared)(p, &c);
        add_reason(p, why);
        add_doubts(p, &c);
        add_changes(p, &c);
        if (plan->n > 1)
            part_note(p, "of launch %d of %d, the longest", c.at + 1, plan->n);
    } else if (!ends_request(rc, t->gpu)) {
        part_note(p, "not to be computed either: %.700s", failed.text);
    }
    free_copy(&c);
    if (rc && ends_request(rc, t->gpu))
        return err_copy(err, &failed);
    add_rest(p, t, why);
    return 0;
}

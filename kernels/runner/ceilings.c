#include "kernels/runner/ceilings.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/runner/stats.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum { SAMPLES = 9, SETTLE_MS = 200, SIDE_MIN = 256 << 20 };
#define MEMORY_SHARE 0.25 /* of the free memory, for both sides together */

/* One shape of a bandwidth kernel. */
struct shape {
    enum own_kernel kernel;
    unsigned block;
    unsigned per_thread;   /* float4 of each thread; 0: grid-stride with blocks_per_sm */
    unsigned blocks_per_sm;
};
static const struct shape copies[] = {
    {OWN_COPY_ONE, 256, 1, 0},  {OWN_COPY_ONE, 512, 1, 0},  {OWN_COPY_ONE, 1024, 1, 0},
    {OWN_COPY_FOUR, 256, 4, 0}, {OWN_COPY_LOOP, 256, 0, 8}, {OWN_COPY_LOOP, 512, 0, 4},
};
static const struct shape reads[] = {
    {OWN_READ, 256, 0, 8}, {OWN_READ, 256, 0, 32}, {OWN_READ, 512, 0, 4}, {OWN_READ, 1024, 0, 2},
};

struct field {
    struct task *task;
    struct bench *bench;
    cu_ptr in, out;
    uint64_t bytes;            /* of each side */
    const struct shape *shape; /* the one being timed */
};

static int enqueue(void *arg, struct err *err)
{
    struct field *f = arg;
    struct gpu *g = f->task->gpu;
    uint64_t n = f->bytes / 16;
    unsigned grid = f->shape->per_thread
                        ? (unsigned)((n + f->shape->per_thread * f->shape->block - 1) / (f->shape->per_thread * f->shape->block))
                        : (unsigned)g->facts.sm_count * f->shape->blocks_per_sm;
    void *copy_args[] = {&f->out, &f->in, &n}, *read_args[] = {&f->in, &n, &g->scratch};
    return gpu_launch(g, f->shape->kernel, grid, f->shape->block, f->shape->kernel == OWN_READ ? read_args : copy_args, err);
}

static int sample_cold(struct field *f, double *seconds, struct err *err)
{
    struct sample s;
    int rc = bench_flush(f->bench, err);
    if (!rc)
        rc = bench_sample(f->bench, f->task, enqueue, f, &s, err);
    *seconds = rc ? 0 : s.seconds;
    return rc;
}

/* The best of the medians over the shapes, in B/s. */
static int best_rate(struct field *f, const struct shape *shapes, int n, double bytes, double *out, struct err *err)
{
    double seconds[SAMPLES];
    int rc = 0;
    *out = 0;
    for (int k = 0; k < n && !rc; k++) {
        f->shape = &shapes[k];
        rc = sample_cold(f, &seconds[0], err); /* warms up */
        for (int i = 0; i < SAMPLES && !rc; i++)
            rc = sample_cold(f, &seconds[i], err);
        double median = stats_interval(seconds, SAMPLES).median;
        if (!rc && median > 0)
            *out = fmax(*out, bytes / median);
        task_progress(f->task, "ceilings", k + 1, n, "%.0f GB/s so far", *out / 1e9);
    }
    return rc;
}

static int settle(struct field *f, struct err *err)
{
    int64_t until = os_monotonic_ms() + SETTLE_MS;
    double seconds;
    int rc = 0;
    f->shape = &copies[0];
    for (int i = 0; i < 1000 && !rc && os_monotonic_ms() < until; i++)
        rc = sample_cold(f, &seconds, err);
    return rc;
}

static int open_field(struct field *f, struct err *err)
{
    struct gpu *g = f->task->gpu;
    size_t room = 0, total = 0;
    int type = 1, uniform = 3, rc = GPU(g, err, cuMemGetInfo_v2, &room, &total); /* f32, see fill.cu */
    double lo = -1, hi = 1;
    uint64_t seed = 1, most = (uint64_t)(MEMORY_SHARE / 2 * (double)room) / 4096 * 4096;
    f->bytes = 4 * g->facts.l2_bytes > SIDE_MIN ? 4 * g->facts.l2_bytes : SIDE_MIN;
    f->bytes = f->bytes < most ? f->bytes : most;
    uint64_t count = f->bytes / 4;
    void *args[] = {&f->in, &count, &type, &uniform, &lo, &hi, &seed};
    if (rc || (rc = GPU(g, err, cuMemAlloc_v2, &f->in, f->bytes)) || (rc = GPU(g, err, cuMemAlloc_v2, &f->out, f->bytes)))
        return rc;
    return gpu_launch(g, OWN_FILL, gpu_grid(g, count), 256, args, err);
}

static void close_field(struct field *f)
{
    struct gpu *g = f->task->gpu;
    if (f->in && !g->lost)
        g->cu.cuMemFree_v2(f->in);
    if (f->out && !g->lost)
        g->cu.cuMemFree_v2(f->out);
}

int ceilings_measure(struct ceilings *out, struct task *t, struct bench *b, struct err *err)
{
    struct field f = {.task = t, .bench = b};
    int rc;
    *out = (struct ceilings){.copy = 0};
    if (!(rc = open_field(&f, err)) && !(rc = settle(&f, err)) &&
        !(rc = best_rate(&f, copies, sizeof copies / sizeof *copies, 2.0 * (double)f.bytes, &out->copy, err)) &&
        !(rc = best_rate(&f, reads, sizeof reads / sizeof *reads, (double)f.bytes, &out->read, err)))
        rc = bench_floor(b, t, true, &out->launch, err);
    close_field(&f);
    return rc;
}

/* ---- the cache ---- */

static char *cache_folder(void)
{
    const char *own = getenv("WARPDRILL_CACHE"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own && *own)
        return text_dup(own);
    if (cache && cache[0] == '/')
        return text_format("%s/warpdrill", cache);
    return home && home[0] == '/' ? text_format("%s/.cache/warpdrill", home) : NULL;
}

static char *cache_file(const struct gpu *g)
{
    char *folder = cache_folder(), *file = NULL;
    if (folder)
        file = text_format("%s/ceilings-%s-%d-m%d.json", folder, g->facts.uuid, g->facts.driver, METHOD_VERSION);
    free(folder);
    return file;
}

bool ceilings_load(struct ceilings *out, const struct gpu *g)
{
    char *file = cache_file(g);
    json_t *o = file ? json_load_file(file, JSON_REJECT_DUPLICATES, NULL) : NULL;
    bool ok = o && json_unpack(o, "{s:F, s:F, s:F}", "copy", &out->copy, "read", &out->read, "launch", &out->launch) == 0 &&
              out->copy > 0 && out->read > 0 && out->launch > 0;
    json_decref(o);
    free(file);
    return ok;
}

static void make_folders(const char *file)
{
    char *path = text_dup(file);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700); /* most are there already */
        *slash = '/';
    }
    free(path);
}

void ceilings_store(const struct ceilings *c, const struct gpu *g)
{
    char *file = cache_file(g);
    if (!file)
        return;
    make_folders(file);
    char *temporary = text_format("%s.%d", file, (int)getpid());
    json_t *o = json_pack("{s:f, s:f, s:f}", "copy", c->copy, "read", c->read, "launch", c->launch);
    if (o && json_dump_file(o, temporary, JSON_COMPACT) == 0)
        rename(temporary, file);
    else
        unlink(temporary);
    json_decref(o);
    free(temporary);
    free(file);
}

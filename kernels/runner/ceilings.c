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
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

enum {
    SAMPLES = 9,
    SETTLE_MS = 200,
    SIDE_MIN = 256 << 20,
    SIDES_OF_L2 = 8,
    L2_SHARE = 4,
    L2_PASSES = 64,
    FMA_ROUNDS = 128,
    TENSOR_ROUNDS = 256,
    CHAIN = 64
};
#define MEMORY_SHARE 0.25      /* of the free memory, for both sides together */
#define FMA_FLOPS 512.0        /* of a thread and round, see device/ceilings.cu */
#define MMA_OF_ROUND 64.0      /* of a warp and round */
#define L2_BYTES_LEAST 268435456.0

static const struct { const char *name, *unit;
} info[CEILING_COUNT] = {
    [CEILING_COPY] = {"copy", "B/s"},
    [CEILING_READ] = {"read", "B/s"},
    [CEILING_WRITE] = {"write", "B/s"},
    [CEILING_L2] = {"l2", "B/s"},
    [CEILING_FMA] = {"fma", "flop/s"},
    [CEILING_TENSOR] = {"tensor", "flop/s"},
    [CEILING_EVENT] = {"event", "s"},
    [CEILING_LAUNCH] = {"launch", "s"},
    [CEILING_LAUNCH_NEXT] = {"launch_next", "s"},
};

const char *ceiling_name(enum ceiling c)
{
    return info[c].name;
}

const char *ceiling_unit(enum ceiling c)
{
    return info[c].unit;
}

/* One way to reach for a ceiling. */
struct shape {
    enum ceiling of;
    enum own_kernel kernel;
    unsigned block;
    unsigned per_thread;    /* 16-byte elements of each thread; 0: blocks_per_sm decides the grid */
    unsigned blocks_per_sm; /* 0: as many as are resident at once */
};

/* Writes come last, for they spoil the random data that the others read. */
static const struct shape shapes[] = {
    {CEILING_COPY, OWN_COPY_ONE, 256, 1, 0},   {CEILING_COPY, OWN_COPY_ONE, 512, 1, 0},
    {CEILING_COPY, OWN_COPY_ONE, 1024, 1, 0},  {CEILING_COPY, OWN_COPY_FOUR, 256, 4, 0},
    {CEILING_COPY, OWN_COPY_LOOP, 256, 0, 8},  {CEILING_COPY, OWN_COPY_LOOP, 512, 0, 4},
    {CEILING_READ, OWN_READ, 256, 0, 8},       {CEILING_READ, OWN_READ, 256, 0, 32},
    {CEILING_READ, OWN_READ, 512, 0, 4},       {CEILING_READ, OWN_READ, 1024, 0, 2},
    {CEILING_L2, OWN_L2, 256, 0, 4},           {CEILING_L2, OWN_L2, 512, 0, 2},
    {CEILING_L2, OWN_L2, 1024, 0, 1},          {CEILING_L2, OWN_L2, 256, 0, 8},
    {CEILING_FMA, OWN_FMA, 256, 0, 0},         {CEILING_FMA, OWN_FMA, 256, 0, 4},
    {CEILING_TENSOR, OWN_TENSOR, 128, 0, 4},   {CEILING_TENSOR, OWN_TENSOR, 256, 0, 2},
    {CEILING_TENSOR, OWN_TENSOR, 256, 0, 4},   {CEILING_WRITE, OWN_WRITE_ONE, 256, 1, 0},
    {CEILING_WRITE, OWN_WRITE_ONE, 512, 1, 0}, {CEILING_WRITE, OWN_WRITE_LOOP, 256, 0, 8},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

struct field {
    struct task *task;
    struct bench *bench;
    cu_ptr data; /* two sides of `side` bytes, random; copies go from the first to the second */
    uint64_t side;
    const struct shape *shape; /* the one being timed */
};

/* 16-byte elements that a launch of the shape goes over. */
static uint64_t elements(const struct field *f)
{
    switch (f->shape->of) {
    case CEILING_WRITE: return 2 * f->side / 16; /* what stays dirty in L2 at the end weighs less */
    case CEILING_L2: return f->task->gpu->facts.l2_bytes / L2_SHARE / 16;
    default: return f->side / 16;
    }
}

static unsigned grid_of(const struct field *f)
{
    const struct gpu_facts *g = &f->task->gpu->facts;
    const struct shape *s = f->shape;
    uint64_t block = s->block, n = elements(f),
             each = s->blocks_per_sm ? s->blocks_per_sm : (uint64_t)g->threads_sm / block;
    uint64_t grid = (uint64_t)g->sm_count * each;
    if (s->per_thread)
        return (unsigned)((n + s->per_thread * block - 1) / (s->per_thread * block));
    if (s->of == CEILING_L2 && grid * block >= n) /* wd_l2 goes around at most once in a step */
        grid = (n - 1) / block;
    return grid ? (unsigned)grid : 1;
}

/* Loads of each thread of wd_l2, a multiple of four: several times around, and long enough to be
 * timed. */
static unsigned l2_loads(const struct field *f)
{
    double bytes = fmax(L2_PASSES * 16.0 * (double)elements(f), L2_BYTES_LEAST);
    return 4 * (unsigned)(bytes / 64 / ((double)grid_of(f) * f->shape->block) + 1);
}

/* Bytes or flops of one launch. */
static double work(const struct field *f)
{
    const struct gpu_facts *g = &f->task->gpu->facts;
    double threads = (double)grid_of(f) * f->shape->block,
           mma = g->major >= 8 ? 16 * 8 * 16 * 2 : 16 * 8 * 8 * 2;
    switch (f->shape->of) {
    case CEILING_COPY: return 2.0 * (double)f->side;
    case CEILING_L2: return 16.0 * threads * l2_loads(f);
    case CEILING_FMA: return FMA_FLOPS * FMA_ROUNDS * threads;
    case CEILING_TENSOR: return mma * MMA_OF_ROUND * TENSOR_ROUNDS * threads / g->warp_size;
    default: return 16.0 * (double)elements(f);
    }
}

static int enqueue(void *arg, struct err *err)
{
    struct field *f = arg;
    struct gpu *g = f->task->gpu;
    cu_ptr second = f->data + f->side;
    uint64_t n = elements(f);
    unsigned n_l2 = (unsigned)n, loads = l2_loads(f),
             rounds = f->shape->of == CEILING_FMA ? FMA_ROUNDS : TENSOR_ROUNDS;
    float a = 0.999f, b = 0.5f;
    void *copy[] = {&second, &f->data, &n}, *read[] = {&f->data, &n, &g->scratch},
         *write[] = {&f->data, &n};
    void *l2[] = {&f->data, &n_l2, &loads, &g->scratch}, *fma[] = {&a, &b, &rounds, &g->scratch};
    void *tensor[] = {&rounds, &g->scratch};
    void **const args[] = {[CEILING_COPY] = copy, [CEILING_READ] = read, [CEILING_WRITE] = write,
                           [CEILING_L2] = l2,     [CEILING_FMA] = fma,   [CEILING_TENSOR] = tensor};
    return gpu_launch(g, f->shape->kernel, grid_of(f), f->shape->block, args[f->shape->of], err);
}

/* Cold, except that the data of L2 must stay there. */
static int sample(struct field *f, double *seconds, struct err *err)
{
    struct sample s;
    int rc = f->shape->of == CEILING_L2 ? 0 : bench_flush(f->bench, err);
    if (!rc)
        rc = bench_sample(f->bench, f->task, enqueue, f, &s, err);
    *seconds = rc ? 0 : s.seconds;
    return rc;
}

static int try_shape(struct field *f, double *best, struct err *err)
{
    double seconds[SAMPLES];
    int rc = sample(f, &seconds[0], err); /* warms up */
    for (int i = 0; i < SAMPLES && !rc; i++)
        rc = sample(f, &seconds[i], err);
    double median = stats_interval(seconds, SAMPLES).median;
    if (!rc && median > 0)
        *best = fmax(*best, work(f) / median);
    return rc;
}

static int try_all(struct field *f, struct ceilings *out, struct err *err)
{
    int rc = 0;
    for (int k = 0; k < SHAPES && !rc; k++) {
        f->shape = &shapes[k];
        rc = try_shape(f, &out->value[f->shape->of], err);
        task_progress(f->task, "ceilings", k + 1, SHAPES, "%s, so far %.4g %s",
                      info[f->shape->of].name, out->value[f->shape->of], info[f->shape->of].unit);
    }
    return rc;
}

static int enqueue_chain(void *arg, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < CHAIN && !rc; i++)
        rc = gpu_launch(arg, OWN_EMPTY, 1, 1, NULL, err);
    return rc;
}

static int time_launches(struct field *f, struct ceilings *out, struct err *err)
{
    double seconds[SAMPLES], *one = &out->value[CEILING_LAUNCH];
    struct sample s = {.seconds = 0};
    int rc = bench_floor(f->bench, f->task, false, &out->value[CEILING_EVENT], err);
    if (!rc)
        rc = bench_floor(f->bench, f->task, true, one, err);
    for (int i = 0; i < SAMPLES && !rc; i++) {
        rc = bench_sample(f->bench, f->task, enqueue_chain, f->task->gpu, &s, err);
        seconds[i] = s.seconds;
    }
    if (!rc)
        out->value[CEILING_LAUNCH_NEXT] =
            (stats_interval(seconds, SAMPLES).median - *one) / (CHAIN - 1);
    return rc;
}

/* So that the clocks have risen before the first sample. */
static int settle(struct field *f, struct err *err)
{
    int64_t until = os_monotonic_ms() + SETTLE_MS;
    double seconds;
    int rc = 0;
    f->shape = &shapes[0];
    for (int i = 0; i < 1000 && !rc && os_monotonic_ms() < until; i++)
        rc = sample(f, &seconds, err);
    return rc;
}

static int open_field(struct field *f, struct err *err)
{
    struct gpu *g = f->task->gpu;
    size_t room = 0, total = 0;
    int type = 1, uniform = 3,
        rc = GPU(g, err, cuMemGetInfo_v2, &room, &total); /* f32, see fill.cu */
    double lo = -1, hi = 1;
    uint64_t seed = 1, most = (uint64_t)(MEMORY_SHARE / 2 * (double)room) / 4096 * 4096;
    f->side =
        SIDES_OF_L2 * g->facts.l2_bytes > SIDE_MIN ? SIDES_OF_L2 * g->facts.l2_bytes : SIDE_MIN;
    f->side = f->side < most ? f->side : most;
    uint64_t count = 2 * f->side / 4;
    void *args[] = {&f->data, &count, &type, &uniform, &lo, &hi, &seed};
    if (rc || (rc = GPU(g, err, cuMemAlloc_v2, &f->data, 2 * f->side)))
        return rc;
    return gpu_launch(g, OWN_FILL, gpu_grid(g, count), 256, args, err);
}

int ceilings_measure(struct ceilings *out, struct task *t, struct bench *b, struct err *err)
{
    struct field f = {.task = t, .bench = b};
    int rc;
    *out = (struct ceilings){.value = {0}};
    bench_forget_persisting(b);
    if (!(rc = open_field(&f, err)) && !(rc = settle(&f, err)) && !(rc = try_all(&f, out, err)))
        rc = time_launches(&f, out, err);
    if (f.data && !t->gpu->lost)
        GPU(t->gpu, NULL, cuMemFree_v2, f.data);
    return rc;
}

/* ---- the cache ---- */

static char *cache_folder(void)
{
    const char *own = getenv("WARPDRILL_CACHE"), *cache = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (own && *own)
        return text_format("%s/ceilings", own);
    if (cache && cache[0] == '/')
        return text_format("%s/warpdrill/ceilings", cache);
    return home && home[0] == '/' ? text_format("%s/.cache/warpdrill/ceilings", home) : NULL;
}

/* The driver as it calls itself, else the newest CUDA that it serves. */
char *ceilings_file(const struct gpu *g, const char *driver, const char *what)
{
    char *folder = cache_folder(), *file = NULL, version[32];
    if (driver[strspn(driver, "0123456789.")] || !*driver)
        snprintf(version, sizeof version, "cuda%d", g->facts.driver);
    else
        snprintf(version, sizeof version, "%s", driver);
    char *name = text_format("%s-%s-m%d%s.json", g->facts.uuid, version, METHOD_VERSION, what);
    if (folder)
        path_below(&file, folder, PATH_NAMES(name), NULL);
    free(name);
    free(folder);
    return file;
}

bool ceilings_load(struct ceilings *out, const struct gpu *g, const char *driver)
{
    char *file = ceilings_file(g, driver, "");
    json_t *o = file ? json_load_file(file, JSON_REJECT_DUPLICATES, NULL) : NULL;
    bool ok = o != NULL;
    for (int i = 0; i < CEILING_COUNT; i++) {
        out->value[i] = json_number_value(json_object_get(o, info[i].name));
        ok = ok && out->value[i] > 0;
    }
    json_decref(o);
    free(file);
    return ok;
}

char *ceilings_make_folder(void)
{
    char *path = cache_folder();
    for (char *slash = path ? strchr(path + 1, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700); /* most are there already */
        *slash = '/';
    }
    if (path)
        mkdir(path, 0700);
    return path;
}

void ceilings_keep(json_t *o, char *file)
{
    free(ceilings_make_folder());
    char *temporary = text_format("%s.%d", file ? file : "", (int)getpid());
    if (file && json_dump_file(o, temporary, JSON_COMPACT) == 0)
        rename(temporary, file);
    else if (file)
        unlink(temporary);
    json_decref(o);
    free(temporary);
    free(file);
}

void ceilings_store(const struct ceilings *c, const struct gpu *g, const char *driver)
{
    json_t *o = json_object();
    for (int i = 0; i < CEILING_COUNT; i++)
        json_object_set_new(o, info[i].name, json_real(c->value[i]));
    ceilings_keep(o, ceilings_file(g, driver, ""));
}

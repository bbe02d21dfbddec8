#include "kernels/runner/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/runner/agenda.h"
#include "kernels/runner/benchmark.h"
#include "kernels/runner/ceilings.h"
#include "kernels/runner/check.h"
#include "kernels/runner/collective.h"
#include "kernels/runner/counters.h"
#include "kernels/runner/describe.h"
#include "kernels/runner/health.h"
#include "kernels/runner/launcher.h"
#include "kernels/runner/links.h"
#include "kernels/runner/links_kept.h"
#include "kernels/runner/outcome.h"
#include "kernels/runner/poison.h"
#include "kernels/runner/ranks.h"
#include "kernels/runner/ranks_check.h"
#include "kernels/runner/ranks_timeline.h"
#include "kernels/runner/repeat.h"
#include "kernels/runner/resources.h"
#include "kernels/runner/results.h"
#include "kernels/runner/sanitize.h"
#include "kernels/runner/sass.h"
#include "kernels/runner/timeline.h"
#include "kernels/runner/timing.h"
#include "kernels/runner/walls.h"
#include "kernels/wire/message_done.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum {
    DESCRIBE_MS = 60000,
    EARLY_MS = 200
}; /* our own time-out comes a little before the supervisor's */

struct worker {
    struct ipc *ipc;
    struct launcher *launcher;
    struct gpu gpu;
    struct world world;         /* n 0: it has one GPU */
    struct bench *bench;        /* NULL until the first request, which brings our own kernels */
    struct counters *counters;
    struct health *health;
    struct timeline *timeline;
};

/* Buffers of the variant that was measured last: items of one variant share them. */
struct stage {
    struct buffers *buffers;
    int variant;
};

/* ---- measure ---- */

static void clear_stage(struct stage *s)
{
    buffers_free(s->buffers);
    s->buffers = NULL;
}

static int set_stage(struct stage *s, struct task *t, int variant, struct err *err)
{
    if (s->buffers && s->variant == variant)
        return 0;
    const struct msg_shape *shape = msg_shape_of(t->measure, variant);
    clear_stage(s);
    s->variant = variant;
    int rc = buffers_new(&s->buffers, t->gpu, shape, t->measure->seed, false, err);
    return rc || !t->ranks ? rc : ranks_stage(t->ranks, shape, s->buffers, err);
}

static int measure_run(struct worker *w, struct task *t, struct stage *s,
                       const struct msg_item *item, const char *run, struct err *err)
{
    snprintf(t->where, sizeof t->where, "%s of %s", wire_probe_name(item->probe), run);
    switch (item->probe) {
    case PROBE_RESOURCES: return resources_measure(t, s->buffers, item, run, err);
    case PROBE_BUILD: return resources_build(t, item, run, err);
    case PROBE_SANITIZE: return sanitize_measure(t, item, run, err);
    case PROBE_REPEAT: return repeat_measure(t, w->bench, s->buffers, item, run, err);
    case PROBE_SASS: return sass_measure(t, item, run, err);
    case PROBE_TIMELINE:
        return timeline_measure(w->timeline, t, w->bench, s->buffers, item, run, err);
    default: return counters_measure(w->counters, t, w->bench, s->buffers, item, run, err);
    }
}

/* What all ranks do together. False: it is one of the probes that look at rank 0 by itself. */
static bool measure_ranks(struct worker *w, struct task *t, const struct msg_item *item, int *rc,
                          struct err *err)
{
    if (item->probe == PROBE_CHECK)
        *rc = ranks_check_measure(t, item, err);
    else if (item->probe == PROBE_REPEAT)
        *rc = ranks_repeat_measure(t, item, err);
    else if (item->probe == PROBE_TIMELINE)
        *rc = ranks_timeline_measure(w->timeline, t, item, err);
    else
        return false;
    return true;
}

static bool has_own_buffers(const struct msg_item *item)
{
    return check_is_risky(item) || item->probe == PROBE_SANITIZE || item->probe == PROBE_BENCHMARK;
}

/* Others may want all the room that there is. */
static bool uses_truth(const struct msg_item *item)
{
    return item->probe == PROBE_CHECK || item->probe == PROBE_POISON;
}

static int measure_item(struct worker *w, struct task *t, struct stage *s, int at, struct err *err)
{
    const struct msg_item *item = &t->measure->items[at];
    int rc;
    t->item = at;
    snprintf(t->where, sizeof t->where, "%s", wire_probe_name(item->probe));
    if ((rc = task_check(t, err)))
        return rc;
    if (!uses_truth(item) || t->truth.variant != item->variant)
        results_forget_truth(t);
    if (has_own_buffers(item)) /* these would only take their room */
        clear_stage(s);
    else if ((rc = set_stage(s, t, item->variant, err)))
        return rc;
    if (t->ranks && measure_ranks(w, t, item, &rc, err))
        return rc;
    t->alone = t->ranks && item->probe != PROBE_TIMING;
    if (item->probe == PROBE_TIMING)
        return timing_measure(t, w->bench, w->health, s->buffers, item, err);
    if (item->probe == PROBE_CHECK)
        return check_measure(t, s->buffers, item, err);
    if (item->probe == PROBE_POISON)
        return poison_measure(t, s->buffers, item, err);
    if (item->probe == PROBE_BENCHMARK)
        return benchmark_measure(t, w->bench, item, err);
    if (item->probe == PROBE_OUTCOME)
        return outcome_measure(t, s->buffers, item, err);
    for (int i = 0; i < item->n_runs && !rc; i++)
        rc = measure_run(w, t, s, item, item->runs[i], err);
    return rc;
}

/* A fault that was a finding leaves no error, but a lost device: what is left is for another
 * worker. */
static int measure_items(struct worker *w, struct task *t, const json_t *rest, struct err *err)
{
    struct stage stage = {.buffers = NULL};
    struct agenda agenda;
    uint64_t errors = health_memory_errors(w->health);
    int rc = 0, i;
    agenda_begin(&agenda, t, rest);
    while (!rc && !w->gpu.lost && (i = agenda_next(&agenda, t->measure)) >= 0) {
        int before = t->runs_done;
        rc = measure_item(w, t, &stage, i, err);
        if (!rc && w->gpu.lost && check_may_fail(&t->measure->items[i]) &&
            t->runs_done == before) /* or workers without end */
            rc = err_set(err, ERR_FAULT, "the context was lost before the kernel ran");
        agenda_tick(&agenda, t, i);
    }
    if (!rc)
        t->rest = agenda_rest(&agenda, t);
    clear_stage(&stage);
    results_forget_truth(t);
    if (!rc && health_memory_errors(w->health) > errors)
        return err_set(err, ERR_FAULT,
                       "the GPU reported uncorrected memory errors during the measurement");
    return rc;
}

static int serve_measure(struct worker *w, struct task *t, const struct ipc_message *m,
                         struct err *err)
{
    struct msg_measure measure = {.id = 0};
    int rc = msg_measure_decode(&measure, json_object_get(m->head, "request"), err);
    if (!rc && (measure.ranks > 1 ? measure.ranks : 0) != w->world.n)
        rc = err_set(err, ERR_INTERNAL, "the worker has %d GPUs, the request wants %d",
                     w->world.n ? w->world.n : 1, measure.ranks);
    if (!rc) {
        t->measure = &measure;
        t->message = m;
        t->id = measure.id;
        json_t *left = json_object_get(m->head, "left_ms");
        t->until =
            os_monotonic_ms() + (left ? json_integer_value(left) : measure.deadline_ms) - EARLY_MS;
        if (!(rc = images_new(&t->images, &w->gpu, m, err)) &&
            (w->bench || !(rc = bench_new(&w->bench, &w->gpu, err))) &&
            (!w->world.n || !(rc = ranks_new(&t->ranks, &w->world, t, w->bench, err))))
            rc = measure_items(w, t, json_object_get(m->head, "rest"), err);
    }
    ranks_free(t->ranks);
    images_free(t->images);
    msg_measure_free(&measure);
    t->measure = NULL;
    t->images = NULL;
    return rc;
}

/* ---- describe ---- */

static const char *text_at(const json_t *o, const char *key, const char *otherwise)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : otherwise;
}

static int serve_describe(struct worker *w, struct task *t, const struct ipc_message *m,
                          struct err *err)
{
    struct describe_options o = {.gpus = gpu_equals(&w->gpu),
                                 .ceilings = text_at(m->head, "ceilings", "cached"),
                                 .nvrtc = text_at(m->head, "nvrtc", ""),
                                 .nvrtc_say = text_at(m->head, "nvrtc_say", NULL),
                                 .nvrtc_remedy = text_at(m->head, "nvrtc_remedy", NULL)};
    t->id = json_integer_value(json_object_get(m->head, "id"));
    snprintf(t->where, sizeof t->where, "describe");
    int rc = images_new(&t->images, &w->gpu, m, err);
    if (!*o.nvrtc)
        o.ceilings = "none"; /* our own kernels could not be compiled either */
    if (!rc && *o.nvrtc && !w->bench)
        rc = bench_new(&w->bench, &w->gpu, err);
    if (!rc)
        rc = describe_send(t, w->bench, w->counters, w->health, &o, err);
    images_free(t->images);
    t->images = NULL;
    return rc;
}

/* ---- links ---- */

static int send_links(struct worker *w, struct msg_links *l, int64_t id, struct err *err)
{
    l->id = id;
    json_t *m = msg_links_encode(l);
    int rc = m ? ipc_send(w->ipc, m, NULL, 0, err)
               : err_set(err, ERR_INTERNAL, "the links could not be written as JSON");
    json_decref(m);
    return rc;
}

static int serve_links(struct worker *w, struct task *t, const struct ipc_message *m,
                       struct err *err)
{
    struct msg_ask_links ask;
    struct msg_links links;
    const char *driver = health_driver(w->health);
    int rc = msg_ask_links_decode(&ask, json_object_get(m->head, "request"), err);
    if (!rc && ask.gpus != w->world.n)
        rc = err_set(err, ERR_INTERNAL, "the worker has %d GPUs, the request wants %d",
                     w->world.n ? w->world.n : 1, ask.gpus);
    if (rc)
        return rc;
    t->until = os_monotonic_ms() + json_integer_value(json_object_get(m->head, "left_ms")) -
               EARLY_MS;
    snprintf(t->where, sizeof t->where, "links");
    if (ask.measure || !links_load(&links, &w->gpu, ask.gpus, driver)) {
        if ((rc = links_measure(&links, &w->world, t, driver, err)))
            return rc;
        links_store(&links, &w->gpu, driver);
    }
    return send_links(w, &links, ask.id, err);
}

/* ---- the loop ---- */

static enum done_status status_of(const struct task *t, int rc)
{
    if (rc == ERR_CANCELLED)
        return DONE_CANCELLED;
    if (rc)
        return t->parts ? DONE_PARTIAL : DONE_FAILED;
    return t->missing ? DONE_PARTIAL : DONE_OK;
}

static void put_error(struct msg_done *d, const struct err *why)
{
    d->code = why->code;
    snprintf(d->call, sizeof d->call, "%s", why->call);
    d->text = text_dup(why->text);
    d->remedy = why->remedy ? text_dup(why->remedy) : NULL;
}

/* An error that ended the request, else the first that made it incomplete. */
static int send_done(struct worker *w, const struct task *t, int rc, const struct err *why)
{
    struct msg_done d = {.id = t->id, .has_id = true, .status = status_of(t, rc)};
    if (rc || t->refusal.code) {
        snprintf(d.where, sizeof d.where, "%s", rc ? t->where : t->refused);
        put_error(&d, rc ? why : &t->refusal);
    }
    json_t *m = msg_done_encode(&d);
    if (m && w->gpu.lost)
        json_object_set_new(m, "bye", json_true());
    if (m && t->hung)
        json_object_set_new(m, "hung", json_true());
    if (m && t->rest)
        json_object_set(m, "rest", t->rest);
    int sent = m ? ipc_send(w->ipc, m, NULL, 0, NULL) : ERR_INTERNAL;
    json_decref(m);
    msg_done_free(&d);
    return sent;
}

/* 0, or the reason to leave. A cancel that comes between requests is late: its request is done. */
static int serve(struct worker *w, const struct ipc_message *m)
{
    struct task t = {.gpu = &w->gpu,
                     .ipc = w->ipc,
                     .launcher = w->launcher,
                     .until = os_monotonic_ms() + DESCRIBE_MS};
    struct err err = {.code = 0};
    const char *type = text_at(m->head, "type", "");
    bool describe = !strcmp(type, "describe"), links = !strcmp(type, "links");
    int rc = 0;
    if (!describe && !links && strcmp(type, "measure") != 0)
        return 0;
    t.id = json_integer_value(
        json_object_get(describe ? m->head : json_object_get(m->head, "request"), "id"));
    if (json_is_true(json_object_get(m->head, "after_kill")))
        rc = health_wait_free(w->health, &t, &err);
    if (!rc)
        rc = describe ? serve_describe(w, &t, m, &err)
             : links  ? serve_links(w, &t, m, &err)
                      : serve_measure(w, &t, m, &err);
    if (rc == ERR_LOST)
        return rc;
    int sent = send_done(w, &t, rc, &err);
    json_decref(t.rest);
    return w->gpu.lost ? ERR_FAULT : sent;
}

static int send_hello(struct worker *w, json_t *walls)
{
    const struct gpu_facts *f = &w->gpu.facts;
    json_t *m =
        json_pack("{s:s, s:i, s:i, s:s, s:o}", "type", "hello", "arch", 10 * f->major + f->minor,
                  "driver", f->driver, "gpu", f->name, "walls", walls);
    int rc = ipc_send(w->ipc, m, NULL, 0, NULL);
    json_decref(m);
    return rc;
}

/* A driver that does not start behind the wall around its files may start without. */
static void send_no_gpu(struct worker *w, const struct err *why, bool walled)
{
    struct msg_done d = {.has_id = false, .status = DONE_FAILED};
    put_error(&d, why);
    json_t *m = msg_done_encode(&d);
    if (m && walled && !strcmp(why->call, "cuInit"))
        json_object_set_new(m, "walled", json_true());
    if (m)
        ipc_send(w->ipc, m, NULL, 0, NULL);
    json_decref(m);
    msg_done_free(&d);
}

static void serve_all(struct worker *w, json_t *walls)
{
    int rc = send_hello(w, walls);
    while (!rc) {
        struct ipc_message m = {.head = NULL};
        if (ipc_recv(w->ipc, &m, NULL) != 1)
            break;
        rc = serve(w, &m);
        ipc_message_free(&m);
    }
}

/* One GPU, or all that requests of so many ranks need. */
static int open_gpus(struct worker *w, int ranks, struct err *err)
{
    if (ranks > 1)
        collective_set_up();
    int rc = gpu_open(&w->gpu, 0, err);
    if (rc || ranks < 2)
        return rc;
    if (!(rc = world_open(&w->world, &w->gpu, ranks, err)))
        collective_open(&w->world);
    return rc;
}

/* A lost context is never destroyed, only left: the driver cleans up when the process ends. A
 * healthy one ends the same way, which is quicker than taking everything down in order. */
int worker_main(int fd, bool keep_from_files, int ranks)
{
    static struct worker w;
    struct err err = {.code = 0};
    w.ipc = ipc_new(fd);
    if (!(w.launcher = launcher_new(fd, &err))) {
        send_no_gpu(&w, &err, false);
        return 1;
    }
    char *cache = ceilings_make_folder();
    unsigned walls = keep_from_files ? walls_worker_files(cache) : 0;
    free(cache);
    if (ranks > CAP_RANKS)
        return 2;
    if (open_gpus(&w, ranks, &err)) {
        send_no_gpu(&w, &err, walls != 0);
        return 1;
    }
    w.counters = counters_new(&w.gpu);
    w.health = health_new(&w.gpu);
    w.timeline = timeline_new();
    serve_all(&w, walls_worker(walls));
    if (w.gpu.lost)
        _exit(1);
    bench_free(w.bench);
    counters_free(w.counters);
    health_free(w.health);
    timeline_free(w.timeline);
    launcher_free(w.launcher);
    ipc_free(w.ipc);
    return 0;
}

/* The way of a request: until the worker has it, what the worker says of it, and its deadlines.
 * What is compiled for it is job_builds.c, for the next one job_ahead.c, the compiler's side
 * job_compiler.c, its end job_end.c. */
#include "kernels/runner/job.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/compiling.h"
#include "kernels/runner/given.h"
#include "kernels/runner/job_own.h"
#include "kernels/runner/stateless.h"
#include "kernels/runner/worker.h"
#include "kernels/wire/message_device.h"
#include "kernels/wire/message_part.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

/* ---- the way there ---- */

static void begin(struct supervisor *s, struct job job)
{
    struct job *j = &s->job;
    *j = job;
    j->open = true;
    j->id = json_integer_value(json_object_get(j->message, "id"));
    j->expires = os_monotonic_ms() + j->deadline_ms;
    s->one_by_one = false;
    json_decref(s->no_nvrtc); /* it may be there now */
    s->no_nvrtc = NULL;
    client_watch(s->client, j->id);
    client_note(s->client, "starting", "accepted");
    job_advance(s);
}

void job_begin(struct supervisor *s, json_t *message, struct msg_measure *m)
{
    if (m)
        begin(s, (struct job){.kind = JOB_MEASURE,
                              .message = message,
                              .measure = *m,
                              .deadline_ms = m->deadline_ms});
    else
        begin(s, (struct job){.kind = JOB_DESCRIBE,
                              .message = message,
                              .deadline_ms = DESCRIBE_DEADLINE_MS});
}

void job_begin_compile(struct supervisor *s, json_t *message, struct msg_compile *m)
{
    begin(s, (struct job){.kind = JOB_COMPILE,
                          .message = message,
                          .compile = *m,
                          .deadline_ms = m->deadline_ms});
}

void job_begin_links(struct supervisor *s, json_t *message, const struct msg_ask_links *m)
{
    begin(s, (struct job){.kind = JOB_LINKS,
                          .message = message,
                          .links = *m,
                          .deadline_ms = m->deadline_ms});
}

/* 1: it runs; 0: an old one has to go first, or nothing could be started (the job has failed). */
static int ensure_child(struct supervisor *s, struct child *c, const char *role)
{
    struct err err = {0};
    if (c->pid != 0)
        return !c->condemned && c->ipc;
    if (child_start(c, s->program, role, &err)) {
        job_fail_with(s, &err);
        return 0;
    }
    ipc_bound(c->ipc, c == &s->worker ? (struct ipc_bounds){0, 0, IPC_HEAD_MAX}
                                      : (struct ipc_bounds){2, IMAGE_MOST, IPC_HEAD_MAX});
    if (c == &s->worker)
        client_state(s->client, "starting", "loading the CUDA driver");
    return 1;
}

static int gpus_of(const struct job *j)
{
    int gpus = j->kind == JOB_LINKS ? j->links.gpus : j->measure.ranks;
    return gpus > 1 ? gpus : 1;
}

/* What copies and collectives take needs no code of ours. */
static bool is_compiled(const struct supervisor *s)
{
    return s->job.kind != JOB_LINKS && !s->no_nvrtc;
}

/* GPUs and what NCCL needs are opened before a worker gives up what it does not need, so that one
 * for another number of them is a new one. */
static int ensure_worker(struct supervisor *s)
{
    int ranks = gpus_of(&s->job);
    char role[32];
    if (s->worker.pid != 0 && !s->worker.condemned && s->worker_ranks != ranks)
        child_dismiss(&s->worker, os_monotonic_ms() + CANCEL_PATIENCE_MS);
    if (s->worker.pid == 0)
        s->worker_ranks = ranks;
    snprintf(role, sizeof role, ranks > 1 ? "%s=%d" : "%s",
             s->with_files ? WORKER_WITH_FILES : WORKER, ranks);
    return ensure_child(s, &s->worker, role);
}

static int plan_job(struct supervisor *s)
{
    struct job *j = &s->job;
    struct build_target target;
    struct err err = {0};
    if (!is_compiled(s)) { /* a describe goes on without */
        j->plan = (struct build_plan){.uses = json_array()};
    } else if (j->kind == JOB_MEASURE && given_reaches(&j->measure, s->arch, &err)) {
        job_fail_with(s, &err);
        return -1;
    } else if (build_target_choose(&target, s->arch, s->archs, s->nvrtc, &err)) {
        job_fail_with(s, &err);
        return -1;
    } else {
        snprintf(target.exact, sizeof target.exact, "%s", s->exact);
        build_plan_make(&j->plan, j->kind == JOB_DESCRIBE ? NULL : &j->measure, &target);
        for (int i = 0; i < j->plan.n_builds; i++)
            if (!j->plan.builds[i].ready && !job_take_ahead(s, &j->plan.builds[i]))
                build_cache_load(&j->plan.builds[i]);
    }
    j->planned = true;
    return 0;
}

static void hand_over(struct supervisor *s)
{
    struct job *j = &s->job;
    json_t *head =
        j->kind == JOB_DESCRIBE
            ? json_pack("{s:s, s:I, s:s, s:s}", "type", "describe", "id", (json_int_t)j->id,
                        "ceilings",
                        *text_of(j->message, "ceilings") ? text_of(j->message, "ceilings")
                                                         : "cached",
                        "nvrtc", s->no_nvrtc ? "" : s->nvrtc)
            : json_pack("{s:s, s:O, s:I}", "type", j->kind == JOB_LINKS ? "links" : "measure",
                        "request", j->message, "left_ms",
                        (json_int_t)(j->expires - os_monotonic_ms()));
    if (j->rest)
        json_object_set(head, "rest", j->rest);
    if (j->kind == JOB_DESCRIBE && s->no_nvrtc) {
        json_object_set_new(head, "nvrtc_say", json_string(text_of(s->no_nvrtc, "missing")));
        json_object_set_new(head, "nvrtc_remedy", json_string(text_of(s->no_nvrtc, "remedy")));
    }
    if (s->suspect || s->wedged)
        json_object_set_new(head, "after_kill", json_true());
    build_plan_send(&j->plan, s->worker.ipc, head, NULL);
    json_decref(head);
    j->sent = true;
    if (j->kind == JOB_DESCRIBE)
        client_note(s->client, "describing", "the worker looks at the GPU");
    else
        client_note(s->client, "measuring", "the worker has the request");
}

/* ---- compiling alone ---- */

static void advance_compile(struct supervisor *s)
{
    struct job *j = &s->job;
    if (s->no_nvrtc) {
        job_fail_by_compiler(s, s->no_nvrtc, text_of(s->no_nvrtc, "missing"), "");
        return;
    }
    if (!ensure_child(s, &s->compiler, "--compiler") || !s->compiler.hello)
        return;
    if (!j->planned) {
        struct build_target any = {.cubin = true};
        snprintf(any.nvrtc, sizeof any.nvrtc, "%s", s->nvrtc);
        snprintf(any.exact, sizeof any.exact, "%s", s->exact);
        build_plan_compile(&j->plan, &j->compile, &any, s->archs);
        for (int i = 0; i < j->plan.n_builds; i++)
            build_cache_load(&j->plan.builds[i]);
        client_send(s->client, compiling_compiler(j->id, s->nvrtc, s->archs));
        j->planned = true;
    }
    job_tell_compiled(s);
}

static void advance(struct supervisor *s)
{
    struct job *j = &s->job;
    struct err err = {0};
    if (j->open && j->kind == JOB_COMPILE) {
        advance_compile(s);
        return;
    }
    if (!j->open || j->sent || !ensure_worker(s))
        return;
    if (is_compiled(s) && !ensure_child(s, &s->compiler, "--compiler"))
        return;
    if (!s->worker.hello || (is_compiled(s) && !s->compiler.hello))
        return;
    if (s->no_nvrtc && j->kind == JOB_MEASURE) {
        job_fail_by_compiler(s, s->no_nvrtc, text_of(s->no_nvrtc, "missing"), "");
        return;
    }
    if ((!j->planned && plan_job(s)) || job_keep_compiling(s))
        return;
    if (j->kind == JOB_MEASURE && stateless_check(&j->plan, &j->measure, &err))
        job_fail_with(s, &err);
    else
        hand_over(s);
}

void job_advance(struct supervisor *s)
{
    advance(s);
    job_advance_ahead(s);
}

void job_foresee(struct supervisor *s, struct msg_measure *m)
{
    job_forget_ahead(s);
    s->ahead = (struct ahead){.open = true,
                              .measure = *m,
                              .expires = os_monotonic_ms() + m->deadline_ms};
    job_advance(s);
}

/* ---- what the worker says ---- */

static void kill_child(struct supervisor *s, struct child *c)
{
    if (c->pid == 0)
        return;
    child_kill(c, os_monotonic_ms());
    if (c == &s->worker) {
        s->suspect = s->suspect || s->job.sent;
        client_state(s->client, "restarting", "the old worker is being ended");
    }
}

/* A request that no worker is needed for is not ended by one. */
static bool is_for_worker(const struct supervisor *s)
{
    return s->job.open && s->job.kind != JOB_COMPILE;
}

void job_keep_walls(json_t **to, const json_t *head)
{
    json_decref(*to);
    *to = json_incref(json_object_get(head, "walls"));
}

static void worker_is_ready(struct supervisor *s, const json_t *head)
{
    s->worker.hello = true;
    job_keep_walls(&s->worker_walls, head);
    s->arch = (int)json_integer_value(json_object_get(head, "arch"));
    client_state(s->client, "ready", text_of(head, "gpu"));
    job_advance(s);
}

/* A kernel was stopped by the hardware, as an item had asked to find out. A fresh worker does the
 * rest. */
static void go_on(struct supervisor *s, json_t *rest)
{
    struct job *j = &s->job;
    child_dismiss(&s->worker, os_monotonic_ms() + CANCEL_PATIENCE_MS);
    if (j->cancelled_at) {
        job_fail(s, DONE_CANCELLED, ERR_CANCELLED, "cancelled");
        return;
    }
    json_decref(j->rest);
    j->rest = json_incref(rest);
    j->sent = false;
    client_note(s->client, "measuring", "a fault was found; a new worker does the rest");
}

/* The worker's own done; also the one without id by which it says that it cannot start. */
static void worker_is_done(struct supervisor *s, const json_t *head)
{
    struct msg_done d;
    struct err err = {0};
    bool leaves = json_is_true(json_object_get(head, "bye")) || !s->worker.hello;
    bool hung = json_is_true(json_object_get(head, "hung"));
    if (json_object_get(head, "rest")) {
        s->suspect = hung;
        go_on(s, json_object_get(head, "rest"));
        return;
    }
    if (!s->worker.hello) {
        s->with_files = !s->with_files && json_is_true(json_object_get(head, "walled"));
        if (s->with_files) {
            child_dismiss(&s->worker, os_monotonic_ms() + CANCEL_PATIENCE_MS);
            return;
        }
    }
    if (msg_done_decode(&d, head, &err)) {
        kill_child(s, &s->worker);
        job_fail(s, DONE_FAILED, ERR_INTERNAL, "the worker's answer cannot be read: %s", err.text);
        return;
    }
    if (leaves)
        child_dismiss(&s->worker, os_monotonic_ms() + CANCEL_PATIENCE_MS);
    bool was_wedged = s->wedged;
    if (s->worker.hello)
        s->suspect = hung || d.code == ERR_WEDGED || (leaves && d.code == ERR_TIMEOUT);
    s->wedged = d.code == ERR_WEDGED ||
                (s->wedged && !(s->job.kind == JOB_DESCRIBE && d.status == DONE_OK));
    free(d.log);
    job_end(s, &d);
    d.log = NULL;
    msg_done_free(&d);
    if (s->wedged)
        client_state(s->client, "wedged", "the GPU is stuck in an old measurement");
    else if (was_wedged && !leaves)
        client_state(s->client, "ready", "the GPU is free again");
}

static void distrust(struct supervisor *s, int code, const char *why)
{
    kill_child(s, &s->worker);
    job_fail(s, DONE_FAILED, code, "%s", why);
}

/* What a client would refuse is not worth sending, and what was not asked is no answer. */
static bool is_sound_part(const struct supervisor *s, const json_t *head)
{
    struct msg_part p;
    struct err err = {0};
    const struct msg_measure *m = &s->job.measure;
    if (s->job.kind != JOB_MEASURE || msg_part_decode(&p, head, &err))
        return false;
    bool asked = p.item >= 0 && p.item < m->n_items && p.probe == m->items[p.item].probe &&
                 p.variant == m->items[p.item].variant;
    msg_part_free(&p);
    return asked;
}

static bool is_sound_device(const struct supervisor *s, const json_t *head)
{
    struct msg_device d;
    struct err err = {0};
    if (s->job.kind != JOB_DESCRIBE || msg_device_decode(&d, head, &err))
        return false;
    msg_device_free(&d);
    return true;
}

static bool is_sound_links(const struct supervisor *s, const json_t *head)
{
    struct msg_links l;
    struct err err = {0};
    return s->job.kind == JOB_LINKS && !msg_links_decode(&l, head, &err) &&
           l.gpus == s->job.links.gpus;
}

static bool is_sound(const struct supervisor *s, const json_t *head)
{
    const char *type = text_of(head, "type");
    return !strcmp(type, "device")  ? is_sound_device(s, head)
           : !strcmp(type, "links") ? is_sound_links(s, head)
                                    : is_sound_part(s, head);
}

/* Beside what the worker says of the GPU stands which walls there are: that is not for the worker
 * to tell. */
static json_t *with_walls(const struct supervisor *s, const json_t *head)
{
    json_t *out = json_deep_copy(head), *walls = json_object();
    json_object_set_new(walls, "compiler",
                        s->compiler_walls ? json_incref(s->compiler_walls) : json_array());
    json_object_set_new(walls, "worker",
                        s->worker_walls ? json_incref(s->worker_walls) : json_array());
    json_object_set_new(out, "walls", walls);
    return out;
}

static void forward(struct supervisor *s, const struct ipc_message *m)
{
    struct job *j = &s->job;
    bool device = !strcmp(text_of(m->head, "type"), "device");
    j->parts++;
    j->told_bytes += m->head_len;
    if (j->parts > PARTS_MOST || j->told_bytes > TOLD_MOST)
        distrust(s, ERR_TOO_LARGE, "the worker tells more than anybody asked for");
    else if (!is_sound(s, m->head))
        distrust(s, ERR_INTERNAL, "the worker's answer cannot be read");
    else if (!client_send(s->client, device ? with_walls(s, m->head) : json_deep_copy(m->head)))
        distrust(s, ERR_TOO_LARGE, "a piece of evidence is longer than a line may be");
}

/* Only what this message may hold goes on. */
static void forward_progress(struct supervisor *s, const json_t *head)
{
    json_t *p = json_pack("{s:s, s:I, s:s%, s:I, s:I, s:s%}", "type", "progress", "id",
                          (json_int_t)s->job.id, "phase", text_of(head, "phase"),
                          strnlen(text_of(head, "phase"), 64), "at",
                          json_integer_value(json_object_get(head, "at")), "of",
                          json_integer_value(json_object_get(head, "of")), "say",
                          text_of(head, "say"), strnlen(text_of(head, "say"), 512));
    if (p)
        client_note_message(s->client, p);
    json_decref(p);
}

static bool is_answer(const char *type)
{
    return !strcmp(type, "part") || !strcmp(type, "device") || !strcmp(type, "links");
}

void job_hear_worker(struct supervisor *s, const struct ipc_message *m)
{
    const char *type = text_of(m->head, "type");
    json_t *id = json_object_get(m->head, "id");
    bool ours = s->job.open && s->job.sent && json_integer_value(id) == s->job.id;
    if (s->worker.condemned)
        return;
    if (!strcmp(type, "hello") && !s->worker.hello)
        worker_is_ready(s, m->head);
    else if (!strcmp(type, "done") && is_for_worker(s) && (ours || !s->worker.hello))
        worker_is_done(s, m->head);
    else if (!strcmp(type, "progress") && ours)
        forward_progress(s, m->head);
    else if (is_answer(type) && ours)
        forward(s, m);
}

void job_worker_gone(struct supervisor *s, const char *how)
{
    bool waited_for =
        is_for_worker(s) && (s->job.sent || (!s->worker.hello && !s->worker.condemned));
    s->suspect = s->suspect || (s->job.open && s->job.sent);
    child_forget(&s->worker);
    if (s->job.open && s->job.cancelled_at)
        job_fail(s, DONE_CANCELLED, ERR_CANCELLED, "cancelled; the worker had to be ended");
    else if (waited_for)
        job_fail(s, DONE_FAILED, ERR_LOST, "the worker %s (%s)", how,
                 s->job.sent ? "while measuring" : "while starting");
    else if (s->job.open)
        job_advance(s);
    if (!s->job.open && !s->wedged)
        client_state(s->client, "idle", "no worker is running");
}

/* ---- time and change of mind ---- */

void job_cancel(struct supervisor *s)
{
    struct job *j = &s->job;
    if (j->cancelled_at)
        return;
    if (!j->sent) {
        job_fail(s, DONE_CANCELLED, ERR_CANCELLED,
                 j->kind == JOB_COMPILE ? "cancelled" : "cancelled before it was measured");
        return;
    }
    j->cancelled_at = os_monotonic_ms();
    if (!s->worker.ipc) /* it is about to be reaped */
        return;
    json_t *head = json_pack("{s:s, s:I}", "type", "cancel", "id", (json_int_t)j->id);
    ipc_queue(s->worker.ipc, head, NULL, 0, NULL);
    json_decref(head);
}

static void expire(struct supervisor *s)
{
    if (is_for_worker(s) && (s->job.sent || !s->worker.hello))
        kill_child(s, &s->worker);
    if (!s->job.sent && is_compiled(s) && !s->compiler.hello)
        kill_child(s, &s->compiler);
    job_fail(s, DONE_FAILED, ERR_TIMEOUT, "no answer within %g s (%s)",
             (double)s->job.deadline_ms / 1000, client_phase(s->client));
}

static void become_wedged(struct supervisor *s)
{
    if (!s->wedged)
        client_state(s->client, "wedged", "the old worker does not end; the GPU may be stuck");
    s->wedged = true;
    if (is_for_worker(s))
        job_fail(s, DONE_FAILED, ERR_WEDGED, "the old worker (process %ld) does not end",
                 (long)s->worker.pid);
}

static int64_t tick_child(struct supervisor *s, struct child *c, int64_t now)
{
    if (c->pid == 0)
        return INT64_MAX;
    if (c->kill_at && now >= c->kill_at)
        child_kill(c, now);
    if (c->kill_at)
        return c->kill_at;
    if (!c->killed_at)
        return INT64_MAX;
    if (now < c->killed_at + DEATH_PATIENCE_MS)
        return c->killed_at + DEATH_PATIENCE_MS;
    if (c == &s->worker && (!s->wedged || s->job.open))
        become_wedged(s);
    return INT64_MAX;
}

static int64_t sooner(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t tick_job(struct supervisor *s, int64_t now)
{
    struct job *j = &s->job;
    if (now >= j->expires) {
        expire(s);
        return INT64_MAX;
    }
    if (!j->cancelled_at)
        return j->expires;
    if (now >= j->cancelled_at + CANCEL_PATIENCE_MS) {
        kill_child(s, &s->worker);
        job_fail(s, DONE_CANCELLED, ERR_CANCELLED,
                 "cancelled; the worker did not stop and was ended");
        return INT64_MAX;
    }
    return sooner(j->expires, j->cancelled_at + CANCEL_PATIENCE_MS);
}

/* A compiler that is at something for too long is ended. */
static int64_t tick_compiling(struct supervisor *s, int64_t now)
{
    int64_t next = INT64_MAX;
    if (s->compiler.killed_at)
        return next;
    for (int i = 0; i < s->n_compiling; i++) {
        if (now >= s->compiling[i].until) {
            kill_child(s, &s->compiler);
            return INT64_MAX;
        }
        next = s->compiling[i].until < next ? s->compiling[i].until : next;
    }
    return next;
}

static int64_t tick_idle(struct supervisor *s, int64_t now)
{
    if (s->job.open || s->worker.pid == 0 || s->worker.condemned)
        return INT64_MAX;
    if (now < s->idle_since + s->idle_ms)
        return s->idle_since + s->idle_ms;
    child_dismiss(&s->worker, now + CANCEL_PATIENCE_MS);
    return now + CANCEL_PATIENCE_MS;
}

int64_t job_tick(struct supervisor *s, int64_t now)
{
    int64_t next = s->job.open ? tick_job(s, now) : INT64_MAX;
    next = sooner(next, tick_compiling(s, now));
    next = sooner(next, tick_idle(s, now));
    next = sooner(next, tick_child(s, &s->worker, now));
    return sooner(next, tick_child(s, &s->compiler, now));
}

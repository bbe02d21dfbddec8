#include "scenarios/mend/mend_compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/mend/mend.h"
#include "scenarios/mend/mend_launches.h"

enum { DEADLINE_MS = 120000 };
static const char letters[] = MEND_RUN "abc"; /* the person's, suspect, fix, best */

struct mend_compile {
    struct client *client;
    struct msg_device device;  /* a GPU of this architecture, which need not be there */
    struct msg_shape shape[2]; /* launches of the person's run, and of the others */
    struct mend_launches launches;
    struct msg_compiled *answer[MEND_MADE];
    int64_t id;                /* 0: over */
    char nvrtc[32];
    char why[2100];
};

const char *mend_made_word(enum mend_made side)
{
    static const char *const word[] = {"yours", "suspect", "fix", "best"};
    return word[side];
}

/* ---- what is asked ---- */

/* Launches and macros by the sizes of the GPU. */
static int make_shapes(struct mend_compile *k, const struct variant *v, const char *others,
                       const char *name, const char *text, struct err *err)
{
    int64_t *values = mem_new((size_t)v->story->n_params, sizeof *values);
    struct variant mine = *v;
    int rc = mend_launches_read(&k->launches, v, name, text, err);
    mine.launches = k->launches.launch;
    mine.n_launches = k->launches.n;
    mine.steps = k->launches.steps;
    if (rc == 0)
        rc = size_params(v->story, &k->device, -1, 0, values, err);
    if (rc == 0)
        rc = request_shape(&k->shape[0], &mine, &k->device, values, "a", err);
    if (rc == 0)
        rc = request_shape(&k->shape[1], v, &k->device, values, others, err);
    free(values);
    return rc;
}

static int ask(struct mend_compile *k, const struct variant *v, const char *others,
               const char *name, const char *text, int arch, struct err *err)
{
    struct msg_measure all = {0};
    request_sources(&all, v, others);
    struct msg_source *mine = &all.sources[all.n_sources++];
    snprintf(mine->id, sizeof mine->id, MEND_RUN);
    snprintf(mine->name, sizeof mine->name, "%s", name);
    mine->text = text_dup(text);
    mine->exact = v->story->needs_exact;
    struct msg_compile request = {.deadline_ms = DEADLINE_MS, .sources = all.sources,
                                  .n_sources = all.n_sources, .define = k->shape[0].define,
                                  .n_define = k->shape[0].n_define, .arch = {arch}, .n_arch = 1,
                                  .listing = true};
    k->id = client_compile(k->client, &request, err);
    msg_measure_free(&all);
    return k->id > 0 ? 0 : (int)k->id;
}

static void end(struct mend_compile *k, const char *why)
{
    k->id = 0;
    if (why && !*k->why)
        snprintf(k->why, sizeof k->why, "%.2099s", why);
}

struct mend_compile *mend_compile_new(const struct variant *v, const struct gpu *g, int arch,
                                      struct client *client, const char *name, const char *text)
{
    static const char *const others[] = {"a", "ac", "ab", "abc"};
    const char *runs = v->task ? "c" : others[2 * !!v->fix_file + !!v->best_file];
    struct mend_compile *k = mem_new(1, sizeof *k);
    struct err err = {0};
    *k = (struct mend_compile){.client = client};
    gpu_attributes(&k->device, g);
    if (make_shapes(k, v, runs, name, text, &err) || ask(k, v, runs, name, text, arch, &err))
        end(k, err.text);
    return k;
}

void mend_compile_free(struct mend_compile *k)
{
    if (!k)
        return;
    if (k->id)
        client_cancel(k->client, k->id);
    for (int i = 0; i < 2; i++) {
        struct msg_measure held = {.base = k->shape[i]};
        msg_measure_free(&held);
    }
    for (int i = 0; i < MEND_MADE; i++) {
        msg_compiled_free(k->answer[i]);
        free(k->answer[i]);
    }
    mend_launches_free(&k->launches);
    msg_device_free(&k->device);
    free(k);
}

int64_t mend_compile_id(const struct mend_compile *k)
{
    return k->id;
}

/* ---- what comes ---- */

static void take_answer(struct mend_compile *k, const struct msg_compiled *c)
{
    const char *at = c->source[0] ? strchr(letters, c->source[0]) : NULL;
    if (!at || k->answer[at - letters])
        return;
    json_t *copy = msg_compiled_encode(c);
    struct msg_compiled *kept = mem_new(1, sizeof *kept);
    if (msg_compiled_decode(kept, copy, NULL) == 0)
        k->answer[at - letters] = kept;
    else
        free(kept);
    json_decref(copy);
}

static const char *refusal(const struct msg_compiled *mine)
{
    return !mine                        ? "nothing came back"
           : mine->is == COMPILED_NOT   ? mine->log
           : mine->is == COMPILED_OK    ? ""
                                        : mine->say;
}

static void take_done(struct mend_compile *k, const struct msg_done *d)
{
    char why[1200];
    snprintf(why, sizeof why, "%.700s%s%.400s", d->text ? d->text : "",
             d->text && d->remedy ? "; " : "", d->remedy ? d->remedy : "");
    end(k, *why && !k->answer[MEND_MADE_MINE] ? why : refusal(k->answer[MEND_MADE_MINE]));
}

bool mend_compile_event(struct mend_compile *k, const struct client_event *e)
{
    if (!k || !k->id || (e->id != k->id && e->kind != CLIENT_LOST))
        return false;
    switch (e->kind) {
    case CLIENT_COMPILER: snprintf(k->nvrtc, sizeof k->nvrtc, "%s", e->compiler->nvrtc); break;
    case CLIENT_COMPILED: take_answer(k, e->compiled); break;
    case CLIENT_DONE: take_done(k, e->done); break;
    case CLIENT_LOST: end(k, e->say); break;
    default: return false;
    }
    return true;
}

/* ---- what is known ---- */

const char *mend_compile_why(const struct mend_compile *k)
{
    return k->why;
}

bool mend_compile_done(const struct mend_compile *k)
{
    const struct msg_compiled *mine = k->answer[MEND_MADE_MINE];
    return mine && mine->is == COMPILED_OK;
}

const char *mend_compile_nvrtc(const struct mend_compile *k)
{
    return k->nvrtc;
}

const char *mend_compile_gpu(const struct mend_compile *k)
{
    return k->device.name;
}

const struct msg_compiled *mend_compile_answer(const struct mend_compile *k, enum mend_made side)
{
    return k->answer[side];
}

static const struct msg_run *run_of(const struct mend_compile *k, enum mend_made side)
{
    return side == MEND_MADE_MINE ? &k->shape[0].runs[0]
                                  : msg_run_find(&k->shape[1], (char[]){letters[side], 0});
}

int mend_compile_launches(const struct mend_compile *k, enum mend_made side)
{
    const struct msg_run *run = k->answer[side] ? run_of(k, side) : NULL;
    return run ? run->n_launches : 0;
}

bool mend_compile_kernel(struct mend_kernel *out, const struct mend_compile *k,
                         enum mend_made side, int at)
{
    const struct msg_launch *l = &run_of(k, side)->launches[at];
    *out = (struct mend_kernel){.launch = l, .limit = ""};
    if (!mend_figures_read(&out->figures, k->answer[side]->figures, l->kernel))
        return false;
    out->shared = out->figures.shared + (int)l->shared;
    out->occupancy = mend_occupancy(&out->limit, &out->figures, l, &k->device);
    return true;
}

bool mend_compile_told(const struct mend_compile *k, enum mend_made side, int at)
{
    const struct msg_run *run = run_of(k, side);
    const struct msg_launch *l = &run->launches[at];
    for (int i = 0; i < at; i++) {
        const struct msg_launch *o = &run->launches[i];
        if (!strcmp(o->kernel, l->kernel) && o->shared == l->shared &&
            !memcmp(o->block, l->block, sizeof l->block))
            return true;
    }
    return false;
}

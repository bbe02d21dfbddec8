#include "scenarios/mend/mend_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/gpus.h"
#include "scenarios/evidence/request.h"
#include "scenarios/mend/mend.h"
#include "scenarios/mend/mend_launches.h"
#include "scenarios/mend/mend_steps.h"

enum { DEADLINE_MS = 120000 };
#define RECORDED_GPU "nvidia-h200"

static const char letters[] = "mabc"; /* of the sides, as runs and sources are called */

struct mend_build {
    struct client *client;
    const char *asked;                 /* letters of the other sides */
    int64_t id;                        /* 0: over */
    char *name;
    int arch;
    struct msg_device device;
    struct msg_shape mine, others;     /* launches and macros */
    struct mend_launches launches;
    struct msg_compiled *side[BUILT_SIDES];
    char nvrtc[32];
    char *failed;                      /* why nothing could be compiled; NULL: it could */
};

const char *mend_built_word(enum mend_built side)
{
    static const char *const words[] = {"yours", "suspect", "fix", "best"};
    return words[side];
}

/* ---- what is asked ---- */

/* What a closed best needs would tell how it goes about it. */
static const char *others_of(const struct variant *v, const struct mend_tries *tries)
{
    static const char *const others[] = {"a", "ac", "ab", "abc"};
    if (v->task)
        return mend_best_open(v->task, tries) ? "c" : "";
    return others[2 * !!v->fix_file + !!v->best_file];
}

static int read_shapes(struct mend_build *b, const struct variant *v, const char *text,
                       struct err *err)
{
    int64_t *values = mem_new((size_t)v->story->n_params, sizeof *values);
    struct variant mine = *v;
    int rc = mend_launches_read(&b->launches, v, b->name, text, err);
    mine.launches = b->launches.launch;
    mine.n_launches = b->launches.n;
    mine.steps = b->launches.steps;
    if (rc == 0)
        rc = size_params(v->story, &b->device, -1, 0, values, err);
    if (rc == 0)
        rc = request_shape(&b->mine, &mine, &b->device, values, "a", err);
    if (rc == 0)
        rc = request_shape(&b->others, v, &b->device, values, b->asked, err);
    free(values);
    return rc;
}

static int64_t ask(struct mend_build *b, const struct variant *v, const char *text, struct err *err)
{
    struct msg_measure all = {0};
    request_sources(&all, v, b->asked);
    struct msg_source *mine = &all.sources[all.n_sources++];
    snprintf(mine->id, sizeof mine->id, MEND_RUN);
    snprintf(mine->name, sizeof mine->name, "%s", b->name);
    mine->text = text_dup(text);
    mine->exact = v->story->needs_exact;
    struct msg_compile request = {.deadline_ms = DEADLINE_MS, .sources = all.sources,
                                  .n_sources = all.n_sources, .define = b->mine.define,
                                  .n_define = b->mine.n_define, .arch = {b->arch}, .n_arch = 1,
                                  .listing = true};
    int64_t id = client_compile(b->client, &request, err);
    msg_measure_free(&all);
    return id;
}

static const struct gpu *choose(const char *name, int *arch, struct err *err)
{
    if (sscanf(name, "sm_%d", arch) == 1) {
        const struct gpu *least = gpu_least(*arch / 10 + *arch % 10 / 10.0);
        if (!least)
            err_set(err, ERR_MISSING, "no GPU of %s is known whose sizes could be taken", name);
        return least;
    }
    const struct gpu *g = gpu_find(name, NULL);
    g = g ? g : gpu_find(RECORDED_GPU, err);
    *arch = (int)(g->compute * 10 + 0.5);
    return g;
}

struct mend_build *mend_build_new(const struct variant *v, const char *gpu, struct client *client,
                                  const char *name, const char *text,
                                  const struct mend_tries *tries, struct err *err)
{
    int arch = 0;
    const struct gpu *g = choose(gpu, &arch, err);
    if (!g)
        return NULL;
    struct mend_build *b = mem_new(1, sizeof *b);
    *b = (struct mend_build){
        .client = client, .asked = others_of(v, tries), .name = text_dup(name), .arch = arch};
    gpu_attributes(&b->device, g);
    if (read_shapes(b, v, text, err) == 0)
        b->id = ask(b, v, text, err);
    if (b->id > 0)
        return b;
    b->id = 0;
    mend_build_free(b);
    return NULL;
}

void mend_build_free(struct mend_build *b)
{
    if (!b)
        return;
    if (b->id)
        client_cancel(b->client, b->id);
    struct msg_measure mine = {.base = b->mine}, others = {.base = b->others};
    msg_measure_free(&mine);
    msg_measure_free(&others);
    for (int i = 0; i < BUILT_SIDES; i++) {
        msg_compiled_free(b->side[i]);
        free(b->side[i]);
    }
    mend_launches_free(&b->launches);
    msg_device_free(&b->device);
    free(b->failed);
    free(b->name);
    free(b);
}

/* ---- what came ---- */

static void take_compiled(struct mend_build *b, const struct msg_compiled *c)
{
    const char *at = c->source[0] ? strchr(letters, c->source[0]) : NULL;
    if (!at || b->side[at - letters])
        return;
    json_t *copy = msg_compiled_encode(c);
    struct msg_compiled *kept = mem_new(1, sizeof *kept);
    if (msg_compiled_decode(kept, copy, NULL) == 0)
        b->side[at - letters] = kept;
    else
        free(kept);
    json_decref(copy);
}

static void take_done(struct mend_build *b, const struct msg_done *d)
{
    b->id = 0;
    if (d->status == DONE_FAILED || d->status == DONE_CANCELLED)
        b->failed = text_format("%s%s%s", d->text ? d->text : "the runner gave no reason",
                                d->remedy ? "; " : "", d->remedy ? d->remedy : "");
}

bool mend_build_event(struct mend_build *b, const struct client_event *e)
{
    if (!b || !b->id || (e->id != b->id && e->kind != CLIENT_LOST))
        return false;
    switch (e->kind) {
    case CLIENT_COMPILER:
        snprintf(b->nvrtc, sizeof b->nvrtc, "%s", e->compiler->nvrtc);
        break;
    case CLIENT_COMPILED: take_compiled(b, e->compiled); break;
    case CLIENT_DONE: take_done(b, e->done); break;
    case CLIENT_LOST:
        b->id = 0;
        b->failed = text_dup(e->say);
        break;
    default: break;
    }
    return true;
}

int64_t mend_build_id(const struct mend_build *b)
{
    return b->id;
}

bool mend_build_over(const struct mend_build *b)
{
    return b->id == 0;
}

bool mend_build_compiles(const struct mend_build *b)
{
    return b->side[BUILT_MINE] && b->side[BUILT_MINE]->is == COMPILED_OK;
}

const char *mend_build_why(const struct mend_build *b)
{
    const struct msg_compiled *mine = b->side[BUILT_MINE];
    if (mine && mine->is != COMPILED_OK)
        return mine->is == COMPILED_NOT ? mine->log : mine->say;
    if (b->failed)
        return b->failed;
    return mine || b->id ? "" : "nothing came back";
}

void mend_build_words(char *out, size_t size, const struct mend_build *b)
{
    if (mend_build_compiles(b))
        snprintf(out, size, "%s compiles for sm_%d by NVRTC %s; sizes as on an %s", b->name,
                 b->arch, b->nvrtc, b->device.name);
    else if (b->failed)
        snprintf(out, size, "There is no GPU here, and nothing that compiles %s", b->name);
    else
        snprintf(out, size, b->id ? "compiling %s for sm_%d" : "%s does not compile for sm_%d",
                 b->name, b->arch);
}

int mend_build_arch(const struct mend_build *b)
{
    return b->arch;
}

const char *mend_build_gpu(const struct mend_build *b)
{
    return b->device.name;
}

const char *mend_build_nvrtc(const struct mend_build *b)
{
    return b->nvrtc;
}

const struct msg_compiled *mend_build_side(const struct mend_build *b, enum mend_built side)
{
    return b->side[side];
}

enum mend_built mend_build_other(const struct mend_build *b)
{
    return b->side[BUILT_FIX] ? BUILT_FIX : b->side[BUILT_BEST] ? BUILT_BEST : BUILT_MINE;
}

/* ---- kernels ---- */

/* A step may launch a kernel many times. */
static bool is_told(const struct msg_run *run, int at)
{
    const struct msg_launch *l = &run->launches[at];
    for (int i = 0; i < at; i++) {
        const struct msg_launch *o = &run->launches[i];
        if (!strcmp(o->kernel, l->kernel) && o->shared == l->shared &&
            !memcmp(o->block, l->block, sizeof l->block))
            return true;
    }
    return false;
}

int mend_build_kernels(const struct mend_build *b, enum mend_built side, struct mend_kernel *out,
                       int most)
{
    const struct msg_run *run = side == BUILT_MINE
                                    ? &b->mine.runs[0]
                                    : msg_run_find(&b->others, (char[]){letters[side], 0});
    const struct msg_compiled *r = b->side[side];
    int n = 0;
    for (int i = 0; run && r && i < run->n_launches && n < most; i++) {
        const struct msg_launch *l = &run->launches[i];
        struct mend_kernel *k = &out[n];
        if (is_told(run, i) || !mend_figures_read(&k->figures, r->figures, l->kernel))
            continue;
        k->name = l->kernel;
        k->limit = "";
        k->occupancy = mend_occupancy(&k->limit, &k->figures, l, &b->device);
        k->figures.shared += (int)l->shared;
        n++;
    }
    return n;
}

#include "scenarios/check/checker_compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/text.h"
#include "scenarios/check/checker_archs.h"
#include "scenarios/check/checker_bought.h"
#include "scenarios/check/compile_log.h"
#include "scenarios/evidence/request.h"
#include "scenarios/pack/recordings.h"

enum { DEADLINE_MS = 300000, ERRORS_SHOWN = 5, SIDES = 6 };

struct compile_check {
    struct client *client;
    compile_progress *progress;
    void *ctx;
    struct compile_told told;
    char (*done)[HASH_HEX]; /* sources, each with its macros and an architecture */
    int n_done;
};

/* One fault of one source, and the architectures (bits over those of the variant) that have it, of
 * those that were asked. */
struct fault {
    const char *rule;
    int source, line, col;
    char *text;
    unsigned archs, asked;
    char *with;
};

/* Macros, and which sources are compiled with them (bits). */
struct set { const struct msg_define *define; int n; unsigned sources; };

/* One variant. Sources are counted a, b, c, r. */
struct compiling {
    struct compile_check *k;
    struct findings *f;
    const struct variant *v;
    const struct msg_measure *m;      /* what measuring on the device of the moment would send */
    struct set sets[CAP_VARIANTS + 1];
    int n_sets, set;                  /* set: the one being compiled */
    struct archs archs;
    unsigned own, asked; /* bits: of the device of the moment; of the set being compiled */
    unsigned tried;                   /* that were not skipped */
    struct fault *faults; int n_faults;
};

struct compile_check *compile_check_new(struct client *client, compile_progress *progress,
                                        void *ctx)
{
    struct compile_check *k = mem_new(1, sizeof *k);
    *k = (struct compile_check){.client = client, .progress = progress, .ctx = ctx};
    return k;
}

void compile_check_free(struct compile_check *k)
{
    if (!k)
        return;
    free(k->done);
    free(k);
}

const struct compile_told *compile_check_told(const struct compile_check *k)
{
    return &k->told;
}

/* ---- sources ---- */

static const char source_ids[SIDES + 1] = "abcder";

static int source_index(const char *id)
{
    const char *at = *id ? strchr(source_ids, *id) : NULL;
    return at ? (int)(at - source_ids) : 0;
}

static const struct file *source_file(const struct variant *v, int source)
{
    return variant_source(v, (char[]){source_ids[source], 0});
}

static const struct msg_source *source_of(const struct compiling *c, int source)
{
    for (int i = 0; i < c->m->n_sources; i++)
        if (source_index(c->m->sources[i].id) == source)
            return &c->m->sources[i];
    return NULL;
}

/* Names of the kernels that a launch of any shape takes from this source, as keys. */
static json_t *named_kernels(const struct compiling *c, int source)
{
    json_t *names = json_object();
    for (int s = -1; s < c->m->n_variants; s++) {
        const struct msg_shape *shape = msg_shape_of(c->m, s);
        for (int r = 0; r < shape->n_runs; r++)
            for (int l = 0; l < shape->runs[r].n_launches; l++)
                if (!shape->runs[r].launches[l].transfer.kind &&
                    source_index(shape->runs[r].launches[l].source) == source)
                    json_object_set_new(names, shape->runs[r].launches[l].kernel, json_true());
    }
    return names;
}

static unsigned outer(const struct compiling *c)
{
    const struct compile_told *told = &c->k->told;
    unsigned known = archs_all(&c->archs);
    for (int i = 0; i < told->n_skipped; i++)
        known &= ~archs_bit(&c->archs, told->skipped[i]);
    return archs_outer(known, c->own);
}

/* A text that asks for which architecture it is may be another one for each. */
static bool asks_for_arch(const struct compiling *c)
{
    for (int i = 0; i < c->m->n_sources; i++)
        if (strstr(c->m->sources[i].text, "__CUDA_ARCH__"))
            return true;
    return false;
}

/* ---- faults ---- */

static bool is_equal(const struct set *s, const struct msg_define *define, int n)
{
    bool equal = s->n == n;
    for (int i = 0; equal && i < n; i++)
        equal = !strcmp(s->define[i].name, define[i].name) &&
                !strcmp(s->define[i].value, define[i].value);
    return equal;
}

/* The macros that differ from the story's own: "TILE=64, N=5"; NULL when none does. */
static char *name_macros(const struct compiling *c)
{
    const struct set *own = &c->sets[0], *s = &c->sets[c->set];
    char *out = NULL;
    for (int i = 0; i < s->n; i++) {
        if (i < own->n && !strcmp(own->define[i].value, s->define[i].value))
            continue;
        char *longer = text_format("%s%s%s=%s", out ? out : "", out ? ", " : "", s->define[i].name,
                                   s->define[i].value);
        free(out);
        out = longer;
    }
    return out;
}

static void add_fault(struct compiling *c, const char *rule, int source, int arch, int line,
                      int col, const char *text)
{
    unsigned bit = archs_bit(&c->archs, arch);
    for (int i = 0; i < c->n_faults; i++) {
        struct fault *have = &c->faults[i];
        if (have->source == source && have->line == line && have->col == col &&
            !strcmp(have->rule, rule) && !strcmp(have->text, text)) {
            have->archs |= bit;
            have->asked |= c->asked;
            return;
        }
    }
    c->faults = mem_grow(c->faults, (size_t)c->n_faults + 1, sizeof *c->faults);
    c->faults[c->n_faults++] =
        (struct fault){rule, source, line, col, text_dup(text), bit, c->asked, name_macros(c)};
}

static void tell_fault(struct compiling *c, const struct fault *x)
{
    struct place at = {source_file(c->v, x->source), x->line, x->col};
    char *archs = archs_name(&c->archs, x->archs, c->tried), *newer = NULL;
    int enough = archs_first_without(&c->archs, x->archs, c->tried & x->asked);
    bool refused = !strcmp(x->rule, "compiles");
    if (enough)
        newer = text_format("; a story that needs sm_%d says `compute: %g` under `needs`", enough,
                            enough / 10.0);
    if (refused)
        findings_add(c->f, x->rule, c->v->story->pack, c->v->full_id, NULL, at,
                     "does not compile for %s%s%s: %s%s", archs, x->with ? " with " : "",
                     x->with ? x->with : "", x->text, newer ? newer : "");
    else
        findings_add(c->f, x->rule, c->v->story->pack, c->v->full_id, NULL, at, "%s%s%s%s", x->text,
                     x->archs == c->tried ? "" : " (compiled for ",
                     x->archs == c->tried ? "" : archs, x->archs == c->tried ? "" : ")");
    free(newer);
    free(archs);
}

/* ---- answers ---- */

static void add_sorted(int *list, int *n, int value)
{
    int at = 0;
    while (at < *n && list[at] < value)
        at++;
    if ((at < *n && list[at] == value) || *n == CAP_ARCHS)
        return;
    memmove(list + at + 1, list + at, (size_t)(*n - at) * sizeof *list);
    list[at] = value;
    (*n)++;
}

static void take_log(struct compiling *c, int source, const struct msg_compiled *a)
{
    struct compile_errors errors =
        compile_log_read(a->log, source_of(c, source)->name, source_file(c->v, source));
    for (int i = 0; i < errors.n && i < ERRORS_SHOWN; i++)
        add_fault(c, "compiles", source, a->arch, errors.all[i].line, errors.all[i].col,
                  errors.all[i].text);
    compile_errors_free(&errors);
}

static const char *find_kernel(const struct msg_compiled *a, const char *name, bool mangled)
{
    char *inside = text_format("%zu%s", strlen(name), name);
    const char *found = NULL;
    for (int i = 0; i < a->n_kernels && !found; i++)
        if (mangled ? !strncmp(a->kernels[i], "_Z", 2) && strstr(a->kernels[i], inside) != NULL
                    : !strcmp(a->kernels[i], name))
            found = a->kernels[i];
    free(inside);
    return found;
}

/* The place of the first word `name` of the source; line 0 where it is not there. */
static struct place find_name(const struct file *f, const char *name)
{
    static const char *const inside =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    size_t n = strlen(name);
    for (const char *at = strstr(f->text, name); at; at = strstr(at + 1, name))
        if ((at == f->text || !strchr(inside, at[-1])) && (!at[n] || !strchr(inside, at[n])))
            return place_in(f, (size_t)(at - f->text));
    return (struct place){.file = f};
}

static void miss_kernel(struct compiling *c, int source, const struct msg_compiled *a,
                        const char *name)
{
    const char *mangled = find_kernel(a, name, true);
    struct place at = find_name(source_file(c->v, source), name);
    char *text = mangled ? text_format("the kernel %s is compiled under a C++ name (%.60s), so "
                                       "that no launch finds it; expected extern \"C\" before it",
                                       name, mangled)
                         : text_format("there is no kernel %s, which a launch names; there is %s%s",
                                       name, a->n_kernels ? a->kernels[0] : "none",
                                       a->n_kernels > 1 ? " and others" : "");
    add_fault(c, "kernel-name", source, a->arch, at.line, at.col, text);
    free(text);
}

static void take_kernels(struct compiling *c, int source, const struct msg_compiled *a)
{
    json_t *names = named_kernels(c, source);
    const char *name;
    json_t *value;
    json_object_foreach(names, name, value)
        if (!find_kernel(a, name, false))
            miss_kernel(c, source, a, name);
    json_decref(names);
}

static void take_answer(struct compiling *c, const struct msg_compiled *a)
{
    struct compile_told *told = &c->k->told;
    int source = source_index(a->source);
    if (!source_of(c, source) || !source_file(c->v, source))
        return;
    if (a->is == COMPILED_SKIPPED) {
        add_sorted(told->skipped, &told->n_skipped, a->arch);
        return;
    }
    c->tried |= archs_bit(&c->archs, a->arch);
    add_sorted(told->arch, &told->n_arch, a->arch);
    told->n_images++;
    if (a->is == COMPILED_NOT)
        take_log(c, source, a);
    else
        take_kernels(c, source, a);
}

static void on_event(void *ctx, const struct client_event *e)
{
    struct compiling *c = ctx;
    if (e->kind == CLIENT_COMPILER)
        snprintf(c->k->told.nvrtc, sizeof c->k->told.nvrtc, "%s", e->compiler->nvrtc);
    else if (e->kind == CLIENT_COMPILED)
        take_answer(c, e->compiled);
    else if (e->kind == CLIENT_PROGRESS && c->k->progress)
        c->k->progress(c->k->ctx, c->v, e->say);
}

/* ---- requests ---- */

/* Whether this was done before; from now on it was. */
static bool was_done(struct compile_check *k, const json_t *key)
{
    char hash[HASH_HEX];
    hash_json(hash, key);
    for (int i = 0; i < k->n_done; i++)
        if (!strcmp(k->done[i], hash))
            return true;
    k->done = mem_grow(k->done, (size_t)k->n_done + 1, sizeof *k->done);
    memcpy(k->done[k->n_done++], hash, HASH_HEX);
    return false;
}

/* Whether this text was compiled with these macros before, under whatever name, for launches of the
 * same kernels and each of the architectures that are asked for. */
static bool was_compiled(struct compiling *c, const struct set *s, const struct msg_source *source)
{
    int at = source_index(source->id);
    bool all = true;
    json_t *define = json_object();
    json_t *key = json_pack("{s:s, s:o, s:o}", "text", source->text, "define", define, "kernels",
                            named_kernels(c, at));
    for (int i = 0; i < s->n; i++)
        json_object_set_new(define, s->define[i].name, json_string(s->define[i].value));
    for (int i = 0; i < c->archs.n; i++)
        if (c->asked >> i & 1) {
            json_object_set_new(key, "arch", json_integer(c->archs.list[i]));
            all &= was_done(c->k, key);
        }
    json_decref(key);
    return all;
}

/* A request that failed: a fault of the sources (they end or hang the compiler), or nothing can be
 * compiled here. */
static int take_failure(struct compiling *c, int rc, const struct err *why, struct err *err)
{
    if (rc == 0)
        return 0;
    if (client_alive(c->k->client) && !client_can(c->k->client, "compile"))
        return err_set(err, ERR_UNSUPPORTED,
                       "the runner (%s) does not compile for other GPUs than its own; use the "
                       "warpdrill-runner of this build",
                       client_runner(c->k->client));
    if (!client_alive(c->k->client) || rc == ERR_UNSUPPORTED || rc == ERR_CANCELLED)
        return err_set(err, rc, "%s", why->text);
    findings_add(c->f, "compiles", c->v->story->pack, c->v->full_id, NULL,
                 (struct place){.file = NULL}, "its kernels were not all compiled: %s", why->text);
    return 0;
}

/* The sources of a set for the architectures of the moment. */
static int compile_for(struct compiling *c, const struct set *s, struct err *err)
{
    struct msg_source sources[SIDES];
    struct msg_compile request = {.deadline_ms = DEADLINE_MS,
                                  .sources = sources,
                                  .define = (struct msg_define *)(uintptr_t)s->define,
                                  .n_define = s->n};
    struct err why = {0};
    for (int i = 0; i < SIDES; i++) {
        const struct msg_source *source = s->sources >> i & 1 ? source_of(c, i) : NULL;
        if (source && !source->image.ptx && !was_compiled(c, s, source))
            sources[request.n_sources++] = *source;
    }
    if (request.n_sources == 0)
        return 0;
    for (int i = 0; i < c->archs.n; i++)
        if (c->asked >> i & 1)
            request.arch[request.n_arch++] = c->archs.list[i];
    int64_t id = client_compile(c->k->client, &request, &why);
    int rc = id < 0 ? (int)id : client_wait(c->k->client, id, on_event, c, &why);
    return take_failure(c, rc, &why, err);
}

/* The outer architectures first, once more where the compiler did not know one of them. All others
 * where these have a fault, to tell where it begins; a step's macros make sizes others, and no
 * other instructions. */
static int compile_set(struct compiling *c, const struct set *s, struct err *err)
{
    unsigned done = 0;
    int known = c->n_faults, rc = 0;
    while (!rc && (c->asked = outer(c) & ~done)) {
        done |= c->asked;
        rc = compile_for(c, s, err);
    }
    bool wanted = c->set == 0 && (c->n_faults > known || asks_for_arch(c));
    c->asked = wanted ? archs_all(&c->archs) & ~done : 0;
    for (int i = known; i < c->n_faults; i++)
        c->faults[i].asked |= c->asked;
    return rc || !c->asked ? rc : compile_for(c, s, err);
}

/* ---- what is compiled with which macros ---- */

static void add_to_set(struct compiling *c, const struct msg_shape *shape, const char *run)
{
    const struct msg_run *r = msg_run_find(shape, run);
    int at = 0;
    while (at < c->n_sets && !is_equal(&c->sets[at], shape->define, shape->n_define))
        at++;
    if (at == c->n_sets)
        c->sets[c->n_sets++] = (struct set){shape->define, shape->n_define, 0};
    for (int i = 0; r && i < r->n_launches; i++)
        if (!r->launches[i].transfer.kind)
            c->sets[at].sources |= 1u << source_index(r->launches[i].source);
}

static void make_sets(struct compiling *c)
{
    c->n_sets = 0;
    for (int r = 0; r < c->m->base.n_runs; r++)
        add_to_set(c, &c->m->base, c->m->base.runs[r].id);
    for (int i = 0; i < c->m->n_items; i++) {
        const struct msg_item *it = &c->m->items[i];
        for (int r = 0; r < it->n_runs; r++)
            add_to_set(c, msg_shape_of(c->m, it->variant), it->runs[r]);
        if (*it->against)
            add_to_set(c, msg_shape_of(c->m, it->variant), it->against);
        if (*it->baseline.run)
            add_to_set(c, msg_shape_of(c->m, it->variant), it->baseline.run);
    }
}

/* A task has no probes: its empty kernel, best and reference, as a try is raced. */
static int build_task(struct msg_measure *out, const struct variant *v,
                      const struct msg_device *device, struct err *err)
{
    static const char runs[] = "acr";
    int64_t *values = mem_new((size_t)v->story->n_params, sizeof *values);
    *out = (struct msg_measure){0};
    request_sources(out, v, runs);
    int rc = size_params(v->story, device, -1, 0, values, err);
    if (rc == 0)
        rc = request_shape(&out->base, v, device, values, runs, err);
    free(values);
    if (rc)
        msg_measure_free(out);
    return rc;
}

static int build(struct msg_measure *out, const struct variant *v, const struct msg_device *device,
                 struct err *err)
{
    return v->task ? build_task(out, v, device, err)
                   : request_build(out, v, device, v->sealed ? "symptom" : "all", 0, err);
}

/* As measuring everything on this device would. */
static int compile_on(struct compiling *c, const struct msg_device *device, struct err *err)
{
    struct msg_measure m;
    struct err why = {0};
    if (build(&m, c->v, device, &why)) {
        findings_failed(c->f, "sizes", c->v->story->pack, c->v->full_id, NULL, "", &why);
        return 0;
    }
    int rc = 0;
    c->own = archs_bit(&c->archs, archs_of(device));
    c->m = &m;
    make_sets(c);
    for (c->set = 0; rc == 0 && c->set < c->n_sets; c->set++)
        rc = compile_set(c, &c->sets[c->set], err);
    c->m = NULL;
    msg_measure_free(&m);
    return rc;
}

int compile_check_variant(struct compile_check *k, struct findings *f, const struct variant *v,
                          struct err *err)
{
    const struct msg_device made_up = checker_large_gpu();
    struct compiling *c = mem_new(1, sizeof *c);
    struct recording **recordings = NULL;
    int n = 0, rc = 0;
    if (story_is_case(v->story)) {
        free(c);
        return 0;
    }
    *c = (struct compiling){.k = k, .f = f, .v = v};
    if (v->sealed || recordings_of(v, &recordings, &n, NULL))
        n = 0;
    archs_choose(&c->archs, v->story, n ? &recordings[0]->device : &made_up);
    for (int i = 0; rc == 0 && i < n; i++)
        rc = compile_on(c, &recordings[i]->device, err);
    if (n == 0)
        rc = compile_on(c, &made_up, err);
    for (int i = 0; i < c->n_faults; i++) {
        if (rc == 0)
            tell_fault(c, &c->faults[i]);
        free(c->faults[i].text);
        free(c->faults[i].with);
    }
    recordings_free(recordings, n);
    free(c->faults);
    free(c);
    return rc;
}

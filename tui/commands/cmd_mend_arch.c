/* Mending without a GPU: what a compiler alone can say, and what it cannot. */
#include "tui/commands/cmd_mend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/gpus.h"
#include "scenarios/mend/mend_figures.h"
#include "scenarios/mend/mend_steps.h"
#include "scenarios/pack/names.h"

enum { DEADLINE_MS = 120000, SIDES = 4 };
static const char letters[] = "mabc"; /* the person's, suspect, fix, best */

struct compiling {
    const struct mending *m;
    struct msg_device device;          /* a GPU of this architecture, which need not be there */
    struct msg_shape shape[2];         /* launches of the person's run, and of the others */
    struct mend_launches launches;
    struct msg_compiled *answer[SIDES];
    bool mine;                         /* the person's text compiles */
    char nvrtc[32];
};

/* ---- what came ---- */

static const struct msg_run *run_of(const struct compiling *k, char letter)
{
    return letter == 'm' ? &k->shape[0].runs[0]
                         : msg_run_find(&k->shape[1], (char[]){letter, 0});
}

static json_t *kernel_json(const struct msg_launch *l, const struct mend_figures *f,
                           double occupancy, const char *limit)
{
    json_t *o = json_pack("{s:s, s:i, s:i, s:i, s:i, s:i}", "kernel", l->kernel, "registers",
                          f->registers, "stack_bytes", f->stack, "spill_stores", f->spill_stores,
                          "spill_loads", f->spill_loads, "shared_bytes",
                          f->shared + (int)l->shared);
    if (occupancy >= 0)
        json_object_set_new(o, "occupancy",
                            json_pack("{s:f, s:s}", "limit", occupancy, "by", limit));
    return o;
}

static void print_kernel(const char *who, const struct msg_launch *l, const struct mend_figures *f,
                         double occupancy, const char *limit)
{
    printf("  %-8s %-24.24s %4d registers  %5d B stack  %5d B spilled  %6d B shared", who,
           l->kernel, f->registers, f->stack, f->spill_stores + f->spill_loads,
           f->shared + (int)l->shared);
    if (occupancy >= 0)
        printf("  occupancy at most %.0f %% by %s", 100 * occupancy, limit);
    putchar('\n');
}

/* A step may launch a kernel many times; what differs is told. */
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

/* Each launch of a run; into `list` for --json. */
static void tell_run(const struct compiling *k, int side, json_t *list)
{
    static const char *const who[] = {"yours", "suspect", "fix", "best"};
    const struct msg_run *run = run_of(k, letters[side]);
    const struct msg_compiled *r = k->answer[side];
    for (int i = 0; run && r && i < run->n_launches; i++) {
        const struct msg_launch *l = &run->launches[i];
        const char *limit = "";
        struct mend_figures f;
        if ((!k->m->c->json && is_told(run, i)) || !mend_figures_read(&f, r->figures, l->kernel))
            continue;
        double occupancy = mend_occupancy(&limit, &f, l, &k->device);
        if (k->m->c->json)
            json_array_append_new(list, kernel_json(l, &f, occupancy, limit));
        else
            print_kernel(who[side], l, &f, occupancy, limit);
    }
}

/* ---- instructions ---- */

/* The fix, where there is none the best; NULL where it may not be seen yet, since it would tell how
 * the best goes about it. */
static const struct msg_compiled *other_of(const struct compiling *k)
{
    const struct task *task = k->m->v->task;
    if (task && !mend_best_open(task, &k->m->tries))
        return NULL;
    return k->answer[2] ? k->answer[2] : k->answer[3];
}

static void tell(struct compiling *k, int arch)
{
    const struct msg_compiled *mine = k->answer[0];
    const char *why = !mine                       ? "nothing came back"
                      : mine->is == COMPILED_NOT  ? mine->log
                      : mine->is == COMPILED_OK   ? ""
                                                  : mine->say;
    k->mine = mine && mine->is == COMPILED_OK;
    if (!k->m->c->json && !k->mine)
        printf("%s\n", why);
    else if (!k->m->c->json)
        printf("%s compiles for sm_%d by NVRTC %s; sizes as on an %s\n", k->m->place.name, arch,
               k->nvrtc, k->device.name);
    static const char *const who[] = {"yours", "suspect", "fix", "best"};
    json_t *all = json_object();
    for (int side = 0; side < SIDES; side++) {
        json_t *list = json_array();
        tell_run(k, side, list);
        json_object_set_new(all, who[side], list);
    }
    const struct mend_code code = {&k->m->place, mine, other_of(k), k->answer[2] ? "fix" : "best"};
    if (!k->m->c->json) {
        mend_code_print(&code);
    } else {
        json_t *out = json_pack("{s:s, s:s, s:i, s:s, s:s, s:s, s:O}", "scenario",
                                k->m->v->full_id, "verdict", k->mine ? "compiles" : "refused",
                                "arch", arch, "nvrtc", k->nvrtc, "gpu", k->device.name, "why", why,
                                "kernels", all);
        mend_code_json(out, &code);
        mend_print_json(out);
    }
    json_decref(all);
}

static void on_event(void *ctx, const struct client_event *e)
{
    struct compiling *k = ctx;
    if (e->kind == CLIENT_COMPILER)
        snprintf(k->nvrtc, sizeof k->nvrtc, "%s", e->compiler->nvrtc);
    const char *at = e->kind == CLIENT_COMPILED ? strchr(letters, e->compiled->source[0]) : NULL;
    if (!at || k->answer[at - letters])
        return;
    json_t *copy = msg_compiled_encode(e->compiled);
    struct msg_compiled *kept = mem_new(1, sizeof *kept);
    if (msg_compiled_decode(kept, copy, NULL) == 0)
        k->answer[at - letters] = kept;
    else
        free(kept);
    json_decref(copy);
}

/* ---- what is asked ---- */

static int read_arch(const char *text, int *out)
{
    char *end;
    const char *number = strncmp(text, "sm_", 3) ? text : text + 3;
    long arch = strtol(number, &end, 10);
    *out = (int)arch;
    return *number && !*end && arch >= 50 && arch < 1000;
}

/* Launches and macros by the sizes of a GPU of this architecture. */
static int make_shapes(struct compiling *k, const char *others, const char *text, int arch,
                       struct err *err)
{
    const struct variant *v = k->m->v;
    const struct gpu *g = gpu_least(arch / 10 + arch % 10 / 10.0);
    if (!g)
        return err_set(err, ERR_MISSING, "no GPU of sm_%d is known whose sizes could be taken",
                       arch);
    gpu_attributes(&k->device, g);
    int64_t *values = mem_new((size_t)v->story->n_params, sizeof *values);
    struct variant mine = *v;
    int rc = mend_launches_read(&k->launches, v, k->m->place.name, text, err);
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

static int compile(struct compiling *k, const char *others, const char *text, int arch,
                   struct err *err)
{
    struct mending *m = (struct mending *)k->m;
    struct msg_measure all = {0};
    request_sources(&all, m->v, others);
    struct msg_source *mine = &all.sources[all.n_sources++];
    snprintf(mine->id, sizeof mine->id, MEND_RUN);
    snprintf(mine->name, sizeof mine->name, "%s", m->place.name);
    mine->text = text_dup(text);
    mine->exact = m->v->story->needs_exact;
    struct msg_compile request = {.deadline_ms = DEADLINE_MS, .sources = all.sources,
                                  .n_sources = all.n_sources, .define = k->shape[0].define,
                                  .n_define = k->shape[0].n_define, .arch = {arch}, .n_arch = 1,
                                  .listing = true};
    char *command = default_runner(m->c->runner);
    int rc = client_open(&m->client, command, err);
    int64_t id = rc ? rc : client_compile(m->client, &request, err);
    rc = id > 0 ? client_wait(m->client, id, on_event, k, err) : (int)id;
    msg_measure_free(&all);
    free(command);
    return rc;
}

static void end_compiling(struct compiling *k)
{
    for (int i = 0; i < 2; i++) {
        struct msg_measure held = {.base = k->shape[i]};
        msg_measure_free(&held);
    }
    for (int i = 0; i < SIDES; i++) {
        msg_compiled_free(k->answer[i]);
        free(k->answer[i]);
    }
    mend_launches_free(&k->launches);
    msg_device_free(&k->device);
}

int mend_compile(struct mending *m)
{
    static const char *const others[] = {"a", "ac", "ab", "abc"};
    const char *runs = m->v->task ? "c" : others[2 * !!m->v->fix_file + !!m->v->best_file];
    struct compiling k = {.m = m};
    struct err err = {0};
    char *text = NULL;
    int arch;
    if (!read_arch(m->c->arch, &arch))
        return cmd_misuse("--arch needs an architecture such as sm_90, not '%s'", m->c->arch);
    int rc = mend_read(&text, &m->place, &err);
    if (rc == 0)
        rc = make_shapes(&k, runs, text, arch, &err);
    if (rc == 0)
        rc = compile(&k, runs, text, arch, &err);
    if (rc == 0) {
        tell(&k, arch);
        fputs("Whether it is right, and how fast it is, only a GPU can tell: without --arch, with "
              "--runner 'ssh HOST warpdrill-runner'.\n", stderr);
    }
    int status = rc ? cmd_fail(&err) : k.mine ? CMD_OK : CMD_FAILED;
    end_compiling(&k);
    free(text);
    return status;
}

/* Mending without a GPU: what a compiler alone can say, and what it cannot. */
#include "tui/commands/cmd_mend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mend/mend_compile.h"
#include "scenarios/mend/mend_steps.h"
#include "scenarios/pack/names.h"

/* ---- what came ---- */

static json_t *kernel_json(const struct mend_kernel *n)
{
    const struct mend_figures *f = &n->figures;
    json_t *o = json_pack("{s:s, s:i, s:i, s:i, s:i, s:i}", "kernel", n->launch->kernel,
                          "registers", f->registers, "stack_bytes", f->stack, "spill_stores",
                          f->spill_stores, "spill_loads", f->spill_loads, "shared_bytes",
                          n->shared);
    if (n->occupancy >= 0)
        json_object_set_new(o, "occupancy",
                            json_pack("{s:f, s:s}", "limit", n->occupancy, "by", n->limit));
    return o;
}

static void print_kernel(const char *who, const struct mend_kernel *n)
{
    const struct mend_figures *f = &n->figures;
    printf("  %-8s %-24.24s %4d registers  %5d B stack  %5d B spilled  %6d B shared", who,
           n->launch->kernel, f->registers, f->stack, f->spill_stores + f->spill_loads, n->shared);
    if (n->occupancy >= 0)
        printf("  occupancy at most %.0f %% by %s", 100 * n->occupancy, n->limit);
    putchar('\n');
}

/* Each launch of a side; into `list` for --json. */
static void tell_side(const struct mend_compile *k, enum mend_made side, bool json, json_t *list)
{
    for (int i = 0; i < mend_compile_launches(k, side); i++) {
        struct mend_kernel n;
        if ((!json && mend_compile_told(k, side, i)) || !mend_compile_kernel(&n, k, side, i))
            continue;
        if (json)
            json_array_append_new(list, kernel_json(&n));
        else
            print_kernel(mend_made_word(side), &n);
    }
}

/* ---- instructions ---- */

/* The fix, where there is none the best; NULL where it may not be seen yet, since it would tell how
 * the best goes about it. */
static const struct msg_compiled *other_of(const struct mending *m, const struct mend_compile *k)
{
    const struct task *task = m->v->task;
    if (task && !mend_best_open(task, &m->tries))
        return NULL;
    const struct msg_compiled *fix = mend_compile_answer(k, MEND_MADE_FIX);
    return fix ? fix : mend_compile_answer(k, MEND_MADE_BEST);
}

static void tell(const struct mending *m, const struct mend_compile *k, int arch)
{
    bool json = m->c->json, made = mend_compile_done(k);
    if (!json && !made)
        printf("%s\n", mend_compile_why(k));
    else if (!json)
        printf("%s compiles for sm_%d by NVRTC %s; sizes as on an %s\n", m->place.name, arch,
               mend_compile_nvrtc(k), mend_compile_gpu(k));
    json_t *all = json_object();
    for (int side = 0; side < MEND_MADE; side++) {
        json_t *list = json_array();
        tell_side(k, (enum mend_made)side, json, list);
        json_object_set_new(all, mend_made_word((enum mend_made)side), list);
    }
    const struct mend_code code = {&m->place, mend_compile_answer(k, MEND_MADE_MINE),
                                   other_of(m, k),
                                   mend_compile_answer(k, MEND_MADE_FIX) ? "fix" : "best"};
    if (!json) {
        mend_code_print(&code);
    } else {
        json_t *out = json_pack("{s:s, s:s, s:i, s:s, s:s, s:s, s:O}", "scenario",
                                m->v->full_id, "verdict", made ? "compiles" : "refused", "arch",
                                arch, "nvrtc", mend_compile_nvrtc(k), "gpu", mend_compile_gpu(k),
                                "why", mend_compile_why(k), "kernels", all);
        mend_code_json(out, &code);
        mend_print_json(out);
    }
    json_decref(all);
}

static void on_event(void *ctx, const struct client_event *e)
{
    mend_compile_event(ctx, e);
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

/* The request, to its end. */
static int compile(struct mend_compile **out, struct mending *m, const char *text, int arch,
                   struct err *err)
{
    const struct gpu *g = gpu_least(arch / 10 + arch % 10 / 10.0);
    if (!g)
        return err_set(err, ERR_MISSING, "no GPU of sm_%d is known whose sizes could be taken",
                       arch);
    char *command = default_runner(m->c->runner);
    int rc = client_open(&m->client, command, err);
    free(command);
    if (rc)
        return rc;
    *out = mend_compile_new(m->v, g, arch, m->client, m->place.name, text);
    if (!mend_compile_id(*out))
        return err_set(err, ERR_BAD_REQUEST, "%s", mend_compile_why(*out));
    return client_wait(m->client, mend_compile_id(*out), on_event, *out, err);
}

int mend_arch(struct mending *m)
{
    struct mend_compile *k = NULL;
    struct err err = {0};
    char *text = NULL;
    int arch;
    if (!read_arch(m->c->arch, &arch))
        return cmd_misuse("--arch needs an architecture such as sm_90, not '%s'", m->c->arch);
    int rc = mend_read(&text, &m->place, &err);
    if (rc == 0)
        rc = compile(&k, m, text, arch, &err);
    if (rc == 0) {
        tell(m, k, arch);
        fputs("Whether it is right, and how fast it is, only a GPU can tell: without --arch, with "
              "--runner 'ssh HOST warpdrill-runner'.\n", stderr);
    }
    int status = rc ? cmd_fail(&err) : mend_compile_done(k) ? CMD_OK : CMD_FAILED;
    mend_compile_free(k);
    free(text);
    return status;
}

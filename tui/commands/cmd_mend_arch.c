/* Mending without a GPU: what a compiler alone can say, and what it cannot. */
#include "tui/commands/cmd_mend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mend/mend_build.h"

/* ---- what came ---- */

static json_t *kernel_json(const struct mend_kernel *k)
{
    const struct mend_figures *f = &k->figures;
    json_t *o = json_pack("{s:s, s:i, s:i, s:i, s:i, s:i}", "kernel", k->name, "registers",
                          f->registers, "stack_bytes", f->stack, "spill_stores", f->spill_stores,
                          "spill_loads", f->spill_loads, "shared_bytes", f->shared);
    if (k->occupancy >= 0)
        json_object_set_new(o, "occupancy",
                            json_pack("{s:f, s:s}", "limit", k->occupancy, "by", k->limit));
    return o;
}

static void print_kernel(const char *who, const struct mend_kernel *k)
{
    const struct mend_figures *f = &k->figures;
    printf("  %-8s %-24.24s %4d registers  %5d B stack  %5d B spilled  %6d B shared", who, k->name,
           f->registers, f->stack, f->spill_stores + f->spill_loads, f->shared);
    if (k->occupancy >= 0)
        printf("  occupancy at most %.0f %% by %s", 100 * k->occupancy, k->limit);
    putchar('\n');
}

static void print_kernels(const struct mend_build *b)
{
    struct mend_kernel k[CAP_LAUNCHES];
    for (enum mend_built side = 0; side < BUILT_SIDES; side++) {
        int n = mend_build_kernels(b, side, k, CAP_LAUNCHES);
        for (int i = 0; i < n; i++)
            print_kernel(mend_built_word(side), &k[i]);
    }
}

static json_t *kernels_json(const struct mend_build *b)
{
    struct mend_kernel k[CAP_LAUNCHES];
    json_t *all = json_object();
    for (enum mend_built side = 0; side < BUILT_SIDES; side++) {
        json_t *list = json_array();
        int n = mend_build_kernels(b, side, k, CAP_LAUNCHES);
        for (int i = 0; i < n; i++)
            json_array_append_new(list, kernel_json(&k[i]));
        json_object_set_new(all, mend_built_word(side), list);
    }
    return all;
}

static void tell(const struct mending *m, const struct mend_build *b)
{
    bool compiles = mend_build_compiles(b);
    enum mend_built other = mend_build_other(b);
    const struct mend_code code = {&m->place, mend_build_side(b, BUILT_MINE),
                                   other == BUILT_MINE ? NULL : mend_build_side(b, other),
                                   mend_built_word(other)};
    char words[240];
    mend_build_words(words, sizeof words, b);
    if (!m->c->json) {
        puts(compiles ? words : mend_build_why(b));
        print_kernels(b);
        mend_code_print(&code);
        return;
    }
    json_t *out = json_pack("{s:s, s:s, s:i, s:s, s:s, s:s, s:o}", "scenario", m->v->full_id,
                            "verdict", compiles ? "compiles" : "refused", "arch",
                            mend_build_arch(b), "nvrtc", mend_build_nvrtc(b), "gpu",
                            mend_build_gpu(b), "why", mend_build_why(b), "kernels",
                            kernels_json(b));
    mend_code_json(out, &code);
    mend_print_json(out);
}

/* ---- what is asked ---- */

static void on_event(void *ctx, const struct client_event *e)
{
    mend_build_event(ctx, e);
}

static bool read_arch(char out[16], const char *text)
{
    char *end;
    const char *number = strncmp(text, "sm_", 3) ? text : text + 3;
    long arch = strtol(number, &end, 10);
    snprintf(out, 16, "sm_%d", (int)arch);
    return *number && !*end && arch >= 50 && arch < 1000;
}

static int compile(struct mending *m, struct mend_build **out, const char *arch,
                   struct err *err)
{
    char *text = NULL, *command = default_runner(m->c->runner);
    int rc = mend_read(&text, &m->place, err);
    if (rc == 0)
        rc = client_open(&m->client, command, err);
    if (rc == 0 && !(*out = mend_build_new(m->v, arch, m->client, m->place.name, text, &m->tries,
                                          err)))
        rc = err->code;
    if (rc == 0)
        rc = client_wait(m->client, mend_build_id(*out), on_event, *out, err);
    free(command);
    free(text);
    return rc;
}

int mend_compile(struct mending *m)
{
    struct mend_build *b = NULL;
    struct err err = {0};
    char arch[16];
    if (!read_arch(arch, m->c->arch))
        return cmd_misuse("--arch needs an architecture such as sm_90, not '%s'", m->c->arch);
    int rc = compile(m, &b, arch, &err);
    if (rc == 0) {
        tell(m, b);
        fputs("Whether it is right, and how fast it is, only a GPU can tell: without --arch, with "
              "--runner 'ssh HOST warpdrill-runner'.\n", stderr);
    }
    int status = rc ? cmd_fail(&err) : mend_build_compiles(b) ? CMD_OK : CMD_FAILED;
    mend_build_free(b);
    return status;
}

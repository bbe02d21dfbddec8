#include "tui/commands/cmd_check_compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/supply/front.h"

struct kernel_check {
    const struct cmd *cmd;
    compile_progress *progress;
    void *ctx;
    struct client *client;
    struct compile_check *check;
    int n_variants;
    char *missing;           /* why nothing (more) can be compiled */
};

struct kernel_check *kernel_check_new(const struct cmd *c, compile_progress *progress, void *ctx)
{
    if (c->no_compile)
        return NULL;
    struct kernel_check *k = mem_new(1, sizeof *k);
    *k = (struct kernel_check){.cmd = c, .progress = progress, .ctx = ctx};
    return k;
}

void kernel_check_free(struct kernel_check *k)
{
    if (!k)
        return;
    compile_check_free(k->check);
    client_free(k->client);
    free(k->missing);
    free(k);
}

/* A compiler is wanted, no GPU: nobody waits in a queue or for another machine unless they said so.
 */
static char *choose_runner(const struct cmd *c)
{
    char *command = default_runner(c->runner);
    if (!c->runner && !c->compile && front_is_far(command)) {
        free(command);
        command = default_runner_here();
    }
    return command;
}

static int start(struct kernel_check *k, struct err *err)
{
    char *command = choose_runner(k->cmd);
    int rc = client_open(&k->client, command, err);
    if (rc == 0)
        k->check = compile_check_new(k->client, k->progress, k->ctx);
    free(command);
    return rc;
}

void kernel_check_variant(struct kernel_check *k, struct findings *f, const struct variant *v)
{
    struct err err = {0};
    if (!k || k->missing)
        return;
    if ((!k->client && start(k, &err)) || compile_check_variant(k->check, f, v, &err))
        k->missing = text_dup(*err.text ? err.text : "the runner gives no reason");
    else
        k->n_variants++;
}

static const struct compile_told *told_of(const struct kernel_check *k)
{
    static const struct compile_told nothing;
    return k->check ? compile_check_told(k->check) : &nothing;
}

static void print_archs(FILE *f, const int *arch, int n)
{
    for (int i = 0; i < n; i++)
        fprintf(f, "%s sm_%d", i ? "," : "", arch[i]);
}

int kernel_check_say(const struct kernel_check *k)
{
    if (!k || (!k->client && !k->missing))
        return CMD_OK;
    const struct compile_told *told = told_of(k);
    if (told->n_images && !k->cmd->json && !k->cmd->format) {
        printf("kernels: %d images by NVRTC %s for", told->n_images, told->nvrtc);
        print_archs(stdout, told->arch, told->n_arch);
        putchar('\n');
    }
    if (told->n_skipped) {
        fprintf(stderr,
                "warpdrill: not checked, since NVRTC %s does not compile for them:", told->nvrtc);
        print_archs(stderr, told->skipped, told->n_skipped);
        fputc('\n', stderr);
    }
    if (k->missing)
        fprintf(stderr, "warpdrill: kernels were not %scompiled: %s\n", k->n_variants ? "all " : "",
                k->missing);
    return k->missing && k->cmd->compile ? CMD_FAILED : CMD_OK;
}

static json_t *encode_archs(const int *arch, int n)
{
    json_t *list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_sprintf("sm_%d", arch[i]));
    return list;
}

json_t *kernel_check_encode(const struct kernel_check *k)
{
    if (!k)
        return json_null();
    const struct compile_told *told = told_of(k);
    json_t *out = json_pack("{s:s, s:i, s:o, s:o}", "nvrtc", told->nvrtc, "images", told->n_images,
                            "arch", encode_archs(told->arch, told->n_arch), "skipped",
                            encode_archs(told->skipped, told->n_skipped));
    if (k->missing)
        json_object_set_new(out, "missing", json_string(k->missing));
    return out;
}

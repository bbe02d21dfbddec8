#include "tui/commands/cmd_check_for.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/check/checker_sizes_for.h"
#include "scenarios/evidence/gpus.h"
#include "scenarios/evidence/request.h"
#include "scenarios/formula/quantity.h"

static void add(struct for_gpus *g, const struct gpu *gpu)
{
    g->all = mem_grow(g->all, (size_t)g->n + 1, sizeof *g->all);
    gpu_attributes(&g->all[g->n++], gpu);
}

int for_gpus_read(struct for_gpus *out, const struct cmd *c)
{
    char *names = c->guest ? text_dup(c->guest) : NULL, *rest = NULL;
    int status = CMD_OK;
    const struct gpu *gpu;
    out->every = names && !strcmp(names, "all");
    if (out->every)
        for (int i = 0; (gpu = gpu_row(i)); i++)
            add(out, gpu);
    else
        for (char *name = names ? strtok_r(names, ",", &rest) : NULL; name && status == CMD_OK;
             name = strtok_r(NULL, ",", &rest)) {
            struct err err = {0};
            if ((gpu = gpu_find(name, &err)))
                add(out, gpu);
            else
                status = cmd_misuse("--for: %s, or all", err.text);
        }
    free(names);
    return status;
}

void for_gpus_free(struct for_gpus *g)
{
    for (int i = 0; i < g->n; i++)
        msg_device_free(&g->all[i]);
    free(g->all);
}

void for_gpus_check(const struct for_gpus *g, struct findings *f, const struct variant *v,
                    json_t *sizes)
{
    for (int i = 0; i < g->n; i++) {
        struct err why = {0};
        if (g->every && request_claims(v->story, &g->all[i], &why) == ERR_UNSUPPORTED) {
            json_array_append_new(sizes, json_pack("{s:s, s:s, s:s}", "scenario", v->full_id,
                                                   "gpu", g->all[i].slug, "left_out", why.text));
            continue;
        }
        check_fit_on(f, v, &g->all[i]);
        json_t *of = sizes_for(v, &g->all[i]);
        if (of)
            json_array_append_new(sizes, of);
    }
}

/* ---- as lines ---- */

static const char *text_at(const json_t *of, const char *key)
{
    return json_string_value(json_object_get(of, key));
}

static const char *bytes_text(char out[32], double bytes)
{
    quantity_show(out, 32, bytes, "B");
    return out;
}

static const char *bytes_at(char out[32], const json_t *of, const char *key)
{
    return bytes_text(out, json_number_value(json_object_get(of, key)));
}

/* "132", "64 x 32" */
static void print_extent(const json_t *extent)
{
    json_int_t of[3];
    for (size_t i = 0; i < 3; i++)
        of[i] = json_integer_value(json_array_get(extent, i));
    printf("%lld", (long long)of[0]);
    if (of[1] > 1 || of[2] > 1)
        printf(" x %lld", (long long)of[1]);
    if (of[2] > 1)
        printf(" x %lld", (long long)of[2]);
}

static void print_params(const json_t *params)
{
    const char *name;
    json_t *value;
    printf("  sizes");
    json_object_foreach((json_t *)(uintptr_t)params, name, value)
        printf("  %s %lld", name, (long long)json_integer_value(value));
    putchar('\n');
}

static void print_memory(const json_t *of)
{
    char bytes[32], memory[32];
    size_t i;
    json_t *b;
    json_array_foreach(json_object_get(of, "buffers"), i, b)
        printf("  buffer  %s: %lld %s, %s\n", text_at(b, "name"),
               (long long)json_integer_value(json_object_get(b, "count")), text_at(b, "type"),
               bytes_at(bytes, b, "bytes"));
    printf("  memory  %s in all, of %s\n", bytes_at(bytes, of, "bytes"),
           bytes_at(memory, of, "memory"));
}

/* How many of a list are like the one at `at`; 0: one before it is. */
static int count_alike(const json_t *list, size_t at)
{
    int alike = 0;
    size_t i;
    json_t *x;
    json_array_foreach((json_t *)(uintptr_t)list, i, x) {
        bool same = json_equal(x, json_array_get(list, at));
        if (same && i < at)
            return 0;
        alike += same;
    }
    return alike;
}

static void print_launch(const json_t *l, int times)
{
    json_int_t shared = json_integer_value(json_object_get(l, "shared"));
    printf("  launch  %s of %s: ", text_at(l, "kernel"), text_at(l, "source"));
    print_extent(json_object_get(l, "grid"));
    printf(" blocks of ");
    print_extent(json_object_get(l, "block"));
    printf(" threads");
    if (shared)
        printf(", %lld B of shared memory", (long long)shared);
    if (times > 1)
        printf(", %d times", times);
    putchar('\n');
}

static void print_one(const json_t *of)
{
    char bytes[32];
    size_t i;
    json_t *x;
    printf("%s  for %s\n", text_at(of, "scenario"), text_at(of, "gpu"));
    if (json_object_get(of, "left_out")) {
        printf("  left out: %s\n", text_at(of, "left_out"));
        return;
    }
    print_params(json_object_get(of, "params"));
    print_memory(of);
    const json_t *launches = json_object_get(of, "launches");
    json_array_foreach((json_t *)(uintptr_t)launches, i, x) {
        int times = count_alike(launches, i);
        if (times)
            print_launch(x, times);
    }
    json_array_foreach(json_object_get(of, "steps"), i, x)
        printf("  step    %s of %s: %s\n", text_at(x, "label"), text_at(x, "experiment"),
               bytes_at(bytes, x, "bytes"));
}

void for_gpus_print(const json_t *sizes)
{
    size_t i;
    json_t *of;
    json_array_foreach((json_t *)(uintptr_t)sizes, i, of)
        print_one(of);
}

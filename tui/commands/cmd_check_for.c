#include "tui/commands/cmd_check_for.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/check/checker_sizes_for.h"
#include "scenarios/evidence/gpus.h"
#include "scenarios/evidence/request.h"

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
        if (!of && !story_is_case(v->story))
            of = json_pack("{s:s, s:s, s:b}", "scenario", v->full_id, "gpu", g->all[i].slug,
                           "unfit", 1);
        if (of)
            json_array_append_new(sizes, of);
    }
}

/* warpdrill list: what there is to play; nothing that says what is wrong with it. */
#include "tui/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* GPUs on which every variant of the story is recorded: a name that only some have would tell variants apart. */
static bool recorded_on(const struct variant *v, const char *slug)
{
    char *path = text_format("%s/%s/sealed/evidence/%s.json", v->story->id, v->id, slug);
    bool there = files_find(v->story->pack->files, path) != NULL;
    free(path);
    return there;
}

static json_t *recorded_gpus(const struct story *s)
{
    const struct files *f = s->pack->files;
    json_t *gpus = json_array();
    char *prefix = s->n_variants ? text_format("%s/%s/sealed/evidence/", s->id, s->variants[0]->id) : text_dup("-");
    for (int i = 0; i < f->n; i++) {
        size_t n = strlen(prefix), len = strlen(f->file[i].path);
        if (strncmp(f->file[i].path, prefix, n) || len < n + 6 || strcmp(f->file[i].path + len - 5, ".json"))
            continue;
        char *slug = text_ndup(f->file[i].path + n, len - n - 5);
        bool all = true;
        for (int k = 0; k < s->n_variants; k++)
            all = all && recorded_on(s->variants[k], slug);
        if (all)
            json_array_append_new(gpus, json_string(slug));
        free(slug);
    }
    free(prefix);
    return gpus;
}

static json_t *story_json(const struct story *s)
{
    json_t *gpus = recorded_gpus(s), *tiers = json_array();
    if (json_array_size(gpus))
        json_array_append_new(tiers, json_string("recorded"));
    json_array_append_new(tiers, json_string("live"));
    return json_pack("{s:s, s:s, s:s, s:i, s:i, s:b, s:b, s:o, s:o}", "id", s->full_id, "title", s->title, "kind", s->kind, "level", s->level, "variants",
                     s->n_variants, "counted", (int)s->counted, "sealed", s->pack->seal == SEAL_SHUT, "tiers", tiers, "recorded", gpus);
}

static void print_story(const json_t *s)
{
    const char *id, *title, *kind;
    int level, variants, sealed;
    json_t *gpus;
    json_unpack((json_t *)s, "{s:s, s:s, s:s, s:i, s:i, s:b, s:o}", "id", &id, "title", &title, "kind", &kind, "level", &level, "variants", &variants,
                "sealed", &sealed, "recorded", &gpus);
    printf("%-36s %-8s level %d  %d variant%s  ", id, kind, level, variants, variants == 1 ? " " : "s");
    size_t i;
    json_t *gpu;
    json_array_foreach(gpus, i, gpu)
        printf("%s%s", i ? ", " : "recorded on ", json_string_value(gpu));
    printf("%s\n    %s\n", sealed ? "sealed" : json_array_size(gpus) ? ", or live" : "live only", title);
}

int cmd_list(const struct cmd *c)
{
    struct catalog *catalog = NULL;
    int status = cmd_catalog(&catalog, c);
    if (status)
        return status;
    json_t *scenarios = json_array();
    for (int p = 0; p < catalog->n_packs; p++)
        for (int i = 0; i < catalog->packs[p]->n_stories; i++)
            json_array_append_new(scenarios, story_json(&catalog->packs[p]->stories[i]));
    size_t i;
    json_t *s;
    if (c->json) {
        cmd_print_json(json_pack("{s:O}", "scenarios", scenarios));
    } else {
        json_array_foreach(scenarios, i, s)
            print_story(s);
    }
    json_decref(scenarios);
    catalog_free(catalog);
    return CMD_OK;
}

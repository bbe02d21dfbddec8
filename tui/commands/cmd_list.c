/* warpdrill list: what there is to play, and where it comes from; nothing that says what is wrong
 * with it. */
#include "tui/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/evidence.h"
#include "scenarios/library/origin.h"
#include "scenarios/library/version.h"
#include "scenarios/pack/recordings.h"

/* GPUs on which every variant of the story is recorded: a name that only some have would tell
 * variants apart. */
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
    char *prefix = s->n_variants ? text_format("%s/%s/sealed/evidence/", s->id, s->variants[0]->id)
                                 : text_dup("-");
    for (int i = 0; i < f->n; i++) {
        size_t n = strlen(prefix), len = strlen(f->file[i].path);
        if (strncmp(f->file[i].path, prefix, n) || len < n + 6 ||
            strcmp(f->file[i].path + len - 5, ".json"))
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

/* {a: "1a2b3c4d", ...}; a variant whose answer is sealed has none that could be compared. */
static json_t *versions_json(const struct story *s)
{
    char version[VERSION_TEXT];
    json_t *all = json_object();
    for (int i = 0; i < s->n_variants; i++)
        if (version_of(version, s->variants[i]))
            json_object_set_new(all, s->variants[i]->id, json_string(version));
    return all;
}

/* "generated" or "recorded", as the exhibits of a case say, "" where they are sealed; NULL of what
 * is no case. */
static const char *case_tier(const struct story *s)
{
    struct recording **all = NULL;
    int n = 0;
    bool generated;
    if (!story_is_case(s))
        return NULL;
    if (recordings_of(s->variants[0], &all, &n, NULL))
        return "";
    generated = !strcmp(all[0]->tier, "generated");
    recordings_free(all, n);
    return generated ? "generated" : "recorded";
}

static json_t *story_json(const struct story *s)
{
    json_t *gpus = recorded_gpus(s), *tiers = json_array();
    const char *tier = case_tier(s);
    if (tier ? *tier != '\0' : json_array_size(gpus) > 0)
        json_array_append_new(tiers, json_string(tier ? tier : "recorded"));
    if (!tier)
        json_array_append_new(tiers, json_string("live"));
    return json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:b, s:b, s:o, s:o, s:o}", "id", s->full_id,
                     "pack", s->pack->id, "title", s->title, "kind", s->kind, "level", s->level,
                     "variants", s->n_variants, "counted", (int)s->counted, "sealed",
                     s->pack->seal == SEAL_SHUT, "tiers", tiers, "recorded", gpus, "versions",
                     versions_json(s));
}

static void print_story(const json_t *s)
{
    const char *id, *title, *kind;
    int level, variants, sealed;
    json_t *gpus, *tiers;
    json_unpack((json_t *)s, "{s:s, s:s, s:s, s:i, s:i, s:b, s:o, s:o}", "id", &id, "title", &title,
                "kind", &kind, "level", &level, "variants", &variants, "sealed", &sealed,
                "recorded", &gpus, "tiers", &tiers);
    printf("%-36s %-8s level %d  %d variant%s  ", id, kind, level, variants,
           variants == 1 ? " " : "s");
    size_t i;
    json_t *gpu;
    json_array_foreach(gpus, i, gpu)
        printf("%s%s", i ? ", " : "recorded on ", json_string_value(gpu));
    const char *only =
        json_string_value(json_array_get(tiers, 0)); /* of a case, which is never live */
    bool is_case = !strcmp(kind, "case");
    printf("%s\n    %s\n",
           sealed                  ? "sealed"
           : is_case               ? (only ? only : "")
           : json_array_size(gpus) ? ", or live"
                                   : "live only",
           title);
}

static void print_pack(const struct pack *p)
{
    struct origin o;
    char version[VERSION_TEXT];
    origin_find(&o, p->files->root);
    version_pack(version, p);
    printf("%s  %s\n    %s%s, version %s\n", p->id, p->title, o.shipped ? "" : "from ",
           o.shipped ? "shipped" : o.folder, version);
    for (int i = 0; i < p->n_stories; i++) {
        json_t *s = story_json(&p->stories[i]);
        print_story(s);
        json_decref(s);
    }
    origin_free(&o);
}

static json_t *pack_json(const struct pack *p)
{
    struct origin o;
    char version[VERSION_TEXT];
    origin_find(&o, p->files->root);
    version_pack(version, p);
    json_t *obj = json_pack("{s:s, s:s, s:s, s:s, s:o}", "id", p->id, "title", p->title, "licence",
                            p->licence, "version", version, "origin", origin_encode(&o));
    origin_free(&o);
    return obj;
}

static void print_json(const struct catalog *c)
{
    json_t *packs = json_array(), *scenarios = json_array(), *problems = json_array();
    for (int p = 0; p < c->n_packs; p++) {
        json_array_append_new(packs, pack_json(c->packs[p]));
        for (int i = 0; i < c->packs[p]->n_stories; i++)
            json_array_append_new(scenarios, story_json(&c->packs[p]->stories[i]));
    }
    for (int i = 0; i < c->n_problems; i++)
        json_array_append_new(problems, json_pack("{s:s, s:s}", "where", c->problems[i].where,
                                                  "text", c->problems[i].text));
    cmd_print_json(
        json_pack("{s:o, s:o, s:o}", "packs", packs, "scenarios", scenarios, "problems", problems));
}

static bool was_given(const struct cmd *c, const char *where)
{
    bool given = false;
    for (int i = 0; i < c->n_packs; i++)
        given = given || !strcmp(c->packs[i], where);
    return given;
}

int cmd_list(const struct cmd *c)
{
    struct catalog *catalog = NULL;
    int status = cmd_catalog(&catalog, c);
    if (status)
        return status;
    if (c->json)
        print_json(catalog);
    for (int p = 0; p < catalog->n_packs && !c->json; p++)
        print_pack(catalog->packs[p]);
    for (int i = 0; i < catalog->n_problems; i++)
        if (catalog->problems[i].absent && was_given(c, catalog->problems[i].where))
            status = CMD_FAILED;    /* others may be broken; they are only told */
    catalog_free(catalog);
    return status;
}

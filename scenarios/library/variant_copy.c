#include "scenarios/library/variant_copy.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* A pack of this one story. A JSON string is a YAML string too. */
static void put_manifest(json_t *files, const struct story *s)
{
    const struct pack *p = s->pack;
    json_t *title = json_string(p->title), *licence = json_string(p->licence ? p->licence : "");
    char *t = json_dumps(title, JSON_ENCODE_ANY), *l = json_dumps(licence, JSON_ENCODE_ANY);
    char *text = text_format("format: %d\nid: %s\ntitle: %s\nlicence: %s\nscenarios: [%s]\n",
                             PACK_FORMAT_FIRST, p->id, t, l, s->id);
    json_object_set_new(files, "pack.yaml", json_string(text));
    free(text);
    free(t);
    free(l);
    json_decref(title);
    json_decref(licence);
}

static void drop_others(json_t *files, const struct variant *v)
{
    char *evidence = text_format("%s/%s/sealed/evidence/", v->story->id, v->id);
    for (int i = 0; i < v->story->n_variants; i++) {
        char *other = text_format("%s/%s/", v->story->id, v->story->variants[i]->id);
        const char *path;
        json_t *text;
        void *next;
        bool drop = v->story->variants[i] != v;
        json_object_foreach_safe(files, next, path,
                                 text) if ((drop && !strncmp(path, other, strlen(other))) ||
                                           !strncmp(path, evidence, strlen(evidence)))
            json_object_del(files, path);
        free(other);
    }
    free(evidence);
}

/* What is to be written from nothing is the story's, and names its variants. */
static void drop_task(json_t *files, const struct story *s)
{
    const char *path;
    json_t *text;
    void *next;
    json_object_foreach_safe(files, next, path, text) if (story_task_has(s, path))
        json_object_del(files, path);
}

json_t *variant_files(const struct variant *v)
{
    char *prefix = text_format("%s/", v->story->id);
    json_t *files = files_to_json(v->story->pack->files, prefix);
    drop_others(files, v);
    drop_task(files, v->story);
    put_manifest(files, v->story);
    free(prefix);
    return files;
}

int variant_draw(struct pack **pack, const struct variant **variant, const struct variant *of,
                 uint64_t seed, struct err *err)
{
    json_t *all = variant_files(of);
    struct files *files = NULL;
    int rc = files_from_json(&files, all, err);
    json_decref(all);
    if (rc)
        return rc;
    free(files->root);
    files->root = text_dup(of->story->pack->files->root);
    files->seed = seed;
    rc = pack_load(pack, files, err);
    if (rc == 0)
        *variant = story_variant(pack_story(*pack, of->story->id), of->id);
    return rc;
}

#include "scenarios/library/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/text/source_kind.h"

static bool ends(const char *s, const char *with)
{
    size_t n = strlen(s), k = strlen(with);
    return n > k && !strcmp(s + n - k, with);
}

/* Is the path below FOLDER/? */
static bool below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return !strncmp(path, folder, n) && path[n] == '/';
}

static bool of_another_variant(const char *in_story, const struct variant *v)
{
    for (int i = 0; i < v->story->n_variants; i++)
        if (v->story->variants[i] != v && below(in_story, v->story->variants[i]->id))
            return true;
    return false;
}

static bool is_text(const char *path)
{
    return strstr(path, "/sealed/exhibits/") || ends(path, ".yaml") || ends(path, ".md") ||
           source_kind_of(path);
}

static bool counts(const char *path, const struct variant *v)
{
    const char *story = v->story->id;
    return below(path, story) && !of_another_variant(path + strlen(story) + 1, v) &&
           !story_task_has(v->story, path) && is_text(path);
}

void version_pack(char out[VERSION_TEXT], const struct pack *p)
{
    char hash[HASH_HEX];
    json_t *all = json_object();
    for (int i = 0; i < p->files->n; i++)
        if (is_text(p->files->file[i].path))
            json_object_set_new(all, p->files->file[i].path,
                                json_stringn(p->files->file[i].text, p->files->file[i].len));
    hash_json(hash, all);
    json_decref(all);
    snprintf(out, VERSION_TEXT, "%.8s", hash);
}

void version_hash(char out[HASH_HEX], const struct variant *v)
{
    const struct files *f = v->story->pack->files;
    json_t *all = json_object();
    for (int i = 0; i < f->n; i++)
        if (counts(f->file[i].path, v))
            json_object_set_new(all, f->file[i].path,
                                json_stringn(f->file[i].text, f->file[i].len));
    hash_json(out, all);
    json_decref(all);
}

bool version_of(char out[VERSION_TEXT], const struct variant *v)
{
    char hash[HASH_HEX];
    *out = '\0';
    if (v->sealed)
        return false;
    version_hash(hash, v);
    snprintf(out, VERSION_TEXT, "%.8s", hash);
    return true;
}

void version_words(char *out, size_t size, const char *did, const char *version,
                   const struct variant *now)
{
    char present[VERSION_TEXT];
    bool changed = *version && now && version_of(present, now) && strcmp(present, version);
    snprintf(out, size, "%s%s%s%s", changed ? did : "", changed ? " with version " : "",
             changed ? version : "", changed ? "; it has changed since" : "");
}

const struct variant *version_now(const struct catalog *c, const char *full_id)
{
    for (int p = 0; c && p < c->n_packs; p++)
        for (int s = 0; s < c->packs[p]->n_stories; s++)
            for (int i = 0; i < c->packs[p]->stories[s].n_variants; i++)
                if (!strcmp(c->packs[p]->stories[s].variants[i]->full_id, full_id))
                    return c->packs[p]->stories[s].variants[i];
    return NULL;
}

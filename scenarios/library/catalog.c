#include "scenarios/library/catalog.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/library/config.h"
#include "scenarios/text/near.h"
#include "scenarios/library/origin.h"
#include "scenarios/library/variant_copy.h"

/* Folders already read, by their real path: the same folder reached twice is no clash. `wanted` is
 * the scenario that is looked for, NULL for all. */
struct search { struct catalog *c; const char *wanted; char **seen; int n_seen; };

static void add_problem(struct catalog *c, const char *where, const char *text)
{
    c->problems = mem_grow(c->problems, (size_t)c->n_problems + 1, sizeof *c->problems);
    c->problems[c->n_problems].absent = false;
    c->problems[c->n_problems].where = text_dup(where);
    c->problems[c->n_problems++].text = text_dup(text);
}

/* What is wrong in a sealed half is for its author: the line would tell a player the answer. */
static int without_sealed(struct err *err, const char *folder)
{
    size_t before = strncmp(err->text, folder, strlen(folder)) ? 0 : strlen(folder);
    const char *file = err->text + before, *sealed = strstr(file, "/sealed/");
    if (!sealed || sealed >= file + strcspn(file, "\n"))
        return err->code;
    return err_set(err, err->code,
                   "the sealed half of this pack cannot be read; warpdrill check %s tells its author "
                   "where and why",
                   folder);
}

static bool seen_before(struct search *s, const char *folder)
{
    char *real = realpath(folder, NULL);
    if (!real)
        return false;
    for (int i = 0; i < s->n_seen; i++)
        if (!strcmp(s->seen[i], real)) {
            free(real);
            return true;
        }
    s->seen = mem_grow(s->seen, (size_t)s->n_seen + 1, sizeof *s->seen);
    s->seen[s->n_seen++] = real;
    return false;
}

/* "pack/story/a" and "story/a": has the folder a scenario by the name of one of the first two? */
static bool may_hold(const char *folder, const char *id)
{
    bool there = false;
    for (int k = 0; k < 2 && *id && !there; k++) {
        size_t n = strcspn(id, "/");
        char *name = text_ndup(id, n), *file = NULL;
        there = path_below(&file, folder, PATH_NAMES(name, "scenario.yaml"), NULL) == 0 &&
                access(file, F_OK) == 0;
        free(file);
        free(name);
        id += n + (id[n] == '/');
    }
    return there;
}

static void add_pack(struct search *s, const char *folder)
{
    struct catalog *c = s->c;
    struct pack *p;
    struct err err;
    if ((s->wanted && !may_hold(folder, s->wanted)) || seen_before(s, folder))
        return;
    if (pack_open(&p, folder, &err)) {
        without_sealed(&err, folder);
        add_problem(c, folder, err.text);
        return;
    }
    for (int i = 0; i < c->n_packs; i++)
        if (!strcmp(c->packs[i]->id, p->id)) {
            err_set(&err, ERR_BAD_REQUEST,
                    "pack '%s' was found in %s already; another id was expected, so this one is "
                    "left out",
                    p->id, c->packs[i]->files->root);
            add_problem(c, folder, err.text);
            pack_free(p);
            return;
        }
    c->packs = mem_grow(c->packs, (size_t)c->n_packs + 1, sizeof *c->packs);
    c->packs[c->n_packs++] = p;
}

static bool is_pack(const char *folder)
{
    char *manifest = text_format("%s/pack.yaml", folder);
    bool there = access(manifest, F_OK) == 0;
    free(manifest);
    return there;
}

static int visible(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

/* A pack, or a folder of packs; returns how many folders with a pack.yaml there were, -1 without a
 * folder. */
static int add_place(struct search *s, const char *place)
{
    struct dirent **entries;
    int found = 0;
    if (is_pack(place)) {
        add_pack(s, place);
        return 1;
    }
    int n = scandir(place, &entries, visible, alphasort);
    if (n < 0)
        return -1;
    for (int i = 0; i < n; i++) {
        char *folder;
        if (path_below(&folder, place, PATH_NAMES(entries[i]->d_name), NULL) == 0 &&
            is_pack(folder)) {
            add_pack(s, folder);
            found++;
        }
        free(folder);
        free(entries[i]);
    }
    free(entries);
    return found;
}

static void add_given(struct search *s, const char *dir)
{
    int found = add_place(s, dir);
    if (found > 0)
        return;
    add_problem(s->c, dir,
                found < 0 ? "no such folder; a pack or a folder of packs was expected"
                          : "no pack.yaml here or one level below; a pack or a folder of packs was "
                            "expected");
    s->c->problems[s->c->n_problems - 1].absent = true;
}

/* Settings that cannot be read are a problem as well, and no more. */
static void add_configured(struct search *s)
{
    struct config config;
    struct err err;
    char *path = config_path();
    if (config_read(&config, &err))
        add_problem(s->c, path, err.text);
    for (int i = 0; i < config.n_packs; i++)
        add_given(s, config.packs[i]);
    config_free(&config);
    free(path);
}

static void add_shipped(struct search *s)
{
    char *place[2];
    int n = origin_shipped_places(place);
    for (int i = 0; i < n; i++) {
        add_place(s, place[i]);
        free(place[i]);
    }
}

/* One entry of an XDG list; relative ones are ignored, as the convention asks. */
static void add_data_folder(struct search *s, const char *dir, size_t len)
{
    if (!len || *dir != '/')
        return;
    char *place = text_format("%.*s/warpdrill/packs", (int)len, dir);
    add_place(s, place);
    free(place);
}

static void add_data_folders(struct search *s)
{
    const char *home = getenv("HOME"), *data = getenv("XDG_DATA_HOME"),
               *dirs = getenv("XDG_DATA_DIRS");
    char *fallback = text_format("%s/.local/share", home ? home : "");
    data = data && *data ? data : fallback;
    add_data_folder(s, data, strlen(data));
    free(fallback);
    for (const char *at = dirs && *dirs ? dirs : "/usr/local/share:/usr/share"; ; at++) {
        size_t n = strcspn(at, ":");
        add_data_folder(s, at, n);
        at += n;
        if (!*at)
            return;
    }
}

static int open_packs(struct catalog **out, const char *const *dirs, int n_dirs, const char *wanted,
                      struct err *err)
{
    struct search s = {.c = mem_new(1, sizeof(struct catalog)), .wanted = wanted};
    *out = NULL;
    for (int i = 0; i < n_dirs; i++)
        add_given(&s, dirs[i]);
    add_configured(&s);
    add_shipped(&s);
    add_data_folders(&s);
    for (int i = 0; i < s.n_seen; i++)
        free(s.seen[i]);
    free(s.seen);
    if (!s.c->n_packs && !s.c->n_problems) {
        catalog_free(s.c);
        return err_set(err, ERR_MISSING,
                       "there is no pack; one was expected in --pack DIR, in content/packs beside "
                       "the program's build folder, or in ~/.local/share/warpdrill/packs");
    }
    *out = s.c;
    return 0;
}

int catalog_open(struct catalog **out, const char *const *dirs, int n_dirs, struct err *err)
{
    return open_packs(out, dirs, n_dirs, NULL, err);
}

int catalog_open_for(struct catalog **out, const char *const *dirs, int n_dirs, const char *id,
                     struct err *err)
{
    struct err none;
    if (open_packs(out, dirs, n_dirs, id, &none) == 0 && (*out)->n_packs)
        return 0;
    catalog_free(*out);
    return open_packs(out, dirs, n_dirs, NULL, err);
}

void catalog_free(struct catalog *c)
{
    if (!c)
        return;
    for (int i = 0; i < c->n_packs; i++)
        pack_free(c->packs[i]);
    for (int i = 0; i < c->n_problems; i++) {
        free(c->problems[i].where);
        free(c->problems[i].text);
    }
    for (int i = 0; i < c->n_drawn; i++)
        pack_free(c->drawn[i]);
    free(c->packs);
    free(c->problems);
    free(c->drawn);
    free(c);
}

int catalog_draw(struct catalog *c, const struct variant *v, uint64_t seed,
                 const struct variant **out, struct err *err)
{
    struct pack *pack = NULL;
    *out = v;
    if (!v->story->model)
        return 0;
    for (int i = 0; i < c->n_drawn; i++) {
        const struct variant *had = c->drawn[i]->stories[0].variants[0];
        if (c->drawn[i]->files->seed == seed && !strcmp(had->full_id, v->full_id)) {
            *out = had;
            return 0;
        }
    }
    if (variant_draw(&pack, out, v, seed, err))
        return without_sealed(err, v->story->pack->files->root);
    c->drawn = mem_more(c->drawn, (size_t)c->n_drawn, sizeof *c->drawn);
    c->drawn[c->n_drawn++] = pack;
    return 0;
}

/* ---- finding ---- */

struct parts { char part[3][48]; int n; };

static bool split(const char *id, struct parts *p)
{
    *p = (struct parts){.n = 0};
    for (;; id++) {
        size_t n = strcspn(id, "/");
        if (p->n == 3 || n == 0 || n >= sizeof p->part[0])
            return false;
        memcpy(p->part[p->n++], id, n);
        id += n;
        if (!*id)
            return true;
    }
}

/* Does story s (and variant v, which may be NULL) go by this name? */
static bool goes_by(const struct parts *p, const struct story *s, const struct variant **v)
{
    *v = NULL;
    bool with_pack = !strcmp(p->part[0], s->pack->id) && p->n > 1 && !strcmp(p->part[1], s->id);
    if (with_pack && p->n == 2)
        return true;
    if (!with_pack && strcmp(p->part[0], s->id))
        return false;
    if (p->n == 1)
        return true;
    if (p->n == (with_pack ? 3 : 2))
        *v = story_variant(s, p->part[p->n - 1]);
    return *v != NULL;
}

static int miss_pack(const struct pack *p, struct err *err)
{
    char has[400] = "";
    size_t len = 0;
    for (int i = 0; i < p->n_stories && len < sizeof has; i++)
        len += (size_t)snprintf(has + len, sizeof has - len, "%s%s", i ? ", " : "",
                                p->stories[i].full_id);
    return err_set(err, ERR_MISSING, "'%s' is a pack; one of its scenarios was expected: %s", p->id,
                   has);
}

static int miss(const struct catalog *c, const char *id, struct err *err)
{
    char near[400] = "";
    size_t len = 0;
    struct parts p;
    for (int k = 0; k < c->n_packs; k++)
        if (!strcmp(c->packs[k]->id, id))
            return miss_pack(c->packs[k], err);
    bool ok = split(id, &p);
    for (int k = 0; ok && k < c->n_packs; k++)
        for (int i = 0; i < c->packs[k]->n_stories; i++) {
            const struct story *s = &c->packs[k]->stories[i];
            bool close = false;
            for (int j = 0; j < p.n; j++)
                close = close || near_distance(p.part[j], s->id) <= 3 ||
                        (strlen(p.part[j]) > 3 && strstr(s->id, p.part[j]));
            if (close && len < sizeof near)
                len += (size_t)snprintf(near + len, sizeof near - len, "%s%s", len ? ", " : "",
                                        s->full_id);
        }
    return err_set(err, ERR_MISSING, "there is no scenario '%.100s'; %s%s", id,
                   len ? "did you mean " : "see warpdrill list", near);
}

int catalog_find(const struct catalog *c, const char *id, const struct story **story,
                 const struct variant **variant, struct err *err)
{
    struct parts p;
    *story = NULL;
    *variant = NULL;
    if (!split(id, &p))
        return miss(c, id, err);
    for (int k = 0; k < c->n_packs; k++)
        for (int i = 0; i < c->packs[k]->n_stories; i++) {
            const struct story *s = &c->packs[k]->stories[i];
            const struct variant *v;
            if (!goes_by(&p, s, &v))
                continue;
            if (*story)
                return err_set(err, ERR_BAD_REQUEST,
                               "'%.100s' may be %s or %s; the full name was expected", id,
                               (*story)->full_id, s->full_id);
            *story = s;
            *variant = v;
        }
    return *story ? 0 : miss(c, id, err);
}

const struct story *catalog_task(const struct catalog *c, const char *id)
{
    for (int k = 0; k < c->n_packs; k++)
        for (int i = 0; i < c->packs[k]->n_tasks; i++)
            if (!strcmp(id, c->packs[k]->tasks[i].id) || !strcmp(id, c->packs[k]->tasks[i].full_id))
                return &c->packs[k]->tasks[i];
    return NULL;
}

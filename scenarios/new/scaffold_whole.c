/* A draft without a kernel to begin with: one of the small whole stories of scenarios/new/drafts,
 * with one of its variants, under another id and title. */
#include "scenarios/new/scaffold_whole.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold_draft.h"
#include "scenarios/new/scaffold_files.h"
#include "scenarios/pack/pack.h"

/* As the Makefile puts them into the program. */
struct embedded {
    const char *name, *text;
};
extern const struct embedded draft_text[];

/* ---- which story ---- */

static int open_drafts(struct pack **out, struct err *err)
{
    struct files *f = files_new("drafts");
    for (const struct embedded *e = draft_text; e->name; e++)
        files_add(f, e->name, e->text, strlen(e->text));
    return pack_load(out, f, err);
}

static const char *cause_of(const struct variant *v)
{
    return v->story->hypotheses[v->cause]->id;
}

/* The first of the kind that has the cause, else (cause NULL) the first of the kind. */
static const struct variant *find(const struct pack *p, const char *kind, const char *cause)
{
    for (int i = 0; i < p->n_stories; i++)
        for (int k = 0; k < p->stories[i].n_variants; k++) {
            const struct variant *v = p->stories[i].variants[k];
            if (!strcmp(v->story->kind, kind) && (!cause || !strcmp(cause_of(v), cause)))
                return v;
        }
    return NULL;
}

static int refuse(const struct pack *p, const char *kind, const char *cause, struct err *err)
{
    char list[700] = "";
    size_t n = 0, n_all;
    const struct hypothesis *all = taxonomy(&n_all);
    for (size_t i = 0; i < n_all && n < sizeof list; i++)
        if (find(p, kind, all[i].id))
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", all[i].id);
    return err_set(err, ERR_BAD_REQUEST,
                   "'%s' is no cause that a draft of the kind %s has; one of these was expected: "
                   "%s",
                   cause, kind, list);
}

static const char *const kinds[] = {"pipeline", "harness", "case"};
enum { KINDS = sizeof kinds / sizeof *kinds };

bool scaffold_whole_kind(const char *kind)
{
    for (int i = 0; i < KINDS; i++)
        if (!strcmp(kinds[i], kind))
            return true;
    return false;
}

const char *scaffold_whole_of(const char *cause)
{
    struct pack *p = NULL;
    const char *kind = NULL;
    if (open_drafts(&p, NULL))
        return NULL;
    for (int i = 0; i < KINDS && !kind; i++)
        kind = find(p, kinds[i], cause) ? kinds[i] : NULL;
    pack_free(p);
    return kind;
}

/* ---- its texts ---- */

/* Copies lines of `text`; those that begin with `key` become `line`. malloc'd. */
static char *with_line(const char *text, const char *key, const char *line)
{
    char *out = NULL;
    size_t size, n;
    FILE *f = open_memstream(&out, &size);
    for (; *text; text += n) {
        n = strcspn(text, "\n");
        n += text[n] == '\n';
        strncmp(text, key, strlen(key)) ? fprintf(f, "%.*s", (int)n, text)
                                        : fprintf(f, "%s\n", line);
    }
    fclose(f);
    return out;
}

/* The same, taking the text; `line` is made of a key and a value, quoted where YAML needs it. */
static char *with_value(char *text, const char *key, const char *value)
{
    char *line = NULL;
    size_t size;
    FILE *f = open_memstream(&line, &size);
    fputs(key, f);
    draft_quote(f, value);
    fclose(f);
    char *out = with_line(text, key, line);
    free(line);
    free(text);
    return out;
}

static char *scenario_text(const struct scaffold *s, const char *text)
{
    char level[4];
    snprintf(level, sizeof level, "%d", s->level);
    char *out = with_value(with_value(text_dup(text), "id: ", s->id), "title: ", s->title);
    if (!s->level_guessed) {
        char *line = text_format("level: %s", level), *with = with_line(out, "level: ", line);
        free(line);
        free(out);
        out = with;
    }
    char *with = with_line(out, "variants: ", "variants: [a]");
    free(out);
    return with;
}

/* Of the block `variants` of a model.yaml, whose entries have a line each, that of `id` alone, as
 * `a`. malloc'd. */
static char *model_text(const char *text, const char *id)
{
    char *out = NULL;
    size_t size, n;
    bool inside = false;
    FILE *f = open_memstream(&out, &size);
    for (; *text; text += n) {
        n = strcspn(text, "\n");
        n += text[n] == '\n';
        bool entry = inside && !strncmp(text, "  ", 2);
        bool ours = entry && !strncmp(text + 2, id, strlen(id)) && text[2 + strlen(id)] == ':';
        if (ours)
            fprintf(f, "  a%.*s", (int)(n - 2 - strlen(id)), text + 2 + strlen(id));
        else if (!entry)
            fprintf(f, "%.*s", (int)n, text);
        inside = entry || !strncmp(text, "variants:\n", 10);
    }
    fclose(f);
    return out;
}

/* Its path below the new story, malloc'd; NULL: another variant's. */
static char *new_path(const struct variant *v, const char *rest)
{
    const char *slash = strchr(rest, '/');
    char *folder = text_ndup(rest, slash ? (size_t)(slash - rest) : 0), *out = NULL;
    if (!slash || !strcmp(folder, "sealed"))
        out = text_dup(rest);
    else if (!strcmp(folder, v->id))
        out = text_format("a%s", slash);
    free(folder);
    return out;
}

static void copy(struct files *f, const struct scaffold *s, const struct variant *v)
{
    const struct files *from = v->story->pack->files;
    size_t n = strlen(v->story->id);
    for (int i = 0; i < from->n; i++) {
        const struct file *file = &from->file[i];
        bool inside = !strncmp(file->path, v->story->id, n) && file->path[n] == '/';
        char *path = inside ? new_path(v, file->path + n + 1) : NULL;
        if (path)
            files_with_text(f, s, path,
                            !strcmp(path, "scenario.yaml")       ? scenario_text(s, file->text)
                            : !strcmp(path, "sealed/model.yaml") ? model_text(file->text, v->id)
                                                                 : text_dup(file->text));
        free(path);
    }
}

/* ---- all of it ---- */

int scaffold_whole(struct files **out, const char ***made, int *n, const char **cause,
                   struct scaffold *s, const char *kind, struct err *err)
{
    struct pack *p = NULL;
    struct files *old = NULL, *f = files_new(s->pack);
    *out = NULL;
    *n = 0;
    int rc = open_drafts(&p, err);
    const struct variant *v = rc ? NULL : find(p, kind, *cause);
    if (!rc && !v)
        rc = refuse(p, kind, *cause, err);
    if (!rc && place_exists(s->pack))
        rc = files_read(&old, s->pack, err);
    if (!rc)
        rc = files_with_pack(f, old, s, err);
    int first = f->n - 1;
    if (!rc) {
        s->title_guessed = !s->title;
        s->title = s->title ? s->title : place_title(s->id);
        copy(f, s, v);
        *cause = taxonomy_find(cause_of(v))->id;
        rc = files_made(out, made, n, f, first, err);
    } else {
        files_free(f);
    }
    files_free(old);
    pack_free(p);
    return rc;
}

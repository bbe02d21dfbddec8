/* Which variants a story has: the folders beside scenario.yaml, of a case those that it lists. */
#include "scenarios/pack/pack_variants.h"

#include <string.h>

enum { MAX_VARIANTS = 5 };

/* Kept in the order of the ids; there is room for MAX_VARIANTS. */
static void add_variant(struct reader *r, struct story *s, const char *id, size_t len)
{
    struct variant *v = arena_new(&r->memory->arena, 1, sizeof *v);
    v->story = s;
    v->id = arena_text(&r->memory->arena, id, len);
    v->full_id = arena_format(&r->memory->arena, "%s/%s", s->full_id, v->id);
    int at = s->n_variants++;
    for (; at > 0 && strcmp(s->variants[at - 1]->id, v->id) > 0; at--)
        s->variants[at] = s->variants[at - 1];
    s->variants[at] = v;
}

static int find_folders(struct reader *r, struct story *s, const struct yaml *at)
{
    const struct files *f = r->pack->files;
    size_t n = strlen(s->id);
    s->variants = arena_new(&r->memory->arena, MAX_VARIANTS, sizeof *s->variants);
    for (int i = 0; i < f->n; i++) {
        const char *rest = f->file[i].path + n + 1;
        if (strncmp(f->file[i].path, s->id, n) || f->file[i].path[n] != '/' || !strchr(rest, '/'))
            continue;
        char *id = arena_text(&r->memory->arena, rest, strcspn(rest, "/"));
        if (story_variant(s, id) ||
            !strcmp(id, "sealed")) /* the latter holds what the variants share */
            continue;
        if (!id_ok(id))
            return yaml_fail(at, ERR_BAD_REQUEST, r->err,
                             "the folder %s/%s; the id of a variant of 1 to 40 characters a-z 0-9 "
                             "- was expected",
                             s->id, id);
        if (s->n_variants == MAX_VARIANTS)
            return yaml_fail(at, ERR_TOO_LARGE, r->err,
                             "more than %d folders in %s; at most %d variants were expected",
                             MAX_VARIANTS, s->id, MAX_VARIANTS);
        add_variant(r, s, id, strlen(id));
    }
    return 0;
}

static bool is_listed(const struct yaml *list, const char *id)
{
    for (const struct yaml *y = list->first; y; y = y->next)
        if (y->kind == YAML_SCALAR && !strcmp(y->text, id))
            return true;
    return false;
}

/* Folders are found where the answers are; of a sealed pack only the list tells that there are any.
 */
static int read_list(struct reader *r, struct story *s, const struct yaml *list)
{
    int rc = yaml_is_list(list, 1, MAX_VARIANTS, "a list of folders, one for each variant", r->err);
    for (int i = 0; !rc && i < s->n_variants; i++)
        if (!is_listed(list, s->variants[i]->id))
            rc = yaml_fail(list, ERR_BAD_REQUEST, r->err,
                           "the folder %s/%s is not among the variants; its name was expected here",
                           s->id, s->variants[i]->id);
    for (const struct yaml *y = rc ? NULL : list->first; !rc && y; y = y->next) {
        char *id;
        rc = read_id(r, y, "the folder of a variant", &id);
        if (!rc && r->pack->seal == SEAL_SHUT && !story_variant(s, id))
            add_variant(r, s, id, strlen(id));
    }
    return rc;
}

int find_variants(struct reader *r, struct story *s, const struct yaml *list, const struct yaml *at)
{
    int rc = find_folders(r, s, at);
    if (!rc && list)
        rc = read_list(r, s, list);
    if (!rc && !s->n_variants)
        rc = yaml_fail(at, ERR_MISSING, r->err,
                       "%s has no variant; a folder such as %s/a with %s was expected", s->id,
                       s->id, list ? "sealed/answer.yaml" : source_kinds[SOURCE_CUDA].suspect);
    return rc;
}

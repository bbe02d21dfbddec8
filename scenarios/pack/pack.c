/* Opens a pack: pack.yaml and the order in which the halves are read. */
#include "scenarios/pack/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/pack_read.h"

double word_weight(enum word w)
{
    static const double weight[WORD_COUNT] = {50, 4, 0.25, 0.02};
    return weight[w];
}

static int read_stories(struct reader *r, const struct yaml *list)
{
    struct pack *p = r->pack;
    int rc = yaml_is_list(list, 1, 64, "a list of scenarios", r->err);
    if (rc)
        return rc;
    p->stories = arena_new(&r->memory->arena, (size_t)list->n, sizeof *p->stories);
    for (const struct yaml *y = list->first; y; y = y->next) {
        struct story *s = &p->stories[p->n_stories];
        if ((rc = read_id(r, y, "the id of a scenario", &s->id)))
            return rc;
        if (pack_story(p, s->id))
            return yaml_fail(y, ERR_BAD_REQUEST, r->err, "'%s' stands here twice; each scenario once was expected", s->id);
        s->pack = p;
        p->n_stories++;
        if ((rc = read_story(r, s, y)))
            return rc;
    }
    return 0;
}

static int read_manifest(struct reader *r, const struct yaml *root)
{
    const struct yaml *k[PACK_KEYS];
    struct pack *p = r->pack;
    int rc = read_format(r, root);
    if (!rc)
        rc = yaml_keys(root, &pack_shape, k, r->err);
    if (!rc)
        rc = read_id(r, k[PACK_K_ID], "the id of the pack", &p->id);
    if (!rc)
        rc = read_text(r, k[PACK_K_TITLE], 80, false, "a title", &p->title);
    if (!rc)
        rc = read_text(r, k[PACK_K_LICENCE], 80, false, "the name of a licence", &p->licence);
    return rc ? rc : read_stories(r, k[PACK_K_SCENARIOS]);
}

int pack_load(struct pack **out, struct files *files, struct err *err)
{
    struct err unseen;
    *out = NULL;
    if (!err)
        err = &unseen;     /* the parts below read the code */
    struct pack *p = mem_new(1, sizeof *p);
    p->files = files;
    p->seal = !files->sealed ? SEAL_NONE : files_any_sealed(files) ? SEAL_OPEN : SEAL_SHUT;
    p->memory = mem_new(1, sizeof(struct pack_memory));
    struct reader r = {.pack = p, .memory = p->memory, .err = err};
    struct yaml_doc *doc = NULL;
    int rc = files_check(files, err);
    const struct file *manifest = files_find(files, "pack.yaml");
    if (!rc && !manifest)
        rc = err_set(err, ERR_MISSING, "%s/pack.yaml: there is none; a pack's folder was expected to have it", files->root);
    if (!rc)
        rc = yaml_doc_read(&doc, files, manifest, err);
    if (!rc)
        rc = read_manifest(&r, yaml_doc_root(doc));
    yaml_doc_free(doc);
    free_scanned(&r);
    if (rc)
        pack_free(p);
    else
        *out = p;
    return rc;
}

int pack_open(struct pack **out, const char *folder, struct err *err)
{
    struct files *files;
    *out = NULL;
    int rc = files_read(&files, folder, err);
    return rc ? rc : pack_load(out, files, err);
}

void pack_free(struct pack *p)
{
    if (!p)
        return;
    struct pack_memory *m = p->memory;
    for (int i = 0; i < m->n_formulas; i++)
        formula_free(m->formulas[i]);
    free(m->formulas);
    arena_free(&m->arena);
    free(m);
    files_free(p->files);
    free(p);
}

const struct story *pack_story(const struct pack *p, const char *id)
{
    for (int i = 0; i < p->n_stories; i++)
        if (!strcmp(p->stories[i].id, id))
            return &p->stories[i];
    return NULL;
}

bool story_is_pipeline(const struct story *s)
{
    return s->kind && !strcmp(s->kind, "pipeline");  /* the story behind a drill's formulas has no kind */
}

bool story_is_case(const struct story *s)
{
    return s->kind && !strcmp(s->kind, "case");
}

void story_spot(char *out, size_t size, const struct story *s, int line)
{
    if (line <= 0)
        snprintf(out, size, "nowhere");
    else if (line <= s->n_places)
        snprintf(out, size, "%s", s->places[line - 1]);
    else
        snprintf(out, size, "line %d", line);
}

const struct experiment *story_experiment(const struct story *s, const char *id)
{
    for (int i = 0; i < s->n_experiments; i++)
        if (!strcmp(s->experiments[i].id, id))
            return &s->experiments[i];
    return NULL;
}

const struct variant *story_variant(const struct story *s, const char *id)
{
    for (int i = 0; i < s->n_variants; i++)
        if (!strcmp(s->variants[i]->id, id))
            return s->variants[i];
    return NULL;
}

bool variant_is_at(const struct variant *v, int line)
{
    for (int i = 0; i < v->n_spans; i++)
        if (line >= v->spans[i].first && line <= v->spans[i].last)
            return true;
    return line == v->location_line;
}

int variant_needs_answer(const struct variant *v, struct err *err)
{
    if (!v->sealed)
        return 0;
    return err_set(err, ERR_PERMISSION, "the answers of %s are sealed; open the pack with its passphrase (warpdrill unseal, or --passphrase-file FILE)",
                   v->story->pack->id);
}

int expr_fail(const struct expr *e, int column, const struct pack *p, struct err *err)
{
    if (!err)
        return ERR_BAD_REQUEST;
    const struct file *f = e->file ? files_find(p->files, e->file) : NULL;
    if (!f)
        return err->code;
    struct err why = *err;
    int line, col;
    yaml_place(f, e->line, e->col, formula_text(e->f), column, &line, &col);
    return files_fail(p->files, f, line, col, why.code, err, "%s", why.text);
}

/* Opens a pack: pack.yaml and the order in which the halves are read. */
#include "scenarios/pack/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/pack_sources.h"
#include "scenarios/pack/pack_task.h"

enum { TASKS_MOST = 64 };

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
            return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                             "'%s' stands here twice; each scenario once was expected", s->id);
        s->pack = p;
        p->n_stories++;
        if ((rc = read_story(r, s, y)))
            return rc;
    }
    return 0;
}

static bool is_there_twice(const struct pack *p, const char *id)
{
    bool there = pack_story(p, id) != NULL;
    for (int i = 0; i < p->n_tasks; i++)
        there = there || !strcmp(p->tasks[i].id, id);
    return there;
}

static int read_tasks(struct reader *r, const struct yaml *list, int format)
{
    struct pack *p = r->pack;
    if (!list)
        return 0;
    int rc = yaml_is_list(list, 1, TASKS_MOST, "a list of tasks", r->err);
    if (!rc && format < FORMAT_TASK)
        rc = yaml_fail(list, ERR_BAD_REQUEST, r->err,
                       "tasks in format %d; format: %d was expected above", format, FORMAT_TASK);
    if (rc)
        return rc;
    p->tasks = arena_new(&r->memory->arena, (size_t)list->n, sizeof *p->tasks);
    for (const struct yaml *y = list->first; y; y = y->next) {
        struct story *s = &p->tasks[p->n_tasks];
        if ((rc = read_id(r, y, "the id of a task", &s->id)))
            return rc;
        if (is_there_twice(p, s->id))
            return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                             "'%s' stands here twice; each scenario and task once was expected",
                             s->id);
        s->pack = p;
        p->n_tasks++;
        if ((rc = read_own_task(r, s, y)))
            return rc;
    }
    return 0;
}

/* The numbers of "0.12.3"; false for anything else. What is absent is 0. */
static bool numbers_of(int out[3], const char *text)
{
    int n = 0;
    out[1] = out[2] = 0;
    for (; n < 3; n++) {
        size_t digits = strspn(text, "0123456789");
        if (!digits || digits > 6)
            return false;
        out[n] = atoi(text);
        text += digits;
        if (!*text)
            return n > 0;
        if (*text++ != '.')
            return false;
    }
    return false;
}

static bool is_older(const int a[3], const int b[3])
{
    for (int i = 0; i < 3; i++)
        if (a[i] != b[i])
            return a[i] < b[i];
    return false;
}

/* Before any other key is looked at, since a newer program may know others. */
static int check_needs(struct reader *r, const struct yaml *root, int format)
{
    static const char program[] = "warpdrill ";
    const struct yaml *y = root->kind == YAML_MAP ? root->first : NULL;
    int wanted[3], ours[3];
    while (y && strcmp(y->key->text, "needs"))
        y = y->next;
    if (!y)
        return 0;
    if (format < 2)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err, "format %d; `needs` came with format 2",
                         format);
    if (y->kind != YAML_SCALAR || strncmp(y->text, program, strlen(program)) ||
        !numbers_of(wanted, y->text + strlen(program)))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "the least program was expected, such as `warpdrill 0.2`");
    if (!numbers_of(ours, WARPDRILL_VERSION) || is_older(ours, wanted))
        return yaml_fail(y, ERR_VERSION, r->err,
                         "this pack needs %s or newer; this is warpdrill %s", y->text,
                         WARPDRILL_VERSION);
    return 0;
}

static int read_version(struct reader *r, const struct yaml *y, int format)
{
    if (y && format < 2)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err, "format %d; `version` came with format 2",
                         format);
    return y ? read_text(r, y, 20, false, "the author's version", &r->pack->version) : 0;
}

static int read_manifest(struct reader *r, const struct yaml *root)
{
    const struct yaml *k[PACK_KEYS];
    struct pack *p = r->pack;
    int format;
    int rc = read_format(r, root, &format);
    if (!rc)
        rc = check_needs(r, root, format);
    if (!rc)
        rc = yaml_keys(root, &pack_shape, k, r->err);
    if (!rc)
        rc = read_id(r, k[PACK_K_ID], "the id of the pack", &p->id);
    if (!rc)
        rc = read_text(r, k[PACK_K_TITLE], 80, false, "a title", &p->title);
    if (!rc)
        rc = read_text(r, k[PACK_K_LICENCE], 80, false, "the name of a licence", &p->licence);
    if (!rc)
        rc = read_version(r, k[PACK_K_VERSION], format);
    if (!rc)
        rc = read_stories(r, k[PACK_K_SCENARIOS]);
    return rc ? rc : read_tasks(r, k[PACK_K_TASKS], format);
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
        rc = err_set(err, ERR_MISSING,
                     "%s/pack.yaml: there is none; a pack's folder was expected to have it",
                     files->root);
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
    int rc = files_list(&files, folder, err);
    return rc ? rc : pack_load(out, files, err);
}

int pack_open_whole(struct pack **out, const char *folder, struct err *err)
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

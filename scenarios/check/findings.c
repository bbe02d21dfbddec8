#include "scenarios/check/findings.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/text/yaml.h"

/* ---- places ---- */

struct place place_inside(const struct pack *p, const struct expr *e, int column)
{
    struct place at = {.file = e->file ? files_find(p->files, e->file) : NULL};
    if (at.file && e->f)
        yaml_place(at.file, e->line, e->col, formula_text(e->f), column, &at.line, &at.col);
    return at;
}

struct place place_of(const struct pack *p, const struct expr *e)
{
    return place_inside(p, e, 1);
}

struct place place_in(const struct file *f, size_t at)
{
    struct place place = {.file = f};
    file_place(f, at, &place.line, &place.col);
    return place;
}

struct place place_file(const struct pack *p, const char *path)
{
    return (struct place){.file = files_find(p->files, path)};
}

/* `word` in text, at or behind `from`, between bytes that no id or name has; NULL if it is not
 * there. */
static const char *find_word(const char *from, const char *word)
{
    static const char *const inside =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    size_t n = strlen(word);
    for (const char *at = strstr(from, word); at; at = strstr(at + 1, word))
        if ((at == from || !strchr(inside, at[-1])) && (!at[n] || !strchr(inside, at[n])))
            return at;
    return NULL;
}

/* The outermost key, at the beginning of a line. */
static const char *find_key(const char *text, const char *key)
{
    size_t n = strlen(key);
    for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (!strncmp(at, key, n) && at[n] == ':')
            return at;
    return NULL;
}

struct place place_key(const struct pack *p, const char *path, const char *key, const char *word)
{
    struct place at = {.file = files_find(p->files, path)};
    const char *found = at.file ? find_key(at.file->text, key) : NULL;
    if (found && word)
        found = find_word(found + strlen(key), word);
    return found ? place_in(at.file, (size_t)(found - at.file->text)) : at;
}

struct place place_answer(const struct variant *v, const char *key, const char *word)
{
    char *path = text_format("%s/%s/sealed/answer.yaml", v->story->id, v->id);
    struct place at = place_key(v->story->pack, path, key, word);
    free(path);
    return at;
}

/* ---- findings ---- */

static struct finding *append(struct findings *f, const char *rule)
{
    const struct rule *r = rule_find(rule);
    assert(r);
    f->all = mem_grow(f->all, (size_t)f->n + 1, sizeof *f->all);
    struct finding *new = &f->all[f->n++];
    *new = (struct finding){.rule = r};
    *(r->grade == GRADE_ERROR ? &f->n_errors : &f->n_warnings) += 1;
    return new;
}

static char *clean_copy(const char *text)
{
    char *copy = text_dup(text);
    text_clean(copy, strlen(copy));
    return copy;
}

/* What stands below the first line of a message of the reader's. */
static char *shown_of(const struct place *at)
{
    struct err err = {0};
    files_fail(NULL, at->file, at->line, at->col, ERR_BAD_REQUEST, &err, " ");
    const char *line = strchr(err.text, '\n');
    return line ? text_dup(line + 1) : NULL;
}

void findings_add(struct findings *f, const char *rule, const struct pack *p, const char *scenario,
                  const char *gpu, struct place at, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    struct finding *new = append(f, rule);
    new->scenario = text_dup(scenario ? scenario : p->id);
    new->gpu = gpu ? clean_copy(gpu) : NULL;
    new->text = clean_copy(text);
    if (!at.file)
        return;
    new->file = text_dup(at.file->path);
    if (at.line > 0) {
        new->line = at.line;
        new->col = at.col > 0 ? at.col : 1;
        new->shown = shown_of(&(struct place){at.file, new->line, new->col});
    }
}

void findings_measured(struct findings *f, const struct variant *v, const char *gpu, double effect,
                       const struct path *path, bool reached)
{
    f->measured = mem_grow(f->measured, (size_t)f->n_measured + 1, sizeof *f->measured);
    f->measured[f->n_measured++] = (struct measured){.scenario = text_dup(v->full_id),
                                                     .gpu = clean_copy(gpu),
                                                     .effect = effect,
                                                     .path = *path,
                                                     .reached = reached,
                                                     .par = level_par(v->story->level)};
}

/* "PATH:12:3: ", which begins a message of the reader's; returns what follows, or the message when
 * it names no place. */
static const char *take_place(struct finding *to, const char *text, const char *folder)
{
    int skip = 0, line, col;
    size_t root = strlen(folder);
    while (root > 1 && folder[root - 1] == '/')
        root--;
    if (!strncmp(text, folder, root) && text[root] == '/')
        text += root + 1;
    size_t n = strcspn(text, ":\n");
    if (text[n] != ':' || sscanf(text + n, ":%d:%d: %n", &line, &col, &skip) != 2 || !skip)
        return text;
    to->file = text_ndup(text, n);
    to->line = line;
    to->col = col;
    return text + n + skip;
}

void findings_refused(struct findings *f, const char *pack, const char *folder,
                      const struct err *err)
{
    struct finding *new = append(f, "reader");
    const char *text = take_place(new, err->text, folder);
    size_t first = new->file ? strcspn(text, "\n") : strlen(text);
    new->scenario = clean_copy(pack);
    new->text = text_ndup(text, first);
    new->shown = text[first] ? text_dup(text + first + 1) : NULL;
}

/* gpu NULL: of whatever GPU. */
static bool is_said_there(const struct findings *f, const char *rule, const char *gpu,
                          const struct finding *x)
{
    for (int i = 0; i < f->n; i++) {
        bool of_gpu = !gpu || !f->all[i].gpu || !strcmp(f->all[i].gpu, gpu);
        if (x->file && f->all[i].file && of_gpu && !strcmp(f->all[i].rule->id, rule) &&
            !strcmp(f->all[i].file, x->file) && f->all[i].line == x->line &&
            f->all[i].col == x->col)
            return true;
    }
    return false;
}

static void add_failed(struct findings *f, const char *rule, const struct pack *p,
                       const char *scenario, const char *gpu, const char *label,
                       const struct err *err, bool of_each_gpu)
{
    struct finding where = {0};
    const char *text = take_place(&where, err->text, p->files->root);
    struct place at = {where.file ? files_find(p->files, where.file) : NULL, where.line, where.col};
    if (!is_said_there(f, rule, of_each_gpu ? gpu : NULL, &where))
        findings_add(f, rule, p, scenario, gpu, at, "%s%.*s", label, (int)strcspn(text, "\n"),
                     text);
    free(where.file);
}

void findings_failed(struct findings *f, const char *rule, const struct pack *p,
                     const char *scenario, const char *gpu, const char *label,
                     const struct err *err)
{
    add_failed(f, rule, p, scenario, gpu, label, err, false);
}

void findings_failed_on(struct findings *f, const char *rule, const struct pack *p,
                        const char *scenario, const char *gpu, const char *label,
                        const struct err *err)
{
    add_failed(f, rule, p, scenario, gpu, label, err, true);
}

static int compare_text(const char *a, const char *b)
{
    if (!a || !b)
        return a ? -1 : b ? 1 : 0;      /* what has no place stands behind what has one */
    return strcmp(a, b);
}

static int compare_place(const struct finding *a, const struct finding *b)
{
    int by = compare_text(a->file, b->file);
    if (!by)
        by = (a->line > b->line) - (a->line < b->line);
    return by ? by : (a->col > b->col) - (a->col < b->col);
}

static int compare(const void *x, const void *y)
{
    const struct finding *a = x, *b = y;
    int by = compare_place(a, b);
    if (!by && !a->file)
        by = strcmp(a->scenario, b->scenario);
    if (!by)
        by = (a->rule > b->rule) - (a->rule < b->rule);
    if (!by)
        by = compare_text(a->gpu, b->gpu);
    if (!by)
        by = strcmp(a->text, b->text);
    return by ? by : strcmp(a->scenario, b->scenario);
}

/* Of one place and one wording. Without a place the scenario is what tells them apart. */
static bool is_same(const struct finding *a, const struct finding *b)
{
    return a->rule == b->rule && !compare_place(a, b) && !compare_text(a->gpu, b->gpu) &&
           !strcmp(a->text, b->text) && (a->file || !strcmp(a->scenario, b->scenario));
}

static void finding_free(struct finding *x)
{
    free(x->scenario);
    free(x->gpu);
    free(x->file);
    free(x->text);
    free(x->shown);
}

void findings_sort(struct findings *f)
{
    int kept = 0;
    if (f->n)
        qsort(f->all, (size_t)f->n, sizeof *f->all, compare);
    for (int i = 0; i < f->n; i++) {
        if (kept && is_same(&f->all[kept - 1], &f->all[i])) {
            *(f->all[i].rule->grade == GRADE_ERROR ? &f->n_errors : &f->n_warnings) -= 1;
            finding_free(&f->all[i]);
        } else {
            f->all[kept++] = f->all[i];
        }
    }
    f->n = kept;
}

void findings_drop(struct findings *f, const char *rule)
{
    int kept = 0;
    for (int i = 0; i < f->n; i++) {
        if (strcmp(f->all[i].rule->id, rule)) {
            f->all[kept++] = f->all[i];
            continue;
        }
        *(f->all[i].rule->grade == GRADE_ERROR ? &f->n_errors : &f->n_warnings) -= 1;
        finding_free(&f->all[i]);
    }
    f->n = kept;
}

void findings_free(struct findings *f)
{
    for (int i = 0; i < f->n; i++)
        finding_free(&f->all[i]);
    for (int i = 0; i < f->n_measured; i++) {
        free(f->measured[i].scenario);
        free(f->measured[i].gpu);
    }
    free(f->all);
    free(f->measured);
    *f = (struct findings){0};
}

static void set_text(json_t *obj, const char *key, const char *text)
{
    if (text)
        json_object_set_new(obj, key, json_string(text));
}

json_t *findings_encode(const struct findings *f)
{
    json_t *list = json_array();
    for (int i = 0; i < f->n; i++) {
        const struct finding *x = &f->all[i];
        json_t *obj =
            json_pack("{s:s, s:s, s:s, s:s}", "rule", x->rule->id, "grade",
                      grade_name(x->rule->grade), "scenario", x->scenario, "text", x->text);
        set_text(obj, "gpu", x->gpu);
        set_text(obj, "file", x->file);
        set_text(obj, "shown", x->shown);
        if (x->line) {
            json_object_set_new(obj, "line", json_integer(x->line));
            json_object_set_new(obj, "col", json_integer(x->col));
        }
        json_array_append_new(list, obj);
    }
    return list;
}

json_t *findings_encode_measured(const struct findings *f)
{
    json_t *list = json_array();
    for (int i = 0; i < f->n_measured; i++) {
        const struct measured *m = &f->measured[i];
        json_t *path = json_array();
        for (int k = 0; k < m->path.n; k++)
            json_array_append_new(path, json_string(m->path.probe[k]));
        json_t *obj = json_pack("{s:s, s:s, s:o, s:i, s:i, s:f, s:b}", "scenario", m->scenario,
                                "gpu", m->gpu, "cheapest", path, "price", m->path.price, "par",
                                m->par, "belief", m->path.belief, "reached", m->reached);
        if (m->effect > 0)
            json_object_set_new(obj, "effect", json_real(m->effect));
        json_array_append_new(list, obj);
    }
    return list;
}

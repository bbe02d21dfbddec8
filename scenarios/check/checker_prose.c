/* Figures in prose, in the debrief and in sentences of both halves: each is taken from evidence, is
 * what a recording shows, is a sum that comes out, or is declared as what no recording has. */
#include "scenarios/check/checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/check/checker_bought.h"
#include "scenarios/check/prose_figures.h"
#include "scenarios/check/prose_pool.h"
#include "scenarios/evidence/told.h"
#include "scenarios/text/yaml.h"

enum { MOST_GPUS = 16, MOST_FOUND = 32 }; /* found: of one text; who mends those sees the others */

struct shown { char name[96]; const char *word; struct pool pool; };
struct reading_prose {
    struct findings *f;
    const struct variant *v;
    struct shown gpu[MOST_GPUS]; int n_gpus;
};

/* ---- what each recording shows ---- */

/* "H200" of "NVIDIA H200": how prose calls it. */
static const char *short_name(const char *name)
{
    const char *blank = strchr(name, ' ');
    return blank ? blank + 1 : name;
}

/* A figure that the debrief takes from evidence must be there. */
static void check_told(struct reading_prose *k, const struct bought *b)
{
    char figure[96];
    for (int i = 0; i < k->v->n_told; i++)
        if (!told_figure(figure, sizeof figure, &k->v->told[i], &b->scope))
            findings_add(k->f, "prose-value", k->v->story->pack, k->v->full_id, b->r->device.slug,
                         place_in(k->v->debrief, k->v->told[i].at),
                         "%s has no value here; a figure that the recording has was expected",
                         formula_text(k->v->told[i].value.f));
}

static void learn(void *ctx, const struct bought *b)
{
    struct reading_prose *k = ctx;
    check_told(k, b);
    if (k->n_gpus == MOST_GPUS)
        return;
    struct shown *s = &k->gpu[k->n_gpus++];
    snprintf(s->name, sizeof s->name, "%s", b->r->device.name);
    s->word = short_name(s->name);
    pool_fill(&s->pool, b);
}

/* ---- a text ---- */

static bool names(const char *text, size_t len, const char *word)
{
    size_t n = strcspn(word, " ");
    for (size_t i = 0; i + n <= len; i++)
        if (!strncmp(text + i, word, n))
            return true;
    return false;
}

/* The paragraph around byte `at`. */
static const char *paragraph(const char *text, size_t at, size_t *len)
{
    const char *from = text + at, *end;
    while (from > text && !(from[-1] == '\n' && (from - 1 == text || from[-2] == '\n')))
        from--;
    end = strstr(from, "\n\n");
    *len = end ? (size_t)(end - from) : strlen(from);
    return from;
}

static bool is_declared(const struct variant *v, const char *figure)
{
    for (int i = 0; i < v->n_unrecorded; i++)
        if (!strcmp(v->unrecorded[i], figure))
            return true;
    return false;
}

/* What variants share, any of them may declare. */
static bool is_declared_by_any(const struct story *s, const char *figure)
{
    for (int i = 0; i < s->n_variants; i++)
        if (is_declared(s->variants[i], figure))
            return true;
    return false;
}

/* The part of a text in which figures are meant for the GPUs that it names. */
struct around { const char *text; size_t from, len; bool any, named[MOST_GPUS]; };

/* A sentence is its own part; figures come in order, so that each paragraph is read once. */
static void turn_to(struct around *a, const struct reading_prose *k, const char *text, size_t at,
                    bool whole)
{
    if (a->text == text && at - a->from < a->len)
        return;
    size_t len = strlen(text);
    const char *from = whole ? text : paragraph(text, at, &len);
    *a = (struct around){.text = text, .from = (size_t)(from - text), .len = len};
    for (int g = 0; g < k->n_gpus; g++) {
        a->named[g] = names(from, len, k->gpu[g].word);
        a->any = a->any || a->named[g];
    }
}

/* The first recording that has to show it and does not; NULL: there is none. Those that are named
 * around it are meant; else, in the debrief, the one that the variant names; else all. */
static const struct shown *first_against(const struct reading_prose *k, const struct figure_said *f,
                                         const struct around *a, bool whole)
{
    for (int g = 0; g < k->n_gpus; g++) {
        const struct shown *s = &k->gpu[g];
        bool meant = a->any                        ? a->named[g]
                     : k->v->measured_on && !whole ? !strcmp(s->name, k->v->measured_on)
                                                   : true;
        if (meant && !pool_has(&s->pool, f))
            return s;
    }
    return NULL;
}

static const struct shown *unproven(const struct reading_prose *k, const struct figure_said *f,
                                    struct around *a, const char *text, bool whole)
{
    if (is_declared(k->v, f->text) || figure_is_sum(f, text))
        return NULL;
    turn_to(a, k, text, f->at, whole);
    return first_against(k, f, a, whole);
}

static void find(const struct reading_prose *k, const struct shown *s, const struct figure_said *f,
                 struct place at)
{
    findings_add(k->f, "prose-figure", k->v->story->pack, k->v->full_id, NULL, at,
                 "'%s' is nothing that the recording of %s shows; {{a formula}}, a figure that it "
                 "has, or an entry of `unrecorded` was expected",
                 f->text, s->name);
}

static void read_debrief(const struct reading_prose *k)
{
    struct figure_said *said;
    struct around around = {.text = NULL};
    int n = figures_said(&said, k->v->debrief->text, k->v->debrief->len);
    for (int i = 0, told = 0; i < n && told < MOST_FOUND; i++) {
        const struct shown *s = unproven(k, &said[i], &around, k->v->debrief->text, false);
        if (s)
            find(k, s, &said[i], place_in(k->v->debrief, said[i].at));
        told += s != NULL;
    }
    free(said);
}

/* ---- sentences of YAML ---- */

/* Answers to questions stand in scenario.yaml, the others in answer.yaml. */
static bool is_sentence(const struct yaml *y)
{
    static const char *const keys[] = {"because", "says", "teaches", "answer"};
    for (size_t i = 0; y->key && i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(y->key->text, keys[i]))
            return true;
    return false;
}

static void read_sentence(const struct reading_prose *k, const struct file *f, const struct yaml *y)
{
    struct figure_said *said;
    struct around around = {.text = NULL};
    int n = figures_said(&said, y->text, y->len);
    for (int i = 0, told = 0; i < n && told < MOST_FOUND; i++) {
        const struct shown *s = is_declared_by_any(k->v->story, said[i].text)
                                    ? NULL
                                    : unproven(k, &said[i], &around, y->text, true);
        struct place at = {.file = f};
        if (!s)
            continue;
        yaml_place(f, y->line, y->col, y->text, (int)said[i].at + 1, &at.line, &at.col);
        find(k, s, &said[i], at);
        told++;
    }
    free(said);
}

static void read_sentences(const struct reading_prose *k, const struct file *f,
                           const struct yaml *y)
{
    if (y->kind == YAML_SCALAR && is_sentence(y))
        read_sentence(k, f, y);
    for (const struct yaml *in = y->kind == YAML_SCALAR ? NULL : y->first; in; in = in->next)
        read_sentences(k, f, in);
}

/* Takes ownership of `path`. */
static void read_yaml(const struct reading_prose *k, char *path)
{
    const struct files *files = k->v->story->pack->files;
    const struct file *f = files_find(files, path);
    struct yaml_doc *doc = NULL;
    if (f && !yaml_doc_read(&doc, files, f, NULL))
        read_sentences(k, f, yaml_doc_root(doc));
    yaml_doc_free(doc);
    free(path);
}

void check_prose(struct findings *f, const struct variant *v)
{
    struct reading_prose k = {.f = f, .v = v};
    if (story_is_case(v->story) || !bought_each(f->shelf, v, learn, &k))
        return;
    read_debrief(&k);
    read_yaml(&k, text_format("%s/%s/sealed/answer.yaml", v->story->id, v->id));
    read_yaml(&k, text_format("%s/scenario.yaml", v->story->id));
    for (int g = 0; g < k.n_gpus; g++)
        pool_free(&k.gpu[g].pool);
}

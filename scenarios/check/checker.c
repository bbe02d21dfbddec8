#include "scenarios/check/checker.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/check/checker_shown.h"
#include "scenarios/text/yaml.h"

/* ---- rules ---- */

/* In the order of content/FORMAT.md. */
static const struct rule rules[] = {
    {"reader", GRADE_ERROR, NEEDS_NOTHING, "the pack does not load", "as the message says"},
    {"unfinished", GRADE_ERROR, NEEDS_NOTHING, "what `warpdrill new` left to the author is not done", "what the mark says, and the mark gone"},
    {"evidence-missing", GRADE_ERROR, NEEDS_NOTHING, "a variant has no recorded evidence", "warpdrill record PACK on a machine with a GPU"},
    {"evidence-unreadable", GRADE_ERROR, NEEDS_NOTHING, "an evidence file is no recording that this program reads", "record it again"},
    {"evidence-stale", GRADE_ERROR, NEEDS_NOTHING, "a source, size, launch or fill was edited after the evidence was recorded",
     "record the variant again, or take the edit back"},
    {"evidence-stray", GRADE_ERROR, NEEDS_NOTHING, "a recording that belongs to no variant, or that does not have its GPU's name", "delete or rename it"},
    {"public-stray", GRADE_ERROR, NEEDS_NOTHING, "a file outside of `sealed` that is no pack.yaml, STORY/scenario.yaml or STORY/VARIANT/suspect.cu",
     "put it into a folder `sealed`, or away"},
    {"effect", GRADE_ERROR, NEEDS_NOTHING, "suspect.time / fix.time is outside the band of `effect`", "a band that holds the recorded ratio, or a better pair"},
    {"proves", GRADE_ERROR, NEEDS_NOTHING, "a predicate of `proves` does not hold on a recording", "claim what the recordings show"},
    {"truth", GRADE_ERROR, NEEDS_NOTHING, "the truth of an estimate, or the value of a mistake, cannot be computed on a recording, or is not above zero",
     "name metrics that the recording has"},
    {"units", GRADE_ERROR, NEEDS_NOTHING, "a formula adds or compares what has different units, a predicate has one, or an estimate is asked in another",
     "a quotient, or a number with its unit: 1.5 ms"},
    {"verdict", GRADE_ERROR, NEEDS_NOTHING, "a source computes a wrong result where it must not, or nothing shows that the suspect of a wrong pair does",
     "a right fix and best; a suspect whose error a comparison at the story's own size or in its own sweep, poison, repetition or racecheck shows"},
    {"tolerance-zeros", GRADE_ERROR, NEEDS_NOTHING, "the recorded comparison would take zeros, or memory that nobody wrote, for the right result",
     "a tighter `tolerance`, inputs whose results are not near zero"},
    {"estimate-shown", GRADE_ERROR, NEEDS_NOTHING, "the truth of an estimate is on the screen before it is asked: by the symptom, the yardstick, another probe or an answer",
     "`before:` the first probe that shows it, or another truth"},
    {"estimate-twin", GRADE_WARNING, NEEDS_NOTHING, "in all recordings a metric of another probe is the computed truth of an estimate", "`before:` that probe"},
    {"ideal", GRADE_ERROR, NEEDS_NOTHING, "no purchases take an even reader to 90 % belief in the cause on a recording", "readings that settle the matter"},
    {"path-dear", GRADE_WARNING, NEEDS_NOTHING, "the cheapest purchases that suffice are dearer than the par of the level", "cheaper readings, or a higher level"},
    {"reading-idle", GRADE_ERROR, NEEDS_NOTHING, "a reading holds on no recorded GPU", "an `expect` that the evidence meets, or leave it out"},
    {"reading-some", GRADE_WARNING, NEEDS_NOTHING, "of several recorded GPUs a reading holds on some only",
     "an `expect` that names why (gpu.*), unless that is the point"},
    {"reading-foreign", GRADE_ERROR, NEEDS_NOTHING, "a reading names measurements, and its own probe brings none of them", "the probe that brings one; of an experiment's steps .first, .last, .min, .max"},
    {"apart-cause", GRADE_ERROR, NEEDS_NOTHING, "nothing that can be bought speaks for the cause against one of its rivals", "a reading that does, or another rival"},
    {"apart-pair", GRADE_ERROR, NEEDS_NOTHING, "two hypotheses on offer, neither ever the cause, that no reading of any variant tells apart",
     "a reading that weighs them differently, or one of them on offer"},
    {"leak-cause", GRADE_ERROR, NEEDS_NOTHING, "a name, comment or sentence of the public half names the cause",
     "a word that says what the code does, not what is wrong with it"},
    {"leak-hint", GRADE_WARNING, NEEDS_NOTHING, "a name or comment goes well with the cause, and not every variant has it",
     "another word, or the same one in every variant"},
    {"leak-rival", GRADE_WARNING, NEEDS_NOTHING, "a name or comment names a hypothesis on offer that is not the cause",
     "a word that says what the code does"},
    {"leak-word", GRADE_ERROR, NEEDS_NOTHING, "a name or comment says that something is wrong: naive, slow, bug, fix, ...",
     "what a colleague would have written on a bad day"},
    {"leak-tone", GRADE_WARNING, NEEDS_NOTHING, "a word may say how it stands: naive or bug in a sentence; fast, good, old, v2 in a name",
     "a word without a judgement"},
    {"leak-fix", GRADE_ERROR, NEEDS_NOTHING, "a line of the fix stands in scenario.yaml, or in a comment or string of a suspect", "leave it out"},
    {"variant-name", GRADE_WARNING, NEEDS_NOTHING, "a variant's folder is called other than by one letter", "a, b, c, d"},
    {"variant-cause", GRADE_WARNING, NEEDS_NOTHING, "two variants of a story have one cause", "another cause, or a story of its own"},
    {"variant-comment", GRADE_WARNING, NEEDS_NOTHING, "a comment that one variant alone has, beside code that others have too",
     "the same comments in every variant"},
    {"variant-extra", GRADE_WARNING, NEEDS_NOTHING, "a kernel or macro that one variant alone has", "the same kernels and macros in every variant"},
    {"truth-first", GRADE_WARNING, NEEDS_NOTHING, "in all variants of a pack the cause, or an accepted remedy, is the first on offer",
     "rivals that stand before it; another order of remedies"},
    {"remedy-longest", GRADE_WARNING, NEEDS_NOTHING, "the accepted remedy has the longest text by far", "texts of about one length"},
    {"fix-same", GRADE_ERROR, NEEDS_NOTHING, "fix.cu is suspect.cu but for comments, and has the same launches", "a source or launches that differ"},
    {"fix-large", GRADE_WARNING, NEEDS_NOTHING, "the fix changes more than 40 % of the lines, and more than 30", "a suspect that is nearer to its fix"},
    {"fix-elsewhere", GRADE_WARNING, NEEDS_NOTHING, "the fix changes no line near the one to be named", "the `location` at which the fix begins"},
    {"location-comment", GRADE_ERROR, NEEDS_NOTHING, "the line to be named has no code", "a text of a line that a compiler sees"},
    {"sizes", GRADE_ERROR, NEEDS_NOTHING, "a size, launch or fill that cannot be on a recorded GPU, or at a step of a sweep or one of `shapes`",
     "a formula that comes out whole, a grid and blocks within CUDA's limits, a type that holds the fill"},
    {"arguments", GRADE_ERROR, NEEDS_NOTHING, "a launch does not pass what its kernel takes: number, buffer or number, type, or an output that nothing can write",
     "the arguments of the signature that is shown"},
    {"remedies-all", GRADE_ERROR, NEEDS_NOTHING, "every remedy on offer is accepted", "remedies that do not help"},
    {"pushback-kinds", GRADE_WARNING, NEEDS_NOTHING, "every pushback is a correction", "a `conviction` or a `red-herring` too"},
    {"pushback-names", GRADE_WARNING, NEEDS_NOTHING, "a pushback that brings nothing new names the cause", "a doubt that does not name it"},
    {"debrief-cause", GRADE_WARNING, NEEDS_NOTHING, "the debrief does not name the cause", "the word by which it was on offer"},
    {"debrief-short", GRADE_WARNING, NEEDS_NOTHING, "the debrief has fewer than 40 words", "a few sentences with the arithmetic"},
    {"estimate-working", GRADE_ERROR, NEEDS_NOTHING, "the working of an estimate misses its truth by more than `within`",
     "a better working, or a wider `within`"},
    {"estimate-mistake", GRADE_ERROR, NEEDS_NOTHING, "a mistake of an estimate lies within `within` of its truth, so it is graded as right",
     "a tighter `within`, or leave it out"},
    {"score-win", GRADE_ERROR, NEEDS_NOTHING, "who buys the cheapest sufficient evidence and answers everything rightly gets less than 85 points",
     "cheaper readings; readings and pushbacks that do not speak against the cause"},
    {"score-wrong", GRADE_ERROR, NEEDS_NOTHING, "who ends certain of a rival gets nearly as much as who follows the evidence, or more",
     "readings that speak for the cause"},
    {"score-guess", GRADE_ERROR, NEEDS_NOTHING, "who buys nothing gets more than `updating`, \"nowhere\" and half of the estimates, or, by following the pushback alone, more than 60 on average",
     "estimates that the opening does not answer, a tighter `within`, a pushback that is no correction"},
    {"compiles", GRADE_ERROR, NEEDS_COMPILER, "a source does not compile for an architecture that the story claims",
     "mend the line, or claim less with `compute` under `needs`"},
    {"kernel-name", GRADE_ERROR, NEEDS_COMPILER, "a launch names a kernel that the compiled source does not have", "the name, or `extern \"C\"` before the kernel"},
    {"live-wrong", GRADE_ERROR, NEEDS_GPU, "the fix or the best computes a wrong result, or faults, in a check of correctness or at another size",
     "a source that is right at every size of `shapes` and of the story's sweeps"},
    {"live-shapes", GRADE_WARNING, NEEDS_GPU, "the fix is tried at the story's own size alone", "`shapes` in answer.yaml"},
    {"live-effect", GRADE_ERROR, NEEDS_GPU, "what is said to be slower cannot be told from what is as fast: the interval of the ratio holds 1",
     "a pair that differs by more than the noise"},
    {"live-blind", GRADE_ERROR, NEEDS_GPU, "no experiment whose reading names the cause shows that the suspect of a wrong pair is wrong",
     "an experiment that does, and a reading under it that settles or is for the cause"},
    {"live-sabotage", GRADE_ERROR, NEEDS_GPU, "the comparison accepts a result that was spoilt on purpose", "a tighter tolerance, inputs that make results differ"},
    {"live-strict", GRADE_ERROR, NEEDS_GPU, "the comparison refuses the fix's result changed by a quarter of the tolerance",
     "a wider tolerance, or a fix that does not use all of it"},
    {"live-idle", GRADE_ERROR, NEEDS_GPU, "a reading holds neither on this GPU nor on a recorded one", "an `expect` that the evidence meets, or leave it out"},
    {"live-reading", GRADE_WARNING, NEEDS_GPU, "a reading holds on a recorded GPU, but not on this one", "a threshold that leaves room for other GPUs"},
    {"live-margin", GRADE_WARNING, NEEDS_GPU, "a reading holds on this GPU by 2 % or less", "a threshold that leaves room for noise"},
    {"live-estimate", GRADE_ERROR, NEEDS_GPU, "the working of an estimate misses its truth on this GPU by more than `within`", "a better working, or a wider `within`"},
    {"live-gap", GRADE_WARNING, NEEDS_GPU, "something could not be measured on this GPU", "as the message says"},
};
enum { RULES = sizeof rules / sizeof *rules };

const struct rule *rule_table(size_t *n)
{
    *n = RULES;
    return rules;
}

const struct rule *rule_find(const char *id)
{
    for (int i = 0; i < RULES; i++)
        if (!strcmp(rules[i].id, id))
            return &rules[i];
    return NULL;
}

const char *grade_name(enum grade g)
{
    return g == GRADE_ERROR ? "error" : "warning";
}

/* ---- what is looked at: the one list of checks ---- */

void check_story(struct findings *f, const struct story *s, check_wanted *wanted, void *ctx)
{
    bool any = false;
    for (int i = 0; i < s->n_variants; i++) {
        const struct variant *v = s->variants[i];
        if (v->sealed || (wanted && !wanted(ctx, v)))
            continue;
        check_evidence(f, v);
        check_form(f, v);
        check_score(f, v);
        check_fit(f, v);
        check_args(f, v);
        check_formulas(f, v);
        any = true;
    }
    if (any) {
        check_draft(f, s);
        check_words(f, s);
        check_apart(f, s);
        check_twins(f, s);
    }
}

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

/* `word` in text, at or behind `from`, between bytes that no id or name has; NULL if it is not there. */
static const char *find_word(const char *from, const char *word)
{
    static const char *const inside = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
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

void findings_add(struct findings *f, const char *rule, const struct pack *p, const char *scenario, const char *gpu, struct place at, const char *fmt, ...)
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

void findings_measured(struct findings *f, const struct variant *v, const char *gpu, double effect, const struct path *path, bool reached)
{
    f->measured = mem_grow(f->measured, (size_t)f->n_measured + 1, sizeof *f->measured);
    f->measured[f->n_measured++] = (struct measured){.scenario = text_dup(v->full_id), .gpu = clean_copy(gpu), .effect = effect, .path = *path,
                                                     .reached = reached, .par = level_par(v->story->level)};
}

/* "PATH:12:3: ", which begins a message of the reader's; returns what follows, or the message when it names no place. */
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

void findings_refused(struct findings *f, const char *pack, const char *folder, const struct err *err)
{
    struct finding *new = append(f, "reader");
    const char *text = take_place(new, err->text, folder);
    size_t first = new->file ? strcspn(text, "\n") : strlen(text);
    new->scenario = clean_copy(pack);
    new->text = text_ndup(text, first);
    new->shown = text[first] ? text_dup(text + first + 1) : NULL;
}

static bool is_said_there(const struct findings *f, const char *rule, const struct finding *x)
{
    for (int i = 0; i < f->n; i++)
        if (x->file && f->all[i].file && !strcmp(f->all[i].rule->id, rule) && !strcmp(f->all[i].file, x->file) && f->all[i].line == x->line && f->all[i].col == x->col)
            return true;
    return false;
}

void findings_failed(struct findings *f, const char *rule, const struct pack *p, const char *scenario, const char *gpu, const char *label, const struct err *err)
{
    struct finding where = {0};
    const char *text = take_place(&where, err->text, p->files->root);
    struct place at = {where.file ? files_find(p->files, where.file) : NULL, where.line, where.col};
    if (!is_said_there(f, rule, &where))
        findings_add(f, rule, p, scenario, gpu, at, "%s%.*s", label, (int)strcspn(text, "\n"), text);
    free(where.file);
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
    return a->rule == b->rule && !compare_place(a, b) && !compare_text(a->gpu, b->gpu) && !strcmp(a->text, b->text)
           && (a->file || !strcmp(a->scenario, b->scenario));
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
        json_t *obj = json_pack("{s:s, s:s, s:s, s:s}", "rule", x->rule->id, "grade", grade_name(x->rule->grade), "scenario", x->scenario, "text", x->text);
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
        json_t *obj = json_pack("{s:s, s:s, s:o, s:i, s:i, s:f, s:b}", "scenario", m->scenario, "gpu", m->gpu, "cheapest", path, "price", m->path.price,
                                "par", m->par, "belief", m->path.belief, "reached", m->reached);
        if (m->effect > 0)
            json_object_set_new(obj, "effect", json_real(m->effect));
        json_array_append_new(list, obj);
    }
    return list;
}

#include "scenarios/pack/story.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/text/yaml.h"

double word_weight(enum word w)
{
    static const double weight[WORD_COUNT] = {50, 4, 0.25, 0.02};
    return weight[w];
}

const struct story *pack_story(const struct pack *p, const char *id)
{
    for (int i = 0; i < p->n_stories; i++)
        if (!strcmp(p->stories[i].id, id))
            return &p->stories[i];
    return NULL;
}

const struct story *pack_written(const struct pack *p, int i)
{
    for (int k = 0; k < p->n_stories + p->n_tasks; k++) {
        const struct story *s = k < p->n_stories ? &p->stories[k] : &p->tasks[k - p->n_stories];
        if (s->task && i-- == 0)
            return s;
    }
    return NULL;
}

bool story_is_pipeline(const struct story *s)
{
    return s->kind &&
           !strcmp(s->kind, "pipeline"); /* the story behind a drill's formulas has no kind */
}

bool story_is_case(const struct story *s)
{
    return s->kind && !strcmp(s->kind, "case");
}

bool story_is_harness(const struct story *s)
{
    return s->kind && !strcmp(s->kind, "harness");
}

const char *story_sort(const struct story *s)
{
    const struct source_kind *kind = s->n_variants ? s->variants[0]->kind : NULL;
    return story_is_case(s)       ? "system"
           : story_is_harness(s)  ? "benchmark"
           : s->gpus == 2         ? "two GPUs"
           : s->gpus > 2          ? "some GPUs"
           : kind && kind->image  ? "Triton"
           : story_is_pipeline(s) ? "pipeline"
                                  : "kernel";
}

bool story_asks_across(const struct story *s)
{
    return s->n_estimates > 0 && s->estimates[s->n_estimates - 1].across;
}

bool estimate_is_floor(const char *id)
{
    return !strncmp(id, "floor-", strlen("floor-"));
}

const char *param_words(const struct param *p)
{
    return p->label ? p->label : p->name;
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

int story_price(const struct story *s, const char *probe)
{
    const struct experiment *x = story_experiment(s, probe);
    const struct probe *p = probe_by_name(probe);
    if (x)
        return x->price;
    return p && p->id != SHOP_ASK ? p->price : 0;
}

const struct variant *story_variant(const struct story *s, const char *id)
{
    for (int i = 0; i < s->n_variants; i++)
        if (!strcmp(s->variants[i]->id, id))
            return s->variants[i];
    return NULL;
}

bool story_task_has(const struct story *s, const char *path)
{
    return s->task && (!strcmp(path, s->task->file->path) || !strcmp(path, s->task->start->path));
}

int story_hypothesis(const struct story *s, const char *id)
{
    int h = s->n_hypotheses - 1;
    while (h >= 0 && strcmp(s->hypotheses[h]->id, id))
        h--;
    return h;
}

bool story_asks_left(const struct story *s)
{
    return s->faults > 1;
}

int variant_left(const struct variant *v)
{
    return v->then ? v->then->cause : v->story->n_hypotheses - 1;
}

bool variant_is_at(const struct variant *v, int line)
{
    for (int i = 0; i < v->n_spans; i++)
        if (line >= v->spans[i].first && line <= v->spans[i].last)
            return true;
    return line == v->location_line;
}

static const struct side *side_of(const struct variant *v, const char *run)
{
    switch (*run) {
    case 'b': return story_is_harness(v->story) ? NULL : &v->fix;
    case 'c': return &v->best;
    case 'd': return v->then ? &v->then->half : NULL;
    case 'e': return v->then ? &v->then->rest : NULL;
    case 'r': return &v->reference;
    case 'o': return &v->benchmark.baseline;
    case 'p': return &v->honest.baseline;
    default: return NULL;
    }
}

static bool has_own(const struct variant *v, const struct side *side)
{
    return side ? side->launches != NULL : v->launches != NULL;
}

const struct launch *variant_launches(const struct variant *v, const char *run, int *n)
{
    const struct side *side = side_of(v, run);
    bool own = has_own(v, side);
    if (own)
        *n = side ? side->n_launches : v->n_launches;
    else
        *n = v->story->n_launches;
    return !own ? v->story->launches : side ? side->launches : v->launches;
}

const struct file *variant_source(const struct variant *v, const char *run)
{
    switch (*run) {
    case 'a': return v->suspect;
    case 'b': return v->fix_file;
    case 'c': return v->best_file;
    case 'd': return v->then ? v->then->half_file : NULL;
    case 'e': return v->then ? v->then->rest_file : NULL;
    case 'o': return v->benchmark.baseline_file;
    case 'p': return v->honest.baseline_file;
    default: return v->reference_file;
    }
}

const char *variant_mended(const struct variant *v)
{
    if (story_is_harness(v->story) && v->pair == PAIR_WRONG)
        return "";
    if (v->then)
        return v->best_file ? "bcde" : "bde";
    return v->best_file ? "bc" : "b";
}

const char *variant_runs(const struct variant *v)
{
    if (v->then)
        return v->best_file ? "abcder" : "abder";
    if (v->benchmark.baseline_file)
        return "abrop";
    return v->best_file ? "abcr" : "abr";
}

const struct host_list *variant_steps(const struct variant *v, const char *run)
{
    const struct side *side = side_of(v, run);
    return !has_own(v, side) ? &v->story->steps : side ? &side->steps : &v->steps;
}

int source_line_count(const char *text)
{
    int n = 0;
    for (const char *p = text; *p; n++) {
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    return n;
}

int source_launch_line(const char *text, int k)
{
    return source_line_count(text) + 2 + k;
}

int variant_needs_answer(const struct variant *v, struct err *err)
{
    if (!v->sealed)
        return 0;
    return err_set(err, ERR_PERMISSION,
                   "the answers of %s are sealed; open the pack with its passphrase (warpdrill "
                   "unseal, or --passphrase-file FILE)",
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

/* The sealed half: a variant's sources and answer.yaml. */
#include "scenarios/pack/pack_parts.h"

#include <string.h>

#include "scenarios/pack/exhibits.h"
#include "scenarios/pack/failing.h"
#include "scenarios/pack/names.h"
#include "scenarios/pack/pack_benchmark.h"
#include "scenarios/pack/pack_buffers.h"
#include "scenarios/pack/pack_case.h"
#include "scenarios/pack/pack_debrief.h"
#include "scenarios/pack/pack_experiments.h"
#include "scenarios/pack/pack_image.h"
#include "scenarios/pack/pack_launches.h"
#include "scenarios/pack/pack_location.h"
#include "scenarios/pack/pack_model.h"
#include "scenarios/pack/pack_readings.h"
#include "scenarios/pack/pack_sources.h"
#include "scenarios/pack/pack_then.h"
#include "scenarios/pack/pack_truths.h"

enum {
    MAX_PROVES = 16,
    MAX_INCIDENTS = 12,
    MAX_SHAPES = 16,
    DEBRIEF = 65536
};

static const struct file *sibling(struct reader *r, const struct variant *v, const char *name)
{
    return files_find(r->pack->files,
                      arena_format(&r->memory->arena, "%s/%s/%s", v->story->id, v->id, name));
}

static bool has_file(struct reader *r, const char *folder, const struct yaml *name)
{
    return name->kind == YAML_SCALAR &&
           files_find(r->pack->files, arena_format(&r->memory->arena, "%s/%s", folder, name->text));
}

/* A file of the sealed half: the variant's own, else the one that the story's variants share. */
static int read_sealed(struct reader *r, const struct variant *v, const struct yaml *y,
                       const char *end, const struct file **out)
{
    const char *own = arena_format(&r->memory->arena, "%s/%s/sealed", v->story->id, v->id);
    const char *shared = arena_format(&r->memory->arena, "%s/sealed", v->story->id);
    return read_path(r, y, !has_file(r, own, y) && has_file(r, shared, y) ? shared : own, end, out);
}

static int read_debrief(struct reader *r, struct variant *v, const struct yaml *y)
{
    int rc = read_sealed(r, v, y, ".md", &v->debrief);
    if (!rc && v->debrief->len > DEBRIEF)
        rc = yaml_fail(y, ERR_TOO_LARGE, r->err, "%s has %zu bytes; at most %d were expected",
                       v->debrief->path, v->debrief->len, DEBRIEF);
    if (!rc)
        rc = fill_drawn(r, v, &v->debrief);
    return rc ? rc : read_told_figures(r, v);
}

/* ---- what it is ---- */

static const char *const pairs[] = {
    [PAIR_REGRESSION] = "regression", [PAIR_WRONG] = "wrong",     [PAIR_HEALTHY] = "healthy",
    [PAIR_REFUSED] = "refused",       [PAIR_FAULTED] = "faulted", [PAIR_UNFINISHED] = "unfinished",
};

/* What fails is one launch of a kernel: of several nobody could say which. */
static int check_failing(struct reader *r, const struct variant *v, const struct yaml *y,
                         int format)
{
    int n = 0;
    if (format < FORMAT_FAILING)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "pair '%s' in format %d; format: %d was expected above", pairs[v->pair],
                         format, FORMAT_FAILING);
    if (!strcmp(v->story->kind, "kernel"))
        variant_launches(v, "a", &n);
    return n == 1 ? 0
                  : yaml_fail(y, ERR_BAD_REQUEST, r->err,
                              "pair '%s' of a suspect that is not one launch of a kernel; "
                              "regression, wrong or healthy was expected",
                              pairs[v->pair]);
}

static int read_pair(struct reader *r, struct variant *v, const struct yaml *y, int format)
{
    int pair, rc = yaml_choice(y, pairs, sizeof pairs / sizeof *pairs, "a kind of pair", &pair,
                               r->err);
    if (rc)
        return rc;
    v->pair = pair;
    if (v->pair == PAIR_WRONG && story_is_case(v->story))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "a case has no result that could be compared; regression or healthy was "
                         "expected");
    return variant_fails(v) ? check_failing(r, v, y, format) : 0;
}

static int read_cause(struct reader *r, struct variant *v, const struct yaml *const *k, int format)
{
    int rc = read_pair(r, v, k[ANSWER_K_PAIR], format);
    if (rc)
        return rc;
    if ((v->cause = find_hypothesis(r, k[ANSWER_K_CAUSE], v->story)) < 0)
        return r->err->code;
    bool none = !strcmp(v->story->hypotheses[v->cause]->id, "none.at-limit");
    if (none != (v->pair == PAIR_HEALTHY))
        return yaml_fail(k[ANSWER_K_CAUSE], ERR_BAD_REQUEST, r->err,
                         none ? "cause none.at-limit in a %s pair; pair: healthy was expected with "
                                "it"
                              : "a cause in a %s pair; none.at-limit was expected",
                         pairs[v->pair]);
    return k[ANSWER_K_MODELS]
               ? read_id(r, k[ANSWER_K_MODELS], "the id of an entry of the catalogue", &v->models)
               : 0;
}

static int read_contributing(struct reader *r, struct variant *v, const struct yaml *y)
{
    int rc = y ? yaml_is_list(y, 0, MAX_HYPOTHESES, "a list of hypotheses", r->err) : 0;
    for (const struct yaml *h = rc || !y ? NULL : y->first; h; h = h->next) {
        int k = find_hypothesis(r, h, v->story);
        if (k < 0)
            return k;
        if (k == v->cause || v->contributing & 1u << k)
            return yaml_fail(h, ERR_BAD_REQUEST, r->err,
                             "%s is named already; another hypothesis was expected", h->text);
        v->contributing |= 1u << k;
    }
    return rc;
}

/* ---- the runs beside the suspect ---- */

/* A text of any kind may stand beside the suspect, such as the reference beside one in Python. */
static const char *ending_of(const struct variant *v, const struct yaml *y)
{
    const struct source_kind *kind = y->text ? source_kind_of(y->text) : NULL;
    return kind ? kind->ending : v->kind->ending;
}

int read_side(struct reader *r, struct variant *v, const struct yaml *y,
              const struct yaml *launches, struct side *side, const struct file **file)
{
    const struct yaml *k[SIDE_KEYS];
    if (!y)
        return 0;
    int rc = yaml_keys(y, &side_shape, k, r->err);
    if (!rc)
        rc = read_sealed(r, v, k[SIDE_K_SOURCE], ending_of(v, k[SIDE_K_SOURCE]), file);
    if (!rc && k[SIDE_K_LAUNCHES])
        rc = read_launches(r, k[SIDE_K_LAUNCHES], v->story, &side->launches, &side->n_launches,
                           &side->steps);
    if (rc)
        return rc;
    side->source = arena_text(&r->memory->arena, k[SIDE_K_SOURCE]->text, k[SIDE_K_SOURCE]->len);
    if (k[SIDE_K_LAUNCHES])
        launches = k[SIDE_K_LAUNCHES];
    return launches ? read_source(r, *file, v->story, launches)
                    : yaml_fail(y, ERR_BAD_REQUEST, r->err,
                                "no 'launches', and scenario.yaml has none; its own were expected");
}

/* A harness has an honest benchmark in the place of a fix, and nothing that would be faster. */
static int read_fix(struct reader *r, struct variant *v, const struct yaml *const *k,
                    const struct yaml *root, const struct yaml *launches)
{
    const struct yaml *other = k[ANSWER_K_FIX] ? k[ANSWER_K_FIX] : k[ANSWER_K_BEST];
    if (!story_is_harness(v->story))
        return k[ANSWER_K_FIX]
                   ? read_side(r, v, k[ANSWER_K_FIX], launches, &v->fix, &v->fix_file)
                   : yaml_fail(root, ERR_BAD_REQUEST, r->err,
                               "no 'fix'; answer.yaml was expected to have it");
    if (other)
        return yaml_fail(other->key, ERR_BAD_REQUEST, r->err,
                         "'%s' in a harness, whose kernel is not what is wrong; "
                         "sealed/benchmark.yaml was expected in its place",
                         other->key->text);
    v->fix_file = v->suspect;
    return read_honest_benchmark(r, v, root);
}

static int read_sides(struct reader *r, struct variant *v, const struct yaml *const *k,
                      const struct yaml *root, const struct yaml *launches)
{
    int rc = read_fix(r, v, k, root, launches);
    if (!rc)
        rc = read_side(r, v, k[ANSWER_K_BEST], launches, &v->best, &v->best_file);
    if (!rc)
        rc = read_side(r, v, k[ANSWER_K_REFERENCE], launches, &v->reference, &v->reference_file);
    return rc;
}

static int read_effect(struct reader *r, struct variant *v, const struct yaml *y,
                       const struct yaml *root)
{
    static const char what[] =
        "a list of two numbers, the least and the largest suspect.time / fix.time";
    if (variant_fails(v) && y)
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "'effect' of a suspect that has no time; none was expected with pair: %s",
                         pairs[v->pair]);
    if (variant_fails(v))
        return 0;
    if (!y)
        return yaml_fail(root, ERR_BAD_REQUEST, r->err,
                         "no 'effect'; answer.yaml was expected to have it");
    int rc = yaml_is_list(y, 2, 2, what, r->err);
    if (!rc)
        rc = yaml_number(y->first, "a number", &v->effect_low, r->err);
    if (!rc)
        rc = yaml_number(y->first->next, "a number", &v->effect_high, r->err);
    if (rc)
        return rc;
    double low = v->effect_low, high = v->effect_high;
    if (low <= 0 || high < low)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err, "from %g to %g; %s was expected", low, high,
                         what);
    if (v->pair == PAIR_REGRESSION && low <= 1 && !story_is_harness(v->story))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "a regression from %g; a band above 1 was expected, the suspect being "
                         "slower than the fix",
                         low);
    if (v->pair == PAIR_HEALTHY && (low > 1 || high < 1))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "a healthy pair from %g to %g; a band that holds 1 was expected", low,
                         high);
    return 0;
}

static int read_proves(struct reader *r, struct variant *v, const struct yaml *y)
{
    int rc = y ? yaml_is_list(y, 0, MAX_PROVES, "a list of predicates", r->err) : 0;
    if (rc || !y)
        return rc;
    v->proves = arena_new(&r->memory->arena, (size_t)y->n, sizeof *v->proves);
    for (const struct yaml *e = y->first; !rc && e; e = e->next)
        rc = read_formula(r, e, v->story, USE_TRUTH, &v->proves[v->n_proves++]);
    return rc;
}

static int read_shape(struct reader *r, const struct variant *v, const struct yaml *y,
                      struct shape *out)
{
    int rc = yaml_is_map(y, 1, YAML_MAP_MAX, "a map from parameter to size", r->err);
    if (rc)
        return rc;
    out->sizes = arena_new(&r->memory->arena, (size_t)y->n, sizeof *out->sizes);
    for (const struct yaml *e = y->first; !rc && e; e = e->next) {
        struct shape_size *size = &out->sizes[out->n_sizes++];
        rc = find_param(r, e->key, v->story, &size->param);
        if (!rc)
            rc = read_size(r, e, v->story, 1, SIZE_MAX_WHOLE, &size->value);
    }
    return rc;
}

int read_shapes(struct reader *r, struct variant *v, const struct yaml *y)
{
    int rc =
        y ? yaml_is_list(y, 0, MAX_SHAPES, "a list of maps from parameter to size", r->err) : 0;
    if (rc || !y)
        return rc;
    v->shapes = arena_new(&r->memory->arena, (size_t)y->n, sizeof *v->shapes);
    for (const struct yaml *e = y->first; !rc && e; e = e->next)
        rc = read_shape(r, v, e, &v->shapes[v->n_shapes++]);
    return rc;
}

/* ---- incidents: owner/repository#number ---- */

static bool is_incident(const char *s)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t owner = strspn(s, word), name = s[owner] == '/' ? strspn(s + owner + 1, word) : 0;
    const char *number = s + owner + 1 + name;
    return owner && name && *number == '#' && number[1] &&
           strspn(number + 1, "0123456789") == strlen(number + 1) && strlen(s) <= 100;
}

static int read_incidents(struct reader *r, struct variant *v, const struct yaml *y)
{
    int rc = y ? yaml_is_list(y, 0, MAX_INCIDENTS, "a list of incidents", r->err) : 0;
    if (rc || !y)
        return rc;
    v->incidents = arena_new(&r->memory->arena, (size_t)y->n, sizeof *v->incidents);
    for (const struct yaml *i = y->first; i; i = i->next) {
        if ((rc = yaml_is_scalar(i, "an incident such as owner/repository#123", r->err)))
            return rc;
        if (!is_incident(i->text))
            return yaml_fail(i, ERR_BAD_REQUEST, r->err,
                             "'%.80s'; an incident such as owner/repository#123 was expected%s",
                             i->text,
                             yaml_cut_by_comment(i) ? " (a blank and # begin a comment)" : "");
        v->incidents[v->n_incidents++] = arena_text(&r->memory->arena, i->text, i->len);
    }
    return 0;
}

/* ---- all of it ---- */

static int read_telling(struct reader *r, struct variant *v, const struct yaml *y)
{
    const char *id = find_probe(r, y, v->story);
    v->tells = id ? story_experiment(v->story, id) : NULL;
    return id ? 0 : r->err->code;
}

/* What was run, and what it shows; a case has neither. */
static int read_runs(struct reader *r, struct variant *v, const struct yaml *const *k,
                     const struct yaml *root, const struct yaml *launches, int format)
{
    const struct yaml *between[THEN_KEYS];
    struct then *then;
    int rc = read_sides(r, v, k, root, launches);
    if (!rc)
        rc = read_then(r, v, k[ANSWER_K_THEN], format, between, &then);
    if (!rc && then)
        rc = read_side(r, v, between[THEN_K_HALF], launches, &then->half, &then->half_file);
    if (!rc && then)
        rc = read_side(r, v, between[THEN_K_REST], launches, &then->rest, &then->rest_file);
    if (!rc)
        rc = read_effect(r, v, k[ANSWER_K_EFFECT], root);
    return rc ? rc : read_shapes(r, v, k[ANSWER_K_SHAPES]);
}

static int read_run_workspaces(struct reader *r, struct story *s, const struct yaml *y, int format)
{
    if (y && format < FORMAT_WORKSPACES)
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "'workspaces' in an answer of format %d; format: %d was expected", format,
                         FORMAT_WORKSPACES);
    return read_workspaces(r, s, y);
}

static int read_answer(struct reader *r, struct story *s, struct variant *v,
                       const struct yaml *root, const struct yaml *launches)
{
    const struct yaml *k[ANSWER_KEYS], *own[CASE_ANSWER_KEYS] = {NULL};
    bool is_case = story_is_case(v->story);
    int format;
    int rc = read_format(r, root, &format);
    if (!rc)
        rc = is_case ? yaml_keys(root, &case_answer_shape, own, r->err)
                     : yaml_keys(root, &answer_shape, k, r->err);
    if (!rc && is_case)
        spread_keys(own, &case_answer_shape, k, &answer_shape);
    if (!rc)
        rc = read_cause(r, v, k, format);
    if (!rc)
        rc = read_contributing(r, v, k[ANSWER_K_CONTRIBUTING]);
    if (!rc)
        rc = read_location(r, v, k[ANSWER_K_LOCATION], root, format);
    if (!rc)
        rc = read_remedy_bits(r, k[ANSWER_K_REMEDIES], v->story, &v->remedies);
    if (!rc)
        rc = read_run_workspaces(r, s, k[ANSWER_K_WORKSPACES], format);
    if (!rc)
        rc = is_case ? read_telling(r, v, own[CASE_ANSWER_K_TELLS])
                     : read_runs(r, v, k, root, launches, format);
    if (!rc)
        rc = read_debrief(r, v, k[ANSWER_K_DEBRIEF]);
    if (!rc)
        rc = read_proves(r, v, k[ANSWER_K_PROVES]);
    if (!rc)
        rc = read_readings(r, v, k[ANSWER_K_READINGS]);
    if (!rc)
        rc = read_pushbacks(r, v, k[ANSWER_K_PUSHBACKS]);
    if (!rc)
        rc = read_truths(r, v, k[ANSWER_K_ESTIMATES], root);
    if (!rc)
        rc = read_figures_of(r, v, k[ANSWER_K_MEASURED_ON], k[ANSWER_K_UNRECORDED]);
    return rc ? rc : read_incidents(r, v, k[ANSWER_K_INCIDENTS]);
}

/* The first kind whose suspect lies there; v->kind follows. What a harness times may be its
 * variants' in common. */
static const struct file *find_suspect(struct reader *r, struct variant *v)
{
    const struct file *suspect = NULL;
    for (int i = 0; !suspect && i < SOURCE_KINDS; i++) {
        v->kind = &source_kinds[i];
        suspect = sibling(r, v, v->kind->suspect);
        if (!suspect && story_is_harness(v->story))
            suspect = files_find(r->pack->files, arena_format(&r->memory->arena, "%s/%s",
                                                              v->story->id, v->kind->suspect));
    }
    return suspect;
}

/* The suspect with its launches: its own, else the story's. */
static int read_suspect(struct reader *r, struct story *s, struct variant *v,
                        const struct yaml *launches, const struct yaml *at)
{
    struct yaml_doc *doc;
    const struct yaml *own = launches;
    int rc = read_own_launches(r, s, v, &doc, &own);
    if (!rc && !own)
        rc = yaml_fail(at, ERR_MISSING, r->err,
                       "neither %s/scenario.yaml nor %s/%s/launches.yaml says how the suspect is "
                       "launched; one of them was expected to",
                       v->story->id, v->story->id, v->id);
    if (!rc)
        rc = read_source(r, v->suspect, v->story, own);
    yaml_doc_free(doc);
    return rc;
}

int read_variant(struct reader *r, struct story *s, struct variant *v, const struct yaml *launches,
                 const struct yaml *at)
{
    const struct file *answer = sibling(r, v, "sealed/answer.yaml");
    bool is_case = story_is_case(v->story);
    v->suspect = is_case ? v->story->place_list : find_suspect(r, v);
    v->sealed = !answer && r->pack->seal == SEAL_SHUT;
    if (!v->suspect || (!answer && !v->sealed))
        return yaml_fail(at, ERR_MISSING, r->err,
                         "there is no %s/%s/%s; every variant was expected to have it",
                         v->story->id, v->id,
                         v->suspect ? "sealed/answer.yaml" : source_kinds[SOURCE_CUDA].suspect);
    int rc = is_case ? 0 : read_suspect(r, s, v, launches, at);
    if (!rc)
        rc = read_own_benchmark(r, v, at);
    if (!rc)
        rc = check_changes(r, v, at);
    if (v->sealed)
        return rc;
    struct yaml_doc *doc = NULL;
    if (!rc)
        rc = fill_drawn(r, v, &answer);
    if (!rc)
        rc = yaml_doc_read(&doc, r->pack->files, answer, r->err);
    if (!rc)
        rc = read_answer(r, s, v, yaml_doc_root(doc), launches);
    yaml_doc_free(doc);
    return rc || !is_case ? rc : exhibits_check(v, r->err);
}

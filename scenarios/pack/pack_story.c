/* The public half: scenario.yaml, key by key; what cases, launches, experiments and variants add is
 * in their files. */
#include "scenarios/pack/pack_parts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/names.h"
#include "scenarios/pack/pack_buffers.h"
#include "scenarios/pack/pack_case.h"
#include "scenarios/pack/pack_experiments.h"
#include "scenarios/pack/pack_launches.h"
#include "scenarios/pack/pack_model.h"
#include "scenarios/pack/pack_task.h"
#include "scenarios/pack/pack_then.h"
#include "scenarios/pack/pack_variants.h"

enum {
    MAX_PARAMS = 32,
    MAX_ESTIMATES = 8,
    MAX_REMEDIES = 9,
    MAX_QUESTIONS = 12,
    MIN_HYPOTHESES = 3,
    STORY = 2000,
    RATE_UNIT = 12,
    SIZE_LABEL = 32
};

/* ---- head ---- */

static int read_kind(struct reader *r, const struct yaml *y, struct story *s)
{
    static const char *const kinds[] = {"kernel", "pipeline", "harness", "case"};
    int k;
    int rc = yaml_choice(y, kinds, 4, "a kind of scenario", &k, r->err);
    if (!rc && k == 2 && s->format < FORMAT_HARNESS)
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "kind '%s' in format %d; format: %d was expected above", kinds[k],
                       s->format, FORMAT_HARNESS);
    k = rc ? 0 : k;
    s->kind = arena_text(&r->memory->arena, kinds[k], strlen(kinds[k]));
    return rc;
}

static int read_head(struct reader *r, struct story *s, const struct yaml *const *k)
{
    char *id;
    int rc = read_id(r, k[STORY_K_ID], "the id of a scenario", &id);
    if (!rc && strcmp(id, s->id))
        rc = yaml_fail(k[STORY_K_ID], ERR_BAD_REQUEST, r->err,
                       "id '%s' in the folder '%s'; the folder's name was expected", id, s->id);
    if (!rc)
        rc = read_text(r, k[STORY_K_TITLE], TITLE, false, "a title", &s->title);
    if (!rc)
        rc = read_kind(r, k[STORY_K_KIND], s);
    if (!rc)
        rc = yaml_whole(k[STORY_K_LEVEL], 0, 5, "a level from 0 to 5", &s->level, r->err);
    s->faults = 1;
    if (!rc && k[STORY_K_FAULTS])
        rc = read_faults(r, s, k[STORY_K_FAULTS]);
    s->counted = true;
    if (!rc && k[STORY_K_COUNTED])
        rc = yaml_bool(k[STORY_K_COUNTED], "true or false", &s->counted, r->err);
    if (!rc)
        rc = read_text(r, k[STORY_K_STORY], STORY, true, "the story", &s->text);
    return rc;
}

/* ---- sizes ---- */

int read_params(struct reader *r, struct story *s, const struct yaml *y)
{
    if (!y)
        return 0;
    int rc = yaml_is_map(y, 0, MAX_PARAMS, "a map from parameter to formula", r->err);
    if (rc)
        return rc;
    s->params = arena_new(&r->memory->arena, (size_t)y->n, sizeof *s->params);
    for (const struct yaml *v = y->first; v; v = v->next) {
        struct param *p = &s->params[s->n_params];
        if ((rc = read_name(r, v->key, "parameter", &p->name)) ||
            (rc = read_size(r, v, s, 0, SIZE_MAX_WHOLE, &p->value)))
            return rc;
        s->n_params++;
    }
    return 0;
}

int read_sizes(struct reader *r, struct story *s, const struct yaml *y)
{
    int rc = y ? yaml_is_map(y, 1, MAX_PARAMS, "a map from parameter to what it is", r->err) : 0;
    for (const struct yaml *v = y ? y->first : NULL; !rc && v; v = v->next) {
        int param = 0;
        rc = find_param(r, v->key, s, &param);
        if (!rc)
            rc = read_text(r, v, SIZE_LABEL, false, "what a size is", &s->params[param].label);
    }
    return rc;
}

/* Names are known by then: parameters, and buffers come after. */
static int read_gpus(struct reader *r, struct story *s, const struct yaml *y)
{
    int rc = yaml_whole(y, 1, CAP_RANKS, "1 to 8 GPUs", &s->gpus, r->err);
    if (!rc && s->gpus > 1 && (!story_is_pipeline(s) || s->format < FORMAT_OWN_LAUNCHES))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "several GPUs in a %s of format %d; kind: pipeline and format: %d were "
                         "expected",
                         s->kind, s->format, FORMAT_OWN_LAUNCHES);
    for (int i = 0; !rc && s->gpus > 1 && i < s->n_params; i++)
        if (!strcmp(s->params[i].name, "rank"))
            return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                             "a parameter 'rank' in a story on several GPUs, whose ranks are "
                             "called so; another name was expected");
    return rc;
}

static int read_needs(struct reader *r, struct story *s, const struct yaml *y)
{
    const struct yaml *k[NEEDS_KEYS];
    int rc = y ? yaml_keys(y, &needs_shape, k, r->err) : 0;
    if (rc || !y)
        return rc;
    if (k[NEEDS_K_COMPUTE])
        rc = read_formula(r, k[NEEDS_K_COMPUTE], s, USE_SIZE, &s->needs_compute);
    if (!rc && k[NEEDS_K_EXACT])
        rc = yaml_bool(k[NEEDS_K_EXACT], "true or false", &s->needs_exact, r->err);
    if (!rc && s->needs_exact && (!s->needs_compute.f || s->format < FORMAT_OWN_LAUNCHES))
        rc = yaml_fail(k[NEEDS_K_EXACT], ERR_BAD_REQUEST, r->err,
                       "'exact' without 'compute', or in a story of format %d; both 'compute' and "
                       "format: %d were expected",
                       s->format, FORMAT_OWN_LAUNCHES);
    if (!rc && k[NEEDS_K_GPUS])
        rc = read_gpus(r, s, k[NEEDS_K_GPUS]);
    if (!rc && k[NEEDS_K_MEMORY])
        rc = read_formula(r, k[NEEDS_K_MEMORY], s, USE_SIZE, &s->needs_memory);
    return rc;
}

/* What stands before "/s": a count, so letters alone, and none of a word that has a dimension or
 * stands for a number. */
static int read_rate_unit(struct reader *r, const struct yaml *y, char **out)
{
    struct dim dim;
    double factor;
    int rc = read_text(r, y, RATE_UNIT, false, "the unit of a rate", out);
    if (!rc && strspn(*out, "abcdefghijklmnopqrstuvwxyz") != strlen(*out))
        rc =
            yaml_fail(y, ERR_BAD_REQUEST, r->err,
                      "'%s'; what is counted in small letters, such as tokens, was expected", *out);
    if (!rc && unit_parse(*out, strlen(*out), &dim, &factor) &&
        (!dim_equal(dim, DIM_NONE) || factor != 1))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "'%s' is no count; what users count, such as tokens, was expected", *out);
    return rc;
}

static int read_rate(struct reader *r, struct story *s, const struct yaml *y)
{
    const struct yaml *k[RATE_KEYS];
    int rc = y ? yaml_keys(y, &rate_shape, k, r->err) : 0;
    if (!rc && y)
        rc = read_rate_unit(r, k[RATE_K_UNIT], &s->rate.unit);
    return rc || !y ? rc : read_size(r, k[RATE_K_PER_RUN], s, 1, SIZE_MAX_WHOLE, &s->rate.per_run);
}

static int read_tolerance(struct reader *r, struct story *s, const struct yaml *y)
{
    const struct yaml *k[TOLERANCE_KEYS];
    struct msg_tolerance *t = &s->tolerance;
    if (y->kind == YAML_SCALAR && !strcmp(y->text, "exact")) {
        t->kind = TOL_EXACT;
        return 0;
    }
    if (y->kind != YAML_MAP)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "not a tolerance; exact, or {relative: 1e-5, absolute: 1e-6} was "
                         "expected");
    t->kind = TOL_RELATIVE;
    int rc = yaml_keys(y, &tolerance_shape, k, r->err);
    if (!rc)
        rc = yaml_number(k[TOLERANCE_K_RELATIVE], "a number from 0 to 1", &t->rel, r->err);
    if (!rc && k[TOLERANCE_K_ABSOLUTE])
        rc = yaml_number(k[TOLERANCE_K_ABSOLUTE], "a number of at least 0", &t->abs, r->err);
    if (!rc && (t->rel < 0 || t->rel >= 1 || t->abs < 0))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "a tolerance out of range; relative from 0 to below 1 and absolute from 0 "
                       "was expected");
    return rc;
}

/* ---- what is shown and offered ---- */

static int read_only(struct reader *r, const struct yaml *y, const char *only, const char *what)
{
    const struct yaml *v = y->kind == YAML_LIST && y->n == 1 ? y->first : y;
    if (v->kind == YAML_SCALAR && !strcmp(v->text, only))
        return 0;
    return yaml_fail(v, ERR_UNSUPPORTED, r->err, "not a %s of this version; %s was expected", what,
                     only);
}

static int read_symptom(struct reader *r, const struct yaml *symptom, const struct yaml *yardstick)
{
    int rc = symptom ? read_only(r, symptom, "time", "symptom") : 0;
    return rc || !yardstick ? rc : read_only(r, yardstick, "copy", "yardstick");
}

/* At the first levels whoever cannot say what the bytes take may ask for it. */
static void add_copy_question(struct reader *r, struct story *s)
{
    static const char ask[] = "How long does a plain copy of as many bytes take here?",
                      answer[] = "It stands beside the time now, measured on the same GPU.";
    if (story_is_case(s) || s->level < 1 || s->level > 2)
        return;
    s->questions[s->n_questions++] =
        (struct question){arena_text(&r->memory->arena, ask, strlen(ask)),
                          arena_text(&r->memory->arena, answer, strlen(answer))};
    s->copy_question = s->n_questions;
}

static int read_questions(struct reader *r, struct story *s, const struct yaml *y)
{
    int rc = y ? yaml_is_list(y, 0, MAX_QUESTIONS, "a list of questions", r->err) : 0;
    if (rc)
        return rc;
    s->questions = arena_new(&r->memory->arena, (size_t)(y ? y->n : 0) + 1, sizeof *s->questions);
    for (const struct yaml *v = y ? y->first : NULL; v; v = v->next) {
        const struct yaml *k[QUESTION_KEYS];
        struct question *q = &s->questions[s->n_questions++];
        if ((rc = yaml_keys(v, &question_shape, k, r->err)) ||
            (rc = read_text(r, k[QUESTION_K_ASK], SENTENCE, false, "a question", &q->ask)) ||
            (rc = read_text(r, k[QUESTION_K_ANSWER], SENTENCE, false, "an answer", &q->answer)))
            return rc;
    }
    add_copy_question(r, s);
    return 0;
}

static int by_rank(const void *a, const void *b)
{
    return taxonomy_rank(*(const struct hypothesis *const *)a) -
           taxonomy_rank(*(const struct hypothesis *const *)b);
}

static int check_order(struct reader *r, const struct story *s, const struct yaml *y)
{
    const struct hypothesis *sorted[MAX_HYPOTHESES];
    memcpy(sorted, s->hypotheses, sizeof sorted);
    qsort(sorted, (size_t)s->n_hypotheses, sizeof *sorted, by_rank);
    const struct yaml *v = y->first;
    for (int i = 0; i < s->n_hypotheses; i++, v = v->next) {
        if (sorted[i] == s->hypotheses[i])
            continue;
        char right[400] = "";
        size_t len = 0;
        for (int k = 0; k < s->n_hypotheses; k++)
            len += (size_t)snprintf(right + len, sizeof right - len, "%s%s", k ? ", " : "",
                                    sorted[k]->id);
        return yaml_fail(v, ERR_BAD_REQUEST, r->err,
                         "%s is out of order; the taxonomy's order was expected: %s",
                         s->hypotheses[i]->id, right);
    }
    return 0;
}

static int read_hypotheses(struct reader *r, struct story *s, const struct yaml *y)
{
    int rc = yaml_is_list(y, MIN_HYPOTHESES, MAX_HYPOTHESES, "a list of hypotheses", r->err);
    if (rc)
        return rc;
    for (const struct yaml *v = y->first; v; v = v->next) {
        if ((rc = yaml_is_scalar(v, "the id of a hypothesis", r->err)))
            return rc;
        const struct hypothesis *h = taxonomy_find(v->text);
        if (!h)
            return fail_hypothesis(r, v);
        for (int i = 0; i < s->n_hypotheses; i++)
            if (s->hypotheses[i] == h)
                return yaml_fail(v, ERR_BAD_REQUEST, r->err,
                                 "%s stands here twice; each hypothesis once was expected", h->id);
        s->hypotheses[s->n_hypotheses++] = h;
    }
    if ((rc = check_order(r, s, y)))
        return rc;
    if (strcmp(s->hypotheses[s->n_hypotheses - 1]->id, "none.at-limit"))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "no none.at-limit; every scenario was expected to offer that nothing is "
                         "wrong");
    return 0;
}

static int read_remedies(struct reader *r, struct story *s, const struct yaml *y)
{
    int rc = yaml_is_map(y, 2, MAX_REMEDIES, "a map from id to remedy", r->err);
    if (rc)
        return rc;
    s->remedies = arena_new(&r->memory->arena, (size_t)y->n, sizeof *s->remedies);
    for (const struct yaml *v = y->first; v; v = v->next) {
        struct remedy *m = &s->remedies[s->n_remedies++];
        if ((rc = read_key_id(r, v->key, "the id of a remedy", &m->id)) ||
            (rc = read_text(r, v, SENTENCE, false, "a remedy", &m->text)))
            return rc;
    }
    return 0;
}

/* `gpu: other`, in the place of `before`: it is asked last, and is no yardstick. */
static int read_across(struct reader *r, const struct yaml *const *k, const struct story *s,
                       struct estimate *e)
{
    static const char *const other[] = {"other"};
    const struct yaml *gpu = k[ESTIMATE_K_GPU];
    int which;
    e->before = "";
    e->across = true;
    if (k[ESTIMATE_K_BEFORE])
        return yaml_fail(gpu, ERR_BAD_REQUEST, r->err,
                         "before and gpu together; what is asked of the other GPU comes last, so "
                         "gpu alone was expected");
    if (story_is_case(s))
        return yaml_fail(gpu, ERR_BAD_REQUEST, r->err,
                         "a case has no GPU; `before` and an exhibit were expected");
    if (story_is_harness(s))
        return yaml_fail(gpu, ERR_BAD_REQUEST, r->err,
                         "a harness tells what its program reports on one GPU; `before` was "
                         "expected");
    if (estimate_is_floor(e->id))
        return yaml_fail(gpu, ERR_BAD_REQUEST, r->err,
                         "the answer to '%s' brings the yardstick, and it would come after the "
                         "commitment; another id was expected",
                         e->id);
    return yaml_choice(gpu, other, 1, "the word other", &which, r->err);
}

static int read_asked(struct reader *r, const struct yaml *y, const struct yaml *const *k,
                      const struct story *s, struct estimate *e)
{
    if (k[ESTIMATE_K_GPU])
        return read_across(r, k, s, e);
    if (!k[ESTIMATE_K_BEFORE])
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "neither before nor gpu; the probe before which it is asked was expected, "
                         "or `gpu: other`");
    if (e > s->estimates && e[-1].across)
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "'%s' stands behind '%s'; what is asked of the other GPU was expected "
                         "last, as it is asked last",
                         e->id, e[-1].id);
    e->before = find_probe(r, k[ESTIMATE_K_BEFORE], s);
    return e->before ? 0 : r->err->code;
}

static int read_estimate(struct reader *r, const struct yaml *y, const struct story *s,
                         struct estimate *e)
{
    const struct yaml *k[ESTIMATE_KEYS];
    double factor;
    int rc = read_key_id(r, y->key, "the id of an estimate", &e->id);
    if (!rc)
        rc = yaml_keys(y, &estimate_shape, k, r->err);
    if (!rc)
        rc = read_text(r, k[ESTIMATE_K_ASK], SENTENCE, false, "a question", &e->ask);
    if (!rc)
        rc = read_text(r, k[ESTIMATE_K_UNIT], 16, false, "a unit", &e->unit);
    if (!rc && !unit_parse(e->unit, strlen(e->unit), &e->dim, &factor))
        rc = yaml_fail(k[ESTIMATE_K_UNIT], ERR_BAD_REQUEST, r->err,
                       "unknown unit '%s'; one such as s, B, B/s, flop/s, Hz or \"1\" was expected",
                       e->unit);
    return rc ? rc : read_asked(r, y, k, s, e);
}

static int read_estimates(struct reader *r, struct story *s, const struct yaml *y)
{
    int rc = y ? yaml_is_map(y, 0, MAX_ESTIMATES, "a map of estimates", r->err) : 0;
    if (rc || !y)
        return rc;
    s->estimates = arena_new(&r->memory->arena, (size_t)y->n, sizeof *s->estimates);
    for (const struct yaml *v = y->first; !rc && v; v = v->next)
        rc = read_estimate(r, v, s, &s->estimates[s->n_estimates++]);
    return rc;
}

/* ---- all of it ---- */

/* What is run: buffers, launches, and what is measured of them. */
int read_code(struct reader *r, struct story *s, const struct yaml *const *k)
{
    int rc = read_defines(r, s, k[STORY_K_DEFINE]);
    if (!rc)
        rc = read_needs(r, s, k[STORY_K_NEEDS]);
    if (!rc)
        rc = read_buffers(r, s, k[STORY_K_BUFFERS]);
    if (!rc && k[STORY_K_LAUNCHES])
        rc = read_launches(r, k[STORY_K_LAUNCHES], s, &s->launches, &s->n_launches, &s->steps);
    if (!rc && k[STORY_K_LAUNCHES])
        rc = check_steps(r, k[STORY_K_LAUNCHES], s);
    if (!rc)
        rc = read_work(r, s, k[STORY_K_WORK]);
    if (!rc)
        rc = read_rate(r, s, k[STORY_K_RATE]);
    if (!rc)
        rc = read_tolerance(r, s, k[STORY_K_TOLERANCE]);
    return rc ? rc : read_symptom(r, k[STORY_K_SYMPTOM], k[STORY_K_YARDSTICK]);
}

/* What can be said and chosen. */
static int read_offers(struct reader *r, struct story *s, const struct yaml *const *k)
{
    int rc = read_questions(r, s, k[STORY_K_QUESTIONS]);
    if (!rc)
        rc = read_hypotheses(r, s, k[STORY_K_HYPOTHESES]);
    if (!rc)
        rc = read_remedies(r, s, k[STORY_K_REMEDIES]);
    if (!rc && !story_is_case(s))
        rc = read_experiments(r, s, k[STORY_K_EXPERIMENTS]);
    return rc ? rc : read_estimates(r, s, k[STORY_K_ESTIMATES]);
}

static int read_all(struct reader *r, struct story *s, const struct yaml *root,
                    const struct yaml *at)
{
    const struct yaml *k[STORY_KEYS], *own[CASE_KEYS] = {NULL};
    bool is_case = says_case(root);
    s->gpus = 1;
    int rc = read_format(r, root, &s->format);
    if (!rc)
        rc = is_case ? yaml_keys(root, &case_shape, own, r->err)
                     : yaml_keys(root, &story_shape, k, r->err);
    if (!rc && is_case)
        spread_keys(own, &case_shape, k, &story_shape);
    if (!rc && !is_case && !k[STORY_K_LAUNCHES] && s->format < FORMAT_OWN_LAUNCHES)
        rc = yaml_fail(root, ERR_BAD_REQUEST, r->err,
                       "no 'launches'; scenario.yaml was expected to have it, or format: %d and "
                       "a launches.yaml beside each suspect",
                       FORMAT_OWN_LAUNCHES);
    if (!rc)
        rc = read_head(r, s, k);
    if (!rc)
        rc = read_params(r, s, k[STORY_K_PARAMS]);
    if (!rc)
        rc = read_sizes(r, s, k[STORY_K_SIZES]);
    if (!rc)
        rc = is_case ? read_case(r, s, own) : read_code(r, s, k);
    if (!rc)
        rc = read_offers(r, s, k);
    if (!rc)
        rc = find_variants(r, s, is_case ? own[CASE_K_VARIANTS] : NULL, at);
    if (!rc && is_case)
        rc = read_model(r, s);
    for (int i = 0; !rc && i < s->n_variants; i++)
        rc = read_variant(r, s, s->variants[i], k[STORY_K_LAUNCHES], at);
    return rc || is_case ? rc : read_task(r, s, k[STORY_K_LAUNCHES]);
}

int read_story(struct reader *r, struct story *s, const struct yaml *at)
{
    s->full_id = arena_format(&r->memory->arena, "%s/%s", r->pack->id, s->id);
    const char *path = arena_format(&r->memory->arena, "%s/scenario.yaml", s->id);
    const struct file *f = files_find(r->pack->files, path);
    if (!f)
        return yaml_fail(at, ERR_MISSING, r->err,
                         "there is no %s; the folder of a scenario was expected to have it", path);
    struct yaml_doc *doc;
    int rc = yaml_doc_read(&doc, r->pack->files, f, r->err);
    if (!rc)
        rc = read_all(r, s, yaml_doc_root(doc), at);
    yaml_doc_free(doc);
    return rc;
}

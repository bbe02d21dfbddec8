/* The public half: scenario.yaml. */
#include "scenarios/pack/pack_read.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/names.h"

enum { MAX_PARAMS = 32, MAX_VARIANTS = 4, MAX_ESTIMATES = 8, MAX_REMEDIES = 9, MAX_QUESTIONS = 12, MIN_HYPOTHESES = 3, STORY = 2000, RATE_UNIT = 12 };

/* ---- head ---- */

static int read_kind(struct reader *r, const struct yaml *y, struct story *s)
{
    static const char *const kinds[] = {"kernel", "pipeline", "harness", "case"};
    int k;
    int rc = yaml_choice(y, kinds, 4, "a kind of scenario", &k, r->err);
    if (!rc && k == 2)
        rc = yaml_fail(y, ERR_UNSUPPORTED, r->err, "kind '%s' is not played by this version; kernel, pipeline or case was expected", kinds[k]);
    k = rc ? 0 : k;
    s->kind = arena_text(&r->memory->arena, kinds[k], strlen(kinds[k]));
    return rc;
}

static int read_head(struct reader *r, struct story *s, const struct yaml *const *k)
{
    char *id;
    int rc = read_id(r, k[STORY_K_ID], "the id of a scenario", &id);
    if (!rc && strcmp(id, s->id))
        rc = yaml_fail(k[STORY_K_ID], ERR_BAD_REQUEST, r->err, "id '%s' in the folder '%s'; the folder's name was expected", id, s->id);
    if (!rc)
        rc = read_text(r, k[STORY_K_TITLE], TITLE, false, "a title", &s->title);
    if (!rc)
        rc = read_kind(r, k[STORY_K_KIND], s);
    if (!rc)
        rc = yaml_whole(k[STORY_K_LEVEL], 0, 5, "a level from 0 to 5", &s->level, r->err);
    s->counted = true;
    if (!rc && k[STORY_K_COUNTED])
        rc = yaml_bool(k[STORY_K_COUNTED], "true or false", &s->counted, r->err);
    if (!rc)
        rc = read_text(r, k[STORY_K_STORY], STORY, true, "the story", &s->text);
    return rc;
}

/* ---- sizes ---- */

bool pack_name_reserved(const char *name)
{
    static const char *const words[] = {"and", "or", "not", "if", "min", "max", "ceil", "floor", "round", "sqrt", "log2", "abs", "ceildiv", "ln", "exp", "gcd", "comb",
                                        "roundup", "gpu", "work", "ceiling", "suspect", "fix", "best", "ratio", "copy_fraction"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], name))
            return true;
    return metric_find(name) != NULL;
}

int read_name(struct reader *r, const struct yaml *key, const char *what, char **out)
{
    if (!name_ok(key->text, 31))
        return yaml_fail(key, ERR_BAD_REQUEST, r->err, "'%.60s'; the name of a %s, letters, digits and _ (at most 31), was expected", key->text, what);
    if (pack_name_reserved(key->text))
        return yaml_fail(key, ERR_BAD_REQUEST, r->err, "'%s' means something in formulas already; another name was expected", key->text);
    *out = arena_text(&r->memory->arena, key->text, key->len);
    return 0;
}

static int read_params(struct reader *r, struct story *s, const struct yaml *y)
{
    if (!y)
        return 0;
    int rc = yaml_is_map(y, 0, MAX_PARAMS, "a map from parameter to formula", r->err);
    if (rc)
        return rc;
    s->params = arena_new(&r->memory->arena, (size_t)y->n, sizeof *s->params);
    for (const struct yaml *v = y->first; v; v = v->next) {
        struct param *p = &s->params[s->n_params];
        if ((rc = read_name(r, v->key, "parameter", &p->name)) || (rc = read_size(r, v, s, 0, SIZE_MAX_WHOLE, &p->value)))
            return rc;
        s->n_params++;
    }
    return 0;
}

static int read_needs(struct reader *r, struct story *s, const struct yaml *y)
{
    const struct yaml *k[NEEDS_KEYS];
    int rc = y ? yaml_keys(y, &needs_shape, k, r->err) : 0;
    if (rc || !y)
        return rc;
    if (k[NEEDS_K_COMPUTE])
        rc = read_formula(r, k[NEEDS_K_COMPUTE], s, USE_SIZE, &s->needs_compute);
    if (!rc && k[NEEDS_K_MEMORY])
        rc = read_formula(r, k[NEEDS_K_MEMORY], s, USE_SIZE, &s->needs_memory);
    return rc;
}

/* How many elements there will be is not known yet. */
static int judge_fill(struct reader *r, const struct yaml *y, enum elem_type type, const struct msg_fill *f)
{
    const char *fault = fill_fault(f);
    double value;
    if (fault)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err, "'%.60s' cannot be: %s", y->text, fault);
    if (!fill_fits(f, type, 1, &value))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err, "'%.60s' makes %g, which %s cannot hold; values in its range were expected", y->text, value, elem_name(type));
    return 0;
}

/* "uniform(-1, 1)" */
int read_fill(struct reader *r, const struct yaml *y, enum elem_type type, struct msg_fill *out)
{
    static const struct { const char *name; enum fill_kind kind; int n; } fills[] = {
        {"zeros", FILL_ZEROS, 0}, {"constant", FILL_CONSTANT, 1}, {"ramp", FILL_RAMP, 2}, {"uniform", FILL_UNIFORM, 2}, {"normal", FILL_NORMAL, 2},
        {"permutation", FILL_PERMUTATION, 0}, {"hot", FILL_HOT, 2}, {"zipf", FILL_ZIPF, 2}};
    static const char what[] = "zeros, constant(a), ramp(a, b), uniform(a, b), normal(a, b), permutation, hot(a, b) or zipf(a, b)";
    int rc = yaml_string(y, 80, false, what, r->err);
    if (rc)
        return rc;
    size_t n = strcspn(y->text, "(");
    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
        if (n != strlen(fills[i].name) || strncmp(fills[i].name, y->text, n))
            continue;
        double v[2] = {0, 0};
        char *at = (char *)y->text + n;
        int got = 0;
        while (got < fills[i].n && *at == (got ? ',' : '(')) {
            char *end;
            v[got] = strtod(at + 1, &end);
            if (end == at + 1 || !isfinite(v[got]))
                break;
            got++;
            at = end;
        }
        if (got != fills[i].n || strcmp(at, got ? ")" : ""))
            break;
        *out = (struct msg_fill){fills[i].kind, v[0], v[1]};
        return judge_fill(r, y, type, out);
    }
    return yaml_fail(y, ERR_BAD_REQUEST, r->err, "'%.60s'; %s was expected%s", y->text, what,
                     y->flow ? " (inside { } a comma separates, so quote it)" : "");
}

static int choose_type(struct reader *r, const struct yaml *y, enum elem_type *out)
{
    const char *names[T_COUNT];
    int k;
    for (int t = 0; t < T_COUNT; t++)
        names[t] = elem_name((enum elem_type)t);
    int rc = yaml_choice(y, names, T_COUNT, "a type of element", &k, r->err);
    *out = rc ? T_F32 : (enum elem_type)k;
    return rc;
}

static int read_buffer(struct reader *r, struct story *s, const struct yaml *y, struct buffer *b)
{
    static const char *const roles[] = {"input", "output", "inout", "workspace"};
    const struct yaml *k[BUFFER_KEYS];
    int role = ROLE_INPUT;
    int rc = read_name(r, y->key, "buffer", &b->name);
    for (int i = 0; !rc && i < s->n_params; i++)
        if (!strcmp(s->params[i].name, b->name))
            rc = yaml_fail(y->key, ERR_BAD_REQUEST, r->err, "'%s' is a parameter already; another name was expected", b->name);
    if (!rc)
        rc = yaml_keys(y, &buffer_shape, k, r->err);
    if (!rc)
        rc = choose_type(r, k[BUFFER_K_TYPE], &b->type);
    if (!rc)
        rc = read_size(r, k[BUFFER_K_COUNT], s, 1, SIZE_MAX_WHOLE, &b->count);
    if (!rc && k[BUFFER_K_ROLE])
        rc = yaml_choice(k[BUFFER_K_ROLE], roles, 4, "a role", &role, r->err);
    if (rc)
        return rc;
    b->role = (enum buffer_role)role;
    bool filled = role == ROLE_INPUT || role == ROLE_INOUT;
    if (filled && !k[BUFFER_K_FILL])
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err, "'%s' has no fill; an %s buffer was expected to have one", b->name, roles[role]);
    if (!filled && k[BUFFER_K_FILL])
        return yaml_fail(k[BUFFER_K_FILL], ERR_BAD_REQUEST, r->err, "a fill; none was expected, since the runner poisons %s buffers", roles[role]);
    return filled ? read_fill(r, k[BUFFER_K_FILL], b->type, &b->fill) : 0;
}

int read_buffers(struct reader *r, struct story *s, const struct yaml *y)
{
    bool output = false;
    int rc = yaml_is_map(y, 1, CAP_BUFFERS, "a map of buffers", r->err);
    if (rc)
        return rc;
    s->buffers = arena_new(&r->memory->arena, (size_t)y->n, sizeof *s->buffers);
    for (const struct yaml *v = y->first; v; v = v->next) {
        struct buffer *b = &s->buffers[s->n_buffers];
        if ((rc = read_buffer(r, s, v, b)))
            return rc;
        output = output || b->role == ROLE_OUTPUT || b->role == ROLE_INOUT;
        s->n_buffers++;
    }
    return output ? 0 : yaml_fail(y, ERR_BAD_REQUEST, r->err, "no buffer is an output; one with role: output or inout was expected");
}

static int no_work(struct reader *r, struct expr *out)
{
    struct formula *none;
    if (formula_parse(&none, "0", NULL, r->err))
        return r->err->code;
    keep_formula(r->memory, none);
    *out = (struct expr){none, NULL, 0, 0};
    return 0;
}

int read_work(struct reader *r, struct story *s, const struct yaml *y)
{
    const struct yaml *k[WORK_KEYS] = {NULL};
    int rc = y ? yaml_keys(y, &work_shape, k, r->err) : 0;
    if (!rc)
        rc = k[WORK_K_BYTES] ? read_size(r, k[WORK_K_BYTES], s, 0, DBL_MAX, &s->work_bytes) : no_work(r, &s->work_bytes);
    if (!rc)
        rc = k[WORK_K_FLOPS] ? read_size(r, k[WORK_K_FLOPS], s, 0, DBL_MAX, &s->work_flops) : no_work(r, &s->work_flops);
    return rc;
}

/* What stands before "/s": a count, so letters alone, and none of a word that has a dimension or stands for a number. */
static int read_rate_unit(struct reader *r, const struct yaml *y, char **out)
{
    struct dim dim;
    double factor;
    int rc = read_text(r, y, RATE_UNIT, false, "the unit of a rate", out);
    if (!rc && strspn(*out, "abcdefghijklmnopqrstuvwxyz") != strlen(*out))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err, "'%s'; what is counted in small letters, such as tokens, was expected", *out);
    if (!rc && unit_parse(*out, strlen(*out), &dim, &factor) && (!dim_equal(dim, DIM_NONE) || factor != 1))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err, "'%s' is no count; what users count, such as tokens, was expected", *out);
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
        return yaml_fail(y, ERR_BAD_REQUEST, r->err, "not a tolerance; exact, or {relative: 1e-5, absolute: 1e-6} was expected");
    t->kind = TOL_RELATIVE;
    int rc = yaml_keys(y, &tolerance_shape, k, r->err);
    if (!rc)
        rc = yaml_number(k[TOLERANCE_K_RELATIVE], "a number from 0 to 1", &t->rel, r->err);
    if (!rc && k[TOLERANCE_K_ABSOLUTE])
        rc = yaml_number(k[TOLERANCE_K_ABSOLUTE], "a number of at least 0", &t->abs, r->err);
    if (!rc && (t->rel < 0 || t->rel >= 1 || t->abs < 0))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err, "a tolerance out of range; relative from 0 to below 1 and absolute from 0 was expected");
    return rc;
}

/* ---- what is shown and offered ---- */

static int read_only(struct reader *r, const struct yaml *y, const char *only, const char *what)
{
    const struct yaml *v = y->kind == YAML_LIST && y->n == 1 ? y->first : y;
    if (v->kind == YAML_SCALAR && !strcmp(v->text, only))
        return 0;
    return yaml_fail(v, ERR_UNSUPPORTED, r->err, "not a %s of this version; %s was expected", what, only);
}

static int read_symptom(struct reader *r, struct story *s, const struct yaml *symptom, const struct yaml *yardstick)
{
    int rc = symptom ? read_only(r, symptom, "time", "symptom") : 0;
    if (!rc && yardstick)
        rc = read_only(r, yardstick, "copy", "yardstick");
    s->yardstick = arena_text(&r->memory->arena, "copy", 4);
    return rc;
}

static int read_questions(struct reader *r, struct story *s, const struct yaml *y)
{
    int rc = y ? yaml_is_list(y, 0, MAX_QUESTIONS, "a list of questions", r->err) : 0;
    if (rc || !y)
        return rc;
    s->questions = arena_new(&r->memory->arena, (size_t)y->n, sizeof *s->questions);
    for (const struct yaml *v = y->first; v; v = v->next) {
        const struct yaml *k[QUESTION_KEYS];
        struct question *q = &s->questions[s->n_questions++];
        if ((rc = yaml_keys(v, &question_shape, k, r->err)) || (rc = read_text(r, k[QUESTION_K_ASK], SENTENCE, false, "a question", &q->ask)) ||
            (rc = read_text(r, k[QUESTION_K_ANSWER], SENTENCE, false, "an answer", &q->answer)))
            return rc;
    }
    return 0;
}

static int by_rank(const void *a, const void *b)
{
    return taxonomy_rank(*(const struct hypothesis *const *)a) - taxonomy_rank(*(const struct hypothesis *const *)b);
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
            len += (size_t)snprintf(right + len, sizeof right - len, "%s%s", k ? ", " : "", sorted[k]->id);
        return yaml_fail(v, ERR_BAD_REQUEST, r->err, "%s is out of order; the taxonomy's order was expected: %s", s->hypotheses[i]->id, right);
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
                return yaml_fail(v, ERR_BAD_REQUEST, r->err, "%s stands here twice; each hypothesis once was expected", h->id);
        s->hypotheses[s->n_hypotheses++] = h;
    }
    if ((rc = check_order(r, s, y)))
        return rc;
    if (strcmp(s->hypotheses[s->n_hypotheses - 1]->id, "none.at-limit"))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err, "no none.at-limit; every scenario was expected to offer that nothing is wrong");
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
        if ((rc = read_key_id(r, v->key, "the id of a remedy", &m->id)) || (rc = read_text(r, v, SENTENCE, false, "a remedy", &m->text)))
            return rc;
    }
    return 0;
}

static int read_estimate(struct reader *r, const struct yaml *y, const struct story *s, struct estimate *e)
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
        rc = yaml_fail(k[ESTIMATE_K_UNIT], ERR_BAD_REQUEST, r->err, "unknown unit '%s'; one such as s, B, B/s, flop/s, Hz or \"1\" was expected", e->unit);
    if (!rc && !(e->before = find_probe(r, k[ESTIMATE_K_BEFORE], s)))
        rc = r->err->code;
    return rc;
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

/* ---- variants: the folders beside scenario.yaml ---- */

struct variant *add_variant(struct reader *r, struct story *s, const char *id, size_t len)
{
    struct variant *v = arena_new(&r->memory->arena, 1, sizeof *v);
    v->story = s;
    v->id = arena_text(&r->memory->arena, id, len);
    v->full_id = arena_format(&r->memory->arena, "%s/%s", s->full_id, v->id);
    int at = s->n_variants++;
    for (; at > 0 && strcmp(s->variants[at - 1]->id, v->id) > 0; at--)
        s->variants[at] = s->variants[at - 1];
    return s->variants[at] = v;
}

static int find_variants(struct reader *r, struct story *s, const struct yaml *at)
{
    const struct files *f = r->pack->files;
    size_t n = strlen(s->id);
    s->variants = arena_new(&r->memory->arena, MAX_VARIANTS, sizeof *s->variants);
    for (int i = 0; i < f->n; i++) {
        const char *rest = f->file[i].path + n + 1;
        if (strncmp(f->file[i].path, s->id, n) || f->file[i].path[n] != '/' || !strchr(rest, '/'))
            continue;
        char *id = arena_text(&r->memory->arena, rest, strcspn(rest, "/"));
        if (story_variant(s, id) || !strcmp(id, "sealed"))   /* the latter holds what the variants share */
            continue;
        if (!id_ok(id))
            return yaml_fail(at, ERR_BAD_REQUEST, r->err, "the folder %s/%s; the id of a variant of 1 to 40 characters a-z 0-9 - was expected", s->id, id);
        if (s->n_variants == MAX_VARIANTS)
            return yaml_fail(at, ERR_TOO_LARGE, r->err, "more than %d folders in %s; at most %d variants were expected", MAX_VARIANTS, s->id, MAX_VARIANTS);
        add_variant(r, s, id, strlen(id));
    }
    return 0;
}

/* What is run: buffers, launches, and what is measured of them. */
static int read_code(struct reader *r, struct story *s, const struct yaml *const *k)
{
    int rc = read_defines(r, s, k[STORY_K_DEFINE]);
    if (!rc)
        rc = read_needs(r, s, k[STORY_K_NEEDS]);
    if (!rc)
        rc = read_buffers(r, s, k[STORY_K_BUFFERS]);
    if (!rc)
        rc = read_launches(r, k[STORY_K_LAUNCHES], s, &s->launches, &s->n_launches);
    if (!rc && story_is_pipeline(s) && s->n_launches < 2)
        rc = yaml_fail(k[STORY_K_LAUNCHES], ERR_BAD_REQUEST, r->err, "one launch; a pipeline was expected to have several");
    if (!rc)
        rc = read_work(r, s, k[STORY_K_WORK]);
    if (!rc)
        rc = read_rate(r, s, k[STORY_K_RATE]);
    if (!rc)
        rc = read_tolerance(r, s, k[STORY_K_TOLERANCE]);
    return rc ? rc : read_symptom(r, s, k[STORY_K_SYMPTOM], k[STORY_K_YARDSTICK]);
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

static int read_all(struct reader *r, struct story *s, const struct yaml *root, const struct yaml *at)
{
    const struct yaml *k[STORY_KEYS], *own[CASE_KEYS] = {NULL};
    bool is_case = says_case(root);
    int rc = read_format(r, root);
    if (!rc)
        rc = is_case ? yaml_keys(root, &case_shape, own, r->err) : yaml_keys(root, &story_shape, k, r->err);
    if (!rc && is_case)
        spread_keys(own, &case_shape, k, &story_shape);
    if (!rc)
        rc = read_head(r, s, k);
    if (!rc)
        rc = read_params(r, s, k[STORY_K_PARAMS]);
    if (!rc)
        rc = is_case ? read_case(r, s, own) : read_code(r, s, k);
    if (!rc)
        rc = read_offers(r, s, k);
    if (!rc)
        rc = find_variants(r, s, at);
    if (!rc && is_case)
        rc = read_case_variants(r, s, own[CASE_K_VARIANTS]);
    if (!rc && !s->n_variants)
        rc = yaml_fail(at, ERR_MISSING, r->err, "%s has no variant; a folder such as %s/a with %s was expected", s->id, s->id,
                       is_case ? "sealed/answer.yaml" : source_kinds[SOURCE_CUDA].suspect);
    for (int i = 0; !rc && i < s->n_variants; i++)
        rc = read_variant(r, s->variants[i], k[STORY_K_LAUNCHES], at);
    return rc;
}

int read_story(struct reader *r, struct story *s, const struct yaml *at)
{
    s->full_id = arena_format(&r->memory->arena, "%s/%s", r->pack->id, s->id);
    const char *path = arena_format(&r->memory->arena, "%s/scenario.yaml", s->id);
    const struct file *f = files_find(r->pack->files, path);
    if (!f)
        return yaml_fail(at, ERR_MISSING, r->err, "there is no %s; the folder of a scenario was expected to have it", path);
    struct yaml_doc *doc;
    int rc = yaml_doc_read(&doc, r->pack->files, f, r->err);
    if (!rc)
        rc = read_all(r, s, yaml_doc_root(doc), at);
    yaml_doc_free(doc);
    return rc;
}

/* Answers to a story's estimates: a truth, its working, what mistakes come to. */
#include "scenarios/pack/pack_truths.h"

#include <string.h>

#include "scenarios/pack/names.h"
#include "scenarios/pack/pack_parts.h"

enum { MAX_MISTAKES = 8 };

static enum formula_use use_of(const struct truth *t)
{
    return t->estimate->across ? USE_ACROSS : USE_TRUTH;
}

static int read_mistakes(struct reader *r, struct variant *v, const struct yaml *y, struct truth *t)
{
    int rc = y ? yaml_is_list(y, 0, MAX_MISTAKES, "a list of mistakes", r->err) : 0;
    if (rc || !y)
        return rc;
    t->mistakes = arena_new(&r->memory->arena, (size_t)y->n, sizeof *t->mistakes);
    for (const struct yaml *m = y->first; m; m = m->next) {
        const struct yaml *k[MISTAKE_KEYS];
        struct mistake *out = &t->mistakes[t->n_mistakes++];
        if ((rc = yaml_keys(m, &mistake_shape, k, r->err)) ||
            (rc = read_formula(r, k[MISTAKE_K_VALUE], v->story, use_of(t), &out->value)) ||
            (rc = read_text(r, k[MISTAKE_K_SAYS], SENTENCE, false, "what went wrong", &out->says)))
            return rc;
    }
    return 0;
}

static int at_other_time(void *ctx, const char *name)
{
    (void)ctx;
    return name_other_time(name);
}

/* Across GPUs the truth is a time of the other's recording, and the debrief says what it follows.
 */
static int read_across(struct reader *r, const struct yaml *y, const struct yaml *const *k,
                       struct truth *t)
{
    const struct yaml *because = k[TRUTH_K_BECAUSE];
    if (!t->estimate->across && because)
        return yaml_fail(because->key, ERR_BAD_REQUEST, r->err,
                         "because is of an estimate with `gpu: other`; truth and working were "
                         "expected");
    if (!t->estimate->across)
        return 0;
    if (!formula_names(t->truth.f, at_other_time, NULL, NULL))
        return yaml_fail(k[TRUTH_K_TRUTH], ERR_BAD_REQUEST, r->err,
                         "this is no time of the other GPU; other.suspect.time or other.fix.time "
                         "was expected in it");
    if (!because)
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "'%s' has no because; what the other GPU's time follows was expected",
                         t->estimate->id);
    return read_text(r, because, SENTENCE, false, "what the other GPU's time follows",
                     &t->because);
}

static int read_truth(struct reader *r, struct variant *v, const struct yaml *y, struct truth *t)
{
    const struct yaml *k[TRUTH_KEYS];
    int rc = yaml_keys(y, &truth_shape, k, r->err);
    if (!rc)
        rc = read_formula(r, k[TRUTH_K_TRUTH], v->story, use_of(t), &t->truth);
    if (!rc)
        rc = read_formula(r, k[TRUTH_K_WORKING], v->story, use_of(t), &t->working);
    if (!rc)
        rc = read_across(r, y, k, t);
    t->within = 1.5;
    if (!rc && k[TRUTH_K_WITHIN])
        rc = yaml_number(k[TRUTH_K_WITHIN], "a factor from 1 to 10", &t->within, r->err);
    if (!rc && (t->within < 1 || t->within > 10))
        rc = yaml_fail(k[TRUTH_K_WITHIN], ERR_BAD_REQUEST, r->err,
                       "%g; a factor from 1 to 10 was expected", t->within);
    return rc ? rc : read_mistakes(r, v, k[TRUTH_K_MISTAKES], t);
}

static int check_estimates(struct reader *r, const struct story *s, const struct yaml *y)
{
    int rc = y ? yaml_is_map(y, 0, 8, "a map from estimate to its answer", r->err) : 0;
    for (const struct yaml *t = rc || !y ? NULL : y->first; t; t = t->next) {
        bool known = false;
        for (int i = 0; i < s->n_estimates; i++)
            known = known || !strcmp(s->estimates[i].id, t->key->text);
        if (!known)
            return yaml_fail(t->key, ERR_BAD_REQUEST, r->err,
                             "no estimate '%.60s'; one of those in scenario.yaml was expected",
                             t->key->text);
    }
    return rc;
}

int read_truths(struct reader *r, struct variant *v, const struct yaml *y, const struct yaml *root)
{
    const struct story *s = v->story;
    int rc = check_estimates(r, s, y);
    v->truths = arena_new(&r->memory->arena, (size_t)s->n_estimates, sizeof *v->truths);
    for (int i = 0; !rc && i < s->n_estimates; i++) {
        struct truth *t = &v->truths[v->n_truths++];
        const struct yaml *at = y ? y->first : NULL;
        while (at && strcmp(at->key->text, s->estimates[i].id))
            at = at->next;
        t->estimate = &s->estimates[i];
        if (!at)
            return yaml_fail(y ? y->key : root, ERR_BAD_REQUEST, r->err,
                             "estimate '%s' has no answer; truth and working were expected",
                             s->estimates[i].id);
        rc = read_truth(r, v, at, t);
    }
    return rc;
}

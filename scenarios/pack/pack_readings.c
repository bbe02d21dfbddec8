/* How evidence bears on hypotheses: readings, and pushbacks, which may bring a new fact. */
#include "scenarios/pack/pack_readings.h"

enum { MAX_READINGS = 64, MAX_PUSHBACKS = 8 };

/* k: the four words come first in both tables of keys. Sets *any. */
static int read_words(struct reader *r, const struct variant *v, const struct yaml *const *k,
                      unsigned says[WORD_COUNT], bool *any)
{
    unsigned seen = 0;
    for (int w = 0; w < WORD_COUNT; w++) {
        int rc = k[w] ? yaml_is_list(k[w], 1, MAX_HYPOTHESES, "a list of hypotheses", r->err) : 0;
        for (const struct yaml *h = rc || !k[w] ? NULL : k[w]->first; h; h = h->next) {
            int bit = find_hypothesis(r, h, v->story);
            if (bit < 0)
                return bit;
            if (seen & 1u << bit)
                return yaml_fail(h, ERR_BAD_REQUEST, r->err,
                                 "%s is judged twice; one word for each hypothesis was expected",
                                 h->text);
            seen |= 1u << bit;
            says[w] |= 1u << bit;
        }
        if (rc)
            return rc;
    }
    *any = seen != 0;
    return 0;
}

static bool is_measured(const struct story *s, const char *probe)
{
    const struct probe *p = probe_by_name(probe);
    const struct experiment *x = story_experiment(s, probe);
    if (x && x->exhibit)
        return x->exhibit->n_figures > 0;
    return !p || (p->id != SHOP_SOURCE && p->id != SHOP_LINES && p->id != SHOP_SASS &&
                  p->id != SHOP_BUILD);
}

static int read_reading(struct reader *r, struct variant *v, const struct yaml *y,
                        struct reading *out)
{
    const struct yaml *k[READING_KEYS];
    bool any = false;
    int rc = yaml_keys(y, &reading_shape, k, r->err);
    if (!rc && k[READING_K_EXPECT])
        rc = read_formula(r, k[READING_K_EXPECT], v->story, USE_READING, &out->expect);
    else if (!rc && is_measured(v->story, out->probe))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "no 'expect'; a predicate was expected of a reading of what %s measures",
                       out->probe);
    if (!rc)
        rc = read_id(r, k[READING_K_FACT], "the id of a fact", &out->fact);
    if (!rc)
        rc = read_text(r, k[READING_K_BECAUSE], SENTENCE, false, "a reason", &out->because);
    if (!rc)
        rc = read_words(r, v, k, out->says, &any);
    if (!rc && !any)
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "a reading that says nothing; settles, for, against or rules-out was "
                       "expected");
    return rc;
}

int read_readings(struct reader *r, struct variant *v, const struct yaml *y)
{
    int rc = yaml_is_map(y, 1, 32, "a map from probe or experiment to its readings", r->err),
        total = 0;
    for (const struct yaml *p = rc ? NULL : y->first; p; p = p->next) {
        if ((rc = yaml_is_list(p, 1, MAX_READINGS, "a list of readings", r->err)))
            return rc;
        total += p->n;
    }
    if (rc)
        return rc;
    v->readings = arena_new(&r->memory->arena, (size_t)total, sizeof *v->readings);
    for (const struct yaml *p = y->first; p; p = p->next) {
        const char *probe = find_probe(r, p->key, v->story);
        if (!probe)
            return r->err->code;
        for (const struct yaml *e = p->first; e; e = e->next) {
            struct reading *out = &v->readings[v->n_readings++];
            out->probe = probe;
            if ((rc = read_reading(r, v, e, out)))
                return rc;
        }
    }
    return 0;
}

static int read_new_fact(struct reader *r, struct variant *v, const struct yaml *y,
                         const struct yaml *const *k, struct pushback *out)
{
    bool any = false;
    int rc =
        k[PUSHBACK_K_FACT] ? read_id(r, k[PUSHBACK_K_FACT], "the id of a fact", &out->fact) : 0;
    if (!rc)
        rc = read_words(r, v, k, out->bears, &any);
    if (!rc && k[PUSHBACK_K_EXPECT])
        rc = read_formula(r, k[PUSHBACK_K_EXPECT], v->story, USE_TRUTH, &out->expect);
    if (rc)
        return rc;
    bool news = any || out->fact || out->expect.f;
    if (out->kind == PUSH_CORRECTION && (!any || !out->fact))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "a correction without news; a fact and settles, for, against or rules-out "
                         "was expected");
    if (out->kind != PUSH_CORRECTION && news)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "news in a pushback that is no correction; says and teaches alone were "
                         "expected");
    return 0;
}

static int read_pushback(struct reader *r, struct variant *v, const struct yaml *y,
                         struct pushback *out)
{
    static const char *const kinds[] = {"conviction", "correction", "red-herring"};
    const struct yaml *k[PUSHBACK_KEYS];
    int kind = 0;
    int rc = yaml_keys(y, &pushback_shape, k, r->err);
    if (!rc)
        rc = yaml_choice(k[PUSHBACK_K_KIND], kinds, 3, "a kind of pushback", &kind, r->err);
    if (!rc)
        rc = read_text(r, k[PUSHBACK_K_SAYS], SENTENCE, false, "what the interviewer says",
                       &out->says);
    if (!rc)
        rc = read_text(r, k[PUSHBACK_K_TEACHES], SENTENCE, false, "what it teaches", &out->teaches);
    out->kind = (enum push_kind)kind;
    return rc ? rc : read_new_fact(r, v, y, k, out);
}

int read_pushbacks(struct reader *r, struct variant *v, const struct yaml *y)
{
    int rc = yaml_is_list(y, 1, MAX_PUSHBACKS, "a list of pushbacks", r->err);
    if (rc)
        return rc;
    v->pushbacks = arena_new(&r->memory->arena, (size_t)y->n, sizeof *v->pushbacks);
    for (const struct yaml *p = y->first; !rc && p; p = p->next)
        rc = read_pushback(r, v, p, &v->pushbacks[v->n_pushbacks++]);
    return rc;
}

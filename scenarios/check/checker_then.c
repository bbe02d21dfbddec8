/* Two faults in one build: the builds between suspect and fix are builds of their own, and what was
 * measured of them bears the ranking out. */
#include "scenarios/check/checks.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/token.h"
#include "scenarios/evidence/listing.h"

static const double MARGIN = 1.05; /* times that differ by less than this are alike */

/* ---- on paper ---- */

static bool same_code(const struct file *a, const struct file *b)
{
    char x[HASH_HEX], y[HASH_HEX];
    return !token_hash(x, a->text, a->len, NULL) && !token_hash(y, b->text, b->len, NULL) &&
           !strcmp(x, y);
}

static bool same_build(const struct variant *v, const char *a, const char *b)
{
    char *x = listing_launches(v, a, NULL), *y = listing_launches(v, b, NULL);
    bool same = !strcmp(x, y) && same_code(variant_source(v, a), variant_source(v, b));
    free(x);
    free(y);
    return same;
}

void check_then(struct findings *f, const struct variant *v)
{
    static const char *const pairs[][2] = {{"d", "a"}, {"d", "b"}, {"e", "a"}, {"e", "b"},
                                           {"e", "d"}};
    for (size_t i = 0; v->then && i < sizeof pairs / sizeof *pairs; i++)
        if (same_build(v, pairs[i][0], pairs[i][1]))
            findings_add(f, "then-same", v->story->pack, v->full_id, NULL,
                         (struct place){.file = variant_source(v, pairs[i][0])},
                         "%s is %s: the same code and launches; a build with one of the two "
                         "faults mended was expected",
                         source_name(v->kind, pairs[i][0]), source_name(v->kind, pairs[i][1]));
}

/* ---- as measured ---- */

double check_number(const struct scope *scope, const char *name)
{
    struct quantity q;
    struct scope s = *scope;
    return scope_lookup(&s, name, &q, NULL) == 0 ? q.value : 0;
}

void check_ranking(struct findings *f, const struct variant *v, const char *gpu,
                   const struct scope *scope)
{
    double half = check_number(scope, "half.time"), rest = check_number(scope, "rest.time"),
           fix = check_number(scope, "fix.time");
    struct place at = place_answer(v, "then", NULL);
    if (!v->then)
        return;
    if (half <= 0 || rest <= 0 || fix <= 0)
        findings_add(f, "then-order", v->story->pack, v->full_id, gpu, at,
                     "half.time, rest.time or fix.time is not known; all of them were expected");
    else if (rest < MARGIN * half)
        findings_add(f, "then-order", v->story->pack, v->full_id, gpu, at,
                     "%s alone mended takes %.3g s, %s alone mended %.3g s; a first fault that "
                     "saves more by 5 %% was expected",
                     v->story->hypotheses[v->cause]->label, half,
                     v->story->hypotheses[v->then->cause]->label, rest);
    if (half > 0 && fix > 0 && half < MARGIN * fix)
        findings_add(f, "then-nothing", v->story->pack, v->full_id, gpu, at,
                     "with the first fault mended a call takes %.3g s, with both %.3g s; a second "
                     "fault that costs 5 %% by then was expected",
                     half, fix);
}

#include "scenarios/check/checker.h"

#include "scenarios/check/checker_bought.h"
#include "scenarios/check/checker_estimate_shown.h"

void check_story(struct findings *f, const struct story *s, check_wanted *wanted, void *ctx)
{
    bool any = false;
    f->shelf = shelf_new(s);
    for (int i = 0; i < s->n_variants; i++) {
        const struct variant *v = s->variants[i];
        if (v->sealed || (wanted && !wanted(ctx, v)))
            continue;
        check_evidence(f, v);
        check_draws(f, v);
        check_form(f, v);
        check_prose(f, v);
        check_score(f, v);
        check_fit(f, v);
        check_args(f, v);
        check_launches(f, v);
        check_then(f, v);
        check_formulas(f, v);
        check_estimate_needs(f, v);
        any = true;
    }
    if (any) {
        check_draft(f, s);
        check_words(f, s);
        check_apart(f, s);
        check_twins(f, s);
    }
    shelf_free(f->shelf);
    f->shelf = NULL;
}

/* Launches that belong to one variant: they differ from the story's, and what they compute is held
 * against the same truth as that of the other variants. What they pass, their sizes and their words
 * are looked at where those of the story are. */
#include "scenarios/check/checks.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/token.h"
#include "scenarios/evidence/listing.h"

/* As formulas, so that what is alike on one GPU alone differs. */
static bool same_launches(const struct variant *a, const struct variant *b, const char *run)
{
    char *x = listing_launches(a, run, NULL), *y = listing_launches(b, run, NULL);
    bool same = !strcmp(x, y);
    free(x);
    free(y);
    return same;
}

static bool same_reference(const struct variant *a, const struct variant *b)
{
    return check_same_tokens(a->reference_file, b->reference_file) && same_launches(a, b, "r");
}

static const struct variant *other_truth(const struct variant *v)
{
    const struct story *s = v->story;
    for (int i = 0; i < s->n_variants; i++) {
        const struct variant *w = s->variants[i];
        if (w != v && !w->sealed && !same_reference(v, w))
            return w;
    }
    return NULL;
}

void check_launches(struct findings *f, const struct variant *v)
{
    const struct story *s = v->story;
    const struct variant plain = {.story = s};       /* one that has the story's */
    struct place at = {.file = v->launches_file};
    if (!v->launches)
        return;
    if (same_launches(v, &plain, "a"))
        findings_add(f, "launches-same", s->pack, v->full_id, NULL, at,
                     "these are the story's launches; others, or no launches.yaml, were expected");
    const struct variant *other = other_truth(v);
    if (other)
        findings_add(f, "launches-truth", s->pack, v->full_id, NULL, at,
                     "the suspect is compared with another reference than that of %s, so its "
                     "launches may do other work; one reference for both was expected",
                     other->full_id);
}

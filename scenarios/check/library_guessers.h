/* Players who buy nothing that they read: rules of thumb that look at the opening alone.
 *
 * A guesser knows the whole library but the stories that are hidden from it, so that what it says
 * of one of those is what a shrewd player would have learnt from the others. */
#ifndef WD_SCENARIOS_LIBRARY_GUESSERS_H
#define WD_SCENARIOS_LIBRARY_GUESSERS_H

#include "scenarios/check/library_census.h"
#include "scenarios/check/library_words.h"

struct guesser;
/* What the stories say about each other, counted once, so that no guess goes through them all. */
struct lore;
/* Borrows the openings. */
struct lore *lore_new(const struct openings *o);
void lore_free(struct lore *l);

struct game {
    const struct openings *o;
    const struct lore *lore;
    const struct vocabulary *words;
    struct hidden hidden;             /* what is played on is hidden too */
    const struct guesser *who;
    const struct opening *at;         /* what is played on */
    const struct opening *seen;       /* of its story, with its truth; NULL: none */
    int always;                       /* the cause that is always said, a rank */
};

/* Beliefs in what is on offer, [at->n]; they sum to 1. */
typedef void guess_fn(double *p, const struct game *g);

struct guesser {
    const char *id, *name;            /* name: for people */
    guess_fn *guess;
    sort_fn *sort;                    /* of guess_by_sort and the like; NULL: of no use */
    bool sure;                        /* says it without doubt: is not calibrated */
    bool each_cause;                  /* is tried with each cause that is ever on offer */
    bool looked;                      /* has seen another variant of the story */
};
/* n may be NULL. */
const struct guesser *guesser_table(int *n);

#endif

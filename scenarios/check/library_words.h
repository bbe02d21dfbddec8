/* Words of stories, and how they go with causes: what was learnt from other stories, and what the
 * program's own explanations of hypotheses say. */
#ifndef WD_SCENARIOS_LIBRARY_WORDS_H
#define WD_SCENARIOS_LIBRARY_WORDS_H

#include "scenarios/check/library_openings.h"

struct vocabulary;
/* Borrows the openings. */
struct vocabulary *vocabulary_new(const struct openings *o);
void vocabulary_free(struct vocabulary *w);

/* Naive Bayes: how much likelier (a logarithm) the words of the story make it that this cause is
 * true where it is on offer, by the stories that are not hidden. base: how likely it is without. */
double vocabulary_learnt(const struct vocabulary *w, const struct hidden *hidden, int story,
                         int cause, double base);
/* How much of the cause's explanation stands in the story, rare words first; 0: nothing. */
double vocabulary_explained(const struct vocabulary *w, int story, int cause);

#endif

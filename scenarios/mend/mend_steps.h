/* A task: which walls between an empty kernel and the best a try has behind it. Pure. */
#ifndef WD_SCENARIOS_MEND_STEPS_H
#define WD_SCENARIOS_MEND_STEPS_H

#include "scenarios/mend/mend_kept.h"

/* How many steps, from the first on, a right try has reached; 0 for any other. */
int mend_steps_reached(const struct task *t, const struct mend_verdict *v);
/* The most of all tries. */
int mend_steps_best(const struct task *t, const struct mend_tries *tries);
/* Right and as fast as it has to be: of a task all steps, else mend_is_done. */
bool mend_reached_all(const struct variant *v, const struct mend_verdict *verdict);
/* "within 1.1 times the best's time, 83 % of the roof". */
void mend_step_words(char *out, size_t size, const struct task_step *step,
                     const struct mend_verdict *v);
/* "walls behind it: 2 of 4; next: Bank conflicts, " and the words of that step. */
void mend_steps_words(char *out, size_t size, const struct task *t, const struct mend_verdict *v);
/* The best's code and lesson may be shown: all steps were reached, or it was given up, which is
 * kept as a step of help behind the last. */
bool mend_best_open(const struct task *t, const struct mend_tries *tries);
/* [{wall, within, reached, roof_share}] of those reached and the next; new reference. `v` may be
 * NULL: no share of the roof is known. */
json_t *mend_steps_encode(const struct task *t, int reached, const struct mend_verdict *v);

#endif

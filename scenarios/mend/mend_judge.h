/* A save is judged: four requests one after the other, none of which blocks. What is known first
 * is in the verdict first: wrong, or how fast; then whether it is right everywhere; then why. */
#ifndef WD_SCENARIOS_MEND_JUDGE_H
#define WD_SCENARIOS_MEND_JUDGE_H

#include "scenarios/mend/mend_verdict.h"
#include "scenarios/supply/client.h"

struct mend_judge;

/* Variant, device and client are borrowed, and outlive it; the texts are copied. `fresh` is the
 * seed of the inputs with which it is timed and on which it must be right then. Whatever goes wrong
 * is in the verdict. */
struct mend_judge *mend_judge_new(const struct variant *v, const struct msg_device *device,
                                  struct client *client, const char *name, const char *text,
                                  uint64_t fresh);
/* Calls off what is under way; accepts NULL. */
void mend_judge_free(struct mend_judge *j);

/* Feeds an event of the client; true when it was of this judge and something changed. */
bool mend_judge_event(struct mend_judge *j, const struct client_event *e);
/* Over: nothing will change any more. */
bool mend_judge_over(const struct mend_judge *j);
/* Is the verdict known, though metrics may still come? */
bool mend_judge_known(const struct mend_judge *j);
const struct mend_verdict *mend_judge_verdict(const struct mend_judge *j);
const char *mend_judge_text(const struct mend_judge *j);
/* What it does now: "is it right: 3 comparisons passed"; *at of *of stages. */
const char *mend_judge_say(const struct mend_judge *j, int *at, int *of);

#endif

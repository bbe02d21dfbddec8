/* Judging what a candidate handed in, on the host's GPU, by the judge of mending. The text that
 * waits is the session's, so that a host that comes back judges it anew. */
#ifndef WD_TUI_FIX_JUDGE_H
#define WD_TUI_FIX_JUDGE_H

#include "scenarios/interview/interview.h"
#include "scenarios/mend/mend_judge.h"
#include "tui/app/app.h"

struct fix_judge { struct mend_judge *judge; }; /* NULL: nothing is under way */

/* Why nothing could be judged here, a sentence; NULL: there is a GPU. */
const char *fix_no_gpu(struct app *app);
/* Begins with the text that waits, and writes the verdict of one that is over. What cannot be
 * judged gets a verdict that says so. A code: the store did not take it, call it again. */
int fix_judge_follow(struct fix_judge *f, struct app *app, struct interview *l, struct err *err);
/* Feeds an event of the runner; true: something changed. */
bool fix_judge_event(struct fix_judge *f, const struct client_event *e);
/* Does a verdict wait for the store, or a text for a runner that is still looked for? Whoever is
 * told so calls fix_judge_follow again after a moment. */
bool fix_judge_owes(const struct fix_judge *f, const struct interview *l);
/* "2 of 4: race against suspect and fix", "" where nothing is judged. */
void fix_judge_say(const struct fix_judge *f, char *out, size_t size);
/* Calls off what is under way; a verdict that is known is written. */
void fix_judge_end(struct fix_judge *f, struct interview *l);

#endif

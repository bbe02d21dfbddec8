/* A drill of an interview with its numbers, for the candidate's screen and the interviewer's. */
#ifndef WD_TUI_CANDIDATE_DRILL_H
#define WD_TUI_CANDIDATE_DRILL_H

#include "drills/question/instance.h"
#include "scenarios/interview/session.h"
#include "tui/app/app.h"

struct recording;
struct live_numbers {
    struct drill_instance *instance;
    struct recording *recording; /* tells the truth of a measured drill; NULL: the formula does */
};

/* The same numbers for everybody who makes it. ERR_MISSING: there is no such drill, or a value is
 * not known here. */
int live_numbers_make(struct live_numbers *out, struct app *app, const struct session_drill *drill,
                      struct err *err);
/* Puts what was measured in the answer's place, once. 0 or a code. */
int live_numbers_reveal(struct live_numbers *n, struct err *err);
void live_numbers_free(struct live_numbers *n);

/* A drill of the running part before it is asked: what will be asked, and what is right. */
struct drill_preview { char drill[96], title[96], ask[512], right[160]; uint64_t seed; };
struct drill_previews { struct drill_preview of[8]; int n; };
/* Those of the running part, made anew where they changed; none in another kind of part. What
 * cannot be asked here says why in `ask`. */
void drill_previews_make(struct drill_previews *p, struct app *app, const struct session *s);
/* "81.3 us", of a choice "2, bank conflicts"; ", measured" where it was. */
void drill_right_words(char *out, size_t size, const struct drill_instance *i);

#endif

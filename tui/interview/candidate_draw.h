/* What the candidate's screens share: the part that stands on the screen, its clock, the
 * interviewer's lines. */
#ifndef WD_TUI_CANDIDATE_DRAW_H
#define WD_TUI_CANDIDATE_DRAW_H

#include "scenarios/interview/interview.h"
#include "tui/app/app.h"

const struct session *candidate_session(const struct app *guest);
/* The part that stands on the screen: the one that runs, or one before it whose truth is shown. */
int candidate_shown(const struct session *s);
/* A part that does not run, whose truth was shown last of all, or whose fix is asked for; -1: none.
 */
int candidate_truth(const struct session *s);
/* The part that runs, or NULL. */
const struct session_state *candidate_state(const struct app *guest);
/* "16:20 left", "0:30 over", "on pause"; "" where no part has begun. In quiet time "nobody looks
 * for 2:41   16:20 left". */
void candidate_clock(char *out, size_t size, const struct app *guest);
/* tick and due_ms of a screen on which nothing moves but this clock: it is drawn again when the
 * clock shows another second. */
int candidate_tick(struct app *guest, void *self, int64_t now_ms);
int candidate_due_ms(const struct app *guest, const void *self, int64_t now_ms);
/* Is this line for the candidate's eyes? */
bool candidate_reads(const struct session_line *line);
/* Row 1, the rule above the keys with what was just said, and the keys; `what` stands in row 1.
 * Returns the rectangle between. */
/* Of the screens on which nothing is asked. */
const struct key_list *candidate_keys(struct app *guest, const void *self);
struct rect candidate_frame(struct app *guest, const char *what, const char *keys);
/* The newest lines that the interviewer sent in this part, as many as there is room for; returns
 * the rows they take at the bottom of r. */
int candidate_lines_draw(const struct app *guest, struct rect r);
/* On screens without room for lines: says the newest one where there are more than `*seen`, which
 * follows. */
void candidate_lines_say(struct app *guest, int *seen);

#endif

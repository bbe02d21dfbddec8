/* Two faults in one build, in words: what each of them costs, which hides the other, and what the
 * person said is left. Everything is "" where the story never holds two. */
#ifndef WD_SCENARIOS_RANKING_H
#define WD_SCENARIOS_RANKING_H

#include "scenarios/play/debrief_walk.h"

/* "bank conflicts, on line 12": the second fault; "" where there is none. */
void ranking_left(char *out, size_t size, const struct variant *v);
/* "bank conflicts", or "nothing more" for none.at-limit. Borrowed. */
const char *ranking_label(const struct story *s, int hypothesis);
/* "; left: right": behind the reason of the line `cause`. */
void ranking_why(char *out, size_t size, const struct walk *w);
/* The times of the four builds, and what was said. */
void ranking_says(char *out, size_t size, const struct walk *w);

#endif

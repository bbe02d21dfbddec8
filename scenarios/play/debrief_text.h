/* The words of a debrief: why each line of the score is what it is, and what is to be learned. */
#ifndef WD_SCENARIOS_DEBRIEF_TEXT_H
#define WD_SCENARIOS_DEBRIEF_TEXT_H

#include "scenarios/play/debrief_walk.h"

/* Every text of `out`, whose scores and grades are made. */
void debrief_words(struct debrief *out, const struct walk *w);

#endif

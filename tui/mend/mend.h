/* Mending on the screen: the verdict of each save, its bars, what changed, and the tries so far.
 *
 * In: a variant whose debrief was shown. Out: a screen above it; tries in the store. Callers:
 * tui/play, the debrief's m. First to open: mend_screen.c, judging and keys; mend_write.c
 * types, mend_tries.c goes back and compares, write_screen.c lists what may be written from
 * nothing, mend_draw.c draws, mend_show.h a verdict wherever it stands, mend_keys.c says which keys
 * work; mend_screen.h is what they share. */
#ifndef WD_TUI_MEND_H
#define WD_TUI_MEND_H

#include "scenarios/pack/story.h"
#include "tui/app/app.h"

/* Why it cannot be mended, a sentence; NULL: it can. */
const char *mend_useless(const struct variant *v);
/* Opens the screen. The variant outlives it. */
void mend_open(struct app *app, const struct variant *v);
/* Opens the lists of kernels that may be written from nothing, and of what may be mended. */
void write_open(struct app *app);

#endif

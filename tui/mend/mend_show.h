/* A verdict on the screen, wherever it is shown. Each draws from row y in a screen of w columns,
 * and returns the row behind. */
#ifndef WD_TUI_MEND_SHOW_H
#define WD_TUI_MEND_SHOW_H

#include "scenarios/mend/mend_build.h"
#include "scenarios/mend/mend_moved.h"

/* `line` in the verdict's colour, below it why, in at most `most` rows, and a blank one. */
int mend_show_words(const struct mend_verdict *v, const char *line, int y, int w, int most);
/* "live, NVIDIA H100": where its figures are from; "" where nothing was judged. */
void mend_show_where(char *out, size_t size, const struct mend_verdict *v);
/* The times that are known, with their intervals. */
int mend_show_bars(const struct mend_verdict *v, int y, int w);
/* What moved since the try of that number, under a rule that ends with `right` (NULL: nothing);
 * row `chosen` is marked, -1: none. */
int mend_show_moved(const struct mend_moved *moved, int n, int chosen, int since,
                    const char *right, int y, int w, int end);

/* What a compiler alone says, above row `end`: whether it compiles, what each kernel needs, and
 * where those of suspect, fix and best need something else. */
int mend_show_built(const struct mend_build *b, int y, int w, int end);
/* How often the instructions stand in the text's PTX and in that of another side, those that differ
 * first. */
int mend_show_counts(const struct mend_build *b, enum mend_built other, int y, int w, int end);

#endif

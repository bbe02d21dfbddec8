/* What a mistyped name may have meant: the nearest of those offered, by edits. */
#ifndef WD_SCENARIOS_NEAR_H
#define WD_SCENARIOS_NEAR_H

#include <stddef.h>

/* Edits between two names, up to 48 bytes each. */
int near_distance(const char *a, const char *b);

struct near { const char *word, *best; int distance; };      /* {word} to begin with; borrowed */
void near_try(struct near *n, const char *candidate);
/* " (did you mean NAME?)" into out, "" when nothing is near. Returns out. */
const char *near_hint(const struct near *n, char *out, size_t size);

#endif

/* Text with formulas in braces: "{weights / tp} at {chip.bandwidth | TB/s}, {share | %}". After | a
 * unit, or %. */
#ifndef WD_DRILLS_FILL_H
#define WD_DRILLS_FILL_H

#include "scenarios/formula/formula.h"

/* What the names in the braces are worth. `word` gives a name that stands for text, such as a
 * row's, or NULL. */
struct fill_names {
    formula_lookup *lookup;
    const char *(*word)(void *ctx, const char *name);
    void *ctx;
};

/* Calls `check` for each formula; the first failure is returned with *byte at the brace's content.
 * Also refuses what does not close, what does not parse, and unknown units. */
int fill_check(const char *text, int (*check)(void *ctx, const struct formula *f, struct err *err),
               void *ctx, size_t *byte, struct err *err);

/* The text with its values; malloc'd. NULL with err when a value cannot be had. */
char *fill_text(const char *text, const struct fill_names *names, struct err *err);

/* One value as texts show it: whole plain numbers below ten million in full ("131,072"), larger
 * ones in words ("70 billion"), others as quantity_show. `unit` NULL: its own. */
void fill_value(char *out, size_t size, struct quantity q, const char *unit);

#endif

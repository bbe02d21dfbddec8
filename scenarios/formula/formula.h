/* The formula language of packs and drills: sizes, predicates, truths. No I/O, no loops, no
 * strings.
 *
 * Numbers with optional Ki Mi Gi Ti or a unit ("4.8 TB/s": blank before the unit), dotted names, +
 * - * / % ^ (right-associative, binds tighter than unary minus: -2^2 = -4), comparisons (do not
 * chain), and or not, min max ceil floor round sqrt log2 ln exp abs ceildiv roundup gcd comb xor
 * if(c,a,b). Every value has a dimension; + - and comparisons need equal dimensions, ^ needs a
 * plain whole exponent unless the base is plain. Series are reached as names: time.first .last .min
 * .max. Booleans are plain 0/1. Results must be finite. Text at most 1024 bytes, depth at most 64.
 *
 * In: a text, and a function that knows what names mean. Out: a number with its dimension, or
 * the column of what is wrong. Callers: scenarios/pack (sizes, readings, truths), evidence,
 * check, drills. First to open: formula.c, which evaluates; formula_parse.c makes the tree,
 * quantity.h knows units. */
#ifndef WD_SCENARIOS_FORMULA_H
#define WD_SCENARIOS_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/wire/err.h"
#include "scenarios/formula/quantity.h"

struct formula;

/* On failure *column receives the 1-based byte column inside `text`. `column` may be NULL. */
int formula_parse(struct formula **out, const char *text, int *column, struct err *err);
void formula_free(struct formula *f);
const char *formula_text(const struct formula *f);

/* Gives a name's value. Returns 0; ERR_MISSING when the name is known but has no value here
 * (evidence not bought, counter missing); ERR_BAD_REQUEST when no such name exists. */
typedef int formula_lookup(void *ctx, const char *name, struct quantity *out, struct err *err);

/* Calls fn for every name used, in order; stops at the first non-zero return and returns it with
 * its column. */
int formula_names(const struct formula *f, int (*fn)(void *ctx, const char *name), void *ctx,
                  int *column);

int formula_eval(const struct formula *f, formula_lookup *lookup, void *ctx, struct quantity *out,
                 int *column, struct err *err);

/* The dimension of the result, whatever the values: only the dimension of what `lookup` gives is
 * looked at, and both branches of `if`, `and`, `or`. ERR_MISSING where values decide it. */
int formula_dim(const struct formula *f, formula_lookup *lookup, void *ctx, struct dim *out,
                int *column, struct err *err);

/* Predicate: 1 true, 0 false, negative on error (ERR_MISSING: cannot be known here). `and`/`or`
 * short-circuit. */
int formula_holds(const struct formula *f, formula_lookup *lookup, void *ctx, int *column,
                  struct err *err);

/* Whole, plain, 0 <= v < 2^53. */
int formula_whole(const struct formula *f, formula_lookup *lookup, void *ctx, int64_t *out,
                  int *column, struct err *err);

/* The formula with each name replaced by its value, for worked solutions: "2 x 268 MB / 4156 GB/s".
 */
void formula_show(const struct formula *f, formula_lookup *lookup, void *ctx, char *out,
                  size_t size);

#endif

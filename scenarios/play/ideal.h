/* The ideal reader: what the readings of a variant say, given evidence; and the cheapest path to
 * the answer. */
#ifndef WD_SCENARIOS_IDEAL_H
#define WD_SCENARIOS_IDEAL_H

#include "scenarios/evidence/evidence.h"
#include "scenarios/play/investigation.h"
#include "scenarios/play/scoring.h"

/* Which readings of v hold in the scope (bits by index into v->readings are too few:
 * flags[n_readings]). A reading counts when its probe was bought and its expect is true; a false or
 * unknowable predicate says nothing. */
void ideal_flags(const struct variant *v, const struct scope *scope, bool *flags);

/* The same for somebody who has the free symptom too: the suspect's time, alone of all that `all`
 * knows. What compares it with a plain copy waits for its probe, but in a warm-up. NULL, or a case,
 * whose readings know its exhibits only: no symptom. */
void ideal_flags_shown(const struct variant *v, const struct scope *scope,
                       const struct evidence *all, bool *flags);

/* Likelihoods [K] of a set of readings: readings that share a fact are one observation: per
 * hypothesis the strongest counts. */
void ideal_likelihood(const struct variant *v, const bool *flags, double *likelihood);

/* Likelihoods of a pushback to somebody who knows `flags`: all 1 unless it is a correction whose
 * `expect` holds. A correction is one more observation of its fact, so that it says little to those
 * who had bought that fact. */
void ideal_pushback(const struct variant *v, const bool *flags, const struct pushback *push,
                    const struct scope *scope, double *likelihood);

struct path { char probe[8][48]; int n; int price; double belief; /* in the truth at its end */ };
/* `all`: evidence by purchases (bought), and one purchase "all" from which the others are split
 * (all). Ties: fewer, then earlier in the shop. Cheapest set of probes after which a reader with
 * even beliefs is at `enough` (0.90) in the truth, on this evidence. Returns 0, or ERR_MISSING when
 * no set reaches it (best found is in *out). */
int ideal_cheapest(const struct variant *v, const struct scope *all, double enough,
                   struct path *out);

/* What buying `probe` would have shown of `all` (request_recall_all). Shallow: the parts are those
 * of `all`, only out->parts is to be freed. No parts where nothing of it was measured, and for the
 * source. */
void ideal_purchase(struct evidence *out, const struct story *story, const struct evidence *all,
                    const char *probe);

#endif

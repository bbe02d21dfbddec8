/* One drill with its numbers: what a template and a seed bring, the same on every machine. */
#ifndef WD_DRILLS_INSTANCE_H
#define WD_DRILLS_INSTANCE_H

#include <stdint.h>

#include "drills/question/template.h"

struct drill_wrong { double value; char *says; };

/* What was measured instead of computed; the interval holds the median of `n` samples, low == high
 * where there are none. */
struct drill_truth {
    double value, low, high;
    int n;
    char tier[12], gpu[96], recorded[11]; /* recorded: YYYY-MM-DD, or "" */
};

struct drill_instance {
    const struct drill *drill;
    const struct msg_device *device;         /* for gpu.* and ceiling.*; NULL: none */
    uint64_t seed;
    struct quantity vars[DRILL_MAX_VARS], lets[DRILL_MAX_LETS];
    int rows[DRILL_MAX_VARS];                /* of variables that draw a row; else -1 */
    char *ask, *hint, *solution;
    double answer;                           /* SI base units of drill->dim */
    double accepts[DRILL_MAX_ACCEPTS]; int n_accepts;
    struct drill_wrong wrongs[DRILL_MAX_MISTAKES];
    int n_wrongs; /* those that say something else than the answer, and than each other */
    char *choices[DRILL_MAX_CHOICES];
    bool measured; /* drill_reveal has put a measurement in the answer's place */
    double on_paper;                         /* then: what the formula gives */
    struct drill_truth truth;
};

/* Seed 0 is the canonical instance, where the template has one. ERR_MISSING when a value is not
 * known (an empty cell, no GPU), ERR_BAD_REQUEST when a formula fails or nothing legal can be
 * drawn; the message names the drill and the formula. */
int drill_instance_make(struct drill_instance **out, const struct drill *d, uint64_t seed,
                        const struct msg_device *device, struct err *err);
void drill_instance_free(struct drill_instance *i);

/* An answer as people read it: in the drill's unit where that says more than its dimension ("15.8
 * %", "113 KiB"), else with a prefix. */
void drill_show_value(char *out, size_t size, const struct drill *d, double value);

/* Does `value` count as the right answer? Tolerance and accepted alternatives. */
bool drill_is_right(const struct drill_instance *i, double value);

#endif

/* What can be asked or bought: letters, places and prices are the same in every scenario. */
#ifndef WD_SCENARIOS_PROBE_H
#define WD_SCENARIOS_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/wire/metric.h"

enum shop {
    SHOP_ASK,
    SHOP_TIMING,
    SHOP_RESOURCES,
    SHOP_BUILD,
    SHOP_DRAM,
    SHOP_OCCUPANCY,
    SHOP_MEMORY,
    SHOP_SHARED,
    SHOP_STALLS,
    SHOP_PIPES,
    SHOP_EXPERIMENT,
    SHOP_VERIFY,
    SHOP_SOURCE,
    SHOP_LINES,
    SHOP_SASS,
    SHOP_COUNT
};

struct probe {
    enum shop id;
    char letter;             /* a t r b d o m s w p x v c l i */
    const char *name; /* as in readings and scripts: "timing", "memory", "source", "verify", ...; an
                         experiment is bought under its own id */
    const char *title, *brief;  /* "memory access", "memory" */
    int price;               /* minutes of patience; questions: 0, after the third 1 */
    int wire;                /* enum wire_probe, or -1: answered without a runner */
    const char *headline;    /* metric that may be called before it is shown, or NULL */
    const char *call;        /* "sectors per store request?" */
    struct {
        const char *label;
        double low, high;
    } option[4]; /* call options; label NULL ends; a call is right
                    when low <= value < high */
};
const struct probe *probe_table(size_t *n);
const struct probe *probe_by_letter(char letter);
const struct probe *probe_by_name(const char *name);

/* Experiments that every story offers without declaring them, so that what is on offer tells
 * nothing. The verifying ones stand in the list under v, the others in the list under x, after the
 * story's own. */
enum step_kind {
    STEP_PLAIN,
    STEP_WARM,
    STEP_ZEROS,
    STEP_OFFSET,
    STEP_FENCE,
    STEP_REGISTERS,
    STEP_BALLAST,
    STEP_REPEAT,
    STEP_TOOL
};
struct standard_step {
    const char *label;       /* "4 bytes on" */
    enum step_kind kind;
    int amount; /* offset: bytes; registers: the cap; repeat: launches; ballast: quarters of an SM's
                   shared memory */
    const char *tool;        /* of compute-sanitizer, or NULL */
};
#define MOST_STEPS 4
struct standard {
    const char *id, *title;
    enum shop shop;          /* SHOP_VERIFY or SHOP_EXPERIMENT */
    int price;
    enum wire_probe measure;
    int n_steps;
    struct standard_step step[MOST_STEPS];
};
const struct standard *standard_table(size_t *n);

/* Public stakes of a level (0..5): minutes up to which evidence is free of loss, and at which it is
 * worth nothing. */
int level_par(int level);
int level_patience(int level);
#define FREE_QUESTIONS 3

#endif

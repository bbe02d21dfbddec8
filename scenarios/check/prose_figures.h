/* Figures with a unit in prose: "2.5 to 3.9 ms", "57 %", "3.7 times", "243 registers". */
#ifndef WD_SCENARIOS_PROSE_FIGURES_H
#define WD_SCENARIOS_PROSE_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "scenarios/formula/quantity.h"

/* What stands behind the number. */
enum figure_kind { FIGURE_QUANTITY, FIGURE_SHARE, FIGURE_TIMES, FIGURE_REGISTERS };
struct figure_said {
    size_t at, len;     /* bytes of the number; its unit may stand behind a later one */
    char text[40];      /* "2.5 ms" */
    enum figure_kind kind;
    double value, slack; /* SI; the value meant lies within slack */
    struct dim dim;      /* of a quantity */
};

/* The figures of a text in their order; what stands in {{ }} is none. The array is the caller's. */
int figures_said(struct figure_said **out, const char *text, size_t len);

/* Does the sum that stands before "=" left of the figure come out at it: "4 x 33.6 MB = 134 MB"? */
bool figure_is_sum(const struct figure_said *f, const char *text);

/* Is `value`, in SI, what the figure says within its digits? */
bool figure_agrees(const struct figure_said *f, double value);

#endif

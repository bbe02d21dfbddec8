/* Workloads that are placed on the roofline of a figure: each by its intensity, since the roof says
 * the rest. A seed deals out the letters, so that their order tells nothing. */
#ifndef WD_DRILLS_ROOFLINE_H
#define WD_DRILLS_ROOFLINE_H

#include <stddef.h>
#include <stdint.h>

#include "drills/figure/figure.h"
#include "kernels/wire/err.h"

#define ROOFLINE_NEAR 1.5 /* a factor: what is right */

struct roofline {
    const struct figure_data *figure; /* of form FIGURE_PLOT; it outlives this */
    int n, point[FIGURE_POINTS];    /* the workload of each letter */
    double at[FIGURE_POINTS];       /* flop a byte; 0: not placed */
};

enum roofline_fault {
    PLACED_RIGHT,
    PLACED_NOWHERE,
    PLACED_SIDE, /* on the other side of its ridge */
    PLACED_FAR   /* on its side, and off by more than ROOFLINE_NEAR */
};
extern const char *const roofline_faults[]; /* "side" */

/* Nothing placed; letters are dealt out by the seed, or NULL: in the order of the figure. */
void roofline_make(struct roofline *out, const struct figure_data *figure, const uint64_t *seed);
/* Everything where it belongs. */
void roofline_known(struct roofline *out, const struct roofline *like);
/* flop/s that a letter's workload reaches at most at an intensity; whether memory sets it. */
double roofline_rate(const struct roofline *r, int letter, double intensity, bool *memory);
/* `why`: a sentence that names what is wrong, and what is right. */
enum roofline_fault roofline_judge(const struct roofline *r, int letter, char *why, size_t size);
int roofline_right(const struct roofline *r);
/* "a 1, b 8": letters, and flop a byte. ERR_BAD_REQUEST names what could not be read. */
int roofline_read(struct roofline *r, const char *text, struct err *err);

#endif

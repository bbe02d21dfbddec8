/* A figure with blanks: which ones a seed takes, what may stand in them, and how that is graded. */
#ifndef WD_DRILLS_FIGURE_FILL_H
#define WD_DRILLS_FIGURE_FILL_H

#include <stddef.h>
#include <stdint.h>

#include "drills/figure/figure.h"

enum { FIGURE_BLANKS = 8, FIGURE_CHOICES = 8, FIGURE_TYPED = 96 };

enum figure_verdict { BLANK_OPEN, BLANK_RIGHT, BLANK_WRONG };
struct figure_blank {
    int slot;
    char typed[FIGURE_TYPED];
    enum figure_verdict verdict;
    const char *choice[FIGURE_CHOICES]; int n_choices; /* of a word; borrowed from the figure */
};
struct figure_fill {
    const struct figure_data *figure;
    uint64_t seed;
    struct figure_blank blank[FIGURE_BLANKS]; int n;
};

/* The same blanks for the same seed on every machine: a third of what can be left blank, 3 to 8,
 * in the order of the picture. */
void figure_fill_make(struct figure_fill *out, const struct figure_data *f, uint64_t seed);

/* Puts an answer into a blank and grades it. A word is right by its words, or by its place among
 * the choices; a number with its unit, or in the one asked for. False: it cannot be read, `say`
 * has why, and the blank stays open. An empty answer is wrong. */
bool figure_fill_put(struct figure_fill *f, int blank, const char *typed, char *say, size_t size);

int figure_fill_right(const struct figure_fill *f);
int figure_fill_open(const struct figure_fill *f);

#endif

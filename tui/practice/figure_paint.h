/* What figures are painted with; of figure_draw.c and of the files that its header names. */
#ifndef WD_TUI_FIGURE_PAINT_H
#define WD_TUI_FIGURE_PAINT_H

#include "tui/practice/figure_draw.h"

struct painting {
    const struct figure_data *figure;
    const struct figure_view *view;
    struct figure_picture *out;
    bool trial; /* heights are asked for, nothing is painted */
};

/* The text of a slot as it is shown: itself, or its blank. */
const char *paint_slot_text(const struct painting *p, int slot, char out[160]);
enum style paint_slot_style(const struct painting *p, int slot, enum style usual);
/* Each returns the columns painted; a text too long ends in a mark. */
int paint_text(struct painting *p, int y, int x, int w, enum style s, const char *text);
int paint_slot(struct painting *p, int y, int x, int w, enum style s, int slot);
/* Wrapped at words; the lines it took. */
int paint_wrapped(struct painting *p, int y, int x, int w, enum style s, const char *text);
int paint_slot_wrapped(struct painting *p, int y, int x, int w, enum style s, int slot);

/* Each returns the first line below it. */
int paint_lanes(struct painting *p, int y, int w);
int paint_plot(struct painting *p, int y, int w);
int paint_schedule(struct painting *p, int y, int w);
int paint_collective(struct painting *p, int y, int w);

#endif

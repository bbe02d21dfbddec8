/* A figure drawn at any width onto a canvas of its own, which a screen shows in part and a command
 * prints.
 *
 *   figure_draw.c    boxes, branches, levels, grids, values
 *   figure_time.c    lanes: what has an axis of time
 *   figure_roof.c    rooflines, those on which workloads are placed too
 *   figure_stages.c  schedules, those that are being placed too
 *   figure_ranks.c   collectives, those that are being made too
 *   figure_paint.c   what both paint with, and where blanks stand
 */
#ifndef WD_TUI_FIGURE_DRAW_H
#define WD_TUI_FIGURE_DRAW_H

#include "drills/figure/figure_fill.h"
#include "drills/figure/roofline.h"
#include "tui/kit/canvas.h"

/* What is shown of it. */
struct figure_view {
    int width;                       /* 60 at least */
    const struct figure_fill *fill;  /* its blanks, with what was put in; NULL: none */
    bool bare;                       /* nothing that could be blank is shown: to be recalled */
    int part;                        /* the part that is pointed at; -1: none */
    int blank;                       /* the blank that is filled now; -1: none */
    /* a schedule that is placed, in the stead of the figure's own and its values; NULL: none */
    const struct schedule *placed;
    int stage, time;                 /* of its cursor, which always is in the picture */
    /* the same for a collective: the step that is open, or with rank -1 all of them */
    const struct collective *made;
    int rank, chunk;                 /* of its cursor */
    const struct roofline *put;      /* the same for the workloads of a roofline */
    int letter;                      /* the chosen one; -1: none */
};
struct figure_picture {
    struct canvas *canvas;
    int lines;
    int part_line, blank_line;       /* where those two stand, the cursor as a blank; -1 */
    int clashes;                     /* cells painted twice: 0 unless the figure does not fit */
};
void figure_picture_make(struct figure_picture *out, const struct figure_data *f,
                         const struct figure_view *view);
void figure_picture_free(struct figure_picture *p);
/* Its rows from `top` on. */
void figure_picture_show(const struct figure_picture *p, struct rect r, int top);
/* The picture's own rows; malloc'd. */
char *figure_picture_text(const struct figure_picture *p);

#endif

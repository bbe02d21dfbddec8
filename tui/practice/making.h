/* What the screens share on which a figure is made by hand: a schedule, a collective, the workloads
 * of a roofline. */
#ifndef WD_TUI_MAKING_H
#define WD_TUI_MAKING_H

#include "tui/app/app.h"
#include "tui/practice/figure_draw.h"
#include "tui/practice/practice_sitting.h"
#include "tui/practice/review_page.h"

struct making {
    const struct figure_data *figure;
    struct sitting own, *sitting; /* own: opened by itself */
    uint64_t seed;
    int64_t began_ms;
    int top;            /* the first line that is shown, once it is graded */
    bool asked;         /* handed in with something lacking, once */
    bool graded, shown; /* shown: as it is known, once it is graded */
};

/* sitting NULL: it opens one of its own. */
void making_begin(struct app *app, struct making *m, const struct figure_data *f,
                  struct sitting *sitting, uint64_t seed);
void making_end(struct app *app, struct making *m);

/* Keeps the answer; from here on it is graded. `allowed`: seconds. */
void making_keep(struct app *app, struct making *m, enum drill_how how, const char *given,
                 double allowed);

/* Below the task in words the picture, and below that the note once it is graded; in a frame that
 * is drawn. */
void making_draw(struct app *app, const struct making *m, const struct practice_frame *f,
                 const struct figure_view *view, const char *task);
/* A key once it is graded: Tab, or a scroll. */
int making_look(struct app *app, struct making *m, enum action action);

#endif

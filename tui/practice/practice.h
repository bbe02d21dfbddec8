/* Drills and cards on the screen, as other rooms open them.
 *
 * In: the library and the queue (drills), keys, the time. Out: answers that are graded and kept,
 * and what a person sees of them. Callers: tui/home and tui/commands (interface.c). First to open:
 * drills_screen.h and cards_screen.h, each the struct of a screen with the list of its files;
 * practice_sitting.c joins the app to a sitting, review_page.c is a column of lines, making.h what
 * the screens share on which a figure is made. */
#ifndef WD_TUI_PRACTICE_H
#define WD_TUI_PRACTICE_H

#include "tui/app/app.h"

void drills_begin(
    struct app *app,
    const char *id /* "set/id"; "topic:NAME": up to ten of a topic; NULL: what the queue has */);
void cards_begin(struct app *app);
void figures_open(struct app *app); /* the list of all, due or not */

struct sitting;
/* One figure ("set/id"), to be studied; or its bare frame, to be recalled and filled, the blanks by
 * `seed`. A filled one is an answer of the sitting, which must outlive the screen; NULL: of one of
 * its own. False: there is none. */
bool figure_begin(struct app *app, const char *id, struct sitting *sitting, uint64_t seed,
                  bool bare);
/* The same figure's schedule, block by block on an empty grid whose size the seed draws; it takes
 * the place of the screen that asks. Its answer is one of the figure. */
struct figure_data;
void schedule_begin(struct app *app, const struct figure_data *f, struct sitting *sitting,
                    uint64_t seed);
/* The same for a figure's collective, send by send; for the workloads of a roofline. */
void collective_begin(struct app *app, const struct figure_data *f, struct sitting *sitting,
                      uint64_t seed);
void roofline_begin(struct app *app, const struct figure_data *f, struct sitting *sitting,
                    uint64_t seed);

#endif

/* Estimates, while buy.asking: question, field, what is taken of it. */
#ifndef WD_TUI_INVESTIGATION_ESTIMATE_H
#define WD_TUI_INVESTIGATION_ESTIMATE_H

#include "tui/play/investigation_screen.h"

/* A key. What cannot be read as the quantity that was asked for is not taken: the text stays, and
 * why is said. What is taken is said as it was understood. */
int estimate_typed(struct app *app, struct investigation_screen *s, int key);
int estimate_more_rows(const struct investigation_screen *s,
                       int columns); /* that its question needs beyond one; 0 without a question */
void estimate_draw_rule(const struct investigation_screen *s,
                        const struct layout *l); /* above the status: "ESTIMATE 2 OF 3", and what
                                                    became of the one before */
void estimate_draw_question(const struct investigation_screen *s, const struct layout *l);
void estimate_draw_field(const struct investigation_screen *s, int y, int columns);
const char *estimate_keys(const struct investigation_screen *s, int columns);

#endif

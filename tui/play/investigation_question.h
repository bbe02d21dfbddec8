/* An estimate's question and field, while buy.asking. */
#ifndef WD_TUI_INVESTIGATION_QUESTION_H
#define WD_TUI_INVESTIGATION_QUESTION_H

#include "tui/play/investigation_state.h"

int estimate_number(const struct investigation_screen *s,
                    const struct estimate *e); /* as the debrief counts them */
/* Is it asked once beliefs, line and fix are locked, and not for a purchase? */
bool estimate_is_late(const struct investigation_screen *s);
int estimate_more_rows(const struct investigation_screen *s,
                       int columns); /* that its question needs beyond one; 0 without a question */
void estimate_draw_rule(const struct investigation_screen *s,
                        const struct layout *l); /* above the status: "ESTIMATE 2 OF 3", and what
                                                    became of the one before */
void estimate_draw_question(const struct investigation_screen *s, const struct layout *l);
void estimate_draw_field(const struct investigation_screen *s, int y, int columns);
const char *estimate_keys(const struct investigation_screen *s, int columns);

#endif

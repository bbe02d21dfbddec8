/* The timeline of a step of several launches; false and nothing where none was bought. */
#ifndef WD_TUI_INVESTIGATION_STEPS_H
#define WD_TUI_INVESTIGATION_STEPS_H

#include "tui/play/investigation_state.h"

struct timeline;
bool steps_of(const struct investigation_screen *s, struct timeline *out);
void steps_rate(const struct investigation_screen *s, char *out,
                size_t size); /* "4246 tokens/s", or "" */
bool steps_move(struct investigation_screen *s, int by);
void steps_draw(const struct investigation_screen *s, struct rect r);
void steps_explain(const struct investigation_screen *s, struct rect r);

#endif

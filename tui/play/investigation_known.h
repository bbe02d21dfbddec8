/* The right pane: notebook, charts, source, explanations. */
#ifndef WD_TUI_INVESTIGATION_KNOWN_H
#define WD_TUI_INVESTIGATION_KNOWN_H

#include "tui/play/investigation_state.h"

void known_draw(struct app *app, const struct investigation_screen *s, const struct layout *l);
/* Lines of the view that is scrolled, and the rows that show them; lines 0: the view is not
 * scrolled. */
struct pane { int lines, rows; };
struct pane investigation_pane(const struct investigation_screen *s, const struct layout *l);
/* Does all of the story stand above the panes? Then no pane shows it again. */
bool story_stands_above(const struct investigation_screen *s, const struct layout *l);
enum view investigation_view(
    const struct investigation_screen *s,
    const struct layout *l); /* what the right pane shows, if nothing covers it */
void source_draw(const struct investigation_screen *s, struct rect r, int cursor, int scroll);

#endif

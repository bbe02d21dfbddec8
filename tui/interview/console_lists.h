/* Lists in the place of the panes: evidence, drills, parts, clock, lines in full, notes, codes. */
#ifndef WD_TUI_CONSOLE_LISTS_H
#define WD_TUI_CONSOLE_LISTS_H

#include "tui/interview/console.h"

void lists_open(struct console *c, enum console_list list);
int lists_act(struct console *c, enum action action, int arg);
void lists_draw(struct app *app, const struct console *c);
/* The old ones end; with --share a window with the new one opens. 0 or a code. */
int console_new_codes(struct console *c, struct err *err);

#endif

/* The lists of questions, experiments and checks, under a, x and v. */
#ifndef WD_TUI_INVESTIGATION_LIST_H
#define WD_TUI_INVESTIGATION_LIST_H

#include "tui/app/find.h"
#include "tui/play/investigation_state.h"

bool list_act(struct app *app, struct investigation_screen *s, enum action action,
              int arg); /* false: no key of a list */
void list_draw(const struct investigation_screen *s, struct rect r);
int list_rows(const struct investigation_screen *s, int columns);        /* that all of it needs */
void list_hidden(const struct investigation_screen *s, struct rect r, int *above,
                 int *below); /* entries out of sight in r */
const char *list_todo(const struct investigation_screen *s, char *out, size_t size, bool brief);
void list_keys(const struct investigation_screen *s, char *out, size_t size, int columns);

/* Its entries, as / searches them. */
void list_find_rows(const struct investigation_screen *s, struct find_rows *out);

#endif

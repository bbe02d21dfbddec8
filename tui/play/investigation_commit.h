/* Stakes, line, remedy, late estimates, waiting, pushback and the truth: what the table of modes
 * has of each. */
#ifndef WD_TUI_INVESTIGATION_COMMIT_H
#define WD_TUI_INVESTIGATION_COMMIT_H

#include "tui/play/investigation_state.h"

int stakes_act(struct app *app, struct investigation_screen *s, enum action action, int arg);
int line_act(struct app *app, struct investigation_screen *s, enum action action, int arg);
int remedy_act(struct app *app, struct investigation_screen *s, enum action action, int arg);
int numbers_act(struct app *app, struct investigation_screen *s, enum action action, int arg);
int wait_act(struct app *app, struct investigation_screen *s, enum action action, int arg);
int pushback_act(struct app *app, struct investigation_screen *s, enum action action, int arg);
int reveal_act(struct app *app, struct investigation_screen *s, enum action action, int arg);

void stakes_pane_draw(const struct investigation_screen *s, const struct layout *l);
void line_draw(const struct investigation_screen *s, const struct layout *l);
void remedy_draw(const struct investigation_screen *s, const struct layout *l);
void numbers_draw(const struct investigation_screen *s, const struct layout *l);
void wait_draw(const struct investigation_screen *s, const struct layout *l);
void pushback_draw(const struct investigation_screen *s, const struct layout *l);
void reveal_draw(const struct investigation_screen *s, const struct layout *l);
/* The rule above what covers the screen; returns the rectangle below it. */
struct rect cover_draw(const struct investigation_screen *s, const struct layout *l);
/* Line, remedy and, where it is asked, what is left: the move that completes the commitment. */
void commit_all(struct app *app, struct investigation_screen *s);
/* The key line: as many digits as there are remedies. */
void remedy_keys(const struct investigation_screen *s, char *out, size_t size, int columns);

const char *stakes_todo(const struct investigation_screen *s, char *out, size_t size, bool brief);
const char *line_todo(const struct investigation_screen *s, char *out, size_t size, bool brief);
const char *remedy_todo(const struct investigation_screen *s, char *out, size_t size, bool brief);
const char *wait_todo(const struct investigation_screen *s, char *out, size_t size, bool brief);
const char *pushback_todo(const struct investigation_screen *s, char *out, size_t size, bool brief);
const char *reveal_todo(const struct investigation_screen *s, char *out, size_t size, bool brief);

#endif

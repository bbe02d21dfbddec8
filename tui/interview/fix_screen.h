/* The fix on the candidate's screen: a field to type it in, and the verdict of each text that was
 * handed in. What is typed stays while the fix is asked for, whoever comes and goes. */
#ifndef WD_TUI_FIX_SCREEN_H
#define WD_TUI_FIX_SCREEN_H

#include "tui/app/app.h"

/* Above the debrief of a revealed part; it begins with the text that was handed in last, else with
 * the suspect's under its contract. */
void fix_open(struct app *guest, int part, const struct variant *v);
int fix_part(const void *self);
bool fix_types(const void *self);
/* What the judge does now, "" for nothing; true: it is another thing than before. */
bool fix_progress(void *self, const char *say);

extern const struct screen_ops fix_screen;

#endif

/* Evidence that steps in, of an interview alone. */
#ifndef WD_TUI_INVESTIGATION_STANDIN_H
#define WD_TUI_INVESTIGATION_STANDIN_H

#include "tui/play/investigation_screen.h"

/* Of the attempt's own text: of its copy, else of the pack while that is still the same. */
int standin_recorded(struct app *app, const struct variant *v, struct supply **out, struct err *err);
struct supply *standin_asked(const struct investigation_screen *s);               /* where what is wanted now was asked for */
void standin_asking(struct app *app, struct investigation_screen *s);             /* before asking: decides where */
/* Live evidence failed, or is slow: the recording is asked in its place. True when it was. */
bool standin_steps_in(struct app *app, struct investigation_screen *s, const char *why);
bool standin_is_slow(const struct app *app, const struct investigation_screen *s);
void standin_prepare(struct app *app, struct investigation_screen *s);            /* before the shop is looked at */
const char *standin_lacks(const struct investigation_screen *s, const char *probe);  /* supply_missing, unless a recording can step in */

#endif

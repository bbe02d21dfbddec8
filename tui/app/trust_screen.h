/* The question before GPU code that did not come with warpdrill runs here for the first time
 * (scenarios/library/trust.h). */
#ifndef WD_TUI_TRUST_SCREEN_H
#define WD_TUI_TRUST_SCREEN_H

#include "tui/app/app.h"

/* What was answered since the program started; a yes is kept in the file as well, where there is a
 * folder to name. */
struct trust_answers { struct { char *key; bool yes; } *all; int n; bool always /* --trust */; };
void trust_answers_free(struct trust_answers *a);

enum may_run { MAY_NOT_ASKED, MAY_RUN, MAY_NOT };
/* May code of this variant run live? An attempt's copy is asked about as the pack here that has the
 * same text, else by itself. */
enum may_run trust_state(struct app *app, const struct variant *v);
/* The same for a folder of drills. */
bool trust_drills(struct app *app, const char *folder);

/* Asks on a screen of its own; `then` is called when y or n was pressed, with the answer and ctx,
 * which is freed in any case (free; NULL is fine). */
typedef void trust_then(struct app *app, void *ctx, bool yes);
void trust_open(struct app *app, const struct variant *v, trust_then *then, void *ctx);

extern const struct screen_ops trust_screen;

#endif

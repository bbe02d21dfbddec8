/* A guest: further eyes and hands in the same process.
 *
 * An app of its own stack, drawn on a canvas, with keys that come from elsewhere. It shares
 * catalogue, runner and loop with its host, keeps its attempts in `store`, never quits the program,
 * and lends nobody the terminal. */
#ifndef WD_TUI_GUEST_H
#define WD_TUI_GUEST_H

#include "tui/app/app.h"
#include "tui/kit/canvas.h"

struct interview;
struct interview *app_live(
    const struct app *app); /* the interview whose candidate sits here; NULL: nobody's */
void *app_guest_find(
    const struct app *guest,
    const struct screen_ops *ops); /* of the newest screen of this kind; NULL: none */

struct app *app_guest_new(struct app *host, struct store *store, struct interview *live, int rows,
                          int columns);
void app_guest_free(struct app *guest);
void app_guest_key(struct app *guest, int key);             /* handled at once */
void app_guest_resize(struct app *guest, int rows, int columns);
/* The picture as it is now; *changed when it differs from the one that the last call gave. */
const struct canvas *app_guest_picture(struct app *guest, bool *changed);
bool app_guest_moved(
    const struct app *guest); /* may the picture be another than the last one given out? */
void app_guest_refresh(
    struct app *guest); /* something was changed from outside: all its screens look again */
void app_guest_clear(struct app *guest); /* all its screens leave, and what was said on them */
void app_guest_hush(
    struct app *guest); /* what was said last is said no more, and a q before it is forgotten */
bool app_guest_once(struct app *guest, unsigned what);      /* true the first time for a bit */
void app_guest_drop(struct app *guest,
                    const struct screen_ops *ops); /* that one leaves, wherever it stands */
bool app_guest_wants_out(struct app *guest); /* asked once: it pressed q and meant it */

#endif

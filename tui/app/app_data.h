/* What a screen reads and keeps: progress, scenarios, drills, and what opens them. */
#ifndef WD_TUI_APP_DATA_H
#define WD_TUI_APP_DATA_H

#include "tui/app/app.h"

struct store *app_store(struct app *app); /* NULL: progress cannot be kept (said on screen) */
struct store *app_store_seen(struct app *app); /* the same, or what can be read and not written: for
                                                  screens that look back */
const struct catalog *app_catalog(const struct app *app);
/* catalog_draw in that catalogue. */
int app_draw_variant(struct app *app, const struct variant *v, uint64_t seed,
                     const struct variant **out, struct err *err);
struct library;
const struct library *app_library(
    struct app *app); /* tables, drills and cards, read at the first call */
struct trust_answers;
struct trust_answers *app_trust(struct app *app); /* whose GPU code may run (trust_screen.h) */
struct secret;
const char *app_passphrase_file(
    const struct app *app); /* of the command line or the environment; NULL: none */
/* Puts a sealed pack's open twin in its place in the catalogue, in memory (sealing.h); what was
 * changed since it was sealed is said. The sealed one stays alive, since screens may hold its
 * stories. */
int app_unseal(struct app *app, const struct pack *sealed, const struct secret *s, struct err *err);

/* Closes the store, puts `file` in its place and opens it again, as backup_restore does; what went
 * wrong is said. Rows read before are the former file's: screens below read again when they are
 * shown. 0: *kept is the former file's new name (malloc'd; NULL: there was none). */
int app_restore(struct app *app, const char *file, char **kept);

#endif

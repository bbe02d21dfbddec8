/* What stands where nothing was said: which runner, which file of progress, which time. */
#ifndef WD_TUI_DEFAULTS_H
#define WD_TUI_DEFAULTS_H

#include <stdint.h>

/* --runner, else $WARPDRILL_RUNNER, else warpdrill-runner beside this program, else on the PATH.
 * malloc'd shell command. */
char *default_runner(const char *given);
/* The last two of these alone. malloc'd. */
char *default_runner_here(void);
/* --db, else $XDG_DATA_HOME/warpdrill/progress.db. malloc'd. */
char *default_db(const char *given);

/* Milliseconds since 1970, by the wall's clock. */
int64_t wall_now(void);

#endif

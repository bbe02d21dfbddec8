/* $XDG_CONFIG_HOME/warpdrill/config.yaml (else below ~/.config), written by hand: where packs lie.
 */
#ifndef WD_SCENARIOS_CONFIG_H
#define WD_SCENARIOS_CONFIG_H

#include "kernels/wire/err.h"

struct config { char **packs; int n_packs; };   /* folders, `~/` replaced */

char *config_path(void);                        /* malloc'd */
/* Without a file the settings are empty. Errors read file:line:col, as those of packs; out is empty
 * then, too. */
int config_read(struct config *out, struct err *err);
void config_free(struct config *c);

#endif

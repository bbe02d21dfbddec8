/* Whose GPU code may run here: what came with warpdrill, and what a person said yes to.
 *
 * The answers are lines "ID FOLDER" (the folder's real path) in
 * $XDG_STATE_HOME/warpdrill/trusted-packs, else below ~/.local/state. The file can be read and
 * edited by hand: lines of another form and those that begin with # are passed over, and kept when
 * a line is added. */
#ifndef WD_SCENARIOS_TRUST_H
#define WD_SCENARIOS_TRUST_H

#include <stdbool.h>

#include "kernels/wire/err.h"

/* Where the answers are kept, malloc'd. */
char *trust_file(void);
/* May code of this pack run without a question? `folder` as in pack->files->root. False too when
 * the answers cannot be read. */
bool trust_has(const char *id, const char *folder);
/* Keeps a yes: the whole file is written anew beside the old one and put in its place. Nothing to
 * do for what trust_has already. */
int trust_keep(const char *id, const char *folder, struct err *err);

/* Takes a yes back; nothing to do where there is none. `folder` must still be there. */
int trust_drop(const char *id, const char *folder, struct err *err);

/* The question in paragraphs, without who and where: what such code can do. */
extern const char trust_what[];

#endif

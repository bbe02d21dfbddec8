/* Where a passphrase comes from outside the screens: a file, or the terminal. */
#ifndef WD_TUI_PASSPHRASE_H
#define WD_TUI_PASSPHRASE_H

#include "scenarios/library/sealing.h"

/* The file that --passphrase-file or else $WARPDRILL_PASSPHRASE_FILE names; NULL: neither does. */
const char *passphrase_file(const char *given);

/* One to open a pack with: of the file, else asked for on the terminal, whatever stdin is;
 * ERR_UNSUPPORTED: there is none. */
int passphrase_known(struct secret *s, const char *given, const char *pack, struct err *err);
/* One to seal with: of the file, else asked for twice; Enter alone makes one and shows it, once.
 * Weak ones are refused. */
int passphrase_new(struct secret *s, const char *given, struct err *err);

#endif

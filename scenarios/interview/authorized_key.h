/* The line for ~/.ssh/authorized_keys with which a key can do nothing but join one interview. */
#ifndef WD_SCENARIOS_AUTHORIZED_KEY_H
#define WD_SCENARIOS_AUTHORIZED_KEY_H

#include "kernels/wire/err.h"

/* restrict,pty,command="PROGRAM join CODE" TYPE KEY, malloc'd, without a newline. `program` is
 * absolute; `code` in form; `file` holds one public key (its comment and any options are left out),
 * NULL: words in its place. ERR_BAD_REQUEST when one of them cannot be trusted in such a line,
 * ERR_IO when the file cannot be read. */
int authorized_key_line(char **out, const char *program, const char *code, const char *file,
                     struct err *err);

#endif

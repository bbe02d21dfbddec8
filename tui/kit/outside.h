/* The person's own editor: on a private copy of a text, or on a file of theirs. */
#ifndef WD_TUI_OUTSIDE_H
#define WD_TUI_OUTSIDE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "kernels/wire/err.h"

/* Lends the terminal to $VISUAL, else $EDITOR, else vi, on a file that only this user can read, and
 * takes the terminal back when it ends; stops with it (Ctrl-Z) and goes on with it. *out: what was
 * written, clean UTF-8 without newlines at its end, malloc'd. On failure (no such editor, it ended
 * with an error, more than `most` bytes, no text) the sentence says what happened; a file that was
 * written and cannot be taken is kept and named. */
int outside_edit(char **out, const char *text, size_t most, struct err *err);
/* The same editor on a file of the person's own, which is neither read nor changed here, while the
 * program goes on. An editor with a window of its own leaves the terminal with a line that says so.
 */
struct outside { pid_t pid; sigset_t before; bool own; }; /* pid 0: none runs */
int outside_start(struct outside *o, const char *path, struct err *err);
/* False while it runs; `wait`: looks again only when something happened to it. Once true, the
 * terminal is ours again and o->pid is 0; err->code stays 0 where it ended well. */
bool outside_ended(struct outside *o, bool wait, struct err *err);

#endif

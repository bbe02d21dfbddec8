/* The terminal of somebody who joined an interview: shows the host's pictures, sends keys, survives the host. */
#ifndef WD_TUI_JOIN_H
#define WD_TUI_JOIN_H

#include "kernels/wire/err.h"

/* `code` in form. Takes the terminal, gives up files, programs and the network, and only then connects; runs until the person leaves, the host says
 * bye or refuses, or the terminal goes. *say (400 bytes) is what the person shall read afterwards, "" if nothing. Returns the exit status;
 * the process stays confined. ERR_* (negative) when the terminal cannot be had. */
int join_run(char say[400], const char *code, const char *name, struct err *err);

#endif

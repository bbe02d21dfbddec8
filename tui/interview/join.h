/* The terminal of somebody who joined an interview: shows the host's pictures, sends keys, survives
 * the host. */
#ifndef WD_TUI_JOIN_H
#define WD_TUI_JOIN_H

#include <stdbool.h>

#include "kernels/wire/err.h"

struct join_terms {
    const char *code;                    /* in form */
    const char *name;                    /* "": asked for once the code let in */
    bool stays;                          /* nobody is there who would continue it after a stop */
};

/* Takes the terminal, gives up files, programs and the network, and only then connects; runs until
 * the person leaves, the host says bye or refuses, or the terminal goes. *say (400 bytes) is what
 * the person shall read afterwards, "" if nothing. Returns the exit status; the process stays
 * confined. ERR_* (negative) when the terminal cannot be had. */
int join_run(char say[400], const struct join_terms *terms, struct err *err);

#endif

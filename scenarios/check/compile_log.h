/* What NVRTC and the assembler behind it said of one source, taken apart. */
#ifndef WD_SCENARIOS_COMPILE_LOG_H
#define WD_SCENARIOS_COMPILE_LOG_H

#include "scenarios/text/files.h"

struct compile_error {
    int line, col;     /* in the source; 0: it names no place */
    char *text;        /* in the compiler's words, without file and line */
};
struct compile_errors { struct compile_error *all; int n; };

/* The errors of `log` in their order, none twice, warnings left out; at least one, for a log that
 * names none still failed. `name` is how the source was called ("suspect.cu"), `source` its text.
 * Errors of the header we add keep its name in their text. */
struct compile_errors compile_log_read(const char *log, const char *name,
                                       const struct file *source);
void compile_errors_free(struct compile_errors *e);

#endif

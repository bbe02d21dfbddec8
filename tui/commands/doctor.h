/* doctor's findings: one list that is printed as text or JSON. What names a person or a host is
 * left out of it. */
#ifndef WD_TUI_DOCTOR_H
#define WD_TUI_DOCTOR_H

#include "tui/commands/cmd.h"

struct doctor {
    const struct cmd *cmd;
    char *runner;                          /* the command that starts the runner */
    json_t *findings;
    struct catalog *catalog;               /* NULL when no pack could be read */
    bool recorded[PROBE_COUNT];            /* some recording has it */
    json_t *gpus;                          /* slugs of GPUs with recordings */
};

/* One finding: where it belongs, its name, whether it works, a sentence, and what would help (NULL
 * or "": nothing). */
void doctor_found(struct doctor *d, const char *area, const char *name, bool ok, const char *remedy,
                  const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* Joins key and value to the finding made last, for --json. Takes the reference. */
void doctor_add(struct doctor *d, const char *key, json_t *value);

#endif

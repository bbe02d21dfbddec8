/* The command in front of a runner, ssh or srun: what its words and exit statuses mean, and what to
 * do about them. Pure. */
#ifndef WD_SCENARIOS_FRONT_H
#define WD_SCENARIOS_FRONT_H

#include <stdbool.h>
#include <stddef.h>

/* Does the command go through ssh or Slurm, which may take their time? */
bool front_is_far(const char *command);

/* Does the last word of Slurm in `log` (its stderr) say that the job waits for resources? *job: its
 * number, 0 when it was not said. */
bool front_queued(const char *log, long *job);

struct front_end {
    const char *command, *log;   /* as it was started; its stderr, cleaned */
    bool answered;               /* the runner had said hello */
    bool known;
    int status; /* how the command ended: exit status, or 128 + signal; not known: it closed its
                   output and runs on */
};
/* One to three sentences: what happened, what the command itself said last, what to do. The first
 * one can stand alone. */
void front_explain(char *out, size_t size, const struct front_end *e);

#endif

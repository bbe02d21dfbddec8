/* A command in a session of its own, with pipes on its three streams. Ends only what it started. */
#ifndef WD_SCENARIOS_PROCESS_H
#define WD_SCENARIOS_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "kernels/wire/err.h"

struct process { pid_t pid; int in, out, log; }; /* our ends of its stdin, stdout, stderr, non-blocking; -1: closed */

/* Runs `command` by /bin/sh -c. Makes the process ignore SIGPIPE: a command that went away is an error of write(2). */
int process_start(struct process *c, const char *command, struct err *err);
void process_close(struct process *c);

/* Has it ended? *status: its exit status, or 128 + signal. It stays unreaped, so that its process group cannot become
 * somebody else's before process_finish ends it. */
bool process_ended(const struct process *c, int *status);

/* Closes the pipes, gives the command `wait_ms` to leave by itself, then ends its session. */
void process_finish(struct process *c, int wait_ms);

/* Closes one end; accepts -1. */
void process_close_fd(int *fd);

#endif

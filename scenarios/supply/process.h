/* A command in a session of its own, with pipes on its three streams and no terminal: it can
 * neither write on the screen nor ask for a password. Ends only what it started, and goes with this
 * program even if that is killed. */
#ifndef WD_SCENARIOS_PROCESS_H
#define WD_SCENARIOS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernels/wire/err.h"

/* Our ends of its stdin, stdout, stderr, non-blocking; -1: closed. pid 0: there is none. */
struct process {
    pid_t pid;
    int in, out, log;
    int64_t leaving_ms;
    int pushed; /* while it is made to leave: since when, how hard */
};

/* Runs `command` by /bin/sh -c. Makes the process ignore SIGPIPE: a command that went away is an
 * error of write(2). */
int process_start(struct process *c, const char *command, struct err *err);

/* Has it ended? *status: its exit status, or 128 + signal. It stays unreaped, so that its process
 * group cannot become somebody else's before it is made to leave. */
bool process_ended(const struct process *c, int *status);

/* Makes it leave without waiting: closes the pipes (a runner goes at the end of its input), asks
 * after 2 s (at once when `hurry`: srun in a queue reads no input, and must take its job back),
 * ends its session 2 s later. True once it is gone and reaped, or there was none; until then, call
 * again. */
bool process_leave(struct process *c, bool hurry);
/* The same, waiting: at most 4 s. */
void process_finish(struct process *c, bool hurry);

/* Closes one end; accepts -1. */
void process_close_fd(int *fd);

#endif

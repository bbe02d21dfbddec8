/* The process that the client talks to: it never loads CUDA and never waits, so that it can always
 * answer. It starts the compiler and the worker, hands requests to them, keeps their deadlines, and
 * ends them. kernels/PROTOCOL.md says what a client may rely on. */
#ifndef WD_RUNNER_SUPERVISOR_H
#define WD_RUNNER_SUPERVISOR_H

/* Serves the conversation on `in` and `out` until its end, SIGHUP, SIGINT or SIGTERM. Children run
 * `program`. Returns the exit status. */
int supervisor_run(const char *program, int in, int out);

#endif

/* The process that the client talks to: it never loads CUDA and never waits, so that it can always
 * answer. It starts the compiler and the worker, hands requests to them, keeps their deadlines, and
 * ends them. kernels/PROTOCOL.md says what a client may rely on.
 *
 * In: lines of JSON on a pipe, one request at a time. Out: lines of JSON: progress, figures, one
 * end. Callers: main.c; across the pipe scenarios/supply (client.c). First to open: supervisor.c,
 * then job.c, the one open request. compiler.c and worker.c are the children, ipc.h how they are
 * spoken to; in the worker agenda.c orders the items and plan.c makes a run ready, and each probe
 * has a file: timing.c, check.c, counters.c and their neighbours. */
#ifndef WD_RUNNER_SUPERVISOR_H
#define WD_RUNNER_SUPERVISOR_H

/* Serves the conversation on `in` and `out` until its end, SIGHUP, SIGINT or SIGTERM. Children run
 * `program`. Returns the exit status. */
int supervisor_run(const char *program, int in, int out);

#endif

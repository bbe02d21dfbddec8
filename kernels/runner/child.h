/* A child of the supervisor: this program again, in its own process group, at the other end of a
 * socketpair, with what it prints captured. */
#ifndef WD_RUNNER_CHILD_H
#define WD_RUNNER_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernels/runner/ipc.h"
#include "kernels/wire/err.h"

struct child {
    pid_t pid;         /* 0: none */
    struct ipc *ipc;   /* NULL once it is told to go */
    int printed;       /* what it writes to fds 1 and 2, non-blocking; -1 when closed */
    bool hello;        /* it said that it is ready */
    bool condemned;    /* killed, or told to leave: no answer is wanted from it any more */
    int64_t kill_at;   /* when patience ends, 0 never */
    int64_t killed_at; /* SIGKILL was sent, 0 not yet */
};

/* What children printed during a request, capped. */
struct captured {
    char *text;
    size_t len;
    bool full;
};

/* Starts `program role FD`. `c` must hold no process. */
int child_start(struct child *c, const char *program, const char *role, struct err *err);

/* SIGKILL to its group, at once; the caller still has to reap it. */
void child_kill(struct child *c, int64_t now);

/* Closes the channel, so that it leaves by itself; kill_at says how long it may take. */
void child_dismiss(struct child *c, int64_t kill_at);

/* Releases what is left of a process that was reaped. */
void child_forget(struct child *c);

/* Moves what it printed into `into`. Never blocks. */
void child_drain(struct child *c, struct captured *into);

#endif

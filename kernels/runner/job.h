/* The one open request, from acceptance to its done: which process it waits for, what is still to
 * compile, when it expires. The supervisor tells it what happened; it never waits. */
#ifndef WD_RUNNER_JOB_H
#define WD_RUNNER_JOB_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/runner/build.h"
#include "kernels/runner/child.h"
#include "kernels/runner/client.h"
#include "kernels/wire/links.h"

enum {
    DESCRIBE_DEADLINE_MS = 60000,
    CANCEL_PATIENCE_MS = 2000, /* for a worker asked to stop, before it is killed */
    DEATH_PATIENCE_MS = 2000,  /* for a killed process to disappear, before it counts as stuck */
    WORKER_IDLE_MS = 60000,
};

/* What a worker may tell of one request: it is confined, not trusted. The largest answer of the
 * shipped packs has a tenth of it. */
enum {
    PARTS_MOST = 4096,
    TOLD_MOST = 256 << 20 /* bytes */,
    IMAGE_MOST = 64 << 20 /* of the compiler, for one source */
};

/* Texts that are compiled at once, where there are as many processors. */
enum { COMPILING_MOST = 8 };

enum job_kind { JOB_DESCRIBE, JOB_MEASURE, JOB_COMPILE, JOB_LINKS };

struct job {
    bool open;
    int64_t id, deadline_ms, expires, cancelled_at; /* cancelled_at 0: not asked to stop */
    enum job_kind kind;
    json_t *message;
    struct msg_measure measure; /* empty but for JOB_MEASURE */
    struct msg_compile compile; /* empty but for JOB_COMPILE, which needs no worker */
    struct msg_ask_links links; /* empty but for JOB_LINKS, which needs no compiler */
    size_t told;                /* JOB_COMPILE: so many uses of the plan are answered */
    struct build_plan plan;
    int parts; size_t told_bytes; /* of the worker: so much went on to the client */
    bool planned, sent; /* sent: the worker has it */
    json_t *rest;       /* what a worker that lost its context left to the next; NULL: everything */
};

/* What the compiler works on: a build, by its key, for whoever wants it then. */
struct compiling {
    int ticket;
    char key[HASH_HEX];
    bool alone;     /* nothing else is begun beside it: if the compiler ends, this ended it */
    int64_t until;  /* os_monotonic_ms at which the compiler is ended over it */
};

/* What a client said that it will ask for next. */
struct ahead {
    bool open, planned;
    struct msg_measure measure;
    struct build_plan plan;
    int64_t expires;
};

struct supervisor {
    const char *program;
    int in, out, signals;
    bool opened, leaving, wedged;
    bool with_files;           /* the driver starts only without the wall around its files */
    bool suspect; /* the last worker ended at work: its kernel may still be on the GPU */
    struct client *client;
    struct child worker, compiler;
    int worker_ranks;          /* so many GPUs the worker was started for */
    struct captured captured;
    int arch;                  /* of the worker's GPU */
    json_t *compiler_walls, *worker_walls; /* the names of those that stand; NULL while unknown */
    json_t *archs;             /* what NVRTC compiles for */
    char nvrtc[32], exact[64]; /* its version, and what tells builds of that version apart */
    json_t *no_nvrtc; /* {"missing":"why", "code", "call", "remedy"}; NULL while unknown or there is
                         one */
    int ticket;                /* the last one */
    struct compiling compiling[COMPILING_MOST];
    int n_compiling;
    bool one_by_one; /* the compiler ended over one of several texts: which one is to be found */
    int64_t idle_since, idle_ms;
    struct job job;
    struct ahead ahead;
};

/* Takes a checked request over (the reference too). m is NULL for a describe. */
void job_begin(struct supervisor *s, json_t *message, struct msg_measure *m);
void job_begin_compile(struct supervisor *s, json_t *message, struct msg_compile *m);
void job_begin_links(struct supervisor *s, json_t *message, const struct msg_ask_links *m);

/* Takes a checked request over that will be asked for: its texts are compiled meanwhile. */
void job_foresee(struct supervisor *s, struct msg_measure *m);
void job_forget_ahead(struct supervisor *s);

/* Does whatever can be done now: start a process, compile the next source, hand over to the worker.
 */
void job_advance(struct supervisor *s);

/* One message from a child. */
void job_hear_worker(struct supervisor *s, const struct ipc_message *m);
void job_hear_compiler(struct supervisor *s, const struct ipc_message *m);

/* A child is gone; `how` says how it ended. */
void job_worker_gone(struct supervisor *s, const char *how);
void job_compiler_gone(struct supervisor *s, const char *how, bool no_memory);

void job_cancel(struct supervisor *s);

/* Deadlines and patience. Returns when to call again. */
int64_t job_tick(struct supervisor *s, int64_t now);

/* Ends the request with an error. */
void job_fail(struct supervisor *s, enum done_status status, int code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif

/* The runner's other end: starts the command, speaks the protocol, never blocks.
 *
 * The owner polls client_fds and calls client_step; events come out of client_event in order. */
#ifndef WD_SCENARIOS_CLIENT_H
#define WD_SCENARIOS_CLIENT_H

#include <poll.h>

#include "kernels/wire/err.h"
#include "kernels/wire/links.h"
#include "kernels/wire/message_compile.h"
#include "kernels/wire/message_device.h"
#include "kernels/wire/message_done.h"
#include "kernels/wire/message_measure.h"
#include "kernels/wire/message_part.h"

struct client;

enum client_kind {
    CLIENT_NONE,
    CLIENT_STATE,
    CLIENT_DEVICE,
    CLIENT_PROGRESS,
    CLIENT_PART,
    CLIENT_DONE,
    CLIENT_LOST,
    CLIENT_COMPILER,
    CLIENT_COMPILED,
    CLIENT_LINKS
};
struct client_event {
    enum client_kind kind;
    int64_t id; /* of the request; lost: all requests before this id are, later ones belong to a
                   link made anew */
    char say[400]; /* state and progress: a clean sentence; lost: why, and what to do */
    int at, of;                  /* progress; of 0: unknown */
    int queued_s; /* state: seconds in a queue, told once a second; 0: nothing of the kind */
    const struct msg_device *device;
    const struct msg_part *part;
    const struct msg_done *done; /* borrowed until the next call */
    const struct msg_compiler *compiler;
    const struct msg_compiled *compiled; /* likewise */
    const struct msg_links *links;       /* likewise */
};

/* `command` is run by /bin/sh in its own session without a terminal, stdin/stdout as pipes, stderr
 * drained into the log: "warpdrill-runner", "ssh gpubox warpdrill-runner", "srun ...". Sends `open`
 * at once; anything before the matching hello (64 KiB at most) is skipped and kept for doctor. */
int client_open(struct client **out, const char *command, struct err *err);
void client_free(struct client *c); /* closes pipes; ends only what it started */

/* Starts `command` (NULL: the same) anew, without waiting for the old one to leave; what was asked
 * is forgotten, ids go on. With `same`, the runner must first describe that GPU again (model,
 * compute capability, SMs), else it is lost with a message that names both: evidence of two GPUs is
 * never mixed. Requests may be queued at once. */
int client_again(struct client *c, const char *command, const struct msg_device *same,
                 struct err *err);
void client_stop(struct client *c); /* ends the command without waiting, also one in a queue:
                                       CLIENT_LOST, "called off" */

int client_fds(const struct client *c, struct pollfd *fds, int max);  /* returns how many */
int client_timeout_ms(
    const struct client *c); /* when client_step wants to be called at the latest; -1: never */
void client_step(struct client *c); /* read, write, deadlines (10 silent seconds while a request is
                                       open, or more than client_bounds.h allows: lost) */
bool client_event(struct client *c, struct client_event *out); /* false when none is waiting */

/* Queue a request; the id that its replies carry is returned (> 0), or an error code (ERR_LOST, and
 * why, where the link is dead). One runs at a time, the rest wait here. */
int64_t client_describe(struct client *c, const char *ceilings, struct err *err);
int64_t client_measure(struct client *c, struct msg_measure *m,
                       struct err *err); /* sets m->id; encodes at once */
/* Tells what will be asked for next, behind the request that was queued last: a runner that knows
 * "ahead" compiles it meanwhile. Nothing is answered, and nothing is said where it does not. */
void client_ahead(struct client *c, struct msg_measure *m);
int64_t client_compile(struct client *c, struct msg_compile *m, struct err *err); /* the same */
/* What links between so many GPUs there reach; `measure`: also where an earlier measurement was
 * kept. The runner has to know that request: client_can(c, "links"). */
int64_t client_links(struct client *c, int gpus, bool measure, struct err *err);
/* While client_again connects (or queues) for this request alone, that is called off too. */
void client_cancel(struct client *c, int64_t id);

/* Another clock than os_monotonic_ms, for tests; before anything is asked. */
void client_set_clock(struct client *c, int64_t (*clock)(void));

bool client_alive(const struct client *c);
const char *client_lost(
    const struct client *c); /* why it is not alive, as CLIENT_LOST says it; "" while it is */
bool client_can(const struct client *c, const char *probe);
const char *client_runner(const struct client *c);           /* its version; "" before hello */
int client_method(const struct client *c); /* its measuring method; 0 before hello */
const char *client_greeting(const struct client *c); /* what was skipped before hello, cleaned */
const char *client_log(const struct client *c); /* stderr so far, cleaned, last 64 KiB */

/* For commands: waits for something to happen and hands every event to `on`; ERR_LOST when the
 * runner is gone. */
int client_wait_any(struct client *c, void (*on)(void *ctx, const struct client_event *e),
                    void *ctx, struct err *err);
/* For commands: wait for the end of one request, calling `on` for every event of it. 0 when status
 * was ok or partial. */
int client_wait(struct client *c, int64_t id, void (*on)(void *ctx, const struct client_event *e),
                void *ctx, struct err *err);
/* The same, but ERR_CANCELLED once stop(stop_ctx) is true, which is asked at every sign of life (at
 * least once a second while something is measured) and when a signal arrives; the request is then
 * still under way. stop may be NULL. */
int client_wait_unless(struct client *c, int64_t id,
                       void (*on)(void *ctx, const struct client_event *e), bool (*stop)(void *ctx),
                       void *ctx, void *stop_ctx, struct err *err);

#endif

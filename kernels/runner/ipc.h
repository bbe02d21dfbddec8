/* How the supervisor talks to its two children, over a socketpair each.
 *
 * One message is a JSON object on one line, then the raw bytes that its "blobs" array announces
 * (lengths, in order). Nothing here is seen by a client: the two ends are always the same program.
 *
 * supervisor -> worker
 *   {"type":"describe","id":1,"ceilings":"cached"|"measure"|"none","nvrtc":"13.0",
 *    "modules":[DEVICE...]}                     nvrtc "", and nvrtc_say and nvrtc_remedy, when
 * there is none
 *   {"type":"measure","request":{the client's measure
 * message},"left_ms":19000,"modules":[MODULE..., DEVICE...]} and "rest", word for word, when
 * another worker began with it both with "after_kill":true when the worker before this one had to
 * be killed: is the GPU free of it?
 *   {"type":"links","request":{the client's links message},"left_ms":59000}   without modules
 *   {"type":"cancel","id":7}                    may arrive between any two launches: see ipc_try
 *   MODULE {"source":"a","variant":-1,"cubin":true,"log":"ptxas...","ptx_blob":0,"image_blob":1,
 *           "key":"64 hex digits"}              one for each source and each set of defines that
 * items use; "cubin" false: the image is PTX DEVICE {"device":"timing.cu", and the same keys
 * without source and variant} worker -> supervisor
 *   {"type":"hello","arch":90,"driver":13000,"gpu":"NVIDIA H200","walls":["writes","calls"]} once,
 * when driver and device are open; else
 *   {"type":"done","status":"failed","error":{"code":"no-gpu",...}} without id, and the worker
 * leaves; "walled":true in it: the driver was there and did not start behind the wall around its
 * files, so another worker tries without
 *   {"type":"progress"|"part"|"device"|"links"|"done",...}  as the client sees them, with the
 *   request's id.
 *   Exactly one done answers each but a cancel. "bye":true in it: the worker leaves (sticky
 * error). "hung":true: a run was found not to end, and the GPU is still at it.
 * "rest":{"items":[3,4],"runs_done":1,"parts":5,"missing":false} in it: a fault was what an item
 * looked for; these are for another worker, and the client hears nothing of this done.
 *
 * supervisor -> compiler
 *   {"type":"compile","ticket":5,"name":"suspect.cu",
 *    "options":["--gpu-architecture=sm_90",...],"cubin":true,"left_ms":19000,
 *    "alone":false,"beside":2}                  blob 0: the source, blob 1: warpdrill.h; several
 * may be under way, "beside" others at present, and are answered in any order; what is to be alone
 * is compiled by the first thread
 * compiler -> supervisor
 *   {"type":"hello","nvrtc":"13.0","exact":"109338064-4380616","archs":[75,80,...],
 *    "walls":["files","calls","memory"]},
 * or
 *   {"type":"hello","missing":"why","code":"unsupported","call":"nvrtcVersion","remedy":"..."}
 *   {"type":"compiled","ticket":5,"ok":true,"log":"..."}  blobs: PTX, image
 *   {"type":"compiled","ticket":5,"ok":false,"log":"suspect.cu(3): error:
 * ...","code":"compile","call":..,"remedy":..}
 */
#ifndef WD_RUNNER_IPC_H
#define WD_RUNNER_IPC_H

#include <jansson.h>
#include <stddef.h>

#include "kernels/wire/err.h"

enum { IPC_BLOBS = 2048 };            /* blobs in one message */
#define IPC_HEAD_MAX (16u << 20)      /* bytes of the JSON line */
#define IPC_BLOB_MAX (512u << 20)     /* bytes of all blobs of a message */

struct ipc;
struct ipc_blob {
    const void *bytes;
    size_t len;
};
struct ipc_message {
    json_t *head;
    size_t head_len; /* bytes of its line */
    char **blobs; /* each followed by a NUL that is not counted */
    size_t *lens;
    int n_blobs;
};

/* Takes the descriptor over. */
struct ipc *ipc_new(int fd);
void ipc_free(struct ipc *c);
int ipc_fd(const struct ipc *c);

/* What comes from the other end is nonsense when it has more blobs than this, or more bytes in them
 * or in its line. For an end that is not trusted; at first the bounds are IPC_BLOBS, IPC_BLOB_MAX
 * and IPC_HEAD_MAX. */
struct ipc_bounds { int blobs; size_t blob_bytes, head_bytes; };
void ipc_bound(struct ipc *c, struct ipc_bounds most);

/* Queues and writes everything, waiting as long as it takes: for children. `head` stays the
 * caller's and must have no "blobs" of its own. ERR_LOST when the other end is gone. */
int ipc_send(struct ipc *c, const json_t *head, const struct ipc_blob *blobs, int n,
             struct err *err);

/* Queues only; ipc_flush writes what fits now and returns the bytes still queued: for the
 * supervisor. */
int ipc_queue(struct ipc *c, const json_t *head, const struct ipc_blob *blobs, int n,
              struct err *err);
long ipc_flush(struct ipc *c, struct err *err);
size_t ipc_pending(const struct ipc *c);

/* Waits for one message. Returns 1, ERR_LOST when the other end is gone, ERR_BAD_REQUEST for
 * nonsense. */
int ipc_recv(struct ipc *c, struct ipc_message *out, struct err *err);

/* The same without waiting: 0 when no whole message is there yet. */
int ipc_try(struct ipc *c, struct ipc_message *out, struct err *err);

/* Frees what the message holds, not the struct. Accepts a zeroed one. */
void ipc_message_free(struct ipc_message *m);

#endif

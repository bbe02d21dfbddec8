/* A measurement as it is asked for: shapes, what is to be measured of them, and the key of each
 * item's evidence. */
#ifndef WD_WIRE_MESSAGE_MEASURE_H
#define WD_WIRE_MESSAGE_MEASURE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/wire/benchmark.h"
#include "kernels/wire/err.h"
#include "kernels/wire/message_runs.h"
#include "kernels/wire/metric.h"

struct msg_tolerance { enum { TOL_EXACT, TOL_RELATIVE } kind; double rel, abs; };

enum cache_state { CACHE_COLD, CACHE_WARM };
struct msg_item {
    enum wire_probe probe;
    char runs[CAP_ITEM_RUNS][16]; int n_runs; /* timing: one run, or two timed interleaved */
    char against[16]; /* check, poison, benchmark: the run that gives the truth; timing: also, or
                         ""; else "" */
    int variant;                              /* index into variants, or -1 */
    enum cache_state cache;                   /* timing only */
    uint32_t ballast; /* timing: dynamic shared memory added to every launch, bytes */
    int offset; /* check: bytes by which every buffer's base is moved up, 0 to 256 */
    bool fence; /* check: behind each buffer lies a page that is not mapped */
    int repeat;                               /* repeat: launches compared, 2 to 100; else 0 */
    char tool[16]; /* sanitize: memcheck, racecheck, initcheck or synccheck; else "" */
    struct msg_benchmark benchmark; /* benchmark: the program that times the runs; else zero */
    struct msg_baseline {
        char run[16]; /* benchmark: what the runs are compared with; "": nothing */
        struct msg_benchmark care; /* the program that times it */
    } baseline;
    int limit_ms; /* outcome: when a run counts as one that does not end; else 0 */
};

struct msg_measure {
    int64_t id, deadline_ms;
    uint64_t seed; /* below 2^53 */
    int ranks;     /* GPUs of one host that it runs on, each with buffers and a thread of its own */
    struct msg_source *sources; int n_sources;
    struct msg_shape base;
    struct msg_shape *variants; int n_variants; /* each complete, not a difference */
    struct msg_tolerance tolerance;
    struct msg_item *items; int n_items;
};

int msg_measure_decode(struct msg_measure *out, const json_t *msg, struct err *err);
json_t *msg_measure_encode(const struct msg_measure *m); /* new reference */
void msg_measure_free(struct msg_measure *m);            /* frees what it holds, not m */
const struct msg_shape *msg_shape_of(const struct msg_measure *m, int variant);
const struct msg_source *msg_source_find(const struct msg_measure *m, const char *id);

/* Key of one item's evidence: SHA-256 over canonical JSON of the item, the runs and variant that it
 * names with their launches, the buffers, defines, work and tolerance that those use, and the token
 * hash of each source used. Not in it: seed, deadline, prose, other items. Fails when a source
 * cannot be scanned. */
int msg_item_key(char out[65], const struct msg_measure *m, int item, struct err *err);

#endif

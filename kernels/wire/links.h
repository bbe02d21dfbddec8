/* What the links of a host reach: between each two of its GPUs, between a GPU and the host's
 * memory, and in a collective over all of them. As a runner measured it, with where and by what. */
#ifndef WD_WIRE_LINKS_H
#define WD_WIRE_LINKS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/wire/err.h"

enum {
    LINK_GPUS = 8,
    LINK_PAIRS = LINK_GPUS * (LINK_GPUS - 1),
    LINK_POINTS = 16,
    LINKS_DEADLINE_MS = 60000 /* what it is asked with where nobody says otherwise */
};

/* How bytes go from one place to another. one_way 0: it was not measured. */
struct link_way {
    double one_way;    /* B/s */
    double both_ways;  /* B/s of each direction, when both are in use */
    double latency;    /* s of a copy of 16 bytes: of many in a row */
};
struct link_pair {
    int from, to;
    struct link_way direct; /* a peer copy; both_ways is the same in both pairs of two GPUs */
    struct link_way staged; /* down to pinned memory, a wait, up again */
};
/* A GPU and the pinned memory of its host. */
struct link_host {
    double to_device, to_host, both_ways; /* B/s; both_ways of each direction */
    double latency;                       /* s of 16 bytes to the device, as above */
};
struct link_point { double bytes, seconds; }; /* one all-reduce of so many bytes a GPU */

/* An all-reduce of n bytes takes about alpha + n / beta, by least squares of the relative error, so
 * that every size counts alike. The bus bandwidth is 2 (gpus - 1) / gpus times bytes / seconds. */
struct link_sum {
    struct link_point points[LINK_POINTS];
    int n_points;              /* 0: it was not measured */
    double alpha, beta;        /* s, B/s; both 0 where no line fits */
    double residual;           /* root of the mean squared relative error of the fit */
};

struct msg_links {
    int64_t id;
    int gpus; /* 0: nothing is known of links */
    char gpu[96], driver[32], nccl[16];
    char origin[17], measured[11]; /* which machine (msg_device), and YYYY-MM-DD */
    int method;
    struct link_pair pairs[LINK_PAIRS];
    int n_pairs;
    struct link_host hosts[LINK_GPUS]; /* of each GPU */
    struct link_sum all_reduce;
    char no_peer[512], no_nccl[512]; /* why something of it is missing; "": nothing is */
};

/* {"type":"links","id":9,"gpus":2,...}: kernels/PROTOCOL.md. Decoding fails by the field's name. */
int msg_links_decode(struct msg_links *out, const json_t *msg, struct err *err);
json_t *msg_links_encode(const struct msg_links *l); /* new reference */
/* The same as a member of another message: without type and id. */
int links_decode(struct msg_links *out, const json_t *object, struct err *err);
json_t *links_encode(const struct msg_links *l); /* new reference; NULL: nothing is known */

/* One figure for all of it, under the name that ceilings have: "peer_copy". Of several pairs or
 * GPUs the worst, since a ring waits for its slowest link. False: unknown or not measured. */
bool links_number(const struct msg_links *l, const char *name, double *out);
/* The i-th name and its unit; NULL behind the last. */
const char *links_name(int i, const char **unit);

double links_bus(int gpus, const struct link_point *p); /* B/s, as nccl-tests has it */

/* The request. */
struct msg_ask_links {
    int64_t id, deadline_ms;
    int gpus;     /* 2 to LINK_GPUS */
    bool measure; /* even where an earlier measurement was kept */
};
int msg_ask_links_decode(struct msg_ask_links *out, const json_t *msg, struct err *err);
json_t *msg_ask_links_encode(const struct msg_ask_links *a); /* new reference */

#endif

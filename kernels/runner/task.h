/* The worker's side of one request: what it works with, its deadline, and its voice back to the
 * client. */
#ifndef WD_RUNNER_TASK_H
#define WD_RUNNER_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/runner/gpu.h"
#include "kernels/runner/images.h"
#include "kernels/runner/ipc.h"
#include "kernels/runner/launcher.h"
#include "kernels/wire/message_measure.h"
#include "kernels/wire/message_part.h"
#include "kernels/wire/metric.h"

struct buffers;

/* The buffers in which a reference ran on the request's own inputs, kept for the next item
 * (results.h). */
struct truth {
    struct buffers *buffers; /* NULL: none */
    int variant;
    const char *run;
};

struct task {
    struct gpu *gpu;
    struct ipc *ipc;
    struct launcher *launcher;
    struct images *images;             /* our own kernels are in the gpu, not here */
    struct ranks *ranks; /* ranks.h; NULL: one GPU */
    bool alone; /* of several ranks this one works by itself: transfers, and kernels that take a
                   peer, are left out */
    const struct msg_measure *measure; /* NULL for describe */
    const struct ipc_message *message; /* that it came in, images and all */
    int64_t id;
    int64_t until;                     /* os_monotonic_ms of the deadline */
    int64_t said;                      /* when the last progress went out */
    int item;
    int runs_done; /* of the item's runs, in the probes whose kernels may fault */
    int parts;                         /* sent so far */
    struct truth truth;
    json_t *rest;                      /* what another worker has to go on with; NULL: nothing */
    bool hung;                         /* a run was found not to end: the GPU is still at it */
    bool missing; /* a metric could not be had: the request is only partly answered */
    struct err refusal;                /* the first reason why one could not; its code 0: none */
    char refused[128];                 /* what `where` was then */
    char where[128];                   /* "timing of a" */
};

/* 0, ERR_CANCELLED when the client wishes no more, ERR_TIMEOUT past the deadline, ERR_LOST when the
 * supervisor is gone. Called between launches. */
int task_check(struct task *t, struct err *err);

/* At most ten a second go out. at and of may be 0. */
void task_progress(struct task *t, const char *phase, int at, int of, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* Waits for the stream until the deadline; then task_check. */
int task_wait(struct task *t, struct err *err);

/* Keeps the reason for a missing metric, which the request's done will tell, unless there is one
 * already. */
void task_refuse(struct task *t, const struct err *why);

/* ---- one part under construction ---- */
struct msg_part *task_part_new(const struct task *t, enum wire_probe probe, const char *run,
                               int variant);
void task_part_free(struct msg_part *p);
void part_value(struct msg_part *p, const char *name, double value);
void part_statistic(struct msg_part *p, const char *name, double value, double low, double high,
                    int n);
void part_missing(struct msg_part *p, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void part_note(struct msg_part *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void part_line(struct msg_part *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A series of n numbers, to be filled in by the caller; the part owns it. */
double *part_series(struct msg_part *p, const char *name, int n);

/* Sends the part and frees it. A missing metric marks the task. */
int task_part_send(struct task *t, struct msg_part *p, struct err *err);

#endif

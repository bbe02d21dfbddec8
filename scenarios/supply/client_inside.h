/* The client's insides, lower files first: client_note.c (what it has to tell), client_hear.c (what
 * it hears), client.c (its life and what it says). */
#ifndef WD_SCENARIOS_CLIENT_INSIDE_H
#define WD_SCENARIOS_CLIENT_INSIDE_H

#include "kernels/wire/frame.h"
#include "scenarios/supply/client.h"
#include "scenarios/supply/client_bounds.h"
#include "scenarios/supply/gather.h"
#include "scenarios/supply/process.h"

enum { GREETING_MAX = 64 * 1024, LOG_MAX = 64 * 1024 };

struct request {
    int64_t id;
    json_t *msg;
    bool ahead; /* nothing answers it, so it may go out while another is open */
    struct request *next;
};
struct note {
    struct client_event e;
    struct msg_device *device;
    struct msg_part *part;
    struct msg_done *done;
    struct msg_compiler *compiler;
    struct msg_compiled *compiled;
    struct msg_links *links;
    struct note *next;
};

struct client {
    char *command;
    struct process process, before;    /* before: the one that was replaced, while it leaves */
    struct frame_reader *reader;
    struct frame_writer *writer;
    char nonce[33];
    bool hello, dead;
    char lost[400];                    /* why it is dead */
    int64_t (*clock)(void);            /* milliseconds that never jump */
    struct client_bounds bounds;
    int64_t begun_ms;                  /* connecting, outside of any queue, since */
    int64_t heard_ms, ended_ms;        /* last sign of life; when stdout ended (0: it has not) */
    int64_t queued_ms, told_ms;        /* in a queue since (0: in none); when that was last told */
    long job;
    json_t *can;
    char runner[48];
    int method;
    struct gather greeting, log;
    struct request *waiting, **last_waiting;
    int64_t open, next_id;             /* request now running, 0: none */
    int64_t proof;                     /* a describe of ours that must name `same`; 0: none */
    struct { char name[96]; double compute, sm_count; } same;
    struct note *events, **last_event, *current;
};

struct note *note_new(struct client *c, enum client_kind kind, int64_t id);
void note_say(struct note *n, const char *say);

/* Ends it for a reason that a person can read; once. */
void client_lose(struct client *c, const char *why);
/* A line from the runner's stdout. */
void client_hear(struct client *c, const char *line, size_t len);
/* What came was no message. */
void client_garbled(struct client *c, const struct err *err);
/* Its stderr grew, or time passed: before the hello that is what ssh and Slurm have to say. */
void client_hear_log(struct client *c, bool grew);

#endif

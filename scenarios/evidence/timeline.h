/* A timeline that was measured, made ready to be shown: a row for each launch of the step, on
 * several GPUs for each that a rank does, rank by rank, with the story's labels and the bytes that
 * each compels. Pure. */
#ifndef WD_SCENARIOS_TIMELINE_H
#define WD_SCENARIOS_TIMELINE_H

#include "scenarios/evidence/evidence.h"
#include "scenarios/pack/pack.h"

enum { /* of at most four GPUs */
    TIMELINE_ROWS = 4 * CAP_LAUNCHES,
    TIMELINE_CALLS = 4 * (CAP_STEPS + 1)
};
struct timeline_row {
    char label[32];          /* the story's; without one the kernel's name, cut */
    char kernel[64];
    int launch, rank, stream;
    uint64_t after;          /* bits of the launches that it waits for */
    double start, end;       /* s from the start of the step */
    double gap; /* s before it in which nothing ran there; the gaps of all rows are the step's */
    double bytes, flops;     /* compelled; 0: not known */
};
/* What the host does, from where to where it is held up by it. */
struct timeline_call {
    char label[48];          /* "read", or "read (the next token)" where the story calls it so */
    int rank;
    double start, end;       /* s from the start of the step */
};
struct timeline {
    struct timeline_row row[TIMELINE_ROWS]; /* in the order of launch */
    int n;
    struct timeline_call call[TIMELINE_CALLS]; /* the last of a rank waits for the GPU */
    int n_calls;             /* 0: the host does nothing but launch */
    int n_streams;           /* how many are used */
    int n_ranks;             /* 1 on one GPU */
    double length;           /* s */
    int longest;             /* row */
};

/* Makes the step that a timeline's part tells of. The variant's run of that part gives labels and
 * bytes where the numbers of launches and steps fit (NULL: none); bytes need a device (NULL: none
 * are known). False when the part is no whole timeline. */
bool timeline_make(struct timeline *out, const struct msg_part *p, const struct variant *v,
                   const struct msg_device *device);

/* The part of the evidence that is the timeline of `run`; NULL when there is none. */
const struct msg_part *timeline_part(const struct evidence *e, const char *run);

#endif

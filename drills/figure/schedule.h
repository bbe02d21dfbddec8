/* A pipeline's schedule: blocks of whole length on stages, and what it may not break. Pure.
 *
 *   schedule.c         rules, blocks that are placed and refused, what a schedule comes to
 *   schedule_run.c     orders without times: of the known schedules, or as somebody writes them
 *   schedule_solve.c   how short it can be, and what one is worth beside that
 *
 * A block is the work of one microbatch in one chunk of layers on one stage: forward, backward,
 * and, where backward is split, the gradients of weights. Times are of a block, so with V chunks a
 * V-th of the stage's. An activation is held from its forward's start to its backward's end, where
 * that is split to the end of the weights' block: what they need is counted whole. */
#ifndef WD_DRILLS_SCHEDULE_H
#define WD_DRILLS_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/wire/err.h"

enum {
    SCHEDULE_STAGES = 8,
    SCHEDULE_MICROBATCHES = 32,
    SCHEDULE_CHUNKS = 4,
    SCHEDULE_TIME = 9, /* of a block */
    SCHEDULE_BLOCKS = SCHEDULE_STAGES * SCHEDULE_MICROBATCHES * SCHEDULE_CHUNKS * 2
};

enum schedule_kind {
    SCHEDULE_GPIPE,
    SCHEDULE_1F1B,
    SCHEDULE_INTERLEAVED,
    SCHEDULE_ZB_H1,
    SCHEDULE_ZB_H2,
    SCHEDULE_KINDS
};
extern const char *const schedule_kinds[]; /* "gpipe", as in content/tables/schedules.csv */

enum schedule_part { PART_FORWARD, PART_BACKWARD, PART_WEIGHTS, PART_KINDS };

struct schedule_rules {
    enum schedule_kind kind;
    int stages, microbatches, chunks;
    int time[PART_KINDS];
    bool phases;              /* GPipe: a stage's forwards all come before its backwards */
    bool split;               /* weights have blocks of their own */
    bool own_steps;           /* each stage steps for itself: only gaps within it are idle time */
    int cap[SCHEDULE_STAGES]; /* activations that a stage may hold */
};
/* The rules of a kind, with the memory that it is known for. ERR_BAD_REQUEST: a size that it has
 * no schedule for, with the reason. times[PART_WEIGHTS] is not read where backward is whole. */
int schedule_rules_make(struct schedule_rules *out, enum schedule_kind kind, int stages,
                        int microbatches, int chunks, const int times[PART_KINDS],
                        struct err *err);
/* A size for a puzzle, drawn by a seed: 2 to 4 stages, up to 8 microbatches, at most 48 blocks
 * where the kind allows it. Times stay. */
void schedule_draw_size(struct schedule_rules *out, const struct schedule_rules *like,
                        uint64_t seed);
/* What is asked: sizes, times, the rule that is its own. */
void schedule_words(const struct schedule_rules *r, char *out, size_t size);
int schedule_blocks(const struct schedule_rules *r);     /* of a whole schedule */
int schedule_stage_time(const struct schedule_rules *r); /* that a stage works */

struct schedule_block { enum schedule_part part; int stage, microbatch, chunk, start; };
struct schedule {
    struct schedule_rules rules;
    struct schedule_block block[SCHEDULE_BLOCKS]; /* in the order in which they were placed */
    int n;
};

/* Why a block cannot stand there. */
enum schedule_fault {
    FAULT_NONE,
    FAULT_STAGE,      /* no such stage */
    FAULT_MICROBATCH,
    FAULT_CHUNK,
    FAULT_WHOLE,      /* a block of weights where backward is whole */
    FAULT_TIME,       /* before 0 */
    FAULT_TWICE,
    FAULT_OVERLAP,
    FAULT_BEFORE,     /* before the same pass of the neighbour has ended */
    FAULT_OWN,        /* backward before its forward, weights before their backward */
    FAULT_PHASE,      /* backward before the last forward of the stage */
    FAULT_MEMORY,
    FAULT_KINDS
};
extern const char *const schedule_faults[]; /* "overlap" */

/* Places it, or says in `err` which rule it breaks, which block, and on which stage. */
enum schedule_fault schedule_place(struct schedule *s, struct schedule_block b, struct err *err);
/* ERR_BAD_REQUEST: another block needs it, which `err` says. */
int schedule_remove(struct schedule *s, int block, struct err *err);
/* What runs on a stage at a time; -1: nothing. */
int schedule_at(const struct schedule *s, int stage, int time);
int schedule_find(const struct schedule *s, struct schedule_block b); /* its start aside; -1 */
int schedule_end(const struct schedule *s, int block);
int schedule_stage_end(const struct schedule *s, int stage); /* of its last block; 0: none */
/* The soonest start behind everything on its stage; -1: what it waits for is not placed. */
int schedule_soonest(const struct schedule *s, struct schedule_block b);
/* "f3", "b0", of chunk 1 in capitals: "F3". */
const char *schedule_name(const struct schedule_block *b, char out[8]);

struct schedule_sum {
    bool whole;    /* every block is placed */
    int time;      /* until all is done; own steps: the longest stage */
    int idle;      /* of all stages: in a whole one up to its time, else up to each last block */
    double bubble; /* the idle share */
    int held[SCHEDULE_STAGES]; /* at most */
};
void schedule_sum(struct schedule_sum *out, const struct schedule *s);

/* ---- orders ---- */

/* The known schedule of these rules, each block as soon as it can. An error: it does not fit a cap
 * that was made tighter. */
int schedule_known(struct schedule *out, const struct schedule_rules *r, struct err *err);
/* "f0 f1 b0@7 b1; f0 b0 f1 b1": a list for each stage from the first on; a block stands as soon as
 * it can, or at the time behind @. `fault` says which rule was broken, if one was. What was placed
 * before stays. */
int schedule_read(struct schedule *out, const struct schedule_rules *r, const char *text,
                  enum schedule_fault *fault, struct err *err);

/* ---- the optimum ---- */

struct schedule_optimum { int least, most; }; /* proven, found; equal: it is the optimum */
/* Deterministic, within some tenths of a second. */
void schedule_solve(struct schedule_optimum *out, const struct schedule_rules *r);

struct schedule_grade {
    struct schedule_sum sum;
    struct schedule_optimum optimum;
    double share;  /* of the optimum that is reached, up to 1; 0 while blocks are missing */
    bool best;
};
void schedule_grade(struct schedule_grade *out, const struct schedule *s);

#endif

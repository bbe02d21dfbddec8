/* A collective step by step: who sends which chunk to whom, and what each rank holds then. Pure.
 *
 *   collective_rules.c  kinds, sizes, trees
 *   collective.c        sends that are taken and refused, what is held, what it comes to
 *   collective_run.c    the known orders, an order that somebody wrote, grading
 *
 * All sends of a step leave at once, with what their rank held before it. What comes is added where
 * it has nothing in common with what stands there, and copied over it where it holds all of that.
 *
 * A step lasts the latency of its link and then as long as its busiest rank sends or receives over
 * it; links inside a node and between nodes work side by side. Trees are NCCL's: the first with
 * rank 0 at its root, the second the same one mirrored, for an odd count shifted by one rank. */
#ifndef WD_DRILLS_COLLECTIVE_H
#define WD_DRILLS_COLLECTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/wire/err.h"

enum { COLLECTIVE_RANKS = 16, COLLECTIVE_STEPS = 64, COLLECTIVE_SENDS = 512 };

enum collective_kind {
    COLLECTIVE_ALL_REDUCE,     /* by a ring */
    COLLECTIVE_REDUCE_SCATTER, /* chunk r ends on rank r */
    COLLECTIVE_ALL_GATHER,
    COLLECTIVE_TREE,           /* all-reduce, whole messages */
    COLLECTIVE_DOUBLE_TREE,    /* all-reduce, half of the message in each tree */
    COLLECTIVE_HIERARCHICAL,   /* all-reduce: inside the nodes, between them, inside */
    COLLECTIVE_ALL_TO_ALL,
    COLLECTIVE_KINDS
};
extern const char *const collective_kinds[]; /* "ring-all-reduce" */

struct collective_link { double alpha, rate; }; /* s; B/s in one direction */
struct collective_rules {
    enum collective_kind kind;
    int ranks, nodes, chunks; /* chunks of a rank's buffer */
    double bytes;             /* of a buffer, an all-gather's when it is whole */
    struct collective_link inner, outer; /* outer: between nodes */
};
/* Ranks of a node follow each other. ERR_BAD_REQUEST: a size that does not fit, with the reason. */
int collective_rules_make(struct collective_rules *out, enum collective_kind kind, int ranks,
                          int nodes, double bytes, const struct collective_link links[2],
                          struct err *err);
/* A size for a puzzle, drawn by a seed. */
void collective_draw_size(struct collective_rules *out, const struct collective_rules *like,
                          uint64_t seed);
/* What is asked. */
void collective_words(const struct collective_rules *r, char *out, size_t size);
bool collective_is_tree(const struct collective_rules *r);
/* In the tree of a chunk; -1: it is the root. */
int collective_parent(const struct collective_rules *r, int chunk, int rank);
/* From algorithm to bus bandwidth, as nccl-tests has it. */
double collective_factor(const struct collective_rules *r);

/* In an all-to-all `chunk` is the rank that the sender's block is for. */
struct collective_send { int step, from, to, chunk; };
struct collective {
    struct collective_rules rules;
    struct collective_send send[COLLECTIVE_SENDS]; /* in the order of steps */
    int n, step; /* step: the one that sends are added to, from 0 */
};

/* Ranks of which a chunk holds the data, a bit each; all-to-all: of a rank's receive buffer. */
struct collective_state { uint16_t held[COLLECTIVE_RANKS][COLLECTIVE_RANKS]; };
/* After so many steps; the one that is not closed counts with what it has. */
void collective_held(struct collective_state *out, const struct collective *c, int steps);
/* Where on its receiver a send lands. */
int collective_slot(const struct collective_rules *r, const struct collective_send *s);
/* "0+2", "1-3", "all", "" */
const char *collective_mask_words(const struct collective_rules *r, uint16_t mask, char out[48]);
/* "b"; all-to-all: the sender's block for a rank. */
const char *collective_chunk_words(const struct collective_rules *r, int from, int chunk,
                                   char out[24]);
/* "ab->1 a->3": what a rank sends in a step; "" for nothing. */
void collective_sends_words(const struct collective *c, int step, int rank, char *out, size_t size);

/* Why a send cannot be. */
enum collective_fault {
    SEND_FINE,
    SEND_NO_RANK,
    SEND_NO_CHUNK,
    SEND_SELF,      /* to itself */
    SEND_EDGE,      /* no branch of the tree */
    SEND_AIM,       /* an all-to-all's block is for another */
    SEND_LACKS,     /* the sender does not hold it */
    SEND_EARLY,     /* a tree: not all from below is there, or not the whole sum */
    SEND_FROM_BUSY, /* the sender is busy in this step */
    SEND_TO_BUSY,   /* the receiver is */
    SEND_HAS,       /* it brings nothing new */
    SEND_TWICE,     /* a contribution would count twice */
    SEND_MANY,      /* more sends or steps than can be kept */
    SEND_ENDS       /* it ends before every rank has what it should */
};
extern const char *const collective_faults[]; /* "twice" */

/* Adds it to the step, or says in `err` which rank lacks or has what. `s.step` is not read. */
enum collective_fault collective_add(struct collective *c, struct collective_send s,
                                     struct err *err);
/* Begins the next step. ERR_BAD_REQUEST: nothing was sent in this one. */
int collective_next(struct collective *c, struct err *err);
/* Takes the last send back, its step is open again; false: there is none. */
bool collective_undo(struct collective *c);
/* SEND_ENDS, with the first rank that lacks something. */
enum collective_fault collective_ends(const struct collective *c, struct err *err);

struct collective_sum {
    int steps;
    double bytes; /* that the busiest rank sends */
    double outer; /* that the busiest rank sends to other nodes */
    double time;
};
void collective_sum(struct collective_sum *out, const struct collective *c);
/* Of one step: bytes that its busiest rank sends or receives, and time. */
struct collective_sum collective_step_sum(const struct collective *c, int step);
double collective_sent(const struct collective *c, int rank);

/* ---- orders ---- */

void collective_known(struct collective *out, const struct collective_rules *r);
/* "0a1 1b2 2c0; 0c1": rank 0 sends chunk a to rank 1; steps end with a semicolon. `fault` and an
 * error that names the step say what was refused first; what was sent before stays. An error
 * without a fault: it cannot be read. */
int collective_read(struct collective *out, const struct collective_rules *r, const char *text,
                    enum collective_fault *fault, struct err *err);

/* The known order's steps and bytes are the least there are: with one chunk a step to one receiver
 * each of n chunks takes n-1 sends to be summed and n-1 to be spread, a block of an all-to-all one;
 * in a tree the longest way up and the longest way down follow each other. A hierarchical order has
 * the least bytes inside and outside; its steps are those that are known. */
struct collective_grade {
    struct collective_sum sum, least;
    bool whole;
    bool best; /* whole, with no more steps and bytes */
};
void collective_grade(struct collective_grade *out, const struct collective *c);

#endif

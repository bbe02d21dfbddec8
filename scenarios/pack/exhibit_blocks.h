/* Blocks of a timeline among the exhibits: from a reader, who adds them one by one, into a part.
 *
 * A part of a timeline has the names of its rows as lines and behind them the labels of its blocks;
 * a series for each of row, label (numbers from 0), begin and end (in the unit of the axis), sorted
 * by row and begin; and the figures of its rows, which are worked out of the blocks. */
#ifndef WD_SCENARIOS_EXHIBIT_BLOCKS_H
#define WD_SCENARIOS_EXHIBIT_BLOCKS_H

#include "kernels/wire/message_part.h"
#include "scenarios/pack/story.h"

#define BLOCKS_ROW "#row"
#define BLOCKS_LABEL "#label"
#define BLOCKS_BEGIN "#begin"
#define BLOCKS_END "#end"
/* Labels are told apart by letters; a label stands in a block where it fits. */
enum { EXHIBIT_BLOCKS = 1024, BLOCK_LABELS = 26, BLOCK_LABEL_BYTES = 20 };

struct block { int row, label; double begin, end; int source; /* the reader's own number */ };
struct block_list {
    struct block *block; int n;
    char *label[BLOCK_LABELS]; int n_labels;
    int wrong; /* the source of the block that blocks_keep refused, 0 where there is none */
};

/* Adds one; times in the unit of the axis, rounded to a thousandth of it. A block without length is
 * left out. Refused: one too many, a label too many or no clean line of BLOCK_LABEL_BYTES, a begin
 * below 0, an end before the begin. */
int blocks_add(struct block_list *l, const struct block *b, const char *label, struct err *err);
/* Puts all into the part, which has the names of its rows as lines. Refused: none, and two of a row
 * that overlap. */
int blocks_keep(struct block_list *l, const struct exhibit *form, struct msg_part *part,
                struct err *err);
void blocks_clear(struct block_list *l);

/* An empty series of at most n values. */
struct msg_series *exhibit_series(struct msg_part *p, const char *name, int n);

#endif

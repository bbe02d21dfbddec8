/* The evidence notebook: from what was bought to rows, and from rows to lines in a pane. Pure;
 * drawing is notebook_draw. */
#ifndef WD_TUI_NOTEBOOK_H
#define WD_TUI_NOTEBOOK_H

#include "scenarios/play/investigation.h"
#include "tui/kit/draw.h"

enum note_kind { NOTE_HEAD /* column heads */, NOTE_NUMBER, NOTE_TEXT };
struct note_row {
    enum note_kind kind;
    char label[160];              /* or the text */
    char value[32], beside[48];   /* beside: what is healthy, or the full scale */
    bool spare;                   /* beside is shown in wide panes only */
    double share;                 /* bar, 0..1; negative: none */
    bool missing;                 /* value is "n/a" */
    double amount; /* the value as a number; 0 where it is missing, INFINITY for a fault */
    const struct metric *metric;  /* what `e` explains; NULL: nothing */
};
struct note {                     /* one purchase */
    char letter;                  /* the shop's */
    char probe[48];               /* "" for a question */
    char title[64],
        tag[24]; /* tag: tier where it differs from the screen's; that it was handed out; else "" */
    char fold[384]; /* the block in one line, without letter; longer than any pane is wide */
    int fold_value; /* bytes of it before the value, which stands also where the rest is cut; 0:
                       there is none */
    int price;
    int columns;                  /* of its texts, as in struct note_frame */
    struct note_row *row; int n;
};

/* What an interviewer sent: a hint, a text. Borrowed. */
struct spoken { int64_t at_ms; const char *who, *text; };

/* What numbers are put in relation to. */
struct note_frame {
    const struct variant *variant;     /* NULL: unknown */
    const struct msg_device *device;   /* NULL: unknown */
    double work_bytes;                 /* compulsory bytes; 0: unknown */
    const char *tier;                  /* the screen's */
    const struct spoken *spoken;       /* stands among what was bought, in order of time */
    int n_spoken;
    int columns;                       /* for texts; 0: those of the narrowest pane */
};

void note_make(struct note *out, const struct purchase *p, const struct note_frame *frame);
/* The part of a sweep that measured step `step`; NULL if it is not there. */
const struct msg_part *note_step(const struct evidence *e, int step);
/* A question that was asked, as a block of its own. */
void note_make_answer(struct note *out, const struct question *q, int number, int columns);
void note_free(struct note *n);

/* The whole notebook in the order in which things were asked and bought. */
struct notebook { struct note *note; int n; };
void notebook_make(struct notebook *out, const struct investigation *i,
                   const struct note_frame *frame);
int notebook_find(const struct notebook *b, const char *probe);  /* -1: not there */
void notebook_free(struct notebook *b);

/* One line of the pane: a block's title (row -1) or one of its rows; `folded` titles stand for the
 * whole block. */
struct notebook_line { int note, row; bool folded; };
/* Lines to show in `height` rows: the selected block open, others from the newest on while they
 * fit; *n receives how many. The selected row (-1: title) is always among them. The array is the
 * caller's. */
struct notebook_line *notebook_lines(const struct notebook *b, int selected, int row, int height,
                                     int *n);

/* How many blocks stand above the first line that is shown. */
int notebook_above(const struct notebook *b, int selected, int row, int height);

/* How many lines stand below the last one that is shown. */
int notebook_below(const struct notebook *b, int selected, int row, int height);

/* The next row but for column heads after (note, row) in direction `step` (+1, -1), over block
 * borders; false when there is none. */
bool notebook_move(const struct notebook *b, int *note, int *row, int step);

void notebook_draw(const struct notebook *b, struct rect r, int selected, int row,
                   bool newest_is_new);

#endif

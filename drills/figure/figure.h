/* Figures: pictures that the program draws from data, as content/figures/SET.yaml describes them.
 * What can be computed is computed when a figure is read: where a span begins, which bank a thread
 * meets, which roof bounds a point.
 *
 * A figure is made of parts, which can be explained, and of slots, texts that can be left blank.
 * Drawing is tui/practice/figure_draw.h's, choosing and grading blanks figure_fill.h's.
 *
 * In: a file of figures, or the blocks and messages that a person places. Out: figures with their
 * slots; a schedule or a collective with its faults and its worth. Callers: drills/library,
 * tui/practice and commands. First to open: figure_set.c; then schedule.c and collective.c, which
 * judge without drawing. */
#ifndef WD_DRILLS_FIGURE_H
#define WD_DRILLS_FIGURE_H

#include <stdbool.h>

#include "drills/figure/collective.h"
#include "drills/figure/schedule.h"
#include "drills/question/table.h"
#include "drills/question/tolerance.h"
#include "scenarios/text/files.h"

enum figure_form {
    FIGURE_NEST,   /* boxes within boxes */
    FIGURE_TREE,   /* the same boxes as branches */
    FIGURE_LEVELS, /* a pyramid with numbers beside it */
    FIGURE_LANES,  /* spans over time */
    FIGURE_GRID,   /* cells by a rule */
    FIGURE_PLOT,   /* a roofline, log over log */
    FIGURE_SCHEDULE, /* blocks of a pipeline on stages */
    FIGURE_COLLECTIVE, /* ranks by chunks, step by step */
    FIGURE_FORMS
};
extern const char *const figure_forms[]; /* as in the file: "nest" */
/* Is a figure of this form also a puzzle whose pieces are placed by hand? */
bool figure_is_placed(enum figure_form form);

enum {
    FIGURE_LINES = 8, /* of a box */
    FIGURE_COLUMNS = 4, /* of levels */
    FIGURE_POINTS = 12, /* of a roofline */
    FIGURE_SPANS = 512,
    FIGURE_CELLS = 1024, /* of a panel */
    FIGURE_ROWS = 64
};

/* One text of the picture. A word has a group: words of one group are each other's choices. */
struct figure_slot {
    char *text; /* as it is shown */
    bool number;
    double low, high; /* a number: SI base units; equal where it is no range */
    struct tolerance within;
    const char *unit, *group;
    bool ask; /* may be left blank */
    int part;
};
struct figure_part { char *name, *says; }; /* says: one sentence */

struct figure_line { char *text; int slot; }; /* text and, unless slot is -1, its number behind */
struct figure_box {
    int slot, part;
    struct figure_line lines[FIGURE_LINES]; int n_lines;
    bool across, arrows;
    struct figure_box *first, *next;
    int n;
};

struct figure_level { int slot, part, values[FIGURE_COLUMNS]; double share; }; /* -1: no value */
struct figure_levels {
    char *columns[FIGURE_COLUMNS]; int n_columns;
    struct figure_level *level; int n;
};

enum figure_kind { SPAN_WORK, SPAN_SEND, SPAN_LOAD, SPAN_WAIT, SPAN_KINDS };
struct figure_lane { char *panel; int slot, part; const char *idle; }; /* panel: begins one; NULL */
struct figure_span {
    int lane, slot, part;
    int index; /* of a span that repeats, else -1 */
    enum figure_kind kind;
    double start, end;
};
struct figure_lanes {
    const char *unit; double total;
    struct figure_lane *lane; int n_lanes;
    struct figure_span *span; int n_spans;
};

struct figure_sum { char *name; int *slot; }; /* one slot for each row */
struct figure_panel {
    char *title;
    int n_rows, n_columns, n_sums;
    int *row, *cell;     /* slots; a cell of -1 is empty */
    char **column;
    double *share;       /* of a cell, 0 to 1, for shades; NULL: none */
    struct figure_sum sum[2];
};
struct figure_grid { struct figure_panel *panel; int n; };

struct figure_roof { int slot, part, value; double rate; };
struct figure_point { int slot, part, intensity, rate, bound, roof; double x, y; };
struct figure_plot {
    double bandwidth; int memory; /* slot of the bandwidth */
    struct figure_roof *roof; int n_roofs;
    struct figure_point *point; int n_points;
};

struct figure_schedule {
    struct schedule *known;
    int row[SCHEDULE_STAGES], held[SCHEDULE_STAGES]; /* slots */
};

struct figure_step { int name, bytes, time, sends[COLLECTIVE_RANKS]; /* -1: none */
                     int held[COLLECTIVE_RANKS][COLLECTIVE_RANKS]; };
struct figure_collective {
    struct collective *known;
    int row[COLLECTIVE_RANKS];    /* slots, as those of a step */
    int first, last;              /* steps that are shown, from 1; 0: what it begins with */
    struct figure_step *step;     /* from 0 on */
};

struct figure_value { char *name; int slot; };

struct figure_data {
    const char *set;
    char *id, *full_id, *title, *topic, *source, *note, *teaches;
    int level;
    enum figure_form form;
    struct figure_slot *slot; int n_slots;
    struct figure_part *part; int n_parts;
    union {
        struct figure_box *box;
        struct figure_levels levels;
        struct figure_lanes lanes;
        struct figure_grid grid;
        struct figure_plot plot;
        struct figure_schedule schedule;
        struct figure_collective collective;
    };
    struct figure_value *value; int n_values; /* below the picture */
};

struct figure_set { char *id; struct figure_data *figures; int n; void *memory; };

/* Reads one file. Every error reads `file:line:col: what; what was expected`, the line, a caret.
 * Tables are read here and not kept. */
int figure_set_read(struct figure_set **out, const struct files *files, const struct file *file,
                    const struct table *tables, int n_tables, struct err *err);
void figure_set_free(struct figure_set *s);

#endif

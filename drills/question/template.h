/* Drills: timed estimates from templates, as content/drills/SET.yaml describes them. A template and
 * a seed make an instance (instance.h).
 *
 * In: files of tables, drills and cards, a seed, what was typed. Out: a question with its numbers,
 * and a grade with its reason. Callers: every room of drills, tui/practice, home and interview.
 * First to open: template_read.c; then instance.c, which makes a question of a template, and
 * answer.c, which grades; rows.c reads tables and cards.
 *
 * Every error reads `file:line:col: what; what was expected`, the line, a caret. */
#ifndef WD_DRILLS_TEMPLATE_H
#define WD_DRILLS_TEMPLATE_H

#include <stdbool.h>

#include "drills/question/table.h"
#include "drills/question/tolerance.h"
#include "scenarios/evidence/trial.h"
#include "scenarios/formula/formula.h"
#include "scenarios/pack/pack.h"

enum {
    DRILL_MAX_VARS = 16,
    DRILL_MAX_LETS = 16,
    DRILL_MAX_EXCLUDES = 12,
    DRILL_MAX_ACCEPTS = 6,
    DRILL_MAX_MISTAKES = 10,
    DRILL_MAX_CHOICES = 6,
    DRILL_MAX_VALUES = 24
};

enum drill_draw { DRAW_ROW, DRAW_ONE_OF, DRAW_LOG2, DRAW_RANGE, DRAW_DECADES };
struct drill_var {
    char *name;
    enum drill_draw draw;
    const struct table *table;              /* a row: the cells are NAME.column */
    int rows[DRILL_MAX_VALUES];
    struct expr values[DRILL_MAX_VALUES]; /* one-of: all; log2, range, decades: low and high; range:
                                             step third */
    int n, digits;                          /* decades: significant digits */
};
struct drill_let { char *name; struct expr value; };

struct drill_mistake { struct expr value; char *says; };
struct drill_fixed {
    char *name;
    struct expr value;
    int row;
}; /* canonical: a variable's value, or its row */

struct drill {
    const struct drill_set *set;
    char *id, *full_id, *title, *topic;     /* full_id: "inference/decode-floor" */
    int level, seconds;
    char **teaches; int n_teaches;          /* ids of the inventory */
    char *source;
    bool needs_gpu; /* formulas over gpu.* and ceiling.*: only with a device */
    bool needs_links; /* of these: over links of two GPUs, measured there or recorded with the set
                       */
    struct drill_var *vars; int n_vars;
    struct drill_let *lets; int n_lets;
    struct expr *excludes; int n_excludes;
    char *ask, *hint, *solution;            /* with formulas in braces; fill.h */
    char *unit; struct dim dim;
    struct expr answer;
    struct tolerance tolerance;
    struct expr *accepts; int n_accepts;
    struct drill_mistake *mistakes; int n_mistakes;
    char **choices; int n_choices;          /* the answer is the number of one of them, from 1 */
    struct drill_fixed *canonical; int n_canonical;
    char *canonical_answer;                 /* as somebody would type it; NULL when absent */
    struct trial *trial; /* the truth is what this measures (measure.h), `answer` what one works
                            out; NULL: `answer` is it */
};

struct drill_set {
    char *id, *title;
    struct drill *drills;
    int n;
    const struct files *files;
    void *memory;
};

/* Reads one set. Tables are borrowed and must outlive it. `files` and the file must outlive it too
 * (messages quote them). */
int drill_set_read(struct drill_set **out, const struct files *files, const struct file *file,
                   const struct table *tables, int n_tables, struct err *err);
void drill_set_free(struct drill_set *s);

/* What a trial's formulas may name: variables that are numbers, then lets. names[DRILL_MAX_VARS +
 * DRILL_MAX_LETS]; how many. */
int drill_numbers(const struct drill *d, char **names);

/* The topics, in the order of screens; NULL ends. */
extern const char *const drill_topics[];

/* Could this name have a value in the drill: a variable, a cell of a drawn row, a let, `answer`,
 * gpu.* or ceiling.*? */
bool drill_knows(const struct drill *d, const char *name);

#endif

/* What the parts of a model share. The reader of packs and they include this. */
#ifndef WD_SCENARIOS_MODEL_INSIDE_H
#define WD_SCENARIOS_MODEL_INSIDE_H

#include "scenarios/pack/model.h"
#include "scenarios/pack/pack_model.h"

/* As many variants as a story may have (pack_variants.c). */
enum { MODEL_AXES = 6, MODEL_OVER = 2, MODEL_VARIANTS = 5, MODEL_CELLS = 16384 };

/* Counts from `from`; formulas know the axis by its name as that number. */
struct axis { char *name; int count, from; };

/* A quantity has a value for each place on its axes, the last of which runs fastest. */
struct made {
    char *name;
    int axis[MODEL_OVER], n_axes;
    struct expr is, own[MODEL_VARIANTS]; /* own.f NULL: as the others have it */
};

/* Texts, one of which `pick` (from 0) chooses; it may name axes. */
struct wording { char *name, **entry; int n; struct expr pick; };

/* A text in pieces: words as they are, then a hole; the last piece has none. */
struct piece {
    char *text;
    struct expr is;                  /* f NULL: no number */
    const struct wording *wording;   /* NULL: none */
    struct dim dim;
    double factor;
    int digits, width;
};
struct template_text { struct piece *piece; int n; };
struct shown_line {
    struct template_text text;
    int over;                        /* an axis, or -1: one line */
    struct expr when, at;            /* f NULL: always; in its place */
};
struct shown_block {
    struct template_text label;
    struct expr begin, end, when;    /* when.f NULL: always */
    int over;                        /* an axis, or -1: one block a row */
};
struct shown_figure { struct expr is; int digits; };
struct shown {
    const struct experiment *x;
    int rows, columns;               /* axes; -1: none */
    struct template_text names;      /* of a row; n 0: its number */
    struct shown_figure *figures;    /* as many as scenario.yaml has, in its order */
    struct shown_block *blocks; int n_blocks; /* of a timeline, in the place of figures */
    struct shown_line *lines; int n_lines;
    struct template_text *notes; int n_notes;
};

struct model {
    const struct story *story;
    char *by, *made;
    struct axis *axes; int n_axes;
    struct made *all; int n;
    struct wording *wordings; int n_wordings;
    struct shown *shown; int n_shown;
};

/* ---- model_names.c ---- */

/* The index of what has this name (its first `len` bytes), or -1. */
int model_axis(const struct model *m, const char *name, size_t len);
int model_quantity(const struct model *m, const char *name, size_t len);
/* How a quantity is reduced: what follows the dot, as OVER_*; -1: nothing that is known. */
enum over { OVER_MIN, OVER_MAX, OVER_MEAN, OVER_MEDIAN, OVER_SUM, OVER_BEFORE };
int model_reduce(const char *word);
/* A formula over the model's names that begins at line:col of the file. */
int model_formula(struct reader *r, const struct model *m, const struct file *f, int line, int col,
                  const char *text, struct expr *out);
/* The formula that is a scalar of the model. */
int read_own_formula(struct reader *r, const struct model *m, const struct yaml *y,
                     struct expr *out);
/* One of the axes by its name; -1 where it fails. */
int find_axis(struct reader *r, const struct model *m, const struct yaml *y, int *out);

/* ---- model_values.c ---- */

extern const int NOWHERE[MODEL_AXES];
const struct model *drawing_model(const struct drawing *d);
/* A formula where these axes are bound (the place from 0; -1: not). */
int drawing_value(struct drawing *d, const int *bound, const struct expr *e, struct quantity *out,
                  struct err *err);

/* ---- model_blocks.c ---- */

/* The blocks of a timeline, and those that a draw has. */
int read_blocks(struct reader *r, const struct model *m, const struct yaml *y, struct shown *out);
int drawing_blocks(struct drawing *d, const struct shown *w, struct msg_part *part,
                   struct err *err);

/* ---- model_text.c ---- */

/* Cuts a scalar of the model. */
int read_template(struct reader *r, const struct model *m, const struct yaml *y,
                  struct template_text *out);
/* The text where these axes are bound, malloc'd. */
int drawing_write(struct drawing *d, const int *bound, const struct template_text *t, char **out,
                  struct err *err);

#endif

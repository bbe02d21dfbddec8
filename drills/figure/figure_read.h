/* What the readers of figures share: one reader that keeps its first error, so that a value read
 * after it is zero and nothing else happens.
 *
 *   figure_set.c     a file, a figure's head and values
 *   figure_read.c    nodes, names and what they are worth, parts and slots
 *   figure_forms.c   boxes, levels, grid, plot
 *   figure_lanes.c   lanes, and when spans begin
 *   figure_schedule.c  a pipeline's schedule
 *   figure_collective.c  a collective's steps
 */
#ifndef WD_DRILLS_FIGURE_READ_H
#define WD_DRILLS_FIGURE_READ_H

#include "drills/figure/figure.h"
#include "scenarios/text/arena.h"
#include "scenarios/text/yaml.h"

enum { FIGURE_NAMES = 1200, FIGURE_BOUND = 8, FIGURE_WORD = 60, FIGURE_SAYS = 400 };

struct figure_reader {
    struct figure_set *set;
    struct figure_data *figure;
    struct arena *arena;
    const struct table *tables; int n_tables;
    /* what formulas may name: the newest first, so that `row` and `i` come and go */
    struct { const char *name; struct quantity value; } names[FIGURE_NAMES]; int n_names;
    struct { const char *name; const struct table *table; int row; } bound[FIGURE_BOUND];
    int n_bound;
    struct err *err;
    int rc; /* of the first error; 0: none */
};

/* ---- nodes; NULL nodes give "" and 0 ---- */
bool figure_fail(struct figure_reader *r, const struct yaml *y, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool figure_keys(struct figure_reader *r, const struct yaml *y, const struct yaml_shape *shape,
                 const struct yaml **k);
bool figure_map(struct figure_reader *r, const struct yaml *y, int min, int max, const char *what);
bool figure_list(struct figure_reader *r, const struct yaml *y, int min, int max, const char *what);
/* With the values of its formulas in braces. The arena's. */
char *figure_text(struct figure_reader *r, const struct yaml *y, size_t max, const char *what);
struct quantity figure_formula(struct figure_reader *r, const struct yaml *y);
/* A plain formula whose value is whole and within bounds. */
int figure_whole(struct figure_reader *r, const struct yaml *y, int low, int high);
int figure_choice(struct figure_reader *r, const struct yaml *y, const char *const *names, int n,
                  const char *what);
bool figure_flag(struct figure_reader *r, const struct yaml *y, bool otherwise);
/* A unit that is known, of this dimension; NULL gives "1". */
const char *figure_unit(struct figure_reader *r, const struct yaml *y);

/* ---- names ---- */
void figure_bind(struct figure_reader *r, const struct yaml *at, const char *name,
                 struct quantity value);
void figure_bind_plain(struct figure_reader *r, const struct yaml *at, const char *name,
                       double value);

/* ---- parts and slots; the index ---- */
int figure_part(struct figure_reader *r, const char *name, const struct yaml *says);
int figure_word(struct figure_reader *r, const char *text, const char *group, int part, bool ask);
/* A formula, or a list of two: from, to. Shown in the unit, which must be of its dimension. */
int figure_number(struct figure_reader *r, const struct yaml *y, const char *unit,
                  const struct yaml *tolerance, int part, bool ask);
/* A value that was computed already. */
int figure_computed(struct figure_reader *r, struct quantity q, const char *unit, int part,
                    bool ask);

/* ---- forms ---- */
void figure_read_box(struct figure_reader *r, const struct yaml *y, struct figure_box **out);
void figure_read_levels(struct figure_reader *r, const struct yaml *y);
void figure_read_lanes(struct figure_reader *r, const struct yaml *y);
void figure_read_grid(struct figure_reader *r, const struct yaml *y);
void figure_read_plot(struct figure_reader *r, const struct yaml *y);
void figure_read_schedule(struct figure_reader *r, const struct yaml *y);
void figure_read_collective(struct figure_reader *r, const struct yaml *y);

/* ---- every key, for the readers and the test of their description ---- */
#define FIGURE_SHAPES(X) \
    X(set) X(figure) X(box) X(line) X(levels) X(level_column) X(level) X(lanes) X(lane) X(span) \
    X(panel) X(row) X(column) X(sum) X(plot) X(roof) X(point) X(value) \
    X(schedule) X(collective)
#define FIGURE_SHAPE(NAME) extern const struct yaml_shape figure_##NAME##_shape;
FIGURE_SHAPES(FIGURE_SHAPE)

#define SHAPE(NAME, WHAT, COUNT, ...) \
    static const struct yaml_key NAME##_key_list[COUNT] = {__VA_ARGS__}; \
    const struct yaml_shape figure_##NAME##_shape = {WHAT, NAME##_key_list, COUNT}

#endif

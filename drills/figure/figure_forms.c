/* Boxes, levels, grids and plots. */
#include "drills/figure/figure_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BOX_NAME, BOX_SAYS, BOX_LINES, BOX_ACROSS, BOX_DOWN, BOX_ARROWS, BOX_ASK, BOX_COUNT };
SHAPE(box, "a box", BOX_COUNT, {"name", true}, {"says", false}, {"lines", false},
      {"across", false}, {"down", false}, {"arrows", false}, {"ask", false});
enum { LINE_NAME, LINE_VALUE, LINE_UNIT, LINE_COUNT };
SHAPE(line, "a line with a number", LINE_COUNT, {"name", true}, {"value", true}, {"unit", false});
enum { LEVELS_COLUMNS, LEVELS_WIDTH, LEVELS_LEVELS, LEVELS_COUNT };
SHAPE(levels, "levels", LEVELS_COUNT, {"columns", true}, {"width", true}, {"levels", true});
enum { LCOLUMN_NAME, LCOLUMN_COUNT };
SHAPE(level_column, "a column of levels", LCOLUMN_COUNT, {"name", true});
enum { LEVEL_NAME, LEVEL_WIDTH, LEVEL_VALUES, LEVEL_SAYS, LEVEL_ASK, LEVEL_COUNT };
SHAPE(level, "a level", LEVEL_COUNT, {"name", true}, {"width", true}, {"values", true},
      {"says", false}, {"ask", false});
enum {
    PANEL_TITLE,
    PANEL_ROWS,
    PANEL_COLUMNS,
    PANEL_CELL,
    PANEL_WORDS,
    PANEL_OVER,
    PANEL_LANDS,
    PANEL_COUNTS,
    PANEL_UNIT,
    PANEL_SHADE,
    PANEL_SUMS,
    PANEL_ASK,
    PANEL_COUNT
};
SHAPE(panel, "a panel", PANEL_COUNT, {"title", false}, {"rows", true}, {"columns", true},
      {"cell", false}, {"words", false}, {"over", false}, {"lands", false}, {"counts", false},
      {"unit", false}, {"shade", false}, {"sums", false}, {"ask", false});
enum { ROW_NAME, ROW_SAYS, ROW_COUNT_, ROW_WITH, ROW_ASK, ROW_COUNT };
SHAPE(row, "a row", ROW_COUNT, {"name", true}, {"says", false}, {"count", false}, {"with", false},
      {"ask", false});
enum { COLUMN_NAME, COLUMN_COUNT_, COLUMN_CELL, COLUMN_UNIT, COLUMN_COUNT };
SHAPE(column, "a column", COLUMN_COUNT, {"name", true}, {"count", false}, {"cell", false},
      {"unit", false});
enum { SUM_NAME, SUM_OF, SUM_COUNT };
SHAPE(sum, "a sum", SUM_COUNT, {"name", true}, {"of", true});
enum { PLOT_MEMORY, PLOT_ROOFS, PLOT_POINTS, PLOT_COUNT };
SHAPE(plot, "a plot", PLOT_COUNT, {"memory", true}, {"roofs", true}, {"points", true});
enum { ROOF_NAME, ROOF_RATE, ROOF_SAYS, ROOF_COUNT };
SHAPE(roof, "a roof", ROOF_COUNT, {"name", true}, {"rate", true}, {"says", false});
enum { POINT_NAME, POINT_INTENSITY, POINT_ROOF, POINT_SAYS, POINT_COUNT };
SHAPE(point, "a point", POINT_COUNT, {"name", true}, {"intensity", true}, {"roof", false},
      {"says", false});

/* ---- boxes ---- */

/* A text stays as it is; a map has a number behind its text that can be left blank. */
static void read_line(struct figure_reader *r, const struct yaml *y, struct figure_box *b)
{
    struct figure_line *l = &b->lines[b->n_lines++];
    const struct yaml *k[LINE_COUNT];
    l->slot = -1;
    if (y->kind != YAML_MAP) {
        l->text = figure_text(r, y, 120, "a line");
        return;
    }
    if (!figure_keys(r, y, &figure_line_shape, k))
        return;
    l->text = figure_text(r, k[LINE_NAME], FIGURE_WORD, "a name");
    l->slot = figure_number(r, k[LINE_VALUE], figure_unit(r, k[LINE_UNIT]), NULL, b->part, true);
}

static void read_boxes(struct figure_reader *r, const struct yaml *y, struct figure_box *b)
{
    struct figure_box **at = &b->first;
    if (!figure_list(r, y, 1, 12, "a list of boxes"))
        return;
    for (const struct yaml *e = y->first; e && !r->rc; e = e->next, b->n++) {
        figure_read_box(r, e, at);
        at = &(*at)->next;
    }
}

void figure_read_box(struct figure_reader *r, const struct yaml *y, struct figure_box **out)
{
    const struct yaml *k[BOX_COUNT];
    struct figure_box *b = *out = arena_new(r->arena, 1, sizeof *b);
    if (!figure_keys(r, y, &figure_box_shape, k))
        return;
    const char *name = figure_text(r, k[BOX_NAME], FIGURE_WORD, "a name");
    b->part = figure_part(r, name, k[BOX_SAYS]);
    b->slot = figure_word(r, name, "box", b->part, figure_flag(r, k[BOX_ASK], true));
    if (k[BOX_LINES] && figure_list(r, k[BOX_LINES], 1, FIGURE_LINES, "a list of lines"))
        for (const struct yaml *e = k[BOX_LINES]->first; e && !r->rc; e = e->next)
            read_line(r, e, b);
    if (k[BOX_ACROSS] && k[BOX_DOWN])
        figure_fail(r, y, "across and down; one of them was expected");
    b->across = k[BOX_ACROSS] != NULL;
    b->arrows = figure_flag(r, k[BOX_ARROWS], false);
    const struct yaml *inside = b->across ? k[BOX_ACROSS] : k[BOX_DOWN];
    if (inside && !r->rc)
        read_boxes(r, inside, b);
}

/* ---- levels ---- */

static void read_level(struct figure_reader *r, const struct yaml *y, struct figure_levels *l)
{
    const struct yaml *k[LEVEL_COUNT];
    struct figure_level *level = &l->level[l->n++];
    if (!figure_keys(r, y, &figure_level_shape, k))
        return;
    const char *name = figure_text(r, k[LEVEL_NAME], FIGURE_WORD, "a name");
    bool ask = figure_flag(r, k[LEVEL_ASK], true);
    level->part = figure_part(r, name, k[LEVEL_SAYS]);
    level->slot = figure_word(r, name, "level", level->part, ask);
    level->share = figure_formula(r, k[LEVEL_WIDTH]).value;
    if (!r->rc && !(level->share > 0))
        figure_fail(r, k[LEVEL_WIDTH], "a width above 0 was expected");
    if (!figure_list(r, k[LEVEL_VALUES], l->n_columns, l->n_columns, "a value for each column"))
        return;
    int c = 0;
    for (const struct yaml *e = k[LEVEL_VALUES]->first; e && !r->rc; e = e->next, c++) {
        bool none = e->kind == YAML_SCALAR && e->len == 0;
        const struct yaml *value = e, *unit = NULL;
        if (e->kind == YAML_MAP) {
            const struct yaml *v[LINE_COUNT];
            if (!figure_keys(r, e, &figure_line_shape, v))
                return;
            value = v[LINE_VALUE];
            unit = v[LINE_UNIT];
        }
        level->values[c] =
            none ? -1 : figure_number(r, value, figure_unit(r, unit), NULL, level->part, ask);
    }
}

/* Widths by their logarithm: a quarter for the least, all for the most. */
static void spread_widths(struct figure_levels *l)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < l->n; i++) {
        least = fmin(least, log(l->level[i].share));
        most = i ? fmax(most, log(l->level[i].share)) : log(l->level[i].share);
    }
    for (int i = 0; i < l->n; i++)
        l->level[i].share =
            most > least ? 0.25 + 0.75 * (log(l->level[i].share) - least) / (most - least) : 1;
}

void figure_read_levels(struct figure_reader *r, const struct yaml *y)
{
    const struct yaml *k[LEVELS_COUNT], *c[LCOLUMN_COUNT];
    struct figure_levels *l = &r->figure->levels;
    if (!figure_keys(r, y, &figure_levels_shape, k) ||
        !figure_list(r, k[LEVELS_COLUMNS], 1, FIGURE_COLUMNS, "a list of columns"))
        return;
    for (const struct yaml *e = k[LEVELS_COLUMNS]->first; e && !r->rc; e = e->next)
        if (figure_keys(r, e, &figure_level_column_shape, c))
            l->columns[l->n_columns++] = figure_text(r, c[LCOLUMN_NAME], 24, "a name");
    figure_text(r, k[LEVELS_WIDTH], FIGURE_WORD, "what the width shows");
    if (!figure_list(r, k[LEVELS_LEVELS], 2, 16, "a list of levels"))
        return;
    l->level = arena_new(r->arena, (size_t)k[LEVELS_LEVELS]->n, sizeof *l->level);
    for (const struct yaml *e = k[LEVELS_LEVELS]->first; e && !r->rc; e = e->next)
        read_level(r, e, l);
    if (!r->rc)
        spread_widths(l);
}

/* ---- grids ---- */

struct grid_reader {
    struct figure_reader *r;
    struct figure_panel *p;
    const struct yaml *k[PANEL_COUNT];
    const struct yaml *with[FIGURE_ROWS];            /* of each row */
    const struct yaml *cell[FIGURE_CELLS];           /* of each column; NULL: the panel's */
    const char *unit[FIGURE_CELLS];
    double value[FIGURE_CELLS];
    bool empty[FIGURE_CELLS];
    const char *panel_unit;
};

static void add_row(struct grid_reader *g, const struct yaml *const *k)
{
    struct figure_reader *r = g->r;
    int i = g->p->n_rows;
    figure_bind_plain(r, k[ROW_NAME], "row", i);
    const char *name = figure_text(r, k[ROW_NAME], FIGURE_WORD, "a name");
    int part = figure_part(r, name, k[ROW_SAYS]);
    g->p->row[i] = figure_word(r, name, "row", part, figure_flag(r, k[ROW_ASK], false));
    g->with[i] = k[ROW_WITH];
    g->p->n_rows++;
    r->n_names--;
}

static void read_rows(struct grid_reader *g, const struct yaml *y)
{
    struct figure_reader *r = g->r;
    const struct yaml *k[ROW_COUNT];
    if (!figure_list(r, y, 1, FIGURE_ROWS, "a list of rows"))
        return;
    g->p->row = arena_new(r->arena, FIGURE_ROWS, sizeof *g->p->row);
    for (const struct yaml *e = y->first; e && !r->rc; e = e->next) {
        if (!figure_keys(r, e, &figure_row_shape, k))
            return;
        int n = k[ROW_COUNT_] ? figure_whole(r, k[ROW_COUNT_], 1, FIGURE_ROWS) : 1;
        if (!r->rc && g->p->n_rows + n > FIGURE_ROWS)
            figure_fail(r, e, "more than %d rows; fewer were expected", FIGURE_ROWS);
        for (int i = 0; i < n && !r->rc; i++)
            add_row(g, k);
    }
}

static void read_columns(struct grid_reader *g, const struct yaml *y)
{
    enum { MOST = 64 };
    struct figure_reader *r = g->r;
    const struct yaml *k[COLUMN_COUNT];
    if (!figure_list(r, y, 1, MOST, "a list of columns"))
        return;
    g->p->column = arena_new(r->arena, MOST, sizeof *g->p->column);
    for (const struct yaml *e = y->first; e && !r->rc; e = e->next) {
        if (!figure_keys(r, e, &figure_column_shape, k))
            return;
        int n = k[COLUMN_COUNT_] ? figure_whole(r, k[COLUMN_COUNT_], 1, MOST) : 1;
        if (!r->rc && g->p->n_columns + n > MOST)
            figure_fail(r, e, "more than %d columns; fewer were expected", MOST);
        for (int i = 0; i < n && !r->rc; i++) {
            int c = g->p->n_columns++;
            figure_bind_plain(r, e, "column", c);
            g->p->column[c] = figure_text(r, k[COLUMN_NAME], 24, "a name");
            g->cell[c] = k[COLUMN_CELL];
            g->unit[c] = k[COLUMN_UNIT] ? figure_unit(r, k[COLUMN_UNIT]) : g->panel_unit;
            r->n_names--;
        }
    }
}

static void bind_row(struct grid_reader *g, int row)
{
    figure_bind_plain(g->r, g->k[PANEL_ROWS], "row", row);
    const struct yaml *with = g->with[row];
    if (with && figure_map(g->r, with, 1, 8, "a map of formulas"))
        for (const struct yaml *e = with->first; e && !g->r->rc; e = e->next)
            figure_bind(g->r, e, e->key->text, figure_formula(g->r, e));
}

/* What the column's formula says; below 0: an empty cell. */
static void cells_by_rule(struct grid_reader *g, int row)
{
    struct figure_reader *r = g->r;
    for (int c = 0; c < g->p->n_columns && !r->rc; c++) {
        const struct yaml *y = g->cell[c] ? g->cell[c] : g->k[PANEL_CELL];
        int at = row * g->p->n_columns + c;
        if (!y) {
            figure_fail(r, g->k[PANEL_COLUMNS],
                        "no rule for a cell; cell, words, or over with lands was expected");
            return;
        }
        figure_bind_plain(r, y, "column", c);
        struct quantity q = figure_formula(r, y);
        r->n_names--;
        g->value[at] = q.value;
        g->empty[at] = q.value < 0;
        if (!g->empty[at] && !r->rc)
            g->p->cell[at] = figure_computed(r, q, g->unit[c], r->figure->slot[g->p->row[row]].part,
                                             figure_flag(r, g->k[PANEL_ASK], true));
    }
}

/* How many different values of `counts` land in each column, t from 0 to over - 1. */
static void cells_by_landing(struct grid_reader *g, int row)
{
    enum { MOST = 256 };
    struct figure_reader *r = g->r;
    int n = figure_whole(r, g->k[PANEL_OVER], 1, MOST), column[MOST];
    double counted[MOST];
    for (int t = 0; t < n && !r->rc; t++) {
        figure_bind_plain(r, g->k[PANEL_OVER], "t", t);
        column[t] = figure_whole(r, g->k[PANEL_LANDS], 0, g->p->n_columns - 1);
        counted[t] = g->k[PANEL_COUNTS] ? figure_formula(r, g->k[PANEL_COUNTS]).value : t;
        r->n_names--;
        bool seen = false;
        for (int before = 0; before < t; before++)
            seen = seen || (column[before] == column[t] && counted[before] == counted[t]);
        g->value[row * g->p->n_columns + column[t]] += !seen;
    }
    for (int c = 0; c < g->p->n_columns && !r->rc; c++) {
        int at = row * g->p->n_columns + c;
        g->empty[at] = g->value[at] == 0;
        if (!g->empty[at])
            g->p->cell[at] = figure_computed(r, (struct quantity){g->value[at], DIM_NONE}, "1",
                                             r->figure->slot[g->p->row[row]].part,
                                             figure_flag(r, g->k[PANEL_ASK], true));
    }
}

static void cells_of_words(struct grid_reader *g, int row)
{
    struct figure_reader *r = g->r;
    const struct yaml *line = g->k[PANEL_WORDS]->first;
    for (int i = 0; i < row && line; i++)
        line = line->next;
    int n = g->p->n_columns;
    if (!line || !figure_list(r, line, n, n, "a word for each column")) {
        figure_fail(r, g->k[PANEL_WORDS], "a list of words for each row was expected");
        return;
    }
    int c = 0;
    for (const struct yaml *e = line->first; e && !r->rc; e = e->next, c++) {
        const char *word = figure_text(r, e, 24, "a word");
        if (strcmp(word, "-") != 0)
            g->p->cell[row * g->p->n_columns + c] =
                figure_word(r, word, "cell", r->figure->slot[g->p->row[row]].part, true);
    }
}

static void shade(struct grid_reader *g)
{
    int n = g->p->n_rows * g->p->n_columns;
    double least = INFINITY, most = -INFINITY;
    g->p->share = arena_new(g->r->arena, (size_t)n, sizeof *g->p->share);
    for (int i = 0; i < n; i++) {
        least = fmin(least, g->value[i]);
        most = fmax(most, g->value[i]);
    }
    for (int i = 0; i < n; i++)
        g->p->share[i] = most > least ? (g->value[i] - least) / (most - least) : 0;
}

static void read_sum(struct grid_reader *g, const struct yaml *y)
{
    static const char *const kinds[] = {"touched", "most", "all"};
    struct figure_reader *r = g->r;
    struct figure_sum *s = &g->p->sum[g->p->n_sums++];
    const struct yaml *k[SUM_COUNT];
    if (!figure_keys(r, y, &figure_sum_shape, k))
        return;
    s->name = figure_text(r, k[SUM_NAME], 24, "a name");
    s->slot = arena_new(r->arena, (size_t)g->p->n_rows, sizeof *s->slot);
    int kind = figure_choice(r, k[SUM_OF], kinds, 3, "touched, most or all");
    for (int i = 0; i < g->p->n_rows && !r->rc; i++) {
        double sum[3] = {0};
        for (int c = 0; c < g->p->n_columns; c++) {
            double v = g->value[i * g->p->n_columns + c];
            sum[0] += v > 0;
            sum[1] = fmax(sum[1], v);
            sum[2] += v;
        }
        struct dim dim = DIM_NONE;
        double factor;
        const char *unit = kind ? g->panel_unit : "1";
        unit_parse(unit, strlen(unit), &dim, &factor);
        s->slot[i] = figure_computed(r, (struct quantity){sum[kind], dim}, unit,
                                     r->figure->slot[g->p->row[i]].part, true);
    }
}

static void read_panel(struct figure_reader *r, const struct yaml *y, struct figure_panel *p)
{
    struct grid_reader *g = arena_new(r->arena, 1, sizeof *g);
    g->r = r;
    g->p = p;
    if (!figure_keys(r, y, &figure_panel_shape, g->k))
        return;
    p->title = figure_text(r, g->k[PANEL_TITLE], 100, "a title");
    g->panel_unit = figure_unit(r, g->k[PANEL_UNIT]);
    read_rows(g, g->k[PANEL_ROWS]);
    if (!r->rc)
        read_columns(g, g->k[PANEL_COLUMNS]);
    if (!r->rc && p->n_rows * p->n_columns > FIGURE_CELLS)
        figure_fail(r, y, "more than %d cells; fewer were expected", FIGURE_CELLS);
    if (!r->rc && (g->k[PANEL_OVER] != NULL) != (g->k[PANEL_LANDS] != NULL))
        figure_fail(r, y, "over and lands were expected together");
    if (r->rc)
        return;
    p->cell = arena_new(r->arena, (size_t)(p->n_rows * p->n_columns), sizeof *p->cell);
    for (int i = 0; i < p->n_rows * p->n_columns; i++)
        p->cell[i] = -1;
    for (int row = 0; row < p->n_rows && !r->rc; row++) {
        int mark = r->n_names;
        bind_row(g, row);
        if (g->k[PANEL_OVER])
            cells_by_landing(g, row);
        else if (g->k[PANEL_WORDS])
            cells_of_words(g, row);
        else
            cells_by_rule(g, row);
        r->n_names = mark;
    }
    if (!r->rc && figure_flag(r, g->k[PANEL_SHADE], false))
        shade(g);
    if (g->k[PANEL_SUMS] && figure_list(r, g->k[PANEL_SUMS], 1, 2, "a list of sums"))
        for (const struct yaml *e = g->k[PANEL_SUMS]->first; e && !r->rc; e = e->next)
            read_sum(g, e);
}

void figure_read_grid(struct figure_reader *r, const struct yaml *y)
{
    struct figure_grid *g = &r->figure->grid;
    if (!figure_list(r, y, 1, 4, "a list of panels"))
        return;
    g->panel = arena_new(r->arena, (size_t)y->n, sizeof *g->panel);
    for (const struct yaml *e = y->first; e && !r->rc; e = e->next)
        read_panel(r, e, &g->panel[g->n++]);
}

/* ---- plots ---- */

static void read_roof(struct figure_reader *r, const struct yaml *y, struct figure_roof *roof)
{
    const struct yaml *k[ROOF_COUNT];
    if (!figure_keys(r, y, &figure_roof_shape, k))
        return;
    const char *name = figure_text(r, k[ROOF_NAME], 24, "a name");
    roof->part = figure_part(r, name, k[ROOF_SAYS]);
    roof->slot = figure_word(r, name, "roof", roof->part, false);
    roof->value = figure_number(r, k[ROOF_RATE], "Tflop/s", NULL, roof->part, true);
    roof->rate = r->rc ? 1 : r->figure->slot[roof->value].low;
    if (!r->rc && !(roof->rate > 0))
        figure_fail(r, k[ROOF_RATE], "a rate above 0 was expected");
}

static void read_point(struct figure_reader *r, const struct yaml *y, struct figure_point *p)
{
    const struct figure_plot *plot = &r->figure->plot;
    const struct yaml *k[POINT_COUNT];
    if (!figure_keys(r, y, &figure_point_shape, k))
        return;
    const char *name = figure_text(r, k[POINT_NAME], FIGURE_WORD, "a name");
    p->part = figure_part(r, name, k[POINT_SAYS]);
    p->slot = figure_word(r, name, "point", p->part, true);
    p->intensity = figure_number(r, k[POINT_INTENSITY], "flop/B", NULL, p->part, true);
    int roof = p->roof = k[POINT_ROOF] ? figure_whole(r, k[POINT_ROOF], 1, plot->n_roofs) - 1 : 0;
    if (r->rc)
        return;
    p->x = r->figure->slot[p->intensity].low;
    if (!(p->x > 0)) {
        figure_fail(r, k[POINT_INTENSITY], "an intensity above 0 was expected");
        return;
    }
    p->y = fmin(plot->roof[roof].rate, p->x * plot->bandwidth);
    p->rate = figure_computed(r, (struct quantity){p->y, DIM_RATE}, "Tflop/s", p->part, true);
    p->bound = figure_word(r, p->y < plot->roof[roof].rate ? "memory" : "compute", "bound",
                           p->part, true);
}

void figure_read_plot(struct figure_reader *r, const struct yaml *y)
{
    const struct yaml *k[PLOT_COUNT];
    struct figure_plot *p = &r->figure->plot;
    if (!figure_keys(r, y, &figure_plot_shape, k))
        return;
    p->memory = figure_number(r, k[PLOT_MEMORY], "TB/s", NULL, figure_part(r, "memory", NULL),
                              true);
    if (r->rc || !figure_list(r, k[PLOT_ROOFS], 1, 3, "a list of roofs"))
        return;
    p->bandwidth = r->figure->slot[p->memory].low;
    if (!(p->bandwidth > 0))
        figure_fail(r, k[PLOT_MEMORY], "a bandwidth above 0 was expected");
    p->roof = arena_new(r->arena, (size_t)k[PLOT_ROOFS]->n, sizeof *p->roof);
    for (const struct yaml *e = k[PLOT_ROOFS]->first; e && !r->rc; e = e->next)
        read_roof(r, e, &p->roof[p->n_roofs++]);
    if (!figure_list(r, k[PLOT_POINTS], 1, FIGURE_POINTS, "a list of points"))
        return;
    p->point = arena_new(r->arena, (size_t)k[PLOT_POINTS]->n, sizeof *p->point);
    for (const struct yaml *e = k[PLOT_POINTS]->first; e && !r->rc; e = e->next)
        read_point(r, e, &p->point[p->n_points++]);
}

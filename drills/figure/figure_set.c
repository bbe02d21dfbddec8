/* content/figures/SET.yaml: a file of figures, and what all forms have: head, names, values. */
#include "drills/figure/figure_read.h"

#include <stdlib.h>
#include <string.h>

#include "drills/question/template.h"
#include "kernels/wire/text.h"

enum { FORMAT = 1, TITLE = 60, SOURCE = 240, NOTE = 600 };

const char *const figure_forms[] = {"nest", "tree", "levels", "lanes", "grid", "plot",
                                    "schedule", "collective"};

bool figure_is_placed(enum figure_form form)
{
    return form == FIGURE_PLOT || form == FIGURE_SCHEDULE || form == FIGURE_COLLECTIVE;
}

enum { SET_FORMAT, SET_ID, SET_TITLE, SET_FIGURES, SET_COUNT };
SHAPE(set, "a file of figures", SET_COUNT, {"format", true}, {"id", true}, {"title", true},
      {"figures", true});
enum {
    TITLE_,
    TOPIC,
    LEVEL,
    TEACHES,
    SOURCE_,
    NOTE_,
    ROWS,
    LET,
    VALUES,
    FORM, /* the first of the forms, in the order of figure_forms */
    COUNT = FORM + FIGURE_FORMS
};
SHAPE(figure, "a figure", COUNT, {"title", true}, {"topic", true}, {"level", false},
      {"teaches", false}, {"source", true}, {"note", true}, {"rows", false}, {"let", false},
      {"values", false}, {"nest", false}, {"tree", false}, {"levels", false}, {"lanes", false},
      {"grid", false}, {"plot", false}, {"schedule", false}, {"collective", false});
enum { VALUE_NAME, VALUE_VALUE, VALUE_UNIT, VALUE_TOLERANCE, VALUE_SAYS, VALUE_ASK, VALUE_COUNT };
SHAPE(value, "a value", VALUE_COUNT, {"name", true}, {"value", true}, {"unit", false},
      {"tolerance", false}, {"says", false}, {"ask", false});

static void read_id(struct figure_reader *r, const struct yaml *y, char **out)
{
    size_t n = y->kind == YAML_SCALAR ? y->len : 0;
    if (n < 1 || n > 40 || strspn(y->text, "abcdefghijklmnopqrstuvwxyz0123456789-") != n)
        figure_fail(r, y, "not an id; 1 to 40 characters a-z 0-9 - were expected");
    *out = arena_text(r->arena, n ? y->text : "", n);
}

static const struct table *find_table(const struct figure_reader *r, const char *id, size_t n)
{
    for (int i = 0; i < r->n_tables; i++)
        if (strlen(r->tables[i].id) == n && !strncmp(r->tables[i].id, id, n))
            return &r->tables[i];
    return NULL;
}

/* name: TABLE/ROW */
static void read_bound(struct figure_reader *r, const struct yaml *y)
{
    if (r->rc || (r->rc = yaml_is_scalar(y, "TABLE/ROW", r->err)))
        return;
    size_t slash = strcspn(y->text, "/");
    const struct table *t = find_table(r, y->text, slash);
    int row = t && y->text[slash] ? table_row(t, y->text + slash + 1) : -1;
    if (row < 0) {
        figure_fail(r, y, "no such row; TABLE/ROW of content/tables was expected");
        return;
    }
    r->bound[r->n_bound].name = arena_text(r->arena, y->key->text, y->key->len);
    r->bound[r->n_bound].table = t;
    r->bound[r->n_bound++].row = row;
}

static void read_names(struct figure_reader *r, const struct yaml *const *k)
{
    if (k[ROWS] && figure_map(r, k[ROWS], 1, FIGURE_BOUND, "a map of rows"))
        for (const struct yaml *e = k[ROWS]->first; e && !r->rc; e = e->next)
            read_bound(r, e);
    if (k[LET] && figure_map(r, k[LET], 1, 64, "a map of formulas"))
        for (const struct yaml *e = k[LET]->first; e && !r->rc; e = e->next)
            figure_bind(r, e, arena_text(r->arena, e->key->text, e->key->len),
                        figure_formula(r, e));
}

static void read_head(struct figure_reader *r, const struct yaml *const *k)
{
    struct figure_data *f = r->figure;
    int topics = 0;
    while (drill_topics[topics])
        topics++;
    f->title = figure_text(r, k[TITLE_], TITLE, "a title");
    const char *topic = drill_topics[figure_choice(r, k[TOPIC], drill_topics, topics, "a topic")];
    f->topic = arena_text(r->arena, topic, strlen(topic));
    f->level = k[LEVEL] ? figure_whole(r, k[LEVEL], 1, 5) : 2;
    f->source = figure_text(r, k[SOURCE_], SOURCE, "where it comes from");
    f->teaches = arena_text(r->arena, "", 0);
    if (k[TEACHES] && figure_list(r, k[TEACHES], 1, 8, "a list of units of the inventory"))
        for (const struct yaml *e = k[TEACHES]->first; e && !r->rc; e = e->next) {
            const char *unit = figure_text(r, e, FIGURE_WORD, "a unit of the inventory");
            f->teaches =
                arena_format(r->arena, "%s%s%s", f->teaches, *f->teaches ? " " : "", unit);
        }
}

static void read_values(struct figure_reader *r, const struct yaml *y)
{
    struct figure_data *f = r->figure;
    if (!y || !figure_list(r, y, 1, 16, "a list of values"))
        return;
    f->value = arena_new(r->arena, (size_t)y->n, sizeof *f->value);
    for (const struct yaml *e = y->first; e && !r->rc; e = e->next) {
        const struct yaml *k[VALUE_COUNT];
        struct figure_value *v = &f->value[f->n_values];
        if (!figure_keys(r, e, &figure_value_shape, k))
            return;
        v->name = figure_text(r, k[VALUE_NAME], FIGURE_WORD, "a name");
        int part = figure_part(r, v->name, k[VALUE_SAYS]);
        v->slot = figure_number(r, k[VALUE_VALUE], figure_unit(r, k[VALUE_UNIT]),
                                k[VALUE_TOLERANCE], part, figure_flag(r, k[VALUE_ASK], true));
        f->n_values++;
    }
}

static void read_form(struct figure_reader *r, const struct yaml *y, const struct yaml *const *k)
{
    int found = 0;
    for (int i = 0; i < FIGURE_FORMS; i++)
        if (k[FORM + i]) {
            r->figure->form = (enum figure_form)i;
            found++;
        }
    if (found != 1) {
        figure_fail(r, y, "%d forms; exactly one of nest, tree, levels, lanes, grid, plot, "
                    "schedule, collective was expected", found);
        return;
    }
    const struct yaml *form = k[FORM + r->figure->form];
    switch (r->figure->form) {
    case FIGURE_LEVELS: figure_read_levels(r, form); break;
    case FIGURE_LANES: figure_read_lanes(r, form); break;
    case FIGURE_GRID: figure_read_grid(r, form); break;
    case FIGURE_PLOT: figure_read_plot(r, form); break;
    case FIGURE_SCHEDULE: figure_read_schedule(r, form); break;
    case FIGURE_COLLECTIVE: figure_read_collective(r, form); break;
    default: figure_read_box(r, form, &r->figure->box); break;
    }
}

/* A puzzle needs something that can be left blank. */
static void check_blanks(struct figure_reader *r, const struct yaml *y)
{
    int n = 0;
    for (int i = 0; i < r->figure->n_slots; i++)
        n += r->figure->slot[i].ask;
    if (n < 2)
        figure_fail(r, y, "nothing of it can be left blank; two texts or numbers were expected");
}

static void read_figure(struct figure_reader *r, const struct yaml *y, struct figure_data *f)
{
    const struct yaml *k[COUNT];
    r->figure = f;
    r->n_names = r->n_bound = 0;
    f->set = r->set->id;
    read_id(r, y->key, &f->id);
    if (!figure_keys(r, y, &figure_figure_shape, k))
        return;
    f->full_id = arena_format(r->arena, "%s/%s", f->set, f->id);
    read_names(r, k);
    read_head(r, k);
    if (!r->rc)
        read_form(r, y, k);
    if (!r->rc)
        read_values(r, k[VALUES]);
    f->note = figure_text(r, k[NOTE_], NOTE, "what it shows");
    if (!r->rc)
        check_blanks(r, y);
}

static void read_set(struct figure_reader *r, const struct yaml *root)
{
    const struct yaml *k[SET_COUNT];
    if (!figure_keys(r, root, &figure_set_shape, k))
        return;
    int format = 0;
    if ((r->rc = yaml_whole(k[SET_FORMAT], 0, 1000000, "the number of the format", &format,
                            r->err)))
        return;
    if (format != FORMAT)
        figure_fail(r, k[SET_FORMAT], "format %d; this program reads format %d", format, FORMAT);
    read_id(r, k[SET_ID], &r->set->id);
    figure_text(r, k[SET_TITLE], TITLE, "a title");
    if (!figure_map(r, k[SET_FIGURES], 1, YAML_MAP_MAX, "a map of figures"))
        return;
    r->set->figures = mem_new((size_t)k[SET_FIGURES]->n, sizeof *r->set->figures);
    for (const struct yaml *e = k[SET_FIGURES]->first; e && !r->rc; e = e->next)
        read_figure(r, e, &r->set->figures[r->set->n++]);
}

int figure_set_read(struct figure_set **out, const struct files *files, const struct file *file,
                    const struct table *tables, int n_tables, struct err *err)
{
    struct figure_set *s = mem_new(1, sizeof *s);
    struct figure_reader *r = mem_new(1, sizeof *r);
    struct yaml_doc *doc = NULL;
    s->memory = r->arena = mem_new(1, sizeof *r->arena);
    r->set = s;
    r->tables = tables;
    r->n_tables = n_tables;
    r->err = err;
    r->rc = yaml_doc_read(&doc, files, file, err);
    if (!r->rc)
        read_set(r, yaml_doc_root(doc));
    yaml_doc_free(doc);
    int rc = r->rc;
    free(r);
    if (rc) {
        figure_set_free(s);
        s = NULL;
    }
    *out = s;
    return rc;
}

void figure_set_free(struct figure_set *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->n; i++) {
        free(s->figures[i].slot);
        free(s->figures[i].part);
    }
    free(s->figures);
    arena_free(s->memory);
    free(s->memory);
    free(s);
}

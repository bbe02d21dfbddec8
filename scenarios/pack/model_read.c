/* The form of a model: axes, quantities, words, and what each exhibit shows of them. */
#include "scenarios/pack/model_inside.h"

#include <stdio.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/exhibits.h"
#include "scenarios/pack/names.h"

enum {
    MOST_QUANTITIES = 96,
    MOST_COUNT = 4096,
    MOST_WORDS = 16,
    MOST_ENTRIES = 32,
    MOST_NOTES = 7,
    MOST_DIGITS = 6,
    NAME = 31,
    LINE = 400,
    ENTRY = 120
};

/* ---- axes ---- */

/* A count is a number, or a parameter of the story. */
static int read_count(struct reader *r, const struct model *m, const struct yaml *y, int *out)
{
    struct expr e;
    struct quantity q = {0};
    int rc = read_own_formula(r, m, y, &e);
    if (!rc)
        rc = size_constant(m->story, &e, &q, r->err);
    if (rc)
        return rc;
    *out = (int)q.value;
    if (q.value == *out && *out >= 1 && *out <= MOST_COUNT)
        return 0;
    return yaml_fail(y, ERR_BAD_REQUEST, r->err, "%g; a whole number from 1 to %d was expected",
                     q.value, MOST_COUNT);
}

static int read_axis(struct reader *r, struct model *m, const struct yaml *y)
{
    const struct yaml *k[AXIS_KEYS] = {NULL};
    struct axis *a = &m->axes[m->n_axes];
    int rc = read_name(r, y->key, "axis", &a->name);
    if (!rc && y->kind == YAML_MAP)
        rc = yaml_keys(y, &axis_shape, k, r->err);
    if (!rc)
        rc = read_count(r, m, y->kind == YAML_MAP ? k[AXIS_K_COUNT] : y, &a->count);
    if (!rc && k[AXIS_K_FROM])
        rc = yaml_whole(k[AXIS_K_FROM], 0, 1000000, "the number of the first", &a->from, r->err);
    m->n_axes += rc == 0;
    return rc;
}

static int read_axes(struct reader *r, struct model *m, const struct yaml *y)
{
    int rc = yaml_is_map(y, 1, MODEL_AXES, "a map of axes", r->err);
    if (rc)
        return rc;
    m->axes = arena_new(&r->memory->arena, (size_t)y->n, sizeof *m->axes);
    for (const struct yaml *v = y->first; !rc && v; v = v->next)
        rc = read_axis(r, m, v);
    return rc;
}

/* ---- quantities ---- */

/* "arrive[rank, step]": the name, then its axes. */
static int read_heading(struct reader *r, struct model *m, const struct yaml *key,
                        struct made *out)
{
    const char *at = key->text + strcspn(key->text, "[");
    struct yaml name = *key;
    name.len = (size_t)(at - key->text);
    name.text = arena_text(&r->memory->arena, key->text, name.len);
    int rc = read_name(r, &name, "quantity", &out->name), cells = 1;
    if (!rc && (model_quantity(m, out->name, strlen(out->name)) >= 0 ||
                model_axis(m, out->name, strlen(out->name)) >= 0 ||
                name_param(m->story, out->name) >= 0))
        rc = yaml_fail(key, ERR_BAD_REQUEST, r->err,
                       "'%s' means something already; another name was expected", out->name);
    while (!rc && (*at == '[' || *at == ',')) {
        at += 1 + strspn(at + 1, " ");
        size_t len = strcspn(at, ",] ");
        int axis = model_axis(m, at, len);
        if (axis < 0 || out->n_axes == MODEL_OVER)
            return yaml_fail_at(key, (int)(at - key->text) + 1, ERR_BAD_REQUEST, r->err,
                                "at most %d names of axes between [ and ] were expected",
                                MODEL_OVER);
        out->axis[out->n_axes++] = axis;
        cells *= m->axes[axis].count;
        at += len + strspn(at + len, " ");
    }
    if (rc || (!*at && !out->n_axes) || (!strcmp(at, "]") && cells <= MODEL_CELLS))
        return rc;
    return yaml_fail(key, ERR_BAD_REQUEST, r->err,
                     cells > MODEL_CELLS ? "more than %d values; fewer were expected"
                                         : "a name, or a name with axes such as late[rank, step], "
                                           "was expected",
                     MODEL_CELLS);
}

/* All names first: a formula may name what stands below it. */
static int read_quantities(struct reader *r, struct model *m, const struct yaml *y)
{
    int rc = yaml_is_map(y, 1, MOST_QUANTITIES, "a map of quantities", r->err), i = 0;
    if (rc)
        return rc;
    m->all = arena_new(&r->memory->arena, (size_t)y->n, sizeof *m->all);
    for (const struct yaml *v = y->first; !rc && v; v = v->next) {
        rc = read_heading(r, m, v->key, &m->all[m->n]);
        m->n += rc == 0;
    }
    for (const struct yaml *v = y->first; !rc && v; v = v->next)
        rc = read_own_formula(r, m, v, &m->all[i++].is);
    return rc;
}

/* ---- what a variant has otherwise ---- */

static int read_others(struct reader *r, struct model *m, const struct yaml *y, int which)
{
    int rc = yaml_is_map(y, 0, MOST_QUANTITIES, "a map of quantities", r->err);
    for (const struct yaml *v = rc ? NULL : y->first; !rc && v; v = v->next) {
        int q = model_quantity(m, v->key->text, v->key->len);
        rc = q < 0 ? yaml_fail(v->key, ERR_BAD_REQUEST, r->err,
                               "no quantity '%.40s'; one of quantities was expected", v->key->text)
                   : read_own_formula(r, m, v, &m->all[q].own[which]);
    }
    return rc;
}

/* A copy of one variant keeps what is said of the others. */
static int read_variants(struct reader *r, struct model *m, const struct yaml *y)
{
    const struct story *s = m->story;
    unsigned said = 0;
    int rc = yaml_is_map(y, 1, MODEL_VARIANTS,
                         "a map with each variant, and what it has otherwise", r->err);
    for (const struct yaml *v = rc ? NULL : y->first; !rc && v; v = v->next)
        for (int i = 0; !rc && i < s->n_variants; i++)
            if (!strcmp(s->variants[i]->id, v->key->text)) {
                said |= 1u << i;
                rc = read_others(r, m, v, i);
            }
    for (int i = 0; !rc && i < s->n_variants; i++)
        if (!(said & 1u << i))
            rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                           "nothing is said of variant '%s'; {} or what it has otherwise was "
                           "expected",
                           s->variants[i]->id);
    return rc;
}

/* ---- words ---- */

static int read_wording(struct reader *r, struct model *m, const struct yaml *y)
{
    const struct yaml *k[WORDING_KEYS];
    struct wording *w = &m->wordings[m->n_wordings];
    int rc = read_name(r, y->key, "list of words", &w->name);
    if (!rc)
        rc = yaml_keys(y, &wording_shape, k, r->err);
    if (!rc)
        rc = yaml_is_list(k[WORDING_K_LIST], 1, MOST_ENTRIES, "a list of texts", r->err);
    if (rc)
        return rc;
    const struct yaml *list = k[WORDING_K_LIST];
    w->entry = arena_new(&r->memory->arena, (size_t)list->n, sizeof *w->entry);
    for (const struct yaml *v = list->first; !rc && v; v = v->next)
        rc = read_text(r, v, ENTRY, false, "a text", &w->entry[w->n++]);
    if (!rc)
        rc = read_own_formula(r, m, k[WORDING_K_PICK], &w->pick);
    m->n_wordings += rc == 0;
    return rc;
}

static int read_wordings(struct reader *r, struct model *m, const struct yaml *y)
{
    int rc = y ? yaml_is_map(y, 0, MOST_WORDS, "a map of lists of words", r->err) : 0;
    if (rc || !y)
        return rc;
    m->wordings = arena_new(&r->memory->arena, (size_t)y->n, sizeof *m->wordings);
    for (const struct yaml *v = y->first; !rc && v; v = v->next)
        rc = read_wording(r, m, v);
    return rc;
}

/* ---- exhibits ---- */

static int read_line(struct reader *r, const struct model *m, const struct yaml *y,
                     struct shown_line *out)
{
    const struct yaml *k[LINE_KEYS] = {y};
    int rc = y->kind == YAML_MAP ? yaml_keys(y, &line_shape, k, r->err) : 0;
    out->over = -1;
    if (!rc)
        rc = yaml_string(k[LINE_K_LINE], LINE, false, "a line", r->err);
    if (!rc)
        rc = read_template(r, m, k[LINE_K_LINE], &out->text);
    if (!rc && k[LINE_K_FOR])
        rc = find_axis(r, m, k[LINE_K_FOR], &out->over);
    if (!rc && k[LINE_K_WHEN])
        rc = read_own_formula(r, m, k[LINE_K_WHEN], &out->when);
    if (!rc && k[LINE_K_AT])
        rc = read_own_formula(r, m, k[LINE_K_AT], &out->at);
    return rc;
}

static int read_lines(struct reader *r, const struct model *m, const struct yaml *y,
                      struct shown *out)
{
    int rc = yaml_is_list(y, 1, EXHIBIT_LINES, "a list of lines", r->err);
    if (rc)
        return rc;
    out->lines = arena_new(&r->memory->arena, (size_t)y->n, sizeof *out->lines);
    for (const struct yaml *v = y->first; !rc && v; v = v->next)
        rc = read_line(r, m, v, &out->lines[out->n_lines++]);
    return rc;
}

static int read_notes(struct reader *r, const struct model *m, const struct yaml *y,
                      struct shown *out)
{
    int rc = y ? yaml_is_list(y, 0, MOST_NOTES, "a list of notes", r->err) : 0;
    if (rc || !y)
        return rc;
    out->notes = arena_new(&r->memory->arena, (size_t)y->n, sizeof *out->notes);
    for (const struct yaml *v = y->first; !rc && v; v = v->next) {
        rc = yaml_string(v, LINE, false, "a note", r->err);
        if (!rc)
            rc = read_template(r, m, v, &out->notes[out->n_notes++]);
    }
    return rc;
}

static int read_figure(struct reader *r, const struct model *m, const struct yaml *y,
                       const struct exhibit *form, struct shown *out)
{
    const struct yaml *k[DRAWN_FIGURE_KEYS];
    int i = 0;
    while (i < form->n_figures && strcmp(form->figures[i].name, y->key->text))
        i++;
    if (i == form->n_figures)
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "no figure '%.40s'; one of this exhibit in scenario.yaml was expected",
                         y->key->text);
    int rc = yaml_keys(y, &drawn_figure_shape, k, r->err);
    out->figures[i].digits = 1;
    if (!rc)
        rc = read_own_formula(r, m, k[DRAWN_FIGURE_K_IS], &out->figures[i].is);
    if (!rc && k[DRAWN_FIGURE_K_DIGITS])
        rc = yaml_whole(k[DRAWN_FIGURE_K_DIGITS], 0, MOST_DIGITS, "digits behind the point",
                        &out->figures[i].digits, r->err);
    return rc;
}

/* One that fits a table. */
static int find_short_axis(struct reader *r, const struct model *m, const struct yaml *y, int *out)
{
    int rc = find_axis(r, m, y, out);
    return rc || m->axes[*out].count <= EXHIBIT_ROWS
               ? rc
               : yaml_fail(y, ERR_BAD_REQUEST, r->err, "%d of them; at most %d were expected",
                           m->axes[*out].count, EXHIBIT_ROWS);
}

static int read_table(struct reader *r, const struct model *m, const struct yaml *const *k,
                      struct shown *out)
{
    const struct exhibit *form = out->x->exhibit;
    int rc = find_short_axis(r, m, k[DRAWN_K_ROWS], &out->rows);
    if (!rc && k[DRAWN_K_COLUMNS])
        rc = find_short_axis(r, m, k[DRAWN_K_COLUMNS], &out->columns);
    if (!rc && k[DRAWN_K_NAMES]) {
        rc = yaml_string(k[DRAWN_K_NAMES], LINE, false, "what a row is called", r->err);
        if (!rc)
            rc = read_template(r, m, k[DRAWN_K_NAMES], &out->names);
    }
    if (!rc && form->time)
        return read_blocks(r, m, k[DRAWN_K_BLOCKS], out);
    if (!rc)
        rc = yaml_is_map(k[DRAWN_K_FIGURES], form->n_figures, form->n_figures,
                         "a map with each figure of scenario.yaml", r->err);
    if (rc)
        return rc;
    out->figures = arena_new(&r->memory->arena, (size_t)form->n_figures, sizeof *out->figures);
    for (const struct yaml *v = k[DRAWN_K_FIGURES]->first; !rc && v; v = v->next)
        rc = read_figure(r, m, v, form, out);
    return rc;
}

static int read_shown(struct reader *r, struct model *m, const struct yaml *y)
{
    const struct yaml *k[DRAWN_KEYS];
    struct shown *out = &m->shown[m->n_shown];
    out->x = story_experiment(m->story, y->key->text);
    out->rows = out->columns = -1;
    if (!out->x)
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "no exhibit '%.40s'; one of scenario.yaml was expected", y->key->text);
    const struct exhibit *form = out->x->exhibit;
    int rc = yaml_keys(y, &drawn_shape, k, r->err);
    bool table = form->n_figures > 0;
    if (!rc && (table != (k[DRAWN_K_ROWS] != NULL) ||
                (table && !form->time) != (k[DRAWN_K_FIGURES] != NULL) ||
                (form->time != NULL) != (k[DRAWN_K_BLOCKS] != NULL) ||
                table == (k[DRAWN_K_LINES] != NULL) ||
                (form->column != NULL) != (k[DRAWN_K_COLUMNS] != NULL)))
        rc = yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                       "rows, columns, figures, blocks and lines do not fit '%s'; the form that "
                       "scenario.yaml gives it was expected", y->key->text);
    if (!rc)
        rc = table ? read_table(r, m, k, out) : read_lines(r, m, k[DRAWN_K_LINES], out);
    if (!rc)
        rc = read_notes(r, m, k[DRAWN_K_NOTES], out);
    m->n_shown += rc == 0;
    return rc;
}

static int read_all_shown(struct reader *r, struct model *m, const struct yaml *y)
{
    int n = m->story->n_experiments;
    int rc = yaml_is_map(y, n, n, "a map with each exhibit of scenario.yaml", r->err);
    if (rc)
        return rc;
    m->shown = arena_new(&r->memory->arena, (size_t)n, sizeof *m->shown);
    for (const struct yaml *v = y->first; !rc && v; v = v->next)
        rc = read_shown(r, m, v);
    return rc;
}

/* ---- all of it ---- */

static int read_made(struct reader *r, const struct yaml *y, char **out)
{
    int rc = read_text(r, y, 10, false, "a date, YYYY-MM-DD", out);
    if (!rc && (strlen(*out) != 10 || !recording_when_ok(*out)))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err, "a date, YYYY-MM-DD, was expected");
    return rc;
}

static int read_root(struct reader *r, struct model *m, const struct yaml *root)
{
    const struct yaml *k[MODEL_KEYS];
    int format;
    int rc = read_format(r, root, &format);
    if (!rc)
        rc = yaml_keys(root, &model_shape, k, r->err);
    if (!rc)
        rc = read_text(r, k[MODEL_K_BY], 120, false, "who or what it is a model of", &m->by);
    if (!rc)
        rc = read_made(r, k[MODEL_K_MADE], &m->made);
    if (!rc)
        rc = read_axes(r, m, k[MODEL_K_AXES]);
    if (!rc)
        rc = read_quantities(r, m, k[MODEL_K_QUANTITIES]);
    if (!rc)
        rc = read_variants(r, m, k[MODEL_K_VARIANTS]);
    if (!rc)
        rc = read_wordings(r, m, k[MODEL_K_WORDS]);
    return rc ? rc : read_all_shown(r, m, k[MODEL_K_EXHIBITS]);
}

int read_model(struct reader *r, struct story *s)
{
    const struct files *files = r->pack->files;
    const struct file *f =
        files_find(files, arena_format(&r->memory->arena, "%s/sealed/model.yaml", s->id));
    struct yaml_doc *doc = NULL;
    if (!f)
        return 0;
    struct model *m = arena_new(&r->memory->arena, 1, sizeof *m);
    m->story = s;
    int rc = yaml_doc_read(&doc, files, f, r->err);
    if (!rc)
        rc = read_root(r, m, yaml_doc_root(doc));
    yaml_doc_free(doc);
    if (!rc)
        s->model = m;
    return rc;
}

/* The public half of a case: recorded or generated evidence of a fault that no kernel shows. It has
 * exhibits where others have a kernel. */
#include "scenarios/pack/pack_case.h"

#include <string.h>

#include "scenarios/pack/names.h"
#include "scenarios/pack/pack_buffers.h"

enum {
    MAX_SYMPTOMS = 2,
    MAX_PLACES = 64,
    MAX_EXHIBITS = 9 /* a digit each */,
    MAX_FIGURES = 4,
    TIMELINE_FORMAT = 2,
    LABEL = 40,
    SHORT = 20
};

bool says_case(const struct yaml *root)
{
    const struct yaml *y = root->kind == YAML_MAP ? root->first : NULL;
    while (y && strcmp(y->key->text, "kind"))
        y = y->next;
    return y && y->kind == YAML_SCALAR && !strcmp(y->text, "case");
}

void spread_keys(const struct yaml *const *from, const struct yaml_shape *subset,
                 const struct yaml **to, const struct yaml_shape *whole)
{
    for (int k = 0; k < whole->n; k++) {
        to[k] = NULL;
        for (int i = 0; i < subset->n; i++)
            if (!strcmp(subset->key[i].name, whole->key[k].name))
                to[k] = from[i];
    }
}

/* ---- what the story shows for nothing ---- */

static int read_symptom(struct reader *r, struct story *s, const struct yaml *y,
                        struct symptom *out)
{
    struct quantity q = {0};
    char unit[16];
    int rc = read_text(r, y->key, SHORT, false, "what a figure is called", &out->label);
    if (!rc)
        rc = read_formula(r, y, s, USE_READING, &out->value);
    if (!rc && size_constant(s, &out->value, &q, r->err))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "this has no value before anything was bought; parameters, numbers and "
                       "units were expected");
    dim_unit(unit, sizeof unit, q.dim);
    out->unit = arena_text(&r->memory->arena, unit, strlen(unit));
    return rc;
}

static int read_symptoms(struct reader *r, struct story *s, const struct yaml *y)
{
    int rc =
        yaml_is_map(y, 1, MAX_SYMPTOMS,
                    "a map from what it is called to a figure, the one that is complained of first",
                    r->err);
    if (rc)
        return rc;
    s->symptoms = arena_new(&r->memory->arena, (size_t)y->n, sizeof *s->symptoms);
    for (const struct yaml *v = y->first; !rc && v; v = v->next)
        rc = read_symptom(r, s, v, &s->symptoms[s->n_symptoms++]);
    return rc;
}

/* ---- where it may be ---- */

static void list_places(struct reader *r, struct story *s)
{
    char *text = arena_text(&r->memory->arena, "", 0);
    for (int i = 0; i < s->n_places; i++)
        text = arena_format(&r->memory->arena, "%s%s\n", text, s->places[i]);
    s->place_list = arena_new(&r->memory->arena, 1, sizeof *s->place_list);
    *s->place_list =
        (struct file){.path = arena_format(&r->memory->arena, "%s/scenario.yaml", s->id),
                      .text = text,
                      .len = strlen(text)};
}

static int read_places(struct reader *r, struct story *s, const struct yaml *y)
{
    int rc = yaml_is_list(y, 2, MAX_PLACES, "a list of places", r->err);
    if (rc)
        return rc;
    s->places = arena_new(&r->memory->arena, (size_t)y->n, sizeof *s->places);
    for (const struct yaml *v = y->first; v; v = v->next) {
        if ((rc = read_text(r, v, LABEL, false, "a place", &s->places[s->n_places])))
            return rc;
        for (int i = 0; i < s->n_places; i++)
            if (!strcmp(s->places[i], s->places[s->n_places]))
                return yaml_fail(v, ERR_BAD_REQUEST, r->err,
                                 "'%s' stands here twice; each place once was expected",
                                 s->places[i]);
        s->n_places++;
    }
    list_places(r, s);
    return 0;
}

int find_place(struct reader *r, const struct yaml *y, const struct story *s, int *line)
{
    int rc = yaml_is_scalar(y, "one of the places", r->err);
    if (rc)
        return rc;
    for (int i = 0; i < s->n_places; i++)
        if (!strcmp(s->places[i], y->text)) {
            *line = i + 1;
            return 0;
        }
    return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                     "no place '%.60s'; one of places in scenario.yaml was expected", y->text);
}

/* ---- exhibits ---- */

/* The same for every case, so that a price tells nothing. */
static int read_effort(struct reader *r, const struct yaml *y, int *price)
{
    static const char *const names[] = {"at-hand", "collected", "profiled", "tested"};
    static const int prices[] = {1, 2, 3, 4};
    int choice = 0;
    int rc = yaml_choice(y, names, 4, "what it takes", &choice, r->err);
    if (!rc)
        *price = prices[choice];
    return rc;
}

static bool is_figure_elsewhere(const struct story *s, const struct exhibit *x, const char *name)
{
    for (int e = 0; e < s->n_experiments; e++)
        for (int i = 0; i < s->experiments[e].exhibit->n_figures; i++)
            if (!strcmp(s->experiments[e].exhibit->figures[i].name, name))
                return true;
    for (int i = 0; i < x->n_figures; i++)
        if (!strcmp(x->figures[i].name, name))
            return true;
    for (int i = 0; i < s->n_params; i++)
        if (!strcmp(s->params[i].name, name))
            return true;
    return false;
}

static int read_figure(struct reader *r, const struct story *s, const struct yaml *y,
                       const struct exhibit *x, struct figure *out)
{
    const struct yaml *k[FIGURE_KEYS];
    int rc = read_name(r, y->key, "figure", &out->name);
    if (!rc && is_figure_elsewhere(s, x, out->name))
        rc = yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                       "'%s' is a parameter or a figure already; another name was expected",
                       out->name);
    if (!rc)
        rc = yaml_keys(y, &figure_shape, k, r->err);
    if (!rc)
        rc = read_text(r, k[FIGURE_K_LABEL], SHORT, false, "what it is called", &out->label);
    if (!rc)
        rc = read_text(r, k[FIGURE_K_UNIT], 8, false, "a unit", &out->unit);
    if (!rc && (k[FIGURE_K_OF] != NULL) != (x->time != NULL))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       x->time ? "a figure of a timeline without 'of'; busy, gap or the label of a "
                                 "block was expected"
                               : "'of' in a figure of no timeline; none was expected");
    if (!rc && x->time)
        rc = read_text(r, k[FIGURE_K_OF], SHORT, false, "busy, gap or the label of a block",
                       &out->of);
    out->factor = 1;
    if (!rc && !unit_parse(out->unit, strlen(out->unit), &out->dim, &out->factor))
        out->dim = DIM_NONE, out->factor = 1;
    if (!rc && x->time && !dim_equal(out->dim, DIM_SECOND))
        rc = yaml_fail(k[FIGURE_K_UNIT], ERR_BAD_REQUEST, r->err,
                       "'%s'; a unit of time was expected of a timeline's figure", out->unit);
    return rc;
}

static int read_figures(struct reader *r, struct story *s, const struct yaml *const *k,
                        struct exhibit *out)
{
    const struct yaml *y = k[EXHIBIT_K_FIGURES];
    int rc = yaml_is_map(y, 1, k[EXHIBIT_K_COLUMNS] ? 1 : MAX_FIGURES,
                         k[EXHIBIT_K_COLUMNS] ? "a map of one figure" : "a map of figures", r->err);
    if (rc)
        return rc;
    out->figures = arena_new(&r->memory->arena, (size_t)y->n, sizeof *out->figures);
    for (const struct yaml *v = y->first; !rc && v; v = v->next) {
        rc = read_figure(r, s, v, out, &out->figures[out->n_figures]);
        out->n_figures += rc == 0;
    }
    return rc;
}

/* The unit of its axis. */
static int read_timeline(struct reader *r, const struct yaml *y, const struct story *s,
                         struct exhibit *out)
{
    struct dim dim;
    int rc = read_text(r, y, 8, false, "the unit of a timeline's axis", &out->time);
    if (!rc && (!unit_parse(out->time, strlen(out->time), &dim, &out->time_factor) ||
                !dim_equal(dim, DIM_SECOND)))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "'%s'; a unit of time, such as ms, was expected", out->time);
    if (!rc && s->format < TIMELINE_FORMAT)
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err, "format %d; timelines came with format %d",
                       s->format, TIMELINE_FORMAT);
    return rc;
}

static int read_form(struct reader *r, struct story *s, const struct yaml *y,
                     const struct yaml *const *k, struct exhibit *out)
{
    bool table = k[EXHIBIT_K_FIGURES] != NULL;
    int rc = 0;
    bool map = k[EXHIBIT_K_COLUMNS] != NULL, timeline = k[EXHIBIT_K_TIMELINE] != NULL;
    if (table != (k[EXHIBIT_K_ROWS] != NULL) || map + timeline > table)
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "'rows', 'columns', 'timeline' and 'figures' do not go together; rows "
                         "and figures were expected of a table, with columns of a heat map, with "
                         "timeline of a timeline, none of them of a text");
    if (table)
        rc = read_text(r, k[EXHIBIT_K_ROWS], SHORT, false, "what a row is", &out->row);
    if (!rc && k[EXHIBIT_K_TIMELINE])
        rc = read_timeline(r, k[EXHIBIT_K_TIMELINE], s, out);
    if (!rc && k[EXHIBIT_K_COLUMNS])
        rc = read_text(r, k[EXHIBIT_K_COLUMNS], SHORT, false, "what a column is", &out->column);
    return rc || !table ? rc : read_figures(r, s, k, out);
}

static int read_exhibit(struct reader *r, struct story *s, const struct yaml *y,
                        struct experiment *x)
{
    const struct yaml *k[EXHIBIT_KEYS];
    struct exhibit *form = arena_new(&r->memory->arena, 1, sizeof *form);
    int rc = read_key_id(r, y->key, "the id of an exhibit", &x->id);
    if (!rc && (probe_by_name(x->id) || !strcmp(x->id, "symptom") || !strcmp(x->id, "debrief") ||
                !strcmp(x->id, "all")))
        rc = yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                       "'%s' means something else already; another id was expected", x->id);
    if (!rc)
        rc = yaml_keys(y, &exhibit_shape, k, r->err);
    if (!rc)
        rc = read_text(r, k[EXHIBIT_K_TITLE], TITLE, false, "a title", &x->title);
    if (!rc)
        rc = read_effort(r, k[EXHIBIT_K_EFFORT], &x->price);
    if (!rc)
        rc = read_form(r, s, y, k, form);
    x->kind = EXPERIMENT_EXHIBIT;
    x->shop = SHOP_EXPERIMENT;
    x->measure = PROBE_BUILD;
    x->n_steps = 1;
    x->vary = -1;
    x->exhibit = form;
    return rc;
}

static int read_exhibits(struct reader *r, struct story *s, const struct yaml *y)
{
    int rc = yaml_is_map(y, 1, MAX_EXHIBITS, "a map of exhibits", r->err);
    if (rc)
        return rc;
    s->experiments = arena_new(&r->memory->arena, (size_t)y->n, sizeof *s->experiments);
    for (const struct yaml *v = y->first; !rc && v; v = v->next) {
        rc = read_exhibit(r, s, v, &s->experiments[s->n_experiments]);
        s->n_experiments += rc == 0;
    }
    return rc;
}

/* ---- all of it ---- */

int read_case(struct reader *r, struct story *s, const struct yaml *const *k)
{
    int rc = read_text(r, k[CASE_K_SYSTEM], TITLE, false, "what the evidence is of", &s->system);
    if (!rc)
        rc = read_work(r, s, NULL);
    if (!rc)
        rc = read_symptoms(r, s, k[CASE_K_SYMPTOM]);
    if (!rc)
        rc = read_places(r, s, k[CASE_K_PLACES]);
    return rc ? rc : read_exhibits(r, s, k[CASE_K_EXHIBITS]);
}

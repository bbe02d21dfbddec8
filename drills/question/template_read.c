/* content/drills/SET.yaml to structs. */
#include "drills/question/template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/question/choice.h"
#include "drills/question/fill.h"
#include "drills/question/template_keys.h"
#include "kernels/wire/text.h"
#include "scenarios/text/arena.h"

#define MEASURED_WITHIN 1.25
enum { TITLE = 60, LINE = 240, TEXT = 1200, WORD = 40, DRILL_FORMAT = 1 };

#define SHAPE(NAME, WHAT, COUNT, ...) \
    static const struct yaml_key NAME##_keys[COUNT] = {__VA_ARGS__}; \
    const struct yaml_shape NAME##_shape = {WHAT, NAME##_keys, COUNT}

SHAPE(set, "a file of drills",
      SET_KEYS, [SET_K_FORMAT] = {"format", true}, [SET_K_ID] = {"id", true},
      [SET_K_TITLE] = {"title", true}, [SET_K_DRILLS] = {"drills", true});
SHAPE(drill, "a drill", DRILL_KEYS, [DRILL_K_TITLE] = {"title", true},
      [DRILL_K_TOPIC] = {"topic", true}, [DRILL_K_LEVEL] = {"level", true},
      [DRILL_K_SECONDS] = {"seconds", false}, [DRILL_K_TEACHES] = {"teaches", false},
      [DRILL_K_SOURCE] = {"source", true}, [DRILL_K_NEEDS] = {"needs", false},
      [DRILL_K_VARS] = {"vars", false}, [DRILL_K_LET] = {"let", false},
      [DRILL_K_EXCLUDE] = {"exclude", false}, [DRILL_K_ASK] = {"ask", true},
      [DRILL_K_UNIT] = {"unit", true}, [DRILL_K_ANSWER] = {"answer", true},
      [DRILL_K_TOLERANCE] = {"tolerance", false}, [DRILL_K_ACCEPT] = {"accept", false},
      [DRILL_K_CHOICES] = {"choices", false}, [DRILL_K_MISTAKES] = {"mistakes", false},
      [DRILL_K_HINT] = {"hint", true}, [DRILL_K_SOLUTION] = {"solution", true},
      [DRILL_K_CANONICAL] = {"canonical", false}, [DRILL_K_MEASURE] = {"measure", false});
SHAPE(var, "a variable", VAR_KEYS, [VAR_K_TABLE] = {"table", false}, [VAR_K_ROWS] = {"rows", false},
      [VAR_K_ONE_OF] = {"one-of", false}, [VAR_K_LOG2] = {"log2", false},
      [VAR_K_RANGE] = {"range", false}, [VAR_K_STEP] = {"step", false},
      [VAR_K_DECADES] = {"decades", false}, [VAR_K_DIGITS] = {"digits", false});
SHAPE(wrong, "a mistake",
      WRONG_KEYS, [WRONG_K_VALUE] = {"value", true}, [WRONG_K_SAYS] = {"says", true});

struct keep { struct arena arena; struct formula **formulas; int n_formulas; };
struct reader {
    struct drill_set *set;
    struct keep *keep;
    const struct table *tables;
    int n_tables;
    struct err *err;
};

/* ---- words ---- */

static int read_text(struct reader *r, const struct yaml *y, size_t max, bool lines,
                     const char *what, char **out)
{
    int rc = yaml_string(y, max, lines, what, r->err);
    if (rc)
        return rc;
    size_t len = y->len;
    while (len > 1 && strchr(" \n\t", y->text[len - 1]))
        len--;
    *out = arena_text(&r->keep->arena, y->text, len);
    for (char *c = *out; *c; c++)
        *c = *c == '\n' && c[1] != '\n' && (c == *out || c[-1] != '\n')
                 ? ' '
                 : *c; /* a single break is a blank */
    return 0;
}

static int read_id(struct reader *r, const struct yaml *y, char **out)
{
    if (y->len < 1 || y->len > WORD ||
        strspn(y->text, "abcdefghijklmnopqrstuvwxyz0123456789-") != y->len)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "'%.60s'; an id of 1 to %d characters a-z 0-9 - was expected", y->text,
                         WORD);
    *out = arena_text(&r->keep->arena, y->text, y->len);
    return 0;
}

static int read_name(struct reader *r, const struct yaml *y, const struct drill *d, char **out)
{
    bool ok = y->len >= 1 && y->len <= 31 && !(y->text[0] >= '0' && y->text[0] <= '9') &&
              strspn(y->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
                  y->len;
    if (!ok)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "'%.60s'; a name of letters, digits and _ (at most 31) was expected",
                         y->text);
    if (drill_knows(d, y->text) || !strcmp(y->text, "gpu") || !strcmp(y->text, "ceiling"))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "'%s' is taken already; another name was expected", y->text);
    *out = arena_text(&r->keep->arena, y->text, y->len);
    return 0;
}

/* ---- formulas ---- */

static int check_known(void *ctx, const char *name)
{
    return drill_knows(ctx, name) ? 0 : ERR_BAD_REQUEST;
}

static int read_formula(struct reader *r, const struct yaml *y, const struct drill *d,
                        struct expr *out)
{
    int column = 1, rc = yaml_is_scalar(y, "a formula", r->err);
    struct err why;
    struct formula *f;
    if (rc)
        return rc;
    if ((rc = formula_parse(&f, y->text, &column, &why)))
        return yaml_fail_at(y, column, rc, r->err, "%s%s", why.text,
                            yaml_cut_by_comment(y) ? " (a blank and # begin a comment)" : "");
    r->keep->formulas =
        mem_grow(r->keep->formulas, (size_t)r->keep->n_formulas + 1, sizeof *r->keep->formulas);
    r->keep->formulas[r->keep->n_formulas++] = f;
    if (formula_names(f, check_known, (void *)d, &column))
        return yaml_fail_at(y, column, ERR_BAD_REQUEST, r->err,
                            "an unknown name; a variable, a let, a cell of a drawn row%s was "
                            "expected",
                            d->needs_gpu ? ", gpu.* or ceiling.*" : "");
    *out = (struct expr){f, yaml_doc_file(y->doc)->path, y->line, y->col};
    return 0;
}

static int check_filled(void *ctx, const struct formula *f, struct err *err)
{
    int column;
    return formula_names(f, check_known, ctx, &column)
               ? err_set(err, ERR_BAD_REQUEST, "an unknown name in {%.60s}", formula_text(f))
               : 0;
}

static int read_filled(struct reader *r, const struct yaml *y, const struct drill *d, size_t max,
                       const char *what, char **out)
{
    size_t byte = 0;
    struct err why = {0};
    int rc = read_text(r, y, max, true, what, out);
    if (!rc && fill_check(*out, check_filled, (void *)d, &byte, &why))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "%s, in \"%.40s\"; known names in braces were expected", why.text,
                       *out + (byte > 0 ? byte - 1 : 0));
    return rc;
}

/* ---- variables ---- */

static int read_rows(struct reader *r, const struct yaml *y, const struct yaml *const *k,
                     struct drill_var *v)
{
    int rc = yaml_is_scalar(k[VAR_K_TABLE], "the name of a table", r->err);
    for (int i = 0; !rc && i < r->n_tables; i++)
        if (!strcmp(r->tables[i].id, k[VAR_K_TABLE]->text))
            v->table = &r->tables[i];
    if (!rc && !v->table)
        rc = yaml_fail(k[VAR_K_TABLE], ERR_BAD_REQUEST, r->err,
                       "no table '%.40s'; a file of content/tables was expected",
                       k[VAR_K_TABLE]->text);
    if (!rc && !k[VAR_K_ROWS])
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "no 'rows'; a list of ids of the table was expected");
    if (!rc)
        rc = yaml_is_list(k[VAR_K_ROWS], 1, DRILL_MAX_VALUES, "a list of ids", r->err);
    for (const struct yaml *e = rc ? NULL : k[VAR_K_ROWS]->first; e; e = e->next) {
        if ((rc = yaml_is_scalar(e, "the id of a row", r->err)))
            return rc;
        v->rows[v->n] = table_row(v->table, e->text);
        if (v->rows[v->n++] < 0)
            return yaml_fail(e, ERR_BAD_REQUEST, r->err,
                             "the table %s has no row '%.40s'; one of its ids was expected",
                             v->table->id, e->text);
    }
    return rc;
}

static int read_values(struct reader *r, const struct yaml *y, const struct drill *d,
                       struct drill_var *v, int least, int most)
{
    int rc =
        yaml_is_list(y, least, most, least == most ? "low and high" : "a list of values", r->err);
    for (const struct yaml *e = rc ? NULL : y->first; !rc && e; e = e->next)
        rc = read_formula(r, e, d, &v->values[v->n++]);
    return rc;
}

static int read_range(struct reader *r, const struct yaml *const *k, const struct drill *d,
                      struct drill_var *v)
{
    int rc = read_values(r, k[VAR_K_RANGE], d, v, 2, 2);
    if (!rc && !k[VAR_K_STEP])
        rc = yaml_fail(k[VAR_K_RANGE], ERR_BAD_REQUEST, r->err,
                       "a range without 'step'; both were expected");
    return rc ? rc : read_formula(r, k[VAR_K_STEP], d, &v->values[v->n++]);
}

static int read_decades(struct reader *r, const struct yaml *const *k, const struct drill *d,
                        struct drill_var *v)
{
    v->digits = 2;
    int rc = read_values(r, k[VAR_K_DECADES], d, v, 2, 2);
    if (!rc && k[VAR_K_DIGITS])
        rc = yaml_whole(k[VAR_K_DIGITS], 1, 6, "a number of digits", &v->digits, r->err);
    return rc;
}

static int read_var(struct reader *r, const struct yaml *y, const struct drill *d,
                    struct drill_var *v)
{
    static const int kinds[] = {VAR_K_TABLE, VAR_K_ONE_OF, VAR_K_LOG2, VAR_K_RANGE, VAR_K_DECADES};
    const struct yaml *k[VAR_KEYS];
    int found = 0, rc = read_name(r, y->key, d, &v->name);
    if (!rc)
        rc = yaml_keys(y, &var_shape, k, r->err);
    for (int i = 0; !rc && i < 5; i++)
        if (k[kinds[i]]) {
            v->draw = (enum drill_draw)i;
            found++;
        }
    if (!rc && found != 1)
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "%d ways to draw '%s'; exactly one of table, one-of, log2, range, decades "
                       "was expected",
                       found, v->name);
    if (rc)
        return rc;
    switch (v->draw) {
    case DRAW_ROW: return read_rows(r, y, k, v);
    case DRAW_ONE_OF: return read_values(r, k[VAR_K_ONE_OF], d, v, 1, DRILL_MAX_VALUES);
    case DRAW_LOG2: return read_values(r, k[VAR_K_LOG2], d, v, 2, 2);
    case DRAW_RANGE: return read_range(r, k, d, v);
    default: return read_decades(r, k, d, v);
    }
}

static int read_vars(struct reader *r, const struct yaml *y, struct drill *d)
{
    int rc = y ? yaml_is_map(y, 0, DRILL_MAX_VARS, "a map of variables", r->err) : 0;
    if (rc || !y)
        return rc;
    d->vars = arena_new(&r->keep->arena, (size_t)y->n, sizeof *d->vars);
    for (const struct yaml *e = y->first; e; e = e->next) {
        if ((rc = read_var(r, e, d, &d->vars[d->n_vars])))
            return rc;
        d->n_vars++;
    }
    return 0;
}

static int read_lets(struct reader *r, const struct yaml *y, struct drill *d)
{
    int rc = y ? yaml_is_map(y, 0, DRILL_MAX_LETS, "a map of formulas", r->err) : 0;
    if (rc || !y)
        return rc;
    d->lets = arena_new(&r->keep->arena, (size_t)y->n, sizeof *d->lets);
    for (const struct yaml *e = y->first; e; e = e->next) {
        struct drill_let *l = &d->lets[d->n_lets];
        if ((rc = read_name(r, e->key, d, &l->name)) || (rc = read_formula(r, e, d, &l->value)))
            return rc;
        d->n_lets++;
    }
    return 0;
}

/* ---- lists ---- */

static int read_formulas(struct reader *r, const struct yaml *y, const struct drill *d, int most,
                         const char *what, struct expr **out, int *n)
{
    int rc = y ? yaml_is_list(y, 0, most, what, r->err) : 0;
    if (rc || !y)
        return rc;
    *out = arena_new(&r->keep->arena, (size_t)y->n, sizeof **out);
    for (const struct yaml *e = y->first; !rc && e; e = e->next)
        rc = read_formula(r, e, d, &(*out)[(*n)++]);
    return rc;
}

static int read_words(struct reader *r, const struct yaml *y, const struct drill *d, size_t max,
                      bool filled, int most, const char *what, char ***out, int *n)
{
    int rc = y ? yaml_is_list(y, 0, most, what, r->err) : 0;
    if (rc || !y)
        return rc;
    *out = arena_new(&r->keep->arena, (size_t)y->n, sizeof **out);
    for (const struct yaml *e = y->first; !rc && e; e = e->next, (*n)++)
        rc = filled ? read_filled(r, e, d, max, what, &(*out)[*n])
                    : read_text(r, e, max, false, what, &(*out)[*n]);
    return rc;
}

/* Several answers. None may be a number that could be taken for a place in the list. */
static int read_choices(struct reader *r, const struct yaml *y, struct drill *d)
{
    int rc = read_words(r, y, d, LINE, true, DRILL_MAX_CHOICES, "a choice",
                        &d->choices, &d->n_choices);
    const struct yaml *e = y ? y->first : NULL;
    for (int k = 0; !rc && k < d->n_choices; k++, e = e->next)
        if (choice_is_place(d->choices[k]))
            rc = yaml_fail(e, ERR_BAD_REQUEST, r->err,
                           "the choice '%.20s' would be taken for a place in the list; words were "
                           "expected, or no choices and an answer that is the number",
                           d->choices[k]);
    return rc;
}

static int read_mistakes(struct reader *r, const struct yaml *y, struct drill *d)
{
    int rc = y ? yaml_is_list(y, 0, DRILL_MAX_MISTAKES, "a list of mistakes", r->err) : 0;
    if (rc || !y)
        return rc;
    d->mistakes = arena_new(&r->keep->arena, (size_t)y->n, sizeof *d->mistakes);
    for (const struct yaml *e = y->first; e; e = e->next) {
        const struct yaml *k[WRONG_KEYS];
        struct drill_mistake *m = &d->mistakes[d->n_mistakes++];
        if ((rc = yaml_keys(e, &wrong_shape, k, r->err)) ||
            (rc = read_formula(r, k[WRONG_K_VALUE], d, &m->value)) ||
            (rc = read_filled(r, k[WRONG_K_SAYS], d, LINE, "what to say", &m->says)))
            return rc;
    }
    return 0;
}

/* A measurement is met within a factor, unless it says otherwise. */
static int read_tolerance(struct reader *r, const struct yaml *const *k, struct drill *d)
{
    const struct yaml *y = k[DRILL_K_TOLERANCE];
    d->tolerance = (struct tolerance){TOLERANCE_FACTOR, MEASURED_WITHIN};
    if (!y)
        return k[DRILL_K_MEASURE]
                   ? 0
                   : yaml_fail(k[DRILL_K_ANSWER], ERR_BAD_REQUEST, r->err,
                               "no 'tolerance'; one was expected where nothing is measured");
    int rc = yaml_is_scalar(y, "a tolerance", r->err);
    if (!rc && !tolerance_read(y->text, &d->tolerance))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "'%.40s'; exact, 5%%, +-1, x1.25 or \"1 points\" was expected", y->text);
    return rc;
}

/* ---- canonical ---- */

static const struct drill_var *find_var(const struct drill *d, const char *name)
{
    for (int i = 0; i < d->n_vars; i++)
        if (!strcmp(d->vars[i].name, name))
            return &d->vars[i];
    return NULL;
}

static int read_fixed(struct reader *r, const struct yaml *e, struct drill *d)
{
    struct drill_fixed *f = &d->canonical[d->n_canonical];
    const struct drill_var *v = find_var(d, e->key->text);
    int rc = 0;
    if (!v)
        return yaml_fail(e->key, ERR_BAD_REQUEST, r->err,
                         "no variable '%.40s'; one of vars, or answer, was expected", e->key->text);
    f->name = v->name;
    if (v->draw != DRAW_ROW)
        rc = read_formula(r, e, d, &f->value);
    else if (!(rc = yaml_is_scalar(e, "the id of a row", r->err)) &&
             (f->row = table_row(v->table, e->text)) < 0)
        rc = yaml_fail(e, ERR_BAD_REQUEST, r->err,
                       "the table %s has no row '%.40s'; one of its ids was expected", v->table->id,
                       e->text);
    d->n_canonical += rc == 0;
    return rc;
}

static int read_canonical(struct reader *r, const struct yaml *y, struct drill *d)
{
    int rc = y ? yaml_is_map(y, 1, DRILL_MAX_VARS + 1, "a map of values", r->err) : 0;
    if (rc || !y)
        return rc;
    d->canonical = arena_new(&r->keep->arena, (size_t)y->n, sizeof *d->canonical);
    for (const struct yaml *e = y->first; !rc && e; e = e->next)
        rc = strcmp(e->key->text, "answer")
                 ? read_fixed(r, e, d)
                 : read_text(r, e, WORD, false, "the answer", &d->canonical_answer);
    return rc;
}

/* ---- a drill ---- */

static int read_unit(struct reader *r, const struct yaml *y, struct drill *d)
{
    double factor;
    int rc = read_text(r, y, 16, false, "a unit", &d->unit);
    if (!rc && !unit_parse(d->unit, strlen(d->unit), &d->dim, &factor))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "unknown unit '%s'; one such as s, B, B/s, flop/s or \"1\" was expected",
                       d->unit);
    return rc;
}

static int read_topic(struct reader *r, const struct yaml *y, struct drill *d)
{
    int n = 0, k = 0;
    while (drill_topics[n])
        n++;
    int rc = yaml_choice(y, drill_topics, n, "a topic", &k, r->err);
    if (!rc)
        d->topic = arena_text(&r->keep->arena, drill_topics[k], strlen(drill_topics[k]));
    return rc;
}

static int read_head(struct reader *r, const struct yaml *const *k, struct drill *d)
{
    d->seconds = 60;
    int rc = read_text(r, k[DRILL_K_TITLE], TITLE, false, "a title", &d->title);
    if (!rc)
        rc = read_topic(r, k[DRILL_K_TOPIC], d);
    if (!rc)
        rc = yaml_whole(k[DRILL_K_LEVEL], 1, 5, "a level", &d->level, r->err);
    if (!rc && k[DRILL_K_SECONDS])
        rc = yaml_whole(k[DRILL_K_SECONDS], 10, 600, "seconds", &d->seconds, r->err);
    if (!rc)
        rc = read_words(r, k[DRILL_K_TEACHES], d, WORD, false, 24, "an id of the inventory",
                        &d->teaches, &d->n_teaches);
    if (!rc)
        rc = read_text(r, k[DRILL_K_SOURCE], LINE, false, "a source", &d->source);
    if (!rc && k[DRILL_K_NEEDS]) {
        static const char *const needs[] = {"gpu", "links"};
        int which = 0;
        rc = yaml_choice(k[DRILL_K_NEEDS], needs, 2, "what it needs", &which, r->err);
        d->needs_links = which == 1;
    }
    d->needs_gpu = k[DRILL_K_NEEDS] || k[DRILL_K_MEASURE];
    return rc;
}

static int read_question(struct reader *r, const struct yaml *const *k, struct drill *d)
{
    int rc = read_vars(r, k[DRILL_K_VARS], d);
    if (!rc)
        rc = read_lets(r, k[DRILL_K_LET], d);
    if (!rc)
        rc = read_formulas(r, k[DRILL_K_EXCLUDE], d, DRILL_MAX_EXCLUDES, "a list of predicates",
                           &d->excludes, &d->n_excludes);
    if (!rc)
        rc = read_filled(r, k[DRILL_K_ASK], d, TEXT, "a question", &d->ask);
    if (!rc)
        rc = read_unit(r, k[DRILL_K_UNIT], d);
    if (!rc)
        rc = read_formula(r, k[DRILL_K_ANSWER], d, &d->answer);
    if (!rc)
        rc = read_tolerance(r, k, d);
    return rc;
}

static int read_rest(struct reader *r, const struct yaml *const *k, struct drill *d)
{
    int rc = read_formulas(r, k[DRILL_K_ACCEPT], d, DRILL_MAX_ACCEPTS, "a list of formulas",
                           &d->accepts, &d->n_accepts);
    if (!rc)
        rc = read_choices(r, k[DRILL_K_CHOICES], d);
    if (!rc)
        rc = read_mistakes(r, k[DRILL_K_MISTAKES], d);
    if (!rc)
        rc = read_filled(r, k[DRILL_K_HINT], d, LINE, "a hint", &d->hint);
    if (!rc)
        rc = read_filled(r, k[DRILL_K_SOLUTION], d, TEXT, "a solution", &d->solution);
    return rc ? rc : read_canonical(r, k[DRILL_K_CANONICAL], d);
}

static int read_measure(struct reader *r, const struct yaml *y, struct drill *d)
{
    char *names[DRILL_MAX_VARS + DRILL_MAX_LETS];
    struct dim dim = DIM_NONE;
    double factor;
    int rc =
        y ? trial_read(&d->trial, y, r->set->files, names, drill_numbers(d, names), r->err) : 0;
    if (rc || !y)
        return rc;
    const char *unit = trial_metric(d->trial)->unit;
    unit_parse(unit, strlen(unit), &dim, &factor);
    return dim_equal(dim, d->dim)
               ? 0
               : yaml_fail(y, ERR_BAD_REQUEST, r->err,
                           "%s is measured in %s; the drill's unit, %s, was expected",
                           trial_metric(d->trial)->name, unit, d->unit);
}

static int read_drill(struct reader *r, const struct yaml *y, struct drill *d)
{
    const struct yaml *k[DRILL_KEYS];
    d->set = r->set;
    int rc = read_id(r, y->key, &d->id);
    if (!rc)
        rc = yaml_keys(y, &drill_shape, k, r->err);
    if (!rc)
        rc = read_head(r, k, d);
    if (!rc)
        rc = read_question(r, k, d);
    if (!rc)
        rc = read_rest(r, k, d);
    if (!rc)
        rc = read_measure(r, k[DRILL_K_MEASURE], d);
    if (!rc)
        d->full_id = arena_format(&r->keep->arena, "%s/%s", r->set->id, d->id);
    return rc;
}

static int read_set(struct reader *r, const struct yaml *root)
{
    const struct yaml *k[SET_KEYS];
    int format = 0, rc = yaml_keys(root, &set_shape, k, r->err);
    if (!rc)
        rc = yaml_whole(k[SET_K_FORMAT], 0, 1000000, "the number of the format", &format, r->err);
    if (!rc && format != DRILL_FORMAT)
        rc = yaml_fail(k[SET_K_FORMAT], ERR_VERSION, r->err,
                       "format %d; this program reads format %d", format, DRILL_FORMAT);
    if (!rc && !(rc = yaml_is_scalar(k[SET_K_ID], "an id", r->err)))
        rc = read_id(r, k[SET_K_ID], &r->set->id);
    if (!rc)
        rc = read_text(r, k[SET_K_TITLE], TITLE, false, "a title", &r->set->title);
    if (!rc)
        rc = yaml_is_map(k[SET_K_DRILLS], 1, YAML_MAP_MAX, "a map of drills", r->err);
    if (rc)
        return rc;
    r->set->drills = arena_new(&r->keep->arena, (size_t)k[SET_K_DRILLS]->n, sizeof *r->set->drills);
    for (const struct yaml *e = k[SET_K_DRILLS]->first; !rc && e; e = e->next)
        rc = read_drill(r, e, &r->set->drills[r->set->n++]);
    return rc;
}

int drill_set_read(struct drill_set **out, const struct files *files, const struct file *file,
                   const struct table *tables, int n_tables, struct err *err)
{
    struct drill_set *s = mem_new(1, sizeof *s);
    struct keep *keep = mem_new(1, sizeof *keep);
    struct reader r = {.set = s, .keep = keep, .tables = tables, .n_tables = n_tables, .err = err};
    struct yaml_doc *doc;
    s->memory = keep;
    s->files = files;
    int rc = yaml_doc_read(&doc, files, file, err);
    if (!rc)
        rc = read_set(&r, yaml_doc_root(doc));
    yaml_doc_free(doc);
    if (rc) {
        drill_set_free(s);
        s = NULL;
    }
    *out = s;
    return rc;
}

void drill_set_free(struct drill_set *s)
{
    if (!s)
        return;
    struct keep *keep = s->memory;
    for (int i = 0; i < s->n; i++)
        trial_free(s->drills[i].trial);
    for (int i = 0; i < keep->n_formulas; i++)
        formula_free(keep->formulas[i]);
    free(keep->formulas);
    arena_free(&keep->arena);
    free(keep);
    free(s);
}

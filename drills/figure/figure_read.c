#include "drills/figure/figure_read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/question/fill.h"
#include "kernels/wire/text.h"

#define USUAL_TOLERANCE 0.05
enum { SLOTS = 4096 };

/* ---- nodes ---- */

bool figure_fail(struct figure_reader *r, const struct yaml *y, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (!r->rc)
        r->rc = yaml_fail(y, ERR_BAD_REQUEST, r->err, "%s", text);
    return false;
}

bool figure_keys(struct figure_reader *r, const struct yaml *y, const struct yaml_shape *shape,
                 const struct yaml **k)
{
    if (!r->rc)
        r->rc = yaml_keys(y, shape, k, r->err);
    return !r->rc;
}

bool figure_map(struct figure_reader *r, const struct yaml *y, int min, int max, const char *what)
{
    if (!r->rc)
        r->rc = yaml_is_map(y, min, max, what, r->err);
    return !r->rc;
}

bool figure_list(struct figure_reader *r, const struct yaml *y, int min, int max, const char *what)
{
    if (!r->rc)
        r->rc = yaml_is_list(y, min, max, what, r->err);
    return !r->rc;
}

bool figure_flag(struct figure_reader *r, const struct yaml *y, bool otherwise)
{
    if (y && !r->rc)
        r->rc = yaml_bool(y, "true or false", &otherwise, r->err);
    return otherwise;
}

int figure_choice(struct figure_reader *r, const struct yaml *y, const char *const *names, int n,
                  const char *what)
{
    int k = 0;
    if (y && !r->rc)
        r->rc = yaml_choice(y, names, n, what, &k, r->err);
    return r->rc ? 0 : k;
}

/* ---- names and formulas ---- */

void figure_bind(struct figure_reader *r, const struct yaml *at, const char *name,
                 struct quantity value)
{
    if (r->n_names == FIGURE_NAMES) {
        figure_fail(r, at, "more than %d names; fewer were expected", FIGURE_NAMES);
        return;
    }
    r->names[r->n_names].name = name;
    r->names[r->n_names++].value = value;
}

void figure_bind_plain(struct figure_reader *r, const struct yaml *at, const char *name,
                       double value)
{
    figure_bind(r, at, name, (struct quantity){value, DIM_NONE});
}

static int look_up(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    const struct figure_reader *r = ctx;
    size_t dot = strcspn(name, ".");
    for (int i = r->n_names - 1; i >= 0; i--)
        if (!strcmp(r->names[i].name, name)) {
            *out = r->names[i].value;
            return 0;
        }
    for (int i = 0; i < r->n_bound; i++)
        if (name[dot] && strlen(r->bound[i].name) == dot && !strncmp(r->bound[i].name, name, dot))
            return table_value(r->bound[i].table, r->bound[i].row, name + dot + 1, out, err);
    return err_set(err, ERR_BAD_REQUEST,
                   "the unknown name '%.40s'; a let, a cell of a row, or a name of the form was "
                   "expected",
                   name);
}

static const char *row_name(void *ctx, const char *name)
{
    const struct figure_reader *r = ctx;
    for (int i = 0; i < r->n_bound; i++)
        if (!strcmp(r->bound[i].name, name))
            return table_name(r->bound[i].table, r->bound[i].row);
    return NULL;
}

struct quantity figure_formula(struct figure_reader *r, const struct yaml *y)
{
    struct quantity q = {0};
    struct formula *f = NULL;
    struct err why = {0};
    int column = 1, rc;
    if (r->rc || !y || (r->rc = yaml_is_scalar(y, "a formula", r->err)))
        return q;
    if (!(rc = formula_parse(&f, y->text, &column, &why)))
        rc = formula_eval(f, look_up, r, &q, &column, &why);
    formula_free(f);
    if (rc)
        r->rc = yaml_fail_at(y, column, ERR_BAD_REQUEST, r->err, "%s", why.text);
    return r->rc ? (struct quantity){0} : q;
}

int figure_whole(struct figure_reader *r, const struct yaml *y, int low, int high)
{
    struct quantity q = figure_formula(r, y);
    bool ok = dim_equal(q.dim, DIM_NONE) && q.value == floor(q.value) && q.value >= low &&
              q.value <= high;
    if (!r->rc && !ok)
        figure_fail(r, y, "a whole number from %d to %d was expected", low, high);
    return r->rc ? 0 : (int)q.value;
}

char *figure_text(struct figure_reader *r, const struct yaml *y, size_t max, const char *what)
{
    struct fill_names names = {look_up, row_name, r};
    struct err why = {0};
    if (r->rc || !y || (r->rc = yaml_string(y, max, true, what, r->err)))
        return arena_text(r->arena, "", 0);
    char *filled = fill_text(y->text, &names, &why), *out;
    if (!filled)
        figure_fail(r, y, "%s", why.text);
    out = arena_text(r->arena, filled ? filled : "", filled ? strlen(filled) : 0);
    free(filled);
    for (char *c = out; *c; c++)
        *c = *c == '\n' && c[1] ? ' ' : *c == '\n' ? '\0' : *c;
    return out;
}

const char *figure_unit(struct figure_reader *r, const struct yaml *y)
{
    struct dim dim;
    double factor;
    if (r->rc || !y || (r->rc = yaml_string(y, 16, false, "a unit", r->err)))
        return "1";
    if (!unit_parse(y->text, strlen(y->text), &dim, &factor))
        figure_fail(r, y, "unknown unit '%s'; one such as s, KiB, GB/s, %% or \"1\" was expected",
                    y->text);
    return arena_text(r->arena, y->text, y->len);
}

/* ---- parts and slots ---- */

int figure_part(struct figure_reader *r, const char *name, const struct yaml *says)
{
    struct figure_data *f = r->figure;
    f->part = mem_grow(f->part, (size_t)f->n_parts + 1, sizeof *f->part);
    f->part[f->n_parts] = (struct figure_part){
        arena_text(r->arena, name, strlen(name)),
        figure_text(r, says, FIGURE_SAYS, "a sentence"),
    };
    return f->n_parts++;
}

static int add_slot(struct figure_reader *r, struct figure_slot s)
{
    struct figure_data *f = r->figure;
    if (f->n_slots == SLOTS) {
        if (!r->rc)
            r->rc = err_set(r->err, ERR_TOO_LARGE, "figure '%s' has more than %d texts; fewer "
                            "were expected", f->id, SLOTS);
        return 0;
    }
    f->slot = mem_grow(f->slot, (size_t)f->n_slots + 1, sizeof *f->slot);
    f->slot[f->n_slots] = s;
    return f->n_slots++;
}

int figure_word(struct figure_reader *r, const char *text, const char *group, int part, bool ask)
{
    return add_slot(r, (struct figure_slot){.text = arena_text(r->arena, text, strlen(text)),
                                            .group = group,
                                            .part = part,
                                            .ask = ask && *text});
}

/* Whole numbers without a unit are exact, all others within a twentieth. */
static struct tolerance usual(double value, const char *unit)
{
    bool exact = !strcmp(unit, "1") && value == floor(value);
    return (struct tolerance){exact ? TOLERANCE_EXACT : TOLERANCE_RELATIVE,
                              exact ? 0 : USUAL_TOLERANCE};
}

static int slot_of_range(struct figure_reader *r, struct quantity low, struct quantity high,
                         const char *unit, int part, bool ask)
{
    char a[64], b[64];
    fill_value(a, sizeof a, low, unit);
    fill_value(b, sizeof b, high, unit);
    char *blank = strchr(a, ' ');
    if (high.value != low.value && blank)
        *blank = '\0';
    return add_slot(r, (struct figure_slot){
                           .text = high.value == low.value
                                       ? arena_text(r->arena, a, strlen(a))
                                       : arena_format(r->arena, "%s-%s", a, b),
                           .number = true,
                           .low = low.value,
                           .high = high.value,
                           .within = usual(low.value, unit),
                           .unit = unit,
                           .group = "",
                           .part = part,
                           .ask = ask,
                       });
}

int figure_computed(struct figure_reader *r, struct quantity q, const char *unit, int part,
                    bool ask)
{
    return slot_of_range(r, q, q, unit, part, ask);
}

int figure_number(struct figure_reader *r, const struct yaml *y, const char *unit,
                  const struct yaml *tolerance, int part, bool ask)
{
    bool two = y->kind == YAML_LIST;
    if (two && !figure_list(r, y, 2, 2, "from and to"))
        return 0;
    struct quantity low = figure_formula(r, two ? y->first : y),
                    high = two ? figure_formula(r, y->first->next) : low;
    struct dim dim = DIM_NONE;
    double factor = 1;
    char is[48];
    unit_parse(unit, strlen(unit), &dim, &factor);
    dim_describe(is, sizeof is, dim_equal(low.dim, dim) ? high.dim : low.dim);
    if (!r->rc && !(dim_equal(low.dim, dim) && dim_equal(high.dim, dim)))
        figure_fail(r, y, "that is %s; the unit %s was expected", is, unit);
    if (!r->rc && low.value > high.value)
        figure_fail(r, y, "the range runs backwards; from and to were expected");
    int slot = slot_of_range(r, low, high, unit, part, ask);
    if (tolerance && !r->rc && !(r->rc = yaml_is_scalar(tolerance, "a tolerance", r->err)) &&
        !tolerance_read(tolerance->text, &r->figure->slot[slot].within))
        figure_fail(r, tolerance, "'%.40s'; exact, 5%%, +-1 or x1.25 was expected",
                    tolerance->text);
    return slot;
}

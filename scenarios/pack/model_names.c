/* What the formulas of a model may name. */
#include "scenarios/pack/model_inside.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/pack/names.h"

static bool is_called(const char *whole, const char *name, size_t len)
{
    return *whole == *name && !strncmp(whole, name, len) && !whole[len];
}

int model_axis(const struct model *m, const char *name, size_t len)
{
    for (int i = 0; i < m->n_axes; i++)
        if (is_called(m->axes[i].name, name, len))
            return i;
    return -1;
}

int model_quantity(const struct model *m, const char *name, size_t len)
{
    for (int i = 0; i < m->n; i++)
        if (is_called(m->all[i].name, name, len))
            return i;
    return -1;
}

int model_reduce(const char *word)
{
    static const char *const words[] = {"min", "max", "mean", "median", "sum", "before"};
    for (int i = 0; i < (int)(sizeof words / sizeof *words); i++)
        if (!strcmp(words[i], word))
            return i;
    return -1;
}

struct naming { const struct model *m; char why[200]; };

static int check_name(void *ctx, const char *name)
{
    struct naming *n = ctx;
    size_t len = strcspn(name, ".");
    bool plain = !name[len];
    if (plain && (!strcmp(name, "uniform") || !strcmp(name, "normal") ||
                  model_axis(n->m, name, len) >= 0 || name_param(n->m->story, name) >= 0))
        return 0;
    if (model_quantity(n->m, name, len) >= 0 && (plain || model_reduce(name + len + 1) >= 0))
        return 0;
    snprintf(n->why, sizeof n->why,
             "'%.40s' is unknown; a parameter, an axis, uniform, normal, a quantity, or one with "
             ".min .max .mean .median .sum .before behind it was expected",
             name);
    return ERR_BAD_REQUEST;
}

int model_formula(struct reader *r, const struct model *m, const struct file *f, int line, int col,
                  const char *text, struct expr *out)
{
    int column = 1, at_line, at_col;
    struct err why;
    struct formula *made;
    struct naming names = {.m = m};
    int rc = formula_parse(&made, text, &column, &why);
    if (!rc) {
        keep_formula(r->memory, made);
        rc = formula_names(made, check_name, &names, &column);
    }
    *out = (struct expr){rc ? NULL : made, f->path, line, col};
    if (!rc)
        return 0;
    yaml_place(f, line, col, text, column, &at_line, &at_col);
    return files_fail(r->pack->files, f, at_line, at_col, rc, r->err, "%s",
                      *names.why ? names.why : why.text);
}

int read_own_formula(struct reader *r, const struct model *m, const struct yaml *y,
                     struct expr *out)
{
    int rc = yaml_is_scalar(y, "a formula", r->err);
    return rc ? rc : model_formula(r, m, yaml_doc_file(y->doc), y->line, y->col, y->text, out);
}

int find_axis(struct reader *r, const struct model *m, const struct yaml *y, int *out)
{
    int rc = yaml_is_scalar(y, "the name of an axis", r->err);
    *out = rc ? -1 : model_axis(m, y->text, y->len);
    return rc || *out >= 0 ? rc
                           : yaml_fail(y, ERR_BAD_REQUEST, r->err,
                                       "no axis '%.40s'; one of axes was expected", y->text);
}

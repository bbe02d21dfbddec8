#include "drills/question/template.h"

#include <string.h>

#include "scenarios/evidence/evidence.h"

const char *const drill_topics[] = {"silicon",   "kernels",     "roofline",    "formats",  "memory",
                                    "inference", "training",    "collectives", "pipeline", "moe",
                                    "cost",      "measurement", "system",      "machine",  NULL};

/* "model.params" of a variable that draws a row: the column; else NULL. */
static const char *column_of(const struct drill_var *v, const char *name)
{
    size_t n = strlen(v->name);
    return v->draw == DRAW_ROW && !strncmp(name, v->name, n) && name[n] == '.' ? name + n + 1
                                                                               : NULL;
}

static bool var_knows(const struct drill_var *v, const char *name)
{
    const char *column = column_of(v, name);
    return column ? rows_column(v->table->rows, column) >= 0 : !strcmp(v->name, name);
}

bool drill_knows(const struct drill *d, const char *name)
{
    static const struct story nothing = {.n_params = 0};
    for (int i = 0; i < d->n_vars; i++)
        if (var_knows(&d->vars[i], name))
            return true;
    for (int i = 0; i < d->n_lets; i++)
        if (!strcmp(d->lets[i].name, name))
            return true;
    bool machine = !strncmp(name, "gpu.", 4) || !strncmp(name, "ceiling.", 8);
    return !strcmp(name, "answer") || (machine && d->needs_gpu && name_known(&nothing, name));
}

int drill_numbers(const struct drill *d, char **names)
{
    int n = 0;
    for (int i = 0; i < d->n_vars; i++)
        if (d->vars[i].draw != DRAW_ROW)
            names[n++] = d->vars[i].name;
    for (int i = 0; i < d->n_lets; i++)
        names[n++] = d->lets[i].name;
    return n;
}

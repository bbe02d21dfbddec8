#include "scenarios/evidence/told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

bool told_figure(char *out, size_t size, const struct told_value *t, const struct scope *scope)
{
    struct scope s = *scope;
    struct quantity q;
    char unit[32];
    if (formula_eval(t->value.f, scope_lookup, &s, &q, NULL, NULL)) {
        snprintf(out, size, "(not measured here)");
        return false;
    }
    dim_unit(unit, sizeof unit, q.dim);
    if (t->share)
        quantity_percent(out, size, q.value);
    else
        quantity_show(out, size, q.value, unit);
    return true;
}

/* Are the figures that the author wrote out of another GPU? */
static bool is_elsewhere(const struct variant *v, const struct scope *scope)
{
    return v->measured_on && scope->device && strcmp(v->measured_on, scope->device->name) != 0;
}

char *told_debrief(const struct variant *v, const struct scope *scope)
{
    if (!v->debrief)
        return text_dup("");
    char *text = NULL, figure[96];
    size_t size, from = 0;
    FILE *f = open_memstream(&text, &size);
    bool elsewhere = is_elsewhere(v, scope);
    if (elsewhere)
        fprintf(f,
                "Figures in this text are of the %s%s.\n\n", v->measured_on,
                v->n_told ? ", but for those in [ ], which are of the GPU that was played on" : "");
    for (int i = 0; i < v->n_told; i++) {
        const struct told_value *t = &v->told[i];
        bool known = told_figure(figure, sizeof figure, t, scope);
        fwrite(v->debrief->text + from, 1, t->at - from, f);
        fprintf(f, elsewhere && known ? "[%s]" : "%s", figure);
        from = t->at + t->len;
    }
    fwrite(v->debrief->text + from, 1, v->debrief->len - from, f);
    fclose(f);
    return text;
}

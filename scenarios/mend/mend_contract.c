/* What stands above the suspect when it is laid into a person's folder. Every line is a comment;
 * mend_launches.c reads those that begin with "launch". */
#include "scenarios/mend/mend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/listing.h"
#include "scenarios/pack/names.h"

static void put_sizes(FILE *f, const struct story *s, const struct msg_device *device)
{
    int64_t *values = mem_new((size_t)s->n_params, sizeof *values);
    bool known = device && size_params(s, device, -1, 0, values, NULL) == 0;
    if (s->n_params)
        fprintf(f, "//\n// Sizes%s%s:\n", known ? " on this GPU, " : "",
                known ? device->name : "");
    for (int i = 0; i < s->n_params; i++) {
        const char *formula = formula_text(s->params[i].value.f);
        char value[24];
        snprintf(value, sizeof value, "%lld", (long long)values[i]);
        bool more = known && strcmp(formula, value) != 0;
        fprintf(f, "//   %s = %s%s%s\n", s->params[i].name, formula, more ? " = " : "",
                more ? value : "");
    }
    for (int i = 0; i < s->n_defines; i++)
        fprintf(f, "//   the macro %s is %s\n", s->defines[i].name,
                s->params[s->defines[i].param].name);
    free(values);
}

static void put_buffers(FILE *f, const struct story *s)
{
    static const char *const roles[] = {
        [ROLE_INPUT] = "input, must stay as it is", [ROLE_OUTPUT] = "output",
        [ROLE_INOUT] = "input and output", [ROLE_WORKSPACE] = "workspace, holds anything"};
    fputs("//\n// Buffers:\n", f);
    for (int i = 0; i < s->n_buffers; i++)
        fprintf(f, "//   %s: %s of %s, %s\n", s->buffers[i].name,
                formula_text(s->buffers[i].count.f), elem_name(s->buffers[i].type),
                roles[s->buffers[i].role]);
}

static void put_right(FILE *f, const struct story *s)
{
    const struct msg_tolerance *t = &s->tolerance;
    fputs("//\n// Right is what a reference computes, at this size and at others,\n// ", f);
    if (t->kind == TOL_EXACT)
        fputs("to the last bit.\n", f);
    else
        fprintf(f, "to within %g of the value plus %g.\n", t->rel, t->abs);
    fputs("// It must be right whatever lay in outputs, workspaces and shared memory before, with\n"
          "// buffers that end before a page that is not mapped, and each time again.\n", f);
}

static void put_extent(FILE *f, const char *word, const struct expr *e, int n)
{
    fprintf(f, "%s ", word);
    for (int i = 0; i < n; i++)
        fprintf(f, "%s%s", i ? ", " : "", formula_text(e[i].f));
}

static void put_launches(FILE *f, const struct variant *v)
{
    int n;
    const struct launch *l = variant_launches(v, "a", &n);
    fputs("//\n// Yours to change: the code, and the lines that begin with \"launch\". Each\n"
          "// number there may be a formula over the sizes.", f);
    fputs(v->task ? "\n" : " \"launches: fix\" takes the fix's.\n// launches: suspect\n", f);
    for (int i = 0; i < n; i++) {
        fprintf(f, "// launch %d: ", i + 1);
        put_extent(f, "grid", l[i].grid, l[i].n_grid);
        put_extent(f, "; block", l[i].block, l[i].n_block);
        fprintf(f, "; shared %s\n", l[i].shared.f ? formula_text(l[i].shared.f) : "0");
    }
}

static void put_calls(FILE *f, const struct variant *v)
{
    char *calls = listing_launches(v, "a", NULL), *rest = calls, *line;
    fputs("// The host calls, with these arguments:\n", f);
    while ((line = strsep(&rest, "\n")))
        if (*line)
            fprintf(f, "//   %s\n", line);
    free(calls);
}

/* What the person's results are compared with, as it stands. */
static void put_reference(FILE *f, const struct variant *v)
{
    char *text = text_dup(v->reference_file->text), *rest = text, *line;
    fputs("//\n// The reference, which is slow and right:\n", f);
    while ((line = strsep(&rest, "\n")))
        fprintf(f, "//%s%s\n", *line ? "   " : "", line);
    free(text);
}

char *mend_contract(const struct variant *v, const struct msg_device *device, const char *name)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        abort();
    if (v->task)
        fprintf(f, "// %s: %s, to be written. Each save is judged.\n", name, v->task->title);
    else
        fprintf(f, "// %s: the code of %s, to be mended. Each try is judged.\n", name,
                v->full_id);
    put_sizes(f, v->story, device);
    put_buffers(f, v->story);
    put_right(f, v->story);
    put_launches(f, v);
    put_calls(f, v);
    if (v->task && v->reference_file)
        put_reference(f, v);
    fprintf(f, "\n%s", v->task ? v->task->start->text : v->suspect->text);
    fclose(f);
    return text;
}

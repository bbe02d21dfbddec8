#include "tui/commands/cmd_check_say.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/gpus.h"
#include "scenarios/new/scaffold.h"

static bool is_mark(const struct finding *x)
{
    return !strcmp(x->rule->id, "unfinished");
}

static bool is_of_one_file(const struct finding *a, const struct finding *b)
{
    return a->file && b->file && !strcmp(a->file, b->file);
}

/* Behind a figure and the prefix of its unit: what two GPUs may differ in. */
static const char *skip_figure(const char *s)
{
    while (isdigit((unsigned char)*s) || *s == '.')
        s++;
    if (*s == ' ' && s[1] && strchr("kMGT", s[1]) && s[2] == 'B')
        s += 2;
    else if (*s == ' ' && s[1] == 'B')
        s++;
    return s;
}

static bool reads_alike(const char *a, const char *b)
{
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a = skip_figure(a);
            b = skip_figure(b);
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

static bool is_one_thing(const struct finding *a, const struct finding *b)
{
    if (a->rule != b->rule)
        return false;
    if (is_mark(a))
        return is_of_one_file(a, b);
    bool same_place = a->file || b->file ? is_of_one_file(a, b) && a->line == b->line &&
                                               a->col == b->col
                                         : !strcmp(a->scenario, b->scenario);
    return a->gpu && b->gpu && same_place && reads_alike(a->text, b->text);
}

/* The findings that are one thing with the first, from `at`: which, in the order they stand. */
struct group { const struct finding **all; int n; };

static struct group group_of(const struct findings *f, int at, bool *is_said)
{
    struct group g = {0};
    for (int i = at; i < f->n; i++)
        if (!is_said[i] && (i == at || is_one_thing(&f->all[at], &f->all[i]))) {
            g.all = mem_grow(g.all, (size_t)g.n + 1, sizeof *g.all);
            g.all[g.n++] = &f->all[i];
            is_said[i] = true;
        }
    return g;
}

static void say_gpu(const char *slug, bool is_short, const char *before)
{
    char name[GPU_NAME_MOST];
    gpu_short(name, slug);
    fprintf(stderr, "%s%s", before, is_short ? name : slug);
}

/* GPUs of the first's very words, or of the same with other figures. */
static int say_gpus(const struct group *g, bool same)
{
    int n = 0;
    for (int i = 0; i < g->n; i++)
        if (g->all[i]->gpu && !strcmp(g->all[i]->text, g->all[0]->text) == same)
            say_gpu(g->all[i]->gpu, g->n > 1, n++ ? ", " : same ? "on " : "; other figures on ");
    return n;
}

static void say_marks(const struct finding *first, int n)
{
    if (n == 1)
        fprintf(stderr, "one mark " SCAFFOLD_MARK " is left to you [%s]\n", first->rule->id);
    else
        fprintf(stderr, "%d marks " SCAFFOLD_MARK "%s are left to you, here is the first [%s]\n", n,
                n < MOST_TOLD ? "" : " or more", first->rule->id);
}

static void say_group(const struct group *g, const char *folder)
{
    const struct finding *x = g->all[0];
    fprintf(stderr, "warpdrill: ");
    if (x->file && strcmp(folder, "."))
        fprintf(stderr, "%s/", folder);
    if (x->file)
        fprintf(stderr, "%s:", x->file);
    if (x->line)
        fprintf(stderr, "%d:%d:", x->line, x->col);
    if (!x->file)
        fprintf(stderr, "%s:", x->scenario);
    fprintf(stderr, " %s: ", grade_name(x->rule->grade));
    if (is_mark(x)) {
        say_marks(x, g->n);
        return;
    }
    if (say_gpus(g, true))
        fputs(": ", stderr);
    fputs(x->text, stderr);
    say_gpus(g, false);
    fprintf(stderr, " [%s]\n", x->rule->id);
    if (x->shown)
        fprintf(stderr, "%s\n", x->shown);
}

void check_say_findings(const struct findings *f, const char *folder)
{
    bool *is_said = mem_new((size_t)f->n + 1, sizeof *is_said);
    for (int i = 0; i < f->n; i++) {
        if (is_said[i])
            continue;
        struct group g = group_of(f, i, is_said);
        say_group(&g, folder);
        free(g.all);
    }
    free(is_said);
}

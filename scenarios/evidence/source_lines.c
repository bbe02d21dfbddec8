#include "scenarios/evidence/source_lines.h"

#include <string.h>

#include "kernels/wire/token.h"

static struct msg_series *series_of(struct msg_part *part, const char *name)
{
    for (int i = 0; i < part->n_series; i++)
        if (!strcmp(part->series[i].name, name))
            return &part->series[i];
    return NULL;
}

/* Lines of an image are those of its text, which may not change beside it. Other evidence has a
 * source that can be scanned: its key is the proof. */
static bool scan_source(struct token_text *out, const struct msg_part *part,
                        const struct msg_measure *m)
{
    const struct msg_run *run = msg_run_find(msg_shape_of(m, part->variant), part->run);
    const struct msg_source *source =
        run && run->n_launches ? msg_source_find(m, msg_run_first(run)->source) : NULL;
    return source && !source->image.ptx &&
           token_scan(out, source->text, strlen(source->text), NULL) == 0;
}

/* The line of tokens that a line of the file belongs to: the last one that begins there or before.
 */
static double to_tokens(const struct token_text *t, double line)
{
    int k = 0;
    while (k < t->lines && t->line_of[k] <= line)
        k++;
    return line > 0 ? k : 0;
}

static double to_file(const struct token_text *t, double line)
{
    return line >= 1 && line <= t->lines ? t->line_of[(int)line - 1] : 0;
}

static void translate(struct msg_part *part, const struct msg_measure *m,
                      double (*to)(const struct token_text *, double))
{
    struct msg_series *lines = series_of(part, "line");
    struct token_text t;
    if (!lines || !scan_source(&t, part, m))
        return;
    for (int i = 0; i < lines->n; i++)
        lines->values[i] = to(&t, lines->values[i]);
    for (int i = 0; i < part->n_metrics; i++) {
        struct msg_value *v = &part->metrics[i];
        if (v->present && !strcmp(v->name, "top_line"))
            v->value = v->low = v->high = to(&t, v->value);
    }
    token_free(&t);
}

/* Neighbours with the same line become one entry of every series. */
static void add_up(struct msg_part *part)
{
    const struct msg_series *lines = series_of(part, "line");
    int n = 0;
    for (int i = 0; i < lines->n; i++) {
        bool same = n > 0 && lines->values[i] == lines->values[n - 1];
        n += !same;
        for (int s = 0; s < part->n_series; s++) {
            double *values = part->series[s].values;
            if (!same)
                values[n - 1] = values[i];
            else if (&part->series[s] != lines)
                values[n - 1] += values[i];
        }
    }
    for (int s = 0; s < part->n_series; s++)
        part->series[s].n = n;
}

static bool even_lengths(struct msg_part *part)
{
    const struct msg_series *lines = series_of(part, "line");
    for (int s = 0; lines && s < part->n_series; s++)
        if (part->series[s].n != lines->n)
            return false;
    return lines != NULL;
}

void source_lines_keep(struct msg_part *part, const struct msg_measure *m)
{
    translate(part, m, to_tokens);
    if (part->probe == PROBE_LINES && even_lengths(part))
        add_up(part);
}

void source_lines_find(struct msg_part *part, const struct msg_measure *m)
{
    translate(part, m, to_file);
}

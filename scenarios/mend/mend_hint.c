#include "scenarios/mend/mend_hint.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/listing.h"
#include "scenarios/text/diff.h"

enum { HINTS = 4 };

static char *hint_cause(const struct variant *v)
{
    const struct hypothesis *h = v->story->hypotheses[v->cause];
    return text_format("The cause: %s. %s", h->label, h->explain);
}

static char *hint_line(const struct variant *v)
{
    char spot[80];
    story_spot(spot, sizeof spot, v->story, v->location_line);
    return text_format("Where: %s of the suspect.", spot);
}

static char *hint_remedy(const struct variant *v)
{
    for (int i = 0; i < v->story->n_remedies; i++)
        if (v->remedies >> i & 1)
            return text_format("The remedy: %s.", v->story->remedies[i].text);
    return text_dup("No remedy is named: it is at the limit of the machine.");
}

static char *hint_lines(const struct variant *v)
{
    char *from = listing_text(v, "a", NULL), *to = listing_text(v, "b", NULL), *text = NULL;
    struct diff d = {0};
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        abort();
    fputs("What the fix changes:\n", f);
    if (from && to)
        diff_make(&d, from, to);
    for (int i = 0; i < d.n; i++)
        if (d.line[i].kind != DIFF_SAME)
            fprintf(f, "%c %.*s\n", d.line[i].kind == DIFF_IN ? '+' : '-', (int)d.line[i].len,
                    d.line[i].text);
    fclose(f);
    diff_free(&d);
    free(from);
    free(to);
    return text;
}

int mend_hints(const struct variant *v)
{
    return v->task ? v->task->n_steps : HINTS;
}

char *mend_hint(const struct variant *v, int step)
{
    if (v->task && step <= v->task->n_steps)
        return text_format("%s:\n%s", v->task->steps[step - 1].wall, v->task->steps[step - 1].hint);
    if (v->task)
        return NULL;
    switch (step) {
    case 1: return hint_cause(v);
    case 2: return hint_line(v);
    case 3: return hint_remedy(v);
    case 4: return v->fix_file ? hint_lines(v) : NULL;
    default: return NULL;
    }
}

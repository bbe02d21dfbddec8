#include "scenarios/interview/session_found.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static bool is_correction(const struct variant *v, const char *text)
{
    for (int k = 0; k < v->n_pushbacks; k++)
        if (v->pushbacks[k].kind == PUSH_CORRECTION && text && !strcmp(v->pushbacks[k].says, text))
            return true;
    return false;
}

static bool is_hint(const struct session_event *e, const struct variant *v)
{
    switch (e->kind) {
    case SESSION_HINTED:
    case SESSION_INJECTED: return true;
    case SESSION_SAID: return is_correction(v, e->text);
    default: return false;
    }
}

void session_found(struct found *out, const struct interview_entry *entries, int n,
                   const struct investigation *i, int part)
{
    int *hints = mem_new((size_t)n + 1, sizeof *hints), n_hints = 0, moves = 0;
    for (int k = 0; k < n; k++) {
        if (entries[k].part != part)
            continue;
        if (entries[k].move)
            moves++;
        else if (is_hint(entries[k].event, i->variant))
            hints[n_hints++] = moves;
    }
    found_make(out, i, hints, n_hints);
    free(hints);
}

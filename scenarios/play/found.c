#include "scenarios/play/found.h"

#include <stdio.h>
#include <string.h>

static bool was_undone(const struct investigation *i, const struct move *m)
{
    for (int k = 0; m->uid[0] && k < i->n_moves; k++)
        if (i->moves[k].kind == MOVE_UNDONE && !strcmp(i->moves[k].undone, m->uid))
            return true;
    return false;
}

/* Nothing is believed as much. */
static bool leads(const struct investigation *i, const int *points)
{
    int cause = i->variant->cause;
    for (int h = 0; h < i->story->n_hypotheses; h++)
        if (h != cause && points[h] >= points[cause])
            return false;
    return true;
}

static bool hint_before(int move, const int *hints, int n)
{
    for (int k = 0; k < n; k++)
        if (hints[k] == move)
            return true;
    return false;
}

/* What put the cause in front when the beliefs were locked; *held receives them.
 * False: there was no commitment. */
static bool walk(enum given *by, int *held, const struct investigation *i, const int *hints, int n)
{
    bool front = false, hinted = false;
    belief_even(held, i->story->n_hypotheses);
    *by = GIVEN_NOTHING;
    for (int k = 0; k < i->n_moves; k++) {
        const struct move *m = &i->moves[k];
        hinted = hinted || hint_before(k, hints, n);
        if (m->kind == MOVE_COMMITTED)
            return true;
        if (m->kind == MOVE_BOUGHT)
            hinted = false;
        if (m->kind != MOVE_BELIEVED || was_undone(i, m))
            continue;
        memcpy(held, m->points, sizeof m->points);
        if (leads(i, held) && !front)
            *by = hinted ? GIVEN_HINT : GIVEN_NOTHING;
        front = leads(i, held);
    }
    return false;
}

static enum given pushed_by(const struct investigation *i)
{
    if (i->pushback < 0)
        return GIVEN_NOTHING;
    enum push_kind kind = i->variant->pushbacks[i->pushback].kind;
    return kind == PUSH_CORRECTION ? GIVEN_CORRECTION : GIVEN_PUSHBACK;
}

void found_make(struct found *out, const struct investigation *i, const int *hints, int n_hints)
{
    int held[MAX_HYPOTHESES], cause = i->variant->cause;
    enum given by;
    *out = (struct found){.held = i->points[cause], .last = i->points[cause]};
    out->locked = walk(&by, held, i, hints, n_hints);
    if (!out->locked)
        return;
    out->cut = i->cut & CUT_LOCK;
    out->held = held[cause];
    out->pushed = pushed_by(i);
    out->by = leads(i, held) ? by : leads(i, i->points) ? out->pushed : GIVEN_NOTHING;
    out->is = leads(i, held) && by == GIVEN_NOTHING;
}

void found_after(char *out, size_t size, const struct found *f)
{
    const char *only = !f->is && f->by == f->pushed && f->by != GIVEN_NOTHING ? "only " : "";
    const char *pushed = f->pushed == GIVEN_CORRECTION ? "correction" : "pushback";
    *out = '\0';
    if (f->last != f->held)
        snprintf(out, size, ", %d %% %safter the %s", f->last, only, pushed);
    else if (f->cut)
        snprintf(out, size, " when it was cut by the interviewer");
}

void found_says(char *out, size_t size, const struct found *f)
{
    const char *form = f->is ? "found, at %d %%%s"
                       : f->by == GIVEN_HINT
                           ? "not found alone: in front only after a hint, at %d %%%s"
                       : f->cut ? "not reached, at %d %%%s"
                       : f->last != f->held ? "not found: %d %% when the beliefs were locked%s"
                                            : "not found, at %d %%%s";
    char after[64];
    found_after(after, sizeof after, f);
    snprintf(out, size, form, f->held, f->locked ? after : ", never locked");
}

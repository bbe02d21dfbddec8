/* What the interviewer may say next: pushbacks, a number for each estimate, three hints from far to
 * near. */
#include "scenarios/report/session_briefing_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HINTS = 3 };

static struct briefing_say *next(struct briefing *out, int kind, int index, int keep)
{
    int room = (int)(sizeof out->says / sizeof *out->says) - keep;
    if (out->n_says >= room)
        return NULL;
    struct briefing_say *s = &out->says[out->n_says++];
    *s = (struct briefing_say){.kind = kind, .index = index};
    return s;
}

static void pushbacks(struct briefing *out, const struct brief_work *w)
{
    static const struct { enum push_kind kind; int say;
    } order[] = {{PUSH_CONVICTION, SAY_CONVICTION},
                 {PUSH_CORRECTION, SAY_CORRECTION},
                 {PUSH_RED_HERRING, SAY_HERRING}};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (int p = 0; p < w->v->n_pushbacks; p++) {
            const struct pushback *push = &w->v->pushbacks[p];
            struct briefing_say *s =
                push->kind == order[k].kind ? next(out, order[k].say, p, HINTS) : NULL;
            if (s) {
                snprintf(s->text, sizeof s->text, "%s", push->says);
                brief_add(s->note, sizeof s->note, "%s", push->teaches ? push->teaches : "");
            }
        }
}

/* ---- numbers ---- */

static bool value_of(double *out, const struct brief_work *w, const struct expr *e,
                     const struct estimate *estimate)
{
    struct quantity q;
    struct scope s = w->scope;
    if (!e->f || formula_eval(e->f, scope_lookup, &s, &q, NULL, NULL) || !isfinite(q.value))
        return false;
    *out = q.value;
    return dim_equal(q.dim, estimate->dim) || dim_equal(q.dim, DIM_NONE);
}

static void number_note(struct briefing_say *s, const struct brief_work *w, const struct truth *t)
{
    const char *unit = t->estimate->unit;
    char text[28], low[28], high[28];
    double wrong;
    if (!value_of(&s->truth, w, &t->truth, t->estimate)) {
        s->truth = 0;
        snprintf(s->note, sizeof s->note, "This recording does not hold it.");
        return;
    }
    s->within = t->within > 1.1 ? t->within : 1.1;      /* as score_estimate takes it */
    quantity_show(text, sizeof text, s->truth, unit);
    quantity_show(low, sizeof low, s->truth / s->within, unit);
    quantity_show(high, sizeof high, s->truth * s->within, unit);
    snprintf(s->expects, sizeof s->expects, "%s; take %s to %s", text, low, high);
    for (int m = 0; m < t->n_mistakes; m++)
        if (value_of(&wrong, w, &t->mistakes[m].value, t->estimate)) {
            quantity_show(text, sizeof text, wrong, unit);
            brief_add(s->note, sizeof s->note, "%s: %s", text, t->mistakes[m].says);
            return;
        }
}

bool brief_number(char *out, size_t size, const struct brief_work *w, const struct truth *t)
{
    double truth;
    if (!value_of(&truth, w, &t->truth, t->estimate))
        return false;
    quantity_show(out, size, truth, t->estimate->unit);
    return true;
}

static void numbers(struct briefing *out, const struct brief_work *w)
{
    for (int t = 0; t < w->v->n_truths; t++) {
        const struct truth *truth = &w->v->truths[t];
        bool across = truth->estimate->across;
        if (across && !w->scope.other)
            return;
        struct briefing_say *s =
            next(out, SAY_NUMBER, (int)(truth->estimate - w->story->estimates), HINTS);
        if (!s)
            return;
        snprintf(s->text, sizeof s->text, "%s", truth->estimate->ask);
        if (across)
            brief_add(s->text, sizeof s->text, " (%s)", w->scope.other->device.name);
        number_note(s, w, truth);
    }
}

/* ---- hints ---- */

/* Which part of the machine or of the work to think about, without a cause's name. */
static const char *space_of(const struct hypothesis *h)
{
    static const struct { const char *group, *ask;
    } spaces[] = {
        {"memory", "Follow the bytes from DRAM to the registers and back. Where on that way could "
                   "they be lost?"},
        {"shared memory",
         "What does each block keep for itself inside an SM, and what does that cost?"},
        {"latency", "What does a warp wait for, and what goes on meanwhile?"},
        {"occupancy and shape",
         "How is the work cut up and spread over the SMs? Is each of them busy, and until when?"},
        {"instructions", "Count what the SMs execute. Is it what the task needs?"},
        {"host and pipeline", "Look at the whole step from the host's side. What happens between "
                              "the kernels, and in which order?"},
        {"correctness", "How do you know that the result is right, each time and for every size?"},
        {"measurement", "What exactly was timed, and does anybody run it like that?"},
        {"system", "Is every part of the system doing the same work at the same pace?"},
        {"nothing was wrong",
         "What is the best that this could ever reach, and how far from it is it?"},
    };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (!strcmp(spaces[i].group, h->group))
            return spaces[i].ask;
    return "What could be different from what you take for granted?";
}

static void hint(struct briefing *out, int index, const char *text, const char *note)
{
    struct briefing_say *s = next(out, SAY_HINT, index, 0);
    if (!s)
        return;
    snprintf(s->text, sizeof s->text, "%s", text);
    snprintf(s->note, sizeof s->note, "%s", note);
}

static void hints(struct briefing *out, const struct brief_work *w)
{
    const struct hypothesis *cause = w->story->hypotheses[w->v->cause];
    const struct reading *r = w->n_order ? &w->v->readings[w->order[0]] : NULL;
    char text[512], name[64], fact[161], note[96];
    snprintf(note, sizeof note, "Points to the space: %s.", cause->group);
    hint(out, 0, space_of(cause), note);
    if (!r) {
        hint(out, 1, "Which purchase would come out differently for your two likeliest causes?",
             "Nothing that was recorded tells the cause alone.");
        hint(out, 2, "Go through your list once more: what has each of them against it?",
             "Nothing that was recorded tells the cause alone.");
        return;
    }
    brief_short(name, sizeof name, w->story, r->probe);
    snprintf(text, sizeof text, "What would \"%s\" (%s) show for each of your likeliest causes?",
             brief_title(w->story, r->probe), name);
    hint(out, 1, text, "Names the purchase that tells most.");
    brief_fact(fact, sizeof fact - 1, w, r);
    bool reason = strncmp(fact, r->because, strlen(fact)) == 0;
    snprintf(text, sizeof text, "\"%s\" shows this: %s%s%s", brief_title(w->story, r->probe),
             reason ? "" : fact, reason ? "" : ". ", r->because);
    hint(out, 2, text, "Gives the fact away.");
}

void brief_says(struct briefing *out, const struct brief_work *w)
{
    pushbacks(out, w);
    numbers(out, w);
    hints(out, w);
}

#include "scenarios/play/debrief_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static void shares_of(double *out, const int *points, int k)
{
    for (int h = 0; h < k; h++)
        out[h] = points[h] / 100.0;
}

static void walk_scope(struct walk *w, const struct msg_device *device, const struct evidence *all)
{
    const struct investigation *i = w->i;
    w->bought = mem_new((size_t)i->n_bought, sizeof *w->bought);
    w->list = mem_new((size_t)i->n_bought, sizeof *w->list);
    for (int b = 0; b < i->n_bought; b++) {
        if (i->bought[b].evidence)
            w->bought[b] = *i->bought[b].evidence;
        snprintf(w->bought[b].probe, sizeof w->bought[b].probe, "%s", i->bought[b].probe);
        w->list[b] = &w->bought[b];
    }
    w->scope = (struct scope){.story = i->story,
                              .device = device,
                              .bought = w->list,
                              .n_bought = i->n_bought,
                              .all = all,
                              .other = i->other};
}

/* What was on the screen says it, and nothing else: the symptom and the first n purchases. */
void walk_readings(const struct walk *w, int n, bool *flags)
{
    struct scope s = w->scope;
    s.n_bought = n;
    s.all = NULL;
    ideal_flags_shown(w->v, &s, w->scope.all, flags);
}

/* Likelihoods of all that step s knows. A source opened after the commitment is news of the
 * pushback's step. */
static void step_likelihood(const struct walk *w, int s, double *likelihood)
{
    bool last = w->pushed && s == w->n;
    bool *flags = mem_new((size_t)w->v->n_readings, sizeof *flags);
    walk_readings(w, last ? w->i->n_bought : s, flags);
    ideal_likelihood(w->v, flags, likelihood);
    if (last) {
        double push[MAX_HYPOTHESES];
        ideal_pushback(w->v, flags, &w->v->pushbacks[w->i->pushback], &w->scope, push);
        for (int h = 0; h < w->k; h++)
            likelihood[h] *= push[h];
    }
    free(flags);
}

static void even_beliefs(double *out, int k)
{
    for (int h = 0; h < k; h++)
        out[h] = 1.0 / k;
}

/* Where step s leads whoever began at `opening`; with the symptom in it, its likelihoods are taken
 * out of the step's. */
static void lead(const struct walk *w, int s, shares opening, bool stated, shares *leads)
{
    double likelihood[MAX_HYPOTHESES], symptom[MAX_HYPOTHESES];
    step_likelihood(w, s, likelihood);
    score_posterior(leads[0], opening, likelihood, w->k);
    step_likelihood(w, 0, symptom);
    for (int h = 0; stated && h < w->k; h++)
        likelihood[h] /= symptom[h];
    score_posterior(leads[1], opening, likelihood, w->k);
}

static void walk_leads(struct walk *w)
{
    int even[MAX_HYPOTHESES];
    shares opening;
    belief_even(even, w->k);
    bool stated = memcmp(even, w->i->steps[0].points, (size_t)w->k * sizeof *even) != 0;
    if (stated)
        shares_of(opening, w->i->steps[0].points, w->k);
    else
        even_beliefs(opening, w->k);
    lead(w, w->open, opening, stated, w->leads[AT_COMMITMENT]);
    lead(w, w->n, opening, stated, w->leads[AT_ANSWER]);
}

void walk_make(struct walk *w, const struct investigation *i, const struct msg_device *device,
               const struct evidence *all)
{
    *w = (struct walk){.i = i,
                       .v = i->variant,
                       .k = i->story->n_hypotheses,
                       .truth = i->variant->cause,
                       .n = i->n_steps - 1};
    w->pushed = i->pushback >= 0 && strcmp(i->steps[w->n].after, "pushback") == 0;
    w->open = w->n - w->pushed;
    w->you = mem_new((size_t)w->n + 1, sizeof *w->you);
    w->ideal = mem_new((size_t)w->n + 1, sizeof *w->ideal);
    walk_scope(w, device, all);
    for (int s = 0; s <= w->n; s++) {
        double likelihood[MAX_HYPOTHESES], even[MAX_HYPOTHESES];
        even_beliefs(even, w->k);
        step_likelihood(w, s, likelihood);
        shares_of(w->you[s], i->steps[s].points, w->k);
        score_posterior(w->ideal[s], even, likelihood, w->k);
    }
    walk_leads(w);
}

void walk_free(struct walk *w)
{
    free(w->bought);
    free(w->list);
    free(w->you);
    free(w->ideal);
}

double walk_gap(const struct walk *w, enum moment m, const double *beliefs, const double **leads)
{
    double apart = score_distance(beliefs, w->leads[m][0], w->k),
           within = score_distance(beliefs, w->leads[m][1], w->k);
    if (leads)
        *leads = w->leads[m][within < apart];
    return within < apart ? within : apart;
}

double walk_thrift(const struct walk *w)
{
    return score_thrift(investigation_tested(w->i), w->i->price, w->i->par, w->i->patience);
}

double walk_updating(const struct walk *w, const double *last)
{
    double committed = score_updating(walk_gap(w, AT_COMMITMENT, w->you[w->open], NULL)),
           answered = score_updating(walk_gap(w, AT_ANSWER, last, NULL));
    if (!investigation_tested(w->i))
        return 0;
    return (UPDATING_COMMITTED * committed + UPDATING_ANSWERED * answered) /
           (UPDATING_COMMITTED + UPDATING_ANSWERED);
}

double walk_worth(const struct walk *w, const double *last)
{
    return score_stakes(last, w->k, w->truth, walk_thrift(w),
                        story_asks_left(w->v->story)) +
           score_line_possible(LINE_UPDATING) * walk_updating(w, last);
}

bool walk_said_left(const struct walk *w)
{
    return investigation_tested(w->i) && w->i->then == variant_left(w->v);
}

bool walk_checked(const struct walk *w)
{
    for (int b = 0; b < w->i->n_bought; b++) {
        const struct experiment *x = story_experiment(w->v->story, w->i->bought[b].probe);
        if (!strcmp(w->i->bought[b].probe, "verify") ||
            (x && (x->shop == SHOP_VERIFY || x->measure == PROBE_CHECK)))
            return true;
    }
    return false;
}

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
                              .all = all};
}

/* What the first n purchases say, by readings: they see what was bought and nothing else. */
void walk_readings(const struct walk *w, int n, bool *flags)
{
    struct scope s = w->scope;
    s.n_bought = n;
    s.all = NULL;
    ideal_flags(w->v, &s, flags);
}

static void step_likelihood(const struct walk *w, int s, bool *before, bool *after, double *news)
{
    bool last = w->pushed && s == w->n;
    walk_readings(w, s - 1, before);
    walk_readings(w, last ? w->i->n_bought : s, after);
    ideal_news(w->v, before, after, news);
    if (!last || w->i->pushback < 0)
        return;
    double push[MAX_HYPOTHESES];
    ideal_pushback(w->v, after, &w->v->pushbacks[w->i->pushback], &w->scope, push);
    for (int h = 0; h < w->k; h++)
        news[h] *= push[h];
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
    w->you = mem_new((size_t)w->n + 1, sizeof *w->you);
    w->target = mem_new((size_t)w->n + 1, sizeof *w->target);
    w->ideal = mem_new((size_t)w->n + 1, sizeof *w->ideal);
    walk_scope(w, device, all);
    bool *before = mem_new((size_t)w->v->n_readings, sizeof *before),
         *after = mem_new((size_t)w->v->n_readings, sizeof *after);
    for (int h = 0; h < w->k; h++)
        w->ideal[0][h] = 1.0 / w->k;
    shares_of(w->you[0], i->steps[0].points, w->k);
    for (int s = 1; s <= w->n; s++) {
        double news[MAX_HYPOTHESES];
        step_likelihood(w, s, before, after, news);
        shares_of(w->you[s], i->steps[s].points, w->k);
        score_posterior(w->target[s], w->you[s - 1], news, w->k);
        score_posterior(w->ideal[s], w->ideal[s - 1], news, w->k);
    }
    free(before);
    free(after);
}

void walk_free(struct walk *w)
{
    free(w->bought);
    free(w->list);
    free(w->you);
    free(w->target);
    free(w->ideal);
}

double walk_updating(const struct walk *w, const double *last)
{
    double *beliefs = mem_new((size_t)(w->n + 1) * (size_t)w->k, sizeof *beliefs);
    double *ideal = mem_new((size_t)w->n * (size_t)w->k, sizeof *ideal);
    for (int s = 0; s <= w->n; s++)
        for (int h = 0; h < w->k; h++)
            beliefs[s * w->k + h] = s == w->n ? last[h] : w->you[s][h];
    for (int s = 1; s <= w->n; s++)
        memcpy(ideal + (s - 1) * w->k, w->target[s], (size_t)w->k * sizeof *ideal);
    double share = score_updating(beliefs, ideal, w->n, w->k);
    free(beliefs);
    free(ideal);
    return share;
}

double walk_worth(const struct walk *w, const double *last)
{
    return score_stakes(last, w->k, w->truth, w->i->price, w->i->par, w->i->patience)
         + score_line_possible(LINE_UPDATING) * walk_updating(w, last);
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

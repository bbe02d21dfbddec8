/* The ideal reader beside the candidate: from the same purchases, readings and pushback to
 * beliefs. */
#include "tui/interview/console_ideal.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels/wire/text.h"
#include "scenarios/play/ideal.h"
#include "scenarios/play/scoring.h"

void console_ideal(int *points, const struct variant *v, const struct investigation *i,
                   int n_bought, const struct msg_device *device, const struct evidence *all)
{
    int k = v->story->n_hypotheses;
    struct evidence *bought = mem_new((size_t)n_bought + 1, sizeof *bought),
                    **list = mem_new((size_t)n_bought + 1, sizeof *list);
    bool *flags = mem_new((size_t)v->n_readings + 1, sizeof *flags);
    double likelihood[MAX_HYPOTHESES], push[MAX_HYPOTHESES], even[MAX_HYPOTHESES],
        after[MAX_HYPOTHESES];
    int rounded[MAX_HYPOTHESES];
    for (int b = 0; b < n_bought; b++) {
        if (i->bought[b].evidence)
            bought[b] = *i->bought[b].evidence;
        snprintf(bought[b].probe, sizeof bought[b].probe, "%s", i->bought[b].probe);
        list[b] = &bought[b];
    }
    struct scope scope = {.story = v->story,
                          .device = device,
                          .bought = list,
                          .n_bought = n_bought};
    ideal_flags_shown(v, &scope, all, flags);
    ideal_likelihood(v, flags, likelihood);
    scope.all = all;
    if (i->pushback >= 0 && i->pushback < v->n_pushbacks && n_bought == i->n_bought) {
        ideal_pushback(v, flags, &v->pushbacks[i->pushback], &scope, push);
        for (int h = 0; h < k; h++)
            likelihood[h] *= push[h];
    }
    for (int h = 0; h < k; h++)
        even[h] = 1.0 / k;
    score_posterior(after, even, likelihood, k);
    belief_round(rounded, after, k, 0);
    belief_show(points, after, rounded, k);
    free(flags);
    free(list);
    free(bought);
}

#include "drills/progress/advice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STRONG 0.9 /* a topic with more right than this is no weakness */

static int minutes(int seconds)
{
    return (seconds + 59) / 60;
}

static int percent(double share)
{
    return (int)lround(100 * share);
}

/* "33 drills (36 min)"; nothing for none. */
static size_t amount(char *out, size_t size, int n, const char *name, const struct queue_sum *sum)
{
    if (n == 0)
        return 0;
    return (size_t)snprintf(out, size, "%d %s%s (%d min)", n, name, n == 1 ? "" : "s",
                            minutes(sum->seconds));
}

static bool advise_due(struct advice *a, const struct queue *q)
{
    const struct queue_sum *d = &q->sum[QUEUE_DRILL], both = queue_cards(q), *c = &both;
    int due = d->now - d->fresh + c->now - c->fresh;
    if (d->now + c->now == 0)
        return false;
    snprintf(a->what, sizeof a->what, "%s",
             d->now && c->now ? "drills and cards"
             : d->now         ? "drills"
                              : "cards");
    size_t n = amount(a->why, sizeof a->why, d->now, "drill", d);
    if (d->now && c->now)
        n += (size_t)snprintf(a->why + n, sizeof a->why - n, " and ");
    n += amount(a->why + n, sizeof a->why - n, c->now, "card", c);
    snprintf(a->why + n, sizeof a->why - n,
             due ? " for today, %d of them due again" : " for today, all new", due);
    return true;
}

static bool advise_weakest(struct advice *a, const struct standing *s)
{
    const struct standing_share *worst = NULL;
    for (int i = 0; i < s->n_topics; i++) {
        const struct standing_share *t = &s->topics[i];
        if (t->ranged && t->share < STRONG && (!worst || t->high < worst->high))
            worst = t;
    }
    if (!worst)
        return false;
    snprintf(a->what, sizeof a->what, "%s", worst->group);
    snprintf(a->why, sizeof a->why, "your weakest topic: right %d of %d times, %d to %d %%",
             worst->right, worst->n, percent(worst->low), percent(worst->high));
    return true;
}

static bool advise_untried(struct advice *a, const struct standing *s)
{
    const struct standing_share *first = NULL;
    int tried = 0;
    for (int i = 0; i < s->n_topics; i++) {
        const struct standing_share *t = &s->topics[i];
        tried += t->n > 0;
        if (t->n == 0 && (!first || queue_weight(t->group) > queue_weight(first->group)))
            first = t;
    }
    if (!first || tried == 0)
        return false;
    snprintf(a->what, sizeof a->what, "%s", first->group);
    snprintf(a->why, sizeof a->why, "not tried yet%s",
             queue_weight(first->group) > 2 ? ", and interviews often ask it" : "");
    return true;
}

/* The bin that is furthest off, of those whose interval excludes the stated share; NULL: none. */
static const struct standing_bin *most_off(const struct standing_bin *bin, int n)
{
    const struct standing_bin *worst = NULL;
    for (int i = 0; i < n; i++)
        if (bin[i].ranged && (bin[i].said < bin[i].low || bin[i].said > bin[i].high) &&
            (!worst || fabs(bin[i].said - bin[i].right) > fabs(worst->said - worst->right)))
            worst = &bin[i];
    return worst;
}

static bool advise_beliefs(struct advice *a, const struct standing *s)
{
    const struct standing_bin *b = most_off(s->beliefs, STANDING_BINS);
    if (!b)
        return false;
    bool too_much = b->said > b->right;
    snprintf(a->what, sizeof a->what, too_much ? "say less" : "say more");
    snprintf(a->why, sizeof a->why, "causes you held at %d %% were the truth in %d %% of %d cases",
             percent(b->said), percent(b->right), b->n);
    return true;
}

static bool advise_intervals(struct advice *a, const struct standing *s)
{
    const struct standing_bin *b = most_off(s->stated, STANDING_STATED);
    if (!b)
        return false;
    snprintf(a->what, sizeof a->what,
             b->said > b->right ? "wider intervals" : "narrower intervals");
    snprintf(a->why, sizeof a->why, "those you gave %d %% held the truth in %d %% of %d cases",
             percent(b->said), percent(b->right), b->n);
    return true;
}

static bool advise_slip(struct advice *a, const struct standing *s)
{
    if (s->n_slips == 0 || s->slips[0].n < 2)
        return false;
    snprintf(a->what, sizeof a->what, "look out");
    snprintf(a->why, sizeof a->why, "%d times: %.140s", s->slips[0].n, s->slips[0].slip);
    return true;
}

int advice_make(struct advice out[ADVICE_MOST], const struct standing *s, const struct queue *q)
{
    int n = 0;
    n += advise_due(&out[n], q);
    n += advise_weakest(&out[n], s);
    n += advise_untried(&out[n], s);
    n += advise_beliefs(&out[n], s);
    n += advise_intervals(&out[n], s);
    n += advise_slip(&out[n], s);
    return n;
}

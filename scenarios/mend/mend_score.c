#include "scenarios/mend/mend_score.h"

#include <stdio.h>


struct mend_score mend_score_of(const struct mend_tries *t)
{
    const struct mend_try *best = mend_best(t);
    struct mend_score s = {.hints = t->hints, .gpu = ""};
    int64_t first = 0, end = 0;
    for (int i = 0; i < t->n; i++) {
        const struct mend_verdict *v = &t->all[i].verdict;
        if (v->is == MEND_OPEN)
            continue;
        if (s.tries++ == 0)
            first = t->all[i].at_ms;
        s.right += v->is == MEND_RIGHT;
        end = t->all[i].at_ms;
    }
    if (best) {
        s.best = best->number;
        s.done = mend_is_done(&best->verdict);
        s.has_share = best->verdict.has_share;
        s.share = best->verdict.share;
        if (!best->verdict.time[MEND_SUSPECT].there)
            s.speed = 1 / best->verdict.against.value;
        s.gpu = best->verdict.gpu;
        end = best->at_ms;
    }
    s.seconds = end > first ? (double)(end - first) / 1000 : 0;
    return s;
}

/* "40 s", "12 min", "2 h 5 min" */
static void time_words(char out[40], double seconds)
{
    int minutes = (int)(seconds / 60 + 0.5);
    if (seconds < 60)
        snprintf(out, 40, "%.0f s", seconds);
    else if (minutes < 60)
        snprintf(out, 40, "%d min", minutes);
    else
        snprintf(out, 40, "%d h %d min", minutes / 60, minutes % 60);
}

void mend_score_words(char *out, size_t size, const struct mend_score *s)
{
    char time[40], share[48] = "", hints[32] = "", gpu[110] = "";
    time_words(time, s->seconds);
    if (s->has_share)
        snprintf(share, sizeof share, ", %.0f %% of the gap closed", 100 * s->share);
    else if (s->speed > 0)
        snprintf(share, sizeof share, ", %.0f %% of our best's speed", 100 * s->speed);
    if (s->hints)
        snprintf(hints, sizeof hints, ", %d hint%s", s->hints, s->hints == 1 ? "" : "s");
    if (*s->gpu)
        snprintf(gpu, sizeof gpu, " (%s)", s->gpu);
    snprintf(out, size, "%s%s, %d %s, %s%s%s", s->best ? "right" : "not right yet", share, s->tries,
             s->tries == 1 ? "try" : "tries", time, hints, gpu);
}

void mend_progress_words(char *out, size_t size, const struct mend_tries *tries)
{
    struct mend_score score = mend_score_of(tries);
    if (tries->n)
        mend_score_words(out, size, &score);
    else if (tries->hints)
        snprintf(out, size, "no try yet, %d hint%s", tries->hints, tries->hints == 1 ? "" : "s");
    else
        snprintf(out, size, "not begun");
}

json_t *mend_score_encode(const struct mend_score *s)
{
    return json_pack("{s:b, s:b, s:o, s:o, s:i, s:i, s:o, s:f, s:i, s:s}", "right", s->best > 0,
                     "done", s->done, "gap_closed",
                     s->has_share ? json_real(s->share) : json_null(), "best_share",
                     s->speed > 0 ? json_real(s->speed) : json_null(),
                     "tries", s->tries, "tries_right", s->right, "best",
                     s->best ? json_integer(s->best) : json_null(), "seconds", s->seconds, "hints",
                     s->hints, "gpu", s->gpu);
}

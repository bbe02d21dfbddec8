#include "scenarios/play/scoring.h"

#include <math.h>
#include <stdio.h>

double score_quality(const double *p, int k, int truth)
{
    double b = 0;
    for (int i = 0; i < k; i++) {
        double d = p[i] - (i == truth);
        b += d * d;
    }
    return k > 1 ? 1 - b / (1 - 1.0 / k) : 1;
}

double score_cause(double q, bool asks_left, bool said_right)
{
    return asks_left ? (2 * q + said_right) / 3 : q;
}

double score_thrift(bool tested, double paid, double par, double patience)
{
    if (!tested)
        return 0;
    if (paid <= par)
        return 1;
    return paid >= patience ? 0 : 1 - (paid - par) / (patience - par);
}

double score_estimate(double given, double truth, double within)
{
    if (!(given > 0) || !(truth > 0) || !isfinite(given) || !isfinite(truth))
        return 0;
    double f = given > truth ? given / truth : truth / given;
    double free_up_to = fmax(1.10, within);
    double nothing_from = fmax(3, free_up_to * free_up_to);
    if (f <= free_up_to)
        return 1;
    return f >= nothing_from ? 0 : 1 - log(f / free_up_to) / log(nothing_from / free_up_to);
}

void score_posterior(double *out, const double *prior, const double *likelihood, int k)
{
    double sum = 0;
    for (int i = 0; i < k; i++)
        sum += prior[i] * likelihood[i];
    for (int i = 0; i < k; i++)
        out[i] = sum > 0 ? prior[i] * likelihood[i] / sum : prior[i];
}

double score_distance(const double *a, const double *b, int k)
{
    double sum = 0;
    for (int i = 0; i < k; i++)
        sum += fabs(a[i] - b[i]);
    return sum / 2;
}

double score_updating(double distance)
{
    double u = (UPDATING_NONE - distance) / (UPDATING_NONE - UPDATING_FULL);
    return u > 1 ? 1 : u > 0 ? u : 0;
}

static const struct { const char *name; int possible;
} lines[LINE_COUNT] = {
    [LINE_CAUSE] = {"cause", 40},         [LINE_EVIDENCE] = {"evidence", 20},
    [LINE_ESTIMATES] = {"estimates", 20}, [LINE_UPDATING] = {"updating", 10},
    [LINE_LOCATION] = {"location", 5},    [LINE_REMEDY] = {"remedy", 5},
};

const char *score_line_name(enum score_line_id l)
{
    return lines[l].name;
}

int score_line_possible(enum score_line_id l)
{
    return lines[l].possible;
}

void score_add_up(struct score *s)
{
    s->sum = 0;
    s->of = 0;
    for (int l = 0; l < LINE_COUNT; l++) {
        s->sum += round(s->line[l]);
        s->of += s->possible[l];
    }
    s->total = s->of > 0 ? round(100 * s->sum / s->of) : 0;
}

double score_shown(double total)
{
    return total > 0 ? round(total) : 0;
}

bool score_is_cut(const struct score *s)
{
    bool cut = false;
    for (int l = 0; l < LINE_COUNT; l++)
        cut = cut || s->cut[l];
    return cut;
}

void score_says(char *out, size_t size, const struct score *s)
{
    double shown = score_shown(s->total);
    if (score_is_cut(s) && s->of == 0)
        snprintf(out, size, "nothing was reached");
    else if (score_is_cut(s))
        snprintf(out, size, "%.0f of 100, %.0f of the %d points that were reached", shown, s->sum,
                 s->of);
    else
        snprintf(out, size, "%.0f of 100", shown);
}

double score_stakes(const double *p, int k, int truth, double thrift, bool asks_left)
{
    double q = score_quality(p, k, truth);
    return lines[LINE_CAUSE].possible * score_cause(q, asks_left, false) +
           lines[LINE_EVIDENCE].possible * thrift * q;
}

/* Beliefs as whole points: 100 of them over at most ten hypotheses; and as the odds behind them
 * while keys are pressed. */
#include "scenarios/play/investigation.h"

#include <math.h>

#define TIE 1e-9   /* remainders closer than this are equal; the lower index goes first */

/* Those whose share would fall below the floor get the floor; the others share the rest by weight.
 */
static void shares(double *out, const double *weights, int k, int floor_points, int total)
{
    bool low[MAX_HYPOTHESES] = {false};
    for (bool again = true; again;) {
        double sum = 0;
        int rest = total;
        again = false;
        for (int i = 0; i < k; i++) {
            sum += low[i] ? 0 : weights[i];
            rest -= low[i] ? floor_points : 0;
        }
        for (int i = 0; i < k; i++) {
            out[i] = low[i] ? floor_points : sum > 0 ? rest * weights[i] / sum : 0;
            if (!low[i] && out[i] < floor_points)
                low[i] = again = true;
        }
    }
}

static void round_to(int *points, const double *weights, int k, int floor_points, int total)
{
    double share[MAX_HYPOTHESES];
    int left = total;
    shares(share, weights, k, floor_points, total);
    for (int i = 0; i < k; i++) {
        points[i] = (int)floor(share[i] + TIE);
        left -= points[i];
    }
    for (; left > 0; left--) {
        int best = 0;
        for (int i = 1; i < k; i++)
            if (share[i] - points[i] > share[best] - points[best] + TIE)
                best = i;
        points[best]++;
    }
}

void belief_round(int *points, const double *weights, int k, int floor_points)
{
    round_to(points, weights, k, floor_points, 100);
}

void belief_even(int *points, int k)
{
    double even[MAX_HYPOTHESES];
    for (int i = 0; i < k; i++)
        even[i] = 1;
    round_to(points, even, k, 1, 100);
}

/* ---- keys ---- */

#define LEAST_ODDS 1e-3   /* of the whole: what stands at the floor comes back after a few keys */

/* The weights as shares of 1, none of them lost. */
static void normalise(double *weights, int k)
{
    for (int round = 0; round < 2; round++) {
        double sum = 0;
        for (int i = 0; i < k; i++)
            sum += weights[i];
        for (int i = 0; i < k; i++) {
            weights[i] /= sum;
            if (round == 0 && weights[i] < LEAST_ODDS)
                weights[i] = LEAST_ODDS;
        }
    }
}

/* As even as whole points can be is even: which of them got the odd point says nothing. */
static bool is_even(const int *points, int k)
{
    int least = points[0], most = points[0];
    for (int i = 1; i < k; i++) {
        least = points[i] < least ? points[i] : least;
        most = points[i] > most ? points[i] : most;
    }
    return most - least <= 1;
}

/* Points that were not said by keys (a script's, or what an undo brought back) are the odds from
 * here on. */
static void follow(double *weights, const int *points, int k)
{
    int shown[MAX_HYPOTHESES];
    bool same = true;
    for (int i = 0; i < k; i++)
        same = same && weights[i] > 0;
    if (same)
        belief_round(shown, weights, k, 1);
    for (int i = 0; i < k && same; i++)
        same = shown[i] == points[i];
    bool even = is_even(points, k);
    for (int i = 0; i < k && !same; i++)
        weights[i] = points[i] > 1 && !even ? points[i] : 1;
}

static double factor_of(enum belief_key key)
{
    return key == BELIEF_MORE ? 2 : key == BELIEF_LESS ? 0.5 : 0;
}

void belief_press(double *weights, int *points, int k, int chosen, enum belief_key key)
{
    if (k < 2 || chosen < 0 || chosen >= k)
        return;
    follow(weights, points, k);
    belief_round(points, weights, k, 1);
    int before = points[chosen], end = key == BELIEF_MORE ? 100 - (k - 1) : 1;
    while (points[chosen] == before &&
           before != end) { /* a key is never without effect where there is room */
        weights[chosen] *= factor_of(key);
        normalise(weights, k);
        belief_round(points, weights, k, 1);
    }
}

void belief_say(double *weights, int *points, int k, int chosen, int percent)
{
    double others[MAX_HYPOTHESES], rest = 0;
    int shares_of[MAX_HYPOTHESES], n = 0, most = 100 - (k - 1);
    if (k < 2 || chosen < 0 || chosen >= k)
        return;
    percent = percent < 1 ? 1 : percent > most ? most : percent;
    follow(weights, points, k);
    for (int i = 0; i < k; i++)
        if (i != chosen)
            rest += others[n++] = weights[i];
    round_to(shares_of, others, n, 1, 100 - percent);
    for (int i = 0, at = 0; i < k; i++)
        points[i] = i == chosen ? percent : shares_of[at++];
    weights[chosen] = rest * percent / (100 - percent);
    normalise(weights, k);
}

void belief_show(int *percent, const double *weights, const int *points, int k)
{
    double odds[MAX_HYPOTHESES];
    for (int i = 0; i < k; i++)
        odds[i] = weights[i];
    follow(odds, points, k);
    for (int i = 0; i < k; i++) {
        int n = 0, sum = 0;
        for (int j = 0; j < k; j++)
            if (fabs(odds[j] - odds[i]) <= TIE * odds[i]) {
                n++;
                sum += points[j];
            }
        percent[i] = (int)lround((double)sum / n);
    }
}

void belief_show_even(int *percent, int k)
{
    const double unknown[MAX_HYPOTHESES] = {0};
    int points[MAX_HYPOTHESES];
    belief_even(points, k);
    belief_show(percent, unknown, points, k);
}

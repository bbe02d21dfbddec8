/* Beliefs as whole points: 100 of them over at most ten hypotheses; and as the odds behind them
 * while keys are pressed. */
#include "scenarios/play/investigation.h"

#include <math.h>
#include <string.h>

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

static bool are_points_of(const int *points, const double *weights, int k)
{
    int shown[MAX_HYPOTHESES];
    for (int i = 0; i < k; i++)
        if (!(weights[i] > 0))
            return false;
    belief_round(shown, weights, k, 1);
    return memcmp(shown, points, (size_t)k * sizeof *points) == 0;
}

void belief_shares(double *out, const double *weights, const int *points, int k)
{
    double even[MAX_HYPOTHESES];
    for (int i = 0; i < k; i++) {
        even[i] = 1;
        out[i] = points[i];
    }
    if (are_points_of(points, weights, k))
        shares(out, weights, k, 1, 100);
    else if (are_points_of(points, even, k))
        shares(out, even, k, 1, 100);
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

/* Points that were not said by keys (a script's, or what an undo brought back) are the odds from
 * here on. */
static void follow(double *weights, const int *points, int k)
{
    bool same = are_points_of(points, weights, k);
    for (int i = 0; i < k && !same; i++)
        weights[i] = points[i] > 1 ? points[i] : 1;
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

/* Beliefs as whole points: 100 of them over at most ten hypotheses. */
#include "scenarios/investigation.h"

#include <math.h>

#define TIE 1e-9   /* remainders closer than this are equal; the lower index goes first */

/* Those whose share would fall below the floor get the floor; the others share the rest by weight. */
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

/* Where the chosen one goes: its odds doubled or halved, by one point at least where there is room. */
static int target(int now, int most, enum belief_key key)
{
    double p = now / 100.0;
    double wanted = key == BELIEF_OUT ? 0 : key == BELIEF_MORE ? 2 * p / (1 + p) : p / (2 - p);
    int points = (int)floor(100 * wanted + 0.5);
    if (key == BELIEF_MORE && points <= now)
        points = now + 1;
    if (key != BELIEF_MORE && points >= now)
        points = now - 1;
    return points < 1 ? 1 : points > most ? most : points;
}

void belief_press(int *points, int k, int chosen, enum belief_key key)
{
    double others[MAX_HYPOTHESES];
    int rounded[MAX_HYPOTHESES], n = 0;
    if (k < 2 || chosen < 0 || chosen >= k)
        return;
    int now = target(points[chosen], 100 - (k - 1), key);
    for (int i = 0; i < k; i++)
        if (i != chosen)
            others[n++] = points[i];
    round_to(rounded, others, n, 1, 100 - now);
    for (int i = 0, at = 0; i < k; i++)
        points[i] = i == chosen ? now : rounded[at++];
}

#include "drills/memory/fsrs.h"

#include <math.h>

const struct fsrs_settings fsrs_default = {0.9, 36500, true};

static const double w[21] = {0.212,  1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194,
                             0.001,  1.8722, 0.1666, 0.796,  1.4835, 0.0614, 0.2629,
                             1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542};
static const int learning_steps[] = {1, 10}, relearning_steps[] = {10}; /* minutes */
#define STABILITY_MIN 0.001
#define STABILITY_MAX 36500.0

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double decay_factor(void)
{
    return pow(0.9, -1 / w[20]) - 1;
}

double fsrs_recall(const struct fsrs *f, double days)
{
    return f->phase == FSRS_NEW ? 0 : pow(1 + decay_factor() * days / f->stability, -w[20]);
}

int fsrs_interval(double stability, double retention, int most_days)
{
    double days = round(stability / decay_factor() * (pow(retention, -1 / w[20]) - 1));
    return (int)clamp(days, 1, most_days);
}

/* ---- memory ---- */

static double first_difficulty(int grade)
{
    return w[4] - exp(w[5] * (grade - 1)) + 1;
}

static double next_difficulty(double d, int grade)
{
    double moved = d - w[6] * (grade - 3) * (10 - d) / 9;
    return clamp(w[7] * first_difficulty(FSRS_EASY) + (1 - w[7]) * moved, 1, 10);
}

static double recalled(double s, double d, double recall, int grade)
{
    double harder = grade == FSRS_HARD ? w[15] : 1, easier = grade == FSRS_EASY ? w[16] : 1;
    return s * (1 + exp(w[8]) * (11 - d) * pow(s, -w[9]) * (exp(w[10] * (1 - recall)) - 1) *
                        harder * easier);
}

static double forgotten(double s, double d, double recall, bool steps)
{
    double after = w[11] * pow(d, -w[12]) * (pow(s + 1, w[13]) - 1) * exp(w[14] * (1 - recall));
    return fmin(after, steps ? s / exp(w[17] * w[18]) : s);
}

static double same_day(double s, int grade)
{
    double k = exp(w[17] * (grade - 3 + w[18])) * pow(s, -w[19]);
    return s * (grade >= FSRS_HARD ? fmax(k, 1) : k);
}

static double next_stability(const struct fsrs *f, int grade, int days, bool steps)
{
    double s;
    if (f->phase == FSRS_NEW)
        s = w[grade - 1];
    else if (days == 0 && steps)
        s = same_day(f->stability, grade);
    else if (grade == FSRS_AGAIN)
        s = forgotten(f->stability, f->difficulty, fsrs_recall(f, days), steps);
    else
        s = recalled(f->stability, f->difficulty, fsrs_recall(f, days), grade);
    return clamp(s, STABILITY_MIN, STABILITY_MAX);
}

/* ---- when ---- */

/* Longer for a better grade, whatever rounding did; the cap comes last. Without steps Again has its
 * own day. */
static int interval_of(const double stability[5], enum fsrs_grade grade, bool with_again,
                       bool with_hard, const struct fsrs_settings *o)
{
    int days[5];
    for (int g = FSRS_AGAIN; g <= FSRS_EASY; g++)
        days[g] = fsrs_interval(stability[g], o->retention, 36500);
    if (with_again) {
        days[FSRS_AGAIN] = days[FSRS_AGAIN] < days[FSRS_HARD] ? days[FSRS_AGAIN] : days[FSRS_HARD];
        days[FSRS_HARD] =
            days[FSRS_HARD] > days[FSRS_AGAIN] ? days[FSRS_HARD] : days[FSRS_AGAIN] + 1;
    } else if (with_hard && days[FSRS_HARD] > days[FSRS_GOOD]) {
        days[FSRS_HARD] = days[FSRS_GOOD];
    }
    if (with_hard && days[FSRS_GOOD] <= days[FSRS_HARD])
        days[FSRS_GOOD] = days[FSRS_HARD] + 1;
    if (days[FSRS_EASY] <= days[FSRS_GOOD])
        days[FSRS_EASY] = days[FSRS_GOOD] + 1;
    return days[grade] < o->most_days ? days[grade] : o->most_days;
}

/* The step in minutes that this grade leads to, 0 when it graduates. */
static int next_step(struct fsrs *f, enum fsrs_grade grade, const int *steps, int n)
{
    if (grade == FSRS_AGAIN) {
        f->step = 0;
        return steps[0];
    }
    if (grade == FSRS_HARD)
        return n > 1 ? (int)round((steps[0] + steps[1]) / 2.0) : (int)round(steps[0] * 1.5);
    return grade == FSRS_GOOD && ++f->step < n ? steps[f->step] : 0;
}

/* The phase after this review; minutes until the next look, 0 when whole days are to be counted. */
static int advance(struct fsrs *f, enum fsrs_grade grade, bool steps)
{
    bool lapsed = f->phase == FSRS_REVIEW && grade == FSRS_AGAIN,
         young = f->phase == FSRS_NEW || f->phase == FSRS_LEARNING;
    int minutes = 0;
    f->lapses += lapsed;
    if (steps && f->phase == FSRS_NEW)
        f->step = 0;
    if (steps && lapsed)
        f->step = 0;
    if (steps && (lapsed || f->phase == FSRS_RELEARNING))
        minutes = next_step(f, grade, relearning_steps, 1);
    else if (steps && young)
        minutes = next_step(f, grade, learning_steps, 2);
    f->phase = minutes == 0 ? FSRS_REVIEW : young ? FSRS_LEARNING : FSRS_RELEARNING;
    if (minutes == 0)
        f->step = 0;
    return minutes;
}

struct fsrs_due fsrs_review(struct fsrs *f, enum fsrs_grade grade, int days,
                            const struct fsrs_settings *settings)
{
    double stability[5] = {0};
    bool in_review = f->phase == FSRS_REVIEW, fresh = f->phase == FSRS_NEW;
    for (int g = FSRS_AGAIN; g <= FSRS_EASY; g++)
        stability[g] = next_stability(f, g, days, settings->steps);
    f->difficulty =
        fresh ? clamp(first_difficulty(grade), 1, 10) : next_difficulty(f->difficulty, grade);
    f->stability = stability[grade];
    f->reviews++;
    struct fsrs_due due = {.minutes = advance(f, grade, settings->steps)};
    if (due.minutes == 0)
        due.days = interval_of(stability, grade, !settings->steps, in_review || !settings->steps,
                               settings);
    return due;
}

#include "drills/answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/interval.h"
#include "kernels/wire/text.h"
#include "scenarios/play/scoring.h"
#include "scenarios/formula/slip.h"

#define SLIP_MOST 0.5    /* of one that has a name */
#define CLOSE_MOST 0.8   /* points of an answer just outside the tolerance */
#define FAR_OFF 1000     /* a factor from which on its size says nothing */
#define FACTOR_NEAR 1.05 /* of a general slip; the template's own mistakes have the drill's tolerance */

/* A choice by its words, without their full stop; anything else as a value. */
static void show(char *out, size_t size, const struct drill_instance *i, double value)
{
    int k = value >= 1 && value <= i->drill->n_choices ? (int)value : 0;
    if (!k || k != value) {
        drill_show_value(out, size, i->drill, value);
        return;
    }
    snprintf(out, size, "%s", i->choices[k - 1]);
    size_t n = strlen(out);
    if (n && out[n - 1] == '.')
        out[n - 1] = '\0';
}

/* The points that an answer earns by its distance, without names. */
static double plain_points(const struct drill_instance *i, double value)
{
    if (drill_is_right(i, value))
        return 1;
    if (i->drill->tolerance.kind == TOLERANCE_EXACT || i->drill->n_choices || value <= 0 || i->answer <= 0)
        return 0;
    return CLOSE_MOST * score_estimate(value, i->answer, 1.0);
}

/* The nearest of the template's mistakes, else a general slip: its name, NULL when there is none; *made is what it makes of the truth. */
static const char *find_slip(const struct drill_instance *i, double value, double *made)
{
    const char *says = NULL;
    double off = tolerance_factor(i->drill->tolerance) * (1 + 1e-9);
    for (int w = 0; w < i->n_wrongs; w++) {
        double wrong = i->wrongs[w].value, ratio = wrong == value ? 1 : value / wrong;
        if (wrong != value && !(ratio > 0))
            continue;
        double factor = ratio < 1 ? 1 / ratio : ratio;
        if (factor <= off && (!says || factor < off)) {
            *made = wrong;
            off = factor;
            says = i->wrongs[w].says;
        }
    }
    if (!says && !i->drill->n_choices && value > 0 && i->answer > 0)
        *made = slip_find(value, i->answer, i->drill->dim, fmin(FACTOR_NEAR, tolerance_factor(i->drill->tolerance)), &says);
    return says;
}

static void grade_value(struct drill_graded *out, const struct drill_instance *i, double value)
{
    char given[120], right[120];
    double made = 0, factor;
    show(given, sizeof given, i, value);
    show(right, sizeof right, i, i->answer);
    out->value = value;
    out->log_error = value > 0 && i->answer > 0 ? log(value / i->answer) : 0;
    out->points = plain_points(i, value);
    const char *says = out->points >= 1 ? NULL : find_slip(i, value, &made);
    if (out->points >= 1) {
        out->how = DRILL_RIGHT;
        snprintf(out->say, sizeof out->say, "Right: %s.", right);
    } else if (says) {
        double corrected = made != 0 && !i->drill->n_choices ? plain_points(i, value * i->answer / made) / 2 : 0;
        out->how = DRILL_SLIP;
        out->points = fmin(fmax(out->points, corrected), SLIP_MOST);
        snprintf(out->slip, sizeof out->slip, "%s", says);
        snprintf(out->say, sizeof out->say, i->drill->n_choices ? "Not %s, but %s. %s" : "%s for %s: %s", given, right, says);
    } else if (i->drill->n_choices) {
        out->how = DRILL_WRONG;
        snprintf(out->say, sizeof out->say, "Not %s, but %s.", given, right);
    } else {
        out->how = out->points > 0 ? DRILL_CLOSE : DRILL_WRONG;
        factor = exp(fabs(out->log_error));
        if (factor >= FAR_OFF)
            snprintf(out->say, sizeof out->say, "Far off: it is %s.", right);
        else if (value > 0 && i->answer > 0)
            snprintf(out->say, sizeof out->say, "%s for %s: off by %.3g x.", given, right, factor);
        else
            snprintf(out->say, sizeof out->say, "%s for %s.", given, right);
    }
}

/* No unit at its end. */
static bool is_bare(const char *typed)
{
    size_t n = strlen(typed);
    while (n > 0 && typed[n - 1] == ' ')
        n--;
    return n > 0 && typed[n - 1] >= '0' && typed[n - 1] <= '9';
}

/* "0.94" and "3/19" mean a share as well as "94 %" does. */
static double nearer(const struct drill_instance *i, double a, double b)
{
    return fabs(a - i->answer) <= fabs(b - i->answer) ? a : b;
}

static bool read_one(struct drill_graded *out, const struct drill_instance *i, const char *typed, double *value)
{
    struct quantity q;
    enum quantity_read read = quantity_read(typed, i->drill->unit, &q, out->say, sizeof out->say);
    out->how = read == QUANTITY_WRONG_DIM ? DRILL_WRONG_UNIT : DRILL_UNREADABLE;
    *value = q.value;
    if (read == QUANTITY_OK && !strcmp(i->drill->unit, "%") && is_bare(typed))
        *value = nearer(i, q.value, 100 * q.value);
    return read == QUANTITY_OK;
}

static void grade_interval(struct drill_graded *out, const struct drill_instance *i, const char *low, const char *high, double confidence)
{
    char from[64], to[64], right[64];
    if (confidence < 0) {
        out->how = DRILL_UNREADABLE;
        snprintf(out->say, sizeof out->say, "How sure you are lies between 0 and 100 %%.");
        return;
    }
    if (!read_one(out, i, low, &out->low) || !read_one(out, i, high, &out->high))
        return;
    if (!(out->low > 0) || !(out->high > out->low) || i->answer <= 0) {
        out->how = DRILL_UNREADABLE;
        snprintf(out->say, sizeof out->say, "An interval goes from a number above zero to a larger one.");
        return;
    }
    show(from, sizeof from, i, out->low);
    show(to, sizeof to, i, out->high);
    show(right, sizeof right, i, i->answer);
    bool holds = i->answer >= out->low && i->answer <= out->high;
    out->interval = true;
    out->confidence = confidence > 0 ? confidence : INTERVAL_CONFIDENCE;
    out->value = sqrt(out->low * out->high);
    out->log_error = log(out->value / i->answer);
    out->points = interval_points(out->low, out->high, out->confidence, i->answer);
    out->how = holds ? DRILL_RIGHT : DRILL_WRONG;
    snprintf(out->say, sizeof out->say, "%s to %s at %.0f %% %s %s." DRILL_COST_WORDS "%.2f of 1.", from, to, 100 * out->confidence,
             holds ? "holds" : "misses", right, out->points);
}

static void add_clock(struct drill_graded *out, const struct drill_instance *i, double took_s)
{
    size_t n = strlen(out->say);
    if (took_s > i->drill->seconds && out->how >= DRILL_RIGHT)
        snprintf(out->say + n, sizeof out->say - n, " %.0f s over the clock.", took_s - i->drill->seconds);
}

void drill_grade(struct drill_graded *out, const struct drill_instance *i, const char *typed, bool hinted, double took_s)
{
    char low[160], high[160];
    double value, confidence;
    *out = (struct drill_graded){.how = DRILL_SKIPPED};
    if (typed[strspn(typed, " \t")] == '\0') {
        char right[120];
        show(right, sizeof right, i, i->answer);
        snprintf(out->say, sizeof out->say, "Skipped. It was %s.", right);
        return;
    }
    if (!i->drill->n_choices && interval_split(typed, low, high, sizeof low, &confidence))
        grade_interval(out, i, low, high, confidence);
    else if (read_one(out, i, typed, &value))
        grade_value(out, i, value);
    if (hinted && out->points > 0)
        out->points *= 1 - DRILL_HINT_COST;
    add_clock(out, i, took_s);
    text_clean(out->say, strlen(out->say));
    text_clean(out->slip, strlen(out->slip));
}

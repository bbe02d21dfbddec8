#include "drills/question/answer.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "drills/question/choice.h"
#include "drills/question/interval.h"
#include "kernels/wire/text.h"
#include "scenarios/formula/slip.h"
#include "scenarios/play/scoring.h"

#define SLIP_MOST 0.5    /* of one that has a name */
#define CLOSE_MOST 0.8   /* points of an answer just outside the tolerance */
#define KILO_MOST 1e6    /* bytes that are told in kB or KiB */
#define MOVED 8          /* the least factor by which a slip moves an interval */
#define SHORTEST_NOUN 4  /* letters of a word of the question that may stand behind a number */
#define FACTOR_NEAR \
    1.05 /* of a general slip; the template's own mistakes have the drill's tolerance */

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

/* The nearest of the template's mistakes: its name, NULL when there is none; *made is what it makes
 * of the truth. */
static const char *find_mistake(const struct drill_instance *i, double value, double *made)
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
    return says;
}

/* kB said for KiB, or the other way round, as interviewers let pass: not where a mistake leads to
 * the same, nor where the answer is exact. */
static bool is_kibi(const struct drill_instance *i, double value)
{
    const struct drill *d = i->drill;
    double made;
    bool tight =
        d->tolerance.kind == TOLERANCE_RELATIVE && tolerance_factor(d->tolerance) <= SLIP_KIBI;
    if (!dim_equal(d->dim, DIM_BYTE) || !tight)
        return false;
    bool holds = drill_is_right(i, value * SLIP_KIBI) || drill_is_right(i, value / SLIP_KIBI);
    return holds && i->answer < KILO_MOST && !find_mistake(i, value, &made);
}

/* The points that an answer earns by its distance, without names. */
static double plain_points(const struct drill_instance *i, double value)
{
    if (drill_is_right(i, value) || is_kibi(i, value))
        return 1;
    if (i->drill->tolerance.kind == TOLERANCE_EXACT || i->drill->n_choices || value <= 0 ||
        i->answer <= 0)
        return 0;
    return CLOSE_MOST * score_estimate(value, i->answer, 1.0);
}

/* A general slip, likewise. */
static const char *find_general(const struct drill_instance *i, double value, double *made)
{
    const char *says = NULL;
    double near = fmin(FACTOR_NEAR, tolerance_factor(i->drill->tolerance));
    if (!i->drill->n_choices && value > 0 && i->answer > 0)
        *made = slip_find(value, i->answer, i->drill->dim, near, &says);
    return says;
}

/* What is known by its name. A mistake of the template has a cap, so that what comes near by being
 * wrong is not worth more than its slip; a general one only adds. */
static const char *name_slip(struct drill_graded *out, const struct drill_instance *i, double value)
{
    double made = 0;
    const char *mistake = find_mistake(i, value, &made);
    const char *says = mistake ? mistake : find_general(i, value, &made);
    if (!says)
        return NULL;
    bool number = made != 0 && !i->drill->n_choices;
    double corrected = number ? plain_points(i, value * i->answer / made) / 2 : 0;
    out->points = fmax(out->points, fmin(corrected, SLIP_MOST));
    if (mistake)
        out->points = fmin(out->points, SLIP_MOST);
    out->how = DRILL_SLIP;
    snprintf(out->slip, sizeof out->slip, "%s", says);
    return says;
}

/* "1.4 s for 1 s: off by 1.4 x." */
static void say_off(struct drill_graded *out, const struct drill_instance *i, double value,
                    const char *given, const char *right)
{
    char off[32];
    tolerance_off_by(off, sizeof off, value, i->answer);
    if (strncmp(off, "off by", 6))
        snprintf(out->say, sizeof out->say, "Far off: it is %s.", right);
    else
        snprintf(out->say, sizeof out->say, "%s for %s: %s.", given, right, off);
}

static void grade_value(struct drill_graded *out, const struct drill_instance *i, double value)
{
    char given[120], right[120];
    show(given, sizeof given, i, value);
    show(right, sizeof right, i, i->answer);
    out->value = value;
    out->log_error = value > 0 && i->answer > 0 ? log(value / i->answer) : 0;
    out->points = plain_points(i, value);
    const char *says = out->points >= 1 ? NULL : name_slip(out, i, value);
    if (out->points >= 1) {
        out->how = DRILL_RIGHT;
        snprintf(out->say, sizeof out->say,
                 drill_is_right(i, value) ? "Right: %s." : "Right: %s; kB for KiB is let pass.",
                 right);
    } else if (says) {
        snprintf(out->say, sizeof out->say,
                 i->drill->n_choices ? "Not %s, but %s. %s" : "%s for %s: %s", given, right, says);
    } else if (i->drill->n_choices) {
        out->how = DRILL_WRONG;
        snprintf(out->say, sizeof out->say, "Not %s, but %s.", given, right);
    } else {
        out->how = out->points > 0 ? DRILL_CLOSE : DRILL_WRONG;
        if (value > 0 && i->answer > 0)
            say_off(out, i, value, given, right);
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
    return n > 0 && (isdigit((unsigned char)typed[n - 1]) || typed[n - 1] == ')');
}

/* "0.94" and "3/19" mean a share as well as "94 %" does. */
static double nearer(const struct drill_instance *i, double a, double b)
{
    return fabs(a - i->answer) <= fabs(b - i->answer) ? a : b;
}

/* The same word, or its plural. */
static bool is_said(const char *text, const char *word, size_t n)
{
    for (const char *at = text; *at; at++) {
        bool begins = at == text || !isalpha((unsigned char)at[-1]);
        if (!begins || strncasecmp(at, word, n) != 0)
            continue;
        bool plural = at[n] == 's' && !isalpha((unsigned char)at[n + 1]);
        if (plural || !isalpha((unsigned char)at[n]))
            return true;
    }
    return false;
}

/* "8 waves" without its last word, where the question has that word too. */
static bool drop_noun(char *out, size_t size, const char *typed, const char *ask)
{
    char kept[160];
    snprintf(kept, sizeof kept, "%s", typed);
    size_t end = strlen(kept);
    while (end > 0 && strchr(" .?!", kept[end - 1]))
        end--;
    size_t from = end;
    while (from > 0 && isalpha((unsigned char)kept[from - 1]))
        from--;
    bool word = end - from >= SHORTEST_NOUN && from > 0 && is_said(ask, kept + from, end - from);
    if (word)
        snprintf(out, size, "%.*s", (int)from, kept);
    return word;
}

/* Of several answers one, by its place or its words. */
static bool read_choice(struct drill_graded *out, const struct drill_instance *i, const char *typed,
                        double *value)
{
    int n = i->drill->n_choices, place = choice_by_place(typed, n);
    *value = place ? place : choice_by_words(i->choices, n, typed) + 1;
    out->how = DRILL_UNREADABLE;
    if (*value < 1)
        snprintf(out->say, sizeof out->say, "Give the number of a choice, 1 to %d.", n);
    return *value >= 1;
}

static bool read_one(struct drill_graded *out, const struct drill_instance *i, const char *typed,
                     double *value)
{
    struct quantity_reading r;
    if (i->drill->n_choices)
        return read_choice(out, i, typed, value);
    const char *unit = i->drill->unit;
    enum quantity_read read = quantity_read_bare(typed, unit, &r, out->say, sizeof out->say);
    char without[160];
    while (read == QUANTITY_UNREADABLE && drop_noun(without, sizeof without, typed, i->ask)) {
        typed = without;
        read = quantity_read_bare(typed, unit, &r, out->say, sizeof out->say);
    }
    out->how = read == QUANTITY_WRONG_DIM ? DRILL_WRONG_UNIT : DRILL_UNREADABLE;
    *value = r.q.value;
    if (r.bare == QUANTITY_AS_BASE)
        snprintf(out->taken, sizeof out->taken, "%s", r.taken);
    if (read == QUANTITY_OK && !strcmp(i->drill->unit, "%") && is_bare(typed))
        *value = nearer(i, r.q.value, 100 * r.q.value);
    return read == QUANTITY_OK;
}

/* A slip of bits, of a power of ten or of a prefix that moved the interval by more than its width,
 * or one that its middle shows. */
static void name_interval_slip(struct drill_graded *out, const struct drill_instance *i)
{
    double made = 0, half = sqrt(out->high / out->low);
    const char *says = find_mistake(i, out->value, &made);
    if (!says && !(says = find_general(i, out->value, &made))) {
        double least = fmax(MOVED, half * half);
        made = slip_find(out->value, i->answer, i->drill->dim, half, &says);
        says = made >= least * i->answer || made * least <= i->answer ? says : NULL;
    }
    if (!says || made <= 0)
        return;
    double back = i->answer / made;
    double whole = interval_points(out->low * back, out->high * back, out->confidence, i->answer);
    double corrected = whole / 2;
    out->how = DRILL_SLIP;
    out->points = fmax(out->points, fmin(corrected, SLIP_MOST));
    snprintf(out->slip, sizeof out->slip, "%s", says);
}

static void grade_interval(struct drill_graded *out, const struct drill_instance *i,
                           const char *low, const char *high, double confidence)
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
        snprintf(out->say, sizeof out->say,
                 "An interval goes from a number above zero to a larger one.");
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
    if (!holds)
        name_interval_slip(out, i);
    size_t slip = strlen(out->slip);
    slip -= slip > 0 && out->slip[slip - 1] == '.';
    snprintf(out->say, sizeof out->say,
             "%s to %s at %.0f %% %s %s%s%.*s." DRILL_COST_WORDS "%.2f of 1.",
             from, to, 100 * out->confidence, holds ? "holds" : "misses", right,
             slip ? ": " : "", (int)slip, out->slip, out->points);
}

/* How a number was understood that did not say so itself. */
static void add_taken(struct drill_graded *out)
{
    char said[sizeof out->say];
    if (!*out->taken || out->how < DRILL_RIGHT)
        return;
    snprintf(said, sizeof said, "%s", out->say);
    snprintf(out->say, sizeof out->say, "Taken as %s. %.240s", out->taken, said);
}

static void add_clock(struct drill_graded *out, const struct drill_instance *i, double took_s)
{
    size_t n = strlen(out->say);
    if (took_s > i->drill->seconds && out->how >= DRILL_RIGHT)
        snprintf(out->say + n, sizeof out->say - n, " %.0f s over the clock.",
                 took_s - i->drill->seconds);
}

void drill_grade(struct drill_graded *out, const struct drill_instance *i, const char *typed,
                 bool hinted, double took_s)
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
    add_taken(out);
    add_clock(out, i, took_s);
    text_clean(out->say, strlen(out->say));
    text_clean(out->slip, strlen(out->slip));
}

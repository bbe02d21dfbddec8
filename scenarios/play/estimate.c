/* One typed estimate against the truth: readable or not, how far off, and which known mistake
 * explains it. */
#include "scenarios/play/debrief.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/formula/slip.h"

#define BARE_BYTES 1e5 /* from here on a bare number can only count bytes */
#define NEAR \
    1.10 /* a slip is named when the answer lies within this factor of what the slip would give */

static double factor_of(double a, double b)
{
    return a > b ? a / b : b / a;
}

static bool is_near(double given, double value)
{
    return value > 0 && isfinite(value) && factor_of(given, value) <= NEAR + 1e-9;
}

/* The mistake of the pack nearest to what was given, else a general one. */
static double find_slip(double given, double truth, struct dim dim,
                        const struct slip_value *mistakes, int n, const char **says)
{
    double best = 0;
    for (int m = 0; m < n; m++)
        if (is_near(given, mistakes[m].value) &&
            (best <= 0 || factor_of(given, mistakes[m].value) < factor_of(given, best))) {
            best = mistakes[m].value;
            *says = mistakes[m].says;
        }
    return best > 0 ? best : slip_find(given, truth, dim, NEAR, says);
}

static void say_pair(struct graded *out, struct dim dim, const char *unit, const char *after)
{
    char given[64], truth[64];
    quantity_show_as(given, sizeof given, (struct quantity){out->given, dim}, unit);
    quantity_show_as(truth, sizeof truth, (struct quantity){out->truth, dim}, unit);
    snprintf(out->say, sizeof out->say, "%s for %s: %.120s", given, truth, after);
    text_clean(out->say, strlen(out->say)); /* a pack's text may have been cut inside a character */
}

static void grade_value(struct graded *out, double within, struct dim dim, const char *unit,
                        const struct slip_value *mistakes, int n)
{
    char text[208];
    const char *says = "";
    double plain = score_estimate(out->given, out->truth, within);
    out->factor = out->given > 0 ? factor_of(out->given, out->truth) : 0;
    out->points = out->possible * plain;
    out->how = plain >= 1 ? GRADED_RIGHT : GRADED_OFF;
    double slip = plain >= 1 || out->given <= 0
                      ? 0
                      : find_slip(out->given, out->truth, dim, mistakes, n, &says);
    if (slip > 0) {
        double corrected =
            out->possible * score_estimate(out->given * out->truth / slip, out->truth, within) / 2;
        out->points = fmax(out->points, corrected);
        out->how = GRADED_SLIP;
        snprintf(out->slip, sizeof out->slip, "%s", says);
        text_clean(out->slip, strlen(out->slip));
        snprintf(text, sizeof text, "%s", says);
    } else if (out->factor > 0)
        snprintf(text, sizeof text,
                 out->factor < 1.005 ? "exact to three digits"
                 : plain >= 1        ? "within %.2f x"
                                     : "off by %.3g x",
                 out->factor);
    else
        snprintf(text, sizeof text, "it must be above zero");
    say_pair(out, dim, unit, text);
}

enum quantity_read estimate_read(const char *typed, const char *unit, struct quantity_reading *out,
                                 char *say, size_t size)
{
    const char *in = strcmp(unit, "s") == 0 ? "us" : unit;
    enum quantity_read read = quantity_read_bare(typed, in, out, say, size);
    double value = out->q.value;
    bool bare_bytes = strcmp(unit, "B") == 0 && out->bare == QUANTITY_AS_ASKED;
    if (read != QUANTITY_OK || !bare_bytes || value >= BARE_BYTES)
        return read;
    snprintf(say, size, "%.6g of what? Write it with its unit, such as %.6g B or %.6g MB", value,
             value, value);
    return QUANTITY_UNREADABLE;
}

void estimate_grade(struct graded *out, const char *typed, const char *unit, double truth,
                    double within, const struct slip_value *mistakes, int n, double possible)
{
    const struct estimate *estimate = out->estimate;
    struct quantity_reading r;
    *out = (struct graded){.estimate = estimate,
                           .how = GRADED_SKIPPED,
                           .truth = truth,
                           .possible = possible};
    if (!(truth > 0) || !isfinite(truth)) {
        out->how = GRADED_NO_TRUTH;
        out->points = possible;
        snprintf(out->say, sizeof out->say, "not known on this evidence, so it costs nothing");
        return;
    }
    if (!typed) {
        out->how = GRADED_LEFT_OUT;
        snprintf(out->say, sizeof out->say, "left out");
        return;
    }
    if (typed[strspn(typed, " \t")] == '\0') {
        snprintf(out->say, sizeof out->say, "skipped");
        return;
    }
    enum quantity_read read = estimate_read(typed, unit, &r, out->say, sizeof out->say);
    if (read != QUANTITY_OK) {
        out->how = read == QUANTITY_UNREADABLE ? GRADED_UNREADABLE : GRADED_WRONG_DIM;
        return;
    }
    out->given = r.q.value;
    grade_value(out, within, r.q.dim, unit, mistakes, n);
}

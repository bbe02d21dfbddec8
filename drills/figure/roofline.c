#include "drills/figure/roofline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/question/choice.h"
#include "drills/question/fill.h"

const char *const roofline_faults[] = {"", "nowhere", "side", "far"};

void roofline_make(struct roofline *out, const struct figure_data *figure, const uint64_t *seed)
{
    *out = (struct roofline){.figure = figure, .n = figure->plot.n_points};
    for (int i = 0; i < out->n; i++)
        out->point[i] = i;
    if (seed)
        choice_deal(out->point, out->n, *seed);
}

static const struct figure_point *point_of(const struct roofline *r, int letter)
{
    return &r->figure->plot.point[r->point[letter]];
}

void roofline_known(struct roofline *out, const struct roofline *like)
{
    *out = *like;
    for (int i = 0; i < out->n; i++)
        out->at[i] = point_of(out, i)->x;
}

double roofline_rate(const struct roofline *r, int letter, double intensity, bool *memory)
{
    const struct figure_plot *plot = &r->figure->plot;
    double roof = plot->roof[point_of(r, letter)->roof].rate, reached = intensity * plot->bandwidth;
    *memory = reached < roof;
    return *memory ? reached : roof;
}

/* ---- judging ---- */

static const char *intensity_text(char out[64], double value)
{
    fill_value(out, 64, (struct quantity){value, DIM_NONE}, NULL);
    return out;
}

static enum roofline_fault fault_of(const struct roofline *r, int letter)
{
    double at = r->at[letter], right = point_of(r, letter)->x;
    bool memory, should;
    if (at <= 0)
        return PLACED_NOWHERE;
    roofline_rate(r, letter, at, &memory);
    roofline_rate(r, letter, right, &should);
    if (memory != should)
        return PLACED_SIDE;
    return at > right * ROOFLINE_NEAR || at * ROOFLINE_NEAR < right ? PLACED_FAR : PLACED_RIGHT;
}

enum roofline_fault roofline_judge(const struct roofline *r, int letter, char *why, size_t size)
{
    const struct figure_plot *plot = &r->figure->plot;
    const struct figure_roof *roof = &plot->roof[point_of(r, letter)->roof];
    double at = r->at[letter], right = point_of(r, letter)->x;
    enum roofline_fault fault = fault_of(r, letter);
    char is[64], has[64], ridge[64];
    intensity_text(is, at);
    intensity_text(has, right);
    intensity_text(ridge, roof->rate / plot->bandwidth);
    const char *by = right * plot->bandwidth < roof->rate ? "memory" : "compute";
    if (fault == PLACED_NOWHERE)
        snprintf(why, size, "%c is not placed; it has %s flop/B", 'a' + letter, has);
    else if (fault == PLACED_SIDE)
        snprintf(why, size, "%c at %s is %s of its ridge, %s; it has %s: %s", 'a' + letter, is,
                 at < right ? "left" : "right", ridge, has, by);
    else if (fault == PLACED_FAR)
        snprintf(why, size, "%c at %s flop/B: it has %s, %.1f times %s", 'a' + letter, is, has,
                 at < right ? right / at : at / right, at < right ? "more" : "less");
    else
        snprintf(why, size, "%c has %s flop/B: %s", 'a' + letter, has, by);
    return fault;
}

int roofline_right(const struct roofline *r)
{
    int right = 0;
    for (int i = 0; i < r->n; i++)
        right += fault_of(r, i) == PLACED_RIGHT;
    return right;
}

/* ---- reading ---- */

int roofline_read(struct roofline *r, const char *text, struct err *err)
{
    for (text += strspn(text, " ,"); *text; text += strspn(text, " ,")) {
        int letter = *text - 'a';
        char *end;
        if (letter < 0 || letter >= r->n)
            return err_set(err, ERR_BAD_REQUEST, "'%.12s' begins with no letter from a to %c", text,
                           'a' + r->n - 1);
        double at = strtod(text + 1, &end);
        if (end == text + 1 || !(at > 0) || at > 1e9)
            return err_set(err, ERR_BAD_REQUEST, "'%.12s' has no flop a byte behind its letter",
                           text);
        r->at[letter] = at;
        text = end;
    }
    return 0;
}

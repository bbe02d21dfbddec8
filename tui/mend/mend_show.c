#include "tui/mend/mend_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/formula/quantity.h"
#include "scenarios/mend/mend_counts.h"
#include "tui/kit/charts.h"
#include "tui/kit/draw.h"

enum { LABEL = 9, VALUE = 32 };

static enum style style_of(const struct mend_verdict *v)
{
    return v->is == MEND_RIGHT ? STYLE_GOOD : v->is == MEND_REFUSED ? STYLE_BAD : STYLE_ACCENT;
}

int mend_show_words(const struct mend_verdict *v, const char *line, int y, int w, int most)
{
    draw_text(y++, 2, w - 4, style_of(v), line);
    if (*v->why) {
        int lines = draw_wrapped((struct rect){y, 2, most, w - 4}, 0, STYLE_PLAIN, v->why);
        y += lines < most ? lines : most;
    }
    return y + 1;
}

void mend_show_where(char *out, size_t size, const struct mend_verdict *v)
{
    snprintf(out, size, *v->gpu ? "live, %s" : "", v->gpu);
}

/* ---- times ---- */

static void value_draw(const struct mend_verdict *v, enum mend_side s, int y, int w)
{
    const struct mend_time *t = &v->time[s];
    char value[24], low[24], high[24];
    quantity_show(value, sizeof value, t->value, "s");
    quantity_show(low, sizeof low, t->low, "s");
    quantity_show(high, sizeof high, t->high, "s");
    if (t->low < t->high)
        draw_textf(y, w - VALUE, VALUE, STYLE_PLAIN, "%s (%s to %s)", value, low, high);
    else if (s == MEND_ROOF && v->time[MEND_MINE].there)
        draw_textf(y, w - VALUE, VALUE, STYLE_PLAIN, "%s, %.0f %% of it reached", value,
                   100 * t->value / v->time[MEND_MINE].value);
    else
        draw_text(y, w - VALUE, VALUE, STYLE_PLAIN, value);
}

int mend_show_bars(const struct mend_verdict *v, int y, int w)
{
    double most = mend_longest(v);
    int bar = w - LABEL - VALUE - 4;
    for (int s = 0; s < MEND_SIDES; s++) {
        const struct mend_time *t = &v->time[s];
        if (!t->there)
            continue;
        draw_text(y, 2, LABEL, s == MEND_MINE ? STYLE_BOLD : STYLE_DIM,
                  mend_side_word((enum mend_side)s));
        draw_bar(y, 2 + LABEL, bar, t->value > 0 ? t->value / most : 0, true,
                 s == MEND_MINE ? STYLE_ACCENT : STYLE_SECOND);
        value_draw(v, (enum mend_side)s, y, w);
        y++;
    }
    return y;
}

/* ---- what moved ---- */

int mend_show_moved(const struct mend_moved *moved, int n, int chosen, int since,
                    const char *right, int y, int w, int end)
{
    char title[60];
    snprintf(title, sizeof title, "WHAT CHANGED SINCE TRY %d", since);
    draw_rule(y++, 0, w, title, right);
    for (int i = 0; i < n && y < end; i++) {
        char line[120];
        mend_moved_words(line, sizeof line, &moved[i]);
        draw_textf(y++, 2, w - 4, i == chosen ? STYLE_SELECTED : STYLE_PLAIN, "%-*s", w - 4, line);
    }
    return y;
}

/* ---- what a compiler says ---- */

/* Columns of the figures, from the right; `limit` where there is room. */
enum { WHO = 9, FIGURE = 10, FIGURES = 4 * FIGURE, LIMIT = 17, WIDE = 100 };
enum { COUNTED = 26, MOST_COUNTED = 8 }; /* columns of a name; rows */

static void bytes_draw(double bytes, int y, int x)
{
    char value[24];
    quantity_show(value, sizeof value, bytes, "B");
    draw_right(y, x, FIGURE, STYLE_PLAIN, value);
}

static void kernel_draw(const char *who, const struct mend_kernel *k, int y, int w)
{
    const struct mend_figures *f = &k->figures;
    int x = w - 2 - FIGURES - (w < WIDE ? 0 : LIMIT);
    char value[24];
    draw_text(y, 2, WHO, STYLE_DIM, who);
    draw_text(y, 2 + WHO, x - 2 - WHO, STYLE_PLAIN, k->name);
    snprintf(value, sizeof value, "%d", f->registers);
    draw_right(y, x += FIGURE, FIGURE, STYLE_PLAIN, value);
    bytes_draw(f->spill_stores + f->spill_loads, y, x += FIGURE);
    bytes_draw(f->shared, y, x += FIGURE);
    snprintf(value, sizeof value, "%.0f %%", 100 * k->occupancy);
    draw_right(y, x += FIGURE, FIGURE, STYLE_PLAIN, k->occupancy < 0 ? "?" : value);
    if (w >= WIDE)
        draw_textf(y, x + 1, LIMIT - 1, STYLE_DIM, "by %s", k->limit);
}

static void heads_draw(int y, int w)
{
    static const char *const heads[] = {"registers", "spilled", "shared", "occupancy"};
    int x = w - 2 - FIGURES - (w < WIDE ? 0 : LIMIT);
    for (int i = 0; i < 4; i++)
        draw_right(y, x += FIGURE, FIGURE, STYLE_DIM, heads[i]);
}

static bool needs_the_same(const struct mend_kernel *a, const struct mend_kernel *b)
{
    return !strcmp(a->name, b->name) && !memcmp(&a->figures, &b->figures, sizeof a->figures) &&
           a->occupancy == b->occupancy;
}

static bool is_among(const struct mend_kernel *k, const struct mend_kernel *all, int n)
{
    for (int i = 0; i < n; i++)
        if (needs_the_same(k, &all[i]))
            return true;
    return false;
}

/* Of the others those kernels that are not as yours. */
static int sides_draw(const struct mend_build *b, int y, int w, int end)
{
    struct mend_kernel mine[CAP_LAUNCHES], other[CAP_LAUNCHES];
    int n = mend_build_kernels(b, BUILT_MINE, mine, CAP_LAUNCHES);
    for (int i = 0; i < n && y < end; i++)
        kernel_draw(i ? "" : mend_built_word(BUILT_MINE), &mine[i], y++, w);
    for (enum mend_built side = BUILT_SUSPECT; side < BUILT_SIDES && y < end; side++) {
        int rows = 0, others = mend_build_kernels(b, side, other, CAP_LAUNCHES);
        for (int i = 0; i < others && y < end; i++)
            if (!is_among(&other[i], mine, n))
                kernel_draw(rows++ ? "" : mend_built_word(side), &other[i], y++, w);
        if (others && !rows && y < end)
            draw_textf(y++, 2, w - 4, STYLE_DIM, "%-*sas yours", WHO, mend_built_word(side));
    }
    return y;
}

int mend_show_built(const struct mend_build *b, int y, int w, int end)
{
    char words[240];
    mend_build_words(words, sizeof words, b);
    draw_text(y++, 2, w - 4,
              mend_build_compiles(b) ? STYLE_GOOD
              : mend_build_over(b)   ? STYLE_BAD
                                     : STYLE_ACCENT,
              words);
    if (!mend_build_compiles(b))
        return y + draw_wrapped((struct rect){y, 2, end - y, w - 4}, 0, STYLE_PLAIN,
                                mend_build_why(b));
    heads_draw(++y, w);
    return sides_draw(b, y + 1, w, end);
}

static void count_draw(const char *name, const int n[], enum style style, int y)
{
    draw_textf(y, 2, COUNTED + 2 * FIGURE, style, "%-*.*s%*d%*d", COUNTED, COUNTED, name, FIGURE,
               n[0], FIGURE, n[1]);
}

int mend_show_counts(const struct mend_build *b, enum mend_built other, int y, int w, int end)
{
    const struct msg_compiled *mine = mend_build_side(b, BUILT_MINE);
    const struct msg_compiled *its = mend_build_side(b, other);
    if (other == BUILT_MINE || !mine || !its || !mine->ptx || !its->ptx || y + 3 >= end)
        return y;
    struct mend_counts *c = mem_new(1, sizeof *c);
    mend_count_ptx(c, 0, mine->ptx);
    mend_count_ptx(c, 1, its->ptx);
    int differ = mend_counts_order(c);
    draw_textf(y++, 2, w - 4, STYLE_DIM, "%-*s%*s%*s", COUNTED, "instructions in PTX", FIGURE,
               "yours", FIGURE, mend_built_word(other));
    for (int i = 0; i < differ && i < MOST_COUNTED && y + 1 < end; i++)
        count_draw(c->row[i].name, c->row[i].n, STYLE_PLAIN, y++);
    count_draw(differ ? "all" : "all, each as often", c->all, STYLE_DIM, y++);
    free(c);
    return y;
}

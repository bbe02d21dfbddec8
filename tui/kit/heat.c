#include "tui/kit/charts.h"

#include <stdio.h>
#include <time.h>

/* A year of days. A cell is as wide as there is room for, one column or two. */
enum { SHADES = 4, DAYS = 7, LABEL_W = 5 };

struct heat {
    struct rect plot;
    int cell_w, first; /* week shown in the first column */
};

/* The most that each shade stands for; the same at all times, so that a day keeps its shade while
 * others grow. */
static const int up_to[SHADES - 1] = { 5, 15, 40 };

static const char *shade(int level)
{
    static const char *const utf8[SHADES + 1] = {"·", "░", "▒", "▓", "█"},
                                           *const ascii[SHADES + 1] = {".", ":", "+", "%", "#"};
    return glyph(utf8[level], ascii[level]);
}

static int level_of(int count)
{
    int level = 0;
    while (level < SHADES && count > (level ? up_to[level - 1] : 0))
        level++;
    return level;
}

static void week_draw(const struct heat *h, const int count[DAYS], int x)
{
    for (int d = 0; d < DAYS; d++)
        for (int i = 0; i < h->cell_w && count[d] >= 0; i++)
            draw_text(h->plot.y + d, x + i, 1, count[d] > 0 ? STYLE_ACCENT : STYLE_DIM,
                      shade(level_of(count[d])));
}

/* A month's name stands above the week in which it begins, where there is room before the next one.
 */
static void month_draw(const struct heat *h, int week, int first_day, int x, int *free_from)
{
    for (int d = 0; d < DAYS; d++) {
        time_t at = ((time_t)first_day + 7L * week + d) * 86400;
        struct tm t;
        char name[16];
        gmtime_r(&at, &t);
        if (t.tm_mday != 1 || x < *free_from || x + 3 > h->plot.x + h->plot.w)
            continue;
        strftime(name, sizeof name, "%b", &t);
        *free_from =
            x + 1 + draw_text(h->plot.y - 1, x, h->plot.x + h->plot.w - x, STYLE_DIM, name);
    }
}

static void legend_draw(const struct heat *h, int y, int w, const char *what)
{
    int x = h->plot.x;
    for (int level = 0; level <= SHADES; level++) {
        char text[48];
        if (level == 0)
            snprintf(text, sizeof text, "none");
        else if (level == SHADES)
            snprintf(text, sizeof text, "more %s", what);
        else
            snprintf(text, sizeof text, "to %d", up_to[level - 1]);
        x += draw_text(y, x, 1, level ? STYLE_ACCENT : STYLE_DIM, shade(level)) + 1;
        x += draw_text(y, x, w - x, STYLE_DIM, text) + 2;
    }
}

void draw_heat(struct rect r, const int (*count)[7], int weeks, int first_day, const char *what)
{
    static const char *const days[DAYS] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };
    struct heat h = {.plot = {r.y + 1, r.x + LABEL_W, DAYS, r.w - LABEL_W},
                     .cell_w = 1};
    int free_from = 0;
    if (r.h < DAYS + 1 || h.plot.w < 8)
        return;
    if (h.plot.w >= 2 * weeks)
        h.cell_w = 2;
    h.first = h.plot.w < weeks ? weeks - h.plot.w : 0;
    for (int d = 0; d < DAYS; d++)
        draw_text(h.plot.y + d, r.x, LABEL_W - 1, STYLE_DIM, days[d]);
    for (int k = h.first; k < weeks; k++) {
        int x = h.plot.x + (k - h.first) * h.cell_w;
        week_draw(&h, count[k], x);
        month_draw(&h, k, first_day, x, &free_from);
    }
    if (r.h >= DAYS + 3)
        legend_draw(&h, h.plot.y + DAYS + 1, r.x + r.w, what);
}

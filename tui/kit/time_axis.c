#include "tui/kit/charts.h"

#include <math.h>
#include <stdio.h>

#include "tui/kit/draw.h"

static int most(int a, int b) { return a > b ? a : b; }
static int least(int a, int b) { return a < b ? a : b; }

void draw_time_axis(int y, int x, int w, double from, double to)
{
    enum { APART = 9 }; /* columns between numbers, at least */
    const char *unit = to < 1e-3 ? glyph("µs", "us") : to < 1 ? "ms" : "s";
    double scale = to < 1e-3 ? 1e6 : to < 1 ? 1e3 : 1, length = (to - from) * scale;
    double step = chart_round_up(length / most(2, w / APART));
    for (int k = 0; k < w; k++)
        draw_text(y, x + k, 1, STYLE_DIM, glyph("─", "-"));
    int free_from = x, last = x + w;
    double k = fmax(0, ceil(from * scale / step - 1e-6)), first = k;
    for (; k * step <= to * scale * 1.000001 && k - first < w; k++) {
        char text[32];
        double v = k * step;
        int tick = x + least(w - 1, most(0, (int)((v / scale - from) / (to - from) * w)));
        snprintf(text, sizeof text, k == first ? "%.9g %s" : "%.9g", v, unit);
        int wide = draw_columns(text), at = most(x, tick - (v > 0 ? wide / 2 : 0));
        at = least(at, last - wide);
        draw_text(y, tick, 1, STYLE_DIM, glyph("┬", "+"));
        if (at < free_from)
            continue;
        draw_text(y + 1, at, wide, STYLE_DIM, text);
        free_from = at + wide + 1;
    }
}

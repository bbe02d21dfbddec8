/* Beliefs over time as inline SVG: a line that stays until it moves, for the cause (where it may be
 * told) and its rivals, and the ideal reader's. */
#include "scenarios/report/session_report_chart.h"

#include <math.h>
#include <string.h>

#include "scenarios/report/session_report_read.h"

void report_html_text(FILE *f, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': fputs("&amp;", f); break;
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '"': fputs("&quot;", f); break;
        case '\'': fputs("&#39;", f); break;
        default: fputc(*text, f);
        }
}

enum {
    WIDTH = 720,
    HEIGHT = 240,
    LEFT = 40,
    TOP = 14,
    RIGHT = 16,
    BOTTOM = 34,
    WORTH_A_LINE = 15,
    TICKS = 6
};

struct chart { const json_t *scenario, *track, *steps; double from, to; };

static double x_of(const struct chart *c, double at)
{
    return LEFT + (at - c->from) / (c->to - c->from) * (WIDTH - LEFT - RIGHT);
}

static double y_of(double percent)
{
    return TOP + (100 - percent) / 100 * (HEIGHT - TOP - BOTTOM);
}

static double at_of(const json_t *row)
{
    return (double)report_whole(row, "at_ms");
}

static double value(const json_t *row, const char *whose, size_t h)
{
    return (double)json_integer_value(json_array_get(json_object_get(row, whose), h));
}

/* The ideal reader moves with the purchase, the person when the beliefs are moved. */
static void line(FILE *f, const struct chart *c, const json_t *rows, const char *whose, size_t h,
                 const char *class)
{
    const char *when = strcmp(whose, "ideal") ? "at_ms" : "from_ms";
    size_t k;
    json_t *row;
    double last = -1;
    fprintf(f, "<polyline class=\"%s\" points=\"", class);
    json_array_foreach(rows, k, row) {
        double x = x_of(c, (double)report_whole(row, when)), y = y_of(value(row, whose, h));
        if (last >= 0)
            fprintf(f, "%.1f,%.1f ", x, last);
        fprintf(f, "%.1f,%.1f ", x, y);
        last = y;
    }
    if (last >= 0)
        fprintf(f, "%.1f,%.1f", x_of(c, c->to), last);
    fputs("\"/>\n", f);
}

/* Minutes between ticks so that there are not more than a few, however long it took. */
static double tick_of(double minutes)
{
    static const double nice[] = {0.25, 0.5, 1, 2, 5, 10, 15, 30, 60};
    size_t k = 0;
    while (k + 1 < sizeof nice / sizeof *nice && minutes / nice[k] > TICKS)
        k++;
    double tick = nice[k];
    while (minutes / tick > TICKS)
        tick *= 2;
    return tick;
}

static void axes(FILE *f, const struct chart *c)
{
    double tick = tick_of((c->to - c->from) / 60000) * 60000;
    for (int p = 0; p <= 100; p += 25)
        fprintf(f,
                "<path class=\"axis\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">%d</text>\n",
                LEFT, y_of(p), WIDTH - RIGHT, LEFT - 6, y_of(p) + 4, p);
    for (double at = ceil(c->from / tick) * tick; at <= c->to; at += tick) {
        char clock[24];
        report_clock(clock, (long long)at);
        fprintf(f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x_of(c, at),
                HEIGHT - BOTTOM + 16, clock);
    }
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">session time, min:s</text>\n",
            WIDTH - RIGHT, HEIGHT - 4);
}

/* What was bought, as marks over the plot. */
static void marks(FILE *f, const struct chart *c)
{
    size_t k;
    json_t *e;
    json_array_foreach(json_object_get(c->scenario, "evidence"), k, e) {
        double x = x_of(c, at_of(e));
        if (!strcmp(report_text(e, "how"), "withheld"))
            continue;
        fprintf(f,
                "<path class=\"mark\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
                "text-anchor=\"middle\">",
                x, TOP, HEIGHT - BOTTOM, x, TOP - 3);
        report_html_text(f, report_text(e, "letter"));
        fputs("</text>\n", f);
    }
}

static double most(const struct chart *c, size_t h)
{
    size_t k;
    json_t *row;
    double best = 0;
    json_array_foreach(c->track, k, row)
        best = fmax(best, value(row, "theirs", h));
    return best;
}

/* The name of a rival's line, where it is highest. */
static void name_rival(FILE *f, const struct chart *c, size_t h)
{
    const json_t *labels = json_object_get(c->scenario, "hypotheses");
    const char *label = json_string_value(json_array_get(labels, h));
    double best = most(c, h), x = LEFT;
    size_t k;
    json_t *row;
    json_array_foreach(c->track, k, row)
        if (value(row, "theirs", h) >= best) {
            x = x_of(c, at_of(row));
            break;
        }
    bool right = x > WIDTH / 2.0;
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\"%s>", right ? x - 4 : x + 4, y_of(best) - 4,
            right ? " text-anchor=\"end\"" : "");
    report_html_text(f, label ? label : "");
    fputs("</text>\n", f);
}

static void legend(FILE *f, const struct chart *c, size_t of, bool ideal)
{
    const char *label =
        json_string_value(json_array_get(json_object_get(c->scenario, "hypotheses"), of));
    fprintf(f, "<text class=\"ty\" x=\"%d\" y=\"%d\">%s: ", LEFT, HEIGHT - 4,
            strcmp(report_text(c->scenario, "whose"), "yours") ? "theirs" : "yours");
    report_html_text(f, label ? label : "");
    fputs("</text>\n", f);
    if (ideal)
        fprintf(f, "<text class=\"ti\" x=\"%d\" y=\"%d\">ideal reader (dashed)</text>\n",
                LEFT + 280, HEIGHT - 4);
}

void report_chart(FILE *f, const json_t *scenario)
{
    struct chart c = {.scenario = scenario,
                      .track = json_object_get(scenario, "track"),
                      .steps = json_object_get(scenario, "steps")};
    size_t n = json_array_size(json_object_get(scenario, "hypotheses")), of;
    if (json_array_size(c.track) == 0 || n == 0)
        return;
    c.from = at_of(json_array_get(c.track, 0));
    c.to = fmax(at_of(json_array_get(c.track, json_array_size(c.track) - 1)),
                at_of(json_array_get(c.steps, json_array_size(c.steps) - 1)));
    c.to = fmax(c.to, (double)report_whole(json_object_get(scenario, "commitment"), "at_ms"));
    c.to = fmax(c.to, c.from + 1000);
    of = report_told(scenario);
    bool ideal = report_has(scenario, "cause") && report_has(json_array_get(c.steps, 0), "ideal");
    fprintf(f,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"beliefs over time, in "
            "percent\">\n",
            WIDTH, HEIGHT);
    axes(f, &c);
    marks(f, &c);
    for (size_t h = 0; h < n; h++)
        if (h != of && most(&c, h) >= WORTH_A_LINE) {
            line(f, &c, c.track, "theirs", h, "other");
            name_rival(f, &c, h);
        }
    if (ideal)
        line(f, &c, c.steps, "ideal", of, "ideal");
    line(f, &c, c.track, "theirs", of, "you");
    legend(f, &c, of, ideal);
    fputs("</svg>\n", f);
}

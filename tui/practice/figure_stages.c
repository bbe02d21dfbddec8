/* Schedules: a row for each stage, a block as long as it takes. Lines are folded where all of the
 * time does not fit. */
#include "tui/practice/figure_paint.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 8, HELD = 12, TICK = 5, LEAST = 2, MOST = 4 };
struct stages {
    struct painting *p;
    const struct schedule *s;
    struct schedule_sum sum;
    int x, w;
    int until, unit, fold; /* times shown, columns of each, times on a line */
};

/* A microbatch has a colour, a part a shade. */
static enum style block_style(const struct schedule_block *b)
{
    static const enum style styles[] = {STYLE_ACCENT, STYLE_SECOND, STYLE_GOOD, STYLE_PLAIN};
    return styles[b->microbatch % 4];
}

static const char *block_fill(const struct schedule_block *b)
{
    static const char *const dark[] = {"█", "▒", "░"};
    static const char *const plain[] = {"#", "=", "-"};
    return glyph(dark[b->part], plain[b->part]);
}

static bool at_cursor(const struct stages *g, int stage, int time)
{
    const struct figure_view *v = g->p->view;
    return v->placed && v->stage == stage && v->time == time;
}

/* One time of a stage: its share of a block, whose name stands in front, or a gap. */
static void paint_time(const struct stages *g, int y, int x, int stage, int time)
{
    bool hidden = g->p->view->bare && !g->p->view->placed, chosen = at_cursor(g, stage, time);
    int k = hidden ? -1 : schedule_at(g->s, stage, time);
    const struct schedule_block *b = k >= 0 ? &g->s->block[k] : NULL;
    enum style style = chosen ? STYLE_SELECTED : b ? block_style(b) : STYLE_DIM;
    char name[8] = "";
    int n = b ? (int)strlen(schedule_name(b, name)) : 0;
    for (int c = 0; c < g->unit; c++) {
        int column = b ? (time - b->start) * g->unit + c : 0;
        char letter[] = {column < n ? name[column] : '\0', '\0'};
        const char *text = !b ? glyph("·", ".") : *letter ? letter : block_fill(b);
        paint_text(g->p, y, x + c, 1, style, text);
    }
    if (chosen)
        g->p->out->blank_line = y;
}

static void paint_axis(const struct stages *g, int y, int from, int to)
{
    char text[16];
    for (int t = (from + TICK - 1) / TICK * TICK; t < to; t += TICK) {
        snprintf(text, sizeof text, "%d", t);
        paint_text(g->p, y, g->x + (t - from) * g->unit, TICK * g->unit, STYLE_DIM, text);
    }
    if (from == 0)
        paint_text(g->p, y, g->w - HELD + 2, HELD - 2, STYLE_DIM, "held");
}

/* Activations: the figure's own may be blank, those of one that is placed stand beside the cap. */
static void paint_held(const struct stages *g, int y, int stage)
{
    char text[24];
    if (!g->p->view->placed) {
        paint_slot(g->p, y, g->w - HELD + 2, HELD - 2, STYLE_BOLD,
                   g->p->figure->schedule.held[stage]);
        return;
    }
    snprintf(text, sizeof text, "%d of %d", g->sum.held[stage], g->s->rules.cap[stage]);
    paint_text(g->p, y, g->w - HELD + 2, HELD - 2, STYLE_BOLD, text);
}

static void paint_stage(const struct stages *g, int y, int stage, int from, int to)
{
    char name[24];
    snprintf(name, sizeof name, "stage %d", stage);
    if (g->p->view->placed)
        paint_text(g->p, y, 0, NAME, STYLE_PLAIN, name);
    else
        paint_slot(g->p, y, 0, NAME, STYLE_PLAIN, g->p->figure->schedule.row[stage]);
    for (int t = from; t < to; t++)
        paint_time(g, y, g->x + (t - from) * g->unit, stage, t);
    if (from == 0)
        paint_held(g, y, stage);
}

static int paint_legend(const struct stages *g, int y)
{
    const struct schedule_rules *r = &g->s->rules;
    char text[200];
    snprintf(text, sizeof text, "f forward, b %s%s%s, %s idle",
             r->split ? "backward for inputs, w for weights" : "backward",
             r->chunks > 1 ? "; capitals: chunk 1" : "", "; digits: microbatch", glyph("·", "."));
    return y + paint_wrapped(g->p, y, 0, g->w, STYLE_DIM, text);
}

/* What is placed has room behind it, half a stage's work, so that the scale changes seldom; where
 * the cursor is, there is a time. */
static int times_of(const struct stages *g)
{
    const struct figure_view *v = g->p->view;
    int end = 0;
    for (int p = 0; p < g->s->rules.stages; p++) {
        int own = schedule_stage_end(g->s, p);
        end = own > end ? own : end;
    }
    if (!v->placed)
        return end;
    int room = schedule_stage_time(&g->s->rules) * 3 / 2;
    end = end > v->time + 1 ? end : v->time + 1;
    return end > room ? end : room;
}

int paint_schedule(struct painting *p, int y, int w)
{
    struct stages g = {.p = p, .w = w, .x = NAME, .unit = MOST,
                       .s = p->view->placed ? p->view->placed : p->figure->schedule.known};
    int room = w - NAME - HELD;
    schedule_sum(&g.sum, g.s);
    g.until = times_of(&g);
    while (g.unit > LEAST && g.until * g.unit > room)
        g.unit--;
    int most = room / g.unit, lines = (g.until + most - 1) / most;
    g.fold = (g.until + lines - 1) / lines;
    for (int from = 0; from < g.until; from += g.fold) {
        int to = from + g.fold < g.until ? from + g.fold : g.until;
        paint_axis(&g, y++, from, to);
        for (int stage = 0; stage < g.s->rules.stages; stage++)
            paint_stage(&g, y++, stage, from, to);
    }
    return paint_legend(&g, y);
}

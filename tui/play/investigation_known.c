/* The right pane: the notebook, the charts, the source, and the explanation of a number. */
#include "tui/play/investigation_known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/formula/quantity.h"
#include "tui/kit/charts.h"
#include "tui/kit/code_pane.h"
#include "tui/play/exhibit_pane.h"
#include "tui/play/investigation_list.h"
#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_steps.h"

/* ---- source ---- */

/* A case has places in the place of lines of a source, numbered as those are: "card 3" may be the
 * tenth. */
static void places_draw(const struct story *story, struct rect r, int cursor, int scroll)
{
    for (int k = scroll; k < story->n_places && k - scroll < r.h; k++) {
        bool here = k + 1 == cursor;
        int y = r.y + k - scroll;
        draw_text(y, r.x, 1, STYLE_ACCENT, here ? glyph("▸", ">") : " ");
        draw_textf(y, r.x + 1, 3, STYLE_DIM, "%3d", k + 1);
        draw_text(y, r.x + 6, r.w - 7, here ? STYLE_SELECTED : STYLE_PLAIN, story->places[k]);
    }
}

void source_draw(const struct investigation_screen *s, struct rect r, int cursor, int scroll)
{
    if (story_is_case(s->story)) {
        places_draw(s->story, r, cursor, scroll);
        return;
    }
    struct line_table samples;
    line_table_make(&samples, first_part(s, "lines"));
    code_draw_source(s->code, r, &(struct code_place){cursor, scroll, s->shift}, &samples);
    line_table_free(&samples);
}

bool story_stands_above(const struct investigation_screen *s, const struct layout *l)
{
    return l->shape == LAYOUT_WIDE &&
           draw_wrapped((struct rect){0, 0, 0, l->story.w}, 0, STYLE_PLAIN, s->told) < l->story.h;
}

enum view investigation_view(const struct investigation_screen *s, const struct layout *l)
{
    return s->view == VIEW_STORY && story_stands_above(s, l) ? VIEW_NOTES : s->view;
}

struct pane investigation_pane(const struct investigation_screen *s, const struct layout *l)
{
    const struct msg_part *listing = listing_of(s);
    struct pane p = { 0, l->known.h };
    if (s->view == VIEW_SOURCE)
        p.lines = source_lines(s);
    else if (s->view == VIEW_LISTING && listing)
        p.lines = listing->n_lines;
    else if (s->view == VIEW_EXHIBIT && exhibit_of(s, &listing))
        p = (struct pane){exhibit_lines(exhibit_of(s, &listing), listing),
                          l->known.h - exhibit_frame(exhibit_of(s, &listing), listing, l->known)};
    else if (s->view == VIEW_STORY && l->shape == LAYOUT_PANE)
        p = (struct pane){draw_wrapped((struct rect){0, 0, 0, l->story.w}, 0, STYLE_PLAIN, s->told),
                          l->story.h - 1};
    else if (s->view == VIEW_STORY && !story_stands_above(s, l))
        p.lines = draw_wrapped((struct rect){ 0, 0, 0, l->known.w - 3 }, 0, STYLE_PLAIN, s->told);
    return p;
}

/* ---- charts ---- */

static void roof_draw(const struct investigation_screen *s, struct rect r)
{
    double work = s->flops > 0 ? s->flops : s->bytes;
    struct roof_point p[] = {
        { s->flops / s->bytes, work / s->time, investigation_subject(s), STYLE_ACCENT },
        { 0, s->copy, "plain copy", STYLE_SECOND },
    };
    double peak = 0;
    const struct msg_device *d = investigation_device(s);
    if (d)
        msg_device_ceiling(d, "fma", &peak);
    draw_roofline((struct rect){r.y, r.x + 1, r.h, r.w - 2}, s->copy, peak, p,
                  s->flops > 0 ? 1 : 2);
}

static void sweep_draw(const struct investigation_screen *s, struct rect r)
{
    const struct experiment *x = sweep_of(s);
    const struct evidence *e = x ? investigation_evidence(state_of(s), x->id) : NULL;
    struct scope scope = { .story = s->story, .device = investigation_device(s) };
    double at[64], time[64];
    int n = 0;
    for (int k = 0; e && k < x->n_steps && n < 64; k++) {
        const struct msg_part *p = note_step(e, k);
        const struct msg_value *v = p ? msg_part_value(p, "time") : NULL;
        int64_t value = 0;
        if (!v || !v->present ||
            formula_whole(x->over[k].f, scope_lookup, &scope, &value, NULL, NULL) != 0)
            continue;
        at[n] = (double)value;
        time[n++] = v->value * 1e3;
    }
    struct line_series line = { time, "time", STYLE_ACCENT };
    if (n)
        draw_lines((struct rect){r.y, r.x + 1, r.h, r.w - 2}, at, n, &line, 1,
                   param_words(&s->story->params[x->vary]), "ms");
}

/* Where a chart has no room. */
static void samples_say(const struct msg_series *samples, struct rect r)
{
    char least[32], most[32], line[128];
    double low = samples->values[0], high = low;
    for (int k = 1; k < samples->n; k++) {
        low = samples->values[k] < low ? samples->values[k] : low;
        high = samples->values[k] > high ? samples->values[k] : high;
    }
    quantity_show(least, sizeof least, low, "s");
    quantity_show(most, sizeof most, high, "s");
    snprintf(line, sizeof line, "%d samples from %s to %s; a taller window draws them",
             samples->n, least, most);
    draw_wrapped((struct rect){r.y, r.x + 2, r.h, r.w - 3}, 0, STYLE_PLAIN, line);
}

/* In the order in which they were taken; short ones have room for each. */
static void samples_draw(const struct investigation_screen *s, struct rect r)
{
    const struct msg_series *samples = samples_of(s);
    double *at, *time;
    enum { CHART_ROWS = 7 };
    if (samples && r.h < CHART_ROWS)
        samples_say(samples, r);
    if (!samples || r.h < CHART_ROWS)
        return;
    double most = 0;
    for (int k = 0; k < samples->n; k++)
        most = samples->values[k] > most ? samples->values[k] : most;
    bool small = most < 1e-3;
    at = mem_new((size_t)samples->n, sizeof *at);
    time = mem_new((size_t)samples->n, sizeof *time);
    for (int k = 0; k < samples->n; k++) {
        at[k] = k + 1;
        time[k] = samples->values[k] * (small ? 1e6 : 1e3);
    }
    struct line_series line = {time, "time", STYLE_ACCENT};
    draw_lines((struct rect){r.y, r.x + 1, r.h, r.w - 2}, at, samples->n, &line, 1, "sample",
               small ? glyph("µs", "us") : "ms");
    free(at);
    free(time);
}

/* ---- explanations ---- */

static void explain_draw(const struct investigation_screen *s, struct rect r)
{
    const struct note_row *row =
        s->row_last && s->note >= 0 && s->row >= 0 && s->row < s->book.note[s->note].n
            ? &s->book.note[s->note].row[s->row]
            : NULL;
    struct rect text = { r.y + 2, r.x + 2, r.h - 2, r.w - 3 };
    if (row && row->metric) {
        const struct metric *m = row->metric;
        draw_textf(r.y, r.x + 2, r.w - 3, STYLE_BOLD, "%s  %s", m->label, row->value);
        int n = draw_wrapped(text, 0, STYLE_PLAIN, m->explain);
        if (text.h > n + 1)
            draw_textf(text.y + n + 1, text.x, text.w, STYLE_DIM, "%s%s%s",
                       m->share || strcmp(m->unit, "1") ? "unit " : "",
                       m->share               ? "%"
                       : strcmp(m->unit, "1") ? m->unit
                                              : "a plain number",
                       m->good == GOOD_LOW    ? "; the lower the better"
                       : m->good == GOOD_HIGH ? "; the higher the better"
                                              : "");
    } else {
        const struct hypothesis *h = s->story->hypotheses[s->chosen];
        draw_text(r.y, r.x + 2, r.w - 3, STYLE_BOLD, h->label);
        draw_wrapped(text, 0, STYLE_PLAIN, h->explain);
    }
}

static void empty_draw(const struct investigation_screen *s, struct rect r)
{
    struct rect at = {r.y + 1, r.x + 2, r.h - 1, r.w - 4};
    int n = draw_wrapped(at, 0, STYLE_DIM,
                         "Nothing bought yet. A letter below buys evidence; e explains the chosen "
                         "hypothesis.");
    at = (struct rect){at.y + n + 1, at.x, at.h > n + 1 ? at.h - n - 1 : 0, at.w};
    if (s->story->level == 0 && yardstick_of(s) > 0)
        draw_wrapped(at, 0, STYLE_DIM,
                     "The plain copy above is the yardstick: as many bytes, each read or written "
                     "once, timed on this GPU. Elsewhere it comes once you have said what you "
                     "expect, or with t.");
    else if (investigation_floor(state_of(s)))
        draw_wrapped(at, 0, STYLE_DIM,
                     "How long a plain copy of as many bytes takes is shown once you have said "
                     "what you expect: the last line under a, or with t.");
}

void known_draw(struct app *app, const struct investigation_screen *s, const struct layout *l)
{
    struct rect r = l->known;
    const struct msg_part *shown;
    enum view view = investigation_view(s, l);
    (void)app;
    if (r.w == 0 || r.h == 0)
        return;
    if (mode_of(s)->lists)
        list_draw(s, r);
    else if (view == VIEW_STEPS && s->explaining && s->row_last)
        steps_explain(s, r);
    else if (s->explaining)
        explain_draw(s, r);
    else if (view == VIEW_STEPS)
        steps_draw(s, r);
    else if (view == VIEW_ROOF)
        roof_draw(s, r);
    else if (view == VIEW_SWEEP)
        sweep_draw(s, r);
    else if (view == VIEW_SAMPLES)
        samples_draw(s, r);
    else if (view == VIEW_EXHIBIT && exhibit_of(s, &shown))
        exhibit_draw(r, exhibit_of(s, &shown), shown, s->scroll, s->shift, s->zoom);
    else if (view == VIEW_SOURCE)
        source_draw(s, r, 0, s->scroll);
    else if (view == VIEW_LISTING && listing_of(s))
        code_draw_listing(listing_of(s), r, &(struct code_place){ 0, s->scroll, s->shift });
    else if (view == VIEW_STORY && l->shape != LAYOUT_PANE) {
        draw_wrapped((struct rect){ r.y, r.x + 2, r.h, r.w - 3 }, s->scroll, STYLE_PLAIN, s->told);
    } else if (s->book.n == 0 && !mode_of(s)->hides_causes)
        empty_draw(s, r);
    else
        notebook_draw(&s->book, r, s->note, s->row, s->arrived[0] || s->news);
}

/* What is one key away from the debrief: beliefs over time, the three sources, the evidence. */
#include "tui/play/debrief_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/probe.h"
#include "tui/kit/charts.h"

int debrief_paragraph(struct rect r, int at, int skip, enum style style, const char *text)
{
    int y = at > skip ? at - skip : 0, left = r.h > y ? r.h - y : 0;
    return at + draw_wrapped((struct rect){r.y + y, r.x, left, r.w}, skip > at ? skip - at : 0,
                             style, text);
}

/* ---- beliefs ---- */

/* For the belief's table and the chart. */
static const char *after_text(const struct debrief_screen *s, const char *after)
{
    const struct experiment *x = story_experiment(s->variant->story, after);
    const struct probe *p = probe_by_name(after);
    if (x)
        return x->title;
    return !after[0] ? "start" : p ? p->brief : after;
}

/* Titles have more room where the table is wide. */
static int after_columns(int w)
{
    return w >= 70 ? 30 : w >= 50 ? 18 : 10;
}

static void belief_row(const struct debrief_screen *s, int k, int y, struct rect r)
{
    char text[8];
    int label = after_columns(r.w), half = (r.w - label - 2) / 2, bar = half - 6,
        x = r.x + label;
    draw_text(y, r.x + 1, label, STYLE_PLAIN, after_text(s, s->d->belief[k].after));
    snprintf(text, sizeof text, "%d", s->d->belief[k].you);
    draw_right(y, x + 5, 3, STYLE_PLAIN, text);
    draw_bar(y, x + 6, bar, s->d->belief[k].you / 100.0, false, STYLE_ACCENT);
    snprintf(text, sizeof text, "%d", s->d->belief[k].ideal);
    draw_right(y, x + 5 + half, 3, STYLE_PLAIN, text);
    draw_bar(y, x + 6 + half, bar, s->d->belief[k].ideal / 100.0, false, STYLE_SECOND);
}

static const char *knew(const struct debrief_screen *s, char *out, size_t size)
{
    const struct debrief *d = s->d;
    out[0] = '\0';
    if (d->knew_after < 0 || d->knew_after >= d->n_belief)
        return out;
    const char *after = d->belief[d->knew_after].after;
    snprintf(out, size, "ideal reader knew after %s", after_text(s, after));
    return out;
}

static void belief_head(struct rect r)
{
    int label = after_columns(r.w), half = (r.w - label - 2) / 2;
    draw_text(r.y, r.x + label + 2, half, STYLE_ACCENT, "you");
    draw_text(r.y, r.x + label + 2 + half, half, STYLE_SECOND, "ideal reader");
}

/* Steps and what is to be said of them, from line `skip` on; returns the lines of it. */
static int belief_lines(const struct debrief_screen *s, struct rect r, int skip)
{
    char text[96];
    struct rect words = { r.y, r.x + 1, r.h, r.w - 2 };
    for (int k = skip; k < s->d->n_belief && k - skip < r.h; k++)
        belief_row(s, k, r.y + k - skip, r);
    int at = s->d->n_belief;
    if (knew(s, text, sizeof text)[0])
        at = debrief_paragraph(words, at, skip, STYLE_SECOND, text);
    return s->d->astray[0] ? debrief_paragraph(words, at, skip, STYLE_BAD, s->d->astray) : at;
}

int debrief_belief_height(const struct debrief_screen *s, int w)
{
    return debrief_withheld(s) ? 1 : 1 + belief_lines(s, (struct rect){ 0, 0, 0, w }, 0);
}

static void draw_withheld(struct rect r)
{
    draw_wrapped((struct rect){ r.y, r.x + 1, r.h, r.w - 2 }, 0, STYLE_DIM, DEBRIEF_WITHHELD);
}

/* The start and the last steps; where some are left out, a row says so. What is left goes to what
 * moved the wrong way, then to when one could know. */
void debrief_belief_rows(const struct debrief_screen *s, struct rect r)
{
    const struct debrief *d = s->d;
    int room = r.h - 1, n = d->n_belief, y = r.y + 1, out = n > room ? n - room + 1 : 0;
    char text[96];
    if (debrief_withheld(s)) {
        draw_withheld(r);
        return;
    }
    belief_head(r);
    for (int k = 0; k < n; k++) {
        if (out && k == 1)
            draw_textf(y++, r.x + 1, r.w - 2, STYLE_DIM, glyph("… %d more", "... %d more"), out);
        if (k == 0 || k > out)
            belief_row(s, k, y++, r);
    }
    int left = r.y + r.h - y,
        wrong = d->astray[0]
                    ? draw_wrapped((struct rect){0, 0, 0, r.w - 2}, 0, STYLE_BAD, d->astray)
                    : 0;
    if (knew(s, text, sizeof text)[0] && left > wrong)
        draw_text(y++, r.x + 1, r.w - 2, STYLE_SECOND, text);
    if (wrong && left)
        draw_opening((struct rect){y, r.x + 1, r.y + r.h - y, r.w - 2}, STYLE_BAD, d->astray,
                     glyph(" …", " ..."));
}

/* Beside the chart where that fits, else above it. */
static struct rect belief_table(const struct debrief_screen *s, struct rect r)
{
    bool beside = r.w >= 140;
    int w = beside ? r.w / 2 : r.w, need = debrief_belief_height(s, w);
    return (struct rect){ r.y, r.x, beside || need > r.h ? r.h : need, w };
}

int debrief_beliefs_lines(const struct debrief_screen *s, struct rect r)
{
    return debrief_belief_height(s, belief_table(s, r).w);
}

static void belief_chart(const struct debrief_screen *s, struct rect r)
{
    double you[24], ideal[24], uniform[24];
    const char *steps[24];
    int n = s->d->n_belief;
    for (int k = 0; k < n; k++) {
        steps[k] = after_text(s, s->d->belief[k].after);
        you[k] = s->d->belief[k].you;
        ideal[k] = s->d->belief[k].ideal;
        uniform[k] = 100.0 / s->variant->story->n_hypotheses;
    }
    struct line_series series[] = {{you, "you", STYLE_ACCENT},
                                   {ideal, "ideal reader", STYLE_SECOND},
                                   {uniform, "uniform", STYLE_DIM}};
    if (n > 1 && r.h >= 6)
        draw_lines_over_steps(r, steps, n, series, 3, "% on the truth");
}

void debrief_beliefs_draw(const struct debrief_screen *s, struct rect r)
{
    if (debrief_withheld(s)) {
        draw_withheld(r);
        return;
    }
    struct rect table = belief_table(s, r);
    int skip = debrief_beliefs_lines(s, r) - table.h;
    belief_head(table);
    belief_lines(s, (struct rect){table.y + 1, table.x, table.h - 1, table.w},
                 s->scroll < skip ? s->scroll
                 : skip > 0       ? skip
                                  : 0);
    if (table.w < r.w)
        belief_chart(s, (struct rect){ r.y, r.x + table.w + 1, r.h, r.w - table.w - 2 });
    else
        belief_chart(s, (struct rect){ r.y + table.h, r.x + 1, r.h - table.h, r.w - 2 });
}

/* ---- code ---- */

void debrief_diff_draw(const struct debrief_screen *s, struct rect r, int skip, int context)
{
    static const char *const marks[] = { [DIFF_SAME] = " ", [DIFF_OUT] = "-", [DIFF_IN] = "+" };
    static const enum style styles[] =
        {[DIFF_SAME] = STYLE_PLAIN, [DIFF_OUT] = STYLE_BAD, [DIFF_IN] = STYLE_GOOD};
    int y = r.y, end = debrief_diff_rows(s, context) - r.h;
    if (skip > end)
        skip = end > 0 ? end : 0;
    for (int k = 0; k < s->diff.n && y < r.y + r.h; k++) {
        const struct diff_line *l = &s->diff.line[k];
        if (!diff_near(&s->diff, k, context) || skip-- > 0)
            continue;
        char *text = text_ndup(l->text, l->len);
        if (l->old_line)
            draw_textf(y, r.x + 1, 4, STYLE_DIM, "%3d", l->old_line);
        draw_text(y, r.x + 5, 1, styles[l->kind], marks[l->kind]);
        draw_text(y++, r.x + 7, r.w - 8, styles[l->kind], text);
        free(text);
    }
}

int debrief_diff_rows(const struct debrief_screen *s, int context)
{
    int n = 0;
    for (int k = 0; k < s->diff.n; k++)
        n += diff_near(&s->diff, k, context);
    return n;
}

static bool is_fault(const struct variant *v, int line)
{
    return line == v->location_line || (v->then && line == v->then->location_line);
}

void debrief_code_draw(const struct debrief_screen *s, struct rect r)
{
    const char *name = "";
    const char *text = debrief_code(s, s->code, &name), *p = text ? text : "";
    for (int n = 1; *p && n <= s->scroll + r.h; n++) {
        size_t len = strcspn(p, "\n");
        if (n > s->scroll) {
            char *line = text_ndup(p, len);
            bool here = s->code == 0 && is_fault(s->variant, n);
            int y = r.y + n - 1 - s->scroll;
            draw_text(y, r.x, 1, STYLE_BAD, here ? glyph("▸", ">") : " ");
            draw_textf(y, r.x + 1, 4, STYLE_DIM, "%3d", n);
            draw_text(y, r.x + 6, r.w - 7, here ? STYLE_BAD : STYLE_PLAIN, line);
            free(line);
        }
        p += len;
        p += *p == '\n';
    }
}

/* ---- evidence ---- */

static const struct note *chosen_note(const struct debrief_screen *s)
{
    return s->note >= 0 ? &s->book.note[s->note] : NULL;
}

/* The metric of the chosen row, if it is a number. */
static const struct note_row *chosen_number(const struct debrief_screen *s)
{
    const struct note *n = chosen_note(s);
    const struct note_row *row = n && s->row >= 0 ? &n->row[s->row] : NULL;
    return row && row->metric ? row : NULL;
}

/* What the readings say of the chosen purchase, from line `at` on; returns the line after it. */
static int meaning_part(const struct debrief_screen *s, struct rect r, int at, int skip)
{
    const struct note *n = chosen_note(s);
    int first = at;
    for (int k = 0; n->probe[0] && k < s->d->n_held; k++) {
        const struct reading *held = s->d->held[k];
        char says[512];
        if (strcmp(held->probe, n->probe) != 0)
            continue;
        debrief_reading_says(says, sizeof says, s->variant->story, held);
        at = debrief_paragraph(r, at, skip, STYLE_SECOND, says);
        at = debrief_paragraph((struct rect){r.y, r.x + 2, r.h, r.w - 2}, at, skip, STYLE_PLAIN,
                               held->because);
    }
    return at > first ? at
                      : debrief_paragraph(r, at, skip, STYLE_DIM,
                                          "By the readings it spoke for and against nothing.");
}

/* The number that is chosen, explained, and all that its purchase meant; returns the lines of it.
 */
static int explained_part(const struct debrief_screen *s, struct rect r, int skip)
{
    const struct note_row *row = chosen_number(s);
    int at = 0;
    if (row) {
        char head[sizeof row->label + sizeof row->value + 2];
        snprintf(head, sizeof head, "%s  %s", row->label, row->value);
        at = debrief_paragraph(r, at, skip, STYLE_BOLD, head);
        at = debrief_paragraph(r, at, skip, STYLE_PLAIN, row->metric->explain) + 1;
    }
    at = debrief_paragraph(r, at, skip, STYLE_BOLD, chosen_note(s)->title);
    return meaning_part(s, r, at, skip);
}

static struct rect inside(struct rect r)
{
    return (struct rect){ r.y, r.x + 2, r.h, r.w - 4 };
}

int debrief_evidence_most(const struct debrief_screen *s, struct rect r)
{
    if (!s->explaining || !chosen_note(s))
        return 0;
    int hidden = explained_part(s, (struct rect){ r.y, r.x, 0, inside(r).w }, 0) - r.h;
    return hidden > 0 ? hidden : 0;
}

void debrief_evidence_draw(const struct debrief_screen *s, struct rect r)
{
    if (!chosen_note(s)) {
        draw_text(r.y, r.x + 2, r.w - 3, STYLE_DIM, "You bought nothing.");
        return;
    }
    if (s->explaining) {
        int most = debrief_evidence_most(s, r);
        explained_part(s, inside(r), s->scroll < most ? s->scroll : most);
        return;
    }
    int need = meaning_part(s, (struct rect){r.y, r.x, 0, inside(r).w}, 0, 0),
        h = need < r.h / 2 ? need : r.h / 2, y = r.y + r.h - h;
    notebook_draw(&s->book, (struct rect){ r.y, r.x, r.h - h - 1, r.w }, s->note, s->row, false);
    draw_rule(y - 1, r.x, r.w, "WHAT IT MEANT", need > h ? "e: all" : NULL);
    meaning_part(s, inside((struct rect){ y, r.x, h, r.w }), 0, 0);
}

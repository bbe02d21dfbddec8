/* What is one key away from the debrief: beliefs over time, the three sources, the evidence. */
#include "tui/debrief_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/probe.h"

/* ---- beliefs ---- */

static const char *after_text(const char *after)
{
    const struct probe *p = probe_by_name(after);
    return !after[0] ? "start" : p ? p->brief : after;
}

static void belief_row(const struct debrief_screen *s, int k, int y, struct rect r)
{
    char text[8];
    int half = (r.w - 12) / 2, bar = half - 6;
    draw_text(y, r.x + 1, 10, STYLE_PLAIN, after_text(s->d->belief[k].after));
    snprintf(text, sizeof text, "%d", s->d->belief[k].you);
    draw_right(y, r.x + 15, 3, STYLE_PLAIN, text);
    draw_bar(y, r.x + 16, bar, s->d->belief[k].you / 100.0, false, STYLE_ACCENT);
    snprintf(text, sizeof text, "%d", s->d->belief[k].ideal);
    draw_right(y, r.x + 15 + half, 3, STYLE_PLAIN, text);
    draw_bar(y, r.x + 16 + half, bar, s->d->belief[k].ideal / 100.0, false, STYLE_SECOND);
}

void debrief_belief_rows(const struct debrief_screen *s, struct rect r)
{
    const struct debrief *d = s->d;
    int half = (r.w - 12) / 2, notes = (d->knew_after >= 0) + (d->wrong_way[0] != 0);
    int room = r.h - 1 - notes, first = d->n_belief > room ? d->n_belief - room : 0, y = r.y + 1;
    draw_text(r.y, r.x + 12, half, STYLE_ACCENT, "you");
    draw_text(r.y, r.x + 12 + half, half, STYLE_SECOND, "ideal reader");
    for (int k = first; k < d->n_belief && y < r.y + r.h; k++)
        belief_row(s, k == first ? 0 : k, y++, r);
    if (d->knew_after >= 0 && d->knew_after < d->n_belief && y < r.y + r.h)
        draw_textf(y++, r.x + 1, r.w - 2, STYLE_SECOND, "the ideal reader knew after %s", after_text(d->belief[d->knew_after].after));
    if (d->wrong_way[0] && y < r.y + r.h)
        draw_wrapped((struct rect){ y, r.x + 1, r.y + r.h - y, r.w - 2 }, 0, STYLE_BAD, d->wrong_way);
}

void debrief_beliefs_draw(const struct debrief_screen *s, struct rect r)
{
    double x[24], you[24], ideal[24];
    int n = s->d->n_belief, rows = n + 4 < r.h ? n + 4 : r.h, left = r.h - rows;
    for (int k = 0; k < n; k++) {
        x[k] = k;
        you[k] = s->d->belief[k].you;
        ideal[k] = s->d->belief[k].ideal;
    }
    struct line_series series[] = { { you, "you", STYLE_ACCENT }, { ideal, "ideal reader", STYLE_SECOND } };
    bool beside = r.w >= 96;
    struct rect table = { r.y, r.x, beside ? r.h : rows, beside ? r.w / 2 : r.w };
    debrief_belief_rows(s, table);
    struct rect chart = beside ? (struct rect){ r.y, r.x + r.w / 2 + 1, r.h, r.w - r.w / 2 - 2 } : (struct rect){ r.y + rows, r.x + 1, left, r.w - 2 };
    if (n > 1 && chart.h >= 5)
        draw_lines(chart, x, n, series, 2, "steps", "% on the truth");
}

/* ---- code ---- */

void debrief_diff_draw(const struct debrief_screen *s, struct rect r, int skip, int context)
{
    static const char *const marks[] = { [DIFF_SAME] = " ", [DIFF_OUT] = "-", [DIFF_IN] = "+" };
    static const enum style styles[] = { [DIFF_SAME] = STYLE_PLAIN, [DIFF_OUT] = STYLE_BAD, [DIFF_IN] = STYLE_GOOD };
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

void debrief_code_draw(const struct debrief_screen *s, struct rect r)
{
    const char *name = "";
    const struct file *f = debrief_code(s, s->code, &name);
    const char *p = f ? f->text : "";
    for (int n = 1; *p && n <= s->scroll + r.h; n++) {
        size_t len = strcspn(p, "\n");
        if (n > s->scroll) {
            char *line = text_ndup(p, len);
            bool here = s->code == 0 && n == s->variant->location_line;
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

void debrief_evidence_draw(const struct debrief_screen *s, struct rect r)
{
    const struct note *n = s->note >= 0 ? &s->book.note[s->note] : NULL;
    const struct note_row *row = n && s->row >= 0 ? &n->row[s->row] : NULL;
    if (!n)
        draw_text(r.y, r.x + 2, r.w - 3, STYLE_DIM, "You bought nothing.");
    else if (s->explaining && row && row->metric) {
        draw_textf(r.y, r.x + 2, r.w - 3, STYLE_BOLD, "%s  %s", row->label, row->value);
        draw_wrapped((struct rect){ r.y + 2, r.x + 2, r.h - 2, r.w - 4 }, 0, STYLE_PLAIN, row->metric->explain);
    } else
        notebook_draw(&s->book, r, s->note, s->row, false);
}

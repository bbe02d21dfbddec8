#include "tui/kit/code_pane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/formula/quantity.h"

enum { MOST_LINES = 1 << 16, NUMBER_W = 5 };

/* ---- samples by line ---- */

static const struct msg_series *series_of(const struct msg_part *p, const char *name)
{
    for (int i = 0; p && i < p->n_series; i++)
        if (strcmp(p->series[i].name, name) == 0)
            return &p->series[i];
    return NULL;
}

static void top_reason(char *out, size_t size, const struct msg_part *p, int at)
{
    double most = 0;
    for (int i = 0; i < p->n_series; i++) {
        const struct msg_series *s = &p->series[i];
        if (strncmp(s->name, "stall_", 6) != 0 || at >= s->n || s->values[at] <= most)
            continue;
        most = s->values[at];
        snprintf(out, size, "%s", s->name + 6);
    }
}

static void add_line(struct line_table *t, const struct msg_part *p, double number, double share,
                     int at)
{
    if (!(number >= 1 && number <= MOST_LINES))
        return;
    int line = (int)number;
    if (line > t->n) {
        t->line = mem_grow(t->line, (size_t)line, sizeof *t->line);
        memset(t->line + t->n, 0, (size_t)(line - t->n) * sizeof *t->line);
        t->n = line;
    }
    t->line[line - 1].share += share;
    top_reason(t->line[line - 1].reason, sizeof t->line[line - 1].reason, p, at);
    if (t->line[line - 1].share > t->most)
        t->most = t->line[line - 1].share;
}

void line_table_make(struct line_table *out, const struct msg_part *p)
{
    const struct msg_series *lines = series_of(p, "line"), *samples = series_of(p, "samples");
    const struct msg_value *all = p ? msg_part_value(p, "samples") : NULL;
    *out = (struct line_table){ 0 };
    if (!lines || !samples || !all || !all->present || all->value <= 0)
        return;
    for (int i = 0; i < lines->n && i < samples->n; i++)
        add_line(out, p, lines->values[i], samples->values[i] / all->value, i);
}

void line_table_free(struct line_table *t)
{
    free(t->line);
    *t = (struct line_table){ 0 };
}

int line_table_top(const struct line_table *t, int *lines, int most)
{
    int n = 0;
    for (int k = 0; k < t->n; k++) {
        int at = n;
        while (at > 0 && t->line[lines[at - 1] - 1].share < t->line[k].share)
            at--;
        if (t->line[k].share <= 0 || at >= most)
            continue;
        n += n < most;
        memmove(lines + at + 1, lines + at, (size_t)(n - at - 1) * sizeof *lines);
        lines[at] = k + 1;
    }
    return n;
}

const char *stall_brief(const char *reason)
{
    static const char *const words[][2] = {
        {"long_scoreboard", "memory"},  {"short_scoreboard", "shared"},
        {"mio_throttle", "mio full"},   {"lg_throttle", "L1 full"},
        {"tex_throttle", "tex full"},   {"math_pipe_throttle", "math"},
        {"branch_resolving", "branch"}, {"dispatch_stall", "dispatch"},
        {"imc_miss", "constant"},       {"misc", "other"},
        {"no_instruction", "fetch"},    {"not_selected", "ready"},
        {"selected", "issuing"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], reason) == 0)
            return words[i][1];
    return reason;
}

/* ---- source ---- */

/* Columns of the samples: number | share | bar | reason | code. Wide panes have the reason's whole
 * name. */
struct columns { int share_end, bar, bar_w, reason, reason_w, code; };

static struct columns columns_for(int w, const struct line_table *samples)
{
    struct columns c = { .code = NUMBER_W + 1 };
    if (!samples || samples->n == 0)
        return c;
    c.share_end = NUMBER_W + 4;
    c.bar = c.share_end + 1;
    c.bar_w = w >= 80 ? 8 : 3;
    c.reason = c.bar + c.bar_w + 1;
    c.reason_w = w >= 100 ? 18 : 8;
    c.code = c.reason + c.reason_w + 1;
    return c;
}

int code_room(int w, const struct line_table *samples)
{
    return w - columns_for(w, samples).code;
}

static void draw_samples(const struct line_samples *s, double most, const struct columns *c, int y,
                         int x)
{
    char share[16];
    if (s->share <= 0)
        return;
    quantity_percent(share, sizeof share, s->share);
    share[strcspn(share, " ")] = '\0';
    draw_right(y, x + c->share_end, 4, STYLE_PLAIN, share);
    draw_bar(y, x + c->bar, c->bar_w, s->share / most, false, STYLE_ACCENT);
    draw_text(y, x + c->reason, c->reason_w, STYLE_SECOND,
              c->reason_w > 8 ? s->reason : stall_brief(s->reason));
}

/* One line of code from column shift+1 on. A mark stands where something was cut at the left;
 * draw_text puts the other. */
static void draw_code(int y, int x, int w, enum style style, const char *line, int shift)
{
    const char *p = line;
    for (int skipped = 0; *p && skipped < shift; skipped++)
        for (p++; text_is_tail(*p); p++)
            ;
    bool cut = shift > 0 && strspn(line, " \t") < (size_t)(p - line);
    if (cut)
        draw_text(y, x - 1, 1, STYLE_DIM, glyph("…", "<"));
    draw_text(y, x, w, style, p);
}

void code_draw_source(const char *text, struct rect r, const struct code_place *at,
                      const struct line_table *samples)
{
    struct columns c = columns_for(r.w, samples);
    for (int n = 1; *text && n <= at->scroll + r.h; n++) {
        size_t len = strcspn(text, "\n");
        if (n > at->scroll) {
            char *line = text_ndup(text, len);
            int y = r.y + n - 1 - at->scroll;
            draw_text(y, r.x, 1, STYLE_ACCENT, n == at->cursor ? glyph("▸", ">") : " ");
            draw_textf(y, r.x + 1, 4, STYLE_DIM, "%3d", n);
            if (samples && n <= samples->n)
                draw_samples(&samples->line[n - 1], samples->most, &c, y, r.x);
            draw_code(y, r.x + c.code, r.w - c.code, n == at->cursor ? STYLE_SELECTED : STYLE_PLAIN,
                      line, at->shift);
            free(line);
        }
        text += len;
        text += *text == '\n';
    }
}

/* ---- the listing ---- */

void code_draw_listing(const struct msg_part *p, struct rect r, const struct code_place *at)
{
    const struct msg_series *lines = series_of(p, "line");
    for (int y = 0; y < r.h && at->scroll + y < p->n_lines; y++) {
        int k = at->scroll + y, line = lines && k < lines->n ? (int)lines->values[k] : 0;
        if (line > 0)
            draw_textf(r.y + y, r.x + 1, 4, STYLE_DIM, "%3d", line);
        draw_code(r.y + y, r.x + NUMBER_W + 1, r.w - NUMBER_W - 1, STYLE_PLAIN, p->lines[k],
                  at->shift);
    }
}

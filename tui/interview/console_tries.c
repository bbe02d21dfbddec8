#include "tui/interview/console_tries.h"

#include <stdio.h>

#include "tui/kit/code_pane.h"
#include "tui/mend/mend_show.h"

enum { WHY = 6 /* rows */ };

/* The part in which a text was handed in last; NULL: none was. */
static const struct session_state *newest(const struct session *s)
{
    for (int k = s->events - 1; k >= 0; k--)
        if (s->log[k]->kind == SESSION_TRIED)
            return &s->parts[s->log[k]->part];
    return NULL;
}

static int verdict_draw(const struct session_try *t, int y, int w)
{
    char line[240];
    if (!t->verdict) {
        draw_text(y, 2, w - 4, STYLE_ACCENT, "handed in, not judged yet");
        return y + 2;
    }
    mend_headline(line, sizeof line, t->verdict);
    y = mend_show_words(t->verdict, line, y, w, WHY);
    return mend_show_bars(t->verdict, y, w) + 1;
}

void console_tries_draw(const struct session *s, struct rect r, int scroll)
{
    const struct session_state *p = newest(s);
    char title[48], where[120] = "";
    if (!p) {
        draw_rule(r.y, r.x, r.w, "THE FIX", NULL);
        draw_text(r.y + 1, r.x + 2, r.w - 4, STYLE_DIM,
                  "No text was handed in before this moment.");
        return;
    }
    const struct session_try *t = &p->tries[p->n_tries - 1];
    snprintf(title, sizeof title, "TRY %d OF %d", p->n_tries, p->n_tries);
    if (t->verdict)
        mend_show_where(where, sizeof where, t->verdict);
    draw_rule(r.y, r.x, r.w, title, where);
    int y = verdict_draw(t, r.y + 1, r.w), end = r.y + r.h;
    if (y + 2 > end)
        return;
    draw_rule(y++, r.x, r.w, "THE TEXT", "Up Down");
    code_draw_source(t->text, (struct rect){y, r.x + 1, end - y, r.w - 2},
                     &(struct code_place){.scroll = scroll}, NULL);
}

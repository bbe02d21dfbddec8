/* NOTES: the newest that fit, one a row while there are rows, else side by side. */
#include "tui/interview/console_draw.h"

#include <stdio.h>

#include "tui/interview/console_text.h"

enum { TIME = 8 /* columns before a text */, GAP = 3 };

static int note_width(const struct session_note *n)
{
    return TIME + (n->share ? 8 : 0) + draw_columns(n->text);
}

static int note_draw(const struct session_note *n, int y, int x, int w)
{
    char time[16];
    console_clock(time, sizeof time, n->elapsed_ms);
    draw_right(y, x + 6, 6, STYLE_DIM, time);
    return TIME + draw_textf(y, x + TIME, w - TIME, STYLE_PLAIN, "%s%s", n->share ? "shared: " : "",
                             n->text);
}

/* How many notes up to `last` stand in one row of `w` columns: at least that one, be it cut. */
static int fitting(const struct session *s, int last, int w)
{
    int n = 1, used = note_width(&s->notes[last]);
    while (last - n >= 0 && used + GAP + note_width(&s->notes[last - n]) <= w)
        used += GAP + note_width(&s->notes[last - n++]);
    return n;
}

void pane_notes_right(char *out, size_t size, const struct console_view *v)
{
    int n = v->session->n_notes;
    out[0] = '\0';
    if (n > 0 && !v->replay)
        snprintf(out, size, n > 1 ? "%d notes, A reads all" : "A reads it whole", n);
}

void pane_notes(const struct console_view *v, struct rect r)
{
    const struct session *s = v->session;
    bool side_by_side = s->n_notes > r.h;
    int y = r.y + (side_by_side ? r.h : s->n_notes) - 1, last = s->n_notes - 1;
    for (; last >= 0 && y >= r.y; y--) {
        int n = side_by_side ? fitting(s, last, r.w - 2) : 1, x = r.x + 1;
        for (int k = last - n + 1; k <= last; k++)
            x += note_draw(&s->notes[k], y, x, r.x + r.w - 1 - x) + GAP;
        last -= n;
    }
    if (s->n_notes == 0)
        draw_text(r.y, r.x + 2, r.w - 4, STYLE_DIM,
                  v->replay                  ? "None yet."
                  : s->phase == SESSION_OVER ? "None."
                                             : "n  a note of yours    N  one to share in the "
                                               "report    A  all, theirs too");
}

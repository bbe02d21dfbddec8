/* SAY NEXT: what can be said, each line with its digit. */
#include "tui/console_draw.h"

#include <stdio.h>

enum { LABEL = 14 /* "number 1 of 3" and a blank */ };

static void say_row_draw(const struct say_row *s, int y, int h, struct rect r)
{
    enum style style = s->said ? STYLE_DIM : STYLE_PLAIN;
    char text[1100];
    snprintf(text, sizeof text, "%s%s%s", s->text ? s->text : "", s->note && s->note[0] ? "   " : "", s->note ? s->note : "");
    draw_text(y, r.x, 1, STYLE_GOOD, s->said ? glyph("✓", "x") : " ");
    if (s->number <= 10)
        draw_textf(y, r.x + 2, 1, style, "%d", s->number % 10);
    draw_text(y, r.x + 5, LABEL - 1, style, s->label);
    draw_opening((struct rect){ y, r.x + 5 + LABEL, h, r.w - LABEL - 6 }, style, text, glyph(" … S", " ... S"));
}

static int say_lines(const struct say_row *s, struct rect r)
{
    char text[1100];
    snprintf(text, sizeof text, "%s   %s", s->text ? s->text : "", s->note ? s->note : "");
    return draw_wrapped((struct rect){ 0, 0, 0, r.w - LABEL - 6 }, 0, STYLE_PLAIN, text);
}

static const char *nothing_words(const struct console_view *v)
{
    if (v->replay)
        return "Nothing was prepared here.";
    return v->session->phase == SESSION_OVER ? "Nothing more. A letter grades its row of the rubric." :
                                               "Nothing is prepared here. n  note, s  scribe, i  type something for their screen.";
}

/* Each has a row, what is left goes to the first that need more; where rows are short, what was said goes first. */
void pane_says(const struct console_view *v, struct rect r)
{
    struct say_row say[SAYS_MOST];
    bool over = v->session->phase == SESSION_OVER && !v->replay;
    int n = over ? 0 : console_says(say, v->session, v->briefing, v->state, false), hidden = n > r.h ? n - r.h : 0, spare = r.h - n, y = r.y;
    if (n == 0)
        draw_text(r.y, r.x + 2, r.w - 4, STYLE_DIM, nothing_words(v));
    for (int k = 0; k < n && y < r.y + r.h; k++) {
        if (say[k].said && hidden > 0 && hidden--)
            continue;
        int more = say[k].said ? 0 : say_lines(&say[k], r) - 1;
        more = more < spare ? more : spare > 0 ? spare : 0;
        spare -= more;
        say_row_draw(&say[k], y, 1 + more, r);
        y += 1 + more;
    }
}

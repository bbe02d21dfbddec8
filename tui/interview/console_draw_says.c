/* SAY NEXT: what can be said, each line with its digit. What is read aloud is plain; what is for
 * the interviewer alone is dim, behind it or below. */
#include "scenarios/interview/interview_moves.h"
#include "tui/interview/console_draw.h"
#include "scenarios/interview/session_mend.h"
#include "tui/interview/console_says.h"

#include <stdio.h>
#include <string.h>

enum {
    LABEL = 14 /* "number 1 of 3" and a blank */,
    GAP = 3,
    BESIDE_LEAST = 50 /* columns of a text that a range stands beside */,
    WHOLE_LEAST = 72
};

/* What a line needs and is given, in rows. */
struct say_place { const struct say_row *s; const char *beside; int text, note; };

static struct rect text_rect(const struct say_place *p, struct rect r)
{
    int beside = p->beside[0] ? draw_columns(p->beside) + GAP : 0;
    return (struct rect){ r.y, r.x + 5 + LABEL, r.h, r.w - LABEL - 6 - beside };
}

static void note_text(char *out, size_t size, const struct say_place *p)
{
    const struct say_row *s = p->s;
    const char *expects = p->beside[0] ? "" : s->expects;
    snprintf(out, size, "%s%s%s", expects, expects[0] && s->note[0] ? ". " : "", s->note);
}

/* Of a number, what is accepted, beside the question: with the truth before it where there is room
 * for both. */
static const char *beside_of(const struct say_row *s, int w)
{
    const char *take = strstr(s->expects, "take ");
    return w >= WHOLE_LEAST || !take ? s->expects : take;
}

static int note_rows(const struct say_place *p, struct rect r)
{
    char text[400];
    note_text(text, sizeof text, p);
    return text[0] ? draw_wrapped((struct rect){0, 0, 0, r.w - LABEL - 8}, 0, STYLE_DIM, text) : 0;
}

static void place_make(struct say_place *p, const struct say_row *s, struct rect r)
{
    *p =
        (struct say_place){.s = s,
                           .beside =
                               r.w - LABEL - 6 >= BESIDE_LEAST ? beside_of(s, r.w - LABEL - 6) : "",
                           .text = 1};
}

static void say_row_draw(const struct say_place *p, int y, bool marked, struct rect r)
{
    const struct say_row *s = p->s;
    enum style style = marked ? STYLE_BOLD : s->said ? STYLE_DIM : STYLE_PLAIN;
    struct rect text = text_rect(p, (struct rect){ y, r.x, p->text, r.w });
    char note[400];
    draw_text(y, r.x, 1, marked ? STYLE_ACCENT : STYLE_GOOD,
              marked    ? glyph("▸", ">")
              : s->said ? glyph("✓", "x")
                        : " ");
    if (s->number <= 10)
        draw_textf(y, r.x + 2, 1, style, "%d", s->number % 10);
    draw_text(y, r.x + 5, LABEL - 1, style, s->label);
    draw_opening(text, style, s->text, glyph(" … S", " ... S"));
    draw_right(y, r.x + r.w - 1, draw_columns(p->beside), STYLE_DIM, p->beside);
    if (p->note == 0)
        return;
    note_text(note, sizeof note, p);
    draw_text(y + p->text, text.x, 2, STYLE_DIM, glyph("└", "-"));
    draw_opening((struct rect){y + p->text, text.x + 2, p->note, r.w - LABEL - 8}, STYLE_DIM, note,
                 glyph(" … S", " ... S"));
}

static const char *nothing_words(const struct console_view *v)
{
    bool told = view_is_scenario(v) && console_all_said(v->session, v->state);
    if (v->replay)
        return told ? "Nothing more: the truth was on their screen." : "Nothing was prepared here.";
    if (told && session_mending(v->session) >= 0)
        return "Nothing: they write the fix. t  the next part    M  ask no longer    i  type "
               "something for their screen.";
    if (told)
        return "Nothing: the truth is on their screen. t  the next part    M  ask for the fix    "
               "i  type something for their screen.";
    return v->session->phase == SESSION_OVER
               ? "Nothing more. A letter grades its row of the rubric."
               : "Nothing is prepared here. n  note, s  scribe, i  type something for their "
                 "screen.";
}

/* Gives of `*spare` rows what this line still needs. */
static void grow(int *rows, int needs, int *spare)
{
    int more = needs - *rows < *spare ? needs - *rows : *spare;
    *rows += more > 0 ? more : 0;
    *spare -= more > 0 ? more : 0;
}

/* Each has a row; what is left goes to the marked one, then to a number's range, to what is read
 * aloud, and to what is not. */
static void share_rows(struct say_place *p, int n, int marked, int spare, struct rect r)
{
    enum { MARKED, RANGES, ALOUD, NOTES, TURNS };
    for (int turn = 0; turn < TURNS; turn++)
        for (int k = 0; k < n; k++) {
            bool chosen = p[k].s->number == marked;
            if (turn == MARKED ? !chosen : p[k].s->said && !chosen)
                continue;
            if (turn == MARKED || turn == ALOUD)
                grow(&p[k].text,
                     draw_wrapped(text_rect(&p[k], (struct rect){0, 0, 0, r.w}), 0, STYLE_PLAIN,
                                  p[k].s->text),
                     &spare);
            else if (turn == NOTES || (p[k].s->what == SAY_FIGURE && !p[k].beside[0]))
                grow(&p[k].note, turn == NOTES ? note_rows(&p[k], r) : 1, &spare);
        }
}

/* Where rows are short, what was said goes first. */
void pane_says(const struct console_view *v, struct rect r)
{
    struct say_row say[SAYS_MOST];
    struct say_place place[SAYS_MOST];
    bool over = v->session->phase == SESSION_OVER && !v->replay;
    int n = over ? 0 : console_says(say, v, false), shown = 0, y = r.y;
    int hidden = n > r.h ? n - r.h : 0;
    if (n == 0)
        draw_wrapped((struct rect){ r.y, r.x + 2, r.h, r.w - 4 }, 0, STYLE_DIM, nothing_words(v));
    for (int k = 0; k < n; k++)
        if (say[k].what == SAY_PUSHBACK && !v->replay && interview_waiting(v->live) == say[k].index)
            snprintf(say[k].label, sizeof say[k].label, "waits");
    for (int k = 0; k < n; k++)
        if (!(say[k].said && say[k].number != v->marked && hidden > 0 && hidden--))
            place_make(&place[shown++], &say[k], r);
    share_rows(place, shown, v->marked, r.h - shown, r);
    for (int k = 0; k < shown && y < r.y + r.h; k++) {
        say_row_draw(&place[k], y, place[k].s->number == v->marked, r);
        y += place[k].text + place[k].note;
    }
}

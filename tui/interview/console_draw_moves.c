/* MOVES, the newest last; in quiet time its clock alone. */
#include "tui/interview/console_draw.h"

#include <string.h>

#include "tui/interview/console_text.h"

enum { TIME = 9 /* columns before an entry */, ROWS_MOST = 3 /* of one entry */ };

/* Where its words begin: behind the column of what it is. */
static int words_at(const char *text)
{
    return (int)strlen(text) > MOVE_WHAT && text[MOVE_WHAT - 1] == ' ' ? MOVE_WHAT : 0;
}

static struct rect words_rect(struct rect r, int y, int h, int at)
{
    return (struct rect){ y, r.x + TIME + at, h, r.w - TIME - 1 - at };
}

/* Rows that an entry takes: its words are wrapped, and not more than ROWS_MOST. */
static int move_rows(const struct console_view *v, struct rect r, int entry)
{
    char text[512];
    console_entry_text(text, sizeof text, v, entry);
    int at = words_at(text), n = draw_wrapped(words_rect(r, 0, 0, at), 0, STYLE_PLAIN, text + at);
    return n < 1 ? 1 : n < ROWS_MOST ? n : ROWS_MOST;
}

static void move_row(const struct console_view *v, int y, struct rect r, int entry, bool newest)
{
    const struct interview_entry *e = &v->entries[entry];
    enum style style = e->event ? STYLE_DIM : STYLE_PLAIN;
    char time[16], text[512];
    console_clock(time, sizeof time, e->elapsed_ms);
    console_entry_text(text, sizeof text, v, entry);
    int at = words_at(text);
    draw_text(y, r.x, 1, STYLE_ACCENT, newest ? glyph("▸", ">") : " ");
    draw_right(y, r.x + 7, 6, STYLE_DIM, time);
    draw_textf(y, r.x + TIME, at, style, "%.*s", at, text);
    draw_opening(words_rect(r, y, ROWS_MOST, at), style, text + at, glyph(" …", " ..."));
}

static void quiet_row(const struct console_view *v, int y, struct rect r)
{
    char left[16], now[16];
    console_clock(left, sizeof left, v->session->quiet_until_ms - v->now_ms + 999);
    console_clock(now, sizeof now, session_total_ms(v->session, v->now_ms));
    draw_text(y, r.x, 1, STYLE_ACCENT, glyph("▸", ">"));
    draw_right(y, r.x + 7, 6, STYLE_DIM, now);
    draw_textf(y, r.x + 9, r.w - 10, STYLE_BOLD, "quiet   %s left of %d:%02d", left,
               SESSION_QUIET_S / 60, SESSION_QUIET_S % 60);
}

/* From the last row up: the newest entries whole, or older ones by `scroll`. */
void pane_moves(const struct console_view *v, struct rect r)
{
    int until = console_quiet_from(v), skip = v->scroll, y = r.y + r.h - 1;
    bool quiet = v->session->quiet_until_ms > v->now_ms, newest = !quiet && skip == 0;
    int shown = 0;
    for (int k = 0; k < until && shown < r.h; k++)
        shown += console_entry_shown(&v->entries[k]) ? move_rows(v, r, k) : 0;
    if (shown + quiet < r.h)                 /* few: they stand at the top */
        y = r.y + shown + quiet - 1;
    if (quiet)
        quiet_row(v, y--, r);
    for (int k = until - 1; k >= 0 && y >= r.y; k--) {
        if (!console_entry_shown(&v->entries[k]) || (skip > 0 && skip--))
            continue;
        int rows = move_rows(v, r, k), top = y - rows + 1;
        if (top < r.y)                       /* half an entry says less than none */
            break;
        move_row(v, top, r, k, newest);
        y = top - 1;
        newest = false;
    }
}

const char *pane_moves_right(const struct console_view *v)
{
    if (v->session->quiet_until_ms > v->now_ms)
        return "";
    return v->scroll ? "older ones" : v->doing ? v->doing : "";
}

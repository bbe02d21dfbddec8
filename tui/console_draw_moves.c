/* MOVES, the newest last; in quiet time its clock alone. */
#include "tui/console_draw.h"

static void move_row(const struct console_view *v, int y, struct rect r, int entry, bool newest)
{
    const struct live_entry *e = &v->entries[entry];
    char time[16], text[512];
    console_clock(time, sizeof time, e->elapsed_ms);
    console_entry_text(text, sizeof text, v, entry);
    draw_text(y, r.x, 1, STYLE_ACCENT, newest ? glyph("▸", ">") : " ");
    draw_right(y, r.x + 7, 6, STYLE_DIM, time);
    draw_text(y, r.x + 9, r.w - 10, e->event ? STYLE_DIM : STYLE_PLAIN, text);
}

static void quiet_row(const struct console_view *v, int y, struct rect r)
{
    char left[16], now[16];
    console_clock(left, sizeof left, v->session->quiet_until_ms - v->now_ms + 999);
    console_clock(now, sizeof now, session_total_ms(v->session, v->now_ms));
    draw_text(y, r.x, 1, STYLE_ACCENT, glyph("▸", ">"));
    draw_right(y, r.x + 7, 6, STYLE_DIM, now);
    draw_textf(y, r.x + 9, r.w - 10, STYLE_BOLD, "quiet   %s left of %d:%02d", left, SESSION_QUIET_S / 60, SESSION_QUIET_S % 60);
}

/* From the last row up: the newest entries, or older ones by `scroll`. */
void pane_moves(const struct console_view *v, struct rect r)
{
    int until = console_quiet_from(v), skip = v->scroll, y = r.y + r.h - 1;
    bool quiet = v->session->quiet_until_ms > v->now_ms, newest = !quiet && skip == 0;
    int shown = 0;
    for (int k = 0; k < until && shown < r.h; k++)
        shown += console_entry_shown(&v->entries[k]);
    if (shown + quiet < r.h)                 /* few: they stand at the top */
        y = r.y + shown + quiet - 1;
    if (quiet)
        quiet_row(v, y--, r);
    for (int k = until - 1; k >= 0 && y >= r.y; k--) {
        if (!console_entry_shown(&v->entries[k]) || (skip > 0 && skip--))
            continue;
        move_row(v, y--, r, k, newest);
        newest = false;
    }
}

const char *pane_moves_right(const struct console_view *v)
{
    if (v->session->quiet_until_ms > v->now_ms)
        return "";
    return v->scroll ? "older ones" : v->doing ? v->doing : "";
}

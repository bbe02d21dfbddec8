/* The last rows in every mode: status, what to do, keys. A question that waits for an answer, or
 * what is being measured, takes their place. Reads only. */
#include "tui/play/investigation_foot.h"

#include <stdio.h>

#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_question.h"

static int options_of(const struct probe *p)
{
    int n = 0;
    while (n < 4 && p->option[n].label)
        n++;
    return n;
}

/* Is a number to be called now? The question then has the status row and the ranges the next, until
 * it is answered. */
static bool calling(const struct investigation_screen *s)
{
    return s->ui == UI_OPEN && s->buy.active && s->buy.call && !s->buy.asking;
}

/* ---- patience and clock ---- */

static void draw_trouble(const struct investigation_screen *s, int y, int columns)
{
    draw_textf(y, 1, columns - 2, STYLE_BAD, "not saved yet: %s", s->trouble);
}

/* "8 of 15 min, full marks up to 6", and what it means to have spent all. */
static void spent_text(const struct investigation *i, char *out, size_t size, int columns)
{
    int n = snprintf(out, size, columns >= 100 ? "%d of %d min spent" : "%d of %d min", i->price,
                     i->patience);
    if (i->price >= i->patience)
        snprintf(out + n, size - (size_t)n, columns >= 80 ? ": evidence scores 0" : ": none left");
    else
        snprintf(out + n, size - (size_t)n, columns >= 80 ? ", full marks up to %d" : ", best %d",
                 i->par);
}

static void draw_status(struct app *app, const struct investigation_screen *s,
                        const struct layout *l)
{
    const struct investigation *i = state_of(s);
    int columns = app_columns(app), y = l->status;
    long seconds = (long)(investigation_clock(s, app_now(app)) / 1000);
    bool wide = l->shape == LAYOUT_WIDE;
    char clock[96], rest[64];
    if (s->buy.asking) {
        estimate_draw_question(s, l);
        return;
    }
    if (s->trouble[0]) {
        draw_trouble(s, y, columns);
        return;
    }
    if (calling(s)) {
        draw_textf(y, 1, columns - 2, STYLE_BOLD, columns < 80 ? "%s" : "Before you look: %s",
                   s->buy.call->call);
        return;
    }
    int bar = wide ? 15 : 6;
    draw_text(y, 1, 9, STYLE_PLAIN, "patience");
    draw_bar(y, 11, bar, i->patience > 0 ? (double)i->price / i->patience : 0, true,
             i->price > i->par ? STYLE_BAD : STYLE_ACCENT);
    int x = 11 + bar + 2, left = FREE_QUESTIONS - i->questions_asked;
    spent_text(i, rest, sizeof rest, columns);
    x += draw_text(y, x, columns - x, i->price >= i->patience ? STYLE_BAD : STYLE_PLAIN, rest) + 3;
    hook_clock(&s->in, rest, sizeof rest);
    if (rest[0])
        snprintf(clock, sizeof clock, "%s%s", s->unsaved ? "saving   " : "", rest);
    else
        snprintf(clock, sizeof clock, "%sclock %02ld:%02ld%s", s->unsaved ? "saving   " : "",
                 seconds / 60, seconds % 60, columns >= 80 ? " (not scored)" : "");
    draw_right(y, columns - 1, draw_columns(clock), STYLE_DIM, clock);
    if (wide && s->story->n_questions && columns - x - draw_columns(clock) > 24)
        draw_textf(y, x, columns - x - draw_columns(clock) - 2, STYLE_PLAIN,
                   "%d of %d questions left", left > 0 ? left : 0, FREE_QUESTIONS);
}

/* ---- what to do ---- */

static void draw_ranges(const struct investigation_screen *s, int y, int columns)
{
    const struct probe *p = s->buy.call;
    int x = 1;
    for (int k = 0; k < options_of(p); k++) {
        x += draw_textf(y, x, columns - x, STYLE_BOLD, "%d:", k + 1) + 1;
        x += draw_text(y, x, columns - x, STYLE_PLAIN, p->option[k].label) + 3;
    }
}

/* Did what came last bring the price to `limit`? */
static bool just_passed(const struct investigation *i, int limit,
                        const struct investigation_screen *s)
{
    int last = s->book.n ? s->book.note[s->book.n - 1].price : 0;
    return i->price >= limit && i->price - last < limit;
}

const char *investigation_open_todo(const struct investigation_screen *s, char *out, size_t size,
                                    bool brief)
{
    const struct investigation *i = state_of(s);
    if (s->wanted == WANTED_SYMPTOM)
        snprintf(out, size, "Measuring what the story complains about.");
    else if (s->buy.active)
        snprintf(out, size,
                 brief
                     ? "%c is being measured. Esc returns the price."
                     : "%c is being measured; move your beliefs meanwhile. Esc returns the price.",
                 s->buy.letter);
    else if (s->arrived[0] && just_passed(i, i->patience, s))
        snprintf(out, size,
                 brief ? "%s: patience is out. Enter commits."
                       : "%s has arrived; patience is out, so evidence scores 0. Enter commits.",
                 s->arrived);
    else if (s->arrived[0] && just_passed(i, i->par + 1, s))
        snprintf(out, size,
                 brief ? "%s: past full marks. Letters, Enter commits."
                       : "%s has arrived, past full marks: each minute from here costs points.",
                 s->arrived);
    else if (s->arrived[0])
        snprintf(out, size,
                 brief ? "%s has arrived. Beliefs, letters, Enter commits."
                       : "%s has arrived. Move your beliefs; then buy again, or Enter to commit.",
                 s->arrived);
    else if (i->n_bought == 0)
        snprintf(out, size,
                 brief ? "A digit, then + or -: beliefs. A letter buys evidence."
                       : "Say what you believe (a digit, then + or -), or buy evidence by its "
                         "letter.");
    else
        snprintf(out, size,
                 brief
                     ? "Beliefs, letters; Enter commits."
                     : "Move your beliefs, buy evidence by its letter, or press Enter to commit.");
    return out;
}

const char *investigation_note_todo(const struct investigation_screen *s, char *out, size_t size,
                                    bool brief)
{
    (void)s, (void)out, (void)size, (void)brief;
    return "Your notes, shown again in the debrief. Tab keeps them.";
}

static void draw_todo(struct app *app, const struct investigation_screen *s, int y, int columns)
{
    char text[160], line[256];
    const char *said = app_said(app);
    hook_news(&s->in, line, sizeof line, s->key_ms);
    if (line[0] && !s->buy.asking && !calling(s)) {
        draw_text(y, 1, columns - 2, STYLE_BOLD, line);
    } else if (s->buy.asking) {
        estimate_draw_field(s, y, columns);
    } else if (calling(s)) {
        draw_ranges(s, y, columns);
    } else if (said && said[0]) {
        draw_text(y, 1, columns - 2, STYLE_BOLD, said);
    } else {
        draw_text(y, 1, columns - 2, STYLE_PLAIN,
                  mode_of(s)->todo(s, text, sizeof text, columns < 80));
    }
}

/* ---- keys ---- */

static void draw_measuring(const struct investigation_screen *s, int y, int columns)
{
    int at = 0, of = 0;
    const char *say = supply_say(s->supply, &at, &of);
    const char *what = s->wanted == WANTED_SYMPTOM   ? "the symptom"
                       : s->wanted == WANTED_DEBRIEF ? "the fix beside the suspect"
                       : s->wanted == WANTED_HANDED  ? "what the interviewer hands you"
                                                     : s->buy.title;
    int x = 1 + draw_textf(y, 1, columns - 2, STYLE_PLAIN, "measuring %s", what) + 3;
    if (of > 0 && columns - x > 30) {
        draw_bar(y, x, 20, (double)at / of, true, STYLE_ACCENT);
        x += 23;
    }
    x += draw_text(y, x, columns - x - 1, STYLE_DIM, say ? say : "") + 3;
    if (s->wanted == WANTED_PROBE && columns - x > 12)
        draw_text(y, x, columns - x - 1, STYLE_DIM, "Esc cancels and returns the price");
}

/* Of a pane of code or an exhibit: what is special about it, and what goes on from here. */
static void code_line(const struct investigation_screen *s, char *out, size_t size, int columns)
{
    const struct mode *m = mode_of(s);
    bool wide = columns >= 100;
    snprintf(out, size, "f %s  %s%s%sTab turn  %s", s->whole ? "back to the panes" : "whole screen",
             columns >= 80 ? "arrows move  " : "",
             wide && !s->whole && m->believes ? "0-9 choose  + - odds  " : "", m->way_on,
             wide ? "? help  q quit" : columns >= 80 ? "? help  q" : "? q");
}

/* As the mode stands at this width. */
static void mode_key_line(const struct investigation_screen *s, char *out, size_t size,
                          int columns)
{
    const struct mode *m = mode_of(s);
    if (m->way_on && shows_code(s) && !s->explaining)
        code_line(s, out, size, columns);
    else if (m->key_line)
        m->key_line(s, out, size, columns);
    else
        key_line(out, size, investigation_keys(NULL, s), columns - 2);
}

static void draw_keys(struct app *app, const struct investigation_screen *s, int y, int columns)
{
    char line[256];
    const char *said = app_said(app);
    if ((calling(s) || s->buy.asking) && said &&
        said[0]) { /* its own row has the ranges, or the field */
        draw_text(y, 1, columns - 2, STYLE_BOLD, said);
        return;
    }
    if (s->buy.asking && s->trouble[0]) {
        draw_trouble(s, y, columns);
        return;
    }
    if (s->wanted != WANTED_NOTHING && s->supply && supply_poll(s->supply) == SUPPLY_WORKING) {
        draw_measuring(s, y, columns);
        return;
    }
    if (s->buy.asking)
        snprintf(line, sizeof line, "%s", estimate_keys(s, columns));
    else if (s->buy.active && s->buy.call)
        snprintf(line, sizeof line,
                 columns < 80
                     ? "1-%d call it   Enter without   Esc: not bought"
                     : "1-%d call it before you see it   Enter shows it without   Esc: not bought",
                 options_of(s->buy.call));
    else
        mode_key_line(s, line, sizeof line, columns);
    draw_text(y, 1, columns - 2, STYLE_DIM, line);
}

void foot_draw(struct app *app, const struct investigation_screen *s, const struct layout *l)
{
    int columns = app_columns(app);
    draw_status(app, s, l);
    draw_todo(app, s, l->todo, columns);
    if (l->key_rule >= 0)
        draw_rule(l->key_rule, 0, columns, NULL, NULL);
    draw_keys(app, s, l->keys, columns);
}

/* Estimates at the foot of the screen: the question, whole at every size, the field, and what is
 * taken of what was typed. */
#include "tui/play/investigation_estimate.h"

#include <stdio.h>
#include <string.h>

#include "tui/practice/review_page.h"
#include "tui/play/investigation_buy.h"

/* As the debrief counts them. */
static int number_of(const struct investigation_screen *s, const struct estimate *e)
{
    return (int)(e - s->story->estimates) + 1;
}

/* Is it asked once beliefs, line and fix are locked, and not for a purchase? */
static bool is_late(const struct investigation_screen *s)
{
    return s->ui == UI_NUMBERS;
}

/* ---- drawing ---- */

static int question_draw(const struct investigation_screen *s, struct rect r)
{
    int n = draw_wrapped(r, 0, STYLE_BOLD, s->buy.asking->ask);
    struct rect sizes = { r.y + n, r.x, r.h > n ? r.h - n : 0, r.w };
    return s->sizes[0] ? n + draw_wrapped(sizes, 0, STYLE_PLAIN, s->sizes) : n;
}

int estimate_more_rows(const struct investigation_screen *s, int columns)
{
    return s->buy.asking ? question_draw(s, (struct rect){ 0, 1, 0, columns - 2 }) - 1 : 0;
}

void estimate_draw_rule(const struct investigation_screen *s, const struct layout *l)
{
    char title[32];
    if (s->buy.asking)
        snprintf(title, sizeof title, "ESTIMATE %d OF %d", number_of(s, s->buy.asking),
                 s->story->n_estimates);
    draw_rule(l->status_rule, 0, l->title.w, s->buy.asking ? title : NULL,
              s->taken[0] ? s->taken : NULL);
}

void estimate_draw_question(const struct investigation_screen *s, const struct layout *l)
{
    question_draw(s, (struct rect){ l->status, 1, l->todo - l->status, l->title.w - 2 });
}

static void field_hint(const struct investigation_screen *s, char *out, size_t size)
{
    const char *unit = s->buy.asking->unit;
    if (s->skipping)
        snprintf(out, size, "Enter again skips it: 0 of its %.1f points",
                 (double)score_line_possible(LINE_ESTIMATES) / s->story->n_estimates);
    else
        snprintf(out, size, "%s; Enter twice skips it",
                 strcmp(unit, "s") == 0     ? "such as 40 us"
                 : strcmp(unit, "1") == 0   ? "such as 48 or 3e9"
                 : strcmp(unit, "B") == 0   ? "such as 40 MB"
                 : strcmp(unit, "B/s") == 0 ? "such as 3 TB/s"
                                            : unit);
}

void estimate_draw_field(const struct investigation_screen *s, int y, int columns)
{
    int x = 1 + draw_text(y, 1, 20, STYLE_DIM, "your estimate:") + 1;
    char hint[80];
    field_hint(s, hint, sizeof hint);
    int tail = columns >= 80 || s->skipping ? draw_columns(hint) + 3
                                            : 0; /* at 80 columns that leaves 21 to type in */
    textfield_draw(&s->field, y, x, columns - x - tail - 1, STYLE_ACCENT);
    if (tail)
        draw_right(y, columns - 1, tail, STYLE_DIM, hint);
}

const char *estimate_keys(const struct investigation_screen *s, int columns)
{
    bool brief = columns < 80;
    if (!is_late(s))
        return brief ? "Enter takes it   empty twice: skips it   Esc cancels"
                     : "Enter takes it   Esc cancels   Ctrl-U clears";
    if (s->in.hooks)
        return brief ? "Enter takes it   empty twice: skips it" : "Enter takes it   Ctrl-U clears";
    return brief ? "Enter takes it   empty twice: skips it   Esc home"
                 : "Enter takes it   Esc goes home, saved   Ctrl-U clears";
}

/* ---- what was typed ---- */

/* As grading reads it, and above zero, as every truth is. False: why not is said, and the text
 * stays where it is. */
static bool readable(struct app *app, const struct estimate *e, const char *typed,
                     struct quantity_reading *out)
{
    char why[200];
    bool kept_whole = strlen(typed) < sizeof ((struct move *)0)->answer;
    if (kept_whole && estimate_read(typed, e->unit, out, why, sizeof why) == QUANTITY_OK) {
        if (out->q.value > 0)
            return true;
        snprintf(why, sizeof why, "an estimate is above zero");
    } else if (!kept_whole) {
        snprintf(why, sizeof why, "that is too long for a number");
    }
    practice_say_again(app, why);
    return false;
}

/* A number without its unit is told once as what it is taken for, before it counts; not where the
 * field names that unit. */
static bool is_understood(struct app *app, struct investigation_screen *s,
                          const struct quantity_reading *r)
{
    bool named = r->bare == QUANTITY_AS_ASKED && strcmp(s->buy.asking->unit, "s") != 0;
    if (r->bare == QUANTITY_SPELLED || named || s->guessing)
        return true;
    s->guessing = true;
    app_say(app, "Enter again takes it as %s; or write its unit.", r->taken);
    return false;
}

/* NULL: it was skipped. */
static void tell_taken(struct investigation_screen *s, const struct estimate *e,
                       const struct quantity *q)
{
    char shown[64];
    if (q)
        quantity_show_as(shown, sizeof shown, *q, e->unit);
    snprintf(s->taken, sizeof s->taken, "%s %s, %d of %d", q ? shown : "estimate",
             q ? "taken" : "skipped", number_of(s, e), s->story->n_estimates);
}

/* "" is a skip. */
static int take(struct app *app, struct investigation_screen *s, const char *typed)
{
    const struct estimate *e = s->buy.asking;
    struct move m = { .kind = MOVE_ESTIMATED };
    struct quantity_reading r = { .bare = QUANTITY_SPELLED };
    if (typed[0] && (!readable(app, e, typed, &r) || !is_understood(app, s, &r)))
        return DO_REDRAW;
    s->guessing = false;
    snprintf(m.item, sizeof m.item, "%s", e->id);
    snprintf(m.answer, sizeof m.answer, "%s", typed);
    if (investigation_do(app, s, &m) != 0)
        return DO_REDRAW;
    tell_taken(s, e, typed[0] ? &r.q : NULL);
    if (s->ui == UI_OPEN && !s->buy.active) {
        s->buy.asking = NULL;
        app_text_input(app, false);
        return DO_REDRAW;
    }
    if (is_late(s)) {
        app_text_input(app, false);
        investigation_enter_phase(app, s);
    } else {
        buy_go_on(app, s);
    }
    return DO_REDRAW;
}

static int cancel(struct app *app, struct investigation_screen *s)
{
    if (is_late(s) &&
        investigation_refuses(app, s,
                              "The number comes first; Enter twice on an empty line skips it."))
        return DO_REDRAW;
    app_text_input(app, false);
    if (is_late(s))
        return DO_POP;
    if (s->buy.active)
        app_say(app, "%c was not bought.", s->buy.letter);
    s->buy.asking = NULL;
    buy_cancel(app, s);
    return DO_REDRAW;
}

int estimate_typed(struct app *app, struct investigation_screen *s, int key)
{
    enum textfield_result r = textfield_key(&s->field, key);
    s->skipping = s->skipping && r != TEXTFIELD_CHANGED;
    s->guessing = s->guessing && r != TEXTFIELD_CHANGED;
    if (r == TEXTFIELD_IGNORED || r == TEXTFIELD_CHANGED)
        return DO_REDRAW;
    if (r == TEXTFIELD_CANCELLED)
        return cancel(app, s);
    textfield_trim(&s->field);
    if (textfield_text(&s->field)[0] == '\0' && !s->skipping) {
        s->skipping = true;         /* the hint says what it costs */
        return DO_REDRAW;
    }
    return take(app, s, textfield_text(&s->field));
}

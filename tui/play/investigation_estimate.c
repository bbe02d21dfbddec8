/* Estimates: what is taken of what was typed at the foot of the screen. */
#include "tui/play/investigation_estimate.h"

#include <stdio.h>
#include <string.h>

#include "tui/practice/review_page.h"
#include "tui/play/investigation_buy.h"
#include "tui/play/investigation_phase.h"
#include "tui/play/investigation_question.h"

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
             q ? "taken" : "skipped", estimate_number(s, e),
             investigation_estimates(state_of(s)));
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
    if (estimate_is_late(s)) {
        app_text_input(app, false);
        investigation_enter_phase(app, s);
    } else {
        buy_go_on(app, s);
    }
    return DO_REDRAW;
}

static int cancel(struct app *app, struct investigation_screen *s)
{
    if (estimate_is_late(s) &&
        investigation_refuses(app, s,
                              "The number comes first; Enter twice on an empty line skips it."))
        return DO_REDRAW;
    app_text_input(app, false);
    if (estimate_is_late(s))
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

/* Where an investigation stands by its phase, freshly reached or resumed. */
#include "tui/play/investigation_phase.h"

#include "scenarios/play/naming.h"
#include "scenarios/text/diff.h"
#include "tui/play/investigation_place.h"

static void begin_naming(struct app *app, struct investigation_screen *s)
{
    s->ui = UI_NAMING;
    s->view = VIEW_STORY;
    s->scroll = 0;
    s->naming_again = false;
    editor_free(&s->notes);
    editor_init(&s->notes, "");
    app_text_input(app, true);
}

static void be_pushed(struct app *app, struct investigation_screen *s)
{
    attempt_unpress(s->attempt);
    s->ui = UI_PUSHBACK;
    s->pushed_now = s->in.hooks != NULL;
    investigation_show_beliefs(app, s);
}

static void be_waiting(struct app *app, struct investigation_screen *s)
{
    s->ui = UI_WAIT;
    investigation_show_beliefs(app, s);
}

/* The beliefs are locked by a commitment without line and remedy; the second one completes it. */
static void enter_committed(struct app *app, struct investigation_screen *s)
{
    const struct investigation *i = state_of(s);
    s->buy.asking = NULL;
    if (i->remedy < 0) {
        s->ui = UI_LINE;
        s->shift = 0;
        s->line = 1;
        if (!story_is_case(s->story))
            diff_body(s->variant->suspect->text, &s->line);
        return;
    }
    s->buy.asking = investigation_left(i);
    if (s->buy.asking) {
        s->ui = UI_NUMBERS;
        investigation_text(app, s, "");
        return;
    }
    if (s->in.hooks) {                       /* the interviewer pushes back, or does not */
        be_waiting(app, s);
        return;
    }
    struct move m = { .kind = MOVE_PUSHED, .pushback = investigation_pushback(i) };
    if (m.pushback >= 0 && investigation_do(app, s, &m) != 0)
        return;
    be_pushed(app, s);
}

void investigation_enter_phase(struct app *app, struct investigation_screen *s)
{
    const struct investigation *i = state_of(s);
    if (i->phase == PHASE_COMMITTED) {
        enter_committed(app, s);
    } else if (i->phase == PHASE_PUSHED) {
        be_pushed(app, s);
    } else if (i->phase == PHASE_RESPONDED && !hook_revealed(&s->in)) {
        be_waiting(app, s);
    } else if (i->phase == PHASE_RESPONDED) {
        s->ui = UI_REVEAL;
        s->reveal_due = true;
    } else if (naming_due(i)) {
        begin_naming(app, s);
    }
}

/* Keys while the shop is open; what comes after the commitment is investigation_commit.c's. */
#include "tui/play/investigation_act.h"

#include <string.h>

#include "tui/play/investigation_buy.h"
#include "tui/play/investigation_list.h"
#include "tui/play/investigation_look.h"
#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_place.h"

/* ---- beliefs ---- */

static void take_percent(struct app *app, struct investigation_screen *s)
{
    int percent[MAX_HYPOTHESES];
    s->digits = 0;
    attempt_say(s->attempt, s->chosen, s->percent, app_now(app));
    attempt_percent(s->attempt, percent);
    bool undo = action_of_key(mode_of(s)->keys, 'u', NULL) == ACT_UNDO;
    app_say(app, "%s: %d %%%s", s->story->hypotheses[s->chosen]->brief, percent[s->chosen],
            undo ? "; u takes it back." : ".");
}

/* A digit behind %, or Enter and Esc there. False: the key is another's, and % is over. */
static bool type_percent(struct app *app, struct investigation_screen *s, enum action action,
                         int arg)
{
    bool any = s->digits == 1;
    if (action == ACT_DIGIT) {
        s->percent = s->percent * 10 + arg;
        s->digits--;
        if (s->digits == 0)
            take_percent(app, s);
        else
            app_say(app, "%s: %d_ %%   Enter takes it so",
                    s->story->hypotheses[s->chosen]->brief, s->percent);
        return true;
    }
    s->digits = 0;
    if (action == ACT_ENTER && any)
        take_percent(app, s);
    return action == ACT_BACK || action == ACT_ENTER;
}

/* Beliefs that were still in the keys, and are no move yet, are taken back without one. */
static void say_undone(struct app *app, const struct investigation *i, int moves_before)
{
    const struct move *back = NULL;
    for (int m = 0; i->n_moves > moves_before && m < i->n_moves; m++)
        if (strcmp(i->moves[m].uid, i->moves[i->n_moves - 1].undone) == 0)
            back = &i->moves[m];
    if (!back || back->kind != MOVE_ESTIMATED)
        app_say(app, "Taken back: the beliefs are what they were before.");
    else if (back->answer[0])
        app_say(app, "Taken back: the estimate %s; it is asked again.", back->answer);
    else
        app_say(app, "Taken back: an estimate skipped; it is asked again.");
}

static void undo(struct app *app, struct investigation_screen *s)
{
    struct err err = { 0 };
    int moves = state_of(s)->n_moves;
    if (attempt_undo(s->attempt, app_now(app), &err) != 0)
        app_say(app, "%.*s", (int)strcspn(err.text, "\n"), err.text);
    else
        say_undone(app, state_of(s), moves);
    investigation_book(s);
    investigation_told(s);
}

/* ---- the note ---- */

static void begin_note(struct app *app, struct investigation_screen *s)
{
    if (s->buy.active) {
        app_say(app, "%c is being bought; the note can wait until it is here.", s->buy.letter);
        return;
    }
    s->ui = UI_NOTE;
    editor_free(&s->notes);
    editor_init(&s->notes, state_of(s)->note);
    app_text_input(app, true);
}

int investigation_note_typed(struct app *app, struct investigation_screen *s, int key)
{
    struct layout l;
    investigation_layout(app, s, &l);
    struct rect where = note_rect(&l);
    enum editor_result r = editor_key(&s->notes, key, where.w, where.h);
    if (r == EDITOR_OUTSIDE)
        app_edit_outside(app, &s->notes);
    if (r == EDITOR_FULL)
        app_say(app, "%s", editor_full_words());
    if (r != EDITOR_DONE && r != EDITOR_CANCELLED)
        return DO_REDRAW;
    app_text_input(app, false);
    if (r == EDITOR_DONE || !s->in.hooks) /* in an interview Esc keeps it from the interviewer */
        investigation_keep_writing(app, s);
    s->ui = UI_OPEN;
    return DO_REDRAW;
}

int investigation_typed(struct app *app, void *self, int key)
{
    struct investigation_screen *s = self;
    s->key_ms = app_now(app);
    return mode_of(s)->typed(app, s, key);
}

/* ---- dispatch ---- */

/* The second X in a row gives up. */
static int abandon(struct app *app, struct investigation_screen *s)
{
    struct move m = { .kind = MOVE_ABANDONED };
    if (investigation_refuses(app, s, "Only the interviewer ends it; q leaves."))
        return DO_REDRAW;
    if (!s->leaving) {
        s->leaving = true;
        app_say(app, "X again gives this attempt up for good: stored, not scored. Any other key "
                     "goes on.");
        return DO_REDRAW;
    }
    return investigation_do(app, s, &m) == 0 ? DO_POP : DO_REDRAW;
}

static int back(struct app *app, struct investigation_screen *s)
{
    if (s->buy.active) {
        app_say(app, "%c was not bought; nothing was charged.", s->buy.letter);
        buy_cancel(app, s);
    } else if (s->explaining) {
        s->explaining = false;
    } else if (mode_of(s)->lists) {
        s->ui = UI_OPEN;
    } else if (s->view != VIEW_NOTES) {
        s->view = VIEW_NOTES;
    } else {
        return investigation_home(app, s);
    }
    return DO_REDRAW;
}

static void show_stakes(struct app *app, struct investigation_screen *s)
{
    s->ui = UI_STAKES;
    s->explaining = false;
    investigation_show_beliefs(app, s);
}

int investigation_act_open(struct app *app, struct investigation_screen *s, enum action action,
                           int arg)
{
    if (action == ACT_BACK)
        return back(app, s);
    if (action == ACT_DIGIT && s->buy.active && s->buy.call && arg >= 1 && arg <= 4)
        buy_call(app, s, arg);
    else if (investigation_press(app, s, action, arg))
        s->explaining = s->explaining && action == ACT_DIGIT;
    else if (action == ACT_BUY)
        s->ui = UI_OPEN, buy_letter(app, s, arg);
    else if (action == ACT_ENTER && s->buy.active && s->buy.call)
        buy_call(app, s, 0);
    else if (action == ACT_ENTER && !s->buy.active)
        show_stakes(app, s);
    else if (action == ACT_UNDO)
        undo(app, s);
    else if (action == ACT_NOTE)
        begin_note(app, s);
    else if (action == ACT_ABANDON)
        return abandon(app, s);
    else if (!investigation_look(app, s, action))
        return DO_NOTHING;
    return DO_REDRAW;
}

int investigation_act_list(struct app *app, struct investigation_screen *s, enum action action,
                           int arg)
{
    bool called = action == ACT_DIGIT && s->buy.active && s->buy.call && arg >= 1 && arg <= 4;
    if (called || !list_act(app, s, action, arg))
        return investigation_act_open(app, s, action, arg);
    s->explaining = false;
    return DO_REDRAW;
}

int investigation_act(struct app *app, void *self, enum action action, int arg)
{
    struct investigation_screen *s = self;
    s->key_ms = app_now(app);
    s->leaving = s->leaving && action == ACT_ABANDON;
    s->homing = s->homing && action == ACT_BACK;
    s->taken[0] = '\0';
    s->locking = s->locking && action == ACT_ENTER;
    bool pushed_now = s->pushed_now;
    s->pushed_now = false;
    if (pushed_now && mode_of(s)->final &&
        action == ACT_ENTER) { /* it was meant for what stood here before */
        app_say(app, "The interviewer has spoken: read it. Enter again: beliefs are final.");
        return DO_REDRAW;
    }
    if (action == ACT_BACK && !s->buy.active && investigation_whole(s)) {
        s->whole = false;
        return DO_REDRAW;
    }
    if (s->digits && type_percent(app, s, action, arg))
        return DO_REDRAW;
    return mode_of(s)->act(app, s, action, arg);
}

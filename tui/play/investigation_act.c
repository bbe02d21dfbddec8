/* Keys while the shop is open; what comes after the commitment is investigation_commit.c's. */
#include "tui/play/investigation_act.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/timeline.h"
#include "tui/play/exhibit_pane.h"
#include "tui/kit/layout.h"
#include "tui/play/investigation_buy.h"
#include "tui/play/investigation_known.h"
#include "tui/play/investigation_list.h"
#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_steps.h"

enum { SHIFT_STEP = 8, SHIFT_MOST = 160 };

int source_lines(const struct investigation_screen *s)
{
    int n = 0;
    for (const char *p = s->variant->suspect->text; *p; n++) {
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    return n;
}

/* ---- beliefs ---- */

static void ask_percent(struct app *app, struct investigation_screen *s)
{
    s->digits = 2;
    s->percent = 0;
    app_say(app, "%s: how many per cent? Two digits, such as 64 or 05.",
            s->story->hypotheses[s->chosen]->brief);
}

static void take_percent(struct app *app, struct investigation_screen *s)
{
    int percent[MAX_HYPOTHESES];
    s->digits = 0;
    attempt_say(s->attempt, s->chosen, s->percent, app_now(app));
    attempt_percent(s->attempt, percent);
    app_say(app, "%s: %d %%.", s->story->hypotheses[s->chosen]->brief, percent[s->chosen]);
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

bool investigation_press(struct app *app, struct investigation_screen *s, enum action action,
                         int arg)
{
    enum belief_key key = action == ACT_MORE   ? BELIEF_MORE
                          : action == ACT_LESS ? BELIEF_LESS
                                               : BELIEF_OUT;
    if (action == ACT_DIGIT) {
        int k = investigation_of_digit(s->story, arg);
        if (k >= 0)
            s->chosen = k, s->row_last = false;
        return true;
    }
    if (action == ACT_PER_CENT && !mode_of(s)->lists) {
        ask_percent(app, s);
        return true;
    }
    if (action != ACT_MORE && action != ACT_LESS && action != ACT_OUT)
        return false;
    attempt_press(s->attempt, s->chosen, key, app_now(app));
    return true;
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

/* ---- the panes ---- */

static bool view_offered(const struct app *app, const struct investigation_screen *s, enum view v)
{
    struct layout l;
    struct timeline step;
    const struct msg_part *part;
    investigation_layout((struct app *)app, s, &l);
    switch (v) {
    case VIEW_NOTES: return true;
    case VIEW_ROOF: return s->time > 0 && s->bytes > 0 && yardstick_of(s) > 0;
    case VIEW_SOURCE: return investigation_has(state_of(s), "source");
    case VIEW_LISTING: return listing_of(s) != NULL;
    case VIEW_STORY: return !story_stands_above(s, &l);
    case VIEW_BELIEFS: case VIEW_SHOP: return l.shape == LAYOUT_PANE;
    case VIEW_STEPS: return steps_of(s, &step);
    case VIEW_SWEEP: return sweep_of(s) != NULL;
    case VIEW_EXHIBIT: return exhibit_of(s, &part) != NULL;
    default: return false;
    }
}

static void turn(struct app *app, struct investigation_screen *s)
{
    static const enum view order[] = {VIEW_STORY,   VIEW_BELIEFS, VIEW_NOTES,   VIEW_STEPS,
                                      VIEW_ROOF,    VIEW_SWEEP,   VIEW_EXHIBIT, VIEW_SOURCE,
                                      VIEW_LISTING, VIEW_SHOP};
    enum { N = sizeof order / sizeof *order };
    int at = 0;
    while (at < N && order[at] != s->view)
        at++;
    do
        at = (at + 1) % N;
    while (!view_offered(app, s, order[at]));
    s->view = order[at];
    s->scroll = s->shift = 0;
    s->explaining = false;
}

/* The last line stays at the bottom. */
static void scroll(struct investigation_screen *s, int by, struct pane pane)
{
    s->scroll += by;
    if (s->scroll > pane.lines - pane.rows)
        s->scroll = pane.lines - pane.rows;
    if (s->scroll < 0)
        s->scroll = 0;
}

void investigation_shift(struct investigation_screen *s, enum action action)
{
    int to = s->shift + (action == ACT_LEFT ? -SHIFT_STEP : SHIFT_STEP);
    s->shift = to < 0 ? 0 : to > SHIFT_MOST ? SHIFT_MOST : to;
}

/* Up and down by rows, left and right by blocks. */
static void move_note(struct investigation_screen *s, enum action action, int step, int rows)
{
    s->row_last = true;
    if (action == ACT_LEFT || action == ACT_RIGHT) {
        if (s->note + step >= 0 && s->note + step < s->book.n)
            s->note += step, s->row = -1;
        return;
    }
    for (int k = 0; k < rows && notebook_move(&s->book, &s->note, &s->row, step); k++)
        ;
}

/* An exhibit no further than something is hidden. */
static void sideways_by(struct investigation_screen *s, enum action action, int w)
{
    const struct msg_part *part;
    const struct experiment *x = s->view == VIEW_EXHIBIT ? exhibit_of(s, &part) : NULL;
    investigation_shift(s, action);
    if (x && s->shift > exhibit_hidden(x, part, w))
        s->shift = exhibit_hidden(x, part, w);
}

static void move_cursor(struct app *app, struct investigation_screen *s, enum action action)
{
    int step = action == ACT_UP || action == ACT_LEFT || action == ACT_PAGE_UP ||
               action == ACT_FIRST ? -1 : 1;
    bool page = action == ACT_PAGE_UP || action == ACT_PAGE_DOWN,
         far = action == ACT_FIRST || action == ACT_LAST,
         sideways = action == ACT_LEFT || action == ACT_RIGHT;
    struct layout l;
    investigation_layout(app, s, &l);
    struct pane pane = investigation_pane(s, &l);
    s->explaining = s->explaining && s->view == VIEW_STEPS; /* there the next kernel is explained */
    if (s->view == VIEW_STEPS) {
        s->row_last = true;
        steps_move(s, step * (far ? KEYS_FAR : page ? 5 : 1));
    } else if (pane.lines == 0)
        move_note(s, action, step, far                      ? KEYS_FAR
                                   : page && l.known.h > 2 ? l.known.h - 1
                                                           : 1);
    else if (sideways && s->view != VIEW_STORY)
        sideways_by(s, action, l.known.w);     /* code is looked at sideways too */
    else
        scroll(s, step * (far ? KEYS_FAR : page && pane.rows > 1 ? pane.rows : 1), pane);
}

/* What was chosen last: a hypothesis, a row of the notebook (of a title or a text the first number
 * of its block), a kernel of the timeline. */
static void explain(struct investigation_screen *s)
{
    s->explaining = !s->explaining;
    if (s->view == VIEW_STEPS && s->row_last)
        return;
    s->view = VIEW_NOTES;
    if (!s->explaining || !s->row_last || s->note < 0)
        return;
    const struct note *n = &s->book.note[s->note];
    for (int r = 0; r < n->n && (s->row < 0 || !n->row[s->row].metric); r++)
        if (n->row[r].metric)
            s->row = r;
}

/* What f shows: the code or exhibit in the pane, else the exhibit or code whose block is chosen in
 * the notebook; VIEW_NOTES: none. */
static enum view to_widen(const struct investigation_screen *s)
{
    const struct msg_part *part;
    const char *probe = s->note >= 0 && s->note < s->book.n ? s->book.note[s->note].probe : "";
    if (shows_code(s))
        return s->view;
    if (exhibit_of(s, &part))
        return VIEW_EXHIBIT;
    if (strcmp(probe, "source") == 0)
        return VIEW_SOURCE;
    return strcmp(probe, "sass") == 0 && listing_of(s) ? VIEW_LISTING : VIEW_NOTES;
}

/* Code or an exhibit on the whole screen, and back; the first line that was shown stays where the
 * rows allow it. */
static void widen(struct app *app, struct investigation_screen *s)
{
    struct layout l;
    enum view view = to_widen(s);
    if (view == VIEW_NOTES) {
        app_say(app, story_is_case(s->story)
                         ? "f shows an exhibit on the whole screen, once one is bought."
                         : "f shows code on the whole screen: turn to it with Tab first, once it "
                           "is bought.");
        return;
    }
    if (s->view != view)
        s->scroll = s->shift = 0, s->whole = false;
    s->view = view;
    s->explaining = false;
    s->whole = !s->whole;
    investigation_layout(app, s, &l);
    scroll(s, 0, investigation_pane(s, &l));
}

bool investigation_look(struct app *app, struct investigation_screen *s, enum action action)
{
    if (action == ACT_EXPLAIN || action == ACT_EVIDENCE)
        explain(s);
    else if (action == ACT_TAB)
        turn(app, s);
    else if (action == ACT_WHOLE)
        widen(app, s);
    else if ((action >= ACT_UP && action <= ACT_PAGE_DOWN) || action == ACT_FIRST ||
             action == ACT_LAST)
        move_cursor(app, s, action);
    else
        return false;
    return true;
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

int investigation_keep(struct app *app, struct investigation_screen *s, enum move_kind kind,
                       const char *text)
{
    struct move m = { .kind = kind };
    if (strlen(text) >= sizeof m.answer)
        m.text = text_dup(text);
    else
        snprintf(m.answer, sizeof m.answer, "%s", text);
    int rc = investigation_do(app, s, &m);
    if (rc)
        free(m.text);
    return rc;
}

void investigation_keep_writing(struct app *app, struct investigation_screen *s)
{
    if (s->ui == UI_NAMING)
        investigation_keep(app, s, MOVE_NAMED, editor_text(&s->notes));
    else if (strcmp(editor_text(&s->notes), state_of(s)->note ? state_of(s)->note : "") != 0 &&
             investigation_keep(app, s, MOVE_NOTED, editor_text(&s->notes)) == 0)
        app_say(app, "Noted.");
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

int investigation_home(struct app *app, struct investigation_screen *s)
{
    if (investigation_refuses(app, s,
                              "This is an interview: there is nothing to go back to; q leaves."))
        return DO_REDRAW;
    if (s->homing)
        return DO_POP;
    s->homing = true;
    app_say(app, "Esc again goes home; everything is saved.");
    return DO_REDRAW;
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

/* Keys of the console: each is one verb of the session, or opens a field or a list. */
#include "tui/interview/console_act.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/interview/interview_says.h"
#include "scenarios/interview/interview_verbs.h"
#include "tui/interview/brief_screen.h"
#include "tui/interview/console_after.h"
#include "tui/interview/console_back.h"
#include "tui/interview/console_begin.h"
#include "tui/interview/console_clock.h"
#include "tui/interview/console_draw.h"
#include "tui/interview/console_fix.h"
#include "tui/interview/console_link.h"
#include "tui/interview/console_lists.h"
#include "tui/interview/console_says.h"
#include "tui/interview/console_send.h"
#include "tui/interview/plan_drawn.h"

enum { KEY_SCRIBE_END = 29 /* Ctrl-] */, KEY_STORE = 's' & 0x1F };
static const char rating_keys[] = CONSOLE_LETTERS;
static const char late_words[] = "It is over: only grades and R (release) can be added.";

/* ---- what is typed ---- */

static void field_open(struct console *c, enum console_field field)
{
    c->field = field;
    textfield_init(&c->text, "");
    app_text_input(c->app, true);
}

static int field_store(struct console *c, struct err *err)
{
    const char *text = textfield_text(&c->text);
    if (c->field == FIELD_INJECT)
        return interview_inject(c->live, text, err);
    return interview_note(c->live, text, c->field == FIELD_SHARED_NOTE, err);
}

static int field_key(struct console *c, int key)
{
    struct err err = { 0 };
    enum textfield_result how = key == KEY_STORE ? TEXTFIELD_DONE : textfield_key(&c->text, key);
    if (how != TEXTFIELD_DONE && how != TEXTFIELD_CANCELLED)
        return how == TEXTFIELD_CHANGED ? DO_REDRAW : DO_NOTHING;
    textfield_trim(&c->text);
    int rc = how == TEXTFIELD_DONE && textfield_text(&c->text)[0] ? field_store(c, &err) : 0;
    if (rc == 0) {                           /* what could not be stored stays to be stored again */
        c->field = FIELD_NONE;
        app_text_input(c->app, c->mode == CONSOLE_SCRIBE);
    }
    console_after(c, rc, &err);
    return DO_REDRAW;
}

int console_typed(struct app *app, void *self, int key)
{
    struct console *c = self;
    struct err err = { 0 };
    if (c->field != FIELD_NONE)
        return field_key(c, key);
    if (key == KEY_SCRIBE_END) {
        c->mode = CONSOLE_PANES;
        app_text_input(app, false);
    } else if (!console_hides_theirs(c)) {
        link_key(c, key);
    }
    console_after(c, 0, &err);
    return DO_REDRAW;
}

/* ---- one verb each ---- */

static int give_grade(struct console *c, int grade, struct err *err)
{
    const struct session_signal *signal = &interview_session(c->live)->plan.signals[c->grading - 1];
    int rc = interview_rate(c->live, signal->id, grade, err);
    if (rc == 0 && grade)
        app_say(c->app, "%s, %d: %s", signal->title, grade, signal->anchors[grade - 1]);
    else if (rc == 0)
        app_say(c->app, "%s: no grade", signal->title);
    return rc;
}

/* The first row after this one without a grade, all around; 0: every row has one. */
static int next_ungraded(const struct session *s, int after)
{
    for (int k = 0; k < s->plan.n_signals; k++) {
        int row = (after + k) % s->plan.n_signals;
        if (session_grade(s, s->plan.signals[row].id) == 0)
            return row + 1;
    }
    return 0;
}

/* A letter chooses its row, so that what the grades mean is read before one is given; again it
 * raises the grade. */
static int rate(struct console *c, int letter, struct err *err)
{
    const struct session *s = interview_session(c->live);
    const char *at = letter > 0 && letter < 128 ? strchr(rating_keys, letter) : NULL;
    int row = at ? (int)(at - rating_keys) + 1 : 0;
    if (row == 0 || row > s->plan.n_signals)
        return 0;
    if (c->mode == CONSOLE_THEIRS)
        c->mode = CONSOLE_PANES;
    if (c->grading == row)
        return give_grade(c,
                          (session_grade(s, s->plan.signals[row - 1].id) + 1) %
                              (SESSION_MAX_ANCHORS + 1),
                          err);
    c->grading = row;
    return 0;
}

/* A digit while a row is graded. The row stays, so that another digit corrects the grade. */
static int grade_digit(struct console *c, int digit, struct err *err)
{
    if (digit > SESSION_MAX_ANCHORS) {
        app_say(c->app, "1 to %d grade it, 0 takes it away; Esc: the lines to say.",
                SESSION_MAX_ANCHORS);
        return 0;
    }
    return give_grade(c, digit, err);
}

void console_grade_next(struct console *c)
{
    c->grading = next_ungraded(interview_session(c->live), 0);
    c->grading = c->grading || interview_session(c->live)->plan.n_signals == 0 ? c->grading : 1;
}

static int quiet(struct console *c, struct err *err)
{
    bool on = interview_session(c->live)->quiet_until_ms > interview_now(c->live);
    int rc = interview_quiet(c->live, on ? 0 : SESSION_QUIET_S, err);
    if (rc == 0)
        app_say(c->guest,
                on ? "Quiet time is over."
                   : "Quiet time: nobody looks at your screen for %d minutes.",
                SESSION_QUIET_S / 60);
    return rc;
}

/* Before a part: begin it; in one of drills: the first that was not asked. */
static int enter(struct console *c, enum action before, struct err *err)
{
    const struct session *s = interview_session(c->live);
    const struct session_part *part = console_part(c);
    struct console_view v;
    struct say_row say[SAYS_MOST];
    if (s->phase == SESSION_WAITING || s->phase == SESSION_BETWEEN)
        return s->part + 1 < s->plan.n_parts && console_may_begin(c, s->part + 1, before)
                   ? console_begin(c, s->part + 1, err)
                   : 0;
    if (!part || part->kind != PART_DRILLS)
        return 0;
    console_view(c, &v);
    int n = console_says(say, &v, false);
    for (int k = 0; k < n; k++)
        if (!say[k].said)
            return console_ask_drill(c, part->drills[say[k].index], err);
    app_say(c->app, "All drills of this part were asked; a digit and Enter ask one again.");
    return 0;
}

static void brief(struct console *c)
{
    const struct session *s = interview_session(c->live);
    const struct session_part *part = console_part(c);
    const struct variant *v = c->variant;
    struct err err;
    if (part && part->kind == PART_SCENARIO && v && s->phase != SESSION_BETWEEN) {
        brief_open(c->app, part, v);
        return;
    }
    for (int k = s->part + 1; k < s->plan.n_parts; k++) {
        part = &s->plan.parts[k];
        if (part->kind != PART_SCENARIO)
            continue;
        if (plan_drawn(&v, c->app, &s->plan, k, &err) == 0)
            brief_open(c->app, part, v);
        return;
    }
    app_say(c->app, "No scenario follows in this plan.");
}

/* Tab: the panes in turn, then what the candidate sees. */
static void turn(struct console *c)
{
    int panes = console_pane_count(app_rows(c->app), app_columns(c->app));
    c->scroll = 0;
    if (c->mode == CONSOLE_THEIRS) {
        c->mode = CONSOLE_PANES;
        c->pane = 0;
    } else if (++c->pane >= panes) {
        c->pane = 0;
        c->mode = CONSOLE_THEIRS;
    }
}

/* What cannot be taken back is asked once more. */
static bool asked_again(struct console *c, enum action action, enum action before, const char *say)
{
    if (before == action)
        return true;
    c->sure = action;
    app_say(c->app, "%s", say);
    return false;
}

/* The newest scenario that was begun and not revealed; -1: none. */
static int unrevealed(const struct session *s)
{
    for (int k = s->events - 1; k >= 0; k--) {
        const struct session_event *e = s->log[k];
        if (e->kind == SESSION_BEGAN && s->plan.parts[e->part].kind == PART_SCENARIO &&
            s->parts[e->part].attempt[0] && !s->parts[e->part].revealed)
            return e->part;
    }
    return -1;
}

static int reveal(struct console *c, enum action before, struct err *err)
{
    const struct session *s = interview_session(c->live);
    int part = unrevealed(s);
    char say[256];
    if (part < 0) {
        app_say(c->app, "There is nothing to reveal: no scenario has begun whose truth they have "
                        "not seen.");
        return 0;
    }
    const struct attempt *a = interview_attempt_of(c->live, part, err);
    bool open = a && attempt_state(a)->phase == PHASE_OPEN;
    snprintf(say, sizeof say, "x once more shows the truth of part %d%s", part + 1,
             open ? "; beliefs count as they are, line and fix not at all." : ".");
    return asked_again(c, ACT_REVEAL, before, say) ? interview_revealed(c->live, part, err) : 0;
}

/* Scores end the blind rubric for whoever grades, so that is said before. */
static int release(struct console *c, enum action before, struct err *err)
{
    const struct session *s = interview_session(c->live);
    char say[128] = "R once more: they see scores and, in a report, the rubric.";
    if (!session_scores_open(s, false))
        snprintf(say, sizeof say, "R once more shows scores to both of you: %d of %d are graded.",
                 session_graded(s), s->plan.n_signals);
    return asked_again(c, ACT_RELEASE, before, say) ? interview_release(c->live, err) : 0;
}

static int close_interview(struct console *c, enum action before, struct err *err)
{
    const char *say = session_scores_open(interview_session(c->live), false)
                          ? "C once more: over for good. Grades can be given later too."
                          : "C once more: over; grades given later know the scores.";
    if (!asked_again(c, ACT_CLOSE, before, say))
        return 0;
    int rc = interview_close(c->live, err);
    if (rc == 0) { /* who is here stays, and sees scores that are released now */
        c->mode = CONSOLE_PANES;
        c->late = true;
    }
    return rc;
}

static void scroll(struct console *c, int by)
{
    c->scroll += by;
    if (c->scroll < 0 || interview_session(c->live)->quiet_until_ms > interview_now(c->live))
        c->scroll = 0;
}

/* Verbs of the session; 1: not one of them. */
static int verb(struct console *c, enum action action, int arg, enum action before, struct err *err)
{
    const struct session *s = interview_session(c->live);
    switch (action) {
    case ACT_RATE: return rate(c, arg, err);
    case ACT_QUIET: return quiet(c, err);
    case ACT_PAUSE: return interview_pause(c->live, s->phase != SESSION_ON_PAUSE, err);
    case ACT_ENTER: return enter(c, before, err);
    case ACT_UNDO: return console_take_back(c, before, err);
    case ACT_RELEASE: return release(c, before, err);
    case ACT_REVEAL: return reveal(c, before, err);
    case ACT_CLOSE: return close_interview(c, before, err);
    case ACT_MEND: return console_fix(c, before, err);
    default: return 1;
    }
}

/* Looks and places. */
static int place(struct console *c, enum action action, enum action before)
{
    bool over = interview_session(c->live)->phase == SESSION_OVER;
    switch (action) {
    case ACT_SCRIBE:
        c->mode = CONSOLE_SCRIBE;
        c->alone = true;                     /* one screen may be all there is */
        app_text_input(c->app, true);
        break;
    case ACT_GIVE: lists_open(c, LIST_EVIDENCE); break;
    case ACT_DRILLS: lists_open(c, LIST_DRILLS); break;
    case ACT_PARTS: lists_open(c, LIST_PARTS); break;
    case ACT_CLOCK: lists_open(c, LIST_CLOCK); break;
    case ACT_LINES: lists_open(c, LIST_LINES); break;
    case ACT_NOTES: lists_open(c, LIST_NOTES); break;
    case ACT_CODE: lists_open(c, LIST_CODE); break;
    case ACT_NOTE: field_open(c, FIELD_NOTE); break;
    case ACT_SHARED_NOTE: field_open(c, FIELD_SHARED_NOTE); break;
    case ACT_INJECT: field_open(c, FIELD_INJECT); break;
    case ACT_BRIEF: brief(c); break;
    case ACT_TAB: turn(c); break;
    case ACT_UP: scroll(c, 1); break;
    case ACT_DOWN: scroll(c, -1); break;
    case ACT_BACK:
        c->mode = CONSOLE_PANES;
        c->scroll = 0;
        break;
    case ACT_LEAVE:
        return over || asked_again(c, action, before,
                                   "q once more leaves; host --resume goes on with it.")
                   ? DO_POP | DO_QUIT
                   : DO_REDRAW;
    default: return DO_NOTHING;
    }
    return DO_REDRAW;
}

/* Keys of a row that is being graded; false: the key means what it always does, and the row is
 * left. */
static bool grading_act(struct console *c, enum action action, int arg)
{
    struct err err = { 0 };
    int rows = interview_session(c->live)->plan.n_signals;
    switch (action) {
    case ACT_DIGIT: console_after(c, grade_digit(c, arg, &err), &err); return true;
    case ACT_UP: c->grading = c->grading > 1 ? c->grading - 1 : rows; return true;
    case ACT_DOWN: c->grading = c->grading < rows ? c->grading + 1 : 1; return true;
    case ACT_ENTER:
        c->grading = c->late ? next_ungraded(interview_session(c->live), c->grading) : 0;
        return true;
    case ACT_BACK: c->grading = 0; return true;
    case ACT_RATE:
    case ACT_NONE:
    case ACT_HELP:
    case ACT_NOTE:
    case ACT_SHARED_NOTE:
    case ACT_UNDO: return false;
    default: c->grading = 0; return false;
    }
}

/* After the end: nothing but looks, grades and the scores' release. */
static bool comes_late(enum action action)
{
    switch (action) {
    case ACT_RATE:
    case ACT_UNDO:
    case ACT_RELEASE:
    case ACT_TAB:
    case ACT_UP:
    case ACT_DOWN:
    case ACT_BACK:
    case ACT_LEAVE:
    case ACT_NOTES: return true;
    default: return false;
    }
}

int console_act(struct app *app, void *self, enum action action, int arg)
{
    struct console *c = self;
    struct err err = { 0 };
    enum action before = c->sure;
    (void)app;
    if (c->mode == CONSOLE_LIST)
        return lists_act(c, action, arg);
    int marked = c->marked;
    c->sure = ACT_NONE;
    c->marked = 0;
    if (c->grading && grading_act(c, action, arg))
        return DO_REDRAW;
    if (c->late && !comes_late(action)) {
        app_say(c->app, "%s", late_words);
        return DO_REDRAW;
    }
    if (action == ACT_DIGIT || (action == ACT_ENTER && marked)) {
        console_say_line(c,
                         action == ACT_ENTER ? marked
                         : arg               ? arg
                                             : 10,
                         false, action == ACT_ENTER);
        return DO_REDRAW;
    }
    int rc = verb(c, action, arg, before, &err), flags = DO_REDRAW;
    if (rc == 1) {
        rc = 0;
        flags = place(c, action, before);
    }
    console_after(c, rc, &err);
    return flags;
}

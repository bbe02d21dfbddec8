/* Keys that look and believe, alike in several modes: panes, cursor, digits and odds, home. */
#include "tui/play/investigation_look.h"

#include <string.h>

#include "scenarios/evidence/timeline.h"
#include "tui/play/exhibit_pane.h"
#include "tui/play/exhibit_timeline.h"
#include "tui/play/investigation_known.h"
#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_place.h"
#include "tui/play/investigation_steps.h"

enum { SHIFT_STEP = 8, SHIFT_MOST = 160 };

static void ask_percent(struct app *app, struct investigation_screen *s)
{
    s->digits = 2;
    s->percent = 0;
    app_say(app, "%s: how many per cent? Two digits, such as 64 or 05.",
            s->story->hypotheses[s->chosen]->brief);
}

/* The belief that a key chooses or moves is seen: what covers all of them gives way. */
static void uncover_beliefs(struct app *app, struct investigation_screen *s)
{
    struct layout l;
    investigation_layout(app, s, &l);
    if (l.beliefs.w)
        return;
    if (mode_of(s)->lists)
        s->ui = UI_OPEN;
    s->whole = s->explaining = false;
    investigation_show_beliefs(app, s);
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
        if (!s->explaining)              /* else it is explained, in the pane */
            uncover_beliefs(app, s);
        return true;
    }
    if (action == ACT_PER_CENT && !mode_of(s)->lists) {
        uncover_beliefs(app, s);
        ask_percent(app, s);
        return true;
    }
    if (action != ACT_MORE && action != ACT_LESS && action != ACT_OUT)
        return false;
    uncover_beliefs(app, s);
    attempt_press(s->attempt, s->chosen, key, app_now(app));
    return true;
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
    case VIEW_SAMPLES: return samples_of(s) != NULL;
    case VIEW_EXHIBIT: return exhibit_of(s, &part) != NULL;
    default: return false;
    }
}

static void turn(struct app *app, struct investigation_screen *s)
{
    static const enum view order[] = {VIEW_STORY,   VIEW_BELIEFS, VIEW_NOTES,   VIEW_STEPS,
                                      VIEW_SAMPLES, VIEW_ROOF,    VIEW_SWEEP,   VIEW_EXHIBIT,
                                      VIEW_SOURCE,  VIEW_LISTING, VIEW_SHOP};
    enum { N = sizeof order / sizeof *order };
    int at = 0;
    while (at < N && order[at] != s->view)
        at++;
    do
        at = (at + 1) % N;
    while (!view_offered(app, s, order[at]));
    s->view = order[at];
    s->scroll = s->shift = s->zoom = 0;
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
    struct exhibit_timeline step;
    const struct experiment *x = s->view == VIEW_EXHIBIT ? exhibit_of(s, &part) : NULL;
    if (timeline_of(s, &step)) /* a quarter of what is seen: a zoomed one is long */
        s->shift += (action == ACT_LEFT ? -1 : 1) * (timeline_bar(&step, w) / 4 + 1);
    else
        investigation_shift(s, action);
    if (x && s->shift > exhibit_hidden(x, part, w, s->zoom))
        s->shift = exhibit_hidden(x, part, w, s->zoom);
    s->shift = s->shift < 0 ? 0 : s->shift;
}

/* What stands in the middle stays there. */
static void zoom_timeline(struct app *app, struct investigation_screen *s, int by)
{
    struct layout l;
    struct exhibit_timeline step;
    investigation_layout(app, s, &l);
    if (!timeline_of(s, &step)) {
        app_say(app, "z and Z zoom a timeline among the exhibits: turn to it with Tab first.");
        return;
    }
    int half = timeline_bar(&step, l.known.w) / 2, middle = s->shift + half, to = s->zoom + by;
    if (to < 0 || to >= TIMELINE_ZOOMS)
        return;
    s->zoom = to;
    s->shift = (by > 0 ? middle * 2 : middle / 2) - half;
    int hidden = timeline_hidden(&step, l.known.w, to);
    s->shift = s->shift < 0 ? 0 : s->shift > hidden ? hidden : s->shift;
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
    struct exhibit_timeline step;
    enum view view = to_widen(s);
    if (view == VIEW_NOTES) {
        app_say(app, story_is_case(s->story)
                         ? "f shows an exhibit on the whole screen, once one is bought."
                         : "f shows code on the whole screen: turn to it with Tab first, once it "
                           "is bought.");
        return;
    }
    if (s->view != view)
        s->scroll = s->shift = s->zoom = 0, s->whole = false;
    s->view = view;
    s->explaining = false;
    investigation_layout(app, s, &l);
    int before = l.known.w;
    s->whole = !s->whole;
    investigation_layout(app, s, &l);
    if (timeline_of(s, &step)) /* its shift is in columns, which are of another time now */
        s->shift = s->shift * timeline_bar(&step, l.known.w) / timeline_bar(&step, before);
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
    else if (action == ACT_ZOOM_IN || action == ACT_ZOOM_OUT)
        zoom_timeline(app, s, action == ACT_ZOOM_IN ? 1 : -1);
    else if ((action >= ACT_UP && action <= ACT_PAGE_DOWN) || action == ACT_FIRST ||
             action == ACT_LAST)
        move_cursor(app, s, action);
    else
        return false;
    return true;
}

int investigation_home(struct app *app, struct investigation_screen *s)
{
    if (investigation_refuses(app, s,
                              "This is an interview: there is nothing to go back to; q leaves."))
        return DO_REDRAW;
    if (s->trouble[0]) {
        app_say(app, "What you did last is not saved yet, so you stay; q leaves without it.");
        return DO_REDRAW;
    }
    if (s->homing)
        return DO_POP;
    s->homing = true;
    app_say(app, "Esc again goes home; everything is saved.");
    return DO_REDRAW;
}

/* A part of talk: the question, what was written down of the answer, and what the interviewer sent.
 */
#include "scenarios/interview/interview_says.h"
#include "tui/app/guest.h"
#include "tui/interview/candidate_screens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/kit/editor.h"

struct talk { int part; bool writing; struct editor notes; };

/* The question at the top, below it what was written down; the interviewer's lines at the bottom.
 */
struct places { struct rect ask, written; };

static struct places places(const struct app *app, struct rect r)
{
    const struct session *s = candidate_session(app);
    struct rect ask = { r.y + 1, r.x + 2, 0, r.w - 4 };
    ask.h = draw_wrapped(ask, 0, STYLE_PLAIN, s->plan.parts[s->part].ask);
    if (ask.h > r.h / 2)
        ask.h = r.h / 2;
    int y = ask.y + ask.h + 2;
    return (struct places){ ask, { y, r.x + 2, r.y + r.h - y, r.w - 4 } };
}

static struct rect body(const struct app *app)
{
    return (struct rect){ 2, 0, app_rows(app) - 5, app_columns(app) };
}

/* The newest rows stay in sight. */
static void written_draw(struct rect r, const char *text)
{
    int rows = draw_wrapped((struct rect){ 0, 0, 0, r.w }, 0, STYLE_PLAIN, text);
    draw_wrapped(r, rows > r.h ? rows - r.h : 0, STYLE_PLAIN, text);
}

static void draw(struct app *app, const void *self)
{
    const struct talk *t = self;
    const struct session *s = candidate_session(app);
    const struct session_state *part = candidate_state(app);
    struct rect r =
        candidate_frame(app, s->plan.parts[s->part].title,
                        t->writing ? "Tab keep   Ctrl-/ undo  Ctrl-R redo   Esc as it was"
                                   : "n note   ? help   q leave");
    struct places at = places(app, r);
    draw_wrapped(at.ask, 0, STYLE_BOLD, s->plan.parts[s->part].ask);
    draw_rule(at.written.y - 1, 0, r.w, "SHARED NOTES", NULL);
    int upper = at.written.h / 2;
    at.written.h -= candidate_lines_draw(app, (struct rect){at.written.y + upper, 0,
                                                            at.written.h - upper, r.w});
    if (t->writing)
        editor_draw(&t->notes, at.written, STYLE_ACCENT);
    else if (part->talk && part->talk[0])
        written_draw(at.written, part->talk);
    else
        draw_text(at.written.y, at.written.x, at.written.w, STYLE_DIM,
                  "Talk it through aloud. What matters can be written down here: n.");
}

/* ---- keys ---- */

static int act(struct app *app, void *self, enum action action, int arg)
{
    struct talk *t = self;
    const struct session_state *part = candidate_state(app);
    (void)arg;
    if (action == ACT_NOTE) {
        t->writing = true;
        editor_free(&t->notes);
        editor_init(&t->notes, part->talk);
        app_text_input(app, true);
    } else if (action == ACT_BACK)
        app_say(app, "The interviewer goes on; q leaves.");
    else
        return DO_NOTHING;
    return DO_REDRAW;
}

static void keep(struct app *app, const struct talk *t)
{
    struct err err = { 0 };
    if (interview_spoke(app_live(app), editor_text(&t->notes), &err) != 0)
        app_say(app, "Not kept: %.*s", (int)strcspn(err.text, "\n"), err.text);
    else
        app_say(app, "Noted.");
}

static int typed(struct app *app, void *self, int key)
{
    struct talk *t = self;
    struct rect where = places(app, body(app)).written;
    enum editor_result r = editor_key(&t->notes, key, where.w, where.h);
    if (r == EDITOR_OUTSIDE)
        app_edit_outside(app, &t->notes);
    else if (r == EDITOR_FULL)
        app_say(app, "%s", editor_full_words());
    else if (r == EDITOR_DONE || r == EDITOR_CANCELLED) {
        app_text_input(app, false);
        t->writing = false;
        if (r == EDITOR_DONE)
            keep(app, t);
    }
    return DO_REDRAW;
}

/* ---- living ---- */

static void leave(struct app *app, void *self)
{
    struct talk *t = self;
    (void)app;
    editor_free(&t->notes);
    free(t);
}

void talk_open(struct app *guest, int part)
{
    struct talk *t = mem_new(1, sizeof *t);
    t->part = part;
    editor_init(&t->notes, NULL);
    app_push(guest, &talk_screen, t);
}

int talk_part(const void *self) { return ((const struct talk *)self)->part; }
bool talk_writes(const void *self) { return ((const struct talk *)self)->writing; }

const struct screen_ops talk_screen = {
    .name = "talk",
    .keys = candidate_keys,
    .draw = draw,
    .act = act,
    .text = typed,
    .tick = candidate_tick,
    .due_ms = candidate_due_ms,
    .leave = leave,
};

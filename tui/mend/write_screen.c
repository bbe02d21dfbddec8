/* Kernels to be written from nothing: which there are, and how far one is with each. */
#include "tui/mend/mend.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels/wire/text.h"
#include "scenarios/library/catalog.h"
#include "scenarios/mend/mend_score.h"
#include "scenarios/mend/mend_steps.h"
#include "tui/app/frame.h"

enum { TASK_ROWS = 2 /* of each on the screen */, MARKS = 8 /* columns of its walls */ };

struct row { const struct story *story; int reached; bool begun; char words[160]; };
struct write_screen { struct row *row; int n, at; };

/* ---- reading ---- */

static void read_row(struct app *app, struct row *r)
{
    struct mend_tries tries = {0};
    struct err err = {0};
    const struct task *t = r->story->task;
    if (app_store_seen(app) &&
        mend_tries_read(&tries, app_store_seen(app), t->variant->full_id, &err))
        app_say(app, "%s", err.text);
    struct mend_score score = mend_score_of(&tries);
    r->begun = tries.n > 0;
    r->reached = mend_steps_best(t, &tries);
    snprintf(r->words, sizeof r->words, "not begun");
    if (r->begun)
        mend_score_words(r->words, sizeof r->words, &score);
    mend_tries_free(&tries);
}

static void read_all(struct app *app, struct write_screen *s)
{
    for (int i = 0; i < s->n; i++)
        read_row(app, &s->row[i]);
}

static void add_stories(struct write_screen *s, const struct pack *p)
{
    const struct story *one;
    for (int i = 0; (one = pack_written(p, i)); i++) {
        s->row = mem_more(s->row, (size_t)s->n, sizeof *s->row);
        s->row[s->n++] = (struct row){.story = one};
    }
}

/* ---- the screen ---- */

static const char *const how[] = {
    "Each of these is an empty kernel with a contract: what it takes, what must come out, and a "
    "reference that is right and slow. Each save is judged as a mended one is, and raced against "
    "our best. Walls stand between: the next one is named when the one before has fallen.",
    NULL,
};

static const struct binding rows[] = {
    {ACT_ENTER, "Enter", "begin", "opens the chosen one; what you wrote before is there"},
    {ACT_UP, "Up k", NULL, "up"},
    {ACT_DOWN, "Down j", NULL, "down"},
    KEYS_BACK,
};
static const struct key_list list = {KEY_ROWS(rows), .how = how};

static const struct key_list *keys(struct app *app, const void *self)
{
    (void)app;
    (void)self;
    return &list;
}

/* "##.." : walls behind one, and those that stand. */
static void draw_walls(int y, int x, const struct row *r)
{
    char marks[MARKS + 1] = "";
    int n = r->story->task->n_steps;
    for (int i = 0; i < n && i < MARKS; i++) {
        marks[i] = i < r->reached ? '#' : '.';
        marks[i + 1] = '\0';
    }
    draw_text(y, x, MARKS, r->reached == n ? STYLE_GOOD : STYLE_ACCENT, marks);
}

static void draw(struct app *app, const void *self)
{
    const struct write_screen *s = self;
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    int w = f.body.w, y = f.body.y, room = (f.rule - y - 1) / TASK_ROWS;
    int from = s->at >= room ? s->at - room + 1 : 0;
    frame_draw(app, &f, "Kernels from nothing", &list);
    draw_rule(y++, 0, w, "WRITE IT", "# a wall behind you");
    if (!s->n)
        draw_text(y, 2, w - 4, STYLE_DIM, "No pack that is here has a kernel to be written.");
    for (int i = from; i < s->n && i < from + room; i++, y += TASK_ROWS) {
        const struct row *r = &s->row[i];
        draw_textf(y, 2, w - 4 - MARKS, i == s->at ? STYLE_SELECTED : STYLE_PLAIN, "%-*s",
                   w - 4 - MARKS, r->story->task->title);
        draw_walls(y, w - 2 - MARKS, r);
        draw_text(y + 1, 4, w - 6, STYLE_DIM, r->words);
    }
}

static int act(struct app *app, void *self, enum action action, int arg)
{
    struct write_screen *s = self;
    (void)arg;
    switch (action) {
    case ACT_BACK: return DO_POP;
    case ACT_UP: s->at -= s->at > 0; return DO_REDRAW;
    case ACT_DOWN: s->at += s->at + 1 < s->n; return DO_REDRAW;
    case ACT_ENTER:
        if (s->n)
            mend_open(app, s->row[s->at].story->task->variant);
        return DO_REDRAW;
    default: return DO_NOTHING;
    }
}

static void shown_again(struct app *app, void *self)
{
    read_all(app, self);
}

static void leave(struct app *app, void *self)
{
    struct write_screen *s = self;
    (void)app;
    free(s->row);
    free(s);
}

static const struct screen_ops write_screen = {
    .name = "write", .keys = keys, .draw = draw, .act = act, .shown = shown_again, .leave = leave};

void write_open(struct app *app)
{
    const struct catalog *c = app_catalog(app);
    struct write_screen *s = mem_new(1, sizeof *s);
    for (int i = 0; c && i < c->n_packs; i++)
        add_stories(s, c->packs[i]);
    read_all(app, s);
    app_push(app, &write_screen, s);
}

/* What there is for the hand: kernels to be written from nothing, and what was diagnosed and can be
 * mended, with how far one is with each. */
#include "tui/app/app_data.h"
#include "tui/mend/mend.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels/wire/text.h"
#include "scenarios/library/catalog.h"
#include "scenarios/mend/mend_path.h"
#include "scenarios/mend/mend_score.h"
#include "scenarios/mend/mend_steps.h"
#include "tui/app/frame.h"

enum { ROWS = 2 /* of each on the screen */, MARKS = 8 /* columns of its walls */ };

/* Walls: of what is mended one, the fix's time. */
struct row { const struct variant *v; char title[120]; int reached, walls; char words[200]; };
struct list { struct row *row; int n, at; };
enum which { TO_WRITE, TO_MEND, LISTS };
struct write_screen { struct list list[LISTS]; enum which which; };

/* ---- reading ---- */

static struct row *add_row(struct list *l, const struct variant *v)
{
    l->row = mem_more(l->row, (size_t)l->n, sizeof *l->row);
    struct row *r = &l->row[l->n++];
    *r = (struct row){.v = v};
    return r;
}

static void read_task(struct app *app, struct list *l, const struct story *s)
{
    struct mend_tries tries = {0};
    struct err err = {0};
    struct row *r = add_row(l, s->task->variant);
    if (app_store_seen(app) && mend_tries_read(&tries, app_store_seen(app), r->v->full_id, &err))
        app_say(app, "%s", err.text);
    r->walls = s->task->n_steps;
    r->reached = mend_steps_best(s->task, &tries);
    text_copy_clean(r->title, sizeof r->title, s->task->title);
    mend_progress_words(r->words, sizeof r->words, &tries);
    mend_tries_free(&tries);
}

static void read_tasks(struct app *app, struct list *l)
{
    const struct story **all = NULL;
    int n = app_catalog(app) ? mend_tasks(&all, app_catalog(app)) : 0;
    for (int i = 0; i < n; i++)
        read_task(app, l, all[i]);
    free(all);
}

static void read_path(struct app *app, struct list *l)
{
    struct mend_path path = {0};
    struct err err = {0};
    if (app_catalog(app) && app_store_seen(app) &&
        mend_path_read(&path, app_catalog(app), app_store_seen(app), &err))
        app_say(app, "%s", err.text);
    for (int i = 0; i < path.n; i++) {
        const struct mend_station *at = &path.all[i];
        const struct story *s = at->v->story;
        struct row *r = add_row(l, at->v);
        r->walls = 1;
        r->reached = at->done;
        snprintf(r->title, sizeof r->title, "%d  %.100s", s->level, s->title);
        snprintf(r->words, sizeof r->words, "   %.60s; %.120s",
                 s->hypotheses[at->v->cause]->label, at->words);
    }
    mend_path_free(&path);
}

static void forget(struct list *l)
{
    free(l->row);
    l->row = NULL;
    l->n = 0;
}

static void read_all(struct app *app, struct write_screen *s)
{
    for (int i = 0; i < LISTS; i++)
        forget(&s->list[i]);
    read_tasks(app, &s->list[TO_WRITE]);
    read_path(app, &s->list[TO_MEND]);
}

/* ---- the screen ---- */

static const char *const how[] = {
    "Each of these is an empty kernel with a contract: what it takes, what must come out, and a "
    "reference that is right and slow. Each save is judged as a mended one is, and raced against "
    "our best. Walls stand between: the next one is named when the one before has fallen.",
    "Tab shows what you have diagnosed, the easiest first: mended, it is raced against the fix.",
    NULL,
};

static const struct binding write_rows[] = {
    {ACT_ENTER, "Enter", "begin", "opens the chosen one; what you wrote before is there"},
    {ACT_TAB, "Tab t", "mend", "what you have diagnosed, to be mended"},
    {ACT_UP, "Up k", NULL, "up"},
    {ACT_DOWN, "Down j", NULL, "down"},
    KEYS_BACK,
};
static const struct binding mend_rows[] = {
    {ACT_ENTER, "Enter", "begin", "opens the chosen one; what you wrote before is there"},
    {ACT_TAB, "Tab t", "write", "kernels to be written from nothing"},
    {ACT_UP, "Up k", NULL, "up"},
    {ACT_DOWN, "Down j", NULL, "down"},
    KEYS_BACK,
};
static const struct binding none_rows[] = {
    {ACT_TAB, "Tab t", "write", "kernels to be written from nothing"},
    KEYS_BACK,
};
static const struct key_list none = {KEY_ROWS(none_rows), .how = how};
static const struct key_list lists[LISTS] = {[TO_WRITE] = {KEY_ROWS(write_rows), .how = how},
                                             [TO_MEND] = {KEY_ROWS(mend_rows), .how = how}};

static const struct key_list *keys(struct app *app, const void *self)
{
    const struct write_screen *s = self;
    (void)app;
    return s->which == TO_MEND && !s->list[TO_MEND].n ? &none : &lists[s->which];
}

/* "##.." : walls behind one, and those that stand. */
static void draw_walls(int y, int x, const struct row *r)
{
    char marks[MARKS + 1] = "";
    for (int i = 0; i < r->walls && i < MARKS; i++) {
        marks[i] = i < r->reached ? '#' : '.';
        marks[i + 1] = '\0';
    }
    draw_text(y, x, MARKS, r->reached == r->walls ? STYLE_GOOD : STYLE_ACCENT, marks);
}

static void draw(struct app *app, const void *self)
{
    static const struct { const char *page, *title, *right, *none; } words[LISTS] = {
        [TO_WRITE] = {"Kernels from nothing", "WRITE IT", "# a wall behind you",
                      "No pack that is here has a kernel to be written."},
        [TO_MEND] = {"What you diagnosed", "MEND IT, BY LEVEL", "# as fast as the fix",
                     "Nothing was diagnosed yet that could be mended: play a scenario first."}};
    const struct write_screen *s = self;
    const struct list *l = &s->list[s->which];
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    int w = f.body.w, y = f.body.y, room = (f.rule - y - 1) / ROWS;
    int from = l->at >= room ? l->at - room + 1 : 0;
    frame_draw(app, &f, words[s->which].page, &lists[s->which]);
    draw_rule(y++, 0, w, words[s->which].title, words[s->which].right);
    if (!l->n)
        draw_text(y, 2, w - 4, STYLE_DIM, words[s->which].none);
    for (int i = from; i < l->n && i < from + room; i++, y += ROWS) {
        const struct row *r = &l->row[i];
        draw_textf(y, 2, w - 4 - MARKS, i == l->at ? STYLE_SELECTED : STYLE_PLAIN, "%-*s",
                   w - 4 - MARKS, r->title);
        draw_walls(y, w - 2 - MARKS, r);
        draw_text(y + 1, 4, w - 6, STYLE_DIM, r->words);
    }
}

static int act(struct app *app, void *self, enum action action, int arg)
{
    struct write_screen *s = self;
    struct list *l = &s->list[s->which];
    (void)arg;
    switch (action) {
    case ACT_BACK: return DO_POP;
    case ACT_UP: l->at -= l->at > 0; return DO_REDRAW;
    case ACT_DOWN: l->at += l->at + 1 < l->n; return DO_REDRAW;
    case ACT_TAB: s->which = s->which == TO_WRITE ? TO_MEND : TO_WRITE; return DO_REDRAW;
    case ACT_ENTER:
        if (l->n)
            mend_open(app, l->row[l->at].v);
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
    for (int i = 0; i < LISTS; i++)
        forget(&s->list[i]);
    free(s);
}

static const struct screen_ops write_screen = {
    .name = "write", .keys = keys, .draw = draw, .act = act, .shown = shown_again, .leave = leave};

void write_open(struct app *app)
{
    struct write_screen *s = mem_new(1, sizeof *s);
    read_all(app, s);
    app_push(app, &write_screen, s);
}

#include "tui/app/help.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/app/guest.h"
#include "tui/kit/layout.h"
#include "tui/app/find.h"
#include "tui/app/frame.h"

enum { KEYS_COLUMN = 3, TEXT_COLUMN = 18 };

struct help { const struct key_list *keys; int top; };

const char help_how_kernel[] =
    "A kernel is slow, or fast and wrong. The story and the symptom are free; every other look at "
    "it costs minutes of the interviewer's patience. Letters, places and prices are the same in "
    "every scenario, so they tell nothing.";
const char help_how_numbers[] =
    "Numbers are measured on a GPU and say on which. `recorded` was measured before and came with "
    "the scenario, `live` is measured on your GPU now, `generated` comes from a model of many "
    "GPUs, `computed` is arithmetic.";
static const char how_interview[] =
    "This is an interview. The interviewer begins its parts, asks, hands you evidence or keeps "
    "some back, and shows the truth at the end. Think aloud; what you do here is kept at once, "
    "and nothing of it is lost when a link breaks.";

static const struct screen_ops help_screen;

void help_open(struct app *app, const struct key_list *keys)
{
    struct help *help = mem_new(1, sizeof *help);
    help->keys = keys;
    app_push(app, &help_screen, help);
}

static void help_leave(struct app *app, void *self)
{
    (void)app;
    free(self);
}

/* ---- drawing: a column of lines of which a window is shown ---- */

struct pen { struct rect r; int line, top; };

static void pen_head(struct pen *p, const char *text)
{
    int row = p->line++ - p->top;
    if (row >= 0 && row < p->r.h)
        draw_text(p->r.y + row, p->r.x + 1, p->r.w - 2, STYLE_BOLD, text);
}

static void pen_text(struct pen *p, int x, const char *keys, const char *text)
{
    int row = p->line - p->top, hidden = row < 0 ? -row : 0;
    struct rect r = { p->r.y + row + hidden, p->r.x + x, p->r.h - row - hidden, p->r.w - x - 1 };
    if (keys && row >= 0 && row < p->r.h)
        draw_text(p->r.y + row, p->r.x + KEYS_COLUMN, x - KEYS_COLUMN - 1, STYLE_ACCENT, keys);
    p->line += draw_wrapped(r, hidden, STYLE_PLAIN, text);
}

static void pen_keys(struct pen *p, const struct key_list *keys)
{
    const struct binding *b;
    pen_head(p, "KEYS");
    for (size_t i = 0; (b = key_row(keys, i)); i++)
        if (key_row_helps(keys, b))
            pen_text(p, TEXT_COLUMN,
                     strlen(b->keys) < TEXT_COLUMN - KEYS_COLUMN ? b->keys : "a letter", b->help);
}

/* Whoever sits in an interview reads that first. */
static void pen_how(struct pen *p, const char *const *how, bool interview)
{
    if (!interview && (!how || !*how))
        return;
    pen_head(p, "HOW THIS WORKS");
    if (interview)
        pen_text(p, KEYS_COLUMN, NULL, how_interview);
    for (; how && *how; how++)
        pen_text(p, KEYS_COLUMN, NULL, *how);
}

static int help_lines(struct app *app, const struct help *help, struct rect r, int top)
{
    struct pen p = { r, 0, top };
    pen_keys(&p, help->keys);
    p.line++;
    pen_how(&p, help->keys ? help->keys->how : NULL, app_live(app) != NULL);
    return p.line;
}

/* In the place of keys that would turn on from there. */
static void last_page_keys(const struct frame *f, bool turned)
{
    draw_textf(f->keys, 1, f->body.w - 2, STYLE_DIM, "%-*s", f->body.w - 2,
               turned ? "PgUp before  Esc back" : "Esc back");
}

static const struct binding help_rows[] = {
    KEYS_UP_DOWN,
    {ACT_PAGE_UP, "PgUp", NULL, "a page up"},
    {ACT_PAGE_DOWN, "PgDn Space", "more", "a page down"},
    {ACT_FIND, "/", "search", "search; then n next, N the one before, Esc ends it"},
    {ACT_BACK, "Esc q ?", "back", "back to where you were"},
};

static const struct key_list help_keys = {KEY_ROWS(help_rows), .only_listed = true};

static const struct key_list *keys_here(struct app *app, const void *self)
{
    (void)app, (void)self;
    return &help_keys;
}

static void frame_here(struct app *app, struct frame *f)
{
    layout_frame(f, app_rows(app), app_columns(app));
    f->body.y++;
    f->body.h--;
}

static void help_draw(struct app *app, const void *self)
{
    const struct help *help = self;
    struct frame f;
    frame_here(app, &f);
    frame_draw(app, &f, "help", &help_keys);
    draw_rule(f.body.y - 1, 0, f.body.w, NULL, NULL);
    int lines = help_lines(app, help, f.body, help->top), left = lines - help->top - f.body.h;
    if (left > 0)
        draw_textf(f.rule, 2, f.body.w - 4, STYLE_DIM, " more below (%d): Down or PgDn ", left);
    else
        last_page_keys(&f, help->top > 0);
}

static int help_act(struct app *app, void *self, enum action action, int arg)
{
    struct help *help = self;
    int page = app_rows(app) - 5;
    struct rect r = { 0, 0, 0, app_columns(app) };
    (void)arg;
    if (action == ACT_BACK || action == ACT_ENTER)
        return DO_POP;
    if (action == ACT_UP || action == ACT_PAGE_UP)
        help->top -= action == ACT_UP ? 1 : page;
    if (action == ACT_DOWN || action == ACT_PAGE_DOWN)
        help->top += action == ACT_DOWN ? 1 : page;
    int most = help_lines(app, help, r, 0) - page - 1;
    if (help->top > most)
        help->top = most;
    if (help->top < 0)
        help->top = 0;
    return DO_REDRAW;
}

/* ---- searching ---- */

static void draw_all(struct app *app, const void *self, struct rect r)
{
    help_lines(app, self, r, 0);
}

static void find_rows(struct app *app, const void *self, struct find_rows *out)
{
    const struct help *help = self;
    struct frame f;
    frame_here(app, &f);
    find_add_drawn(out, app, self, help_lines(app, help, (struct rect){0, 0, 0, f.body.w}, 0),
                   draw_all);
    out->at = help->top;
    out->where = f.body;
}

static void find_go(struct app *app, void *self, int row, int column, int columns)
{
    struct help *help = self;
    struct frame f;
    (void)column, (void)columns;
    frame_here(app, &f);
    help->top = find_top(help->top, row,
                         help_lines(app, help, (struct rect){0, 0, 0, f.body.w}, 0), f.body.h);
}

static const struct find_ops help_find = {find_rows, find_go};

static const struct screen_ops help_screen = {
    .name = "help", .find = &help_find, .keys = keys_here,
    .draw = help_draw, .act = help_act, .leave = help_leave,
};

#include "tui/help.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/layout.h"

enum { KEYS_COLUMN = 3, TEXT_COLUMN = 18 };

struct help { unsigned context; int top; };

static const char *const how[] = {
    "A kernel is slow, or fast and wrong. The story and the symptom are free; every other look at it costs minutes of the interviewer's "
    "patience. Letters, places and prices are the same in every scenario, so they tell nothing.",
    "You hold a belief about each possible cause, in per cent; they sum to 100. Choose one with its digit, then + doubles its odds "
    "and - halves them. The others keep their proportions.",
    "Say what you believe, no more and no less: a quadratic rule pays for it, so an even spread is worth nothing, certain and right is "
    "worth all, and certain and wrong costs more than you could win. Evidence is worth full marks up to par.",
    "Enter shows the stakes, then locks the beliefs. You point at the line, choose a remedy, and are pushed back once: it may be a new "
    "fact, or only a test of conviction. Then you see the truth, and what an ideal reader of your evidence would have believed.",
    "Numbers are measured on a GPU and say on which. `recorded` was measured before and came with the scenario, `live` is measured on "
    "your GPU now, `computed` is arithmetic.",
};

void help_open(struct app *app, unsigned context)
{
    struct help *help = mem_new(1, sizeof *help);
    help->context = context;
    app_push(app, &help_screen, help);
}

static void help_leave(struct app *app, void *self)
{
    (void)app;
    free(self);
}

/* ---- what applies here ---- */

/* A row is shown once per action and key, the special one before the general one. */
static bool is_listed(const struct binding *table, size_t i, unsigned context)
{
    if (!table[i].help || !(table[i].contexts & (context | CTX_ANY)))
        return false;
    for (size_t k = 0; k < i; k++)
        if (table[k].action == table[i].action && table[k].help && (table[k].contexts & context) && table[i].contexts == CTX_ANY)
            return false;
    return true;
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

static int help_lines(const struct help *help, struct rect r, int top)
{
    size_t n;
    const struct binding *table = binding_table(&n);
    struct pen p = { r, 0, top };
    pen_head(&p, "KEYS");
    for (size_t i = 0; i < n; i++)
        if (is_listed(table, i, help->context))
            pen_text(&p, TEXT_COLUMN, strlen(table[i].keys) < TEXT_COLUMN - KEYS_COLUMN ? table[i].keys : "a letter", table[i].help);
    p.line++;
    pen_head(&p, "HOW THIS WORKS");
    for (size_t i = 0; i < sizeof how / sizeof how[0]; i++)
        pen_text(&p, KEYS_COLUMN, NULL, how[i]);
    return p.line;
}

static void help_draw(struct app *app, const void *self)
{
    const struct help *help = self;
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    frame_draw(app, &f, "help", CTX_HELP);
    draw_rule(f.body.y, 0, f.body.w, NULL, NULL);
    f.body.y++;
    f.body.h--;
    int lines = help_lines(help, f.body, help->top), left = lines - help->top - f.body.h;
    if (left > 0)
        draw_textf(f.rule, 2, f.body.w - 4, STYLE_DIM, " more below (%d): Down or PgDn ", left);
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
    int most = help_lines(help, r, 0) - page - 1;
    if (help->top > most)
        help->top = most;
    if (help->top < 0)
        help->top = 0;
    return DO_REDRAW;
}

const struct screen_ops help_screen = {
    .name = "help", .context = CTX_HELP, .draw = help_draw, .act = help_act, .leave = help_leave,
};

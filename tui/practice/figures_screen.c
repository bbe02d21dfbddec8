/* The figures that there are, to be opened whether they are due or not. */
#include "tui/app/app_data.h"
#include "tui/practice/practice.h"

#include <stdio.h>
#include <stdlib.h>

#include "db/items.h"
#include "db/store.h"
#include "drills/library/library.h"
#include "kernels/wire/text.h"
#include "tui/app/find.h"
#include "tui/app/frame.h"

enum { NAME_ROOM = 30 /* columns right of the title */, FAR = 1000 };

struct figures_screen { const struct library *library; bool *met; int n, at, top; };

/* ---- reading ---- */

static void read_met(struct app *app, struct figures_screen *s)
{
    struct store *store = app_store_seen(app);
    for (int i = 0; i < s->n; i++) {
        struct store_item item;
        char *id = text_format("figure:%s", library_figure_at(s->library, i)->full_id);
        s->met[i] = store && store_item_get(store, id, &item) == 1;
        free(id);
    }
}

/* ---- the screen ---- */

static const char *const how[] = {
    "Each is a picture to study, a puzzle to fill and a card to recall: Enter hides it, and Enter "
    "again asks for some of it. Schedules, collectives and rooflines are also placed by hand, with "
    "p. What was answered comes back among the cards.",
    NULL,
};
static const struct binding figures_rows[] = {
    {ACT_ENTER, "Enter", "open", "opens the marked figure, to be studied"},
    KEYS_UP_DOWN,
    KEYS_PAGES,
    KEYS_ENDS,
    KEYS_FIND,
    KEYS_BACK,
};
static const struct key_list figures_keys = {KEY_ROWS(figures_rows), .how = how};

static const struct key_list *keys(struct app *app, const void *self)
{
    (void)app, (void)self;
    return &figures_keys;
}

static int list_rows(struct app *app)
{
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    return f.rule - f.body.y - 1;
}

static void draw(struct app *app, const void *self)
{
    const struct figures_screen *s = self;
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    int w = f.body.w, rows = list_rows(app), y = f.body.y + 1;
    char *place = text_format("%d of %d", s->n ? s->at + 1 : 0, s->n);
    frame_draw(app, &f, "figures", &figures_keys);
    draw_rule(f.body.y, 0, w, "FIGURES", place);
    free(place);
    for (int i = 0; i < rows && s->top + i < s->n; i++) {
        int k = s->top + i;
        const struct figure_data *one = library_figure_at(s->library, k);
        draw_text(y + i, 1, 1, STYLE_ACCENT, k == s->at ? glyph("▸", ">") : " ");
        draw_text(y + i, 3, w - NAME_ROOM - 4, k == s->at ? STYLE_SELECTED : STYLE_PLAIN,
                  one->title);
        draw_text(y + i, w - NAME_ROOM, 12, STYLE_DIM, one->topic);
        draw_text(y + i, w - NAME_ROOM + 13, 11, STYLE_DIM,
                  figure_is_placed(one->form) ? "fill, place" : "fill");
        draw_text(y + i, w - 5, 4, s->met[k] ? STYLE_GOOD : STYLE_DIM, s->met[k] ? "met" : "new");
    }
    if (!s->n)
        draw_text(y, 3, w - 4, STYLE_PLAIN, "No figures were found; they lie in content/figures.");
}

static void list_move(struct figures_screen *s, int rows, int by)
{
    s->at += by;
    s->at = s->at >= s->n ? s->n - 1 : s->at;
    s->at = s->at < 0 ? 0 : s->at;
    s->top = s->at < s->top ? s->at : s->top;
    s->top = s->at >= s->top + rows ? s->at - rows + 1 : s->top;
}

static int act(struct app *app, void *self, enum action action, int arg)
{
    struct figures_screen *s = self;
    int rows = list_rows(app);
    (void)arg;
    switch (action) {
    case ACT_BACK: return DO_POP;
    case ACT_UP: list_move(s, rows, -1); return DO_REDRAW;
    case ACT_DOWN: list_move(s, rows, 1); return DO_REDRAW;
    case ACT_PAGE_UP: list_move(s, rows, -rows); return DO_REDRAW;
    case ACT_PAGE_DOWN: list_move(s, rows, rows); return DO_REDRAW;
    case ACT_FIRST: list_move(s, rows, -FAR); return DO_REDRAW;
    case ACT_LAST: list_move(s, rows, FAR); return DO_REDRAW;
    case ACT_ENTER:
        if (s->n)
            figure_begin(app, library_figure_at(s->library, s->at)->full_id, NULL, app_seed(app),
                         false);
        return DO_REDRAW;
    default: return DO_NOTHING;
    }
}

/* ---- searching ---- */

static void find_rows(struct app *app, const void *self, struct find_rows *out)
{
    const struct figures_screen *s = self;
    for (int i = 0; i < s->n; i++) {
        const struct figure_data *one = library_figure_at(s->library, i);
        char *text = text_format("%s %s %s", one->title, one->topic, one->full_id);
        find_add(out, text);
        free(text);
    }
    out->at = s->at;
    out->where = (struct rect){2, 3, list_rows(app), app_columns(app) - 3};
}

static void find_go(struct app *app, void *self, int row, int column, int columns)
{
    struct figures_screen *s = self;
    (void)column, (void)columns;
    list_move(s, list_rows(app), row - s->at);
}

static const struct find_ops figures_find = {find_rows, find_go};

/* ---- coming and going ---- */

static void shown_again(struct app *app, void *self)
{
    read_met(app, self);
}

static void leave(struct app *app, void *self)
{
    struct figures_screen *s = self;
    (void)app;
    free(s->met);
    free(s);
}

static const struct screen_ops figures_screen = {
    .name = "figures",
    .find = &figures_find,
    .keys = keys,
    .draw = draw,
    .act = act,
    .shown = shown_again,
    .leave = leave,
};

void figures_open(struct app *app)
{
    struct figures_screen *s = mem_new(1, sizeof *s);
    s->library = app_library(app);
    s->n = library_figures(s->library);
    s->met = mem_new((size_t)s->n + 1, sizeof *s->met);
    read_met(app, s);
    app_push(app, &figures_screen, s);
}

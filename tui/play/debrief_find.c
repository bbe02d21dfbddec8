/* What / searches in the debrief: the code that is shown, the evidence, the page that scrolls, else
 * what stands on the screen. */
#include "tui/play/debrief_screen.h"

#include "tui/app/find.h"
#include "tui/play/notebook_find.h"

static struct rect body(struct app *app, const struct debrief_screen *s)
{
    int rows = app_rows(app), columns = app_columns(app);
    bool overview = debrief_wide(rows, columns) && s->view == DEBRIEF_PAGES && s->page == 0;
    int top = debrief_wide(rows, columns) ? 3 : 2;
    return (struct rect){overview ? 0 : top + 1, 0, rows - 1 - (overview ? 0 : top + 2), columns};
}

static void draw_next(struct app *app, const void *self, struct rect r)
{
    (void)app;
    debrief_next_draw(self, r, 0);
}

static void draw_screen(struct app *app, const void *self, struct rect r)
{
    (void)r;
    debrief_draw(app, self);
}

static bool chooses(const struct debrief_screen *s)
{
    return s->view == DEBRIEF_EVIDENCE && !s->explaining;
}

static void rows(struct app *app, const void *self, struct find_rows *out)
{
    const struct debrief_screen *s = self;
    const char *name;
    const char *code = debrief_code(s, s->code, &name);
    out->where = body(app, s);
    out->at = s->scroll;
    if (s->view == DEBRIEF_CODE && code)
        find_add_lines(out, code);
    else if (chooses(s))
        notebook_find_rows(&s->book, s->note, s->row, out);
    else if (s->view == DEBRIEF_PAGES && s->page == 2)
        debrief_why_rows(s, out, app_rows(app), app_columns(app));
    else if (s->view == DEBRIEF_PAGES && s->page == 3)
        find_add_drawn(out, app, s,
                       debrief_next_draw(s, (struct rect){0, 0, 0, app_columns(app)}, 0),
                       draw_next);
    else
        find_add_drawn(out, app, s, app_rows(app) - 1, draw_screen);
}

/* What stands on the screen needs no way to it. */
static void go(struct app *app, void *self, int row, int column, int columns)
{
    struct debrief_screen *s = self;
    struct debrief_extent e = debrief_extent(s, app_rows(app), app_columns(app));
    (void)column, (void)columns;
    if (chooses(s))
        notebook_find_go(&s->book, row, &s->note, &s->row);
    else if (s->view == DEBRIEF_PAGES && s->page == 2)
        row = debrief_why_row(s, row, app_rows(app), app_columns(app));
    if (s->view == DEBRIEF_CODE || (s->view == DEBRIEF_PAGES && s->page >= 2))
        s->scroll = find_top(s->scroll, row, e.hidden + e.rows, e.rows);
}

const struct find_ops debrief_find = {rows, go};

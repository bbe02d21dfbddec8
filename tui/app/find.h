/* Searching what a screen shows: / asks for what, n and N go to the next row that has it and to the
 * one before, Esc ends it. One for all screens: a screen says which rows it has (find_ops), and
 * goes to one. While a search is on, its row stands in the place of the keys, and n, N and Esc are
 * its own. */
#ifndef WD_TUI_FIND_H
#define WD_TUI_FIND_H

#include "tui/app/app.h"
#include "tui/kit/pattern.h"
#include "tui/kit/textfield.h"

/* What can be searched now: texts in their order. `at`: the row where one stands; `where` the rows
 * stand on the screen: there the pattern is marked. */
struct find_rows { char **text; int n, at; struct rect where; };

/* Of a screen. No rows: nothing can be searched there now. */
struct find_ops {
    void (*rows)(struct app *app, const void *self, struct find_rows *out);
    /* Shows a row; `column`: where the pattern stands in it, `columns` wide. */
    void (*go)(struct app *app, void *self, int row, int column, int columns);
};

/* Copies of texts; what is not clean in them is cleaned. */
void find_add(struct find_rows *out, const char *text);
void find_add_lines(struct find_rows *out, const char *text); /* one row for each line */
void find_add_wrapped(struct find_rows *out, const char *text, int w); /* as draw_wrapped does */
/* Rows as a screen draws them into a rectangle as wide as the app and as high as asked for. */
typedef void find_drawer(struct app *app, const void *self, struct rect r);
void find_add_drawn(struct find_rows *out, struct app *app, const void *self, int rows,
                    find_drawer *draw);

/* The first line to show of a pane of h rows so that `row` of `lines` is seen: where it stands
 * now, if it is. */
int find_top(int top, int row, int lines, int h);

/* The search of one screen. Zeroed: there is none. */
struct find {
    bool typing, on;
    struct textfield field;
    struct pattern pattern;
    int row, stood;   /* that was found last, and where the screen stood then; row -1: none */
};

/* Opens the field, with what was searched for before; where nothing can be searched, says so. */
void find_open(struct find *f, struct app *app, const struct find_ops *ops, const void *self);
/* There is none any more; what was searched for stays in its field. */
void find_end(struct find *f);
/* A key of the search; false: it is the screen's. */
bool find_press(struct find *f, struct app *app, const struct find_ops *ops, void *self, int key);

/* Before the screen is drawn (what is marked), and after it (the last row). */
void find_mark(const struct find *f, struct app *app, const struct find_ops *ops,
               const void *self);
void find_draw(const struct find *f, struct app *app, const struct find_ops *ops,
               const void *self);

#endif

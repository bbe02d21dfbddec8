/* A picture of a screen: cells with a character and a meaning, no terminal. What is drawn while a
 * canvas is the target (draw_onto) lands here, so that a screen can be shown elsewhere, sent as
 * JSON, and drawn again. */
#ifndef WD_TUI_CANVAS_H
#define WD_TUI_CANVAS_H

#include <jansson.h>
#include <stdbool.h>
#include <wchar.h>

#include "kernels/wire/err.h"
#include "tui/kit/draw.h"

enum {
    CANVAS_JOINED = 3 /* characters in one cell */,
    CANVAS_ROWS_MOST = 200,
    CANVAS_COLUMNS_MOST = 400
};
struct canvas_cell {
    wchar_t text[CANVAS_JOINED];
    unsigned char n, style;
    bool turned /* colours turned round */, tail /* right half of a wide character */;
};

struct canvas;
/* Sizes outside 1 .. most are brought inside. */
struct canvas *canvas_new(int rows, int columns);
void canvas_free(struct canvas *c);
void canvas_resize(struct canvas *c, int rows, int columns);            /* empty afterwards */
int canvas_rows(const struct canvas *c);
int canvas_columns(const struct canvas *c);
void canvas_clear(struct canvas *c);
const struct canvas_cell *canvas_cell(const struct canvas *c, int y, int x);
/* As ncurses would: n characters from (y, x); a character without width joins the cell before. */
void canvas_put(struct canvas *c, int y, int x, const wchar_t *text, int n, enum style s,
                bool turned);
void canvas_cursor(struct canvas *c, int y, int x);                     /* y < 0: none */
bool canvas_cursor_wanted(const struct canvas *c, int *y, int *x);
bool canvas_equal(const struct canvas *a, const struct canvas *b);
void canvas_copy(struct canvas *to, const struct canvas *from);

/* {"rows":24,"columns":80,"cursor":[y,x],"lines":[[y,[x,style,"text"],...],...]}: rows that differ
 * from `before` (NULL: all rows). New reference. */
json_t *canvas_encode(const struct canvas *c, const struct canvas *before);
/* Changes `c` as the message says; everything is checked (sizes, clean text, styles), and nothing
 * is changed by a message that is refused. */
int canvas_decode(struct canvas *c, const json_t *picture, struct err *err);

/* Its text, a line for each row, blanks at the ends cut; malloc'd. For tests and reports. */
char *canvas_text(const struct canvas *c);

#endif

/* A picture drawn where everything is drawn: cells of one look in one go. */
#include "tui/kit/draw.h"

#include "tui/kit/canvas.h"

static bool same_look(const struct canvas_cell *a, const struct canvas_cell *b)
{
    return a->style == b->style && a->turned == b->turned;
}

/* The first columns of row y. */
static void draw_row(struct rect r, const struct canvas *c, int y, int columns)
{
    wchar_t text[CANVAS_COLUMNS_MOST * CANVAS_JOINED];
    for (int x = 0, end; x < columns; x = end) {
        const struct canvas_cell *first = canvas_cell(c, y, x);
        int n = 0;
        for (end = x; end < columns && same_look(canvas_cell(c, y, end), first); end++)
            for (int i = 0; i < canvas_cell(c, y, end)->n; i++)
                text[n++] = canvas_cell(c, y, end)->text[i];
        draw_cells(r.y + y, r.x + x, (enum style)first->style, first->turned, text, n);
    }
}

void draw_canvas(struct rect r, const struct canvas *c)
{
    int rows = r.h < canvas_rows(c) ? r.h : canvas_rows(c);
    int columns = r.w < canvas_columns(c) ? r.w : canvas_columns(c);
    int cursor_y, cursor_x;
    for (int y = 0; y < rows; y++)
        draw_row(r, c, y, columns);
    if (canvas_cursor_wanted(c, &cursor_y, &cursor_x) && cursor_y < rows && cursor_x < columns)
        draw_cursor(r.y + cursor_y, r.x + cursor_x);
}

#include "tui/kit/layout.h"

#include <stdio.h>
#include <string.h>

enum layout_size layout_size(int rows, int columns)
{
    if (rows < LAYOUT_ROWS || columns < LAYOUT_COLUMNS)
        return SIZE_NONE;
    if (rows < 24 || columns < 80)
        return SIZE_SMALL;
    return rows < 30 || columns < 100 ? SIZE_MIDDLE : SIZE_FULL;
}

void layout_frame(struct frame *out, int rows, int columns)
{
    out->title = 0;
    out->body = (struct rect){ 1, 0, rows - 3, columns };
    out->rule = rows - 2;
    out->keys = rows - 1;
}

void draw_too_small(int rows, int columns)
{
    char text[96];
    snprintf(text, sizeof text, "warpdrill needs %d x %d; this is %d x %d. Nothing is lost.",
             LAYOUT_COLUMNS, LAYOUT_ROWS, columns, rows);
    int lines = columns > 0 ? (draw_columns(text) + columns - 1) / columns : 1;
    int top = (rows - lines) / 2;
    struct rect all = { top > 0 ? top : 0, 0, rows, columns };
    if (columns > draw_columns(text))
        all.x = (columns - draw_columns(text)) / 2;
    all.w -= all.x;
    draw_wrapped(all, 0, STYLE_PLAIN, text);
}

/* ---- home ---- */

static void home_columns(struct layout_home *l, int columns, bool full)
{
    l->title_x = 18;
    l->note_x = full ? 64 : columns >= 80 ? 57 : 0;
    l->stand_w = full ? 62 : columns;
    l->divide = full ? l->stand_w : -1;
    l->bar_x = 22;
    l->range_end = l->stand_w - 1;
    l->n_end = l->range_end - 11;
    l->bar_w = l->n_end - 4 - l->bar_x;
    l->truth_end = full ? columns - 2 : 0;
    l->min_end = full ? columns - 18 : columns - 2;
    l->score_end = l->min_end - 8;
}

static int at_least(int n, int least)
{
    return n > least ? n : least;
}

void layout_home(struct layout_home *l, int rows, int columns, int entries, int groups)
{
    struct frame f;
    layout_frame(&f, rows, columns);
    enum layout_size size = layout_size(rows, columns);
    int end = f.rule, gap = size == SIZE_FULL, lately = size == SIZE_SMALL ? 0 : 2;
    l->next_rule = 1;
    l->next = 2;
    l->today = l->next + entries + (size != SIZE_SMALL);
    l->stand_rule = l->today + 1;
    l->stand = l->stand_rule + (groups > 0);
    l->stand_rows = at_least(end - l->stand - lately, 0);
    if (l->stand_rows > groups)
        l->stand_rows = groups;
    l->lately_rule = l->stand + l->stand_rows + (gap && groups > 0);
    l->lately = l->lately_rule + 1;
    l->estimates = gap ? end - 1 : 0;
    l->lately_rows = at_least((gap ? end - 2 : end) - l->lately, 0);
    home_columns(l, columns, columns >= 100);
}

/* Lines of the notebook in a pane. Numbers end in one column, bars begin in one, so that blocks
 * read as a table. */
#include "tui/play/notebook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static int block_height(const struct note *n, bool open) { return open ? 1 + n->n : 1; }

static bool *open_blocks(const struct notebook *b, int selected, int height)
{
    bool *open = mem_new((size_t)b->n + 1, sizeof *open);
    int total = b->n;
    for (int k = -1; k < b->n; k++) {
        int i = k < 0 ? selected : b->n - 1 - k;
        if (i < 0 || i >= b->n || open[i])
            continue;
        if (k >= 0 && total + b->note[i].n > height)
            continue;
        open[i] = true;
        total += block_height(&b->note[i], true) - 1;
    }
    return open;
}

static int lines_in_all(const struct notebook *b, const bool *open)
{
    int total = 0;
    for (int i = 0; i < b->n; i++)
        total += block_height(&b->note[i], open[i]);
    return total;
}

struct notebook_line *notebook_lines(const struct notebook *b, int selected, int row, int height,
                                     int *n)
{
    bool *open = open_blocks(b, selected, height);
    int total = 0, title = 0, at = 0, k = 0;
    for (int i = 0; i < b->n; i++) {
        if (i == selected)
            title = total, at = total + 1 + row;
        total += block_height(&b->note[i], open[i]);
    }
    int start = total > height ? total - height : 0;
    if (start > title)
        start = title;
    if (at >= start + height)
        start = at - height + 1;
    struct notebook_line *line = mem_new((size_t)height + 1, sizeof *line);
    *n = 0;
    for (int i = 0; i < b->n; i++)
        for (int r = -1; r < block_height(&b->note[i], open[i]) - 1; r++, k++)
            if (k >= start && *n < height)
                line[(*n)++] = (struct notebook_line){ i, r, !open[i] };
    free(open);
    return line;
}

int notebook_above(const struct notebook *b, int selected, int row, int height)
{
    int n = 0;
    struct notebook_line *line = notebook_lines(b, selected, row, height, &n);
    int above = n ? line[0].note : 0;
    free(line);
    return above;
}

int notebook_below(const struct notebook *b, int selected, int row, int height)
{
    int n = 0, before = 0;
    struct notebook_line *line = notebook_lines(b, selected, row, height, &n);
    bool *open = open_blocks(b, selected, height);
    if (n) {
        struct notebook until = { b->note, line[0].note };
        before = lines_in_all(&until, open) + line[0].row + 1;
    }
    int below = lines_in_all(b, open) - before - n;
    free(open);
    free(line);
    return below;
}

static bool can_be_chosen(const struct notebook *b, int note, int row)
{
    return row == -1 || b->note[note].row[row].kind != NOTE_HEAD;
}

bool notebook_move(const struct notebook *b, int *note, int *row, int step)
{
    int i = *note, r = *row;
    if (i < 0 || i >= b->n)
        return false;
    do {
        r += step;
        if (r < -1) {
            if (--i < 0)
                return false;
            r = b->note[i].n - 1;
        } else if (r >= b->note[i].n) {
            if (++i >= b->n)
                return false;
            r = -1;
        }
    } while (!can_be_chosen(b, i, r));
    *note = i;
    *row = r;
    return true;
}

/* Where not all of it fits the words before the value are cut. Returns the columns taken. */
static int draw_fold(const struct note *n, int y, int x, int w)
{
    const char *value = n->fold + n->fold_value;
    if (!n->fold_value || draw_columns(n->fold) <= w || draw_columns(value) + 4 > w)
        return draw_text(y, x, w, STYLE_PLAIN, n->fold);
    int before = w - draw_columns(value) - 1;
    draw_textf(y, x, before, STYLE_PLAIN, "%.*s", n->fold_value - 1, n->fold);
    draw_text(y, x + before + 1, w - before - 1, STYLE_PLAIN, value);
    return w;
}

static void draw_title(const struct note *n, int y, struct rect r, bool selected, bool folded,
                       bool is_new)
{
    char price[24];
    snprintf(price, sizeof price, "%d", n->price);
    draw_text(y, r.x, 1, STYLE_ACCENT, selected ? glyph("▸", ">") : " ");
    draw_textf(y, r.x + 2, 1, STYLE_BOLD, "%c", n->letter);
    int room = r.w - 5 - 5;
    int used =
        folded ? draw_fold(n, y, r.x + 5, room) : draw_text(y, r.x + 5, room, STYLE_BOLD, n->title);
    const char *tag = n->tag[0] ? n->tag : is_new ? "new" : "";
    if (tag[0] && used + 3 + (int)strlen(tag) <= room)
        draw_text(y, r.x + 5 + used + 3, (int)strlen(tag), n->tag[0] ? STYLE_SECOND : STYLE_ACCENT,
                  tag);
    draw_right(y, r.x + r.w - 1, 4, STYLE_DIM, n->price ? price : "");
}

/* Columns of a block's rows: label | bar | value | beside. Each block takes what its texts need;
 * the bar gets the rest. */
struct columns { int label, label_w, bar, bar_w, value_end, beside, beside_w; bool spared; };

static int most(int a, int b) { return a > b ? a : b; }

static struct columns columns_of(const struct note *n, int w, bool spared)
{
    bool tight = w < 50, bars = false, spare = false;
    struct columns c = { .label = tight ? 3 : 5, .spared = spared };
    int value_w = 4, gap = tight ? 1 : 2;
    for (int i = 0; i < n->n; i++) {
        const struct note_row *r = &n->row[i];
        if (r->kind != NOTE_NUMBER && r->kind != NOTE_HEAD)
            continue;
        c.label_w = most(c.label_w, draw_columns(r->label));
        value_w = most(value_w, draw_columns(r->value));
        if (!r->spare || !spared)
            c.beside_w = most(c.beside_w, draw_columns(r->beside));
        spare = spare || r->spare;
        bars = bars || (r->share >= 0 && !r->missing);
    }
    int right = tight ? w : w - 1, beside = c.beside_w ? c.beside_w + 2 : 0;
    int rest = right - c.label - c.label_w - gap - value_w - beside;
    if (rest < (bars ? 5 : 0) && spare && !spared)
        return columns_of(n, w, true);
    c.bar_w = bars && rest >= 5 ? (rest - 1 < 24 ? rest - 1 : 24) : 0;
    c.bar = c.label + c.label_w + 1;
    if (rest < 0)
        c.label_w += rest;
    c.value_end = c.bar_w               ? c.bar + c.bar_w + 1 + value_w
                  : right - beside < 44 ? right - beside
                                        : 44;
    c.beside = c.value_end + 2;
    return c;
}

static void draw_number(const struct note_row *row, const struct columns *c, int y, struct rect r,
                        bool selected)
{
    enum style s = row->missing ? STYLE_DIM : STYLE_PLAIN;
    if (selected)
        draw_text(y, r.x + c->label - 2, 1, STYLE_ACCENT, glyph("▸", ">"));
    draw_text(y, r.x + c->label, c->label_w, s, row->label);
    if (row->share >= 0 && !row->missing && c->bar_w)
        draw_bar(y, r.x + c->bar, c->bar_w, row->share, true, STYLE_ACCENT);
    draw_right(y, r.x + c->value_end, 16, s, row->value);
    if (!row->spare || !c->spared)
        draw_text(y, r.x + c->beside, c->beside_w, STYLE_SECOND, row->beside);
}

static void draw_row(const struct note *n, int k, int y, struct rect r, bool selected)
{
    const struct note_row *row = &n->row[k];
    struct columns c = columns_of(n, r.w, false);
    if (row->kind == NOTE_NUMBER)
        draw_number(row, &c, y, r, selected);
    else if (row->kind == NOTE_HEAD) {
        draw_right(y, r.x + c.value_end, 16, STYLE_DIM, row->value);
        draw_text(y, r.x + c.beside, c.beside_w, STYLE_DIM, row->beside);
    } else {
        draw_text(y, r.x + c.label - 2, 1, STYLE_ACCENT, selected ? glyph("▸", ">") : " ");
        draw_text(y, r.x + c.label, r.w - c.label, STYLE_PLAIN, row->label);
    }
}

void notebook_draw(const struct notebook *b, struct rect r, int selected, int row,
                   bool newest_is_new)
{
    int n = 0;
    if (r.h <= 0)
        return;
    struct notebook_line *line = notebook_lines(b, selected, row, r.h, &n);
    for (int k = 0; k < n; k++) {
        const struct note *note = &b->note[line[k].note];
        bool here = line[k].note == selected;
        if (line[k].row < 0)
            draw_title(note, r.y + k, r, here && row < 0, line[k].folded,
                       newest_is_new && line[k].note == b->n - 1);
        else
            draw_row(note, line[k].row, r.y + k, r, here && line[k].row == row);
    }
    free(line);
}

#include "tui/kit/editor.h"

#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <utf8proc.h>

#include "kernels/wire/text.h"
#include "tui/kit/keys.h"

#define CTRL(c) ((c) & 0x1F)
enum { UNDO_KEY = 0x1F /* Ctrl-/ and Ctrl-_ */ };

void editor_init(struct editor *e, const char *text)
{
    memset(e, 0, sizeof *e);
    editor_buffer_init(&e->buffer, text);
    e->column = -1;
}

void editor_free(struct editor *e)
{
    editor_buffer_free(&e->buffer);
    free(e->paste);
    memset(e, 0, sizeof *e);
}

void editor_go(struct editor *e, int line)
{
    const char *at = e->buffer.bytes;
    for (; at && line > 1; line--)
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    e->buffer.at = at ? (size_t)(at - e->buffer.bytes) : e->buffer.len;
    e->column = -1;
}

const char *editor_text(const struct editor *e)
{
    return e->buffer.bytes;
}

/* ---- rows ---- */

struct line { size_t from, to; bool ends_line; };
struct laid { struct line *at; int n; };

/* As draw.h counts: without UTF-8 every character is one column. */
static int columns(const struct editor_buffer *b, size_t from, size_t to)
{
    int all = 0;
    while (from < to) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)b->bytes + from,
                                              (utf8proc_ssize_t)(to - from), &c);
        int w = n > 0 && draw_utf8() && c != '\t' ? wcwidth((wchar_t)c) : 1;
        all += w < 0 ? 1 : w;
        from += n > 0 ? (size_t)n : 1;
    }
    return all;
}

/* Where the row that begins at `from` ends: at a newline, after the last blank that fits, or where
 * it is full. Blanks may hang over. */
static size_t row_end(const struct editor_buffer *b, size_t from, int w)
{
    size_t at = from, after_blank = from;
    int used = 0;
    while (at < b->len && b->bytes[at] != '\n') {
        size_t next = editor_buffer_next(b, at);
        bool blank = b->bytes[at] == ' ' || b->bytes[at] == '\t';
        used += columns(b, at, next);
        if (used > w && !blank)
            return after_blank > from ? after_blank : at > from ? at : next;
        at = next;
        if (blank)
            after_blank = at;
    }
    return at;
}

static struct laid lay_rows(const struct editor_buffer *b, int w)
{
    struct laid rows = {NULL, 0};
    size_t from = 0;
    int room = 0;
    w = w > 2 ? w - 1 : 1; /* the cursor may stand after the last character */
    for (;;) {
        size_t to = row_end(b, from, w);
        bool ends = to >= b->len || b->bytes[to] == '\n';
        if (rows.n == room)
            rows.at = mem_grow(rows.at, (size_t)(room = room ? 2 * room : 64), sizeof *rows.at);
        rows.at[rows.n++] = (struct line){from, to, ends};
        if (to >= b->len)
            return rows;
        from = to + (b->bytes[to] == '\n');
    }
}

/* The row of the cursor: the later one where two touch. */
static int row_of(const struct laid *rows, size_t at)
{
    int k = rows->n - 1;
    while (k > 0 && rows->at[k].from > at)
        k--;
    return k;
}

/* The first row shown, so that the cursor's is among them. */
static int top_of(const struct editor *e, const struct laid *rows, int h)
{
    int row = row_of(rows, e->buffer.at), top = e->top;
    if (top > row)
        top = row;
    if (top < row - h + 1)
        top = row - h + 1;
    if (top > rows->n - h)
        top = rows->n - h;
    return top > 0 ? top : 0;
}

void editor_draw(const struct editor *e, struct rect r, enum style s)
{
    const struct editor_buffer *b = &e->buffer;
    struct laid rows = lay_rows(b, r.w);
    int top = top_of(e, &rows, r.h), row = row_of(&rows, b->at);
    for (int y = 0; y < r.h && top + y < rows.n; y++) {
        const struct line *at = &rows.at[top + y];
        char *text = text_ndup(b->bytes + at->from, at->to - at->from);
        for (size_t n = strlen(text); n > 0 && text[n - 1] == ' ';
             n--) /* blanks that hang over are no reason for an ellipsis */
            text[n - 1] = '\0';
        draw_text(r.y + y, r.x, r.w, s, text);
        free(text);
    }
    int x = columns(b, rows.at[row].from, b->at);
    if (r.h > 0 && r.w > 0)
        draw_cursor(r.y + row - top, r.x + (x < r.w ? x : r.w - 1));
    free(rows.at);
}

void editor_where(const struct editor *e, char *out, size_t size, int w, int h)
{
    struct laid rows = lay_rows(&e->buffer, w);
    out[0] = '\0';
    if (rows.n > h)
        snprintf(out, size, "row %d of %d", row_of(&rows, e->buffer.at) + 1, rows.n);
    free(rows.at);
}

/* ---- moving ---- */

/* The place in a row that is nearest to a column. */
static size_t place(const struct editor_buffer *b, const struct line *r, int column)
{
    size_t at = r->from, end = r->to;
    if (!r->ends_line && end > r->from) /* the end of a wrapped row is the beginning of the next */
        end = editor_buffer_previous(b, end);
    while (at < end && columns(b, r->from, editor_buffer_next(b, at)) <= column)
        at = editor_buffer_next(b, at);
    return at;
}

static void move_rows(struct editor *e, int by, int w)
{
    struct editor_buffer *b = &e->buffer;
    struct laid rows = lay_rows(b, w);
    int row = row_of(&rows, b->at), to = row + by;
    if (e->column < 0)
        e->column = columns(b, rows.at[row].from, b->at);
    if (to < 0)
        to = 0;
    if (to >= rows.n)
        to = rows.n - 1;
    if (to != row)
        b->at = place(b, &rows.at[to], e->column);
    free(rows.at);
}

/* Bounds of the cursor's row; the end is before its newline or the next row. */
static void row_bounds(const struct editor *e, int w, size_t *from, size_t *to)
{
    struct laid rows = lay_rows(&e->buffer, w);
    const struct line *r = &rows.at[row_of(&rows, e->buffer.at)];
    *from = r->from;
    *to = !r->ends_line && r->to > r->from ? editor_buffer_previous(&e->buffer, r->to) : r->to;
    free(rows.at);
}

/* False: no such key. */
static bool move_by_key(struct editor *e, int key, int w, int h)
{
    struct editor_buffer *b = &e->buffer;
    size_t from, to;
    int column = e->column;
    e->column = -1;
    row_bounds(e, w, &from, &to);
    switch (key) {
    case KEY_LEFT: case CTRL('b'): b->at = editor_buffer_previous(b, b->at); break;
    case KEY_RIGHT: case CTRL('f'): b->at = editor_buffer_next(b, b->at); break;
    case KEY_WORD_LEFT: b->at = editor_buffer_word_left(b, b->at); break;
    case KEY_WORD_RIGHT: b->at = editor_buffer_word_right(b, b->at); break;
    case KEY_HOME: case CTRL('a'): b->at = from; break;
    case KEY_END: case CTRL('e'): b->at = to; break;
    case KEY_UP: case KEY_DOWN: case KEY_PPAGE: case KEY_NPAGE:
        e->column = column;
        move_rows(e,
                  key == KEY_UP      ? -1
                  : key == KEY_DOWN  ? 1
                  : key == KEY_PPAGE ? 1 - h
                                     : h - 1,
                  w);
        break;
    default: return false;
    }
    editor_buffer_close(b);
    return true;
}

/* ---- changing ---- */

static bool type(struct editor *e, int key)
{
    unsigned long c = key_character(key);
    utf8proc_uint8_t bytes[4];
    utf8proc_ssize_t n = utf8proc_encode_char((utf8proc_int32_t)c, bytes);
    if (n <= 0 || text_first_bad((const char *)bytes, (size_t)n) != (size_t)n)
        return true;
    return editor_buffer_insert(&e->buffer, (const char *)bytes, (size_t)n);
}

static enum editor_result change(struct editor *e, int key, int w)
{
    struct editor_buffer *b = &e->buffer;
    size_t from, to;
    row_bounds(e, w, &from, &to);
    switch (key) {
    case '\r':
    case '\n':
    case KEY_ENTER: return editor_buffer_insert(b, "\n", 1) ? EDITOR_CHANGED : EDITOR_FULL;
    case KEY_BACKSPACE:
    case '\b':
    case 0x7F: editor_buffer_delete(b, editor_buffer_previous(b, b->at), b->at); break;
    case KEY_DC: editor_buffer_delete(b, b->at, editor_buffer_next(b, b->at)); break;
    case CTRL('w'): editor_buffer_delete(b, editor_buffer_word_left(b, b->at), b->at); break;
    case CTRL('u'): editor_buffer_delete(b, from, b->at); break;
    case CTRL('k'):
        editor_buffer_delete(b, b->at, to > b->at ? to : editor_buffer_next(b, b->at));
        break;
    case UNDO_KEY: editor_buffer_undo(b); break;
    case CTRL('r'): editor_buffer_redo(b); break;
    case KEY_TABULATOR: case CTRL('d'): return EDITOR_DONE;
    case KEY_ESCAPE: return EDITOR_CANCELLED;
    case CTRL('g'): return EDITOR_OUTSIDE;
    default: return EDITOR_IGNORED;
    }
    return EDITOR_CHANGED;
}

/* ---- pastes ---- */

static void paste_add(struct editor *e, int key)
{
    utf8proc_uint8_t bytes[4];
    bool plain = key >= 0 && key < 0x100;
    if (!plain && !key_is_wide(key))
        return;
    utf8proc_ssize_t n = utf8proc_encode_char((utf8proc_int32_t)key_character(key), bytes);
    if (n <= 0 || e->n_paste > 2 * EDITOR_BYTES)
        return;
    e->paste = mem_grow(e->paste, e->n_paste + (size_t)n, 1);
    memcpy(e->paste + e->n_paste, bytes, (size_t)n);
    e->n_paste += (size_t)n;
}

static enum editor_result paste_end(struct editor *e)
{
    editor_buffer_close(&e->buffer);
    bool all = e->n_paste == 0 || editor_buffer_insert(&e->buffer, e->paste, e->n_paste);
    editor_buffer_close(&e->buffer);
    free(e->paste);
    e->paste = NULL;
    e->n_paste = 0;
    e->pasting = false;
    return all ? EDITOR_CHANGED : EDITOR_FULL;
}

/* ---- keys ---- */

static enum editor_result key_act(struct editor *e, int key, int w, int h)
{
    if (key == KEY_PASTE_BEGIN) {
        e->pasting = true;
        return EDITOR_IGNORED;
    }
    if (key == KEY_PASTE_END)
        return paste_end(e);
    if (e->pasting) {
        paste_add(e, key);
        return EDITOR_IGNORED;
    }
    if (move_by_key(e, key, w, h))
        return EDITOR_CHANGED;
    if ((key >= ' ' && key < 0x7F) || (key >= 0xA0 && key < 0x100) || key_is_wide(key))
        return type(e, key) ? EDITOR_CHANGED : EDITOR_FULL;
    return change(e, key, w);
}

enum editor_result editor_key(struct editor *e, int key, int w, int h)
{
    enum editor_result result = key_act(e, key, w, h);
    struct laid rows = lay_rows(&e->buffer, w);
    e->top = top_of(e, &rows, h);
    free(rows.at);
    return result;
}

const char *editor_full_words(void)
{
    return "16 KiB is all that fits here; the rest was left out.";
}

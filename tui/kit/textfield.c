#include "tui/kit/textfield.h"

#include <curses.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/kit/draw.h"
#include "tui/kit/keys.h"

#define CTRL(c) ((c) & 0x1F)

static size_t before(const struct textfield *f, size_t at)
{
    while (at > 0 && text_is_tail(f->bytes[--at]))
        ;
    return at;
}

static size_t after(const struct textfield *f, size_t at)
{
    if (at < f->len)
        at++;
    while (at < f->len && text_is_tail(f->bytes[at]))
        at++;
    return at;
}

void textfield_init(struct textfield *f, const char *text)
{
    memset(f, 0, sizeof *f);
    size_t n = text ? text_cut(text, strlen(text), TEXTFIELD_BYTES - 1) : 0;
    memcpy(f->bytes, text ? text : "", n);
    text_clean(f->bytes, n);
    for (size_t i = 0; i < n; i++)
        if (f->bytes[i] == '\n' || f->bytes[i] == '\t')
            f->bytes[i] = ' ';
    f->len = f->at = n;
}

static enum textfield_result insert(struct textfield *f, unsigned long c)
{
    char bytes[TEXT_CHARACTER_MOST];
    size_t n = text_encode(bytes, (uint32_t)c);
    if (n == 0 || f->len + n >= TEXTFIELD_BYTES || text_first_bad(bytes, n) != n)
        return TEXTFIELD_IGNORED;
    memmove(f->bytes + f->at + n, f->bytes + f->at, f->len - f->at + 1);
    memcpy(f->bytes + f->at, bytes, n);
    f->at += n;
    f->len += n;
    return TEXTFIELD_CHANGED;
}

static enum textfield_result cut(struct textfield *f, size_t from, size_t to)
{
    memmove(f->bytes + from, f->bytes + to, f->len - to + 1);
    f->len -= to - from;
    f->at = from;
    return TEXTFIELD_CHANGED;
}

static enum textfield_result move_to(struct textfield *f, size_t at)
{
    f->at = at;
    return TEXTFIELD_CHANGED;
}

static size_t word_start(const struct textfield *f)
{
    size_t at = f->at;
    while (at > 0 && f->bytes[at - 1] == ' ')
        at--;
    while (at > 0 && f->bytes[at - 1] != ' ')
        at--;
    return at;
}

static enum textfield_result edit(struct textfield *f, int key)
{
    switch (key) {
    case KEY_LEFT: case CTRL('b'): return move_to(f, before(f, f->at));
    case KEY_RIGHT: case CTRL('f'): return move_to(f, after(f, f->at));
    case KEY_HOME: case CTRL('a'): return move_to(f, 0);
    case KEY_END: case CTRL('e'): return move_to(f, f->len);
    case KEY_BACKSPACE: case '\b': case 0x7F: return cut(f, before(f, f->at), f->at);
    case KEY_DC: return cut(f, f->at, after(f, f->at));
    case CTRL('u'): return cut(f, 0, f->at);
    case CTRL('w'): return cut(f, word_start(f), f->at);
    case '\r': case '\n': case KEY_ENTER: return TEXTFIELD_DONE;
    case KEY_ESCAPE: return TEXTFIELD_CANCELLED;
    default: return TEXTFIELD_IGNORED;
    }
}

static enum textfield_result paste(struct textfield *f, int key)
{
    if (key == KEY_PASTE_END)
        f->pasting = false;
    else if (key == '\r' || key == '\n' || key == KEY_ENTER || key == '\t')
        return insert(f, ' ');
    return TEXTFIELD_IGNORED;
}

enum textfield_result textfield_key(struct textfield *f, int key)
{
    if (key == KEY_PASTE_BEGIN) {
        f->pasting = true;
        return TEXTFIELD_IGNORED;
    }
    if ((key >= ' ' && key < 0x7F) || (key >= 0xA0 && key < 0x100) || key_is_wide(key))
        return insert(f, key_character(key));
    return f->pasting ? paste(f, key) : edit(f, key);
}

/* The first byte shown so that the cursor, and one column after it, fit into `w`. */
static size_t first_shown(const struct textfield *f, int w)
{
    size_t from = 0;
    for (;;) {
        char part[TEXTFIELD_BYTES];
        memcpy(part, f->bytes + from, f->at - from);
        part[f->at - from] = '\0';
        if (draw_columns(part) < w || from >= f->at)
            return from;
        from = after(f, from);
    }
}

void textfield_draw(const struct textfield *f, int y, int x, int w, enum style s)
{
    if (w < 2)
        return;
    size_t from = first_shown(f, w);
    char part[TEXTFIELD_BYTES];
    memcpy(part, f->bytes + from, f->at - from);
    part[f->at - from] = '\0';
    draw_text(y, x, w, s, f->bytes + from);
    draw_cursor(y, x + draw_columns(part));
}

const char *textfield_text(const struct textfield *f)
{
    return f->bytes;
}

void textfield_trim(struct textfield *f)
{
    size_t lead = strspn(f->bytes, " ");
    cut(f, 0, lead);
    while (f->len > 0 && f->bytes[f->len - 1] == ' ')
        f->bytes[--f->len] = '\0';
    f->at = f->len;
}

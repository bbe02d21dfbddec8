#include "tui/kit/draw.h"

#include <curses.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "kernels/wire/text.h"
#include "tui/kit/canvas.h"
#include "tui/kit/pattern.h"

enum { LINE_CELLS = 512 };

static bool utf8 = true;
static bool cursor_wanted;
static int cursor_y, cursor_x;
static struct canvas *target;           /* NULL: the terminal */
static const struct pattern *marked;    /* NULL: nothing is */
static struct rect marked_in;

void draw_start(void)
{
    utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
}

void draw_ascii(void)
{
    utf8 = false;
}

bool draw_utf8(void)
{
    return utf8;
}

const char *glyph(const char *utf8_text, const char *ascii)
{
    return utf8 ? utf8_text : ascii;
}

struct canvas *draw_onto(struct canvas *c)
{
    struct canvas *before = target;
    target = c;
    return before;
}

void draw_marked(const struct pattern *p, struct rect where)
{
    marked = p;
    marked_in = where;
}

int draw_rows(void)
{
    return target ? canvas_rows(target) : LINES;
}

int draw_width(void)
{
    return target ? canvas_columns(target) : COLS;
}

void draw_clear(void)
{
    if (target) {
        canvas_clear(target);
        return;
    }
    cursor_wanted = false;
    erase();
}

void draw_cursor(int y, int x)
{
    if (target) {
        canvas_cursor(target, y < draw_rows() ? y : draw_rows() - 1,
                      x < draw_width() ? x : draw_width() - 1);
        return;
    }
    cursor_wanted = true;
    cursor_y = y;
    cursor_x = x;
}

bool draw_cursor_wanted(int *y, int *x)
{
    *y = cursor_y;
    *x = cursor_x;
    return cursor_wanted;
}

/* ---- from bytes to cells ---- */

/* Stand-ins for the glyphs that our own texts use; anything else without UTF-8 is a question mark.
 */
static wchar_t ascii_stand_in(wchar_t c)
{
    static const wchar_t from[] = L"─│┬┴├┤┼└●○▸✓█·…░×µ–—“”‘’╱╲≤≥";
    static const char to[] = "-|++||++*o>x#...xu--\"\"''/\\<>";
    _Static_assert(sizeof from / sizeof from[0] == sizeof to, "one stand-in each");
    const wchar_t *at = c ? wcschr(from, c) : NULL;
    if (at)
        return (wchar_t)to[at - from];
    return c >= 0x2581 && c <= 0x258F ? L'#' : c < 0x80 ? c : L'?';
}

/* As it will stand in a cell; *width receives its columns (0: joins the cell before). */
static wchar_t shown(uint32_t character, int *width)
{
    wchar_t c = (wchar_t)character;
    if (c == L'\t' || c == L'\n')
        c = L' ';
    if (!utf8) {
        *width = 1;
        return ascii_stand_in(c);
    }
    *width = wcwidth(c);
    if (*width >= 0)
        return c;
    *width = 1;
    return TEXT_REPLACEMENT;
}

struct cells { wchar_t text[LINE_CELLS + 2]; int n, columns; bool cut; };

/* Lays out at most `w` columns of clean text; `cut` says that there was more. */
static void lay_out(struct cells *out, const char *clean, int w)
{
    out->n = out->columns = 0;
    out->cut = false;
    while (*clean) {
        int width;
        wchar_t c = shown(text_next(&clean), &width);
        if (width == 0 && out->n == 0)
            continue;
        if (out->columns + width > w || out->n >= LINE_CELLS) {
            out->cut = true;
            return;
        }
        out->text[out->n++] = c;
        out->columns += width;
    }
}

/* A borrowed pointer when the text is clean, else a cleaned copy in *copy to be freed. */
static const char *cleaned(const char *text, char **copy)
{
    size_t n = strlen(text);
    *copy = NULL;
    if (text_first_bad(text, n) == n)
        return text;
    *copy = text_dup(text);
    text_clean(*copy, n);
    return *copy;
}

int draw_columns(const char *text)
{
    char *copy;
    const char *clean = cleaned(text, &copy);
    int columns = 0;
    while (*clean) {
        int width;
        shown(text_next(&clean), &width);
        columns += width;
    }
    free(copy);
    return columns;
}

/* A canvas holds what was meant; what a terminal without UTF-8 makes of it is decided where it is
 * shown. */
static void put_terminal(int y, int x, enum style s, bool turned, const wchar_t *text, int n)
{
    attr_t attr = (attr_t)theme_attr(s) ^ (turned ? A_REVERSE : 0);
    attrset(attr);
    if (utf8) {
        mvaddnwstr(y, x, text, n);
    } else {
        for (int i = 0; i < n; i++)
            mvaddch(y, x + i, (chtype)(unsigned char)ascii_stand_in(text[i]) | (chtype)attr);
    }
    attrset(A_NORMAL);
}

void draw_cells(int y, int x, enum style s, bool turned, const wchar_t *text, int n)
{
    if (y < 0 || y >= draw_rows() || x < 0 || x >= draw_width())
        return;
    if (target)
        canvas_put(target, y, x, text, n, s, turned);
    else
        put_terminal(y, x, s, turned, text, n);
}

/* Takes cells away until the ellipsis fits. */
static void end_in_ellipsis(struct cells *c, const char *clean, int w)
{
    lay_out(c, clean, w - 1);
    c->text[c->n++] = utf8 ? L'…' : L'.';
    c->columns++;
}

static bool is_within(struct rect r, int y, int x)
{
    return y >= r.y && y < r.y + r.h && x >= r.x && x < r.x + r.w;
}

static int columns_of(const wchar_t *text, int n)
{
    int columns = 0, width;
    for (int k = 0; k < n; k++) {
        shown((uint32_t)text[k], &width);
        columns += width;
    }
    return columns;
}

/* What is searched for, once more over what was drawn. */
static void mark(int y, int x, enum style s, const struct cells *line)
{
    for (int at = 0; (at = pattern_in(marked, line->text, line->n, at)) >= 0; at += marked->n) {
        int column = x + columns_of(line->text, at);
        if (is_within(marked_in, y, column))
            draw_cells(y, column, s, true, line->text + at, marked->n);
    }
}

int draw_text(int y, int x, int w, enum style s, const char *text)
{
    if (y < 0 || y >= draw_rows() || x < 0 || x >= draw_width())
        return 0;
    if (w > draw_width() - x)
        w = draw_width() - x;
    if (w <= 0)
        return 0;
    char *copy;
    const char *clean = cleaned(text, &copy);
    struct cells line;
    lay_out(&line, clean, w);
    if (line.cut)
        end_in_ellipsis(&line, clean, w);
    draw_cells(y, x, s, false, line.text, line.n);
    if (marked)
        mark(y, x, s, &line);
    free(copy);
    return line.columns;
}

int draw_textf(int y, int x, int w, enum style s, const char *fmt, ...)
{
    char text[2048];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return draw_text(y, x, w, s, text);
}

int draw_right(int y, int x_end, int w, enum style s, const char *text)
{
    int columns = draw_columns(text);
    if (columns > w)
        columns = w;
    return draw_text(y, x_end - columns, columns, s, text);
}

/* ---- wrapped text ---- */

size_t draw_line_bytes(const char *text, int w)
{
    const char *at = text, *blank = NULL;
    int columns = 0;
    while (*at && *at != '\n') {
        const char *before = at;
        int width;
        shown(text_next(&at), &width);
        if (columns + width > w) {
            if (*before == ' ')
                return (size_t)(before - text);
            const char *end = blank ? blank : before > text ? before : at;
            return (size_t)(end - text);
        }
        columns += width;
        if (*before == ' ')
            blank = before;
    }
    return (size_t)(at - text);
}

int draw_wrapped(struct rect r, int skip, enum style s, const char *text)
{
    char *copy;
    const char *at = cleaned(text, &copy);
    int lines = 0;
    while (*at && r.w > 0) {
        size_t n = draw_line_bytes(at, r.w);
        int row = lines++ - skip;
        if (row >= 0 && row < r.h) {
            char *line = text_ndup(at, n);
            draw_text(r.y + row, r.x, r.w, s, line);
            free(line);
        }
        at += n;
        if (*at == '\n')
            at++;
        else
            while (*at == ' ')
                at++;
    }
    free(copy);
    return lines;
}

void draw_opening(struct rect r, enum style s, const char *text, const char *more)
{
    char *copy;
    const char *at = cleaned(text, &copy);
    int room = r.w - draw_columns(more);
    if (r.h < 1 || draw_wrapped((struct rect){r.y, r.x, r.h - 1, r.w}, 0, s, at) <= r.h ||
        room < 1) {
        draw_wrapped(r, 0, s, at);
        free(copy);
        return;
    }
    for (int row = 0; row < r.h - 1; row++) {
        at += draw_line_bytes(at, r.w);
        at += *at == '\n' ? 1 : strspn(at, " ");
    }
    char *line = text_ndup(at, draw_line_bytes(at, room));
    int used = draw_text(r.y + r.h - 1, r.x, room, s, line);
    draw_text(r.y + r.h - 1, r.x + used, r.w - used, STYLE_DIM, more);
    free(line);
    free(copy);
}

/* ---- lines and bars ---- */

void draw_rule(int y, int x, int w, const char *title, const char *right)
{
    const char *dash = glyph("─", "-");
    for (int i = 0; i < w; i++)
        draw_text(y, x + i, 1, STYLE_DIM, dash);
    if (title && *title && w > 4) {
        int n = draw_text(y, x + 2, w - 4, STYLE_BOLD, title);
        draw_text(y, x + 1, 1, STYLE_PLAIN, " ");
        draw_text(y, x + 2 + n, 1, STYLE_PLAIN, " ");
        w -= n + 4;
    }
    int n = right && *right ? draw_columns(right) : 0;
    if (n == 0 || n + 4 > w)
        return;
    int end = x + w + (title && *title ? draw_columns(title) + 4 : 0);
    draw_text(y, end - n - 3, n + 2, STYLE_PLAIN, " ");
    draw_text(y, end - n - 2, n, STYLE_DIM, right);
    draw_text(y, end - 2, 1, STYLE_PLAIN, " ");
}

void draw_vline(int y, int x, int h)
{
    for (int i = 0; i < h; i++)
        draw_text(y + i, x, 1, STYLE_DIM, glyph("│", "|"));
}

void draw_join(int y, int x, int down)
{
    draw_text(y, x, 1, STYLE_DIM, down ? glyph("┬", "+") : glyph("┴", "+"));
}

/* Blocks that fill so many eighths of a cell from its left. */
static const char *const eighth_blocks[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█" };

static double clamp01(double v)
{
    return v > 1 ? 1 : v > 0 ? v : 0;
}

/* Eighths of a cell that a share fills: something is never nothing. */
static int eighths(double share, int w)
{
    int e = (int)(clamp01(share) * w * 8 + 0.5);
    return e == 0 && share > 0 ? 1 : e;
}

void draw_bar(int y, int x, int w, double share, bool track, enum style s)
{
    int left = eighths(share, w);
    for (int i = 0; i < w; i++, left -= 8) {
        if (left > 0)
            draw_text(y, x + i, 1, s,
                      glyph(eighth_blocks[left < 8 ? left : 8], left >= 4 || i == 0 ? "#" : "."));
        else if (track)
            draw_text(y, x + i, 1, STYLE_DIM, glyph("·", "."));
    }
}

/* A cell that is filled from an eighth on is the block up to there with its colours turned round.
 */
static void draw_right_part(int y, int x, int from, enum style s)
{
    wchar_t block[8];
    if (mbstowcs(block, eighth_blocks[from], 8) == 1)
        draw_cells(y, x, s, true, block, 1);
}

void draw_span(int y, int x, int w, double from, double to, enum style s)
{
    int a = (int)(clamp01(from) * w * 8 + 0.5), b = (int)(clamp01(to) * w * 8 + 0.5);
    if (a >= w * 8)
        a = w * 8 - 1;
    if (b <= a)
        b = a + 1;
    for (int i = a / 8; i < w && i * 8 < b; i++) {
        int left = a - 8 * i, right = b - 8 * i < 8
                                          ? b - 8 * i
                                          : 8; /* eighths of this cell: filled from left to right */
        bool starts_late = left > 0 && (right == 8 || left >= 4);
        if (!utf8)
            draw_text(y, x + i, 1, s, right - (left > 0 ? left : 0) >= 4 || i == a / 8 ? "#" : ".");
        else if (starts_late)
            draw_right_part(y, x + i, left, s);
        else
            draw_text(y, x + i, 1, s, eighth_blocks[right]);
    }
}

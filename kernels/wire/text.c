#include "kernels/wire/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What nobody sees, or what turns the text around it: it can hide words from a reader, or make two
 * texts look alike. In order. Four that show nothing pass, since people write with them: the
 * joiners U+200C and U+200D (Persian, Indic scripts, families of emoji), and U+FE0E and U+FE0F (a
 * sign as text or as emoji). */
static const struct { uint32_t first, last; } unwelcome[] = {
    {0x00, 0x08}, {0x0B, 0x1F},   /* controls but tab and newline */
    {0x7F, 0x9F},
    {0xAD, 0xAD},                 /* soft hyphen */
    {0x034F, 0x034F},             /* combining grapheme joiner */
    {0x061C, 0x061C},             /* Arabic letter mark */
    {0x115F, 0x1160},             /* Hangul fillers */
    {0x17B4, 0x17B5},             /* Khmer vowels without a shape */
    {0x180B, 0x180F},             /* Mongolian selectors and separator */
    {0x200B, 0x200B},             /* zero-width space */
    {0x200E, 0x200F},             /* left-to-right and right-to-left mark */
    {0x2028, 0x202E},             /* separators of lines, bidirectional embeddings and overrides */
    {0x2060, 0x206F},             /* word joiner, invisible operators, bidirectional isolates */
    {0x3164, 0x3164},             /* Hangul filler */
    {0xFE00, 0xFE0D},             /* variation selectors: a run of them spells bytes */
    {0xFEFF, 0xFEFF},             /* byte order mark */
    {0xFFA0, 0xFFA0},             /* Hangul filler of half a width */
    {0xFFF0, 0xFFFB},             /* annotations */
    {0x1BCA0, 0x1BCA3},           /* shorthand controls */
    {0x1D173, 0x1D17A},           /* musical controls */
    {0xE0000, 0xE0FFF},           /* tags, and more variation selectors */
};

static bool is_unwelcome(uint32_t c)
{
    size_t i = 0, n = sizeof unwelcome / sizeof *unwelcome;
    while (i < n && unwelcome[i].last < c)
        i++;
    return i < n && c >= unwelcome[i].first;
}

/* Printable ASCII, which most of a long file is, costs a comparison a byte. */
static size_t plain_run(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && ((s[i] >= ' ' && s[i] <= '~') || s[i] == '\n'))
        i++;
    return i;
}

size_t text_first_bad(const char *s, size_t n)
{
    for (size_t i = 0; (i += plain_run(s + i, n - i)) < n;) {
        uint32_t cp;
        size_t len = text_decode(&cp, s + i, n - i);
        if (len == 0 || is_unwelcome(cp))
            return i;
        i += len;
    }
    return n;
}

void text_clean(char *s, size_t n)
{
    size_t i = 0;
    while ((i += text_first_bad(s + i, n - i)) < n)
        s[i++] = '?';
}

/* ---- characters of UTF-8 ---- */

static bool is_character(uint32_t c)
{
    return c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
}

static size_t length_of(uint32_t c)
{
    return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}

bool text_is_tail(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

size_t text_decode(uint32_t *c, const char *s, size_t n)
{
    unsigned char first = n > 0 ? (unsigned char)s[0] : 0xFF;
    size_t len = first < 0x80   ? 1
                 : first < 0xC0 ? 0
                 : first < 0xE0 ? 2
                 : first < 0xF0 ? 3
                 : first < 0xF8 ? 4
                                : 0;
    if (len == 0 || len > n)
        return 0;
    uint32_t value = len == 1 ? first : first & (0xFFu >> (len + 1));
    for (size_t i = 1; i < len; i++) {
        if (!text_is_tail(s[i]))
            return 0;
        value = value << 6 | ((unsigned char)s[i] & 0x3F);
    }
    if (!is_character(value) || length_of(value) != len)
        return 0;
    *c = value;
    return len;
}

size_t text_encode(char out[TEXT_CHARACTER_MOST], uint32_t c)
{
    static const unsigned char lead[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
    size_t len = length_of(c);
    if (!is_character(c))
        return 0;
    for (size_t i = len - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3F));
    out[0] = (char)(lead[len] | c);
    return len;
}

uint32_t text_next(const char **s)
{
    uint32_t c = TEXT_REPLACEMENT;
    size_t len = text_decode(&c, *s, TEXT_CHARACTER_MOST);
    *s += len ? len : 1;
    return c;
}

const char *text_next_line(const char *s)
{
    s += strcspn(s, "\n");
    return *s ? s + 1 : s;
}

size_t text_cut(const char *s, size_t n, size_t most)
{
    if (n <= most)
        return n;
    while (most > 0 && text_is_tail(s[most]))
        most--;
    return most;
}

bool text_is_formula(const char *s)
{
    enum { WIDE_PLUS = 0xFF0B, WIDE_MINUS = 0xFF0D, WIDE_EQUALS = 0xFF1D, WIDE_AT = 0xFF20 };
    s += strspn(s, "'");
    if (!*s || strchr("=+-@\t\r\n", *s))
        return *s;
    uint32_t c = text_next(&s);
    return c == WIDE_PLUS || c == WIDE_MINUS || c == WIDE_EQUALS || c == WIDE_AT;
}

/* ---- memory ---- */

static void out_of_memory(void)
{
    fputs("out of memory\n", stderr);
    exit(EXIT_FAILURE);
}

void *mem_new(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size ? size : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *mem_grow(void *p, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        out_of_memory();
    size_t bytes = n * size;
    void *q = realloc(p, bytes ? bytes : 1);
    if (!q)
        out_of_memory();
    return q;
}

void *mem_more(void *p, size_t n, size_t size)
{
    bool is_full = !(n & (n - 1)); /* at none and at powers of two */
    return is_full ? mem_grow(p, n ? 2 * n : 1, size) : p;
}

char *text_ndup(const char *s, size_t n)
{
    char *copy = mem_new(n + 1, 1);
    if (n)
        memcpy(copy, s, n);
    return copy;
}

char *text_dup(const char *s)
{
    return text_ndup(s, strlen(s));
}

char *text_format(const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *s = mem_new(n < 0 ? 1 : (size_t)n + 1, 1);
    if (n > 0)
        vsnprintf(s, (size_t)n + 1, fmt, again);
    va_end(again);
    return s;
}

void text_copy_clean(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%s", text);
    text_clean(out, strlen(out));
}

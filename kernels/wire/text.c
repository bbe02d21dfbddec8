#include "kernels/wire/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_unwelcome(uint32_t c)
{
    if (c < 0x20)
        return c != '\t' && c != '\n';
    return (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

size_t text_first_bad(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n) {
        uint32_t cp = ' ';
        size_t len = s[i] >= ' ' && s[i] <= '~' ? 1 : text_decode(&cp, s + i, n - i); /* most are, and files are long */
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
    size_t len = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : 0;
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

size_t text_cut(const char *s, size_t n, size_t most)
{
    if (n <= most)
        return n;
    while (most > 0 && text_is_tail(s[most]))
        most--;
    return most;
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

#include "kernels/wire/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Length of the well-formed UTF-8 sequence at s, and its code point; 0 when it is not well-formed
 * (overlong forms, surrogates and values above U+10FFFF are not). */
static size_t decode(uint32_t *cp, const unsigned char *s, size_t n)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (s[0] < 0x80) {
        *cp = s[0];
        return 1;
    }
    size_t len = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4 || len > n)
        return 0;
    uint32_t c = s[0] & (0xFFu >> (len + 1));
    for (size_t i = 1; i < len; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3F);
    }
    *cp = c;
    return c < least[len] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000) ? 0 : len;
}

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
        uint32_t cp = 0;
        size_t len = decode(&cp, (const unsigned char *)s + i, n - i);
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

#include "scenarios/text/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

struct arena_item {
    struct arena_item *before;
    max_align_t data[];
};

void *arena_new(struct arena *a, size_t n, size_t size)
{
    size_t bytes = n * size;
    struct arena_item *item = mem_new(1, sizeof *item + bytes);
    item->before = a->last;
    a->last = item;
    return item->data;
}

char *arena_text(struct arena *a, const char *s, size_t len)
{
    char *copy = arena_new(a, len + 1, 1);
    if (len)
        memcpy(copy, s, len);
    return copy;
}

char *arena_format(struct arena *a, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *s = arena_new(a, n < 0 ? 1 : (size_t)n + 1, 1);
    if (n > 0)
        vsnprintf(s, (size_t)n + 1, fmt, again);
    va_end(again);
    return s;
}

void arena_free(struct arena *a)
{
    while (a->last) {
        struct arena_item *before = a->last->before;
        free(a->last);
        a->last = before;
    }
}

#include "scenarios/gather.h"

#include <stdio.h>
#include <string.h>

#include "kernels/wire/text.h"

void gather_add(struct gather *g, const char *bytes, size_t n)
{
    if (n > g->limit) {
        bytes += n - g->limit;
        n = g->limit;
    }
    if (g->len + n > g->limit) {
        size_t drop = g->len + n - g->limit;
        memmove(g->text, g->text + drop, g->len - drop);
        g->len -= drop;
    }
    if (g->cap < g->len + n + 1) {
        g->cap = (g->len + n + 1) * 2;
        g->text = mem_grow(g->text, g->cap, 1);
    }
    memcpy(g->text + g->len, bytes, n);
    g->len += n;
    g->text[g->len] = '\0';
    text_clean(g->text + g->len - n, n);
}

const char *gather_text(const struct gather *g)
{
    return g->text ? g->text : "";
}

void gather_last_line(const struct gather *g, char *out, size_t size)
{
    const char *text = gather_text(g);
    size_t end = g->len;
    while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == ' '))
        end--;
    size_t start = end;
    while (start > 0 && text[start - 1] != '\n')
        start--;
    snprintf(out, size, "%.*s", (int)(end - start), text + start);
}

#include "scenarios/supply/gather.h"

#include <stdio.h>
#include <string.h>

#include "kernels/wire/text.h"

/* Copies without what steers a terminal: carriage returns and colour sequences. Returns how much
 * was kept. */
static size_t copy_text(char *to, const char *from, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (from[i] == '\033' && i + 1 < n && from[i + 1] == '[') {
            for (i += 2; i < n && (from[i] < '@' || from[i] > '~'); i++)
                continue;
        } else if (from[i] != '\r') {
            to[kept++] = from[i];
        } else if (i + 1 < n && from[i + 1] != '\n') {
            to[kept++] = '\n'; /* a line that was meant to be overwritten */
        }
    }
    return kept;
}

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
    n = copy_text(g->text + g->len, bytes, n);
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

#include "tui/kit/pattern.h"

#include <stdlib.h>
#include <string.h>
#include <wctype.h>

#include "kernels/wire/text.h"

static wchar_t small(wchar_t c)
{
    return (wchar_t)towlower((wint_t)c);
}

void pattern_set(struct pattern *p, const char *text)
{
    p->n = 0;
    while (*text && p->n < PATTERN_MOST)
        p->text[p->n++] = small((wchar_t)text_next(&text));
}

static bool stands_at(const struct pattern *p, const wchar_t *text)
{
    for (int k = 0; k < p->n; k++)
        if (small(text[k]) != p->text[k])
            return false;
    return true;
}

int pattern_in(const struct pattern *p, const wchar_t *text, int n, int from)
{
    for (int at = from; p->n && at + p->n <= n; at++)
        if (stands_at(p, text + at))
            return at;
    return -1;
}

int pattern_in_text(const struct pattern *p, const char *text)
{
    wchar_t *wide = mem_new(strlen(text) + 1, sizeof *wide);
    int n = 0;
    while (*text)
        wide[n++] = (wchar_t)text_next(&text);
    int at = pattern_in(p, wide, n, 0);
    free(wide);
    return at;
}

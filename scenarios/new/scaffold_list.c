/* Lists between commas: a grid, a block. */
#include "scenarios/new/scaffold_draft.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static char *without_blanks(const char *text, size_t n)
{
    while (n && isspace((unsigned char)*text)) {
        text++;
        n--;
    }
    while (n && isspace((unsigned char)text[n - 1]))
        n--;
    return text_ndup(text, n);
}

int draft_split(char *parts[3], const char *list)
{
    int n = 0, depth = 0;
    for (const char *from = list, *at = list;; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at && (*at != ',' || depth > 0))
            continue;
        if (n < 3)
            parts[n] = without_blanks(from, (size_t)(at - from));
        n++;
        from = at + 1;
        if (!*at)
            return n;
    }
}

void draft_join(char *out, size_t size, char *const parts[3], int n)
{
    size_t len = 0;
    *out = '\0';
    for (int d = 0; d < n && len < size; d++)
        len += (size_t)snprintf(out + len, size - len, "%s%s", d ? ", " : "", parts[d]);
}

#include "scenarios/text/near.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 48, MOST_EDITS = 3 };

int near_distance(const char *a, const char *b)
{
    int row[LONGEST + 1];
    int n = (int)strnlen(b, LONGEST);
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 0; a[i] && i < LONGEST; i++) {
        int corner = row[0];
        row[0] = i + 1;
        for (int j = 0; j < n; j++) {
            int change = corner + (a[i] != b[j]),
                step = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            corner = row[j + 1];
            row[j + 1] = change < step ? change : step;
        }
    }
    return row[n];
}

/* A third of a short word may be wrong, three letters of a long one. */
static int allowed(const char *word)
{
    int third = ((int)strnlen(word, LONGEST) + 1) / 3;
    return third < 1 ? 1 : third > MOST_EDITS ? MOST_EDITS : third;
}

void near_try(struct near *n, const char *candidate)
{
    int distance = near_distance(n->word, candidate);
    if (strlen(candidate) < 2 || distance > allowed(n->word) ||
        (n->best && distance >= n->distance))
        return;
    n->best = candidate;
    n->distance = distance;
}

const char *near_hint(const struct near *n, char *out, size_t size)
{
    snprintf(out, size, n->best ? " (did you mean %s?)" : "%s", n->best ? n->best : "");
    return out;
}

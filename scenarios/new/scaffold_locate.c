/* The line of the suspect that is a guess at the fault. */
#include "scenarios/new/scaffold_draft.h"

#include <ctype.h>
#include <string.h>

static int occurrences(const char *text, const char *part, size_t n)
{
    int count = 0;
    for (const char *at = text; count < 2 && (at = memmem(at, strlen(at), part, n)); at++)
        count++;
    return count;
}

static int liking(const char *line, size_t n, const char *marks)
{
    int score = 0, worth = 8;
    for (const char *m = marks; *m; worth /= 2) {
        size_t k = strcspn(m, " ");
        score += memmem(line, n, m, k) ? worth : 0;
        m += k + (m[k] == ' ');
    }
    return score + (memchr(line, '[', n) != NULL) + (memchr(line, ';', n) != NULL);
}

/* The line of the kernel's body that occurs once in the file and has most of what such a fault is
 * made of; of equal ones the last. */
void draft_locate(struct draft *p)
{
    const char *text = p->suspect, *kernel = strstr(text, "extern \"C\" ");
    const char *body = strchr(kernel, '{'), *line = body ? body + 1 : kernel;
    int best = -1;
    for (size_t n; *line; line += n + (line[n] == '\n')) {
        n = strcspn(line, "\n");
        size_t from = strspn(line, " \t"), len = n > from ? n - from : 0;
        while (len && isspace((unsigned char)line[from + len - 1]))
            len--;
        bool fits = len >= 4 && len <= 200 && strncmp(line + from, "//", 2) && line[from] != '#' &&
                    occurrences(text, line + from, len) == 1;
        if (fits && p->of->fix) /* a line that is mended */
            fits = occurrences(p->of->fix, line + from, len) == 0;
        int score = fits ? liking(line + from, len, p->of->cause->marks) : -1;
        if (score >= best && fits) {
            best = score;
            p->location = (size_t)(line + from - text);
            p->location_len = len;
        }
    }
    if (best >= 0)
        return;
    p->location = (size_t)(kernel - text);       /* a body in the kernel's first line */
    p->location_len = strcspn(kernel, "\n");
}

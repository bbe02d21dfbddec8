/* A drill's answer in words: right, near or off, and by how much; its points only where they may be
 * seen. */
#include "tui/interview/console_answer.h"

#include <stdio.h>
#include <string.h>

#include "drills/question/answer.h"
#include "tui/kit/draw.h"

/* "off by 10.2 x" out of "8 for 81.3: off by 10.2 x.", and so with "%"; "" where it tells none. */
static void factor_of(char *out, size_t size, const char *say)
{
    const char *at = strstr(say, "off by "), *end = at ? strpbrk(at, "x%") : NULL;
    snprintf(out, size, "%.*s", end ? (int)(end + 1 - at) : 0, at ? at : "");
}

void console_answer_words(char *out, size_t size, const struct session *s,
                          const struct console_answer *a)
{
    char factor[48];
    factor_of(factor, sizeof factor, a->say);
    if (!a->text[0] || !strcmp(a->how, "skipped"))
        snprintf(out, size, "skipped");
    else if (!strcmp(a->how, "right"))
        snprintf(out, size, "%.120s: right", a->text);
    else if (!strcmp(a->how, "close"))
        snprintf(out, size, "%.120s: near%s%s", a->text, factor[0] ? ", " : "", factor);
    else
        snprintf(out, size, "%.120s: %s", a->text,
                 factor[0]                   ? factor
                 : strstr(a->say, "Far off") ? "far off"
                                             : "off");
    size_t n = strlen(out);
    if (session_scores_open(s, false))
        snprintf(out + n, size - n, ", %.2g of 1", a->points);
}

const char *console_answer_mark(const char *how)
{
    return !strcmp(how, "right")   ? glyph("✓", "+")
           : !strcmp(how, "close") ? glyph("≈", "~")
                                   : glyph("✗", "-");
}

void console_answer_say(char *out, size_t size, const struct session *s, const char *say)
{
    const char *cost = session_scores_open(s, false) ? NULL : strstr(say, DRILL_COST_WORDS),
               *after = cost ? strstr(cost, " of 1.") : NULL;
    if (after)
        snprintf(out, size, "%.*s%s", (int)(cost - say), say, after + strlen(" of 1."));
    else
        snprintf(out, size, "%s", say);
}

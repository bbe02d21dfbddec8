#include "scenarios/finding.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* The number at `at`, behind `word` if that stands there. */
static bool number_at(const char *at, const char *word, double *out)
{
    char *end;
    if (strncmp(at, word, strlen(word)) == 0)
        at += strlen(word);
    *out = strtod(at, &end);
    return end != at && isfinite(*out);
}

/* The two values that a line compares, the second the one that counts. */
static bool two_values(const char *line, double *here, double *there)
{
    const char *is = strstr(line, "] is "), *comma = is ? strstr(is, ", ") : NULL;
    return comma && number_at(is + strlen("] is "), "", here) && number_at(comma + 2, "should be ", there);
}

char *finding_text(const char *line, const struct msg_tolerance *t)
{
    double here, there;
    if (t->kind == TOL_EXACT || !two_values(line, &here, &there))
        return text_dup(line);
    double by = fabs(here - there), may = t->abs + t->rel * fabs(there);
    return text_format("%s (differ by %.3g, tolerance %.3g%s)", line, by, may, by <= may ? ": within it" : "");
}

char *finding_line(const struct msg_part *p, int i, const struct msg_tolerance *t)
{
    bool compares = p->probe == PROBE_CHECK || p->probe == PROBE_POISON || p->probe == PROBE_REPEAT;
    return compares ? finding_text(p->lines[i], t) : text_dup(p->lines[i]);
}

void tolerance_text(char *out, size_t size, const struct msg_tolerance *t)
{
    if (t->kind == TOL_EXACT)
        snprintf(out, size, "tolerance: exact");
    else
        snprintf(out, size, "tolerance %.3g + %.3g x value", t->abs, t->rel);
}

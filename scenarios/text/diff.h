/* What changed between two texts, line by line: the longest common subsequence. Pure. */
#ifndef WD_SCENARIOS_DIFF_H
#define WD_SCENARIOS_DIFF_H

#include <stdbool.h>
#include <stddef.h>

enum diff_kind { DIFF_SAME, DIFF_OUT, DIFF_IN };
struct diff_line {
    enum diff_kind kind;
    int old_line, new_line;      /* 1-based; 0 where the line does not exist */
    const char *text;            /* borrowed from the texts, not terminated */
    size_t len;
};
struct diff { struct diff_line *line; int n; int out, in; };

/* Lines lost and gained. The leading comment (and blank lines after it) of each text is left out,
 * since it tells about a file and is no part of the change; blanks at line ends do not count. Texts
 * must outlive the result. */
void diff_make(struct diff *out, const char *old_text, const char *new_text);
void diff_free(struct diff *d);

/* Is line k worth showing with `context` unchanged lines around every change? */
bool diff_near(const struct diff *d, int k, int context);

/* Offset of the first line after the leading comment; *line receives its 1-based number. */
size_t diff_body(const char *text, int *line);

#endif

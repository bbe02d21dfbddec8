/* What a device source is once comments and layout are taken away, and what it may not contain.
 *
 * Token text: line splices joined, comments out (string and character literals respected), runs of
 * blanks become one, leading and trailing blanks go, empty lines are dropped. So adding a comment
 * or a blank line never makes recorded evidence stale, and evidence per source line is stored by
 * token line and finds its place again.
 */
#ifndef WD_WIRE_TOKEN_H
#define WD_WIRE_TOKEN_H

#include <stddef.h>

#include "kernels/wire/err.h"
#include "kernels/wire/hash.h"

struct token_text {
    char *text;    /* NUL-terminated, lines end in '\n'; owned */
    size_t len;
    int lines;
    int *line_of;  /* line_of[k]: 1-based source line of token line k (0-based); owned */
};

/* Normalises and checks in one pass. Refused, with "line N" in the text: any #include (spelt `#` or
 * `%:`) whose operand is not exactly "warpdrill.h" (the header that the runner passes in memory) or is
 * a macro; directives other than define, undef, the conditionals, error, warning and #pragma unroll;
 * __LINE__, __FILE__, __has_include and their kin; raw string literals; unterminated literals or
 * comments; control characters other than tab, newline and form feed; text that is not UTF-8;
 * non-ASCII characters outside comments and literals; and spellings on which compilers differ
 * (trigraphs that matter here, blanks between a backslash and the end of its line). */
int token_scan(struct token_text *out, const char *source, size_t len, struct err *err);
void token_free(struct token_text *t);

/* SHA-256 of the token text; fails exactly when token_scan fails. */
int token_hash(char out[HASH_HEX], const char *source, size_t len, struct err *err);

#endif

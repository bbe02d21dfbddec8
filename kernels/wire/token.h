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

/* Normalises and checks. Refused:
 * - any #include whose operand is not exactly "warpdrill.h" (the header that the runner passes in
 *   memory), __has_include, __has_embed and their kin: in comments and literals too;
 * - directives other than define, undef, the conditionals, error, warning and #pragma unroll, and
 *   a # behind a comment on its line; quotes, comments and backslashes in the text of #error and
 *   #warning;
 * - __LINE__, __FILE__ and their kin (token_forbidden), and ##, which could make them;
 * - raw string literals, suffixes of literals, a quote right behind a number (1'000) or behind a
 *   word that is not L, u, U or u8;
 * - literals that do not end on their line, comments that do not end;
 * - %: for #, trigraphs that matter here, backslashes, $, @ and ` in code, blanks between a
 *   backslash and the end of its line, lines joined inside a word;
 * - control characters other than tab and newline, text that is not UTF-8, non-ASCII characters
 *   in code.
 * The error's text is "line 3, column 7: what; what to write". */
int token_scan(struct token_text *out, const char *source, size_t len, struct err *err);
void token_free(struct token_text *t);

/* Of an error of token_scan: the place, 1-based, a column being a character; returns the text
 * behind it. Line 1, column 1 and the whole text where it names no place. */
const char *token_error_place(const struct err *err, int *line, int *column);

/* The first word of text that no source and no define may hold, __FILE__ or __has_include; NULL if
 * there is none. */
const char *token_forbidden(const char *text);

/* SHA-256 of the token text; fails exactly when token_scan fails. */
int token_hash(char out[HASH_HEX], const char *source, size_t len, struct err *err);

#endif

/* Text from outside (packs, runners, kernels' printf) before anybody sees it, and its characters.
 */
#ifndef WD_WIRE_TEXT_H
#define WD_WIRE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Offset of the first byte that is not well-formed UTF-8, or is a control character (C0 but tab and
 * newline, DEL, C1), or a character that is invisible or turns text around (the table in text.c); n
 * if all is well. */
size_t text_first_bad(const char *s, size_t n);

/* Replaces each offending byte with '?', in place. For text whose origin cannot be asked to mend
 * it. */
void text_clean(char *s, size_t n);

/* ---- characters of UTF-8 ---- */

enum { TEXT_CHARACTER_MOST = 4 /* bytes */, TEXT_REPLACEMENT = 0xFFFD };

/* Bytes of the character at s, of which n are there; *c receives it. 0, and *c as it was, where no
 * well-formed one begins: n is 0, it is cut, a tail byte comes first, it is longer than it need be,
 * a surrogate or above U+10FFFF. Reads no further than the first byte that does not belong to it.
 */
size_t text_decode(uint32_t *c, const char *s, size_t n);
/* The reverse: bytes written, 0 where c is no character (a surrogate, above U+10FFFF). */
size_t text_encode(char out[TEXT_CHARACTER_MOST], uint32_t c);
/* The next character of text that ends in NUL and is not at its end; *s goes behind it. A byte that
 * begins none is TEXT_REPLACEMENT. */
uint32_t text_next(const char **s);
/* Is it a byte inside a character, not its first? */
bool text_is_tail(char byte);
/* Would a spreadsheet take the text for a formula? So too where ' alone stands before it: that is
 * our guard against it. It begins with = + - @, narrow or full-width, or with a tab or a line end,
 * which are passed over there. */
bool text_is_formula(const char *s);
/* Behind the next newline, or the end of the text. */
const char *text_next_line(const char *s);
/* n, or the most bytes up to `most` that end between two characters. */
size_t text_cut(const char *s, size_t n, size_t most);

/* ---- memory ---- */

/* A copy in malloc'd memory; ends the program tidily when memory runs out. */
char *text_dup(const char *s);
char *text_ndup(const char *s, size_t n);
char *text_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* calloc/realloc that end the program tidily when memory runs out. */
void *mem_new(size_t n, size_t size);
void *mem_grow(void *p, size_t n, size_t size);
/* Room for one more than n, made by doubling: for lists that grow one by one from none. */
void *mem_more(void *p, size_t n, size_t size);

/* A text from outside into a field: cut to its size, and cleaned. */
void text_copy_clean(char *out, size_t size, const char *text);

#endif

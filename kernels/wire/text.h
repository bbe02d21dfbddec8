/* Text from outside (packs, runners, kernels' printf) before anybody sees it. */
#ifndef WD_WIRE_TEXT_H
#define WD_WIRE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Offset of the first byte that is not well-formed UTF-8, or is a control character (C0 but tab and
 * newline, DEL, C1), or a bidirectional override/isolate (U+202A..E, U+2066..9); n if all is well. */
size_t text_first_bad(const char *s, size_t n);

/* Replaces each offending byte with '?', in place. For text whose origin cannot be asked to mend it. */
void text_clean(char *s, size_t n);

/* A copy in malloc'd memory; ends the program tidily when memory runs out. */
char *text_dup(const char *s);
char *text_ndup(const char *s, size_t n);
char *text_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* calloc/realloc that end the program tidily when memory runs out. */
void *mem_new(size_t n, size_t size);
void *mem_grow(void *p, size_t n, size_t size);

#endif

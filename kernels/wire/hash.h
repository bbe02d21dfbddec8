/* SHA-256 as lower-case hex: evidence keys, blobs, the compile cache. */
#ifndef WD_WIRE_HASH_H
#define WD_WIRE_HASH_H

#include <jansson.h>
#include <stddef.h>

#define HASH_HEX 65 /* 64 digits and the terminating NUL */

void hash_bytes(char out[HASH_HEX], const void *bytes, size_t n);

/* Hash of the canonical form: keys sorted, no blanks, reals with 17 significant digits. */
void hash_json(char out[HASH_HEX], const json_t *value);

#endif

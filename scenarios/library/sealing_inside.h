/* What sealing.c, sealing_pack.c and the fuzzer share: the steps behind the key. Nobody else
 * includes this. */
#ifndef WD_SCENARIOS_SEALING_INSIDE_H
#define WD_SCENARIOS_SEALING_INSIDE_H

#include "scenarios/library/sealing.h"

enum { SEALED_FORMAT = 1, SEALED_HEADER = 128, SEALED_CHUNK = 65536, SEALED_KEY = 32 };
/* JSON's escapes at most double a pack's bytes. */
#define SEALED_CONTENT_MAX (2 * FILES_BYTES_MAX + ((size_t)1 << 20))

struct sealed_header {
    struct sealing_cost cost;
    size_t content;
    const unsigned char *salt, *check, *stream; /* inside the bytes */
};

/* Everything that can be said without a key: form, version, limits, and whether all bytes are
 * there. */
int sealed_header_read(struct sealed_header *h, const unsigned char *bytes, size_t len,
                       struct err *err);
/* The chunks behind a header that was read. */
int sealed_chunks_open(char **content, const struct sealed_header *h, const unsigned char *bytes,
                       const unsigned char key[SEALED_KEY], struct err *err);
/* A whole sealed file under this key; check and salt as given. */
unsigned char *sealed_chunks_seal(size_t *len, const char *content, size_t n,
                                  struct sealing_cost cost, const unsigned char salt[16],
                                  const unsigned char check[16],
                                  const unsigned char key[SEALED_KEY]);

/* What lies inside, read from its text. `hidden` gets the sealed files alone; `hashes` is {path:
 * SHA-256} of the public ones. */
int sealed_content_read(struct files **hidden, json_t **hashes, const char *content, size_t n,
                        struct err *err);

#endif

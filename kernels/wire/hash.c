#include "kernels/wire/hash.h"

#include <sodium.h>

static void to_hex(char out[HASH_HEX], const unsigned char digest[crypto_hash_sha256_BYTES])
{
    sodium_bin2hex(out, HASH_HEX, digest, crypto_hash_sha256_BYTES);
}

void hash_bytes(char out[HASH_HEX], const void *bytes, size_t n)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(digest, bytes, n);
    to_hex(out, digest);
}

static int absorb(const char *bytes, size_t n, void *state)
{
    return crypto_hash_sha256_update(state, (const unsigned char *)bytes, n);
}

void hash_json(char out[HASH_HEX], const json_t *value)
{
    crypto_hash_sha256_state state;
    unsigned char digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_init(&state);
    json_dump_callback(value, absorb, &state,
                       JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    crypto_hash_sha256_final(&state, digest);
    to_hex(out, digest);
}

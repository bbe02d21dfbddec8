/* Sealed files behind the passphrase, under a key that is fixed, since deriving one is meant to be
 * slow. The first byte chooses: 'f' the rest is a sealed file, 'h' the same with its header's
 * checksum made right, 'c' it is what lies inside, 's' it is sealed, and one byte of that is
 * turned. */
#include <assert.h>
#include <sodium.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/library/sealing_inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const unsigned char key[SEALED_KEY] = {1, 2, 3}, check[16], salt[16];

static void judge_content(const char *text, size_t n)
{
    struct files *hidden;
    json_t *hashes;
    struct err err = {0};
    int rc = sealed_content_read(&hidden, &hashes, text, n, &err);
    assert(rc ? !hidden && !hashes && *err.text : hidden && hashes);
    for (int i = 0; !rc && i < hidden->n; i++) {
        const char *path = hidden->file[i].path;
        assert(path_is_sealed(path) && *path != '/' && strncmp(path, "../", 3) &&
               !strstr(path, "/../"));
    }
    json_decref(hashes);
    files_free(hidden);
}

/* Returns 0 when it opens. */
static int judge_file(const unsigned char *bytes, size_t len)
{
    struct sealed_header h;
    struct err err = {0};
    char *text = NULL;
    int rc = sealed_header_read(&h, bytes, len, &err);
    if (!rc)
        rc = sealed_chunks_open(&text, &h, bytes, key, &err);
    assert(rc ? rc < 0 && !text && *err.text : text != NULL);
    if (!rc) {
        judge_content(text, h.content);
        sealing_forget(text, h.content);
    }
    return rc;
}

static void judge_signed(const unsigned char *data, size_t size)
{
    unsigned char *bytes = mem_new(size + 1, 1);
    memcpy(bytes, data, size);
    if (size >= SEALED_HEADER)
        crypto_hash_sha256(bytes + 96, bytes, 96);
    judge_file(bytes, size);
    free(bytes);
}

static void turn_one(const unsigned char *data, size_t size)
{
    size_t len, at = size > 1 ? (size_t)data[0] << 8 | data[1] : 0;
    unsigned char *bytes = sealed_chunks_seal(&len, (const char *)data, size,
                                              (struct sealing_cost){1, 8192}, salt, check, key);
    char *text;
    struct sealed_header h;
    assert(sealed_header_read(&h, bytes, len, NULL) == 0 &&
           sealed_chunks_open(&text, &h, bytes, key, NULL) == 0);
    assert(h.content == size && !memcmp(text, data, size));
    sealing_forget(text, size);
    bytes[at % len] ^= (unsigned char)(1 + (size > 2 ? data[2] % 255 : 0));
    assert(judge_file(bytes, len) < 0);
    assert(judge_file(bytes, at % len) < 0);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size || sodium_init() < 0)
        return 0;
    switch (*data++) {
    case 'f': judge_file(data, size - 1); break;
    case 'h': judge_signed(data, size - 1); break;
    case 'c': judge_content((const char *)data, size - 1); break;
    case 's': turn_one(data, size - 1); break;
    }
    return 0;
}

/* Passphrases, and the sealed file as bytes. What lies inside, and folders: sealing_pack.c. */
#include "scenarios/library/sealing.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/library/sealing_inside.h"

enum {
    AT_FORMAT = 16,
    AT_PASSES = 20,
    AT_MEMORY = 24,
    AT_CONTENT = 32,
    AT_SALT = 40,
    AT_CHECK = 56,
    AT_STREAM = 72,
    AT_HASH = 96,
    EXTRA = crypto_secretstream_xchacha20poly1305_ABYTES,
    CHECK = 16,
    KEY_OF_STREAM = 1,
    KEY_OF_CHECK = 2
};
static const char magic[AT_FORMAT] = "warpdrill sealed"; /* without a NUL */
static const char context[crypto_kdf_CONTEXTBYTES] = "wdsealed";

_Static_assert(AT_HASH + crypto_hash_sha256_BYTES == SEALED_HEADER, "the header's layout");
_Static_assert(AT_STREAM + crypto_secretstream_xchacha20poly1305_HEADERBYTES == AT_HASH,
               "the header's layout");
_Static_assert(crypto_pwhash_SALTBYTES == AT_CHECK - AT_SALT && crypto_kdf_KEYBYTES == SEALED_KEY &&
               crypto_secretstream_xchacha20poly1305_KEYBYTES == SEALED_KEY, "the header's layout");

/* Memory for secrets. Without it, or without the library, there is nothing to go on with. */
static void *secret_memory(size_t n)
{
    void *p = sodium_init() < 0 ? NULL : sodium_malloc(n);
    if (!p) {
        fputs("warpdrill: no protected memory for a passphrase\n", stderr);
        abort();
    }
    return p;
}

/* ---- passphrases ---- */

struct secret *secret_new(void)
{
    struct secret *s = secret_memory(sizeof *s);
    sodium_memzero(s, sizeof *s);
    return s;
}

void secret_free(struct secret *s)
{
    sodium_free(s);
}

void secret_generate(struct secret *s)
{
    enum { GROUPS = 4, GROUP = 5 };
    static const char from[] =
        "abcdefghjkmnpqrstuvwxyz023456789"; /* without i l o 1, which look alike */
    _Static_assert(sizeof from - 1 == 32, "each character is worth five bits");
    sodium_memzero(s, sizeof *s);
    for (int k = 0; k < GROUPS * GROUP; k++) {
        if (k && k % GROUP == 0)
            s->text[s->len++] = '-';
        s->text[s->len++] = from[randombytes_uniform(sizeof from - 1)];
    }
}

/* Characters, as UTF-8 counts them. */
static size_t characters(const struct secret *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->len; i++)
        n += !text_is_tail(s->text[i]);
    return n;
}

static int different(const struct secret *s)
{
    int n = 0;
    for (size_t i = 0; i < s->len; i++)
        n += memchr(s->text, s->text[i], i) == NULL;
    return n;
}

int secret_fit(const struct secret *s, struct err *err)
{
    if (characters(s) < PASSPHRASE_LEAST)
        return err_set(err, ERR_BAD_REQUEST,
                       "a passphrase of %zu characters; at least %d were expected, since it can be "
                       "guessed without anybody noticing",
                       characters(s), PASSPHRASE_LEAST);
    if (different(s) < 5)
        return err_set(err, ERR_BAD_REQUEST,
                       "a passphrase of the same few characters; at least 5 different ones were "
                       "expected");
    return 0;
}

int secret_read(struct secret *s, const char *path, struct err *err)
{
    FILE *f = fopen(path, "re");
    int c, rc = 0;
    s->len = 0;
    if (!f)
        return err_set(err, ERR_IO, "cannot read the passphrase from %s: %s", path,
                       strerror(errno));
    setvbuf(f, NULL, _IONBF, 0); /* a buffer would keep a copy */
    while ((c = fgetc(f)) != EOF && c != '\n' && s->len < PASSPHRASE_MOST)
        s->text[s->len++] = (char)c;
    if (ferror(f))
        rc = err_set(err, ERR_IO, "cannot read the passphrase from %s: %s", path, strerror(errno));
    else if (s->len == PASSPHRASE_MOST && c != '\n' && c != EOF)
        rc = err_set(err, ERR_TOO_LARGE,
                     "the first line of %s is too long for a passphrase; at most %d bytes were "
                     "expected",
                     path, PASSPHRASE_MOST - 1);
    fclose(f);
    if (s->len && s->text[s->len - 1] == '\r')
        s->len--;
    s->text[s->len] = '\0';
    if (!rc && !s->len)
        rc = err_set(err, ERR_BAD_REQUEST,
                     "%s begins with an empty line; a passphrase was expected there", path);
    return rc;
}

/* ---- numbers in the header ---- */

static void put_number(unsigned char *at, int bytes, uint64_t n)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (unsigned char)(n >> 8 * i);
}

static uint64_t number_at(const unsigned char *at, int bytes)
{
    uint64_t n = 0;
    for (int i = 0; i < bytes; i++)
        n |= (uint64_t)at[i] << 8 * i;
    return n;
}

/* At least one, so that even nothing ends with TAG_FINAL. */
static size_t chunks_of(size_t content)
{
    return content ? (content + SEALED_CHUNK - 1) / SEALED_CHUNK : 1;
}

static size_t sealed_bytes(size_t content)
{
    return SEALED_HEADER + content + EXTRA * chunks_of(content);
}

/* ---- reading without a key ---- */

static int check_beginning(const unsigned char *bytes, size_t len, struct err *err)
{
    if (memcmp(bytes, magic, len < sizeof magic ? len : sizeof magic))
        return err_set(err, ERR_BAD_REQUEST,
                       "this is not a sealed file of warpdrill: it does not begin like one");
    uint64_t format =
        len < AT_PASSES ? SEALED_FORMAT : number_at(bytes + AT_FORMAT, AT_PASSES - AT_FORMAT);
    if (format > SEALED_FORMAT)
        return err_set(err, ERR_VERSION,
                       "it has format %llu, and this warpdrill knows format %d alone; a newer "
                       "warpdrill opens it",
                       (unsigned long long)format, SEALED_FORMAT);
    if (len < SEALED_HEADER)
        return err_set(err, ERR_LOST,
                       "it was cut off: %zu bytes are there, and its header alone has %d", len,
                       SEALED_HEADER);
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, bytes, AT_HASH);
    if (format != SEALED_FORMAT || memcmp(hash, bytes + AT_HASH, sizeof hash))
        return err_set(err, ERR_IO,
                       "it was damaged: its header does not agree with its own checksum");
    return 0;
}

/* A header is anybody's: what it asks for is looked at before it is given. */
static int check_cost(const struct sealing_cost *c, struct err *err)
{
    if (c->passes < crypto_pwhash_OPSLIMIT_MIN || c->memory < crypto_pwhash_MEMLIMIT_MIN)
        return err_set(err, ERR_IO,
                       "it was damaged: a key from %u passes over %llu bytes cannot be", c->passes,
                       (unsigned long long)c->memory);
    if (c->passes > crypto_pwhash_OPSLIMIT_SENSITIVE ||
        c->memory > crypto_pwhash_MEMLIMIT_SENSITIVE)
        return err_set(err, ERR_TOO_LARGE,
                       "it asks for %u passes over %llu MiB before its passphrase can be tried; at "
                       "most %u passes over %zu MiB are given",
                       c->passes, (unsigned long long)(c->memory >> 20),
                       (unsigned)crypto_pwhash_OPSLIMIT_SENSITIVE,
                       (size_t)crypto_pwhash_MEMLIMIT_SENSITIVE >> 20);
    return 0;
}

int sealed_header_read(struct sealed_header *h, const unsigned char *bytes, size_t len,
                       struct err *err)
{
    int rc = check_beginning(bytes, len, err);
    if (rc)
        return rc;
    uint64_t content = number_at(bytes + AT_CONTENT, AT_SALT - AT_CONTENT);
    *h = (struct sealed_header){
        .cost = {(uint32_t)number_at(bytes + AT_PASSES, AT_MEMORY - AT_PASSES),
                 number_at(bytes + AT_MEMORY, AT_CONTENT - AT_MEMORY)},
        .content = (size_t)content,
        .salt = bytes + AT_SALT,
        .check = bytes + AT_CHECK,
        .stream = bytes + AT_STREAM,
    };
    if ((rc = check_cost(&h->cost, err)))
        return rc;
    if (content > SEALED_CONTENT_MAX)
        return err_set(err, ERR_TOO_LARGE,
                       "it says that it holds %llu bytes; at most %zu were expected",
                       (unsigned long long)content, SEALED_CONTENT_MAX);
    size_t whole = sealed_bytes(h->content);
    if (len < whole)
        return err_set(err, ERR_LOST, "it was cut off: %zu of its %zu bytes are there", len, whole);
    if (len > whole)
        return err_set(err, ERR_IO, "it was damaged: %zu bytes stand behind its end", len - whole);
    return 0;
}

/* ---- chunks ---- */

static unsigned char tag_of(size_t chunk, size_t chunks)
{
    return chunk + 1 == chunks ? crypto_secretstream_xchacha20poly1305_TAG_FINAL
                               : crypto_secretstream_xchacha20poly1305_TAG_MESSAGE;
}

static size_t chunk_bytes(size_t content, size_t chunk)
{
    size_t left = content - chunk * SEALED_CHUNK;
    return left < SEALED_CHUNK ? left : SEALED_CHUNK;
}

int sealed_chunks_open(char **content, const struct sealed_header *h, const unsigned char *bytes,
                       const unsigned char key[SEALED_KEY], struct err *err)
{
    size_t chunks = chunks_of(h->content);
    const unsigned char *from = bytes + SEALED_HEADER;
    crypto_secretstream_xchacha20poly1305_state state;
    char *text = mem_new(h->content + 1, 1);
    int rc = 0;
    crypto_secretstream_xchacha20poly1305_init_pull(
        &state, h->stream, key); /* takes any header; the first chunk tells */
    for (size_t k = 0; !rc && k < chunks; k++) {
        unsigned char tag = 0;
        size_t n = chunk_bytes(h->content, k) + EXTRA;
        if (crypto_secretstream_xchacha20poly1305_pull(&state,
                                                       (unsigned char *)text + k * SEALED_CHUNK,
                                                       NULL, &tag, from, n, bytes, SEALED_HEADER) ||
            tag != tag_of(k, chunks))
            rc = err_set(err, ERR_IO,
                         "it was damaged or tampered with: part %zu of %zu is not what was sealed",
                         k + 1, chunks);
        from += n;
    }
    sodium_memzero(&state, sizeof state);
    if (rc)
        sealing_forget(text, h->content);
    *content = rc ? NULL : text;
    return rc;
}

unsigned char *sealed_chunks_seal(size_t *len, const char *content, size_t n,
                                  struct sealing_cost cost, const unsigned char salt[16],
                                  const unsigned char check[16],
                                  const unsigned char key[SEALED_KEY])
{
    size_t chunks = chunks_of(n);
    crypto_secretstream_xchacha20poly1305_state state;
    *len = sealed_bytes(n);
    unsigned char *bytes = mem_new(*len, 1), *to = bytes + SEALED_HEADER;
    memcpy(bytes, magic, sizeof magic);
    put_number(bytes + AT_FORMAT, 4, SEALED_FORMAT);
    put_number(bytes + AT_PASSES, 4, cost.passes);
    put_number(bytes + AT_MEMORY, 8, cost.memory);
    put_number(bytes + AT_CONTENT, 8, n);
    memcpy(bytes + AT_SALT, salt, crypto_pwhash_SALTBYTES);
    memcpy(bytes + AT_CHECK, check, CHECK);
    crypto_secretstream_xchacha20poly1305_init_push(&state, bytes + AT_STREAM, key);
    crypto_hash_sha256(bytes + AT_HASH, bytes, AT_HASH);
    for (size_t k = 0; k < chunks; k++) {
        size_t part = chunk_bytes(n, k);
        crypto_secretstream_xchacha20poly1305_push(&state, to, NULL,
                                                   (const unsigned char *)content +
                                                       k * SEALED_CHUNK,
                                                   part, bytes, SEALED_HEADER, tag_of(k, chunks));
        to += part + EXTRA;
    }
    sodium_memzero(&state, sizeof state);
    return bytes;
}

void sealing_forget(char *content, size_t n)
{
    if (content)
        sodium_memzero(content, n);
    free(content);
}

/* ---- with a passphrase ---- */

struct sealing_cost sealing_cost_usual(void)
{
    return (struct sealing_cost){crypto_pwhash_OPSLIMIT_MODERATE, crypto_pwhash_MEMLIMIT_MODERATE};
}

/* One key for the stream, and one value that may be shown: neither tells the other. */
struct keys { unsigned char master[SEALED_KEY], stream[SEALED_KEY], check[CHECK]; };

static int keys_make(struct keys *k, const struct secret *s, struct sealing_cost cost,
                     const unsigned char *salt, struct err *err)
{
    if (crypto_pwhash(k->master, sizeof k->master, s->text, s->len, salt, cost.passes,
                      (size_t)cost.memory, crypto_pwhash_ALG_ARGON2ID13))
        return err_set(err, ERR_MEMORY,
                       "the key needs %llu MiB of memory, which are not to be had here",
                       (unsigned long long)(cost.memory >> 20));
    crypto_kdf_derive_from_key(k->stream, sizeof k->stream, KEY_OF_STREAM, context, k->master);
    crypto_kdf_derive_from_key(k->check, sizeof k->check, KEY_OF_CHECK, context, k->master);
    return 0;
}

int sealing_seal(unsigned char **out, size_t *len, const char *content, size_t n,
                 const struct secret *s, struct sealing_cost cost, struct err *err)
{
    unsigned char salt[crypto_pwhash_SALTBYTES];
    *out = NULL;
    if (n > SEALED_CONTENT_MAX)
        return err_set(err, ERR_TOO_LARGE, "%zu bytes are to be sealed; at most %zu were expected",
                       n, SEALED_CONTENT_MAX);
    struct keys *k = secret_memory(sizeof *k);
    randombytes_buf(salt, sizeof salt);
    int rc = keys_make(k, s, cost, salt, err);
    if (!rc)
        *out = sealed_chunks_seal(len, content, n, cost, salt, k->check, k->stream);
    sodium_free(k);
    return rc;
}

int sealing_open(char **content, size_t *n, const unsigned char *bytes, size_t len,
                 const struct secret *s, struct err *err)
{
    struct sealed_header h;
    *content = NULL;
    int rc = sealed_header_read(&h, bytes, len, err);
    if (rc)
        return rc;
    struct keys *k = secret_memory(sizeof *k);
    rc = keys_make(k, s, h.cost, h.salt, err);
    if (!rc && sodium_memcmp(k->check, h.check, CHECK))
        rc = err_set(err, ERR_PERMISSION, "the passphrase is wrong");
    if (!rc)
        rc = sealed_chunks_open(content, &h, bytes, k->stream, err);
    *n = rc ? 0 : h.content;
    sodium_free(k);
    return rc;
}

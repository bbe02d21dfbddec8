/* Packs whose answers are handed out encrypted.
 *
 * A sealed pack is a folder with the public half as it was and one file, pack.sealed, that holds
 * every file whose path has a component `sealed`, and the hash of every public file. A passphrase
 * opens it, into memory or into a new folder; nothing is ever overwritten.
 *
 * pack.sealed: a header of 128 bytes, then chunks of 64 KiB, each with 17 bytes more.
 *
 *      0  "warpdrill sealed"                  40  salt of Argon2id, 16 bytes
 *     16  format, 4 bytes (all are            56  check value, 16 bytes: tells a wrong passphrase
 * from damage little-endian)                      72  header of the secretstream, 24 bytes 20
 * passes of Argon2id, 4 bytes         96  SHA-256 of the 96 bytes above, 32 bytes: tells accidents
 * from a wrong 24  its memory in bytes, 8 bytes            passphrase; it is no secret, so it
 * proves nothing 32  bytes of the content, 8 bytes      128  chunks
 *
 * Argon2id makes 32 bytes of the passphrase; crypto_kdf makes two of those (context "wdsealed"): 1,
 * the key of the stream (XChaCha20-Poly1305), and 2, the check value. All 128 bytes are additional
 * data of every chunk, the last chunk has TAG_FINAL. */
#ifndef WD_SCENARIOS_SEALING_H
#define WD_SCENARIOS_SEALING_H

#include "scenarios/pack/pack.h"

enum { PASSPHRASE_LEAST = 12, PASSPHRASE_MOST = 511 };

/* A passphrase: bytes in memory of its own, which is wiped when freed and, where the system allows
 * it, never swapped out. */
struct secret { size_t len; char text[PASSPHRASE_MOST + 1]; };
struct secret *secret_new(void);
void secret_free(struct secret *s);
void secret_generate(
    struct secret *s); /* 20 of 32 characters by lot, in groups of five: 100 bits */
/* Good enough to seal with? ERR_BAD_REQUEST says why not. Opening asks no such thing. */
int secret_fit(const struct secret *s, struct err *err);
/* The first line of a file. */
int secret_read(struct secret *s, const char *path, struct err *err);

/* What one guess costs: passes over so much memory. */
struct sealing_cost { uint32_t passes; uint64_t memory; };
struct sealing_cost sealing_cost_usual(void);                    /* 3 passes over 256 MiB */

/* Why a sealed file cannot be opened: ERR_PERMISSION the passphrase is wrong, ERR_IO it was damaged
 * or tampered with, ERR_LOST it was cut off, ERR_VERSION a newer format, ERR_BAD_REQUEST no sealed
 * file, ERR_TOO_LARGE it asks for more than one is willing to give. Only the first needs a
 * passphrase to be found out. What is returned is malloc'd; sealing_forget wipes and frees it. */
int sealing_seal(unsigned char **out, size_t *len, const char *content, size_t n,
                 const struct secret *s, struct sealing_cost cost, struct err *err);
int sealing_open(char **content, size_t *n, const unsigned char *bytes, size_t len,
                 const struct secret *s, struct err *err);
void sealing_forget(char *content, size_t n);

/* ---- packs ---- */

/* 0 when `p` is open, has something to seal, and no public file but those that a pack has:
 * ERR_BAD_REQUEST names the others. */
int sealing_ready(const struct pack *p, struct err *err);
/* Writes the sealed copy of `p` to the new folder `out`. p is open and stays as it is. */
int sealing_write(const struct pack *p, const char *out, const struct secret *s,
                  struct sealing_cost cost, struct err *err);
/* Opens a sealed pack (as pack_open gave it) in memory. *changed: the public files that are not as
 * they were when it was sealed, a line each (malloc'd), or NULL. `sealed` stays the caller's, and
 * stays sealed. */
int sealing_unseal(struct pack **out, char **changed, const struct pack *sealed,
                   const struct secret *s, struct err *err);
/* Writes a pack as sealing_unseal gave it to the new folder `out`, which only its owner may enter.
 */
int sealing_write_open(const struct pack *opened, const char *out, struct err *err);

#endif

/* Compiled kernels kept between runs: one file for each key, in $WARPDRILL_CACHE/kernels, else
 * $XDG_CACHE_HOME/warpdrill/kernels, else ~/.cache/warpdrill/kernels.
 *
 * A file is a JSON line (format, key, lengths, SHA-256 of all that follows) and the bytes it
 * announces. It is written beside its place and renamed into it, so that a reader finds a whole one
 * or none; whatever does not agree with its first line is a miss. Several runners may share the
 * folder. A cache that cannot be read or written is no error. */
#ifndef WD_RUNNER_CACHE_H
#define WD_RUNNER_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CACHE_FORMAT 2                  /* part of every key's text */
#define CACHE_BYTES (256ull << 20)      /* what the folder may hold */

struct cache_entry {
    char *log, *ptx, *image;            /* owned; each followed by a NUL that is not counted */
    size_t ptx_len, image_len;
};

/* Fills `out` and marks the entry as used now; false when there is no good one. */
bool cache_load(struct cache_entry *out, const char *key);

/* Stores a copy, then removes the entries used longest ago until the folder holds at most `most`
 * bytes. */
void cache_store(const struct cache_entry *e, const char *key, uint64_t most);

/* Reads a file's bytes; for cache_load and the fuzzer. */
bool cache_unpack(struct cache_entry *out, const char *key, const char *bytes, size_t len);

void cache_entry_free(struct cache_entry *e);

#endif

/* The content version of a scenario: which text of it somebody played. Ids stay, versions change
 * with every edit.
 *
 * SHA-256 over path and text of the .yaml, .cu and .md files of the story and of this variant,
 * sealed ones too; not over other variants, recorded evidence and pack.yaml. The copy that an
 * attempt keeps has all of these, so its version is computed from it and stored nowhere. */
#ifndef WD_SCENARIOS_VERSION_H
#define WD_SCENARIOS_VERSION_H

#include <stdbool.h>

#include "kernels/wire/hash.h"
#include "scenarios/library/catalog.h"

#define VERSION_TEXT 9 /* 8 digits and the terminating NUL: what people see */

/* Of all texts of a pack, without its evidence: the first 8 digits. */
void version_pack(char out[VERSION_TEXT], const struct pack *p);
/* All 64 digits. */
void version_hash(char out[HASH_HEX], const struct variant *v);
/* False, and "", where the answer is sealed: what is to be seen without it is no version. */
bool version_of(char out[VERSION_TEXT], const struct variant *v);
/* "played with version 1a2b3c4d; it has changed since", or "" where `now` has that version, is
 * NULL, or is sealed. did: "played", "begun". */
void version_words(char *out, size_t size, const char *did, const char *version,
                   const struct variant *now);
/* The variant of this full id ("pack/story/a") as it is now; NULL when it is not here any more. c
 * may be NULL. */
const struct variant *version_now(const struct catalog *c, const char *full_id);

#endif

/* The content version of a scenario: which text of it somebody played. Ids stay, versions change with every edit.
 *
 * SHA-256 over path and text of the .yaml, .cu and .md files of the story and of this variant, sealed ones too; not over other variants, recorded evidence
 * and pack.yaml. The copy that an attempt keeps has all of these, so its version is computed from it and stored nowhere. */
#ifndef WD_SCENARIOS_VERSION_H
#define WD_SCENARIOS_VERSION_H

#include "kernels/wire/hash.h"
#include "scenarios/catalog.h"

#define VERSION_TEXT 9 /* 8 digits and the terminating NUL: what people see */

/* All 64 digits. */
void version_hash(char out[HASH_HEX], const struct variant *v);
void version_of(char out[VERSION_TEXT], const struct variant *v);
/* The variant of this full id ("pack/story/a") as it is now; NULL when it is not here any more. c may be NULL. */
const struct variant *version_now(const struct catalog *c, const char *full_id);

#endif

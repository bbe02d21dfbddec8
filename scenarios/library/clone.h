/* The program git, as far as it brings a pack: one shallow clone, confined to what was asked for.
 */
#ifndef WD_SCENARIOS_CLONE_H
#define WD_SCENARIOS_CLONE_H

#include "scenarios/library/shelf.h"

/* Clones into `folder`, which must not be there, and writes the commit's name into `commit`. No
 * hooks, no submodules, no template, no filters of large files, no symbolic links, no transport but
 * the source's, no question on the terminal. What git says comes back in err, cleaned. The folder
 * holds .git too. */
int clone_from(const struct shelf_source *source, const char *folder, char commit[65],
               struct err *err);

/* Runs git with these arguments (NULL at the end) in `folder` (NULL: here), confined as above. What
 * it prints on standard output goes to out, malloc'd (may be NULL), at most `most` bytes; more is a
 * failure. */
int clone_git(char **out, size_t *len, size_t most, const char *folder, const char *const *args,
              const char *scheme, struct err *err);

#endif

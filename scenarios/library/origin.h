/* Where a pack comes from: with warpdrill, or from a folder. Which text it is, version.h tells. */
#ifndef WD_SCENARIOS_ORIGIN_H
#define WD_SCENARIOS_ORIGIN_H

#include <jansson.h>

#include <stdbool.h>
#include <stddef.h>

struct origin {
    bool shipped;
    char *folder; /* its real path, cleaned for printing */
};

/* `folder`: of the pack, such as pack->files->root. Never fails: what cannot be found out is left
 * out. */
void origin_find(struct origin *out, const char *folder);
void origin_free(struct origin *o);
/* "shipped", or the folder. */
void origin_words(char *out, size_t size, const struct origin *o);
/* {kind, folder}; kind is "shipped" or "folder". */
json_t *origin_encode(const struct origin *o);

/* The folders in which the packs that came with this program lie: $WARPDRILL_CONTENT when set, else
 * content/packs beside the program's folder (a source tree) and share/warpdrill/packs of its
 * prefix. They may be absent. Returns how many of the two it made, malloc'd. */
int origin_shipped_places(char *out[2]);
/* Did this folder come with the program: is it, by its real path, one of theirs (or of the drills
 * beside them) or below it? */
bool origin_shipped(const char *folder);

#endif

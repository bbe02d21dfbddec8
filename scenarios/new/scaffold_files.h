/* The files of a draft and the pack around them: shared by scaffold_place.c, scaffold_manifest.c,
 * scaffold_make.c, scaffold_whole.c and scaffold_write.c alone. */
#ifndef WD_SCENARIOS_SCAFFOLD_FILES_H
#define WD_SCENARIOS_SCAFFOLD_FILES_H

#include "scenarios/new/scaffold.h"

bool place_exists(const char *path);
char *place_last(const char *path);    /* "c" of "a/b/c/", malloc'd */
char *place_title(const char *id);     /* "Image rows" of "image-rows", malloc'd */

/* A pack.yaml with that one scenario. malloc'd. */
char *manifest_new(const struct scaffold *s);

/* All of `old` (NULL: no pack is there) but pack.yaml, then pack.yaml with the new id. */
int files_with_pack(struct files *f, const struct files *old, const struct scaffold *s,
                    struct err *err);
/* A text of the scenario, below its folder; takes it. */
void files_with_text(struct files *f, const struct scaffold *s, const char *name, char *text);
/* Ends scaffold_make: reads all of it back, and lists what is new from `first` on. Takes f, on
 * failure too. */
int files_made(struct files **out, const char ***made, int *n, struct files *f, int first,
               struct err *err);

#endif

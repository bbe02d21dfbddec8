/* The user's own folder of packs, $XDG_DATA_HOME/warpdrill/packs, and what `warpdrill pack` put
 * there: copies of folders, and clones that the program git made. A pack that was put there has a
 * hidden file beside its pack.yaml that says where it is from. */
#ifndef WD_SCENARIOS_SHELF_H
#define WD_SCENARIOS_SHELF_H

#include <stdbool.h>

#include "kernels/wire/err.h"
#include "scenarios/pack/pack.h"

/* Where a pack is from, as a person says it: a folder, or what git clones from, with "@TAG" behind
 * it for a tag or branch. */
struct shelf_source {
    char *from, *tag; /* tag NULL: none */
    const char *scheme; /* which of git's transports it may use, and no other; NULL: a plain folder
                           that is copied */
};
/* Refused: transports other than https, ssh and file, texts that git would take for an option, tags
 * with other signs than a-z A-Z 0-9 . _ / -. */
int shelf_source_read(struct shelf_source *out, const char *text, struct err *err);
void shelf_source_free(struct shelf_source *s);

/* The folder, malloc'd. */
char *shelf_folder(void);

/* Brings it into a hidden folder on the shelf, reads it, and puts it in its place under its id; the
 * pack is the caller's. Nothing of it is run, and no yes that was given for that place before holds
 * any longer. Fails, and leaves nothing behind, where it cannot be had, is no pack that this
 * program reads, or one of its id is there. */
int shelf_add(struct pack **out, const struct shelf_source *source, struct err *err);

/* A pack that was put there. */
struct shelf_entry {
    char *id, *from, *tag, *commit; /* "" for what there is not */
};
/* Those that are there, in the order of their ids, and one whose update was killed among them;
 * malloc'd, freed by shelf_list_free. */
struct shelf_entry *shelf_list(int *n);
void shelf_list_free(struct shelf_entry *all, int n);

/* Takes one away, and the yes that was given for it. Fails on one that shelf_add did not put there.
 */
int shelf_remove(const char *id, struct err *err);

/* Brings a pack that was put there anew from where it is from, at that tag or branch in the place
 * of its own (NULL: the same), and puts it in the place of the old one; the pack is the caller's.
 * The yes that was given for the old one goes. *changed is false, and nothing was done, where git
 * has the commit that is there. Fails, and leaves the old one, as shelf_add does, and where
 * another id was brought. Killed at any moment it leaves the old one or the new one, the old one
 * where a file system cannot exchange two folders under a name that every call here puts back. */
int shelf_update(struct pack **out, bool *changed, const char *id, const char *tag,
                 struct err *err);

#endif

/* Folders as a whole, for shelf.c alone. No link is followed. */
#ifndef WD_SCENARIOS_SHELF_TREE_H
#define WD_SCENARIOS_SHELF_TREE_H

#include "kernels/wire/err.h"

/* All folders of the path. */
int tree_make(const char *path, struct err *err);
/* The plain files of `from` that are not hidden, with their folders, into `to`, which is made.
 * Fails on more than FILES_BYTES_MAX together, and deeper than FILES_LEVELS. */
int tree_copy(const char *from, const char *to, struct err *err);
/* Deletes it; without effect on what is not there. */
void tree_remove(const char *path);

#endif

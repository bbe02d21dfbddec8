/* Cards that a person brings: checked row by row, merged into a set of their own by id, so that
 * what was learned of a card outlives its edits. */
#ifndef WD_DRILLS_CARD_FILE_H
#define WD_DRILLS_CARD_FILE_H

#include <stdio.h>

#include "drills/library/library.h"

enum { CARD_NOTES = 200 };
struct card_import {
    char *set, *path;                           /* where they went, or would have gone */
    int good, bad;                              /* rows */
    int added, changed, same;                   /* of the good ones */
    char *notes[CARD_NOTES];
    int n_notes; /* FILE:LINE: COLUMN: what; what was expected: the first bad rows */
};

/* Reads FILE (CSV as content/FORMAT-PRACTICE.md says) into the set `set` (NULL: named like the
 * file) below library_home(). A bad row refuses all, unless keep_good: then the others come in. The
 * set's file is replaced in one step; cards of it that FILE does not name stay. A set that comes
 * with the program cannot be added to. The report is filled in any case. */
int cards_import(const char *file, const char *set, const struct library *library, bool keep_good,
                 struct card_import *out, struct err *err);
void card_import_free(struct card_import *i);

/* A set as a file that cards_import reads again. */
void cards_export(FILE *f, const struct card_set *set);

#endif

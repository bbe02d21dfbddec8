/* Which git checkout a folder lies in, read from the files below .git: no git program runs, nothing of the repository is obeyed.
 *
 * Files are bounded, plain ones; what cannot be understood is left empty. Whether something was changed since the commit is not
 * told: that needs the objects. Texts are as they stand in the files: clean them before they are shown. */
#ifndef WD_SCENARIOS_CHECKOUT_H
#define WD_SCENARIOS_CHECKOUT_H

#include <stdbool.h>

struct checkout {
    char remote[200];   /* of the branch, else origin: without user, password and query; "" if there is none */
    char branch[100];   /* "" where HEAD names a commit */
    char commit[13];    /* first 12 digits; "" before the first commit, or if refs are kept in another form than files */
};

/* `folder`: a real path. Looks there and in the folders above; false if none has a .git. */
bool checkout_find(struct checkout *out, const char *folder);

#endif

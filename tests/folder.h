/* A test's own folder below /tmp: made before its tests, removed after them with all that lies in
 * it. */
#ifndef WD_TESTS_FOLDER_H
#define WD_TESTS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[64];                  /* short: sockets may lie in it */

static inline int folder_make(const char *name)
{
    snprintf(folder, sizeof folder, "/tmp/wd-%s-XXXXXX", name);
    return mkdtemp(folder) ? 0 : -1;
}

/* As a group's tear-down wants it. */
static inline int folder_remove(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

#endif

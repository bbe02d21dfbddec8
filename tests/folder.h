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

/* Shipped content with these packs of it alone ("first-principles hidden-depths"), in the folder: a
 * start reads all that there is. As an environment wants it. */
static char folder_content[96];

static inline int folder_ship(const char *packs)
{
    char command[512];
    snprintf(folder_content, sizeof folder_content, "WARPDRILL_CONTENT=%s/content/packs", folder);
    snprintf(command, sizeof command,
             "mkdir -p %s/content/packs && cp -r content/tables content/drills content/cards "
             "content/figures content/rubrics %s/content && for p in %s; do cp -r content/packs/$p "
             "%s/content/packs; done",
             folder, folder, packs, folder);
    return system(command);
}

/* As a group's tear-down wants it. */
static inline int folder_remove(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

#endif

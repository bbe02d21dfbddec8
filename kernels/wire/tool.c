#include "kernels/wire/tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/text.h"

static char *try_folder(const char *folder, size_t len, const char *name)
{
    char *path = text_format("%.*s/%s", (int)len, folder, name);
    if (len > 0 && *folder == '/' && access(path, X_OK) == 0)
        return path;
    free(path);
    return NULL;
}

char *tool_find(const char *name)
{
    static const char standard[] = "/usr/local/cuda/bin";
    const char *path = getenv("PATH"), *home = getenv("CUDA_HOME");
    char *found = NULL;
    for (const char *at = path ? path : ""; *at && !found;) {
        size_t len = strcspn(at, ":");
        found = try_folder(at, len, name);
        at += len + (at[len] == ':');
    }
    if (!found && home && *home) {
        char *bin = text_format("%s/bin", home);
        found = try_folder(bin, strlen(bin), name);
        free(bin);
    }
    return found ? found : try_folder(standard, strlen(standard), name);
}

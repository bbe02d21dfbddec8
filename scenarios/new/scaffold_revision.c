/* The author's file, as it is or as it was in a commit. */
#include "scenarios/new/scaffold_source_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/library/clone.h"

/* Nothing that git could take for an option or for more than one commit. */
static int check_revision(const char *revision, struct err *err)
{
    static const char signs[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/~^-";
    if (*revision && *revision != '-' && !strstr(revision, "..") &&
        revision[strspn(revision, signs)] == '\0')
        return 0;
    return err_set(err, ERR_BAD_REQUEST,
                   "'%s' is no commit; its name, a tag or a branch was expected", revision);
}

static int too_large(const char *path, struct err *err)
{
    return err_set(err, ERR_TOO_LARGE,
                   "%s is larger than %d KiB; the kernel and what it needs was expected", path,
                   CAP_SOURCE_BYTES / 1024);
}

static char *bytes_at(const char *path, const char *revision, size_t most, size_t *len,
                      struct err *err)
{
    struct err why = {0};
    const char *slash = strrchr(path, '/');
    char *folder =
             slash ? text_ndup(path, (size_t)(slash - path) + (slash == path)) : text_dup("."),
         *what = text_format("%s:./%s", revision, slash ? slash + 1 : path), *text = NULL;
    const char *const show[] = {"show", "--no-textconv", what, NULL};
    int rc = check_revision(revision, &why);
    if (!rc)
        rc = clone_git(&text, len, most, folder, show, NULL, &why);
    if (rc == ERR_TOO_LARGE)
        too_large(path, err);
    else if (rc)
        err_set(err, rc, "%s of commit %s: %s", path, revision, why.text);
    free(folder);
    free(what);
    return text;
}

static char *bytes_now(const char *path, size_t most, size_t *len, struct err *err)
{
    FILE *in;
    if (path_open_stream(&in, path, err))
        return NULL;
    char *text = mem_new(most + 2, 1);
    *len = fread(text, 1, most + 1, in);
    int bad = ferror(in);
    fclose(in);
    if (!bad && *len <= most)
        return text;
    if (bad)
        err_set(err, ERR_IO, "%s cannot be read; CUDA source was expected", path);
    else
        too_large(path, err);
    free(text);
    return NULL;
}

char *source_bytes(const char *path, const char *revision, size_t most, size_t *len,
                   struct err *err)
{
    *len = 0;
    return revision ? bytes_at(path, revision, most, len, err) : bytes_now(path, most, len, err);
}

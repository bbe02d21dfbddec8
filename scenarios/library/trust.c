#include "scenarios/library/trust.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/text/files.h"
#include "scenarios/library/origin.h"

enum { FILE_MOST = 1 << 20 };

const char trust_what[] =
    "To measure live, its GPU code is compiled and run on the GPU under your account. The pack has "
    "no other code. GPU code is not given your files or the network, but it can stop the GPU or "
    "make it fail for everybody who uses it, fill its memory and keep it busy. warpdrill ends what "
    "takes too long; a GPU that hangs may need an administrator. GPU code written to attack may "
    "find a way into your account.\nSay yes only if you would run a program by the same author.";

/* ---- the file ---- */

char *trust_file(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && *state == '/')
        return text_format("%s/warpdrill/trusted-packs", state);
    return text_format("%s/.local/state/warpdrill/trusted-packs", home && *home ? home : ".");
}

/* NULL when it cannot be read, or others may write to its folder; empty when there is none.
 * malloc'd. */
static char *read_answers(const char *path)
{
    size_t len;
    char *folder = text_ndup(path, (size_t)(strrchr(path, '/') - path));
    int rc = path_trust_folder(folder, PATH_TO_WRITE, NULL);
    free(folder);
    if (rc) {
        errno = EPERM;
        return NULL;
    }
    char *text = file_read_plain(path, FILE_MOST, &len);
    return text || errno != ENOENT ? text : text_dup("");
}

/* Is `id real` one of the lines? */
static bool stands_in(const char *text, const char *id, const char *real)
{
    char *wanted = text_format("%s %s", id, real);
    size_t n = strlen(wanted);
    bool found = false;
    for (const char *line = text; *line && !found;
         line += strcspn(line, "\n"), line += *line == '\n')
        found = strcspn(line, "\n") == n && !memcmp(line, wanted, n);
    free(wanted);
    return found;
}

/* A folder that fits into a line. NULL otherwise, or where there is none. */
static char *real_folder(const char *folder)
{
    char *real = realpath(folder, NULL);
    if (real && strchr(real, '\n')) {
        free(real);
        return NULL;
    }
    return real;
}

bool trust_has(const char *id, const char *folder)
{
    if (origin_shipped(folder))
        return true;
    char *real = real_folder(folder), *path = trust_file(),
         *text = real ? read_answers(path) : NULL;
    bool known = text && stands_in(text, id, real);
    free(text);
    free(path);
    free(real);
    return known;
}

/* ---- keeping ---- */

/* The folders above `path`, for this user alone where they are new. */
static void make_folders(const char *path)
{
    char *part = text_dup(path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0700); /* what is missing in the end shows when the file is made */
        *slash = '/';
    }
    free(part);
}

static bool write_all(int fd, const char *text)
{
    for (size_t len = strlen(text); len > 0;) {
        ssize_t n = write(fd, text, len);
        if (n < 0 && errno != EINTR)
            return false;
        text += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return fsync(fd) == 0;
}

static int replace(const char *path, const char *text, struct err *err)
{
    char *fresh = text_format("%s.XXXXXX", path);
    make_folders(path);
    int fd = mkstemp(fresh);
    bool ok = fd >= 0 && write_all(fd, text);
    if (fd >= 0 && close(fd) != 0)
        ok = false;
    if (ok && rename(fresh, path) != 0)
        ok = false;
    int rc =
        ok ? 0 : err_set(err, ERR_IO, "the answer cannot be kept in %s: %s", path, strerror(errno));
    if (rc && fd >= 0)
        unlink(fresh);
    free(fresh);
    return rc;
}

int trust_keep(const char *id, const char *folder, struct err *err)
{
    static const char head[] = "# Packs whose GPU code may run here, a line each: id, blank, "
                               "folder. Take a line out to be asked again.\n";
    if (trust_has(id, folder))
        return 0;
    char *real = real_folder(folder), *path = trust_file(), *text = read_answers(path);
    size_t n = text ? strlen(text) : 0;
    int rc;
    if (!real || !text) {
        rc = err_set(err, ERR_IO, "the answer cannot be kept: %s%s", real ? path : folder,
                     real ? " cannot be read" : " is no folder that fits into a line");
    } else {
        char *all = text_format("%s%s%s %s\n", n ? text : head,
                                n && text[n - 1] != '\n' ? "\n" : "", id, real);
        rc = replace(path, all, err);
        free(all);
    }
    free(text);
    free(path);
    free(real);
    return rc;
}

/* The text without the lines that are `id real`, malloc'd. */
static char *without(const char *text, const char *id, const char *real)
{
    char *wanted = text_format("%s %s", id, real), *out = mem_new(strlen(text) + 1, 1), *to = out;
    size_t n = strlen(wanted), len;
    for (const char *line = text; *line; line += len) {
        len = strcspn(line, "\n");
        bool ours = len == n && !memcmp(line, wanted, n);
        len += line[len] == '\n';
        if (ours)
            continue;
        memcpy(to, line, len);
        to += len;
    }
    *to = '\0';
    free(wanted);
    return out;
}

int trust_drop(const char *id, const char *folder, struct err *err)
{
    char *real = real_folder(folder), *path = trust_file(),
         *text = real ? read_answers(path) : NULL;
    int rc = 0;
    if (text && stands_in(text, id, real)) {
        char *rest = without(text, id, real);
        rc = replace(path, rest, err);
        free(rest);
    }
    free(text);
    free(path);
    free(real);
    return rc;
}

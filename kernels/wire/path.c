#include "kernels/wire/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/text.h"

/* ---- names ---- */

const char *path_name_fault(const char *name)
{
    size_t n = strlen(name);
    if (n == 0)
        return "is empty";
    if (n > PATH_NAME_MOST)
        return "is longer than any name of a file here";
    if (*name == '.')
        return "begins with a dot";
    if (strpbrk(name, "/\\"))
        return "is a path and not a name";
    if (text_first_bad(name, n) < n || strpbrk(name, "\n\t"))
        return "has characters that cannot be shown";
    return NULL;
}

char *path_shown(const char *name)
{
    char *shown = text_dup(name);
    text_clean(shown, strlen(shown));
    for (char *c = shown; *c; c++)
        if (*c == '\n' || *c == '\t')
            *c = '?';
    return shown;
}

static int refuse_name(const char *name, const char *fault, struct err *err)
{
    char *shown = path_shown(name);
    int rc =
        err_set(err, ERR_BAD_REQUEST, "'%.80s' %s; the name of a file was expected", shown, fault);
    free(shown);
    return rc;
}

static bool is_link(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/* Adds a name behind *path, which so far names a folder. The folder that was given itself may be
 * reached by a link. */
static int add_name(char **path, const char *name, bool is_first, struct err *err)
{
    const char *fault = path_name_fault(name);
    if (fault)
        return refuse_name(name, fault, err);
    if (!is_first && is_link(*path))
        return err_set(err, ERR_PERMISSION, "%s is a symbolic link; a folder was expected there",
                       *path);
    char *longer = text_format("%s/%s", *path, name);
    free(*path);
    *path = longer;
    return 0;
}

/* Takes *path away again after a failure. */
static int end_path(char **path, int rc)
{
    if (rc) {
        free(*path);
        *path = NULL;
    }
    return rc;
}

int path_below(char **out, const char *folder, const char *const *names, struct err *err)
{
    int rc = 0;
    *out = text_dup(folder);
    for (int i = 0; rc == 0 && names[i]; i++)
        rc = add_name(out, names[i], i == 0, err);
    return end_path(out, rc);
}

int path_inside(char **out, const char *folder, const char *path, struct err *err)
{
    int rc = 0;
    bool more = true;
    *out = text_dup(folder);
    for (const char *at = path; rc == 0 && more;) {
        size_t n = strcspn(at, "/");
        char *name = text_ndup(at, n);
        rc = add_name(out, name, at == path, err);
        free(name);
        more = at[n] == '/';
        at += n + more;
    }
    return end_path(out, rc);
}

/* ---- files ---- */

int path_open(const char *path, struct err *err)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return fd;
    int why = fd < 0 ? errno : EINVAL;
    if (fd >= 0)
        close(fd);
    err_set(err, ERR_IO, "cannot read %s: %s", path, path_why(why));
    errno = why;
    return ERR_IO;
}

const char *path_why(int why)
{
    return why == EINVAL  ? "not a plain file"
           : why == EFBIG ? "larger than any that is read here"
                          : strerror(why);
}

int path_open_stream(FILE **out, const char *path, struct err *err)
{
    int fd = path_open(path, err);
    *out = fd < 0 ? NULL : fdopen(fd, "r");
    if (fd >= 0 && !*out) {
        close(fd);
        return err_set(err, ERR_IO, "cannot read %s: %s", path, strerror(errno));
    }
    return fd < 0 ? fd : 0;
}

/* ---- folders ---- */

const char *path_folder_fault(const char *folder, uid_t owner, bool is_private)
{
    struct stat st;
    if (lstat(folder, &st) != 0)
        return "cannot be looked at";
    errno = 0;
    if (S_ISLNK(st.st_mode))
        return "is a symbolic link";
    if (!S_ISDIR(st.st_mode))
        return "is no folder";
    if (st.st_uid != owner)
        return "belongs to another user";
    if (st.st_mode & 022)
        return "can be written to by others";
    return is_private && (st.st_mode & 077) ? "can be looked into by others" : NULL;
}

int path_trust_folder(const char *folder, enum path_use use, struct err *err)
{
    struct stat st;
    bool theirs = use == PATH_TO_READ && lstat(folder, &st) == 0;
    const char *fault = path_folder_fault(folder, theirs ? st.st_uid : geteuid(), false);
    if (!fault || errno == ENOENT)
        return 0;
    return err_set(err, ERR_PERMISSION,
                   "%s %s, so what lies in it is not believed; %s to which nobody else may write "
                   "was expected (mode 0700)",
                   folder, fault, use == PATH_TO_READ ? "a folder" : "a folder of yours");
}

bool path_write(int fd, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, text, n);
        if (done < 0 && errno != EINTR)
            return false;
        text += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

/* A pack's folder from disk. Every step goes through openat without following links, so that the
 * file that was checked is the file that is read. */
#include "scenarios/text/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/text/source_kind.h"

static bool is_ours(const char *name)
{
    static const char *const ends[] = {".yaml", ".md", ".json", ".csv"};
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t k = strlen(ends[i]);
        if (n > k && !strcmp(name + n - k, ends[i]))
            return true;
    }
    return source_kind_of(name) != NULL;
}

static size_t bytes_so_far(const struct files *f)
{
    size_t sum = 0;
    for (int i = 0; i < f->n; i++)
        sum += f->file[i].len;
    return sum;
}

/* At most `room` bytes, and a NUL behind them. */
static char *read_all(int fd, size_t room, size_t *len)
{
    char *text = mem_new(room + 1, 1);
    ssize_t n = 0;
    *len = 0;
    while (*len < room &&
           ((n = read(fd, text + *len, room - *len)) > 0 || (n < 0 && errno == EINTR)))
        *len += n > 0 ? (size_t)n : 0;
    return text;
}

static int read_one(struct files *f, int dir, const char *name, const char *path, struct err *err)
{
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return err_set(err, ERR_IO, "cannot read %s/%s: %s", f->root, path, strerror(errno));
    struct stat st;
    int rc = 0;
    char *text = NULL;
    size_t len = 0, max = file_most(name);
    if (fstat(fd, &st) || !S_ISREG(st.st_mode))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "%s/%s: not a plain file; plain files were expected in a pack", f->root, path);
    else if ((size_t)st.st_size > max)
        rc = err_set(err, ERR_TOO_LARGE, "%s/%s: %lld bytes; at most %zu were expected", f->root,
                     path, (long long)st.st_size, max);
    else if (bytes_so_far(f) + (size_t)st.st_size > FILES_BYTES_MAX)
        rc = err_set(err, ERR_TOO_LARGE, "%s: at most %zu bytes were expected in a pack", f->root,
                     FILES_BYTES_MAX);
    if (!rc)
        text = read_all(fd, (size_t)st.st_size + 1, &len);
    close(fd);
    if (rc)
        return rc;
    files_take(f, path, text, len);
    return len == (size_t)st.st_size
               ? 0
               : err_set(err, ERR_IO, "cannot read %s/%s: it changed while it was read", f->root,
                         path);
}

char *file_read_plain(const char *path, size_t most, size_t *len)
{
    struct stat st;
    char *text = NULL;
    int fd = path_open(path, NULL);
    *len = 0;
    if (fd < 0)
        return NULL;
    if (fstat(fd, &st)) {
        close(fd);
        return NULL;
    }
    if ((size_t)st.st_size > most)
        errno = EFBIG;
    else
        text = read_all(fd, (size_t)st.st_size, len);
    int why = errno;
    close(fd);
    errno = why;
    return text;
}

static int read_folder(struct files *f, int fd, const char *prefix, int level, struct err *err);

static int read_entry(struct files *f, int dir, const char *prefix, const char *name, int level,
                      struct err *err)
{
    struct stat st;
    struct err why;
    char *shown = path_shown(name),
         *path = text_format("%s%s%s", prefix, *prefix ? "/" : "", shown);
    int rc = 0;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
        rc = err_set(err, ERR_IO, "cannot read %s/%s: %s", f->root, path, strerror(errno));
    else if (S_ISLNK(st.st_mode))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "%s/%s: a symbolic link; plain files and folders were expected in a pack",
                     f->root, path);
    else if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "%s/%s: not a plain file; plain files and folders were expected in a pack",
                     f->root, path);
    else if ((S_ISDIR(st.st_mode) || is_ours(name)) && path_ok(path, &why))
        rc = err_set(err, why.code, "%s/%s: %s", f->root, path, why.text);
    else if (S_ISDIR(st.st_mode)) {
        int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        rc = fd < 0 ? err_set(err, ERR_IO, "cannot read %s/%s: %s", f->root, path, strerror(errno))
                    : read_folder(f, fd, path, level + 1, err);
    } else if (is_ours(name)) {
        rc = f->n == FILES_MAX ? err_set(err, ERR_TOO_LARGE,
                                         "%s: more than %d files; a smaller pack was expected",
                                         f->root, FILES_MAX)
                               : read_one(f, dir, name, path, err);
    } else if (!*prefix && !strcmp(name, "pack.sealed")) {
        f->sealed = true;
    } else {
        f->n_passed++;
    }
    free(shown);
    free(path);
    return rc;
}

/* Takes fd over. */
static int read_folder(struct files *f, int fd, const char *prefix, int level, struct err *err)
{
    DIR *dir = level > FILES_LEVELS ? NULL : fdopendir(fd);
    if (!dir) {
        int rc =
            level > FILES_LEVELS
                ? err_set(err, ERR_TOO_LARGE,
                          "%s/%s: folders within folders; at most %d levels were expected", f->root,
                          prefix, FILES_LEVELS)
                : err_set(err, ERR_IO, "cannot read %s/%s: %s", f->root, prefix, strerror(errno));
        close(fd);
        return rc;
    }
    int rc = 0;
    const struct dirent *d;
    while (!rc && (d = readdir(dir)))
        if (d->d_name[0] != '.')
            rc = read_entry(f, dirfd(dir), prefix, d->d_name, level, err);
        else
            f->n_passed += strcmp(d->d_name, ".") && strcmp(d->d_name, "..");
    closedir(dir);
    return rc;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

int files_read(struct files **out, const char *root, struct err *err)
{
    *out = NULL;
    int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return err_set(err, ERR_IO, "cannot read the folder %s: %s", root, strerror(errno));
    struct files *f = files_new(root);
    int rc = read_folder(f, fd, "", 1, err);
    if (!rc) {
        if (f->n)
            qsort(f->file, (size_t)f->n, sizeof *f->file, by_path);
        rc = files_check(f, err);
    }
    if (!rc && f->sealed && files_any_sealed(f))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "%s: pack.sealed stands beside sealed files in clear; one or the other was "
                     "expected",
                     root);
    if (rc)
        files_free(f);
    else
        *out = f;
    return rc;
}

/* ---- who else may read ---- */

/* Every folder above may be passed through, and the file read, by others. */
static bool open_to_all(char *path)
{
    struct stat st;
    if (stat(path, &st) != 0 || !(st.st_mode & S_IROTH))
        return false;
    for (char *slash; (slash = strrchr(path, '/')) != NULL;) {
        slash[slash == path] = '\0';          /* the first is the root itself */
        if (stat(path, &st) != 0 || !(st.st_mode & S_IXOTH))
            return false;
        if (slash == path)
            return true;
    }
    return false;
}

bool files_sealed_open_to_all(const struct files *f)
{
    for (int i = 0; i < f->n; i++) {
        if (!path_is_sealed(f->file[i].path))
            continue;
        char *there, *whole = path_inside(&there, f->root, f->file[i].path, NULL)
                                  ? NULL
                                  : realpath(there, NULL);
        bool open = whole && open_to_all(whole);
        free(there);
        free(whole);
        if (open)
            return true;
    }
    return false;
}

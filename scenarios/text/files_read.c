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
    return source_kind_of(name) || source_is_image(name);
}

/* Texts for people, and code as it was found: they may lie in a pack, and nobody reads them here.
 */
static bool is_for_people(const char *name, bool is_folder)
{
    static const char *const texts[] = {"README.md",  "LICENSE.md",      "LICENCE.md",
                                        "NOTICE.md",  "CONTRIBUTING.md", "CHANGELOG.md",
                                        "OWNERS.md"};
    bool found = false;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        found = found || !strcmp(name, texts[i]);
    return is_folder ? !strcmp(name, "originals") : found;
}

static size_t bytes_so_far(const struct files *f)
{
    size_t sum = 0;
    for (int i = 0; i < f->n; i++)
        sum += f->file[i].text ? f->file[i].len : (size_t)f->file[i].stamp.size;
    return sum;
}

static int check_room(const struct files *f, const char *path, off_t size, struct err *err)
{
    size_t max = file_most(path);
    if ((size_t)size > max)
        return err_set(err, ERR_TOO_LARGE, "%s/%s: %lld bytes; at most %zu were expected", f->root,
                       path, (long long)size, max);
    if (bytes_so_far(f) + (size_t)size > FILES_BYTES_MAX)
        return err_set(err, ERR_TOO_LARGE, "%s: at most %zu bytes were expected in a pack", f->root,
                       FILES_BYTES_MAX);
    return 0;
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

/* Of a file in the folder `dir`. */
static int open_one(int dir, const char *name)
{
    return openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
}

static int read_one(struct files *f, int dir, const char *name, const char *path, struct err *err)
{
    int fd = open_one(dir, name);
    if (fd < 0)
        return err_set(err, ERR_IO, "cannot read %s/%s: %s", f->root, path, strerror(errno));
    struct stat st;
    int rc = 0;
    char *text = NULL;
    size_t len = 0;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "%s/%s: not a plain file; plain files were expected in a pack", f->root, path);
    else
        rc = check_room(f, path, st.st_size, err);
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

static struct file_stamp stamp_of(const struct stat *st)
{
    return (struct file_stamp){.device = st->st_dev,
                               .inode = st->st_ino,
                               .size = st->st_size,
                               .written = st->st_mtim};
}

static bool same_stamp(const struct file_stamp *a, const struct file_stamp *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->written.tv_sec == b->written.tv_sec && a->written.tv_nsec == b->written.tv_nsec;
}

/* A plain file, as `st` says. */
static int list_one(struct files *f, const struct stat *st, const char *path, struct err *err)
{
    int rc = check_room(f, path, st->st_size, err);
    if (rc)
        return rc;
    files_take(f, path, NULL, 0);
    f->file[f->n - 1].stamp = stamp_of(st);
    return 0;
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

/* A walk through a folder. */
struct walk {
    struct files *f;
    bool lists; /* evidence is listed, not read */
    struct err *err;
};

static int read_folder(const struct walk *w, int fd, const char *prefix, int level);

/* One that has an ending of ours. */
static int add_file(const struct walk *w, int dir, const char *name, const struct stat *st,
                    const char *path)
{
    struct files *f = w->f;
    if (f->n == FILES_MAX)
        return err_set(w->err, ERR_TOO_LARGE,
                       "%s: more than %d files; a smaller pack was expected", f->root, FILES_MAX);
    return w->lists && path_is_evidence(path) ? list_one(f, st, path, w->err)
                                              : read_one(f, dir, name, path, w->err);
}

static int read_entry(const struct walk *w, int dir, const char *prefix, const char *name,
                      int level)
{
    struct files *f = w->f;
    struct err why, *err = w->err;
    struct stat st;
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
    else if (is_for_people(name, S_ISDIR(st.st_mode)))
        f->n_passed++;
    else if ((S_ISDIR(st.st_mode) || is_ours(name)) && path_ok(path, &why))
        rc = err_set(err, why.code, "%s/%s: %s", f->root, path, why.text);
    else if (S_ISDIR(st.st_mode)) {
        int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        rc = fd < 0 ? err_set(err, ERR_IO, "cannot read %s/%s: %s", f->root, path, strerror(errno))
                    : read_folder(w, fd, path, level + 1);
    } else if (is_ours(name)) {
        rc = add_file(w, dir, name, &st, path);
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
static int read_folder(const struct walk *w, int fd, const char *prefix, int level)
{
    struct files *f = w->f;
    DIR *dir = level > FILES_LEVELS ? NULL : fdopendir(fd);
    if (!dir) {
        int rc =
            level > FILES_LEVELS
                ? err_set(w->err, ERR_TOO_LARGE,
                          "%s/%s: folders within folders; at most %d levels were expected", f->root,
                          prefix, FILES_LEVELS)
                : err_set(w->err, ERR_IO, "cannot read %s/%s: %s", f->root, prefix,
                          strerror(errno));
        close(fd);
        return rc;
    }
    int rc = 0;
    const struct dirent *d;
    while (!rc && (d = readdir(dir)))
        if (d->d_name[0] != '.')
            rc = read_entry(w, dirfd(dir), prefix, d->d_name, level);
        else
            f->n_passed += strcmp(d->d_name, ".") && strcmp(d->d_name, "..");
    closedir(dir);
    return rc;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

static int read_set(struct files **out, const char *root, bool lists, struct err *err)
{
    *out = NULL;
    int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return err_set(err, ERR_IO, "cannot read the folder %s: %s", root, strerror(errno));
    struct files *f = files_new(root);
    int rc = read_folder(&(struct walk){f, lists, err}, fd, "", 1);
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

int files_read(struct files **out, const char *root, struct err *err)
{
    return read_set(out, root, false, err);
}

int files_list(struct files **out, const char *root, struct err *err)
{
    return read_set(out, root, true, err);
}

/* ---- what was listed ---- */

/* The folder below `root` in which the file of this path lies, *name its name there; no link is
 * followed below root. -1 with errno. */
static int open_folder_of(const char *root, const char *path, const char **name)
{
    int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const char *slash;
    for (*name = path; fd >= 0 && (slash = strchr(*name, '/')); *name = slash + 1) {
        char *folder = text_ndup(*name, (size_t)(slash - *name));
        int next = openat(fd, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), why = errno;
        free(folder);
        close(fd);
        errno = why;
        fd = next;
    }
    return fd;
}

static int open_listed(const char *root, const char *path)
{
    const char *name;
    int dir = open_folder_of(root, path, &name), fd = dir < 0 ? -1 : open_one(dir, name),
        why = errno;
    if (dir >= 0)
        close(dir);
    errno = why;
    return fd;
}

/* NULL when it is not the file that was listed. */
static char *read_listed(int fd, const struct file_stamp *listed, size_t *len)
{
    struct stat st;
    struct file_stamp now;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode))
        return NULL;
    now = stamp_of(&st);
    if (!same_stamp(&now, listed))
        return NULL;
    char *text = read_all(fd, (size_t)st.st_size + 1, len);
    if (*len == (size_t)st.st_size)
        return text;
    free(text);
    return NULL;
}

int files_load(struct files *f, const struct file *file, struct err *err)
{
    struct file *own = &f->file[file - f->file];
    if (own->text)
        return 0;
    int fd = open_listed(f->root, own->path);
    if (fd < 0)
        return err_set(err, ERR_IO,
                       "cannot read %s/%s: %s; it was there when the pack was opened, so start "
                       "warpdrill again",
                       f->root, own->path, strerror(errno));
    own->text = read_listed(fd, &own->stamp, &own->len);
    close(fd);
    if (!own->text)
        return err_set(err, ERR_IO,
                       "%s/%s: it changed since the pack was opened; start warpdrill again",
                       f->root, own->path);
    int rc = file_check(f, own, err);
    if (rc) {
        free(own->text);
        own->text = NULL;
        own->len = 0;
    }
    return rc;
}

int files_load_all(struct files *f, struct err *err)
{
    int rc = 0;
    for (int i = 0; !rc && i < f->n; i++)
        rc = files_load(f, &f->file[i], err);
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

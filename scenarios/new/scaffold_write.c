/* A draft's way to the disk: nothing is overwritten, and nothing is left half. */
#include "scenarios/new/scaffold_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

static int make_folders(const char *path, struct err *err)
{
    char *copy = text_dup(path);
    int rc = 0;
    for (char *c = copy + 1; !rc && (c = strchr(c, '/')); c++) {
        *c = '\0';
        if (mkdir(copy, 0777) && errno != EEXIST)
            rc = err_set(err, ERR_IO, "the folder %s cannot be made: %s", copy, strerror(errno));
        *c = '/';
    }
    free(copy);
    return rc;
}

/* What was begun here is not left half. */
static int write_text(int fd, const char *path, const struct file *f, struct err *err)
{
    bool bad = fd < 0;
    for (size_t at = 0; !bad && at < f->len;) {
        ssize_t n = write(fd, f->text + at, f->len - at);
        bad = n <= 0;
        at += bad ? 0 : (size_t)n;
    }
    int why = errno;
    if (fd >= 0 && close(fd) && !bad) {
        bad = true;
        why = errno;
    }
    if (bad && fd >= 0)
        unlink(path);
    return bad ? err_set(err, ERR_IO, "%s cannot be written: %s", path, strerror(why)) : 0;
}

/* A new file; pack.yaml alone may be there already, and is replaced in one step. */
static int write_one(const char *path, const struct file *f, struct err *err)
{
    int rc = make_folders(path, err);
    if (rc)
        return rc;
    bool replaces = !strcmp(f->path, "pack.yaml") && place_exists(path);
    if (!replaces)
        return write_text(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), path, f, err);
    char *beside = text_format("%s.new", path);
    rc = write_text(open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), beside, f, err);
    if (!rc && rename(beside, path)) {
        rc = err_set(err, ERR_IO, "%s cannot be replaced: %s", path, strerror(errno));
        unlink(beside);
    }
    free(beside);
    return rc;
}

/* How much of the path of a file is folders that stand already. */
static size_t standing_length(const char *path)
{
    char *copy = text_dup(path);
    size_t standing = 0;
    for (char *c = copy + 1; (c = strchr(c, '/')); c++) {
        *c = '\0';
        if (place_exists(copy))
            standing = (size_t)(c - copy);
        *c = '/';
    }
    free(copy);
    return standing;
}

/* The folders above `path` that are longer than `standing`, from the deepest. */
static void remove_folders(char *path, size_t standing)
{
    for (char *slash; (slash = strrchr(path, '/')) && (size_t)(slash - path) > standing;) {
        *slash = '\0';
        rmdir(path);
    }
}

/* Takes away those files and the folders above them. */
static void remove_made(const char *pack, const char *const *made, int n, size_t standing)
{
    for (int i = 0; i < n; i++) {
        char *path;
        if (path_inside(&path, pack, made[i], NULL))
            continue;
        unlink(path);
        remove_folders(path, standing);
        free(path);
    }
}

/* pack.yaml last: until then the pack does not know the scenario. */
int scaffold_write(const struct scaffold *s, const struct files *files, const char *const *made,
                   int n, struct err *err)
{
    char *last, *path;
    int at = n - 1, rc = path_inside(&last, s->pack, made[at], err);
    if (rc)
        return rc;
    size_t standing =
        standing_length(last); /* the same for all of them: their folder is new */
    for (; !rc && at >= 0; at--) {
        rc = path_inside(&path, s->pack, made[at], err);
        if (rc)
            break;
        rc = write_one(path, files_find(files, made[at]), err);
        if (rc)
            remove_folders(path, standing);
        free(path);
    }
    if (rc)
        remove_made(s->pack, made + at + 2, n - at - 2, standing);
    free(last);
    return rc;
}

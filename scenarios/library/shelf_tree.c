#include "scenarios/library/shelf_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/text/files.h"

int tree_make(const char *path, struct err *err)
{
    char *copy = text_dup(path);
    int rc = 0;
    for (char *c = copy + 1;; c++) {
        char was = *c;
        if (was && was != '/')
            continue;
        *c = '\0';
        if (mkdir(copy, 0777) && errno != EEXIST)
            rc = err_set(err, ERR_IO, "the folder %s cannot be made: %s", copy, strerror(errno));
        *c = was;
        if (!was || rc)
            break;
    }
    free(copy);
    return rc;
}

static bool copy_bytes(int from, int to, size_t *left)
{
    char part[65536];
    for (ssize_t n; (n = read(from, part, sizeof part)) != 0;) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 || (size_t)n > *left || write(to, part, (size_t)n) != n)
            return false;
        *left -= (size_t)n;
    }
    return true;
}

static int copy_file(const char *from, const char *to, size_t *left, struct err *err)
{
    int in = open(from, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK),
        out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    errno = 0;
    bool good = out >= 0 && copy_bytes(in, out, left);
    if (in >= 0)
        close(in);
    if (out >= 0 && close(out))
        good = false;
    if (good)
        return 0;
    return err_set(err, ERR_IO, "%s cannot be copied: %s", from,
                   errno ? strerror(errno) : "more than 64 MiB together");
}

static int copy_folder(const char *from, const char *to, int levels, size_t *left, struct err *err)
{
    DIR *d = opendir(from);
    int rc = !d || mkdir(to, 0777)
                 ? err_set(err, ERR_IO, "%s cannot be copied: %s", from, strerror(errno))
                 : 0;
    for (struct dirent *e; !rc && (e = readdir(d));) {
        char *a = NULL, *b = NULL;
        struct stat st;
        if (e->d_name[0] == '.')
            continue;
        if (!(rc = path_below(&a, from, PATH_NAMES(e->d_name), err)))
            rc = path_below(&b, to, PATH_NAMES(e->d_name), err);
        bool there = !rc && lstat(a, &st) == 0;
        if (there && S_ISDIR(st.st_mode) && levels > 0)
            rc = copy_folder(a, b, levels - 1, left, err);
        else if (there && S_ISREG(st.st_mode))
            rc = copy_file(a, b, left, err);
        else if (there)
            rc = err_set(err, ERR_UNSUPPORTED,
                         "%s is no plain file, or lies too deep; a pack has plain files alone", a);
        free(a);
        free(b);
    }
    if (d)
        closedir(d);
    return rc;
}

int tree_copy(const char *from, const char *to, struct err *err)
{
    size_t left = FILES_BYTES_MAX;
    return copy_folder(from, to, FILES_LEVELS, &left, err);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    remove(path);
    return 0;
}

void tree_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

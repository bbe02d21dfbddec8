/* The person's folder: found, filled once, read with every check. */
#include "scenarios/mend/mend.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "kernels/wire/token.h"
#include "scenarios/pack/image.h"

/* ---- where ---- */

static char *data_folder(void)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && *data == '/')
        return text_format("%s/warpdrill/mend", data);
    return text_format("%s/.local/share/warpdrill/mend", home && *home ? home : ".");
}

static int own_folder(char **out, const char *root, const struct variant *v, struct err *err)
{
    const struct story *s = v->story;
    return path_below(out, root, PATH_NAMES(s->pack->id, s->id, v->id), err);
}

const char *mend_cannot(const struct variant *v)
{
    struct image_files image = {0};
    if (story_is_case(v->story) || !v->suspect)
        return "A case has no code to be mended.";
    if (story_is_harness(v->story))
        return "Here the benchmark is at fault: there is no code to be mended.";
    if (v->story->gpus > 1)
        return "It runs on several GPUs, where no memory can be poisoned, moved or fenced: a text "
               "of yours could not be called right there.";
    image_find(&image, v->story->pack->files, v->suspect);
    if (v->kind->image || image.about)
        return "What runs is an image that was compiled elsewhere: a text of yours could not take "
               "its place.";
    return NULL;
}

const char *mend_needless(const struct variant *v)
{
    if (v->best_file || (v->fix_file && v->pair != PAIR_HEALTHY))
        return NULL;
    return "Nothing was wrong with it, so there is nothing to mend.";
}

int mend_place_find(struct mend_place *out, const struct variant *v, const char *folder,
                    struct err *err)
{
    *out = (struct mend_place){0};
    if (mend_cannot(v))
        return err_set(err, ERR_UNSUPPORTED, "%s: %s", v->full_id, mend_cannot(v));
    int rc = 0;
    out->trusted = folder ? text_dup(folder) : data_folder();
    if (folder)
        out->folder = text_dup(folder);
    else
        rc = own_folder(&out->folder, out->trusted, v, err);
    if (rc)
        return rc;
    out->name = text_format("mine%s", v->kind->ending);
    return path_below(&out->file, out->folder, PATH_NAMES(out->name), err);
}

void mend_place_free(struct mend_place *p)
{
    free(p->folder);
    free(p->file);
    free(p->name);
    free(p->trusted);
    *p = (struct mend_place){0};
}

/* ---- writing ---- */

static int make_folders(const char *folder, struct err *err)
{
    char *part = text_dup(folder);
    for (char *at = part + 1;; at++) {
        char was = *at;
        if (was != '/' && was)
            continue;
        *at = '\0';
        int failed = mkdir(part, 0700) != 0 && errno != EEXIST ? errno : 0;
        *at = was;
        if (failed || !was) {
            free(part);
            return failed ? err_set(err, ERR_IO, "%s cannot be made: %s", folder, strerror(failed))
                          : 0;
        }
    }
}

/* The text under a hidden name of its own beside the file, on the disk. */
static int write_beside(char **out, const struct mend_place *p, const char *text, struct err *err)
{
    *out = text_format("%s/.%s.XXXXXX", p->folder, p->name);
    int fd = mkostemp(*out, O_CLOEXEC);
    bool good = fd >= 0 && path_write(fd, text, strlen(text)) && fsync(fd) == 0;
    int why = errno;
    if (fd >= 0)
        close(fd);
    if (good)
        return 0;
    if (fd >= 0)
        unlink(*out);
    return err_set(err, ERR_IO, "%s cannot be written: %s", p->file, strerror(why));
}

/* A name that is taken stays whose it is: link(2) makes no second one. */
int mend_lay(const struct mend_place *p, const char *text, bool *made, struct err *err)
{
    struct stat st;
    char *beside = NULL;
    *made = false;
    int rc = make_folders(p->folder, err);
    if (rc || lstat(p->file, &st) == 0)
        return rc;
    rc = write_beside(&beside, p, text, err);
    if (rc == 0) {
        *made = link(beside, p->file) == 0;
        if (!*made && errno != EEXIST)
            rc = err_set(err, ERR_IO, "%s cannot be made: %s", p->file, strerror(errno));
        unlink(beside);
    }
    free(beside);
    return rc;
}

int mend_put(const struct mend_place *p, const char *text, struct err *err)
{
    char *beside = NULL;
    int rc = make_folders(p->folder, err);
    if (rc == 0)
        rc = write_beside(&beside, p, text, err);
    if (rc == 0 && rename(beside, p->file) != 0) {
        rc = err_set(err, ERR_IO, "%s cannot be put in its place: %s", p->file, strerror(errno));
        unlink(beside);
    }
    free(beside);
    return rc;
}

int mend_move_aside(const struct mend_place *p, struct err *err)
{
    enum { NAMES = 10000 };
    for (int k = 1; k < NAMES; k++) {
        struct stat st;
        char *beside = text_format("%s.%d", p->file, k);
        bool taken = lstat(beside, &st) == 0, moved = !taken && rename(p->file, beside) == 0;
        int why = errno;
        free(beside);
        if (moved)
            return 0;
        if (!taken)
            return err_set(err, ERR_IO, "%s cannot be moved aside: %s", p->file, strerror(why));
    }
    return err_set(err, ERR_IO, "%s.1 to .%d are all taken", p->file, NAMES - 1);
}

/* ---- reading ---- */

#define KEPT_STAYS "what was judged before is kept"

/* Where a byte stands, both from 1. */
static void place_of(const char *text, size_t byte, int *line, int *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < byte; i++) {
        *column = text[i] == '\n' ? 1 : *column + 1;
        *line += text[i] == '\n';
    }
}

/* What editors of other systems add is taken away: a byte order mark, CR before LF. */
static size_t take_plain(char *text, size_t len)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t from = len >= 3 && !memcmp(text, mark, 3) ? 3 : 0, n = 0;
    for (; from < len; from++)
        if (text[from] != '\r' || from + 1 == len || text[from + 1] != '\n')
            text[n++] = text[from];
    text[n] = '\0';
    return n;
}

static int scan(const char *name, const char *text, size_t len, struct err *err)
{
    struct token_text tokens = {0};
    struct err why = {0};
    int line, column, rc = token_scan(&tokens, text, len, &why);
    bool blank = rc == 0 && tokens.len == 0;
    token_free(&tokens);
    if (blank)
        return err_set(err, ERR_BAD_REQUEST, "%s holds no code; " KEPT_STAYS, name);
    if (rc == 0)
        return 0;
    const char *say = token_error_place(&why, &line, &column);
    return err_set(err, rc, "%s:%d:%d: %s", name, line, column, say);
}

int mend_text_check(const char *name, const char *text, size_t len, struct err *err)
{
    if (strspn(text, " \t\r\n") == len)
        return err_set(err, ERR_BAD_REQUEST, "%s is empty; " KEPT_STAYS, name);
    size_t bad = text_first_bad(text, len);
    int line, column;
    place_of(text, bad, &line, &column);
    if (bad < len)
        return err_set(err, ERR_BAD_REQUEST,
                       "%s:%d:%d: holds what is no text (byte 0x%02x: a control character, or no "
                       "UTF-8); " KEPT_STAYS, name, line, column, (unsigned char)text[bad]);
    return scan(name, text, len, err);
}

static int refuse_kind(const struct mend_place *p, mode_t mode, struct err *err)
{
    const char *what = S_ISLNK(mode)    ? "a symbolic link"
                       : S_ISDIR(mode)  ? "a folder"
                       : S_ISFIFO(mode) ? "a pipe"
                                        : "no plain file";
    return err_set(err, ERR_PERMISSION,
                   "%s is %s now, where a plain file was; nothing was read, and " KEPT_STAYS,
                   p->file, what);
}

static int read_open(char **out, size_t *len, const struct mend_place *p, int fd, struct err *err)
{
    struct stat st;
    if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode))
        return refuse_kind(p, st.st_mode, err);
    char *text = mem_new(CAP_SOURCE_BYTES + 2, 1);
    size_t n = 0;
    ssize_t got;
    while (n <= CAP_SOURCE_BYTES && (got = read(fd, text + n, CAP_SOURCE_BYTES + 1 - n)) != 0) {
        if (got < 0 && errno != EINTR)
            break;
        n += got > 0 ? (size_t)got : 0;
    }
    *out = text;
    *len = n;
    return n <= CAP_SOURCE_BYTES
               ? 0
               : err_set(err, ERR_TOO_LARGE, "%s has more than %d KiB, the most that a source may "
                                             "have; " KEPT_STAYS, p->file, CAP_SOURCE_BYTES / 1024);
}

int mend_read(char **out, const struct mend_place *p, struct err *err)
{
    struct stat st;
    size_t len = 0;
    *out = NULL;
    if (lstat(p->file, &st) != 0)
        return err_set(err, ERR_MISSING, "%s is gone (%s); " KEPT_STAYS, p->file,
                       strerror(errno));
    if (!S_ISREG(st.st_mode))
        return refuse_kind(p, st.st_mode, err);
    int fd = open(p->file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return err_set(err, ERR_IO, "%s cannot be read: %s; " KEPT_STAYS, p->file,
                       strerror(errno));
    int rc = read_open(out, &len, p, fd, err);
    close(fd);
    if (rc == 0)
        rc = mend_text_check(p->name, *out, take_plain(*out, len), err);
    if (rc) {
        free(*out);
        *out = NULL;
    }
    return rc;
}

struct mend_stamp mend_stamp_of(const struct mend_place *p)
{
    struct stat st;
    if (lstat(p->file, &st) != 0)
        return (struct mend_stamp){0};
    return (struct mend_stamp){st.st_dev, st.st_ino, (uint64_t)st.st_size,
                               (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec};
}

bool mend_stamp_same(struct mend_stamp a, struct mend_stamp b)
{
    return a.device == b.device && a.inode == b.inode && a.size == b.size &&
           a.written_ns == b.written_ns;
}

#include "kernels/runner/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

enum {
    FILE_MOST = 64 << 20,
    STALE_S = 3600
}; /* a temporary file that old was left by a runner that is gone */

static char *cache_folder(void)
{
    const char *own = getenv("WARPDRILL_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (own && *own)
        return text_format("%s/kernels", own);
    if (xdg && *xdg == '/')
        return text_format("%s/warpdrill/kernels", xdg);
    return home && *home ? text_format("%s/.cache/warpdrill/kernels", home) : NULL;
}

static void make_folders(const char *folder)
{
    char *path = text_dup(folder);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
    free(path);
}

void cache_entry_free(struct cache_entry *e)
{
    free(e->log);
    free(e->ptx);
    free(e->image);
    *e = (struct cache_entry){.log = NULL};
}

/* ---- reading ---- */

static char *read_whole(int fd, size_t size)
{
    char *text = mem_new(size + 1, 1);
    size_t have = 0;
    ssize_t n = 1;
    while (have < size &&
           ((n = read(fd, text + have, size - have)) > 0 || (n < 0 && errno == EINTR)))
        have += n > 0 ? (size_t)n : 0;
    if (have == size)
        return text;
    free(text);
    return NULL;
}

static bool length_at(const json_t *head, const char *name, size_t most, size_t *out)
{
    const json_t *n = json_object_get(head, name);
    *out =
        json_is_integer(n) && json_integer_value(n) >= 0 ? (size_t)json_integer_value(n) : most + 1;
    return *out <= most;
}

static bool says(const json_t *head, const char *name, const char *value)
{
    const char *text = json_string_value(json_object_get(head, name));
    return text && !strcmp(text, value);
}

bool cache_unpack(struct cache_entry *out, const char *key, const char *bytes, size_t len)
{
    const char *newline = len ? memchr(bytes, '\n', len) : NULL,
               *body = newline ? newline + 1 : bytes;
    size_t left = newline ? len - (size_t)(body - bytes) : 0, log = 0, ptx = 0, image = 0;
    json_t *head =
        newline ? json_loadb(bytes, (size_t)(newline - bytes), JSON_REJECT_DUPLICATES, NULL) : NULL;
    char sum[HASH_HEX];
    bool ok = head && json_integer_value(json_object_get(head, "format")) == CACHE_FORMAT &&
              says(head, "key", key) && length_at(head, "log", left, &log) &&
              length_at(head, "ptx", left, &ptx) && length_at(head, "image", left, &image) &&
              image > 0 && log + ptx + image == left;
    if (ok) {
        hash_bytes(sum, body, left);
        ok = says(head, "sha256", sum);
    }
    if (ok)
        *out = (struct cache_entry){.log = text_ndup(body, log),
                                    .ptx = text_ndup(body + log, ptx),
                                    .ptx_len = ptx,
                                    .image = text_ndup(body + log + ptx, image),
                                    .image_len = image};
    json_decref(head);
    return ok;
}

bool cache_load(struct cache_entry *out, const char *key)
{
    char *folder = cache_folder(), *path = NULL;
    int fd = folder && path_below(&path, folder, PATH_NAMES(key), NULL) == 0
                 ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
                 : -1;
    struct stat st;
    bool ok = false;
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
        st.st_size < FILE_MOST) {
        char *bytes = read_whole(fd, (size_t)st.st_size);
        ok = bytes && cache_unpack(out, key, bytes, (size_t)st.st_size);
        free(bytes);
    }
    if (ok)
        futimens(fd, NULL);
    if (fd >= 0)
        close(fd);
    free(path);
    free(folder);
    return ok;
}

/* ---- what has to go ---- */

struct file {
    char *name;
    struct timespec used;
    uint64_t bytes;
};

static int by_age(const void *a, const void *b)
{
    const struct timespec *x = &((const struct file *)a)->used,
                          *y = &((const struct file *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Plain files alone; those of a name with a dot are being written. */
static size_t list_files(int folder, struct file **out, uint64_t *sum)
{
    int copy = fcntl(folder, F_DUPFD_CLOEXEC, 0);
    DIR *dir = copy < 0 ? NULL : fdopendir(copy);
    struct stat st;
    size_t n = 0;
    time_t now = time(NULL);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (fstatat(folder, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
            continue;
        if (strchr(e->d_name, '.')) {
            if (now - st.st_mtim.tv_sec > STALE_S)
                unlinkat(folder, e->d_name, 0);
            continue;
        }
        *out = mem_grow(*out, n + 1, sizeof **out);
        (*out)[n++] = (struct file){text_dup(e->d_name), st.st_mtim, (uint64_t)st.st_size};
        *sum += (uint64_t)st.st_size;
    }
    if (dir)
        closedir(dir);
    else if (copy >= 0)
        close(copy);
    return n;
}

/* One that another runner removed first counts as removed too. */
static void trim(const char *path, uint64_t most)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct file *files = NULL;
    uint64_t sum = 0;
    size_t n = folder < 0 ? 0 : list_files(folder, &files, &sum);
    if (n > 1 && sum > most)
        qsort(files, n, sizeof *files, by_age);
    for (size_t i = 0; i < n; i++) {
        if (sum > most && (unlinkat(folder, files[i].name, 0) == 0 || errno == ENOENT))
            sum -= files[i].bytes;
        free(files[i].name);
    }
    free(files);
    if (folder >= 0)
        close(folder);
}

/* ---- writing ---- */

static char *pack(const struct cache_entry *e, const char *key, size_t *len)
{
    size_t log = strlen(e->log), body = log + e->ptx_len + e->image_len;
    char *blobs = mem_new(body + 1, 1), sum[HASH_HEX];
    memcpy(blobs, e->log, log);
    if (e->ptx_len)
        memcpy(blobs + log, e->ptx, e->ptx_len);
    memcpy(blobs + log + e->ptx_len, e->image, e->image_len);
    hash_bytes(sum, blobs, body);
    json_t *head = json_pack("{s:i, s:s, s:s, s:I, s:I, s:I}", "format", CACHE_FORMAT, "key", key,
                             "sha256", sum, "log", (json_int_t)log, "ptx", (json_int_t)e->ptx_len,
                             "image", (json_int_t)e->image_len);
    char *line = json_dumps(head, JSON_COMPACT);
    size_t n = strlen(line);
    char *all = mem_new(n + 1 + body, 1);
    memcpy(all, line, n);
    all[n] = '\n';
    memcpy(all + n + 1, blobs, body);
    *len = n + 1 + body;
    free(line);
    json_decref(head);
    free(blobs);
    return all;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno != EINTR)
            return false;
        bytes += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

void cache_store(const struct cache_entry *e, const char *key, uint64_t most)
{
    char *folder = cache_folder(), *path = NULL;
    if (!folder || path_below(&path, folder, PATH_NAMES(key), NULL)) {
        free(folder);
        return;
    }
    make_folders(folder);
    char *temporary = text_format("%s.%ld", path, (long)getpid());
    unlink(temporary); /* of a process that had this number before */
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0) {
        size_t len = 0;
        char *bytes = pack(e, key, &len);
        bool ok = len < FILE_MOST && write_all(fd, bytes, len);
        ok = close(fd) == 0 && ok;
        if (!ok || rename(temporary, path) != 0)
            unlink(temporary);
        free(bytes);
        trim(folder, most);
    }
    free(temporary);
    free(path);
    free(folder);
}

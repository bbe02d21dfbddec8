/* What lies in pack.sealed, and packs as folders. Passphrases and bytes: sealing.c. */
#include "scenarios/library/sealing.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/library/sealing_inside.h"

static const char sealed_name[] = "pack.sealed";

/* ---- the content: {"hidden": {path: text}, "public": {path: SHA-256}} ---- */

static json_t *hashes_of(const struct files *all)
{
    json_t *hashes = json_object();
    char hash[HASH_HEX];
    for (int i = 0; i < all->n; i++)
        if (!path_is_sealed(all->file[i].path)) {
            hash_bytes(hash, all->file[i].text, all->file[i].len);
            json_object_set_new(hashes, all->file[i].path, json_string(hash));
        }
    return hashes;
}

static char *sealed_content_make(const struct files *all, size_t *n)
{
    json_t *hidden = files_to_json(all, ""), *root = json_object();
    for (int i = 0; i < all->n; i++)
        if (!path_is_sealed(all->file[i].path))
            json_object_del(hidden, all->file[i].path);
    json_object_set_new(root, "hidden", hidden);
    json_object_set_new(root, "public", hashes_of(all));
    char *text = json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(root);
    *n = strlen(text);
    return text;
}

/* Public files never come out of a sealed one: they would stand in for those that everybody sees.
 */
static int check_hidden(const struct files *hidden, struct err *err)
{
    size_t sum = 0;
    for (int i = 0; i < hidden->n; i++) {
        if (!path_is_hidden_half(hidden->file[i].path))
            return err_set(err, ERR_BAD_REQUEST,
                           "%s is sealed in it; files of a folder `sealed` were expected alone, "
                           "and such as a pack has",
                           hidden->file[i].path);
        sum += hidden->file[i].len;
    }
    return sum > FILES_BYTES_MAX ? err_set(err, ERR_TOO_LARGE,
                                           "%zu bytes are sealed in it; at most %zu were expected",
                                           sum, FILES_BYTES_MAX)
                                 : 0;
}

static int check_hashes(const json_t *hashes, struct err *err)
{
    const char *path;
    json_t *hash;
    if (!json_is_object(hashes))
        return err_set(err, ERR_BAD_REQUEST,
                       "no hashes of public files lie in it; {path: SHA-256} was expected");
    if (json_object_size(hashes) > FILES_MAX)
        return err_set(err, ERR_TOO_LARGE,
                       "hashes of %zu public files lie in it; at most %d were expected",
                       json_object_size(hashes), FILES_MAX);
    json_object_foreach((json_t *)hashes, path,
                        hash) if (path_ok(path, err) ||
                                  json_string_length(hash) !=
                                      HASH_HEX -
                                          1) return err_set(err, ERR_BAD_REQUEST,
                                                            "a hash of a public file in it is "
                                                            "none; {path: SHA-256} was expected");
    return 0;
}

int sealed_content_read(struct files **hidden, json_t **hashes, const char *content, size_t n,
                        struct err *err)
{
    json_error_t where;
    *hidden = NULL;
    *hashes = NULL;
    json_t *root = json_loadb(content, n, JSON_REJECT_DUPLICATES, &where);
    int rc = root ? check_hashes(json_object_get(root, "public"), err)
                  : err_set(err, ERR_BAD_REQUEST, "what was sealed cannot be read: %s", where.text);
    if (!rc)
        rc = files_from_json(hidden, json_object_get(root, "hidden"), err);
    if (!rc)
        rc = check_hidden(*hidden, err);
    if (!rc)
        *hashes = json_incref(json_object_get(root, "public"));
    json_decref(root);
    if (rc) {
        files_free(*hidden);
        *hidden = NULL;
    }
    return rc;
}

/* ---- new folders ---- */

struct extra { const char *name; const unsigned char *bytes; size_t len; };

static int write_all(int fd, const void *bytes, size_t len)
{
    for (const char *at = bytes; len;) {
        ssize_t n = write(fd, at, len);
        if (n < 0 && errno != EINTR)
            return -1;
        at += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

static int write_file(const char *folder, const char *path, const void *bytes, size_t len,
                      struct err *err)
{
    char *full;
    int rc = path_inside(&full, folder, path, err);
    if (rc)
        return rc;
    for (char *at = full + strlen(folder) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(full, 0777);   /* what it could not make is told by the file */
        *at = '/';
    }
    int fd = open(full, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0 || write_all(fd, bytes, len) || fsync(fd))
        rc = err_set(err, ERR_IO, "cannot write %s: %s", full, strerror(errno));
    if (fd >= 0 && close(fd) && !rc)
        rc = err_set(err, ERR_IO, "cannot write %s: %s", full, strerror(errno));
    free(full);
    return rc;
}

static int write_files(const char *folder, const struct files *f, bool public_alone,
                       const struct extra *extra, struct err *err)
{
    int rc = 0;
    for (int i = 0; !rc && i < f->n; i++)
        if (!public_alone || !path_is_sealed(f->file[i].path))
            rc = write_file(folder, f->file[i].path, f->file[i].text, f->file[i].len, err);
    if (!rc && extra)
        rc = write_file(folder, extra->name, extra->bytes, extra->len, err);
    return rc;
}

static void remove_file(const char *folder, const char *path)
{
    char *full;
    if (path_inside(&full, folder, path, NULL))
        return;
    unlink(full);
    for (char *slash; (slash = strrchr(full, '/')) > full + strlen(folder);) {
        *slash = '\0';
        rmdir(full);
    }
    free(full);
}

/* Takes away what write_files made, and nothing else. */
static void remove_files(const char *folder, const struct files *f, const struct extra *extra)
{
    if (extra)
        remove_file(folder, extra->name);
    for (int i = 0; i < f->n; i++)
        remove_file(folder, f->file[i].path);
    rmdir(folder);
}

/* Would the new folder lie in the one at `root`, or below? */
static bool lies_within(const char *whole, const char *root)
{
    const char *slash = strrchr(whole, '/');
    char *above = slash ? text_ndup(whole, (size_t)(slash - whole) + 1) : text_dup("."),
         *where = realpath(above, NULL), *real = realpath(root, NULL);
    size_t n = real ? strlen(real) : 0;
    bool within =
        where && real && !strncmp(where, real, n) && (!where[n] || where[n] == '/' || n == 1);
    free(above);
    free(where);
    free(real);
    return within;
}

/* A folder is filled under another name and gets its own when it is whole. */
static int write_folder(const char *out, const struct files *f, bool public_alone,
                        const struct extra *extra, struct err *err)
{
    struct stat st;
    if (lstat(out, &st) == 0)
        return err_set(err, ERR_BAD_REQUEST,
                       "%s is there already; the name of a new folder was expected (--out DIR)",
                       out);
    size_t n = strlen(out);
    while (n > 1 && out[n - 1] == '/')
        n--;
    char *whole = text_ndup(out, n), *folder = text_format("%s.XXXXXX", whole);
    if (lies_within(whole, f->root)) {
        free(whole);
        free(folder);
        return err_set(err, ERR_BAD_REQUEST,
                       "%s would lie in the pack %s itself; a folder outside of it was expected "
                       "(--out DIR)",
                       out, f->root);
    }
    mode_t mask = umask(0);
    umask(mask);
    bool made = mkdtemp(folder) != NULL;
    int rc = made ? write_files(folder, f, public_alone, extra, err)
                  : err_set(err, ERR_IO, "cannot make %s: %s", out, strerror(errno));
    if (!rc && ((public_alone && chmod(folder, 0777 & ~mask)) || rename(folder, whole)))
        rc = err_set(err, ERR_IO, "cannot make %s: %s", out, strerror(errno));
    if (rc && made)
        remove_files(folder, f, extra);
    free(folder);
    free(whole);
    return rc;
}

/* ---- sealing ---- */

static struct files *public_half(const struct files *all)
{
    struct files *f = files_new(all->root);
    for (int i = 0; i < all->n; i++)
        if (!path_is_sealed(all->file[i].path))
            files_add(f, all->file[i].path, all->file[i].text, all->file[i].len);
    f->sealed = true;
    return f;
}

/* A line for each file that something is said of. */
struct remarks {
    FILE *out;
    char *text;
    size_t len;
    int n;
};

static void remarks_begin(struct remarks *r)
{
    *r = (struct remarks){.n = 0};
    r->out = open_memstream(&r->text, &r->len);
    if (!r->out)
        mem_new(SIZE_MAX, 1); /* ends the program tidily */
}

/* wants NULL: nothing else was expected. */
static void remark(struct remarks *r, const char *path, const char *what, const char *wants)
{
    fprintf(r->out, "%s%s %s", r->n++ ? "\n" : "", path, what);
    if (wants)
        fprintf(r->out, "; %s was expected", wants);
}

/* malloc'd; NULL when nothing was said. */
static char *remarks_end(struct remarks *r)
{
    fclose(r->out);
    if (r->n)
        return r->text;
    free(r->text);
    return NULL;
}

/* A file that has no place in the public half, such as a fix beside the suspect, would go out in
 * clear. */
static int refuse_strays(const struct files *all, struct err *err)
{
    struct remarks r;
    remarks_begin(&r);
    for (int i = 0; i < all->n; i++) {
        const char *path = all->file[i].path;
        if (!path_is_sealed(path) && !path_is_shown(path))
            remark(&r, path, "would be handed out in clear", path_stray_wants(path));
        else if (path_is_sealed(path) && !path_is_hidden_half(path))
            remark(&r, path, "has no place in a pack",
                   "STORY/sealed or STORY/VARIANT/sealed, and an ending that packs have,");
    }
    char *list = remarks_end(&r);
    int rc = list ? err_set(err, ERR_BAD_REQUEST, "%s is not sealed:\n%s", all->root, list) : 0;
    free(list);
    return rc;
}

/* A pack whose ids make public files look sealed would be no pack any more. */
int sealing_ready(const struct pack *p, struct err *err)
{
    struct pack *shut = NULL;
    struct err why;
    if (p->seal != SEAL_NONE)
        return err_set(err, ERR_BAD_REQUEST, "%s is sealed already", p->files->root);
    if (!files_any_sealed(p->files))
        return err_set(err, ERR_BAD_REQUEST, "%s has nothing to seal", p->files->root);
    if (refuse_strays(p->files, err))
        return err->code;
    int rc = files_load_all(p->files, err);
    if (rc)
        return rc;
    if (pack_load(&shut, public_half(p->files), &why))
        return err_set(err, why.code, "the public half would be no pack: %s", why.text);
    pack_free(shut);
    return 0;
}

int sealing_write(const struct pack *p, const char *out, const struct secret *s,
                  struct sealing_cost cost, struct err *err)
{
    size_t n = 0;
    struct extra extra = {.name = sealed_name};
    unsigned char *bytes = NULL;
    int rc = sealing_ready(p, err);
    if (rc)
        return rc;
    char *content = sealed_content_make(p->files, &n);
    rc = sealing_seal(&bytes, &extra.len, content, n, s, cost, err);
    sealing_forget(content, n);
    extra.bytes = bytes;
    if (!rc)
        rc = write_folder(out, p->files, true, &extra, err);
    free(bytes);
    return rc;
}

/* ---- opening ---- */

static int read_bytes(unsigned char **bytes, size_t *len, const char *path, struct err *err)
{
    enum { SPARE = 1 << 20 };   /* headers and what each chunk has more */
    struct stat st;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK), rc = 0;
    *bytes = NULL;
    *len = 0;
    if (fd < 0 || fstat(fd, &st))
        rc = err_set(err, ERR_IO, "cannot read %s: %s", path, strerror(errno));
    else if (!S_ISREG(st.st_mode) || (size_t)st.st_size > SEALED_CONTENT_MAX + SPARE)
        rc = err_set(err, ERR_TOO_LARGE, "%s: not a plain file, or larger than any sealed pack",
                     path);
    if (!rc) {
        ssize_t n;
        *bytes = mem_new((size_t)st.st_size + 1, 1);
        while (*len < (size_t)st.st_size &&
               ((n = read(fd, *bytes + *len, (size_t)st.st_size - *len)) > 0 ||
                (n < 0 && errno == EINTR)))
            *len += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0)
        close(fd);
    return rc;
}

/* The public half against what it was. */
static char *changes(const struct files *f, json_t *hashes)
{
    struct remarks r;
    char hash[HASH_HEX];
    const char *path;
    json_t *was;
    remarks_begin(&r);
    json_object_foreach(hashes, path, was) {
        const struct file *now = files_find(f, path);
        if (now)
            hash_bytes(hash, now->text, now->len);
        if (!now || strcmp(hash, json_string_value(was)))
            remark(&r, path, now ? "was changed" : "was taken away", NULL);
    }
    for (int i = 0; i < f->n; i++)
        if (!json_object_get(hashes, f->file[i].path))
            remark(&r, f->file[i].path, "was added", NULL);
    return remarks_end(&r);
}

static int open_content(struct files **hidden, json_t **hashes, const struct pack *sealed,
                        const struct secret *s, struct err *err)
{
    char *path = text_format("%s/%s", sealed->files->root, sealed_name), *content = NULL;
    unsigned char *bytes = NULL;
    size_t len = 0, n = 0;
    struct err why;
    int rc = read_bytes(&bytes, &len, path, err);
    if (!rc && ((rc = sealing_open(&content, &n, bytes, len, s, &why)) ||
                (rc = sealed_content_read(hidden, hashes, content, n, &why))))
        err_set(err, rc, "%s: %s", path, why.text);
    sealing_forget(content, n);
    free(bytes);
    free(path);
    return rc;
}

static int load_whole(struct pack **out, const struct pack *sealed, const struct files *hidden,
                      const char *changed, struct err *err)
{
    struct files *all = public_half(sealed->files);
    struct err why;
    for (int i = 0; i < hidden->n; i++)
        files_add(all, hidden->file[i].path, hidden->file[i].text, hidden->file[i].len);
    int rc = pack_load(out, all, &why);
    return rc ? err_set(err, rc, "%s%s%s", why.text, changed ? "\nsince it was sealed, " : "",
                        changed ? changed : "")
              : 0;
}

int sealing_unseal(struct pack **out, char **changed, const struct pack *sealed,
                   const struct secret *s, struct err *err)
{
    struct files *hidden = NULL;
    json_t *hashes = NULL;
    *out = NULL;
    *changed = NULL;
    if (sealed->seal != SEAL_SHUT)
        return err_set(err, ERR_BAD_REQUEST, "%s is not sealed", sealed->files->root);
    int rc = open_content(&hidden, &hashes, sealed, s, err);
    if (!rc) {
        *changed = changes(sealed->files, hashes);
        rc = load_whole(out, sealed, hidden, *changed, err);
    }
    if (rc) {
        free(*changed);
        *changed = NULL;
    }
    json_decref(hashes);
    files_free(hidden);
    return rc;
}

int sealing_write_open(const struct pack *opened, const char *out, struct err *err)
{
    return write_folder(out, opened->files, false, NULL, err);
}

#include "scenarios/record/record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "kernels/wire/text.h"

/* ---- provenance ---- */

void recording_now(char out[21])
{
    time_t now = time(NULL);
    struct tm utc;
    strftime(out, 21, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

void recording_provenance(char *out, size_t size, const struct recording *r)
{
    const char *origin = r->device.origin;
    snprintf(out, size, "%s, %s, %s%s", r->device.name, *r->at ? r->at : "no date",
             *origin ? "origin " : "origin not recorded", origin);
}

const char *recording_apart(const struct recording *was, const struct recording *now, char *why,
                            size_t size)
{
    const struct msg_device *a = &was->device, *b = &now->device;
    const struct { const char *what, *was, *now;
    } same[] = {
        {"driver", a->driver, b->driver},
        {"NVRTC", a->nvrtc, b->nvrtc},
        {"CUPTI", a->cupti, b->cupti},
        {"", was->made_by, now->made_by},
    };
    if (was->method != now->method) {
        snprintf(why, size, "by measuring method %d, here %d", was->method, now->method);
        return why;
    }
    if (!*a->origin || strcmp(a->origin, b->origin) != 0) {
        snprintf(why, size, "%s",
                 *a->origin ? "on another machine or card"
                            : "when recordings did not yet tell machines apart");
        return why;
    }
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (strcmp(same[i].was, same[i].now) != 0) {
            snprintf(why, size, "%s %s %s, here %s", *same[i].what ? "with" : "by", same[i].what,
                     *same[i].was ? same[i].was : "unknown", same[i].now);
            return why;
        }
    return NULL;
}

/* ---- reading ---- */

static int read_text(char **text, size_t *len, const char *path, struct err *err)
{
    *text = NULL;
    *len = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), rc = 0;
    struct stat st;
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? 0
                   : err_set(err, ERR_IO, "cannot read %s: %s", path, strerror(errno));
    if (fstat(fd, &st) || !S_ISREG(st.st_mode))
        rc = err_set(err, ERR_IO, "%s is not a plain file", path);
    else if ((size_t)st.st_size > FILE_EVIDENCE_MAX)
        rc = err_set(err, ERR_TOO_LARGE, "%s has %lld bytes; evidence has at most %zu", path,
                     (long long)st.st_size, FILE_EVIDENCE_MAX);
    char *bytes = rc ? NULL : mem_new((size_t)st.st_size + 1, 1);
    for (ssize_t n; !rc && *len < (size_t)st.st_size; *len += (size_t)n)
        if ((n = read(fd, bytes + *len, (size_t)st.st_size - *len)) <= 0)
            rc = err_set(err, ERR_IO, "cannot read %s: %s", path,
                         n ? strerror(errno) : "it changed while it was read");
    close(fd);
    if (rc)
        free(bytes);
    else
        *text = bytes;
    return rc;
}

static void forget(struct evidence_file *f)
{
    recording_free(f->was);
    free(f->text);
    f->was = NULL;
    f->text = NULL;
}

/* Takes `text` over. */
static int see(struct evidence_file *f, char *text, size_t len, struct err *err)
{
    struct err why = {0};
    forget(f);
    f->text = text;
    f->len = len;
    int rc = text ? recording_decode(&f->was, text, len, f->path, &why) : 0;
    return rc == ERR_VERSION ? err_copy(err, &why) : 0;
}

int evidence_file_open(struct evidence_file *f, const char *path, struct err *err)
{
    char *text;
    size_t len;
    *f = (struct evidence_file){.path = text_dup(path)};
    int rc = read_text(&text, &len, path, err);
    return rc ? rc : see(f, text, len, err);
}

void evidence_file_close(struct evidence_file *f)
{
    forget(f);
    free(f->path);
    f->path = NULL;
}

/* ---- writing ---- */

static int make_folders(const char *path, struct err *err)
{
    char *part = text_dup(path);
    int rc = 0;
    for (char *slash = strchr(part + 1, '/'); slash && !rc; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0755) != 0 && errno != EEXIST)
            rc = err_set(err, ERR_IO, "cannot make the folder %s: %s", part, strerror(errno));
        *slash = '/';
    }
    free(part);
    return rc;
}

/* Under a hidden name, then renamed; readers pass over hidden names. */
static int write_atomically(const char *path, const char *text, size_t len, struct err *err)
{
    const char *name = strrchr(path, '/');
    size_t folder = name ? (size_t)(name - path) + 1 : 0;
    char *temporary = text_format("%.*s.%s.XXXXXX", (int)folder, path, path + folder);
    int fd = mkstemp(temporary);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    mode_t mask = umask(0);
    umask(mask);
    bool ok = f && fwrite(text, 1, len, f) == len && fflush(f) == 0 &&
              fchmod(fd, 0666 & ~mask) == 0 && fsync(fd) == 0;
    if (f && fclose(f) != 0)
        ok = false;
    ok = ok && rename(temporary, path) == 0;
    int rc = ok ? 0 : err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
    if (rc && fd >= 0)
        unlink(temporary);
    free(temporary);
    return rc;
}

/* Held from the second look to the rename. A file system that has no locks (-1) leaves only the
 * comparison. */
static int lock_folder(const char *path)
{
    char *folder = text_dup(path), *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (fd >= 0 && flock(fd, LOCK_EX) != 0 && errno == EINTR)
        continue;
    free(folder);
    return fd;
}

static char *encode(const struct recording *r, size_t *len)
{
    json_t *root = recording_encode(r);
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_SORT_KEYS | JSON_REAL_PRECISION(12)),
         *whole = text_format("%s\n", text);
    *len = strlen(whole);
    json_decref(root);
    free(text);
    return whole;
}

/* ---- may it be written? ---- */

static bool is_newer(const struct recording *a, const struct recording *b)
{
    return strcmp(a->at, b->at) > 0;
}

static bool is_as_seen(const struct evidence_file *f, const struct evidence_file *now)
{
    return !now->text == !f->text &&
           (!f->text || (f->len == now->len && !memcmp(f->text, now->text, f->len)));
}

/* What only the file has. */
static void join(struct recording *r, const struct recording *there)
{
    int ours = r->n_items;
    for (int i = 0; i < there->n_items; i++) {
        bool known = false;
        for (int k = 0; k < ours; k++)
            known = known || !strcmp(r->items[k].key, there->items[i].key);
        if (!known)
            recording_append(r, there->items[i].key, &there->items[i].part);
    }
}

/* Sets f->said to what the write replaces or adds to, or returns ERR_BUSY. */
static int decide(struct evidence_file *f, const struct evidence_file *now, struct recording *r,
                  struct err *err)
{
    char there[200], why[160];
    bool seen = is_as_seen(f, now);
    f->said[0] = '\0';
    if (!now->text)
        return 0;
    if (!now->was && seen) {
        snprintf(f->said, sizeof f->said, "replaces a file that could not be read as evidence");
        return 0;
    }
    if (!now->was)
        return err_set(err, ERR_BUSY,
                       "%s was changed meanwhile, into what cannot be read as evidence", f->path);
    bool apart = recording_apart(now->was, r, why, sizeof why) != NULL,
         foreign = strcmp(now->was->device.origin, r->device.origin) || !*r->device.origin;
    bool newer = is_newer(now->was, r) || (!seen && (!f->was || is_newer(now->was, f->was)));
    recording_provenance(there, sizeof there, now->was);
    if (!apart && !seen) {
        join(r, now->was);
        snprintf(f->said, sizeof f->said, "joined with what another recorder wrote meanwhile (%s)",
                 there);
    } else if (newer && (foreign || !seen)) {
        return err_set(err, ERR_BUSY, "%s holds newer evidence, recorded %s (%s)", f->path, why,
                       there);
    } else if (foreign) {
        snprintf(f->said, sizeof f->said, "replaces what was recorded %s (%s)",
                 *now->was->device.origin ? "on another machine or card" : why, there);
    }
    return 0;
}

/* Beside the file, where nobody takes it for evidence; what another machine kept so has another
 * name. */
static int keep_beside(const struct evidence_file *f, const struct recording *r, struct err *err)
{
    char ours[200];
    size_t len;
    struct err why = *err;
    char *path =
             text_format("%s.%s.new", f->path, *r->device.origin ? r->device.origin : "unknown"),
         *text = encode(r, &len);
    recording_provenance(ours, sizeof ours, r);
    int rc = write_atomically(path, text, len, err);
    if (!rc)
        rc = err_set(err, ERR_BUSY,
                     "%s; ours (%s) is kept as %s: mv puts it in its place, and --replace replaces "
                     "what is there without asking",
                     why.text, ours, path);
    free(path);
    free(text);
    return rc;
}

/* Takes `text` over. */
static int put(struct evidence_file *f, char *text, size_t len, struct err *err)
{
    int rc = write_atomically(f->path, text, len, err);
    if (rc)
        free(text);
    else
        see(f, text, len, NULL);
    return rc;
}

/* Where none were measured now those that the file has go on: they say of themselves which host,
 * driver and day they are of. */
static void keep_links(struct recording *r, const struct evidence_file *now)
{
    if (!r->device.links.gpus && now->was)
        r->device.links = now->was->device.links;
}

int evidence_file_write(struct evidence_file *f, struct recording *r, bool replace, struct err *err)
{
    struct evidence_file now = {.path = NULL};
    size_t len;
    int rc = make_folders(f->path, err);
    if (rc)
        return rc;
    int lock = lock_folder(f->path);
    rc = evidence_file_open(&now, f->path, err);
    bool refused = rc == ERR_VERSION || (rc == 0 && (rc = decide(f, &now, r, err)) == ERR_BUSY);
    if (refused && replace) {
        snprintf(f->said, sizeof f->said, "replaced as asked: %.380s", err->text);
        *err = (struct err){0};
        rc = 0;
    } else if (refused) {
        rc = keep_beside(f, r, err);
    }
    if (rc == 0) {
        keep_links(r, &now);
        char *text = encode(r, &len);
        rc = put(f, text, len, err);
    }
    evidence_file_close(&now);
    if (lock >= 0)
        close(lock);
    return rc;
}

int evidence_file_copy(struct evidence_file *f, const char *text, size_t len, struct err *err)
{
    struct evidence_file now = {.path = NULL};
    int rc = make_folders(f->path, err);
    if (rc)
        return rc;
    int lock = lock_folder(f->path);
    rc = evidence_file_open(&now, f->path, err);
    if (rc == 0 && !is_as_seen(f, &now))
        rc = err_set(err, ERR_BUSY, "%s was changed meanwhile", f->path);
    if (rc == 0)
        rc = put(f, text_ndup(text, len), len, err);
    evidence_file_close(&now);
    if (lock >= 0)
        close(lock);
    return rc;
}

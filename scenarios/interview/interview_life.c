/* Sessions on disk: a folder each, with a store, and a file that is locked by the host's process as
 * long as it lives. */
#include "scenarios/interview/interview_life.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/play/attempt_log.h"
#include "scenarios/interview/interview_inside.h"
#include "scenarios/interview/interview_verbs.h"

enum {
    ID_MOST = 40,
    ID_TRIES = 64,
    LOCK_TRIES = 30,
    LOCK_WAIT_MS = 10,
    READ_WAIT_MS = 5000,
    HOST_WAIT_MS = 200
};
static const char lock_name[] = "lock", store_name[] = "session.db";

/* ---- folders ---- */

static char *sessions_folder(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && *state == '/')
        return text_format("%s/warpdrill/sessions", state);
    return text_format("%s/.local/state/warpdrill/sessions", home && *home ? home : ".");
}

static int make_folders(const char *path, struct err *err)
{
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s/", path);
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0700) != 0 && errno != EEXIST)
            return err_set(err, ERR_IO, "cannot make the folder %s: %s", copy, strerror(errno));
        *slash = '/';
    }
    return 0;
}

static bool id_ok(const char *id)
{
    return *id && strlen(id) <= ID_MOST &&
           strspn(id, "0123456789abcdefghijklmnopqrstuvwxyz-") == strlen(id);
}

/* What lies there is believed alone where nobody else can have put it. */
static int trust_folders(const char *sessions, enum path_use use, struct err *err)
{
    char *above = text_ndup(sessions, (size_t)(strrchr(sessions, '/') - sessions));
    int rc = path_trust_folder(above, use, err);
    free(above);
    return rc ? rc : path_trust_folder(sessions, use, err);
}

/* Names of all sessions, malloc'd strings in no order. */
static int session_ids(char ***out, struct err *err)
{
    char *folder = sessions_folder();
    int n = trust_folders(folder, PATH_TO_READ, err);
    DIR *d = n ? NULL : opendir(folder);
    *out = NULL;
    if (n) {
        free(folder);
        return n;
    }
    if (!d && errno != ENOENT) {
        n = err_set(err, ERR_IO, "cannot read %s: %s", folder, strerror(errno));
        free(folder);
        return n;
    }
    for (struct dirent *e; d && (e = readdir(d));)
        if (id_ok(e->d_name)) {
            *out = mem_grow(*out, (size_t)n + 1, sizeof **out);
            (*out)[n++] = text_dup(e->d_name);
        }
    if (d)
        closedir(d);
    free(folder);
    return n;
}

static void free_ids(char **ids, int n)
{
    for (int i = 0; i < n; i++)
        free(ids[i]);
    free(ids);
}

/* "2026-11-21-k7q" by its beginning, or by the end, which is the code's first group. */
static bool is_named(const char *whole, const char *part)
{
    size_t n = strlen(whole), m = strlen(part);
    return m <= n && (!strncmp(whole, part, m) || (m >= 3 && !strcmp(whole + n - m, part)));
}

/* The whole id that `id` names, malloc'd. */
static int find_id(char **out, const char *id, struct err *err)
{
    char **ids;
    int n = session_ids(&ids, err), found = 0;
    *out = NULL;
    if (n < 0)
        return n;
    for (int i = 0; i < n; i++) {
        bool whole = !strcmp(ids[i], id);
        if (!whole && (!is_named(ids[i], id) || found < 0))
            continue;
        free(*out);
        *out = text_dup(ids[i]);
        found = whole ? -1 : found + 1;
    }
    free_ids(ids, n);
    if (found == 1 || found == -1)
        return 0;
    free(*out);
    *out = NULL;
    if (found > 1)
        return err_set(err, ERR_BAD_REQUEST, "'%.40s' names %d interviews: say more of it", id,
                       found);
    return err_set(err, ERR_MISSING, "there is no interview '%.40s' here", id);
}

/* ---- the lock ---- */

/* An fd; ERR_BUSY while another process has it. Somebody who lists looks at the lock for a moment,
 * so a host asks more than once. */
static int take_lock(const char *folder, bool wait, struct err *err)
{
    char *path = text_format("%s/%s", folder, lock_name);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600), rc = 0;
    if (fd < 0)
        rc = err_set(err, ERR_IO, "cannot open %s: %s", path, strerror(errno));
    for (int i = 0; rc == 0 && flock(fd, LOCK_EX | LOCK_NB) != 0; i++) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            rc = err_set(err, ERR_IO, "cannot lock %s: %s", path, strerror(errno));
        else if (i == (wait ? LOCK_TRIES : 0))
            rc = err_set(err, ERR_BUSY, "another warpdrill has this interview open");
        else
            nanosleep(&(struct timespec){.tv_nsec = LOCK_WAIT_MS * 1000000L}, NULL);
    }
    free(path);
    if (rc && fd >= 0)
        close(fd);
    return rc ? rc : fd;
}

static bool is_open(const char *folder)
{
    char *path = text_format("%s/%s", folder, lock_name);
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    bool busy = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    free(path);
    if (fd >= 0)
        close(fd);
    return busy;
}

/* ---- life ---- */

static struct interview *live_new(const char *id)
{
    struct interview *l = mem_new(1, sizeof *l);
    char *all = sessions_folder();
    l->id = text_dup(id);
    if (path_below(&l->folder, all, PATH_NAMES(id), NULL))
        abort(); /* ids come from id_ok, or are made here */
    l->lock = -1;
    l->changes = 1;
    l->session = session_new();
    free(all);
    return l;
}

void interview_free(struct interview *l)
{
    if (!l)
        return;
    interview_settle(l, NULL);
    for (int i = 0; i < SESSION_MAX_PARTS; i++)
        attempt_free(l->attempt[i]);
    store_free(l->store);
    session_free(l->session);
    if (l->lock >= 0)
        close(l->lock);
    free(l->entries);
    free(l->folder);
    free(l->id);
    free(l);
}

static int open_store(struct interview *l, bool read_only, struct err *err)
{
    char *path = text_format("%s/%s", l->folder, store_name);
    struct stat st;
    int rc = 0, got;
    bool reading;
    if (read_only && stat(path, &st) != 0)
        rc = err_set(err, ERR_MISSING, "the interview %s holds no record", l->id);
    else if ((got = read_only ? store_open_to_read(&l->store, path, READ_WAIT_MS, &reading)
                              : store_open(&l->store, path, HOST_WAIT_MS)) != STORE_OK)
        rc = err_set(err,
                     got == STORE_BUSY    ? ERR_BUSY
                     : got == STORE_NEWER ? ERR_VERSION
                                          : ERR_IO,
                     "%s", store_message(l->store));
    free(path);
    return rc;
}

/* Applies what the events of this session's stream say. */
static int interview_load(struct session *s, struct store *store, const char *id, struct err *err)
{
    char stream[64];
    struct store_event *events = NULL;
    int n = 0;
    snprintf(stream, sizeof stream, "session:%.40s", id);
    int got = store_events(store, stream, &events, &n);
    int rc = got == STORE_OK
                 ? 0
                 : err_set(err, got == STORE_BUSY ? ERR_BUSY : ERR_IO, "%s", store_message(store));
    for (int i = 0; rc == 0 && i < n; i++) {
        json_error_t where;
        struct session_event e;
        json_t *body = json_loads(events[i].body, 0, &where);
        rc = body ? session_event_decode(&e, events[i].kind, body, err)
                  : err_set(err, ERR_BAD_REQUEST, "%s", where.text);
        json_decref(body);
        if (rc == 0) {
            memcpy(e.uid, events[i].uid, sizeof e.uid);
            e.seq = events[i].seq;
            e.at_ms = events[i].at_ms;
            e.scribe = interview_is_candidates(e.kind) && !strcmp(events[i].actor, ACTOR_SCRIBE);
            rc = session_apply(s, &e, err);
            rc = rc > 0 ? 0 : rc;
            session_event_free(&e);
        }
        if (rc)
            err_reword(err, rc, "event %lld of the interview %s: %s", (long long)events[i].seq, id,
                       err ? err->text : "");
    }
    store_events_free(events, n);
    if (rc == 0 && s->events == 0)
        rc = err_set(err, ERR_MISSING, "the interview %s holds no record", id);
    return rc;
}

/* The rows of attempts are of an older program: made again from the log. */
static int mend_rows(struct interview *l, struct err *err)
{
    if (!store_needs_rebuild(l->store))
        return 0;
    int rc = store_rebuild_begin(l->store);
    if (rc == STORE_OK) {
        rc = attempts_project(l->store);
        int ended = store_rebuild_end(l->store, rc == STORE_OK);
        rc = rc == STORE_OK ? ended : rc;
    }
    return rc == STORE_OK
               ? 0
               : err_set(err, rc == STORE_BUSY ? ERR_BUSY : ERR_IO, "%s", store_message(l->store));
}

int interview_open(struct interview **out, const char *id, bool read_only, struct err *err)
{
    char *whole;
    int rc = find_id(&whole, id, err);
    if (rc)
        return rc;
    struct interview *l = live_new(whole);
    free(whole);
    rc = path_trust_folder(l->folder, read_only ? PATH_TO_READ : PATH_TO_WRITE, err);
    if (rc == 0 && !read_only)
        rc = l->lock = take_lock(l->folder, true, err);
    rc = rc < 0 ? rc : open_store(l, read_only, err);
    if (rc == 0 && !read_only)
        rc = mend_rows(l, err);
    if (rc == 0)
        rc = interview_load(l->session, l->store, l->id, err);
    l->late = l->session->phase == SESSION_OVER;
    if (rc) {
        interview_free(l);
        return rc;
    }
    *out = l;
    return 0;
}

static int put_invitation(struct interview *l, const struct session_codes *code, int64_t lasting_ms,
                          struct err *err)
{
    char id[8], candidate[65], observer[65];
    session_code_id(id, code->candidate);
    session_code_hash(candidate, code->candidate);
    session_code_hash(observer, code->observer);
    struct session_event e = {.kind = SESSION_INVITED};
    e.invitation = json_pack("{s:s, s:s, s:s, s:I}", "id", id, "candidate", candidate, "observer",
                             observer, "expires_ms", (json_int_t)(interview_now(l) + lasting_ms));
    int rc = interview_append(l, &e, err);
    session_event_free(&e);
    return rc;
}

int interview_invite(struct interview *l, struct session_codes *code, int64_t lasting_ms,
                     struct err *err)
{
    struct session_codes fresh;
    session_codes_make(&fresh);
    size_t n = strlen(l->session->code_id); /* the first group stays: the socket keeps its name */
    if (n == strcspn(fresh.candidate, "-")) {
        memcpy(fresh.candidate, l->session->code_id, n);
        memcpy(fresh.observer, l->session->code_id, n);
    }
    int rc = put_invitation(l, &fresh, lasting_ms, err);
    if (rc == 0)
        *code = fresh;
    return rc;
}

/* A folder of its own, named by the day and the code's first group. */
static int make_session(struct interview **out, struct session_codes *code, struct err *err)
{
    char *all = sessions_folder(), day[16], group[8];
    int64_t now = interview_now(NULL);
    time_t seconds = (time_t)(now / 1000);
    struct tm local;
    int rc = make_folders(all, err), made = -1;
    rc = rc ? rc : trust_folders(all, PATH_TO_WRITE, err);
    strftime(day, sizeof day, "%Y-%m-%d", localtime_r(&seconds, &local));
    for (int i = 0; rc == 0 && made != 0 && i < ID_TRIES; i++) {
        session_codes_make(code);
        session_code_id(group, code->candidate);
        char *id = text_format("%s-%s", day, group);
        *out = live_new(id);
        free(id);
        made = mkdir((*out)->folder, 0700);
        if (made != 0 && errno != EEXIST)
            rc = err_set(err, ERR_IO, "cannot make the folder %s: %s", (*out)->folder,
                         strerror(errno));
        if (made != 0)
            interview_free(*out);
    }
    free(all);
    return rc == 0 && made != 0 ? err_set(err, ERR_IO, "too many interviews on one day") : rc;
}

/* Every file of the folder, and the folder. */
static int remove_folder(const char *folder, struct err *err)
{
    DIR *d = opendir(folder);
    int rc = 0;
    if (!d)
        return err_set(err, ERR_IO, "cannot read %s: %s", folder, strerror(errno));
    for (struct dirent *e; (e = readdir(d));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") && strcmp(e->d_name, lock_name) &&
            unlinkat(dirfd(d), e->d_name, 0) != 0 && rc == 0)
            rc =
                err_set(err, ERR_IO, "cannot delete %s/%s: %s", folder, e->d_name, strerror(errno));
    if (rc == 0 && unlinkat(dirfd(d), lock_name, 0) != 0 &&
        errno != ENOENT) /* last: who waits for it finds nothing else */
        rc = err_set(err, ERR_IO, "cannot delete %s/%s: %s", folder, lock_name, strerror(errno));
    closedir(d);
    if (rc == 0 && rmdir(folder) != 0)
        rc = err_set(err, ERR_IO, "cannot delete %s: %s", folder, strerror(errno));
    return rc;
}

int interview_create(struct interview **out, struct session_codes *code,
                     const struct session_plan *plan, int64_t lasting_ms, struct err *err)
{
    struct interview *l = NULL;
    int rc = make_session(&l, code, err);
    if (rc)
        return rc;
    rc = l->lock = take_lock(l->folder, true, err);
    rc = rc < 0 ? rc : open_store(l, false, err);
    if (rc == 0)
        rc = interview_plan(l, plan, err);
    if (rc == 0)
        rc = put_invitation(l, code, lasting_ms, err);
    if (rc == 0) {
        *out = l;
        return 0;
    }
    store_free(l->store);
    l->store = NULL;
    remove_folder(l->folder, NULL);
    interview_free(l);
    memset(code, 0, sizeof *code);
    return rc;
}

/* ---- lists ---- */

static int64_t bytes_in(const char *folder)
{
    DIR *d = opendir(folder);
    struct stat st;
    int64_t sum = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
            sum += st.st_size;
    if (d)
        closedir(d);
    return sum;
}

static void list_one(struct interview_listed *out, const char *id)
{
    struct interview *l = live_new(id);
    *out = (struct interview_listed){.open = is_open(l->folder),
                                     .bytes = bytes_in(l->folder),
                                     .part = -1};
    snprintf(out->id, sizeof out->id, "%s", id);
    if (path_trust_folder(l->folder, PATH_TO_READ, NULL) || open_store(l, true, NULL) ||
        interview_load(l->session, l->store, id, NULL)) {
        out->unreadable = true;
    } else {
        const struct session *s = l->session;
        snprintf(out->title, sizeof out->title, "%s", s->plan.title);
        snprintf(out->candidate, sizeof out->candidate, "%s", s->plan.candidate);
        out->began_ms = s->began_ms;
        out->last_ms = s->last_ms;
        out->over = s->phase == SESSION_OVER;
        out->parts = s->plan.n_parts;
        out->part = s->part;
    }
    interview_free(l);
}

static int newer_first(const void *a, const void *b)
{
    const struct interview_listed *x = a, *y = b;
    if (x->last_ms != y->last_ms)
        return x->last_ms < y->last_ms ? 1 : -1;
    return -strcmp(x->id, y->id);
}

int interview_list(struct interview_listed **out, int *n, struct err *err)
{
    char **ids;
    int got = session_ids(&ids, err);
    *out = NULL;
    *n = 0;
    if (got < 0)
        return got;
    *out = mem_new((size_t)got, sizeof **out);
    for (int i = 0; i < got; i++)
        list_one(&(*out)[i], ids[i]);
    *n = got;
    qsort(*out, (size_t)got, sizeof **out, newer_first);
    free_ids(ids, got);
    return 0;
}

int interview_plan_of(struct session_plan *out, const char *id, struct err *err)
{
    struct interview *l;
    int rc = interview_open(&l, id, true, err);
    if (rc)
        return rc;
    const struct session *s = interview_session(l);
    for (int k = 0; k < s->events; k++)
        if (s->log[k]->kind == SESSION_PLANNED)
            rc = session_plan_decode(out, s->log[k]->plan, err);
    out->candidate[0] = '\0';
    interview_free(l);
    return rc;
}

int interview_delete(const char *id, struct err *err)
{
    char *whole;
    int rc = find_id(&whole, id, err);
    if (rc)
        return rc;
    struct interview *l = live_new(whole);
    rc = l->lock = take_lock(l->folder, true, err);
    if (rc >= 0)
        rc = remove_folder(l->folder, err);
    interview_free(l);
    free(whole);
    return rc;
}

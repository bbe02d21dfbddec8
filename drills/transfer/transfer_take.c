/* Taking in one line of a log from elsewhere: is it what it claims to be, do we have it, may we
 * have it. */
#include "drills/transfer/transfer_own.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "db/bulk.h"
#include "db/moment.h"
#include "kernels/wire/hash.h"
#include "kernels/wire/text.h"

enum { MOST_REFUSED = 1000, MOST_BLOBS = 16, DAY_MS = 24 * 3600 * 1000 };

void taking_begin(struct taking *t, struct store *store, struct transfer_report *report,
                  struct err *err)
{
    *t = (struct taking){.store = store, .report = report, .attempts = json_object(), .err = err};
}

void taking_end(struct taking *t)
{
    json_decref(t->attempts);
    json_decref(t->settings);
}

void transfer_report_free(struct transfer_report *r)
{
    for (int i = 0; i < r->n_notes; i++)
        free(r->notes[i]);
    r->n_notes = 0;
}

/* ---- notes ---- */

static void note(struct taking *t, const char *fmt, va_list ap)
{
    struct transfer_report *r = t->report;
    char what[400];
    if (r->n_notes == TRANSFER_NOTES)
        return;
    vsnprintf(what, sizeof what, fmt, ap);
    text_clean(what, strlen(what));
    r->notes[r->n_notes++] = text_format("%s:%d: %s", t->file, t->line, what);
}

int taking_refuse(struct taking *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    note(t, fmt, ap);
    va_end(ap);
    return ++t->report->refused < MOST_REFUSED
               ? 0
               : err_set(t->err, ERR_BAD_REQUEST,
                         "%s: so much of it cannot be read that reading stopped", t->file);
}

static int leave_out(struct taking *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int leave_out(struct taking *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    note(t, fmt, ap);
    va_end(ap);
    t->report->left_out++;
    return 0;
}

/* ---- the head and the blobs ---- */

int taking_head(struct taking *t, const char *format, json_int_t version)
{
    if (!format || strcmp(format, TRANSFER_FORMAT))
        return err_set(t->err, ERR_BAD_REQUEST,
                       "%s:%d: this is no export of warpdrill; its first line was expected to name "
                       "the format " TRANSFER_FORMAT,
                       t->file, t->line);
    if (version > TRANSFER_VERSION)
        return err_set(t->err, ERR_VERSION,
                       "%s:%d: written by a newer warpdrill: its version is %" JSON_INTEGER_FORMAT
                       ", this program knows up to %d. Update warpdrill",
                       t->file, t->line, version, TRANSFER_VERSION);
    return version >= 1 ? 0
                        : err_set(t->err, ERR_BAD_REQUEST, "%s:%d: version: 1 was expected",
                                  t->file, t->line);
}

static bool is_hex(const char *text, size_t n)
{
    return strlen(text) == n && strspn(text, "0123456789abcdef") == n;
}

/* malloc'd; NULL when it is no such encoding. */
static char *blob_bytes(const char *encoding, const char *content, size_t *n)
{
    *n = strlen(content);
    if (!strcmp(encoding, "text"))
        return text_dup(content);
    if (strcmp(encoding, "base64"))
        return NULL;
    unsigned char *out = mem_new(*n + 1, 1);
    if (sodium_base642bin(out, *n + 1, content, *n, "\r\n", n, NULL,
                          sodium_base64_VARIANT_ORIGINAL) == 0)
        return (char *)out;
    free(out);
    return NULL;
}

int taking_blob(struct taking *t, const char *sha256, const char *encoding, const char *content)
{
    char hash[HASH_HEX];
    size_t n;
    t->blobs++;
    if (!is_hex(sha256, 64))
        return taking_refuse(t, "sha256: not a hash; 64 digits 0-9 a-f were expected");
    char *bytes = blob_bytes(encoding, content, &n);
    if (!bytes)
        return taking_refuse(t,
                             "encoding: '%.20s' does not fit the content; text, or base64 of it, "
                             "was expected",
                             encoding);
    hash_bytes(hash, bytes, n);
    struct store_blob blob = {.bytes = bytes, .n = n};
    memcpy(blob.sha256, hash, sizeof hash);
    int rc = strcmp(hash, sha256) ? taking_refuse(t,
                                                  "content: its hash is %.12s..., not %.12s... as "
                                                  "the line says: it was changed",
                                                  hash, sha256)
                                  : store_import_blob(t->store, &blob);
    free(bytes);
    return rc < 0 && !t->err->code ? transfer_store_error(t->store, rc, t->err) : rc;
}

/* ---- events ---- */

static bool is_one_of(const char *text, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(text, *names))
            return true;
    return false;
}

static bool stream_ok(const char *stream)
{
    size_t n = strlen(stream);
    if (!strncmp(stream, "attempt:", 8))
        return is_hex(stream + 8, 32);
    if (!strncmp(stream, "item:", 5))
        return n > 5 && text_first_bad(stream, n) == n && !strchr(stream, '\n');
    if (!strncmp(stream, "mend:", 5))
        return n > 5 && text_first_bad(stream, n) == n && !strchr(stream, '\n');
    return !strcmp(stream, "settings") ||
           (!strncmp(stream, "session:", 8) && text_first_bad(stream, n) == n);
}

const char *transfer_event_fault(const struct store_event *e)
{
    static const char *const actors[] = {"self", "host", "candidate", "observer", "program", NULL},
                             *const audiences[] = {"all", "host", NULL};
    int64_t day = e->at_ms / DAY_MS;
    if (!is_hex(e->uid, 32))
        return "uid: 32 digits 0-9 a-f were expected";
    if (!stream_ok(e->stream))
        return "stream: attempt:UID, item:ID, session:ID, mend:ID or settings was expected";
    if (!*e->kind || strspn(e->kind, "abcdefghijklmnopqrstuvwxyz-") != strlen(e->kind))
        return "kind: a word a-z was expected";
    if (e->version < 1)
        return "version: a number from 1 on was expected";
    if (e->at_ms < 0 || e->at_ms > STORE_MS_MOST)
        return "at_ms: milliseconds of a moment between 1970 and 2200 were expected";
    if (e->day < day - 2 || e->day > day + 2)
        return "day: the day of at_ms was expected, counted from 1970-01-01";
    if (!is_one_of(e->actor, actors))
        return "actor: self, host, candidate, observer or program was expected";
    return is_one_of(e->audience, audiences) ? NULL : "audience: all or host was expected";
}

/* Returns how many, or -1. */
static int read_hashes(const json_t *blobs, struct store_hash out[MOST_BLOBS])
{
    size_t n = json_array_size(blobs);
    for (size_t i = 0; i < n; i++) {
        const char *text = json_string_value(json_array_get(blobs, i));
        if (i == MOST_BLOBS || !text || !is_hex(text, 64))
            return -1;
        strcpy(out[i].sha256, text);
    }
    return (int)n;
}

/* ---- what may come in ---- */

/* An attempt that has events here may only grow: if the file does not hold all of ours, it went on
 * in two places, and both halves together would be no attempt at all. The file tells its events in
 * order, so ours have come by when its first new one does. */
static bool attempt_may_grow(struct taking *t, const struct store_event *e, bool known)
{
    enum { GROWS = -1, STAYS = -2 };
    json_t *state = json_object_get(t->attempts, e->stream);
    json_int_t seen = json_integer_value(state);
    if (seen >= 0 && !known) {
        struct store_event *ours = NULL;
        int n = 0;
        store_events(t->store, e->stream, &ours, &n);
        store_events_free(ours, n);
        seen = n == seen ? GROWS : STAYS;
    } else if (seen >= 0) {
        seen++;
    }
    json_object_set_new(t->attempts, e->stream, json_integer(seen));
    return known || seen == GROWS;
}

/* When each setting was last changed here, before any of the file came; read once, since a file may
 * hold a million names. */
static int read_settings(struct taking *t)
{
    struct store_event *events = NULL;
    int n = 0, rc = store_events(t->store, "settings", &events, &n);
    if (rc != STORE_OK)
        return transfer_store_error(t->store, rc, t->err);
    t->settings = json_object();
    for (int i = 0; i < n; i++) {
        json_t *body = json_loads(events[i].body, 0, NULL);
        const char *name = json_string_value(json_object_get(body, "name"));
        if (name)
            json_object_set_new(t->settings, name, json_integer(events[i].at_ms));
        json_decref(body);
    }
    store_events_free(events, n);
    return 0;
}

/* Was it set here after that? */
static bool is_outdated(const struct taking *t, const char *name, int64_t at_ms)
{
    return json_integer_value(json_object_get(t->settings, name)) > at_ms;
}

/* false: left out, and said. */
static bool may_come(struct taking *t, const struct store_event *e, bool known)
{
    bool comes = true;
    if (!strncmp(e->stream, "attempt:", 8) && !attempt_may_grow(t, e, known)) {
        leave_out(t, "left out: attempt %.8s... went on in two places; it stays as it is here",
                  e->stream + 8);
        return false;
    }
    if (known || strcmp(e->stream, "settings"))
        return true;
    json_t *body = json_loads(e->body, 0, NULL);
    const char *name = json_string_value(json_object_get(body, "name"));
    if (name && !strcmp(name, "runner"))
        comes = leave_out(t, "left out: the command that starts the runner; set it again on this "
                             "machine if you want it");
    else if (name && is_outdated(t, name, e->at_ms))
        comes = leave_out(t, "left out: the setting '%.40s' was changed here later", name);
    json_decref(body);
    return comes;
}

static int put(struct taking *t, struct store_event *e, const struct store_hash *hashes, int n)
{
    int known = store_has(t->store, e->uid);
    if (known < 0)
        return transfer_store_error(t->store, known, t->err);
    if (!t->settings && !strcmp(e->stream, "settings") && read_settings(t))
        return t->err->code;
    if (!may_come(t, e, known))
        return 0;
    int rc = store_import_event(t->store, e, hashes, n);
    if (rc == STORE_DAMAGED)
        return taking_refuse(t, "%.200s", store_message(t->store));
    if (rc < 0)
        return transfer_store_error(t->store, rc, t->err);
    t->report->fresh += rc == 1;
    t->report->known += rc == 0;
    return 0;
}

int taking_event(struct taking *t, struct store_event *e, const json_t *body, const json_t *blobs)
{
    struct store_hash hashes[MOST_BLOBS];
    const char *fault = transfer_event_fault(e);
    int n = read_hashes(blobs, hashes);
    t->events++;
    if (fault)
        return taking_refuse(t, "%s", fault);
    if (n < 0)
        return taking_refuse(t, "blobs: up to %d hashes of 64 digits were expected",
                             (int)MOST_BLOBS);
    e->body = json_is_object(body) ? json_dumps(body, TRANSFER_JSON) : NULL;
    int rc = e->body ? put(t, e, hashes, n) : taking_refuse(t, "body: a JSON object was expected");
    free(e->body);
    e->body = NULL;
    return rc;
}

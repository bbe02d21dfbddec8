/* Writing the log: JSON lines and CSV. */
#include "drills/transfer/transfer.h"

#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/bulk.h"
#include "drills/question/rows.h"
#include "drills/transfer/transfer_own.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

enum { PIECE = 256, BLOB_COLUMNS = 3 };

static const char *const event_columns[] = {"uid", "stream", "kind",     "version", "at_ms",
                                            "day", "actor",  "audience", "blobs",   "body"};
static const char *const blob_columns[] = {"sha256", "encoding", "content"};

/* Where the log goes; one of the two. */
struct sink {
    FILE *json;
    FILE *events, *blobs;   /* CSV */
    json_t *written;        /* hashes of blobs that are there already */
};

/* ---- one event ---- */

static char *blob_text(const char *bytes, size_t n, const char **encoding)
{
    if (!memchr(bytes, '\0', n) && !memchr(bytes, '\r', n) && text_first_bad(bytes, n) == n) {
        *encoding = "text";
        return text_ndup(bytes, n);
    }
    size_t size = sodium_base64_encoded_len(n, sodium_base64_VARIANT_ORIGINAL);
    char *out = mem_new(size, 1);
    *encoding = "base64";
    return sodium_bin2base64(out, size, (const unsigned char *)bytes, n,
                             sodium_base64_VARIANT_ORIGINAL);
}

static void write_json(FILE *f, json_t *line)
{
    json_dumpf(line, f, TRANSFER_JSON);
    fputc('\n', f);
    json_decref(line);
}

static int write_blob(struct store *store, struct sink *sink, const char *sha256, struct err *err)
{
    char *bytes = NULL;
    const char *encoding;
    size_t n;
    if (json_object_get(sink->written, sha256))
        return 0;
    int rc = store_blob_get(store, sha256, &bytes, &n);
    if (rc != STORE_OK)
        return transfer_store_error(store, rc, err);
    char *text = blob_text(bytes, n, &encoding);
    if (sink->json)
        write_json(sink->json, json_pack("{s:s, s:s, s:s}", "blob", sha256, "encoding", encoding,
                                         "content", text));
    else
        transfer_write_row(sink->blobs, (const char *const[]){sha256, encoding, text},
                           BLOB_COLUMNS);
    json_object_set_new(sink->written, sha256, json_true());
    free(text);
    free(bytes);
    return 0;
}

static void write_event_json(FILE *f, const struct store_event *e, json_t *body,
                             const struct store_hash *blobs, int n)
{
    json_t *line =
        json_pack("{s:s, s:s, s:s, s:i, s:I, s:i, s:s, s:s}", "uid", e->uid, "stream", e->stream,
                  "kind", e->kind, "version", e->version, "at_ms", (json_int_t)e->at_ms, "day",
                  e->day, "actor", e->actor, "audience", e->audience);
    json_t *hashes = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(hashes, json_string(blobs[i].sha256));
    json_object_set_new(line, "blobs", hashes);
    json_object_set(line, "body", body);
    write_json(f, line);
}

/* JSON in a cell: what a reader of CSV would refuse is written as \uXXXX. */
static char *body_cell(const json_t *body)
{
    char *text = json_dumps(body, TRANSFER_JSON);
    if (text && text_first_bad(text, strlen(text)) < strlen(text)) {
        free(text);
        text = json_dumps(body, TRANSFER_JSON | JSON_ENSURE_ASCII);
    }
    for (char *del; text && (del = strchr(text, 0x7f));) {
        char *more = text_format("%.*s\\u007f%s", (int)(del - text), text, del + 1);
        free(text);
        text = more;
    }
    return text;
}

static void write_event_csv(FILE *f, const struct store_event *e, const json_t *body,
                            const struct store_hash *blobs, int n)
{
    char version[16], at[24], day[16], *hashes = mem_new((size_t)n + 1, sizeof(struct store_hash)),
                                       *cell = body_cell(body);
    snprintf(version, sizeof version, "%d", e->version);
    snprintf(at, sizeof at, "%" PRId64, e->at_ms);
    snprintf(day, sizeof day, "%d", e->day);
    for (int i = 0; i < n; i++) {
        strcat(hashes, i ? " " : "");
        strcat(hashes, blobs[i].sha256);
    }
    transfer_write_row(f,
                       (const char *const[]){e->uid, e->stream, e->kind, version, at, day, e->actor,
                                             e->audience, hashes, cell ? cell : ""},
                       TRANSFER_EVENT_COLUMNS);
    free(hashes);
    free(cell);
}

static int write_event(struct store *store, struct sink *sink, const struct store_event *e,
                       struct err *err)
{
    struct store_hash *blobs = NULL;
    int n = 0, rc = store_event_blobs(store, e->seq, &blobs, &n);
    if (rc != STORE_OK)
        return transfer_store_error(store, rc, err);
    for (int i = 0; i < n && rc == 0; i++)
        rc = write_blob(store, sink, blobs[i].sha256, err);
    json_t *body = rc ? NULL : transfer_body(e);
    if (body && sink->json)
        write_event_json(sink->json, e, body, blobs, n);
    else if (body)
        write_event_csv(sink->events, e, body, blobs, n);
    free(blobs);
    if (rc == 0 && !body)
        rc = err_set(err, ERR_INTERNAL,
                     "the event %s (%s) cannot be written as JSON. Nothing was exported; warpdrill "
                     "backup copies it as it is",
                     e->uid, e->kind);
    json_decref(body);
    return rc;
}

static int write_events(struct store *store, struct sink *sink, struct err *err)
{
    int64_t after = 0;
    int n = PIECE, rc = 0;
    sink->written = json_object();
    while (rc == 0 && n == PIECE) {
        struct store_event *events = NULL;
        rc = store_log(store, after, PIECE, &events, &n);
        if (rc != STORE_OK)
            rc = transfer_store_error(store, rc, err);
        for (int i = 0; i < n && rc == 0; i++)
            rc = write_event(store, sink, &events[i], err);
        if (n)
            after = events[n - 1].seq;
        store_events_free(events, n);
    }
    json_decref(sink->written);
    return rc;
}

/* ---- JSON ---- */

int transfer_write_json(struct store *store, FILE *out, struct err *err)
{
    struct sink sink = {.json = out};
    int64_t events = 0, blobs = 0;
    int rc = store_snapshot_begin(store);
    if (rc == STORE_OK)
        rc = store_count(store, &events, &blobs);
    if (rc != STORE_OK) {
        store_snapshot_end(store);
        return transfer_store_error(store, rc, err);
    }
    write_json(out, json_pack("{s:s, s:i, s:I, s:I}", "format", TRANSFER_FORMAT, "version",
                              TRANSFER_VERSION, "events", (json_int_t)events, "blobs",
                              (json_int_t)blobs));
    rc = write_events(store, &sink, err);
    store_snapshot_end(store);
    if (rc == 0 && (fflush(out) != 0 || ferror(out)))
        rc = err_set(err, ERR_IO, "the export cannot be written: %s", strerror(errno));
    return rc;
}

static int refuse_existing(const char *path, struct err *err)
{
    struct stat st;
    return stat(path, &st) == 0
               ? err_set(err, ERR_BAD_REQUEST,
                         "%s is there already; name another, nothing is replaced", path)
               : 0;
}

/* Messages name the file that was asked for, never its hidden name while it grows. */
static void name_asked(struct err *err, const char *part, const char *path)
{
    char *at = err ? strstr(err->text, part) : NULL;
    if (at)
        err_set(err, err->code, "%.*s%s%s", (int)(at - err->text), err->text, path,
                at + strlen(part));
}

int transfer_write_file(struct store *store, const char *path, struct err *err)
{
    char *part = text_format("%s.part-%ld", path, (long)getpid());
    int rc = refuse_existing(path, err);
    FILE *f = rc ? NULL : transfer_create(NULL, part, err);
    if (f) {
        rc = transfer_write_json(store, f, err);
        int closed = transfer_close(f, NULL, part, rc ? NULL : err);
        rc = rc ? rc : closed;
        if (rc == 0 && rename(part, path) != 0)
            rc = err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
        if (rc)
            remove(part);
    } else if (rc == 0) {
        rc = ERR_IO;
    }
    if (rc)
        name_asked(err, part, path);
    free(part);
    return rc;
}

/* ---- CSV ---- */

static int write_head(struct store *store, const char *folder, struct err *err)
{
    int64_t events, blobs;
    int rc = store_count(store, &events, &blobs);
    FILE *f = rc == STORE_OK ? transfer_create(folder, "warpdrill.csv", err) : NULL;
    if (!f)
        return rc == STORE_OK ? ERR_IO : transfer_store_error(store, rc, err);
    fprintf(f,
            "name,value\r\nformat,%s\r\nversion,%d\r\nevents,%" PRId64 "\r\nblobs,%" PRId64 "\r\n",
            TRANSFER_FORMAT, TRANSFER_VERSION, events, blobs);
    return transfer_close(f, folder, "warpdrill.csv", err);
}

static int write_log(struct store *store, const char *folder, struct err *err)
{
    struct sink sink = {.events = transfer_create(folder, "events.csv", err)};
    if (!sink.events)
        return ERR_IO;
    sink.blobs = transfer_create(folder, "blobs.csv", err);
    int rc = sink.blobs ? 0 : ERR_IO;
    if (rc == 0) {
        transfer_write_row(sink.events, event_columns, TRANSFER_EVENT_COLUMNS);
        transfer_write_row(sink.blobs, blob_columns, BLOB_COLUMNS);
        rc = write_events(store, &sink, err);
    }
    int closed = transfer_close(sink.events, folder, "events.csv", rc ? NULL : err);
    rc = rc ? rc : closed;
    closed = sink.blobs ? transfer_close(sink.blobs, folder, "blobs.csv", rc ? NULL : err) : 0;
    return rc ? rc : closed;
}

static void remove_folder(const char *folder)
{
    static const char *const names[] = {"warpdrill", "events",  "blobs", "attempts", "score_lines",
                                        "beliefs",   "answers", "items", "reviews",  "settings"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path, *name = text_format("%s.csv", names[i]);
        if (path_below(&path, folder, PATH_NAMES(name), NULL) == 0)
            remove(path);
        free(path);
        free(name);
    }
    rmdir(folder);
}

static int write_folder(struct store *store, const char *folder, struct err *err)
{
    int rc = store_snapshot_begin(store);
    if (rc != STORE_OK)
        return transfer_store_error(store, rc, err);
    rc = write_head(store, folder, err);
    if (rc == 0)
        rc = write_log(store, folder, err);
    if (rc == 0)
        rc = transfer_write_tables(store, folder, err);
    store_snapshot_end(store);
    return rc;
}

int transfer_write_csv(struct store *store, const char *folder, struct err *err)
{
    char *part = text_format("%s.part-%ld", folder, (long)getpid());
    int rc = refuse_existing(folder, err);
    if (rc == 0 && mkdir(part, 0700) != 0)
        rc = err_set(err, ERR_IO, "%s: %s", part, strerror(errno));
    else if (rc == 0) {
        rc = write_folder(store, part, err);
        if (rc == 0 && rename(part, folder) != 0)
            rc = err_set(err, ERR_IO, "%s: %s", folder, strerror(errno));
        if (rc)
            remove_folder(part);
    }
    if (rc)
        name_asked(err, part, folder);
    free(part);
    return rc;
}

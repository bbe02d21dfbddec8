/* Reading a log from elsewhere: JSON lines. */
#include "drills/transfer/transfer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "db/bulk.h"
#include "drills/memory/review.h"
#include "drills/transfer/transfer_own.h"
#include "kernels/wire/line.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

#define MOST_BYTES (512LL << 20)
enum { MOST_LINE = 128 << 20, MOST_HEAD = 4096 }; /* a text is a line with its escapes */

/* What the head says there is; -1: it does not. */
struct promised { json_int_t events, blobs; };

static int check_whole(struct taking *t, const struct promised *p)
{
    if (p->events == t->events && p->blobs == t->blobs)
        return 0;
    return err_set(t->err, ERR_BAD_REQUEST,
                   "%s: it holds %ld events and %ld texts, its head says %" JSON_INTEGER_FORMAT
                   " and %" JSON_INTEGER_FORMAT ": it was cut short or put together from several",
                   t->file, t->events, t->blobs, p->events, p->blobs);
}

static bool copy_member(char *out, size_t size, const json_t *line, const char *name)
{
    const char *text = json_string_value(json_object_get(line, name));
    if (!text || strlen(text) >= size)
        return false;
    strcpy(out, text);
    return true;
}

static bool is_int(const json_t *line, const char *name)
{
    json_t *value = json_object_get(line, name);
    return json_is_integer(value) && json_integer_value(value) >= INT32_MIN &&
           json_integer_value(value) <= INT32_MAX;
}

static int take_json_event(struct taking *t, const json_t *line)
{
    struct store_event e = {.version = (int)json_integer_value(json_object_get(line, "version")),
                            .at_ms = json_integer_value(json_object_get(line, "at_ms")),
                            .day = (int)json_integer_value(json_object_get(line, "day"))};
    const json_t *blobs = json_object_get(line, "blobs");
    if (!copy_member(e.uid, sizeof e.uid, line, "uid") ||
        !copy_member(e.stream, sizeof e.stream, line, "stream") ||
        !copy_member(e.kind, sizeof e.kind, line, "kind") ||
        !copy_member(e.actor, sizeof e.actor, line, "actor") ||
        !copy_member(e.audience, sizeof e.audience, line, "audience") || !is_int(line, "version") ||
        !is_int(line, "day") || !json_is_array(blobs) ||
        json_object_size(line) != TRANSFER_EVENT_COLUMNS) {
        t->events++;
        return taking_refuse(t, "not an event; uid, stream, kind, version, at_ms, day, actor, "
                                "audience, blobs and body were expected");
    }
    return taking_event(t, &e, json_object_get(line, "body"), blobs);
}

static int take_json_blob(struct taking *t, const json_t *line)
{
    const char *sha = json_string_value(json_object_get(line, "blob")),
               *encoding = json_string_value(json_object_get(line, "encoding")),
               *content = json_string_value(json_object_get(line, "content"));
    if (sha && encoding && content)
        return taking_blob(t, sha, encoding, content);
    t->blobs++;
    return taking_refuse(t, "not a text; blob, encoding and content were expected");
}

static json_t *parse_line(struct taking *t, const char *text, size_t n)
{
    json_error_t bad;
    if (t->line == 1 && n >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) {
        text += 3;
        n -= 3;
    }
    json_t *line = json_loadb(text, n, JSON_REJECT_DUPLICATES, &bad);
    if (!json_is_object(line))
        taking_refuse(t, "column %d: %s; a JSON object was expected", line ? 1 : bad.column,
                      line ? "another value" : bad.text);
    return line;
}

static int take_json_head(struct taking *t, const json_t *line, struct promised *p)
{
    json_t *events = json_object_get(line, "events"), *blobs = json_object_get(line, "blobs");
    *p = (struct promised){json_is_integer(events) ? json_integer_value(events) : -1,
                           json_is_integer(blobs) ? json_integer_value(blobs) : -1};
    return taking_head(t, json_string_value(json_object_get(line, "format")),
                       json_integer_value(json_object_get(line, "version")));
}

/* 1, 0 at the end, or a code with what is to be said. */
static int next_line(struct taking *t, struct file_line *l, FILE *f)
{
    int rc = line_read(l, f, t->line ? MOST_LINE : MOST_HEAD);
    t->line++;
    if (rc == ERR_TOO_LARGE && t->line == 1)
        return taking_head(t, NULL, 0);
    if (rc == ERR_TOO_LARGE)
        return err_set(t->err, rc, "%s:%d: more than %d MiB without the end of a line", t->file,
                       t->line, MOST_LINE >> 20);
    return rc < 0 ? err_set(t->err, rc, "%s: %s", t->file, strerror(errno)) : rc;
}

static int take_json_first(struct taking *t, struct file_line *l, FILE *f, struct promised *p)
{
    int rc = next_line(t, l, f);
    if (rc < 0)
        return rc;
    json_t *line = rc ? parse_line(t, l->text, l->len) : NULL;
    rc = take_json_head(t, line, p); /* of no object too: it is another program's file */
    json_decref(line);
    return rc;
}

static int take_json_lines(struct taking *t, struct file_line *l, FILE *f)
{
    int rc;
    while ((rc = next_line(t, l, f)) > 0) {
        json_t *line = parse_line(t, l->text, l->len);
        rc = 0;
        if (json_is_object(line))
            rc = json_object_get(line, "blob") ? take_json_blob(t, line) : take_json_event(t, line);
        else if (t->report->refused >= TRANSFER_NOTES)
            rc = err_set(t->err, ERR_BAD_REQUEST,
                         "%s: so much of it cannot be read that reading stopped", t->file);
        json_decref(line);
        if (rc)
            return rc;
    }
    return rc;
}

static int take_json(struct taking *t, const char *path)
{
    struct promised promised = {-1, -1};
    struct file_line l = {0};
    struct stat st;
    FILE *f;
    int rc = path_open_stream(&f, path, t->err);
    t->file = path;
    if (rc)
        return rc;
    if (fstat(fileno(f), &st) == 0 && st.st_size > MOST_BYTES)
        rc = err_set(t->err, ERR_TOO_LARGE, "%s: more than %lld MiB; a smaller file was expected",
                     path, MOST_BYTES >> 20);
    if (rc == 0)
        rc = take_json_first(t, &l, f, &promised);
    if (rc == 0 && !t->head_alone)
        rc = take_json_lines(t, &l, f);
    fclose(f);
    free(l.text);
    return rc || t->head_alone || t->report->refused ? rc : check_whole(t, &promised);
}

/* ---- from end to end ---- */

/* Tables are written for spreadsheets; they say too little to make a log of. */
static int refuse_csv(const char *path, const struct stat *st, struct err *err)
{
    size_t n = strlen(path);
    if (!S_ISDIR(st->st_mode) && (n < 4 || strcasecmp(path + n - 4, ".csv") != 0))
        return 0;
    return err_set(err, ERR_BAD_REQUEST,
                   "%s: %s. Progress comes in as JSON: write it with \"warpdrill export --out "
                   "FILE.json\", then import that file; cards of your own come "
                   "in with \"warpdrill cards import FILE.csv\"",
                   path,
                   S_ISDIR(st->st_mode) ? "a folder, and exports as CSV are for spreadsheets alone"
                                        : "CSV is for spreadsheets alone");
}

static int settle(struct taking *t)
{
    if (t->report->refused)
        return err_set(t->err, ERR_BAD_REQUEST, "%s: %ld of its lines cannot be taken", t->file,
                       t->report->refused);
    return t->report->fresh ? review_rebuild(t->store, t->err) : 0;
}

int transfer_look(const char *path, struct err *err)
{
    struct transfer_report report = {0};
    struct taking t;
    struct stat st;
    if (stat(path, &st) != 0)
        return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    int rc = refuse_csv(path, &st, err);
    if (rc == 0 && !S_ISREG(st.st_mode))
        return 0;
    taking_begin(&t, NULL, &report, err);
    t.head_alone = true;
    rc = rc ? rc : take_json(&t, path);
    taking_end(&t);
    transfer_report_free(&report);
    return rc ? err_set(err, rc, "%s. Nothing was stored", err ? err->text : "") : 0;
}

int transfer_read(struct store *store, const char *path, bool dry, struct transfer_report *report,
                  struct err *err)
{
    struct taking t;
    struct stat st;
    struct err own = {0};
    *report = (struct transfer_report){0};
    if (stat(path, &st) != 0)
        return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    if (refuse_csv(path, &st, err))
        return ERR_BAD_REQUEST;
    int rc = store_import_begin(store);
    if (rc != STORE_OK)
        return transfer_store_error(store, rc, err);
    taking_begin(&t, store, report, &own);
    rc = take_json(&t, path);
    if (rc == 0)
        rc = settle(&t);
    taking_end(&t);
    int ended = store_import_end(store, rc == 0 && !dry);
    if (rc == 0 && ended != STORE_OK)
        return transfer_store_error(store, ended, err);
    return rc ? err_set(err, rc, "%s. Nothing was stored", own.text) : 0;
}

/* Reading a log from elsewhere: JSON lines, or a folder of CSV. */
#include "drills/transfer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drills/review.h"
#include "drills/rows.h"
#include "drills/transfer_own.h"
#include "kernels/wire/line.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

#define MOST_BYTES (512LL << 20)
enum { MOST_LINE = 128 << 20, MOST_HEAD = 4096 };   /* a text is a line with its escapes */
static const struct rows_limits limits = {2000000, 64 << 20, (size_t)MOST_BYTES};

/* What the head says there is; -1: it does not. */
struct promised { json_int_t events, blobs; };

static int check_whole(struct taking *t, const struct promised *p)
{
    if (p->events == t->events && p->blobs == t->blobs)
        return 0;
    return err_set(t->err, ERR_BAD_REQUEST, "%s: it holds %ld events and %ld texts, its head says %" JSON_INTEGER_FORMAT " and %" JSON_INTEGER_FORMAT
                   ": it was cut short or put together from several", t->file, t->events, t->blobs, p->events, p->blobs);
}

/* ---- JSON ---- */

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
    return json_is_integer(value) && json_integer_value(value) >= INT32_MIN && json_integer_value(value) <= INT32_MAX;
}

static char *hashes_text(const json_t *array)
{
    char *out = text_dup("");
    json_t *hash;
    size_t i;
    json_array_foreach(array, i, hash) {
        char *more = text_format("%s %s", out, json_is_string(hash) ? json_string_value(hash) : "?");
        free(out);
        out = more;
    }
    return out;
}

static int take_json_event(struct taking *t, const json_t *line)
{
    struct store_event e = {.version = (int)json_integer_value(json_object_get(line, "version")),
                            .at_ms = json_integer_value(json_object_get(line, "at_ms")),
                            .day = (int)json_integer_value(json_object_get(line, "day"))};
    const json_t *blobs = json_object_get(line, "blobs");
    if (!copy_member(e.uid, sizeof e.uid, line, "uid") || !copy_member(e.stream, sizeof e.stream, line, "stream") ||
        !copy_member(e.kind, sizeof e.kind, line, "kind") || !copy_member(e.actor, sizeof e.actor, line, "actor") ||
        !copy_member(e.audience, sizeof e.audience, line, "audience") || !is_int(line, "version") || !is_int(line, "day") || !json_is_array(blobs) ||
        json_object_size(line) != TRANSFER_EVENT_COLUMNS) {
        t->events++;
        return taking_refuse(t, "not an event; uid, stream, kind, version, at_ms, day, actor, audience, blobs and body were expected");
    }
    char *body = json_dumps(json_object_get(line, "body"), TRANSFER_JSON | JSON_ENCODE_ANY), *hashes = hashes_text(blobs);
    int rc = taking_event(t, &e, body ? body : "", hashes);
    free(body);
    free(hashes);
    return rc;
}

static int take_json_blob(struct taking *t, const json_t *line)
{
    const char *sha = json_string_value(json_object_get(line, "blob")), *encoding = json_string_value(json_object_get(line, "encoding")),
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
        taking_refuse(t, "column %d: %s; a JSON object was expected", line ? 1 : bad.column, line ? "another value" : bad.text);
    return line;
}

static int take_json_head(struct taking *t, const json_t *line, struct promised *p)
{
    json_t *events = json_object_get(line, "events"), *blobs = json_object_get(line, "blobs");
    *p = (struct promised){json_is_integer(events) ? json_integer_value(events) : -1, json_is_integer(blobs) ? json_integer_value(blobs) : -1};
    return taking_head(t, json_string_value(json_object_get(line, "format")), json_integer_value(json_object_get(line, "version")));
}

/* 1, 0 at the end, or a code with what is to be said. */
static int next_line(struct taking *t, struct file_line *l, FILE *f)
{
    int rc = line_read(l, f, t->line ? MOST_LINE : MOST_HEAD);
    t->line++;
    if (rc == ERR_TOO_LARGE && t->line == 1)
        return taking_head(t, NULL, 0);
    if (rc == ERR_TOO_LARGE)
        return err_set(t->err, rc, "%s:%d: more than %d MiB without the end of a line", t->file, t->line, MOST_LINE >> 20);
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
            rc = err_set(t->err, ERR_BAD_REQUEST, "%s: so much of it cannot be read that reading stopped", t->file);
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
        rc = err_set(t->err, ERR_TOO_LARGE, "%s: more than %lld MiB; a smaller file was expected", path, MOST_BYTES >> 20);
    if (rc == 0)
        rc = take_json_first(t, &l, f, &promised);
    if (rc == 0 && !t->head_alone)
        rc = take_json_lines(t, &l, f);
    fclose(f);
    free(l.text);
    return rc || t->head_alone || t->report->refused ? rc : check_whole(t, &promised);
}

/* ---- CSV ---- */

static char *read_whole(const char *path, size_t *n, struct err *err)
{
    struct stat st;
    FILE *f;
    char *text = NULL;
    *n = 0;
    if (path_open_stream(&f, path, err))
        return NULL;
    if (fstat(fileno(f), &st) != 0)
        err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    else if (st.st_size > MOST_BYTES)
        err_set(err, ERR_TOO_LARGE, "%s: more than %lld MiB", path, MOST_BYTES >> 20);
    else {
        text = mem_new((size_t)st.st_size + 1, 1);
        *n = fread(text, 1, (size_t)st.st_size, f);
    }
    fclose(f);
    return text;
}

static int read_table(struct rows **out, const char *path, struct err *err)
{
    size_t n;
    char *text = read_whole(path, &n, err);
    *out = NULL;
    if (!text)
        return err->code;
    int rc = rows_read_within(out, &limits, path, text, n, err);
    free(text);
    return rc;
}

/* Every column, each in its place: the file was written by a program. */
static int check_columns(const struct rows *rows, const char *const *columns, int n, struct err *err)
{
    for (int i = 0; i < n; i++)
        if (i >= rows->head.n || strcmp(rows->head.cell[i], columns[i]))
            return rows_fail(rows, &rows->head, -1, ERR_BAD_REQUEST, err, "column %d: '%s' was expected", i + 1, columns[i]);
    return rows->head.n == n ? 0 : rows_fail(rows, &rows->head, n, ERR_BAD_REQUEST, err, "an unknown column; %d were expected", n);
}

static bool cell_number(const struct row *row, int column, long long least, long long most, long long *out)
{
    char *end;
    const char *cell = row_cell(row, column);
    errno = 0;
    *out = strtoll(cell, &end, 10);
    return *cell && !*end && !errno && *out >= least && *out <= most;
}

static int take_csv_event(struct taking *t, const struct row *row)
{
    struct store_event e = {.seq = 0};
    struct { char *out; size_t size; int column; } texts[] = {{e.uid, sizeof e.uid, 0}, {e.stream, sizeof e.stream, 1}, {e.kind, sizeof e.kind, 2},
                                                               {e.actor, sizeof e.actor, 6}, {e.audience, sizeof e.audience, 7}};
    long long version = 0, at_ms = 0, day = 0;
    bool good = row->n == TRANSFER_EVENT_COLUMNS && cell_number(row, 3, INT32_MIN, INT32_MAX, &version) &&
                cell_number(row, 4, INT64_MIN, INT64_MAX, &at_ms) && cell_number(row, 5, INT32_MIN, INT32_MAX, &day);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *cell = row_cell(row, texts[i].column);
        good = good && strlen(cell) < texts[i].size;
        if (good)
            strcpy(texts[i].out, cell);
    }
    e.version = (int)version;
    e.at_ms = at_ms;
    e.day = (int)day;
    if (good)
        return taking_event(t, &e, row_cell(row, 9), row_cell(row, 8));
    t->events++;
    return taking_refuse(t, "not an event; ten cells, with whole numbers for version, at_ms and day, were expected");
}

static int take_csv_blob(struct taking *t, const struct row *row)
{
    return taking_blob(t, row_cell(row, 0), row_cell(row, 1), row_cell(row, 2));
}

static int take_table(struct taking *t, const char *folder, const char *name, const char *const *columns, int n,
                      int (*take)(struct taking *t, const struct row *row))
{
    struct rows *rows = NULL;
    char *path;
    int rc = path_below(&path, folder, PATH_NAMES(name), t->err);
    if (rc == 0)
        rc = read_table(&rows, path, t->err);
    t->file = path ? path : folder;
    if (rc == 0)
        rc = check_columns(rows, columns, n, t->err);
    for (int i = 0; rc == 0 && i < rows->n; i++) {
        t->line = rows->row[i].line;
        rc = take(t, &rows->row[i]);
    }
    rows_free(rows);
    t->file = folder;
    t->line = 1;
    free(path);
    return rc;
}

static const char *value_of(const struct rows *rows, const char *name)
{
    for (int i = 0; i < rows->n; i++)
        if (!strcmp(row_cell(&rows->row[i], 0), name))
            return row_cell(&rows->row[i], 1);
    return "";
}

static int take_csv_head(struct taking *t, const char *folder, struct promised *p)
{
    struct rows *rows = NULL;
    char *path = text_format("%s/warpdrill.csv", folder);
    int rc = read_table(&rows, path, t->err);
    t->file = path;
    t->line = 1;
    if (rc == 0) {
        p->events = atoll(value_of(rows, "events"));
        p->blobs = atoll(value_of(rows, "blobs"));
        rc = taking_head(t, value_of(rows, "format"), atoll(value_of(rows, "version")));
    } else if (rc == ERR_IO && access(path, F_OK) != 0 && errno == ENOENT) {
        err_set(t->err, rc, "%s: not an export of warpdrill: warpdrill.csv is not in it", folder);
    }
    rows_free(rows);
    t->file = folder;
    free(path);
    return rc;
}

static int take_csv(struct taking *t, const char *folder)
{
    struct promised promised = {-1, -1};
    int rc = take_csv_head(t, folder, &promised);
    if (t->head_alone)
        return rc;
    if (rc == 0)
        rc = take_table(t, folder, "blobs.csv", transfer_blob_columns, TRANSFER_BLOB_COLUMNS, take_csv_blob);
    if (rc == 0)
        rc = take_table(t, folder, "events.csv", transfer_event_columns, TRANSFER_EVENT_COLUMNS, take_csv_event);
    return rc || t->report->refused ? rc : check_whole(t, &promised);
}

/* ---- both ---- */

static int settle(struct taking *t)
{
    if (t->report->refused)
        return err_set(t->err, ERR_BAD_REQUEST, "%s: %ld of its lines cannot be taken", t->file, t->report->refused);
    return t->report->fresh ? review_rebuild(t->store, t->err) : 0;
}

int transfer_look(const char *path, struct err *err)
{
    struct transfer_report report = {0};
    struct taking t;
    struct stat st;
    if (stat(path, &st) != 0)
        return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
        return 0;
    taking_begin(&t, NULL, &report, err);
    t.head_alone = true;
    int rc = S_ISDIR(st.st_mode) ? take_csv(&t, path) : take_json(&t, path);
    taking_end(&t);
    transfer_report_free(&report);
    return rc ? err_set(err, rc, "%s. Nothing was stored", err ? err->text : "") : 0;
}

int transfer_read(struct store *store, const char *path, bool dry, struct transfer_report *report, struct err *err)
{
    struct taking t;
    struct stat st;
    struct err own = {0};
    *report = (struct transfer_report){0};
    if (stat(path, &st) != 0)
        return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    int rc = store_import_begin(store);
    if (rc != STORE_OK)
        return transfer_store_error(store, rc, err);
    taking_begin(&t, store, report, &own);
    rc = S_ISDIR(st.st_mode) ? take_csv(&t, path) : take_json(&t, path);
    if (rc == 0)
        rc = settle(&t);
    taking_end(&t);
    int ended = store_import_end(store, rc == 0 && !dry);
    if (rc == 0 && ended != STORE_OK)
        return transfer_store_error(store, ended, err);
    return rc ? err_set(err, rc, "%s. Nothing was stored", own.text) : 0;
}

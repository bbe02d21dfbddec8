/* The set of texts, its checks, and how a place in one of them is shown. Reading from disk:
 * files_read.c. */
#include "scenarios/text/files.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "kernels/wire/message.h"
#include "kernels/wire/path.h"
#include "kernels/wire/message.h"
#include "kernels/wire/text.h"
#include "scenarios/text/source_kind.h"

struct files *files_new(const char *root)
{
    struct files *f = mem_new(1, sizeof *f);
    f->root = text_dup(root ? root : "");
    return f;
}

void files_take(struct files *f, const char *path, char *text, size_t len)
{
    f->file = mem_grow(f->file, (size_t)f->n + 1, sizeof *f->file);
    f->file[f->n++] = (struct file){.path = text_dup(path), .text = text, .len = len};
}

void files_add(struct files *f, const char *path, const char *text, size_t len)
{
    files_take(f, path, text_ndup(text, len), len);
}

void files_free(struct files *f)
{
    if (!f)
        return;
    for (int i = 0; i < f->n; i++) {
        free(f->file[i].path);
        free(f->file[i].text);
    }
    free(f->file);
    free(f->root);
    free(f);
}

const struct file *files_find(const struct files *f, const char *path)
{
    for (int i = 0; i < f->n; i++)
        if (!strcmp(f->file[i].path, path))
            return &f->file[i];
    return NULL;
}

/* ---- checks ---- */

static bool path_byte_ok(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("._-+", c);
}

/* Why a path cannot be one of a pack, as words that follow it; NULL: it can. */
static const char *path_fault(const char *path)
{
    if (*path == '/')
        return "is an absolute path";
    for (const char *at = path; ; at++) {
        size_t n = strcspn(at, "/");
        if (n == 2 && at[0] == '.' && at[1] == '.')
            return "leaves its folder by '..'";
        if (n == 0 || *at == '.')
            return n ? "has a part that begins with '.'" : "has an empty part";
        for (size_t i = 0; i < n; i++)
            if (!path_byte_ok(at[i]))
                return "has a character outside A-Z a-z 0-9 . _ - +";
        at += n;
        if (!*at)
            return NULL;
    }
}

int path_ok(const char *path, struct err *err)
{
    static const char expected[] = "a path inside the pack was expected, such as fix.cu";
    if (!*path || strlen(path) > 200)
        return err_set(err, ERR_BAD_REQUEST, "a path of %zu bytes; %s", strlen(path), expected);
    const char *fault = path_fault(path);
    if (!fault)
        return 0;
    char *shown = path_shown(path);
    err_set(err, ERR_BAD_REQUEST, "'%s' %s; %s", shown, fault, expected);
    free(shown);
    return ERR_BAD_REQUEST;
}

bool path_is_sealed(const char *path)
{
    static const char folder[] = "sealed/";
    for (const char *at = path; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
        if (!strncmp(at, folder, sizeof folder - 1))
            return true;
    return false;
}

static bool is_suspects_image(const char *name)
{
    return !strcmp(name, "/suspect.ptx") || !strcmp(name, "/suspect.image.yaml");
}

bool path_is_shown(const char *path)
{
    const char *first = strchr(path, '/'), *second = first ? strchr(first + 1, '/') : NULL;
    if (!first)
        return !strcmp(path, "pack.yaml");
    if (!second)
        return source_kind_of_suspect(first + 1) || is_suspects_image(first) ||
               !strcmp(first, "/scenario.yaml");
    return source_kind_of_suspect(second + 1) || is_suspects_image(second) ||
           !strcmp(second, "/launches.yaml") || !strcmp(second, "/benchmark.yaml");
}

static bool ends(const char *path, const char *end)
{
    size_t n = strlen(path), k = strlen(end);
    return n > k && !strcmp(path + n - k, end);
}

bool path_is_of_image(const char *path)
{
    return source_is_image(path) || ends(path, ".image.yaml");
}

const char *path_stray_wants(const char *path)
{
    return path_is_of_image(path)
               ? "suspect.ptx and suspect.image.yaml of a suspect beside them, or a folder "
                 "`sealed` with the text of their name,"
               : "a folder `sealed` or `originals`, or none,";
}

/* Behind an id and a slash; NULL: none stands there. */
static const char *after_id(const char *path)
{
    size_t n = strspn(path, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return n > 0 && path[n] == '/' ? path + n + 1 : NULL;
}

bool path_is_hidden_half(const char *path)
{
    static const char folder[] = "sealed/";
    const char *rest = after_id(path);
    if (rest && strncmp(rest, folder, sizeof folder - 1))
        rest = after_id(rest);
    if (!rest || strncmp(rest, folder, sizeof folder - 1))
        return false;
    rest += sizeof folder - 1;
    if (!strncmp(rest, "evidence/", 9) || !strncmp(rest, "exhibits/", 9))
        return ends(rest, ".json");
    return ends(rest, ".yaml") || ends(rest, ".md") || source_kind_of(rest) ||
           source_is_image(rest);
}

bool path_is_evidence(const char *path)
{
    static const char folder[] = "sealed/evidence/";
    const char *rest = after_id(path);
    rest = rest ? after_id(rest) : NULL;
    return rest && !strncmp(rest, folder, sizeof folder - 1) &&
           !strchr(rest + sizeof folder - 1, '/') && ends(rest, ".json");
}

bool files_any_sealed(const struct files *f)
{
    for (int i = 0; i < f->n; i++)
        if (path_is_sealed(f->file[i].path))
            return true;
    return false;
}

static const char *bad_text(const struct file *f, size_t at)
{
    unsigned char c = (unsigned char)f->text[at];
    if (c == '\r')
        return "a carriage return; lines that end in a newline alone were expected";
    if (c == 0x1B)
        return "an escape sequence; plain text was expected";
    if (c < 0x20 || c == 0x7F)
        return "a control character; plain text was expected";
    uint32_t wide;
    if (!text_decode(&wide, f->text + at, f->len - at))
        return "bytes that are not UTF-8; plain UTF-8 text was expected";
    if (wide == 0xFEFF || wide == 0x2028 || wide == 0x2029)
        return "a byte order mark or an unusual line separator; lines that end in a newline were "
               "expected";
    return "a character that nobody sees, or that turns the text around; plain text was expected";
}

size_t file_most(const char *path)
{
    const char *end = strrchr(path, '.');
    if (end && !strcmp(end, ".json"))
        return FILE_EVIDENCE_MAX;
    if (source_is_image(path))
        return CAP_IMAGE_BYTES;
    return source_kind_of(path) ? CAP_SOURCE_BYTES : FILE_BYTES_MAX;
}

int file_check(const struct files *fs, const struct file *f, struct err *err)
{
    size_t max = file_most(f->path);
    if (f->len > max)
        return err_set(err, ERR_TOO_LARGE, "%s/%s: %zu bytes; at most %zu were expected", fs->root,
                       f->path, f->len, max);
    int line, col;
    size_t at = text_first_bad(f->text, f->len);
    if (at == f->len)
        return 0;
    file_place(f, at, &line, &col);
    return files_fail(fs, f, line, col, ERR_BAD_REQUEST, err, "%s", bad_text(f, at));
}

int files_check(struct files *f, struct err *err)
{
    if (f->n > FILES_MAX)
        return err_set(err, ERR_TOO_LARGE, "%s: %d files; at most %d were expected in a pack",
                       f->root, f->n, FILES_MAX);
    for (; f->n_checked < f->n; f->n_checked++) {
        struct err why;
        const char *path = f->file[f->n_checked].path;
        if (path_ok(path, &why))
            return err_set(err, why.code, "%s: %s", f->root, why.text);
        int rc = file_check(f, &f->file[f->n_checked], err);
        if (rc)
            return rc;
    }
    return 0;
}

/* ---- the copy that an attempt keeps ---- */

json_t *files_to_json(const struct files *f, const char *prefix)
{
    json_t *obj = json_object();
    for (int i = 0; i < f->n; i++)
        if (f->file[i].text && !strncmp(f->file[i].path, prefix, strlen(prefix)))
            json_object_set_new(obj, f->file[i].path,
                                json_stringn(f->file[i].text, f->file[i].len));
    return obj;
}

int files_from_json(struct files **out, const json_t *obj, struct err *err)
{
    *out = NULL;
    if (!json_is_object(obj))
        return err_set(err, ERR_BAD_REQUEST,
                       "the kept copy of a scenario is not an object; {path: text} was expected");
    struct files *f = files_new("kept copy");
    const char *path;
    json_t *text;
    json_object_foreach((json_t *)obj, path, text) {
        int odd = path_ok(path, err);
        if (!odd && !json_is_string(text))
            odd = err_set(err, ERR_BAD_REQUEST,
                          "the kept copy of %s is not text; {path: text} was expected", path);
        if (odd) {
            files_free(f);
            return odd;
        }
        files_add(f, path, json_string_value(text), json_string_length(text));
    }
    int rc = files_check(f, err);
    if (rc)
        files_free(f);
    else
        *out = f;
    return rc;
}

/* ---- places ---- */

const char *file_line(const struct file *f, int line, size_t *len)
{
    const char *at = f->text, *end = at ? at + f->len : NULL;
    for (int k = 1; at && at <= end; k++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            stop = end;
        if (k == line) {
            *len = (size_t)(stop - at);
            return at;
        }
        at = stop + 1;
    }
    *len = 0;
    return NULL;
}

void file_place(const struct file *f, size_t byte, int *line, int *col)
{
    *line = *col = 1;
    file_place_on(f, 0, byte, line, col);
}

void file_place_on(const struct file *f, size_t from, size_t byte, int *line, int *col)
{
    size_t to = byte < f->len ? byte : f->len;
    const char *end;
    while (from < to && (end = memchr(f->text + from, '\n', to - from))) {
        from = (size_t)(end - f->text) + 1;
        ++*line;
        *col = 1;
    }
    for (; from < to; from++)
        *col += !text_is_tail(f->text[from]);
    /* The byte itself may stand inside a character that began before it. */
    if (byte < f->len && text_is_tail(f->text[byte]) && *col > 1)
        --*col;
}

enum { SHOWN = 96, TAB = 8 };

struct shown { char text[SHOWN * 4 + 1]; size_t len; int from; };

static void show(struct shown *s, int column, const char *bytes, size_t n)
{
    if (column < s->from || column >= s->from + SHOWN || s->len + n >= sizeof s->text)
        return;
    memcpy(s->text + s->len, bytes, n);
    s->len += n;
    s->text[s->len] = '\0';
}

/* Walks the characters of a line, writing those in sight; returns the screen column at which
 * character `col` stands. */
static int walk(struct shown *s, const char *line, size_t n, int col)
{
    int column = 0, caret = -1, k = 1;
    for (size_t i = 0; i < n; k++) {
        if (k == col)
            caret = column;
        utf8proc_int32_t cp;
        utf8proc_ssize_t len =
            utf8proc_iterate((const utf8proc_uint8_t *)line + i, (utf8proc_ssize_t)(n - i), &cp);
        if (len > 0 && cp == '\t') {
            do
                show(s, column++, " ", 1);
            while (column % TAB);
        } else if (len <= 0 || cp < 0x20 || cp == 0x7F) {
            show(s, column++, "?", 1);
        } else {
            show(s, column, line + i, (size_t)len);
            column += utf8proc_charwidth(cp);
        }
        i += len > 0 ? (size_t)len : 1;
    }
    return caret >= 0 ? caret : column;
}

int files_fail(const struct files *f, const struct file *file, int line, int col, int code,
               struct err *err, const char *fmt, ...)
{
    char what[1200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    size_t n;
    const char *text = file_line(file, line, &n);
    struct shown s = {.from = 1 << 30};
    int caret = text ? walk(&s, text, n, col) : 0;
    s.from = caret > SHOWN - 16 ? caret - SHOWN / 2 : 0;
    if (text)
        walk(&s, text, n, col);
    const char *root = f ? f->root : "";
    if (!s.len)
        return err_set(err, code, "%s%s%s:%d:%d: %s", root, *root ? "/" : "", file->path, line, col,
                       what);
    return err_set(err, code, "%s%s%s:%d:%d: %s\n%s\n%*s^", root, *root ? "/" : "", file->path,
                   line, col, what, s.text, caret - s.from, "");
}

void files_format(char *out, size_t size, long long format, int first, int last)
{
    char to[24] = "";
    if (last > first)
        snprintf(to, sizeof to, " to %d", last);
    snprintf(out, size, "format %lld; this warpdrill (%s) reads format%s %d%s, so %s", format,
             WARPDRILL_VERSION, *to ? "s" : "", first, to,
             format > last ? "a newer warpdrill is needed"
                           : "it must be written anew in that format");
}

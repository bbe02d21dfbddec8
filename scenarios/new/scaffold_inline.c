/* Headers that lie beside the author's file, in the place of their #include: a pack's source stands
 * alone. Each once, as #pragma once and guards would have it. */
#include "scenarios/new/scaffold_source_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

enum { DEPTH_MOST = 8, HEADERS_MOST = 64 };

struct inlining {
    struct source *of;
    FILE *out;
    char *taken[HEADERS_MOST];
    int n_taken;
};

/* The next line that is written stood there; part 0 is the author's file, others are headers. */
static void note_origin(struct source *s, int part, int line)
{
    if (s->n_origins % 1024 == 0)
        s->origins = mem_grow(s->origins, (size_t)s->n_origins + 1024, sizeof *s->origins);
    s->origins[s->n_origins++] = (struct line_origin){part, line};
}

/* "rms.cuh" of the line `#include "rms.cuh"`, malloc'd; NULL where the line is another. */
static char *included(const char *line, size_t n)
{
    const char *at = line + strspn(line, " \t"), *end = line + n;
    if (at >= end || *at != '#')
        return NULL;
    at++;
    at += strspn(at, " \t");
    if (strncmp(at, "include", 7))
        return NULL;
    at += 7;
    at += strspn(at, " \t");
    const char *close = at < end && *at == '"' ? memchr(at + 1, '"', (size_t)(end - at - 1)) : NULL;
    return close ? text_ndup(at + 1, (size_t)(close - at - 1)) : NULL;
}

static bool is_once(const char *line, size_t n)
{
    size_t at = strspn(line, " \t");
    return n > at && !strncmp(line + at, "#pragma once", 12);
}

/* ---- guards ---- */

/* The next line from `at` on that is a directive; end if none is. */
static const char *directive(const char *at, const char *end)
{
    while (at < end && at[strspn(at, " \t")] != '#') {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        at = stop ? stop + 1 : end;
    }
    return at;
}

/* Reads "#ifndef WORD" with nothing behind it: the word in out. */
static bool is_word_of(char out[80], const char *line, const char *key)
{
    char word[80], rest[2];
    int n = sscanf(line, " # %79[a-z] %79[A-Za-z0-9_]%1[^\n\r]", word, out, rest);
    return n == 2 && !strcmp(word, key);
}

/* The three lines of a header's guard, where it has one; else they are NULL. */
struct guard {
    const char *begin, *define, *end;
};

static struct guard guard_of(const char *text, size_t len)
{
    const char *end = text + len, *first = directive(text, end), *last = NULL;
    char word[80], same[80];
    if (first == end || !is_word_of(word, first, "ifndef"))
        return (struct guard){0};
    const char *second = directive(first + strcspn(first, "\n") + 1, end);
    if (second >= end || !is_word_of(same, second, "define") || strcmp(word, same))
        return (struct guard){0};
    for (const char *at = second; at < end; at = directive(at + strcspn(at, "\n") + 1, end))
        last = at;
    bool ends = last && !strncmp(last + strspn(last, " \t"), "#endif", 6) &&
                strspn(last + strcspn(last, "\n"), " \t\r\n") == strlen(last + strcspn(last, "\n"));
    return ends ? (struct guard){first, second, last} : (struct guard){0};
}

/* Beside `path`: no name that leads out of its folder. */
static char *path_beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    struct err err;
    if (path_ok(name, &err) || !strcmp(name, "warpdrill.h"))
        return NULL;
    return text_format("%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
}

static bool is_taken(const struct inlining *in, const char *path)
{
    for (int i = 0; i < in->n_taken; i++)
        if (!strcmp(in->taken[i], path))
            return true;
    return false;
}

static void put_text(struct inlining *in, int part, const char *path, const char *text, size_t len,
                     int depth);

/* False where no such header can be read: its line stays, and a note says so later. */
static bool put_header(struct inlining *in, const char *path, const char *name, int depth)
{
    char *header = path_beside(path, name);
    size_t len = 0;
    bool again = header && is_taken(in, header);
    char *text = header && !again && depth < DEPTH_MOST && in->n_taken < HEADERS_MOST
                     ? source_bytes(header, in->of->revision, CAP_SOURCE_BYTES, &len, NULL)
                     : NULL;
    if (text) {
        in->taken[in->n_taken++] = header;
        put_text(in, in->n_taken, header, text, len, depth + 1);
        free(text);
        return true;
    }
    free(header);
    return again;
}

static void put_text(struct inlining *in, int part, const char *path, const char *text, size_t len,
                     int depth)
{
    int line = 0;
    const char *end = text + len;
    struct guard guard = depth ? guard_of(text, len) : (struct guard){0};
    for (const char *at = text, *next; at < end; at = next) {
        bool guards = at == guard.begin || at == guard.define || at == guard.end;
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        next = stop ? stop + 1 : end;
        line++;
        char *name = included(at, (size_t)((stop ? stop : end) - at));
        bool put = name && put_header(in, path, name, depth);
        if (!put && !guards && !(depth && is_once(at, (size_t)(next - at)))) {
            note_origin(in->of, part, line);
            fwrite(at, 1, (size_t)(next - at), in->out);
        }
        if (!stop && depth && !guards)
            putc('\n', in->out);
        free(name);
    }
}

static void drop_origins(struct source *s)
{
    free(s->origins);
    s->origins = NULL;
    s->n_origins = 0;
}

int source_inline(struct source *s, struct err *err)
{
    struct inlining in = {.of = s};
    char *text = NULL;
    size_t len = 0;
    in.out = open_memstream(&text, &len);
    put_text(&in, 0, s->file.path, s->file.text, s->file.len, 0);
    fclose(in.out);
    if (!in.n_taken) {
        free(text);
        drop_origins(s);
        return 0;
    }
    s->headers = mem_new((size_t)in.n_taken, sizeof *s->headers);
    memcpy(s->headers, in.taken, (size_t)in.n_taken * sizeof *s->headers);
    s->n_headers = in.n_taken;
    free(s->file.text);
    s->file.text = mem_new(len + 2, 1);
    memcpy(s->file.text, text, len);
    s->file.len = len;
    free(text);
    if (len > CAP_SOURCE_BYTES)
        return err_set(err, ERR_TOO_LARGE,
                       "%s with what it includes is larger than %d KiB; the kernel and what it "
                       "needs was expected",
                       s->file.path, CAP_SOURCE_BYTES / 1024);
    return 0;
}

/* ---- where a line stood ---- */

int source_origin(const char **path, const struct source *s, int line)
{
    bool known = line > 0 && line <= s->n_origins;
    int part = known ? s->origins[line - 1].part : 0;
    *path = part ? s->headers[part - 1] : s->file.path;
    return known ? s->origins[line - 1].line : line;
}

char *source_where(const struct source *s, int line)
{
    const char *path;
    int from = source_origin(&path, s, line);
    return path == s->file.path ? text_format("line %d", from) : text_format("%s:%d", path, from);
}

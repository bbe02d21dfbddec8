/* Where the words of a file stand: a scanner for sources that knows comments, strings and names, of
 * CUDA and of Python, and one for YAML's comments. The pack reader refused everything in CUDA that
 * would confuse it (raw strings, trigraphs). */
#include "scenarios/pack/telling.h"

#include <ctype.h>
#include <string.h>

struct scan { const char *s; size_t n, at; piece_fn *fn; void *ctx; };

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool looks_at(const struct scan *k, const char *text)
{
    size_t n = strlen(text);
    return k->n - k->at >= n && memcmp(k->s + k->at, text, n) == 0;
}

static size_t line_end(const struct scan *k, size_t from)
{
    const char *end = memchr(k->s + from, '\n', k->n - from);
    return end ? (size_t)(end - k->s) : k->n;
}

/* From a mark to the next `close`, of one or several lines. */
static void take_lines(struct scan *k, enum piece_kind kind, const char *close)
{
    size_t n = strlen(close), from = k->at + n;
    k->at = from < k->n ? from : k->n;
    while (k->at < k->n && !looks_at(k, close))
        k->at++;
    for (size_t end; from < k->at; from = end + 1) {
        end = line_end(k, from);
        end = end < k->at ? end : k->at;
        k->fn(k->ctx, kind, from, end - from);
    }
    k->at = k->at + n < k->n ? k->at + n : k->n;
}

static void take_line_comment(struct scan *k, size_t mark)
{
    size_t end = line_end(k, k->at);
    k->fn(k->ctx, PIECE_COMMENT, k->at + mark, end - k->at - mark);
    k->at = end;
}

static void take_quoted(struct scan *k, const char *strings)
{
    char quote = k->s[k->at];
    size_t from = ++k->at;
    while (k->at < k->n && k->s[k->at] != quote && k->s[k->at] != '\n')
        k->at += 1 + (k->s[k->at] == '\\');
    k->at = k->at < k->n ? k->at : k->n;
    if (strchr(strings, quote))
        k->fn(k->ctx, PIECE_STRING, from, k->at - from);
    k->at += k->at < k->n;
}

/* The last byte that is no blank, before `at`. */
static char before(const struct scan *k, size_t at)
{
    while (at > 0 && isspace((unsigned char)k->s[at - 1]))
        at--;
    return at ? k->s[at - 1] : '\0';
}

static void take_name(struct scan *k)
{
    size_t from = k->at;
    while (k->at < k->n && in_name(k->s[k->at]))
        k->at++;
    char last = before(k, from);
    bool number = isdigit((unsigned char)k->s[from]);
    bool foreign = last == '.' || last == '#' ||
                   (last == ':' && from > 1 && k->s[from - 1] == ':') ||
                   (last == '>' && from > 1 && k->s[from - 2] == '-');
    if (!number && !foreign && !(k->at - from > 2 && !memcmp(k->s + from, "__", 2)))
        k->fn(k->ctx, PIECE_NAME, from, k->at - from);
}

/* "#pragma unroll": the line says nothing of its author's. */
static bool is_pragma(const struct scan *k)
{
    size_t at = k->at + 1;
    while (at < k->n && (k->s[at] == ' ' || k->s[at] == '\t'))
        at++;
    return k->n - at >= 6 && !memcmp(k->s + at, "pragma", 6);
}

/* False: nothing of CUDA's own begins here. */
static bool take_cuda(struct scan *k)
{
    char c = k->s[k->at];
    if (looks_at(k, "/*"))
        take_lines(k, PIECE_COMMENT, "*/");
    else if (c == '"' || c == '\'')
        take_quoted(k, "\"");
    else if (c == '#' && is_pragma(k))
        k->at = line_end(k, k->at);
    else
        return false;
    return true;
}

static bool take_python(struct scan *k)
{
    char c = k->s[k->at];
    if (looks_at(k, "\"\"\""))
        take_lines(k, PIECE_STRING, "\"\"\"");
    else if (looks_at(k, "'''"))
        take_lines(k, PIECE_STRING, "'''");
    else if (c == '"' || c == '\'')
        take_quoted(k, "\"'");
    else
        return false;
    return true;
}

void source_pieces(const struct source_kind *kind, const char *text, size_t len, piece_fn *fn,
                   void *ctx)
{
    struct scan k = {.s = text, .n = len, .fn = fn, .ctx = ctx};
    bool python = kind == &source_kinds[SOURCE_PYTHON];
    while (k.at < k.n) {
        if (looks_at(&k, kind->comment))
            take_line_comment(&k, strlen(kind->comment));
        else if (python ? take_python(&k) : take_cuda(&k))
            continue;
        else if (in_name(k.s[k.at]))
            take_name(&k);
        else
            k.at++;
    }
}

/* The first '#' of a line that begins a comment: at its beginning or behind a blank, outside of
 * quotes. */
static size_t comment_at(const char *s, size_t n)
{
    char quote = 0;
    for (size_t i = 0; i < n; i++) {
        bool opens = i == 0 || strchr(" [{,:", s[i - 1]);
        if (quote)
            quote = s[i] == quote ? 0 : quote;
        else if ((s[i] == '"' || s[i] == '\'') && opens)
            quote = s[i];
        else if (s[i] == '#' && (i == 0 || s[i - 1] == ' ' || s[i - 1] == '\t'))
            return i;
    }
    return n;
}

static size_t indent_of(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] == ' ')
        i++;
    return i;
}

/* "story: |" and its kin. */
static bool opens_block(const char *s, size_t n)
{
    while (n && s[n - 1] == ' ')
        n--;
    while (n && strchr("+-0123456789", s[n - 1]))
        n--;
    return n > 1 && (s[n - 1] == '|' || s[n - 1] == '>') && s[n - 2] == ' ';
}

void yaml_comments(const char *text, size_t len, piece_fn *fn, void *ctx)
{
    bool block = false;
    size_t deep = 0;
    for (size_t at = 0, n; at < len; at += n + 1) {
        const char *line = text + at, *end = memchr(line, '\n', len - at);
        n = end ? (size_t)(end - line) : len - at;
        size_t indent = indent_of(line, n);
        block = block && (indent == n || indent > deep);
        if (block)
            continue;
        size_t hash = comment_at(line, n);
        if (hash < n)
            fn(ctx, PIECE_COMMENT, at + hash + 1, n - hash - 1);
        block = opens_block(line, hash);
        deep = indent;
    }
}

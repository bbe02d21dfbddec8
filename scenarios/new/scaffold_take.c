/* The device part of a file as a pack can hold it: without the host's code and other kernels, with
 * what headers would have given. */
#include "scenarios/new/scaffold_source_inside.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "kernels/wire/token.h"

/* ---- cutting ---- */

static void blank(char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (text[i] != '\n')
            text[i] = ' ';
}

/* The comment right above an item goes with it. */
static size_t with_comment(const struct source *s, size_t begin)
{
    size_t at = begin;
    while (at > 0) {
        size_t line = at - 1;
        while (line > 0 && s->file.text[line - 1] != '\n')
            line--;
        size_t first = line;
        while (first < at && isspace((unsigned char)s->file.text[first]))
            first++;
        bool comment =
            first < at - 1 && code_skip(s->code, line, at) >= at && s->file.text[first] != '#';
        if (!comment)
            break;
        at = line;
    }
    return at;
}

static bool is_taken(const struct kernel *one, const struct kernel *const *k, int n)
{
    for (int i = 0; i < n; i++)
        if (k[i] == one)
            return true;
    return false;
}

static char *cut(const struct source *s, const struct kernel *const *k, int n)
{
    char *text = text_ndup(s->file.text, s->file.len);
    for (int i = 0; i < s->n_dropped; i++) {
        const struct span *d = &s->dropped[i];
        bool bare = strchr("#}", s->code[d->begin]) || s->code[d->end - 1] == '{' ||
                    s->file.text[d->begin] == '#';
        blank(text, bare ? d->begin : with_comment(s, d->begin), d->end);
    }
    for (int i = 0; i < s->n_kernels; i++)
        if (!is_taken(&s->kernels[i], k, n))
            blank(text, with_comment(s, s->kernels[i].begin), s->kernels[i].end);
    return text;
}

/* "static" and "inline" before a kernel do not go with extern "C", and a second extern "C" is one
 * too many. */
static void clean_head(const struct source *s, const struct kernel *k, char *text)
{
    static const char *const words[] = {"static", "inline", "__inline__", "__forceinline__",
                                        "extern"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t at = code_find(s->code, k->begin, k->name_at, words[i]);
        if (at == k->name_at)
            continue;
        size_t stop = at + strlen(words[i]), next = code_skip(s->code, stop, k->name_at);
        if (s->code[next] == '"')
            stop = next + strcspn(s->code + next + 1, "\"") + 2;
        blank(text, at, code_skip(s->code, stop, k->name_at));
    }
    if (k->head_end)
        blank(text, k->begin, k->head_end);
}

static size_t rest_of_line(const char *text, size_t at)
{
    return strcspn(text + at, "\n");
}

static bool is_empty(const char *line, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)line[i]))
            return false;
    return true;
}

/* Of a kernel: where it begins once its head is clean, where the comment above it does, and what is
 * declared before that for its template. */
struct head {
    size_t first, above;
    char *declared;
};

/* Does one of them begin in these n bytes? */
static bool begins(const struct head *heads, int n_heads, size_t at, size_t n)
{
    for (int i = 0; i < n_heads; i++)
        if (heads[i].first >= at && heads[i].first <= at + n)
            return true;
    return false;
}

/* What stands before these n bytes. */
static const char *declared(const struct head *heads, int n_heads, size_t at, size_t n)
{
    for (int i = 0; i < n_heads; i++)
        if (heads[i].above >= at && heads[i].above <= at + n)
            return heads[i].declared;
    return "";
}

/* The most bytes that tidy writes. */
static size_t tidy_room(const char *prelude, const char *text, const struct head *heads,
                        int n_heads)
{
    size_t room = strlen(prelude) + strlen(text) + 32;
    for (int i = 0; i < n_heads; i++)
        room += strlen(heads[i].declared) + 16;
    return room;
}

/* Without blanks at line ends, with one empty line where there were several, with `extern "C"`
 * before each kernel. */
static char *tidy(const char *prelude, const char *text, const struct head *heads, int n_heads)
{
    char *out = mem_new(tidy_room(prelude, text, heads, n_heads), 1), *at = out;
    bool empty = true;
    at += sprintf(at, "%s%s", prelude, *prelude ? "\n" : "");
    for (size_t i = 0, n; text[i]; i += n + 1) {
        n = rest_of_line(text, i);
        size_t used = n, from = 0;
        at += sprintf(at, "%s", declared(heads, n_heads, i, n));
        if (!is_empty(text + i, n) || !empty) {
            empty = is_empty(text + i, n);
            while (used && isspace((unsigned char)text[i + used - 1]))
                used--;
            if (begins(heads, n_heads, i, n)) {
                while (from < used && isspace((unsigned char)text[i + from]))
                    from++;
                at += sprintf(at, "extern \"C\" ");
            }
            at += sprintf(at, "%.*s\n", (int)(used - from), text + i + from);
        }
        if (!text[i + n])
            break;
    }
    while (at - out >= 2 && at[-1] == '\n' && at[-2] == '\n')
        *--at = '\0';
    return out;
}

static int scan(const struct source *s, const char *text, struct err *err)
{
    struct err why;
    struct token_text tokens;
    int rc = token_scan(&tokens, text, strlen(text), &why), line, col;
    if (!rc) {
        token_free(&tokens);
        return 0;
    }
    const char *what = token_error_place(&why, &line, &col);
    return files_fail(NULL, &s->file, line, col, rc, err, "%s", what);
}

/* ---- 1'000 ---- */

/* What a quote between digits is while the text is scanned, and then until it goes, so that places
 * stay where the author has them. No source holds the second. */
enum { QUOTE_SCANNED = '0', QUOTE_GOING = '\x01' };

static void turn_quotes(const struct source *s, char *text, char from, char to)
{
    for (int i = 0; i < s->n_quotes; i++)
        if (text[s->quotes[i]] == from)
            text[s->quotes[i]] = to;
}

static void drop_quotes(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != QUOTE_GOING)
            *to++ = *from;
    *to = '\0';
}

/* Each number that stays in the text once. */
static void note_numbers(struct source *s, const char *text)
{
    const char *as = s->file.text;
    for (int i = 0; i < s->n_quotes; i++) {
        size_t from = s->quotes[i], to = from;
        if (text[from] != QUOTE_GOING)
            continue;
        while (from > 0 && (code_is_word(as[from - 1]) || as[from - 1] == '.'))
            from--;
        if (from > 0 && as[from - 1] == '\'')
            continue;
        while (code_is_word(as[to]) || as[to] == '.' || as[to] == '\'')
            to++;
        int line, col;
        source_place(s, from, &line, &col);
        char *plain = text_ndup(text + from, to - from);
        drop_quotes(plain);
        source_note(s, line, "%.*s became %s: numbers of a pack have no quotes", (int)(to - from),
                    as + from, plain);
        free(plain);
    }
}

/* ---- what nothing uses ---- */

static bool stands_elsewhere(const char *text, const char *word, size_t begin, size_t end)
{
    size_t n = strlen(text);
    return word && (code_find(text, 0, begin, word) < begin || code_find(text, end, n, word) < n);
}

/* Structures whose name stands nowhere else, not in a comment either; those that only such ones use
 * go too. */
static void drop_types(struct source *s, char *text)
{
    bool *gone = mem_new((size_t)s->n_types + 1, sizeof *gone), again = true;
    while (again) {
        again = false;
        for (int i = 0; i < s->n_types; i++) {
            struct type_item *t = &s->types[i];
            size_t begin = with_comment(s, t->begin);
            if (gone[i] || stands_elsewhere(text, t->name, begin, t->end) ||
                stands_elsewhere(text, t->other, begin, t->end))
                continue;
            int line, col;
            source_place(s, t->begin, &line, &col);
            source_note(s, line, "%s was left out: nothing that stays uses it",
                        t->other  ? t->other
                        : t->name ? t->name
                                  : "a structure");
            blank(text, begin, t->end);
            gone[i] = again = true;
        }
    }
    free(gone);
}

/* ---- what the host copies into it ---- */

/* cudaMemcpyToSymbol(taps, ...): the values stay behind with the host's code. */
static void warn_symbols(struct source *s, const char *code)
{
    static const struct {
        const char *call;
        int argument;
    } calls[] = {{"cudaMemcpyToSymbol", 0},
                 {"cudaMemcpyToSymbolAsync", 0},
                 {"cudaGetSymbolAddress", 1}};
    size_t end = s->file.len;
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
        for (size_t at = 0; (at = code_find(s->code, at, end, calls[c].call)) < end; at++) {
            size_t name = code_skip(s->code, at + strlen(calls[c].call), end),
                   close = name < end && s->code[name] == '(' ? code_close(s->code, name, end) : 0;
            if (!close)
                continue;
            name++;
            for (int skip = calls[c].argument; skip; skip--)
                name += strcspn(s->code + name, ",)") + 1;
            while (name < close && !code_is_word(s->code[name]))
                name++;
            char *word = text_ndup(s->code + name, code_word(s->code, name, close) - name);
            int line, col;
            source_place(s, at, &line, &col);
            if (*word && stands_elsewhere(code, word, 0, 0))
                source_note(s, line,
                            "%s() to `%s` was left out, and so `%s` holds zeros: give it its "
                            "values where it is declared (`__constant__ float %s[] = {0.25f, "
                            "...};`, in each source that reads it), or let a buffer with a `fill` "
                            "bring them",
                            calls[c].call, word, word, word);
            free(word);
        }
}

/* What became blank in the text becomes so in the mask. */
static void blank_too(char *code, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text[i] == ' ' && code[i] != '\n')
            code[i] = ' ';
}

/* Cleans the head of each. */
static struct head *take_heads(struct source *s, char *text, const struct kernel *const *k, int n)
{
    struct head *heads = mem_new((size_t)n, sizeof *heads);
    for (int i = 0; i < n; i++) {
        struct head *h = &heads[i];
        clean_head(s, k[i], text);
        *h = (struct head){k[i]->begin, with_comment(s, k[i]->begin), source_instance_text(k, i)};
        source_instance_notes(s, k[i]);
        while (text[h->first] == ' ' || text[h->first] == '\n')
            h->first++;
    }
    return heads;
}

/* The code, and behind it what is declared for templates. */
static char *with_declared(const char *code, const struct head *heads, int n)
{
    char *out = text_dup(code);
    for (int i = 0; i < n; i++) {
        char *longer = text_format("%s\n%s", out, heads[i].declared);
        free(out);
        out = longer;
    }
    return out;
}

static void free_heads(struct head *heads, int n)
{
    for (int i = 0; i < n; i++)
        free(heads[i].declared);
    free(heads);
}

static void note_left_out(struct source *s, const struct kernel *const *k, int n)
{
    for (int i = 0; i < s->n_kernels; i++)
        if (!is_taken(&s->kernels[i], k, n))
            source_note(s, s->kernels[i].line, "kernel %s was left out: %s", s->kernels[i].name,
                        n == 1 ? "a draft launches one" : "nothing launches it");
}

int source_take(char **out, char **prelude, struct source *s, const struct kernel *const *k, int n,
                struct err *err)
{
    char *text = cut(s, k, n), *code = text_ndup(s->code, s->file.len);
    turn_quotes(s, text, '\'', QUOTE_SCANNED);
    int rc = scan(s, text, err);
    if (!rc) {
        turn_quotes(s, text, QUOTE_SCANNED, QUOTE_GOING);
        struct head *heads = take_heads(s, text, k, n);
        note_left_out(s, k, n);
        drop_types(s, text);
        blank_too(code, text, s->file.len);
        note_numbers(s, text);
        given_warn_lost(s, code);
        warn_symbols(s, code);
        char *used = with_declared(code, heads, n), *all = given_prelude(s, used, false);
        *out = tidy(all, text, heads, n);
        drop_quotes(*out);
        if (prelude)
            *prelude = given_prelude(s, used, true);
        free_heads(heads, n);
        free(used);
        free(all);
    }
    free(text);
    free(code);
    return rc;
}

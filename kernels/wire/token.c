/* One pass over a device source in the order of the C++ translation phases: splices are joined
 * while characters are read, comments and literals are told apart, lines are normalised, and each
 * finished line is looked at for what a source may not contain. Where compilers could disagree
 * with us about what is a comment, a literal or a directive (trigraphs, blanks after a backslash,
 * odd quotes, non-ASCII characters in code), the source is refused. */
#include "kernels/wire/token.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

struct scan {
    const char *at, *end;
    int line;             /* of *at, 1-based */
    int line_start;       /* source line on which the token line began */
    bool blank;           /* a blank is due before the next character */
    size_t begin;         /* where the token line begins in out->text */
    size_t cap_lines;
    struct token_text *out;
    char *code;           /* out->text with a blank for every character inside a literal */
    struct err *err;
};

static size_t splice_at(const char *p, const char *end)
{
    return end - p >= 2 && p[0] == '\\' && p[1] == '\n' ? 2 : 0;
}

static void skip_splices(struct scan *s)
{
    size_t n;
    while ((n = splice_at(s->at, s->end)) > 0) {
        s->at += n;
        s->line++;
    }
}

/* The next character after splices, or -1 at the end; `ahead` 1 looks one further. */
static int peek(struct scan *s, int ahead)
{
    skip_splices(s);
    const char *p = s->at;
    for (; ahead > 0 && p < s->end; ahead--) {
        size_t n;
        p++;
        while ((n = splice_at(p, s->end)) > 0)
            p += n;
    }
    return p < s->end ? (unsigned char)*p : -1;
}

static int take(struct scan *s)
{
    int c = peek(s, 0);
    if (c >= 0)
        s->at++;
    if (c == '\n')
        s->line++;
    return c;
}

static int refuse(struct scan *s, int line, const char *what)
{
    return err_set(s->err, ERR_BAD_REQUEST, "line %d: %s", line, what);
}

/* ---- the token line being made ---- */

static void put(struct scan *s, int c, bool is_code)
{
    s->code[s->out->len] = is_code ? (char)c : ' ';
    s->out->text[s->out->len++] = (char)c;
}

static void emit(struct scan *s, int c)
{
    if (s->out->len == s->begin)
        s->line_start = s->line;
    else if (s->blank)
        put(s, ' ', true);
    s->blank = false;
    put(s, c, true);
}

static bool ends_word(const char *p)
{
    return !isalnum((unsigned char)*p) && *p != '_';
}

static const char *skip_blank(const char *p)
{
    return *p == ' ' ? p + 1 : p;
}

/* After the directive's own sign: what it may be. */
static int check_directive(struct scan *s, const char *p)
{
    static const char *const known[] = {"define", "undef", "if",    "ifdef",   "ifndef", "elif",
                                        "else",   "endif", "error", "warning", ""};
    size_t n = 0;
    p = skip_blank(p);
    while (!ends_word(p + n))
        n++;
    const char *rest = skip_blank(p + n);
    if (n == 7 && !strncmp(p, "include", n))
        return strcmp(rest, "\"warpdrill.h\"") ? refuse(s, s->line_start, "#include of anything but \"warpdrill.h\"") : 0;
    if (n == 6 && !strncmp(p, "pragma", n) && !strncmp(rest, "unroll", 6) && ends_word(rest + 6))
        return 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == n && !strncmp(p, known[i], n) && (n || !*rest))
            return 0;
    return refuse(s, s->line_start, "a directive that device code may not use");
}

/* Words that would tie the text to its place or reach for files; all begin with '_'. */
static int check_words(struct scan *s, const char *line)
{
    static const char *const banned[] = {"__LINE__",        "__FILE__",    "__has_include", "__has_include_next",
                                         "__has_embed",     "_Pragma",     "__BASE_FILE__", "__pragma",
                                         "__INCLUDE_LEVEL__", "__COUNTER__", "__DATE__",    "__TIME__",
                                         "__TIMESTAMP__",   "__builtin_LINE", "__builtin_FILE", "__FILE_NAME__"};
    for (const char *p = line; *p;) {
        size_t n = 0;
        while (!ends_word(p + n))
            n++;
        for (size_t i = 0; *p == '_' && i < sizeof banned / sizeof *banned; i++)
            if (strlen(banned[i]) == n && !strncmp(p, banned[i], n))
                return refuse(s, s->line_start, "a word that device code may not use (file, line or include tests)");
        p += n ? n : 1;
    }
    return 0;
}

static int check_line(struct scan *s, const char *line, const char *code)
{
    int rc = 0;
    if (*line == '#')
        rc = check_directive(s, line + 1);
    else if (!strncmp(line, "%:", 2))
        rc = check_directive(s, line + 2);
    return rc ? rc : check_words(s, code);
}

static int end_line(struct scan *s)
{
    struct token_text *out = s->out;
    s->blank = false;
    if (out->len == s->begin)
        return 0;
    if (out->text[out->len - 1] == '\\') /* it would join lines that the source keeps apart */
        return refuse(s, s->line_start, "a backslash at the end of the code");
    out->text[out->len] = s->code[out->len] = '\0';
    int rc = check_line(s, out->text + s->begin, s->code + s->begin);
    if (rc)
        return rc;
    if ((size_t)out->lines == s->cap_lines) {
        s->cap_lines = s->cap_lines * 2 + 64;
        out->line_of = mem_grow(out->line_of, s->cap_lines, sizeof *out->line_of);
    }
    out->line_of[out->lines++] = s->line_start;
    put(s, '\n', true);
    s->begin = out->len;
    return 0;
}

/* ---- what a character begins ---- */

static void skip_line_comment(struct scan *s)
{
    while (peek(s, 0) >= 0 && peek(s, 0) != '\n')
        take(s);
    s->blank = true;
}

static int skip_block_comment(struct scan *s)
{
    int began = s->line, c = 0, last = 0;
    take(s);
    take(s);
    while ((c = take(s)) >= 0) {
        if (last == '*' && c == '/') {
            s->blank = true;
            return 0;
        }
        last = c;
    }
    return refuse(s, began, "a comment that does not end");
}

/* Whether the word that ends where the quote stands is a raw string's prefix. */
static bool is_raw_prefix(const struct scan *s)
{
    const char *from = s->out->text + s->begin, *p = s->out->text + s->out->len;
    const char *word = p;
    while (word > from && !ends_word(word - 1))
        word--;
    size_t n = (size_t)(p - word);
    return !s->blank && n > 0 && n <= 3 && word[n - 1] == 'R';
}

static int copy_literal(struct scan *s)
{
    int began = s->line;
    if (peek(s, 0) == '"' && is_raw_prefix(s))
        return refuse(s, began, "a raw string literal");
    int quote = peek(s, 0), c;
    emit(s, quote);
    take(s);
    while ((c = peek(s, 0)) >= 0 && c != '\n') {
        put(s, take(s), c == quote);
        if (c == quote)
            return 0;
        if (c == '\\' && (c = peek(s, 0)) >= 0 && c != '\n')
            put(s, take(s), false);
    }
    return refuse(s, began, "a literal that does not end on its line");
}

/* What a single quote is: the start of a literal, the separator in 1'000, or something on which
 * two compilers may disagree. A number goes on through letters, dots and signed exponents. */
enum quote { QUOTE_LITERAL, QUOTE_SEPARATOR, QUOTE_ODD };
static enum quote quote_kind(struct scan *s)
{
    const char *line = s->out->text + s->begin, *end = s->out->text + s->out->len, *word = end;
    if (s->blank)
        return QUOTE_LITERAL;
    while (word > line && (!ends_word(word - 1) || word[-1] == '\''))
        word--;
    if (word == end)
        return QUOTE_LITERAL;
    int next = peek(s, 1);
    if (isdigit((unsigned char)*word) && next >= 0 && next < 0x80 && isalnum(next))
        return QUOTE_SEPARATOR;
    bool sign = word - line >= 2 && strchr("+-", word[-1]) && strchr("eEpP", word[-2]);
    bool inside_number = sign || (word > line && word[-1] == '.') || isdigit((unsigned char)*word);
    return inside_number || *word == '\'' ? QUOTE_ODD : QUOTE_LITERAL;
}

static int scan_one(struct scan *s)
{
    int c = peek(s, 0);
    if (c == '/' && peek(s, 1) == '/') {
        skip_line_comment(s);
    } else if (c == '/' && peek(s, 1) == '*') {
        return skip_block_comment(s);
    } else if (c == '\'' && quote_kind(s) == QUOTE_ODD) {
        return refuse(s, s->line, "a quote in an odd place");
    } else if (c == '"' || (c == '\'' && quote_kind(s) == QUOTE_LITERAL)) {
        return copy_literal(s);
    } else if (c >= 0x80) {
        return refuse(s, s->line, "a character outside ASCII, in code");
    } else if (c == '\n') {
        int rc = end_line(s);
        take(s);
        return rc;
    } else if (c == ' ' || c == '\t' || c == '\f') {
        take(s);
        s->blank = true;
    } else {
        emit(s, c);
        take(s);
    }
    return 0;
}

static int line_at(const char *source, const char *at)
{
    int line = 1;
    for (; source < at; source++)
        line += *source == '\n';
    return line;
}

/* "??" and what makes a trigraph of it, also when only joining lines brings them together. */
static bool is_trigraph(const char *p, const char *end)
{
    const char *const parts[] = {"?", "?", "=/'"};
    for (int i = 0; i < 3; i++) {
        while (i && splice_at(p, end))
            p += splice_at(p, end);
        if (p == end || !strchr(parts[i], *p++))
            return false;
    }
    return true;
}

static int check_bytes(struct scan *s, const char *source, size_t len)
{
    size_t bad = 0;
    while ((bad += text_first_bad(source + bad, len - bad)) < len && source[bad] == '\f')
        bad++;
    if (bad < len)
        return refuse(s, line_at(source, source + bad), "a control character, or text that is not UTF-8");
    for (const char *p = source; p < s->end; p++) {
        if (*p == '?' && is_trigraph(p, s->end))
            return refuse(s, line_at(source, p), "a trigraph");
        if (s->end - p >= 2 && p[0] == '\\' && strchr(" \t\f", p[1])) {
            const char *q = p + 1;
            while (q < s->end && strchr(" \t\f", *q))
                q++;
            if (q < s->end && *q == '\n')
                return refuse(s, line_at(source, p), "blanks between a backslash and the end of the line");
        }
    }
    return 0;
}

int token_scan(struct token_text *out, const char *source, size_t len, struct err *err)
{
    *out = (struct token_text){0};
    struct scan s = {.at = source, .end = source + len, .line = 1, .out = out, .err = err};
    int rc = check_bytes(&s, source, len);
    /* Nothing gets longer but for the last newline and a blank in the place of a two-byte comment. */
    out->text = mem_new(len + 2, 1);
    s.code = mem_new(len + 2, 1);
    while (!rc && peek(&s, 0) >= 0)
        rc = scan_one(&s);
    if (!rc)
        rc = end_line(&s);
    if (rc)
        token_free(out);
    else
        out->text[out->len] = '\0';
    free(s.code);
    return rc;
}

void token_free(struct token_text *t)
{
    if (!t)
        return;
    free(t->text);
    free(t->line_of);
    *t = (struct token_text){0};
}

int token_hash(char out[HASH_HEX], const char *source, size_t len, struct err *err)
{
    struct token_text t;
    int rc = token_scan(&t, source, len, err);
    if (!rc)
        hash_bytes(out, t.text, t.len);
    token_free(&t);
    return rc;
}

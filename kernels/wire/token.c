/* Two passes over a device source. The first looks at its bytes alone and refuses whatever reaches
 * for a file, be it in a comment or a literal: of what is a comment, no two readers need agree
 * then. The second goes in the order of the C++ translation phases: splices are joined while
 * characters are read, comments and literals are told apart, lines are normalised, and each
 * finished line is looked at for what a source may not contain. Where compilers could disagree
 * with us (quotes behind numbers and words, pasting, digraphs, odd characters), the source is
 * refused. tests/fuzz/against_nvrtc.c holds both against NVRTC's own reading. */
#include "kernels/wire/token.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* What the last character of code is part of. A number is what the standard calls a preprocessing
 * number. */
enum token { TOKEN_NONE, TOKEN_WORD, TOKEN_NUMBER, TOKEN_LITERAL };

struct scan {
    const char *source, *at, *end;
    int line;             /* of *at, 1-based */
    int line_start;       /* source line on which the token line began */
    bool blank;           /* a blank is due before the next character */
    size_t begin;         /* where the token line begins in out->text */
    enum token token;
    size_t token_at;      /* where it begins in out->text */
    size_t cap_lines;
    struct token_text *out;
    char *code;           /* out->text with a blank for every character inside a literal */
    unsigned *place;      /* where each byte of out->text stands in the source */
    struct err *err;
};

/* The place is found again from the source's first byte, once, since a scan ends with its first
 * error. */
static int refuse(struct scan *s, const char *at, const char *what)
{
    int line = 1, column = 1;
    for (const char *p = s->source; p < at; p++) {
        column = *p == '\n' ? 1 : column + !text_is_tail(*p);
        line += *p == '\n';
    }
    return err_set(s->err, ERR_BAD_REQUEST, "line %d, column %d: %s", line, column, what);
}

const char *token_error_place(const struct err *err, int *line, int *column)
{
    int said = 0;
    *line = *column = 1;
    sscanf(err->text, "line %d, column %d: %n", line, column, &said);
    return err->text + said;
}

/* ---- words ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_word(int c)
{
    return c == '_' || (c > 0 && c < 0x80 && isalnum(c));
}

static size_t word_length(const char *p, const char *end)
{
    size_t n = 0;
    while (p + n < end && is_word((unsigned char)p[n]))
        n++;
    return n;
}

static bool is_one_of(const char *word, size_t n, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == n && !strncmp(word, *list, n))
            return true;
    return false;
}

static bool begins(const char *p, const char *end, const char *with)
{
    size_t n = strlen(with);
    return (size_t)(end - p) >= n && !memcmp(p, with, n);
}

static bool asks_for_files(const char *word, const char *end)
{
    return begins(word, end, "__has_include") || begins(word, end, "__has_embed");
}

/* Words that would tie the text to its place or reach for files. */
static bool is_forbidden(const char *word, size_t n)
{
    static const char *const words[] = {
        "__LINE__", "__FILE__", "__BASE_FILE__", "__FILE_NAME__", "__INCLUDE_LEVEL__",
        "__COUNTER__", "__DATE__", "__TIME__", "__TIMESTAMP__",
        "__builtin_LINE", "__builtin_FILE", "__builtin_FILE_NAME", "__builtin_source_location",
        "_Pragma", "__pragma", NULL};
    return is_one_of(word, n, words) || asks_for_files(word, word + n);
}

const char *token_forbidden(const char *text)
{
    const char *end = text + strlen(text);
    for (const char *p = text; p < end;) {
        size_t n = word_length(p, end);
        if (*p == '_' && is_forbidden(p, n))
            return p;
        p += n ? n : 1;
    }
    return NULL;
}

/* ---- the bytes, whatever they are part of ---- */

static size_t splice_at(const char *p, const char *end)
{
    return end - p >= 2 && p[0] == '\\' && p[1] == '\n' ? 2 : 0;
}

static const char *skip_layout(const char *p, const char *end)
{
    while (p < end && (is_blank(*p) || splice_at(p, end)))
        p += is_blank(*p) ? 1 : 2;
    return p;
}

/* Behind what comes before p but for blanks and joined lines. */
static const char *back_over_layout(const char *p, const char *source)
{
    for (;;) {
        if (p > source && is_blank(p[-1]))
            p--;
        else if (p - source >= 2 && p[-1] == '\n' && p[-2] == '\\')
            p -= 2;
        else
            return p;
    }
}

/* A sign that may begin a directive for a reader to whom its line, joined or not, begins outside
 * of comments. NVRTC 13.0 also takes one for a directive behind a comment of several lines that
 * has code before it. */
static int check_sign(struct scan *s, const char *sign, size_t length)
{
    static const char *const opening[] = {"include", "include_next", "import", "embed", NULL};
    const char *before = back_over_layout(sign, s->source);
    if (before - s->source >= 2 && before[-1] == '/' && before[-2] == '*')
        return refuse(s, sign, "a # behind a comment; put the directive on a line of its own");
    bool first = before == s->source || before[-1] == '\n' ||
                 memchr(before, '\n', (size_t)(sign - before));
    if (!first)
        return 0;
    const char *word = skip_layout(sign + length, s->end);
    if (begins(word, s->end, "/*"))
        return refuse(s, word, "a comment between # and its word; leave it out");
    size_t n = word_length(word, s->end);
    bool header = n == strlen("include") &&
                  begins(skip_layout(word + n, s->end), s->end, "\"warpdrill.h\"");
    if (is_one_of(word, n, opening) && !header)
        return refuse(s, sign, "#include of anything but \"warpdrill.h\"; "
                               "write out what you need of it");
    return 0;
}

static int check_backslash(struct scan *s, const char *p)
{
    const char *q = p + 1;
    while (q < s->end && is_blank(*q))
        q++;
    if (q > p + 1 && q < s->end && *q == '\n')
        return refuse(s, p, "blanks between a backslash and the end of the line; remove them");
    if (!splice_at(p, s->end) || p == s->source || isspace((unsigned char)p[-1]))
        return 0;
    for (q = p; splice_at(q, s->end);)
        q += 2;
    if (q < s->end && !isspace((unsigned char)*q))
        return refuse(s, p, "a backslash that joins two lines inside a word; "
                            "put a blank before it");
    return 0;
}

static int check_byte(struct scan *s, const char *p)
{
    switch (*p) {
    case '?':
        if (s->end - p >= 3 && p[1] == '?' && strchr("=/'", p[2]))
            return refuse(s, p, "a trigraph; write the character that it stands for");
        return 0;
    case '\\':
        return check_backslash(s, p);
    case '#':
        return check_sign(s, p, 1);
    case '%':
        return begins(p, s->end, "%:") ? check_sign(s, p, 2) : 0;
    case '_':
        if ((p == s->source || !is_word((unsigned char)p[-1])) && asks_for_files(p, s->end))
            return refuse(s, p, "a question about files, be it in a comment; leave the word out");
        return 0;
    default:
        return 0;
    }
}

static int check_bytes(struct scan *s)
{
    size_t len = (size_t)(s->end - s->source), bad = text_first_bad(s->source, len);
    if (bad < len)
        return refuse(s, s->source + bad, "a control character, or text that is not UTF-8; "
                                          "plain text was expected");
    int rc = 0;
    for (const char *p = s->source; p < s->end && !rc; p++)
        rc = check_byte(s, p);
    return rc;
}

/* ---- characters, lines joined ---- */

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

/* ---- the token line being made ---- */

static void put(struct scan *s, int c, bool is_code)
{
    s->code[s->out->len] = is_code ? (char)c : ' ';
    s->place[s->out->len] = (unsigned)(s->at - s->source);
    s->out->text[s->out->len++] = (char)c;
}

static const char *place_of(const struct scan *s, size_t byte)
{
    return s->source + s->place[byte];
}

static void end_token(struct scan *s)
{
    s->token = TOKEN_NONE;
    s->token_at = s->out->len;
}

static void begin_character(struct scan *s)
{
    if (s->out->len == s->begin)
        s->line_start = s->line;
    else if (s->blank)
        put(s, ' ', true);
    if (s->out->len == s->begin || s->blank)
        end_token(s);
    s->blank = false;
}

static const char *skip_blank(const char *p)
{
    return *p == ' ' ? p + 1 : p;
}

/* Readers differ about comments and quotes in the text of #error and #warning, so it has none. */
static int check_told_text(struct scan *s)
{
    const char *at = place_of(s, s->begin);
    for (; at < s->end && *at != '\n'; at++)
        if (strchr("\"'/\\", *at))
            return refuse(s, at, "a quote, comment or backslash in an #error or #warning; plain "
                                 "words there");
    return 0;
}

/* After the directive's own sign: what it may be. */
static int check_directive(struct scan *s, const char *p)
{
    static const char *const known[] = {"define", "undef", "if", "ifdef", "ifndef", "elif",
                                        "else", "endif", NULL};
    p = skip_blank(p);
    size_t n = word_length(p, p + strlen(p));
    const char *rest = skip_blank(p + n), *rest_end = rest + strlen(rest);
    bool include = n == 7 && !strncmp(p, "include", n) && !strcmp(rest, "\"warpdrill.h\"");
    bool told = (n == 5 && !strncmp(p, "error", n)) || (n == 7 && !strncmp(p, "warning", n));
    bool unroll = n == 6 && !strncmp(p, "pragma", n) && begins(rest, rest_end, "unroll") &&
                  word_length(rest, rest_end) == 6;
    if (told)
        return check_told_text(s);
    if (include || unroll || is_one_of(p, n, known) || (!n && !*rest))
        return 0;
    return refuse(s, place_of(s, s->begin), "a directive that device code may not use; #define, "
                  "#undef, #if and its kin, #error, #warning and #pragma unroll are known");
}

static int check_line(struct scan *s)
{
    const char *line = s->out->text + s->begin, *code = s->code + s->begin, *at;
    int rc = *line == '#' ? check_directive(s, line + 1) : 0;
    if (rc)
        return rc;
    for (at = code; (at = strchr(at, '#')); at++)
        if (*skip_blank(at + 1) == '#')
            return refuse(s, place_of(s, (size_t)(at - s->code)),
                          "words pasted by ##; write the whole word");
    at = token_forbidden(code);
    if (!at)
        return 0;
    return refuse(s, place_of(s, (size_t)(at - s->code)),
                  "a word that tells of files, lines or times; leave it out");
}

static int end_line(struct scan *s)
{
    struct token_text *out = s->out;
    s->blank = false;
    if (out->len == s->begin)
        return 0;
    out->text[out->len] = s->code[out->len] = '\0';
    int rc = check_line(s);
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
    const char *began = s->at;
    int c = 0, last = 0;
    take(s);
    take(s);
    while ((c = take(s)) >= 0) {
        if (last == '*' && c == '/') {
            s->blank = true;
            return 0;
        }
        last = c;
    }
    return refuse(s, began, "a comment that does not end; close it by */");
}

/* A quote begins a literal where nothing stands right before it but another literal, a sign or a
 * prefix. What else there is, readers take for a separator of digits, for a literal, or for its
 * end. */
static int check_quote(struct scan *s, int quote)
{
    static const char *const prefixes[] = {"L", "u", "U", "u8", NULL};
    static const char *const raw[] = {"R", "LR", "uR", "UR", "u8R", NULL};
    const char *word = s->out->text + s->token_at;
    size_t n = s->out->len - s->token_at;
    bool joined = s->out->len > s->begin && !s->blank;
    if (joined && s->token == TOKEN_NUMBER)
        return refuse(s, s->at, "a quote right behind a number; "
                                "write digits without separators, as 1000000");
    if (!joined || s->token != TOKEN_WORD || is_one_of(word, n, prefixes))
        return 0;
    if (quote == '"' && is_one_of(word, n, raw))
        return refuse(s, s->at, "a raw string literal; write an ordinary one, with \\n and \\\"");
    return refuse(s, s->at, "a quote right behind a word; put a blank between them");
}

static int copy_literal(struct scan *s)
{
    int quote = peek(s, 0), c;
    const char *began = s->at;
    int rc = check_quote(s, quote);
    if (rc)
        return rc;
    begin_character(s);
    put(s, quote, true);
    take(s);
    while ((c = peek(s, 0)) >= 0 && c != '\n') {
        put(s, c, c == quote);
        take(s);
        s->token = TOKEN_LITERAL;
        if (c == quote)
            return 0;
        if (c == '\\' && (c = peek(s, 0)) >= 0 && c != '\n') {
            put(s, c, false);
            take(s);
        }
    }
    return refuse(s, began, "a literal that does not end on its line; close it there, "
                            "and write \\n for a new line");
}

/* Whether c goes on with the token that the last character is part of. */
static bool continues(const struct scan *s, int c)
{
    char last = s->out->len ? s->out->text[s->out->len - 1] : '\0';
    if (s->token == TOKEN_NUMBER && (c == '.' || ((c == '+' || c == '-') && strchr("eEpP", last))))
        return true;
    return s->token != TOKEN_NONE && is_word(c);
}

static int copy_code(struct scan *s, int c)
{
    if (c >= 0x80)
        return refuse(s, s->at, "a character outside ASCII, in code; "
                                "write it in comments and literals alone");
    if (strchr("\\$@`", c))
        return refuse(s, s->at, "one of \\ $ @ ` in code; "
                                "letters, digits and the signs of C++ were expected");
    if (c == '%' && peek(s, 1) == ':')
        return refuse(s, s->at, "%: in the place of #; write #, or a blank between the two");
    begin_character(s);
    if (!continues(s, c)) {
        end_token(s);
        if (isdigit(c) || (c == '.' && peek(s, 1) >= '0' && peek(s, 1) <= '9'))
            s->token = TOKEN_NUMBER;
        else if (is_word(c))
            s->token = TOKEN_WORD;
    } else if (s->token == TOKEN_LITERAL) {
        return refuse(s, s->at, "a literal with a suffix; put a blank behind its quote");
    }
    put(s, c, true);
    take(s);
    return 0;
}

static int scan_one(struct scan *s)
{
    int c = peek(s, 0);
    if (c == '/' && peek(s, 1) == '/') {
        skip_line_comment(s);
    } else if (c == '/' && peek(s, 1) == '*') {
        return skip_block_comment(s);
    } else if (c == '"' || c == '\'') {
        return copy_literal(s);
    } else if (c == '\n') {
        int rc = end_line(s);
        take(s);
        return rc;
    } else if (is_blank((char)c)) {
        take(s);
        s->blank = true;
    } else {
        return copy_code(s, c);
    }
    return 0;
}

int token_scan(struct token_text *out, const char *source, size_t len, struct err *err)
{
    *out = (struct token_text){0};
    struct scan s = {.source = source, .at = source, .end = source + len, .line = 1,
                     .out = out, .err = err};
    int rc = check_bytes(&s);
    /* Nothing gets longer but for the last newline: a comment has more bytes than its blank. */
    out->text = mem_new(len + 2, 1);
    s.code = mem_new(len + 2, 1);
    s.place = mem_grow(NULL, len + 2, sizeof *s.place);
    while (!rc && peek(&s, 0) >= 0)
        rc = scan_one(&s);
    if (!rc)
        rc = end_line(&s);
    if (rc)
        token_free(out);
    else
        out->text[out->len] = '\0';
    free(s.code);
    free(s.place);
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

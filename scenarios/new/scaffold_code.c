/* The text of the author's file and its mask: mended, comments and literals told apart, brackets
 * matched; the words of masked code, and where in the file they stand. */
#include "scenarios/new/scaffold_source_inside.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* ---- words of masked code ---- */

bool code_is_word(char c)
{
    return c == '_' || isalnum((unsigned char)c);
}

size_t code_find(const char *code, size_t from, size_t end, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = from; i + n <= end; i++)
        if (!memcmp(code + i, word, n) && (i == 0 || !code_is_word(code[i - 1])) &&
            !code_is_word(code[i + n]))
            return i;
    return end;
}

size_t code_close(const char *code, size_t at, size_t end)
{
    int depth = 0;
    char open = code[at], close = open == '(' ? ')' : open == '[' ? ']' : open == '<' ? '>' : '}';
    for (size_t i = at; i < end; i++) {
        depth += (code[i] == open) - (code[i] == close);
        if (depth == 0)
            return i + 1;
    }
    return 0;
}

size_t code_behind(const char *code, size_t at, size_t end)
{
    size_t close = code_close(code, at, end);
    return close ? close : end;
}

size_t code_skip(const char *code, size_t at, size_t end)
{
    while (at < end && isspace((unsigned char)code[at]))
        at++;
    return at;
}

size_t code_word(const char *code, size_t at, size_t end)
{
    while (at < end && code_is_word(code[at]))
        at++;
    return at;
}

void source_note(struct source *s, int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char text[400];
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    s->notes = mem_grow(s->notes, (size_t)s->n_notes + 1, sizeof *s->notes);
    s->notes[s->n_notes++] = (struct note){line, text_dup(text)};
}

enum { MARK_EVERY = 256 /* bytes, the most that a place is looked for; a power of two */ };

void source_place(const struct source *s, size_t at, int *line, int *col)
{
    size_t mark = (at < s->file.len ? at : s->file.len) / MARK_EVERY;
    *line = s->marks[mark].line;
    *col = s->marks[mark].col;
    file_place_on(&s->file, mark * MARK_EVERY, at, line, col);
}

static void set_marks(struct source *s)
{
    struct source_mark now = {1, 1};
    s->marks = mem_new(s->file.len / MARK_EVERY + 1, sizeof *s->marks);
    for (size_t i = 0; i <= s->file.len; i++) {
        if (i % MARK_EVERY == 0)
            s->marks[i / MARK_EVERY] = now;
        now.col = s->file.text[i] == '\n' ? 1 : now.col + !text_is_tail(s->file.text[i]);
        now.line += s->file.text[i] == '\n';
    }
}

int source_line_at(const struct source *s, size_t at)
{
    int line, col;
    source_place(s, at, &line, &col);
    return line;
}

void source_line(char *out, size_t size, const struct source *s, size_t begin, size_t end)
{
    size_t n = 0;
    bool blank = false;
    for (size_t i = begin; i < end && n + 5 < size; i++) {
        bool is_blank = isspace((unsigned char)s->code[i]);
        if (!is_blank && blank && n)
            out[n++] = ' ';
        if (!is_blank)
            out[n++] = s->code[i];
        blank = is_blank;
    }
    snprintf(out + n, size - n, "%s", n + 5 >= size ? "..." : "");
}

/* The file that the line stood in, as far as a message shows it: that line alone, at its number. */
static struct file shown_origin(const struct source *s, int line, int *from)
{
    const char *path;
    size_t n;
    *from = source_origin(&path, s, line);
    const char *text = file_line(&s->file, line, &n);
    size_t before = (size_t)*from - 1;
    struct file out = {
        .path = text_dup(path), .text = mem_new(before + n + 2, 1), .len = before + n};
    memset(out.text, '\n', before);
    if (n)
        memcpy(out.text + before, text, n);
    return out;
}

int source_fail(const struct source *s, size_t at, int code, struct err *err, const char *what)
{
    int line, col, from;
    file_place(&s->file, at, &line, &col);
    struct file shown = shown_origin(s, line, &from);
    int rc = files_fail(NULL, &shown, from, col, code, err, "%s", what);
    free(shown.path);
    free(shown.text);
    return rc;
}

/* ---- the text ---- */

/* Lines of Windows and form feeds are mended and told; what is no UTF-8 cannot be. */
int source_mend(struct source *s, struct err *err)
{
    struct file *f = &s->file;
    size_t from = f->len >= 3 && !memcmp(f->text, "\xEF\xBB\xBF", 3) ? 3 : 0, to = 0;
    bool returns = false;
    for (size_t i = from; i < f->len; i++) {
        bool ends = f->text[i] == '\r' && (i + 1 == f->len || f->text[i + 1] == '\n');
        returns = returns || ends;
        if (!ends)
            f->text[to++] = f->text[i] == '\f' ? ' ' : f->text[i];
    }
    if (to == 0 || f->text[to - 1] != '\n')
        f->text[to++] = '\n';
    f->text[f->len = to] = '\0';
    if (returns)
        source_note(s, 0,
                    "lines ended in carriage returns; in the pack they end in newlines alone");
    size_t bad = text_first_bad(f->text, f->len);
    if (bad < f->len)
        return source_fail(s, bad, ERR_BAD_REQUEST, err,
                       (unsigned char)f->text[bad] >= 0x80
                           ? "bytes that are not UTF-8; UTF-8 was expected (iconv -f latin1 -t "
                             "utf8 FILE)"
                           : "a control character; plain text was expected");
    return 0;
}

/* Behind the literal that begins at i; its inside becomes blanks in the mask. */
static size_t mask_literal(char *code, size_t i, size_t end)
{
    char quote = code[i++];
    while (i < end && code[i] != quote && code[i] != '\n') {
        if (code[i] == '\\' && i + 1 < end && code[i + 1] != '\n')
            code[i++] = ' ';
        code[i++] = ' ';
    }
    return i < end ? i + 1 : end;
}

static size_t mask_comment(char *code, size_t i, size_t end)
{
    bool block = code[i + 1] == '*';
    size_t stop = i + 2;
    while (stop < end && (block ? !(code[stop] == '*' && stop + 1 < end && code[stop + 1] == '/')
                                : code[stop] != '\n'))
        stop++;
    if (block && stop < end)
        stop += 2;
    for (; i < stop; i++)
        if (code[i] != '\n')
            code[i] = ' ';
    return stop;
}

/* Behind the number that begins at i; a quote between digits becomes part of the word. */
static size_t mask_number(struct source *s, size_t i)
{
    char *code = s->code;
    for (; code_is_word(code[i]) || code[i] == '.' || code[i] == '\''; i++) {
        if (code[i] != '\'')
            continue;
        if (!code_is_word(code[i + 1]))
            break;
        code[i] = '_';
        s->quotes = mem_grow(s->quotes, (size_t)s->n_quotes + 1, sizeof *s->quotes);
        s->quotes[s->n_quotes++] = i;
    }
    return i;
}

void source_mask(struct source *s)
{
    size_t end = s->file.len;
    char *code = s->code = mem_new(end + 64, 1); /* words are looked for a little past the end */
    memcpy(code, s->file.text, end);
    for (size_t i = 0; i < end;) {
        if (code[i] == '/' && i + 1 < end && (code[i + 1] == '/' || code[i + 1] == '*'))
            i = mask_comment(code, i, end);
        else if (code[i] == '"' || code[i] == '\'')
            i = mask_literal(code, i, end);
        else if (isdigit((unsigned char)code[i]))
            i = mask_number(s, i);
        else if (code_is_word(code[i]))
            i = code_word(code, i, end);
        else
            i++;
    }
    set_marks(s);
}

/* ---- brackets ---- */

/* Each kind by itself, as code_close counts them: a stack of the open ones in the places that they
 * will have. */
static void pair_brackets(struct source *s, char open, char close)
{
    unsigned last =
        0; /* the innermost open one, from 1; it holds the one around it until it is closed */
    for (size_t i = 0; i < s->file.len; i++) {
        if (s->code[i] == open) {
            s->close[i] = last;
            last = (unsigned)i + 1;
        } else if (s->code[i] == close && last) {
            unsigned at = last - 1;
            last = s->close[at];
            s->close[at] = (unsigned)i + 1;
        }
    }
    while (last) {
        unsigned at = last - 1;
        last = s->close[at];
        s->close[at] = 0;
    }
}

void source_pair_brackets(struct source *s)
{
    s->close = mem_new(s->file.len + 1, sizeof *s->close);
    pair_brackets(s, '(', ')');
    pair_brackets(s, '[', ']');
    pair_brackets(s, '{', '}');
    pair_brackets(s, '<', '>');
}

/* code_close of the source's own code, without looking for it. */
size_t source_close(const struct source *s, size_t at, size_t end)
{
    return s->close[at] <= end ? s->close[at] : 0;
}

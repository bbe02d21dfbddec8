/* Where a node stands: its file, an error there, and the way back from a byte of a scalar to its
 * place in the file. */
#include "scenarios/text/yaml_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernels/wire/text.h"

const struct file *yaml_doc_file(const struct yaml_doc *d)
{
    return d->file;
}

/* ---- from a scalar's text back to the file ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t';
}

/* Start of the character `col` (from 1) of a line. */
static const char *at_column(const struct file *f, int line, int col)
{
    size_t n;
    const char *s = file_line(f, line, &n);
    if (!s)
        return f->text + f->len;
    const char *end = s + n;
    for (int k = 1; k < col && s < end; k++)
        do
            s++;
        while (s < end && text_is_tail(*s));
    return s;
}

static size_t escape_length(const char *s)
{
    return s[1] == 'x' ? 4 : s[1] == 'u' ? 6 : s[1] == 'U' ? 10 : 2;
}

/* Where the content of the scalar begins: behind the quote, or on the line below a block indicator.
 */
static const char *content(const char *s, const char *end, char *quote)
{
    *quote = s < end ? *s : '\0';
    if (*quote == '\'' || *quote == '"')
        return s + 1;
    if (*quote == '|' || *quote == '>')
        while (s < end && *s++ != '\n')
            ;
    return s;
}

void yaml_place(const struct file *f, int line, int col, const char *text, int column,
                int *out_line, int *out_col)
{
    const char *end = f->text + f->len, *t = text,
               *stop = text + strnlen(text, column > 0 ? (size_t)column - 1 : 0);
    char quote;
    const char *s = content(at_column(f, line, col), end, &quote);
    while (s < end &&
           *t) { /* behind the end of the text: right there, not after the blanks of the file */
        if (quote == '"' && *s == '\\') {
            if (t == stop)
                break;
            size_t n = escape_length(s);
            s += (size_t)(end - s) < n ? (size_t)(end - s) : n;
            if (s[-1] != '\n')       /* an escaped line end makes no text */
                do
                    t++;
                while (t < stop && text_is_tail(*t));
        } else if (*s == *t || (is_blank(*s) && is_blank(*t))) {
            if (t == stop)
                break;
            s++, t++;
        } else if (is_blank(*s) || *s == quote) {
            s++;                     /* indentation, folding, a doubled quote */
        } else {
            break;
        }
    }
    file_place(f, (size_t)(s - f->text), out_line, out_col);
}

bool yaml_cut_by_comment(const struct yaml *y)
{
    if (y->kind != YAML_SCALAR || y->style != YAML_PLAIN)
        return false;
    size_t n;
    const struct file *f = yaml_doc_file(y->doc);
    const char *line = file_line(f, y->line, &n), *s = at_column(f, y->line, y->col) + y->len;
    if (!line || s > line + n || strchr(y->text, '\n'))
        return false;
    while (s < line + n && *s == ' ')
        s++;
    bool comment = s < line + n && *s == '#' && s > line && s[-1] == ' ';
    return comment && s + 1 < line + n && s[1] != ' ';
}

/* ---- errors ---- */

int yaml_fail(const struct yaml *y, int code, struct err *err, const char *fmt, ...)
{
    char what[1200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    return files_fail(y->doc->files, y->doc->file, y->line, y->col, code, err, "%s", what);
}

int yaml_fail_at(const struct yaml *y, int column, int code, struct err *err, const char *fmt, ...)
{
    char what[1200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    int line, col;
    yaml_place(y->doc->file, y->line, y->col, y->text, column, &line, &col);
    return files_fail(y->doc->files, y->doc->file, line, col, code, err, "%s", what);
}

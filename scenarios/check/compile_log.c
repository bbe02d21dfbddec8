#include "scenarios/check/compile_log.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

enum { INDENT = 2 }; /* what the compiler puts before a line that it shows */

struct reading { const char *name; const struct file *source; struct compile_errors *out; };

static void add_error(struct compile_errors *out, int line, int col, const char *text, size_t len)
{
    while (len > 0 && isspace((unsigned char)text[len - 1]))
        len--;
    for (int i = 0; i < out->n; i++)
        if (out->all[i].line == line && out->all[i].col == col && strlen(out->all[i].text) == len &&
            !strncmp(out->all[i].text, text, len))
            return;
    out->all = mem_grow(out->all, (size_t)out->n + 1, sizeof *out->all);
    out->all[out->n++] = (struct compile_error){line, col, text_ndup(text, len)};
}

/* ---- "suspect.cu(12): catastrophic error: TEXT", the line, a caret ---- */

/* The message behind the word "error" or "error #20-D"; NULL for a warning or remark. */
static const char *error_text(const char *at)
{
    static const char *const words[] = {" error", " catastrophic error", " Error",
                                        " internal error"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (strncmp(at, words[i], n))
            continue;
        at += n;
        at += *at == ' ' ? 1 + strcspn(at + 1, ":\n") : 0;
        return *at == ':' ? at + 1 + strspn(at + 1, " ") : NULL;
    }
    return NULL;
}

/* Column of the caret below the copy of this line that follows the message; that of its first
 * letter where none is shown. */
static int column(const struct reading *r, int line, const char *shown)
{
    size_t len = 0, at, indent = 0;
    const char *text = file_line(r->source, line, &len);
    while (indent < len && isspace((unsigned char)text[indent]))
        indent++;
    const char *below = text_next_line(shown);
    size_t caret = strspn(below, " \t");
    bool copied = strspn(shown, " ") >= INDENT && !strncmp(shown + INDENT, text, len) &&
                  shown[INDENT + len] == '\n';
    at = copied && below[caret] == '^' && caret >= INDENT && caret - INDENT <= len ? caret - INDENT
         : indent == len                                                           ? 0
                                                                                   : indent;
    int col, there;
    file_place(r->source, (size_t)(text - r->source->text) + at, &there, &col);
    return col;
}

static bool read_placed(const struct reading *r, const char *line)
{
    size_t name = strcspn(line, "(\n"), end = strcspn(line, "\n");
    int number = 0, skip = 0;
    if (sscanf(line + name, "(%d):%n", &number, &skip) != 1 || !skip || number < 1)
        return false;
    const char *text = error_text(line + name + skip);
    if (!text)
        return false;
    size_t len = end - (size_t)(text - line);
    size_t ignored;
    if (name == strlen(r->name) && !strncmp(line, r->name, name) &&
        file_line(r->source, number, &ignored)) {
        add_error(r->out, number, column(r, number, text_next_line(line)), text, len);
    } else {
        char *with_file =
            text_format("%.*s, line %d: %.*s", (int)name, line, number, (int)len, text);
        add_error(r->out, 0, 0, with_file, strlen(with_file));
        free(with_file);
    }
    return true;
}

/* ---- "ptxas error   : Entry function 'move' uses too much shared data", "nvrtc: error: TEXT" ----
 */

/* A word of the source that a message has in quotes; 0 when there is none. */
static int find_quoted(const struct reading *r, const char *text, size_t len, int *col)
{
    const char *open = memchr(text, '\'', len),
               *close = open ? memchr(open + 1, '\'', len - (size_t)(open + 1 - text)) : NULL;
    size_t n = close ? (size_t)(close - open - 1) : 0;
    int line = 0;
    for (const char *at = r->source->text; n && *at; at++) {
        bool starts = at == r->source->text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (!starts || strncmp(at, open + 1, n) || isalnum((unsigned char)at[n]) || at[n] == '_')
            continue;
        file_place(r->source, (size_t)(at - r->source->text), &line, col);
        return line;
    }
    return 0;
}

static void read_unplaced(const struct reading *r, const char *line)
{
    static const char *const tools[] = {"ptxas error", "ptxas fatal", "nvrtc: error",
                                        "nvrtc: fatal"};
    size_t end = strcspn(line, "\n");
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        const char *colon = strncmp(line, tools[i], strlen(tools[i]))
                                ? NULL
                                : memchr(line + strlen(tools[i]), ':', end - strlen(tools[i]));
        if (!colon || memmem(line, end, "aborted due to errors", strlen("aborted due to errors")))
            continue;
        const char *text = colon + 1 + strspn(colon + 1, " ");
        int col = 0, at = find_quoted(r, text, end - (size_t)(text - line), &col);
        add_error(r->out, at, at ? col : 0, text, end - (size_t)(text - line));
    }
}

struct compile_errors compile_log_read(const char *log, const char *name, const struct file *source)
{
    struct compile_errors out = {0};
    struct reading r = {name, source, &out};
    for (const char *at = log; *at; at = text_next_line(at))
        if (!read_placed(&r, at))
            read_unplaced(&r, at);
    const char *first = log + strspn(log, " \t\n");
    if (out.n == 0 && *first)
        add_error(&out, 0, 0, first, strcspn(first, "\n"));
    if (out.n == 0)
        add_error(&out, 0, 0, "the compiler gives no reason",
                  strlen("the compiler gives no reason"));
    return out;
}

void compile_errors_free(struct compile_errors *e)
{
    for (int i = 0; i < e->n; i++)
        free(e->all[i].text);
    free(e->all);
    *e = (struct compile_errors){0};
}

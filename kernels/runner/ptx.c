#include "kernels/runner/ptx.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* ---- kernels ---- */

/* Behind ".entry " on a line that may begin with a linkage such as .visible; NULL on any other. */
static const char *entry_name(const char *line)
{
    line += strspn(line, " \t");
    for (; *line == '.'; line += strspn(line, " \t")) {
        size_t n = strcspn(line, " \t\n");
        bool found = n == strlen(".entry") && !strncmp(line, ".entry", n);
        line += n;
        if (found)
            return line + strspn(line, " \t");
    }
    return NULL;
}

json_t *ptx_kernels(const char *ptx, int most)
{
    json_t *list = json_array();
    for (const char *at = ptx; *at && json_array_size(list) < (size_t)most; at = text_next_line(at)) {
        const char *name = entry_name(at);
        size_t n = 0;
        while (name && (isalnum((unsigned char)name[n]) || name[n] == '_' || name[n] == '$'))
            n++;
        if (n)
            json_array_append_new(list, json_stringn(name, n));
    }
    return list;
}

/* ---- lines ---- */

/* The number in `.file N "/where/NAME"`, -1 when there is none. */
static int file_number(const char *ptx, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = ptx; *at; at = text_next_line(at)) {
        int number = -1, from = 0;
        if (sscanf(at, " .file %d \"%n", &number, &from) != 1 || from == 0)
            continue;
        size_t n = strcspn(at + from, "\"\n");
        const char *end = at + from + n;
        if (n >= len && !strncmp(end - len, name, len) && (n == len || end[-(long)len - 1] == '/'))
            return number;
    }
    return -1;
}

/* The line of file `number` that a .loc names, itself or as the place where a function was put in;
 * 0: neither. */
static int loc_line(const char *at, int number)
{
    int file = -1, line = 0;
    const char *stop = at + strcspn(at, "\n"),
               *in = memmem(at, (size_t)(stop - at), "inlined_at ", strlen("inlined_at "));
    if (sscanf(at, " .loc %d %d", &file, &line) == 2 && file == number)
        return line;
    if (in && sscanf(in, "inlined_at %d %d", &file, &line) == 2 && file == number)
        return line;
    return 0;
}

static int source_line(const char *ptx, int number, long wanted)
{
    int line = 0;
    long n = 1;
    for (const char *at = ptx; *at && n <= wanted; at = text_next_line(at), n++) {
        if (!strncmp(at + strspn(at, " \t"), ".loc ", 5) ||
            !strncmp(at + strspn(at, " \t"), ".loc\t", 5))
            line = loc_line(at, number);
        else if (entry_name(at))
            line = 0;
    }
    return line;
}

/* What stands behind "ptxas application ptx input, line N; error   : ", and N; NULL for another
 * line. */
static const char *assembler_error(const char *line, long *n)
{
    static const char begins[] = "ptxas application ptx input, line ", word[] = "; error";
    if (strncmp(line, begins, sizeof begins - 1))
        return NULL;
    char *at;
    *n = strtol(line + sizeof begins - 1, &at, 10);
    if (strncmp(at, word, sizeof word - 1))
        return NULL;
    at += sizeof word - 1;
    at += strspn(at, " ");
    return *at == ':' ? at + 1 + strspn(at + 1, " ") : NULL;
}

char *ptx_place_log(const char *log, const char *ptx, const char *name)
{
    int number = file_number(ptx, name);
    char *out = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&out, &size);
    if (!f)
        return text_dup(log);
    for (const char *at = log; *at; at = text_next_line(at)) {
        long n = 0;
        const char *text = assembler_error(at, &n), *end = text_next_line(at);
        int line = text && number >= 0 ? source_line(ptx, number, n) : 0;
        if (line)
            fprintf(f, "%s(%d): error: ", name, line);
        fwrite(line ? text : at, 1, (size_t)(end - (line ? text : at)), f);
    }
    fclose(f);
    return out;
}

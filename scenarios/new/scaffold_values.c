/* What a name or an expression of the author's code stands for: plain numbers, and names that the
 * file gives a value once (`dim3 block(32, 8);`, `#define T 128`, `int n = rows * cols;`). */
#include "scenarios/new/scaffold_values.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The next comma outside brackets, or end. */
size_t values_part_end(const char *code, size_t at, size_t end)
{
    int depth = 0;
    for (; at < end && !(depth == 0 && code[at] == ','); at++)
        depth += (strchr("([{", code[at]) != NULL) - (strchr(")]}", code[at]) != NULL);
    return at;
}

/* ---- names that have a value ---- */

enum { NAMES_DEEP = 3 };

struct extent values_trimmed(const char *code, size_t at, size_t end)
{
    at = code_skip(code, at, end);
    while (end > at && isspace((unsigned char)code[end - 1]))
        end--;
    return (struct extent){at, end};
}

struct extent values_members(const char *code, size_t at, size_t end)
{
    struct extent x = {at, code_word(code, at, end)};
    for (size_t sign = x.end > at; sign && x.end < end;) {
        sign = code[x.end] == '.' ? 1 : strncmp(code + x.end, "->", 2) ? 0 : 2;
        size_t behind = code_word(code, x.end + sign, end);
        sign = behind > x.end + sign ? sign : 0;
        x.end = sign ? behind : x.end;
    }
    return x;
}

size_t values_last_member(const char *code, struct extent name)
{
    size_t last = name.end;
    while (last > name.at && code_is_word(code[last - 1]))
        last--;
    return last;
}

static bool is_name(const char *code, struct extent x)
{
    return x.end > x.at && !isdigit((unsigned char)code[x.at]) &&
           code_word(code, x.at, x.end) == x.end;
}

/* Does the statement around `at` declare names of that type? */
static bool is_declared(const char *code, size_t at, const char *type)
{
    size_t from = at;
    while (from > 0 && !strchr(";{}", code[from - 1]))
        from--;
    from = code_skip(code, from, at);
    return code_find(code, from, at, type) < at;
}

/* What the name at `at` is given there: "= 256;" or, of a dim3, "(32, 8)". */
static bool is_given(const struct source *s, size_t at, size_t next, struct extent *value)
{
    const char *code = s->code;
    size_t end = s->file.len;
    if (code[next] == '=' && code[next + 1] != '=') {
        size_t stop = next + 1 + strcspn(code + next + 1, ";");
        *value = values_trimmed(code, next + 1,
                                values_part_end(code, next + 1, stop < end ? stop : end));
        return true;
    }
    if ((code[next] != '(' && code[next] != '{') || !is_declared(code, at, "dim3"))
        return false;
    *value = (struct extent){next, code_behind(code, next, end)};
    return true;
}

/* The value of a name that is given one in one place of the file. */
static bool value_of(const struct source *s, struct extent name, struct extent *value)
{
    char word[64];
    int found = 0;
    size_t n = name.end - name.at;
    if (!is_name(s->code, name) || n >= sizeof word)
        return false;
    snprintf(word, sizeof word, "%.*s", (int)n, s->code + name.at);
    for (size_t at = 0; (at = code_find(s->code, at, s->file.len, word)) < s->file.len; at += n) {
        struct extent here;
        if (is_given(s, at, code_skip(s->code, at + n, s->file.len), &here)) {
            *value = here;
            found++;
        }
    }
    return found == 1;
}

static bool is_in_type(const struct source *s, size_t at)
{
    for (int i = 0; i < s->n_types; i++)
        if (at > s->types[i].begin && at < s->types[i].end)
            return true;
    return false;
}

/* The value of `p.n` or `p->n` where n is a member of a structure of the file: the one that is
 * assigned to such a member, else the one that it is declared with. */
static bool value_of_member(const struct source *s, struct extent name, struct extent *value)
{
    enum { DECLARED, ASSIGNED, WAYS };
    const char *code = s->code;
    char word[64];
    struct extent one[WAYS];
    int found[WAYS] = {0};
    bool is_member = false;
    size_t last = values_last_member(code, name), n = name.end - last;
    if (name.end == name.at || last == name.at || n >= sizeof word ||
        values_members(code, name.at, name.end).end != name.end)
        return false;
    snprintf(word, sizeof word, "%.*s", (int)n, code + last);
    for (size_t at = 0; (at = code_find(code, at, s->file.len, word)) < s->file.len; at += n) {
        bool behind =
            (at > 0 && code[at - 1] == '.') || (at > 1 && !strncmp(code + at - 2, "->", 2));
        int way = behind ? ASSIGNED : DECLARED;
        is_member = is_member || (!behind && is_in_type(s, at));
        if ((behind || is_in_type(s, at)) &&
            is_given(s, at, code_skip(code, at + n, s->file.len), &one[way]))
            found[way]++;
    }
    int way = found[ASSIGNED] ? ASSIGNED : DECLARED;
    *value = one[way];
    return is_member && found[way] == 1;
}

struct extent values_resolved(const struct source *s, size_t at, size_t end)
{
    struct extent x = values_trimmed(s->code, at, end), value;
    for (int i = 0; i < NAMES_DEEP && (value_of(s, x, &value) || value_of_member(s, x, &value));
         i++)
        x = value;
    return x;
}

/* Digits, with a suffix of whole numbers; 0 for anything else, for 0 and for what is too large. */
static int whole_number(const char *code, size_t at, size_t end)
{
    long long v = 0;
    bool decimal = at < end && code[at] > '0' && code[at] <= '9';
    for (; at < end && (isdigit((unsigned char)code[at]) || code[at] == '_') && v <= INT_MAX; at++)
        v = code[at] == '_' ? v : 10 * v + code[at] - '0';
    while (at < end && strchr("uUlL", code[at]))
        at++;
    return decimal && at == end && v <= INT_MAX ? (int)v : 0;
}

/* Of a macro, or of a template's parameter; 0: it is none, or no number. */
static int alias_number(const struct source *s, struct extent x)
{
    int number = 0;
    for (int i = 0; !number && is_name(s->code, x) && i < s->n_aliases; i++)
        if (strlen(s->aliases[i].name) == x.end - x.at &&
            !strncmp(s->aliases[i].name, s->code + x.at, x.end - x.at))
            number = whole_number(s->aliases[i].is, 0, strlen(s->aliases[i].is));
    return number;
}

int values_number(const struct source *s, size_t at, size_t end)
{
    struct extent plain = values_trimmed(s->code, at, end), x = values_resolved(s, at, end);
    int number = alias_number(s, plain);
    return number                 ? number
           : is_name(s->code, x) ? alias_number(s, x)
                                 : whole_number(s->code, x.at, x.end);
}

/* Up to three numbers between commas; those that are absent are 1. */
static bool plain_numbers(const struct source *s, size_t at, size_t end, int out[3])
{
    int n = 0;
    out[1] = out[2] = 1;
    for (; at < end && n < 3; n++) {
        size_t stop = values_part_end(s->code, at, end);
        out[n] = values_number(s, at, stop);
        if (!out[n])
            return false;
        at = stop + 1;
    }
    return n > 0 && at >= end;
}

/* The list of "256", "dim3(32, 8)", "{32, 8}", or of a name for one of these. */
struct extent values_list(const struct source *s, size_t at, size_t end)
{
    const char *code = s->code;
    struct extent x = values_resolved(s, at, end);
    if (code_find(code, x.at, x.end, "dim3") == x.at && x.at < x.end)
        x.at = code_skip(code, x.at + strlen("dim3"), x.end);
    if (x.at == x.end || !strchr("({", code[x.at]))
        return x;
    size_t close = code_close(code, x.at, x.end);
    bool whole = close && code_skip(code, close, x.end) == x.end;
    return whole ? (struct extent){x.at + 1, close - 1} : x;
}

bool values_dimensions(const struct source *s, size_t at, size_t end, int out[3])
{
    struct extent x = values_list(s, at, end);
    return plain_numbers(s, x.at, x.end, out);
}

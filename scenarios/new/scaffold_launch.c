/* The first launch of a kernel in its author's file: its text, and what stands there as plain
 * numbers or as names that the file gives a value once (`dim3 block(32, 8);`, `#define T 128`).
 * Sides of the grid that are quotients of what is passed become formulas. It is all proposed:
 * whoever has the kernel is asked. */
#include "scenarios/new/scaffold_source.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "kernels/wire/text.h"

/* The next comma outside brackets, or end. */
static size_t part_end(const char *code, size_t at, size_t end)
{
    int depth = 0;
    for (; at < end && !(depth == 0 && code[at] == ','); at++)
        depth += (strchr("([{", code[at]) != NULL) - (strchr(")]}", code[at]) != NULL);
    return at;
}

/* ---- names that have a value ---- */

enum { NAMES_DEEP = 3 };
struct extent { size_t at, end; };

static struct extent trimmed(const char *code, size_t at, size_t end)
{
    at = code_skip(code, at, end);
    while (end > at && isspace((unsigned char)code[end - 1]))
        end--;
    return (struct extent){at, end};
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
        *value = trimmed(code, next + 1, part_end(code, next + 1, stop < end ? stop : end));
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

static struct extent resolved(const struct source *s, size_t at, size_t end)
{
    struct extent x = trimmed(s->code, at, end), value;
    for (int i = 0; i < NAMES_DEEP && value_of(s, x, &value); i++)
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

static int plain_number(const struct source *s, size_t at, size_t end)
{
    struct extent x = resolved(s, at, end);
    for (int i = 0; is_name(s->code, x) && i < s->n_aliases; i++)
        if (strlen(s->aliases[i].name) == x.end - x.at &&
            !strncmp(s->aliases[i].name, s->code + x.at, x.end - x.at))
            return whole_number(s->aliases[i].is, 0, strlen(s->aliases[i].is));
    return whole_number(s->code, x.at, x.end);
}

/* Up to three numbers between commas; those that are absent are 1. */
static bool plain_numbers(const struct source *s, size_t at, size_t end, int out[3])
{
    int n = 0;
    out[1] = out[2] = 1;
    for (; at < end && n < 3; n++) {
        size_t stop = part_end(s->code, at, end);
        out[n] = plain_number(s, at, stop);
        if (!out[n])
            return false;
        at = stop + 1;
    }
    return n > 0 && at >= end;
}

/* The list of "256", "dim3(32, 8)", "{32, 8}", or of a name for one of these. */
static struct extent dimensions_list(const struct source *s, size_t at, size_t end)
{
    const char *code = s->code;
    struct extent x = resolved(s, at, end);
    if (code_find(code, x.at, x.end, "dim3") == x.at && x.at < x.end)
        x.at = code_skip(code, x.at + strlen("dim3"), x.end);
    if (x.at == x.end || !strchr("({", code[x.at]))
        return x;
    size_t close = code_close(code, x.at, x.end);
    bool whole = close && code_skip(code, close, x.end) == x.end;
    return whole ? (struct extent){x.at + 1, close - 1} : x;
}

static bool dimensions(const struct source *s, size_t at, size_t end, int out[3])
{
    struct extent x = dimensions_list(s, at, end);
    return plain_numbers(s, x.at, x.end, out);
}

static bool is_block(const int block[3])
{
    long long flat = (long long)block[0] * block[1];
    return flat <= 1024 && flat * block[2] <= 1024;
}

/* ---- a side of the grid as a formula ---- */

/* The names that the launch passes, in the order of the kernel's parameters. */
struct passing {
    const struct source *s;
    const struct kernel *k;
    struct extent args[CAP_ARGS];
    int n;
};

static void find_args(struct passing *p, size_t open)
{
    const char *code = p->s->code;
    size_t end = p->s->file.len;
    open = code_skip(code, open, end);
    size_t close = open < end && code[open] == '(' ? code_close(code, open, end) : 0;
    for (size_t at = open + 1; close && at < close && p->n < CAP_ARGS; p->n++) {
        size_t stop = part_end(code, at, close - 1);
        p->args[p->n] = trimmed(code, at, stop);
        at = stop + 1;
    }
}

/* NULL where several parameters are passed the same. */
static const char *param_of(const struct passing *p, struct extent word)
{
    const char *found = NULL;
    size_t n = word.end - word.at;
    for (int i = 0; i < p->n && i < p->k->n_params; i++)
        if (p->args[i].end - p->args[i].at == n &&
            !strncmp(p->s->code + p->args[i].at, p->s->code + word.at, n)) {
            if (found)
                return NULL;
            found = p->k->params[i].name;
        }
    return found;
}

/* "block.x" of the launch whose block is known; behind it, or 0. */
static size_t put_block(FILE *f, const struct passing *p, struct extent word, size_t end)
{
    const char *at = p->s->code + word.end;
    if (!p->k->has_block || word.end + 1 >= end || *at != '.' || !strchr("xyz", at[1]))
        return 0;
    fprintf(f, "%d", p->k->block[at[1] - 'x']);
    return word.end + 2;
}

/* False for what no formula says. *at goes behind the word. */
static bool put_word(FILE *f, const struct passing *p, size_t *at, size_t end)
{
    struct extent word = {*at, code_word(p->s->code, *at, end)};
    const char *param = param_of(p, word);
    int number = plain_number(p->s, word.at, word.end);
    size_t behind = put_block(f, p, word, end);
    *at = behind ? behind : word.end;
    if (behind)
        return true;
    if (param)
        return fputs(param, f) >= 0;
    return number > 0 && fprintf(f, "%d", number) > 0;
}

/* Without blanks, with the kernel's names; NULL where it cannot be said. malloc'd. */
static char *translated(const struct passing *p, struct extent x)
{
    char *text = NULL;
    size_t size;
    bool good = x.end > x.at;
    FILE *f = open_memstream(&text, &size);
    for (size_t at = x.at; good && at < x.end;) {
        char c = p->s->code[at];
        if (code_is_word(c))
            good = put_word(f, p, &at, x.end);
        else if ((good = isspace((unsigned char)c) || strchr("+-*/()", c)) && at++ < x.end)
            isspace((unsigned char)c) ? 0 : putc(c, f);
    }
    fclose(f);
    if (good)
        return text;
    free(text);
    return NULL;
}

/* "(n+255)/256" and "(n+256-1)/256" are ceildiv(n, 256). malloc'd; takes the text. */
static char *as_ceildiv(char *text)
{
    char *close = *text == '(' ? strrchr(text, ')') : NULL, *plus, *end;
    long by = close && close[1] == '/' ? strtol(close + 2, &end, 10) : 0;
    if (by < 2 || *end)
        return text;
    plus = memrchr(text, '+', (size_t)(close - text));
    long add = plus ? strtol(plus + 1, &end, 10) : 0;
    bool exact = (add == by - 1 && end == close) || (add == by && !strncmp(end, "-1)", 3));
    if (!exact || memchr(text + 1, '(', (size_t)(plus - text - 1)))
        return text;
    char *out = text_format("ceildiv(%.*s, %ld)", (int)(plus - text - 1), text + 1, by);
    free(text);
    return out;
}

/* With blanks around signs. malloc'd; takes the text. */
static char *spaced(char *text)
{
    char *out = mem_new(3 * strlen(text) + 1, 1), *to = out;
    for (const char *at = text; *at; at++)
        to += sprintf(to, strchr("+-*/", *at) ? " %c " : "%c", *at);
    free(text);
    return out;
}

/* NULL where a side cannot be said. malloc'd. */
static char *grid_formula(const struct passing *p, size_t at, size_t end)
{
    struct extent x = dimensions_list(p->s, at, end);
    char *all = NULL;
    for (at = x.at; at < x.end;) {
        size_t stop = part_end(p->s->code, at, x.end);
        struct extent named = resolved(p->s, at, stop), raw = trimmed(p->s->code, at, stop);
        char *side = translated(p, param_of(p, raw) ? raw : named);
        if (!side) {
            free(all);
            return NULL;
        }
        side = spaced(as_ceildiv(side));
        char *longer = all ? text_format("%s, %s", all, side) : text_dup(side);
        free(side);
        free(all);
        all = longer;
        at = stop + 1;
    }
    return all;
}

/* "1e-6f" is 1e-6, a name that has a number is that; NULL for anything else. malloc'd. */
static char *number_passed(const struct source *s, struct extent arg)
{
    struct extent x = resolved(s, arg.at, arg.end);
    char *text = text_ndup(s->code + x.at, x.end - x.at), *end;
    bool number = isdigit((unsigned char)*text) || *text == '-' || *text == '.';
    if (number)
        strtod(text, &end);
    if (number && end > text && strspn(end, "fFuUlL") == strlen(end) && text[1] != 'x') {
        *end = '\0';
        return text;
    }
    free(text);
    return NULL;
}

/* The three parts of <<<blocks, threads, shared>>>. */
static void take_configuration(const struct source *s, struct kernel *k, size_t at, size_t end)
{
    const char *code = s->code;
    size_t blocks = part_end(code, at, end);
    size_t threads = blocks < end ? part_end(code, blocks + 1, end) : end;
    int number[3];
    if (dimensions(s, at, blocks, number))
        memcpy(k->grid, number, sizeof number);
    if (blocks < end && dimensions(s, blocks + 1, threads, number) && is_block(number))
        memcpy(k->block, number, sizeof number);
    k->has_block = k->block[0] > 0;
    if (threads < end)
        k->shared = plain_number(s, threads + 1, part_end(code, threads + 1, end));
    struct passing p = {.s = s, .k = k};
    find_args(&p, end + 3);
    k->grid_formula = grid_formula(&p, at, blocks);
    for (int i = 0; i < p.n && i < k->n_params; i++)
        if (k->params[i].kind != KP_BUFFER)
            k->params[i].passed = number_passed(s, p.args[i]);
}

/* __launch_bounds__(256): the most threads, which many launch. */
static void take_bounds(const struct source *s, struct kernel *k)
{
    static const char word[] = "__launch_bounds__";
    size_t at = code_find(s->code, k->begin, k->body, word);
    size_t open = at < k->body ? code_skip(s->code, at + strlen(word), k->body) : k->body;
    if (k->has_block || open == k->body || s->code[open] != '(')
        return;
    size_t close = code_behind(s->code, open, k->body) - 1;
    int n = plain_number(s, open + 1, part_end(s->code, open + 1, close));
    if (n < 1 || n > 1024)
        return;
    bool flat = k->block_dims > 1 && n % 32 == 0;
    k->block[0] = flat ? 32 : n;
    k->block[1] = flat ? n / 32 : 1;
    k->block[2] = 1;
}

/* Behind "name <<<"; end where the file has no launch of it. */
static size_t launch_of(const struct source *s, const struct kernel *k, size_t *name)
{
    size_t end = s->file.len;
    for (size_t at = 0; (at = code_find(s->code, at, end, k->name)) < end; at++) {
        size_t open = code_skip(s->code, at + strlen(k->name), end);
        *name = at;
        if (!strncmp(s->code + open, "<<<", 3))
            return open + 3;
    }
    return end;
}

static void take_launch(const struct source *s, struct kernel *k)
{
    size_t name = 0, at = launch_of(s, k, &name);
    const char *close = at < s->file.len ? strstr(s->code + at, ">>>") : NULL;
    if (!close)
        return;
    size_t end = (size_t)(close - s->code);
    int col;
    source_place(s, name, &k->launch_line, &col);
    k->launch = text_ndup(s->file.text + at - 3, end - at + 6);
    take_configuration(s, k, at, end);
}

void source_launch(const struct source *s, struct kernel *k)
{
    take_launch(s, k);
    take_bounds(s, k);
}

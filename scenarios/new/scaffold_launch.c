/* Launches in the author's file: their text, and what stands there as plain numbers or as names
 * that the file gives a value once (`dim3 block(32, 8);`, `#define T 128`). Sides of the grid that
 * are quotients of what is passed become formulas. It is all proposed: whoever has the kernel is
 * asked. */
#include "scenarios/new/scaffold_values.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold_source_inside.h"

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
    const int *block; /* of this launch; its first 0: not known */
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
        size_t stop = values_part_end(code, at, close - 1);
        p->args[p->n] = values_trimmed(code, at, stop);
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
    if (!p->block[0] || word.end + 1 >= end || *at != '.' || !strchr("xyz", at[1]))
        return 0;
    fprintf(f, "%d", p->block[at[1] - 'x']);
    return word.end + 2;
}

enum { VALUES_DEEP = 3 };
static bool put(FILE *f, const struct passing *p, struct extent x, int deep);

/* A name that the file gives an expression: that one, in brackets where it is no product. */
static bool put_value(FILE *f, const struct passing *p, struct extent word, int deep)
{
    struct extent value = values_resolved(p->s, word.at, word.end);
    bool same = value.at == word.at || deep == VALUES_DEEP;
    bool sum = memchr(p->s->code + value.at, '+', value.end - value.at) ||
               memchr(p->s->code + value.at, '-', value.end - value.at);
    if (same)
        return false;
    fputs(sum ? "(" : "", f);
    bool good = put(f, p, value, deep + 1);
    fputs(sum ? ")" : "", f);
    return good;
}

static bool is_valued(const struct source *s, struct extent member)
{
    return values_resolved(s, member.at, member.end).at != member.at;
}

/* False for what no formula says. *at goes behind the word. */
static bool put_word(FILE *f, const struct passing *p, size_t *at, size_t end, int deep)
{
    struct extent word = {*at, code_word(p->s->code, *at, end)},
                  member = values_members(p->s->code, *at, end);
    const char *param = param_of(p, member);
    if (member.end > word.end && (param || is_valued(p->s, member)))
        word = member;
    else
        param = param_of(p, word);
    int number = values_number(p->s, word.at, word.end);
    size_t behind = put_block(f, p, word, end);
    *at = behind ? behind : word.end;
    if (behind)
        return true;
    if (param)
        return fputs(param, f) >= 0;
    return number > 0 ? fprintf(f, "%d", number) > 0 : put_value(f, p, word, deep);
}

/* Without blanks, with the kernel's names. False where it cannot be said. */
static bool put(FILE *f, const struct passing *p, struct extent x, int deep)
{
    bool good = x.end > x.at;
    for (size_t at = x.at; good && at < x.end;) {
        char c = p->s->code[at];
        if (code_is_word(c))
            good = put_word(f, p, &at, x.end, deep);
        else if ((good = isspace((unsigned char)c) || strchr("+-*/()", c)) && at++ < x.end)
            isspace((unsigned char)c) ? 0 : putc(c, f);
    }
    return good;
}

/* NULL where it cannot be said. malloc'd. */
static char *translated(const struct passing *p, struct extent x)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    bool good = put(f, p, x, 0);
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
    struct extent x = values_trimmed(p->s->code, at, end);
    char *all = NULL;
    x = param_of(p, x) ? x : values_list(p->s, at, end);
    for (at = x.at; at < x.end;) {
        size_t stop = values_part_end(p->s->code, at, x.end);
        struct extent named = values_resolved(p->s, at, stop),
                      raw = values_trimmed(p->s->code, at, stop);
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
    struct extent x = values_resolved(s, arg.at, arg.end);
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

/* The three parts of <<<blocks, threads, shared>>>, which stand in [at, end). */
static void take_configuration(const struct source *s, struct launch_found *l, size_t at,
                               size_t end)
{
    const char *code = s->code;
    size_t blocks = values_part_end(code, at, end);
    size_t threads = blocks < end ? values_part_end(code, blocks + 1, end) : end;
    int number[3];
    if (values_dimensions(s, at, blocks, number))
        memcpy(l->grid, number, sizeof number);
    if (blocks < end && values_dimensions(s, blocks + 1, threads, number) && is_block(number))
        memcpy(l->block, number, sizeof number);
    if (threads < end)
        l->shared = values_number(s, threads + 1, values_part_end(code, threads + 1, end));
    struct passing p = {.s = s, .k = l->k, .block = l->block};
    find_args(&p, end + 3);
    l->grid_formula = grid_formula(&p, at, blocks);
    l->n_args = p.n;
    for (int i = 0; i < p.n; i++) {
        l->args[i] = text_ndup(code + p.args[i].at, p.args[i].end - p.args[i].at);
        l->arg_at[i] = p.args[i].at;
        l->numbers[i] = number_passed(s, p.args[i]);
    }
}

bool source_launch_next(struct launch_found *l, const struct source *s, const struct kernel *k,
                        size_t from)
{
    size_t end = s->file.len;
    for (size_t at = from; (at = code_find(s->code, at, end, k->name)) < end; at++) {
        size_t open = source_behind_list(s, code_skip(s->code, at + strlen(k->name), end));
        const char *close =
            strncmp(s->code + open, "<<<", 3) ? NULL : strstr(s->code + open, ">>>");
        if (!close)
            continue;
        size_t stop = (size_t)(close - s->code);
        int col;
        *l = (struct launch_found){.k = k, .at = at};
        source_place(s, at, &l->line, &col);
        l->text = text_ndup(s->file.text + open, stop - open + 3);
        take_configuration(s, l, open + 3, stop);
        return true;
    }
    return false;
}

void source_launch_free(struct launch_found *l)
{
    for (int i = 0; i < l->n_args; i++) {
        free(l->args[i]);
        free(l->numbers[i]);
    }
    free(l->text);
    free(l->grid_formula);
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
    int n = values_number(s, open + 1, values_part_end(s->code, open + 1, close));
    if (n < 1 || n > 1024)
        return;
    bool flat = k->block_dims > 1 && n % 32 == 0;
    k->block[0] = flat ? 32 : n;
    k->block[1] = flat ? n / 32 : 1;
    k->block[2] = 1;
}

/* The first in the file. */
static void take_launch(const struct source *s, struct kernel *k)
{
    struct launch_found l;
    if (!source_launch_next(&l, s, k, 0))
        return;
    k->launch = text_dup(l.text);
    k->launch_line = l.line;
    memcpy(k->grid, l.grid, sizeof l.grid);
    memcpy(k->block, l.block, sizeof l.block);
    if (k->n_bound && !k->instance) /* the launch is of another instance */
        memset(k->block, 0, sizeof k->block);
    k->has_block = k->block[0] > 0;
    k->shared = l.shared;
    k->grid_formula = l.grid_formula;
    l.grid_formula = NULL;
    for (int i = 0; i < l.n_args && i < k->n_params; i++)
        if (k->params[i].kind != KP_BUFFER) {
            k->params[i].passed = l.numbers[i];
            l.numbers[i] = NULL;
        }
    source_launch_free(&l);
}

void source_launch(const struct source *s, struct kernel *k)
{
    take_launch(s, k);
    take_bounds(s, k);
}

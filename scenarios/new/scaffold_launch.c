/* The first launch of a kernel in its author's file: its text, and what stands there as plain
 * numbers. Nothing is computed: whoever has the kernel is asked for the rest. */
#include "scenarios/new/scaffold_source.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "kernels/wire/text.h"

/* The next comma outside brackets, or end. */
static size_t part_end(const char *code, size_t at, size_t end)
{
    int depth = 0;
    for (; at < end && !(depth == 0 && code[at] == ','); at++)
        depth += (strchr("([{", code[at]) != NULL) - (strchr(")]}", code[at]) != NULL);
    return at;
}

/* Digits, with a suffix of whole numbers; 0 for anything else, for 0 and for what is too large. */
static int plain_number(const char *code, size_t at, size_t end)
{
    long long v = 0;
    at = code_skip(code, at, end);
    bool decimal = at < end && code[at] > '0' && code[at] <= '9';
    for (; at < end && (isdigit((unsigned char)code[at]) || code[at] == '_') && v <= INT_MAX; at++)
        v = code[at] == '_' ? v : 10 * v + code[at] - '0';
    while (at < end && strchr("uUlL", code[at]))
        at++;
    return decimal && code_skip(code, at, end) == end && v <= INT_MAX ? (int)v : 0;
}

/* Up to three numbers between commas; those that are absent are 1. */
static bool plain_numbers(const char *code, size_t at, size_t end, int out[3])
{
    int n = 0;
    out[1] = out[2] = 1;
    for (; at < end && n < 3; n++) {
        size_t stop = part_end(code, at, end);
        out[n] = plain_number(code, at, stop);
        if (!out[n])
            return false;
        at = stop + 1;
    }
    return n > 0 && at >= end;
}

/* "256", "dim3(32, 8)" or "{32, 8}". */
static bool dimensions(const char *code, size_t at, size_t end, int out[3])
{
    at = code_skip(code, at, end);
    if (code_find(code, at, end, "dim3") == at && at < end)
        at = code_skip(code, at + strlen("dim3"), end);
    if (at == end || !strchr("({", code[at]))
        return plain_numbers(code, at, part_end(code, at, end), out);
    size_t close = code_close(code, at, end);
    bool alone = close && code_skip(code, close, end) == end;
    return alone && plain_numbers(code, at + 1, close - 1, out);
}

static bool is_block(const int block[3])
{
    long long flat = (long long)block[0] * block[1];
    return flat <= 1024 && flat * block[2] <= 1024;
}

/* The three parts of <<<blocks, threads, shared>>>. */
static void take_configuration(struct kernel *k, const char *code, size_t at, size_t end)
{
    size_t blocks = part_end(code, at, end);
    size_t threads = blocks < end ? part_end(code, blocks + 1, end) : end;
    int number[3];
    if (dimensions(code, at, blocks, number))
        memcpy(k->grid, number, sizeof number);
    if (blocks < end && dimensions(code, blocks + 1, threads, number) && is_block(number))
        memcpy(k->block, number, sizeof number);
    k->has_block = k->block[0] > 0;
    if (threads < end)
        k->shared = plain_number(code, threads + 1, part_end(code, threads + 1, end));
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
    int n = plain_number(s->code, open + 1, part_end(s->code, open + 1, close));
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
    take_configuration(k, s->code, at, end);
}

void source_launch(const struct source *s, struct kernel *k)
{
    take_launch(s, k);
    take_bounds(s, k);
}

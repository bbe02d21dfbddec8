/* What a kernel's body does with its parameters: reads, writes, its shape, what guards its end. */
#include "scenarios/new/scaffold_source_inside.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static bool is_assignment(const char *code, size_t at)
{
    return code[at] == '=' && code[at + 1] != '=';
}

/* What is done with p at one place of its name: "p[...] = x" writes, "p[...] += x" does both, an
 * atomic does both, else it reads. What is read behind the statement that wrote it (*done), in the
 * order of the text, needs no contents before. */
static void use(const struct source *s, struct kernel *k, struct kernel_param *p, size_t name,
                size_t end, size_t *done)
{
    size_t at = code_skip(s->code, code_word(s->code, name, end), end), back = name;
    while (back > k->body && (isspace((unsigned char)s->code[back - 1]) ||
                              s->code[back - 1] == '&' || s->code[back - 1] == '('))
        back--;
    size_t word = back;
    while (word > k->body && code_is_word(s->code[word - 1]))
        word--;
    bool atomic = !strncmp(s->code + word, "atomic", 6) && back > word;
    if (s->code[at] == ')') /* behind a cast: "reinterpret_cast<float4 *>(y)[i] = x" */
        at = code_skip(s->code, at + 1, end);
    if (s->code[at] == '[')
        at = code_skip(s->code, code_behind(s->code, at, end), end);
    if (s->code[at] == ')')                 /* "*reinterpret_cast<float4 *>(&y[i]) = x" */
        at = code_skip(s->code, at + 1, end);
    if (s->code[at] == '.')
        at = code_skip(s->code, code_word(s->code, at + 1, end), end);
    bool both = strchr("+-*/|&^%", s->code[at]) && is_assignment(s->code, at + 1);
    both = both || !strncmp(s->code + at, "++", 2) || !strncmp(s->code + at, "--", 2) || atomic;
    bool star = name > 0 && s->code[name - 1] == '*' && is_assignment(s->code, at); /* *out = x */
    bool sets = is_assignment(s->code, at) || star;
    p->atomic = p->atomic || atomic;
    if (atomic)
        snprintf(k->uses_atomic, sizeof k->uses_atomic, "%.*s",
                 (int)(code_word(s->code, word, end) - word), s->code + word);
    p->read = p->read || both || (!sets && name < *done);
    if ((both || sets) && *done > end)
        for (*done = at; *done < end && s->code[*done] != ';'; ++*done)
            ;
    p->written = p->written || both || sets;
}

static void uses(const struct source *s, struct kernel *k)
{
    for (int i = 0; i < k->n_params; i++) {
        struct kernel_param *p = &k->params[i];
        if (p->kind != KP_BUFFER || p->is_const)
            continue;
        size_t done = k->end + 1;
        for (size_t at = k->body; (at = code_find(s->code, at, k->end, p->name)) < k->end; at++)
            if (s->code[at - 1] != '.' && strncmp(s->code + at - 2, "->", 2)) /* v.y is not y */
                use(s, k, p, at, k->end, &done);
    }
}

static bool has(const struct source *s, const struct kernel *k, const char *word)
{
    return code_find(s->code, k->body, k->end, word) < k->end;
}

static bool is_number_param(const struct kernel *k, const char *word, size_t n)
{
    for (int i = 0; i < k->n_params; i++)
        if (k->params[i].kind != KP_BUFFER && strlen(k->params[i].name) == n &&
            !strncmp(k->params[i].name, word, n))
            return true;
    return false;
}

/* Is the "blockIdx.x" at `at` times blockDim or a constant? Times a parameter it is a row, and so
 * it is by itself. */
static bool is_times_block(const struct source *s, const struct kernel *k, size_t at)
{
    size_t next = at + strlen("blockIdx.x"), back = at;
    while (next < k->end && (isspace((unsigned char)s->code[next]) || s->code[next] == ')'))
        next++;
    while (back > k->body && isspace((unsigned char)s->code[back - 1]))
        back--;
    if (s->code[next] == '*') {
        next = code_skip(s->code, next + 1, k->end);
        if (s->code[next] == '(')           /* a cast, or a bracket: what follows decides */
            next = code_behind(s->code, next, k->end);
        size_t word = code_skip(s->code, next, k->end);
        return !is_number_param(k, s->code + word, code_word(s->code, word, k->end) - word);
    }
    if (s->code[back - 1] != '*')
        return false;
    size_t end = back - 1, word;
    while (end > k->body && isspace((unsigned char)s->code[end - 1]))
        end--;
    for (word = end; word > k->body && code_is_word(s->code[word - 1]); word--)
        ;
    return !is_number_param(k, s->code + word, end - word);
}

static bool in_other_kernel(const struct source *s, const struct kernel *k, size_t at)
{
    for (int i = 0; i < s->n_kernels; i++)
        if (&s->kernels[i] != k && at > s->kernels[i].body && at < s->kernels[i].end)
            return true;
    return false;
}

static void shape(const struct source *s, struct kernel *k)
{
    static const char axes[] = "xyz";
    k->dims = 1;
    bool each = false, times = false;
    for (size_t at = k->body; (at = code_find(s->code, at, k->end, "blockIdx")) < k->end; at++) {
        const char *axis = strchr(axes, s->code[at + 9]);
        int d = axis && *axis ? (int)(axis - axes) + 1 : 1;
        k->dims = d > k->dims ? d : k->dims;
        if (d == 1 && is_times_block(s, k, at))
            times = true;
        else if (d == 1)
            each = true;
    }
    k->block_dims = 1;
    for (size_t at = k->body; (at = code_find(s->code, at, k->end, "threadIdx")) < k->end; at++) {
        const char *axis = strchr(axes, s->code[at + 10]);
        int d = axis && *axis ? (int)(axis - axes) + 1 : 1;
        k->block_dims = d > k->block_dims ? d : k->block_dims;
    }
    k->block_each = each && !times;
    k->uses_shared = has(s, k, "__shared__");
    for (size_t at = 0; (at = code_find(s->code, at, s->file.len, "extern")) < s->file.len; at++)
        k->uses_dynamic =
            k->uses_dynamic ||
            (!in_other_kernel(s, k, at) && code_skip(s->code, at + 6, s->file.len) ==
                                               code_find(s->code, at, s->file.len, "__shared__"));
}

/* The first comparison outside `for (...)` with a parameter that is a number: "if (i < n)", "if
 * (row >= rows) return". */
static void find_guard(const struct source *s, struct kernel *k)
{
    size_t end = k->end;
    for (size_t i = k->body; i < end; i++) {
        if (code_find(s->code, i, i + 3, "for") == i) {
            size_t open = code_skip(s->code, i + 3, end),
                   close = s->code[open] == '(' ? code_close(s->code, open, end) : 0;
            i = close ? close - 1 : i;
            continue;
        }
        if ((s->code[i] != '<' && s->code[i] != '>') || s->code[i + 1] == s->code[i] ||
            s->code[i - 1] == s->code[i])
            continue;
        size_t word = code_skip(s->code, i + 1 + (s->code[i + 1] == '='), end),
               stop = code_word(s->code, word, end);
        for (int p = 0; p < k->n_params; p++)
            if (k->params[p].kind != KP_BUFFER && strlen(k->params[p].name) == stop - word &&
                !strncmp(k->params[p].name, s->code + word, stop - word)) {
                bool product = s->code[code_skip(s->code, stop, end)] == '*';
                k->guard = text_dup(product ? "" : k->params[p].name);
                return;
            }
    }
}

void source_body(const struct source *s, struct kernel *k)
{
    uses(s, k);
    shape(s, k);
    find_guard(s, k);
}

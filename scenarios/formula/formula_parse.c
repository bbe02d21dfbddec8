/* Text to tree by recursive descent. One function per level of binding; `depth` bounds the
 * recursion. */
#include "scenarios/formula/formula_node.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/text/near.h"

static const struct { const char *name; int least, most;
} funcs[FUNC_COUNT] = {
    [FUNC_MIN] = {"min", 1, INT_MAX},   [FUNC_MAX] = {"max", 1, INT_MAX},
    [FUNC_CEIL] = {"ceil", 1, 1},       [FUNC_FLOOR] = {"floor", 1, 1},
    [FUNC_ROUND] = {"round", 1, 1},     [FUNC_SQRT] = {"sqrt", 1, 1},
    [FUNC_LOG2] = {"log2", 1, 1},       [FUNC_ABS] = {"abs", 1, 1},
    [FUNC_CEILDIV] = {"ceildiv", 2, 2}, [FUNC_ROUNDUP] = {"roundup", 2, 2},
    [FUNC_IF] = {"if", 3, 3},           [FUNC_EXP] = {"exp", 1, 1},
    [FUNC_LN] = {"ln", 1, 1},           [FUNC_GCD] = {"gcd", 2, 2},
    [FUNC_COMB] = {"comb", 2, 2},       [FUNC_XOR] = {"xor", 2, 2},
};

const char *func_name(enum func f)
{
    return funcs[f].name;
}

/* `failed` holds the code once something went wrong: every level then returns -1 at once. */
struct parser { struct formula *f; const char *at; int depth, failed, column; struct err *err; };

static int parse_or(struct parser *p);
static int parse_unary(struct parser *p);

static int column_of(const struct parser *p, const char *at)
{
    return (int)(at - p->f->text) + 1;
}

static int fail(struct parser *p, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static int fail(struct parser *p, const char *at, const char *fmt, ...)
{
    if (p->failed)
        return -1;
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    p->column = column_of(p, at);
    p->failed = err_set(p->err, ERR_BAD_REQUEST, "%s", text);
    return -1;
}

/* What other languages write, and how it is written here; NULL for anything else. */
static const char *foreign(const struct parser *p, const char *at)
{
    static const struct { const char *text, *say;
    } known[] = {{"&&", "&& is written 'and' here"},
                 {"&", "& is written 'and' here"},
                 {"||", "|| is written 'or' here"},
                 {"|", "| is written 'or' here"},
                 {"!=", NULL},
                 {"!", "! is written 'not' here"},
                 {"=>", "=> is written >= here"},
                 {"=<", "=< is written <= here"},
                 {"?", "a choice is written if(condition, a, b) here"}};
    bool digits =
        at > p->f->text && isdigit((unsigned char)at[-1]) && *at && isdigit((unsigned char)at[1]);
    if (*at == ',' && digits)
        return "a comma in a number; the decimal point was expected, as in 0.5";
    if (*at == '*' && at > p->f->text && at[-1] == '*')
        return "** is written ^ here";
    if (*at == '>' && at > p->f->text && at[-1] == '<')
        return "<> is written != here";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(at, known[i].text, strlen(known[i].text)) == 0)
            return known[i].say;
    return NULL;
}

/* Nothing fits here: what it is, when another language has it, else `other`. */
static int fail_here(struct parser *p, const char *other)
{
    const char *say = foreign(p, p->at);
    return fail(p, p->at, "%s", say ? say : other);
}

/* One level down; the caller takes `depth` back whatever the answer was. */
static bool descend(struct parser *p)
{
    if (++p->depth > FORMULA_DEPTH)
        fail(p, p->at, "nested deeper than %d levels", FORMULA_DEPTH);
    return !p->failed;
}

static void skip_blanks(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r')
        p->at++;
}

static int add(struct parser *p, enum op op, const char *at, int a, int b)
{
    struct formula *f = p->f;
    if ((f->n & (f->n - 1)) == 0)
        f->node = mem_grow(f->node, f->n ? 2 * (size_t)f->n : 1, sizeof *f->node);
    f->node[f->n] = (struct node){.op = op,
                                  .column = column_of(p, at),
                                  .end = column_of(p, at) + 1,
                                  .child = {a, b},
                                  .next = -1};
    return f->n++;
}

static size_t word_length(const char *s)
{
    size_t n = 0;
    if (isalpha((unsigned char)*s) || *s == '_')
        while (isalnum((unsigned char)s[n]) || s[n] == '_')
            n++;
    return n;
}

static bool word_is(const char *s, const char *word)
{
    return word_length(s) == strlen(word) && strncmp(s, word, strlen(word)) == 0;
}

static bool is_keyword(const char *s)
{
    return word_is(s, "and") || word_is(s, "or") || word_is(s, "not");
}

/* ---- numbers and units ---- */

/* Bytes of a unit's word: letters and the micro sign. */
static size_t unit_word(const char *s)
{
    size_t n = 0;
    while (isalpha((unsigned char)s[n]) || strncmp(s + n, "\xC2\xB5", 2) == 0)
        n += isalpha((unsigned char)s[n]) ? 1 : 2;
    return n;
}

/* The longest text at s that is a unit: in "1 B/n" that is "B" alone, since n is no unit. */
static size_t unit_length(const char *s, struct dim *dim, double *factor)
{
    size_t best = 0, n = unit_word(s);
    while (n > 0) {
        struct dim d;
        double f;
        if (!unit_parse(s, n, &d, &f) || word_is(s, "x"))
            break;
        best = n;
        *dim = d;
        *factor = f;
        size_t more = s[n] == '/' ? unit_word(s + n + 1) : 0;
        n = more ? n + 1 + more : 0;
    }
    return best;
}

/* The f of 0.5f, the u of 4u. */
static bool is_suffix(const char *s)
{
    static const char *const words[] = {"f",  "F",  "u",  "U",  "l",   "L",
                                        "ul", "UL", "ll", "LL", "ull", "ULL"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (word_is(s, words[i]))
            return true;
    return false;
}

static int apply_unit(struct parser *p, struct quantity *q)
{
    static const struct { const char *name; double factor; } binary[] = {
        {"Ki", 1024.0}, {"Mi", 1048576.0}, {"Gi", 1073741824.0}, {"Ti", 1099511627776.0}};
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
        if (word_is(p->at, binary[i].name)) {
            q->value *= binary[i].factor;
            p->at += 2;
            return 0;
        }
    if (is_suffix(p->at))
        return fail(p, p->at, "a suffix as C has it; numbers have none here, so leave it out");
    if (unit_word(p->at) > 0)
        return fail(p, p->at, "a blank belongs between a number and its unit");
    const char *start = p->at;
    skip_blanks(p);
    size_t word = unit_word(p->at);
    if (word == 0 || is_keyword(p->at)) {
        p->at = start;
        return 0;
    }
    double factor = 1;
    size_t n = unit_length(p->at, &q->dim, &factor);
    if (n == 0)
        return fail(p, p->at, "unknown unit '%.*s'; a product is written with *",
                    (int)(word < 40 ? word : 40), p->at);
    q->value *= factor;
    p->at += n;
    return 0;
}

static int parse_number(struct parser *p)
{
    const char *start = p->at;
    char text[64];
    size_t n = 0;
    while (isdigit((unsigned char)start[n]) || start[n] == '.')
        n++;
    if ((start[n] == 'e' || start[n] == 'E')
        && isdigit((unsigned char)start[n + 1 + (start[n + 1] == '-' || start[n + 1] == '+')])) {
        n += 2;
        while (isdigit((unsigned char)start[n]))
            n++;
    }
    struct quantity q = {0, DIM_NONE};
    if (n >= sizeof text)
        return fail(p, start, "this number has too many digits");
    memcpy(text, start, n);
    text[n] = '\0';
    char *end;
    q.value = strtod(text, &end);
    if (*end)
        return fail(p, start, "'%s' is not a number", text);
    p->at = start + n;
    if (apply_unit(p, &q) < 0)
        return -1;
    if (!isfinite(q.value))
        return fail(p, start, "this number is too large");
    int i = add(p, OP_NUMBER, start, -1, -1);
    p->f->node[i].number = q;
    p->f->node[i].end = column_of(p, p->at);
    return i;
}

/* ---- names and calls ---- */

static int fail_function(struct parser *p, const char *start, size_t n)
{
    char name[41], hint[64], all[256] = "";
    snprintf(name, sizeof name, "%.*s", (int)(n < 40 ? n : 40), start);
    struct near near = {name, NULL, 0};
    for (int i = 0; i < FUNC_COUNT; i++) {
        size_t length = strlen(all);
        near_try(&near, funcs[i].name);
        snprintf(all + length, sizeof all - length, "%s%s", i ? ", " : "", funcs[i].name);
    }
    return fail(p, start, "there is no function '%s'%s; one of these was expected: %s", name,
                near_hint(&near, hint, sizeof hint), all);
}

static int parse_call(struct parser *p, const char *start, size_t n)
{
    int func = 0;
    while (func < FUNC_COUNT &&
           !(strlen(funcs[func].name) == n && strncmp(start, funcs[func].name, n) == 0))
        func++;
    if (func == FUNC_COUNT)
        return fail_function(p, start, n);
    int call = add(p, OP_CALL, start, -1, -1), last = -1, count = 0;
    p->f->node[call].func = (enum func)func;
    p->at++;
    do {
        int arg = parse_or(p);
        if (arg < 0)
            return -1;
        if (count++ == 0)
            p->f->node[call].child[0] = arg;
        else
            p->f->node[last].next = arg;
        last = arg;
        skip_blanks(p);
    } while (*p->at == ',' && p->at++);
    if (*p->at != ')')
        return fail_here(p, *p->at ? "expected ',' or ')' here"
                                   : "unbalanced parenthesis; quote the formula if a comma cut it");
    p->at++;
    if (count < funcs[func].least || count > funcs[func].most)
        return fail(p, start, "%s takes %d argument%s, here are %d", funcs[func].name,
                    funcs[func].least, funcs[func].least == 1 ? "" : "s", count);
    return call;
}

static int parse_word(struct parser *p)
{
    const char *start = p->at;
    size_t n = word_length(start);
    const char *after = start + n;
    while (*after == ' ' || *after == '\t')
        after++;
    if (*after == '(' && !is_keyword(start)) {
        p->at = after;
        return parse_call(p, start, n);
    }
    if (is_keyword(start))
        return fail(p, start, "a value was expected before '%.*s'", (int)n, start);
    while (start[n] == '.') {
        size_t part = word_length(start + n + 1);
        if (part == 0)
            return fail(p, start + n, "a name was expected after the point");
        n += 1 + part;
    }
    p->at = start + n;
    int i = add(p, OP_NAME, start, -1, -1);
    p->f->node[i].name = text_ndup(start, n);
    p->f->node[i].end = column_of(p, p->at);
    return i;
}

static int parse_primary(struct parser *p)
{
    skip_blanks(p);
    if (p->failed)
        return -1;
    if (isdigit((unsigned char)*p->at) || (*p->at == '.' && isdigit((unsigned char)p->at[1])))
        return parse_number(p);
    if (word_length(p->at) > 0)
        return parse_word(p);
    if (*p->at != '(')
        return fail_here(p, *p->at ? "a number, a name or '(' was expected here"
                                   : "the formula ends too early");
    const char *open = p->at++;
    int inside = parse_or(p);
    if (inside < 0)
        return -1;
    skip_blanks(p);
    if (*p->at != ')' && foreign(p, p->at))
        return fail_here(p, "");
    if (*p->at != ')')
        return fail(p, open, "unbalanced parenthesis; quote the formula if a comma cut it");
    p->at++;
    return inside;
}

/* ---- operators, tightest first ---- */

static int parse_power(struct parser *p)
{
    int base = parse_primary(p);
    skip_blanks(p);
    if (base < 0 || *p->at != '^')
        return base;
    const char *at = p->at++;
    int power = descend(p) ? parse_unary(p) : -1;
    p->depth--;
    return power < 0 ? -1 : add(p, OP_POW, at, base, power);
}

static int parse_unary(struct parser *p)
{
    skip_blanks(p);
    if (*p->at != '-')
        return parse_power(p);
    const char *at = p->at++;
    int inner = descend(p) ? parse_unary(p) : -1;
    p->depth--;
    return inner < 0 ? -1 : add(p, OP_NEGATE, at, inner, -1);
}

/* Behind a %: nothing that could be divided by. */
static bool is_percent(struct parser *p)
{
    skip_blanks(p);
    return !*p->at || strchr("),<>=!&|", *p->at) || word_is(p->at, "and") || word_is(p->at, "or");
}

static int parse_term(struct parser *p)
{
    int left = parse_unary(p);
    for (;;) {
        skip_blanks(p);
        if (left < 0 || !*p->at || !strchr("*/%", *p->at))
            return left;
        const char *at = p->at++;
        if (*at == '%' && is_percent(p))
            return fail(p, at,
                        "%% is the remainder of a division; a share is written as a number, 0.5 "
                        "for 50 %%");
        int right = parse_unary(p);
        left = right < 0 ? -1
                         : add(p,
                               *at == '*'   ? OP_MUL
                               : *at == '/' ? OP_DIV
                                            : OP_MOD,
                               at, left, right);
    }
}

static int parse_sum(struct parser *p)
{
    int left = parse_term(p);
    for (;;) {
        skip_blanks(p);
        if (left < 0 || (*p->at != '+' && *p->at != '-'))
            return left;
        const char *at = p->at++;
        int right = parse_term(p);
        left = right < 0 ? -1 : add(p, *at == '+' ? OP_ADD : OP_SUB, at, left, right);
    }
}

/* Bytes of a comparison at s, 0 when there is none. */
static size_t comparison_at(const char *s, enum op *op)
{
    static const struct { const char *text; enum op op; } table[] = {
        {"<=", OP_LE}, {">=", OP_GE}, {"==", OP_EQ}, {"!=", OP_NE}, {"<", OP_LT}, {">", OP_GT}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strncmp(s, table[i].text, strlen(table[i].text)) == 0) {
            *op = table[i].op;
            return strlen(table[i].text);
        }
    return 0;
}

static int parse_comparison(struct parser *p)
{
    int left = parse_sum(p);
    skip_blanks(p);
    enum op op = OP_EQ;
    size_t n = comparison_at(p->at, &op);
    if (left >= 0 && n == 0 && *p->at == '=' && foreign(p, p->at))
        return fail_here(p, "");
    if (left >= 0 && n == 0 && *p->at == '=')
        return fail(p, p->at, "one '=' says nothing here; equality is written ==");
    if (left < 0 || n == 0)
        return left;
    const char *at = p->at;
    p->at += n;
    int right = parse_sum(p);
    skip_blanks(p);
    enum op again;
    if (right >= 0 && comparison_at(p->at, &again) > 0)
        return fail(p, p->at, "comparisons do not chain; join two of them with 'and'");
    return right < 0 ? -1 : add(p, op, at, left, right);
}

static int parse_not(struct parser *p)
{
    skip_blanks(p);
    if (!word_is(p->at, "not"))
        return parse_comparison(p);
    const char *at = p->at;
    p->at += 3;
    int inner = descend(p) ? parse_not(p) : -1;
    p->depth--;
    return inner < 0 ? -1 : add(p, OP_NOT, at, inner, -1);
}

static int parse_and(struct parser *p)
{
    int left = parse_not(p);
    for (;;) {
        skip_blanks(p);
        if (left < 0 || !word_is(p->at, "and"))
            return left;
        const char *at = p->at;
        p->at += 3;
        int right = parse_not(p);
        left = right < 0 ? -1 : add(p, OP_AND, at, left, right);
    }
}

static int parse_or(struct parser *p)
{
    int left = descend(p) ? parse_and(p) : -1;
    for (;;) {
        skip_blanks(p);
        if (left < 0 || !word_is(p->at, "or")) {
            p->depth--;
            return left;
        }
        const char *at = p->at;
        p->at += 2;
        int right = parse_and(p);
        left = right < 0 ? -1 : add(p, OP_OR, at, left, right);
    }
}

int formula_parse(struct formula **out, const char *text, int *column, struct err *err)
{
    struct formula *f = mem_new(1, sizeof *f);
    size_t n = strnlen(text, FORMULA_BYTES + 1);
    f->text = text_ndup(text, n);
    struct parser p = {.f = f, .at = f->text, .err = err};
    *out = NULL;
    if (n > FORMULA_BYTES)
        fail(&p, f->text, "a formula has at most %d bytes", FORMULA_BYTES);
    else {
        f->root = parse_or(&p);
        if (f->root >= 0 && *p.at)
            fail_here(&p, *p.at == ')' ? "this parenthesis was never opened"
                                       : "an operator was expected here");
    }
    if (column)
        *column = p.column;
    if (p.failed) {
        formula_free(f);
        return p.failed;
    }
    *out = f;
    return 0;
}

void formula_free(struct formula *f)
{
    if (!f)
        return;
    for (int i = 0; i < f->n; i++)
        free(f->node[i].name);
    free(f->node);
    free(f->text);
    free(f);
}

const char *formula_text(const struct formula *f)
{
    return f->text;
}

/* What the host's code says of a launch, as far as it is constant: the blocks, the threads, the dynamic shared memory, the numbers that it passes.
 *
 * An expression of numbers, + - * / % << >>, brackets, casts, sizeof, and of names that stand for one: macros, and variables that are declared
 * before with such a value and not changed behind that. Everything else is not known, which is no fault: the draft says that it guessed. */
#include "scenarios/new/scaffold_source.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

struct value { double v; bool is_real; };
/* One expression: text[at, end), whose names are looked up as they stand at the byte `from` of the file. */
struct expression { const struct source *s; const char *text; size_t at, end, from; int *left; bool bad; };

enum { MOST_STEPS = 300 };     /* names and brackets of one expression, those behind its names too: names may double from one to the next */

static struct value expression(struct expression *e);

static bool evaluate(struct value *out, const struct source *s, const char *text, size_t at, size_t end, size_t from, int *left)
{
    struct expression e = {s, text, at, end, from, left, --*left < 0};
    if (!e.bad)
        *out = expression(&e);
    return !e.bad && code_skip(text, e.at, end) == end && isfinite(out->v);
}

/* ---- types ---- */

enum sort { SORT_NONE, SORT_WHOLE, SORT_REAL, SORT_EITHER };

/* bytes 0: a word that stands beside a type. */
static const struct { const char *word; enum sort sort; int bytes; } types[] = {
    {"float", SORT_REAL, 4}, {"double", SORT_REAL, 8}, {"int", SORT_WHOLE, 4}, {"unsigned", SORT_WHOLE, 4}, {"signed", SORT_WHOLE, 4},
    {"long", SORT_WHOLE, 8}, {"short", SORT_WHOLE, 2}, {"char", SORT_WHOLE, 1}, {"bool", SORT_WHOLE, 1}, {"size_t", SORT_WHOLE, 8},
    {"int8_t", SORT_WHOLE, 1}, {"uint8_t", SORT_WHOLE, 1}, {"int16_t", SORT_WHOLE, 2}, {"uint16_t", SORT_WHOLE, 2}, {"int32_t", SORT_WHOLE, 4},
    {"uint32_t", SORT_WHOLE, 4}, {"int64_t", SORT_WHOLE, 8}, {"uint64_t", SORT_WHOLE, 8}, {"uint", SORT_WHOLE, 4}, {"half", SORT_REAL, 2},
    {"__half", SORT_REAL, 2}, {"__nv_bfloat16", SORT_REAL, 2}, {"nv_bfloat16", SORT_REAL, 2}, {"float2", SORT_NONE, 8}, {"float4", SORT_NONE, 16},
    {"int4", SORT_NONE, 16}, {"auto", SORT_EITHER, 0}, {"const", SORT_EITHER, 0}, {"constexpr", SORT_EITHER, 0}, {"static", SORT_EITHER, 0},
    {"inline", SORT_EITHER, 0}, {"volatile", SORT_NONE, 0},
};

static int type_at(const char *text, size_t at, size_t n)
{
    if (n > 5 && !strncmp(text + at, "std::", 5))
        at += 5, n -= 5;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].word) == n && !strncmp(text + at, types[i].word, n))
            return (int)i;
    return -1;
}

/* Words of types alone, and nothing else: what they come to, and how many bytes one has. SORT_NONE where it is something else. */
static enum sort type_of(const char *text, size_t at, size_t end, int *bytes)
{
    enum sort sort = SORT_NONE;
    *bytes = 0;
    while ((at = code_skip(text, at, end)) < end) {
        size_t stop = code_word(text, at, end);
        while (stop + 2 < end && text[stop] == ':' && text[stop + 1] == ':')
            stop = code_word(text, stop + 2, end);
        int t = stop > at ? type_at(text, at, stop - at) : -1;
        if (t < 0 || (types[t].sort == SORT_NONE && !types[t].bytes))
            return SORT_NONE;
        if (sort != SORT_REAL && types[t].sort != SORT_NONE && (types[t].sort != SORT_EITHER || sort == SORT_NONE))
            sort = types[t].sort;
        if (types[t].bytes && (strncmp(text + at, "int", 3) || stop - at != 3 || !*bytes))     /* "long int" has those of long */
            *bytes = types[t].bytes;
        at = stop;
    }
    return sort == SORT_NONE && *bytes ? SORT_EITHER : sort;
}

static struct value as_sort(struct value v, enum sort sort)
{
    return (struct value){sort == SORT_WHOLE ? trunc(v.v) : v.v, sort == SORT_REAL || (sort == SORT_EITHER && v.is_real)};
}

/* ---- names ---- */

/* Is what stands at `at` still in scope at the byte `from`, further down? */
static bool is_visible(const struct source *s, size_t at, size_t from)
{
    for (int depth = 0; at < from; at++) {
        depth += (s->code[at] == '{') - (s->code[at] == '}');
        if (depth < 0)
            return false;
    }
    return true;
}

static size_t scope_end(const struct source *s, size_t at)
{
    for (int depth = 0; at < s->file.len; at++) {
        depth += (s->code[at] == '{') - (s->code[at] == '}');
        if (depth < 0)
            return at;
    }
    return s->file.len;
}

static size_t statement_begin(const struct source *s, size_t at)
{
    while (at > 0 && !strchr(";{}", s->code[at - 1]))
        at--;
    return code_skip(s->code, at, s->file.len);
}

/* The last byte before `at` that is no blank; '\0' at the beginning. */
static size_t back(const struct source *s, size_t at)
{
    while (at > 0 && isspace((unsigned char)s->code[at - 1]))
        at--;
    return at;
}

static char before(const struct source *s, size_t at)
{
    at = back(s, at);
    return at ? s->code[at - 1] : '\0';
}

static bool sets(const char *c)
{
    return (c[0] == '=' && c[1] != '=') || (c[0] && strchr("+-*/%&|^", c[0]) && c[1] == '=') || !strncmp(c, "<<=", 3) || !strncmp(c, ">>=", 3);
}

/* Set again, counted up, or its address given away, behind its declaration at `at`. */
static bool is_changed(const struct source *s, const char *name, size_t at)
{
    size_t n = strlen(name), end = scope_end(s, at);
    for (size_t w = at + n; (w = code_find(s->code, w, end, name)) < end; w += n) {
        size_t next = code_skip(s->code, w + n, end), b = back(s, w);
        if (s->code[next] == '.')
            next = code_skip(s->code, code_word(s->code, next + 1, end), end);
        bool counts = !strncmp(s->code + next, "++", 2) || !strncmp(s->code + next, "--", 2);
        counts = counts || (b > 1 && (!strncmp(s->code + b - 2, "++", 2) || !strncmp(s->code + b - 2, "--", 2) || !strncmp(s->code + b - 2, ">>", 2)));
        bool given_away = b > 0 && s->code[b - 1] == '&' && (strchr("(,=", before(s, b - 1)));
        if (sets(s->code + next) || counts || given_away)
            return true;
    }
    return false;
}

/* Between `at` and `from`, is it a parameter of the function around `from`? */
static bool is_parameter(const struct source *s, const char *name, size_t at, size_t from)
{
    size_t n = strlen(name);
    for (size_t w = at; (w = code_find(s->code, w, from, name)) < from; w += n) {
        size_t next = code_skip(s->code, w + n, from);
        char last = before(s, w);
        int depth = 0;
        if ((s->code[next] != ',' && s->code[next] != ')') || (!code_is_word(last) && last != '&' && last != '*'))
            continue;
        for (; next < from && depth >= 0; next++)
            depth += (s->code[next] == '(') - (s->code[next] == ')');
        next = code_skip(s->code, next, from);
        if (next < from && s->code[next] == '{' && is_visible(s, next + 1, from))
            return true;
    }
    return false;
}

/* The declaration of name that is nearest above `from`, whose words before it say `sort`; the byte behind its name. 0: none. `of`: another type's
 * word ("dim3") in the place of numbers. */
static size_t declared(const struct source *s, const char *name, size_t from, const char *of, enum sort *sort, bool *fixed)
{
    size_t found = 0, n = strlen(name);
    for (size_t w = 0; (w = code_find(s->code, w, from, name)) < from; w += n) {
        size_t next = code_skip(s->code, w + n, from), begin = statement_begin(s, w), type_end = begin;
        if (next >= from || !strchr("=({", s->code[next]) || s->code[next + 1] == '=' || !is_visible(s, w, from) || strchr(".>*&", before(s, w)))
            continue;
        if (before(s, w) != ',' && !code_is_word(before(s, w)))
            continue;
        enum sort is = SORT_NONE;
        bool has = false;
        for (size_t at = begin; at < w; at = code_skip(s->code, type_end, w)) {       /* the words before the first name */
            size_t stop = code_word(s->code, at, w);
            while (stop + 2 < w && s->code[stop] == ':' && s->code[stop + 1] == ':')
                stop = code_word(s->code, stop + 2, w);
            bool other = of && stop - at == strlen(of) && !strncmp(s->code + at, of, stop - at);
            if (stop == at || (type_at(s->code, at, stop - at) < 0 && !other))
                break;
            has = has || other;
            type_end = stop;
        }
        int bytes;
        is = of ? SORT_EITHER : type_of(s->code, begin, type_end, &bytes);
        bool is_auto = code_find(s->code, begin, type_end, "auto") < type_end;
        if (type_end == begin || is == SORT_NONE || (of && !has && !is_auto))
            continue;
        *sort = is;
        *fixed = code_find(s->code, begin, type_end, "const") < type_end || code_find(s->code, begin, type_end, "constexpr") < type_end;
        found = w + n;
    }
    if (!found || is_parameter(s, name, found, from) || (!*fixed && is_changed(s, name, found - n)))
        return 0;
    return found;
}

static size_t initialiser_end(const struct source *s, size_t at, const char *stops)
{
    int depth = 0;
    for (; at < s->file.len && !(depth == 0 && strchr(stops, s->code[at])); at++)
        depth += (strchr("([{", s->code[at]) != NULL) - (strchr(")]}", s->code[at]) != NULL);
    return at;
}

static bool variable(struct value *out, const struct source *s, const char *name, size_t from, int *left)
{
    enum sort sort = SORT_NONE;
    bool fixed = false;
    size_t at = code_skip(s->code, declared(s, name, from, NULL, &sort, &fixed), s->file.len), end;
    if (!at || !from || sort == SORT_NONE)
        return false;
    bool brackets = s->code[at] != '=';
    end = brackets ? code_close(s->code, at, s->file.len) : initialiser_end(s, at + 1, ";,");
    if (!end || end > from || !evaluate(out, s, s->code, at + 1, brackets ? end - 1 : end, at, left))
        return false;
    *out = as_sort(*out, sort);
    return true;
}

/* All macros of this name have one text. */
static bool macro(struct value *out, const struct source *s, const char *name, size_t from, int *left, bool *known)
{
    const char *is = NULL;
    for (int i = 0; i < s->n_aliases; i++) {
        if (strcmp(s->aliases[i].name, name))
            continue;
        *known = true;
        if (is && strcmp(is, s->aliases[i].is))
            return false;
        is = s->aliases[i].is;
    }
    return is && evaluate(out, s, is, 0, strlen(is), from, left);
}

/* ---- expressions ---- */

static char peek(struct expression *e)
{
    e->at = code_skip(e->text, e->at, e->end);
    return e->at < e->end ? e->text[e->at] : '\0';
}

static struct value fail(struct expression *e)
{
    e->bad = true;
    return (struct value){0};
}

/* With suffixes, and with ' between digits. */
static struct value number(struct expression *e)
{
    char text[64], *stop;
    size_t n = 0;
    for (size_t i = e->at; i < e->end && n + 1 < sizeof text; i++) {
        char c = e->text[i];
        bool sign = (c == '+' || c == '-') && n && strchr("eE", text[n - 1]) && strncmp(text, "0x", 2);
        if (!code_is_word(c) && c != '.' && c != '\'' && !sign)
            break;
        if (c != '\'')
            text[n++] = c;
        e->at = i + 1;
    }
    text[n] = '\0';
    bool hex = !strncmp(text, "0x", 2) || !strncmp(text, "0X", 2);
    struct value v = {strtod(text, &stop), !hex && strpbrk(text, ".eE") != NULL};
    if (!hex && text[0] == '0' && isdigit((unsigned char)text[1]) && !v.is_real)
        v.v = (double)strtoull(text, &stop, 8);
    for (; *stop && strchr("uUlLfF", *stop); stop++)
        v.is_real = v.is_real || *stop == 'f' || *stop == 'F';
    return *stop || !n ? fail(e) : v;
}

static struct value bracketed(struct expression *e, char open, char close)
{
    if (peek(e) != open)
        return fail(e);
    e->at++;
    struct value v = expression(e);
    if (e->bad || peek(e) != close)
        return fail(e);
    e->at++;
    return v;
}

static struct value sizeof_value(struct expression *e)
{
    size_t close = peek(e) == '(' ? code_close(e->text, e->at, e->end) : 0;
    int bytes = 0;
    if (!close || type_of(e->text, e->at + 1, close - 1, &bytes) == SORT_NONE || !bytes)
        return fail(e);
    e->at = close;
    return (struct value){bytes, false};
}

static bool dimensions(const struct source *s, size_t at, size_t end, int *left, double out[3]);

/* "t.x" of a dim3 that is known; e->at is at the dot. */
static struct value member(struct expression *e, const char *word)
{
    static const char axes[] = "xyz";
    const char *axis = e->at + 1 < e->end ? strchr(axes, e->text[e->at + 1]) : NULL;
    enum sort sort;
    bool fixed = false;
    double d[3];
    size_t place = axis && *axis ? declared(e->s, word, e->from, "dim3", &sort, &fixed) : 0;
    e->at += 2;
    if (!place || (e->at < e->end && code_is_word(e->text[e->at])) || !dimensions(e->s, place, e->s->file.len, e->left, d))
        return fail(e);
    return (struct value){d[axis - axes], false};
}

static struct value name(struct expression *e)
{
    size_t from = e->at, stop = code_word(e->text, from, e->end);
    while (stop + 2 < e->end && e->text[stop] == ':' && e->text[stop + 1] == ':' && code_is_word(e->text[stop + 2])) {
        bool standard = stop - from == 3 && !strncmp(e->text + from, "std", 3);
        from = standard ? from : stop + 2;
        stop = code_word(e->text, stop + 2, e->end);
    }
    int t = type_at(e->text, from, stop - from);
    e->at = stop;
    if (t >= 0 && types[t].bytes)                       /* float(x) */
        return as_sort(bracketed(e, '(', ')'), types[t].sort);
    char *word = text_ndup(e->text + from, stop - from);
    struct value v = {0};
    bool known = !strcmp(word, "true") || !strcmp(word, "false"), is_macro = false;
    if (known)
        v.v = !strcmp(word, "true");
    else if (!strcmp(word, "sizeof"))
        v = sizeof_value(e);
    else if (peek(e) == '.')
        v = member(e, word);
    else if (!macro(&v, e->s, word, e->from, e->left, &is_macro) && (is_macro || !variable(&v, e->s, word, e->from, e->left)))
        e->bad = true;
    else if (strchr("([.", peek(e)) && peek(e))     /* more than a name */
        e->bad = true;
    free(word);
    return v;
}

static struct value primary(struct expression *e)
{
    char c = peek(e);
    return c == '(' ? bracketed(e, '(', ')') : c == '.' || isdigit((unsigned char)c) ? number(e) : code_is_word(c) ? name(e) : fail(e);
}

/* "(float)x" and "static_cast<float>(x)"; false where it is neither. */
static bool cast(struct expression *e, struct value *out)
{
    static const char word[] = "static_cast";
    int bytes;
    size_t open = e->at;
    bool named = code_find(e->text, open, e->end, word) == open;
    if (named)
        open = code_skip(e->text, open + strlen(word), e->end);
    if (open >= e->end || e->text[open] != (named ? '<' : '('))
        return false;
    size_t close = code_close(e->text, open, e->end);
    enum sort sort = close ? type_of(e->text, open + 1, close - 1, &bytes) : SORT_NONE;
    if (sort == SORT_NONE || sort == SORT_EITHER)
        return false;
    e->at = close;
    *out = as_sort(named ? bracketed(e, '(', ')') : primary(e), sort);
    return true;
}

static struct value unary(struct expression *e)
{
    bool minus = false;
    char c;
    for (; (c = peek(e)) == '-' || c == '+'; e->at++)
        minus = minus != (c == '-');
    struct value v = {0};
    if (--*e->left < 0)
        return fail(e);
    if (!cast(e, &v))
        v = primary(e);
    v.v = minus ? -v.v : v.v;
    return v;
}

static struct value product(struct expression *e)
{
    struct value a = unary(e);
    for (char c; !e->bad && (c = peek(e)) && strchr("*/%", c);) {
        e->at++;
        struct value b = unary(e);
        bool real = a.is_real || b.is_real;
        if (c != '*' && b.v == 0)
            return fail(e);
        a.v = c == '*' ? a.v * b.v : c == '%' ? fmod(a.v, b.v) : real ? a.v / b.v : trunc(a.v / b.v);
        a.is_real = real;
    }
    return a;
}

static struct value sum(struct expression *e)
{
    struct value a = product(e);
    for (char c; !e->bad && ((c = peek(e)) == '+' || c == '-');) {
        e->at++;
        struct value b = product(e);
        a = (struct value){c == '+' ? a.v + b.v : a.v - b.v, a.is_real || b.is_real};
    }
    return a;
}

static struct value expression(struct expression *e)
{
    struct value a = sum(e);
    for (char c; !e->bad && ((c = peek(e)) == '<' || c == '>') && e->at + 1 < e->end && e->text[e->at + 1] == c;) {
        e->at += 2;
        struct value b = sum(e);
        if (a.is_real || b.is_real || b.v < 0 || b.v > 62)
            return fail(e);
        a.v = c == '<' ? ldexp(a.v, (int)b.v) : floor(ldexp(a.v, -(int)b.v));
    }
    return a;
}

/* ---- the launch ---- */

static size_t list_part(const struct source *s, size_t at, size_t end)
{
    size_t stop = initialiser_end(s, at, ",");
    return stop < end ? stop : end;
}

/* Up to three numbers between commas; those that are absent are 1. */
static bool numbers(const struct source *s, size_t at, size_t end, size_t from, int *left, double out[3])
{
    out[0] = out[1] = out[2] = 1;
    for (int d = 0; at < end; d++) {
        size_t stop = list_part(s, at, end);
        struct value v;
        if (d == 3 || !evaluate(&v, s, s->code, at, stop, from, left))
            return false;
        out[d] = trunc(v.v);
        at = stop + 1;
    }
    return true;
}

static bool is_dim3(const struct source *s, size_t at, size_t end)
{
    return code_find(s->code, at, end, "dim3") == at;
}

/* "(32, 8)", "{32, 8}", "= dim3(32, 8)", "= 256", from `at` on; names as they stand there. */
static bool dimensions(const struct source *s, size_t at, size_t end, int *left, double out[3])
{
    size_t from = at;
    at = code_skip(s->code, at, end);
    bool equals = at < end && s->code[at] == '=';
    at = code_skip(s->code, at + equals, end);
    if (is_dim3(s, at, end))
        at = code_skip(s->code, at + 4, end);
    else if (equals && s->code[at] != '{')
        return numbers(s, at, initialiser_end(s, at, ";,"), from, left, out);
    size_t close = at < end && strchr("({", s->code[at]) ? code_close(s->code, at, end) : 0;
    return close && numbers(s, at + 1, close - 1, from, left, out);
}

/* A number, "dim3(32, 8)", or the name of a dim3. */
static bool extent(const struct source *s, size_t at, size_t end, double out[3])
{
    struct value v;
    int left = MOST_STEPS;
    at = code_skip(s->code, at, end);
    if (evaluate(&v, s, s->code, at, end, at, &left)) {
        out[0] = trunc(v.v), out[1] = out[2] = 1;
        return true;
    }
    if (is_dim3(s, at, end) || (at < end && s->code[at] == '{'))
        return dimensions(s, at, end, &left, out);
    size_t stop = code_word(s->code, at, end);
    if (stop == at || code_skip(s->code, stop, end) < end)
        return false;
    char *word = text_ndup(s->code + at, stop - at);
    enum sort sort;
    bool fixed = false;
    size_t place = declared(s, word, at, "dim3", &sort, &fixed);
    free(word);
    return place && dimensions(s, place, s->file.len, &left, out);
}

/* As few digits as bring it back. */
static char *number_text(double v, bool is_float)
{
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        double again = strtod(text, NULL);
        if (is_float ? (float)again == (float)v : again == v)
            break;
    }
    return text_dup(text);
}

static void take_arguments(const struct source *s, struct kernel *k, size_t open)
{
    size_t close = s->code[open] == '(' ? code_close(s->code, open, s->file.len) : 0, at = open + 1;
    for (int i = 0; close && i < k->n_params && at < close; i++) {
        struct kernel_param *p = &k->params[i];
        size_t stop = list_part(s, at, close - 1);
        struct value v;
        int left = MOST_STEPS;
        if (p->kind != KP_BUFFER && evaluate(&v, s, s->code, at, stop, at, &left) && fabs(v.v) < 9e15)
            p->given = p->kind == KP_F32 || p->kind == KP_F64 ? number_text(v.v, p->kind == KP_F32) : text_format("%.0f", trunc(v.v) + 0.0);
        at = stop + 1;
    }
}

/* The three parts of <<<blocks, threads, shared>>>. */
static void take_configuration(const struct source *s, struct kernel *k, size_t at, size_t end)
{
    size_t blocks = list_part(s, at, end), threads = blocks < end ? list_part(s, blocks + 1, end) : end;
    double block[3], shared[3] = {0};
    int left = MOST_STEPS;
    k->has_grid = extent(s, at, blocks, k->grid);
    if (blocks < end && extent(s, blocks + 1, threads, block) && block[0] >= 1 && block[1] >= 1 && block[2] >= 1 && block[0] * block[1] * block[2] <= 1024)
        for (int d = 0; d < 3; d++)
            k->block[d] = (int)block[d];
    k->has_block = k->block[0] > 0;
    if (threads < end && numbers(s, threads + 1, list_part(s, threads + 1, end), threads, &left, shared) && shared[0] > 0 && shared[0] <= 1 << 20)
        k->shared = (int)shared[0];
}

/* __launch_bounds__(256): the most threads, which many launch. */
static void take_bounds(const struct source *s, struct kernel *k)
{
    size_t at = code_find(s->code, k->begin, k->body, "__launch_bounds__");
    size_t open = at < k->body ? code_skip(s->code, at + strlen("__launch_bounds__"), k->body) : k->body;
    size_t close = open < k->body && s->code[open] == '(' ? code_close(s->code, open, k->body) : 0;
    struct value most;
    int left = MOST_STEPS;
    if (k->has_block || !close || !evaluate(&most, s, s->code, open + 1, list_part(s, open + 1, close - 1), open, &left))
        return;
    if (most.v < 1 || most.v > 1024)
        return;
    int n = (int)most.v;
    bool flat = k->block_dims > 1 && n % 32 == 0;
    k->block[0] = flat ? 32 : n;
    k->block[1] = flat ? n / 32 : 1;
    k->block[2] = 1;
}

static void take_launch(const struct source *s, struct kernel *k)
{
    size_t end = s->file.len, at = 0;
    for (; (at = code_find(s->code, at, end, k->name)) < end; at++) {
        size_t open = code_skip(s->code, at + strlen(k->name), end);
        if (strncmp(s->code + open, "<<<", 3))
            continue;
        const char *close = strstr(s->code + open, ">>>");
        if (!close)
            return;
        size_t stop = (size_t)(close - s->code);
        int col;
        source_place(s, at, &k->launch_line, &col);
        k->launch = text_ndup(s->file.text + open, stop + 3 - open);
        take_configuration(s, k, open + 3, stop);
        take_arguments(s, k, code_skip(s->code, stop + 3, end));
        return;
    }
}

void source_launch(const struct source *s, struct kernel *k)
{
    take_launch(s, k);
    take_bounds(s, k);
}

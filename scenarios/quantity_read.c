/* Numbers as people type them. A small reader over (cursor, end): fillers, one number, one unit, nothing else.
 * Unreadable is told apart from wrong: only what was understood can be graded. */
#include "scenarios/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MOST_FACTORS 8 /* of a product with units */
#define LONGEST 256   /* bytes of an answer that are looked at; more is refused */

/* 10^k without the rounding of pow for the powers that a double holds exactly. */
static double decimal(uint64_t digits, int exponent)
{
    static const double exact[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (exponent >= 0 && exponent <= 22)
        return (double)digits * exact[exponent];
    if (exponent < 0 && exponent >= -22)
        return (double)digits / exact[-exponent];
    return (double)((long double)digits * powl(10.0L, exponent));
}

/* Bytes of a blank at s (also no-break and thin blanks), or 0. */
static size_t blank_at(const char *s)
{
    if (*s == ' ' || *s == '\t')
        return 1;
    if (strncmp(s, "\xC2\xA0", 2) == 0)
        return 2;
    return strncmp(s, "\xE2\x80\x89", 3) == 0 || strncmp(s, "\xE2\x80\xAF", 3) == 0 ? 3 : 0;
}

static const char *skip_blanks(const char *s)
{
    size_t n;
    while ((n = blank_at(s)) > 0)
        s += n;
    return s;
}

static bool starts(const char *s, const char *with)
{
    return strncasecmp(s, with, strlen(with)) == 0;
}

/* "~", "about", "ca." and the like say nothing about the value. */
static const char *skip_fillers(const char *s)
{
    static const char *const fillers[] = {"~", "$", "\xE2\x89\x88", "\xE2\x89\x83", "=", "about", "approximately", "approx.", "approx",
                                          "around", "roughly", "circa", "ca.", "ca ", "c.", "some ", "maybe", "nearly", "almost", "it is", "it's",
                                          "USD", "US$"};
    for (bool again = true; again;) {
        again = false;
        s = skip_blanks(s);
        for (size_t i = 0; i < sizeof fillers / sizeof *fillers; i++)
            if (starts(s, fillers[i])) {
                s += strlen(fillers[i]);
                again = true;
                break;
            }
    }
    return s;
}

static int digits_at(const char *s)
{
    int n = 0;
    while (isdigit((unsigned char)s[n]))
        n++;
    return n;
}

/* A mark between groups of three digits: how many bytes, with the mark in *mark. */
static size_t mark_at(const char *s, char *mark)
{
    if (*s == ',' || *s == '.' || *s == '_' || *s == '\'') {
        *mark = *s;
        return 1;
    }
    *mark = ' ';
    return *s == '\t' ? 0 : blank_at(s);
}

/* How the marks of a number are meant. `decimal_mark`: 0 when there is none. Returns false when they contradict each other. */
struct marks { char decimal_mark; int count[128]; const char *end; };

static bool group_follows(const char *s)
{
    return digits_at(s) == 3;
}

static bool scan_marks(const char *s, struct marks *m)
{
    memset(m, 0, sizeof *m);
    const char *at = s;
    int first = digits_at(at), last_group = first;
    char last = 0, mark = 0;
    bool threes = first >= 1 && first <= 3;
    at += first;
    size_t n;
    while ((n = mark_at(at, &mark)) > 0) {
        int group = digits_at(at + n);
        if (mark == ' ' && (!threes || group != 3))
            break;
        if (group == 0 && mark != '.')
            break;
        if (last == '.' && m->count['.'] == 1 && mark != '.' && mark != ',')
            return false;
        m->count[(int)mark]++;
        last = mark;
        last_group = group;
        at += n + (size_t)group;
        if (mark == ',' || mark == '.')
            threes = threes && group == 3;
    }
    m->end = at;
    int commas = m->count[','], points = m->count['.'];
    if (commas && points) {
        m->decimal_mark = last;
        return (last == '.' || last == ',') && m->count[(int)last] == 1;
    }
    if (points == 1)
        m->decimal_mark = '.';
    else if (commas == 1 && (last_group != 3 || first == 0 || first > 3 || s[0] == '0'))
        m->decimal_mark = ',';
    else if (commas > 1 || points > 1)
        return threes;
    return true;
}

/* Digits with marks and an exponent: "1,024", "1.5e3", ".5". Returns the end, or NULL. */
static const char *read_decimal(const char *s, double *out)
{
    struct marks m;
    if (!isdigit((unsigned char)*s) && !((*s == '.' || *s == ',') && isdigit((unsigned char)s[1])))
        return NULL;
    if (!scan_marks(s, &m))
        return NULL;
    uint64_t digits = 0;
    int exponent = 0, since_mark = -1;
    for (const char *at = s; at < m.end;) {
        char mark = 0;
        if (isdigit((unsigned char)*at)) {
            bool room = digits < UINT64_MAX / 10 - 1;
            digits = room ? digits * 10 + (uint64_t)(*at - '0') : digits;
            exponent += (since_mark >= 0 ? -1 : 0) + (room ? 0 : 1);
            at++;
            continue;
        }
        at += mark_at(at, &mark);
        if (mark == m.decimal_mark)
            since_mark = 0;
        else if ((mark == ',' || mark == '.') && !group_follows(at))
            return NULL;
    }
    const char *end = m.end;
    if (*end == 'e' || *end == 'E') {
        const char *at = end + 1;
        int sign = *at == '-' ? -1 : 1;
        at += *at == '-' || *at == '+';
        int n = digits_at(at), value = 0;
        for (int i = 0; i < n && value < 10000; i++)
            value = value * 10 + (at[i] - '0');
        if (n > 0) {
            exponent += sign * value;
            end = at + n;
        }
    }
    *out = digits ? decimal(digits, exponent) : 0;
    return end;
}

/* Raised digits, as "10⁹" and "10⁻³" have them. Returns the end, or s when there are none. */
static const char *read_raised(const char *s, int *out)
{
    static const char *const raised[] = {"\xE2\x81\xB0", "\xC2\xB9", "\xC2\xB2", "\xC2\xB3", "\xE2\x81\xB4",
                                         "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7", "\xE2\x81\xB8", "\xE2\x81\xB9"};
    const char *start = s;
    int sign = 1, value = 0, n = 0;
    if (starts(s, "\xE2\x81\xBB")) {
        sign = -1;
        s += 3;
    }
    for (int d = 0; d < 10 && n < 4; d++)
        if (starts(s, raised[d])) {
            value = value * 10 + d;
            s += strlen(raised[d]);
            d = -1;
            n++;
        }
    *out = sign * value;
    return n ? s : start;
}

static const char *read_sum(const char *s, double *out);

/* Digits, or a sum in parentheses. */
static const char *read_factor(const char *s, double *out)
{
    if (*s != '(')
        return read_decimal(s, out);
    s = read_sum(skip_blanks(s + 1), out);
    s = s ? skip_blanks(s) : NULL;
    return s && *s == ')' ? s + 1 : NULL;
}

/* A number with a power: "2^20", "10**9", "10⁹", "2^(-14)". */
static const char *read_power(const char *s, double *out)
{
    s = read_factor(s, out);
    if (!s)
        return NULL;
    int raised;
    const char *after = read_raised(s, &raised);
    if (after != s) {
        *out = pow(*out, raised);
        return after;
    }
    const char *at = skip_blanks(s);
    size_t op = *at == '^' ? 1 : at[0] == '*' && at[1] == '*' ? 2 : 0;
    if (!op)
        return s;
    at = skip_blanks(at + op);
    double sign = *at == '-' ? -1 : 1, power;
    at += *at == '-' || *at == '+';
    at = read_factor(at, &power);
    if (at)
        *out = pow(*out, sign * power);
    return at;
}

/* The sign between two numbers: '*' or '/', or 0. "x" counts only when a digit follows, else it is a unit. */
static char operator_at(const char *s, const char **after)
{
    s = skip_blanks(s);
    size_t n = 0;
    char op = '*';
    if (*s == '*' || *s == 'x' || *s == 'X')
        n = 1;
    else if (starts(s, "\xC3\x97") || starts(s, "\xC2\xB7"))
        n = 2;
    else if (*s == '/') {
        n = 1;
        op = '/';
    }
    *after = skip_blanks(s + n);
    return n && (isdigit((unsigned char)**after) || **after == '.' || **after == '(') ? op : 0;
}

/* Products and fractions of numbers: "2 x 10^9", "1/3". */
static const char *read_number(const char *s, double *out)
{
    double sign = 1;
    if (*s == '-' || *s == '+') {
        sign = *s == '-' ? -1 : 1;
        s++;
    } else if (starts(s, "\xE2\x88\x92")) {
        sign = -1;
        s += 3;
    }
    s = skip_blanks(s);
    if (starts(s, "0x"))        /* hexadecimal, not a product with nothing */
        return NULL;
    s = read_power(s, out);
    const char *after;
    char op;
    while (s && (op = operator_at(s, &after)) != 0) {
        double next = 1;
        s = read_power(after, &next);
        *out = op == '*' ? *out * next : *out / next;
    }
    *out *= sign;
    return s;
}

/* What stands in parentheses: "16+3". Outside of them a '-' is a range. */
static const char *read_sum(const char *s, double *out)
{
    s = read_number(s, out);
    while (s && (*(s = skip_blanks(s)) == '+' || *s == '-')) {
        double sign = *s == '-' ? -1 : 1, next = 0;
        s = read_number(skip_blanks(s + 1), &next);
        *out += sign * next;
    }
    return s;
}

/* "GB total": words that say nothing of the unit, and stops. */
static size_t drop_last_words(char *out, size_t n)
{
    static const char *const words[] = {"*total", "*in*total", "*in*all", "*each", "*overall", "*altogether"};
    for (bool again = true; again;) {
        while (n > 0 && strchr(".?!,;*", out[n - 1]))
            n--;
        out[n] = '\0';
        again = false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            size_t len = strlen(words[i]);
            if (n >= len && strcmp(out + n - len, words[i]) == 0) {
                out[n -= len] = '\0';
                again = true;
            }
        }
    }
    return n;
}

/* The unit's words into one text without blanks: "bytes per second" -> "bytes/second". A blank between two units is a
 * product ("million bytes", "M sectors"). Returns its length, 0 for none, `size` when it does not fit. */
static size_t gather_unit(const char *s, char *out, size_t size)
{
    size_t n = 0;
    while (*s && n + 2 < size) {
        size_t blank = blank_at(s);
        if (blank) {
            s = skip_blanks(s);
            bool bar = n == 0 || out[n - 1] == '/' || *s == '/' || *s == '\0';
            if (starts(s, "per ") || starts(s, "a second")) {
                out[n++] = '/';
                s += s[0] == 'p' || s[0] == 'P' ? 4 : 2;
            } else if (!bar)
                out[n++] = '*';
            continue;
        }
        if (*s == '-' && n == 0) {      /* "4-way" */
            s++;
            continue;
        }
        out[n++] = *s++;
    }
    n = drop_last_words(out, n);
    return *s ? size : n;
}

static enum quantity_read unreadable(char *say, size_t size, const char *why)
{
    snprintf(say, size, "%s", why);
    return QUANTITY_UNREADABLE;
}

/* What follows the first number of "0.1-0.2 ms", "1 to 2", "3 – 4". */
static bool is_range(const char *s)
{
    s = skip_blanks(s);
    size_t n = *s == '-' ? 1 : starts(s, "\xE2\x80\x93") || starts(s, "...") ? 3 : starts(s, "to ") || starts(s, "..") ? 2 : 0;
    return n && isdigit((unsigned char)*skip_blanks(s + n));
}

/* What was written in a unit's place: "ms to 0.2 ms", "ms, 80 %". */
static const char *no_unit(const char *s)
{
    bool number = false;
    for (const char *at = s; *at; at++) {
        if (!isalnum((unsigned char)*at) && is_range(at))
            return "one number was expected, not a range";
        number = number || isdigit((unsigned char)*at);
    }
    size_t n = strlen(s);
    while (n > 0 && blank_at(s + n - 1))
        n--;
    if (number && n > 0 && s[n - 1] == '%')
        return "one number was expected, without how sure you are";
    return "the unit was not understood; write it like ms, us, GB/s, MiB or a plain number";
}

/* "TFLOPS" and "TF" are counts where those are asked for. */
static bool ends_in_flops(const char *unit, size_t n)
{
    return (n >= 5 && strcasecmp(unit + n - 5, "flops") == 0) || (n >= 1 && n <= 2 && unit[n - 1] == 'F');
}

/* ---- arithmetic with units: "17.5 GB / 3.35 TB/s" ---- */

/* The sign before the next number, NULL when there is none. */
static const char *next_sign(const char *s)
{
    const char *after;
    for (const char *at = s; *at; at++)
        if (operator_at(at, &after) && (at == s || !isalpha((unsigned char)*at) || blank_at(at - 1)))
            return at;
    return NULL;
}

/* A number and the text of its unit up to `end`. */
static bool read_spelled(const char *s, const char *end, struct quantity *out)
{
    char piece[LONGEST], text[64];
    double factor;
    snprintf(piece, sizeof piece, "%.*s", (int)(end - s), s);
    size_t n = gather_unit(piece, text, sizeof text);
    if (n == 0)
        return true;
    if (n == sizeof text || !unit_parse(text, n, &out->dim, &factor))
        return false;
    out->value *= factor;
    return true;
}

static void multiply(struct quantity *total, const struct quantity *next, int sign)
{
    total->value = sign > 0 ? total->value * next->value : total->value / next->value;
    total->dim.byte = (signed char)(total->dim.byte + sign * next->dim.byte);
    total->dim.second = (signed char)(total->dim.second + sign * next->dim.second);
    total->dim.flop = (signed char)(total->dim.flop + sign * next->dim.flop);
    total->dim.cycle = (signed char)(total->dim.cycle + sign * next->dim.cycle);
}

/* Products and quotients of quantities; false: it is none, or holds what cannot be read. */
static bool read_product(const char *s, struct quantity *out)
{
    char op = '*';
    *out = (struct quantity){1, DIM_NONE};
    for (int k = 0; k < MOST_FACTORS; k++) {
        struct quantity next = {0, DIM_NONE};
        const char *end = read_power(s, &next.value), *sign = end ? next_sign(end) : NULL;
        if (!end || !read_spelled(end, sign ? sign : end + strlen(end), &next))
            return false;
        multiply(out, &next, op == '*' ? 1 : -1);
        if (!sign)
            return k > 0 && isfinite(out->value);
        op = operator_at(sign, &s);
    }
    return false;
}

/* ---- numbers without a unit ---- */

#define LARGE 1e5 /* a bare number from here on may count base units: nobody writes 939524096 MB */
#define SMALL 0.01 /* and below it, of ms and the like: 0.0077 may be seconds */

/* Sizes that exist in computing. What lies outside was meant in another unit. */
static bool is_sensible(struct dim d, double value)
{
    static const struct { struct dim d; double least, most; } known[] = {
        {{0, 1, 0, 0}, 1e-10, 3e9},   /* a tenth of a clock; a century */
        {{1, 0, 0, 0}, 0.125, 1e14},  /* a bit; a training run's checkpoints */
        {{1, -1, 0, 0}, 1e5, 1e16},   /* a slow line; the memories of a cluster */
        {{0, -1, 1, 0}, 1e6, 1e20},   /* far below one core; the largest machines */
        {{0, 0, 1, 0}, 1, 1e28},      /* one; the largest trainings */
        {{0, -1, 0, 0}, 1e-6, 1e13},  /* a step a week; a cluster's tokens */
        {{0, 0, 0, 0}, 1e-12, 1e11},  /* of a unit such as million: dollars */
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (dim_equal(d, known[i].d))
            return fabs(value) >= known[i].least && fabs(value) <= known[i].most;
    return true;
}

static enum quantity_read ask_unit(double value, const char *unit, struct dim dim, char *say, size_t size)
{
    char base[64];
    dim_unit(base, sizeof base, dim);
    if (strcmp(unit, base) == 0)
        snprintf(say, size, "%.10g of what? Write it with its prefix and unit, such as %.10g %s%s", value, value,
                 dim_equal(dim, DIM_SECOND) ? "u" : "G", base);
    else
        snprintf(say, size, "%.10g %s or %.10g %s? Write it with its unit", value, unit, value, base);
    return QUANTITY_UNREADABLE;
}

/* A number without any unit, asked for in `unit`, which is `factor` base units of r->q.dim. */
static enum quantity_read place_bare(struct quantity_reading *r, double value, const char *unit, double factor,
                                     char *say, size_t size)
{
    struct dim dim = r->q.dim;
    bool counts = dim_equal(dim, DIM_NONE) && factor <= 1; /* "1", "%", tokens: nothing to confuse */
    bool asked = is_sensible(dim, value * factor), base = is_sensible(dim, value);
    bool odd = (factor > 1 && fabs(value) >= LARGE) || (factor < 1 && fabs(value) < SMALL);
    r->q.value = value * factor;
    if (counts)
        return QUANTITY_OK;
    if (value != 0 && ((asked && base && odd) || (!asked && !base)))
        return ask_unit(value, unit, dim, say, size);
    r->bare = asked || value == 0 ? QUANTITY_AS_ASKED : QUANTITY_AS_BASE;
    if (r->bare == QUANTITY_AS_BASE)
        r->q.value = value;
    return QUANTITY_OK;
}

/* In the unit asked for, where that has a prefix: "5.5 TB/s". */
static void say_taken(struct quantity_reading *r, const char *unit, double factor)
{
    char base[64];
    dim_unit(base, sizeof base, r->q.dim);
    if (r->bare != QUANTITY_SPELLED && factor == 1 && !strcmp(unit, base))
        quantity_show(r->taken, sizeof r->taken, r->q.value, base);
    else if (r->bare != QUANTITY_SPELLED)
        snprintf(r->taken, sizeof r->taken, "%.6g %s", r->q.value / factor, unit);
}

static enum quantity_read say_dim(struct dim dim, struct dim asked, const char *unit, char *say, size_t size)
{
    char is[64], was[64];
    dim_describe(is, sizeof is, dim);
    if (strcmp(unit, "%") == 0)
        snprintf(was, sizeof was, "a share in %%");
    else
        dim_describe(was, sizeof was, asked);
    bool many = dim_equal(asked, DIM_BYTE) || (asked.cycle == 1 && asked.second == 0);
    snprintf(say, size, "that is %s; %s %s asked for", is, was, many ? "were" : "was");
    return QUANTITY_WRONG_DIM;
}

/* Letters and words that only multiply: "T", "Mi", "million". */
static bool is_multiplier(const char *text, size_t n, struct dim dim, double factor)
{
    bool letter = n > 0 && n <= 2 && strchr("kKMGT", text[0]), word = n > 0 && factor >= 1e3;
    return dim_equal(dim, DIM_NONE) && (letter || word);
}

/* "25 % faster" is a factor of 1.25. "25 % slower" may be two factors: then *factor becomes 0. false: neither. */
static bool is_change(const char *text, double *value, double *factor)
{
    static const struct { const char *word; bool up; } words[] = {{"faster", true}, {"more", true}, {"higher", true}, {"longer", true},
                                                                  {"larger", true}, {"slower", false}, {"less", false}, {"fewer", false},
                                                                  {"lower", false}, {"shorter", false}, {"smaller", false}};
    const char *star = strchr(text, '*');
    if (!star || *factor != 0.01)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(star + 1, words[i].word) == 0) {
            *value = 1 + *value / 100;
            *factor = words[i].up;
            return true;
        }
    return false;
}

/* A value with what was written behind it, which is worth `factor` base units of `dim`. */
static enum quantity_read place_spelled(struct quantity_reading *r, double value, const char *text, size_t n,
                                        struct dim dim, double factor, const char *unit, double unit_factor,
                                        char *say, size_t size)
{
    struct dim asked = r->q.dim;
    r->q = (struct quantity){value * factor, dim};
    if (ends_in_flops(text, n) && asked.flop == 1 && dim.flop == 1)
        r->q.dim = asked;
    if (!dim_equal(asked, DIM_NONE) && is_multiplier(text, n, dim, factor)) {
        r->q.dim = asked;
        r->bare = factor == unit_factor ? QUANTITY_AS_ASKED : QUANTITY_AS_BASE;
    }
    return dim_equal(r->q.dim, asked) ? QUANTITY_OK : say_dim(r->q.dim, asked, unit, say, size);
}

enum quantity_read quantity_read_bare(const char *typed, const char *unit, struct quantity_reading *out,
                                      char *say, size_t size)
{
    struct dim asked, dim;
    double factor, value, written;
    char text[64];
    if (!unit_parse(unit, strlen(unit), &asked, &factor)) {
        asked = DIM_NONE;
        factor = 1;
    }
    *out = (struct quantity_reading){.q = {0, asked}};
    if (size)
        say[0] = '\0';
    if (strnlen(typed, LONGEST) == LONGEST)
        return unreadable(say, size, "that is too long for a number");
    const char *s = skip_fillers(typed), *start = s;
    if (!*s)
        return unreadable(say, size, "there is no number in it");
    s = read_number(s, &value);
    if (!s)
        return unreadable(say, size, "no number could be read; write it like 0.13 ms, 3.6 TB/s or 32");
    if (is_range(s))
        return unreadable(say, size, "one number was expected, not a range");
    size_t n = gather_unit(s, text, sizeof text);
    if (n == sizeof text || (n > 0 && !unit_parse(text, n, &dim, &written))) {
        if (!read_product(start, &out->q))
            return unreadable(say, size, no_unit(s));
        return dim_equal(out->q.dim, asked) ? QUANTITY_OK : say_dim(out->q.dim, asked, unit, say, size);
    }
    if (n > 0 && strcmp(unit, "1") == 0 && is_change(text, &value, &written))
        return written > 0 ? place_spelled(out, value, text, n, dim, written, unit, factor, say, size)
                           : unreadable(say, size, "a factor was asked for; write it like 0.75x or 1.33x");
    if (!isfinite(value * (n ? written : factor)))
        return unreadable(say, size, "that is not a finite number");
    enum quantity_read read = n ? place_spelled(out, value, text, n, dim, written, unit, factor, say, size)
                                : place_bare(out, value, unit, factor, say, size);
    if (read == QUANTITY_UNREADABLE)
        return read;
    say_taken(out, unit, factor);
    return read;
}

enum quantity_read quantity_read(const char *typed, const char *unit, struct quantity *out, char *say, size_t size)
{
    struct quantity_reading r;
    enum quantity_read read = quantity_read_bare(typed, unit, &r, say, size);
    *out = r.q;
    return read;
}

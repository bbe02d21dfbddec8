#include "scenarios/formula/quantity_number.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* 10^k without the rounding of pow for the powers that a double holds exactly. */
static double decimal(uint64_t digits, int exponent)
{
    static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (exponent >= 0 && exponent <= 22)
        return (double)digits * exact[exponent];
    if (exponent < 0 && exponent >= -22)
        return (double)digits / exact[-exponent];
    return (double)((long double)digits * powl(10.0L, exponent));
}

/* Bytes of a blank at s (also no-break and thin blanks), or 0. */
size_t number_blank(const char *s)
{
    if (*s == ' ' || *s == '\t')
        return 1;
    if (strncmp(s, "\xC2\xA0", 2) == 0)
        return 2;
    return strncmp(s, "\xE2\x80\x89", 3) == 0 || strncmp(s, "\xE2\x80\xAF", 3) == 0 ? 3 : 0;
}

const char *number_skip_blanks(const char *s)
{
    size_t n;
    while ((n = number_blank(s)) > 0)
        s += n;
    return s;
}

bool number_starts(const char *s, const char *with)
{
    return strncasecmp(s, with, strlen(with)) == 0;
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
    return *s == '\t' ? 0 : number_blank(s);
}

/* How the marks of a number are meant. `decimal_mark`: 0 when there is none. Returns false when
 * they contradict each other. */
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
    static const char *const raised[] = {"\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",
                                         "\xC2\xB3",     "\xE2\x81\xB4", "\xE2\x81\xB5",
                                         "\xE2\x81\xB6", "\xE2\x81\xB7", "\xE2\x81\xB8",
                                         "\xE2\x81\xB9"};
    const char *start = s;
    int sign = 1, value = 0, n = 0;
    if (number_starts(s, "\xE2\x81\xBB")) {
        sign = -1;
        s += 3;
    }
    for (int d = 0; d < 10 && n < 4; d++)
        if (number_starts(s, raised[d])) {
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
    s = read_sum(number_skip_blanks(s + 1), out);
    s = s ? number_skip_blanks(s) : NULL;
    return s && *s == ')' ? s + 1 : NULL;
}

/* A number with a power: "2^20", "10**9", "10⁹", "2^(-14)". */
const char *number_read_power(const char *s, double *out)
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
    const char *at = number_skip_blanks(s);
    size_t op = *at == '^' ? 1 : at[0] == '*' && at[1] == '*' ? 2 : 0;
    if (!op)
        return s;
    at = number_skip_blanks(at + op);
    double sign = *at == '-' ? -1 : 1, power;
    at += *at == '-' || *at == '+';
    at = read_factor(at, &power);
    if (at)
        *out = pow(*out, sign * power);
    return at;
}

/* The sign between two numbers: '*' or '/', or 0. "x" counts only when a digit follows, else it is
 * a unit. */
char number_operator(const char *s, const char **after)
{
    s = number_skip_blanks(s);
    size_t n = 0;
    char op = '*';
    if (*s == '*' || *s == 'x' || *s == 'X')
        n = 1;
    else if (number_starts(s, "\xC3\x97") || number_starts(s, "\xC2\xB7"))
        n = 2;
    else if (*s == '/') {
        n = 1;
        op = '/';
    }
    *after = number_skip_blanks(s + n);
    return n && (isdigit((unsigned char)**after) || **after == '.' || **after == '(') ? op : 0;
}

/* Products and fractions of numbers: "2 x 10^9", "1/3". */
const char *number_read(const char *s, double *out)
{
    double sign = 1;
    if (*s == '-' || *s == '+') {
        sign = *s == '-' ? -1 : 1;
        s++;
    } else if (number_starts(s, "\xE2\x88\x92")) {
        sign = -1;
        s += 3;
    }
    s = number_skip_blanks(s);
    if (number_starts(s, "0x"))        /* hexadecimal, not a product with nothing */
        return NULL;
    s = number_read_power(s, out);
    const char *after;
    char op;
    while (s && (op = number_operator(s, &after)) != 0) {
        double next = 1;
        s = number_read_power(after, &next);
        *out = op == '*' ? *out * next : *out / next;
    }
    *out *= sign;
    return s;
}

/* What stands in parentheses: "16+3". Outside of them a '-' is a range. */
static const char *read_sum(const char *s, double *out)
{
    s = number_read(s, out);
    while (s && (*(s = number_skip_blanks(s)) == '+' || *s == '-')) {
        double sign = *s == '-' ? -1 : 1, next = 0;
        s = number_read(number_skip_blanks(s + 1), &next);
        *out += sign * next;
    }
    return s;
}

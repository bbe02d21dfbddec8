/* Dimensions, units, and numbers as screens show them. What people type is read in quantity_read.c.
 * Decimal points come from printf, so LC_NUMERIC stays "C" (only LC_CTYPE is set from the
 * environment). */
#include "scenarios/formula/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct dim DIM_NONE = {0, 0, 0, 0}, DIM_BYTE = {1, 0, 0, 0}, DIM_SECOND = {0, 1, 0, 0},
                 DIM_BANDWIDTH = {1, -1, 0, 0}, DIM_RATE = {0, -1, 1, 0}, DIM_HERTZ = {0, -1, 0, 0};

bool dim_equal(struct dim a, struct dim b)
{
    return a.byte == b.byte && a.second == b.second && a.flop == b.flop && a.cycle == b.cycle;
}

/* ---- dimensions in words ---- */

static void append(char *out, size_t size, const char *text)
{
    size_t used = strlen(out);
    if (used < size)
        snprintf(out + used, size - used, "%s", text);
}

/* The factors whose exponent has the given sign, "B^2*flop"; nothing when there are none. */
static void describe_side(char *out, size_t size, struct dim d, int sign)
{
    const struct { const char *name; int power;
    } base[] = {
        {"B", d.byte * sign},
        {"flop", d.flop * sign},
        {"cycle", d.cycle * sign},
        {"s", d.second * sign},
    };
    bool first = true;
    for (size_t i = 0; i < sizeof base / sizeof *base; i++) {
        if (base[i].power <= 0)
            continue;
        char term[24];
        if (base[i].power == 1)
            snprintf(term, sizeof term, "%s%s", first ? "" : "*", base[i].name);
        else
            snprintf(term, sizeof term, "%s%s^%d", first ? "" : "*", base[i].name, base[i].power);
        append(out, size, term);
        first = false;
    }
}

void dim_describe(char *out, size_t size, struct dim d)
{
    static const struct { struct dim d; const char *words;
    } common[] = {
        {{0, 0, 0, 0}, "a plain number"},
        {{1, 0, 0, 0}, "bytes"},
        {{0, 1, 0, 0}, "a time"},
        {{1, -1, 0, 0}, "a bandwidth"},
        {{0, -1, 1, 0}, "a rate in flop/s"},
        {{0, -1, 0, 0}, "a frequency"},
        {{0, 0, 1, 0}, "a count of flop"},
        {{0, 0, 0, 1}, "cycles"},
    };
    if (size == 0)
        return;
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (dim_equal(d, common[i].d)) {
            snprintf(out, size, "%s", common[i].words);
            return;
        }
    out[0] = '\0';
    describe_side(out, size, d, 1);
    if (out[0] == '\0')
        append(out, size, "1");
    char below[64] = "";
    describe_side(below, sizeof below, d, -1);
    if (below[0]) {
        append(out, size, "/");
        append(out, size, below);
    }
}

void dim_unit(char *out, size_t size, struct dim d)
{
    static const struct { struct dim d; const char *unit;
    } common[] = {{{0, 0, 0, 0}, "1"},    {{1, 0, 0, 0}, "B"},       {{0, 1, 0, 0}, "s"},
                  {{1, -1, 0, 0}, "B/s"}, {{0, -1, 1, 0}, "flop/s"}, {{0, -1, 0, 0}, "Hz"},
                  {{0, 0, 1, 0}, "flop"}, {{0, 0, 0, 1}, "cycle"}};
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (dim_equal(d, common[i].d)) {
            snprintf(out, size, "%s", common[i].unit);
            return;
        }
    dim_describe(out, size, d);
}

/* ---- units ---- */

struct unit { const char *name; struct dim dim; double factor; bool prefixed, any_case; };

/* Counting nouns are plain numbers, so that "32 sectors per request" reads. */
static const struct unit units[] = {
    {"B", {1, 0, 0, 0}, 1, true, false},
    {"b", {1, 0, 0, 0}, 0.125, true, false},
    {"byte", {1, 0, 0, 0}, 1, true, true},
    {"bytes", {1, 0, 0, 0}, 1, true, true},
    {"bit", {1, 0, 0, 0}, 0.125, true, true},
    {"bits", {1, 0, 0, 0}, 0.125, true, true},
    {"Bps", {1, -1, 0, 0}, 1, true, false},
    {"bps", {1, -1, 0, 0}, 0.125, true, false},
    {"s", {0, 1, 0, 0}, 1, true, false},
    {"sec", {0, 1, 0, 0}, 1, true, true},
    {"secs", {0, 1, 0, 0}, 1, true, true},
    {"second", {0, 1, 0, 0}, 1, true, true},
    {"seconds", {0, 1, 0, 0}, 1, true, true},
    {"min", {0, 1, 0, 0}, 60, false, true},
    {"minute", {0, 1, 0, 0}, 60, false, true},
    {"minutes", {0, 1, 0, 0}, 60, false, true},
    {"h", {0, 1, 0, 0}, 3600, false, false},
    {"hour", {0, 1, 0, 0}, 3600, false, true},
    {"hours", {0, 1, 0, 0}, 3600, false, true},
    {"mins", {0, 1, 0, 0}, 60, false, true},
    {"hr", {0, 1, 0, 0}, 3600, false, true},
    {"hrs", {0, 1, 0, 0}, 3600, false, true},
    {"day", {0, 1, 0, 0}, 86400, false, true},
    {"days", {0, 1, 0, 0}, 86400, false, true},
    {"week", {0, 1, 0, 0}, 604800, false, true},
    {"weeks", {0, 1, 0, 0}, 604800, false, true},
    {"tps", {0, -1, 0, 0}, 1, false, true},
    {"t", {0, 0, 0, 0}, 1, false, false},
    {"pct", {0, 0, 0, 0}, 0.01, false, true},
    {"\xC3\x97", {0, 0, 0, 0}, 1, false, false},
    {"USD", {0, 0, 0, 0}, 1, false, true},
    {"cent", {0, 0, 0, 0}, 0.01, false, true},
    {"cents", {0, 0, 0, 0}, 0.01, false, true},
    {"Hz", {0, -1, 0, 0}, 1, true, true},
    {"flop", {0, 0, 1, 0}, 1, true, true},
    {"FLOPs", {0, 0, 1, 0}, 1, true, false},
    {"FLOPS", {0, -1, 1, 0}, 1, true, false},
    {"F", {0, -1, 1, 0}, 1, true, false},
    {"flops", {0, 0, 1, 0}, 1, true, true},
    {"cycle", {0, 0, 0, 1}, 1, true, true},
    {"cycles", {0, 0, 0, 1}, 1, true, true},
    {"clk", {0, 0, 0, 1}, 1, false, true},
    {"clock", {0, 0, 0, 1}, 1, false, true},
    {"clocks", {0, 0, 0, 1}, 1, false, true},
    {"%", {0, 0, 0, 0}, 0.01, false, false},
    {"percent", {0, 0, 0, 0}, 0.01, false, true},
    {"1", {0, 0, 0, 0}, 1, false, false},
    {"x", {0, 0, 0, 0}, 1, false, true},
    {"times", {0, 0, 0, 0}, 1, false, true},
    {"fold", {0, 0, 0, 0}, 1, false, true},
    {"faster", {0, 0, 0, 0}, 1, false, true},
    {"slower", {0, 0, 0, 0}, 1, false, true},
    {"higher", {0, 0, 0, 0}, 1, false, true},
    {"longer", {0, 0, 0, 0}, 1, false, true},
    {"larger", {0, 0, 0, 0}, 1, false, true},
    {"less", {0, 0, 0, 0}, 1, false, true},
    {"fewer", {0, 0, 0, 0}, 1, false, true},
    {"lower", {0, 0, 0, 0}, 1, false, true},
    {"shorter", {0, 0, 0, 0}, 1, false, true},
    {"smaller", {0, 0, 0, 0}, 1, false, true},
    {"more", {0, 0, 0, 0}, 1, false, true},
    {"way", {0, 0, 0, 0}, 1, false, true},
    {"ways", {0, 0, 0, 0}, 1, false, true},
    {"sector", {0, 0, 0, 0}, 1, false, true},
    {"sectors", {0, 0, 0, 0}, 1, false, true},
    {"request", {0, 0, 0, 0}, 1, false, true},
    {"requests", {0, 0, 0, 0}, 1, false, true},
    {"warp", {0, 0, 0, 0}, 1, false, true},
    {"warps", {0, 0, 0, 0}, 1, false, true},
    {"thread", {0, 0, 0, 0}, 1, false, true},
    {"threads", {0, 0, 0, 0}, 1, false, true},
    {"block", {0, 0, 0, 0}, 1, false, true},
    {"blocks", {0, 0, 0, 0}, 1, false, true},
    {"register", {0, 0, 0, 0}, 1, false, true},
    {"registers", {0, 0, 0, 0}, 1, false, true},
    {"instruction", {0, 0, 0, 0}, 1, false, true},
    {"instructions", {0, 0, 0, 0}, 1, false, true},
    {"bank", {0, 0, 0, 0}, 1, false, true},
    {"banks", {0, 0, 0, 0}, 1, false, true},
    {"conflict", {0, 0, 0, 0}, 1, false, true},
    {"conflicts", {0, 0, 0, 0}, 1, false, true},
    {"wavefront", {0, 0, 0, 0}, 1, false, true},
    {"wavefronts", {0, 0, 0, 0}, 1, false, true},
    {"store", {0, 0, 0, 0}, 1, false, true},
    {"load", {0, 0, 0, 0}, 1, false, true},
    {"access", {0, 0, 0, 0}, 1, false, true},
    {"tok", {0, 0, 0, 0}, 1, false, true},
    {"token", {0, 0, 0, 0}, 1, false, true},
    {"tokens", {0, 0, 0, 0}, 1, false, true},
    {"GPU", {0, 0, 0, 0}, 1, false, true},
    {"GPUs", {0, 0, 0, 0}, 1, false, true},
    {"stages", {0, 0, 0, 0}, 1, false, true},
    {"dollar", {0, 0, 0, 0}, 1, false, true},
    {"dollars", {0, 0, 0, 0}, 1, false, true},
    {"thousand", {0, 0, 0, 0}, 1e3, false, true},
    {"million", {0, 0, 0, 0}, 1e6, false, true},
    {"billion", {0, 0, 0, 0}, 1e9, false, true},
    {"trillion", {0, 0, 0, 0}, 1e12, false, true},
};

struct prefix {
    const char *name;
    double factor;
    bool bare;
}; /* bare: also a multiplier on its own, "67.1 M" */
static const struct prefix prefixes[] = {
    {"Ki", 1024.0, true},       {"Mi", 1048576.0, true},
    {"Gi", 1073741824.0, true}, {"Ti", 1099511627776.0, true},
    {"ki", 1024.0, false},      {"k", 1e3, true},
    {"K", 1e3, true},           {"M", 1e6, true},
    {"G", 1e9, true},           {"T", 1e12, true},
    {"P", 1e15, false},         {"E", 1e18, false},
    {"m", 1e-3, false},         {"u", 1e-6, false},
    {"\xC2\xB5", 1e-6, false},  {"\xCE\xBC", 1e-6, false},
    {"n", 1e-9, false},         {"p", 1e-12, false},
    {"kilo", 1e3, false},       {"mega", 1e6, false},
    {"giga", 1e9, false},       {"tera", 1e12, false},
    {"milli", 1e-3, false},     {"micro", 1e-6, false},
    {"nano", 1e-9, false},
};

static bool same(const char *s, size_t len, const char *name, bool any_case)
{
    if (strlen(name) != len)
        return false;
    return (any_case ? strncasecmp(s, name, len) : strncmp(s, name, len)) == 0;
}

static bool find_unit(const char *s, size_t len, bool needs_prefix, struct dim *dim, double *factor)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if ((!needs_prefix || units[i].prefixed) &&
            same(s, len, units[i].name, units[i].any_case)) {
            *dim = units[i].dim;
            *factor = units[i].factor;
            return true;
        }
    return false;
}

/* Typed without care for case: "gb", "mb/s", "tflops", "mhz". Bits are only ever written with a
 * capital prefix ("Gb") or in full ("gbit"), so a lower-case "kb" means bytes. */
static bool find_careless(const char *s, size_t len, struct dim *dim, double *factor)
{
    static const struct {
        char letter;
        double factor;
    } big[] = {{'k', 1e3}, {'m', 1e6}, {'g', 1e9}, {'t', 1e12}};
    static const struct { const char *name; struct dim dim;
    } what[] = {
        {"b", {1, 0, 0, 0}},    {"ib", {1, 0, 0, 0}},    {"bps", {1, -1, 0, 0}},
        {"hz", {0, -1, 0, 0}},  {"flop", {0, 0, 1, 0}},  {"flops", {0, -1, 1, 0}},
        {"byte", {1, 0, 0, 0}}, {"bytes", {1, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof big / sizeof *big; i++)
        for (size_t j = 0; len > 1 && s[0] == big[i].letter && j < sizeof what / sizeof *what; j++)
            if (same(s + 1, len - 1, what[j].name, j > 2)) {
                *dim = what[j].dim;
                *factor = j == 1 ? pow(1024.0, (double)i + 1) : big[i].factor;
                return true;
            }
    return false;
}

/* One unit without a fraction bar: "ms", "KiB", "GFLOPS", "M". */
static bool parse_term(const char *s, size_t len, struct dim *dim, double *factor)
{
    if (len == 0)
        return false;
    if (find_unit(s, len, false, dim, factor) || find_careless(s, len, dim, factor))
        return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t n = strlen(prefixes[i].name);
        if (len < n || strncmp(s, prefixes[i].name, n) != 0)
            continue;
        if (len == n && prefixes[i].bare) {
            *dim = DIM_NONE;
            *factor = prefixes[i].factor;
            return true;
        }
        if (find_unit(s + n, len - n, true, dim, factor)) {
            /* "GFLOPS" is a rate, "flops" without a prefix a count; "GFLOPs" stays a count. */
            if (same(s + n, len - n, "flops", false))
                dim->second = -1;
            *factor *= prefixes[i].factor;
            return true;
        }
    }
    return false;
}

bool unit_parse(const char *unit, size_t len, struct dim *dim, double *factor)
{
    struct dim total = DIM_NONE;
    double scale = 1;
    int sign = 1, terms = 0;
    for (size_t at = 0; at <= len; terms++) {
        size_t end = at;
        while (end < len && unit[end] != '/' && unit[end] != '*')
            end++;
        struct dim d;
        double f;
        if (terms == 8 || !parse_term(unit + at, end - at, &d, &f))
            return false;
        /* In "TFLOPS/s" the S is the plural, not a second "per second". */
        if (d.flop == 1 && d.second == -1 && end < len && unit[end] == '/')
            d.second = 0;
        total.byte = (signed char)(total.byte + sign * d.byte);
        total.second = (signed char)(total.second + sign * d.second);
        total.flop = (signed char)(total.flop + sign * d.flop);
        total.cycle = (signed char)(total.cycle + sign * d.cycle);
        scale = sign > 0 ? scale * f : scale / f;
        if (end == len)
            break;
        sign = unit[end] == '/' ? -1 : sign;
        at = end + 1;
    }
    *dim = total;
    *factor = scale;
    return isfinite(scale) && scale > 0;
}

/* ---- numbers as screens show them ---- */

static void trim_zeros(char *s)
{
    if (!strchr(s, '.'))
        return;
    size_t n = strlen(s);
    while (s[n - 1] == '0')
        s[--n] = '\0';
    if (s[n - 1] == '.')
        s[n - 1] = '\0';
}

/* Mantissa below 10,000 with at most four significant digits, at least `least` of them when it is
 * not whole. */
static void mantissa(char *out, size_t size, double v, int least)
{
    double a = fabs(v);
    int whole = a >= 999.5 ? 4 : a >= 99.95 ? 3 : a >= 9.995 ? 2 : 1;
    int decimals = least - whole;
    snprintf(out, size, "%.*f", decimals > 0 ? decimals : 0, v);
}

static void show_time(char *out, size_t size, double v)
{
    static const struct { double least, factor; const char *unit; } scales[] = {
        {0.99995, 1, "s"}, {0.99995e-4, 1e3, "ms"}, {0.99995e-6, 1e6, "\xC2\xB5s"}, {0, 1e9, "ns"},
    };
    size_t i = 0;
    while (fabs(v) < scales[i].least)
        i++;
    char number[48];
    double m = v * scales[i].factor;
    if (i == 1 && fabs(m) < 1)
        snprintf(number, sizeof number, "%.3f", m);
    else
        mantissa(number, sizeof number, m, i <= 1 ? 4 : 3);
    snprintf(out, size, "%s %s", number, scales[i].unit);
}

/* Rates stay in G up to 9,999 so that bandwidths of one screen compare at a glance. */
static void show_engineering(char *out, size_t size, double v, const char *unit, bool rate)
{
    static const struct { double factor; const char *prefix; } scales[] = {
        {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""},
    };
    double a = fabs(v);
    size_t i = 0;
    while (i + 1 < sizeof scales / sizeof *scales &&
           a < scales[i].factor * (rate && i < 2 ? 9.9995 : 0.9995))
        i++;
    char number[64];
    mantissa(number, sizeof number, v / scales[i].factor, 3);
    bool bare = !scales[i].prefix[0] && !unit[0];
    snprintf(out, size, "%s%s%s%s", number, bare ? "" : " ", scales[i].prefix, unit);
}

/* Plain numbers: whole ones below 10,000 as they are, small ones with three significant digits. */
static void show_small(char *out, size_t size, double v, const char *unit)
{
    char number[64];
    if (v == floor(v))
        snprintf(number, sizeof number, "%.0f", v);
    else if (fabs(v) >= 1) {
        mantissa(number, sizeof number, v, 3);
        trim_zeros(number);
    } else {
        int decimals = 2 - (int)floor(log10(fabs(v)));
        snprintf(number, sizeof number, "%.*f", decimals > 12 ? 12 : decimals, v);
        trim_zeros(number);
    }
    snprintf(out, size, "%s%s%s", number, unit[0] ? " " : "", unit);
}

void quantity_show(char *out, size_t size, double value, const char *unit)
{
    const char *name = strcmp(unit, "1") == 0 ? "" : strcmp(unit, "cycle") == 0 ? "cycles" : unit;
    if (!isfinite(value))
        snprintf(out, size, "n/a");
    else if (value == 0)
        snprintf(out, size, "0%s%s", name[0] ? " " : "", name);
    else if (fabs(value) >= 1e19 || fabs(value) < 1e-12 ||
             (!name[0] && (fabs(value) < 1e-4 || fabs(value) >= 1e15)))
        snprintf(out, size, "%.3g%s%s", value, name[0] ? " " : "", name);
    else if (strcmp(unit, "cycle") == 0 &&
             fabs(value) < 0.0005) /* a mean over very many: hardly any */
        snprintf(out, size, "< 0.001 cycles");
    else if (strcmp(unit, "s") == 0)
        show_time(out, size, value);
    else if (fabs(value) < 9999.5 && (!name[0] || strcmp(unit, "cycle") == 0 || fabs(value) < 1000))
        show_small(out, size, value, name);
    else
        show_engineering(out, size, value, name,
                         strcmp(unit, "B/s") == 0 || strcmp(unit, "flop/s") == 0);
}

void quantity_show_as(char *out, size_t size, struct quantity q, const char *unit)
{
    char base[64];
    struct dim dim;
    double factor;
    dim_unit(base, sizeof base, q.dim);
    bool own = unit_parse(unit, strlen(unit), &dim, &factor) && factor == 1 &&
               dim_equal(dim, q.dim) && strcmp(unit, base) != 0;
    quantity_show(out, size, q.value, own ? "1" : base);
    if (own && strncmp(unit, "1/", 2) == 0)
        append(out, size, unit + 1);
    else if (own) {
        append(out, size, " ");
        append(out, size, unit);
    }
}

void quantity_percent(char *out, size_t size, double share)
{
    double p = share * 100;
    if (!isfinite(p))
        snprintf(out, size, "n/a");
    else if (p != 0 && fabs(p) < 0.95)
        snprintf(out, size, "%.1f %%", p);
    else
        snprintf(out, size, "%.0f %%", p);
}

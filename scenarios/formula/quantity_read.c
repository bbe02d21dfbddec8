/* Quantities as people type them: fillers, a number (quantity_number.h), a unit, nothing else, or
 * several of these as a product. Unreadable is told apart from wrong: only what was understood can
 * be graded. */
#include "scenarios/formula/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "scenarios/formula/quantity_number.h"

#define MOST_FACTORS 8 /* of a product with units */
#define LONGEST 256   /* bytes of an answer that are looked at; more is refused */

/* "~", "about", "ca." and the like say nothing about the value. */
static const char *skip_fillers(const char *s)
{
    static const char *const fillers[] =
        {"~",       "$",      "\xE2\x89\x88", "\xE2\x89\x83", "=",      "about", "approximately",
         "approx.", "approx", "around",       "roughly",      "circa",  "ca.",   "ca ",
         "c.",      "some ",  "maybe",        "nearly",       "almost", "it is", "it's",
         "USD",     "US$"};
    for (bool again = true; again;) {
        again = false;
        s = number_skip_blanks(s);
        for (size_t i = 0; i < sizeof fillers / sizeof *fillers; i++)
            if (number_starts(s, fillers[i])) {
                s += strlen(fillers[i]);
                again = true;
                break;
            }
    }
    return s;
}

/* "GB total": words that say nothing of the unit, and stops. */
static size_t drop_last_words(char *out, size_t n)
{
    static const char *const words[] = {"*total", "*in*total", "*in*all",
                                        "*each",  "*overall",  "*altogether"};
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

/* The unit's words into one text without blanks: "bytes per second" -> "bytes/second". A blank
 * between two units is a product ("million bytes", "M sectors"). Returns its length, 0 for none,
 * `size` when it does not fit. */
static size_t gather_unit(const char *s, char *out, size_t size)
{
    size_t n = 0;
    while (*s && n + 2 < size) {
        size_t blank = number_blank(s);
        if (blank) {
            s = number_skip_blanks(s);
            bool bar = n == 0 || out[n - 1] == '/' || *s == '/' || *s == '\0';
            if (number_starts(s, "per ") || number_starts(s, "a second")) {
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
    s = number_skip_blanks(s);
    bool three = number_starts(s, "\xE2\x80\x93") || number_starts(s, "...");
    bool two = number_starts(s, "to ") || number_starts(s, "..");
    size_t n = *s == '-' ? 1 : three ? 3 : two ? 2 : 0;
    return n && isdigit((unsigned char)*number_skip_blanks(s + n));
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
    while (n > 0 && number_blank(s + n - 1))
        n--;
    if (number && n > 0 && s[n - 1] == '%')
        return "one number was expected, without how sure you are";
    return "the unit was not understood; write it like ms, us, GB/s, MiB or a plain number";
}

/* "TFLOPS" and "TF" are counts where those are asked for. */
static bool ends_in_flops(const char *unit, size_t n)
{
    return (n >= 5 && strcasecmp(unit + n - 5, "flops") == 0) ||
           (n >= 1 && n <= 2 && unit[n - 1] == 'F');
}

/* ---- arithmetic with units: "17.5 GB / 3.35 TB/s" ---- */

/* The sign before the next number, NULL when there is none. */
static const char *next_sign(const char *s)
{
    const char *after;
    for (const char *at = s; *at; at++)
        if (number_operator(at, &after) &&
            (at == s || !isalpha((unsigned char)*at) || number_blank(at - 1)))
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
        const char *end = number_read_power(s, &next.value), *sign = end ? next_sign(end) : NULL;
        if (!end || !read_spelled(end, sign ? sign : end + strlen(end), &next))
            return false;
        multiply(out, &next, op == '*' ? 1 : -1);
        if (!sign)
            return k > 0 && isfinite(out->value);
        op = number_operator(sign, &s);
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

static enum quantity_read ask_unit(double value, const char *unit, struct dim dim, char *say,
                                   size_t size)
{
    char base[64], such[96];
    dim_unit(base, sizeof base, dim);
    if (fabs(value) >= LARGE)
        quantity_show(such, sizeof such, value, base);
    else
        snprintf(such, sizeof such, "%.10g %s%s", value, dim_equal(dim, DIM_SECOND) ? "u" : "G",
                 base);
    if (strcmp(unit, base) == 0)
        snprintf(say, size, "%.10g of what? Write it with its prefix and unit, such as %s", value,
                 such);
    else
        snprintf(say, size, "%.10g %s or %.10g %s? Write it with its unit", value, unit, value,
                 base);
    return QUANTITY_UNREADABLE;
}

/* A number without any unit, asked for in `unit`, which is `factor` base units of r->q.dim. */
static enum quantity_read place_bare(struct quantity_reading *r, double value, const char *unit,
                                     double factor, char *say, size_t size)
{
    struct dim dim = r->q.dim;
    bool counts =
        dim_equal(dim, DIM_NONE) && factor <= 1; /* "1", "%", tokens: nothing to confuse */
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

static enum quantity_read say_dim(struct dim dim, struct dim asked, const char *unit, char *say,
                                  size_t size)
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

/* "25 % faster" is a factor of 1.25. "25 % slower" may be two factors: then *factor becomes 0.
 * false: neither. */
static bool is_change(const char *text, double *value, double *factor)
{
    static const struct { const char *word; bool up;
    } words[] = {
        {"faster", true}, {"more", true},     {"higher", true},   {"longer", true},
        {"larger", true}, {"slower", false},  {"less", false},    {"fewer", false},
        {"lower", false}, {"shorter", false}, {"smaller", false},
    };
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

/* A value and its unit as written; one such unit is `factor` base units of `dim`. */
static enum quantity_read place_spelled(struct quantity_reading *r, double value, const char *text,
                                        size_t n, struct dim dim, double factor, const char *unit,
                                        double unit_factor, char *say, size_t size)
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

enum quantity_read quantity_read_bare(const char *typed, const char *unit,
                                      struct quantity_reading *out, char *say, size_t size)
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
    s = number_read(s, &value);
    if (!s)
        return unreadable(say, size,
                          "no number could be read; write it like 0.13 ms, 3.6 TB/s or 32");
    if (is_range(s))
        return unreadable(say, size, "one number was expected, not a range");
    size_t n = gather_unit(s, text, sizeof text);
    if (n == sizeof text || (n > 0 && !unit_parse(text, n, &dim, &written))) {
        if (!read_product(start, &out->q))
            return unreadable(say, size, no_unit(s));
        return dim_equal(out->q.dim, asked) ? QUANTITY_OK
                                            : say_dim(out->q.dim, asked, unit, say, size);
    }
    if (n > 0 && strcmp(unit, "1") == 0 && is_change(text, &value, &written))
        return written > 0
                   ? place_spelled(out, value, text, n, dim, written, unit, factor, say, size)
                   : unreadable(say, size, "a factor was asked for; write it like 0.75x or 1.33x");
    if (!isfinite(value * (n ? written : factor)))
        return unreadable(say, size, "that is not a finite number");
    enum quantity_read read =
        n ? place_spelled(out, value, text, n, dim, written, unit, factor, say, size)
          : place_bare(out, value, unit, factor, say, size);
    if (read == QUANTITY_UNREADABLE)
        return read;
    say_taken(out, unit, factor);
    return read;
}

enum quantity_read quantity_read(const char *typed, const char *unit, struct quantity *out,
                                 char *say, size_t size)
{
    struct quantity_reading r;
    enum quantity_read read = quantity_read_bare(typed, unit, &r, say, size);
    *out = r.q;
    return read;
}

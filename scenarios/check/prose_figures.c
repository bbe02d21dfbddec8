#include "scenarios/check/prose_figures.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/formula/formula.h"

/* ---- numbers ---- */

struct number { size_t at, len; double value, slack; };

static bool is_inside_word(const char *text, size_t at)
{
    if (at == 0)
        return false;
    unsigned char c = (unsigned char)text[at - 1];
    return isalnum(c) || strchr("_.#/-%", c) || c >= 0x80;
}

/* One unit of the last digit that counts: zeros at the end of a whole number do not, but two digits
 * always do. */
static double last_digit(const char *digits, int n, int decimals)
{
    int zeros = 0;
    if (decimals > 0)
        return pow(10, -decimals);
    while (zeros < n - 2 && digits[n - 1 - zeros] == '0')
        zeros++;
    return pow(10, zeros);
}

static bool number_at(struct number *out, const char *text, size_t len, size_t at)
{
    char plain[32];
    int n = 0, decimals = -1;
    size_t i = at;
    if (!isdigit((unsigned char)text[at]) || is_inside_word(text, at))
        return false;
    for (; i < len && n < 24; i++) {
        bool digit = isdigit((unsigned char)text[i]);
        bool next = i + 1 < len && isdigit((unsigned char)text[i + 1]);
        if (text[i] == ',' && decimals < 0 && i + 3 < len && next &&
            isdigit((unsigned char)text[i + 2]) && isdigit((unsigned char)text[i + 3]))
            continue;
        if (!digit && !(text[i] == '.' && decimals < 0 && next))
            break;
        decimals = text[i] == '.' ? 0 : decimals < 0 ? -1 : decimals + 1;
        plain[n++] = text[i];
    }
    plain[n] = '\0';
    /* 0.6 and not 0.5: what was rounded twice may be off by a little more than half a digit. */
    *out = (struct number){at, i - at, atof(plain), 0.6 * last_digit(plain, n, decimals)};
    return true;
}

/* ---- units ---- */

static bool stands_alone(const char *text, size_t len, size_t end)
{
    return end >= len || !(isalnum((unsigned char)text[end]) || strchr("_/^*", text[end]));
}

/* "3 x 64" is a product, "3 x as long" a factor. */
static bool is_product(const char *text, size_t len, size_t end)
{
    while (end < len && strchr(" \n(", text[end]))
        end++;
    return end < len && isdigit((unsigned char)text[end]);
}

struct unit { const char *name; enum figure_kind kind; };

static const struct unit units[] = {
    {"%", FIGURE_SHARE},          {"percent", FIGURE_SHARE},
    {"times", FIGURE_TIMES},      {"x", FIGURE_TIMES},
    {"registers", FIGURE_REGISTERS},
    {"ns", FIGURE_QUANTITY},      {"us", FIGURE_QUANTITY},
    {"ms", FIGURE_QUANTITY},      {"GB/s", FIGURE_QUANTITY},
    {"TB/s", FIGURE_QUANTITY},    {"MB/s", FIGURE_QUANTITY},
    {"KB", FIGURE_QUANTITY},      {"MB", FIGURE_QUANTITY},
    {"GB", FIGURE_QUANTITY},      {"TB", FIGURE_QUANTITY},
    {"KiB", FIGURE_QUANTITY},     {"MiB", FIGURE_QUANTITY},
    {"GiB", FIGURE_QUANTITY},     {"TFLOP/s", FIGURE_QUANTITY},
    {"GFLOP", FIGURE_QUANTITY},   {"GHz", FIGURE_QUANTITY},
    {"MHz", FIGURE_QUANTITY},
};

static const struct unit *unit_at(const char *text, size_t len, size_t at)
{
    if (at < len && (text[at] == ' ' || text[at] == '\n'))
        at++;
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        size_t n = strlen(units[k].name);
        if (at + n <= len && !strncmp(text + at, units[k].name, n) &&
            stands_alone(text, len, at + n) &&
            !(*units[k].name == 'x' && is_product(text, len, at + n)))
            return &units[k];
    }
    return NULL;
}

/* What stands between two numbers of one unit: a list goes on, a list ends, a range. */
enum joint { JOINT_NONE, JOINT_COMMA, JOINT_AND, JOINT_TO };

static enum joint joint_at(const char *text, size_t len, size_t at, size_t *next)
{
    static const struct { const char *text; enum joint is; } joints[] = {
        {", ", JOINT_COMMA}, {" and ", JOINT_AND}, {" or ", JOINT_AND}, {" to ", JOINT_TO},
        {" against ", JOINT_TO}};
    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++) {
        size_t n = strlen(joints[k].text), same = 0;
        while (same < n && at + same < len &&
               (text[at + same] == joints[k].text[same] ||
                (text[at + same] == '\n' && joints[k].text[same] == ' ')))
            same++;
        *next = at + n;
        if (same == n && *next < len && isdigit((unsigned char)text[*next]))
            return joints[k].is;
    }
    return JOINT_NONE;
}

/* ---- figures ---- */

static void say(struct figure_said *out, const struct number *n, const struct unit *u,
                const char *text)
{
    double factor = u->kind == FIGURE_SHARE ? 0.01 : 1;
    *out = (struct figure_said){.at = n->at, .len = n->len, .kind = u->kind};
    if (u->kind == FIGURE_QUANTITY)
        unit_parse(u->name, strlen(u->name), &out->dim, &factor);
    out->value = n->value * factor;
    out->slack = n->slack * factor;
    snprintf(out->text, sizeof out->text, "%.*s %s", (int)n->len, text + n->at, u->name);
}

/* How many of a group's last numbers have the unit behind it: all of "288, 460 and 750 us", two of
 * "4100, 0.23 to 0.24 ms", one of "0.914, 3.7 times". */
static int sharing(int n, enum joint last)
{
    return last == JOINT_AND ? n : last == JOINT_TO ? 2 : 1;
}

/* Numbers from `at` that share a unit; where none has one, *n is 0. Returns where to go on. */
static size_t read_group(struct number *group, int *n, const struct unit **unit, const char *text,
                         size_t len, size_t at, int most)
{
    enum joint joint = JOINT_NONE;
    int k = 0;
    *unit = NULL;
    while (k < most && number_at(&group[k], text, len, at)) {
        at = group[k].at + group[k].len;
        k++;
        if ((*unit = unit_at(text, len, at)))
            break;
        size_t next;
        if (!(joint = joint_at(text, len, at, &next)))
            break;
        at = next;
    }
    *n = *unit ? sharing(k, k > 1 ? joint : JOINT_NONE) : 0;
    memmove(group, group + (k - *n), (size_t)*n * sizeof *group);
    return at;
}

/* Where the {{FORMULA}} at `at` ends; `at` where there is none. */
static size_t behind_formula(const char *text, size_t at)
{
    const char *end = !strncmp(text + at, "{{", 2) ? strstr(text + at, "}}") : NULL;
    return end ? (size_t)(end - text) + 2 : at;
}

int figures_said(struct figure_said **out, const char *text, size_t len)
{
    enum { GROUP = 12 };
    struct number group[GROUP];
    const struct unit *unit;
    int n = 0, k;
    *out = NULL;
    for (size_t at = 0; at < len;) {
        size_t next = behind_formula(text, at);
        if (next > at) {
            at = next;
            continue;
        }
        next = read_group(group, &k, &unit, text, len, at, GROUP);
        for (int g = 0; g < k; g++) {
            *out = mem_more(*out, (size_t)n, sizeof **out);
            say(&(*out)[n++], &group[g], unit, text);
        }
        at = next > at ? next : at + 1;
    }
    return n;
}

bool figure_agrees(const struct figure_said *f, double value)
{
    return isfinite(value) && fabs(f->value - value) <= f->slack;
}

/* ---- sums ---- */

static bool is_unit(const char *word, size_t n)
{
    struct dim dim;
    double factor;
    return unit_parse(word, n, &dim, &factor);
}

/* The text as a formula: " x " is a product, "12,288" a number, "132 SMs" 132. */
static void as_formula(char *out, size_t size, const char *from, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n && k + 1 < size;) {
        size_t word = 0;
        while (i + word < n && (isalpha((unsigned char)from[i + word]) ||
                                (word > 0 && from[i + word] == '/')))
            word++;
        bool digits = i > 0 && i + 1 < n && isdigit((unsigned char)from[i - 1]) &&
                      isdigit((unsigned char)from[i + 1]);
        bool exponent = word == 1 && from[i] == 'e' && digits;
        if (word == 1 && from[i] == 'x')
            out[k++] = '*';
        else if (word && is_unit(from + i, word))
            k += (size_t)snprintf(out + k, size - k, "%.*s", (int)word, from + i);
        else if (exponent || (!word && !(from[i] == ',' && digits)))
            out[k++] = from[i] == '\n' ? ' ' : from[i];
        i += word ? word : 1;
        k = k < size ? k : size - 1;
    }
    out[k] = '\0';
}

static int no_name(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    (void)ctx, (void)out;
    return err_set(err, ERR_BAD_REQUEST, "%s is a word", name);
}

static bool comes_out(const struct figure_said *f, const char *sum)
{
    struct formula *made;
    struct quantity q;
    if (!strpbrk(sum, "*/+-") || formula_parse(&made, sum, NULL, NULL))
        return false;
    bool known = formula_eval(made, no_name, NULL, &q, NULL, NULL) == 0;
    formula_free(made);
    return known && figure_agrees(f, q.value) &&
           (dim_equal(q.dim, f->dim) || dim_equal(q.dim, DIM_NONE));
}

bool figure_is_sum(const struct figure_said *f, const char *text)
{
    enum { LONGEST = 200 };
    char sum[LONGEST + 1];
    size_t equal = f->at;
    while (equal > 0 && strchr(" \n~", text[equal - 1]))
        equal--;
    if (equal < 2 || text[equal - 1] != '=')
        return false;
    size_t end = equal - 1, least = end > LONGEST ? end - LONGEST : 0;
    for (size_t from = end; from-- > least && text[from] != '=';) {
        if (from > 0 && !strchr(" \n(", text[from - 1]))
            continue;
        as_formula(sum, sizeof sum, text + from, end - from);
        if (comes_out(f, sum))
            return true;
    }
    return false;
}

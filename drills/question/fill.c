#include "drills/question/fill.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

#define IN_FULL 1e7

struct piece {
    const char *literal; size_t n_literal;   /* what stands before the brace */
    char formula[512], unit[32];             /* formula "" at the end of the text */
    size_t byte;                             /* where the brace's content begins */
};

static void trim(char *out, size_t size, const char *from, size_t n)
{
    while (n > 0 && *from == ' ') {
        from++;
        n--;
    }
    while (n > 0 && from[n - 1] == ' ')
        n--;
    snprintf(out, size, "%.*s", (int)n, from);
}

/* The next piece from *at on. 1: there is one; 0: the text has ended. */
static int next_piece(const char *text, size_t *at, struct piece *p, struct err *err)
{
    size_t open = strcspn(text + *at, "{}");
    *p = (struct piece){.literal = text + *at, .n_literal = open, .byte = *at + open + 1};
    if (!text[*at + open]) {
        *at += open;
        return open > 0;
    }
    const char *inside = text + p->byte;
    size_t n = strcspn(inside, "{}"), bar = 0;
    if (text[*at + open] == '}' || inside[n] != '}')
        return err_set(err, ERR_BAD_REQUEST,
                       "a brace without its partner; {formula} or {formula | unit} was expected");
    while (bar < n && inside[bar] != '|')
        bar++;
    if (bar >= sizeof p->formula)
        return err_set(err, ERR_TOO_LARGE,
                       "a formula of more than 511 bytes; a shorter one was expected");
    trim(p->formula, sizeof p->formula, inside, bar);
    if (bar < n)
        trim(p->unit, sizeof p->unit, inside + bar + 1, n - bar - 1);
    *at = p->byte + n + 1;
    if (!p->formula[0])
        return err_set(err, ERR_BAD_REQUEST,
                       "empty braces; {formula} or {formula | unit} was expected");
    return 1;
}

static int check_piece(const struct piece *p,
                       int (*check)(void *ctx, const struct formula *f, struct err *err), void *ctx,
                       struct err *err)
{
    struct formula *f;
    struct dim dim;
    double factor;
    int rc = formula_parse(&f, p->formula, NULL, err);
    if (rc)
        return rc;
    rc = check(ctx, f, err);
    formula_free(f);
    if (!rc && p->unit[0] && strcmp(p->unit, "%") &&
        !unit_parse(p->unit, strlen(p->unit), &dim, &factor))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "unknown unit '%s'; one such as ms, GB/s or %% was expected", p->unit);
    return rc;
}

int fill_check(const char *text, int (*check)(void *ctx, const struct formula *f, struct err *err),
               void *ctx, size_t *byte, struct err *err)
{
    struct piece p;
    size_t at = 0;
    int more;
    while ((more = next_piece(text, &at, &p, err)) > 0) {
        *byte = p.byte;
        int rc = p.formula[0] ? check_piece(&p, check, ctx, err) : 0;
        if (rc)
            return rc;
    }
    *byte = p.byte;
    return more;
}

/* 131072 as "131,072". */
static void show_whole(char *out, size_t size, double value)
{
    char digits[400]; /* of any double */
    size_t used = 0, n = (size_t)snprintf(digits, sizeof digits, "%.0f", fabs(value));
    bool grouped = n > 4;
    if (value < 0 && size > 1)
        out[used++] = '-';
    for (size_t i = 0; i < n && used + 2 < size; i++) {
        if (grouped && i > 0 && (n - i) % 3 == 0)
            out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = '\0';
}

/* "1.000 s" as "1 s", "5.220 ms" as "5.22 ms": what stands in a sentence needs no columns. */
static void drop_zeros(char *text)
{
    char *point = strchr(text, '.'), *end = point;
    if (!point)
        return;
    while (*++end >= '0' && *end <= '9')
        ;
    char *keep = end;
    while (keep[-1] == '0')
        keep--;
    if (keep[-1] == '.')
        keep--;
    memmove(keep, end, strlen(end) + 1);
}

enum { MOST_DIGITS = 5 };

/* A value that five significant digits hold exactly is shown with them, any other with
 * `significant`. */
static void show_digits(char *out, size_t size, double value, int significant)
{
    char five[48];
    snprintf(five, sizeof five, "%.*g", MOST_DIGITS, value);
    if (fabs(strtod(five, NULL) - value) <= 1e-12 * fabs(value))
        significant = MOST_DIGITS;
    int digits = value != 0 ? significant - 1 - (int)floor(log10(fabs(value))) : 0;
    snprintf(out, size, "%.*f", digits < 0 ? 0 : digits > 10 ? 10 : digits, value);
    drop_zeros(out);
}

/* "31.2 GB" of 31.25e9 B becomes "31.25 GB"; what is not exact stays. */
static void show_exact(char *text, size_t size, double value)
{
    char *end, unit[32], number[48], five[48];
    struct dim dim;
    double factor = 1, shown = strtod(text, &end);
    snprintf(unit, sizeof unit, "%s", end + (*end == ' '));
    if (end == text || (*end && *end != ' ') || shown == 0 ||
        (*unit && !unit_parse(unit, strlen(unit), &dim, &factor)))
        return;
    double exact = value / factor;
    snprintf(five, sizeof five, "%.*g", MOST_DIGITS, exact);
    if (fabs(exact) < 1e-4 || fabs(exact) >= 1e4 || fabs(exact / shown - 1) > 0.01 ||
        fabs(strtod(five, NULL) - exact) > 1e-12 * fabs(exact))
        return;
    show_digits(number, sizeof number, exact, MOST_DIGITS);
    snprintf(text, size, "%s%s%s", number, *unit ? " " : "", unit);
}

/* A plain number: "131,072", "70 billion", "0.288". */
static void show_plain(char *out, size_t size, double value)
{
    static const struct {
        double factor;
        const char *word;
    } scales[] = {{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}};
    double a = fabs(value);
    char number[48];
    int s = 0;
    while (s < 2 && a < scales[s].factor)
        s++;
    if (a >= 1e15)
        snprintf(out, size, "%.3g", value);
    else if (value == floor(value) ? a >= IN_FULL : a >= 1e6) {
        snprintf(number, sizeof number, "%.2f", value / scales[s].factor);
        drop_zeros(number);
        snprintf(out, size, "%s %s", number, scales[s].word);
    } else if (value == floor(value) || a >= 1e4)
        show_whole(out, size, round(value));
    else {
        quantity_show(out, size, value, "1");
        show_exact(out, size, value);
    }
}

static void show_in(char *out, size_t size, double value, const char *unit, int significant)
{
    struct dim dim;
    double factor = 1;
    unit_parse(unit, strlen(unit), &dim, &factor);
    double shown = value / factor;
    char number[400];
    show_digits(number, sizeof number, shown, significant);
    if (fabs(shown) >= 10000)
        show_whole(number, sizeof number, round(shown));
    snprintf(out, size, "%s%s%s", number, strcmp(unit, "1") ? " " : "",
             strcmp(unit, "1") ? unit : "");
}

void fill_value(char *out, size_t size, struct quantity q, const char *unit)
{
    char own[64];
    dim_unit(own, sizeof own, q.dim);
    if (unit)
        show_in(out, size, q.value, unit, strcmp(unit, "%") ? 4 : 3);
    else if (dim_equal(q.dim, DIM_NONE))
        show_plain(out, size, q.value);
    else {
        quantity_show(out, size, q.value, own);
        drop_zeros(out);
        show_exact(out, size, q.value);
    }
}

static int append_piece(char **out, const struct piece *p, const struct fill_names *names,
                        struct err *err)
{
    const char *word = names->word && !p->unit[0] ? names->word(names->ctx, p->formula) : NULL;
    char value[128] = "";
    if (p->formula[0] && !word) {
        struct formula *f;
        struct quantity q;
        int rc = formula_parse(&f, p->formula, NULL, err);
        if (rc)
            return rc;
        rc = formula_eval(f, names->lookup, names->ctx, &q, NULL, err);
        formula_free(f);
        if (rc)
            return rc;
        fill_value(value, sizeof value, q, p->unit[0] ? p->unit : NULL);
    }
    char *longer =
        text_format("%s%.*s%s", *out, (int)p->n_literal, p->literal, word ? word : value);
    free(*out);
    *out = longer;
    return 0;
}

char *fill_text(const char *text, const struct fill_names *names, struct err *err)
{
    struct piece p;
    size_t at = 0;
    char *out = text_dup("");
    int more, rc = 0;
    while (rc == 0 && (more = next_piece(text, &at, &p, err)) != 0)
        rc = more < 0 ? more : append_piece(&out, &p, names, err);
    if (rc == 0)
        return out;
    free(out);
    return NULL;
}

/* Values of a parsed formula. Every failure names the column of the operator or name that it is
 * about. */
#include "scenarios/formula/formula.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/formula/formula_node.h"

#define DIM_LIMIT 16          /* exponents beyond this are a mistake of the author */
#define TWO_53 9007199254740992.0

/* dims: only dimensions matter; values are made up, so nothing is said of them, and all branches
 * are looked at. */
struct eval {
    const struct formula *f;
    formula_lookup *lookup;
    void *ctx;
    int column;
    struct err *err;
    bool dims;
};

static int value_of(struct eval *e, int index, struct quantity *out);

static int fail(struct eval *e, const struct node *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static int fail(struct eval *e, const struct node *at, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    e->column = at->column;
    return err_set(e->err, ERR_BAD_REQUEST, "%s", text);
}

static bool is_plain(struct quantity q)
{
    return dim_equal(q.dim, DIM_NONE);
}

/* A literal 0 fits beside any dimension: "shared_bytes == 0". */
static bool is_zero_literal(const struct node *n)
{
    return n->op == OP_NUMBER && n->number.value == 0 && is_plain(n->number);
}

/* Makes two operands one dimension, or says which two they were. */
static int agree(struct eval *e, const struct node *at, const struct node *na, struct quantity *a,
                 const struct node *nb, struct quantity *b)
{
    if (dim_equal(a->dim, b->dim))
        return 0;
    if (is_zero_literal(na))
        a->dim = b->dim;
    else if (is_zero_literal(nb))
        b->dim = a->dim;
    else {
        char x[64], y[64];
        dim_describe(x, sizeof x, a->dim);
        dim_describe(y, sizeof y, b->dim);
        return fail(e, at, "%s and %s do not go together here", x, y);
    }
    return 0;
}

static int plain(struct eval *e, const struct node *at, struct quantity q, const char *what)
{
    char text[64];
    if (is_plain(q))
        return 0;
    dim_describe(text, sizeof text, q.dim);
    return fail(e, at, "%s needs a plain number, this is %s", what, text);
}

static int must_be_finite(struct eval *e, const struct node *at, struct quantity *q)
{
    if (e->dims || isfinite(q->value))
        return 0;
    return fail(e, at, "the result is not a finite number");
}

/* a.dim + k * b.dim */
static int dim_add(struct eval *e, const struct node *at, struct dim *out, struct dim a,
                   struct dim b, int k)
{
    int sum[4] = {a.byte + k * b.byte, a.second + k * b.second, a.flop + k * b.flop,
                  a.cycle + k * b.cycle};
    for (int i = 0; i < 4; i++)
        if (abs(sum[i]) > DIM_LIMIT)
            return fail(e, at, "the dimension of this product is beyond any use");
    *out = (struct dim){(signed char)sum[0], (signed char)sum[1], (signed char)sum[2],
                        (signed char)sum[3]};
    return 0;
}

/* Is its value written there, with a sign or without? */
static bool is_literal(const struct eval *e, int index)
{
    const struct node *n = &e->f->node[index];
    return n->op == OP_NUMBER || (n->op == OP_NEGATE && e->f->node[n->child[0]].op == OP_NUMBER);
}

static int untold(struct eval *e, const struct node *at)
{
    e->column = at->column;
    return err_set(e->err, ERR_MISSING, "the dimension depends on values");
}

static int power(struct eval *e, const struct node *at, struct quantity a, struct quantity b,
                 struct quantity *out)
{
    int rc = plain(e, at, b, "an exponent");
    if (rc)
        return rc;
    out->dim = DIM_NONE;
    if (!is_plain(a)) {
        if (e->dims && !is_literal(e, at->child[1]))
            return untold(e, at);
        if (b.value != floor(b.value) || fabs(b.value) > DIM_LIMIT)
            return fail(e, at, "a value with a unit needs a small whole exponent");
        if ((rc = dim_add(e, at, &out->dim, DIM_NONE, a.dim, (int)b.value)) != 0)
            return rc;
    }
    out->value = pow(a.value, b.value);
    return 0;
}

/* How often b fits into a, rounded up; exact for whole numbers below 2^53, where a / b alone could
 * round to the wrong side. */
static double ceil_quotient(double a, double b)
{
    double rest = fmod(a, b);
    double whole = round((a - rest) / b);
    return rest != 0 && (rest < 0) == (b < 0) ? whole + 1 : whole;
}

static int arithmetic(struct eval *e, const struct node *at, struct quantity a, struct quantity b,
                      struct quantity *out)
{
    int rc = 0;
    if ((at->op == OP_DIV || at->op == OP_MOD) && b.value == 0 && !e->dims)
        return fail(e, at, "division by zero");
    switch (at->op) {
    case OP_MUL:
        rc = dim_add(e, at, &out->dim, a.dim, b.dim, 1);
        out->value = a.value * b.value;
        return rc;
    case OP_DIV:
        rc = dim_add(e, at, &out->dim, a.dim, b.dim, -1);
        out->value = a.value / b.value;
        return rc;
    case OP_POW:
        return power(e, at, a, b, out);
    default:
        break;
    }
    if ((rc = agree(e, at, &e->f->node[at->child[0]], &a, &e->f->node[at->child[1]], &b)) != 0)
        return rc;
    out->dim = a.dim;
    out->value = at->op == OP_ADD   ? a.value + b.value
                 : at->op == OP_SUB ? a.value - b.value
                                    : fmod(a.value, b.value);
    return 0;
}

static int comparison(struct eval *e, const struct node *at, struct quantity a, struct quantity b,
                      struct quantity *out)
{
    int rc = agree(e, at, &e->f->node[at->child[0]], &a, &e->f->node[at->child[1]], &b);
    if (rc)
        return rc;
    bool holds = false;
    switch (at->op) {
    case OP_LT: holds = a.value < b.value; break;
    case OP_LE: holds = a.value <= b.value; break;
    case OP_GT: holds = a.value > b.value; break;
    case OP_GE: holds = a.value >= b.value; break;
    case OP_EQ: holds = a.value == b.value; break;
    default: holds = a.value != b.value; break;
    }
    *out = (struct quantity){holds, DIM_NONE};
    return 0;
}

/* and, or: the right side is not looked at when the left side decides. */
static int logic(struct eval *e, const struct node *at, struct quantity *out)
{
    struct quantity q;
    int rc = value_of(e, at->child[0], &q);
    if (rc == 0)
        rc = plain(e, &e->f->node[at->child[0]], q, at->op == OP_AND ? "'and'" : "'or'");
    if (rc)
        return rc;
    if (e->dims || (q.value != 0) == (at->op == OP_AND)) {
        rc = value_of(e, at->child[1], &q);
        if (rc == 0)
            rc = plain(e, &e->f->node[at->child[1]], q, at->op == OP_AND ? "'and'" : "'or'");
    }
    *out = (struct quantity){q.value != 0, DIM_NONE};
    return rc;
}

/* ---- functions ---- */

static int extreme(struct eval *e, const struct node *at, struct quantity *out)
{
    int rc = value_of(e, at->child[0], out);
    const struct node *like = &e->f->node[at->child[0]]; /* whose dimension it has: no literal 0,
                                                            where there is another */
    for (int i = like->next; rc == 0 && i >= 0; i = e->f->node[i].next) {
        struct quantity q;
        if ((rc = value_of(e, i, &q)) != 0 ||
            (rc = agree(e, at, like, out, &e->f->node[i], &q)) != 0)
            return rc;
        like = is_zero_literal(like) ? &e->f->node[i] : like;
        if (at->func == FUNC_MIN ? q.value < out->value : q.value > out->value)
            out->value = q.value;
    }
    return rc;
}

static int choose_dim(struct eval *e, const struct node *at, int then, struct quantity *out)
{
    struct quantity other;
    const struct node *a = &e->f->node[then], *b = &e->f->node[a->next];
    int rc = value_of(e, then, out);
    if (rc == 0)
        rc = value_of(e, a->next, &other);
    if (rc || dim_equal(out->dim, other.dim) || is_zero_literal(b))
        return rc;
    *out = other;
    return is_zero_literal(a) ? 0 : untold(e, at);
}

static int choose(struct eval *e, const struct node *at, struct quantity *out)
{
    struct quantity condition;
    int rc = value_of(e, at->child[0], &condition);
    if (rc == 0)
        rc = plain(e, at, condition, "the condition of if");
    int then = e->f->node[at->child[0]].next;
    if (rc == 0 && e->dims)
        return choose_dim(e, at, then, out);
    return rc ? rc : value_of(e, condition.value != 0 ? then : e->f->node[then].next, out);
}

static int steps_of(struct eval *e, const struct node *at, struct quantity *out)
{
    struct quantity a, b;
    int ia = at->child[0], ib = e->f->node[ia].next, rc;
    if ((rc = value_of(e, ia, &a)) != 0 || (rc = value_of(e, ib, &b)) != 0
        || (rc = agree(e, at, &e->f->node[ia], &a, &e->f->node[ib], &b)) != 0)
        return rc;
    if (b.value == 0 && !e->dims)
        return fail(e, at, "division by zero");
    double q = ceil_quotient(a.value, b.value);
    *out = at->func == FUNC_CEILDIV ? (struct quantity){q, DIM_NONE}
                                    : (struct quantity){q * b.value, a.dim};
    return 0;
}

static int square_root(struct eval *e, const struct node *at, struct quantity *q)
{
    struct dim d = q->dim;
    if (q->value < 0 && !e->dims)
        return fail(e, at, "the square root of a negative number");
    if (d.byte % 2 || d.second % 2 || d.flop % 2 || d.cycle % 2)
        return fail(e, at, "the square root of this dimension does not exist");
    q->dim = (struct dim){d.byte / 2, d.second / 2, d.flop / 2, d.cycle / 2};
    q->value = sqrt(q->value);
    return 0;
}

static double gcd(double a, double b)
{
    while (b != 0) {
        double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    return a;
}

/* n choose k, factor by factor, each quotient nearly whole. */
static double comb(double n, double k)
{
    double product = 1;
    k = k > n - k ? n - k : k;
    for (double i = 1; i <= k; i++)
        product *= (n - k + i) / i;
    return round(product);
}

/* gcd, comb and xor: two whole numbers, not negative; comb of at most 1000. */
static int whole_pair(struct eval *e, const struct node *at, struct quantity *out)
{
    struct quantity q[2];
    for (int i = 0, index = at->child[0]; i < 2; i++, index = e->f->node[index].next) {
        int rc = value_of(e, index, &q[i]);
        if (rc == 0)
            rc = plain(e, at, q[i], func_name(at->func));
        if (rc)
            return rc;
        if (!e->dims && (q[i].value < 0 || q[i].value != floor(q[i].value) ||
                         q[i].value >= (at->func == FUNC_COMB ? 1001 : TWO_53)))
            return fail(e, at, "%s needs whole numbers that are not negative%s",
                        func_name(at->func), at->func == FUNC_COMB ? ", at most 1000" : "");
    }
    if (e->dims) {
        *out = (struct quantity){1, DIM_NONE};
        return 0;
    }
    double a = q[0].value, b = q[1].value;
    *out = (struct quantity){.dim = DIM_NONE};
    if (at->func == FUNC_XOR)
        out->value = (double)((uint64_t)a ^ (uint64_t)b);
    else
        out->value = at->func == FUNC_GCD ? gcd(a, b) : b > a ? 0 : comb(a, b);
    return 0;
}

static int logarithm(struct eval *e, const struct node *at, struct quantity *q)
{
    if (q->value <= 0 && !e->dims)
        return fail(e, at, "the logarithm of a number that is not positive");
    q->value = at->func == FUNC_LN ? log(q->value) : log2(q->value);
    return 0;
}

static int call(struct eval *e, const struct node *at, struct quantity *out)
{
    if (at->func == FUNC_MIN || at->func == FUNC_MAX)
        return extreme(e, at, out);
    if (at->func == FUNC_IF)
        return choose(e, at, out);
    if (at->func == FUNC_CEILDIV || at->func == FUNC_ROUNDUP)
        return steps_of(e, at, out);
    if (at->func == FUNC_GCD || at->func == FUNC_COMB || at->func == FUNC_XOR)
        return whole_pair(e, at, out);
    int rc = value_of(e, at->child[0], out);
    if (rc)
        return rc;
    if (at->func == FUNC_ABS) {
        out->value = fabs(out->value);
        return 0;
    }
    if (at->func == FUNC_SQRT)
        return square_root(e, at, out);
    if ((rc = plain(e, at, *out, func_name(at->func))) != 0)
        return rc;
    if (at->func == FUNC_LOG2 || at->func == FUNC_LN)
        return logarithm(e, at, out);
    out->value = at->func == FUNC_EXP ? exp(out->value) : at->func == FUNC_CEIL ? ceil(out->value)
               : at->func == FUNC_FLOOR ? floor(out->value) : round(out->value);
    return 0;
}

/* ---- the tree ---- */

static int name_value(struct eval *e, const struct node *at, struct quantity *out)
{
    int rc = e->lookup ? e->lookup(e->ctx, at->name, out, e->err)
                       : err_set(e->err, ERR_BAD_REQUEST, "there is no '%s' here", at->name);
    if (rc)
        e->column = at->column;
    return rc;
}

static int value_of(struct eval *e, int index, struct quantity *out)
{
    const struct node *at = &e->f->node[index];
    struct quantity a, b;
    int rc;
    *out = (struct quantity){0, DIM_NONE};
    if (at->op == OP_NUMBER) {
        *out = at->number;
        return 0;
    }
    if (at->op == OP_NAME)
        rc = name_value(e, at, out);
    else if (at->op == OP_CALL)
        rc = call(e, at, out);
    else if (at->op == OP_AND || at->op == OP_OR)
        rc = logic(e, at, out);
    else if ((rc = value_of(e, at->child[0], &a)) != 0)
        return rc;
    else if (at->op == OP_NEGATE)
        *out = (struct quantity){-a.value, a.dim};
    else if (at->op == OP_NOT) {
        rc = plain(e, at, a, "'not'");
        out->value = a.value == 0;
    } else if ((rc = value_of(e, at->child[1], &b)) != 0)
        return rc;
    else
        rc = at->op >= OP_LT ? comparison(e, at, a, b, out) : arithmetic(e, at, a, b, out);
    return rc ? rc : must_be_finite(e, at, out);
}

int formula_eval(const struct formula *f, formula_lookup *lookup, void *ctx, struct quantity *out,
                 int *column, struct err *err)
{
    struct eval e = {.f = f, .lookup = lookup, .ctx = ctx, .err = err};
    int rc = value_of(&e, f->root, out);
    if (column)
        *column = rc ? e.column : 0;
    return rc;
}

int formula_dim(const struct formula *f, formula_lookup *lookup, void *ctx, struct dim *out,
                int *column, struct err *err)
{
    struct eval e = {.f = f, .lookup = lookup, .ctx = ctx, .err = err, .dims = true};
    struct quantity q;
    int rc = value_of(&e, f->root, &q);
    *out = q.dim;
    if (column)
        *column = rc ? e.column : 0;
    return rc;
}

/* The whole formula's own complaint, about its root. */
static int refuse(const struct formula *f, int *column, struct err *err, const char *text)
{
    if (column)
        *column = f->node[f->root].column;
    return err_set(err, ERR_BAD_REQUEST, "%s", text);
}

int formula_holds(const struct formula *f, formula_lookup *lookup, void *ctx, int *column,
                  struct err *err)
{
    struct quantity q;
    int rc = formula_eval(f, lookup, ctx, &q, column, err);
    if (rc)
        return rc;
    if (!is_plain(q))
        return refuse(f, column, err, "a predicate was expected, this has a unit");
    return q.value != 0;
}

int formula_whole(const struct formula *f, formula_lookup *lookup, void *ctx, int64_t *out,
                  int *column, struct err *err)
{
    struct quantity q;
    char text[160];
    *out = 0;
    int rc = formula_eval(f, lookup, ctx, &q, column, err);
    if (rc)
        return rc;
    if (!is_plain(q))
        return refuse(f, column, err, "a plain whole number was expected, this has a unit");
    if (!(q.value >= 0 && q.value < TWO_53) || q.value != floor(q.value)) {
        bool broken = q.value != floor(q.value);
        snprintf(text, sizeof text,
                 "this must be whole, not negative and below 2^53; it is %.17g%s", q.value,
                 broken ? " (ceildiv(a, b) rounds a quotient up)" : "");
        return refuse(f, column, err, text);
    }
    *out = (int64_t)q.value;
    return 0;
}

int formula_names(const struct formula *f, int (*fn)(void *ctx, const char *name), void *ctx,
                  int *column)
{
    if (column)
        *column = 0;
    for (int i = 0; i < f->n; i++) {
        if (f->node[i].op != OP_NAME)
            continue;
        int rc = fn(ctx, f->node[i].name);
        if (rc) {
            if (column)
                *column = f->node[i].column;
            return rc;
        }
    }
    return 0;
}

/* ---- shown with its numbers ---- */

static const struct node *name_at(const struct formula *f, int column)
{
    for (int i = 0; i < f->n; i++)
        if (f->node[i].op == OP_NAME && f->node[i].column == column)
            return &f->node[i];
    return NULL;
}

void formula_show(const struct formula *f, formula_lookup *lookup, void *ctx, char *out,
                  size_t size)
{
    size_t used = 0;
    if (size)
        out[0] = '\0';
    for (int at = 0; f->text[at] && used + 1 < size;) {
        const struct node *n = name_at(f, at + 1);
        char word[96] = {f->text[at], '\0'};
        if (n) {
            struct quantity q;
            char unit[64];
            int rc = lookup ? lookup(ctx, n->name, &q, NULL) : ERR_MISSING;
            dim_unit(unit, sizeof unit, rc ? DIM_NONE : q.dim);
            if (rc)
                snprintf(word, sizeof word, "?");
            else
                quantity_show(word, sizeof word, q.value, unit);
        } else if (f->text[at] == '*')
            snprintf(word, sizeof word, "%sx%s", used > 0 && out[used - 1] == ' ' ? "" : " ",
                     f->text[at + 1] == ' ' ? "" : " ");
        int n_written = snprintf(out + used, size - used, "%s", word);
        used += n_written > 0 ? (size_t)n_written : 0;
        at = n ? n->end - 1 : at + 1;
    }
}

/* The formula language: binding, dimensions, columns, limits. */
#include <math.h>

#include "scenarios/formula/formula.h"
#include "scenarios/formula/time_column.h"
#include "tests/unit.h"

static int looked_up;

static int lookup(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    static const struct { const char *name; double value; struct dim dim;
    } known[] = {
        {"n", 8192, {0, 0, 0, 0}},
        {"half", 0.5, {0, 0, 0, 0}},
        {"gpu.l2_bytes", 52428800, {0, 0, 0, 0}},
        {"work.bytes", 536870912, {1, 0, 0, 0}},
        {"ceiling.copy", 4.156e12, {1, -1, 0, 0}},
        {"time.first", 1e-3, {0, 1, 0, 0}},
        {"time.last", 8e-3, {0, 1, 0, 0}},
        {"shared_bytes", 0, {1, 0, 0, 0}},
        {"huge", 1e300, {0, 0, 0, 0}},
    };
    (void)ctx;
    looked_up++;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) {
            *out = (struct quantity){known[i].value, known[i].dim};
            return 0;
        }
    if (strcmp(name, "missing") == 0)
        return err_set(err, ERR_MISSING, "missing was not bought");
    return err_set(err, ERR_BAD_REQUEST, "unknown name '%s'", name);
}

static const struct { const char *text; double value; struct dim dim;
} values[] = {
    {"1 + 2 * 3", 7, {0}},
    {"(1 + 2) * 3", 9, {0}},
    {"-2^2", -4, {0}},
    {"2^3^2", 512, {0}},
    {"2^-1", 0.5, {0}},
    {"--3", 3, {0}},
    {"2 - 3 - 4", -5, {0}},
    {"24 / 4 / 2", 3, {0}},
    {"7 % 4", 3, {0}},
    {"2 * 7 % 4", 2, {0}},
    {"-3 * -2", 6, {0}},
    {"1 < 2", 1, {0}},
    {"2 < 1", 0, {0}},
    {"2 <= 2", 1, {0}},
    {"2 >= 3", 0, {0}},
    {"1 == 1", 1, {0}},
    {"1 != 1", 0, {0}},
    {"1 + 1 > 1 * 1", 1, {0}},
    {"not 0", 1, {0}},
    {"not not 3", 1, {0}},
    {"not 1 == 2", 1, {0}},
    {"1 and 0 or 1", 1, {0}},
    {"1 or 1 and 0", 1, {0}},
    {"0 and missing", 0, {0}},
    {"1 or missing", 1, {0}},
    {"(1 or missing) and n > 3", 1, {0}},
    {"min(3, 1, 2)", 1, {0}},
    {"max(3, 1, 2)", 3, {0}},
    {"max(7)", 7, {0}},
    {"ceil(1.2)", 2, {0}},
    {"floor(-1.2)", -2, {0}},
    {"round(2.5)", 3, {0}},
    {"sqrt(49)", 7, {0}},
    {"log2(8192)", 13, {0}},
    {"abs(-4)", 4, {0}},
    {"ceildiv(7, 2)", 4, {0}},
    {"ceildiv(8, 2)", 4, {0}},
    {"roundup(7, 4)", 8, {0}},
    {"roundup(sqrt(gpu.l2_bytes), 1024)", 8192, {0}},
    {"ceildiv(9007199254740991, 2)", 4503599627370496.0, {0}},
    {"if(n > 3, 1, missing)", 1, {0}},
    {"if(n < 3, missing, 2)", 2, {0}},
    {"64Ki", 65536, {0}},
    {"2 Mi", 2097152, {0}},
    {"1Gi", 1073741824, {0}},
    {"1 Ti", 1099511627776.0, {0}},
    {"1e3", 1000, {0}},
    {"1.5E-1", 0.15, {0}},
    {".5", 0.5, {0}},
    {"4 k", 4000, {0}},
    {"n*n", 67108864, {0}},
    {"4*n*n", 268435456, {0}},
    {"n ^ half", 90.50966799187809, {0}},
    {"4.8 TB/s", 4.8e12, {1, -1, 0, 0}},
    {"1 KiB", 1024, {1, 0, 0, 0}},
    {"32 B", 32, {1, 0, 0, 0}},
    {"130 us", 130e-6, {0, 1, 0, 0}},
    {"130 \xC2\xB5s", 130e-6, {0, 1, 0, 0}},
    {"1 B/n", 1.0 / 8192, {1, 0, 0, 0}},
    {"1 GFLOP", 1e9, {0, 0, 1, 0}},
    {"2 cycles", 2, {0, 0, 0, 1}},
    {"work.bytes / ceiling.copy", 536870912 / 4.156e12, {0, 1, 0, 0}},
    {"2 * work.bytes", 1073741824, {1, 0, 0, 0}},
    {"work.bytes ^ 2", 288230376151711744.0, {2, 0, 0, 0}},
    {"sqrt(work.bytes * work.bytes)", 536870912, {1, 0, 0, 0}},
    {"time.last / time.first >= 8", 1, {0}},
    {"shared_bytes == 0", 1, {0}},
    {"0 < work.bytes", 1, {0}},
    {"work.bytes - 0 > 1 MB", 1, {0}},
    {"max(0, work.bytes)", 536870912, {1, 0, 0, 0}},
    {"ceildiv(work.bytes, 1 MiB)", 512, {0}},
    {"abs(-1 * 1 s)", 1, {0, 1, 0, 0}},
    {"n * 1 B / 1 s", 8192, {1, -1, 0, 0}},
    {"1 B/s * 1 s", 1, {1, 0, 0, 0}},
    {"time.last % time.first", 0, {0, 1, 0, 0}},
    {"  1  ", 1, {0}},
    {"1\n+ 1", 2, {0}},
};

static void values_and_dimensions(void **state)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct formula *f = NULL;
        struct quantity q = {0};
        struct err err = {0};
        int column = -1;
        if (formula_parse(&f, values[i].text, &column, &err) != 0)
            fail_msg("%s: %s at %d", values[i].text, err.text, column);
        int rc = formula_eval(f, lookup, NULL, &q, &column, &err);
        if (rc || fabs(q.value - values[i].value) > 1e-12 * fabs(values[i].value) ||
            !dim_equal(q.dim, values[i].dim))
            fail_msg("%s: %d, %.17g, %s at %d", values[i].text, rc, q.value, err.text, column);
        assert_string_equal(formula_text(f), values[i].text);
        formula_free(f);
    }
}

static const struct { const char *text; int column; const char *says;
} unparsed[] = {
    {"", 1, "ends too early"},
    {"   ", 4, "ends too early"},
    {"1 +", 4, "ends too early"},
    {"(1", 1, "unbalanced"},
    {"ceildiv(n", 10, "unbalanced"},
    {"1)", 2, "never opened"},
    {"1 2", 3, "operator"},
    {"2 n", 3, "unknown unit 'n'"},
    {"2 x", 3, "unknown unit 'x'"},
    {"4.8TB/s", 4, "blank"},
    {"4k", 2, "blank"},
    {"1 < 2 < 3", 7, "do not chain"},
    {"n = 3", 3, "=="},
    {"foo(1)", 1, "no function"},
    {"maxx(1)", 1,
     "there is no function 'maxx' (did you mean max?); one of these was expected: min, max, ceil"},
    {"sqrt(1, 2)", 1, "takes 1"},
    {"if(1, 2)", 1, "takes 3"},
    {"min()", 5, "expected here"},
    {"a.", 2, "name was expected"},
    {"a..b", 2, "name was expected"},
    {"'a'", 1, "expected here"},
    {"1.2.3", 1, "not a number"},
    {"1e999", 1, "too large"},
    {"and 1", 1, "before 'and'"},
    {"1 and", 6, "ends too early"},
    {"not", 4, "ends too early"},
    {"n; 1", 2, "operator"},
    {"a = b = c", 3, "=="},
    {"\xC3\xA9", 1, "expected here"},
    {"((1)-", 6, "ends too early"},
    {"(1 + (", 7, "ends too early"},
    {"1 & 2", 3, "'and'"},
    {"1 ; 2", 3, "operator"},
    {"1 && 2", 3, "'and'"},
    {"(1 || 2)", 4, "'or'"},
    {"!1", 1, "'not'"},
    {"1 and !1", 7, "'not'"},
    {"n <= 0,6", 7, "decimal"},
    {"(0,6)", 3, "decimal"},
    {"0.5f * n", 4, "suffix"},
    {"4ull", 2, "suffix"},
    {"n => 1", 3, ">="},
    {"n =< 1", 3, "<="},
    {"n <> 1", 4, "!="},
    {"n ** 2", 4, "^"},
    {"n ? 1 : 2", 3, "if("},
    {"n >= 50%", 8, "0.5 for 50 %"},
    {"n > 5 % and 1", 7, "remainder"},
    {"max(5%, 2)", 6, "remainder"},
    {"$x", 1, "expected here"},
    {"1 +* 2", 4, "expected here"},
};

static void parse_errors_have_columns(void **state)
{
    for (size_t i = 0; i < sizeof unparsed / sizeof *unparsed; i++) {
        struct formula *f = NULL;
        struct err err = {0};
        int column = -1;
        int rc = formula_parse(&f, unparsed[i].text, &column, &err);
        if (rc != ERR_BAD_REQUEST || f || column != unparsed[i].column ||
            !strstr(err.text, unparsed[i].says))
            fail_msg("'%s': %d at %d: %s", unparsed[i].text, rc, column, err.text);
    }
}

static const struct { const char *text; int rc, column; const char *says;
} failing[] = {
    {"work.bytes + 1 s", ERR_BAD_REQUEST, 12, "bytes and a time"},
    {"work.bytes < 5", ERR_BAD_REQUEST, 12, "a plain number"},
    {"n + missing", ERR_MISSING, 5, "not bought"},
    {"n + nowhere", ERR_BAD_REQUEST, 5, "unknown name"},
    {"1 / 0", ERR_BAD_REQUEST, 3, "zero"},
    {"1 % 0", ERR_BAD_REQUEST, 3, "zero"},
    {"ceildiv(1, 0)", ERR_BAD_REQUEST, 1, "zero"},
    {"huge * huge", ERR_BAD_REQUEST, 6, "finite"},
    {"(0-1) ^ half", ERR_BAD_REQUEST, 7, "finite"},
    {"sqrt(0-1)", ERR_BAD_REQUEST, 1, "negative"},
    {"log2(0)", ERR_BAD_REQUEST, 1, "not positive"},
    {"work.bytes ^ half", ERR_BAD_REQUEST, 12, "whole exponent"},
    {"2 ^ (1 s)", ERR_BAD_REQUEST, 3, "plain number"},
    {"sqrt(work.bytes)", ERR_BAD_REQUEST, 1, "square root"},
    {"work.bytes and 1", ERR_BAD_REQUEST, 1, "plain number"},
    {"not work.bytes", ERR_BAD_REQUEST, 1, "plain number"},
    {"if(1 s, 1, 2)", ERR_BAD_REQUEST, 1, "condition"},
    {"ceil(1.5 s)", ERR_BAD_REQUEST, 1, "plain number"},
    {"min(1 s, 1)", ERR_BAD_REQUEST, 1, "do not go together"},
    {"work.bytes ^ 16 * work.bytes", ERR_BAD_REQUEST, 17, "dimension"},
    {"missing and 0", ERR_MISSING, 1, "not bought"},
    {"(shared_bytes + 0 * n) == 0", ERR_BAD_REQUEST, 15, "do not go together"},
};

static void evaluation_errors_have_columns(void **state)
{
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) {
        struct formula *f = NULL;
        struct quantity q;
        struct err err = {0};
        int column = -1;
        assert_int_equal(formula_parse(&f, failing[i].text, NULL, &err), 0);
        int rc = formula_eval(f, lookup, NULL, &q, &column, &err);
        if (rc != failing[i].rc || column != failing[i].column ||
            !strstr(err.text, failing[i].says))
            fail_msg("'%s': %d at %d: %s", failing[i].text, rc, column, err.text);
        formula_free(f);
    }
}

static int parse_repeated(const char *before, const char *inside, const char *after, int times)
{
    char text[4096] = "";
    struct formula *f = NULL;
    for (int i = 0; i < times; i++)
        strcat(text, before);
    strcat(text, inside);
    for (int i = 0; i < times; i++)
        strcat(text, after);
    int rc = formula_parse(&f, text, NULL, NULL);
    formula_free(f);
    return rc;
}

static void limits_hold(void **state)
{
    assert_int_equal(parse_repeated("(", "1", ")", 60), 0);
    assert_int_equal(parse_repeated("(", "1", ")", 70), ERR_BAD_REQUEST);
    assert_int_equal(parse_repeated("-", "1", "", 60), 0);
    assert_int_equal(parse_repeated("-", "1", "", 70), ERR_BAD_REQUEST);
    assert_int_equal(parse_repeated("not ", "1", "", 70), ERR_BAD_REQUEST);
    assert_int_equal(parse_repeated("2^", "1", "", 70), ERR_BAD_REQUEST);
    assert_int_equal(parse_repeated("abs(", "1", ")", 70), ERR_BAD_REQUEST);
    assert_int_equal(parse_repeated("1+", "1", "", 500), 0);
    assert_int_equal(parse_repeated("1+", "11", "", 511), 0);           /* 1024 bytes */
    assert_int_equal(parse_repeated("1+", "111", "", 511), ERR_BAD_REQUEST);
}

static int holds(const char *text)
{
    struct formula *f = NULL;
    assert_int_equal(formula_parse(&f, text, NULL, NULL), 0);
    int rc = formula_holds(f, lookup, NULL, NULL, NULL);
    formula_free(f);
    return rc;
}

static int whole(const char *text, int64_t *out, int *column)
{
    struct formula *f = NULL;
    assert_int_equal(formula_parse(&f, text, NULL, NULL), 0);
    int rc = formula_whole(f, lookup, NULL, out, column, NULL);
    formula_free(f);
    return rc;
}

static void predicates_and_whole_numbers(void **state)
{
    int64_t v;
    int column;
    assert_int_equal(holds("n > 3"), 1);
    assert_int_equal(holds("n < 3"), 0);
    assert_int_equal(holds("missing > 3"), ERR_MISSING);
    assert_int_equal(holds("work.bytes"), ERR_BAD_REQUEST);
    looked_up = 0;
    assert_int_equal(holds("n < 3 and missing > 1"), 0);
    assert_int_equal(looked_up, 1);
    assert_int_equal(whole("n / 4", &v, &column), 0);
    assert_int_equal(v, 2048);
    assert_int_equal(whole("2^53 - 1", &v, &column), 0);
    assert_true(v == 9007199254740991);
    assert_int_equal(whole("2^53", &v, &column), ERR_BAD_REQUEST);
    assert_int_equal(whole("n / 3", &v, &column), ERR_BAD_REQUEST);
    assert_int_equal(column, 3);
    assert_int_equal(whole("0 - n", &v, &column), ERR_BAD_REQUEST);
    assert_int_equal(whole("work.bytes", &v, &column), ERR_BAD_REQUEST);
    assert_int_equal(whole("1.0", &v, &column), 0);
    assert_int_equal(v, 1);
}

static int collect(void *ctx, const char *name)
{
    char *all = ctx;
    if (strcmp(name, "stop") == 0)
        return 7;
    strcat(strcat(all, name), ";");
    return 0;
}

static void names_in_order(void **state)
{
    struct formula *f = NULL;
    char all[128] = "";
    int column = -1;
    assert_int_equal(formula_parse(&f, "b.c + min(a, b.c) * if(z, 1, y)", NULL, NULL), 0);
    assert_int_equal(formula_names(f, collect, all, &column), 0);
    assert_string_equal(all, "b.c;a;b.c;z;y;");
    assert_int_equal(column, 0);
    formula_free(f);
    assert_int_equal(formula_parse(&f, "b + stop", NULL, NULL), 0);
    assert_int_equal(formula_names(f, collect, all, &column), 7);
    assert_int_equal(column, 5);
    formula_free(f);
}

static const char *shown(const char *text, char *out, size_t size)
{
    struct formula *f = NULL;
    assert_int_equal(formula_parse(&f, text, NULL, NULL), 0);
    formula_show(f, lookup, NULL, out, size);
    formula_free(f);
    return out;
}

static void working_is_shown(void **state)
{
    char out[128];
    assert_string_equal(shown("2*work.bytes/ceiling.copy", out, sizeof out),
                        "2 x 537 MB/4156 GB/s");
    assert_string_equal(shown("n * 4 B", out, sizeof out), "8192 x 4 B");
    assert_string_equal(shown("missing + 1", out, sizeof out), "? + 1");
    assert_string_equal(shown("min(n, 2)", out, sizeof out), "min(8192, 2)");
    assert_string_equal(shown("work.bytes + work.bytes", out, 8), "537 MB ");
    assert_string_equal(shown("n", out, 1), "");
}

/* Values do not matter: half of a division by zero, both branches, what is never reached. */
static void dimensions_need_no_values(void **state)
{
    static const struct { const char *text; int rc; struct dim dim; int column;
    } cases[] = {
        {"work.bytes / (n - n) / (time.last - time.last)", 0, {1, -1, 0, 0}, 0},
        {"sqrt((0 - n) * work.bytes * work.bytes)", 0, {1, 0, 0, 0}, 0},
        {"log2(n - n) + comb(half, n) + n / 0", 0, {0}, 0},
        {"if(n > 3, work.bytes, 0)", 0, {1, 0, 0, 0}, 0},
        {"if(n > 3, 0, time.last)", 0, {0, 1, 0, 0}, 0},
        {"if(n > 3, time.last, n)", ERR_MISSING, {0}, 1},
        {"work.bytes ^ n", ERR_MISSING, {0}, 12},
        {"work.bytes ^ -1 * 1 B", 0, {0}, 0},
        {"1 or work.bytes > 3", ERR_BAD_REQUEST, {0}, 17},
        {"if(1, n, time.last + n)", ERR_BAD_REQUEST, {0}, 20},
        {"missing > 0", ERR_MISSING, {0}, 1},
        {"0 and time.first < 1", ERR_BAD_REQUEST, {0}, 18},
        {"max(0, time.first, n)", ERR_BAD_REQUEST, {0}, 1},
        {"ceildiv(work.bytes, 0 * 1 B)", 0, {0}, 0},
        {"work.bytes and n", ERR_BAD_REQUEST, {0}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct formula *f = NULL;
        struct err err = {0};
        struct dim dim = {0};
        int column = -1;
        assert_int_equal(formula_parse(&f, cases[i].text, NULL, NULL), 0);
        int rc = formula_dim(f, lookup, NULL, &dim, &column, &err);
        if (rc != cases[i].rc || column != cases[i].column ||
            (!rc && !dim_equal(dim, cases[i].dim)))
            fail_msg("%s: %d in column %d: %s", cases[i].text, rc, column, err.text);
        formula_free(f);
    }
}

/* ---- times below one another ---- */

static void a_column_has_one_unit(void **state)
{
    static const struct { double times[3]; const char *shown[3]; } columns[] = {
        {{1.41e-6, 4.75e-4, 0}, {"1.41 µs", "475.00 µs", "0.00 µs"}},
        {{8.64e-7, 1.79e-6, 1e-6}, {"0.864 µs", "1.790 µs", "1.000 µs"}},
        {{9e-8, 4.04e-4, 1e-6}, {"0.090 µs", "404.000 µs", "1.000 µs"}},
        {{1.25e-6, 1.2e-2, 1e-3}, {"0.0013 ms", "12.0000 ms", "1.0000 ms"}},
        {{3.5e-2, 4e-2, 5e-2}, {"35.0 ms", "40.0 ms", "50.0 ms"}},
        {{120e-6, 130e-6, 990e-6}, {"120 µs", "130 µs", "990 µs"}},
        {{0, 0, 0}, {"0 ns", "0 ns", "0 ns"}},
        {{4e-9, 90e-9, 4e-9}, {"4 ns", "90 ns", "4 ns"}},
        {{2, 1.5, 0.25}, {"2.000 s", "1.500 s", "0.250 s"}},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        struct time_column c = {0};
        for (int k = 0; k < 3; k++)
            time_column_add(&c, columns[i].times[k]);
        for (int k = 0; k < 3; k++) {
            char shown[24];
            time_column_show(shown, sizeof shown, &c, columns[i].times[k]);
            assert_string_equal(shown, columns[i].shown[k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_dimensions),
        cmocka_unit_test(parse_errors_have_columns),
        cmocka_unit_test(evaluation_errors_have_columns),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(predicates_and_whole_numbers),
        cmocka_unit_test(names_in_order),
        cmocka_unit_test(working_is_shown),
        cmocka_unit_test(dimensions_need_no_values),
        cmocka_unit_test(a_column_has_one_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

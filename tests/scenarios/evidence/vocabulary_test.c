/* What content/FORMAT.md says may be named: hypotheses, probes and their prices, metrics, names in
 * formulas. */
#include "tests/scenarios/format_text.h"

#include "scenarios/evidence/evidence.h"
#include "scenarios/pack/pack.h"
#include "scenarios/pack/probe.h"

static void row_stands(const char *table, const char *row, const char *what)
{
    if (!strstr(table, row))
        fail_msg("FORMAT.md has no row of %s: %s", what, row);
}

static int rows(const char *table)
{
    int n = 0;
    for (const char *at = table; (at = strstr(at, "\n| `")); at++)
        n++;
    return n;
}

static void hypotheses_are_those_of_the_taxonomy(void **state)
{
    size_t n;
    const struct hypothesis *t = taxonomy(&n);
    char *table = section("####", "hypotheses");
    const char *last = table;
    for (size_t i = 0; i < n; i++) {
        char *row = text_format("| `%s` | %s | %s |\n", t[i].id, t[i].label, t[i].explain);
        row_stands(table, row, "hypotheses");
        assert_true(strstr(table, row) >= last);
        last = strstr(table, row);
        free(row);
    }
    assert_int_equal(rows(table), (int)n);
    free(table);
}

static void metrics_are_those_of_the_table(void **state)
{
    size_t n;
    const struct metric *m = metric_table(&n);
    char *table = section("####", "metrics");
    for (size_t i = 0; i < n; i++) {
        char *row = text_format("| `%s` |", m[i].name),
             *end = text_format("| `%s` | %s |", m[i].unit, m[i].label);
        row_stands(table, row, "metrics");
        const char *at = strstr(table, row), *stop = strchr(at, '\n');
        const char *found = strstr(at, end);
        if (!found || found > stop)
            fail_msg("FORMAT.md says something else of the unit or name of %s", m[i].name);
        free(row), free(end);
    }
    assert_int_equal(rows(table), (int)n);
    free(table);
}

static void probes_have_their_prices(void **state)
{
    size_t n, all = 0;
    char *table = section("####", "probes"), *kinds = section("##", "Kinds of value");
    const struct probe *p = probe_table(&n);
    for (size_t i = 0; i < n; i++) {
        if (p[i].id == SHOP_ASK || p[i].id == SHOP_EXPERIMENT)
            continue;
        char *row = text_format("| `%s` | %d |", p[i].name, p[i].price),
             *quoted = text_format("`%s`", p[i].name);
        row_stands(table, row, "probes");
        assert_non_null(strstr(kinds, quoted));
        free(row), free(quoted);
        all++;
    }
    const struct standard *s = standard_table(&n);
    for (size_t i = 0; i < n; i++, all++) {
        char *row = text_format("| `%s` | %d |", s[i].id, s[i].price);
        row_stands(table, row, "standard experiments");
        free(row);
    }
    assert_int_equal(rows(table), (int)all);
    free(table), free(kinds);
}

static void names_of_formulas_are_known(void **state)
{
    struct pack *p;
    struct err err = {0};
    char *tables[] = {section("####", "attributes of a GPU"), section("##", "Formulas")};
    int n = 0;
    if (pack_open(&p, "tests/packs/good", &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const char *at = tables[i]; (at = strchr(at, '`')); at = strchr(at + 1, '`') + 1) {
            char *name = text_ndup(at + 1, strcspn(at + 1, "`"));
            bool plain = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.") == strlen(name);
            bool dotted = !strncmp(name, "gpu.", 4) || !strncmp(name, "ceiling.", 8) ||
                          !strncmp(name, "work.", 5);
            if (plain && dotted) {
                if (!name_known(&p->stories[0], name))
                    fail_msg("FORMAT.md names %s, which formulas do not know", name);
                n++;
            }
            free(name);
        }
    assert_true(n >= 16);
    pack_free(p);
    free(tables[0]), free(tables[1]);
}

static void levels_have_their_minutes(void **state)
{
    char *text = section("###", "scenario.yaml");
    for (int level = 0; level <= 5; level++) {
        char *row = text_format("\n| %d | ", level),
             *end = text_format(" | %d | %d |\n", level_par(level), level_patience(level));
        row_stands(text, row, "levels");
        const char *at = strstr(text, row) + 1, *found = strstr(at, end);
        if (!found || found > strchr(at, '\n'))
            fail_msg("FORMAT.md says something else of the par or patience of level %d", level);
        free(row), free(end);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hypotheses_are_those_of_the_taxonomy),
        cmocka_unit_test(metrics_are_those_of_the_table),
        cmocka_unit_test(probes_have_their_prices),
        cmocka_unit_test(names_of_formulas_are_known),
        cmocka_unit_test(levels_have_their_minutes),
    };
    return cmocka_run_group_tests_name("vocabulary", tests, slurp, drop);
}

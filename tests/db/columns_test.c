/* Columns: the sets say what the tables have, in their order, and a statement's text is written
 * out of them. */
#include "db/columns.h"

#include "tests/db/fixture.h"

static int append_name(void *out, int n, char **values, char **names)
{
    (void)n;
    (void)names;
    fprintf(out, "%s, ", values[0]);
    return 0;
}

static void test_sets_are_the_tables(void **state)
{
    static const struct {
        const char *table, *columns;
    } cases[] = {
        {"event", "seq, {event}, body"},
        {"attempt", "{attempt}"},
        {"score_line", "attempt, at, {line}"},
        {"belief", "attempt, {belief}"},
        {"answer", "{answer}"},
        {"item", "id, {memory}, {seen}"},
        {"review", "{review}, {memory}, previous"},
    };
    struct place *p = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *has = NULL, *said = columns_expand(cases[i].columns);
        char ask[80];
        size_t size = 0;
        FILE *out = open_memstream(&has, &size);
        snprintf(ask, sizeof ask, "SELECT name FROM pragma_table_info('%s')", cases[i].table);
        assert_int_equal(sqlite3_exec(p->s->db, ask, append_name, out, NULL), SQLITE_OK);
        fclose(out);
        assert_true(size > 2);
        has[size - 2] = '\0';
        assert_string_equal(said, has);
        sqlite3_free(said);
        free(has);
    }
}

static void test_forms(void **state)
{
    static const char *const cases[][2] = {
        {"no set", "no set"},
        {"", ""},
        {"{seen}", "seen_day, seen_ms, last"},
        {"a {p.seen} b", "a p.seen_day, p.seen_ms, p.last b"},
        {"({?seen}){seen}", "(?, ?, ?)seen_day, seen_ms, last"},
        {"{=seen}", "seen_day = excluded.seen_day, seen_ms = excluded.seen_ms, "
                    "last = excluded.last"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *got = columns_expand(cases[i][0]);
        assert_string_equal(got ? got : "", cases[i][1]);
        sqlite3_free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sets_are_the_tables, setup, teardown),
        cmocka_unit_test(test_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What stands in the projections: the tables' text and the figures of the score's rules. Rows of
 * another version are folded again from the log; rows of a changed rule under an old version stay
 * as they are, for ever. */
#include "db/store.h"
#include "kernels/wire/hash.h"
#include "scenarios/pack/story.h"
#include "scenarios/play/scoring.h"
#include "tests/unit.h"

/* Hashes, of which so many digits do. */
static const struct { int projection, rule; const char *tables, *figures; } known = {
    6, 3, "bcc4ccaab4c02869", "ba5607e9777b1abf"};
enum { DIGITS = 16 };

static void hash_text(char out[HASH_HEX], const char *text, size_t n)
{
    hash_bytes(out, text, n);
    out[DIGITS] = '\0';
}

/* ---- the tables ---- */

/* SQLite keeps a statement with the comments inside it, and db/shape.c holds text against text:
 * those count, and what stands between statements does not. */
static void put_statements(FILE *out, FILE *in)
{
    char line[512];
    bool inside = false;
    while (fgets(line, sizeof line, in)) {
        inside = inside || !strncmp(line, "CREATE ", 7);
        if (inside)
            fputs(line, out);
        size_t end = strcspn(line, "\n");
        inside = inside && !(end > 0 && line[end - 1] == ';');
    }
}

static void hash_tables(char out[HASH_HEX])
{
    char *text = NULL;
    size_t size = 0;
    FILE *in = fopen("db/progress.sql", "r"), *code = open_memstream(&text, &size);
    assert_non_null(in);
    put_statements(code, in);
    fclose(in);
    fclose(code);
    assert_null(strstr(text, "raises PROJECTION_VERSION"));
    assert_non_null(strstr(text, "CREATE TABLE score_line("));
    hash_text(out, text, size);
    free(text);
}

/* ---- the figures ---- */

static void put_lines(FILE *out)
{
    for (int l = 0; l < LINE_COUNT; l++)
        fprintf(out, "%s %d\n", score_line_name(l), score_line_possible(l));
    fprintf(out, "updating %d %d\n", UPDATING_COMMITTED, UPDATING_ANSWERED);
    for (int w = 0; w < WORD_COUNT; w++)
        fprintf(out, "word %.6f\n", word_weight(w));
}

static void put_curves(FILE *out)
{
    const double p[] = {0.5, 0.3, 0.2}, likelihood[] = {1, 4, 0.25};
    double posterior[3];
    score_posterior(posterior, p, likelihood, 3);
    fprintf(out, "%.6f %.6f\n", posterior[1], score_distance(p, posterior, 3));
    for (int k = 0; k < 3; k++)
        fprintf(out, "quality %.6f\n", score_quality(p, 3, k));
    for (int i = 0; i <= 20; i++)
        fprintf(out, "%.6f %.6f %.6f %.6f\n", score_thrift(i > 0, i, 6, 15),
                score_updating(i / 20.0), score_estimate(1 + i / 5.0, 1, 1.2),
                score_estimate(1, 1 + i / 5.0, 2));
}

static void put_total(FILE *out)
{
    struct score s = {.line = {30.4, -3.5, 11, 6, 5, 0}, .possible = {40, 20, 0, 10, 5, 5}};
    score_add_up(&s);
    fprintf(out, "%.6f of %d, %.6f, %.6f\n", s.sum, s.of, s.total, score_shown(-s.total));
}

static void hash_figures(char out[HASH_HEX])
{
    char *text = NULL;
    size_t size = 0;
    FILE *figures = open_memstream(&text, &size);
    put_lines(figures);
    put_curves(figures);
    put_total(figures);
    fclose(figures);
    hash_text(out, text, size);
    free(text);
}

/* ---- held against the version ---- */

static void changed_tables_have_another_version(void **state)
{
    char tables[HASH_HEX];
    hash_tables(tables);
    if (!strcmp(tables, known.tables))
        return;
    if (PROJECTION_VERSION == known.projection)
        fail_msg("db/progress.sql makes other tables, and PROJECTION_VERSION (db/store.h) is still "
                 "%d: databases of today would keep the old ones. Raise it, and write it into "
                 "`known` above with the tables' hash %s",
                 PROJECTION_VERSION, tables);
    fail_msg("PROJECTION_VERSION is %d now: write it into `known` above, with the tables' hash %s",
             PROJECTION_VERSION, tables);
}

static void changed_rules_have_another_version(void **state)
{
    char figures[HASH_HEX];
    hash_figures(figures);
    if (!strcmp(figures, known.figures))
        return;
    if (SCORE_RULE == known.rule || PROJECTION_VERSION == known.projection)
        fail_msg("the rules of the score give other figures, SCORE_RULE (scoring.h) is %d and "
                 "PROJECTION_VERSION (db/store.h) %d: scores that are kept would stay as the old "
                 "rules gave them. Raise both, and write them into `known` above with the figures' "
                 "hash %s",
                 SCORE_RULE, PROJECTION_VERSION, figures);
    fail_msg("SCORE_RULE is %d now: write it into `known` above, with the figures' hash %s",
             SCORE_RULE, figures);
}

static void known_versions_are_those_of_today(void **state)
{
    if (PROJECTION_VERSION != known.projection || SCORE_RULE != known.rule)
        fail_msg("PROJECTION_VERSION is %d and SCORE_RULE %d: write them into `known` above",
                 PROJECTION_VERSION, SCORE_RULE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_tables_have_another_version),
        cmocka_unit_test(changed_rules_have_another_version),
        cmocka_unit_test(known_versions_are_those_of_today),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

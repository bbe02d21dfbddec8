/* Cases that are drawn: the same by the same seed for ever, others by others, and an attempt keeps
 * its own. */
#include "kernels/wire/text.h"
#include "scenarios/library/catalog.h"
#include "scenarios/pack/recordings.h"
#include "scenarios/play/attempt.h"
#include "tests/folder.h"
#include "tests/unit.h"

static struct catalog *catalog;
static const struct variant *a, *b;
static int open_catalog(void **state)
{
    static const char *const dirs[] = {"tests/packs/drawn"};
    const struct story *s;
    struct err err = {0};
    if (folder_make("drawn") || catalog_open(&catalog, dirs, 1, &err) ||
        catalog_find(catalog, "drawn/drawn-ranks/a", &s, &a, &err) ||
        catalog_find(catalog, "drawn/drawn-ranks/b", &s, &b, &err))
        return fprintf(stderr, "%s\n", err.text), -1;
    return 0;
}

static int close_catalog(void **state)
{
    catalog_free(catalog);
    return folder_remove(state);
}

static const struct variant *drawn(const struct variant *v, uint64_t seed)
{
    const struct variant *out;
    struct err err = {0};
    if (catalog_draw(catalog, v, seed, &out, &err))
        fail_msg("%s", err.text);
    return out;
}

/* All that its exhibits show, and where the fault is. */
static char *shown(const struct variant *v)
{
    struct recording **all = NULL;
    struct err err = {0};
    int n = 0;
    if (recordings_of(v, &all, &n, &err))
        fail_msg("%s", err.text);
    char *out = text_format("line %d\n", v->location_line);
    for (int i = 0; i < all[0]->n_items; i++) {
        const struct msg_part *p = &all[0]->items[i].part;
        for (int k = 0; k < p->n_lines + p->n_series; k++) {
            bool line = k < p->n_lines;
            const struct msg_series *s = line ? NULL : &p->series[k - p->n_lines];
            char *longer = text_format("%s%s%s", out, line ? p->lines[k] : s->name,
                                       line ? "\n" : ":");
            for (int j = 0; s && j < s->n; j++) {
                char *more = text_format("%s %g%s", longer, s->values[j], j + 1 < s->n ? "" : "\n");
                free(longer);
                longer = more;
            }
            free(out);
            out = longer;
        }
    }
    recordings_free(all, n);
    return out;
}

/* History is read again from a seed, so these texts stay as they are. */
static void a_seed_draws_the_same_for_ever(void **state)
{
    char *text = shown(drawn(a, 3));
    assert_string_equal(text, "line 3\n"
                              "0\n1\n2\n3\n"
                              "#columns: 7 8 9\n"
                              "wait: 4 4 4.1 4.1 4 4 2 2 2 4 4 4\n"
                              "card 0\ncard 1\ncard 2\ncard 3\n"
                              "clock: 1755 1755 1755 1755\n"
                              "temperature: 60 57 61 61\n"
                              "0\n1\n2\n3\nbackward\nwait\nmark 7\nmark 8\nmark 9\n"
                              "waited: 2.08 2.057 2.007 2.056\n"
                              "worked: 5776 5179 7134 5178\n"
                              "idle: 7.824 10.021 8.066 10.022\n"
                              "#row: 0 0 0 0 0 1 1 2 2 3 3\n"
                              "#label: 0 1 2 3 4 0 1 0 1 0 1\n"
                              "#begin: 0 4.096 14 15 16 0 4.122 0 6.127 0 4.122\n"
                              "#end: 3.096 6.176 14.2 15.2 16.2 3.122 6.179 5.127 8.134 "
                              "3.122 6.178\n"
                              "job  102 starts\n"
                              "rank 2 took   2.00 ms\n"
                              "rank 3 took   4.00 ms\n"
                              "rank 1 took   4.01 ms\n"
                              "rank 0 took   4.03 ms\n");
    free(text);
    text = shown(drawn(b, 3));
    assert_non_null(strstr(text, "1300"));
    assert_non_null(strstr(text, "a card is hot"));
    free(text);
}

static void seeds_and_variants_differ(void **state)
{
    unsigned lines[2] = {0};
    int alike = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        int x = drawn(a, seed)->location_line, y = drawn(b, seed)->location_line;
        lines[0] |= 1u << x;
        lines[1] |= 1u << y;
        alike += x == y;
    }
    assert_int_equal(lines[0], 0x1e);   /* each of the four ranks was one */
    assert_int_equal(lines[1], 0x1e);
    assert_in_range(alike, 1, 25);      /* the other variant tells nothing of it */
}

static void a_draw_is_kept_by_the_catalogue(void **state)
{
    assert_ptr_equal(drawn(a, 5), drawn(a, 5));
    assert_ptr_not_equal(drawn(a, 5), drawn(b, 5));
}

static void texts_are_filled(void **state)
{
    const struct variant *v = drawn(a, 3);
    assert_non_null(strstr(v->debrief->text, "Rank 2, an even one,"));
    assert_string_equal(v->story->places[v->location_line - 1], "rank 2");
}

static void an_attempt_goes_on_with_its_own(void **state)
{
    struct err err = {0};
    struct supply *s;
    struct attempt *t;
    struct store *store = NULL;
    char path[96], uid[40];
    snprintf(path, sizeof path, "%s/progress.db", folder);
    assert_int_equal(store_open(&store, path, 1000), STORE_OK);
    const struct variant *v = drawn(a, 9);
    char *before = shown(v);
    assert_int_equal(supply_recorded(&s, v, NULL, &err), 0);
    if (attempt_start(&t, store, v, s, 9, 0, &err))
        fail_msg("%s", err.text);
    assert_int_equal(attempt_tick(t, 0, &err), 0);
    snprintf(uid, sizeof uid, "%s", attempt_uid(t));
    attempt_free(t);
    supply_free(s);
    if (attempt_resume(&t, store, uid, 0, &err))
        fail_msg("%s", err.text);
    char *after = shown(attempt_variant(t));
    assert_string_equal(after, before);
    free(after);
    free(before);
    attempt_free(t);
    store_free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_draws_the_same_for_ever),
        cmocka_unit_test(seeds_and_variants_differ),
        cmocka_unit_test(a_draw_is_kept_by_the_catalogue),
        cmocka_unit_test(texts_are_filled),
        cmocka_unit_test(an_attempt_goes_on_with_its_own),
    };
    return cmocka_run_group_tests_name("drawn cases", tests, open_catalog, close_catalog);
}

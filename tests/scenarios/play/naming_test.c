/* The space of causes in a person's own words: when it is asked for, what is read into it, what the
 * debrief says. */
#include "scenarios/play/naming.h"

#include "scenarios/library/catalog.h"
#include "tests/unit.h"

static struct catalog *packs;

static const struct variant *variant_of(const char *id)
{
    const struct story *story;
    const struct variant *v;
    struct err err;
    assert_int_equal(catalog_find(packs, id, &story, &v, &err), 0);
    return v;
}

static int names(struct investigation *i, const char *text)
{
    struct move m = { .kind = MOVE_NAMED };
    struct err err;
    snprintf(m.answer, sizeof m.answer, "%s", text);
    return investigation_apply(i, &m, &err);
}

static void test_asked_from_level_three_on_and_once(void **state)
{
    struct investigation *easy =
        investigation_new(variant_of("first-principles/transposed-copy/a"));
    struct investigation *hard = investigation_new(variant_of("hidden-depths/nine-frames/a"));
    assert_false(naming_due(easy));
    assert_true(naming_due(hard));
    assert_null(naming_text(hard));
    assert_int_equal(names(hard, ""), 0);       /* left out, and kept as that */
    assert_string_equal(naming_text(hard), "");
    assert_false(naming_due(hard));
    assert_int_not_equal(names(hard, "banks"), 0);
    investigation_free(easy);
    investigation_free(hard);
}

static void test_not_after_beliefs(void **state)
{
    struct investigation *i = investigation_new(variant_of("hidden-depths/nine-frames/a"));
    struct move m = { .kind = MOVE_BELIEVED };
    struct err err;
    belief_even(m.points, i->story->n_hypotheses);
    assert_int_equal(investigation_apply(i, &m, &err), 0);
    assert_false(naming_due(i));
    assert_int_not_equal(names(i, "spills"), 0);
    investigation_free(i);
}

static void test_what_words_mean(void **state)
{
    const struct variant *v = variant_of("hidden-depths/nine-frames/a");
    struct investigation *i = investigation_new(v);
    bool named[MAX_HYPOTHESES];
    char says[512];
    assert_int_equal(naming_read(named, v->story, "no idea"), 0);
    assert_int_equal(naming_read(named, v->story, "L2 thrashing, spills; maybe it is at the limit"),
                     3);
    assert_int_equal(names(i, "Thrashing in L2\nuncoalesced loads"), 0);
    naming_says(says, sizeof says, i, v->cause, "you");
    assert_non_null(strstr(says, "you named 2 of the 9 on offer, the cause among them; not: excess "
                                 "DRAM traffic, "));
    assert_null(strstr(says, "cache thrash"));
    investigation_free(i);
}

static void test_what_was_left_out_is_not_counted(void **state)
{
    const struct variant *v = variant_of("hidden-depths/nine-frames/a");
    struct investigation *i = investigation_new(v);
    char says[512];
    assert_int_equal(names(i, ""), 0);
    naming_says(says, sizeof says, i, v->cause, "you");
    assert_string_equal(says, "");
    investigation_free(i);
}

static void test_a_small_buffer_is_enough(void **state)
{
    const struct variant *v = variant_of("hidden-depths/nine-frames/a");
    struct investigation *i = investigation_new(v);
    char says[40];
    assert_int_equal(names(i, "spills"), 0);
    naming_says(says, sizeof says, i, v->cause, "you");
    assert_int_equal(strlen(says), sizeof says - 1);
    investigation_free(i);
}

static int begin(void **state)
{
    static const char *const dirs[] = {"content/packs/first-principles",
                                       "content/packs/hidden-depths"};
    struct err err;
    return catalog_open(&packs, dirs, 2, &err);
}

static int end(void **state)
{
    catalog_free(packs);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_asked_from_level_three_on_and_once),
        cmocka_unit_test(test_not_after_beliefs),
        cmocka_unit_test(test_what_words_mean),
        cmocka_unit_test(test_what_was_left_out_is_not_counted),
        cmocka_unit_test(test_a_small_buffer_is_enough),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}

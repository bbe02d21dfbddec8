/* Cards as shipped: what an interviewer would call right is right. */
#include "tests/drills/library/shipped.h"
#include "tests/unit.h"

/* Bytes that are worked out are told in three digits. */
static void three_digits_of_a_product_are_right(void **state)
{
    static const struct { const char *card, *typed; } table[] = {
        {"inference/kv-8b-token", "131 kB"},    {"inference/kv-8b-token", "128 KiB"},
        {"inference/kv-70b-token", "328 kB"},   {"inference/kv-405b-token", "516 kB"},
        {"inference/mla-token", "70.3 kB"},     {"distributed/ar-payload", "32.8 kB"},
        {"silicon/accumulator-bytes", "65.5 kB"},
    };
    char say[200];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct card *c = library_card(&library, table[i].card);
        assert_non_null(c);
        assert_int_equal(card_grade(c, NULL, table[i].typed, say, sizeof say), CARD_RIGHT);
    }
}

static void kib_are_no_kb_and_far_off_is_said(void **state)
{
    const struct card *c = library_card(&library, "inference/kv-8b-token");
    char say[200] = "";
    assert_int_equal(card_grade(c, NULL, "128 kB", say, sizeof say), CARD_WRONG);
    assert_string_equal(say, "Off by 1.02 x.");
    assert_int_equal(card_grade(c, NULL, "131 GB", say, sizeof say), CARD_WRONG);
    assert_string_equal(say, "Far off.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_digits_of_a_product_are_right),
        cmocka_unit_test(kib_are_no_kb_and_far_off_is_said),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}

/* Cards and machines are told apart; neither is named. */
#include "kernels/runner/origin.h"

#include "tests/unit.h"

static const char machine[] = "3d1219c7c4c5404aaa1f6d2a48adfda4", card[] = "GPU-1b2c3d4e";

static void digits_tell_machines_and_cards_apart(void **state)
{
    char here[17], again[17], other_card[17], other_machine[17], neither[17];
    origin_make(here, machine, card);
    origin_make(again, machine, card);
    origin_make(other_card, machine, "GPU-1b2c3d4f");
    origin_make(other_machine, "", card);
    origin_make(neither, "", "");
    assert_int_equal(strspn(here, "0123456789abcdef"), 16);
    assert_string_equal(here, again);
    assert_string_not_equal(here, other_card);
    assert_string_not_equal(here, other_machine);
    assert_string_not_equal(other_machine, neither);
}

static void what_belongs_to_machine_and_card_is_not_mixed_up(void **state)
{
    char one[17], two[17];
    origin_make(one, "ab", "c");
    origin_make(two, "a", "bc");
    assert_string_not_equal(one, two);
}

static void nothing_of_the_ids_is_shown(void **state)
{
    char out[17];
    origin_make(out, machine, card);
    for (size_t i = 0; i + 6 <= strlen(machine); i++) {
        char part[7] = "";
        memcpy(part, machine + i, 6);
        assert_null(strstr(out, part));
    }
}

static void this_machine_has_one(void **state)
{
    char out[17], again[17];
    origin_here(out, card);
    origin_here(again, card);
    assert_int_equal(strlen(out), 16);
    assert_string_equal(out, again);
    origin_here(out, "");
    assert_int_equal(strlen(out), 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_tell_machines_and_cards_apart),
        cmocka_unit_test(what_belongs_to_machine_and_card_is_not_mixed_up),
        cmocka_unit_test(nothing_of_the_ids_is_shown),
        cmocka_unit_test(this_machine_has_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

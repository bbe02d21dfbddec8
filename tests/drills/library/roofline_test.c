/* Workloads on a roofline: ten wrong places are each named, letters tell nothing, what is read is put. */
#include <math.h>

#include "drills/figure/roofline.h"
#include "scenarios/formula/quantity.h"
#include "tests/drills/library/shipped.h"
#include "tests/unit.h"

static const struct figure_data *figure(void)
{
    return library_figure(&library, "roofline-h100");
}

static void wrong_places_are_named(void **state)
{
    static const struct { const char *text; enum roofline_fault fault; const char *says; } wrong[] = {
        {"b 8", PLACED_NOWHERE, "a is not placed; it has 1 flop/B"},
        {"a 2", PLACED_FAR, "a at 2 flop/B: it has 1, 2.0 times less"},
        {"a 1000", PLACED_SIDE, "a at 1000 is right of its ridge, 295; it has 1: memory"},
        {"b 1", PLACED_FAR, "b at 1 flop/B: it has 8, 8.0 times more"},
        {"b 300", PLACED_SIDE, "b at 300 is right of its ridge, 295"},
        {"c 85", PLACED_FAR, "c at 85 flop/B: it has 171, 2.0 times more"},
        {"c 600", PLACED_SIDE, "c at 600 is right of its ridge, 591; it has 171: memory"},
        {"d 600", PLACED_SIDE, "d at 600 is right of its ridge, 591; it has 455: memory"},
        {"d 170", PLACED_FAR, "2.7 times more"},
        {"e 256", PLACED_SIDE, "e at 256 is left of its ridge, 295; it has 512: compute"},
        {"e 2000", PLACED_FAR, "3.9 times less"},
        {"f 500", PLACED_SIDE, "f at 500 is left of its ridge, 591; it has 5461: compute"},
        {"f 20000", PLACED_FAR, "3.7 times less"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct roofline r;
        struct err err = {0};
        char why[160];
        int letter = i ? wrong[i].text[0] - 'a' : 0;
        roofline_make(&r, figure(), NULL);
        assert_int_equal(roofline_read(&r, wrong[i].text, &err), 0);
        enum roofline_fault fault = roofline_judge(&r, letter, why, sizeof why);
        if (fault != wrong[i].fault || !strstr(why, wrong[i].says))
            fail_msg("'%s': %s: %s", wrong[i].text, roofline_faults[fault], why);
    }
}

/* Near is right, as near as it may be; the known places are. */
static void near_is_right(void **state)
{
    struct roofline r, known;
    struct err err = {0};
    for (uint64_t seed = 0; seed < 20; seed++) {
        roofline_make(&r, figure(), &seed);
        assert_int_equal(roofline_right(&r), 0);
        roofline_known(&known, &r);
        assert_int_equal(roofline_right(&known), 6);
    }
    roofline_make(&r, figure(), NULL);
    assert_int_equal(roofline_read(&r, "a 1.49,b 5.4, c 120 d 580 e 700 f 8000", &err), 0);
    assert_int_equal(roofline_right(&r), 6);
}

static void letters_follow_the_seed(void **state)
{
    int first[6] = {0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct roofline r, again;
        roofline_make(&r, figure(), &seed);
        roofline_make(&again, figure(), &seed);
        assert_memory_equal(r.point, again.point, sizeof r.point);
        first[r.point[0]]++;
    }
    for (int i = 0; i < 6; i++)
        assert_in_range(first[i], 10, 80);
}

static void what_memory_sets_follows_the_roof(void **state)
{
    struct roofline r;
    bool memory;
    roofline_make(&r, figure(), NULL);
    assert_float_equal(roofline_rate(&r, 2, 100, &memory), 335e12, 1e9);
    assert_true(memory);
    assert_float_equal(roofline_rate(&r, 4, 400, &memory), 989e12, 1e9);
    assert_false(memory);
    assert_float_equal(roofline_rate(&r, 2, 400, &memory), 1340e12, 1e9);
    assert_true(memory);
}

static void what_is_no_place_is_not_read(void **state)
{
    static const char *const bad[] = {"g 1", "1", "a", "a x", "a -1", "a 0", "a 1e30", "a nan", "A 1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct roofline r;
        struct err err = {0};
        roofline_make(&r, figure(), NULL);
        assert_true(roofline_read(&r, bad[i], &err) < 0);
        assert_true(*err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_places_are_named),
        cmocka_unit_test(near_is_right),
        cmocka_unit_test(letters_follow_the_seed),
        cmocka_unit_test(what_memory_sets_follows_the_roof),
        cmocka_unit_test(what_is_no_place_is_not_read),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}

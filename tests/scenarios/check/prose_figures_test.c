/* Figures in prose: what is one, which unit it has, and the sums before "=". */
#include "scenarios/check/prose_figures.h"
#include "tests/unit.h"

/* `want`: the figures, "|" behind each. */
static void expect(const char *text, const char *want)
{
    struct figure_said *said;
    char got[512] = "";
    int n = figures_said(&said, text, strlen(text));
    for (int i = 0; i < n; i++) {
        strcat(got, said[i].text);
        strcat(got, "|");
    }
    free(said);
    assert_string_equal(got, want);
}

static void numbers_with_a_unit_are_figures(void **state)
{
    expect("It takes 3.42 ms, 57 % of it waiting.", "3.42 ms|57 %|");
    expect("1,720 MB at 4.30 TB/s and 243 registers", "1,720 MB|4.30 TB/s|243 registers|");
    expect("36 %\nat 1.98 GHz.", "36 %|1.98 GHz|");
    expect("an H200 has 132 SMs, sm_90, #1037 and 12.5", "");
    expect("9ms", "9 ms|");
}

static void a_product_is_no_factor(void **state)
{
    expect("tiles of 64 x 64, 2.1 x as long, 3 times", "2.1 x|3 times|");
}

static void lists_and_ranges_share_their_unit(void **state)
{
    expect("0.288, 0.460\nand 0.750 ms", "0.288 ms|0.460 ms|0.750 ms|");
    expect("2.5 to 3.9 times", "2.5 times|3.9 times|");
    expect("with 4100, 0.232 to 0.237 ms", "0.232 ms|0.237 ms|");
    expect("3.42 ms against 0.914, 3.7 times", "3.42 ms|3.7 times|");
}

static void what_evidence_fills_in_is_none(void **state)
{
    expect("{{2 * suspect.time / 1 ms}} and 3 ms", "3 ms|");
    expect("{{ 3 ms", "3 ms|");
    expect("{{2 us}}{{3 us}}", "");
    expect("{{time}}{{time / 2 us}} and 4 us", "4 us|");
}

static struct figure_said only(const char *text)
{
    struct figure_said *said, one;
    int n = figures_said(&said, text, strlen(text));
    assert_true(n > 0);
    one = said[n - 1];
    free(said);
    return one;
}

static void digits_say_how_near(void **state)
{
    struct figure_said f = only("3.42 ms");
    assert_true(figure_agrees(&f, 3.4249e-3) && figure_agrees(&f, 3.4155e-3));
    assert_false(figure_agrees(&f, 3.427e-3));
    f = only("650 ns");
    assert_true(figure_agrees(&f, 654e-9));
    assert_false(figure_agrees(&f, 657e-9));
    f = only("57 %");
    assert_true(figure_agrees(&f, 0.574));
    assert_false(figure_agrees(&f, 0.58));
}

static bool is_sum(const char *text)
{
    struct figure_said f = only(text);
    return figure_is_sum(&f, text);
}

static void sums_come_out(void **state)
{
    assert_true(is_sum("The scores are 32 x 4096 x 4096 x 4 B = 2.15 GB"));
    assert_true(is_sum("asks for 4.8 TB/s x 650 ns / 132 SMs = 24 KB"));
    assert_true(is_sum("2 x 1,720 MB\n= 3.44 GB"));
    assert_false(is_sum("The scores are 32 x 4096 x 4096 x 4 B = 2.25 GB"));
    assert_true(is_sum("take 64 x 63e6 / 32 / 132 x 4 / 1.98 GHz = 1.9 ms"));
    assert_false(is_sum("= 2.15 GB"));
    assert_false(is_sum("a page = 4 KiB"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_with_a_unit_are_figures),
        cmocka_unit_test(a_product_is_no_factor),
        cmocka_unit_test(lists_and_ranges_share_their_unit),
        cmocka_unit_test(what_evidence_fills_in_is_none),
        cmocka_unit_test(digits_say_how_near),
        cmocka_unit_test(sums_come_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

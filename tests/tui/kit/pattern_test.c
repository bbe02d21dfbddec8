/* What is searched for in texts: letters of either size, bad bytes, patterns longer than texts. */
#include "tests/unit.h"
#include "tui/kit/pattern.h"

static int where(const char *pattern, const char *text)
{
    struct pattern p;
    pattern_set(&p, pattern);
    return pattern_in_text(&p, text);
}

static void letters_of_either_size(void **state)
{
    assert_int_equal(where("smem", "extern SMEM[]"), 7);
    assert_int_equal(where("SMEM", "extern smem[]"), 7);
    assert_int_equal(where("n[", "extern smem[]"), -1);
    assert_int_equal(where("aab", "aaab"), 1);
    assert_int_equal(where("", "anything"), -1);
    assert_int_equal(where("a", ""), -1);
}

static void characters_are_counted_and_bad_bytes_are_one_each(void **state)
{
    assert_int_equal(where("µs", "—— 3 µs"), 5);
    assert_int_equal(where("x", "\xff\xfe\xc3x"), 3);
    assert_int_equal(where("\xff\xff", "nothing of the kind"), -1);
}

static void a_long_pattern_is_cut(void **state)
{
    size_t n = 100000;
    char *text = malloc(n + 1);
    memset(text, 'a', n);
    text[n] = '\0';
    struct pattern p;
    pattern_set(&p, text);
    assert_int_equal(p.n, PATTERN_MOST);
    assert_int_equal(pattern_in_text(&p, text), 0);
    assert_int_equal(pattern_in_text(&p, text + n - PATTERN_MOST + 1), -1);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_of_either_size),
        cmocka_unit_test(characters_are_counted_and_bad_bytes_are_one_each),
        cmocka_unit_test(a_long_pattern_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

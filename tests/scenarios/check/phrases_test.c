/* Phrases in texts: who has which, and that the work grows with the text, not with its square. */
#include "kernels/wire/text.h"
#include "scenarios/check/phrases.h"
#include "tests/unit.h"

static int add(struct phrases *p, const char *s)
{
    return phrases_add(p, s, strlen(s));
}

static void reads(struct phrases *p, const char *s, int who)
{
    phrases_read(p, s, strlen(s), who);
}

static void phrases_have_owners(void **state)
{
    struct phrases *p = phrases_new();
    int hers = add(p, "she"), he = add(p, "he"), tail = add(p, "ushers"), twice = add(p, "he");
    int both = add(p, "h"), none = add(p, "shy"), empty = add(p, "");
    reads(p, "ushe", 0);
    reads(p, "", 1);
    reads(p, "ash", 2);
    assert_int_equal(phrases_owner(p, hers), 0);
    assert_int_equal(phrases_owner(p, he), 0);
    assert_int_equal(phrases_owner(p, twice), 0);
    assert_int_equal(phrases_owner(p, both), PHRASE_SHARED);
    assert_int_equal(phrases_owner(p, tail), PHRASE_NOBODYS);
    assert_int_equal(phrases_owner(p, none), PHRASE_NOBODYS);
    assert_int_equal(phrases_owner(p, empty), PHRASE_NOBODYS);
    phrases_free(p);
}

static void a_text_of_one_owner_may_be_in_parts(void **state)
{
    struct phrases *p = phrases_new();
    int a = add(p, "one"), b = add(p, "two"), cut = add(p, "onetwo");
    reads(p, "one", 3);
    reads(p, "two", 3);
    assert_int_equal(phrases_owner(p, a), 3);
    assert_int_equal(phrases_owner(p, b), 3);
    assert_int_equal(phrases_owner(p, cut), PHRASE_NOBODYS);
    phrases_free(p);
}

static void nothing_is_found_where_nothing_was_read(void **state)
{
    struct phrases *p = phrases_new();
    int a = add(p, "one");
    assert_int_equal(phrases_owner(p, a), PHRASE_NOBODYS);
    phrases_free(p);
    phrases_free(NULL);
}

/* The same as strstr finds, for all texts of few letters. */
static void it_finds_what_strstr_finds(void **state)
{
    enum { LONGEST = 6, ALL = 1 << (LONGEST + 1) };
    char text[4][64] = {"abbabaabbaababba", "aaaaabaaab", "bbbb", ""};
    for (int t = 0; t < 4; t++) {
        struct phrases *p = phrases_new();
        char phrase[ALL][LONGEST + 1];
        int n = 0;
        for (int len = 1; len <= LONGEST; len++)
            for (int bits = 0; bits < 1 << len; bits++, n++) {
                for (int i = 0; i < len; i++)
                    phrase[n][i] = "ab"[bits >> i & 1];
                phrase[n][len] = '\0';
                assert_int_equal(add(p, phrase[n]), n);
            }
        reads(p, text[t], 5);
        for (int i = 0; i < n; i++)
            assert_int_equal(phrases_owner(p, i), strstr(text[t], phrase[i]) ? 5 : PHRASE_NOBODYS);
        phrases_free(p);
    }
}

static size_t steps_of(int lines, const char *format)
{
    struct phrases *p = phrases_new();
    char *text = mem_new((size_t)lines * 32, 1), *end = text;
    for (int i = 0; i < lines; i++) {
        char line[32];
        snprintf(line, sizeof line, format, i);
        add(p, line);
        end += snprintf(end, 32, format, i + lines);
    }
    phrases_read(p, text, (size_t)(end - text), 0);
    phrases_owner(p, 0);
    size_t steps = phrases_steps(p);
    phrases_free(p);
    free(text);
    return steps;
}

static void work_grows_with_the_text(void **state)
{
    static const char *const formats[] = {"int v%07d = 5;", "aaaaaaaa%07d", "%07daaaaaaaa"};
    for (int i = 0; i < 3; i++)
        assert_true(steps_of(20000, formats[i]) < 12 * steps_of(2000, formats[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phrases_have_owners),
        cmocka_unit_test(a_text_of_one_owner_may_be_in_parts),
        cmocka_unit_test(nothing_is_found_where_nothing_was_read),
        cmocka_unit_test(it_finds_what_strstr_finds),
        cmocka_unit_test(work_grows_with_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Markdown as lines of a terminal. */
#include "tui/kit/prose.h"

#include <locale.h>

#include "tests/unit.h"
#include "tui/kit/draw.h"

static void check(const char *markdown, int width, const char *expect)
{
    struct prose p;
    char got[2048] = "";
    prose_make(&p, markdown, width);
    for (int k = 0; k < p.n; k++) {
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s\n", p.line[k].text);
        assert_true(draw_columns(p.line[k].text) <= width || p.line[k].style == STYLE_ACCENT);
    }
    prose_free(&p);
    assert_string_equal(got, expect);
}

static void wraps_paragraphs(void **state)
{
    check("", 40, "");
    check("one two three four", 9, "one two\nthree\nfour\n");
    check("one\ntwo\n\nthree\n", 40, "one two\n\nthree\n");
    check("an *emphatic* and `coded` word", 40, "an emphatic and coded word\n");
}

static void cuts_words_that_do_not_fit(void **state)
{
    check("abcdefghijkl mn", 5, "abcde\nfghij\nkl mn\n");
    check("äöüäöüäöü", 4, "äöüä\nöüäö\nü\n");
}

static void headings_lists_and_code(void **state)
{
    struct prose p;
    check("# Why\n\nBecause.\n", 40, "Why\n\nBecause.\n");
    check("- one two three\n- four\n", 9, "- one two\n  three\n- four\n");
    check("3. a\n4. b\n", 40, "3. a\n4. b\n");
    check("- a\n  - b\n", 40, "- a\n  - b\n");
    check("text\n\n```c\nint a;\n  b();\n```\n\nmore\n", 40,
          "text\n\n  int a;\n    b();\n\nmore\n");
    prose_make(&p, "# Why\n", 40);
    assert_int_equal(p.line[0].style, STYLE_BOLD);
    prose_free(&p);
}

static void lists_and_what_belongs_to_them(void **state)
{
    check("Two:\n- a\n- b\n", 40, "Two:\n\n- a\n- b\n");
    check("- a\n\n- b\n\nafter\n", 40, "- a\n- b\n\nafter\n");
    check("- a\n\n  more of a\n\nafter\n", 40, "- a\n\n  more of a\n\nafter\n");
    check("- a\ngoes on\n", 40, "- a goes on\n");
    check("1. a\n   - b\n2. c\n", 40, "1. a\n  - b\n2. c\n");
    check("9. a\n9. b\n", 40, "9. a\n10. b\n");
    check("- a\n1. b\n", 40, "- a\n1. b\n");
    check("a size of\n2048. And so on\n", 40, "a size of 2048. And so on\n");
    check("- a\n  ```\n  x\n    y\n  ```\n", 40, "- a\n\n  x\n    y\n");
    check("          - far in\n", 40, "- far in\n");
}

/* Code is full of stars and underscores, and most of them mean nothing else. */
static void marks_inside_a_line(void **state)
{
    check("**strong**, *one* and (*two*) **a *b* c**", 60, "strong, one and (two) a b c\n");
    check("2 * 3 * 4, a*b*c, *p = *q, **", 60, "2 * 3 * 4, a*b*c, *p = *q, **\n");
    check("`*p` and *the `a * b`* of `__shared__`", 60, "*p and the a * b of __shared__\n");
    check("a ` alone and snake_case_name", 60, "a ` alone and snake_case_name\n");
    check("*never closed\n\n*closed*\n", 60, "*never closed\n\nclosed\n");
    check("*over\ntwo lines*", 60, "over two lines\n");
    check("``", 60, "");
}

static void what_else_markdown_has_is_text(void **state)
{
    check("<b>bold</b> & <script> &lt;", 60, "<b>bold</b> & <script> &lt;\n");
    check("> quoted [a](b) ![c](d)\n", 60, "> quoted [a](b) ![c](d)\n");
    check("#hash\n#\n####### seven\n", 60, "#hash # ####### seven\n");
    check("-no item\n- \n1.none\n", 60, "-no item - 1.none\n");
    check("```\nnever closed", 60, "  never closed\n");
}

/* Of each kind of text a megabyte: work that grows with its square would outlast every test. */
static void a_megabyte_takes_one_pass(void **state)
{
    enum { SIZE = 1 << 20 };
    static const char *const pieces[] =
        {"w", "*a ",      "a* ",          "**a *b ",   "`",        "a`", "\n",
         "#", "# a\n",    "- a\n",        "  - a\n",   "1. a\n",   "*",  "```\n",
         " ", "\xCC\x81", "\xE5\xAD\x97", "\xCC\x81 ", "a\xCC\x81"};
    char *text = malloc(SIZE + 1);
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        size_t n = strlen(pieces[k]), len = SIZE / n * n;
        struct prose p;
        for (size_t at = 0; at < len; at += n)
            memcpy(text + at, pieces[k], n);
        text[len] = '\0';
        for (int width = 3; width < 1000; width += 400) {
            prose_make(&p, text, width);
            prose_free(&p);
        }
    }
    free(text);
}

static void kept_for_its_width(void **state)
{
    struct prose p = { 0 };
    const struct prose_line *line = prose_at(&p, "one two", 40)->line;
    assert_ptr_equal(prose_at(&p, "one two", 40)->line, line);
    assert_int_equal(p.n, 1);
    assert_int_equal(prose_at(&p, "one two", 4)->n, 2);
    prose_free(&p);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wraps_paragraphs),
        cmocka_unit_test(cuts_words_that_do_not_fit),
        cmocka_unit_test(headings_lists_and_code),
        cmocka_unit_test(lists_and_what_belongs_to_them),
        cmocka_unit_test(marks_inside_a_line),
        cmocka_unit_test(what_else_markdown_has_is_text),
        cmocka_unit_test(a_megabyte_takes_one_pass),
        cmocka_unit_test(kept_for_its_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

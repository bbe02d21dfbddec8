/* Markdown as lines of a terminal. */
#include "tui/kit/prose.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

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
    (void)state;
    check("", 40, "");
    check("one two three four", 9, "one two\nthree\nfour\n");
    check("one\ntwo\n\nthree\n", 40, "one two\n\nthree\n");
    check("an *emphatic* and `coded` word", 40, "an emphatic and coded word\n");
    check("a &lt; b &amp; c", 40, "a < b & c\n");
}

static void cuts_words_that_do_not_fit(void **state)
{
    (void)state;
    check("abcdefghijkl mn", 5, "abcde\nfghij\nkl mn\n");
    check("äöüäöüäöü", 4, "äöüä\nöüäö\nü\n");
}

static void headings_lists_and_code(void **state)
{
    struct prose p;
    (void)state;
    check("# Why\n\nBecause.\n", 40, "Why\n\nBecause.\n");
    check("- one two three\n- four\n", 9, "- one two\n  three\n- four\n");
    check("3. a\n4. b\n", 40, "3. a\n4. b\n");
    check("- a\n  - b\n", 40, "- a\n  - b\n");
    check("text\n\n```c\nint a;\n  b();\n```\n\nmore\n", 40, "text\n\n  int a;\n    b();\n\nmore\n");
    prose_make(&p, "# Why\n", 40);
    assert_int_equal(p.line[0].style, STYLE_BOLD);
    prose_free(&p);
}

static void html_is_text(void **state)
{
    (void)state;
    check("<b>bold</b> & <script>", 60, "<b>bold</b> & <script>\n");
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wraps_paragraphs), cmocka_unit_test(cuts_words_that_do_not_fit), cmocka_unit_test(headings_lists_and_code),
        cmocka_unit_test(html_is_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

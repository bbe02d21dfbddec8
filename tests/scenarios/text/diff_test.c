/* Lines lost and gained between two sources. */
#include "scenarios/text/diff.h"

#include "tests/unit.h"

/* "-a +b  c": one mark and text per line. */
static void check(const char *old_text, const char *new_text, const char *expect)
{
    struct diff d;
    char got[2048] = "";
    diff_make(&d, old_text, new_text);
    for (int k = 0; k < d.n; k++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%c%.*s\n", " -+"[d.line[k].kind],
                 (int)d.line[k].len, d.line[k].text);
    diff_free(&d);
    assert_string_equal(got, expect);
}

static void finds_changes(void **state)
{
    check("", "", "");
    check("a\nb\nc\n", "a\nb\nc\n", " a\n b\n c\n");
    check("a\nb\nc\n", "a\nx\nc\n", " a\n-b\n+x\n c\n");
    check("a\nc\n", "a\nb\nc\n", " a\n+b\n c\n");
    check("a\nb\nc", "a\nc", " a\n-b\n c\n");
    check("", "a\n", "+a\n");
    check("a\n", "", "-a\n");
    check("one\na\nb\nc\nd\n", "a\nb\nx\nc\nd\ntwo\n", "-one\n a\n b\n+x\n c\n d\n+two\n");
}

static void blanks_at_line_ends_do_not_count(void **state)
{
    check("a  \nb\t\n", "a\nb\n", " a\n b\n");
}

static void leading_comments_are_left_out(void **state)
{
    struct diff d;
    check("// a suspect\nint a;\n", "/* a fix\n * tried: three things */\n\nint a;\n", " int a;\n");
    diff_make(&d, "// one\nint a;\n", "/* one\n two */\nint b;\n");
    assert_int_equal(d.n, 2);
    assert_int_equal(d.line[0].old_line, 2);
    assert_int_equal(d.line[1].new_line, 3);
    assert_int_equal(d.out, 1);
    assert_int_equal(d.in, 1);
    diff_free(&d);
}

static void a_text_of_comments_alone_is_kept(void **state)
{
    int line;
    assert_int_equal(diff_body("// only\n", &line), 0);
    assert_int_equal(line, 1);
}

static void near_a_change(void **state)
{
    struct diff d;
    diff_make(&d, "a\nb\nc\nd\ne\n", "a\nb\nX\nd\ne\n");
    assert_int_equal(d.n, 6);
    assert_false(diff_near(&d, 0, 1));
    assert_true(diff_near(&d, 1, 1));
    assert_true(diff_near(&d, 2, 0));
    assert_false(diff_near(&d, 5, 1));
    diff_free(&d);
}

/* `head`, then `piece` n times. */
static char *long_text(const char *head, const char *piece, size_t n)
{
    size_t begin = strlen(head), len = strlen(piece);
    char *text = malloc(begin + n * len + 1);
    memcpy(text, head, begin);
    for (size_t k = 0; k < n; k++)
        memcpy(text + begin + k * len, piece, len);
    text[begin + n * len] = '\0';
    return text;
}

/* A line of a comment is looked through once, not the comment's rest: this would take hours. */
static void a_comment_of_a_million_lines(void **state)
{
    int line;
    char *text = long_text("/*", "\n", 1000000);
    assert_int_equal(diff_body(text, &line), 0);
    free(text);
}

/* Lines are compared as numbers, not letter by letter in each cell of the table. */
static void long_lines_that_are_nearly_equal(void **state)
{
    enum { LINES = 1500, LETTERS = 600 };
    char *texts[2], *letters = long_text("", "x", LETTERS);
    struct diff d;
    for (int side = 0; side < 2; side++) {
        char *to = texts[side] = malloc(LINES * (LETTERS + 8) + 1);
        for (int k = 0; k < LINES; k++)
            to += sprintf(to, "%s%06d\n", letters, 2 * k + side);
    }
    diff_make(&d, texts[0], texts[1]);
    assert_int_equal(d.out, LINES);
    assert_int_equal(d.in, LINES);
    diff_free(&d);
    free(texts[0]);
    free(texts[1]);
    free(letters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_changes),
        cmocka_unit_test(blanks_at_line_ends_do_not_count),
        cmocka_unit_test(leading_comments_are_left_out),
        cmocka_unit_test(a_text_of_comments_alone_is_kept),
        cmocka_unit_test(near_a_change),
        cmocka_unit_test(a_comment_of_a_million_lines),
        cmocka_unit_test(long_lines_that_are_nearly_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Canvases: what is drawn lands in cells, travels as JSON, and cannot bring anything that is no
 * text. */
#include "tui/kit/canvas.h"

#include <locale.h>

#include "tests/unit.h"

static struct canvas *drawn(int rows, int columns)
{
    struct canvas *c = canvas_new(rows, columns);
    draw_onto(c);
    draw_clear();
    draw_text(0, 0, columns, STYLE_BOLD, "warpdrill · 8192 × 8192");
    draw_bar(1, 2, 10, 0.33, true, STYLE_ACCENT);
    draw_right(2, columns, 8, STYLE_BAD, "7.0 x");
    draw_span(3, 0, 10, 0.31, 0.72, STYLE_GOOD);
    draw_cursor(2, 3);
    draw_onto(NULL);
    return c;
}

static void test_drawing_lands_in_cells(void **state)
{
    struct canvas *c = drawn(5, 30);
    char *text = canvas_text(c);
    int y, x;
    assert_true(!strncmp(text, "warpdrill · 8192 × 8192\n", strlen("warpdrill · 8192 × 8192\n")));
    assert_non_null(strstr(text, "7.0 x\n"));
    assert_int_equal(canvas_cell(c, 0, 0)->style, STYLE_BOLD);
    assert_true(canvas_cursor_wanted(c, &y, &x));
    assert_int_equal(y * 100 + x, 203);
    free(text);
    canvas_free(c);
}

static void test_what_is_outside_is_cut(void **state)
{
    struct canvas *c = canvas_new(3, 6);
    canvas_put(c, 0, 4, L"abcdef", 6, STYLE_PLAIN, false);
    canvas_put(c, 7, 0, L"below", 5, STYLE_PLAIN, false);
    canvas_put(c, -1, 0, L"above", 5, STYLE_PLAIN, false);
    char *text = canvas_text(c);
    assert_string_equal(text, "    ab\n\n\n");
    free(text);
    canvas_free(c);
}

static void test_wide_characters_are_whole_or_gone(void **state)
{
    struct canvas *c = canvas_new(1, 6);
    canvas_put(c, 0, 0, L"核心", 2, STYLE_PLAIN, false);
    assert_true(canvas_cell(c, 0, 1)->tail);
    canvas_put(c, 0, 1, L"x", 1, STYLE_PLAIN, false);      /* overwrites half of the first */
    canvas_put(c, 0, 5, L"核", 1, STYLE_PLAIN, false);     /* has no room */
    char *text = canvas_text(c);
    assert_string_equal(text, " x心\n");
    free(text);
    canvas_put(c, 0, 4, L"e\u0301", 2, STYLE_PLAIN, false); /* an accent joins its letter */
    assert_int_equal(canvas_cell(c, 0, 4)->n, 2);
    canvas_free(c);
}

static void test_json_brings_the_same_picture(void **state)
{
    struct canvas *c = drawn(5, 30), *there = canvas_new(2, 2), *before = canvas_new(1, 1);
    struct err err;
    json_t *all = canvas_encode(c, NULL);
    assert_int_equal(canvas_decode(there, all, &err), 0);
    assert_true(canvas_equal(c, there));
    canvas_copy(before, c);
    canvas_put(c, 4, 0, L"核心 e\u0301", 5, STYLE_SELECTED, true);
    canvas_cursor(c, -1, 0);
    json_t *news = canvas_encode(c, before);
    assert_int_equal(json_array_size(json_object_get(news, "lines")),
                     1); /* the row that changed, alone */
    assert_int_equal(canvas_decode(there, news, &err), 0);
    assert_true(canvas_equal(c, there));
    json_decref(all);
    json_decref(news);
    canvas_free(c);
    canvas_free(there);
    canvas_free(before);
}

static void test_nothing_else_comes_through(void **state)
{
    static const char *const bad[] = {
        "{}",
        "{\"rows\":0,\"columns\":5,\"lines\":[]}",
        "{\"rows\":201,\"columns\":5,\"lines\":[]}",
        "{\"rows\":5,\"columns\":401,\"lines\":[]}",
        "{\"rows\":5,\"columns\":5,\"lines\":7}",
        "{\"rows\":5,\"columns\":5,\"lines\":[7]}",
        "{\"rows\":5,\"columns\":5,\"lines\":[[5]]}",
        "{\"rows\":5,\"columns\":5,\"lines\":[[-1]]}",
        "{\"rows\":5,\"columns\":5,\"lines\":[[0,[5,0,\"a\"]]]}",
        "{\"rows\":5,\"columns\":5,\"lines\":[[0,[0,16,\"a\"]]]}",
        "{\"rows\":5,\"columns\":5,\"lines\":[[0,[0,0,7]]]}",
        "{\"rows\":5,\"columns\":5,\"lines\":[[0,[0,0,\"\\u001b[2J\"]]]}",
        "{\"rows\":5,\"columns\":5,\"lines\":[[0,[0,0,\"\\u009b2J\"]]]}",
        "{\"rows\":5,\"columns\":5,\"lines\":[],\"cursor\":[5,0]}",
        "{\"rows\":5,\"columns\":5,\"lines\":[],\"cursor\":[0]}",
        "{\"rows\":5,\"columns\":5,\"lines\":[[0,[0,0,\"a\",1]]]}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct canvas *c = drawn(5, 30), *same = drawn(5, 30);
        struct err err;
        json_t *j = json_loads(bad[i], 0, NULL);
        assert_non_null(j);
        if (canvas_decode(c, j, &err) == 0)
            fail_msg("taken: %s", bad[i]);
        assert_true(canvas_equal(c, same));
        json_decref(j);
        canvas_free(c);
        canvas_free(same);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drawing_lands_in_cells),
        cmocka_unit_test(test_what_is_outside_is_cut),
        cmocka_unit_test(test_wide_characters_are_whole_or_gone),
        cmocka_unit_test(test_json_brings_the_same_picture),
        cmocka_unit_test(test_nothing_else_comes_through),
    };
    setlocale(LC_ALL, "C.UTF-8");
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What draw puts into cells: clipping, cleaning, wrapping, bars and charts. ncurses writes to
 * nowhere; its cells are read back. */
#include <math.h>

#include "tests/tui/cells.h"
#include "tests/unit.h"
#include "tui/kit/charts.h"
#include "tui/kit/layout.h"

enum { ROWS = 40 };

static int set_up(void **state)
{
    return cells_begin("40", "120");
}

static bool anywhere(const char *what)
{
    for (int y = 0; y < LINES; y++)
        if (strstr(row(y), what))
            return true;
    return false;
}

static void text_is_clipped(void **state)
{
    draw_clear();
    assert_int_equal(draw_text(0, 0, 5, STYLE_PLAIN, "abcdefgh"), 5);
    assert_string_equal(row(0), "abcd…");
    assert_int_equal(draw_text(1, 0, 8, STYLE_PLAIN, "abcdefgh"), 8);
    assert_string_equal(row(1), "abcdefgh");
    assert_int_equal(draw_text(2, 118, 50, STYLE_PLAIN, "abc"), 2);
    assert_int_equal(draw_text(-1, 0, 5, STYLE_PLAIN, "abc"), 0);
    assert_int_equal(draw_text(0, -1, 5, STYLE_PLAIN, "abc"), 0);
    assert_int_equal(draw_text(ROWS, 0, 5, STYLE_PLAIN, "abc"), 0);
    assert_int_equal(draw_text(3, 0, -4, STYLE_PLAIN, "abc"), 0);
    assert_string_equal(row(3), "");
}

static void wide_and_joined_characters_count_as_columns(void **state)
{
    draw_clear();
    assert_int_equal(draw_columns("日本"), 4);
    assert_int_equal(draw_columns("e\314\201"), 1);
    assert_int_equal(draw_text(0, 0, 3, STYLE_PLAIN, "日本"), 3);
    assert_string_equal(row(0), "日…");
    assert_int_equal(draw_text(1, 0, 5, STYLE_PLAIN, "\314\201x"), 1);
    draw_right(2, 10, 10, STYLE_PLAIN, "日本");
    assert_string_equal(row(2), "      日本");
}

static void foreign_text_cannot_leave_its_cells(void **state)
{
    draw_clear();
    draw_text(0, 0, 40, STYLE_PLAIN, "a\033[2Jb\nc\td\177\377");
    assert_string_equal(row(0), "a?[2Jb c d??");
}

/* What has no room ends at a word, and says that there is more. */
static void an_opening_ends_at_a_word(void **state)
{
    struct rect r = { 0, 1, 2, 14 };
    draw_clear();
    draw_opening(r, STYLE_PLAIN, "one two three four five six seven", " … more");
    assert_string_equal(row(0), " one two three");
    assert_string_equal(row(1), " four … more");
    assert_string_equal(row(2), "");
    draw_clear();
    draw_opening(r, STYLE_PLAIN, "one two three four five", " … more");
    assert_string_equal(row(1), " four five");
    draw_opening((struct rect){ 3, 1, 0, 14 }, STYLE_PLAIN, "one", " … more");
    assert_string_equal(row(3), "");
}

static void words_are_wrapped(void **state)
{
    struct rect r = { 0, 2, 3, 10 };
    draw_clear();
    assert_int_equal(draw_wrapped(r, 0, STYLE_PLAIN, "one two three four\n\nabcdefghijklmno"), 5);
    assert_string_equal(row(0), "  one two");
    assert_string_equal(row(1), "  three four");
    assert_string_equal(row(2), "");
    assert_string_equal(row(3), "");
    draw_clear();
    assert_int_equal(draw_wrapped(r, 3, STYLE_PLAIN, "one two three four\n\nabcdefghijklmno"), 5);
    assert_string_equal(row(0), "  abcdefghij");
    assert_string_equal(row(1), "  klmno");
    assert_int_equal(draw_wrapped((struct rect){ 0, 0, 3, 1 }, 0, STYLE_PLAIN, "日本"), 2);
    assert_int_equal(draw_wrapped((struct rect){ 0, 0, 3, 0 }, 0, STYLE_PLAIN, "abc"), 0);
}

static void bars_count_eighths(void **state)
{
    draw_clear();
    draw_bar(0, 0, 4, 0.5, false, STYLE_PLAIN);
    assert_string_equal(row(0), "██");
    draw_bar(1, 0, 4, 0.001, true, STYLE_PLAIN);
    assert_string_equal(row(1), "▏···");
    draw_bar(2, 0, 4, 7.0, true, STYLE_PLAIN);
    assert_string_equal(row(2), "████");
    draw_bar(3, 0, 4, 0, true, STYLE_PLAIN);
    assert_string_equal(row(3), "····");
    draw_bar(4, 0, 4, NAN, true, STYLE_PLAIN);
    assert_string_equal(row(4), "····");
    draw_bar(5, 0, 4, 0.59375, true, STYLE_PLAIN);
    assert_string_equal(row(5), "██▍·");
}

static void rules_carry_titles(void **state)
{
    draw_clear();
    draw_rule(0, 0, 30, "TITLE", "right");
    assert_string_equal(row(0), "─ TITLE ────────────── right ─");
    draw_rule(1, 0, 10, "TITLE", "too long for this");
    assert_string_equal(row(1), "─ TITLE ──");
}

static void a_roofline_shows_the_point_and_its_units(void **state)
{
    struct roof_point p[] = { { 0.25, 0.9e12, "this kernel", STYLE_ACCENT } };
    draw_clear();
    draw_roofline((struct rect){ 0, 0, 20, 60 }, 4.2e12, 60e12, p, 1);
    assert_true(anywhere("● this kernel"));
    assert_true(anywhere("flop/s"));
    assert_true(anywhere("flop per byte"));
    assert_true(anywhere("60 T"));
    assert_true(anywhere("╱"));
}

static void work_without_arithmetic_has_one_roof(void **state)
{
    struct roof_point p[] = {{0, 0.511e12, "this kernel", STYLE_ACCENT},
                             {0, 4.156e12, "plain copy", STYLE_SECOND}};
    draw_clear();
    draw_roofline((struct rect){ 0, 0, 12, 60 }, 4.156e12, 60e12, p, 2);
    assert_true(anywhere("this kernel  511 GB/s, 12 % of the roof"));
    assert_true(anywhere("roof: a plain copy, 4.16 TB/s"));
}

static void lines_leave_gaps_for_what_is_missing(void **state)
{
    double x[] = { 1, 2, 4, 8, 16 }, y[] = { 10, 20, NAN, 40, 80 };
    struct line_series s = { y, "time", STYLE_ACCENT };
    draw_clear();
    draw_lines((struct rect){ 0, 0, 12, 60 }, x, 5, &s, 1, "n", "ms");
    int marks = 0;
    for (int r = 1; r < 12; r++)
        for (const char *at = row(r); (at = strstr(at, "●")) != NULL; at++)
            marks++;
    assert_int_equal(marks, 4);
    assert_true(anywhere("100"));
    assert_true(anywhere("ms"));
}

/* Round times, evenly apart even where the last is many times the first. */
static void a_time_axis_has_round_times(void **state)
{
    static const struct { double from, to; const char *ticks; int w;
    } rows[] = {
        {50, 1550, "5:00  10:00  15:00  20:00  25:00", 72},
        {62, 118, "1:15  1:30  1:45", 60},
        {0, 5400, "0:00  30:00  60:00  90:00", 60},
        {10, 700, "5:00  10:00", 40},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double x[] = {rows[k].from, (rows[k].from + rows[k].to) / 2, rows[k].to},
               y[] = {10, 20, 80};
        struct line_series s = { y, "theirs", STYLE_ACCENT };
        char ticks[128] = "", *at, *rest;
        draw_clear();
        draw_lines_over_time((struct rect){ 0, 0, 12, rows[k].w }, x, 3, &s, 1, "%");
        assert_true(anywhere("min:s"));
        char line[1024];
        snprintf(line, sizeof line, "%s", row(10));
        for (at = strtok_r(line, " ", &rest); at; at = strtok_r(NULL, " ", &rest))
            snprintf(ticks + strlen(ticks), sizeof ticks - strlen(ticks), "%s%s",
                     *ticks ? "  " : "", at);
        assert_string_equal(ticks, rows[k].ticks);
    }
}

/* No rectangle and no value makes a chart write outside the screen or crash. */
static void charts_survive_any_size(void **state)
{
    double x[] = { 0, 0, 0 }, y[] = { INFINITY, NAN, -1 };
    struct line_series s = { y, NULL, STYLE_PLAIN };
    struct calibration_point far[] = {{-5, 130, true, -20, 300}, {NAN, INFINITY, true, NAN, NAN}};
    int year[53][7] = { { 0, 1, 7, -1, 2147483647, 3, -2147483647 } };
    struct roof_point p[] = {{1e-9, 1e-9, NULL, STYLE_PLAIN},
                             {1e12, 1e30, "far", STYLE_PLAIN},
                             {0, 0, "", STYLE_PLAIN}};
    for (int h = -2; h < 44; h += 3)
        for (int w = -3; w < 130; w += 7) {
            struct rect r = { 1, 1, h, w };
            draw_lines(r, x, 3, &s, 1, NULL, NULL);
            draw_lines_over_time(r, x, 3, &s, 1, NULL);
            draw_roofline(r, 1e12, 1e13, p, 3);
            draw_roofline(r, 1e12, 0, p, 3);
            draw_roofline(r, 0, 0, p, 3);
            draw_calibration(r, NULL, 0);
            draw_calibration(r, far, 2);
            draw_heat(r, year, 53, 20000, "a day");
            draw_heat(r, year, 1, -20000, "");
            draw_range(1, 1, w, -5, 50, 130);
        }
}

/* A day keeps its shade when another one grows. */
static void heat_has_fixed_steps(void **state)
{
    static int year[1][7] = { { 0, 5, 6, 15, 16, 40, 41 } };
    static const char *const shades[7] = { "·", "░", "▒", "▒", "▓", "▓", "█" };
    static const char *const names[7] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };
    for (int busy = 0; busy < 2; busy++) {
        draw_clear();
        draw_heat((struct rect){ 0, 0, 10, 40 }, year, 1, 20000, "a day");
        for (int d = 0; d < 6; d++) {
            assert_non_null(strstr(row(1 + d), names[d]));
            assert_non_null(strstr(row(1 + d), shades[d]));
        }
        assert_non_null(strstr(row(7), "█"));
        assert_non_null(strstr(row(9), "to 5"));
        year[0][6] = 4000;
    }
}

static void a_range_has_its_mean_between(void **state)
{
    draw_clear();
    draw_range(0, 0, 11, 20, 50, 80);
    assert_string_equal(row(0), "··├──●──┤··");
}

static void spans_begin_and_end_in_eighths(void **state)
{
    draw_clear();
    draw_span(0, 0, 8, 0.25, 0.5 + 3 / 64.0, STYLE_PLAIN);
    assert_string_equal(row(0), "  ██▍");
    draw_span(1, 0, 8, 2.25 / 8, 0.5, STYLE_PLAIN); /* from 2/8 of the third cell: its first 2/8
                                                       with colours turned round */
    assert_string_equal(row(1), "  ▎█");
    assert_true(mvinch(1, 2) & A_REVERSE);
    assert_false(mvinch(1, 3) & A_REVERSE);
    draw_span(2, 0, 8, 0.5, 0.5, STYLE_PLAIN);
    assert_string_equal(row(2), "    ▏");                 /* something is never nothing */
    draw_span(3, 0, 8, 1, 1, STYLE_PLAIN);
    assert_string_equal(row(3), "       ▉");
    assert_true(mvinch(3, 7) & A_REVERSE);
    draw_span(4, 0, 8, -1, 9, STYLE_PLAIN);
    assert_string_equal(row(4), "████████");
}

static const struct gantt_row steps[] = {
    {.label = "load", .took = "1.00 ms", .rate = "500 GB/s", .start = 0, .end = 1e-3},
    {.label = "a label longer than there is room for",
     .took = "2.00 ms",
     .start = 1e-3,
     .end = 3e-3,
     .lane = 1},
    {.label = "store", .took = "1.00 ms", .rate = "500 GB/s", .start = 3e-3, .end = 4e-3},
};

static void a_timeline_has_an_axis_and_gives_way(void **state)
{
    draw_clear();
    draw_gantt((struct rect){ 0, 0, 5, 60 }, steps, 3, 4e-3, 1);
    assert_string_equal(row(0), "  load                       0 ███          1.00 ms 500 GB/s");
    assert_string_equal(row(1), "▸ a label longer than there… 1    ██████    2.00 ms");
    draw_clear();
    draw_gantt((struct rect){ 0, 0, 5, 40 }, steps, 3, 4e-3, 1);
    assert_false(anywhere("GB/s"));
    assert_true(anywhere("1.00 ms") && anywhere("0 ms"));
    draw_clear();
    draw_gantt((struct rect){0, 0, 3, 60}, steps, 3, 4e-3,
               2); /* room for one row: the chosen one */
    assert_true(anywhere("store") && anywhere("3-3 of 3"));
    assert_false(anywhere("load"));
}

static void a_timeline_survives_any_size(void **state)
{
    struct gantt_row many[32];
    for (int i = 0; i < 32; i++)
        many[i] = steps[i % 3];
    for (int h = -1; h < 12; h++)
        for (int w = -1; w < 110; w += 3)
            for (int n = 0; n <= 32; n += 16) {
                draw_clear();
                draw_gantt((struct rect){ 1, 1, h, w }, many, n, n % 32 ? 4e-3 : 0, n - 1);
                draw_gantt((struct rect){ 1, 1, h, w }, many, n, 4e-3, n / 2);
                assert_string_equal(row(0), "");
                assert_string_equal(row(h > 0 ? 1 + h : 1), "");
            }
}

static char *ranks[] = {"rank 0", "rank 1"}, *kinds[] = {"forward", "wait", "dot"};
static const struct gantt_block several[] = {
    {0, 0, 0, 4e-3},       {0, 1, 4e-3, 8e-3},          {0, 0, 8e-3, 8.6e-3},
    {1, 0, 0, 6e-3},       {1, 2, 8.00e-3, 8.01e-3},    {1, 1, 8.01e-3, 8.02e-3},
    {1, 2, 10e-3, 10.001e-3},
};
static const struct gantt_blocks blocks = {"rank", ranks, 2, kinds, 3, several, 7};

/* Letters and words tell blocks apart, so that no colour has to; one that is narrower than a column
 * has its letter, and more than one there are said to be several. */
static void blocks_have_letters_words_and_an_axis(void **state)
{
    draw_clear();
    assert_int_equal(gantt_blocks_frame(&blocks, 57), 3);
    assert_int_equal(gantt_blocks_bar(&blocks, 57), 50);
    draw_gantt_blocks((struct rect){0, 0, 5, 57}, &blocks, 0, 0, 10e-3);
    assert_string_equal(row(0), "rank 0 A forward───────────B wait──────────────A──");
    assert_string_equal(row(1), "rank 1 A forward─────────────────────          #");
    assert_true(anywhere("rank   ┬") && anywhere("0 ms") && anywhere("8"));
    assert_string_equal(row(4), "A forward   B wait   C dot   # several");
    draw_clear();
    draw_gantt_blocks((struct rect){0, 0, 4, 57}, &blocks, 1, 8e-3, 8.02e-3);
    assert_string_equal(row(0), "rank 1 C dot────────────────────B wait───────────────────");
    assert_true(anywhere("8.005") && anywhere("8 ms"));
}

static void blocks_survive_any_size(void **state)
{
    for (int h = -1; h < 12; h++)
        for (int w = -1; w < 110; w += 3) {
            draw_clear();
            draw_gantt_blocks((struct rect){1, 1, h, w}, &blocks, 0, 0, 10e-3);
            draw_gantt_blocks((struct rect){1, 1, h, w}, &blocks, 1, 1e-3, 1e-3);
            assert_string_equal(row(0), "");
            assert_string_equal(row(h > 0 ? 1 + h : 1), "");
        }
}

static void home_fits_at_every_size(void **state)
{
    for (int rows = LAYOUT_ROWS; rows < 80; rows++)
        for (int columns = LAYOUT_COLUMNS; columns < 200; columns += 5)
            for (int entries = 1; entries <= 5; entries++) {
                struct layout_home l;
                layout_home(&l, rows, columns, entries, 9);
                assert_true(l.stand_rule >= l.next + entries);
                assert_true(l.stand + l.stand_rows <= rows - 2);
                assert_true(l.lately + l.lately_rows <= rows - 2 || l.lately_rows == 0);
                assert_true(l.bar_w > 8 && l.bar_x + l.bar_w < l.n_end - 2 &&
                            l.range_end < columns);
                assert_true(l.score_end < l.min_end && l.min_end < columns);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_clipped),
        cmocka_unit_test(wide_and_joined_characters_count_as_columns),
        cmocka_unit_test(foreign_text_cannot_leave_its_cells),
        cmocka_unit_test(an_opening_ends_at_a_word),
        cmocka_unit_test(words_are_wrapped),
        cmocka_unit_test(bars_count_eighths),
        cmocka_unit_test(rules_carry_titles),
        cmocka_unit_test(a_roofline_shows_the_point_and_its_units),
        cmocka_unit_test(work_without_arithmetic_has_one_roof),
        cmocka_unit_test(lines_leave_gaps_for_what_is_missing),
        cmocka_unit_test(a_time_axis_has_round_times), cmocka_unit_test(charts_survive_any_size),
        cmocka_unit_test(heat_has_fixed_steps), cmocka_unit_test(a_range_has_its_mean_between),
        cmocka_unit_test(spans_begin_and_end_in_eighths),
        cmocka_unit_test(a_timeline_has_an_axis_and_gives_way),
        cmocka_unit_test(blocks_have_letters_words_and_an_axis),
        cmocka_unit_test(blocks_survive_any_size),
        cmocka_unit_test(a_timeline_survives_any_size),
        cmocka_unit_test(home_fits_at_every_size),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

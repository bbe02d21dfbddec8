/* Workloads put on a roofline with the keys: where they stand, what is said of them, how it is graded;
 * and the list of figures. */
#include <locale.h>

#include "drills/memory/fsrs.h"
#include "drills/library/library.h"
#include "tests/tui/practice/practice.h"
#include "tui/practice/figure_draw.h"

#define TEXT "format: 1\nid: t\ntitle: T\nfigures:\n  f:\n    title: F\n    topic: roofline\n" \
             "    source: s\n    note: What is learned.\n    plot:\n      memory: 2 TB/s\n" \
             "      roofs: [{name: R, rate: 200 Tflop/s}]\n      points:\n" \
             "        - {name: ten, intensity: 10 flop/B, says: Says ten.}\n" \
             "        - {name: thousand, intensity: 1000 flop/B, says: Says thousand.}\n" \
             "        - {name: one, intensity: 1 flop/B, says: Says one.}\n"
enum { SEED = 7 }; /* of play() */

static struct screen *begin(int rows, int columns, const char *more)
{
    put("figures/t.yaml", TEXT);
    struct screen *s = play("figure:t/f", rows, columns, more);
    screen_expect(s, "p place");
    press(s, "p", "How many operations a byte?");
    return s;
}

/* The digit that belongs to the workload on the screen. */
static const char *digit_of(struct screen *s, int letter)
{
    static const char *const names[] = {"ten", "thousand", "one"}, *const digits[] = {"1", "3", "0"};
    for (int i = 0; i < 3; i++) {
        char wanted[40];
        int row, column;
        snprintf(wanted, sizeof wanted, "%c: %s", 'a' + letter, names[i]);
        if (screen_find(s, wanted, &row, &column))
            return digits[i];
    }
    return "";
}

static void place_all(struct screen *s, bool well)
{
    for (int i = 0; i < 3; i++) {
        char letter[] = {(char)('a' + i), '\0'}, wanted[8];
        snprintf(wanted, sizeof wanted, "%s: ", letter);
        press(s, letter, wanted);
        press(s, well ? digit_of(s, i) : "2", "at most, bound by");
    }
}

static void right_places_are_right_by_keys(void **state)
{
    struct store_review r;
    struct screen *s = begin(24, 80, NULL);
    place_all(s, true);
    press(s, "\r", "3 of 3 right");
    leave(s);
    assert_int_equal(reviews_of("figure:t/f", &r), 1);
    assert_true(r.grade >= FSRS_GOOD);
}

static void what_is_wrong_is_said_of_each(void **state)
{
    struct store_review r;
    struct screen *s = begin(40, 80, NULL);
    press(s, "\r", "Enter again hands it in");
    place_all(s, false);
    press(s, "\r", "0 of 3 right");
    screen_expect(s, "What is learned.");
    press(s, "j", "its ridge, 100");
    press(s, "\t", "1000 flop/B");
    leave(s);
    assert_int_equal(reviews_of("figure:t/f", &r), 1);
    assert_int_equal(r.grade, FSRS_AGAIN);
}

static void arrows_move_and_any_size_will_do(void **state)
{
    struct screen *s = begin(20, 60, "NO_COLOR=1");
    press(s, "2", "at 100 flop/B");
    press(s, "l", "at 115.5 flop/B");
    press(s, "h", "at 100 flop/B");
    screen_resize(s, 1, 1);
    screen_expect_gone(s, "at 100");
    screen_resize(s, 40, 200);
    screen_expect(s, "at 100 flop/B");
    press(s, "?", "HOW THIS WORKS");
    press(s, "\033", "hand in");
    screen_send(s, "\033");
    leave(s);
    assert_int_equal(reviews_of("figure:t/f", NULL), 0);
}

/* The list of all figures, from home: one is met once it was answered. */
static void figures_are_listed(void **state)
{
    put("figures/t.yaml", TEXT);
    struct screen *s = play("figure:t/f", 24, 80, NULL);
    screen_expect(s, "p place");
    press(s, "\033", "first start");
    press(s, "f", "FIGURES");
    screen_expect(s, "fill, place new");
    press(s, "\r", "p place");
    press(s, "p", "How many operations a byte?");
    place_all(s, true);
    press(s, "\r", "3 of 3 right");
    press(s, "\r", "fill, place met");
    press(s, "\033", "cards");
    leave(s);
}

/* ---- pictures ---- */

static void check_picture(const struct figure_data *f, const struct roofline *r, int width)
{
    for (int letter = -1; letter < r->n; letter++) {
        struct figure_picture p;
        struct figure_view view = {.width = width, .part = -1, .blank = -1, .put = r,
                                   .letter = letter};
        figure_picture_make(&p, f, &view);
        bool stands = letter >= 0 && r->at[letter] > 0;
        if (p.clashes || (stands && (p.blank_line < 0 || p.blank_line >= p.lines)))
            fail_msg("%s at %d: %d clashes, %c on line %d of %d", f->id, width, p.clashes,
                     'a' + letter, p.blank_line, p.lines);
        figure_picture_free(&p);
    }
}

static void placed_workloads_fit_every_width(void **state)
{
    static const int widths[] = {60, 77, 80, 120, 200};
    struct library library;
    library_open_at(&library, "content");
    for (int k = 0; k < library_figures(&library); k++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            const struct figure_data *f = library_figure_at(&library, k);
            struct roofline r, known;
            uint64_t seed = w;
            if (f->form != FIGURE_PLOT)
                continue;
            roofline_make(&r, f, &seed);
            check_picture(f, &r, widths[w]);
            roofline_known(&known, &r);
            check_picture(f, &known, widths[w]);
            for (int i = 0; i < r.n; i++)
                r.at[i] = 50; /* all in one place: the chosen one is seen */
            check_picture(f, &r, widths[w]);
        }
    library_free(&library);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(right_places_are_right_by_keys, each),
        cmocka_unit_test_setup(what_is_wrong_is_said_of_each, each),
        cmocka_unit_test_setup(arrows_move_and_any_size_will_do, each),
        cmocka_unit_test_setup(figures_are_listed, each),
        cmocka_unit_test(placed_workloads_fit_every_width),
    };
    setlocale(LC_CTYPE, "C.UTF-8");
    draw_start();
    return RUN_CASES(tests, set_up, folder_remove);
}

/* Every figure at several widths: nothing over anything else, nothing wider than asked. */
#include <locale.h>
#include <wchar.h>

#include "drills/library/library.h"
#include "kernels/wire/text.h"
#include "tests/tui/screen.h"
#include "tests/unit.h"
#include "tui/practice/figure_draw.h"

static struct library library;

static void check_picture(const struct figure_data *f, const struct figure_view *view)
{
    struct figure_picture p;
    figure_picture_make(&p, f, view);
    char *text = figure_picture_text(&p);
    if (p.clashes || p.lines >= CANVAS_ROWS_MOST || p.lines < 3)
        fail_msg("%s at %d: %d cells painted twice, %d lines\n%s", f->id, view->width, p.clashes,
                 p.lines, text);
    if (!view->fill && !view->bare && (strstr(text, "…")))
        fail_msg("%s at %d: cut\n%s", f->id, view->width, text);
    if (!draw_utf8())
        for (const char *c = text; *c; c++)
            assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
    free(text);
    figure_picture_free(&p);
}

static void at_every_width(void)
{
    static const int widths[] = {60, 80, 120, 200};
    for (int k = 0; k < library_figures(&library); k++)
        for (int w = 0; w < 4; w++) {
            const struct figure_data *f = library_figure_at(&library, k);
            struct figure_fill fill;
            struct figure_view view = {.width = widths[w], .part = -1, .blank = -1};
            check_picture(f, &view);
            view.bare = true;
            check_picture(f, &view);
            view.bare = false;
            figure_fill_make(&fill, f, (uint64_t)w);
            view.fill = &fill;
            view.blank = fill.n - 1;
            check_picture(f, &view);
        }
}

static void figures_fit_every_width(void **state)
{
    at_every_width();
}

static void a_blank_shows_no_answer(void **state)
{
    const struct figure_data *f = library_figure(&library, "pipeline-3");
    struct figure_view view = {.width = 80, .part = -1, .blank = -1, .bare = true};
    struct figure_picture p;
    figure_picture_make(&p, f, &view);
    char *text = figure_picture_text(&p);
    assert_non_null(strstr(text, "____"));
    assert_null(strstr(text, "24"));
    free(text);
    figure_picture_free(&p);
}

static void a_picture_is_known_to_the_letter(void **state)
{
    static const char want[] =
        "buffer 0  ▐load 0░░░▐compute 0          ▐load 3░░░▐compute 3\n"
        "buffer 1            ▐load 1░░░▐compute 1          ▐load 4░░░▐compute 4\n"
        "buffer 2                      ▐load 2░░░▐compute 2          ▐load 5░░░▐compute 5\n";
    struct figure_view view = {.width = 80, .part = -1, .blank = -1};
    struct figure_picture p;
    figure_picture_make(&p, library_figure(&library, "pipeline-3"), &view);
    char *text = figure_picture_text(&p);
    if (draw_utf8() && strncmp(text, want, strlen(want)) != 0)
        fail_msg("%s", text);
    free(text);
    figure_picture_free(&p);
}

static void figures_are_drawn_in_ascii_too(void **state)
{
    draw_ascii();
    at_every_width();
    draw_start();
}

static struct screen *study(const char *figure, int rows, int columns)
{
    const char *arguments[] = {"play", figure, "--seed", "1", NULL};
    const char *environment[] = {"WARPDRILL_CONTENT=content/packs", NULL};
    return screen_start(&(struct screen_start){.rows = rows,
                                               .columns = columns,
                                               .arguments = arguments,
                                               .environment = environment});
}

static void leave(struct screen *s)
{
    screen_send(s, "\033");
    screen_send(s, "q");
    assert_int_not_equal(screen_wait_exit(s), -1);
    screen_free(s);
}

static void a_figure_is_studied_hidden_filled_and_graded(void **state)
{
    struct screen *s = study("figure:gpu/pipeline-3", 30, 80);
    screen_expect(s, "A pipeline of three stages");
    screen_expect(s, "buffer 0: Holds iterations 0 and 3.");
    screen_expect(s, "Source: worked out from the times given");
    screen_send(s, "j");
    screen_expect(s, "buffer 1: Holds");
    screen_send(s, "\r");
    screen_expect(s, "____");
    screen_send(s, "\r");
    screen_expect(s, "1 of 3:");
    screen_send(s, "\r");
    screen_expect(s, "2 of 3:");
    screen_send(s, "\r");
    screen_expect(s, "3 of 3:");
    screen_send(s, "\r");
    screen_expect(s, "0 of 3 right");
    leave(s);
}

/* Though the part that is studied stands at the top; the arrows go back to it. Pages end at the note, so
 * one page up leaves it at once. */
static void what_is_below_is_reached_by_pages(void **state)
{
    struct screen *s = study("figure:training/moe-layer", 20, 60);
    screen_expect(s, "Forward on 4 ranks");
    screen_expect(s, "more below: PgDn");
    for (int page = 0; page < 9; page++)
        screen_send(s, "\033[6~");
    screen_expect(s, "Source: worked out");
    screen_expect_gone(s, "more below");
    screen_send(s, "\033[5~");
    screen_expect_gone(s, "Source: worked out");
    screen_send(s, "jk");
    screen_expect(s, "Forward on 4 ranks");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_fit_every_width),
        cmocka_unit_test(a_blank_shows_no_answer),
        cmocka_unit_test(a_picture_is_known_to_the_letter),
        cmocka_unit_test(figures_are_drawn_in_ascii_too),
        cmocka_unit_test(a_figure_is_studied_hidden_filled_and_graded),
        cmocka_unit_test(what_is_below_is_reached_by_pages),
    };
    setlocale(LC_CTYPE, "C.UTF-8");
    draw_start();
    library_open_at(&library, "content");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    library_free(&library);
    return failed;
}

/* Schedules placed with the keys: what is counted, refused, taken back and graded; the picture of
 * one at every width. */
#include <locale.h>

#include "drills/library/library.h"
#include "drills/memory/fsrs.h"
#include "tests/tui/practice/practice.h"
#include "tui/practice/figure_draw.h"

#define HEAD "format: 1\nid: t\ntitle: T\nfigures:\n  f:\n    title: F\n    topic: pipeline\n" \
             "    source: s\n    note: What is learned.\n    schedule: "
enum { SEED = 7 }; /* of play() */

static struct schedule known;

/* A figure on its own in the library, and what is right in the size that it is asked in. */
static void put_figure(enum schedule_kind kind, const char *schedule)
{
    struct schedule_rules like, r;
    char text[600];
    int chunks = kind == SCHEDULE_INTERLEAVED ? 2 : 1;
    snprintf(text, sizeof text, HEAD "%s\n", schedule);
    put("figures/t.yaml", text);
    assert_int_equal(schedule_rules_make(&like, kind, 4, 8, chunks, (const int[]){1, 1, 1}, NULL),
                     0);
    schedule_draw_size(&r, &like, SEED);
    assert_int_equal(schedule_known(&known, &r, NULL), 0);
}

static struct screen *begin(int rows, int columns, const char *more)
{
    struct screen *s = play("figure:t/f", rows, columns, more);
    screen_expect(s, "p place");
    press(s, "p", "0 of ");
    return s;
}

/* The cursor to a block's place, and the block. */
static void put_block(struct screen *s, const struct schedule_block *b, int *stage)
{
    char keys[260] = "g", wanted[48];
    size_t at = 1;
    for (; *stage < b->stage; ++*stage)
        keys[at++] = 'j';
    for (; *stage > b->stage; --*stage)
        keys[at++] = 'k';
    for (int t = 0; t < b->start; t++)
        keys[at++] = 'l';
    keys[at] = '\0';
    snprintf(wanted, sizeof wanted, "stage %d at %d;", b->stage, b->start);
    press(s, keys, wanted);
    char letter[] = {(b->chunk ? "FBW" : "fbw")[b->part], '\0'};
    screen_send(s, letter);
}

static void the_known_schedule_is_right_by_keys(void **state)
{
    static const struct { enum schedule_kind kind; const char *schedule; } cases[] = {
        {SCHEDULE_GPIPE, "{kind: gpipe, stages: 4, microbatches: 8}"},
        {SCHEDULE_1F1B, "{kind: 1f1b, stages: 4, microbatches: 8}"},
        {SCHEDULE_INTERLEAVED, "{kind: interleaved, stages: 4, microbatches: 8, chunks: 2}"},
        {SCHEDULE_ZB_H1, "{kind: zb-h1, stages: 4, microbatches: 8}"},
        {SCHEDULE_ZB_H2, "{kind: zb-h2, stages: 4, microbatches: 8}"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        put_figure(cases[c].kind, cases[c].schedule);
        struct screen *s = begin(20, 60, NULL);
        char counted[48];
        for (int i = 0, stage = 0; i < known.n; i++) {
            put_block(s, &known.block[i], &stage);
            snprintf(counted, sizeof counted, "%d of %d blocks", i + 1, known.n);
            screen_expect(s, counted);
        }
        press(s, "\r", "The optimum");
        leave(s);
        assert_int_equal(reviews_of("figure:t/f", NULL), 1 + (int)c);
    }
}

static void what_cannot_be_is_refused_with_the_reason(void **state)
{
    put_figure(SCHEDULE_1F1B, "{kind: 1f1b, stages: 4, microbatches: 8}");
    struct screen *s = begin(20, 60, NULL);
    press(s, "w", "no w here, backward is whole");
    press(s, "jf", "f0 on stage 1 at 0: needs f0 of stage 0, not placed yet");
    press(s, "kf", "1 of ");
    press(s, "9", "microbatch 9; f, b or w?");
    press(s, "f", "no such microbatch");
    press(s, "1f", "2 of ");
    press(s, "hf", "the stage runs f1 from 1 to 2");
    press(s, "x", "1 of ");
    press(s, "x", "Nothing stands there.");
    press(s, "u", "2 of ");
    press(s, "u", "1 of ");
    press(s, "u", "0 of ");
    press(s, "u", "There is nothing to take back.");
    press(s, "f", "1 of ");
    press(s, "jf", "2 of ");
    press(s, "k\033[1~", "stage 0 at 0;"); /* Home, as tmux sends it */
    press(s, "x", "f0 stays: f0 on stage 1 at 1 needs it");
    press(s, "\r", "Enter again hands it in");
    press(s, "h\r", "Enter again hands it in");
    press(s, "\r", "it can be done in ");
    press(s, "\r", "warpdrill");
    screen_expect(s, "cards");
    leave(s);
    struct store_review r;
    assert_int_equal(reviews_of("figure:t/f", &r), 1);
    assert_int_equal(r.grade, FSRS_AGAIN);
}

static void a_longer_schedule_is_told_how_long(void **state)
{
    put_figure(SCHEDULE_GPIPE, "{kind: gpipe, stages: 4, microbatches: 8}");
    struct screen *s = begin(24, 80, NULL);
    for (int i = 0, stage = 0; i < known.n; i++) {
        struct schedule_block b = known.block[i];
        char counted[48];
        b.start += b.part == PART_BACKWARD; /* one time late, all of them */
        put_block(s, &b, &stage);
        snprintf(counted, sizeof counted, "%d of %d blocks", i + 1, known.n);
        screen_expect(s, counted);
    }
    press(s, "\r", "% reached, memory kept");
    screen_expect(s, "What is learned.");
    press(s, "\t", "As it is known");
    press(s, "\t", "% reached");
    leave(s);
}

/* In the queue it is an item like a card; leaving it counts nothing. */
static void it_comes_among_the_cards(void **state)
{
    char path[160];
    put_figure(SCHEDULE_GPIPE, "{kind: gpipe, stages: 4, microbatches: 8}");
    snprintf(path, sizeof path, "%s/cards/t.csv", folder);
    unlink(path);
    struct screen *s = play("cards", 24, 80, NULL);
    screen_expect(s, "p place");
    press(s, "p", "0 of ");
    press(s, "\r\r", "it can be done in ");
    press(s, "\r", "0 of 1");
    leave(s);
    assert_int_equal(reviews_of("figure:t/f", NULL), 1);
}

static void any_size_and_no_colour_will_do(void **state)
{
    put_figure(SCHEDULE_ZB_H1, "{kind: zb-h1, stages: 4, microbatches: 8}");
    struct screen *s = begin(20, 60, "NO_COLOR=1");
    press(s, "f", "1 of ");
    screen_resize(s, 1, 1);
    screen_expect_gone(s, "1 of ");
    screen_send(s, "ff");
    screen_resize(s, 40, 200);
    screen_expect(s, "held");
    press(s, "?", "HOW THIS WORKS");
    screen_expect(s, "f, b or w of the next microbatch");
    press(s, "\033", "hand in");
    screen_send(s, "\033");
    leave(s);
    assert_int_equal(reviews_of("figure:t/f", NULL), 0);
}

/* ---- pictures ---- */

static void check_width(const struct figure_data *f, const struct schedule *s, int width)
{
    for (int stage = 0; stage < s->rules.stages; stage++)
        for (int time = 0; time < 60; time += 7) {
            struct figure_picture p;
            struct figure_view view = {.width = width, .part = -1, .blank = -1, .placed = s,
                                       .stage = stage, .time = time};
            figure_picture_make(&p, f, &view);
            if (p.clashes || p.blank_line < 0 || p.blank_line >= p.lines)
                fail_msg("%s at %d: %d clashes, cursor on line %d of %d", f->id, width, p.clashes,
                         p.blank_line, p.lines);
            figure_picture_free(&p);
        }
}

static void half_a_schedule_fits_every_width(void **state)
{
    static const int widths[] = {60, 77, 80, 120, 200};
    struct library library;
    library_open_at(&library, "content");
    for (int k = 0; k < library_figures(&library); k++) {
        const struct figure_data *f = library_figure_at(&library, k);
        if (f->form != FIGURE_SCHEDULE)
            continue;
        struct schedule_rules r;
        schedule_draw_size(&r, &f->schedule.known->rules, (uint64_t)k);
        assert_int_equal(schedule_known(&known, &r, NULL), 0);
        known.n /= 2;
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            check_width(f, &known, widths[w]);
    }
    library_free(&library);
}

static void half_a_schedule_fits_in_ascii(void **state)
{
    draw_ascii();
    half_a_schedule_fits_every_width(state);
    draw_start();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_known_schedule_is_right_by_keys, each),
        cmocka_unit_test_setup(what_cannot_be_is_refused_with_the_reason, each),
        cmocka_unit_test_setup(a_longer_schedule_is_told_how_long, each),
        cmocka_unit_test_setup(it_comes_among_the_cards, each),
        cmocka_unit_test_setup(any_size_and_no_colour_will_do, each),
        cmocka_unit_test(half_a_schedule_fits_every_width),
        cmocka_unit_test(half_a_schedule_fits_in_ascii),
    };
    setlocale(LC_CTYPE, "C.UTF-8");
    draw_start();
    return RUN_CASES(tests, set_up, folder_remove);
}

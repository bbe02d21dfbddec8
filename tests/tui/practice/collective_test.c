/* Collectives made with the keys: what is counted, refused, taken back and graded; the picture of
 * one at every width. */
#include <locale.h>

#include "drills/library/library.h"
#include "drills/memory/fsrs.h"
#include "tests/tui/practice/practice.h"
#include "tui/practice/figure_draw.h"

#define HEAD "format: 1\nid: t\ntitle: T\nfigures:\n  f:\n    title: F\n    topic: collectives\n" \
             "    source: s\n    note: What is learned.\n    collective: {kind: %s, ranks: 4%s, " \
             "bytes: 1 GB, alpha: 1 us, bandwidth: 450 GB/s%s}\n"
enum { SEED = 7 }; /* of play() */

static struct collective known;

static void draw_known(struct collective_rules *out, enum collective_kind kind, uint64_t seed)
{
    static const struct collective_link links[] = {{1e-6, 450e9}, {2e-6, 50e9}};
    struct collective_rules like;
    int nodes = kind == COLLECTIVE_HIERARCHICAL ? 2 : 1;
    assert_int_equal(collective_rules_make(&like, kind, 4, nodes, 1e9, links, NULL), 0);
    collective_draw_size(out, &like, seed);
    collective_known(&known, out);
}

/* A figure on its own in the library, and what is right in the size that it is asked in. */
static void put_figure(enum collective_kind kind)
{
    struct collective_rules r;
    char text[600];
    bool far = kind == COLLECTIVE_HIERARCHICAL;
    snprintf(text, sizeof text, HEAD, collective_kinds[kind], far ? ", nodes: 2" : "",
             far ? ", outer-alpha: 2 us, outer-bandwidth: 50 GB/s" : "");
    put("figures/t.yaml", text);
    draw_known(&r, kind, SEED);
}

static struct screen *begin(int rows, int columns, const char *more)
{
    struct screen *s = play("figure:t/f", rows, columns, more);
    screen_expect(s, "p place");
    press(s, "p", "to which rank?");
    return s;
}

/* The cursor to the chunk, and the receiver; the cursor is on the next rank then. */
static void put_send(struct screen *s, const struct collective_send *send, int *rank, int *chunk)
{
    int ranks = known.rules.ranks, chunks = known.rules.chunks;
    char keys[40], wanted[40], name[24];
    size_t at = 0;
    for (; *rank != send->from; *rank = (*rank + 1) % ranks)
        keys[at++] = 'j';
    for (; *chunk != send->chunk; *chunk = (*chunk + 1) % chunks)
        keys[at++] = 'l';
    keys[at] = '\0';
    snprintf(wanted, sizeof wanted, "rank %d, chunk %s:", *rank,
             collective_chunk_words(&known.rules, *rank, *chunk, name));
    press(s, keys, wanted);
    char digit[] = {(char)('0' + send->to), '\0'};
    *rank = (*rank + 1) % ranks;
    snprintf(wanted, sizeof wanted, "rank %d, chunk", *rank);
    press(s, digit, wanted);
}

/* The known order, with an idle step's worth of delay: the first send alone in a step. */
static void make_known(struct screen *s, bool late)
{
    char wanted[40];
    for (int i = 0, step = 0, rank = 0, chunk = 0; i < known.n; i++) {
        if (known.send[i].step != step || (late && i == 1)) {
            step = known.send[i].step;
            snprintf(wanted, sizeof wanted, "step %d of", step + 1 + late);
            press(s, "n", wanted);
            rank = 0;
        }
        put_send(s, &known.send[i], &rank, &chunk);
    }
}

static void the_known_order_is_right_by_keys(void **state)
{
    for (int k = 0; k < COLLECTIVE_KINDS; k++) {
        struct store_review r;
        put_figure((enum collective_kind)k);
        struct screen *s = begin(20, 60, NULL);
        make_known(s, false);
        press(s, "\r", k == COLLECTIVE_HIERARCHICAL ? "as the known order"
                                                     : "the least there is");
        leave(s);
        assert_int_equal(reviews_of("figure:t/f", &r), 1 + k);
        assert_true(r.grade >= FSRS_GOOD);
    }
}

static void what_cannot_be_is_refused_with_the_reason(void **state)
{
    put_figure(COLLECTIVE_ALL_REDUCE);
    struct screen *s = begin(20, 60, NULL);
    press(s, "n", "nothing is sent in step 1 yet");
    press(s, "0", "rank 0 has it itself");
    press(s, "9", "no such rank");
    press(s, "1", "rank 1, chunk a");
    press(s, "k2", "rank 0 sends to 1 in this step already");
    press(s, "n", "step 2 of");
    press(s, "1", "rank 1 has 0+1 of it already");
    press(s, "b2", "rank 1, chunk b");
    press(s, "f", "Rank 1 has a to ");
    press(s, "u", "rank 0, chunk b");
    press(s, "u", "step 1 of");
    press(s, "u", "There is nothing to take back.");
    press(s, "\r", "Enter again hands it in: rank 0 lacks");
    press(s, "j\r", "Enter again hands it in");
    press(s, "\r", "Not whole: rank 0 lacks");
    press(s, "\t", "As it is known");
    press(s, "\t", "Not whole");
    press(s, "\r", "warpdrill");
    screen_expect(s, "cards");
    leave(s);
    struct store_review r;
    assert_int_equal(reviews_of("figure:t/f", &r), 1);
    assert_int_equal(r.grade, FSRS_AGAIN);
}

static void a_step_more_is_known_with_trouble(void **state)
{
    struct store_review r;
    put_figure(COLLECTIVE_ALL_GATHER);
    struct screen *s = begin(24, 80, NULL);
    make_known(s, true);
    press(s, "\r", "steps where");
    screen_expect(s, "What is learned.");
    leave(s);
    assert_int_equal(reviews_of("figure:t/f", &r), 1);
    assert_int_equal(r.grade, FSRS_HARD);
}

/* In the queue it is an item like a card; leaving it counts nothing. */
static void it_comes_among_the_cards(void **state)
{
    char path[160];
    put_figure(COLLECTIVE_TREE);
    snprintf(path, sizeof path, "%s/cards/t.csv", folder);
    unlink(path);
    struct screen *s = play("cards", 24, 80, NULL);
    screen_expect(s, "p place");
    press(s, "p", "to which rank?");
    press(s, "\r\r", "Not whole");
    press(s, "\r", "0 of 1");
    leave(s);
    assert_int_equal(reviews_of("figure:t/f", NULL), 1);
}

static void any_size_and_no_colour_will_do(void **state)
{
    put_figure(COLLECTIVE_HIERARCHICAL);
    struct screen *s = begin(20, 60, "NO_COLOR=1");
    press(s, "1", "rank 1, chunk a");
    screen_resize(s, 1, 1);
    screen_expect_gone(s, "rank 1");
    screen_send(s, "l2");
    screen_resize(s, 40, 200);
    screen_expect(s, "a->1");
    press(s, "?", "HOW THIS WORKS");
    screen_expect(s, "close this step and begin the next");
    press(s, "\033", "hand in");
    screen_send(s, "\033");
    leave(s);
    assert_int_equal(reviews_of("figure:t/f", NULL), 0);
}

/* ---- pictures ---- */

static void check_picture(const struct figure_data *f, int width, int rank, int chunk)
{
    struct figure_picture p;
    struct figure_view view = {.width = width, .part = -1, .blank = -1, .made = &known,
                               .rank = rank, .chunk = chunk};
    figure_picture_make(&p, f, &view);
    if (p.clashes || (rank >= 0 && (p.blank_line < 0 || p.blank_line >= p.lines)))
        fail_msg("%s at %d: %d clashes, cursor on line %d of %d", f->id, width, p.clashes,
                 p.blank_line, p.lines);
    figure_picture_free(&p);
}

/* Each step as it is made, and all that are. */
static void half_an_order_fits_every_width(void **state)
{
    static const int widths[] = {60, 77, 80, 120, 200};
    struct library library;
    library_open_at(&library, "content");
    for (int k = 0; k < library_figures(&library); k++) {
        const struct figure_data *f = library_figure_at(&library, k);
        struct collective_rules r;
        if (f->form != FIGURE_COLLECTIVE)
            continue;
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            draw_known(&r, f->collective.known->rules.kind, w);
            for (; known.n > 0; collective_undo(&known)) {
                check_picture(f, widths[w], known.n % r.ranks, known.n % r.chunks);
                check_picture(f, widths[w], -1, -1);
            }
        }
    }
    library_free(&library);
}

static void half_an_order_fits_in_ascii(void **state)
{
    draw_ascii();
    half_an_order_fits_every_width(state);
    draw_start();
}

/* As many steps as there may be: the picture ends where its canvas does. */
static void a_long_order_is_cut(void **state)
{
    struct library library;
    struct figure_picture p;
    struct figure_view view = {.width = 60, .part = -1, .blank = -1, .made = &known, .rank = -1};
    library_open_at(&library, "content");
    const struct figure_data *f = library_figure(&library, "ring-steps");
    known = (struct collective){.rules = f->collective.known->rules};
    for (; known.n < COLLECTIVE_STEPS; known.n++)
        known.send[known.n] = (struct collective_send){known.n, known.n % 4, (known.n + 1) % 4, 0};
    figure_picture_make(&p, f, &view);
    assert_int_equal(p.lines, CANVAS_ROWS_MOST);
    figure_picture_free(&p);
    library_free(&library);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_known_order_is_right_by_keys, each),
        cmocka_unit_test_setup(what_cannot_be_is_refused_with_the_reason, each),
        cmocka_unit_test_setup(a_step_more_is_known_with_trouble, each),
        cmocka_unit_test_setup(it_comes_among_the_cards, each),
        cmocka_unit_test_setup(any_size_and_no_colour_will_do, each),
        cmocka_unit_test(half_an_order_fits_every_width),
        cmocka_unit_test(half_an_order_fits_in_ascii),
        cmocka_unit_test(a_long_order_is_cut),
    };
    setlocale(LC_CTYPE, "C.UTF-8");
    draw_start();
    return RUN_CASES(tests, set_up, folder_remove);
}

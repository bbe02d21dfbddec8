/* A harness played to the end: the opening shows what its benchmark prints and none of its steps,
 * the source has those, timing its samples, an experiment one step changed; the place is a step,
 * the fix a claim. */
#include "tests/tui/play/fake_play.h"

static struct screen *start(const char *variant)
{
    struct screen *s = fake_play("tests/packs/benchmarks", variant, 44, 110);
    screen_expect(s, "Nothing bought yet");
    screen_expect(s, "reported  ");
    screen_expect_gone(s, "being measured");
    return s;
}

/* The cursor begins at line 1; the steps of the benchmark follow the code and its launch. */
static void point_at(struct screen *s, int line)
{
    press(s, "\r", "Enter lock");
    press(s, "\r", "WHERE IS IT");
    for (int k = 1; k < line; k++)
        screen_send(s, DOWN);
    press(s, "\r", "WHICH CLAIM SURVIVES");
}

static void shows_no_step(const struct screen *s)
{
    static const char *const step[] = {"inputs  ",  "load  ",   "warm up", "idle  ",
                                       "repeat  ",  "flush  ",  "clock  ", "stream  ",
                                       "launches  ", "synchronise", "reduce  ", "report  "};
    int y, x;
    for (size_t i = 0; i < sizeof step / sizeof *step; i++)
        if (screen_find(s, step[i], &y, &x)) {
            screen_dump(s);
            fail_msg("the opening shows \"%s\"", step[i]);
        }
}

static void steps_are_bought_with_the_source(void **state)
{
    struct screen *s = start("benchmarks/timed-sum/a");
    screen_expect(s, "reported       7.21 µs");
    shows_no_step(s);
    press(s, "c", "c has arrived");
    press(s, "f", "flush        nothing");
    screen_expect(s, "report       the time of a run");
    press(s, "\x1b", "reported       7.21 µs");
    leave(s);
}

static void a_warm_cache_is_found(void **state)
{
    struct screen *s = start("benchmarks/timed-sum/a");
    press(s, "t", "first sample");
    screen_expect(s, "t has arrived");
    press(s, "\t", "SAMPLES");
    press(s, "x", "Flush L2 before each sample");
    press(s, "1", "How long does one run take");
    press(s, "14 us\r", "flush: L2, before each sample");
    press(s, "3+++++", "data left in cache");
    point_at(s, 15);
    press(s, "2\r", "THE INTERVIEWER");
    press(s, "\r", "It was data left in cache, on line 15.");
    screen_expect(s, "2 x reported");
    screen_expect(s, "+ flush        L2, before each sample");
    leave(s);
}

static void a_rate_tells_no_time(void **state)
{
    struct screen *s = start("benchmarks/timed-sum/c");
    shows_no_step(s);
    screen_expect(s, "reported     6979 GB/s");
    screen_expect_gone(s, " µs");
    press(s, "t", "share of the copy rate?");
    press(s, "\r", "t has arrived");
    screen_expect(s, "reported       14.4 µs");
    press(s, "4++++++", "wrong unit or count");
    point_at(s, 21);
    press(s, "2\r", "your estimate");
    press(s, "14 us\r", "THE INTERVIEWER");
    press(s, "\r", "It was wrong unit or count, on line 21.");
    screen_expect(s, "with 12 * n");
    leave(s);
}

static void what_changes_nothing_costs_a_look(void **state)
{
    struct screen *s = start("benchmarks/timed-sum/c");
    screen_expect(s, " 0 of 18 min spent");
    press(s, "x", "Wait before the clock stops");
    press(s, "2", "changes nothing: it is so already");
    screen_expect(s, "it prints   ");
    screen_expect_gone(s, " µs");                  /* the rate's making is for sale */
    screen_expect(s, " 1 of 18 min spent");
    leave(s);
    s = start("benchmarks/timed-sum/b");
    press(s, "x", "Wait before the clock stops");
    press(s, "2", "synchronise: before the clock stops");
    screen_expect(s, " 3 of 18 min spent");
    leave(s);
}

/* Else one would know of an experiment that changes nothing without buying it. */
static void the_warning_has_the_price_of_the_list(void **state)
{
    struct screen *s = start("benchmarks/timed-sum/c");
    press(s, "c", "c has arrived");
    press(s, "i", " 11 of 18 min spent");
    press(s, "m\r", " 14 of 18 min spent");
    press(s, "w\r", " 17 of 18 min spent");
    press(s, "x", "Wait before the clock stops");
    press(s, "2", "takes 3 of 1 min left: evidence scores 0 then. Again buys it.");
    leave(s);
}

static void samples_need_room(void **state)
{
    struct screen *s = start("benchmarks/timed-sum/b");
    press(s, "t", "t has arrived");
    press(s, "\t", "sample");
    screen_resize(s, 30, 100);
    screen_expect(s, "20 samples from 5.00 µs to 5.00 µs; a taller");
    screen_resize(s, 20, 60);
    screen_expect(s, "SAMPLES");
    screen_resize(s, 5, 20);
    screen_resize(s, 60, 200);
    screen_expect(s, "● time");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_bought_with_the_source),
        cmocka_unit_test(a_warm_cache_is_found),
        cmocka_unit_test(a_rate_tells_no_time),
        cmocka_unit_test(what_changes_nothing_costs_a_look),
        cmocka_unit_test(the_warning_has_the_price_of_the_list),
        cmocka_unit_test(samples_need_room),
    };
    return RUN_CASES(tests, NULL, NULL);
}

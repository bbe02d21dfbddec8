/* Suspects that bring no result, played to the end: the opening tells that they fail and timing
 * how, what would have nothing to measure costs nothing, and the debrief sets the failure beside
 * the fix's time. */
#include "tests/tui/play/fake_play.h"

static struct screen *start(const char *variant)
{
    struct screen *s = fake_play("tests/packs/failing", variant, 30, 100);
    screen_expect(s, "this kernel  no result");
    screen_expect_gone(s, "error");
    return s;
}

static void nothing_to_measure(struct screen *s, const char *key, const char *title,
                               const char *spent)
{
    char text[128];
    snprintf(text, sizeof text, "%s: it brings no result, so there is nothing to measure", title);
    press(s, key, text);
    screen_expect(s, spent);
}

static void a_refused_launch_is_played_to_the_end(void **state)
{
    struct screen *s = start("failing/doubled-vector/a");
    nothing_to_measure(s, "d", "DRAM traffic", "0 of 18 min spent");
    press(s, "x", "EXPERIMENTS");
    press(s, "4", "it brings no result; its timing comes first, which says how");
    press(s, "r", "ESTIMATE 1 OF 1");
    press(s, "8 us\r", "Before you look");
    press(s, "\r", "shared memory per block                300 kB");
    screen_expect(s, "plain copy     7.99 µs");
    press(s, "t", "launch refused");
    screen_expect(s, "error 1: invalid argument");
    press(s, "x", "EXPERIMENTS");
    nothing_to_measure(s, "3", "Time it on zeros instead of its inputs", "2 of 18 min spent");
    press(s, "x", "EXPERIMENTS");
    press(s, "4", "no cap                          refused");
    press(s, "1+++", "+");
    press(s, "\r", "Enter lock");
    press(s, "\r", "WHERE IS IT");
    press(s, "\r", "What would you do");
    press(s, "1\r", "Enter ends it");
    press(s, "\r", "It was shared memory per block");
    screen_expect(s, "suspect     error 1: invalid argument");
    screen_expect(s, "fix");
    screen_expect_gone(s, "x faster");
    screen_send(s, "q");
    screen_free(s);
}

static void faults_can_be_looked_for_where_it_faults(void **state)
{
    struct screen *s = start("failing/doubled-vector/b");
    press(s, "t", "stopped by a fault                    1");
    press(s, "x", "EXPERIMENTS");
    nothing_to_measure(s, "4", "Time it under a cap on registers", "1 of 18 min spent");
    press(s, "v", "An unmapped page behind each buffer");
    press(s, "5", "faults");
    screen_send(s, "q");
    screen_free(s);
}

static void a_wait_without_end_has_its_source(void **state)
{
    struct screen *s = start("failing/doubled-vector/c");
    press(s, "t", "no end in time                        1");
    press(s, "v", "An unmapped page behind each buffer");
    nothing_to_measure(s, "5", "An unmapped page behind each buffer", "1 of 18 min spent");
    press(s, "c", "while (!here[threadIdx.x ^ 2])");
    screen_send(s, "q");
    screen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_launch_is_played_to_the_end),
        cmocka_unit_test(faults_can_be_looked_for_where_it_faults),
        cmocka_unit_test(a_wait_without_end_has_its_source),
    };
    return RUN_CASES(tests, NULL, NULL);
}

/* The timeline of ten kernels on two streams in the investigation's right pane, at the three sizes
 * and without UTF-8. */
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tui/recorded.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

#define UP "\x1bOA"
#define DOWN "\x1bOB"

static int set_up(void **state)
{
    if (folder_make("timeline"))
        return -1;
    recorded_pack("tests/packs", "steps");
    return 0;
}

static struct screen *start(int rows, int columns, const char *scenario,
                            const char *const *environment)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s-%d-%s.db", folder, scenario, columns,
             environment ? "plain" : "utf8");
    for (char *c = path + strlen(folder) + 1; *c; c++)
        if (*c == '/')
            *c = '-';
    const char *play[] = { "--db", path, "--pack", packs, "--seed", "1", "play", scenario, NULL };
    struct screen_start how = {.rows = rows,
                               .columns = columns,
                               .arguments = play,
                               .environment = environment};
    struct screen *s = screen_start(&how);
    screen_expect(s, "Enter commit");
    return s;
}

static void buy_timing(struct screen *s)
{
    press(s, "t", "t has arrived");
}

static void ten_kernels_at_100_columns(void **state)
{
    struct screen *s = start(30, 100, "ten-kernels", NULL);
    screen_expect_gone(s, "10 launches"); /* nothing tells how many before it is bought */
    screen_expect(s, "this step");
    buy_timing(s);
    screen_expect(s, "Tab turns to the timeline");
    screen_expect(s, "longest: attention scores");
    screen_expect(s, "step, end to end              0.242 ms");
    press(s, "\t", "TIMELINE");
    screen_expect(s, "▸ RMS norm");
    screen_expect(s, "gate projection  1 █▌           30.0 µs 16.8 TB/s");
    screen_expect(s, "activation       1   ▏▋         30.0 µs"); /* whose bytes are not known */
    screen_expect(s, "0 µs    200");
    for (int k = 0; k < 8; k++)
        screen_send(s, DOWN);
    screen_expect(s, "▸ down projection");
    press(s, "e", "EXPLAINED");
    screen_expect(s, "on stream 1");
    screen_expect(s, "waits for attention output");
    press(s, UP, "Launch 8 of 10");                   /* the one before it is explained */
    screen_send(s, "e");
    screen_expect(s, "▸ activation");
    leave(s);
}

static void it_scrolls_in_less_room(void **state)
{
    static const struct { int rows, columns; } sizes[] = { { 24, 80 }, { 20, 60 } };
    for (int k = 0; k < 2; k++) {
        struct screen *s = start(sizes[k].rows, sizes[k].columns, "ten-kernels", NULL);
        buy_timing(s);
        for (int turns = 0; turns < 8 && !screen_find(s, "TIMELINE", &(int){0}, &(int){0});
             turns++) {
            screen_send(s, "\t");
            screen_wait(s, "TIMELINE");
        }
        screen_expect(s, "RMS norm");
        screen_expect(s, "0 µs");
        for (int down = 0; down < 12; down++)
            screen_send(s, DOWN);
        screen_expect(s, "▸ residual");
        leave(s);
    }
}

static void it_is_drawn_without_utf8(void **state)
{
    static const char *const plain[] = { "LC_ALL=C", "LANG=C", NULL };
    struct screen *s = start(30, 100, "ten-kernels", plain);
    buy_timing(s);
    press(s, "\t", "TIMELINE");
    screen_expect(s, "> RMS norm");
    screen_expect(s, "gate projection  1 ##           30.0 us 16.8 TB/s");
    screen_expect(s, "0 us    200");
    leave(s);
}

static void the_debrief_compares_the_longest_kernels(void **state)
{
    struct screen *s = start(30, 100, "ten-kernels/a", NULL);
    press(s, "1++++\r", "Enter lock");
    press(s, "\r", "WHERE IS IT");
    press(s, "0", "Nowhere");
    press(s, "\r", "HOW WOULD YOU FIX IT");
    press(s, "1", "▸1");
    press(s, "\r", "final answer");
    press(s, "\r", "debrief");
    screen_expect(s, "before: attention scores, 50.0 µs of 0.242 ms; after: attention scores, 50.0 "
                     "µs of");
    screen_expect(s, "tokens/s");
    leave(s);
}

/* The shipped step, from the evidence that was recorded: wherever its time stands, what users see
 * of it stands too. */
static void the_decode_step_says_tokens_per_second(void **state)
{
    static const struct { int rows, columns; const char *symptom;
    } sizes[] = {{30, 100, "this step     0.942 ms              4245 tokens/s "},
                 {24, 80, "this step 0.942 ms, 4245 tokens/s "}};
    for (int k = 0; k < 2; k++) {
        char path[160];
        snprintf(path, sizeof path, "%s/decode-%d.db", folder, k);
        const char *play[] = {"--db",   path, "--pack", "content/packs/decode-step",
                              "--seed", "1",  "play",   "tokens-per-second/a",
                              NULL};
        struct screen_start how = {.rows = sizes[k].rows,
                                   .columns = sizes[k].columns,
                                   .arguments = play};
        struct screen *s = screen_start(&how);
        screen_expect(s, "WHICH CAUSES ARE POSSIBLE?");
        press(s, "\x1b", sizes[k].symptom);
        screen_expect_gone(s, "WHICH CAUSES ARE POSSIBLE?");
        press(s, "t", "your estimate");
        for (int e = 0; e < 3; e++) {
            press(s, "\r", "Enter again skips it");
            press(s, "\r", e < 2 ? "Enter twice skips it" : "estimate skipped, 3 of 4");
        }
        screen_expect(s, "t has arrived");
        screen_expect(s, "tokens/s     ");              /* below the time, in the notebook */
        for (int turns = 0; turns < 8 && !screen_find(s, "TIMELINE", &(int){0}, &(int){0});
             turns++) {
            screen_send(s, "\t");
            screen_wait(s, "TIMELINE");
        }
        screen_expect(s, "4244 tokens/s, as drawn "); /* the step that the chart is of */
        leave(s);
    }
}

static void a_kernel_alone_has_no_timeline(void **state)
{
    recorded_packs();
    struct screen *s = start(30, 100, "plain-copy", NULL);
    buy_timing(s);
    for (int k = 0; k < 4; k++)
        screen_send(s, "\t");
    screen_expect_gone(s, "TIMELINE");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_kernels_at_100_columns),
        cmocka_unit_test(it_scrolls_in_less_room),
        cmocka_unit_test(it_is_drawn_without_utf8),
        cmocka_unit_test(the_debrief_compares_the_longest_kernels),
        cmocka_unit_test(the_decode_step_says_tokens_per_second),
        cmocka_unit_test(a_kernel_alone_has_no_timeline),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}

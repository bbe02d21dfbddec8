/* Estimates asked before evidence is seen: the question whole at every size, what is taken of an
 * answer, what is said of it, and taking it back. */
#include "tests/folder.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

static const struct {
    int rows, columns;
} sizes[] = {{60, 200}, {30, 100}, {24, 80}, {20, 60}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static int set_up(void **state)
{
    return folder_make("estimate");
}

/* A shipped scenario from its recording, past the question which causes are possible. */
static struct screen *start(int size, const char *name, const char *pack, const char *scenario)
{
    static char path[160];
    snprintf(path, sizeof path, "%s/%s-%d.db", folder, name, size);
    const char *play[] = { "--db", path, "--pack", pack, "--seed", "1", "play", scenario, NULL };
    struct screen_start how = {.rows = sizes[size].rows,
                               .columns = sizes[size].columns,
                               .arguments = play};
    struct screen *s = screen_start(&how);
    screen_expect(s, "Name every cause");
    screen_send(s, "\x1b");
    screen_expect_gone(s, "Name every cause");
    return s;
}

static struct screen *particles(int size, const char *name)
{
    return start(size, name, "content/packs/inside-the-sm", "tracked-particles/a");
}

/* Its words stand in the rows from the title of the question to the field. */
static void expect_question(struct screen *s, const char *question)
{
    char shown[1024] = "", row[512];
    int y = 0, field = 0, x;
    assert_true(screen_find(s, "ESTIMATE ", &y, &x) &&
                screen_find(s, "your estimate:", &field, &x));
    for (int k = y + 1; k < field; k++) {
        screen_row(s, k, row, sizeof row);
        snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s", row);
    }
    if (strcmp(shown, question))
        fail_msg("'%s'", shown);
}

static void the_question_is_whole_at_every_size(void **state)
{
    for (int k = 0; k < SIZES; k++) {
        struct screen *s = particles(k, "whole");
        press(s, "w", "your estimate:");
        screen_expect(s, "ESTIMATE 2 OF 3");
        screen_expect(s, "Esc cancels");
        expect_question(s, " A station takes a warp 29 cycles from one phase to the next, as "
                           "measured on an H200 with next to nothing in its way. How long does one "
                           "turn of its particles take, at the rated clock, if nothing holds it "
                           "up? Sizes: particles = 4325376, turns = 12, stations = 72.");
        press(s, "\r", "Enter again skips it");
        press(s, "\r", "estimate skipped, 2 of 3 ");
        screen_expect(s, "1: below 10");
        press(s, "\x1b", "nothing was charged");
        leave(s);
    }
}

/* What drills refuse is refused here in the same words, and can be put right. */
static void what_is_no_such_number_is_not_taken(void **state)
{
    static const struct { const char *typed, *said;
    } refused[] = {
        {"banana", "Not counted. No number could be read"},
        {"525 GB", "Not counted. That is bytes; a time was asked for."},
        {"100 to 105 ms, 80 %", "Not counted. One number was expected, not a range."},
        {"105 ms, 80 %", "Not counted. One number was expected, without how sure"},
        {"0 ms", "Not counted. An estimate is above zero."},
    };
    for (int k = 0; k < SIZES; k++) {
        struct screen *s = particles(k, "refused");
        press(s, "t", "ESTIMATE 1 OF 3");
        for (size_t r = 0; r < sizeof refused / sizeof *refused; r++) {
            char field[80];
            screen_send(s, "\x15");
            screen_send(s, refused[r].typed);
            press(s, "\r", refused[r].said);
            snprintf(field, sizeof field, "your estimate: %s", refused[r].typed);
            screen_expect(s, field);
        }
        screen_expect(s, "ESTIMATE 1 OF 3");
        press(s, "\x15" "9.1 us\r", "9.10 µs taken, 1 of 3 ");
        screen_expect(s, "t has arrived");
        leave(s);
    }
}

static void several_are_told_one_by_one(void **state)
{
    struct screen *s = start(2, "several", "content/packs/decode-step", "tokens-per-second/a");
    press(s, "t", "ESTIMATE 1 OF 4");
    press(s, "4200\r", "4200 tok/s taken, 1 of 4 ");
    press(s, "120 Mb\r", "15.0 MB taken, 2 of 4 "); /* a small b is a bit: it is seen at once */
    screen_expect(s, "ESTIMATE 3 OF 4");
    press(s, "90us\r", "90.0 µs taken, 3 of 4 ");
    screen_expect(s, "t has arrived. Move");
    press(s, "1", "t has arrived");
    screen_expect_gone(s, "taken, 3 of 4");
    leave(s);
}

/* A bare time is told in the unit of the example before it counts; other keys make it be told
 * again. */
static void what_a_bare_number_means_is_told_first(void **state)
{
    struct screen *s = particles(2, "bare");
    press(s, "t", "such as 40 us");
    press(s, "112\r", "Enter again takes it as 112 us; or write its unit.");
    screen_expect(s, "ESTIMATE 1 OF 3");
    press(s, "\x15" "9.1\r", "Enter again takes it as 9.1 us; or write its unit.");
    press(s, "\r", "9.10 µs taken, 1 of 3 ");
    leave(s);
}

static void what_u_takes_back_is_said(void **state)
{
    struct screen *s = particles(2, "undo");
    press(s, "w", "ESTIMATE 2 OF 3");
    press(s, "50 us\r", "50.0 µs taken");
    press(s, "\x1b", "was not bought");
    press(s, "u", "Taken back: the estimate 50 us; it is asked again.");
    press(s, "w", "ESTIMATE 2 OF 3");
    press(s, "\r\r", "estimate skipped, 2 of 3 ");
    press(s, "\x1b", "was not bought");
    press(s, "1+", "18");
    press(s, "u", "Taken back: the beliefs are what they were before.");
    press(s, "u", "Taken back: an estimate skipped; it is asked again.");
    press(s, "u", "nothing can be taken back");
    leave(s);
}

/* Past beliefs, line and fix, to what is asked behind them. */
static void commit(struct screen *s)
{
    press(s, "\r", "What these beliefs are worth");
    press(s, "\r", "Enter again");
    press(s, "\r", "WHERE IS IT");
    press(s, "\r", "HOW WOULD YOU FIX IT");
    press(s, "1\r", "your estimate:");
}

/* It comes last, with what differs between the GPUs and what it takes here; the debrief says why it
 * takes what it takes there. */
static void the_other_gpu_is_asked_of_last(void **state)
{
    for (int k = 0; k < SIZES; k++) {
        struct screen *s = particles(k, "across");
        commit(s);
        press(s, "\r", "Enter again skips it: 0 of its 6.7 points");
        press(s, "\r", "estimate skipped, 1 of 3 ");
        press(s, "\r\r", "estimate skipped, 2 of 3 ");
        screen_expect(s, "ESTIMATE 3 OF 3");
        expect_question(s, " How long does one call of this code, as it is, take on the other GPU? "
                           "Sizes: particles = 4325376, turns = 12, stations = 72. At least "
                           "69.2 MB to move. NVIDIA H200: DRAM 4814 GB/s, 132 SMs, 1.98 GHz, "
                           "L2 62.9 MB; 1.743 ms here. NVIDIA H100 80GB HBM3: DRAM 3352 GB/s, 132 "
                           "SMs, 1.98 GHz, L2 52.4 MB; the same sizes.");
        press(s, "1.75 ms\r", "1.750 ms taken, 3 of 3 ");
        press(s, "\r", "debrief");
        press(s, "4", "on paper: n * stations / 16");
        if (sizes[k].rows == 20)
            screen_send(s, "\x1b[6~");
        screen_expect(s, "1.750 ms for 1.743 ms");
        screen_expect(s, "1.743 ms on the NVIDIA H100 80GB HBM3, ");
        leave(s);
    }
}

/* A call is asked where there is a number to call that the head of the screen does not show. */
static void what_is_shown_or_is_not_there_is_not_called(void **state)
{
    struct screen *s = start(1, "call", "content/packs/attention", "one-token-attention/b");
    screen_expect(s, "this step");
    press(s, "t", "your estimate:");
    press(s, "\r\r", "t has arrived");
    press(s, "x", "(t has");                           /* a cold and a warm L2 */
    screen_send(s, "\x1b");
    screen_expect_gone(s, "(t has");
    press(s, "s", "s has arrived"); /* it loads nothing from shared memory */
    screen_expect(s, "n/a: no such instruction was");
    press(s, "o", "Before you look: achieved occupancy?");
    press(s, "1", "o has arrived");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_question_is_whole_at_every_size),
        cmocka_unit_test(what_is_no_such_number_is_not_taken),
        cmocka_unit_test(several_are_told_one_by_one),
        cmocka_unit_test(what_a_bare_number_means_is_told_first),
        cmocka_unit_test(what_u_takes_back_is_said),
        cmocka_unit_test(the_other_gpu_is_asked_of_last),
        cmocka_unit_test(what_is_shown_or_is_not_there_is_not_called),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}

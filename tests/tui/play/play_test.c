/* Whole investigations by keys, at the three sizes: a warm-up, a transposed copy to the end of its
 * debrief, quitting and going on. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tui/recorded.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

static const struct { int rows, columns; } sizes[] = { { 30, 100 }, { 24, 80 }, { 20, 60 } };

static int set_up(void **state)
{
    return recorded_folder("play");
}

static struct screen *start(int rows, int columns, const char *db, const char *scenario)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s.db", folder, db);
    const char *play[] = { "--db", path, "--pack", packs, "--seed", "1", "play", scenario, NULL };
    const char *home[] = { "--db", path, "--pack", packs, "--seed", "1", NULL };
    struct screen_start how = {.rows = rows,
                               .columns = columns,
                               .arguments = scenario ? play : home};
    return screen_start(&how);
}

/* ---- the transposed copy, from the story to the last page ---- */

static void buy_two(struct screen *s)
{
    screen_expect(s, "this kernel");
    press(s, "t", "your estimate");
    press(s, "130 us\r", "0.130 ms taken, 1 of 2 ");
    screen_expect(s, "t has arrived");
    screen_expect(s, "time, cold L2");
    press(s, "m", "your estimate");
    press(s, "2.1e6\r", "sectors per store request?");
    press(s, "4", "m has arrived");
    screen_expect(s, "4 of 15");
}

/* Esc and any other key leave the beliefs as they are; a digit and Enter are enough. */
static void type_beliefs(struct screen *s)
{
    press(s, "3%", "cache thrash: how many per cent? Two digits");
    press(s, "6", "cache thrash: 6_ %");
    press(s, "4", "cache thrash: 64 %; u takes it back.");
    press(s, "%7", "7_ %");
    screen_send(s, "\x1b");
    screen_expect_gone(s, "7_ %");
    press(s, "%5\r", "cache thrash: 5 %; u takes it back.");
    press(s, "u", "Taken back");
}

static void commit(struct screen *s)
{
    press(s, "1++++\r", "Enter lock");
    press(s, "\r", "WHERE IS IT");
    press(s, "0", "Nowhere");
    press(s, "G", "▸ 1");
    press(s, "g", "▸  1");
    for (int k = 0; k < 12; k++)
        screen_send(s, k % 2 ? "\x1bOB" : "j");
    screen_expect(s, "▸ 13");
    press(s, "\r", "HOW WOULD YOU FIX IT");
    press(s, "2", "▸2");
    press(s, "\r", "Enter ends");
    press(s, "\r", "debrief");
}

static void read_debrief(struct screen *s, bool small)
{
    screen_expect(s, "uncoalesced access, on line 13");
    screen_expect(s, "of 100");
    screen_expect(s, "SIDE BY SIDE");
    press(s, "2", "ideal reader");
    press(s, "3", "WHAT CHANGED");
    press(s, "4", "ESTIMATES");
    if (!small)
        screen_expect(s, "That names the wait");        /* what the pushback teaches */
    press(s, "c", "CODE: suspect");
    press(s, "\t", "CODE: fix");
    press(s, "e", "WHAT IT MEANT");
    screen_expect(s, "settles uncoalesced access");
    screen_expect(s, "eight times the minimum");
    press(s, "\x1bOA", "rules out nothing");      /* the purchase before */
    press(s, "\x1bOB", "settles");
    press(s, "e", "settles");           /* alone, in full */
    screen_expect_gone(s, "WHAT IT MEANT");
    screen_expect(s, "eight times the minimum");
    press(s, "e", "WHAT IT MEANT");
    press(s, "\x1b", "SIDE BY SIDE");
    press(s, "f", "no GPU here");
}

static void the_transposed_copy(void **state)
{
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char db[32];
        snprintf(db, sizeof db, "transposed-%zu", k);
        struct screen *s = start(sizes[k].rows, sizes[k].columns, db, "transposed-copy/a");
        buy_two(s);
        type_beliefs(s);
        commit(s);
        read_debrief(s, sizes[k].rows < 24);
        press(s, "v", "0 of 15");       /* the same story, another cause, in the debrief's place */
        if (sizes[k].rows < 30)
            press(s, "\x1b", "WHAT YOU KNOW");     /* from the story's pane first */
        press(s, "\x1b", "Esc again goes home");
        screen_send(s, "\x1b");
        screen_expect(s, "s scen");
        screen_expect_gone(s, "debrief");
        leave(s);
    }
}

static void the_warm_up(void **state)
{
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char db[32];
        snprintf(db, sizeof db, "warm-up-%zu", k);
        struct screen *s = start(sizes[k].rows, sizes[k].columns, db, "plain-copy");
        screen_expect(s, "this kernel");
        press(s, "t", "t has arrived");
        press(s, "0++++\r", "Enter lock");
        press(s, "\r", "WHERE IS IT");
        press(s, "0\r", "HOW WOULD YOU FIX IT");
        press(s, "7", "There are 3 to choose from.");
        press(s, "3\r", "Enter ends");
        press(s, "?", "choose a hypothesis");
        screen_expect_gone(s, "of an open list");       /* there is none */
        if (k == 0)
            screen_expect(s, "all beliefs back to those that were locked");
        screen_expect_gone(s, "its price comes back");
        press(s, "\x1b", "Enter ends");
        press(s, "\r", "debrief");
        screen_expect(s, "of 100");
        screen_expect_gone(s, "m mend");        /* it is healthy */
        press(s, "m", "Nothing was wrong with it, so there is nothing to mend.");
        press(s, "?", "the next scenario");
        screen_expect_gone(s, "mend it yourself");
        press(s, "\x1b", "of 100");
        leave(s);
    }
}

/* ---- stopping half-way ---- */

static void quitting_loses_nothing(void **state)
{
    struct screen *s = start(30, 100, "resume", "transposed-copy/a");
    buy_two(s);
    press(s, "6+", "18");
    leave(s);
    s = start(24, 80, "resume", NULL);
    screen_expect(s, "continue");
    press(s, "\r", "memory access");
    screen_expect(s, "4 of 15");
    screen_expect(s, "18");
    leave(s);
}

/* Files may not grow: nobody leaves by one key, and once they may all is there. */
static void what_is_not_saved_is_not_left_behind(void **state)
{
    struct rlimit limit = {0}, none;
    signal(SIGXFSZ, SIG_IGN);              /* handed down: the write fails, and nobody is killed */
    struct screen *s = start(30, 100, "full", "transposed-copy/a");
    screen_expect(s, "this kernel");
    assert_int_equal(prlimit(screen_pid(s), RLIMIT_FSIZE, NULL, &limit), 0);
    none = (struct rlimit){.rlim_cur = 4096, .rlim_max = limit.rlim_max};
    assert_int_equal(prlimit(screen_pid(s), RLIMIT_FSIZE, &none, NULL), 0);
    press(s, "1+", "not saved yet: ");
    press(s, "q", "q again leaves without it");
    press(s, "\x1b\x1b", "so you stay");
    assert_int_equal(prlimit(screen_pid(s), RLIMIT_FSIZE, &limit, NULL), 0);
    screen_expect_gone(s, "not saved yet: ");
    leave(s);
    s = start(30, 100, "full", NULL);
    screen_expect(s, "continue");
    press(s, "\r", "██▎          19");
    leave(s);
}

static void locked_beliefs_stay_locked(void **state)
{
    struct screen *s = start(30, 100, "locked", "transposed-copy/a");
    buy_two(s);
    press(s, "1+\r", "Enter lock");
    press(s, "\r", "WHERE IS IT");
    leave(s);
    s = start(30, 100, "locked", NULL);
    screen_expect(s, "continue");
    press(s, "\r", "WHERE IS IT");
    press(s, "\r", "HOW WOULD YOU FIX IT");
    press(s, "1\r", "THE INTERVIEWER");
    leave(s);
    s = start(20, 60, "locked", NULL);
    screen_expect(s, "continue");
    press(s, "\r", "Enter ends");
    leave(s);
}

/* On one pane another stands there: a story, a list, an explanation give way to what is moved. */
static void a_belief_that_moves_is_seen(void **state)
{
    struct screen *s = start(20, 60, "unseen", "transposed-copy/a");
    screen_expect(s, "this kernel");
    press(s, "3", "WHAT YOU BELIEVE");
    screen_expect(s, "\u25b83 ");
    press(s, "x", "EXPERIMENTS");
    press(s, "+", "WHAT YOU BELIEVE");
    press(s, "e", "EXPLAINED");
    press(s, "2", "EXPLAINED");                 /* a digit explains another */
    press(s, "%", "WHAT YOU BELIEVE");
    press(s, "40", "40 %");
    press(s, "\t\t", "ASK OR BUY");
    press(s, "x", "EXPERIMENTS");
    press(s, "\033", "ASK OR BUY");
    press(s, "-", "WHAT YOU BELIEVE");
    leave(s);
}

static int cursor_row(struct screen *s)
{
    int row, column;
    assert_true(screen_find(s, "▸", &row, &column));
    return row;
}

/* The cursor stands in the row of this number. */
static void expect_line(struct screen *s, const char *numbered)
{
    char row[512];
    screen_expect(s, numbered);
    screen_row(s, cursor_row(s), row, sizeof row);
    assert_non_null(strstr(row, numbered));
}

static void a_line_is_typed_by_its_number(void **state)
{
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char db[32];
        snprintf(db, sizeof db, "number-%zu", k);
        struct screen *s = start(sizes[k].rows, sizes[k].columns, db, "transposed-copy/a");
        screen_expect(s, "this kernel");
        press(s, "1+\r", "Enter lock");
        press(s, "\r", "WHERE IS IT");
        screen_expect(s, "1-9 number");
        press(s, "1", "Line 1_");
        press(s, "6", "Line 16_");
        expect_line(s, " 16 ");
        press(s, "9", "There is no 169: the last is 18. Still 16_");
        press(s, "\x7f", "Line 1_");
        expect_line(s, "  1 ");
        press(s, "0", "Line 10_");              /* behind a digit it is one more */
        press(s, "\x1b", "Which line");         /* where the cursor stood before */
        expect_line(s, "  2 ");
        press(s, "12", "Line 12_");
        press(s, "\x1bOB", "Which line");       /* the number is over, the line stays */
        expect_line(s, " 13 ");
        press(s, "9", "Line 9_");
        press(s, "g", "Which line");            /* as in a pager */
        expect_line(s, "  9 ");
        press(s, "0", "Nowhere");
        press(s, "14\r", "HOW WOULD YOU FIX IT");
        press(s, "\x1b", "Which line");
        expect_line(s, " 14 ");
        leave(s);
    }
}

static void beliefs_that_may_not_be_meant_are_asked_for(void **state)
{
    struct screen *s = start(20, 60, "meant", "transposed-copy/a");
    screen_expect(s, "this kernel");
    press(s, "\r", "Enter locks");
    press(s, "\r", "Your beliefs are even. Enter again locks.");
    press(s, "1", "What these beliefs are worth");     /* any other key takes it back */
    press(s, "+\x1b", "A letter buys evidence");
    press(s, "d", "how busy is DRAM?");
    press(s, "\r", "d has arrived");
    press(s, "\r", "Enter locks");
    press(s, "\r", "Not moved since the last evidence. Enter again locks.");
    press(s, "\x1b", "d has arrived");
    press(s, "+\r", "Enter locks");
    press(s, "\r", "WHERE IS IT");
    leave(s);
}

/* Full marks up to 6 minutes of 15; what would pass 15 asks once; what has come last says when
 * either is passed, and the row of patience from then on. */
static void patience_that_runs_out_is_said(void **state)
{
    static const char *const bought[] = { "w", "s", "d", "p", "o", "r" };
    struct screen *s = start(24, 80, "patience", "transposed-copy/a");
    screen_expect(s, "0 of 15 min, full marks up to 6");
    screen_expect(s, "clock 00:0");
    screen_expect(s, " (not scored)");
    for (size_t k = 0; k < sizeof bought / sizeof *bought; k++) {
        char here[24];
        screen_send(s, bought[k]);
        snprintf(here, sizeof here, "%s has arrived", bought[k]);
        screen_expect(s, "Before you look");
        press(s, "\r", here);
        if (k == 1)
            screen_expect(s, "w  stalls: long_scoreboa… 605 cycles"); /* folded: the value stands */
        if (k == 2) {
            screen_expect(s, "d has arrived, past full marks: each minute from here costs points.");
            screen_expect(s, "8 of 15 min, full marks up to 6");
        }
    }
    press(s, "c", "source code takes 6 of 1 min left: evidence scores 0 then. Again buys it.");
    screen_expect(s, "14 of 15 min");
    press(s, "c", "patience is out, so evidence scores 0. Enter commits.");
    screen_expect(s, "20 of 15 min: evidence scores 0");
    screen_resize(s, 30, 100);
    screen_expect(s, "20 of 15 min spent: evidence scores 0");
    leave(s);
}

static void a_cancelled_purchase_is_returned(void **state)
{
    struct screen *s = start(24, 80, "cancel", "transposed-copy/a");
    screen_expect(s, "this kernel");
    press(s, "m", "your estimate");
    press(s, "\x1b", "was not bought");
    screen_expect(s, "0 of 15");
    press(s, "w", "long scoreboard");
    press(s, "m", "1: below 10   2: to 50");          /* the question stays beside what is said */
    screen_expect(s, "w has arrived: call it");
    press(s, "\x1b", "nothing was charged");
    screen_expect(s, "0 of 15");
    press(s, "l", "stalls by line");
    leave(s);
}

static void giving_up_takes_two_keys(void **state)
{
    struct screen *s = start(24, 80, "give-up", "transposed-copy/a");
    screen_expect(s, "this kernel");
    press(s, "X", "X again");
    press(s, "1X", "X again");
    screen_send(s, "X");
    screen_expect_gone(s, "this kernel");
    screen_expect_gone(s, "continue");
    leave(s);
}

static void every_size_on_the_way(void **state)
{
    struct screen *s = start(30, 100, "resize", "transposed-copy/a");
    buy_two(s);
    screen_resize(s, 24, 80);
    screen_expect(s, "BELIEF");
    screen_resize(s, 10, 50);
    screen_expect(s, "60 x 20");
    screen_resize(s, 20, 60);
    screen_expect(s, "WHAT YOU KNOW");
    press(s, "\t", "ROOFLINE");
    screen_resize(s, 40, 140);
    screen_expect(s, "ASK OR BUY");
    press(s, "a", "Are the rows");
    press(s, "1", "row-major");
    press(s, "a", "✓1");
    screen_send(s, "\x1b");
    screen_expect_gone(s, "✓1");
    press(s, "n", "Tab keeps them");
    press(s,
          "two sides\rand a second line, longer than the hundred and twenty-eight bytes that a "
          "short answer takes: why does it not run like a copy of the same bytes? The end.\t",
          "Noted");
    press(s, "n", "The end.");
    screen_send(s, "\033");
    screen_expect_gone(s, "YOUR NOTES");
    press(s, "d", "Before you look");
    press(s, "\r", "d has arrived");
    screen_expect(s, "▸ d"); /* what came last is chosen */
    press(s, "\x1bOA", "▸ to 256 bytes");
    press(s, "\x1bOB", "▸ d");
    press(s, "e", "EXPLAINED");
    leave(s);
}

/* ---- live, on the fake runner ---- */

static struct screen *start_live(const char *db, const char *how_it_behaves)
{
    char path[160], runner[256];
    const char *build = getenv("BUILD");
    snprintf(path, sizeof path, "%s/%s.db", folder, db);
    snprintf(runner, sizeof runner, "%s/tests/fakes/fake_runner %s", build ? build : "build",
             how_it_behaves);
    const char *arguments[] = {"--db",   path, "--pack",   packs,  "--trust",
                               "--seed", "1",  "--runner", runner, NULL};
    struct screen_start how = { .rows = 30, .columns = 100, .arguments = arguments };
    struct screen *s = screen_start(&how);
    screen_expect(s, "Fake GPU, live");
    press(s, "s", "SCENARIOS");
    screen_send(s, "\x1bOB\r");
    screen_expect(s, "Fake GPU, live   level 1");
    return s;
}

static void live_to_the_debrief(void **state)
{
    struct screen *s = start_live("live", "good");
    screen_expect(s, "67.1 µs");
    press(s, "d1", "d has arrived");
    press(s, "c", "extern \"C\"");
    press(s, "\r", "Enter lock");
    press(s, "\r", "Your beliefs are even. Enter again locks");
    press(s, "\r", "WHERE IS IT");
    press(s, "\r2\r", "your estimate");
    press(s, "\r", "Enter again skips it: 0 of its 10.0 points");
    press(s, "\r\r\r", "THE INTERVIEWER");
    press(s, "\r", "debrief");
    screen_expect(s, "Fake GPU, live");
    screen_expect(s, "f run fix live");
    press(s, "f", "live, Fake GPU");
    leave(s);
}

static void a_runner_that_dies_costs_nothing(void **state)
{
    struct screen *s = start_live("dying", "crashing");
    screen_expect(s, "n/a: not measured");
    press(s, "1+", "18");
    press(s, "d", "Nothing was charged: the runner was ended by signal 6. Buy again to reconnect.");
    screen_expect(s, "0 of 15");
    leave(s);
    s = start(30, 100, "dying", NULL);
    screen_expect(s, "continue");
    press(s, "\r", "begun live on Fake GPU");
    screen_expect(s, "18");
    press(s, "d", "not here now");
    leave(s);
}

/* It dies behind an explanation and a search: both stay, and what was bought costs nothing. */
static void a_runner_that_dies_behind_a_view(void **state)
{
    struct screen *s = start_live("behind", "crashing");
    screen_expect(s, "n/a: not measured");
    screen_send(s, "d");
    press(s, "e", "EXPLAINED");
    screen_expect(s, "Nothing was charged");
    screen_expect(s, "EXPLAINED");
    press(s, "e", "WHAT YOU KNOW");
    screen_expect(s, "0 of 15");
    screen_send(s, "d");
    press(s, "?", "choose a hypothesis");
    press(s, "/quadratic", "/quadratic");
    press(s, "\r", "1 of 1");
    press(s, "\x1b", "Esc back");
    press(s, "\x1b", "WHAT YOU KNOW");
    screen_expect(s, "0 of 15");
    leave(s);
}

/* The last one: it takes the evidence away. */
static void what_is_not_recorded_says_what_to_do(void **state)
{
    char command[200];
    snprintf(command, sizeof command, "find '%s' -path '*/evidence/*' -delete", packs);
    assert_int_equal(system(command), 0);
    struct screen *s = start(24, 80, "bare", "transposed-copy");
    screen_expect(s, "nothing recorded, no GPU: --runner COMMAND, or `warpdrill preview`");
    press(s, "s", "SCENARIOS");
    screen_expect(s, ", nothing recorded; ");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_transposed_copy),
        cmocka_unit_test(the_warm_up),
        cmocka_unit_test(quitting_loses_nothing),
        cmocka_unit_test(what_is_not_saved_is_not_left_behind),
        cmocka_unit_test(locked_beliefs_stay_locked),
        cmocka_unit_test(a_belief_that_moves_is_seen),
        cmocka_unit_test(a_line_is_typed_by_its_number),
        cmocka_unit_test(beliefs_that_may_not_be_meant_are_asked_for),
        cmocka_unit_test(patience_that_runs_out_is_said),
        cmocka_unit_test(a_cancelled_purchase_is_returned),
        cmocka_unit_test(giving_up_takes_two_keys),
        cmocka_unit_test(every_size_on_the_way),
        cmocka_unit_test(live_to_the_debrief),
        cmocka_unit_test(a_runner_that_dies_costs_nothing),
        cmocka_unit_test(a_runner_that_dies_behind_a_view),
        cmocka_unit_test(what_is_not_recorded_says_what_to_do),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}

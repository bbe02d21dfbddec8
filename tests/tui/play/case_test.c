/* A case in the investigation: exhibits as a list, tables, a heat map in the notebook and on the
 * whole screen, a place in the place of a line, the debrief; at three sizes and without UTF-8. */
#include <unistd.h>

#include "tests/folder.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

#define DOWN "\x1bOB"

static int set_up(void **state)
{
    return folder_make("case");
}

static struct screen *run(int rows, int columns, const char *const *environment,
                          const char *const *play)
{
    struct screen_start how = {.rows = rows,
                               .columns = columns,
                               .arguments = play,
                               .environment = environment};
    return screen_start(&how);
}

/* Variant a of the shipped case as seed 1 draws it, whose file of progress is of this name. */
static struct screen *start_naming(int rows, int columns, const char *name,
                                   const char *const *environment)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s.db", folder, name);
    const char *play[] = {"--db",   path, "--pack", "content/packs/many-gpus",
                          "--seed", "1",  "play",   "many-gpus/sixteen-ranks/a",
                          NULL};
    struct screen *s = run(rows, columns, environment, play);
    screen_expect(s, "generated   level 4");
    screen_expect(s, "Name every cause");
    return s;
}

/* The same, past the question which causes are possible. */
static struct screen *start(int rows, int columns, const char *name, const char *const *environment)
{
    struct screen *s = start_naming(rows, columns, name, environment);
    screen_send(s, "\x1b");
    screen_expect_gone(s, "Name every cause");
    return s;
}

static void buy_map(struct screen *s)
{
    press(s, "x", "EXHIBITS");
    press(s, "7", "your estimate:");
    press(s, "100 ms\r", "x has arrived");
}

static void no_probe_but_exhibits_is_sold(void **state)
{
    struct screen *s = start(30, 100, "shop", NULL);
    screen_expect(s, "this job                 670.0 ms");
    screen_expect(s, "planning sheet           540.0 ms");
    screen_expect(s, "Two nodes of eight H200.");
    screen_expect_gone(s, "timing in detail");
    screen_expect_gone(s, "verify the result");
    screen_expect(s, "x  exhibits               1-4");
    press(s, "t", "not for a case: look at its exhibits");
    press(s, "c", "not for a case");
    press(s, "x", "9  Bandwidth test of every port, the job stopped"); /* all nine, though the pane
                                                                          has eight rows */
    press(s, "3", "Job log and host logs");
    screen_expect(s, "rank 0  config  parameters 8.0e9");
    leave(s);
}

static void the_map_has_shades_numbers_and_a_legend(void **state)
{
    struct screen *s = start(30, 100, "map", NULL);
    buy_map(s);
    screen_expect(s, "rank step 1-12      mean");
    screen_expect(s, "   0 ████████████  251.8");
    press(s, "\t", "EXHIBIT");
    screen_expect(s, "0 ██ ██ ██ ██ ██");
    screen_expect(s, "ms, up to · 60 ░ 120 ▒ 180 ▓ 240 █ 300");
    press(s, "f", "1 ▒  122 ▒  123");
    screen_expect(s, "15 █  252");
    screen_expect(s, "252 ms");
    press(s, "f", "WHAT YOU BELIEVE");
    screen_expect(s, " 1 ▒▒ ▒▒");
    leave(s);
}

/* Before any hypothesis is seen; once, also after home and back; the debrief says what was thought
 * of. */
static void causes_are_named_before_they_are_seen(void **state)
{
    struct screen *s = start_naming(30, 100, "names", NULL);
    screen_expect_gone(s, "straggler or skew");
    press(s, "a straggler, thermal throttling", "thermal throttling");
    press(s, "\t", "straggler or skew");
    leave(s);
    static char path[128];
    snprintf(path, sizeof path, "%s/names.db", folder);
    const char *play[] = { "--db", path, "--pack", "content/packs/many-gpus", "--seed", "1", NULL };
    s = run(30, 100, NULL, play);
    screen_expect(s, "continue");
    press(s, "1", "straggler or skew");
    screen_expect_gone(s, "Name every cause");
    press(s, "\r", "then the place and the fix");
    press(s, "\r", "Your beliefs are even. Enter again locks");
    press(s, "\r", "WHERE IS IT");
    press(s, "\r", "HOW WOULD YOU FIX IT");
    press(s, "1\r", "How long does the reduction");
    press(s, "\r\r", "How many bytes does one port send");
    press(s, "\r\r", "How long do the kernels");
    press(s, "\r\r", "final answer");
    press(s, "\r", "your list  you named 2 of the 9 on offer");
    leave(s);
}

static void a_table_has_its_units(void **state)
{
    struct screen *s = start(30, 100, "table", NULL);
    press(s, "x", "EXHIBITS");
    press(s, "4", "rank  SM clock  power  GPU");
    screen_expect(s, "MHz      W    C");
    screen_expect(s, "power or heat throttling ");          /* the longest label */
    press(s, "f", "f back to the panes");                  /* from its block in the notebook */
    press(s, "f", "f whole screen");
    screen_expect(s, "Enter commit");
    press(s, "\x1b", "WHAT YOU KNOW");
    press(s, "\t", "EXHIBIT");
    screen_expect(s, "Clock, power, temperature by rank");
    press(s, "f", "generated by");
    screen_expect(s, "power  GPU   SM clock"); /* bars have the room that is left */
    screen_send(s, "\x1bOC\x1bOC");         /* to the right, where nothing is hidden */
    press(s, "f", "WHAT YOU BELIEVE");
    screen_expect(s, " rank  SM clock  power  GPU");
    screen_expect(s, " 0         1809    541   62");
    press(s, "x", "EXHIBITS");
    press(s, "2",
          "1.220    131.0     514.5   26.97"); /* points stand in one column */
    leave(s);
}

/* To the right no further than to the end of the longest line, so that the first step back is seen.
 */
static void a_log_ends_at_the_right(void **state)
{
    struct screen *s = start(30, 100, "log", NULL);
    press(s, "x", "EXHIBITS");
    press(s, "3", "Job log and host logs");
    press(s, "\t", "─ EXHIBIT ─");
    for (int k = 0; k < 20; k++)
        screen_send(s, "\x1bOC");
    screen_expect(s, "GPU Direct RDMA");
    screen_send(s, "\x1bOD");
    screen_expect_gone(s, "GPU Direct RDMA");
    leave(s);
}

static void buy_timeline(struct screen *s)
{
    press(s, "x", "EXHIBITS");
    press(s, "2", "x has arrived");
}

/* Zooming keeps the middle; arrows move; the same time stays in sight when f widens. */
static void a_timeline_is_zoomed_and_moved(void **state)
{
    struct screen *s = start(30, 100, "timeline", NULL);
    press(s, "Z", "turn to it with Tab first");
    buy_timeline(s);
    screen_expect(s, "f wider, z and Z zoom");
    press(s, "f", "A loader   B forward   C backward   D update   # several");
    screen_expect(s, "0    #B forward──");
    screen_expect(s, "0 ms ");
    screen_expect(s, "z zooms");
    press(s, "z", "1/2 of it, Z back");
    press(s, "z", "1/4 of it");
    screen_expect(s, "0    C backward──");
    screen_expect_gone(s, "B forward──");
    for (int k = 0; k < 12; k++)
        screen_send(s, "\x1bOD");
    screen_expect(s, "0    AB forward");
    press(s, "f", "WHAT YOU BELIEVE");
    screen_expect(s, "1/4 of it");
    screen_expect(s, "0    #B forward");
    press(s, "Z", "1/2 of it");
    press(s, "Z", "z zooms");
    leave(s);
}

/* A match that is out of sight is moved to. */
static void a_timeline_is_searched(void **state)
{
    struct screen *s = start(30, 100, "sought", NULL);
    buy_timeline(s);
    press(s, "f", "0    #B forward");
    press(s, "z", "1/2 of it");
    press(s, "z", "1/4 of it");
    press(s, "z", "1/8 of it");
    screen_expect_gone(s, "D update──");
    press(s, "/", "search");
    press(s, "update\r", "1 of 16");
    screen_expect(s, "D update──");
    press(s, "n", "2 of 16");
    press(s, "N", "1 of 16");
    leave(s);
}

static void a_timeline_fits_smaller_and_wider_screens(void **state)
{
    static const struct { int rows, columns; } sizes[] = {{20, 60}, {36, 110}, {60, 200}};
    static const char *const plain[] = {"LC_ALL=C", "LANG=C", NULL};
    for (int k = 0; k < 4; k++) {
        char name[16];
        snprintf(name, sizeof name, "wide%d", k);
        struct screen *s = k < 3 ? start(sizes[k].rows, sizes[k].columns, name, NULL)
                                 : start(24, 80, name, plain);
        buy_timeline(s);
        press(s, "f", "A loader   B forward   C backward   D update   # several");
        screen_expect(s, k < 3 ? "C backward──" : "C backward--");
        screen_expect(s, "0 ms");
        leave(s);
    }
}

/* A log is searched as a listing is. */
static void a_log_is_searched(void **state)
{
    struct screen *s = start(30, 100, "searched", NULL);
    press(s, "x", "EXHIBITS");
    press(s, "3", "Job log and host logs");
    press(s, "f", "Job log and host logs");
    press(s, "/", "search");
    press(s, "kernel\r", "1 of 4");
    int row, column;
    assert_true(screen_find(s, "kernel", &row, &column));
    assert_true(screen_cell(s, row, column).attrs.reverse);
    press(s, "n", "2 of 4");
    press(s, "N", "1 of 4");
    press(s, "\x1b", "Enter commit");
    assert_false(screen_cell(s, row, column).attrs.reverse);
    leave(s);
}

/* A copy of a case whose log has a thousand lines; each hundredth names an error. */
static void write_long_log(char pack[128])
{
    char command[256], path[192];
    snprintf(pack, 128, "%s/long", folder);
    snprintf(command, sizeof command, "cp -R tests/packs/cases '%s'", pack);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/four-ranks/a/sealed/exhibits/log.json", pack);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("{\"format\": 1, \"tier\": \"generated\", \"made\": \"2026-11-21\", \"by\": \"hand\", "
          "\"lines\": [", f);
    for (int k = 1; k <= 1000; k++)
        fprintf(f, "\"%d %s\"%s", k, k % 100 ? "heartbeat" : "link_error", k < 1000 ? "," : "]}");
    assert_int_equal(fclose(f), 0);
}

static void a_long_log_is_searched(void **state)
{
    char pack[128], db[128];
    int row, column;
    write_long_log(pack);
    snprintf(db, sizeof db, "%s/long.db", folder);
    const char *play[] = {"--db", db, "--pack", pack, "--seed", "1", "play", "cases/four-ranks/a",
                          NULL};
    struct screen *s = run(30, 100, NULL, play);
    press(s, "\x1b", "Enter commit");
    press(s, "x", "EXHIBITS");
    press(s, "3", "x has arrived");
    press(s, "f", "1 heartbeat");
    press(s, "/", "search");
    press(s, "link_err\r", "1 of 10 ");
    screen_expect(s, "100 link_error");
    assert_true(screen_find(s, "link_error", &row, &column));
    assert_true(screen_cell(s, row, column + 7).attrs.reverse);
    press(s, "N", "10 of 10 ");
    screen_expect(s, "1000 link_error");
    press(s, "n", "1 of 10 ");
    press(s, "\x1b", "f back to the panes");
    leave(s);
}

/* Eight causes have 12 or 13 of 100: that is even, and worth as much as an even spread is said to
 * be worth. */
static void an_even_spread_is_worth_nothing(void **state)
{
    struct screen *s = start(30, 100, "even", NULL);
    press(s, "\r", "an even spread is worth 0");
    screen_expect(s, "any of the other ");
    assert_false(screen_find(s, "+1", &(int){ 0 }, &(int){ 0 }));
    screen_send(s, "\x1b");
    leave(s);
}

/* Numbers of steps stand evenly: where cells are two columns wide each second one has its own, but
 * what "step 1" covers. */
static void heads_of_the_map_are_even(void **state)
{
    struct screen *s = start(24, 80, "heads", NULL);
    press(s, "x", "EXHIBITS");
    press(s, "7", "your estimate:");
    press(s, "100 ms\r", "x has arrived");
    press(s, "\t", "ms, up to ·");
    screen_expect(s, "rank step 1  5   7   9   11  ");
    leave(s);
}

static void it_fits_smaller_screens(void **state)
{
    static const struct { int rows, columns; } sizes[] = { { 24, 80 }, { 20, 60 } };
    for (int k = 0; k < 2; k++) {
        char name[16];
        snprintf(name, sizeof name, "small%d", k);
        struct screen *s = start(sizes[k].rows, sizes[k].columns, name, NULL);
        press(s, "x", "9  Bandwidth test");
        press(s, "7", sizes[k].columns < 80 ? "How long does the reduction" : "your estimate:");
        press(s, "100 ms\r", "x has arrived");
        screen_expect(s, "rank step 1-12      mean");
        for (int turns = 0; turns < 8 && !screen_find(s, "─ EXHIBIT ─", &(int){0}, &(int){0});
             turns++) {
            screen_send(s, "\t");
            screen_wait(s, "─ EXHIBIT ─");
        }
        screen_expect(s, "ms, up to ·");
        screen_expect(s, "252 ms");
        leave(s);
    }
}

static void it_is_drawn_without_utf8(void **state)
{
    static const char *const plain[] = { "LC_ALL=C", "LANG=C", NULL };
    struct screen *s = start(30, 100, "plain", plain);
    buy_map(s);
    screen_expect(s, "   0 ############  251.8");
    press(s, "\t", "ms, up to . 60 : 120 + 180 % 240 # 300");
    press(s, "f", "1 +  122 +  123");
    leave(s);
}

/* Home and back in between: what was bought stays, from the attempt's own copy. */
static void it_is_played_to_the_end(void **state)
{
    struct screen *s = start(30, 100, "end", NULL);
    buy_map(s);
    leave(s);
    static char path[128];
    snprintf(path, sizeof path, "%s/end.db", folder);
    const char *home[] = { "--db", path, "--pack", "content/packs/many-gpus", "--seed", "1", NULL };
    s = run(30, 100, NULL, home);
    screen_expect(s, "Sixteen ranks, one step time");
    press(s, "1", "Time in the reduction by rank");
    press(s, "x", "EXHIBITS");
    press(s, "2", "x has arrived");
    press(s, "5++++", "▸5 straggler or skew");
    press(s, "\r", "then the place and the fix");
    press(s, "\r", "WHERE IS IT");
    screen_expect(s, "▸  1  rank 0, node a");
    screen_expect(s, "Which of them causes it?");
    screen_send(s, DOWN);
    screen_expect(s, "▸  2  rank 1, node a");
    press(s, "1", "Number 1_");
    screen_expect(s, "▸  1  rank 0, node a");
    press(s, "\x7f", "Which of them");
    screen_expect(s, "▸  2  rank 1, node a");
    press(s, "\r", "HOW WOULD YOU FIX IT");
    press(s, "3", "▸3");
    press(s, "\r", "How many bytes does one port send");
    int row, column;
    assert_true(screen_find(s, "that you have not said yet.", &row, &column));
    char second[128];
    screen_row(s, row, second, sizeof second);
    assert_int_equal(strspn(second, " "), 2); /* each line stands where the first does */
    press(s, "2 GB\r", "How long do the kernels");
    press(s, "390 ms\r", "final answer");
    press(s, "f", "f back to the panes");
    screen_expect(s, "Enter final answer");
    press(s, "\x1b", "THE INTERVIEWER");
    press(s, "\r", "debrief");
    screen_expect(s, "at rank 1, node a.");
    screen_expect(s, "location    5 of  5  ▌    rank 1, node a");
    screen_expect(s, "this job                  670.0 ms");
    screen_expect(s, "WHAT TELLS");
    screen_expect(s, "Loader, forward, backward, … 1 + Kernel time before the … 3");
    press(s, "3", "1 ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒            122 ms");
    screen_expect_gone(s, "f run fix live");
    press(s, "c", "A case has no code");
    press(s, "f", "A case has nothing to run");
    press(s, "e", "Loader, forward, backward, update by rank");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_probe_but_exhibits_is_sold),
        cmocka_unit_test(the_map_has_shades_numbers_and_a_legend),
        cmocka_unit_test(causes_are_named_before_they_are_seen),
        cmocka_unit_test(a_table_has_its_units),
        cmocka_unit_test(heads_of_the_map_are_even),
        cmocka_unit_test(an_even_spread_is_worth_nothing),
        cmocka_unit_test(a_log_ends_at_the_right),
        cmocka_unit_test(a_timeline_is_zoomed_and_moved),
        cmocka_unit_test(a_timeline_is_searched),
        cmocka_unit_test(a_timeline_fits_smaller_and_wider_screens),
        cmocka_unit_test(a_log_is_searched),
        cmocka_unit_test(a_long_log_is_searched),
        cmocka_unit_test(it_fits_smaller_screens),
        cmocka_unit_test(it_is_drawn_without_utf8),
        cmocka_unit_test(it_is_played_to_the_end),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}

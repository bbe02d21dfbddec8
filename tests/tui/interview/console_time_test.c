/* The console's lists of parts and of the clock, answers of drills, the head, the end, and a window
 * to share. */
#include "tests/tui/interview/pair.h"
#include "scenarios/interview/interview_life.h"

#include <sys/stat.h>

static void begin(void)
{
    static const char *const words[] = {"--start", "--seed",    "5",  "--level",
                                        "1",       "--minutes", "60", NULL};
    both_begin_with(words);
}

static int minutes_of(int part)
{
    struct interview *l = log_open();
    int minutes = interview_session(l)->plan.parts[part].minutes;
    interview_free(l);
    return minutes;
}

static void parts_to_come_change_their_minutes(void **state)
{
    char said[64];
    begin();
    press(host, "\r", "part 1 of");
    int before = minutes_of(1);
    press(host, "p", "+ - minutes");
    snprintf(said, sizeof said, "Part 2 lasts %d min now", before + 5);
    press(host, "+", said);
    assert_int_equal(minutes_of(1), before + 5);
    snprintf(said, sizeof said, "Part 2 lasts %d min now", before);
    press(host, "-", said);
    press(host, "\x1b", "MOVES");
    press(host, "t", "THE CLOCK");
    press(host, "2", "part 2 of");
    press(host, "p", "+ - minutes");
    press(host, "kkkk+", "part 1 is done");
    press(host, "\x1b", "MOVES");
    both_leave();
}

static void a_scenario_that_runs_is_not_ended_by_one_key(void **state)
{
    begin();
    press(host, "\r", "part 1 of");
    press(host, "t", "THE CLOCK");
    press(host, "2", "part 2 of");
    screen_expect(guest, "WHAT YOU BELIEVE");
    press(host, "t", "THE CLOCK");
    press(host, "1", "Part 2 is not finished. Enter once more ends it; p begins it again.");
    press(host, "\x1b", "MOVES");
    press(host, "t", "THE CLOCK");
    press(host, "1", "is not finished");
    press(host, "1", "part 2 of 5 is done");
    both_leave();
}

/* Digits of the clock's list stay where they are, and what can do nothing says so. */
static void the_clock_says_what_it_cannot(void **state)
{
    begin();
    press(host, "p", "+ - minutes");
    press(host, "jjjjjjj\r", "Your questions");
    screen_expect(host, "left of 5:00");
    press(host, "t", "this is the last");
    press(host, "9", "There is no row 9 here.");
    press(host, "2", "No part follows");
    press(host, "t", "this is the last");
    press(host, "5", "lasts 5 min: that is too little");
    press(host, "t", "this is the last");
    press(host, "3", "lasts 10 min now");
    screen_expect(host, "left of 10:00");
    press(host, "t", "this is the last");
    press(host, "5", "left of 5:00");
    both_leave();
}

static void answers_stand_in_words_until_the_rubric_is_filled(void **state)
{
    char right[64], given[80];
    begin();
    press(host, "p", "Numbers on demand");
    press(host, "jj\r", "DRILLS ASKED");
    press(host, "\r", "right: ");
    screen_word(host, "right: ", right, sizeof right);
    screen_expect(guest, "your answer");
    snprintf(given, sizeof given, "%s\r", right);
    press(guest, given, "Noted.");
    snprintf(given, sizeof given, "%s: right", right);
    screen_expect(host, given);
    press(host, "\r", "not answered yet");
    screen_expect(guest, "your answer");
    press(host, "\r", ": that drill is not answered yet");
    press(guest, "\r", "Enter again skips it");
    screen_send(guest, "\r");
    screen_expect(host, "skipped, ");
    assert_false(is_on(host, "of 1,"));
    assert_false(is_on(host, "0 of 1"));
    screen_send(host, "w3e3r3a3h3j3k3l3");
    screen_expect(host, "1 of 1");
    screen_send(host, "\x1b");
    both_leave();
}

static void the_end_has_keys_of_its_own(void **state)
{
    begin();
    press(host, "\r", "part 1 of");
    press(host, "C", "C once more");
    press(host, "C", "The interview is over.");
    screen_expect(host, "letter grades");
    screen_expect_gone(host, "s scribe");
    press(host, "n", "It is over: only grades");
    press(host, "x", "It is over: only grades");
    press(host, "\t", "left out");
    screen_expect_gone(host, "to come");
    screen_send(host, "Q");
    assert_int_equal(screen_wait_exit(host), 0);
    screen_free(host);
    screen_free(guest);
}

/* ---- at 100 columns ---- */

static void the_head_is_not_cut(void **state)
{
    static const struct {
        int columns;
        const char *minutes, *title;
    } sizes[] = {{100, "30", "host   Kernel diagnosis"}, {80, "90", "host   "}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const char *arguments[] = {"host", "--runner",  "exit 3",         "--start", "--seed",
                                   "5",    "--minutes", sizes[k].minutes, NULL};
        const char *environment[] = { env_state, env_content, env_runtime, "TMUX", NULL };
        char row[512];
        host = screen_start(&(struct screen_start){.rows = 30,
                                                   .columns = sizes[k].columns,
                                                   .arguments = arguments,
                                                   .environment = environment,
                                                   .data = strchr(env_data, '=') + 1});
        screen_expect(host, "Enter begins part 1");
        host_code(host, code, sizeof code);
        guest = join_screen(code, "Maximiliane Alexandrowa", env_runtime);
        screen_expect(host, "Alexandrowa, here");
        screen_row(host, 0, row, sizeof row);
        assert_non_null(strstr(row, sizes[k].title));
        assert_null(strstr(row, "..."));
        assert_null(strstr(row, "\u2026"));
        both_leave();
    }
}

/* ---- a shared window: a tmux that stands in writes down what it is asked for ---- */

static struct screen *share(const char *const *words)
{
    char path[512], tmux[160];
    const char *arguments[12] = { "host", "--runner", "exit 3", "--share" };
    const char *environment[] = {env_state, env_content, env_runtime, "TMUX=/tmp/none,1,0",
                                 path,      NULL};
    snprintf(path, sizeof path, "PATH=%s:%s", place, getenv("PATH"));
    snprintf(tmux, sizeof tmux, "%s/tmux", place);
    FILE *f = fopen(tmux, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\necho \"$@\" $WARPDRILL_CODE >>'%s/asked'\n", place);
    fclose(f);
    assert_int_equal(chmod(tmux, 0700), 0);
    for (int n = 4; *words; words++)
        arguments[n++] = *words;
    return screen_start(&(struct screen_start){.rows = 30,
                                               .columns = 100,
                                               .arguments = arguments,
                                               .environment = environment,
                                               .data = strchr(env_data, '=') + 1});
}

/* The nth line with the word that it wrote. */
static void asked(int n, const char *word, char *out, size_t size)
{
    char path[128];
    snprintf(path, sizeof path, "%s/asked", place);
    for (int tries = 0; tries < 2000; tries++) {
        FILE *f = fopen(path, "r");
        int lines = 0;
        while (f && fgets(out, (int)size, f) && strchr(out, '\n'))
            if (strstr(out, word) && ++lines == n) {
                fclose(f);
                return;
            }
        if (f)
            fclose(f);
        screens_take(10);
    }
    fail_msg("no window %d was asked for", n);
}

static void a_shared_window_has_a_name_and_comes_again(void **state)
{
    static const char *const first[] = {"--start", "--seed", "5", NULL}, *const again[] = {"--"
                                                                                           "resume",
                                                                                           NULL};
    char one[2048], two[2048];
    host = share(first);
    screen_expect(host, "Enter begins part 1");
    screen_expect(host, "which you share instead of this one, type:  tmux -L warpdrill-");
    asked(1, "new-session", one, sizeof one);
    assert_non_null(strstr(one, " -n CANDIDATE "));
    assert_non_null(strstr(one, " join --curtain "));
    screen_send(host, "QQ");
    assert_int_equal(screen_wait_exit(host), 0);
    screen_free(host);
    host = share(again);
    screen_expect(host, "New codes for the shared window");
    asked(2, "new-session", two, sizeof two);
    assert_non_null(strstr(two, " -n CANDIDATE "));
    assert_string_not_equal(strrchr(one, ' '), strrchr(two, ' '));
    screen_word(host, "candidate ", one, sizeof one);    /* no name: "candidate not yet here" */
    assert_string_equal(one, "not");
    screen_send(host, "QQ");
    assert_int_equal(screen_wait_exit(host), 0);
    screen_free(host);
}

/* ---- the same person again ---- */

static void who_comes_again_is_shown_nobodys_name(void **state)
{
    begin();
    screen_hang_up(guest);
    screen_wait_exit(guest);
    screen_free(guest);
    screen_expect(host, "Ada, away");
    const char *arguments[] = { "join", code, NULL }, *environment[] = { env_runtime, NULL };
    guest = screen_start(&(struct screen_start){.rows = 24,
                                                .columns = 80,
                                                .arguments = arguments,
                                                .environment = environment,
                                                .data = strchr(env_data, '=') + 1});
    screen_expect(guest, "takes the seat back with the name given then");
    size_t n;
    assert_null(strstr(screen_bytes(guest, &n), "Ada"));
    press(guest, "\r", "a name to show is needed");
    screen_send(guest, "Ada\r");
    screen_expect(host, "Ada, here");
    both_leave();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_to_come_change_their_minutes),
        cmocka_unit_test(a_scenario_that_runs_is_not_ended_by_one_key),
        cmocka_unit_test(the_clock_says_what_it_cannot),
        cmocka_unit_test(answers_stand_in_words_until_the_rubric_is_filled),
        cmocka_unit_test(the_end_has_keys_of_its_own),
        cmocka_unit_test(the_head_is_not_cut),
        cmocka_unit_test(a_shared_window_has_a_name_and_comes_again),
        cmocka_unit_test(who_comes_again_is_shown_nobodys_name),
    };
    return RUN_CASES(tests, in_place, out_of_place);
}

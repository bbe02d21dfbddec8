/* Cards played with the keys, on content that is made here: every kind, free text and its drafts,
 * missed causes, an editor of one's own. */
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "drills/memory/review.h"
#include "tests/tui/practice/practice.h"
#include "tests/unit.h"

static void a_wrong_choice_is_put_right(void **state)
{
    put("cards/t.csv",
        "id,topic,kind,front,back,unit,tolerance,choices,source,teaches,note\npick,kernels,choice,"
        "Which is fastest?,registers,,,registers | DRAM,a data sheet,tab.chips,\n");
    struct screen *s = play("cards", 24, 80, NULL);
    int row, column;
    screen_expect(s, "1-2 choose");
    assert_true(screen_find(s, "DRAM", &row, &column));
    char line[256], digit[2] = "";
    screen_row(s, row, line, sizeof line);
    digit[0] = line[strspn(line, " ")];
    press(s, digit, "NOT RIGHT");
    screen_expect(s, "answer    registers");
    screen_expect(s, "a data sheet");
    leave(s);
}

/* Answers whatever card is asked; all kinds come once. */
static void answer_card(struct screen *s, const char *where)
{
    int row, column;
    screen_expect(s, where);
    screen_expect(s, "Esc back");
    if (screen_find(s, "fill the gap", &row, &column)) {
        press(s, "l2\r", "gap 2 of 2");
        press(s, "DRAM.\r", "RIGHT");
        screen_expect(s, "L2 stands before DRAM.");
        screen_expect(s, "All SMs share it.");
        screen_expect(s, "a data sheet (errata W05) in the list of sources");
    } else if (screen_find(s, "a number in B/s", &row, &column)) {
        press(s, "3.35 ms\r", "Not counted");
        press(s, "\0253,3 TB/s\r", "RIGHT");
        screen_expect(s, "3.35 TB/s");
        press(s, "u", "Taken back");
        press(s, "\r", "RIGHT");
    } else if (screen_find(s, "Choose with a digit", &row, &column)) {
        screen_expect(s, "registers");
        assert_true(screen_find(s, "registers", &row, &column));
        char line[256], digit[2] = "";
        screen_row(s, row, line, sizeof line);
        digit[0] = line[strspn(line, " ")];
        press(s, digit, "RIGHT");
    } else {
        screen_expect(s, "opinion");
        press(s, "First the symptom,\rthen what changed", "then what changed");
        press(s, "\t", "Ask what changed.");
        screen_expect(s, "4 easy in");
        press(s, "3", "good: in 10 min");
        screen_expect(s, "A rule of thumb, not a fact");
        screen_expect(s, "practice");
        return;
    }
    screen_expect(s, "a data sheet");
}

static void a_run_of_cards(void **state)
{
    struct screen *s = play("cards", 30, 100, NULL);
    for (int i = 1; i <= 4; i++) {
        char where[32];
        snprintf(where, sizeof where, "cards   %d of 4", i);
        answer_card(s, where);
        screen_send(s, "\r");
        screen_expect_gone(s, "Enter next"); /* in the last row, which is painted last */
    }
    screen_expect(s, "THIS SITTING");
    screen_expect(s, "4 of 4 right");
    screen_expect(s, "1 still being learned");
    press(s, "\r", "s scen");
    leave(s);
    assert_int_equal(reviews_of("card:t/bw", NULL), 1);
    assert_int_equal(reviews_of("card:t/tell", NULL), 1);
}

static void free_text_waits_for_its_author(void **state)
{
    put("cards/t.csv",
        "id,topic,kind,front,back,unit,tolerance,choices,source,teaches,note\ntell,system,recall,"
        "How do you begin?,Ask what changed.,,,,practice,pat.format,\n");
    struct screen *s = play("cards", 24, 80, NULL);
    int row, column;
    screen_expect(s, "YOUR ANSWER");
    screen_expect(s, "F1 help");
    press(s, "\033OP", "the text is done");
    assert_false(screen_find(s, "leave; everything", &row, &column)); /* q is a letter there */
    press(s, "q", "YOUR ANSWER");
    press(s, "half a sent\303\251nce", "half a sent");
    press(s, "\033", "s scen");
    leave(s);
    s = play("cards", 20, 60, NULL);
    screen_expect(s, "half a sent");
    press(s, "\t", "A MODEL ANSWER");
    press(s, "1", "again: in 1 min");
    leave(s);
}

static bool draft_is(const char *text)
{
    struct store *store;
    char *kept = NULL;
    assert_int_equal(store_open(&store, database, 5000), STORE_OK);
    bool same = store_setting_get(store, "draft/card:t/tell", &kept) == 1 && !strcmp(kept, text);
    free(kept);
    store_free(store);
    return same;
}

/* However many came in between, and wherever it stood in the list. */
static void what_is_half_written_comes_first(void **state)
{
    put("cards/t.csv",
        "id,topic,kind,front,back,unit,tolerance,choices,source,teaches,note\n"
        "one,system,recall,First?,One.,,,,practice,pat.format,\n"
        "two,system,recall,Second?,Two.,,,,practice,pat.format,\n"
        "three,system,recall,Third?,Three.,,,,practice,pat.format,\n");
    static const char *const fronts[] = {"First?", "Second?", "Third?"};
    static const char *const ids[] = {"one", "two", "three"};
    for (int i = 0; i < 3; i++) {
        struct store *store;
        assert_int_equal(store_open(&store, database, 5000), STORE_OK);
        for (int k = 0; k < 3; k++) {
            char key[64];
            snprintf(key, sizeof key, "draft/card:t/%s", ids[k]);
            store_setting_put(store, key, k == i ? "half a word" : "");
        }
        store_free(store);
        struct screen *s = play("cards", 24, 80, NULL);
        screen_expect(s, "cards   1 of 3");
        screen_expect(s, fronts[i]);
        screen_expect(s, "half written before");
        press(s, "\033", "s scen");
        leave(s);
    }
}

static void free_text_outlives_a_kill(void **state)
{
    put("cards/t.csv",
        "id,topic,kind,front,back,unit,tolerance,choices,source,teaches,note\ntell,system,recall,"
        "How do you begin?,Ask what changed.,,,,practice,pat.format,\n");
    struct screen *s = play("cards", 24, 80, NULL);
    screen_expect(s, "YOUR ANSWER");
    press(s, "half a word", "half a word");
    for (int tries = 0; tries < 600 && !draft_is("half a word"); tries++)
        screens_take(50);
    kill(screen_pid(s), SIGKILL);
    screen_wait_exit(s);
    screen_free(s);
    s = play("cards", 24, 80, NULL);
    screen_expect(s, "half a word");
    press(s, "\033", "s scen");
    leave(s);
}

/* A cause that was missed in a scenario comes among the cards: what tells it from its rivals. */
static void a_missed_cause(void **state)
{
    struct store *store;
    struct err err;
    char uid[33] = "";
    struct review r = {.item = "cause:mem.uncoalesced",
                       .self = FSRS_AGAIN,
                       .given = "",
                       .slip = ""};
    assert_int_equal(store_open(&store, database, 5000), STORE_OK);
    assert_int_equal(review_write(store, &r, uid, ((int64_t)time(NULL) - 3 * 86400) * 1000, 0.9,
                                  &err),
                     FSRS_AGAIN);
    store_free(store);
    struct screen *s = play("cards", 24, 80, NULL);
    screen_expect(s, "What is \"uncoalesced access\", and which evidence settles it?");
    press(s, "\r", "A MODEL ANSWER"); /* thought, not written */
    press(s, "2", "hard: in");
    press(s, "u", "How well did you have it");
    press(s, "4", "easy: in");
    leave(s);
    assert_int_equal(reviews_of("cause:mem.uncoalesced", NULL), 2);
}

/* The terminal is given to an editor of one's own and taken back; its file is private. */
static void an_editor_of_ones_own(void **state)
{
    char path[160], visual[200];
    put("cards/t.csv",
        "id,topic,kind,front,back,unit,tolerance,choices,source,teaches,note\ntell,system,recall,"
        "How do you begin?,Ask what changed.,,,,practice,pat.format,\n");
    put("editor", "#!/bin/sh\nstat -c 'mode %a' \"$1\"\nprintf 'press a key: '\nread -r line\ncp "
                  "\"$1\" \"$1.new\"\nprintf 'from outside: %s\\033[2J\\n\\n' \"$line\" "
                  ">>\"$1.new\"\nmv \"$1.new\" \"$1\"\n");
    snprintf(path, sizeof path, "%s/editor", folder);
    chmod(path, 0755);
    snprintf(visual, sizeof visual, "VISUAL=%s", path);
    struct screen *s = play("cards", 24, 80, visual);
    screen_expect(s, "YOUR ANSWER");
    press(s, "begun here", "begun here");
    press(s, "\007", "press a key:");
    screen_expect(s, "mode 600");
    assert_true(screen_modes(s).c_lflag & ICANON);
    press(s, "a line\n", "from outside: a line?[2J");
    screen_expect(s, "begun here");
    assert_false(screen_modes(s).c_lflag & ICANON);
    press(s, "\037", "Tab shows a model answer"); /* one step of undo */
    screen_expect_gone(s, "from outside");
    press(s, "\t", "A MODEL ANSWER");
    press(s, "3", "good: in 10 min");
    leave(s);
}

static void a_missing_editor_is_told(void **state)
{
    put("cards/t.csv",
        "id,topic,kind,front,back,unit,tolerance,choices,source,teaches,note\ntell,system,recall,"
        "How do you begin?,Ask what changed.,,,,practice,pat.format,\n");
    struct screen *s = play("cards", 24, 80, "VISUAL=/nowhere/at-all");
    screen_expect(s, "YOUR ANSWER");
    press(s, "kept", "kept");
    press(s, "\007", "could not be started");
    screen_expect(s, "kept");
    press(s, "\033", "s scen");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_wrong_choice_is_put_right, each),
        cmocka_unit_test_setup(a_run_of_cards, each),
        cmocka_unit_test_setup(what_is_half_written_comes_first, each),
        cmocka_unit_test_setup(free_text_outlives_a_kill, each),
        cmocka_unit_test_setup(free_text_waits_for_its_author, each),
        cmocka_unit_test_setup(a_missed_cause, each),
        cmocka_unit_test_setup(an_editor_of_ones_own, each),
        cmocka_unit_test_setup(a_missing_editor_is_told, each),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}

/* Drills played with the keys, on content that is made here: every kind of answer, undo, hostile
 * text, sizes, a kill in the middle. */
#include <signal.h>
#include <unistd.h>

#include "tests/tui/practice/practice.h"
#include "tests/unit.h"

static void a_run_of_drills(void **state)
{
    struct store_review r;
    struct screen *s = play("drills", 30, 100, NULL);
    screen_expect(s, "drills   1 of 2");
    screen_expect(s, "How long does one of 8 chips at 1000 GB/s read its share of Toy-4B?");
    screen_expect(s, "parameters 4 billion");
    screen_expect(s, "in s without a unit:");
    press(s, "5 GB\r", "Not counted");
    press(s, "\0258 ms\r", "That is one chip alone.");
    screen_expect(s, "A SLIP");
    screen_expect(s, "● right   ▸ you   a a mistake");
    screen_expect(s, "WHERE MISTAKES LEAD");
    screen_expect(s, "again: in 1 min");
    assert_int_equal(reviews_of("drill:t/share", &r), 1);
    assert_int_equal(r.grade, 1);
    press(s, "u", "Taken back");
    screen_expect(s, "in s without a unit: 8 ms");
    assert_int_equal(reviews_of("drill:t/share", NULL), 0);
    press(s, "\t", "Each reads its own part.");
    press(s, "\0251 ms\r", "0.75 of 1");
    screen_expect(s, "Each reads 1 GB, in 1 ms.");
    assert_int_equal(reviews_of("drill:t/share", &r), 1);
    assert_int_equal(r.grade, 1);               /* the solution was seen before */
    press(s, "r", "not counted");
    press(s, "0.8 to 1.2 ms, 80 %\r", "holds 1 ms");
    assert_int_equal(reviews_of("drill:t/share", NULL), 1);
    press(s, "n", "Is 8 even?");
    screen_expect(s, "drills   2 of 2");
    press(s, "2", "Half of it is whole.");
    screen_expect(s, "drills X20 in the list of sources");
    press(s, "u", "which was 2.");
    press(s, "\r", "Enter again skips it");     /* what was chosen before is no answer any more */
    press(s, "1", "Right");
    press(s, "\r", "THIS SITTING");
    screen_expect(s, "0 of 2 right   0.0 points");
    screen_expect(s, "seen");
    assert_int_equal(reviews_of("drill:t/even", &r), 1);
    assert_int_equal(r.grade, 1);
    press(s, "\r", "s scen");
    leave(s);
}

/* The page that was searched has gone with its question. */
static void a_search_ends_with_its_question(void **state)
{
    struct screen *s = play("drills", 30, 100, NULL);
    screen_expect(s, "drills   1 of 2");
    press(s, "1 ms\r", "Right");
    press(s, "/", "Enter search");
    press(s, "own part\r", "/own part");
    screen_send(s, "\r");
    screen_expect(s, "drills   2 of 2");
    screen_expect_gone(s, "/own part");
    screen_expect(s, "1-2 choose");
    leave(s);
}

/* A factor of a thousand and more says nothing, wherever it is told. */
static void far_off_has_no_size(void **state)
{
    struct screen *s = play("drills", 30, 100, NULL);
    screen_expect(s, "drills   1 of 2");
    press(s, "5000 s\r", "Far off: it is 1 ms.");
    press(s, "\033", "s scen");
    screen_expect(s, "far off at the median of 1");
    press(s, "w", "A YEAR");
    press(s, "2", "  far off");
    leave(s);
}

/* Nothing is left of every scale, and stands at its end. */
static void an_answer_of_nothing_is_on_the_scale(void **state)
{
    struct screen *s = play("drills", 30, 100, NULL);
    screen_expect(s, "in s without a unit:");
    press(s, "0 s\r", "NOT RIGHT");
    screen_expect(s, "←▸");
    screen_expect(s, "←→ beyond");
    leave(s);
}

static void skipping_takes_two(void **state)
{
    struct screen *s = play("drills", 24, 80, NULL);
    screen_expect(s, "in s without a unit:");
    press(s, "\r", "skipping is not lying");
    press(s, "x\177\r", "skipping is not lying"); /* typing in between begins anew */
    press(s, "\r", "SKIPPED");
    leave(s);
    struct store_review r;
    assert_int_equal(reviews_of("drill:t/share", &r), 1);
    assert_int_equal(r.grade, 1);
}

static void a_kill_loses_nothing(void **state)
{
    struct screen *s = play("drills", 30, 100, NULL);
    screen_expect(s, "drills   1 of 2");
    press(s, "1 ms\r", "RIGHT");
    press(s, "\r", "Is 8 even?");
    kill(screen_pid(s), SIGKILL);
    screen_wait_exit(s);
    screen_free(s);
    assert_int_equal(reviews_of("drill:t/share", NULL), 1);
    s = play("drills", 30, 100, NULL);
    screen_expect(s, "drills   1 of 1");
    screen_expect(s, "Is 8 even?");
    leave(s);
}

/* The hint is for who asks for it. */
static void a_pasted_tab_is_a_blank(void **state)
{
    struct screen *s = play("drills", 24, 80, NULL);
    screen_expect(s, "in s without a unit:");
    screen_send(s, "\033[200~\t1\tms\033[201~");
    screen_expect(s, "1 ms");
    press(s, "\r", "RIGHT");
    screen_expect(s, "1.00 of 1");
    leave(s);
}

static void hostile_text_is_only_text(void **state)
{
    char paste[6000];
    struct screen *s = play("drills", 24, 80, NULL);
    screen_expect(s, "in s without a unit:");
    memset(paste, '9', sizeof paste);
    memcpy(paste, "\033[200~", 6);
    for (size_t i = 6; i < sizeof paste - 12; i += 37)
        memcpy(paste + i,
               (const char *const[]){"\x01", "\r", "\t", "\xc2\x9b", "\xe2\x80\xae"}[i % 5],
               (size_t[]){1, 1, 1, 2, 3}[i % 5]);
    strcpy(paste + sizeof paste - 8, "\033[201~");
    screen_send(s, paste);
    press(s, "\r", "Not counted");
    screen_send(s, "\025");
    screen_expect_gone(s, "Not counted");
    press(s, "\025\xe6\xbc\xa2%s%n 1e999\r", "Not counted");
    press(s, "\0251 ms\r", "RIGHT");
    leave(s);
}

static void every_size_at_every_stage(void **state)
{
    static const int sizes[][2] = {{20, 60}, {24, 80}, {18, 50}, {30, 100}, {60, 200}};
    struct screen *s = play("drills", 30, 100, NULL);
    screen_expect(s, "in s without a unit:");
    for (size_t i = 0; i < 5; i++) {
        screen_resize(s, sizes[i][0], sizes[i][1]);
        screen_expect(s, sizes[i][0] == 18 ? "is lost" : "Enter answer");
    }
    press(s, "8 ms\r", "A SLIP");
    for (size_t i = 0; i < 5; i++) {
        screen_resize(s, sizes[i][0], sizes[i][1]);
        screen_expect(s, sizes[i][0] == 18 ? "is lost" : "Enter next");
    }
    screen_resize(s, 20, 60);
    screen_expect(s, "more below");
    screen_send(s, "\033[6~\033[6~");
    screen_expect(s, "arithmetic");
    screen_resize(s, 60, 200);
    screen_expect(s, "How long does one");       /* all of it has room again */
    leave(s);
}

static void without_utf8_or_colour(void **state)
{
    struct screen *s = play("drills", 20, 60, "LC_ALL=C");
    size_t n;
    screen_expect(s, "in s without a unit:");
    press(s, "8 ms\r", "- A SLIP -");
    for (const char *at = screen_bytes(s, &n); *at; at++)
        assert_true((unsigned char)*at < 0x80);
    leave(s);
}

/* Three seconds of looking at a question are three small changes. */
static void a_clock_that_hardly_draws(void **state)
{
    size_t before, after;
    struct screen *s = play("drills", 30, 100, NULL);
    screen_expect(s, "0:01 of 1:00");
    screen_bytes(s, &before);
    screen_expect(s, "0:04 of 1:00");
    screen_bytes(s, &after);
    assert_true(after - before < 600);
    leave(s);
}

static void one_drill_by_its_id(void **state)
{
    struct screen *s = play("drill:t/even", 24, 80, NULL);
    screen_expect(s, "drills   1 of 1");
    screen_expect(s, "Choose with a digit");
    press(s, "1", "RIGHT");
    press(s, "\r", "1 of 1 right");
    leave(s);
    s = play("drill:t/none", 24, 80, NULL);
    screen_expect(s, "there is no drill 't/none'");
    assert_int_equal(screen_wait_exit(s), 1 << 8); /* said before the screen is taken */
    screen_free(s);
}

static void help_names_these_keys(void **state)
{
    struct screen *s = play("drills", 50, 100, NULL);
    screen_expect(s, "in s without a unit:");
    press(s, "?", "a right answer is worth a quarter less");
    press(s, "q", "in s without a unit:");
    leave(s);
}

/* Predicted first, then measured by the runner. */
static void a_measured_drill(void **state)
{
    const char *build = getenv("BUILD");
    char runner[256];
    snprintf(runner, sizeof runner, "%s/tests/fakes/fake_runner whole",
             build && *build ? build : "build");
    const char *arguments[] = {"--db",   database, "--runner", runner,
                               "--seed", "7",      "play",     "drill:measured/copy-time",
                               NULL};
    const char *environment[] = {"WARPDRILL_CONTENT=content/packs", NULL};
    struct screen_start how = {.rows = 30,
                               .columns = 100,
                               .arguments = arguments,
                               .environment = environment};
    struct screen *s = screen_start(&how);
    screen_expect(s, "A copy, predicted");
    screen_expect(s, "in s without a unit:");
    press(s, "1 GB\r", "Not counted");
    screen_send(s, "\025");
    screen_expect_gone(s, "Not counted");
    press(s, "115 us\r", "Measured 0.1 ms");
    screen_expect(s, "on paper");
    assert_int_equal(reviews_of("drill:measured/copy-time", NULL), 1);
    press(s, "u", "in s without a unit: 115 us");
    screen_send(s, "\025");
    leave(s);
}

/* What comes again within its sitting does not make the plan longer. */
static void what_comes_again_is_counted_apart(void **state)
{
    struct screen *s = play("drills", 24, 80, NULL);
    screen_expect(s, "drills   1 of 2");
    press(s, "1 ms\r", "RIGHT");
    press(s, "\r", "drills   2 of 2");
    press(s, "2", "Not no, but yes.");
    press(s, "\r", "n asks one more");
    press(s, "n", "drills   2 of 2 and one again");
    screen_expect(s, "Is 8 even?");
    press(s, "1", "Right: yes.");
    screen_expect(s, "2 of 2 and one again");
    leave(s);
}

static void an_extra_question_is_left(void **state)
{
    struct screen *s = play("drills", 30, 100, NULL);
    screen_expect(s, "in s without a unit:");
    press(s, "1 ms\r", "RIGHT");
    press(s, "r", "not counted");
    press(s, "u", "Is 8 even?");
    screen_expect(s, "memory is as it was");
    assert_int_equal(reviews_of("drill:t/share", NULL), 1);
    screen_expect(s, "1-2 choose  Enter skip");
    press(s, "2", "Not no, but yes. Half of it is whole.");
    press(s, "u", "1-2 choose");
    press(s, "1", "Right: yes.");
    leave(s);
}

/* What a question tells never holds its answer; what the answer is worked out from stays. */
static void the_numbers_given_tell_no_answer(void **state)
{
    static const char head[] =
        "    topic: moe\n    level: 1\n    teaches: [fml.prefill-decode]\n    source: arithmetic\n "
        "   vars:\n      model: {table: models, rows: [m]}\n";
    char text[2400];
    snprintf(text, sizeof text,
             "format: 1\nid: g\ntitle: Given\ndrills:\n  alone:\n    title: Alone\n%s    let:\n    "
             "  f: model.layers\n      g: f\n    ask: How many layers has {model}?\n    unit: "
             "\"1\"\n    answer: g\n    tolerance: exact\n    mistakes:\n      - value: "
             "model.params\n        says: No.\n    hint: Count.\n    solution: There are "
             "{answer}.\n  made:\n    title: Made\n%s    ask: Half of {model}?\n    unit: \"1\"\n  "
             "  answer: model.layers / 2\n    tolerance: exact\n    mistakes:\n      - value: "
             "model.layers\n        says: No.\n    hint: Count.\n    solution: There are "
             "{answer}.\n",
             head, head);
    put("drills/g.yaml", text);
    struct screen *s = play("drill:g/alone", 30, 100, NULL);
    int row, column;
    screen_expect(s, "parameters 4 billion");
    assert_false(screen_find(s, "layers 32", &row, &column));
    press(s, "1e84\r", "Far off: it is 32.");
    assert_false(screen_find(s, "e+84", &row, &column));
    leave(s);
    s = play("drill:g/made", 30, 100, NULL);
    screen_expect(s, "layers 32");
    leave(s);
    s = play("drills:moe", 30, 100, NULL);
    screen_expect(s, "moe   1 of 2");
    press(s, "\033", "s scen");
    leave(s);
    s = play("drills:nothing", 24, 80, NULL);
    screen_expect(s, "No drill of this topic");
    leave(s);
    snprintf(text, sizeof text, "%s/drills/g.yaml", folder);
    unlink(text);
}

/* What is not due is asked too where its topic is asked for; it counts. */
static void a_topic_is_asked_though_nothing_is_due(void **state)
{
    for (int round = 1; round <= 2; round++) {
        struct screen *s = play("drills:inference", 30, 100, NULL);
        screen_expect(s, "inference   1 of 1");
        screen_expect(s, "in s without a unit:");
        press(s, "1 ms\r", "RIGHT");
        press(s, "\r", "1 of 1 right");
        leave(s);
        assert_int_equal(reviews_of("drill:t/share", NULL), round);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_run_of_drills, each),
        cmocka_unit_test_setup(a_search_ends_with_its_question, each),
        cmocka_unit_test_setup(far_off_has_no_size, each),
        cmocka_unit_test_setup(skipping_takes_two, each),
        cmocka_unit_test_setup(a_kill_loses_nothing, each),
        cmocka_unit_test_setup(a_pasted_tab_is_a_blank, each),
        cmocka_unit_test_setup(hostile_text_is_only_text, each),
        cmocka_unit_test_setup(every_size_at_every_stage, each),
        cmocka_unit_test_setup(without_utf8_or_colour, each),
        cmocka_unit_test_setup(a_clock_that_hardly_draws, each),
        cmocka_unit_test_setup(one_drill_by_its_id, each),
        cmocka_unit_test_setup(help_names_these_keys, each),
        cmocka_unit_test_setup(a_measured_drill, each),
        cmocka_unit_test_setup(what_comes_again_is_counted_apart, each),
        cmocka_unit_test_setup(an_extra_question_is_left, each),
        cmocka_unit_test_setup(the_numbers_given_tell_no_answer, each),
        cmocka_unit_test_setup(a_topic_is_asked_though_nothing_is_due, each),
        cmocka_unit_test_setup(an_answer_of_nothing_is_on_the_scale, each),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}

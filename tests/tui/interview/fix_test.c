/* The fix in an interview, both sides in terminals, behind a runner that does what the text says of
 * itself: from the question to the verdict, then the log, the report and the replay. */
#include "tests/tui/interview/interview.h"
#include "kernels/wire/text.h"
#include "scenarios/interview/interview_life.h"
#include "scenarios/text/files.h"

#include <signal.h>

static struct screen *host, *guest;
static char runner[512], code[32];

/* What the next host's runner plays; "": it has none. */
static void use_runner(const char *plays)
{
    const char *build = getenv("BUILD");
    snprintf(runner, sizeof runner, "%s/tests/fakes/fake_runner %s",
             build && *build ? build : "build", plays);
    host_runner = *plays ? runner : "exit 3";
}

static void begin(const char *plays)
{
    static const char *const words[] = {"--start", "--seed",    "5",  "--level", "1",
                                        "--minutes", "60", "--trust", NULL};
    use_runner(plays);
    host = host_waits(words, NULL, code, sizeof code);
    guest = join_screen(code, "Ada", env_runtime);
    screen_expect(host, "candidate Ada, here");
}

/* To the debrief of the scenario. */
static void reveal(void)
{
    press(host, "\r", "WRITTEN DOWN");
    press(host, "M", "once the truth is on their screen: x");
    press(host, "t2", "BELIEFS");
    screen_expect(guest, "WHAT YOU BELIEVE");
    press(guest, "\r\r", "Enter again locks");
    press(host, "x", "x once more");
    press(host, "x", "reveal");
    screen_expect(guest, "The interviewer will release the score.");
}

static void ask(const char *say)
{
    press(host, "M", say);
    assert_false(is_on(guest, "YOUR TEXT"));
    press(host, "M", "is asked for");
    screen_expect(guest, "YOUR TEXT, mine.cu");
    screen_expect(guest, "0 of 20 handed in");
    assert_false(is_on(guest, "Enter again locks")); /* keys that do something else now */
    screen_expect(host, "M  ask no longer");
}

static void end(void)
{
    screen_free(guest);
    screen_expect(host, "candidate Ada, away");
    host_leaves(host);
}

/* ---- what is left of it ---- */

static char *told_by(const char *command)
{
    char line[1024];
    size_t n = 0, got;
    char *text = mem_new(1 << 20, 1);
    const char *build = getenv("BUILD");
    snprintf(line, sizeof line, "%s/warpdrill %s --truth", build && *build ? build : "build",
             command);
    FILE *f = popen(line, "r");
    assert_non_null(f);
    while ((got = fread(text + n, 1, (1 << 20) - 1 - n, f)) > 0)
        n += got;
    assert_int_equal(pclose(f), 0);
    return text;
}

static void tells(const char *text, const char *what)
{
    if (!strstr(text, what))
        fail_msg("\"%s\" is not in:\n%s", what, text);
}

static void the_log_has(int tries)
{
    struct interview *l = log_open();
    const struct session *s = interview_session(l);
    int part = 0;
    while (part < s->plan.n_parts && !s->parts[part].n_tries)
        part++;
    assert_true(part < s->plan.n_parts);
    assert_int_equal(s->parts[part].n_tries, tries);
    for (int i = 0; i < tries; i++)
        assert_non_null(s->parts[part].tries[i].verdict);
    interview_free(l);
}

/* What is typed lies beside the log once it holds these words. */
static void await_draft(const char *words)
{
    struct interview *l = log_open();
    char *path = text_format("%s/part-2.draft", interview_folder(l));
    interview_free(l);
    for (int tries = 0;; tries++) {
        size_t n;
        char *text = file_read_plain(path, 1 << 16, &n);
        bool there = text && strstr(text, words);
        free(text);
        if (there)
            break;
        if (tries > 2000)
            fail_msg("%s has no \"%s\"", path, words);
        usleep(10000);
    }
    free(path);
}

static void the_report_has(void)
{
    char *md = told_by("report");
    tells(md, "#### The fix");
    tells(md, "right, 7 times as fast as the suspect, 100 % of the gap closed");
    tells(md, "    // fake: time 1\n");
    tells(md, "    // fake: compile\n");
    tells(md, "mine.cu(3): error");
    tells(md, "right, 100 % of the gap closed, 3 tries");
    tells(md, "2 hints");
    tells(md, "step 2 of help with the fix");
    free(md);
    char *html = told_by("report --format html");
    tells(html, "<pre>");
    tells(html, "// fake: time 1\n");
    free(html);
    char *json = told_by("report --format json");
    tells(json, "\"headline\": \"refused: compile\"");
    free(json);
}

static void the_replay_has(void)
{
    const char *arguments[] = {"replay", "--truth", NULL};
    const char *environment[] = {env_state, env_content, "WARPDRILL_RUNNER=exit 3", NULL};
    struct screen *s = screen_start(&(struct screen_start){.rows = 44, .columns = 120,
                                                           .arguments = arguments,
                                                           .environment = environment,
                                                           .data = strchr(env_data, '=') + 1});
    screen_expect(s, "stands");
    press(s, "M", "No text was handed in before this moment.");
    press(s, "\x1bOF", "TRY 3 OF 3");
    screen_send(s, "\x1bOD\x1bOD\x1bOD\x1bOD");
    screen_expect(s, "TRY 2 OF 2");
    screen_expect(s, "refused: compile");
    screen_expect(s, "mine.cu(3): error");
    screen_expect(s, "// fake: compile");
    screen_send(s, "\x1bOD\x1bOD\x1bOD\x1bOD"); /* two steps of help lie between */
    screen_expect(s, "TRY 1 OF 1");
    screen_expect(s, "100 % of the gap closed");
    screen_expect(s, "suspect");
    press(s, "M", "RUBRIC");
    screen_expect(s, "verdict try 1 right");
    leave(s);
}

/* ---- cases ---- */

static void from_the_question_to_the_replay(void **state)
{
    begin("live");
    reveal();
    ask("run on this GPU as you");
    screen_expect(guest, "the code of first-principles/transposed-copy/a");
    press(guest, "// fake: time 1\r", "line 2");
    press(guest, "\x1b", "NOTHING HANDED IN YET");
    press(guest, "\r", "// fake: time 1");
    press(guest, "\t", "TRY 1 OF 1");
    screen_expect(guest, "right, 7 times as fast as the suspect, 100 % of the gap closed");
    screen_expect(guest, "live, Fake GPU");
    screen_expect(guest, "suspect");
    screen_expect(host, "verdict try 1 right, 7 times as fast");
    press(guest, "\r", "1 of 20 handed in");
    press(guest, "\x0b// fake: compile", "// fake: compile");
    press(guest, "\t", "TRY 2 OF 2");
    screen_expect(guest, "refused: compile");
    screen_expect(guest, "mine.cu(3): error");
    press(guest, "d", "The same code."); /* what stands above it is none */
    press(guest, "d", "mine.cu(3): error");
    press(guest, "h", "HELP");
    screen_expect(host, "step 1 of help was asked for");
    screen_send(guest, "h");
    screen_expect(host, "step 2 of help was asked for");
    press(guest, "k", "100 % of the gap closed");
    press(guest, "\r", "line 3   2 of 20 handed in");    /* the verdict names it */
    press(guest, "\x1bOA", "line 2");
    press(guest, "\x01\x0b// fake: time 7", "// fake: time 7");
    press(guest, "\x1bOA\x01\x0b\x1bOF__device__ void more() {}\t", "TRY 3 OF 3");
    screen_expect(guest, "right, as fast as the suspect");
    screen_expect(guest, "WHAT CHANGED SINCE TRY 1");
    press(guest, "d", "__device__ void more() {}");
    press(host, "t2", "The fix of part 2 is asked for. Enter once more ends that.");
    press(host, "\x1bM", "no longer asked for");
    screen_send(host, "M");
    screen_expect(guest, "The interviewer will release the score.");
    end();
    the_log_has(3);
    the_report_has();
    the_replay_has();
}

static void without_a_gpu_it_says_what_was_not_judged(void **state)
{
    begin("");
    reveal();
    ask("no GPU here, so it is kept and not judged");
    press(guest, "\t", "TRY 1 OF 1");
    screen_expect(guest, "The host has no GPU: whether it compiles, whether it is right");
    screen_expect(host, "not judged: The host has no GPU");
    end();
    the_log_has(1);
}

/* What is no source is refused where it is typed; a paste is cut to the field and cleaned. */
static void bad_input_is_refused(void **state)
{
    char *huge = mem_new(20100, 1);
    size_t n;
    begin("live");
    reveal();
    ask("run on this GPU");
    press(guest, "#include \"/etc/passwd\"\r\t", "Not handed in: mine.cu:1:");
    screen_expect(guest, "0 of 20 handed in");
    press(guest, "\x07", "There is this field alone."); /* no editor of the host's */
    press(guest, "\x1bOB", "line 2");
    press(guest, "\x1b[200~// \x01\x07\xe2\x80\xae \x1b[31mcoloured\x1b[201~", "coloured");
    assert_null(strstr(screen_bytes(guest, &n), "\x1b[31mcoloured"));
    assert_null(strstr(screen_bytes(guest, &n), "\xe2\x80\xae"));
    press(guest, "\x1b[200~before\xc2\x9b" "31m\xc2\x85 behind\x1b[201~", "behind");
    press(guest, "typed", "behindtyped");
    assert_null(strstr(screen_bytes(guest, &n), "\xc2\x9b"));
    press(guest, "\x1b[200~// no UTF-8 \x9b" "31m\x1b[201~", "31m");
    press(guest, "typed on", "typed on");
    press(guest, " one\xc3", "typed on one");
    press(guest, "\xa9 two", "one\xc3\xa9 two"); /* a character in two pieces */
    snprintf(huge, 7, "\x1b[200~");
    memset(huge + 6, 'x', 20000);
    memcpy(huge + 20006, "\x1b[201~", 7);
    press(guest, huge, "16 KiB is all that fits here");
    free(huge);
    press(guest, "\t", "Not handed in: mine.cu:1:");
    press(guest, "\x1b", "NOTHING HANDED IN YET");
    end();
}

/* The candidate's terminal dies while it types, then the host's process. */
static void nothing_that_was_handed_in_is_lost(void **state)
{
    static const char *const again[] = {"--resume", "--trust", NULL};
    begin("live");
    reveal();
    ask("run on this GPU");
    press(guest, "// fake: time 2\r\t", "TRY 1 OF 1");
    screen_expect(guest, "gap closed");
    press(guest, "\r// half of a li", "half of a li");
    kill(screen_pid(guest), SIGKILL);
    screen_wait_exit(guest);
    screen_free(guest);
    screen_expect(host, "candidate Ada, away");
    guest = join_screen(code, "Ada", env_runtime);
    screen_expect(guest, "half of a li"); /* what was typed is the host's */
    await_draft("half of a li");
    kill(screen_pid(host), SIGKILL);
    screen_wait_exit(host);
    screen_free(host);
    host = host_screen(again, NULL);
    screen_expect(host, "verdict try 1 right");
    screen_expect(guest, "1 of 20 handed in");
    screen_expect(guest, "// fake: time 2");
    screen_expect(guest, "half of a li"); /* and outlives the host */
    end();
}

/* What waited for its verdict when the host died is judged by the next. */
static void a_host_that_comes_back_judges_what_waits(void **state)
{
    static const char *const again[] = {"--resume", "--trust", NULL};
    begin("slow");
    reveal();
    ask("run on this GPU");
    press(guest, "// fake: time 2\r\t", "1 of 4: is it right");
    press(guest, "\rx\t", "Not handed in: try 1 is being judged");
    screen_expect(host, "try     handed in");
    kill(screen_pid(host), SIGKILL);
    screen_wait_exit(host);
    screen_free(host);
    use_runner("live");
    host = host_screen(again, NULL);
    screen_expect(host, "verdict try 1 right, 3.5 times as fast");
    end();
    the_log_has(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(from_the_question_to_the_replay, in_place, out_of_place),
        cmocka_unit_test_setup_teardown(without_a_gpu_it_says_what_was_not_judged, in_place,
                                        out_of_place),
        cmocka_unit_test_setup_teardown(bad_input_is_refused, in_place, out_of_place),
        cmocka_unit_test_setup_teardown(nothing_that_was_handed_in_is_lost, in_place,
                                        out_of_place),
        cmocka_unit_test_setup_teardown(a_host_that_comes_back_judges_what_waits, in_place,
                                        out_of_place),
    };
    return RUN_CASES(tests, NULL, NULL);
}

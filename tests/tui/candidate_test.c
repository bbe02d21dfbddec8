/* The candidate's side of an interview, in one process: the interviewer's verbs on one side, keys and the picture on the other. After every step the
 * picture is searched for the sealed half of the scenario, which must not be there before the reveal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "kernels/wire/os.h"
#include "tests/tui/recorded.h"
#include "tui/app_inside.h"
#include "tui/candidate.h"
#include "tui/draw.h"

enum { UP = 0403, DOWN = 0402, ESC = 27, ENTER = '\r', TAB = 9, WINDOW = 20, LONG_MS = 60000, PUSHED = 0 /* the pushback that is made */ };

static struct tui_options options = { .trust = true };
static struct app host;
static struct app *guest;
static struct live *live;
static int64_t later;                    /* ms by which the clock is put forward */
static bool revealed;
static const char *scenario = "first-principles/transposed-copy/a";

/* ---- the sealed half ---- */

struct secrets { char **text; int n; };
static struct secrets secrets;

static bool is_public(const struct variant *v, const char *window)
{
    if ((v->suspect && strstr(v->suspect->text, window)) || strstr(v->story->text, window))
        return true;
    for (int r = 0; r < v->story->n_remedies; r++)
        if (strstr(v->story->remedies[r].text, window))
            return true;
    for (int x = 0; x < v->story->n_experiments; x++)
        if (strstr(v->story->experiments[x].title, window))
            return true;
    for (int h = 0; h < v->story->n_hypotheses; h++)
        if (strstr(v->story->hypotheses[h]->explain, window))
            return true;
    for (int q = 0; q < v->story->n_questions; q++)
        if (strstr(v->story->questions[q].answer, window))
            return true;
    return false;
}

/* Every stretch of WINDOW characters that holds a whole word or two, and is nowhere in the public half. */
static void add_secret(const struct variant *v, const char *text)
{
    for (size_t at = 0, n = strlen(text); at + WINDOW <= n; at += WINDOW / 2) {
        size_t blank = strspn(text + at, " \t");
        char *window = text_ndup(text + at + blank, blank < WINDOW ? WINDOW - blank : 0);
        bool plain = strlen(window) > 2 * WINDOW / 3 && strspn(window, "-=*/#{}") < WINDOW / 3 && !strchr(window, '\n');
        if (!plain || is_public(v, window)) {
            free(window);
            continue;
        }
        secrets.text = mem_grow(secrets.text, (size_t)secrets.n + 1, sizeof *secrets.text);
        secrets.text[secrets.n++] = window;
    }
}

static void learn_secrets(const struct variant *v)
{
    for (int k = 0; k < secrets.n; k++)
        free(secrets.text[k]);
    secrets.n = 0;
    add_secret(v, v->debrief->text);
    if (v->fix_file)
        add_secret(v, v->fix_file->text);
    for (int r = 0; r < v->n_readings; r++)
        add_secret(v, v->readings[r].because);
    for (int p = 0; p < v->n_pushbacks; p++) {
        add_secret(v, v->pushbacks[p].teaches);
        if (p != PUSHED)
            add_secret(v, v->pushbacks[p].says);
    }
    assert_true(secrets.n > 40);
}

/* ---- the picture ---- */

/* NULL unless a secret is in it. */
static const char *leak(const char *picture)
{
    for (int k = 0; k < secrets.n; k++)
        if (strstr(picture, secrets.text[k]))
            return secrets.text[k];
    return NULL;
}

/* Could the search find anything? After the reveal it must. */
static bool tells_now(void)
{
    bool changed;
    char *text = canvas_text(app_guest_picture(guest, &changed));
    bool tells = leak(text) != NULL;
    free(text);
    return tells;
}

static char *picture(void)
{
    bool changed;
    char *text = canvas_text(app_guest_picture(guest, &changed));
    if (!revealed && leak(text))
        fail_msg("the candidate sees \"%s\":\n%s", leak(text), text);
    return text;
}

static bool shows(const char *text)
{
    char *all = picture();
    bool there = strstr(all, text) != NULL;
    free(all);
    return there;
}

static void expect_at(int line, const char *text, bool there)
{
    char *all = picture();
    if ((strstr(all, text) != NULL) != there)
        fail_msg("line %d: %s: \"%s\"\n%s", line, there ? "not there" : "there", text, all);
    free(all);
}
#define expect(text) expect_at(__LINE__, text, true)
#define expect_not(text) expect_at(__LINE__, text, false)

/* ---- one turn of the loop ---- */

/* The wall clock stands but for this, so that no second passes by itself. */
static void wall_clock(void)
{
    static int64_t ms = 1795000000000;
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)(++ms + later));
    setenv("WARPDRILL_NOW_MS", text, 1);
}

static void step(void)
{
    struct client_event e;
    struct pollfd fds[16];
    int n = gpu_fds(host.gpu, fds, 16);
    wall_clock();
    host.now = os_monotonic_ms() + later;
    guest->now = host.now;
    if (n && poll(fds, (nfds_t)n, 10) < 0)
        return;
    gpu_step(host.gpu);
    while (gpu_event(host.gpu, &e))
        app_tell(guest, &e);
    app_first_due(guest);
    app_run_ticks(guest);
    free(picture());
}

static void until_at(int line, const char *text)
{
    int64_t end = os_monotonic_ms() + LONG_MS;
    while (!shows(text) && os_monotonic_ms() < end)
        step();
    expect_at(line, text, true);
}
#define until(text) until_at(__LINE__, text)

static void key(int k)
{
    wall_clock();
    app_guest_key(guest, k);
    assert_int_equal(live_settle(live, NULL), 0);
    free(picture());
}

static void keys(const char *text)
{
    for (; *text; text++)
        key((unsigned char)*text);
}

static void press_at(int line, const char *text, const char *then)
{
    keys(text);
    expect_at(line, then, true);
}
#define press(text, then) press_at(__LINE__, text, then)

static void did(int rc, const struct err *err)
{
    struct err why = { 0 };
    if (rc != 0)
        fail_msg("%s", err->text);
    if (candidate_follow(guest, &why) != 0)
        fail_msg("%s", why.text);
    step();
}
#define DO(call) do { struct err err = { 0 }; did(call, &err); } while (0)

/* ---- the interview ---- */

static void plan_part(struct session_plan *p, enum session_part_kind kind, const char *title, const char *what)
{
    struct session_part *part = &p->parts[p->n_parts++];
    part->kind = kind;
    part->minutes = 10;
    snprintf(part->title, sizeof part->title, "%s", title);
    snprintf(kind == PART_TALK ? part->ask : part->id, kind == PART_TALK ? sizeof part->ask : sizeof part->id, "%s", kind == PART_DRILLS ? "" : what);
    if (kind == PART_DRILLS)
        snprintf(part->drills[part->n_drills++], sizeof part->drills[0], "%s", what);
}

static void begin_interview(const char *tier, int rows, int columns)
{
    struct session_plan plan = { .title = "Kernel diagnosis, one hour", .candidate = "C-07", .level = 1, .seed = 3, .withhold = true };
    struct session_codes codes;
    struct err err = { 0 };
    snprintf(plan.tier, sizeof plan.tier, "%s", tier);
    plan_part(&plan, PART_TALK, "To begin with", "What was the slowest kernel that you ever met?");
    plan_part(&plan, PART_SCENARIO, "A slow copy", scenario);
    plan_part(&plan, PART_DRILLS, "Numbers", "hopper/h100-flops-per-byte");
    session_rubric_builtin(&plan);
    if (live_create(&live, &codes, &plan, 3600 * 1000, &err) != 0)
        fail_msg("%s", err.text);
    revealed = false;
    guest = app_guest_new(&host, live_store(live), live, rows, columns);
    did(live_opened(live, "user", &err), &err);
}

static void end_interview(void)
{
    app_guest_free(guest);
    live_free(live);
    guest = NULL;
    live = NULL;
    later = 0;
}

static const struct variant *the_variant(void)
{
    const struct story *story;
    const struct variant *v = NULL;
    assert_int_equal(catalog_find(host.catalog, scenario, &story, &v, NULL), 0);
    return v;
}

static void begin_scenario(const char *tier, int rows, int columns)
{
    begin_interview(tier, rows, columns);
    DO(live_begin(live, 1, &err));
    until(strcmp(tier, "recorded") == 0 ? ", " : tier);
}

/* ---- parts without a scenario ---- */

static void the_lobby_and_a_talk(void **state)
{
    (void)state;
    begin_interview("recorded", 30, 100);
    expect("Kernel diagnosis, one hour");
    expect("C-07");
    expect("A slow copy");
    expect("The interviewer begins");
    assert_string_equal(candidate_doing(guest), "waiting");
    keys("\x1b\rtmX");
    expect("The interviewer begins");
    DO(live_begin(live, 0, &err));
    expect("What was the slowest kernel");
    expect("10:00 left");
    DO(live_inject(live, "Take two minutes.", &err));
    expect("interviewer: Take two minutes.");
    keys("na softmax");
    assert_string_equal(candidate_doing(guest), "writing");
    key(TAB);
    expect("a softmax");
    assert_string_equal(live_session(live)->parts[0].talk, "a softmax");
    DO(live_pause(live, true, &err));
    expect("On pause");
    DO(live_pause(live, false, &err));
    expect("What was the slowest kernel");
    DO(live_finish(live, &err));
    expect("This part is over");
    DO(live_close(live, &err));
    expect("The interview is over");
    end_interview();
}

static void a_drill_is_noted_and_not_judged(void **state)
{
    (void)state;
    begin_interview("recorded", 24, 80);
    DO(live_begin(live, 2, &err));
    expect("The interviewer asks the next question");
    const struct drill *drill = library_drill_at(app_library(guest), 0);
    for (int k = 0; drill && (drill->needs_gpu || drill->trial || drill->n_choices); k++)
        drill = library_drill_at(app_library(guest), k);
    assert_non_null(drill);
    DO(live_drill(live, drill->full_id, 1, &err));
    expect(drill->title);
    expect("your answer");
    assert_string_equal(candidate_doing(guest), "answering a drill");
    press("what?\r", "cannot be read");
    keys("\x15" "1e30\r");
    if (session_drill_open(live_session(live)))
        press("\x15" "1e30\r", "once more");            /* it wants a unit */
    if (session_drill_open(live_session(live)))
        press("\x15\r\r", "Noted");
    step();
    expect("The interviewer asks the next question");
    expect("1 answered, noted");
    const struct session_drill *kept = &live_session(live)->parts[2].drills[0];
    assert_true(kept->answered && kept->how[0]);
    expect_not(kept->how);
    end_interview();
}

/* ---- a scenario ---- */

/* Timing: an estimate is asked and a number called first. */
static void buy_timing(void)
{
    press("t", "your estimate");
    assert_string_equal(candidate_doing(guest), "answering an estimate");
    press("130 us\r", "share of the copy rate?");
    keys("1");
    until("t has arrived");
    expect("time, cold L2");
}

static void commit(void)
{
    press("1++++\r", "Enter lock");
    press("\r", "WHERE IS IT");
    press("\r", "HOW WOULD YOU FIX IT");
    keys("2\r");
    for (int k = 0; k < 8 && shows("your estimate"); k++)
        keys("\r\r");
    expect("Say what you would do next; the interviewer has the word.");
    assert_string_equal(candidate_doing(guest), "waiting for you");
}

static void a_whole_scenario(void **state)
{
    static const struct { int rows, columns; } sizes[] = { { 30, 100 }, { 24, 80 }, { 40, 140 } };
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        begin_scenario("recorded", sizes[k].rows, sizes[k].columns);
        learn_secrets(the_variant());
        expect("this kernel");
        expect("10:00 left");
        assert_string_equal(candidate_doing(guest), "choosing");

        DO(live_withhold(live, "memory", false, &err));
        press("m", "the interviewer keeps it back for now");
        assert_int_equal(attempt_state(live_attempt(live))->n_bought, 0);
        DO(live_withhold(live, "memory", true, &err));
        buy_timing();
        assert_int_equal(attempt_state(live_attempt(live))->price, 1);

        DO(candidate_hand(guest, "stalls", &err));
        expect("handed to you");
        expect("long_scor");
        assert_int_equal(attempt_state(live_attempt(live))->price, 1);
        assert_true(candidate_hand(guest, "stalls", NULL) != 0);

        DO(live_inject(live, "PCIe is fine", &err));
        expect("interviewer: PCIe is fine");
        DO(live_hint(live, 0, "What does one warp touch with one store?", &err));
        expect("a hint: What does one warp touch");
        later += 30000;
        step();
        expect_not("a hint: What does one warp touch");     /* only the notebook has them now */
        expect("What does one warp touch");
        expect("PCIe is fine");

        press("\x1b\x1b\x1b", "nothing to go back to");
        press("XX", "Only the interviewer ends it");
        keys("nthe stores\x07");
        expect("starts no program");
        assert_string_equal(candidate_doing(guest), "writing");
        press("\t", "Noted.");
        assert_string_equal(attempt_state(live_attempt(live))->note, "the stores");

        commit();
        press("\x1b", "nothing to go back to");
        press("\r\r", "the interviewer has the word");
        char begins[WINDOW];
        snprintf(begins, sizeof begins, "%s", the_variant()->pushbacks[PUSHED].says);
        expect_not(begins);
        DO(live_push(live, PUSHED, &err));
        expect(begins);
        expect("Enter: your last word");
        assert_string_equal(candidate_doing(guest), "answering the pushback");
        keys("+\r");
        expect("the interviewer has the word");
        expect("The truth comes when");
        revealed = true;
        DO(live_revealed(live, &err));
        until("uncoalesced access");
        expect("debrief");
        expect("The interviewer will release the score.");
        expect_not("of 100");
        expect_not("of 40");
        for (const char *page = "1234be"; *page; page++) {
            key(*page);
            expect_not("of 100");
            expect_not("it cost you");
            expect_not("% on the truth");
        }
        key('3');
        assert_true(tells_now());
        press("\x1b\x1b\rvf", "The interviewer goes on");
        DO(live_release(live, &err));
        press("1", "of 40");
        end_interview();
    }
}

static void a_drill_that_cannot_be_asked_stands_in_nobodys_way(void **state)
{
    struct err err = { 0 };
    (void)state;
    begin_interview("recorded", 20, 60);
    did(live_begin(live, 2, &err), &err);
    assert_int_equal(live_drill(live, "nothing/of-the-kind", 1, &err), 0);
    assert_int_equal(candidate_follow(guest, &err), ERR_MISSING);
    expect("The interviewer asks the next question");
    assert_null(session_drill_open(live_session(live)));
    end_interview();
}

/* ---- whatever is pressed, whatever the interviewer does ---- */

static uint64_t dice = 7;

static int throw_dice(int n)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (int)(dice % (uint64_t)n);
}

/* Refused verbs are as good as others: nothing may follow from them. */
static void some_verb(void)
{
    static const char *const probes[] = { "timing", "memory", "stalls", "dram", "source", "lines", "verify", "resources", "sass" };
    const char *probe = probes[throw_dice(9)];
    struct err err;
    switch (throw_dice(8)) {
    case 0: case 1: live_withhold(live, probe, throw_dice(2), &err); break;
    case 2: candidate_hand(guest, probe, &err); break;
    case 3: live_hint(live, throw_dice(3), "What does one warp touch?", &err); break;
    case 4: live_inject(live, "PCIe is fine.\x1b[2J\nSo is NVLink.", &err); break;
    case 5: live_pause(live, throw_dice(2), &err); break;
    case 6: live_push(live, PUSHED, &err); break;
    default: app_guest_resize(guest, 18 + throw_dice(30), 55 + throw_dice(90)); break;
    }
    if (candidate_follow(guest, &err) != 0)
        fail_msg("%s", err.text);
}

static void some_key(void)
{
    static const int others[] = { ENTER, ENTER, ESC, TAB, UP, DOWN, '+', '-', '!', '1', '6', 'n', 'X', '?', 'e', 0x07, 0x04 };
    key(throw_dice(2) ? others[throw_dice((int)(sizeof others / sizeof *others))] : ' ' + throw_dice(95));
    if (throw_dice(4) == 0)
        step();
    if (app_guest_wants_out(guest))
        expect_not("debrief");
}

static void whatever_is_pressed_nothing_leaks(void **state)
{
    (void)state;
    for (int round = 0; round < 6; round++) {
        scenario = round % 3 == 2 ? "many-gpus/sixteen-ranks/a" : "first-principles/transposed-copy/a";     /* a case, too */
        begin_scenario("recorded", 30, 100);
        learn_secrets(the_variant());
        for (int k = 0; k < 400; k++) {
            later += throw_dice(300);
            if (throw_dice(12))
                some_key();
            else
                some_verb();
            assert_non_null(candidate_doing(guest));
        }
        live_pause(live, false, NULL);
        revealed = true;
        app_guest_resize(guest, 30, 100);
        DO(live_revealed(live, &err));
        until("debrief");
        end_interview();
    }
    scenario = "first-principles/transposed-copy/a";
}

static void an_early_reveal_takes_the_beliefs_as_they_stand(void **state)
{
    (void)state;
    begin_scenario("recorded", 30, 100);
    buy_timing();
    keys("nhalf a");
    revealed = true;
    DO(live_revealed(live, &err));
    until("debrief");
    assert_string_equal(attempt_state(live_attempt(live))->note, "half a");
    end_interview();
}

static void a_host_that_comes_back_goes_on(void **state)
{
    char id[64];
    struct err err = { 0 };
    (void)state;
    begin_scenario("recorded", 30, 100);
    buy_timing();
    keys("1+");
    step();
    did(live_inject(live, "PCIe is fine", &err), &err);
    snprintf(id, sizeof id, "%s", live_id(live));
    assert_int_equal(live_settle(live, &err), 0);
    end_interview();
    if (live_open(&live, id, false, &err) != 0)
        fail_msg("%s", err.text);
    guest = app_guest_new(&host, live_store(live), live, 30, 100);
    did(live_opened(live, "user", &err), &err);
    until("time, cold L2");
    expect("PCIe is fine");
    assert_int_equal(attempt_state(live_attempt(live))->n_bought, 1);
    commit();
    end_interview();
}

/* ---- live evidence that does not come ---- */

static void use_runner(const char *plays)
{
    const char *build = getenv("BUILD");
    char command[512];
    int64_t end = os_monotonic_ms() + LONG_MS;
    snprintf(command, sizeof command, "%s/tests/fakes/fake_runner %s", build && *build ? build : "build", plays);
    gpu_use(host.gpu, command);
    while (gpu_state(host.gpu) != GPU_READY && os_monotonic_ms() < end) {
        struct client_event e;
        struct pollfd fds[16];
        int n = gpu_fds(host.gpu, fds, 16);
        poll(fds, (nfds_t)n, 100);
        gpu_step(host.gpu);
        while (gpu_event(host.gpu, &e))
            continue;
    }
    assert_int_equal(gpu_state(host.gpu), GPU_READY);
}

static void a_dead_runner_is_stood_in_for(void **state)
{
    (void)state;
    use_runner("good");
    begin_scenario("live", 30, 100);
    learn_secrets(the_variant());
    until("500 GB/s");
    assert_string_equal(candidate_trouble(guest), "");
    buy_timing();
    expect_not("recorded");
    gpu_use(host.gpu, "exit 3");
    press("d", "how busy is DRAM");
    keys("\r");
    until("d has arrived");
    expect("recorded");
    assert_int_equal(attempt_state(live_attempt(live))->n_bought, 2);
    assert_string_equal(investigation_evidence(attempt_state(live_attempt(live)), "dram")->tier, "recorded");
    assert_non_null(strstr(candidate_trouble(guest), "recorded evidence stands in"));
    assert_string_equal(candidate_trouble(guest), "");
    DO(candidate_hand(guest, "stalls", &err));
    until("handed to you");
    end_interview();
    gpu_use(host.gpu, "");
}

static void a_fault_is_stood_in_for(void **state)
{
    (void)state;
    setenv("WARPDRILL_FAKE_LIVE", "fault:a", 1);
    use_runner("live");
    begin_scenario("live", 24, 80);
    for (int64_t end = os_monotonic_ms() + LONG_MS; shows("being measured") && os_monotonic_ms() < end;)
        step();
    press("v", "CHECKS OF THE RESULT");
    press("1", "wrong elements?");
    keys("\r");
    until("v has arrived");
    assert_string_equal(investigation_evidence(attempt_state(live_attempt(live)), "verify")->tier, "recorded");
    assert_int_equal(attempt_state(live_attempt(live))->price, 2);
    char trouble[256];
    snprintf(trouble, sizeof trouble, "%s", candidate_trouble(guest));
    assert_non_null(strstr(trouble, "illegal address"));
    assert_non_null(strstr(trouble, "recorded evidence stands in"));
    expect_not("illegal address");
    end_interview();
    gpu_use(host.gpu, "");
    unsetenv("WARPDRILL_FAKE_LIVE");
}

static void a_slow_runner_is_stood_in_for(void **state)
{
    (void)state;
    use_runner("slow");
    begin_scenario("live", 30, 100);
    expect("being measured");
    later += 19000;
    step();
    expect("being measured");
    later += 2000;
    step();
    until("Its time is recorded");
    assert_non_null(strstr(candidate_trouble(guest), "recorded evidence stands in"));
    end_interview();
    gpu_use(host.gpu, "");
}

static int set_up(void **state)
{
    struct err err = { 0 };
    const char *places[] = { packs, "content/packs/many-gpus" };
    (void)state;
    if (recorded_folder("candidate"))
        return -1;
    setenv("XDG_STATE_HOME", folder, 1);
    setenv("WARPDRILL_CONTENT", "content/packs", 1);       /* drills lie beside it */
    host = (struct app){ .options = &options, .trust = { .always = true }, .runner_due = -1, .gpu = gpu_new(), .now = os_monotonic_ms() };
    return catalog_open(&host.catalog, places, 2, &err);
}

static int tear_down(void **state)
{
    gpu_free(host.gpu);
    library_free(&host.library);
    catalog_free(host.catalog);
    for (int k = 0; k < secrets.n; k++)
        free(secrets.text[k]);
    free(secrets.text);
    return folder_remove(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lobby_and_a_talk),
        cmocka_unit_test(a_drill_is_noted_and_not_judged),
        cmocka_unit_test(a_drill_that_cannot_be_asked_stands_in_nobodys_way),
        cmocka_unit_test(a_whole_scenario),
        cmocka_unit_test(whatever_is_pressed_nothing_leaks),
        cmocka_unit_test(an_early_reveal_takes_the_beliefs_as_they_stand),
        cmocka_unit_test(a_host_that_comes_back_goes_on),
        cmocka_unit_test(a_dead_runner_is_stood_in_for),
        cmocka_unit_test(a_fault_is_stood_in_for),
        cmocka_unit_test(a_slow_runner_is_stood_in_for),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* What the candidate sees and what their keys do, part by part; then whatever is pressed, whatever
 * the interviewer does. */
#include "scenarios/interview/interview_moves.h"
#include "scenarios/interview/interview_says.h"
#include "tests/tui/steps.h"

#include "tests/tui/interview/candidate_seat.h"
#include "scenarios/interview/interview_life.h"
#include "tui/app/app_data.h"
#include "tui/app/guest.h"

enum { UP = 0403, DOWN = 0402, ESC = 27, ENTER = '\r', TAB = 9 };

/* ---- parts without a scenario ---- */

static void the_lobby_and_a_talk(void **state)
{
    begin_interview("recorded", 30, 100);
    expect("Kernel diagnosis, one hour");
    expect("C-07");
    expect("A slow copy");
    expect("The interviewer begins");
    assert_string_equal(candidate_doing(guest), "waiting");
    keys("\x1b\rtmX");
    expect("The interviewer begins");
    DO(interview_begin(live, 0, &err));
    expect("What was the slowest kernel");
    expect("10:00 left");
    DO(interview_inject(live, "Take two minutes.", &err));
    expect("interviewer: Take two minutes.");
    keys("na softmax");
    assert_string_equal(candidate_doing(guest), "writing");
    key(TAB);
    expect("a softmax");
    assert_string_equal(interview_session(live)->parts[0].talk, "a softmax");
    DO(interview_pause(live, true, &err));
    expect("On pause");
    DO(interview_pause(live, false, &err));
    expect("What was the slowest kernel");
    DO(interview_finish(live, &err));
    expect("This part is over");
    DO(interview_close(live, &err));
    expect("The interview is over");
    end_interview();
}

/* The first that is answered by typing. */
static const struct drill *typed_drill(void)
{
    const struct drill *drill = library_drill_at(app_library(guest), 0);
    for (int k = 0; drill && (drill->needs_gpu || drill->trial || drill->n_choices); k++)
        drill = library_drill_at(app_library(guest), k);
    assert_non_null(drill);
    return drill;
}

static const struct drill *chosen_drill(void)
{
    const struct library *all = app_library(guest);
    for (int k = 0; k < library_drills(all); k++) {
        const struct drill *d = library_drill_at(all, k);
        if (d->n_choices && !d->needs_gpu && !d->trial)
            return d;
    }
    fail_msg("no drill has choices");
    return NULL;
}

/* Whoever reads the answer has no choices beside it. */
static void a_choice_is_kept_in_words(void **state)
{
    char choose[24];
    begin_interview("recorded", 24, 80);
    DO(interview_begin(live, 2, &err));
    const struct drill *drill = chosen_drill();
    DO(interview_drill(live, drill->full_id, drill->title, 1, &err));
    snprintf(choose, sizeof choose, "1-%d choose", drill->n_choices);
    expect(choose);
    press("2", "Noted.");
    const struct session_drill *kept = &interview_session(live)->parts[2].drills[0];
    assert_true(kept->answered && !strncmp(kept->answer, "2, ", 3) && strlen(kept->answer) > 4);
    end_interview();
}

static void a_drill_is_noted_and_not_judged(void **state)
{
    begin_interview("recorded", 24, 80);
    DO(interview_begin(live, 2, &err));
    expect("The interviewer asks the next question");
    const struct drill *drill = typed_drill();
    DO(interview_drill(live, drill->full_id, drill->title, 1, &err));
    expect(drill->title);
    expect("your answer");
    assert_string_equal(candidate_doing(guest), "answering a drill");
    press("what?\r", "No number could be read");
    keys("\x15" "1e30\r");
    if (session_drill_open(interview_session(live)))
        press("\x15" "1e30\r", "Not counted");          /* it wants a unit */
    if (session_drill_open(interview_session(live)))
        press("\x15\r\r", "Noted");
    step();
    expect("The interviewer asks the next question");
    expect("1 answered, noted");
    const struct session_drill *kept = &interview_session(live)->parts[2].drills[0];
    assert_true(kept->answered && kept->how[0]);
    expect_not(kept->how);
    end_interview();
}

/* ---- a scenario ---- */

/* Who is asked cannot leave. */
static void help_sends_nobody_home(void)
{
    press("?", "this list");
    expect_not("twice: home");
    press("\x1b", "WHERE IS IT");
}

static void commit(void)
{
    press("1++++\r", "Enter lock");
    press("\r", "WHERE IS IT");
    help_sends_nobody_home();
    press("\r", "HOW WOULD YOU FIX IT");
    keys("2\r");
    for (int k = 0; k < 8 && shows("your estimate"); k++)
        keys("\r\r");
    expect("Say what you would do next; the interviewer has the word.");
    assert_string_equal(candidate_doing(guest), "waiting for you");
}

static void what_is_withheld_is_not_sold(void)
{
    DO(interview_withhold(live, "memory", false, &err));
    press("m", "the interviewer keeps it back for now");
    assert_int_equal(attempt_state(interview_attempt(live))->n_bought, 0);
    DO(interview_withhold(live, "memory", true, &err));
    buy_timing();
    assert_int_equal(attempt_state(interview_attempt(live))->price, 1);
}

static void what_is_handed_costs_nothing(void)
{
    DO(candidate_hand(guest, "stalls", &err));
    expect("handed to you");
    expect("long_scor");
    assert_int_equal(attempt_state(interview_attempt(live))->price, 1);
    assert_true(candidate_hand(guest, "stalls", NULL) != 0);
}

static void what_is_said_stays_in_the_notebook(void)
{
    DO(interview_inject(live, "PCIe is fine", &err));
    expect("interviewer: PCIe is fine");
    DO(interview_hint(live, 0, "What does one warp touch with one store?", &err));
    expect("a hint: What does one warp touch");
    later += 30000;
    step();
    expect_not("a hint: What does one warp touch");     /* only the notebook has them now */
    expect("What does one warp touch");
    expect("PCIe is fine");
}

/* Notes are written here, and no editor is started. */
static void nobody_leaves_by_themselves(void)
{
    press("\x1b\x1b\x1b", "nothing to go back to");
    press("XX", "Only the interviewer ends it");
    keys("nthe stores\x07");
    expect("starts no program");
    assert_string_equal(candidate_doing(guest), "writing");
    press("\t", "Noted.");
    assert_string_equal(attempt_state(interview_attempt(live))->note, "the stores");
}

static void the_pushback_waits_for_the_interviewer(void)
{
    commit();
    press("\x1b", "nothing to go back to");
    press("\r\r", "the interviewer has the word");
    char begins[WINDOW];
    snprintf(begins, sizeof begins, "%s", the_variant()->pushbacks[PUSHED].says);
    expect_not(begins);
    DO(interview_push(live, PUSHED, &err));
    expect(begins);
    expect("Enter: final");
    assert_string_equal(candidate_doing(guest), "answering the pushback");
    keys("+\r");
    expect("the interviewer has the word");
    expect("The truth comes when");
}

static void the_score_waits_for_its_release(void)
{
    revealed = true;
    DO(interview_revealed(live, interview_session(live)->part, &err));
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
    DO(interview_release(live, &err));
    press("1", "of 40");
}

static void a_whole_scenario(void **state)
{
    static const struct { int rows, columns; } sizes[] = { { 30, 100 }, { 24, 80 }, { 40, 140 } };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        begin_scenario("recorded", sizes[k].rows, sizes[k].columns);
        learn_secrets(the_variant());
        expect("this kernel");
        expect("10:00 left");
        assert_string_equal(candidate_doing(guest), "choosing");
        what_is_withheld_is_not_sold();
        what_is_handed_costs_nothing();
        what_is_said_stays_in_the_notebook();
        nobody_leaves_by_themselves();
        the_pushback_waits_for_the_interviewer();
        the_score_waits_for_its_release();
        end_interview();
    }
}

/* Whatever is done is followed, as the host's process does after every key. */
static void follow(void)
{
    DO(0);
}

static void lock_in(const char *then)
{
    press("1++++\r", "Enter lock");
    press("\r", "WHERE IS IT");
    press("\r", "HOW WOULD YOU FIX IT");
    press("2\r", then);
}

static void a_pushback_waits_for_what_is_typed(void **state)
{
    const char *says;
    begin_scenario("recorded", 30, 100);
    says = the_variant()->pushbacks[PUSHED].says;
    char begins[WINDOW];
    snprintf(begins, sizeof begins, "%s", says);
    lock_in("your estimate");
    const struct investigation *i = attempt_state(interview_attempt(live));
    char first[48];
    snprintf(first, sizeof first, "%s", investigation_left(i)->id);
    keys("0.2");
    DO(interview_push(live, PUSHED, &err));
    expect("your estimate");
    expect("0.2");
    expect_not(begins);
    assert_int_equal(i->phase, PHASE_COMMITTED);
    assert_int_equal(interview_waiting(live), PUSHED);
    assert_string_equal(candidate_doing(guest), "answering an estimate");
    key('3');
    expect("0.23");
    press("\r", "Enter again takes it as 0.23 us");
    key(ENTER);
    follow();
    assert_string_equal(i->estimates[0].id, first);
    assert_string_equal(i->estimates[0].answer, "0.23");
    for (int k = 0; k < 8 && shows("your estimate"); k++) {
        assert_int_equal(i->phase, PHASE_COMMITTED);
        keys("\r\r");
        follow();
    }
    expect(begins);
    assert_int_equal(interview_waiting(live), -1);
    assert_string_equal(candidate_doing(guest), "answering the pushback");
    press("\r", "Enter again: beliefs are final");       /* one Enter too many ends nothing */
    assert_int_equal(i->phase, PHASE_PUSHED);
    press("\r", "the interviewer has the word");
    assert_int_equal(i->phase, PHASE_RESPONDED);
    end_interview();
}

/* While line and fix are chosen it waits too; taken back, it never comes, and another part knows
 * nothing of it. */
static void a_pushback_that_waits_can_be_taken_back(void **state)
{
    begin_scenario("recorded", 24, 80);
    press("1++++\r", "Enter lock");
    press("\r", "WHERE IS IT");
    DO(interview_push(live, PUSHED, &err));
    expect("WHERE IS IT");
    assert_string_equal(candidate_doing(guest), "choosing the line");
    DO(interview_push_drop(live, &err));
    assert_int_equal(interview_waiting(live), -1);
    assert_int_equal(interview_push_drop(live, NULL), ERR_BAD_REQUEST);
    press("\r", "HOW WOULD YOU FIX IT");
    keys("2\r");
    for (int k = 0; k < 8 && shows("your estimate"); k++)
        keys("\r\r");
    follow();
    expect("the interviewer has the word");
    assert_int_equal(attempt_state(interview_attempt(live))->phase, PHASE_COMMITTED);
    end_interview();
    begin_scenario("recorded", 24, 80);
    lock_in("your estimate");
    DO(interview_push(live, PUSHED, &err));
    DO(interview_begin(live, 0, &err));
    assert_int_equal(interview_waiting(live), -1);
    end_interview();
}

/* Nobody skipped what the reveal cut off, or what was never asked: no points are lost for it. */
static void a_reveal_cuts_off_an_estimate(void **state)
{
    for (int late = 0; late < 2; late++) {
        begin_scenario("recorded", 30, 100);
        if (late)
            lock_in("your estimate");
        else
            press("t", "your estimate");
        keys("13");
        revealed = true;
        DO(interview_revealed(live, interview_session(live)->part, &err));
        until("debrief");
        const struct debrief *d = attempt_debrief(interview_attempt(live));
        int cut = 0;
        for (int g = 0; g < d->n_graded; g++) {
            cut += d->graded[g].how == GRADED_CUT;
            assert_true(d->graded[g].how == GRADED_CUT || d->graded[g].how == GRADED_NOT_ASKED);
        }
        assert_true(cut == 1 && d->score.possible[LINE_ESTIMATES] == 0);
        assert_true(d->score.cut[LINE_UPDATING] == !late && d->score.cut[LINE_REMEDY] == !late);
        end_interview();
    }
}

/* Beliefs that were moved and not yet sent in answer to a pushback are no answer; the debrief says
 * what was cut, and what the score is out of. */
static void a_reveal_cuts_off_the_answer(void **state)
{
    begin_scenario("recorded", 30, 100);
    lock_in("your estimate");
    for (int k = 0; k < 8 && shows("your estimate"); k++)
        keys("\r\r");
    follow();
    DO(interview_push(live, PUSHED, &err));
    follow();
    assert_string_equal(candidate_doing(guest), "answering the pushback");
    keys("2++");
    revealed = true;
    DO(interview_revealed(live, interview_session(live)->part, &err));
    until("debrief");
    const struct debrief *d = attempt_debrief(interview_attempt(live));
    assert_true(d->score.cut[LINE_UPDATING] && !d->score.cut[LINE_REMEDY]);
    assert_int_equal(d->score.possible[LINE_UPDATING], UPDATING_COMMITTED);
    DO(interview_release(live, &err));
    expect("that were reached");
    end_interview();
}

/* At each size the reason is whole, and the list of parts has what the score is of. */
static void the_debrief_says_what_was_cut(void **state)
{
    static const int sizes[][2] = {{30, 100}, {20, 60}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        begin_scenario("recorded", sizes[k][0], sizes[k][1]);
        press("d", "how busy is DRAM?");
        press("\r", "d has arrived");
        revealed = true;
        DO(interview_revealed(live, interview_session(live)->part, &err));
        until("debrief");
        DO(interview_release(live, &err));
        expect("remedy     cut");
        expect("not reached (cut by the interviewer)");
        DO(interview_finish(live, &err));
        expect(k ? " of 100 " : "points that were reached");
        end_interview();
    }
}

static void on_one_pane_a_belief_that_moves_is_seen(void **state)
{
    begin_scenario("recorded", 20, 60);
    expect("this kernel");
    expect_not("WHAT YOU BELIEVE");
    press("1++", "WHAT YOU BELIEVE");
    end_interview();
}

/* In a list Enter never leads to the commitment. */
static void enter_in_a_list_commits_nothing(void **state)
{
    begin_scenario("recorded", 30, 100);
    press("x", "Which experiment?");
    press("\r\r\r", "Mark one with the arrows first; Esc closes the list.");
    expect("EXPERIMENTS");
    press("\x1b" "a\r\r", "Mark one with the arrows first; Esc closes the list.");
    assert_int_equal(attempt_state(interview_attempt(live))->phase, PHASE_OPEN);
    press("\x1b\r", "Enter lock");
    end_interview();
}

/* What was said belongs to the screen on which it was said. */
static void what_was_said_does_not_stay(void **state)
{
    begin_interview("recorded", 30, 100);
    DO(interview_begin(live, 0, &err));
    press("na\t", "Noted.");
    DO(interview_begin(live, 1, &err));
    until(", ");
    expect_not("Noted.");
    press("q", "q again leaves");
    DO(interview_begin(live, 0, &err));
    expect_not("q again leaves");
    key('q');
    assert_false(app_guest_wants_out(guest));      /* it is the first again */
    DO(interview_begin(live, 1, &err));
    DO(candidate_hand(guest, "stalls", &err));
    expect("The interviewer's evidence has arrived");
    DO(interview_hint(live, 0, "What does one warp touch?", &err));
    DO(interview_inject(live, "PCIe is fine", &err));
    expect("interviewer: PCIe is fine");
    DO(interview_take_back(live, &err));
    expect_not("PCIe is fine");
    expect_not("has arrived");
    expect_not("a hint: What");
    char *all = picture();
    assert_null(strstr(all, " new"));
    free(all);
    end_interview();
}

static void on_pause_a_key_is_answered(void **state)
{
    begin_scenario("recorded", 30, 100);
    press("t", "your estimate");
    keys("13");
    DO(interview_pause(live, true, &err));
    for (const char *k = "7.w\r\x1b"; *k; k++) {
        key((unsigned char)*k);
        expect("On pause: no key does anything");
    }
    press("?", "help");
    key(ESC);
    DO(interview_pause(live, false, &err));
    expect_not("no key does anything");
    press("0 us\r", "0.130 ms taken, 1 of 2 ");
    assert_string_equal(attempt_state(interview_attempt(live))->estimates[0].answer, "130 us");
    end_interview();
}

/* On every kind of screen, once; between the parts and at the end each score stands in the list. */
static void released_scores_are_told(void **state)
{
    begin_scenario("recorded", 30, 100);
    revealed = true;
    DO(interview_revealed(live, interview_session(live)->part, &err));
    until("debrief");
    DO(interview_finish(live, &err));
    expect_not("of 100");
    DO(interview_begin(live, 2, &err));
    DO(interview_drill(live, typed_drill()->full_id, NULL, 1, &err));
    press("\r\r", "Noted.");
    DO(interview_begin(live, 0, &err));
    expect_not("released");
    DO(interview_release(live, &err));
    expect("Your scores are released; the list of parts shows them.");
    press("na\t", "Noted.");
    step();
    expect_not("released");
    DO(interview_finish(live, &err));
    char score[96];
    score_says(score, sizeof score,
               &attempt_debrief(interview_attempt_of(live, 1, NULL))->score);
    assert_string_equal(score, "nothing was reached");     /* it was revealed before a purchase */
    expect(score);
    expect("1 answered, 0.00 of 1 points");
    expect("Your scores are released: they stand beside the parts.");
    DO(interview_close(live, &err));
    expect(score);
    expect("The interview is over");
    end_interview();
}

/* Whose truth was never shown has none, and says so. */
static void what_was_not_revealed_has_no_score(void **state)
{
    begin_scenario("recorded", 30, 100);
    DO(interview_finish(live, &err));
    expect_not("no score");
    DO(interview_release(live, &err));
    expect("no score: its truth was not shown");
    end_interview();
}

static void a_drill_that_cannot_be_asked_stands_in_nobodys_way(void **state)
{
    struct err err = { 0 };
    begin_interview("recorded", 20, 60);
    did(interview_begin(live, 2, &err), &err);
    assert_int_equal(interview_drill(live, "nothing/of-the-kind", NULL, 1, &err), 0);
    assert_int_equal(candidate_follow(guest, &err), ERR_MISSING);
    expect("The interviewer asks the next question");
    assert_null(session_drill_open(interview_session(live)));
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
    static const char *const probes[] = {"timing", "memory", "stalls",    "dram", "source",
                                         "lines",  "verify", "resources", "sass"};
    const char *probe = probes[throw_dice(9)];
    struct err err;
    switch (throw_dice(8)) {
    case 0: case 1: interview_withhold(live, probe, throw_dice(2), &err); break;
    case 2: candidate_hand(guest, probe, &err); break;
    case 3: interview_hint(live, throw_dice(3), "What does one warp touch?", &err); break;
    case 4: interview_inject(live, "PCIe is fine.\x1b[2J\nSo is NVLink.", &err); break;
    case 5: interview_pause(live, throw_dice(2), &err); break;
    case 6: interview_push(live, PUSHED, &err); break;
    default: app_guest_resize(guest, 18 + throw_dice(30), 55 + throw_dice(90)); break;
    }
    if (candidate_follow(guest, &err) != 0)
        fail_msg("%s", err.text);
}

static void some_key(void)
{
    static const int others[] = {ENTER, ENTER, ESC, TAB, UP,  DOWN, '+',  '-', '!',
                                 '1',   '6',   'n', 'X', '?', 'e',  0x07, 0x04};
    key(throw_dice(2) ? others[throw_dice((int)(sizeof others / sizeof *others))]
                      : ' ' + throw_dice(95));
    if (throw_dice(4) == 0)
        step();
    if (app_guest_wants_out(guest))
        expect_not("debrief");
}

static void whatever_is_pressed_nothing_leaks(void **state)
{
    for (int round = 0; round < 6; round++) {
        scenario = round % 3 == 2 ? "many-gpus/sixteen-ranks/a"
                                  : "first-principles/transposed-copy/a"; /* a case, too */
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
        interview_pause(live, false, NULL);
        revealed = true;
        app_guest_resize(guest, 30, 100);
        DO(interview_revealed(live, interview_session(live)->part, &err));
        until("debrief");
        end_interview();
    }
    scenario = "first-principles/transposed-copy/a";
}

static void an_early_reveal_takes_the_beliefs_as_they_stand(void **state)
{
    begin_scenario("recorded", 30, 100);
    buy_timing();
    keys("nhalf a");
    revealed = true;
    DO(interview_revealed(live, interview_session(live)->part, &err));
    until("debrief");
    assert_string_equal(attempt_state(interview_attempt(live))->note, "half a");
    end_interview();
}

static void a_host_that_comes_back_goes_on(void **state)
{
    char id[64];
    struct err err = { 0 };
    begin_scenario("recorded", 30, 100);
    buy_timing();
    keys("1+");
    step();
    did(interview_inject(live, "PCIe is fine", &err), &err);
    snprintf(id, sizeof id, "%s", interview_id(live));
    assert_int_equal(interview_settle(live, &err), 0);
    end_interview();
    if (interview_open(&live, id, false, &err) != 0)
        fail_msg("%s", err.text);
    guest = app_guest_new(&host, interview_store(live), live, 30, 100);
    did(interview_opened(live, "user", NULL, &err), &err);
    until("time, cold L2");
    expect("PCIe is fine");
    assert_int_equal(attempt_state(interview_attempt(live))->n_bought, 1);
    commit();
    end_interview();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lobby_and_a_talk),
        cmocka_unit_test(a_choice_is_kept_in_words),
        cmocka_unit_test(a_drill_is_noted_and_not_judged),
        cmocka_unit_test(a_drill_that_cannot_be_asked_stands_in_nobodys_way),
        cmocka_unit_test(a_whole_scenario),
        cmocka_unit_test(a_pushback_waits_for_what_is_typed),
        cmocka_unit_test(a_pushback_that_waits_can_be_taken_back),
        cmocka_unit_test(a_reveal_cuts_off_an_estimate),
        cmocka_unit_test(a_reveal_cuts_off_the_answer),
        cmocka_unit_test(the_debrief_says_what_was_cut),
        cmocka_unit_test(on_one_pane_a_belief_that_moves_is_seen),
        cmocka_unit_test(enter_in_a_list_commits_nothing),
        cmocka_unit_test(what_was_said_does_not_stay),
        cmocka_unit_test(on_pause_a_key_is_answered),
        cmocka_unit_test(released_scores_are_told),
        cmocka_unit_test(what_was_not_revealed_has_no_score),
        cmocka_unit_test(whatever_is_pressed_nothing_leaks),
        cmocka_unit_test(an_early_reveal_takes_the_beliefs_as_they_stand),
        cmocka_unit_test(a_host_that_comes_back_goes_on),
    };
    return RUN_CASES(tests, set_up, tear_down);
}

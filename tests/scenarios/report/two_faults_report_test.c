/* What an interviewer reads of a build with two faults: both in the brief, with the builds between,
 * and in the report what the candidate said is left. */
#include "scenarios/interview/interview_moves.h"
#include "scenarios/interview/interview_verbs.h"
#include "scenarios/report/session_briefing.h"
#include "scenarios/report/session_report.h"
#include "tests/scenarios/made_interview.h"

static int begin_ranked(void **state)
{
    struct err err = {0};
    int rc = interviews_begin("ranked", 7000);
    pack_free(pack);
    pack = NULL;
    return rc ? rc : pack_open(&pack, "tests/packs/two-faults", &err);
}

static struct interview *create(void)
{
    struct session_plan p = {.title = "Kernels", .candidate = "Ann", .level = 4,
                             .tier = "recorded", .n_parts = 1};
    p.parts[0] = (struct session_part){.kind = PART_SCENARIO, .minutes = 25, .title = "Codes",
                                       .id = "two-faults/counted-codes/a"};
    struct interview *l = made_interview_new(p, NULL);
    set_clock(verb_ms);
    return l;
}

static void move(struct interview *l, struct move m)
{
    DO(attempt_move(interview_attempt(l), &m, os_monotonic_ms(), &err));
    interview_changed(l);
    DO(interview_settle(l, &err));
}

/* From the first purchase to the reveal; `then` is said to be left. */
static struct interview *held(const char *then)
{
    struct interview *l = create();
    struct move committed = {.kind = MOVE_COMMITTED, .line = 9, .remedy = "lanes"};
    struct move answer = {.kind = MOVE_RESPONDED};
    snprintf(committed.then, sizeof committed.then, "%s", then);
    DO(interview_opened(l, "confined", NULL, &err));
    DO(interview_begin(l, 0, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    move(l,
         (struct move){.kind = MOVE_BOUGHT, .probe = "memory", .evidence = recorded(l, "memory")});
    move(l, committed);
    move(l, (struct move){.kind = MOVE_ESTIMATED, .item = "first-mended", .answer = "12 us"});
    DO(interview_push(l, 0, &err));
    memcpy(answer.points, attempt_state(interview_attempt(l))->points, sizeof answer.points);
    move(l, answer);
    return l;
}

static bool holds(struct interview *l, enum report_format format, const char *what)
{
    json_t *report = report_make(l, false);
    char *text = report_write(report, format);
    bool found = strstr(text, what) != NULL;
    if (!found)
        print_message("%s\n", text);
    free(text);
    json_decref(report);
    return found;
}

static void what_was_said_is_told(void **state)
{
    struct interview *l = held("smem.bank-conflict");
    assert_true(holds(l, REPORT_JSON, "left then: bank conflicts"));
    assert_true(holds(l, REPORT_JSON, "\"left\": \"bank conflicts\""));
    assert_true(holds(l, REPORT_JSON, "\"right_left\": true"));
    assert_true(holds(l, REPORT_MARKDOWN, "to what is left then"));
    DO(interview_close(l, &err));
    made_interview_end(l);
    l = held("none.at-limit");
    assert_true(holds(l, REPORT_JSON, "left then: nothing more"));
    assert_true(holds(l, REPORT_JSON, "\"right_left\": false"));
    DO(interview_close(l, &err));
    made_interview_end(l);
}

static void the_brief_has_both(void **state)
{
    struct interview *l = held("smem.bank-conflict");
    const struct attempt *a = interview_attempt(l);
    struct recording *const r = (struct recording *)(uintptr_t)attempt_recording(a);
    struct evidence *all;
    struct briefing b;
    DO(request_recall_all(&all, attempt_variant(a), r, &err));
    DO(briefing_make(&b, attempt_variant(a), &r->device, all, NULL, &err));
    assert_string_equal(b.truth, "uncoalesced access, line 9; then bank conflicts, on line 3");
    assert_string_equal(b.effect, "33.8 \xC2\xB5s to 4.83 \xC2\xB5s, 7.0 x; the first mended alone "
                                  "12.1 \xC2\xB5s, the second 33.1 \xC2\xB5s");
    evidence_free(all);
    DO(interview_close(l, &err));
    made_interview_end(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_said_is_told),
        cmocka_unit_test(the_brief_has_both),
    };
    return cmocka_run_group_tests_name("two_faults_report", tests, begin_ranked, interviews_end);
}

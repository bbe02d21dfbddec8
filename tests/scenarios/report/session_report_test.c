/* What reports say of an interview, to whom and in which words; what a candidate must not read is
 * searched for. */
#include "scenarios/report/session_report.h"

#include "scenarios/interview/interview_life.h"
#include "scenarios/interview/interview_verbs.h"
#include "scenarios/play/scoring.h"
#include "tests/scenarios/report/reported_interview.h"

static void in_order(const char *text, const char *const *words)
{
    const char *at = text;
    for (int k = 0; words[k]; k++) {
        const char *found = strstr(at, words[k]);
        if (!found)
            fail_msg("no %s at its place in %s", words[k], text);
        at = found + strlen(words[k]);
    }
}

/* What the interviewer sent and the pauses are one list in order of time; who joined has a time;
 * what was taken back is named, without its text. */
static void everything_has_its_time(void **state)
{
    struct session_party back = {.uid = "party-1",
                                 .role = "candidate",
                                 .name = "Ann",
                                 .wall = "confined"};
    struct interview *l = held(true);
    DO(interview_left(l, "party-1", "has left", &err));
    DO(interview_pause(l, true, &err));
    DO(interview_pause(l, false, &err));
    DO(interview_joined(l, &back, &err));
    DO(interview_inject(l, "AFTER-THE-PAUSE", &err));
    DO(interview_note(l, "TAKEN-BACK", false, &err));
    DO(interview_take_back(l, &err));
    json_t *report = report_make(l, false), *people = json_object_get(report, "people"),
           *first = json_array_get(people, 0);
    assert_int_equal(json_array_size(people), 2);
    const char *utc = json_string_value(json_object_get(first, "utc"));
    assert_int_equal(strncmp(utc, "2026-11-21T12:", 14), 0);
    assert_true(json_integer_value(json_object_get(first, "left_ms")) > 0);
    assert_null(json_object_get(json_array_get(people, 1), "left_ms"));
    for (int f = REPORT_MARKDOWN; f <= REPORT_HTML; f++) {
        char *text = report_write(report, (enum report_format)f);
        in_order(text, (const char *const[]){"Hints, curveballs, pauses", "curveball", "said",
                                             "pause", "0:07", "AFTER-THE-PAUSE", "Who joined", utc,
                                             "Ann", "Timeline", "took back", "a note", NULL});
        assert_null(strstr(text, "TAKEN-BACK"));
        free(text);
    }
    json_decref(report);
    made_interview_end(l);
}

static const char *at_key(const json_t *list, size_t k, const char *key)
{
    return json_string_value(json_object_get(json_array_get(list, k), key));
}

/* The figures that decide stand first, in the list of evidence and in the timeline alike. */
static void evidence_says_what_decides(void **state)
{
    struct interview *l = held(true);
    json_t *report = report_make(l, false),
           *scenario =
               json_object_get(json_array_get(json_object_get(report, "parts"), 1), "scenario");
    const char *timing = at_key(json_object_get(scenario, "evidence"), 0, "said"),
               *memory = at_key(json_object_get(scenario, "evidence"), 2, "said");
    assert_int_equal(strncmp(timing, "time ", 5), 0);
    assert_non_null(strstr(timing, "; share of the copy rate "));
    assert_int_equal(strncmp(memory, "sectors per ", 12), 0);
    char *text = report_write(report, REPORT_CSV),
         *line = text_format("timing in detail: %s", timing);
    assert_non_null(strstr(text, line));
    free(line);
    free(text);
    json_decref(report);
    made_interview_end(l);
}

static void has_no_answer(const json_t *report)
{
    size_t k;
    json_t *row;
    json_array_foreach(json_object_get(report, "timeline"), k, row)
        assert_string_not_equal(json_string_value(json_object_get(row, "what")), "answered it");
}

/* Revealed before anybody pushed back: the pushback that the seed would have given is not told as
 * one, and an estimate that never came is not asked. */
static void what_never_came_is_not_told(void **state)
{
    struct interview *l = create(false);
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    press_belief(l, 1, BELIEF_MORE);
    move(l, (struct move){.kind = MOVE_COMMITTED});
    for (const struct estimate *e; (e = investigation_left(attempt_state(interview_attempt(l))));) {
        struct move unasked = {.kind = MOVE_ESTIMATED, .left = LEFT_UNASKED};
        snprintf(unasked.item, sizeof unasked.item, "%s", e->id);
        move(l, unasked);
    }
    struct move answer = {.kind = MOVE_RESPONDED};
    memcpy(answer.points, attempt_state(interview_attempt(l))->points, sizeof answer.points);
    move(l, answer);
    DO(interview_revealed(l, interview_session(l)->part, &err));
    DO(interview_close(l, &err));
    json_t *report = report_make(l, false),
           *scenario =
               json_object_get(json_array_get(json_object_get(report, "parts"), 1), "scenario");
    json_t *steps = json_object_get(scenario, "steps"),
           *lines = json_object_get(json_object_get(scenario, "score"), "lines");
    assert_true(attempt_variant(interview_attempt_of(l, 1, NULL))->n_pushbacks > 0);
    assert_null(json_object_get(scenario, "pushback"));
    assert_string_equal(json_string_value(
                            json_object_get(json_object_get(scenario, "lessons"), "pushback")),
                        "");
    assert_int_equal(json_array_size(steps), 2);        /* how it began, and the story alone */
    has_no_answer(report);
    assert_string_equal(at_key(json_object_get(scenario, "estimates"), 0, "given"), "not asked");
    assert_non_null(strstr(at_key(lines, 2, "why"), "80 points are the whole"));
    assert_float_equal(json_number_value(json_object_get(json_array_get(lines, 2), "possible")), 0,
                       0);
    json_object_set_new(json_array_get(lines, 0), "points", json_real(-0.2));
    char *text = report_write(report, REPORT_MARKDOWN);
    assert_non_null(strstr(text, "| cause | 0 | 40 |"));
    free(text);
    json_decref(report);
    made_interview_end(l);
}

/* ---- what a candidate may read ---- */

static const char *const truths[] = {"mem.uncoalesced", "small/sums/a", "\"cause\"",
                                     "\"truth\"",       "\"ideal\"",    "\"headline\"",
                                     "teaches",         "\"factor\"",   "\"kind\": \"conviction\"",
                                     "right_place",     "lessons",      "\"score\"",
                                     "ideal reader"};

static void no_form_holds(struct interview *l, const char *const *what, size_t n)
{
    for (int f = 0; f < 4; f++) {
        char *text = written(l, true, (enum report_format)f);
        for (size_t k = 0; k < n; k++)
            if (strstr(text, what[k]))
                fail_msg("form %d holds %s", f, what[k]);
        free(text);
    }
}

/* ---- tables and timeline are one ---- */

static const json_t *scenario_of(const json_t *report)
{
    return json_object_get(json_array_get(json_object_get(report, "parts"), 1), "scenario");
}

/* What the timeline says at that moment of the hypothesis `label` ends in the same figure as the
 * table. */
static void told_alike(const json_t *report, const json_t *step, const char *label,
                       long long percent)
{
    long long at = json_integer_value(json_object_get(step, "at_ms"));
    size_t k;
    json_t *row;
    char *ends = text_format(" to %lld %%", percent);
    bool found = false;
    json_array_foreach(json_object_get(report, "timeline"), k, row) {
        const char *text = json_string_value(json_object_get(row, "text")),
                   *named = strstr(text, label);
        bool same = json_integer_value(json_object_get(row, "at_ms")) == at,
             moved = !strcmp(json_string_value(json_object_get(row, "what")), "moved beliefs");
        found |= same;
        if (same && moved && named && !strstr(named, ends))
            fail_msg("%lld in the table, and in the timeline %s", percent, text);
    }
    free(ends);
    if (!found)
        fail_msg("nothing in the timeline at %lld ms", at);
}

/* The first row is the even start, and every row stands at a moment of the timeline with the same
 * figures. */
static void beliefs_stand_at_the_moments_of_the_timeline(void **state)
{
    struct interview *l = held(true);
    json_t *report = report_make(l, false);
    const json_t *scenario = scenario_of(report), *steps = json_object_get(scenario, "steps"),
                 *labels = json_object_get(scenario, "hypotheses");
    int even[MAX_HYPOTHESES];
    size_t k, h;
    json_t *step, *theirs;
    belief_even(even, (int)json_array_size(labels));
    for (size_t i = 0; i < json_array_size(labels); i++)
        assert_int_equal(json_integer_value(
                             json_array_get(json_object_get(json_array_get(steps, 0), "theirs"),
                                            i)),
                         even[i]);
    json_array_foreach(steps, k, step) if (k > 0)
        json_array_foreach(json_object_get(step, "theirs"), h, theirs)
            told_alike(report, step, json_string_value(json_array_get(labels, h)),
                       json_integer_value(theirs));
    assert_string_equal(at_key(steps, 1, "after"), "the story alone");
    assert_string_equal(at_key(steps, 4, "after"), "the answer to the pushback");
    json_decref(report);
    made_interview_end(l);
}

/* ---- words ---- */

static const char *line_of(const json_t *report, const char *name)
{
    size_t k;
    json_t *row;
    json_array_foreach(json_object_get(report, "summary"), k, row)
        if (!strcmp(json_string_value(json_object_get(row, "name")), name))
            return json_string_value(json_object_get(row, "text"));
    return "";
}

static void has(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("no \"%s\" in: %s", words, text);
}

/* What the guide says of a line of the score is what the line gives. */
static void has_points(const char *text, const char *form, enum score_line_id line)
{
    char words[64];
    snprintf(words, sizeof words, form, score_line_possible(line));
    has(text, words);
}

/* Five lines on top; to the interviewer it is told of them, to the candidate of you. */
static void a_summary_stands_on_top(void **state)
{
    struct interview *l = held(true);
    DO(interview_revealed(l, interview_session(l)->part, &err));
    finish(l);
    DO(interview_release(l, &err));
    json_t *theirs = report_make(l, false), *yours = report_make(l, true);
    has(line_of(theirs, "candidate"), "level 1, ");
    has(line_of(theirs, "causes found"), "1 of 1: uncoalesced access found, at 50 % ");
    has(line_of(theirs, "causes found"), "(line right, fix right, 0 of 1 estimate right)");
    has(line_of(theirs, "scores"), " of 100 (cause ");
    has(line_of(theirs, "scores"), "drills 1.00 of 1");
    has(line_of(theirs, "grades"),
        "3 of 4, 1 of 8 signals graded: names the space before buying 3");
    has(line_of(theirs, "help"), "1 hint, 1 curveball, 1 result handed out, 1 result withheld");
    char *of_them = report_write(theirs, REPORT_MARKDOWN),
         *of_you = report_write(yours, REPORT_MARKDOWN);
    in_order(of_them, (const char *const[]){"**candidate**", "**causes found**", "**scores**",
                                            "**grades**", "**help**", "## How to read this", "**found**",
                                            "**ideal reader**", "**cause, 40 points**",
                                            "**drills**", "**grades**", "**hint, curveball**",
                                            "## The interview", "## Parts", "They had it at",
                                            NULL});
    assert_null(strstr(of_you, "How to read"));
    has_points(of_them, "**cause, %d points**", LINE_CAUSE);
    has_points(of_them, "**evidence, %d**", LINE_EVIDENCE);
    has_points(of_them, "**estimates, %d**", LINE_ESTIMATES);
    has_points(of_them, "**updating, %d**", LINE_UPDATING);
    has_points(of_them, "**location, remedy, %d each**", LINE_LOCATION);
    assert_int_equal(score_line_possible(LINE_LOCATION), score_line_possible(LINE_REMEDY));
    has(of_you, "You had it at");
    has(of_you, "| yours |");
    assert_null(strstr(of_them, "You had it at"));
    assert_null(strstr(of_you, "They had it at"));
    has(of_them, "Bytes of a copy");
    has(of_them, "**cheapest way** m 3 = 3 min");       /* they paid less, and did not get there */
    assert_null(strstr(of_them, "**cheaper**"));
    free(of_them);
    free(of_you);
    json_decref(theirs);
    json_decref(yours);
    made_interview_end(l);
}

/* A curveball that was taken back is told to the interviewer with its text, to the candidate not;
 * grades have their moment; no score says why. */
static void words_are_those_of_users(void **state)
{
    static const char *const internal[] = {"undone", "rated",   "injected",
                                           "hinted", "drilled", "responded"};
    struct interview *l = create(true);
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    investigate(l);
    DO(interview_inject(l, "CURVED " FORMULA, &err));
    DO(interview_take_back(l, &err));
    DO(interview_rate(l, "aloud", 2, &err));
    DO(interview_quiet(l, 180, &err));
    DO(interview_minutes(l, 1, 15, &err));
    DO(interview_close(l, &err));
    json_t *report = report_make(l, false);
    for (int f = REPORT_MARKDOWN; f <= REPORT_CSV; f++) {
        char *text = report_write(report, (enum report_format)f);
        for (size_t k = 0; k < sizeof internal / sizeof *internal; k++)
            if (strstr(text, internal[k]))
                fail_msg("%s in the report", internal[k]);
        has(text, "CURVED");
        has(text, "can be followed: 2 of 4");
        has(text, "part 2 now lasts 15 min");
        has(text, "begins, 180 s at most");
        has(text, "there was no last word");
        free(text);
    }
    assert_true(holds(l, false, "taken_back_ms") && !holds(l, true, "CURVED"));
    json_decref(report);
    made_interview_end(l);
}

/* It was on their screen: that it was there, and when it was taken back, stands in both reports; a
 * curveball's words alone in the interviewer's. */
static void what_was_taken_back_is_told_to_both(void **state)
{
    struct interview *l = create(true);
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    DO(interview_hint(l, 0, "LOOK-AT-ONE-WARP", &err));
    DO(interview_take_back(l, &err));
    DO(interview_inject(l, "SLIP-OF-THE-TONGUE", &err));
    DO(interview_take_back(l, &err));
    DO(interview_close(l, &err));
    for (int own = 0; own < 2; own++) {
        json_t *report = report_make(l, own), *lines = json_object_get(report, "lines");
        assert_int_equal(json_array_size(lines), 2);
        for (size_t k = 0; k < 2; k++)
            assert_non_null(json_object_get(json_array_get(lines, k), "taken_back_ms"));
        assert_string_equal(at_key(lines, 0, "text"), "LOOK-AT-ONE-WARP");
        assert_string_equal(at_key(lines, 1, "text"), own ? "" : "SLIP-OF-THE-TONGUE");
        has(line_of(report, "help"), "1 hint (1 taken back), 1 curveball (1 taken back)");
        char *text = report_write(report, REPORT_MARKDOWN);
        in_order(text, (const char *const[]){"hint, taken back at ", "LOOK-AT-ONE-WARP", "Timeline",
                                             "gave a hint", "LOOK-AT-ONE-WARP (taken back)",
                                             "sent a curveball", "(taken back)", NULL});
        free(text);
        json_decref(report);
    }
    made_interview_end(l);
}

static void a_candidate_reads_what_is_theirs(void **state)
{
    static const char *const never[] = {PRIVATE, "SAID-ALOUD"}, *const later[] = {"DRILL-GRADING",
                                                                                  "\"grade\"",
                                                                                  "Rubric</h2>",
                                                                                  "## Rubric"};
    struct interview *l = held(true);
    no_form_holds(l, truths, sizeof truths / sizeof *truths);
    DO(interview_revealed(l, interview_session(l)->part, &err));
    finish(l);
    assert_true(holds(l, true, "\"truth\"") && holds(l, true, "small/sums/a"));
    assert_false(holds(l, true, "\"score\"") || holds(l, true, "\"ideal\"") ||
                 holds(l, true, "\"headline\"") || holds(l, true, "\"factor\""));
    no_form_holds(l, later, sizeof later / sizeof *later);
    assert_true(holds(l, true, "withheld until the interviewer releases them"));
    no_form_holds(l, never, 2);
    DO(interview_release(l, &err));
    assert_true(holds(l, true, "\"score\"") && holds(l, true, "DRILL-GRADING") &&
                holds(l, true, "\"anchor\"") && holds(l, true, "\"ideal\""));
    no_form_holds(l, never, 2);
    assert_true(holds(l, true, "shared: asks"));
    assert_true(holds(l, false, PRIVATE) && holds(l, false, "SAID-ALOUD"));
    made_interview_end(l);
}

/* What may be handed on: no id, cause, place, fix, true value, anchor or word that tells them; what
 * they did and got is there. */
static void a_copy_without_the_key_is_none(void **state)
{
    static const char *const key[] = {
        "small/sums/a", "\"truth\"",    "\"ideal\"",  "\"headline\"", "teaches",
        "\"factor\"",   "lessons",      "\"why\"",    "\"anchor\"",   "DRILL-GRADING",
        "memory/bytes", "ideal reader", "(the cause)"};
    struct interview *l = held(false);
    DO(interview_revealed(l, interview_session(l)->part, &err));
    DO(interview_rate(l, interview_session(l)->plan.signals[0].id, 2, &err));
    finish(l);
    DO(interview_release(l, &err));
    json_t *report = report_make(l, true);
    const json_t *scenario = scenario_of(report);
    json_object_set_new(json_array_get(json_object_get(scenario, "estimates"), 0), "why",
                        json_string("as of an estimate across GPUs"));
    report_without_answers(report);
    const json_t *lines = json_object_get(json_object_get(scenario, "score"), "lines");
    assert_true(json_array_size(lines) > 0 && json_object_get(json_array_get(lines, 0), "points"));
    assert_non_null(json_object_get(scenario, "commitment"));
    for (int f = 0; f < 4; f++) {
        char *text = report_write(report, (enum report_format)f);
        for (size_t k = 0; k < sizeof key / sizeof *key; k++)
            if (strstr(text, key[k]))
                fail_msg("form %d holds %s", f, key[k]);
        free(text);
    }
    size_t k;
    json_t *row;
    json_array_foreach(json_object_get(report, "summary"), k, row) {
        const char *text = json_string_value(json_object_get(row, "text"));
        if (!strcmp(json_string_value(json_object_get(row, "name")), "causes found"))
            assert_int_equal(strspn(text, "0123456789 of"), strlen(text));
    }
    json_decref(report);
    made_interview_end(l);
}

/* Who pressed for the candidate stands in the log. */
static void a_scribe_is_told_apart(void **state)
{
    struct interview *l = held(true);
    json_t *row;
    size_t k;
    int theirs = 0, scribes = 0;
    interview_scribe(l, true);
    finish(l);
    json_t *report = report_make(l, false);
    json_array_foreach(json_object_get(report, "timeline"), k, row) {
        const char *who = json_string_value(json_object_get(row, "who"));
        theirs += !strcmp(who, "candidate");
        scribes += !strcmp(who, "scribe");
    }
    assert_true(theirs > 0);
    assert_int_equal(scribes, 1);                        /* the drill's answer */
    json_decref(report);
    char id[64];
    snprintf(id, sizeof id, "%s", interview_id(l));
    interview_free(l);
    DO(interview_open(&l, id, true, &err));
    int again = 0;
    report = report_make(l, false);
    json_array_foreach(json_object_get(report, "timeline"), k, row)
        again += !strcmp(json_string_value(json_object_get(row, "who")), "scribe");
    assert_int_equal(again, 1);
    json_decref(report);
    made_interview_end(l);
}

static void released_scores_tell_no_truth_that_was_not_revealed(void **state)
{
    struct interview *l = held(false);
    finish(l);
    DO(interview_release(l, &err));
    no_form_holds(l, truths, sizeof truths / sizeof *truths);
    assert_true(holds(l, true, "DRILL-GRADING"));
    json_t *yours = report_make(l, true); /* and nobody missed a cause that was not told */
    has(line_of(yours, "causes found"), "none was revealed: ");
    json_decref(yours);
    made_interview_end(l);
}

static void an_interviewers_score_waits_for_the_rubric(void **state)
{
    struct interview *l = held(true);
    assert_true(holds(l, false, "\"truth\"") && !holds(l, false, "\"score\"") &&
                holds(l, false, "until every signal"));
    for (int k = 0; k < interview_session(l)->plan.n_signals; k++)
        DO(interview_rate(l, interview_session(l)->plan.signals[k].id, 2, &err));
    assert_true(holds(l, false, "\"score\""));
    made_interview_end(l);
}

/* Released before all was graded: every report and screen goes by one rule, and later grades say
 * so. */
static void without_a_name_in_the_plan_it_is_who_joined(void **state)
{
    struct session_plan plan = {.title = "Kernels", .tier = "recorded", .n_parts = 1};
    struct session_party ann = {.uid = "1", .role = "candidate", .name = "Ann", .wall = "none"},
                         olga = {.uid = "2", .role = "observer", .name = "Olga", .wall = "none"};
    plan.parts[0] = (struct session_part){.kind = PART_TALK, .minutes = 5, .title = "Talk"};
    struct interview *l = made_interview_new(plan, NULL);
    json_t *report = report_make(l, false);
    has(line_of(report, "candidate"), "no name, level 0");
    json_decref(report);
    DO(interview_joined(l, &ann, &err));
    DO(interview_joined(l, &olga, &err));
    report = report_make(l, false);
    has(line_of(report, "candidate"), "Ann, level 0");
    json_decref(report);
    made_interview_end(l);
}

static void released_scores_end_the_blind_rubric(void **state)
{
    struct interview *l = held(true);
    DO(interview_revealed(l, interview_session(l)->part, &err));
    assert_false(session_scores_open(interview_session(l), false));
    assert_true(holds(l, false, "until every signal"));
    DO(interview_release(l, &err));
    assert_true(session_scores_open(interview_session(l), false));
    assert_true(session_scores_open(interview_session(l), true));
    assert_true(holds(l, false, "\"score\"") && holds(l, true, "\"score\""));
    assert_false(holds(l, false, "until every signal"));
    DO(interview_rate(l, "aloud", 2, &err));
    json_t *report = report_make(l, false);
    has(line_of(report, "grades"), "5 of 8, 2 of 8 signals graded");
    has(line_of(report, "grades"), "; 1 of them given when scores could be seen");
    json_decref(report);
    made_interview_end(l);
}

/* The interviewer showed the truth before anything was locked: who ended it is told, and nobody is
 * said to have committed or estimated. Why scores are held back stands there once. */
static void what_the_reveal_ended_was_not_committed(void **state)
{
    struct interview *l = create(true);
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    press_belief(l, 1, BELIEF_MORE);
    DO(interview_revealed(l, 1, &err));
    move(l, (struct move){.kind = MOVE_COMMITTED});
    for (const struct estimate *e; (e = investigation_left(attempt_state(interview_attempt(l))));) {
        struct move unasked = {.kind = MOVE_ESTIMATED, .left = LEFT_UNASKED};
        snprintf(unasked.item, sizeof unasked.item, "%s", e->id);
        move(l, unasked);
    }
    struct move answer = {.kind = MOVE_RESPONDED};
    memcpy(answer.points, attempt_state(interview_attempt(l))->points, sizeof answer.points);
    move(l, answer);
    DO(interview_close(l, &err));
    json_t *yours = report_make(l, true);
    has(line_of(yours, "scores"), "withheld until");
    assert_null(strstr(strstr(line_of(yours, "scores"), "withheld") + 1, "withheld"));
    json_decref(yours);
    DO(interview_release(l, &err));
    json_t *report = report_make(l, false);
    char *text = report_write(report, REPORT_MARKDOWN);
    in_order(text, (const char *const[]){"**beliefs locked at**", "; none was said |", "Timeline",
                                         "| revealed |",
                                         "| interviewer | took as final | the beliefs as they "
                                         "stood",
                                         NULL});
    assert_null(strstr(text, "| committed |"));
    assert_null(strstr(text, "| estimated |"));
    assert_null(strstr(text, "0.0 of 0.0"));
    free(text);
    json_decref(report);
    made_interview_end(l);
}

/* All that the interviewer showed the truth before is told as cut, and stands in no denominator;
 * the candidate's copy agrees. */
static void what_was_cut_is_told_and_not_judged(void **state)
{
    struct interview *l = create(false);
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    move(l,
         (struct move){.kind = MOVE_BOUGHT, .probe = "memory", .evidence = recorded(l, "memory")});
    DO(interview_revealed(l, 1, &err));
    move(l, (struct move){.kind = MOVE_COMMITTED, .left = LEFT_CUT});
    for (const struct estimate *e; (e = investigation_left(attempt_state(interview_attempt(l))));) {
        struct move unasked = {.kind = MOVE_ESTIMATED, .left = LEFT_UNASKED};
        snprintf(unasked.item, sizeof unasked.item, "%s", e->id);
        move(l, unasked);
    }
    struct move answer = {.kind = MOVE_RESPONDED, .left = LEFT_CUT};
    memcpy(answer.points, attempt_state(interview_attempt(l))->points, sizeof answer.points);
    move(l, answer);
    DO(interview_close(l, &err));
    for (int own = 0; own < 2; own++) {
        json_t *report = report_make(l, own);
        json_t *scenario =
            json_object_get(json_array_get(json_object_get(report, "parts"), 1), "scenario");
        json_t *score = json_object_get(scenario, "score"),
               *lines = json_object_get(score, "lines");
        assert_int_equal(json_integer_value(json_object_get(score, "of")), 60);
        has(json_string_value(json_object_get(score, "says")),
            " of the 60 points that were reached");
        for (size_t k = LINE_UPDATING; k < LINE_COUNT; k++) {
            assert_true(json_is_true(json_object_get(json_array_get(lines, k), "cut")));
            has(at_key(lines, k, "why"), "not reached (cut by the interviewer)");
        }
        has(line_of(report, "causes found"), "none was reached: ");
        has(line_of(report, "scores"), "of the 60 points that were reached (cause ");
        has(line_of(report, "scores"), "location not reached, remedy not reached)");
        char *text = report_write(report, REPORT_MARKDOWN), *csv = report_write(report, REPORT_CSV);
        in_order(text, (const char *const[]){"**cut by the interviewer** before the beliefs were "
                                             "locked",
                                             "**beliefs taken as final at**",
                                             "**to place and fix** not reached",
                                             "points that were reached", NULL});
        has(csv, "score,");
        has(csv, ",remedy,not reached (cut by the interviewer),,\r\n");
        free(csv);
        free(text);
        json_decref(report);
    }
    made_interview_end(l);
}

/* A part that was ended, or left by the end of the hour, tells how far they came. */
static void a_part_that_was_ended_tells_how_far_it_came(void **state)
{
    struct interview *l = create(false);
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    press_belief(l, 1, BELIEF_MORE);
    json_t *report = report_make(l, true);
    json_t *scenario =
        json_object_get(json_array_get(json_object_get(report, "parts"), 1), "scenario");
    assert_null(json_object_get(scenario, "cut"));
    json_decref(report);
    DO(interview_finish(l, &err));
    report = report_make(l, true);
    scenario = json_object_get(json_array_get(json_object_get(report, "parts"), 1), "scenario");
    assert_string_equal(json_string_value(json_object_get(scenario, "cut")),
                        "before the beliefs were locked");
    json_decref(report);
    made_interview_end(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_has_its_time),
        cmocka_unit_test(evidence_says_what_decides),
        cmocka_unit_test(what_never_came_is_not_told),
        cmocka_unit_test(beliefs_stand_at_the_moments_of_the_timeline),
        cmocka_unit_test(a_summary_stands_on_top),
        cmocka_unit_test(words_are_those_of_users),
        cmocka_unit_test(what_was_taken_back_is_told_to_both),
        cmocka_unit_test(a_candidate_reads_what_is_theirs),
        cmocka_unit_test(a_copy_without_the_key_is_none),
        cmocka_unit_test(a_scribe_is_told_apart),
        cmocka_unit_test(released_scores_tell_no_truth_that_was_not_revealed),
        cmocka_unit_test(an_interviewers_score_waits_for_the_rubric),
        cmocka_unit_test(released_scores_end_the_blind_rubric),
        cmocka_unit_test(without_a_name_in_the_plan_it_is_who_joined),
        cmocka_unit_test(what_the_reveal_ended_was_not_committed),
        cmocka_unit_test(what_was_cut_is_told_and_not_judged),
        cmocka_unit_test(a_part_that_was_ended_tells_how_far_it_came),
    };
    return cmocka_run_group_tests_name("session_report", tests, begin_all, interviews_end);
}

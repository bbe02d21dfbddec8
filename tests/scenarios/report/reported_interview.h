/* One interview with hostile texts, whose reports are tested. */
#ifndef WD_TESTS_REPORTED_INTERVIEW_H
#define WD_TESTS_REPORTED_INTERVIEW_H

#include "scenarios/interview/interview_moves.h"
#include "scenarios/interview/interview_says.h"
#include "scenarios/interview/interview_verbs.h"
#include "scenarios/report/session_report.h"
#include "tests/scenarios/made_interview.h"

#define EVIL "<script>alert(1)</script> | `x` =1 \"q\" 'a' & [l](http://e.org) \\ *b*"
#define FORMULA "=HYPERLINK(\"http://e.org\";\"x\")"
#define PRIVATE "PRIVATE-OPINION"

static inline int begin_all(void **state)
{
    return interviews_begin("report", 7000);
}

static inline struct interview *create(bool withhold)
{
    struct session_plan p = {.title = "Kernels " EVIL,
                             .candidate = FORMULA,
                             .level = 1,
                             .tier = "recorded",
                             .withhold = withhold,
                             .n_parts = 3};
    p.parts[0] = (struct session_part){.kind = PART_TALK,
                                       .minutes = 5,
                                       .title = "How you work",
                                       .ask = EVIL};
    p.parts[1] = (struct session_part){.kind = PART_SCENARIO,
                                       .minutes = 25,
                                       .title = "Sums | " FORMULA,
                                       .id = "small/sums/a"};
    p.parts[2] = (struct session_part){.kind = PART_DRILLS,
                                       .minutes = 10,
                                       .title = "Numbers",
                                       .drills = {"memory/bytes"},
                                       .n_drills = 1};
    struct interview *l = made_interview_new(p, NULL);
    set_clock(verb_ms);
    return l;
}

static inline void move(struct interview *l, struct move m)
{
    DO(attempt_move(interview_attempt(l), &m, os_monotonic_ms(), &err));
    interview_changed(l);
    DO(interview_settle(l, &err));
}

static inline void investigate(struct interview *l)
{
    press_belief(l, 1, BELIEF_MORE);
    move(l, (struct move){.kind = MOVE_ESTIMATED, .item = "fixed-time", .answer = "30 us"});
    move(l,
         (struct move){.kind = MOVE_BOUGHT, .probe = "timing", .evidence = recorded(l, "timing")});
    DO(interview_withhold(l, "stalls", false, &err));
    DO(interview_hand(l, "memory", recorded(l, "memory"), &err));
    press_belief(l, 0, BELIEF_MORE);
    press_belief(l, 0, BELIEF_MORE);
    DO(interview_hint(l, 1, "What does one warp touch?\n" EVIL, &err));
    DO(interview_inject(l, FORMULA, &err));
    DO(interview_said(l, 0, "SAID-ALOUD " EVIL, &err));
    DO(interview_note(l, PRIVATE " " EVIL, false, &err));
    DO(interview_note(l, "shared: asks for bytes\nfirst " EVIL, true, &err));
    DO(interview_rate(l, "space", 3, &err));
    move(l, (struct move){.kind = MOVE_NOTED, .answer = EVIL});
}

static inline void commit(struct interview *l)
{
    move(l, (struct move){.kind = MOVE_COMMITTED, .line = 8, .remedy = "warps"});
    DO(interview_push(l, 0, &err));
    struct move answer = {.kind = MOVE_RESPONDED};
    memcpy(answer.points, attempt_state(interview_attempt(l))->points, sizeof answer.points);
    move(l, answer);
}

/* All of an interview but the reveal and the release. */
static inline struct interview *held(bool withhold)
{
    struct session_party p = {.uid = "party-1",
                              .role = "candidate",
                              .name = "Ann <script>alert(1)</script> | `x`",
                              .wall = "confined"};
    struct interview *l = create(withhold);
    DO(interview_opened(l, "confined", NULL, &err));
    DO(interview_joined(l, &p, &err));
    DO(interview_begin(l, 0, &err));
    DO(interview_spoke(l, "first the time\n# then bytes\n" EVIL, &err));
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    investigate(l);
    commit(l);
    return l;
}

static inline void finish(struct interview *l)
{
    DO(interview_pause(l, true, &err));
    set_clock(60000);
    DO(interview_pause(l, false, &err));
    DO(interview_begin(l, 2, &err));
    DO(interview_drill(l, "memory/bytes", "Bytes of a copy " EVIL, 4, &err));
    DO(interview_answer(l, "-1+1 | " EVIL, 41, "right", 1, "DRILL-GRADING", &err));
    DO(interview_close(l, &err));
}

static inline char *written(struct interview *l, bool candidate, enum report_format format)
{
    json_t *report = report_make(l, candidate);
    char *text = report_write(report, format);
    json_decref(report);
    return text;
}

static inline bool holds(struct interview *l, bool candidate, const char *what)
{
    char *text = written(l, candidate, REPORT_JSON);
    bool found = strstr(text, what) != NULL;
    free(text);
    return found;
}

#endif

/* The interview that the tests of interview.h make. */
#ifndef WD_TESTS_SAMPLE_INTERVIEW_H
#define WD_TESTS_SAMPLE_INTERVIEW_H

#include "scenarios/interview/interview_life.h"
#include "tests/scenarios/made_interview.h"

static inline struct session_plan sample_plan(void)
{
    struct session_plan p = {.title = "Kernel diagnosis",
                             .candidate = "C-07",
                             .level = 1,
                             .tier = "recorded",
                             .withhold = true,
                             .n_parts = 3};
    p.parts[0] = (struct session_part){.kind = PART_TALK,
                                       .minutes = 5,
                                       .title = "How you work",
                                       .ask = "Tell me"};
    p.parts[1] = (struct session_part){.kind = PART_SCENARIO,
                                       .minutes = 25,
                                       .title = "Sums",
                                       .id = "small/sums/a"};
    p.parts[2] = (struct session_part){.kind = PART_DRILLS,
                                       .minutes = 10,
                                       .title = "Numbers",
                                       .drills = {"memory/bytes"},
                                       .n_drills = 1};
    return p;
}

static inline struct interview *create(struct session_codes *code)
{
    return made_interview_new(sample_plan(), code);
}

static inline struct interview *open_again(const char *id, bool read_only)
{
    struct interview *l = NULL;
    struct err err = {0};
    ok(interview_open(&l, id, read_only, &err), &err);
    return l;
}

#endif

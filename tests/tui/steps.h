/* What tests of screens do: a key and what follows it, leaving by q, cases that fail alone. */
#ifndef WD_TESTS_TUI_STEPS_H
#define WD_TESTS_TUI_STEPS_H

#include "tests/tui/screen.h"
#include "tests/unit.h"

static inline void press(struct screen *s, const char *keys, const char *then)
{
    screen_send(s, keys);
    screen_expect(s, then);
}

/* The program ends well and leaves the terminal as it was. */
static inline void leave(struct screen *s)
{
    screen_send(s, "q");
    assert_int_equal(screen_wait_exit(s), 0);
    assert_true(screen_same_modes(s));
    screen_free(s);
}

/* ---- cases ---- */

static bool case_passed;

static inline void case_fails(void)
{
    fail_msg("the picture is not the one awaited");
}

/* The state that cmocka hands in is the case as its file has it; a case has no other. */
static inline void case_runs(void **state)
{
    const struct CMUnitTest *test = *state;
    case_passed = false;
    test->test_func(state);
    case_passed = true;
}

static inline int case_ends(void **state)
{
    const struct CMUnitTest *test = *state;
    if (!case_passed)
        screens_end();
    return test->teardown_func ? test->teardown_func(state) : 0;
}

/* A wait that fails, fails its case; its programs are ended, and the next case has its own. */
static inline int cases_run(const struct CMUnitTest *tests, size_t n, CMFixtureFunction set_up_all,
                            CMFixtureFunction tear_down_all)
{
    struct CMUnitTest *wrapped = malloc(n * sizeof *wrapped);
    assert_non_null(wrapped);
    for (size_t i = 0; i < n; i++) {
        wrapped[i] = tests[i];
        wrapped[i].initial_state = (void *)&tests[i];
        wrapped[i].test_func = case_runs;
        wrapped[i].teardown_func = case_ends;
    }
    screen_failed = case_fails;
    int failed = _cmocka_run_group_tests("cases", wrapped, n, set_up_all, tear_down_all);
    screens_free_left();
    free(wrapped);
    return failed;
}

#define RUN_CASES(tests, set_up_all, tear_down_all) \
    cases_run(tests, sizeof (tests) / sizeof *(tests), set_up_all, tear_down_all)

#endif

/* What is called found: what stood in front when it was locked, unless a hint had put it there. */
#include "scenarios/play/found.h"
#include "tests/scenarios/toy.h"
#include "tests/unit.h"

enum { CONVICTION, CORRECTION };

static struct found found_of(const struct investigation *i, const int *hints, int n)
{
    struct found f;
    found_make(&f, i, hints, n);
    return f;
}

static void says(const struct found *f, const char *words)
{
    char text[160];
    found_says(text, sizeof text, f);
    assert_string_equal(text, words);
}

static void own_evidence_finds(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    const int early[] = {0};
    toy_buy(i, "memory");
    toy_believe(i, MOVE_BELIEVED, 82, 6, 6, 6);
    struct found open = found_of(i, NULL, 0);
    assert_false(open.locked || open.is);
    says(&open, "not found, at 82 %, never locked");
    toy_commit(i, 6, "tile");
    struct found f = found_of(i, early, 1);     /* a hint before evidence of one's own */
    assert_true(f.is && f.locked);
    says(&f, "found, at 82 %");
    toy_push(i, CONVICTION);
    toy_believe(i, MOVE_RESPONDED, 40, 20, 20, 20);
    f = found_of(i, NULL, 0);
    assert_true(f.is);
    says(&f, "found, at 82 %, 40 % after the pushback");
    investigation_free(i);
    toy_free(t);
}

/* 9 % before the correction and 89 % after it is a correction that was followed. */
static void a_correction_finds_nothing(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    struct debrief d;
    struct err err = {0};
    toy_believe(i, MOVE_BELIEVED, 9, 71, 10, 10);
    toy_commit(i, 9, "pad");
    toy_push(i, CORRECTION);
    toy_believe(i, MOVE_RESPONDED, 89, 5, 3, 3);
    struct found f = found_of(i, NULL, 0);
    assert_false(f.is);
    assert_int_equal(f.held, 9);
    assert_int_equal(f.by, GIVEN_CORRECTION);
    says(&f, "not found: 9 % when the beliefs were locked, 89 % only after the correction");
    assert_int_equal(debrief_make(&d, i, &t->device, t->all, &err), 0);
    assert_false(d.found.is);
    assert_string_equal(d.headline, "It was uncoalesced access, on line 6.  "
                                    "You had it at 9 %, 89 % only after the correction.");
    assert_string_equal(d.of_them.headline, "It was uncoalesced access, on line 6.  "
                                            "They had it at 9 %, 89 % only after the correction.");
    assert_string_equal(d.why[LINE_CAUSE], "89 % on the truth, 9 % before the correction");
    investigation_free(i);
    toy_free(t);
}

static void a_hint_finds_nothing(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    const int before[] = {1}, after[] = {2}, late[] = {3};
    toy_buy(i, "timing");
    toy_believe(i, MOVE_BELIEVED, 60, 20, 10, 10);
    toy_commit(i, 6, "tile");
    struct found f = found_of(i, before, 1);
    assert_false(f.is);
    says(&f, "not found alone: in front only after a hint, at 60 %");
    assert_true(found_of(i, after, 1).is);      /* it was in front before */
    assert_true(found_of(i, late, 1).is);
    investigation_free(i);
    toy_free(t);
}

/* As much as another is not in front, and what was taken back was not believed. */
static void in_front_means_alone(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    toy_believe(i, MOVE_BELIEVED, 40, 40, 10, 10);
    toy_believe(i, MOVE_BELIEVED, 70, 10, 10, 10);
    struct move undo = {.kind = MOVE_UNDONE};
    snprintf(undo.undone, sizeof undo.undone, "%s", investigation_undoable(i));
    assert_int_equal(toy_move(i, undo, NULL), 0);
    toy_commit(i, 6, "tile");
    struct found f = found_of(i, NULL, 0);
    assert_false(f.is);
    says(&f, "not found, at 40 %");
    investigation_free(i);
    toy_free(t);
}

/* Where nobody pushed back there is no answer, no step and no word of one, and the beliefs stay. */
static void nobody_pushed_back(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    struct debrief d;
    struct err err = {0};
    toy_buy(i, "memory");
    toy_believe(i, MOVE_BELIEVED, 8, 82, 5, 5);
    toy_commit(i, 6, "tile");
    assert_int_not_equal(toy_believe(i, MOVE_RESPONDED, 82, 8, 5, 5), 0);
    assert_int_equal(toy_believe(i, MOVE_RESPONDED, 8, 82, 5, 5), 0);
    assert_int_equal(i->phase, PHASE_RESPONDED);
    assert_int_equal(i->pushback, -1);
    assert_int_equal(i->n_steps, 2);
    assert_int_equal(debrief_make(&d, i, &t->device, t->all, &err), 0);
    assert_string_equal(d.pushback, "");
    assert_string_equal(d.of_them.pushback, "");
    assert_int_equal(d.n_belief, 2);
    assert_null(strstr(d.why[LINE_UPDATING], "pushback"));
    assert_int_equal(toy_move(i, (struct move){.kind = MOVE_REVEALED}, NULL), 0);
    investigation_free(i);
    toy_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_evidence_finds),
        cmocka_unit_test(a_correction_finds_nothing),
        cmocka_unit_test(a_hint_finds_nothing),
        cmocka_unit_test(in_front_means_alone),
        cmocka_unit_test(nobody_pushed_back),
    };
    return cmocka_run_group_tests_name("found", tests, NULL, NULL);
}

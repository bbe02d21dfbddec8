/* What the interviewer cut off by showing the truth: it is not judged, and not among what could be
 * had. */
#include "tests/scenarios/play/toy_debrief.h"

static void estimates_unasked(struct toy *t, struct investigation *i)
{
    for (const struct estimate *e; (e = investigation_left(i));) {
        struct move m = {.kind = MOVE_ESTIMATED, .left = LEFT_UNASKED};
        snprintf(m.item, sizeof m.item, "%s", e->id);
        assert_int_equal(toy_move(i, m, NULL), 0);
    }
    assert_int_equal(t->story.n_estimates, 2);
}

/* What a reveal writes in the place of what was not said. */
static void cut_here(struct debrief *d, struct toy *t, struct investigation *i)
{
    struct move word = {.kind = MOVE_RESPONDED, .left = LEFT_CUT};
    if (i->phase == PHASE_OPEN)
        assert_int_equal(toy_move(i, (struct move){.kind = MOVE_COMMITTED, .left = LEFT_CUT}, NULL),
                         0);
    if (i->phase == PHASE_COMMITTED)
        estimates_unasked(t, i);
    memcpy(word.points, i->points, sizeof word.points);
    assert_int_equal(toy_move(i, word, NULL), 0);
    toy_debrief(d, t, i);
}

static void tested(struct investigation *i)
{
    toy_estimate(i, "store-sectors", "32");
    toy_buy(i, "memory");
    toy_believe(i, MOVE_BELIEVED, 94, 2, 2, 2);
}

static void is_cut(const struct debrief *d, enum score_line_id l, int possible)
{
    assert_true(d->score.cut[l]);
    assert_int_equal(d->score.possible[l], possible);
    toy_has(d->why[l], "not reached (cut by the interviewer)");
}

/* Place, fix and the pushback were never asked for: the beliefs that stood count, in what could be
 * had. */
static void what_was_cut_before_the_lock_is_not_judged(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    struct debrief d;
    char says[96];
    tested(i);
    cut_here(&d, t, i);
    is_cut(&d, LINE_UPDATING, 0);
    is_cut(&d, LINE_LOCATION, 0);
    is_cut(&d, LINE_REMEDY, 0);
    assert_false(d.score.cut[LINE_CAUSE] || d.score.cut[LINE_EVIDENCE]);
    assert_true(d.score.of == 80 && d.score.sum == 80 && d.score.total == 100);
    score_says(says, sizeof says, &d.score);
    assert_string_equal(says, "100 of 100, 80 of the 80 points that were reached");
    assert_string_equal(d.astray, "");
    toy_has(d.headline, "You had it at 94 % when it was cut by the interviewer.");
    investigation_free(i);
    toy_free(t);
}

/* The beliefs were locked, and place and fix were being chosen. */
static void what_was_cut_at_the_place_is_not_judged(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    struct debrief d;
    tested(i);
    toy_commit(i, 0, "");
    cut_here(&d, t, i);
    is_cut(&d, LINE_LOCATION, 0);
    is_cut(&d, LINE_REMEDY, 0);
    assert_int_equal(d.score.possible[LINE_UPDATING], 10);
    assert_int_equal(d.score.of, 90);
    investigation_free(i);
    toy_free(t);
}

/* The pushback's answer is 3 of updating's 10: nobody stood by it, or fell. */
static void what_was_cut_at_the_pushback_is_not_judged(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    struct debrief d;
    tested(i);
    toy_commit(i, 6, "tile");
    estimates_unasked(t, i);
    toy_push(i, 1);
    cut_here(&d, t, i);
    is_cut(&d, LINE_UPDATING, UPDATING_COMMITTED);
    assert_float_equal(d.score.line[LINE_UPDATING], UPDATING_COMMITTED, 1e-9);
    assert_true(d.score.sum == 97 && d.score.of == 97);
    toy_has(d.pushback,
               "a genuine correction. The answer: not reached (cut by the interviewer).");
    assert_null(strstr(d.pushback, "stayed"));
    assert_int_equal(d.n_belief, 2);
    investigation_free(i);
    toy_free(t);
}

static void where_nothing_was_reached_there_is_no_score(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    struct debrief d;
    char says[96];
    cut_here(&d, t, i);
    for (int l = 0; l < LINE_COUNT; l++)
        if (l != LINE_ESTIMATES)
            is_cut(&d, (enum score_line_id)l, 0);
    score_says(says, sizeof says, &d.score);
    assert_string_equal(says, "nothing was reached");
    investigation_free(i);
    toy_free(t);
}

/* The log keeps it; words of a person cannot be marked so. */
static void the_cut_is_in_the_log(void **state)
{
    struct toy *t = toy_new();
    struct move m = {.kind = MOVE_COMMITTED, .left = LEFT_CUT}, back;
    json_t *body = move_encode(&m, &t->story);
    assert_int_equal(move_decode(&back, "committed", body, &t->story, NULL), 0);
    assert_int_equal(back.left, LEFT_CUT);
    json_object_set_new(body, "remedy", json_string("tile"));
    assert_int_equal(move_decode(&back, "committed", body, &t->story, NULL), ERR_BAD_REQUEST);
    json_decref(body);
    m.kind = MOVE_RESPONDED;
    body = move_encode(&m, &t->story);
    assert_int_equal(move_decode(&back, "responded", body, &t->story, NULL), 0);
    assert_int_equal(back.left, LEFT_CUT);
    json_decref(body);
    toy_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_cut_before_the_lock_is_not_judged),
        cmocka_unit_test(what_was_cut_at_the_place_is_not_judged),
        cmocka_unit_test(what_was_cut_at_the_pushback_is_not_judged),
        cmocka_unit_test(where_nothing_was_reached_there_is_no_score),
        cmocka_unit_test(the_cut_is_in_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

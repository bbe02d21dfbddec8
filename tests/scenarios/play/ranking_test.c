/* Two faults in one build: what is said to be left is a move, is refused where nobody asked, and
 * is a third of the line `cause`; a story of one fault is scored to the digit as ever. */
#include "scenarios/play/debrief.h"

#include "scenarios/evidence/request.h"
#include "scenarios/pack/pack.h"
#include "scenarios/pack/recordings.h"
#include "tests/unit.h"

struct table {
    struct pack *pack;
    const struct variant *v;
    struct recording **list;
    int n;
    struct evidence *all;
    struct debrief d;
};

static void lay(struct table *t, const char *pack, const char *story, const char *variant)
{
    struct err err = {0};
    *t = (struct table){0};
    if (pack_open(&t->pack, pack, &err))
        fail_msg("%s", err.text);
    t->v = story_variant(pack_story(t->pack, story), variant);
    assert_int_equal(recordings_of(t->v, &t->list, &t->n, &err), 0);
    if (request_recall_all(&t->all, t->v, t->list[0], &err))
        fail_msg("%s", err.text);
}

static void clear(struct table *t)
{
    evidence_free(t->all);
    recordings_free(t->list, t->n);
    pack_free(t->pack);
}

static void make(struct investigation *i, struct move m)
{
    struct err err = {0};
    if (investigation_apply(i, &m, &err))
        fail_msg("%s", err.text);
}

/* Certain of the cause at the end; `then`: what is said to be left, "" nothing. */
static const struct debrief *play(struct table *t, bool tests, const char *then)
{
    struct investigation *i = investigation_new(t->v);
    struct move believed = {.kind = MOVE_BELIEVED}, last = {.kind = MOVE_RESPONDED},
                committed = {.kind = MOVE_COMMITTED, .line = 1};
    struct err err = {0};
    believed.points[t->v->cause] = 100;
    last.points[t->v->cause] = 100;
    make(i, (struct move){.kind = MOVE_STARTED, .tier = "recorded"});
    if (tests) {
        struct move bought = {.kind = MOVE_BOUGHT, .probe = "memory"};
        request_recall(&bought.evidence, t->v, t->list[0], "memory", NULL);
        make(i, bought);
    }
    make(i, believed);
    snprintf(committed.remedy, sizeof committed.remedy, "%s", t->v->story->remedies[0].id);
    snprintf(committed.then, sizeof committed.then, "%s", then);
    make(i, committed);
    make(i, (struct move){.kind = MOVE_PUSHED});
    make(i, last);
    if (debrief_make(&t->d, i, &t->list[0]->device, t->all, &err))
        fail_msg("%s", err.text);
    investigation_free(i);
    return &t->d;
}

static void a_third_of_the_cause_is_what_is_left(void **state)
{
    struct table t;
    lay(&t, "tests/packs/two-faults", "counted-codes", "a");
    const double most = score_line_possible(LINE_CAUSE);
    const struct debrief *d = play(&t, true, "smem.bank-conflict");
    assert_float_equal(d->score.line[LINE_CAUSE], most, 1e-9);
    assert_non_null(strstr(d->why[LINE_CAUSE], "; left: right"));
    assert_non_null(strstr(d->ranking, "You said that bank conflicts is left."));
    assert_non_null(strstr(d->of_them.ranking, "They said that bank conflicts is left."));
    assert_true(d->time_half > 0 && d->time_half < d->time_rest);
    d = play(&t, true, "none.at-limit");
    assert_float_equal(d->score.line[LINE_CAUSE], most * 2 / 3, 1e-9);
    assert_non_null(strstr(d->why[LINE_CAUSE], "; left: wrong"));
    d = play(&t, true, "");
    assert_float_equal(d->score.line[LINE_CAUSE], most * 2 / 3, 1e-9);
    d = play(&t, false, "smem.bank-conflict");
    assert_float_equal(d->score.line[LINE_CAUSE], most * 2 / 3, 1e-9);
    clear(&t);
}

static void nothing_more_is_right_where_one_is_alone(void **state)
{
    struct table t;
    lay(&t, "tests/packs/two-faults", "counted-codes", "b");
    const struct debrief *d = play(&t, true, "none.at-limit");
    assert_float_equal(d->score.line[LINE_CAUSE], score_line_possible(LINE_CAUSE), 1e-9);
    assert_non_null(strstr(d->ranking, "Nothing more was wrong with it."));
    assert_true(d->time_half == 0 && d->time_rest == 0);
    clear(&t);
}

static void a_story_of_one_fault_is_as_ever(void **state)
{
    struct table t;
    struct err err = {0};
    lay(&t, "tests/packs/good", "row-sums", "a");
    const struct debrief *d = play(&t, true, "");
    assert_float_equal(d->score.line[LINE_CAUSE], score_line_possible(LINE_CAUSE), 0);
    assert_string_equal(d->ranking, "");
    assert_null(strstr(d->why[LINE_CAUSE], "left"));
    for (double q = -2; q <= 1; q += 1.0 / 64)
        assert_true(score_cause(q, false, true) == q && score_cause(q, false, false) == q);
    struct investigation *i = investigation_new(t.v);
    struct move m = {.kind = MOVE_COMMITTED, .then = "lat.low-mlp"};
    assert_int_not_equal(investigation_apply(i, &m, &err), 0);
    assert_non_null(strstr(err.text, "nobody asked what is left"));
    investigation_free(i);
    clear(&t);
}

static void what_is_said_is_kept(void **state)
{
    struct table t;
    struct err err = {0};
    lay(&t, "tests/packs/two-faults", "counted-codes", "a");
    const struct move said = {.kind = MOVE_COMMITTED, .line = 3, .remedy = "lanes",
                              .then = "smem.bank-conflict"};
    struct move read;
    json_t *body = move_encode(&said, t.v->story);
    assert_int_equal(move_decode(&read, "committed", body, t.v->story, &err), 0);
    assert_string_equal(read.then, said.then);
    struct investigation *i = investigation_new(t.v);
    make(i, read);
    assert_int_equal(i->then, variant_left(t.v));
    investigation_free(i);
    i = investigation_new(t.v);
    struct move unknown = {.kind = MOVE_COMMITTED, .then = "inst.divergence"};
    assert_int_not_equal(investigation_apply(i, &unknown, &err), 0);
    assert_non_null(strstr(err.text, "not on offer"));
    assert_int_equal(i->then, -1);
    investigation_free(i);
    json_decref(body);
    clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_third_of_the_cause_is_what_is_left),
        cmocka_unit_test(nothing_more_is_right_where_one_is_alone),
        cmocka_unit_test(a_story_of_one_fault_is_as_ever),
        cmocka_unit_test(what_is_said_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Evidence and names: copies, recordings, and what each name in a formula stands for, or why it has
 * no value. */
#include "scenarios/evidence/evidence.h"

#include <math.h>

#include "scenarios/pack/recordings.h"
#include "scenarios/play/ideal.h"
#include "tests/scenarios/small_pack.h"
#include "tests/unit.h"

struct world {
    struct pack *pack;
    struct recording **recordings;
    int n;
    struct evidence *timing, *memory, *sweep, *all;
    struct evidence *bought[3];
    struct scope scope;
};

static void recall(struct evidence **out, const struct world *w, const char *probe)
{
    struct err err = {0};
    if (request_recall(out, w->pack->stories[0].variants[0], w->recordings[0], probe, &err))
        fail_msg("%s", err.text);
}

static int make_world(void **state)
{
    struct err err = {0};
    struct world *w = calloc(1, sizeof *w);
    w->pack = small_recorded(&err);
    const struct variant *v = w->pack->stories[0].variants[0];
    if (recordings_of(v, &w->recordings, &w->n, &err))
        return -1;
    recall(&w->timing, w, "timing");
    recall(&w->memory, w, "memory");
    recall(&w->sweep, w, "other-sizes");
    if (request_recall_all(&w->all, v, w->recordings[0], &err))
        return -1;
    w->bought[0] = w->timing;
    w->bought[1] = w->memory;
    w->bought[2] = w->sweep;
    w->scope = (struct scope){.story = v->story,
                              .device = &w->recordings[0]->device,
                              .bought = w->bought,
                              .n_bought = 3,
                              .all = w->all};
    *state = w;
    return 0;
}

static int free_world(void **state)
{
    struct world *w = *state;
    evidence_free(w->timing);
    evidence_free(w->memory);
    evidence_free(w->sweep);
    evidence_free(w->all);
    recordings_free(w->recordings, w->n);
    pack_free(w->pack);
    free(w);
    return 0;
}

static double value(struct scope *s, const char *name)
{
    struct quantity q = {0};
    struct err err = {0};
    if (scope_lookup(s, name, &q, &err))
        fail_msg("%s: %s", name, err.text);
    return q.value;
}

static int code(struct scope *s, const char *name)
{
    struct quantity q;
    return scope_lookup(s, name, &q, NULL);
}

#define NEAR(a, b) assert_true(fabs((a) - (double)(b)) <= 1e-9 * fabs((double)(b)))

static void names_stand_for_what_they_say(void **state)
{
    struct scope s = ((struct world *)*state)->scope;
    double work = 4.0 * 2048 * 2048 + 4 * 2048;
    NEAR(value(&s, "n"), 2048);
    NEAR(value(&s, "gpu.sm_count"), 132);
    NEAR(value(&s, "work.bytes"), work);
    NEAR(value(&s, "ceiling.copy"), 4e12);
    NEAR(value(&s, "time"), work / 5e11);
    NEAR(value(&s, "suspect.time"), work / 5e11);
    NEAR(value(&s, "fix.time"), work / 3.2e12);
    NEAR(value(&s, "ratio"), 6.4);
    NEAR(value(&s, "copy_fraction"), 0.125);
    NEAR(value(&s, "fix.copy_fraction"), 0.8);
    NEAR(value(&s, "load_sectors_per_request"), 32);
    NEAR(value(&s, "fix.load_sectors_per_request"), 4);
    NEAR(value(&s, "time.last"), work / 5e11);
    assert_true(value(&s, "time.first") < value(&s, "time.last"));
    NEAR(value(&s, "time.min"), value(&s, "time.first"));
}

static void names_carry_a_dimension(void **state)
{
    struct scope s = ((struct world *)*state)->scope;
    struct quantity q;
    assert_int_equal(scope_lookup(&s, "time", &q, NULL), 0);
    assert_true(dim_equal(q.dim, DIM_SECOND));
    assert_int_equal(scope_lookup(&s, "work.bytes", &q, NULL), 0);
    assert_true(dim_equal(q.dim, DIM_BYTE));
    assert_int_equal(scope_lookup(&s, "ceiling.copy", &q, NULL), 0);
    assert_true(dim_equal(q.dim, DIM_BANDWIDTH));
    assert_int_equal(scope_lookup(&s, "n", &q, NULL), 0);
    assert_true(dim_equal(q.dim, DIM_NONE));
}

static void what_was_not_bought_has_no_value(void **state)
{
    struct world *w = *state;
    struct scope s = w->scope;
    s.n_bought = 1;
    assert_int_equal(code(&s, "load_sectors_per_request"), ERR_MISSING);
    assert_int_equal(code(&s, "time.last"), ERR_MISSING);
    assert_int_equal(code(&s, "suspect.load_sectors_per_request"), 0);
    s.all = NULL;
    assert_int_equal(code(&s, "suspect.load_sectors_per_request"), ERR_MISSING);
    assert_int_equal(code(&s, "ratio"), ERR_MISSING);
    assert_int_equal(code(&s, "best.time"), ERR_MISSING);
    s.device = NULL;
    assert_int_equal(code(&s, "n"), ERR_MISSING);
    assert_int_equal(code(&s, "gpu.sm_count"), ERR_MISSING);
    assert_int_equal(code(&s, "nonsense"), ERR_BAD_REQUEST);
    assert_int_equal(code(&s, "gpu.nonsense"), ERR_BAD_REQUEST);
}

static void everything_bought_at_once_answers_for_its_experiments(void **state)
{
    struct world *w = *state;
    struct scope s = w->scope;
    double last = value(&s, "time.last"), first = value(&s, "time.first");
    s.bought = &w->all;
    s.n_bought = 1;
    NEAR(value(&s, "time.last"), last);
    NEAR(value(&s, "time.first"), first);
    s.experiment = "another";
    assert_int_equal(code(&s, "time.last"), ERR_MISSING);
}

static void a_missing_metric_says_why(void **state)
{
    struct world *w = *state;
    struct evidence *e = evidence_copy(w->memory);
    struct err err = {0};
    struct quantity q;
    for (int i = 0; i < e->parts[0].n_metrics; i++) {
        e->parts[0].metrics[i].present = false;
        e->parts[0].metrics[i].missing =
            text_dup("permission: counters are reserved for administrators");
    }
    struct scope s = w->scope;
    s.bought = &e;
    s.n_bought = 1;
    assert_int_equal(scope_lookup(&s, "load_sectors_per_request", &q, &err), ERR_MISSING);
    assert_non_null(strstr(err.text, "administrators"));
    evidence_free(e);
}

static void only_known_names_are_known(void **state)
{
    struct world *w = *state;
    const struct story *story = &w->pack->stories[0];
    static const char *const known[] = {"n",          "gpu.l2_bytes",
                                        "work.flops", "ceiling.copy",
                                        "time",       "fix.time",
                                        "ratio",      "best.copy_fraction",
                                        "time.last"};
    static const char *const unknown[] =
        {"m",   "gpu.",           "gpu.free_bytes", "work.time", "ceiling.sky",
         "tim", "fix.ratio.last", "suspect.",       "",          "time.mean"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!name_known(story, known[i]))
            fail_msg("%s should be known", known[i]);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (name_known(story, unknown[i]))
            fail_msg("%s should not be known", unknown[i]);
}

static void evidence_survives_json(void **state)
{
    struct world *w = *state;
    struct evidence *back = NULL;
    json_t *one = evidence_encode(w->sweep), *two;
    assert_int_equal(evidence_decode(&back, one, NULL), 0);
    two = evidence_encode(back);
    assert_true(json_equal(one, two));
    assert_int_equal(back->parts[1].variant, 1);
    json_decref(one);
    json_decref(two);
    evidence_free(back);
}

static void a_bad_recording_is_refused_with_its_path(void **state)
{
    static const char *const bad[] = {"",
                                      "[]",
                                      "{}",
                                      "{\"format\":2}",
                                      "{\"format\":1,\"items\":[{\"key\":\"short\",\"part\":{}}]}",
                                      "{\"format\":1,\"format\":1}",
                                      "{\"format\":1,\"method\":-1,\"items\":[]}",
                                      "{\"format\":1,\"method\":4294967298,\"items\":[]}",
                                      "{\"format\":1,\"gpu\":{\"slug\":\"../x\"},\"items\":[]}",
                                      "{\"format\":1,\"gpu\":{},\"items\":[{\"key\":\"../../../../"
                                      "../../../../../../../../../../../../../../../../../"
                                      "aaa\",\"part\":{}}]}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct recording *r = NULL;
        struct err err = {0};
        assert_int_not_equal(recording_decode(&r, bad[i], strlen(bad[i]), "here.json", &err), 0);
        assert_null(r);
        assert_non_null(strstr(err.text, "here.json"));
    }
}

static void what_a_recording_says_of_itself_is_clean(void **state)
{
    static const char text[] = "{\"format\":1,\"gpu\":{},\"items\":[],\"recorded\":\"\\u001b[2J\","
                               "\"made_by\":\"\\u202e\",\"tier\":\"a\\nb\"}";
    struct recording *r = NULL;
    assert_int_equal(recording_decode(&r, text, sizeof text - 1, "here.json", NULL), 0);
    assert_string_equal(r->recorded, "?[2J");
    assert_string_equal(r->made_by, "???");
    recording_free(r);
}

/* Parts beyond what any purchase has. */
static void evidence_has_an_end(void **state)
{
    struct evidence *e = NULL;
    struct err err = {0};
    json_t *parts = json_array();
    for (int i = 0; i <= 8 * CAP_ITEMS; i++)
        json_array_append_new(parts, json_pack("{s:s}", "probe", "timing"));
    json_t *obj = json_pack("{s:o}", "parts", parts);
    assert_int_equal(evidence_decode(&e, obj, &err), ERR_TOO_LARGE);
    json_array_remove(parts, 0);
    assert_int_equal(evidence_decode(&e, obj, &err), 0);
    evidence_free(e);
    json_decref(obj);
}

/* The recording has the suspect's time twice: alone, as the symptom and timing tell it, and in
 * turns with the fix. One figure is told. */
static void the_suspect_has_one_time(void **state)
{
    struct world *w = *state;
    struct scope s = w->scope;
    int in_turns = 0;
    for (int k = 0; k < w->all->n_parts; k++) {
        struct msg_part *p = &w->all->parts[k];
        struct msg_value *v = (struct msg_value *)msg_part_value(p, "time");
        if (v && !strcmp(p->run, "a") && evidence_in_turns(w->all, p))
            v->value *= 0.9, in_turns++;
    }
    assert_true(in_turns > 0);
    double alone = value(&s, "time");
    NEAR(value(&s, "suspect.time"), alone);
    NEAR(value(&s, "suspect.copy_fraction"), value(&s, "copy_fraction"));
    assert_non_null(evidence_alone(w->all, "a"));
    assert_null(evidence_alone(w->all, "b"));
    struct evidence timing;
    ideal_purchase(&timing, s.story, w->all, "timing");
    for (int k = 0; k < timing.n_parts; k++)
        if (!msg_part_note(&timing.parts[k], "warm"))
            NEAR(msg_part_value(&timing.parts[k], "time")->value, alone);
    free(timing.parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stand_for_what_they_say),
        cmocka_unit_test(names_carry_a_dimension),
        cmocka_unit_test(what_was_not_bought_has_no_value),
        cmocka_unit_test(everything_bought_at_once_answers_for_its_experiments),
        cmocka_unit_test(a_missing_metric_says_why),
        cmocka_unit_test(only_known_names_are_known),
        cmocka_unit_test(evidence_survives_json),
        cmocka_unit_test(a_bad_recording_is_refused_with_its_path),
        cmocka_unit_test(what_a_recording_says_of_itself_is_clean),
        cmocka_unit_test(evidence_has_an_end),
        cmocka_unit_test(the_suspect_has_one_time) /* last: it changes the evidence */,
    };
    return cmocka_run_group_tests(tests, make_world, free_world);
}

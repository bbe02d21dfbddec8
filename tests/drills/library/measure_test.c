/* Drills whose truth is measured: what is asked of the runner, what comes of its answer, and how a
 * prediction is graded against it. */
#include "drills/library/measure.h"

#include <math.h>

#include "drills/library/library.h"
#include "drills/question/answer.h"
#include "kernels/wire/text.h"
#include "scenarios/record/record.h"
#include "scenarios/record/record_head.h"
#include "tests/scenarios/fake_client.h"
#include "tests/unit.h"

#define HEAD \
    "format: 1\nid: test\ntitle: Test\ndrills:\n  one:\n    title: One\n    topic: machine\n    " \
    "level: 1\n    source: made up\n" \
    "    vars:\n      n: {one-of: [1Ki, 2Ki]}\n      u: {one-of: [0.5]}\n    let:\n      bytes: " \
    "4 * n\n      half: n / 3\n" \
    "    ask: How long for {n}?\n    unit: s\n    answer: bytes * 1 B / ceiling.copy\n    hint: " \
    "None.\n    solution: It is {answer}.\n" \
    "    mistakes:\n      - value: 100 us\n        says: never said\n      - value: 300 us\n     " \
    "   says: three times\n    canonical:\n      n: 2Ki\n"
#define MEASURE \
    "    measure:\n      source: one.cu\n      buffers:\n        in: {type: f32, count: n, fill: " \
    "\"uniform(0, 1)\"}\n" \
    "        out: {type: f32, count: n, role: output}\n"
#define LAUNCHES \
    "      launches:\n        - {kernel: one, grid: [\"ceildiv(n, 256)\"], block: [256], args: " \
    "[out, in, n, {i64: bytes}]}\n"
#define AGAINST \
    "      against:\n        - {kernel: one, grid: [\"1\"], block: [256], args: [out, in, n, " \
    "{i64: bytes}]}\n"

static const char source[] = "extern \"C\" __global__ void one(float *out, const float *in, int n, "
                             "long long bytes) { out[0] = in[n - 1]; }\n";
static struct msg_number attributes[] = {{"sm_count", "", 132}, {"compute", "", 9.0}},
                         ceilings[] = {{"copy", "B/s", 1e12}};
static struct msg_device device = {.name = "Some GPU",
                                   .slug = "some-gpu",
                                   .attributes = attributes,
                                   .n_attributes = 2,
                                   .ceilings = ceilings,
                                   .n_ceilings = 1};

struct read { struct files *files; struct drill_set *set; };
static const char *evidence; /* a recording beside the set; NULL: none */

static int read_set(struct read *r, const char *yaml, struct err *err)
{
    r->files = files_new("drills");
    files_add(r->files, "test.yaml", yaml, strlen(yaml));
    files_add(r->files, "measured/one.cu", source, strlen(source));
    if (evidence)
        files_add(r->files, "measured/evidence/some-gpu.json", evidence, strlen(evidence));
    return drill_set_read(&r->set, r->files, &r->files->file[0], NULL, 0, err);
}

static void forget(struct read *r)
{
    drill_set_free(r->set);
    files_free(r->files);
}

static struct read good(const char *yaml)
{
    struct read r;
    struct err err = {0};
    if (read_set(&r, yaml, &err))
        fail_msg("%s", err.text);
    return r;
}

static struct drill_instance *make(const struct read *r)
{
    struct drill_instance *i = NULL;
    struct err err = {0};
    if (drill_instance_make(&i, &r->set->drills[0], 0, &device, &err))
        fail_msg("%s", err.text);
    return i;
}

static void refused(const char *yaml, const char *says)
{
    struct read r;
    struct err err = {0};
    if (read_set(&r, yaml, &err) == 0 || !strstr(err.text, says))
        fail_msg("\"%s\" was expected, not \"%s\"", says, err.text);
    forget(&r);
}

static void a_request_holds_this_instances_sizes(void **state)
{
    struct read r =
        good(HEAD MEASURE LAUNCHES "      times: 3\n      registers: 32 + 8\n      work: {bytes: 2 "
                                   "* bytes}\n      metric: time\n      cache: warm\n");
    struct drill_instance *i = make(&r);
    struct msg_measure m;
    struct err err = {0};
    assert_int_equal(drill_request(&m, i, &err), 0);
    assert_int_equal(m.n_items, 1);
    assert_int_equal(m.items[0].probe, PROBE_TIMING);
    assert_int_equal(m.items[0].cache, CACHE_WARM);
    assert_int_equal(m.n_sources, 1);
    assert_string_equal(m.sources[0].name, "one.cu");
    assert_int_equal(m.base.buffers[0].count, 2048);
    assert_int_equal(m.base.runs[0].n_launches, 3);
    assert_int_equal(m.base.runs[0].launches[2].grid[0], 8);
    assert_int_equal(m.base.runs[0].launches[2].args[2].i, 2048);
    assert_int_equal(m.base.runs[0].launches[2].args[3].i, 8192);
    assert_int_equal(m.base.registers, 40);
    assert_true(m.base.work.bytes == 16384);
    json_t *sent = msg_measure_encode(&m); /* the runner's strict decoder takes it */
    struct msg_measure back;
    json_object_del(sent, "type");
    json_object_set_new(sent, "type", json_string("measure"));
    json_object_set_new(sent, "id", json_integer(1));
    if (msg_measure_decode(&back, sent, &err))
        fail_msg("%s", err.text);
    msg_measure_free(&back);
    json_decref(sent);
    msg_measure_free(&m);
    drill_instance_free(i);
    forget(&r);
}

static void two_runs_make_a_ratio(void **state)
{
    char *yaml = text_format("%s", HEAD MEASURE LAUNCHES AGAINST "      metric: ratio\n"),
         *unit = strstr(yaml, "unit: s"), *answer = strstr(yaml, "bytes * 1 B / ceiling.copy");
    struct err err = {0};
    refused(yaml, "ratio is measured in 1; the drill's unit, s, was expected");
    memcpy(unit, "unit: 1", 7);
    memcpy(answer, "bytes                     ", 26);
    for (char *us = yaml; (us = strstr(us, "00 us"));) /* the mistakes have no unit either */
        memcpy(us + 2, "   ", 3);
    struct read r = good(yaml);
    struct drill_instance *i = make(&r);
    struct msg_measure m;
    assert_int_equal(drill_request(&m, i, &err), 0);
    assert_int_equal(m.n_sources, 2);
    assert_int_equal(m.items[0].n_runs, 2);
    assert_int_equal(m.base.n_runs, 2);
    assert_int_equal(m.base.runs[1].launches[0].grid[0], 1);
    assert_string_equal(trial_run(i->drill->trial), "a/b");
    msg_measure_free(&m);
    drill_instance_free(i);
    forget(&r);
    free(yaml);
}

static void what_cannot_be_measured_is_refused(void **state)
{
    refused(HEAD "    needs: gpu\n", "no 'tolerance'");
    refused(HEAD MEASURE LAUNCHES, "metric");
    refused(HEAD MEASURE LAUNCHES "      metric: speed\n", "no metric 'speed'");
    refused(HEAD MEASURE LAUNCHES "      metric: ratio\n", "'ratio' without 'against'");
    refused(HEAD MEASURE LAUNCHES AGAINST "      metric: time\n", "'time' with 'against'");
    refused(HEAD MEASURE LAUNCHES "      metric: time\n      times: 65\n",
            "a whole number from 1 to 64");
    refused(HEAD MEASURE LAUNCHES "      metric: time\n      times: m\n", "'m' is unknown");
    refused(HEAD MEASURE "      launches:\n        - {kernel: two, grid: [n], block: [32], args: "
                         "[out]}\n      metric: time\n",
            "kernel 'two' does not occur");
    refused(HEAD "    measure:\n      source: ../one.cu\n      buffers: {o: {type: f32, count: n, "
                 "role: output}}\n" LAUNCHES "      metric: time\n",
            "..");
    refused(HEAD "    measure:\n      source: none.cu\n      buffers: {o: {type: f32, count: n, "
                 "role: output}}\n" LAUNCHES "      metric: time\n",
            "there is no measured/none.cu");
}

static void a_size_that_is_not_whole_is_said(void **state)
{
    struct read r = good(HEAD MEASURE "      launches:\n        - {kernel: one, grid: [half], "
                                      "block: [32], args: [out, in]}\n      metric: time\n");
    struct drill_instance *i = make(&r);
    struct msg_measure m;
    struct err err = {0};
    assert_int_equal(drill_request(&m, i, &err), ERR_BAD_REQUEST);
    assert_non_null(
        strstr(err.text, "test/one: half is 682.666667; its measurement needs a whole number"));
    drill_instance_free(i);
    forget(&r);
}

static void a_prediction_is_graded_against_what_was_measured(void **state)
{
    struct read r = good(HEAD MEASURE LAUNCHES "      metric: time\n");
    struct drill_instance *i = make(&r);
    struct drill_graded g;
    struct drill_truth t = {.value = 110e-6,
                            .low = 108e-6,
                            .high = 112e-6,
                            .n = 41,
                            .tier = "live",
                            .gpu = "Some GPU"};
    char say[400];
    assert_int_equal(i->n_wrongs, 2);
    drill_reveal(i, &t);
    assert_int_equal(i->n_wrongs,
                     1); /* 100 us lies within the factor: the machine agrees with it */
    drill_grade(&g, i, "100 us", false, 10);
    assert_int_equal(g.how, DRILL_RIGHT);
    drill_grade(&g, i, "137 us", false, 10); /* x1.25, the default */
    assert_int_equal(g.how, DRILL_RIGHT);
    drill_grade(&g, i, "150 us", false, 10);
    assert_int_equal(g.how, DRILL_CLOSE);
    drill_grade(&g, i, "300 us", false, 10);
    assert_int_equal(g.how, DRILL_SLIP);
    assert_string_equal(g.slip, "three times");
    drill_grade(&g, i, "8.19 ns", false, 10); /* the formula's own figure is no longer the truth */
    assert_int_not_equal(g.how, DRILL_RIGHT);
    drill_show_truth(say, sizeof say, i);
    assert_string_equal(say, "Measured 0.11 ms (0.108 ms to 0.112 ms, n 41), live, Some GPU. On "
                             "paper: 8.192 ns, 0.00 of it.");
    drill_instance_free(i);
    forget(&r);
}

/* ---- through a runner ---- */

static struct library shipped;

static int open_shipped(void **state)
{
    library_open_at(&shipped, "content");
    for (int k = 0; k < shipped.n_problems; k++)
        if (strstr(shipped.problems[k].where, "measured"))
            fail_msg("%s", shipped.problems[k].text);
    return 0;
}

static int close_shipped(void **state)
{
    library_free(&shipped);
    return 0;
}

struct listening { struct supply *supply; struct msg_device *device; int progress, cancel_at; };

static void feed(void *ctx, const struct client_event *e)
{
    struct listening *l = ctx;
    struct err err = {0};
    if (e->kind == CLIENT_DEVICE) {
        json_t *copy = msg_device_encode(e->device);
        assert_int_equal(msg_device_decode(l->device, copy, &err), 0);
        json_decref(copy);
    }
    if (l->supply)
        supply_event(l->supply, e);
    l->progress += e->kind == CLIENT_PROGRESS;
    if (l->cancel_at && l->progress == l->cancel_at)
        supply_cancel(l->supply);
}

static struct client *connect_fake(const char *scenario, struct msg_device *out)
{
    struct client *c = open_fake(scenario);
    struct err err = {0};
    struct listening l = {.device = out};
    *out = (struct msg_device){0};
    if (client_wait(c, client_describe(c, "cached", &err), feed, &l, &err))
        fail_msg("%s", err.text);
    return c;
}

static void every_shipped_drill_is_measured_and_graded(void **state)
{
    struct msg_device gpu;
    struct client *c = connect_fake("whole", &gpu);
    struct supply *s = NULL;
    struct err err = {0};
    int measured = 0;
    assert_int_equal(supply_plain(&s, c, &gpu, &err), 0);
    struct listening l = {.supply = s};
    for (int k = 0; k < library_drills(&shipped); k++)
        for (uint64_t seed = 0; library_drill_at(&shipped, k)->trial && seed < 3; seed++) {
            struct drill_instance *i = NULL;
            struct drill_truth t;
            if (drill_instance_make(&i, library_drill_at(&shipped, k), seed, &gpu, &err) ||
                drill_measure(s, i, &err))
                fail_msg("%s", err.text);
            assert_int_equal(drill_measure(s, i, &err), ERR_BUSY);
            while (supply_poll(s) == SUPPLY_WORKING)
                assert_int_equal(client_wait_any(c, feed, &l, &err), 0);
            struct evidence *e = supply_take(s);
            if (!e || drill_measured(&t, i, e, &err))
                fail_msg("%s: %s", i->drill->full_id, e ? err.text : supply_say(s, NULL, NULL));
            assert_string_equal(t.tier, "live");
            assert_string_equal(t.gpu, "Fake GPU");
            if (!strcmp(trial_run(i->drill->trial), "a/b"))
                assert_true(fabs(t.value - 3) < 1e-9 && t.n == 41);
            evidence_free(e);
            drill_instance_free(i);
            measured++;
        }
    assert_true(measured >= 24);
    supply_free(s);
    client_free(c);
    msg_device_free(&gpu);
}

static void a_measurement_under_way_can_be_called_off(void **state)
{
    struct read r = good(HEAD MEASURE LAUNCHES "      metric: time\n");
    struct msg_device gpu;
    struct client *c = connect_fake("slow", &gpu);
    struct supply *s = NULL;
    struct err err = {0};
    struct drill_instance *i = make(&r);
    assert_int_equal(supply_plain(&s, c, &gpu, &err), 0);
    struct listening l = {.supply = s, .cancel_at = 2};
    assert_int_equal(drill_measure(s, i, &err), 0);
    while (supply_poll(s) == SUPPLY_WORKING)
        assert_int_equal(client_wait_any(c, feed, &l, &err), 0);
    assert_int_equal(supply_poll(s), SUPPLY_IDLE);
    assert_null(supply_take(s));
    supply_free(s);
    client_free(c);
    msg_device_free(&gpu);
    drill_instance_free(i);
    forget(&r);
}

/* ---- recorded ---- */

static void what_was_recorded_is_recalled_and_nothing_else(void **state)
{
    struct read r = good(HEAD MEASURE LAUNCHES "      metric: time\n");
    struct drill_instance *i = make(&r);
    struct recording out, *back = NULL;
    struct msg_measure m;
    struct err err = {0};
    struct drill_truth t;
    char key[65];
    uint64_t seed = 99;
    struct msg_value value =
        {.name = "time", .present = true, .value = 2e-6, .low = 1.9e-6, .high = 2.1e-6, .n = 30};
    struct msg_part part = {.probe = PROBE_TIMING,
                            .run = "a",
                            .tier = "live",
                            .metrics = &value,
                            .n_metrics = 1,
                            .variant = -1};
    assert_int_equal(drill_recording(&back, r.set, NULL, &err), ERR_MISSING);
    assert_int_equal(recording_begin(&out, &device, "2026-11-21", &err), 0);
    assert_int_equal(drill_request(&m, i, &err), 0);
    assert_int_equal(msg_item_key(key, &m, 0, &err), 0);
    request_keep(&out, key, &part, &m, 0);
    json_t *root = recording_encode(&out);
    char *text = json_dumps(root, 0);
    drill_instance_free(i);
    forget(&r);
    evidence = text;
    r = good(HEAD MEASURE LAUNCHES "      metric: time\n");
    evidence = NULL;
    i = make(&r);
    assert_int_equal(drill_recording(&back, r.set, "another", &err), ERR_MISSING);
    assert_int_equal(drill_recording(&back, r.set, "some-gpu", &err), 0);
    assert_int_equal(drill_recall(&t, i, back, &err), 0);
    assert_true(t.value == 2e-6 && t.n == 30);
    assert_string_equal(t.tier, "recorded");
    assert_string_equal(t.gpu, "Some GPU");
    assert_string_equal(t.recorded, "2026-11-21");
    assert_int_equal(drill_recorded_seed(i->drill, back, 0, &seed, &err), 0);
    assert_int_equal(seed, 0);
    i->vars[0].value = 1024;
    i->lets[0].value = 4096;
    assert_int_equal(drill_recall(&t, i, back, &err), ERR_MISSING);
    assert_non_null(strstr(err.text, "test/one with these numbers was not recorded on Some GPU"));
    free(text);
    json_decref(root);
    recording_free(back);
    for (int k = 0; k < out.n_items; k++)
        msg_part_free(&out.items[k].part);
    free(out.items);
    msg_device_free(&out.device);
    msg_measure_free(&m);
    drill_instance_free(i);
    forget(&r);
}

/* Whatever is shipped as recorded answers the canonical instances of today's drills. */
static void shipped_recordings_are_fresh(void **state)
{
    for (int k = 0; k < library_drills(&shipped); k++) {
        const struct drill *d = library_drill_at(&shipped, k);
        struct recording *r = NULL;
        struct drill_instance *i = NULL;
        struct drill_truth t;
        struct err err = {0};
        if (!d->trial || drill_recording(&r, d->set, NULL, &err))
            continue;
        if (drill_instance_make(&i, d, 0, &r->device, &err) || drill_recall(&t, i, r, &err))
            fail_msg("%s", err.text);
        drill_instance_free(i);
        recording_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_holds_this_instances_sizes),
        cmocka_unit_test(two_runs_make_a_ratio),
        cmocka_unit_test(what_cannot_be_measured_is_refused),
        cmocka_unit_test(a_size_that_is_not_whole_is_said),
        cmocka_unit_test(a_prediction_is_graded_against_what_was_measured),
        cmocka_unit_test_setup_teardown(every_shipped_drill_is_measured_and_graded, open_shipped,
                                        close_shipped),
        cmocka_unit_test(a_measurement_under_way_can_be_called_off),
        cmocka_unit_test(what_was_recorded_is_recalled_and_nothing_else),
        cmocka_unit_test_setup_teardown(shipped_recordings_are_fresh, open_shipped, close_shipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

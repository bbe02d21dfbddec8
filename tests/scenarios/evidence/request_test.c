/* Requests: formulas evaluated, variants complete, keys that depend on sizes and instructions and
 * on nothing else. */
#include "scenarios/evidence/listing.h"
#include "scenarios/evidence/request.h"

#include "scenarios/pack/recordings.h"
#include "tests/scenarios/small_pack.h"
#include "tests/unit.h"

static struct pack *open_small(const char *story, const char *suspect)
{
    struct err err = {0};
    struct pack *p = small_pack(story, suspect, NULL, &err);
    if (!p)
        fail_msg("%s", err.text);
    return p;
}

static const struct variant *first(const struct pack *p)
{
    return p->stories[0].variants[0];
}

static void build(struct msg_measure *m, const struct variant *v, const char *probe)
{
    struct err err = {0};
    if (request_build(m, v, &small_device, probe, 7, &err))
        fail_msg("%s: %s", probe, err.text);
}

static void evaluates_sizes_launches_and_arguments(void **state)
{
    struct pack *p = open_small(NULL, NULL);
    struct msg_measure m;
    build(&m, first(p), "pair");
    assert_int_equal(m.n_sources, 2);
    assert_int_equal(m.base.buffers[0].count, 2048u * 2048u);
    assert_int_equal(m.base.n_runs, 2);
    assert_int_equal(m.base.runs[0].launches[0].grid[0], 8);
    assert_int_equal(m.base.runs[1].launches[0].grid[0], 256); /* the fix's own launch */
    assert_int_equal(m.base.runs[0].launches[0].args[2].i, 2048);
    assert_int_equal(m.base.runs[0].launches[0].args[3].kind, ARG_I64);
    assert_int_equal(m.base.runs[0].launches[0].args[3].i, 4 * 2048 * 2048);
    assert_true(m.base.work.bytes == 4.0 * 2048 * 2048 + 4 * 2048);
    assert_string_equal(m.items[0].runs[1], "b");
    msg_measure_free(&m);
    pack_free(p);
}

static int items_of(const struct msg_measure *m, enum wire_probe probe)
{
    int n = 0;
    for (int i = 0; i < m->n_items; i++)
        n += m->items[i].probe == probe;
    return n;
}

static void timing_of_a_pipeline_brings_its_timeline(void **state)
{
    struct pack *p = NULL, *one = open_small(NULL, NULL);
    struct err err = {0};
    struct msg_measure m;
    if (pack_open(&p, "tests/packs/steps", &err))
        fail_msg("%s", err.text);
    build(&m, first(p), "timing");
    assert_int_equal(items_of(&m, PROBE_TIMELINE), 1);
    assert_string_equal(m.items[2].runs[0], "a");
    assert_int_equal(m.base.runs[0].launches[1].stream, 1);
    assert_int_equal(m.base.runs[0].launches[2].after, 1u << 1);
    msg_measure_free(&m);
    build(&m, first(p), "all"); /* the fix is one launch: nothing to draw */
    assert_int_equal(items_of(&m, PROBE_TIMELINE), 1);
    msg_measure_free(&m);
    build(&m, first(one), "timing");
    assert_int_equal(items_of(&m, PROBE_TIMELINE), 0);
    msg_measure_free(&m);
    pack_free(p);
    pack_free(one);
}

static void the_symptom_needs_no_fix(void **state)
{
    struct pack *p = open_small(NULL, NULL);
    struct msg_measure symptom, timing;
    char a[65], b[65];
    build(&symptom, first(p), "symptom");
    build(&timing, first(p), "timing");
    assert_int_equal(symptom.n_sources, 1);
    assert_int_equal(timing.n_items, 2);
    assert_int_equal(timing.items[1].cache, CACHE_WARM);
    assert_int_equal(msg_item_key(a, &symptom, 0, NULL), 0);
    assert_int_equal(msg_item_key(b, &timing, 0, NULL), 0);
    assert_string_equal(a, b);
    msg_measure_free(&symptom);
    msg_measure_free(&timing);
    pack_free(p);
}

static void verify_compares_with_the_reference(void **state)
{
    struct pack *p = open_small(NULL, NULL);
    struct msg_measure m;
    build(&m, first(p), "verify");
    assert_int_equal(m.items[0].probe, PROBE_CHECK);
    assert_string_equal(m.items[0].against, "r");
    assert_non_null(msg_source_find(&m, "r"));
    assert_null(msg_source_find(&m, "b"));
    msg_measure_free(&m);
    pack_free(p);
}

static void a_sweep_recomputes_what_follows(void **state)
{
    struct pack *p = open_small(NULL, NULL);
    struct msg_measure m;
    build(&m, first(p), "other-sizes");
    assert_int_equal(m.n_variants, 3);
    assert_int_equal(m.variants[0].buffers[0].count, 1024u * 1024u);
    assert_int_equal(m.variants[0].runs[0].launches[0].args[3].i, 4 * 1024 * 1024);
    assert_int_equal(m.variants[0].runs[0].launches[0].grid[0], 4);
    assert_true(m.variants[2].work.bytes == m.base.work.bytes);
    assert_int_equal(m.items[2].variant, 2);
    struct story *story = (struct story *)first(p)->story;
    const struct experiment *x = story_experiment(story, "other-sizes");
    story->rate.unit = text_dup("sums");
    story->rate.per_run = story->params[1].value;           /* 4 * n * n */
    for (int step = 0; step < 3; step++) {
        struct step_size size = request_step_size(story, &small_device, x, step);
        assert_true(size.bytes == m.variants[step].work.bytes);
        assert_true(size.own == (step == 2));
        assert_true(size.yield == (double)m.variants[step].runs[0].launches[0].args[3].i);
    }
    assert_true(request_step_size(story, &small_device, NULL, 0).yield ==
                (double)m.base.runs[0].launches[0].args[3].i);
    assert_true(request_step_size(story, &small_device, NULL, 0).bytes == m.base.work.bytes);
    assert_true(request_step_size(story, NULL, NULL, 0).yield == 0);
    free(story->rate.unit);
    story->rate.unit = NULL;
    assert_true(request_step_size(story, &small_device, x, 0).yield == 0);
    assert_true(request_step_size(story, NULL, x, 0).bytes == 0);
    assert_true(
        request_step_size(story, &small_device, story_experiment(story, "cache"), 1).bytes ==
        m.base.work.bytes);
    assert_false(request_step_size(story, &small_device, story_experiment(story, "cache"), 1).own);
    msg_measure_free(&m);
    pack_free(p);
}

static void everything_is_a_request_that_the_runner_accepts(void **state)
{
    struct pack *p = open_small(NULL, NULL);
    const char *const probes[] = {"all",    "debrief",     "symptom", "timing", "memory",
                                  "stalls", "other-sizes", "verify",  "sass",   "lines",
                                  "poison", "bases",       "zeros",   "build"};
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
        struct msg_measure m, back;
        struct err err = {0};
        if (!probe_by_name(probes[i]) && i > 3 && strcmp(probes[i], "other-sizes"))
            continue;
        build(&m, first(p), probes[i]);
        m.id = 1;
        json_t *msg = msg_measure_encode(&m);
        if (msg_measure_decode(&back, msg, &err))
            fail_msg("%s: %s", probes[i], err.text);
        msg_measure_free(&back);
        json_decref(msg);
        msg_measure_free(&m);
    }
    pack_free(p);
}

/* What a host does goes over with its run, and a launch finds itself again among the steps. */
static void steps_of_the_host_go_over(void **state)
{
    struct pack *p = NULL;
    struct err err = {0};
    if (pack_open(&p, "tests/packs/hosted", &err))
        fail_msg("%s", err.text);
    struct msg_measure m, back;
    build(&m, story_variant(&p->stories[0], "b"), "pair");
    m.id = 1;
    json_t *msg = msg_measure_encode(&m);
    if (msg_measure_decode(&back, msg, &err))
        fail_msg("%s", err.text);
    const struct msg_run *suspect = msg_run_find(&back.base, "a");
    const struct msg_run *fix = msg_run_find(&back.base, "b");
    assert_true(suspect->n_steps == 5 && suspect->n_launches == 2);
    assert_int_equal(suspect->steps[1].kind, HOST_READ);
    assert_true(suspect->steps[2].kind == HOST_LAUNCH && suspect->steps[2].launch == 1);
    assert_true(suspect->steps[3].seconds == 20e-6);
    assert_true(fix->n_steps == 5 && fix->steps[0].kind == HOST_CAPTURE);
    msg_measure_free(&back);
    json_decref(msg);
    msg_measure_free(&m);
    pack_free(p);
}

static void key_of(char out[65], const char *story, const char *suspect)
{
    struct pack *p = open_small(story, suspect);
    struct msg_measure m;
    build(&m, first(p), "symptom");
    assert_int_equal(msg_item_key(out, &m, 0, NULL), 0);
    msg_measure_free(&m);
    pack_free(p);
}

/* Replaces one piece of text; malloc'd. */
static char *edited(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    return text_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void prose_and_comments_never_make_evidence_stale(void **state)
{
    char before[65], prose[65], comment[65];
    char *story = edited(small_story, "It should be faster.", "It ought to be faster."),
         *source = edited(small_suspect, "float sum = 0;", "float  sum = 0; // total");
    key_of(before, NULL, NULL);
    key_of(prose, story, NULL);
    key_of(comment, NULL, source);
    assert_string_equal(before, prose);
    assert_string_equal(before, comment);
    free(story);
    free(source);
}

static void sizes_launches_fills_and_instructions_always_do(void **state)
{
    static const char *const edits[][2] = {{"1024)\n  matrix", "512) + 512\n  matrix"},
                                           {"block: [256]", "block: [128]"},
                                           {"uniform(-1, 1)", "uniform(-2, 1)"},
                                           {"bytes: matrix + 4 * n", "bytes: matrix"}};
    char before[65], after[65];
    key_of(before, NULL, NULL);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        char *story = edited(small_story, edits[i][0], edits[i][1]);
        key_of(after, story, NULL);
        assert_string_not_equal(before, after);
        free(story);
    }
    char *source = edited(small_suspect, "out[row] = sum;", "out[row] = sum + 0.0f;");
    key_of(after, NULL, source);
    assert_string_not_equal(before, after);
    free(source);
}

static void recalls_what_is_recorded_and_names_what_is_stale(void **state)
{
    struct err err = {0};
    struct pack *p = small_recorded(&err);
    assert_non_null(p);
    struct recording **r = NULL;
    struct evidence *e = NULL;
    int n = 0;
    assert_int_equal(recordings_of(first(p), &r, &n, &err), 0);
    assert_int_equal(n, 1);
    assert_int_equal(request_fresh(first(p), r[0], &err), 0);
    assert_int_equal(request_recall(&e, first(p), r[0], "other-sizes", &err), 0);
    assert_int_equal(e->n_parts, 3);
    assert_int_equal(e->parts[2].variant, 2);
    evidence_free(e);
    struct pack *changed = open_small(NULL, "extern \"C\" __global__ void sums()\n{\n    sum += "
                                            "in[(size_t)row * n + k];\n}\n");
    assert_int_equal(request_fresh(first(changed), r[0], &err), ERR_MISSING);
    assert_non_null(strstr(err.text, "memory of small/sums/a suspect"));
    assert_null(strstr(err.text, "memory of small/sums/a fix"));
    assert_int_equal(request_recall(&e, first(changed), r[0], "timing", &err), ERR_MISSING);
    r[0]->method = METHOD_OLDEST - 1;
    assert_int_equal(request_fresh(first(p), r[0], &err), ERR_MISSING);
    recordings_free(r, n);
    pack_free(changed);
    pack_free(p);
}

static void failures_carry_a_place(void **state)
{
    struct err err = {0};
    struct msg_measure m;
    char *story = edited(small_story, "block: [256]", "block: [n]");
    struct pack *p = open_small(story, NULL);
    assert_int_not_equal(request_build(&m, first(p), &small_device, "symptom", 0, &err), 0);
    assert_non_null(strstr(err.text, "scenario.yaml:"));
    assert_int_equal(request_build(&m, first(p), &small_device, "nonsense", 0, &err), ERR_MISSING);
    assert_int_equal(request_build(&m, first(p), &small_device, "best", 0, &err), ERR_MISSING);
    pack_free(p);
    free(story);
}

static void source_is_the_suspects_text_and_its_launches(void **state)
{
    struct pack *p = open_small(NULL, NULL);
    struct evidence *e = request_source(first(p), &small_device), *without;
    assert_int_equal(e->parts[0].n_lines, 12);
    assert_string_equal(e->parts[0].lines[1], "{");
    assert_string_equal(e->parts[0].lines[10], "");
    assert_string_equal(e->parts[0].lines[11],
                        "sums<<<grid 8, block 256>>>(out, in, n, 16777216)");
    evidence_free(e);
    without = request_source(first(p), NULL);
    assert_string_equal(without->parts[0].lines[11],
                        "sums<<<grid ceildiv(n, 256), block 256>>>(out, in, n, matrix)");
    evidence_free(without);
    pack_free(p);
}

static void launches_are_listed_with_streams_and_what_they_wait_for(void **state)
{
    struct pack *p;
    struct err err = {0};
    if (pack_open(&p, "tests/packs/steps", &err))
        fail_msg("%s", err.text);
    const struct variant *v = pack_story(p, "two-streams")->variants[0];
    char *text = listing_text(v, "a", NULL), *fix = listing_launches(v, "b", NULL);
    const char *last = strstr(text, "}\n\nscale<<<");
    assert_non_null(last);
    assert_string_equal(
        last + 3,
        "scale<<<grid ceildiv(n, 256), block 256>>>(a, x, n)  // scale x\n"
        "scale<<<grid ceildiv(n, 256), block 256, stream 1>>>(b, y, n)  // scale y\n"
        "add<<<grid ceildiv(n, 256), block 256>>>(out, a, b, n)  // sum, after: scale y\n");
    assert_string_equal(fix, "scale_and_add<<<grid ceildiv(n, 256), block 256>>>(out, x, y, n)  "
                             "// both at once\n");
    assert_null(listing_text(v, "c", NULL));                     /* it has no best */
    free(text);
    free(fix);
    pack_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluates_sizes_launches_and_arguments),
        cmocka_unit_test(the_symptom_needs_no_fix),
        cmocka_unit_test(timing_of_a_pipeline_brings_its_timeline),
        cmocka_unit_test(verify_compares_with_the_reference),
        cmocka_unit_test(a_sweep_recomputes_what_follows),
        cmocka_unit_test(everything_is_a_request_that_the_runner_accepts),
        cmocka_unit_test(steps_of_the_host_go_over),
        cmocka_unit_test(prose_and_comments_never_make_evidence_stale),
        cmocka_unit_test(sizes_launches_fills_and_instructions_always_do),
        cmocka_unit_test(recalls_what_is_recorded_and_names_what_is_stale),
        cmocka_unit_test(failures_carry_a_place),
        cmocka_unit_test(source_is_the_suspects_text_and_its_launches),
        cmocka_unit_test(launches_are_listed_with_streams_and_what_they_wait_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

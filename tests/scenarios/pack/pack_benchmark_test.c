/* The benchmarks of a harness: what the reader takes, what it refuses and where, how they are
 * rendered, and what the runner is asked. tests/packs/benchmarks is edited by one text a case. */
#include "kernels/wire/text.h"
#include "scenarios/pack/pack.h"
#include "scenarios/pack/pack_keys.h"
#include "scenarios/pack/harness.h"
#include "tests/unit.h"

static const char folder[] = "tests/packs/benchmarks";

/* The pack with `from` replaced by `to` in one file; to NULL: without that file. */
#define BASELINE \
    "baseline:\n  launches: [{kernel: add, grid: [n], block: [1], args: [out, in, n]}]\n"

static int load(struct pack **out, const char *path, const char *from, const char *to,
                struct err *err)
{
    struct files *disk, *f = files_new(folder);
    assert_int_equal(files_read(&disk, folder, err), 0);
    for (int i = 0; i < disk->n; i++) {
        const struct file *one = &disk->file[i];
        bool edited = !strcmp(one->path, path);
        const char *at = edited && from ? strstr(one->text, from) : NULL;
        if (edited && !to)
            continue;
        if (edited && from)
            assert_non_null(at);
        char *text = at ? text_format("%.*s%s%s", (int)(at - one->text), one->text, to,
                                      at + strlen(from))
                        : text_dup(one->text);
        files_add(f, one->path, text, strlen(text));
        free(text);
    }
    files_free(disk);
    return pack_load(out, f, err);
}

static void refuses(const char *path, const char *from, const char *to, const char *says)
{
    struct pack *p = NULL;
    struct err err = {0};
    if (!load(&p, path, from, to, &err))
        fail_msg("taken: %s in %s", to ? to : "nothing", path);
    if (!strstr(err.text, says))
        fail_msg("expected: %s\nthe reader said: %s", says, err.text);
    pack_free(p);
}

static void keys_are_the_fields(void **state)
{
    for (int i = 0; i < BENCHMARK_FIELDS; i++)
        assert_string_equal(benchmark_shape.key[BENCHMARK_K_FIRST + i].name,
                            msg_benchmark_field(i).name);
}

static void a_variant_has_its_own(void **state)
{
    struct pack *p;
    struct err err = {0};
    if (load(&p, "", NULL, NULL, &err))
        fail_msg("%s", err.text);
    const struct story *s = pack_story(p, "timed-sum");
    const struct variant *a = story_variant(s, "a"), *b = story_variant(s, "b"),
                         *c = story_variant(s, "c");
    assert_true(story_is_harness(s));
    assert_int_equal(a->benchmark.program.flush, FLUSH_NONE);
    assert_int_equal(a->honest.program.flush, FLUSH_BEFORE);
    assert_int_equal(b->benchmark.program.clock, CLOCK_HOST);
    assert_int_equal(b->benchmark.program.synchronise, SYNCHRONISE_NONE);
    assert_int_equal(b->benchmark.program.repeat, 20);          /* the honest setting */
    assert_string_equal(c->benchmark.unit, "GB/s");
    assert_null(a->benchmark.unit);
    assert_ptr_equal(a->fix_file, a->suspect);
    assert_ptr_equal(a->suspect, b->suspect);                   /* the story's */
    assert_ptr_equal(variant_benchmark(a, "b"), &a->honest);
    pack_free(p);
}

/* What times the kernel itself would tell what the number is. */
static void nothing_else_is_timed(void **state)
{
    struct pack *p;
    struct err err = {0};
    assert_int_equal(load(&p, "", NULL, NULL, &err), 0);
    const struct story *s = pack_story(p, "timed-sum");
    for (int i = 0; i < s->n_experiments; i++)
        assert_int_not_equal(s->experiments[i].measure, PROBE_TIMING);
    assert_int_equal(story_measures(s, probe_by_name("timing")), PROBE_BENCHMARK);
    pack_free(p);
    refuses("timed-sum/scenario.yaml", "{kind: benchmark, title: Time it with events, change: "
                                       "{clock: events}}",
            "{kind: sweep, title: Other sizes, vary: n, over: [n, 2 * n]}", "kind: benchmark");
}

static void bad_benchmarks_are_refused(void **state)
{
    static const char a[] = "timed-sum/a/benchmark.yaml", story[] = "timed-sum/scenario.yaml",
                      answer[] = "timed-sum/a/sealed/answer.yaml";
    refuses(a, "flush: none", NULL, "there is no timed-sum/a/benchmark.yaml");
    refuses("timed-sum/sealed/benchmark.yaml", "", NULL, "honest benchmark");
    refuses(a, "flush: none", "flush: never", "timed-sum/a/benchmark.yaml:2:8");
    refuses(a, "flush: none", "flash: none", "did you mean flush");
    refuses(a, "flush: none", "repeat: 0", "repeat from 1 to 1000");
    refuses(a, "flush: none", "idle: 1000000\nrepeat: 1000", "60 s");
    refuses(a, "flush: none", "report: {unit: GB/s}", "per-run");
    refuses(a, "format: 2", "format: 9", "format 9");
    refuses(story, "format: 2", "format: 1", "format: 2 was expected");
    refuses(story, "kind: harness", "kind: kernel", "in a story that is no harness");
    refuses(story, "change: {flush: before}", "change: {flush: before, clock: host}", "one step");
    refuses(story, "change: {flush: before}", "change: {warmup: 3}", "did you mean warm_up");
    refuses(story, "change: {flush: before}", "vary: n", "only kind sweep");
    refuses(story, "change: {flush: before}", "change: {repeat: 1000}, measure: check",
            "'measure' of a benchmark");
    refuses(answer, "location: {step: flush}", "location: {step: flash}", "did you mean flush");
    refuses(answer, "location: {step: flush}", "location: {step: flush, launch: add}", "one place");
    refuses(answer, "effect:", "fix: {source: reference.cu}\neffect:", "sealed/benchmark.yaml");
}

/* `with` stands in the place of "flush: none" of variant a. */
static void a_baseline_has_the_same_care_but_for_what_it_says(void **state)
{
    struct pack *p;
    struct err err = {0};
    int n;
    if (load(&p, "timed-sum/a/benchmark.yaml", "flush: none", BASELINE "  warm_up: 0\nflush: none",
             &err))
        fail_msg("%s", err.text);
    const struct variant *a = story_variant(pack_story(p, "timed-sum"), "a");
    assert_int_equal(a->benchmark.program.flush, FLUSH_NONE);
    assert_int_equal(a->benchmark.care.flush, FLUSH_NONE);
    assert_int_equal(a->benchmark.care.warm_up, 0);
    assert_int_equal(a->benchmark.program.warm_up, 3);
    assert_int_equal(variant_launches(a, "o", &n)->block[0].f != NULL, true);
    assert_int_equal(n, 1);
    assert_ptr_equal(variant_source(a, "o"), a->suspect);
    assert_ptr_equal(a->honest.baseline.launches, a->benchmark.baseline.launches);
    assert_int_equal(a->honest.care.warm_up, 3); /* of the honest program */
    assert_true(story_claims_speed_up(a->story));
    pack_free(p);
}

static void bad_baselines_are_refused(void **state)
{
    static const char a[] = "timed-sum/a/benchmark.yaml";
    refuses(a, "flush: none", "baseline: {warm_up: 3}", "no 'launches'");
    refuses(a, "flush: none", BASELINE "  inputs: zeros", "inputs");
    refuses(a, "flush: none", BASELINE "  flush: never", "flush");
    refuses(a, "flush: none", BASELINE "report: {unit: GB/s, per-run: n}",
            "'report' beside a baseline");
    refuses("timed-sum/sealed/benchmark.yaml", "format: 2", "format: 2\n" BASELINE,
            "one was expected there too");
    refuses(a, "flush: none", "baseline: {launches: [{kernel: sub, grid: [n], block: [1], args: "
                              "[out, in, n]}]}", "sub");
}

static void changes_must_be_possible_for_every_variant(void **state)
{
    refuses("timed-sum/d/benchmark.yaml", "repeat: 100", "idle: 100000\nrepeat: 601",
            "this benchmark idles for more than 60 s");
    refuses("timed-sum/scenario.yaml", "change: {clock: events}", "change: {idle: 1000000}",
            "timed-sum/d with the change of experiment 'by-events' idles");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_the_fields),
        cmocka_unit_test(a_variant_has_its_own),
        cmocka_unit_test(nothing_else_is_timed),
        cmocka_unit_test(bad_benchmarks_are_refused),
        cmocka_unit_test(a_baseline_has_the_same_care_but_for_what_it_says),
        cmocka_unit_test(bad_baselines_are_refused),
        cmocka_unit_test(changes_must_be_possible_for_every_variant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

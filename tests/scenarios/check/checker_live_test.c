/* check --live against a runner that answers as told: a good pack passes, and each way of being bad
 * has its finding. */
#include "scenarios/check/checker_live.h"

#include "kernels/wire/os.h"
#include "tests/scenarios/small_pack.h"
#include "tests/unit.h"

/* What the runner is told, what of the pack is edited, and the finding that must come of it; none:
 * NULL. */
struct trial {
    const char *knobs, *story[2], *answer[2];
    bool recorded, cut /* the tools in the recording */;
    const char *rule, *text;
};
struct outcome { struct findings found; struct lived lived; int rc; struct err err; };

static char *edited(const char *text, const char *const edit[2])
{
    const char *at = edit[0] ? strstr(text, edit[0]) : NULL;
    if (edit[0] && !at)
        fail_msg("'%s' is not in the text", edit[0]);
    return at ? text_format("%.*s%s%s", (int)(at - text), text, edit[1], at + strlen(edit[0]))
              : text_dup(text);
}

static struct pack *load(const char *story, const char *answer, const char *recording)
{
    struct files *f = files_new("live");
    struct err err = {0};
    struct pack *p = NULL;
    small_add(f, "pack.yaml",
              "format: 1\nid: live\ntitle: Live\nlicence: MIT\nscenarios: [sums]\n");
    small_add(f, "sums/scenario.yaml", story);
    small_add(f, "sums/a/suspect.cu", small_suspect);
    small_add(f, "sums/a/sealed/answer.yaml", answer);
    small_add(f, "sums/a/sealed/fix.cu", small_fix);
    small_add(f, "sums/a/sealed/reference.cu", small_reference);
    small_add(f, "sums/a/sealed/debrief.md", "Why.\n");
    if (recording)
        small_add(f, "sums/a/sealed/evidence/fake-gpu.json", recording);
    if (pack_load(&p, f, &err))
        fail_msg("%s", err.text);
    return p;
}

/* The four tools of the recording were ended. */
static void cut_tools(char **recording)
{
    json_t *root = json_loads(*recording, 0, NULL), *item;
    size_t i;
    int cut = 0;
    json_array_foreach(json_object_get(root, "items"), i, item) {
        json_t *metrics = json_object_get(json_object_get(item, "part"), "metrics");
        if (json_object_get(metrics, "race_hazards") && ++cut)
            json_object_set_new(metrics, "race_hazards",
                                json_pack("{s:s, s:s}", "missing", "unsupported", "say",
                                          "a tool " SANITIZE_CUT));
    }
    assert_int_equal(cut, 4);
    free(*recording);
    *recording = json_dumps(root, JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(root);
}

static struct pack *pack_of(const struct trial *t)
{
    char *story = edited(small_story, t->story), *answer = edited(small_answer, t->answer),
         *recording = NULL;
    struct pack *p = load(story, answer, NULL);
    if (t->recorded) {
        recording = small_recording(p->stories[0].variants[0]);
        if (t->cut)
            cut_tools(&recording);
        pack_free(p);
        p = load(story, answer, recording);
    }
    free(story);
    free(answer);
    free(recording);
    return p;
}

static struct client *open_fake(const char *knobs)
{
    struct client *c = NULL;
    struct err err = {0};
    char *program = os_program_path(), *slash = strrchr(program, '/');
    char *command = text_format("WARPDRILL_FAKE_LIVE='%s' exec '%.*s/../../fakes/fake_runner' live",
                                knobs, (int)(slash - program), program);
    int64_t id = client_open(&c, command, &err) ? -1 : client_describe(c, "none", &err);
    if (id < 0 || (client_wait(c, id, NULL, NULL, &err) &&
                   !strstr(knobs, "gone"))) /* what the hello says of it is known then */
        fail_msg("%s", err.text);
    free(program);
    free(command);
    return c;
}

static void check(struct outcome *o, const struct trial *t)
{
    struct pack *p = pack_of(t);
    struct client *c = open_fake(t->knobs);
    struct batch *b = batch_new(c, &small_device, NULL, NULL);
    *o = (struct outcome){0};
    o->rc = check_live(&o->found, b, &small_device, p->stories[0].variants[0], &o->lived, &o->err);
    findings_sort(&o->found);
    batch_free(b);
    client_free(c);
    pack_free(p);
}

static void print_findings(const struct findings *f)
{
    for (int i = 0; i < f->n; i++)
        print_message("# %s: %s\n", f->all[i].rule->id, f->all[i].text);
}

static bool has(const struct findings *f, const char *rule, const char *text)
{
    for (int i = 0; i < f->n; i++)
        if (!strcmp(f->all[i].rule->id, rule) && strstr(f->all[i].text, text))
            return true;
    return false;
}

static void expect(const struct trial *t)
{
    struct outcome o;
    check(&o, t);
    assert_int_equal(o.rc, 0);
    if (!has(&o.found, t->rule, t->text)) {
        print_findings(&o.found);
        fail_msg("with '%s' there was no %s: %s", t->knobs, t->rule, t->text);
    }
    findings_free(&o.found);
}

static void a_good_pack_passes(void **state)
{
    static const struct trial trial = {.knobs = ""};
    struct outcome o;
    check(&o, &trial);
    print_findings(&o.found);
    assert_int_equal(o.rc, 0);
    assert_int_equal(o.found.n, 0);
    assert_true(o.lived.timed && o.lived.ratio > 6.9 && o.lived.ratio < 7.1 &&
                o.lived.low < o.lived.ratio);
    assert_int_equal(o.lived.sizes, 3);
    assert_int_equal(o.lived.sizes_right, 3);
    assert_int_equal(o.lived.spoilt, 9);
    assert_int_equal(o.lived.refused, 9);
    assert_int_equal(o.lived.readings, 3);
    assert_int_equal(o.lived.held, 3);
    findings_free(&o.found);
}

/* small_story has n 2048 here: 4194304 elements go in, of 1024 x 1024 in the first step. */
#define SHAPES {"readings:\n", "shapes: [{n: 1}, {n: 33, matrix: 5000}]\nreadings:\n"}
#define NO_SWEEP \
    { \
        "vary: n\n    over: [n / 2, n - 512, n]", "vary: matrix\n    over: [matrix, 2 * matrix]" \
    }
#define WRONG_PAIR \
    { \
        "readings:\n", "readings:\n  sanitizer:\n    - expect: race_hazards > 0\n      fact: " \
                       "hazards\n      settles: [mem.uncoalesced]\n      because: So.\n" \
    }

static void the_fix_is_tried_everywhere(void **state)
{
    static const struct trial trials[] = {
        {"wrong:b:4194304", .rule = "verdict", .text = "fix.cu computes a wrong result"},
        {"wrong:b:1048576", .rule = "live-wrong",
         .text = "fix.cu at n 1024 (a step of other-sizes): 1 of 100 elements are wrong: out[0] is "
                 "1, should be 2"},
        {"wrong:b:1", .answer = SHAPES, .rule = "live-wrong", .text = "fix.cu at n 1: 1 of 100"},
        {"wrong:b:1089", .answer = SHAPES, .rule = "live-wrong",
         .text = "fix.cu at n 33, matrix 5000: 1 of 100"},
        {"poison:b", .rule = "live-wrong",
         .text = "fix.cu at n 1024 (a step of other-sizes), poisoned: the result depends on"},
        {"differ:b", .rule = "live-wrong", .text = "20 launches do not agree"},
        {"fence:b", .rule = "live-wrong",
         .text = "a fence behind each buffer: it faults: illegal address"},
        {"misaligned:b", .rule = "live-wrong",
         .text = "fix.cu at the story's own size, buffers moved by 4 bytes: it faults: misaligned"},
        {"racecheck:b", .rule = "live-wrong", .text = "racecheck reports 3"},
        {"synccheck:b", .rule = "live-wrong", .text = "synccheck reports 3"},
        {"fault:b", .rule = "live-wrong",
         .text = "fix.cu at the story's own size: an illegal address"},
        {"", .answer = {"readings:\n", "shapes: [{n: 0 + 0 * n}]\nreadings:\n"},
         .rule = "live-wrong", .text = "at n 0 nothing can be launched"},
        {"", .story = NO_SWEEP, .rule = "live-shapes", .text = "no `shapes`"},
        {"no-tool", .rule = "live-gap",
         .text = "under memcheck: unsupported: compute-sanitizer is not here"},
        {"crash:b", .rule = "live-gap", .text = "fix.cu at the story's own size, repeated: "},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        expect(&trials[i]);
}

/* A tool that does not end, for the suspect or for the fix, looks at the fix where there is much
 * less work, if there is such a size. */
static void a_tool_that_does_not_end_looks_at_a_smaller_size(void **state)
{
    static const struct trial trials[] =
        {
            {"cut:a racecheck:b", .answer = SHAPES, .rule = "live-wrong",
             .text = "fix.cu at n 33, matrix 5000, under racecheck: racecheck reports 3"},
            {"cut:a racecheck:b", .rule = "live-wrong",
             .text = "fix.cu at the story's own size, under racecheck: racecheck reports 3"},
            {"cut:a cut:b", .rule = "live-gap",
             .text = "fix.cu at the story's own size, under racecheck: unsupported: racecheck did "
                     "not end"},
            {"cut:b", .rule = "live-gap",
             .text = "fix.cu at the story's own size, under racecheck: unsupported: racecheck did "
                     "not end"},
            {"cut:b racecheck:b", .answer = SHAPES, .rule = "live-wrong",
             .text = "fix.cu at n 33, matrix 5000, under racecheck: racecheck reports 3"},
        },
                              ends[] = {{"cut:a cut:b", .answer = SHAPES},
                                        {"cut:b", .answer = SHAPES}};
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        expect(&trials[i]);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct outcome o;
        check(&o, &ends[i]);
        print_findings(&o.found);
        assert_int_equal(o.found.n, 0);
        assert_int_equal(o.lived.sizes_right, 5);
        assert_int_equal(o.lived.not_again, 0);
        assert_true(o.lived.bought_s > 0 && o.lived.sizes_s > 0 && o.lived.spoilt_s > 0);
        findings_free(&o.found);
    }
}

/* The recording says that the tools did not end for the suspect on such a GPU; the runner would
 * answer now, and is not asked. */
static void what_did_not_end_on_this_gpu_is_not_tried_again(void **state)
{
    struct trial trial = {"racecheck:b", .answer = SHAPES, .recorded = true, .cut = true};
    struct outcome o;
    check(&o, &trial);
    assert_int_equal(o.lived.not_again, 4);
    if (!has(&o.found, "live-wrong",
             "fix.cu at n 33, matrix 5000, under racecheck: racecheck reports 3")) {
        print_findings(&o.found);
        fail_msg("the fix was not looked at where there is less work");
    }
    findings_free(&o.found);
    trial.cut = false;
    check(&o, &trial);
    assert_int_equal(o.lived.not_again, 0);
    findings_free(&o.found);
}

/* What the suspect cannot take, the fix need not; and the best fix may ask for more. */
static void aligned_buffers_may_be_asked_for(void **state)
{
    static const struct trial trials[] = {
        {.knobs = "misaligned:b misaligned:a"},
        {.knobs = "misaligned:c",
         .answer = {"reference:\n", "best:\n  source: fix.cu\nreference:\n"}},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        struct outcome o;
        check(&o, &trials[i]);
        print_findings(&o.found);
        assert_int_equal(o.found.n, 0);
        assert_int_equal(o.lived.sizes_right, 3);
        findings_free(&o.found);
    }
}

/* 29 buffers more, so that one place of a request is left for other inputs. */
#define MORE(n) "  m" n ":\n    type: f32\n    count: n\n    fill: uniform(0, 1)\n"
#define SEVEN(n) MORE(n "0") MORE(n "1") MORE(n "2") MORE(n "3") MORE(n "4") MORE(n "5") MORE(n "6")
#define MANY SEVEN("a") SEVEN("b") SEVEN("c") SEVEN("d") MORE("e")

static void the_check_is_checked(void **state)
{
    static const struct trial trials[] = {
        {"accept:1", .rule = "live-sabotage",
         .text = "zeros in all of out: the comparison accepts it (tolerance: relative 0.0001, "
                 "absolute 0.001)"},
        {"accept:2", .rule = "live-sabotage", .text = "zeros in the last 256 elements of out"},
        {"accept:3", .rule = "live-sabotage", .text = "out[1024] off by ten tolerances"},
        {"accept:3", .rule = "live-sabotage", .text = "out[2047] off by ten tolerances"},
        {"accept:3", .story = {"{relative: 1e-4, absolute: 1e-3}", "exact"},
         .rule = "live-sabotage",
         .text = "out[2047] off by its last bit: the comparison accepts it (tolerance: exact)"},
        {"accept:4", .rule = "live-sabotage", .text = "out[682] not a number"},
        {"accept:5", .rule = "live-sabotage",
         .text = "two neighbours in out in each other's place"},
        {"accept:7", .rule = "live-sabotage", .text = "out scaled by 1.0102"},
        {"accept:stale", .rule = "live-sabotage", .text = "the results of other inputs"},
        {"accept:stale", .story = {"  out:\n", MANY "  out:\n"}, .rule = "live-sabotage",
         .text = "the results of other inputs"},
        {"accept:unwritten", .rule = "live-sabotage", .text = "outputs that nobody wrote"},
        {"strict", .rule = "live-strict",
         .text = "out scaled by 1.000025: the comparison refuses it"},
        {"strict", .rule = "live-strict", .text = "the fix's own result"},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        expect(&trials[i]);
}

/* Where all elements are alike nobody can see a swap. */
static void a_swap_of_equals_is_none(void **state)
{
    static const struct trial trial = {.knobs = "accept:5 same"};
    struct outcome o;
    check(&o, &trial);
    print_findings(&o.found);
    assert_int_equal(o.found.n, 0);
    assert_int_equal(o.lived.spoilt, 8);
    assert_int_equal(o.lived.refused, 8);
    findings_free(&o.found);
}

static void the_answer_is_held_against_this_gpu(void **state)
{
    static const struct trial trials[] = {
        {"noise", .rule = "live-effect", .text = "noise alone may make it"},
        {"", .answer = {"effect: [2, 20]", "effect: [8, 20]"}, .rule = "effect",
         .text = "8 and 20"},
        {"", .answer = {"suspect.time > fix.time", "suspect.time < fix.time"}, .rule = "proves",
         .text = "suspect.time < fix.time"},
        {"", .answer = {"copy_fraction <= 0.5", "copy_fraction <= 0.01"}, .rule = "live-idle",
         .text = "a reading of timing holds neither here nor on a recorded GPU: 0.125 <= 0.01"},
        {"", .answer = {"copy_fraction <= 0.5", "copy_fraction <= 0.126"}, .rule = "live-margin",
         .text = "a reading of timing holds by 2 % or less: 0.125 <= 0.126"},
        {"",
         .answer = {"load_sectors_per_request >= 24",
                    "load_sectors_per_request >= 24 and store_requests == 32"},
         .recorded = true, .rule = "live-reading", .text = "on fake-gpu: "},
        {"",
         .answer = {"working: work.bytes / ceiling.copy", "working: 3 * work.bytes / ceiling.copy"},
         .rule = "live-estimate", .text = "within a factor of 1.5"},
        {"", .answer = {"settles: [mem.uncoalesced]", "for: [mem.uncoalesced]"}, .rule = "ideal",
         .text = "90 %"},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        expect(&trials[i]);
}

static char *wrong_answer(void)
{
    static const char *const pair[2] = {"pair: regression", "pair: wrong"};
    static const char *const reading[2] = WRONG_PAIR;
    char *one = edited(small_answer, pair), *two = edited(one, reading);
    free(one);
    return two;
}

static struct findings check_pair(const char *knobs, const char *story, const char *answer)
{
    struct findings f = {0};
    struct lived lived;
    struct err err = {0};
    struct pack *p = load(story, answer, NULL);
    struct client *c = open_fake(knobs);
    struct batch *b = batch_new(c, &small_device, NULL, NULL);
    assert_int_equal(check_live(&f, b, &small_device, p->stories[0].variants[0], &lived, &err), 0);
    batch_free(b);
    client_free(c);
    pack_free(p);
    return f;
}

static struct findings check_wrong_pair(const char *knobs)
{
    char *answer = wrong_answer();
    struct findings f = check_pair(knobs, small_story, answer);
    free(answer);
    return f;
}

static void a_wrong_suspect_is_shown_to_be_wrong(void **state)
{
    struct findings f = check_wrong_pair("racecheck:a");
    print_findings(&f);
    assert_int_equal(f.n, 0);
    findings_free(&f);
    f = check_wrong_pair("poison:a");      /* wrong, but not for the reason that is declared */
    assert_true(has(&f, "live-blind", "mem.uncoalesced"));
    assert_false(has(&f, "verdict", ""));
    findings_free(&f);
    f = check_wrong_pair("");
    assert_true(has(&f, "live-blind", "") && has(&f, "verdict", ""));
    findings_free(&f);
}

/* Right at the story's own size, and wrong at another that the story offers to verify. */
static void a_size_of_a_sweep_counts(void **state)
{
    static const char *const verified[2] = {"    vary: n\n", "    vary: n\n    measure: check\n"},
                             *const pair[2] = {"pair: regression", "pair: wrong"};
    static const char *const reading[2] = {"time.last > time.first", "wrong_elements.first > 0"},
                             *const word[2] = {"for: [mem", "settles: [mem"};
    static const struct { const char *knobs; bool wrong; const char *finding;
    } cases[] = {
        {"wrong:a:1048576", true, NULL},
        {"wrong:a:1048576", false,
         "suspect.cu computes a wrong result at n = 1024; the right one, or `pair: wrong` was "
         "expected"},
        {"", true, "nothing shows that suspect.cu is wrong"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *story = edited(small_story, verified), *one = edited(small_answer, reading),
             *two = edited(one, word);
        char *answer = cases[i].wrong ? edited(two, pair) : text_dup(two);
        struct findings f = check_pair(cases[i].knobs, story, answer);
        if (has(&f, "verdict", cases[i].finding ? cases[i].finding : "") !=
            (cases[i].finding != NULL)) {
            print_findings(&f);
            fail_msg("case %zu", i);
        }
        findings_free(&f);
        free(story);
        free(one);
        free(two);
        free(answer);
    }
}

static void a_runner_that_stays_away_is_an_error(void **state)
{
    static const struct trial trial = {.knobs = "gone"};
    struct outcome o;
    check(&o, &trial);
    assert_int_equal(o.rc, ERR_LOST);
    findings_free(&o.found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_pack_passes),
        cmocka_unit_test(the_fix_is_tried_everywhere),
        cmocka_unit_test(a_tool_that_does_not_end_looks_at_a_smaller_size),
        cmocka_unit_test(what_did_not_end_on_this_gpu_is_not_tried_again),
        cmocka_unit_test(aligned_buffers_may_be_asked_for),
        cmocka_unit_test(the_check_is_checked),
        cmocka_unit_test(a_swap_of_equals_is_none),
        cmocka_unit_test(the_answer_is_held_against_this_gpu),
        cmocka_unit_test(a_wrong_suspect_is_shown_to_be_wrong),
        cmocka_unit_test(a_size_of_a_sweep_counts),
        cmocka_unit_test(a_runner_that_stays_away_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The experiments on results, on kernels that each have one fault: it is found by the experiment
 * that is made for it, and by no other. A kernel that the hardware stops costs a worker, not the
 * request. */
#include "tests/kernels/runner/talk.h"

#include "tests/unit.h"

static const char POISON[] = "{\"probe\":\"poison\",\"runs\":[\"a\"],\"against\":\"r\"}";
static const char REPEAT[] = "{\"probe\":\"repeat\",\"runs\":[\"a\"],\"repeat\":20}";
static const char CHECK[] = "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\"}";
static const char BASES[] = "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\",\"offset\":4}";
static const char FENCE[] =
    "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\",\"fence\":true}";
#define BUILD "{\"probe\":\"build\",\"runs\":[\"a\"]}"
static const char TIMING[] = "{\"probe\":\"timing\",\"runs\":[\"a\"]}";

/* ---- what came back ---- */

struct answer { json_t *parts[16], *done; int n; };

static struct answer hear(struct talk *t, int id)
{
    struct answer a = {.n = 0};
    for (json_t *m; (m = talk_wait(t, NULL));) {
        const char *type = json_string_value(json_object_get(m, "type"));
        if (!strcmp(type, "done")) {
            a.done = m;
            break;
        }
        if (!strcmp(type, "part") && a.n < 16)
            a.parts[a.n++] = m;
        else
            json_decref(m);
    }
    assert_non_null(a.done);
    assert_int_equal(json_integer_value(json_object_get(a.done, "id")), id);
    return a;
}

static struct answer ask(struct talk *t, int id, const char *behaviour, const char *items)
{
    talk_measure(t, id, behaviour, 30000, items);
    return hear(t, id);
}

static void forget(struct answer *a)
{
    while (a->n)
        json_decref(a->parts[--a->n]);
    json_decref(a->done);
}

static const char *status(const struct answer *a)
{
    return json_string_value(json_object_get(a->done, "status"));
}

static bool contains(const json_t *part, const char *list, const char *text)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(part, list), i, one)
        if (strstr(json_string_value(one), text))
            return true;
    return false;
}

static const json_t *part_of_run(const struct answer *a, int item, const char *run)
{
    for (int i = 0; i < a->n; i++)
        if (json_integer_value(json_object_get(a->parts[i], "item")) == item &&
            !strcmp(json_string_value(json_object_get(a->parts[i], "run")), run))
            return a->parts[i];
    fail_msg("no part of item %d, run %s", item, run);
    return NULL;
}

static const json_t *part_of(const struct answer *a, int item)
{
    return part_of_run(a, item, "a");
}

static bool is_missing(const json_t *part, const char *metric, const char *why)
{
    const json_t *m = json_object_get(json_object_get(part, "metrics"), metric);
    const char *say = json_string_value(json_object_get(m, "say"));
    return json_string_value(json_object_get(m, "missing")) && say && strstr(say, why);
}

/* ---- poison ---- */

struct poisoned { const char *behaviour; double wrong, buffers, shared; bool wavers; };

static void expect_poisoned(struct talk *t, int id, struct poisoned want)
{
    struct answer a = ask(t, id, want.behaviour, POISON);
    const json_t *p = part_of(&a, 0);
    double wrong = talk_value(p, "poisoned_wrong"), buffers = talk_value(p, "buffer_differences");
    double shared = talk_value(p, "shared_differences");
    bool right = want.wrong + want.buffers + want.shared == 0;
    print_message("# %s: wrong %g, by buffers %g, by shared memory %g\n", want.behaviour, wrong,
                  buffers, shared);
    assert_string_equal(status(&a), "ok");
    assert_true(wrong == want.wrong && buffers == want.buffers && shared == want.shared);
    assert_true(contains(p, "notes", right ? "verdict: right" : "verdict: wrong"));
    assert_true(contains(p, "notes", "differs from run to run by itself") == want.wavers);
    assert_true(json_array_size(json_object_get(p, "lines")) > 0 || right);
    forget(&a);
}

static void poison_finds_what_depends_on_old_memory(void **state)
{
    struct talk t;
    talk_open(&t);
    expect_poisoned(&t, 1, (struct poisoned){"move", 0, 0, 0, false});
    expect_poisoned(&t, 2, (struct poisoned){"garbage", 1, 0, 1, false});
    expect_poisoned(&t, 3, (struct poisoned){"adds", 1, 1, 0, false});
    expect_poisoned(&t, 4, (struct poisoned){"tail", 32, 32, 0, false});
    expect_poisoned(&t, 5, (struct poisoned){"wobble", 0, 0, 0, true}); /* legal, and told apart */
    expect_poisoned(&t, 6, (struct poisoned){"move", 0, 0, 0, false});
    assert_int_equal(talk_close(&t), 0);
}

/* The first that differ do so in the last bit, and only with NaN in the buffers. */
static void examples_are_beyond_the_tolerance_if_any_is(void **state)
{
    struct talk t;
    talk_open(&t);
    struct answer a = ask(&t, 1, "leans", POISON);
    const json_t *p = part_of(&a, 0);
    assert_true(talk_value(p, "poisoned_wrong") == 1 && talk_value(p, "buffer_differences") == 7);
    assert_true(contains(p, "notes", "within the tolerance: 6 of the elements that differ; "
                                     "beyond it: 1"));
    assert_int_equal(json_array_size(json_object_get(p, "lines")), 1);
    assert_true(contains(p, "lines", "with random numbers in the buffers"));
    assert_false(contains(p, "lines", "[0]"));
    forget(&a);
    a = ask(&t, 2, "tail", POISON); /* nothing to add where all are beyond it */
    assert_false(contains(part_of(&a, 0), "notes", "within the tolerance"));
    forget(&a);
    assert_int_equal(talk_close(&t), 0);
}

/* ---- repeat ---- */

static void expect_repeated(struct talk *t, int id, const char *behaviour, int identical,
                            const char *verdict)
{
    struct answer a = ask(t, id, behaviour, REPEAT);
    const json_t *p = part_of(&a, 0);
    print_message("# %s: %g of %g identical, %g ULP\n", behaviour,
                  talk_value(p, "identical_repeats"), talk_value(p, "repeats"),
                  talk_value(p, "ulp_spread"));
    assert_string_equal(status(&a), "ok");
    assert_true(talk_value(p, "repeats") == 20 && talk_value(p, "identical_repeats") == identical);
    assert_true((talk_value(p, "ulp_spread") == 0) == (identical == 20));
    assert_true(contains(p, "notes", verdict));
    assert_true((json_array_size(json_object_get(p, "lines")) > 0) == (identical < 20));
    forget(&a);
}

static void repetition_tells_rounding_from_races(void **state)
{
    struct talk t;
    talk_open(&t);
    expect_repeated(&t, 1, "move", 20, "verdict: identical");
    expect_repeated(&t, 2, "wobble", 10, "verdict: differing within the tolerance");
    expect_repeated(&t, 3, "race", 14, "verdict: differing beyond the tolerance");
    struct answer a = ask(&t, 4, "wobble", REPEAT);
    assert_true(talk_value(part_of(&a, 0), "ulp_spread") == 1);
    forget(&a);
    assert_int_equal(talk_close(&t), 0);
}

/* ---- moved and fenced buffers ---- */

static void expect_fault(const json_t *p, const char *note)
{
    assert_true(talk_value(p, "faults") == 1);
    assert_true(contains(p, "notes", note));
    assert_true(contains(p, "notes", "verdict: wrong"));
    assert_true(talk_value(p, "wrong_elements") == -1);
}

static void expect_sound(const json_t *p)
{
    assert_true(talk_value(p, "faults") == 0);
    assert_true(talk_value(p, "wrong_elements") == 0 && talk_value(p, "canaries_broken") == 0);
    assert_true(contains(p, "notes", "verdict: right"));
}

/* Everything asked comes back, with one done, although two of the six items cost a worker each. */
static void a_fault_that_was_looked_for_costs_no_other_item(void **state)
{
    struct talk t;
    char *items = text_format("%s,%s,%s,%s,%s,%s", BASES, CHECK, BASES, FENCE, REPEAT, TIMING);
    talk_open(&t);
    struct answer a = ask(&t, 1, "vector", items);
    assert_string_equal(status(&a), "ok");
    expect_fault(part_of(&a, 0), "fault: misaligned address");
    expect_sound(part_of(&a, 1));
    expect_fault(part_of(&a, 2), "buffers moved by 4 bytes");
    expect_sound(part_of(&a, 3));
    assert_true(talk_value(part_of(&a, 4), "identical_repeats") == 20);
    assert_true(talk_value(part_of(&a, 5), "time") > 0);
    assert_int_equal(a.n, 7); /* the plain check's reference has one too */
    forget(&a);
    a = ask(&t, 2, "move", items); /* and the next request finds a worker */
    for (int i = 0; i < 4; i++)
        expect_sound(part_of(&a, i));
    assert_string_equal(status(&a), "ok");
    forget(&a);
    assert_int_equal(talk_close(&t), 0);
    free(items);
}

static void both_runs_of_an_item_are_measured(void **state)
{
    struct talk t;
    talk_open(&t);
    struct answer a =
        ask(&t, 1, "beyond",
            "{\"probe\":\"check\",\"runs\":[\"a\",\"a2\"],\"against\":\"r\",\"fence\":true}");
    assert_string_equal(status(&a), "ok");
    assert_int_equal(a.n, 2);
    expect_fault(a.parts[0], "fault: illegal address");
    expect_fault(a.parts[1], "fault: illegal address");
    assert_string_equal(json_string_value(json_object_get(a.parts[1], "run")), "a2");
    forget(&a);
    assert_int_equal(talk_close(&t), 0);
}

/* A run that a placement keeps from its end has a share of the deadline; the others come too. */
static void a_run_that_a_fence_holds_costs_no_other_item(void **state)
{
    struct talk t;
    char *items = text_format("%s,%s,%s", FENCE, CHECK, BASES);
    (void)state;
    talk_open(&t);
    talk_measure(&t, 1, "stuck", 9000, items);
    struct answer a = hear(&t, 1);
    const json_t *p = part_of(&a, 0);
    assert_string_equal(status(&a), "partial");
    assert_true(is_missing(p, "faults", "no result after"));
    assert_true(is_missing(p, "wrong_elements", "no result after"));
    assert_true(contains(p, "notes", "fenced"));
    assert_true(contains(p, "notes", "verdict: wrong"));
    expect_sound(part_of(&a, 1));
    expect_sound(part_of(&a, 2));
    forget(&a);
    assert_int_equal(talk_close(&t), 0);
    free(items);
}

/* ---- runs that fail ---- */

#define OUTCOME(runs) "{\"probe\":\"outcome\",\"runs\":[" runs "],\"limit_ms\":100}"

/* refused, faulted, unfinished. */
static void expect_outcome(const json_t *p, const char *ones, const char *line)
{
    assert_string_equal(json_string_value(json_object_get(p, "probe")), "outcome");
    assert_true(talk_value(p, "refused") == (ones[0] == '1'));
    assert_true(talk_value(p, "faulted") == (ones[1] == '1'));
    assert_true(talk_value(p, "unfinished") == (ones[2] == '1'));
    assert_int_equal(json_array_size(json_object_get(p, "lines")), line ? 1 : 0);
    assert_true(!line || contains(p, "lines", line));
}

static void expect_one_outcome(struct talk *t, int id, const char *behaviour, const char *ones,
                               const char *line)
{
    struct answer a = ask(t, id, behaviour, OUTCOME("\"a\""));
    assert_string_equal(status(&a), "ok");
    assert_int_equal(a.n, 1);
    expect_outcome(a.parts[0], ones, line);
    forget(&a);
}

/* One runner: after each of them the next request finds a worker. */
static void a_run_that_fails_is_a_finding(void **state)
{
    struct talk t;
    talk_open(&t);
    expect_one_outcome(&t, 1, "move", "000", NULL);
    expect_one_outcome(&t, 2, "hungry", "100",
                       "error 701: too many resources requested for launch");
    expect_one_outcome(&t, 3, "fault", "010", "error 700: an illegal memory access was encountered");
    expect_one_outcome(&t, 4, "endless", "001", "no result after 0.1 s");
    expect_one_outcome(&t, 5, "move", "000", NULL);
    assert_int_equal(talk_close(&t), 0);
}

/* Shared memory beyond the GPU: the driver's own refusal, and the resources that explain it. Other
 * probes name the limit. */
static void a_block_that_does_not_fit_shows_its_resources(void **state)
{
    struct talk t;
    talk_open(&t);
    struct answer a = ask(&t, 1, "move",
                          OUTCOME("\"s\"") ",{\"probe\":\"resources\",\"runs\":[\"s\"]}");
    expect_outcome(part_of_run(&a, 0, "s"), "100", "error 1: invalid argument");
    assert_true(contains(part_of_run(&a, 0, "s"), "notes", "CUDA_ERROR_INVALID_VALUE"));
    assert_true(talk_value(part_of_run(&a, 1, "s"), "shared_bytes") == 300000);
    assert_true(talk_value(part_of_run(&a, 1, "s"), "registers") == 32);
    assert_true(talk_value(part_of_run(&a, 1, "s"), "blocks_per_sm") == 0);
    assert_true(is_missing(part_of_run(&a, 1, "s"), "waves", "not even one block fits"));
    forget(&a);
    a = ask(&t, 2, "move", "{\"probe\":\"timing\",\"runs\":[\"s\"]}");
    assert_string_equal(status(&a), "failed");
    forget(&a);
    assert_int_equal(talk_close(&t), 0);
}

/* Each costs a worker; the request goes on, and has one done. */
static void failures_cost_no_other_item(void **state)
{
    struct talk t;
    talk_open(&t);
    struct answer a = ask(&t, 1, "endless",
                          OUTCOME("\"a\",\"a2\"") "," BUILD "," OUTCOME("\"a\""));
    assert_string_equal(status(&a), "ok");
    assert_int_equal(a.n, 4);
    expect_outcome(part_of(&a, 0), "001", "no result");
    expect_outcome(part_of_run(&a, 0, "a2"), "001", "no result");
    expect_outcome(part_of(&a, 2), "001", "no result");
    assert_non_null(part_of(&a, 1));
    forget(&a);
    assert_int_equal(talk_close(&t), 0);
}

/* What ends the request's own time is no finding. */
static void a_deadline_before_the_limit_is_an_error(void **state)
{
    struct talk t;
    talk_open(&t);
    talk_measure(&t, 1, "endless", 1000,
                 "{\"probe\":\"outcome\",\"runs\":[\"a\"],\"limit_ms\":60000}");
    json_t *done = talk_wait(&t, "done");
    assert_string_equal(json_string_value(json_object_get(json_object_get(done, "error"), "code")),
                        "timeout");
    json_decref(done);
    assert_int_equal(talk_close(&t), 0);
}

/* A fault that nobody looked for is an error of the request, as ever. */
static void other_faults_stay_errors(void **state)
{
    struct talk t;
    talk_open(&t);
    struct answer a = ask(&t, 1, "fault", CHECK);
    assert_string_equal(status(&a), "partial"); /* the reference's part had gone out */
    assert_string_equal(json_string_value(
                            json_object_get(json_object_get(a.done, "error"), "code")),
                        "fault");
    forget(&a);
    assert_int_equal(talk_close(&t), 0);
}

static void put_plan(char *path, const char *text)
{
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    dprintf(fd, "%s", text);
    close(fd);
    setenv("WARPDRILL_FAKE_PLAN", path, 1);
}

static void drop_plan(const char *path)
{
    unsetenv("WARPDRILL_FAKE_PLAN");
    unlink(path);
}

/* A wish to the driver may be the first to tell of a lost context. In every new worker it is again:
 * that must end. */
static void workers_do_not_follow_each_other_without_end(void **state)
{
    struct talk t;
    char plan[] = "/tmp/warpdrill-plan-XXXXXX",
         *items = text_format("%s,%s,%s", POISON, CHECK, BASES);
    put_plan(plan, "fail_cuFuncSetAttribute 13 716\n");
    talk_open(&t);
    struct answer a = ask(&t, 1, "move", items);
    const char *code = json_string_value(json_object_get(json_object_get(a.done, "error"), "code"));
    assert_true(!code || strcmp(code, "timeout") != 0);
    forget(&a);
    assert_int_equal(talk_close(&t), 0);
    drop_plan(plan);
    free(items);
}

static void a_driver_without_unmapped_pages_says_so(void **state)
{
    struct talk t;
    char plan[] = "/tmp/warpdrill-plan-XXXXXX";
    put_plan(plan, "fail_cuMemCreate 1 801\n");
    talk_open(&t);
    struct answer a = ask(&t, 1, "move", FENCE);
    assert_string_equal(status(&a), "partial");
    assert_true(is_missing(part_of(&a, 0), "faults", "cannot do that"));
    forget(&a);
    assert_int_equal(talk_close(&t), 0);
    drop_plan(plan);
}

/* ---- timing under a handicap ---- */

static void ballast_that_does_not_fit_is_missing(void **state)
{
    struct talk t;
    talk_open(&t);
    struct answer a =
        ask(&t, 1, "move",
            "{\"probe\":\"timing\",\"runs\":[\"a\"],\"ballast\":58368},{\"probe\":\"timing\","
            "\"runs\":[\"a\"],\"ballast\":300000},{\"probe\":\"timing\",\"runs\":[\"a\"]}");
    assert_string_equal(status(&a), "partial");
    assert_true(talk_value(part_of(&a, 0), "time") > 0);
    assert_true(is_missing(part_of(&a, 1), "time", "232448"));
    assert_true(talk_value(part_of(&a, 2), "time") > 0);
    forget(&a);
    assert_int_equal(talk_close(&t), 0);
}

/* The fake's kernels have 32 registers, whatever they are compiled with. The list of items is
 * closed early, so that another key of the request can follow. */
static void a_cap_that_was_ignored_is_noted(void **state)
{
    struct talk t;
    talk_open(&t);
    struct answer a =
        ask(&t, 1, "move",
            "{\"probe\":\"timing\",\"runs\":[\"a\"]}],\"registers\":16,\"variants\":[");
    assert_true(talk_value(part_of(&a, 0), "registers") == 32 &&
                talk_value(part_of(&a, 0), "local_bytes") == 0);
    assert_true(contains(part_of(&a, 0), "notes", "cap ignored"));
    forget(&a);
    a = ask(&t, 2, "move",
            "{\"probe\":\"timing\",\"runs\":[\"a\"]}],\"registers\":64,\"variants\":[");
    assert_true(talk_value(part_of(&a, 0), "registers") == 32);
    assert_false(contains(part_of(&a, 0), "notes", "cap ignored"));
    forget(&a);
    a = ask(&t, 3, "move", TIMING);
    assert_true(talk_value(part_of(&a, 0), "registers") == -1);
    forget(&a);
    assert_int_equal(talk_close(&t), 0);
}

/* ---- change of mind ---- */

/* Between two workers there is nobody to cancel, and at the deadline nobody to wait for: one done
 * all the same. */
static void a_request_between_workers_can_be_cancelled(void **state)
{
    struct talk t;
    char *items = text_format("%s,%s,%s,%s,%s,%s,%s,%s", BASES, BASES, BASES, BASES, BASES, BASES,
                              BASES, BASES);
    talk_open(&t);
    talk_measure(&t, 1, "vector", 30000, items);
    json_t *part = talk_part(&t, "a");
    expect_fault(part, "misaligned");
    json_decref(part);
    dprintf(t.to, "{\"type\":\"cancel\",\"id\":1}\n");
    json_t *done = talk_wait(&t, "done");
    assert_string_equal(json_string_value(json_object_get(done, "status")), "cancelled");
    json_decref(done);
    struct answer a = ask(&t, 2, "move", CHECK); /* and the next one begins at its beginning */
    expect_sound(part_of(&a, 0));
    assert_string_equal(status(&a), "ok");
    forget(&a);
    assert_int_equal(talk_close(&t), 0);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poison_finds_what_depends_on_old_memory),
        cmocka_unit_test(examples_are_beyond_the_tolerance_if_any_is),
        cmocka_unit_test(repetition_tells_rounding_from_races),
        cmocka_unit_test(a_fault_that_was_looked_for_costs_no_other_item),
        cmocka_unit_test(both_runs_of_an_item_are_measured),
        cmocka_unit_test(a_run_that_a_fence_holds_costs_no_other_item),
        cmocka_unit_test(a_run_that_fails_is_a_finding),
        cmocka_unit_test(a_block_that_does_not_fit_shows_its_resources),
        cmocka_unit_test(failures_cost_no_other_item),
        cmocka_unit_test(a_deadline_before_the_limit_is_an_error),
        cmocka_unit_test(other_faults_stay_errors),
        cmocka_unit_test(a_driver_without_unmapped_pages_says_so),
        cmocka_unit_test(workers_do_not_follow_each_other_without_end),
        cmocka_unit_test(ballast_that_does_not_fit_is_missing),
        cmocka_unit_test(a_cap_that_was_ignored_is_noted),
        cmocka_unit_test(a_request_between_workers_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What the steps of a run make: a graph that is kept is made once, one that is made anew in each run,
 * and so is a module that is loaded; each of them is given back. A fault at any call that makes
 * one, early or late, is told with its call; what was made until then is given back too, and the
 * next request works. */
#include "tests/kernels/runner/talk.h"

#include "tests/kernels/runner/fault.h"
#include "tests/unit.h"

#define KEPT "{\"step\":\"capture\"}," TALK_LAUNCH "," TALK_LAUNCH ",{\"step\":\"replay\"}"
#define ANEW \
    "{\"step\":\"capture\",\"anew\":true}," TALK_LAUNCH "," TALK_LAUNCH ",{\"step\":\"replay\"}"
#define LOADED "{\"step\":\"load\",\"from\":\"ptx\"}," TALK_LAUNCH
#define TIMING "{\"probe\":\"timing\",\"runs\":[\"a\"]}"
#define TIMELINE "{\"probe\":\"timeline\",\"runs\":[\"a\"]}"

static char folder[64], calls_file[80], fault_file[80];

static void ask(struct talk *t, int id, const char *steps, const char *item)
{
    dprintf(t->to,
            "{\"type\":\"measure\",\"id\":%d,\"deadline_ms\":20000,\"sources\":{\"a\":{\"name\":"
            "\"a.cu\",\"text\":\"// fake: move 1e-6\\n\"}},\"buffers\":[{\"name\":\"in\",\"type\":"
            "\"f32\",\"count\":4096,\"fill\":{\"kind\":\"uniform\",\"low\":-1,\"high\":1}},{"
            "\"name\":\"out\",\"type\":\"f32\",\"count\":4096,\"role\":\"output\"}],\"runs\":{"
            "\"a\":[%s]},\"work\":{\"bytes\":32768,\"flops\":0},\"items\":[%s]}\n",
            id, steps, item);
}

/* ---- what the driver was asked ---- */

struct made { int graphs, launched, given_back, modules, unloaded; };

static struct made read_made(void)
{
    struct made g = {0};
    char line[128];
    FILE *f = fopen(calls_file, "re");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        g.graphs += !strncmp(line, "graph made ", 11);
        g.launched += !strncmp(line, "graph launched ", 15);
        g.given_back += !strncmp(line, "graph given back ", 17);
        g.modules += !strncmp(line, "load ", 5);
        g.unloaded += !strncmp(line, "unload ", 7);
    }
    fclose(f);
    return g;
}

static void forget_calls(void)
{
    assert_int_equal(truncate(calls_file, 0), 0);
}

static struct made made_by(const char *steps, const char *item)
{
    struct talk t;
    forget_calls();
    talk_open(&t);
    ask(&t, 1, steps, item);
    json_t *part = talk_part(&t, "a");
    assert_non_null(part);
    assert_true(talk_value(part, "time") > 0 || talk_value(part, "step_time") > 0);
    json_decref(part);
    json_decref(talk_wait(&t, "done"));
    assert_int_equal(talk_close(&t), 0);
    return read_made();
}

static void a_graph_that_is_kept_is_made_once(void **state)
{
    struct made g = made_by(KEPT, TIMING);
    assert_int_equal(g.graphs, 1);
    assert_int_equal(g.given_back, 1);
    assert_true(g.launched > 1);
}

static void a_graph_that_is_made_anew_is_made_in_each_run(void **state)
{
    struct made g = made_by(ANEW, TIMING);
    assert_true(g.launched > 1);
    assert_int_equal(g.graphs, g.launched);
    assert_int_equal(g.given_back, g.launched);
}

static void both_kinds_stand_in_one_run(void **state)
{
    struct made g = made_by(KEPT "," ANEW, TIMING);
    assert_int_equal(g.launched % 2, 0);
    assert_int_equal(g.graphs, g.launched / 2 + 1);
    assert_int_equal(g.given_back, g.graphs);
}

static void a_timeline_makes_it_in_each_step(void **state)
{
    talk_cupti = "libfakecupti.so";
    struct made g = made_by(ANEW, TIMELINE);
    talk_cupti = "missing/libcupti.so";
    assert_true(g.launched > 1);
    assert_int_equal(g.graphs, g.launched);
    assert_int_equal(g.given_back, g.launched);
}

/* Beside what each request loads: the runner's own kernels, and those of the run. */
static void a_module_is_loaded_in_each_run(void **state)
{
    struct made without = made_by("{\"step\":\"sync\"}," TALK_LAUNCH, TIMING);
    struct made with = made_by(LOADED, TIMING);
    assert_true(with.modules > without.modules + 2);
    assert_int_equal(with.modules - without.modules, with.unloaded - without.unloaded);
}

/* ---- faults ---- */

/* The fault happens at call `at` of the request; false: it does not make so many. */
static bool try_fault(struct talk *t, struct fake_fault *f, const char *steps, const char *call,
                      int at, int result)
{
    static int id = 100;
    fault_put(f, call, at, result);
    ask(t, ++id, steps, TIMING);
    return fault_ends(t, f);
}

static void a_fault_while_a_graph_is_made_is_told(void **state)
{
    static const char *const calls[] = {"cuStreamBeginCapture_v2", "cuLaunchKernel",
                                        "cuStreamEndCapture", "cuGraphInstantiateWithFlags",
                                        "cuGraphLaunch"};
    enum { TIMES = 8 };
    struct talk t;
    setenv("WARPDRILL_FAKE_FAULT", fault_file, 1);
    struct fake_fault *fault = fault_map(fault_file);
    forget_calls();
    talk_open(&t);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        for (int at = 1; at <= TIMES; at++)
            assert_true(try_fault(&t, fault, ANEW, calls[i], at, 2));
        try_fault(&t, fault, ANEW, "nothing", 1, 2);
    }
    assert_int_equal(talk_close(&t), 0);
    struct made g = read_made();
    assert_true(g.graphs > 0);
    assert_int_equal(g.graphs, g.given_back);

    talk_open(&t); /* a device that is lost takes its graphs with it */
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        assert_true(try_fault(&t, fault, ANEW, calls[i], 2, 700));
        try_fault(&t, fault, ANEW, "nothing", 1, 2);
    }
    assert_int_equal(talk_close(&t), 0);
    munmap(fault, sizeof *fault);
    unsetenv("WARPDRILL_FAKE_FAULT");
}

static void a_fault_while_a_module_is_loaded_is_told(void **state)
{
    enum { OWN = 6, TIMES = 8 };
    struct talk t;
    setenv("WARPDRILL_FAKE_FAULT", fault_file, 1);
    struct fake_fault *fault = fault_map(fault_file);
    talk_open(&t);
    for (int at = 1; at <= OWN + TIMES; at++)
        assert_true(try_fault(&t, fault, LOADED, "cuModuleLoadDataEx", at, 2));
    try_fault(&t, fault, LOADED, "nothing", 1, 2);
    assert_true(try_fault(&t, fault, LOADED, "cuModuleLoadDataEx", OWN + 2, 700));
    try_fault(&t, fault, LOADED, "nothing", 1, 2);
    assert_int_equal(talk_close(&t), 0);
    munmap(fault, sizeof *fault);
    unsetenv("WARPDRILL_FAKE_FAULT");
}

static int make_folder(void **state)
{
    snprintf(folder, sizeof folder, "/tmp/warpdrill-graph-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(calls_file, sizeof calls_file, "%s/calls", folder);
    snprintf(fault_file, sizeof fault_file, "%s/fault", folder);
    setenv("WARPDRILL_FAKE_CALLS", calls_file, 1);
    int fd = open(calls_file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    return fd < 0 ? -1 : close(fd);
}

static int remove_folder(void **state)
{
    char *command = text_format("rm -rf %s", folder);
    int rc = system(command);
    free(command);
    return rc;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_graph_that_is_kept_is_made_once),
        cmocka_unit_test(a_graph_that_is_made_anew_is_made_in_each_run),
        cmocka_unit_test(both_kinds_stand_in_one_run),
        cmocka_unit_test(a_timeline_makes_it_in_each_step),
        cmocka_unit_test(a_module_is_loaded_in_each_run),
        cmocka_unit_test(a_fault_while_a_graph_is_made_is_told),
        cmocka_unit_test(a_fault_while_a_module_is_loaded_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

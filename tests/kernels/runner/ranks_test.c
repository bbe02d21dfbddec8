/* The runner on two devices of the fake driver with the fake NCCL: what each collective and copy
 * brings is right on every rank, what is wrong on one is seen, timelines have rows of both, and
 * every fault of a device, a peer or NCCL is told, ends its request, and leaves the next one none
 * the worse. */
#include "tests/kernels/runner/plan.h"

#include <dirent.h>
#include <math.h>

#include "kernels/runner/ranks_timeline.h"
#include "tests/unit.h"


static void open_with(struct talk *t, const char *text, const char *nccl)
{
    plan_write(text);
    talk_name_library("WARPDRILL_NCCL", nccl);
    talk_open(t);
}

/* ---- requests: in, t, out and big have 64 x 64, 64 x 64, 64 x 64 and 2 x 64 x 64 floats ---- */

#define MOVE_OF(source, kernel, to, from, more) \
    "{\"source\":\"" source "\",\"kernel\":\"" kernel "\",\"grid\":[2,2],\"block\":[32,8]," \
    "\"args\":[{\"buffer\":\"" to "\"}," from ",{\"i32\":64}]" more "}"
#define OWN(name) "{\"buffer\":\"" name "\"}"
#define PEER(name) "{\"peer\":\"" name "\"}"
#define MOVE(to, from) MOVE_OF("a", "move", to, from, "")
#define TRUTH(from) MOVE_OF("r", "reference", "out", from, "")
#define COLLECTIVE(kind, from, to, more) \
    "{\"step\":\"collective\",\"kind\":\"" kind "\",\"from\":\"" from "\",\"to\":\"" to "\"" more \
    "}"
#define COPY(from, to, more) \
    "{\"step\":\"peer_copy\",\"from\":\"" from "\",\"to\":\"" to "\"" more "}"
#define SUM COLLECTIVE("all_reduce", "out", "out", "")
#define CHECK "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\"}"
#define TIMING "{\"probe\":\"timing\",\"runs\":[\"a\"]}"

static int last_id;

static void ask(struct talk *t, int ranks, const char *a, const char *r, const char *item,
                int deadline_ms)
{
    dprintf(
        t->to,
        "{\"type\":\"measure\",\"id\":%d,\"deadline_ms\":%d,\"ranks\":%d,\"sources\":{\"a\":{"
        "\"name\":\"a.cu\",\"text\":\"// fake: move 1e-4\\nvoid move();\\n\"},\"r\":{\"name\":"
        "\"r.cu\",\"text\":\"// the truth\\n\"}},\"buffers\":[{\"name\":\"in\",\"type\":\"f32\","
        "\"count\":4096,\"fill\":{\"kind\":\"uniform\",\"low\":-1,\"high\":1}},{\"name\":\"t\","
        "\"type\":\"f32\",\"count\":4096,\"role\":\"workspace\"},{\"name\":\"big\",\"type\":"
        "\"f32\",\"count\":8192,\"role\":\"workspace\"},{\"name\":\"out\",\"type\":\"f32\","
        "\"count\":4096,\"role\":\"output\"}],\"runs\":{\"a\":[%s],\"r\":[%s]},\"work\":{"
        "\"bytes\":32768,\"flops\":0},\"tolerance\":{\"kind\":\"relative\",\"rel\":0,\"abs\":"
        "1e-5},\"items\":[%s]}\n",
        ++last_id, deadline_ms, ranks, a, r, item);
}

/* The one part of run a; the request's done is waited for by the next talk_wait. */
static json_t *part_of(struct talk *t, const char *a, const char *r, const char *item)
{
    ask(t, 2, a, r, item, 20000);
    json_t *part = talk_part(t, "a");
    assert_non_null(part);
    json_decref(talk_wait(t, "done"));
    return part;
}

/* ---- right and wrong ---- */

static void every_way_brings_what_it_should(void **state)
{
    static const struct {
        const char *run, *truth;
        bool right;
    } cases[] = {
        {MOVE("out", OWN("in")) "," SUM, TRUTH(OWN("in")) "," SUM, true},
        {MOVE("out", OWN("in")), TRUTH(OWN("in")) "," SUM, false},
        {MOVE("out", OWN("in")), TRUTH(OWN("in")), true},
        {MOVE("out", PEER("in")), TRUTH(PEER("in")), true},
        {MOVE("out", OWN("in")), TRUTH(PEER("in")), false}, /* ranks have inputs of their own */
        {COPY("in", "t", "") "," MOVE("out", OWN("t")), TRUTH(PEER("in")), true},
        {COPY("in", "t", ",\"through\":\"host\"") "," MOVE("out", OWN("t")), TRUTH(PEER("in")),
         true},
        {COPY("in", "t", ",\"rank\":0") "," MOVE("out", OWN("t")), TRUTH(PEER("in")), false},
        {COLLECTIVE("send_receive", "in", "t", "") "," MOVE("out", OWN("t")), TRUTH(PEER("in")),
         true},
        /* in halves, on a stream of its own */
        {MOVE("out", OWN("in")) "," COLLECTIVE(
             "all_reduce", "out", "out",
             ",\"count\":2048,"
             "\"stream\":1,\"after\":[0]") "," COLLECTIVE("all_reduce", "out", "out",
                                                          ",\"first\":2048,\"stream\":1"),
         TRUTH(OWN("in")) "," SUM, true},
        {MOVE("out", OWN("in")) "," COLLECTIVE("all_reduce", "out", "out", ",\"count\":2048"),
         TRUTH(OWN("in")) "," SUM, false},
        /* each rank's half to all, and back in halves: twice the own half on each rank */
        {COLLECTIVE("all_gather", "in", "big", "") "," COLLECTIVE("reduce_scatter", "big", "t",
                                                                  "") "," MOVE("out", OWN("t")),
         TRUTH(OWN("in")), false},
        {COLLECTIVE("all_to_all", "in", "t", "") "," COLLECTIVE(
             "all_to_all", "t", "big", ",\"count\":4096") "," MOVE("out", OWN("big")),
         TRUTH(OWN("in")), true},
    };
    struct talk t;
    open_with(&t, "gpus 2\n", "libfakenccl.so");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *part = part_of(&t, cases[i].run, cases[i].truth, CHECK);
        if (talk_notes(part, "verdict: right") != cases[i].right ||
            (talk_value(part, "wrong_elements") == 0) != cases[i].right)
            fail_msg("case %zu: %g wrong", i, talk_value(part, "wrong_elements"));
        assert_true(talk_notes(part, "the worst of 2"));
        json_decref(part);
    }
    assert_int_equal(talk_close(&t), 0);
}

static void a_rank_alone_is_found_out(void **state)
{
    static const char late[] = MOVE_OF("a", "move", "out", OWN("in"), ",\"rank\":0");
    struct talk t;
    open_with(&t, "gpus 2\n", "libfakenccl.so");
    json_t *part = part_of(&t, late, TRUTH(OWN("in")), CHECK);
    assert_true(talk_notes(part, "of GPU 1, the worst of 2"));
    assert_true(talk_value(part, "wrong_elements") > 4000);
    json_decref(part);
    part = part_of(&t, MOVE("out", OWN("in")) "," SUM, TRUTH(OWN("in")),
                   "{\"probe\":\"repeat\",\"runs\":[\"a\"],\"repeat\":3}");
    assert_true(talk_value(part, "identical_repeats") == 3 &&
                talk_notes(part, "verdict: identical"));
    json_decref(part);
    assert_int_equal(talk_close(&t), 0);
}

/* Of GPU 0 by itself: nothing waits there for another one, whatever a run begins with. */
static void other_probes_look_at_one_rank(void **state)
{
    static const char run
        [] = COLLECTIVE("all_reduce", "in", "in",
                        "") "," MOVE("out", PEER("in")) "," MOVE("out", OWN("in")),
     items[] =
         "{\"probe\":\"resources\",\"runs\":[\"a\"]},{\"probe\":"
         "\"memory\",\"runs\":[\"a\"]},{\"probe\":\"build\",\"runs\":[\"a\"]},{\"probe\":\"sass\","
         "\"runs\":[\"a\"]},{\"probe\":\"lines\",\"runs\":[\"a\"]},{\"probe\":\"dram\",\"runs\":["
         "\"a\"]}";
    struct talk t;
    talk_cupti = "libfakecupti.so";
    open_with(&t, "gpus 2\n", "libfakenccl.so");
    ask(&t, 2, run, TRUTH(OWN("in")), items, 20000);
    for (int i = 0; i < 6; i++) {
        json_t *part = talk_part(&t, "a");
        assert_non_null(part);
        if (!strcmp(json_string_value(json_object_get(part, "probe")), "resources"))
            assert_true(talk_notes(part, "of launch 3 of 3, the longest: move"));
        json_decref(part);
    }
    assert_int_equal(talk_close(&t), 0);
    talk_cupti = "missing/libcupti.so";
}

/* ---- times ---- */

static void a_rank_whose_host_is_late_makes_all_late(void **state)
{
    struct talk t;
    open_with(&t, "gpus 2\n", "libfakenccl.so");
    json_t *part = part_of(&t,
                           MOVE("out", OWN("in")) ",{\"step\":\"wait\",\"seconds\":0.004,"
                                                  "\"rank\":1}," SUM,
                           TRUTH(OWN("in")), TIMING);
    assert_true(talk_value(part, "time") >= 0.004);
    assert_true(talk_notes(part, "on 2 GPUs"));
    json_decref(part);
    assert_int_equal(talk_close(&t), 0);
}

static double in_series(const json_t *part, const char *name, size_t i)
{
    const json_t *list = json_object_get(json_object_get(part, "series"), name);
    assert_true(i < json_array_size(list));
    return json_number_value(json_array_get(list, i));
}

static void a_timeline_has_rows_of_each_rank(void **state)
{
    static const char run[] =
        MOVE("out", OWN("in")) "," MOVE_OF("a", "move", "t", OWN("in"), ",\"rank\":1") "," COPY(
            "t", "big",
            ",\"stream\":1,\"after\":[1],\"through\":\"host\"") "," COLLECTIVE("all_reduce", "out",
                                                                               "out",
                                                                               ",\"stream\":2,"
                                                                               "\"after\":[0]");
    static const double launches[] = {0, 2, 3, 0, 1, 2, 3}, ranks[] = {0, 0, 0, 1, 1, 1, 1},
                        streams[] = {0, 1, 2, 0, 0, 1, 2};
    struct talk t;
    talk_cupti = "libfakecupti.so";
    open_with(&t, "gpus 2\nnccl_seconds 3e-4\n", "libfakenccl.so");
    json_t *part = part_of(&t, run, TRUTH(OWN("in")), "{\"probe\":\"timeline\",\"runs\":[\"a\"]}");
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        assert_true(in_series(part, "kernel", i) == launches[i]);
        assert_true(in_series(part, "rank", i) == ranks[i]);
        assert_true(in_series(part, "stream", i) == streams[i]);
        assert_true(in_series(part, "end", i) > in_series(part, "start", i));
    }
    for (size_t i = 0; i < 10; i++) {
        assert_true(in_series(part, "host", i) == (double)(i % 5));
        assert_true(in_series(part, "host_rank", i) == (double)(i / 5));
    }
    assert_true(talk_value(part, "comm_time") >= 3e-4);
    assert_true(talk_value(part, "exposed_time") <= talk_value(part, "comm_time"));
    assert_true(talk_notes(part, "launch 4, all_reduce: ncclDevKernel_AllReduce_Sum_f32_RING_LL"));
    json_decref(part);
    assert_int_equal(talk_close(&t), 0);
    talk_cupti = "missing/libcupti.so";
    open_with(&t, "gpus 2\n", "libfakenccl.so");
    part = part_of(&t, run, TRUTH(OWN("in")), "{\"probe\":\"timeline\",\"runs\":[\"a\"]}");
    const json_t *v = json_object_get(json_object_get(part, "metrics"), "comm_time");
    assert_non_null(strstr(json_string_value(json_object_get(v, "say")), "CUPTI"));
    json_decref(part);
    assert_int_equal(talk_close(&t), 0);
}

static void what_is_exposed_is_what_nothing_hides(void **state)
{
    const struct span moves[] = {{1, 3}, {2, 5}, {8, 9}}, kernels[] = {{0, 2}, {4, 6}};
    assert_true(fabs(timeline_exposed(moves, 3, kernels, 2) - 3) < 1e-12);
    assert_true(fabs(timeline_exposed(moves, 3, kernels, 0) - 5) < 1e-12);
    assert_true(timeline_exposed(moves, 0, kernels, 2) == 0);
}

/* ---- faults ---- */

static struct talk_answer answer_to(struct talk *t, int ranks, const char *run, const char *item,
                               int deadline_ms)
{
    ask(t, ranks, run, TRUTH(OWN("in")), item, deadline_ms);
    return talk_answer(t, last_id);
}

static void expect_good(struct talk *t, int ranks, const char *run)
{
    struct talk_answer a = answer_to(t, ranks, run, "{\"probe\":\"resources\",\"runs\":[\"a\"]}", 20000);
    if (!talk_is_good(&a))
        fail_msg("the request after the fault: %s %s: %s", a.status, a.code, a.text);
}

static int children_of(pid_t pid)
{
    char path[64], line[256];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)pid, (long)pid);
    FILE *f = fopen(path, "r");
    if (f && fgets(line, sizeof line, f))
        for (char *save = NULL, *w = strtok_r(line, " ", &save); w; w = strtok_r(NULL, " ", &save))
            n++;
    if (f)
        fclose(f);
    return n;
}

#define RUN_SUM MOVE("out", OWN("in")) "," SUM
#define RUN_COPY COPY("in", "t", "") "," MOVE("out", OWN("t"))

static void every_fault_is_told(void **state)
{
    static const struct {
        const char *plan, *nccl, *run, *code, *says, *remedy;
    } cases[] = {
        {"gpus 1\n", "libfakenccl.so", RUN_SUM, "unsupported", "needs 2 GPUs of one host, and 1 is",
         "recorded evidence"},
        {"gpus 2\nother_gpu 1\n", "libfakenccl.so", RUN_SUM, "unsupported",
         "GPU 0 is Fake GPU and GPU 1 is Other GPU", "CUDA_VISIBLE_DEVICES"},
        {"gpus 2\n", "missing.so", RUN_SUM, "unsupported", "NCCL cannot be loaded",
         "library's file"},
        {"gpus 2\n", "missing.so", RUN_COPY, "", "", ""},
        {"gpus 2\nno_peers 1\n", "libfakenccl.so", RUN_COPY, "unsupported",
         "GPU 0 cannot reach into the memory of GPU 1", "topo -m"},
        {"gpus 2\nno_peers 1\n", "libfakenccl.so", MOVE("out", PEER("in")), "unsupported",
         "GPU 0 cannot reach", "topo -m"},
        {"gpus 2\nno_peers 1\n", "libfakenccl.so", RUN_SUM, "", "", ""},
        {"gpus 2\nno_peers 1\n", "libfakenccl.so",
         COPY("in", "t", ",\"through\":\"host\"") "," MOVE("out", OWN("t")), "", "", ""},
        {"gpus 2\nfail_cuMemcpyPeerAsync 3 220\n", "libfakenccl.so", RUN_COPY, "fault",
         "NVLink failed", "nvlink -e"},
        {"gpus 2\nfail_cuCtxSynchronize 4 700\n", "libfakenccl.so", RUN_SUM, "fault", "GPU ",
         "compute-sanitizer"},
        {"gpus 2\nfail_ncclAllReduce 6 1\n", "libfakenccl.so", RUN_SUM, "fault",
         "NCCL met a failure of the driver", "xid"},
        {"gpus 2\nfail_ncclCommInitAll 1 2\n", "libfakenccl.so", RUN_SUM, "unsupported", "/dev/shm",
         "NCCL_DEBUG"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct talk t;
        open_with(&t, cases[i].plan, cases[i].nccl);
        struct talk_answer a = answer_to(&t, 2, cases[i].run, TIMING, 20000);
        if (strcmp(a.code, cases[i].code) != 0 || !strstr(a.text, cases[i].says) ||
            !strstr(a.remedy, cases[i].remedy))
            fail_msg("case %zu: %s %s: %s (%s)", i, a.status, a.code, a.text, a.remedy);
        plan_write("gpus 2\n");
        expect_good(&t, 1, MOVE("out", OWN("in")));
        expect_good(&t, 2, COPY("in", "t", ",\"through\":\"host\"") "," MOVE("out", OWN("t")));
        assert_int_equal(talk_close(&t), 0);
    }
}

/* The deadline is met, and of the two workers and the compiler those that are left are at rest. */
static void a_rank_that_hangs_is_left(void **state)
{
    enum { DEADLINE_MS = 1500 };
    static const char *const plans[] = {"gpus 2\nhang_ncclAllReduce 6\n",
                                        "gpus 2\nhang_cuLaunchKernel 40\n",
                                        "gpus 2\nhang_cuCtxSynchronize 4\n"};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        struct talk t;
        open_with(&t, plans[i], "libfakenccl.so");
        struct talk_answer a = answer_to(&t, 2, RUN_SUM, TIMING, DEADLINE_MS);
        assert_string_equal(a.code, "timeout");
        assert_true(a.took_ms < DEADLINE_MS + 10000);
        plan_write("gpus 2\n");
        expect_good(&t, 2, RUN_SUM);
        assert_in_range(children_of(t.pid), 1, 2);
        assert_int_equal(talk_close(&t), 0);
    }
}

/* Every call that only several ranks make, at its first and at a later time. */
static void every_call_may_fail(void **state)
{
    static const struct {
        const char *call;
        int later;
        bool starts, harmless;
    } calls[] = {
        {"cuDeviceCanAccessPeer", 2, true, false},
        {"cuCtxEnablePeerAccess", 2, true, false},
        {"cuMemcpyPeerAsync", 4, false, false},
        {"cuStreamWaitEvent", 5, false, false},
        {"cuEventRecord", 9, false, false},
        {"ncclCommInitAll", 1, true, false},
        {"ncclAllReduce", 7, false, false},
        {"ncclAllGather", 5, false, false},
        {"ncclReduceScatter", 5, false, false},
        {"ncclSend", 9, false, false},
        {"ncclRecv", 9, false, false},
        {"ncclGroupStart", 7, false, false},
        {"ncclGroupEnd", 7, false, false},
        {"cuCtxSetCurrent", 9, false, false},
        {"cuMemHostAlloc", 2, false, false},
    };
    static const char run[] = RUN_SUM
        "," COPY("in", "t", "") "," COPY("t", "big", ",\"through\":\"host\",\"stream\":1") "," COLLECTIVE(
            "all_gather", "in", "big",
            "") "," COLLECTIVE("reduce_scatter", "big", "t",
                               "") "," COLLECTIVE("all_to_all", "in", "t",
                                                  "") "," COLLECTIVE("send_receive", "in", "t", "");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (int later = 0; later < 2; later++) {
            char text[128];
            struct talk t;
            bool nccl = !strncmp(calls[i].call, "nccl", 4);
            snprintf(text, sizeof text, "gpus 2\nfail_%s %d %d\n", calls[i].call,
                     later ? calls[i].later : 1, nccl ? 3 : 801);
            open_with(&t, text, "libfakenccl.so");
            struct talk_answer a = answer_to(&t, 2, run, TIMING, 20000);
            if (strcmp(a.code, nccl ? "internal" : "unsupported") != 0 ||
                strcmp(a.call, calls[i].call) != 0 || !*a.remedy)
                fail_msg("%s: %s %s of %s: %s (%s)", text, a.status, a.code, a.call, a.text,
                         a.remedy);
            plan_write("gpus 2\n");
            expect_good(&t, 2, run);
            assert_int_equal(talk_close(&t), 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_brings_what_it_should),
        cmocka_unit_test(a_rank_alone_is_found_out),
        cmocka_unit_test(other_probes_look_at_one_rank),
        cmocka_unit_test(a_rank_whose_host_is_late_makes_all_late),
        cmocka_unit_test(a_timeline_has_rows_of_each_rank),
        cmocka_unit_test(what_is_exposed_is_what_nothing_hides),
        cmocka_unit_test(every_fault_is_told),
        cmocka_unit_test(a_rank_that_hangs_is_left),
        cmocka_unit_test(every_call_may_fail),
    };
    return cmocka_run_group_tests(tests, plan_make, plan_remove);
}

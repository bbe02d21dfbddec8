/* Links on two devices of the fake driver with the fake NCCL: every figure is there and kept, what
 * peers or NCCL refuse is said in its place, and a fault or a hang at each call ends the request
 * with its reason and leaves the next one none the worse. The fit of alpha and beta is held against
 * lines whose constants are known. */
#include "tests/kernels/runner/plan.h"

#include <math.h>

#include "kernels/runner/links_fit.h"
#include "kernels/wire/message.h"
#include "tests/unit.h"

enum { LONG_MS = 300000 }; /* what is to end by itself, on a busy machine too */
static int last_id;

static void open_with(struct talk *t, const char *text, const char *nccl)
{
    plan_write(text);
    talk_name_library("WARPDRILL_NCCL", nccl);
    talk_open(t);
}

static void ask(struct talk *t, int gpus, int deadline_ms, const char *how)
{
    dprintf(t->to,
            "{\"type\":\"links\",\"id\":%d,\"deadline_ms\":%d,\"gpus\":%d,\"links\":\"%s\"}\n",
            ++last_id, deadline_ms, gpus, how);
}

/* The answer, of a request that succeeds. */
static struct msg_links links_of(struct talk *t, const char *how)
{
    struct msg_links l;
    struct err err = {.code = 0};
    ask(t, 2, LONG_MS, how);
    json_t *m = talk_wait(t, "links");
    if (msg_links_decode(&l, m, &err))
        fail_msg("%s", err.text);
    json_decref(m);
    m = talk_wait(t, "done");
    assert_string_equal(json_string_value(json_object_get(m, "status")), "ok");
    assert_null(json_object_get(m, "error"));
    json_decref(m);
    return l;
}

/* ---- figures ---- */

static bool has_way(const struct link_way *w)
{
    return w->one_way > 0 && w->both_ways > 0 && w->latency > 0;
}

/* A measurement that counted a piece twice, or the bytes of two ranks as one's, would be off by two
 * and more each time; what else runs on the machine puts one of them off. */
static bool both_legs_are_in(const struct msg_links *l)
{
    double legs = 1 / l->hosts[0].to_host + 1 / l->hosts[1].to_device,
           share = l->pairs[0].staged.one_way * legs;
    return share > 0.3 && share < 3;
}

static void expect_both_legs(struct talk *t, struct msg_links l)
{
    for (int i = 0; i < 5 && !both_legs_are_in(&l); i++)
        l = links_of(t, "measure");
    if (!both_legs_are_in(&l))
        fail_msg("staged %g B/s, down %g, up %g", l.pairs[0].staged.one_way, l.hosts[0].to_host,
                 l.hosts[1].to_device);
}

/* Noise may leave no line, and then none is told. */
static void expect_its_fit(const struct link_sum *s)
{
    struct link_sum again = *s;
    links_fit(&again);
    assert_true(again.alpha == s->alpha && again.beta == s->beta && again.residual == s->residual);
}

static void every_figure_is_there(void **state)
{
    struct talk t;
    open_with(&t, "gpus 2\n", "libfakenccl.so");
    struct msg_links l = links_of(&t, "cached");
    assert_string_equal(l.gpu, "Fake GPU");
    assert_string_equal(l.nccl, "2.28.9");
    assert_int_equal(strlen(l.measured), 10);
    assert_int_equal(l.method, METHOD_VERSION);
    assert_int_equal(l.n_pairs, 2);
    for (int i = 0; i < 2; i++) {
        assert_true(l.pairs[i].from == i && l.pairs[i].to == 1 - i);
        assert_true(has_way(&l.pairs[i].direct) && has_way(&l.pairs[i].staged));
        assert_true(l.hosts[i].to_device > 0 && l.hosts[i].to_host > 0 &&
                    l.hosts[i].both_ways > 0 && l.hosts[i].latency > 0);
    }
    assert_true(l.pairs[0].direct.both_ways == l.pairs[1].direct.both_ways);
    assert_int_equal(l.all_reduce.n_points, 8); /* 1 KiB to 16 MiB, a 64th of the memory */
    for (int i = 1; i < 8; i++)
        assert_true(l.all_reduce.points[i].bytes == 4 * l.all_reduce.points[i - 1].bytes);
    expect_its_fit(&l.all_reduce);
    assert_true(!*l.no_peer && !*l.no_nccl);
    expect_both_legs(&t, l);
    assert_int_equal(talk_close(&t), 0);
}

/* ---- kept ---- */

static json_t *described(struct talk *t)
{
    dprintf(t->to, "{\"type\":\"describe\",\"id\":%d,\"ceilings\":\"cached\"}\n", ++last_id);
    json_t *m = talk_wait(t, "device"), *links = json_incref(json_object_get(m, "links"));
    json_decref(m);
    json_decref(talk_wait(t, "done"));
    return links;
}

static bool same(const struct msg_links *a, const struct msg_links *b)
{
    return a->pairs[0].direct.one_way == b->pairs[0].direct.one_way &&
           a->all_reduce.alpha == b->all_reduce.alpha;
}

static void links_are_kept_for_these_cards(void **state)
{
    struct talk t;
    struct err err = {.code = 0};
    struct msg_links told;
    open_with(&t, "gpus 2\n", "libfakenccl.so");
    assert_null(described(&t)); /* nobody has measured them */
    struct msg_links first = links_of(&t, "cached"), again = links_of(&t, "cached");
    assert_true(same(&first, &again));
    json_t *of_device = described(&t);
    assert_int_equal(links_decode(&told, of_device, &err), 0);
    assert_true(same(&first, &told));
    json_decref(of_device);
    again = links_of(&t, "measure");
    assert_false(same(&first, &again));
    char *swap = text_format("sed -i 's/\"07/\"08/' %s/ceilings/*-links2.json", t.folder);
    assert_int_equal(system(swap), 0); /* another card was in the place of the first */
    free(swap);
    assert_null(described(&t));
    assert_int_equal(talk_close(&t), 0);
}

/* ---- what is refused ---- */

static void what_is_missing_is_said_in_its_place(void **state)
{
    struct talk t;
    open_with(&t, "gpus 2\nno_peers 1\n", "missing.so");
    struct msg_links l = links_of(&t, "cached");
    assert_non_null(strstr(l.no_nccl, "NCCL cannot be loaded"));
    assert_non_null(strstr(l.no_nccl, "WARPDRILL_NCCL"));
    assert_true(l.pairs[0].direct.one_way == 0 && has_way(&l.pairs[0].staged));
    assert_true(l.all_reduce.n_points == 0 && l.hosts[1].to_host > 0);
    assert_non_null(strstr(l.no_peer, "GPU 0 cannot reach into the memory of GPU 1"));
    assert_non_null(strstr(l.no_peer, "topo -m"));
    assert_int_equal(talk_close(&t), 0);
}

/* What the driver and NCCL refuse at one call is a reason too, and what they do not is measured. */
static void a_call_that_is_refused_leaves_the_rest(void **state)
{
    struct talk t;
    double value;
    open_with(&t, "gpus 2\nfail_cuDeviceCanAccessPeer 3 801\nfail_ncclCommInitAll 1 2\n",
              "libfakenccl.so");
    struct msg_links l = links_of(&t, "cached");
    assert_true(l.pairs[0].direct.one_way == 0 && has_way(&l.pairs[0].staged));
    assert_true(has_way(&l.pairs[1].direct) && *l.no_peer);
    assert_false(links_number(&l, "peer_copy", &value));
    assert_non_null(strstr(l.no_nccl, "/dev/shm"));
    assert_int_equal(talk_close(&t), 0);
}

static struct talk_answer answer_to(struct talk *t, int gpus, int deadline_ms)
{
    ask(t, gpus, deadline_ms, "measure");
    return talk_answer(t, last_id);
}

/* Another kind of request, on as many GPUs and on one. */
static void expect_next_works(struct talk *t)
{
    plan_write("gpus 2\n");
    json_decref(described(t));
    talk_measure(t, ++last_id, "move", LONG_MS, "{\"probe\":\"resources\",\"runs\":[\"a\"]}");
    json_t *done = talk_wait(t, "done");
    assert_null(json_object_get(done, "error"));
    json_decref(done);
}

static void a_host_that_has_no_two_is_told(void **state)
{
    static const struct {
        const char *plan, *says, *remedy;
    } cases[] = {
        {"gpus 1\n", "needs 2 GPUs of one host, and 1 is", "recorded evidence"},
        {"gpus 2\nother_gpu 1\n", "GPU 0 is Fake GPU and GPU 1 is Other GPU",
         "CUDA_VISIBLE_DEVICES"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct talk t;
        open_with(&t, cases[i].plan, "libfakenccl.so");
        struct talk_answer a = answer_to(&t, 2, LONG_MS);
        assert_string_equal(a.code, "unsupported");
        if (!strstr(a.text, cases[i].says) || !strstr(a.remedy, cases[i].remedy))
            fail_msg("%s (%s)", a.text, a.remedy);
        expect_next_works(&t);
        assert_int_equal(talk_close(&t), 0);
    }
}

/* Nothing that was asked wrongly reaches a GPU, and none of it is done in silence. */
static void a_wrong_request_is_refused_by_name(void **state)
{
    static const struct {
        const char *more, *says;
    } cases[] = {
        {"\"gpus\":1,\"deadline_ms\":20000", "gpus"},
        {"\"gpus\":9,\"deadline_ms\":20000", "gpus"},
        {"\"gpus\":2", "deadline_ms"},
        {"\"gpus\":2,\"deadline_ms\":20000,\"ranks\":2", "ranks"},
        {"\"gpus\":2,\"deadline_ms\":20000,\"links\":\"none\"", "links"},
    };
    struct talk t;
    open_with(&t, "gpus 2\n", "libfakenccl.so");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dprintf(t.to, "{\"type\":\"links\",\"id\":%d,%s}\n", ++last_id, cases[i].more);
        json_t *done = talk_wait(&t, "done"), *error = json_object_get(done, "error");
        assert_non_null(strstr(json_string_value(json_object_get(error, "text")), cases[i].says));
        json_decref(done);
    }
    assert_int_equal(talk_close(&t), 0);
}

/* ---- faults ---- */

/* Every call of it: at a time that only a request for links reaches, of those that the start of a
 * worker makes too. */
static void every_call_may_fail(void **state)
{
    static const struct {
        const char *call;
        int at;
    } calls[] = {
        {"cuMemGetInfo_v2", 2},     {"cuMemAlloc_v2", 8},       {"cuMemAlloc_v2", 10},
        {"cuMemHostAlloc", 2},      {"cuStreamCreate", 4},      {"cuCtxSetCurrent", 40},
        {"cuMemcpyPeerAsync", 1},   {"cuMemcpyPeerAsync", 90},  {"cuMemcpyDtoHAsync_v2", 1},
        {"cuMemcpyHtoDAsync_v2", 9}, {"cuStreamSynchronize", 9}, {"cuCtxSynchronize", 1},
        {"cuCtxSynchronize", 30},   {"ncclAllReduce", 3},       {"ncclAllReduce", 40},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char text[128];
        struct talk t;
        bool nccl = !strncmp(calls[i].call, "nccl", 4);
        snprintf(text, sizeof text, "gpus 2\nfail_%s %d %d\n", calls[i].call, calls[i].at,
                 nccl ? 3 : 801);
        open_with(&t, text, "libfakenccl.so");
        struct talk_answer a = answer_to(&t, 2, LONG_MS);
        if (strcmp(a.code, nccl ? "internal" : "unsupported") != 0 ||
            strcmp(a.call, calls[i].call) != 0 || !*a.remedy)
            fail_msg("%s: %s %s of %s: %s (%s)", text, a.status, a.code, a.call, a.text, a.remedy);
        expect_next_works(&t);
        assert_int_equal(talk_close(&t), 0);
    }
}

static void a_gpu_that_is_lost_is_named(void **state)
{
    struct talk t;
    open_with(&t, "gpus 2\nfail_cuMemcpyPeerAsync 20 220\n", "libfakenccl.so");
    struct talk_answer a = answer_to(&t, 2, LONG_MS);
    assert_string_equal(a.code, "fault");
    assert_non_null(strstr(a.text, "GPU 0"));
    assert_non_null(strstr(a.text, "NVLink failed"));
    expect_next_works(&t);
    assert_int_equal(talk_close(&t), 0);
}

/* On a busy machine the deadline may come while something before it is at work. */
static bool is_left_at(const char *plan, const char *says, int deadline_ms)
{
    struct talk t;
    open_with(&t, plan, "libfakenccl.so");
    struct talk_answer a = answer_to(&t, 2, deadline_ms);
    assert_string_equal(a.code, "timeout");
    expect_next_works(&t);
    assert_int_equal(talk_close(&t), 0);
    return strstr(a.text, says);
}

static void what_hangs_is_left_at_the_deadline(void **state)
{
    static const struct {
        const char *plan, *says;
    } cases[] = {
        {"gpus 2\nhang_ncclAllReduce 4\n", "the all-reduce of 1 KiB was still at work on"},
        {"gpus 2\nhang_cuCtxSynchronize 3\n", "the peer copy from GPU 0 to GPU 1 was still"},
        {"gpus 2\nhang_cuMemcpyDtoHAsync_v2 1\n", "the staged copy from GPU 0 to GPU 1 was still"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int deadline_ms = 1500;
        while (!is_left_at(cases[i].plan, cases[i].says, deadline_ms))
            if ((deadline_ms *= 2) > LONG_MS)
                fail_msg("%s: never", cases[i].says);
    }
}

/* ---- the fit ---- */

static struct link_sum line(double alpha, double beta, double wobble)
{
    struct link_sum s = {.n_points = 0};
    for (double bytes = 1024; bytes <= 256 << 20; bytes *= 4)
        s.points[s.n_points++] = (struct link_point){
            bytes, (alpha + bytes / beta) * (s.n_points % 2 ? 1 + wobble : 1 - wobble)};
    return s;
}

static void a_line_is_found_again(void **state)
{
    struct link_sum s = line(12e-6, 300e9, 0);
    assert_true(links_fit(&s));
    assert_true(fabs(s.alpha - 12e-6) < 1e-12 && fabs(s.beta / 300e9 - 1) < 1e-9);
    assert_true(s.residual < 1e-9);
    s = line(12e-6, 300e9, 0.05); /* each size counts alike: 5 % up and down is about 5 % off */
    assert_true(links_fit(&s));
    assert_true(fabs(s.alpha / 12e-6 - 1) < 0.05 && fabs(s.beta / 300e9 - 1) < 0.05);
    assert_true(fabs(s.residual - 0.05) < 0.005);
}

/* By elimination, where links_fit goes by determinants. */
static void three_points_have_one_answer(void **state)
{
    struct link_sum s = {.points = {{1, 2}, {2, 2.5}, {4, 4}}, .n_points = 3};
    double x[] = {0.5, 0.4, 0.25}, y[] = {0.5, 0.8, 1}, xx = 0, xy = 0, yy = 0, sx = 0, sy = 0;
    for (int i = 0; i < 3; i++)
        xx += x[i] * x[i], xy += x[i] * y[i], yy += y[i] * y[i], sx += x[i], sy += y[i];
    double slope = (sy - sx * xy / xx) / (yy - xy * xy / xx), alpha = (sx - slope * xy) / xx;
    assert_true(links_fit(&s));
    assert_true(fabs(s.alpha - alpha) < 1e-9 && fabs(1 / s.beta - slope) < 1e-9);
}

static void where_no_line_is_none_is_made(void **state)
{
    struct link_sum same = {.points = {{1024, 1e-5}, {1024, 1e-5}}, .n_points = 2},
                    falls = {.points = {{1, 8e-6}, {1e6, 4e-6}, {2e6, 1e-6}}, .n_points = 3},
                    one = {.points = {{1024, 1e-5}}, .n_points = 1}, none = {.n_points = 0};
    assert_false(links_fit(&same));
    assert_false(links_fit(&falls));
    assert_false(links_fit(&one));
    assert_false(links_fit(&none));
    assert_true(falls.alpha == 0 && falls.beta == 0 && falls.residual == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_is_there),
        cmocka_unit_test(links_are_kept_for_these_cards),
        cmocka_unit_test(what_is_missing_is_said_in_its_place),
        cmocka_unit_test(a_call_that_is_refused_leaves_the_rest),
        cmocka_unit_test(a_host_that_has_no_two_is_told),
        cmocka_unit_test(a_wrong_request_is_refused_by_name),
        cmocka_unit_test(every_call_may_fail),
        cmocka_unit_test(a_gpu_that_is_lost_is_named),
        cmocka_unit_test(what_hangs_is_left_at_the_deadline),
        cmocka_unit_test(a_line_is_found_again),
        cmocka_unit_test(three_points_have_one_answer),
        cmocka_unit_test(where_no_line_is_none_is_made),
    };
    return cmocka_run_group_tests(tests, plan_make, plan_remove);
}

/* A story on several GPUs (tests/packs/ranks), from its text to a request and back to a picture:
 * what cannot be is refused with its place, what is asked for can be decoded by a runner, what is
 * not to be had is not asked for, and a timeline has rows of each GPU. */
#include "kernels/wire/text.h"
#include "scenarios/evidence/gpus.h"
#include "scenarios/evidence/listing.h"
#include "scenarios/evidence/request.h"
#include "scenarios/evidence/timeline.h"
#include "tests/unit.h"

static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    return text_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* The pack with an edit of a file; from "" changes nothing. */
static int load(struct pack **out, const char *path, const char *from, const char *to,
                struct err *err)
{
    struct files *old, *f = files_new("pack");
    assert_int_equal(files_read(&old, "tests/packs/ranks", err), 0);
    for (int i = 0; i < old->n; i++) {
        bool edited = !strcmp(old->file[i].path, path) && *from;
        char *text = edited ? replaced(old->file[i].text, from, to)
                            : text_ndup(old->file[i].text, old->file[i].len);
        files_add(f, old->file[i].path, text, strlen(text));
        free(text);
    }
    files_free(old);
    *out = NULL;
    return pack_load(out, f, err);
}

#define STORY "two-ranks/scenario.yaml"
#define LAUNCHES "two-ranks/a/launches.yaml"
#define FIRST "first: 0, count: n / 4, stream: 1, after: [scale], label: sum 1}"

static void what_cannot_be_is_refused(void **state)
{
    static const struct {
        const char *path, *from, *to, *says;
    } cases[] = {
        {STORY, "gpus: 2", "gpus: 9", "1 to 8 GPUs"},
        {STORY, "gpus: 2", "gpus: 1", "work of several GPUs in a story on one"},
        {STORY, "format: 2", "format: 1", "several GPUs in a pipeline of format 1"},
        {STORY, "kind: pipeline", "kind: kernel", "several GPUs in a kernel"},
        {STORY, "  n: roundup", "  rank: 4\n  n: roundup", "a parameter 'rank'"},
        {STORY, "args: [out, t, rank, n]", "args: [out, t, {peer: w}, n]", "no buffer 'w'"},
        {STORY, "all_reduce, from: t", "reduce, from: t", "all_reduce, all_gather, reduce_scatter"},
        {STORY, "from: t, to: t", "from: t, to: w", "no buffer 'w'"},
        {STORY, "all_reduce, from: t, to: t", "all_gather, from: t, to: t", "from 't' to itself"},
        {STORY, "all_reduce, from: t, to: t", "all_gather, from: t, to: i",
         "of f32, to 'i', of i32"},
        {STORY, "label: scale, grid", "label: scale, rank: 2, grid",
         "a rank below the story's gpus"},
        {STORY, "bytes: 4 * n, label: sum", "rank: 0, label: sum", "rank"},
        {LAUNCHES, FIRST, "first: 0, stream: 1, label: scale}", "label of an earlier launch"},
        {LAUNCHES, FIRST, "after: [scale], label: sum 1}", "on the same stream"},
        {LAUNCHES, FIRST, "first: 0, stream: 1, after: [copy], label: sum 1}",
         "no label of a launch above"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pack *p;
        struct err err = {0};
        int rc = load(&p, cases[i].path, cases[i].from, cases[i].to, &err);
        if (!rc || !strstr(err.text, cases[i].says))
            fail_msg("case %zu: %s", i, rc ? err.text : "accepted");
        pack_free(p);
    }
}

static void device(struct msg_device *d, int gpus)
{
    struct err err = {0};
    gpu_attributes(d, gpu_find("h200", &err));
    for (int i = 0; i < d->n_attributes; i++)
        if (!strcmp(d->attributes[i].name, "gpus"))
            d->attributes[i].value = gpus;
}

static void it_is_listed(void **state)
{
    struct pack *p;
    struct err err = {0};
    assert_int_equal(load(&p, LAUNCHES, FIRST,
                          FIRST "\n  - {peer_copy: x, to: t, through: host, "
                                "rank: 1, stream: 2, after: [scale], label: halo}",
                          &err),
                     0);
    char *text = listing_launches(p->stories[0].variants[0], "a", NULL);
    assert_non_null(
        strstr(text, "all_reduce(t, count n / 4, first 0, stream 1)  // sum 1, after: scale\n"));
    assert_non_null(strstr(text, "peer_copy(x to the next rank's t, through the host, stream 2, "
                                 "rank 1 alone)  // halo, after: scale\n"));
    assert_non_null(strstr(text, ">>>(out, t, rank, n)  // copy"));
    free(text);
    text = listing_launches(p->stories[0].variants[1], "a", NULL);
    assert_non_null(strstr(text, "burn<<<grid 1, block 32, rank 1 alone>>>(t, n)  // late"));
    free(text);
    text = listing_launches(p->stories[0].variants[1], "r", NULL);
    assert_non_null(strstr(text, "(out, x, peer x, n)"));
    free(text);
    pack_free(p);
}

/* What is sent is what a runner takes, and all of it is to be had on several GPUs. */
static void a_request_is_what_a_runner_takes(void **state)
{
    static const char *const names[] = {"all",    "symptom", "pair",  "timing",
                                        "verify", "repeat",  "zeros", "debrief"};
    struct pack *p;
    struct err err = {0};
    struct msg_device d;
    device(&d, 2);
    assert_int_equal(load(&p, "", "", "", &err), 0);
    for (int v = 0; v < 2; v++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            struct msg_measure m, again;
            if (request_build(&m, p->stories[0].variants[v], &d, names[i], 7, &err))
                fail_msg("%s: %s", names[i], err.text);
            assert_int_equal(m.ranks, 2);
            m.id = 1;
            json_t *sent = msg_measure_encode(&m);
            if (msg_measure_decode(&again, sent, &err))
                fail_msg("%s: %s", names[i], err.text);
            char key[65], there[65];
            for (int k = 0; k < m.n_items; k++) {
                assert_int_equal(msg_item_key(key, &m, k, &err), 0);
                assert_int_equal(msg_item_key(there, &again, k, &err), 0);
                assert_string_equal(key, there);
            }
            json_decref(sent);
            msg_measure_free(&again);
            msg_measure_free(&m);
        }
    for (int i = 0; i < p->stories[0].n_experiments; i++) {
        const char *id = p->stories[0].experiments[i].id;
        assert_true(!strcmp(id, "repeat") || !strcmp(id, "zeros"));
    }
    pack_free(p);
    msg_device_free(&d);
}

static void too_few_gpus_are_told(void **state)
{
    struct pack *p;
    struct err err = {0};
    struct msg_device d;
    assert_int_equal(load(&p, "", "", "", &err), 0);
    for (int gpus = 1; gpus <= 3; gpus++) {
        device(&d, gpus);
        int rc = request_needs(&p->stories[0], &d, &err);
        assert_int_equal(rc, gpus < 2 ? ERR_UNSUPPORTED : 0);
        if (rc)
            assert_non_null(strstr(err.text, "needs 2 equal GPUs of one host, 1 is here"));
        msg_device_free(&d);
    }
    pack_free(p);
}

/* A count that does not fit shows once sizes are known, with its place. */
static void a_collective_is_held_against_its_buffer(void **state)
{
    struct pack *p;
    struct err err = {0};
    struct msg_device d;
    struct msg_measure m;
    device(&d, 2);
    assert_int_equal(
        load(&p, LAUNCHES, "first: n / 4, count: n / 4", "first: n, count: n / 4", &err), 0);
    assert_int_not_equal(request_build(&m, p->stories[0].variants[0], &d, "timing", 7, &err), 0);
    assert_non_null(strstr(err.text, "launches.yaml:5:"));
    assert_non_null(strstr(err.text, "of t"));
    pack_free(p);
    msg_device_free(&d);
}

static struct msg_series series(const char *name, const double *values, int n)
{
    struct msg_series s = {.values = mem_new((size_t)n, sizeof *values), .n = n};
    memcpy(s.values, values, (size_t)n * sizeof *values);
    snprintf(s.name, sizeof s.name, "%s", name);
    return s;
}

static void a_timeline_has_rows_of_each_gpu(void **state)
{
    static const double kernel[] = {1, 2, 3, 0, 1, 2, 3}, stream[] = {0, 1, 0, 0, 0, 1, 0},
                        start[] = {0, 2e-6, 9e-6, 0, 4e-6, 5e-6, 9e-6},
                        end[] = {1e-6, 8e-6, 10e-6, 4e-6, 5e-6, 8e-6, 11e-6},
                        rank[] = {0, 0, 0, 1, 1, 1, 1}, host[] = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4},
                        host_start[] = {0, 1e-6, 2e-6, 3e-6, 4e-6, 0, 1e-6, 2e-6, 3e-6, 4e-6},
                        host_end[] = {1e-6, 2e-6, 3e-6, 4e-6, 12e-6, 1e-6, 2e-6, 3e-6, 4e-6, 12e-6},
                        host_rank[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
    struct msg_series all[] = {series("kernel", kernel, 7),
                               series("stream", stream, 7),
                               series("start", start, 7),
                               series("end", end, 7),
                               series("rank", rank, 7),
                               series("host", host, 10),
                               series("host_start", host_start, 10),
                               series("host_end", host_end, 10),
                               series("host_rank", host_rank, 10)};
    struct msg_part part = {.probe = PROBE_TIMELINE, .run = "a", .series = all, .n_series = 9};
    static struct timeline t;
    struct pack *p;
    struct err err = {0};
    struct msg_device d;
    device(&d, 2);
    assert_int_equal(load(&p, "", "", "", &err), 0);
    assert_true(timeline_make(&t, &part, p->stories[0].variants[1], &d));
    assert_int_equal(t.n, 7);
    assert_int_equal(t.n_ranks, 2);
    assert_int_equal(t.n_calls, 10);
    assert_string_equal(t.row[0].label, "scale");
    assert_string_equal(t.row[3].label, "late");
    assert_int_equal(t.row[3].rank, 1);
    assert_string_equal(t.row[5].label, "sum");
    assert_true(t.row[5].after == 1u << 1 && t.row[5].bytes > 0);
    assert_string_equal(t.call[5].label, "launch (late)");
    assert_string_equal(t.call[9].label, "the end");
    assert_true(t.row[1].gap > 0.9e-6 && t.row[1].gap < 1.1e-6); /* the other GPU is at work then */
    assert_true(t.length > 11.9e-6);
    all[4].values[6] = 0; /* ranks in no order */
    assert_false(timeline_make(&t, &part, p->stories[0].variants[1], &d));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i].values);
    pack_free(p);
    msg_device_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(it_is_listed),
        cmocka_unit_test(a_request_is_what_a_runner_takes),
        cmocka_unit_test(too_few_gpus_are_told),
        cmocka_unit_test(a_collective_is_held_against_its_buffer),
        cmocka_unit_test(a_timeline_has_rows_of_each_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

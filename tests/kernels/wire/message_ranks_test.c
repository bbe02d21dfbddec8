/* Requests on several ranks: they go round, their keys differ from those on one, and what cannot be
 * is refused by name. */
#include "kernels/wire/message_measure.h"

#include "kernels/wire/text.h"
#include "tests/unit.h"

#define KERNEL(args) \
    "{\"source\":\"a\",\"kernel\":\"k\",\"grid\":[1],\"block\":[32],\"args\":[" args "]}"
#define K KERNEL("{\"buffer\":\"x\"}")

/* A request whose run a is `steps`; x and y have 10 floats, half 5, z 20, d is f64, out an output.
 */
static int decode(struct msg_measure *m, const char *ranks, const char *steps, const char *probe,
                  struct err *err)
{
    char *text = text_format(
        "{\"type\":\"measure\",\"id\":1,\"deadline_ms\":1000,%s\"sources\":{\"a\":{\"name\":\"a."
        "cu\","
        "\"text\":\"x\"}},\"buffers\":[{\"name\":\"x\",\"type\":\"f32\",\"count\":10},{\"name\":"
        "\"y\","
        "\"type\":\"f32\",\"count\":10},{\"name\":\"half\",\"type\":\"f32\",\"count\":5},{\"name\":"
        "\"z\",\"type\":\"f32\",\"count\":20},{\"name\":\"d\",\"type\":\"f64\",\"count\":10},{"
        "\"name\":"
        "\"i\",\"type\":\"i32\",\"count\":10},{\"name\":\"out\",\"type\":\"f32\",\"count\":10,"
        "\"role\":"
        "\"output\"}],\"runs\":{\"a\":[%s]},\"work\":{\"bytes\":0,\"flops\":0},\"items\":[%s]}",
        ranks, steps, probe);
    json_t *msg = json_loads(text, 0, NULL);
    free(text);
    assert_non_null(msg);
    *err = (struct err){0};
    int rc = msg_measure_decode(m, msg, err);
    json_decref(msg);
    return rc;
}

#define TWO "\"ranks\":2,"
#define TIMING "{\"probe\":\"timing\",\"runs\":[\"a\"]}"

static void a_request_goes_round(void **state)
{
    static const char steps[] = KERNEL(
        "{\"rank\":true},{\"peer\":\"y\"}") ","
                                            "{\"step\":\"collective\",\"kind\":\"all_gather\","
                                            "\"from\":\"half\",\"to\":\"x\",\"first\":1,"
                                            "\"count\":4,\"stream\":1,\"after\":[0]},"
                                            "{\"step\":\"peer_copy\",\"from\":\"x\",\"to\":\"y\","
                                            "\"through\":\"host\",\"rank\":1},"
                                            "{\"step\":\"wait\",\"seconds\":0.001,\"rank\":0}";
    struct msg_measure m, again;
    struct err err;
    assert_int_equal(decode(&m, TWO, steps, TIMING, &err), 0);
    const struct msg_run *r = &m.base.runs[0];
    assert_int_equal(m.ranks, 2);
    assert_int_equal(r->n_launches, 3);
    assert_int_equal(r->n_steps, 4);
    assert_true(r->launches[0].args[0].kind == ARG_RANK && r->launches[0].args[1].kind == ARG_PEER);
    assert_int_equal(r->launches[1].transfer.kind, TRANSFER_ALL_GATHER);
    assert_int_equal(r->launches[1].after, 1);
    assert_true(r->launches[2].transfer.through_host && r->launches[2].transfer.count == 10);
    assert_int_equal(r->launches[2].only, 2);
    assert_int_equal(r->steps[3].only, 1);
    assert_ptr_equal(msg_run_first(r), &r->launches[0]);
    json_t *encoded = msg_measure_encode(&m);
    assert_int_equal(msg_measure_decode(&again, encoded, &err), 0);
    json_t *twice = msg_measure_encode(&again);
    assert_true(json_equal(encoded, twice));
    json_decref(twice);
    json_decref(encoded);
    msg_measure_free(&again);
    msg_measure_free(&m);
}

static void key_of(char out[65], const char *ranks, const char *steps)
{
    struct msg_measure m;
    struct err err;
    assert_int_equal(decode(&m, ranks, steps, TIMING, &err), 0);
    assert_int_equal(msg_item_key(out, &m, 0, &err), 0);
    msg_measure_free(&m);
}

/* What was recorded before there were ranks is found by the same key. */
static void keys_tell_what_is_measured(void **state)
{
    static const char *const ways[][2] = {
        {"", K},
        {TWO, K},
        {"\"ranks\":3,", K},
        {TWO, K ",{\"step\":\"peer_copy\",\"from\":\"x\",\"to\":\"y\"}"},
        {TWO, K ",{\"step\":\"peer_copy\",\"from\":\"x\",\"to\":\"y\",\"through\":\"host\"}"},
        {TWO, K ",{\"step\":\"peer_copy\",\"from\":\"x\",\"to\":\"y\",\"rank\":0}"},
        {TWO, K ",{\"step\":\"collective\",\"kind\":\"all_reduce\",\"from\":\"x\",\"to\":\"x\"}"},
        {TWO, K ",{\"step\":\"collective\",\"kind\":\"all_reduce\",\"from\":\"x\",\"to\":\"x\","
                "\"count\":5}"},
    };
    enum { WAYS = sizeof ways / sizeof *ways };
    char keys[WAYS][65], one[65];
    for (int i = 0; i < WAYS; i++) {
        key_of(keys[i], ways[i][0], ways[i][1]);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(keys[i], keys[k]);
    }
    key_of(one, "\"ranks\":1,", K);
    assert_string_equal(one, keys[0]);
    assert_string_equal(one, "d197932be0d823841165d224f4527437d5a56f932660894223c97df9cd1640be");
}

#define C(kind, from, to, more) \
    K ",{\"step\":\"collective\",\"kind\":\"" kind "\",\"from\":\"" from "\",\"to\":\"" to \
      "\"" more "}"
#define P(from, to, more) \
    K ",{\"step\":\"peer_copy\",\"from\":\"" from "\",\"to\":\"" to "\"" more "}"

static void what_cannot_be_is_refused(void **state)
{
    static const struct {
        const char *ranks, *steps, *probe;
        int code;
        const char *says;
    } cases[] = {
        {TWO, C("all_to_all", "x", "y", ""), TIMING, 0, ""},
        {TWO, C("reduce_scatter", "z", "x", ",\"first\":2,\"count\":18"), TIMING, 0, ""},
        {TWO, C("all_reduce", "d", "out", ""), TIMING, 0, ""}, /* of a reference */
        {"", C("all_reduce", "x", "x", ""), TIMING, ERR_BAD_REQUEST, "several ranks"},
        {"", KERNEL("{\"rank\":true}"), TIMING, ERR_BAD_REQUEST, "several ranks"},
        {"", KERNEL("{\"peer\":\"x\"}"), TIMING, ERR_BAD_REQUEST, "several ranks"},
        {"\"ranks\":9,", K, TIMING, ERR_TOO_LARGE, "ranks"},
        {"\"ranks\":0,", K, TIMING, ERR_BAD_REQUEST, "ranks"},
        {TWO, KERNEL("{\"rank\":false}"), TIMING, ERR_BAD_REQUEST, "must be true"},
        {TWO, KERNEL("{\"peer\":\"w\"}"), TIMING, ERR_BAD_REQUEST, "names no buffer"},
        {TWO, C("all_reduce", "x", "w", ""), TIMING, ERR_BAD_REQUEST, "names no buffer"},
        {TWO, C("reduce", "x", "x", ""), TIMING, ERR_BAD_REQUEST, "kind"},
        {TWO, C("all_reduce", "x", "x", ",\"rank\":0"), TIMING, ERR_BAD_REQUEST, "rank"},
        {TWO, C("all_reduce", "x", "x", ",\"count\":11"), TIMING, ERR_BAD_REQUEST, "has 10"},
        {TWO, C("all_reduce", "x", "x", ",\"first\":10"), TIMING, ERR_BAD_REQUEST, "has 10"},
        {TWO, C("all_reduce", "x", "i", ""), TIMING, ERR_BAD_REQUEST, "one type"},
        {TWO, C("all_gather", "x", "x", ""), TIMING, ERR_BAD_REQUEST, "another buffer"},
        {TWO, C("all_gather", "x", "y", ""), TIMING, ERR_BAD_REQUEST, "element 20 of y"},
        {"\"ranks\":3,", C("all_to_all", "x", "y", ""), TIMING, ERR_BAD_REQUEST, "do not divide"},
        {TWO, C("all_to_all", "x", "y", ",\"first\":1,\"count\":4"), TIMING, ERR_BAD_REQUEST,
         "do not divide"},
        {TWO, P("x", "x", ""), TIMING, ERR_BAD_REQUEST, "another buffer"},
        {TWO, P("z", "x", ""), TIMING, ERR_BAD_REQUEST, "element 20 of x"},
        {TWO, P("x", "y", ",\"rank\":2"), TIMING, ERR_TOO_LARGE, "rank"},
        {TWO, P("x", "y", ",\"through\":\"air\""), TIMING, ERR_BAD_REQUEST, "through"},
        {TWO, "{\"step\":\"peer_copy\",\"from\":\"x\",\"to\":\"y\"}", TIMING, ERR_BAD_REQUEST,
         "launches no kernel"},
        {TWO, K ",{\"step\":\"alloc\",\"bytes\":1,\"rank\":0}", TIMING, ERR_BAD_REQUEST, "rank"},
        {TWO, "{\"step\":\"capture\"}," P("x", "y", "") ",{\"step\":\"replay\"}", TIMING,
         ERR_BAD_REQUEST, "graph"},
        {TWO, K, "{\"probe\":\"poison\",\"runs\":[\"a\"],\"against\":\"a\"}", ERR_BAD_REQUEST,
         "poison"},
        {TWO, K, "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"a\",\"offset\":4}",
         ERR_BAD_REQUEST, "moved bases"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct msg_measure m;
        struct err err;
        int rc = decode(&m, cases[i].ranks, cases[i].steps, cases[i].probe, &err);
        if (rc != cases[i].code || !strstr(err.text, cases[i].says))
            fail_msg("case %zu: %d, %s", i, rc, err.text);
        msg_measure_free(&m);
    }
}

static void a_collective_lies_where_it_should(void **state)
{
    struct msg_transfer m = {.kind = TRANSFER_ALL_GATHER, .first = 6, .count = 12};
    struct transfer_place p = transfer_place(&m, 3);
    assert_true(p.first == 18 && p.count == 36);
    m.kind = TRANSFER_REDUCE_SCATTER;
    p = transfer_place(&m, 3);
    assert_true(p.first == 2 && p.count == 4);
    m.kind = TRANSFER_ALL_TO_ALL;
    p = transfer_place(&m, 3);
    assert_true(p.first == 6 && p.count == 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_goes_round),
        cmocka_unit_test(keys_tell_what_is_measured),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_collective_lies_where_it_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

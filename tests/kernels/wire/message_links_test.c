/* Links as JSON: the example of kernels/PROTOCOL.md goes round, alone and within a device; what a
 * runner may not say is refused by name; one figure stands for all pairs, and it is the worst. */
#include "kernels/wire/links.h"

#include <math.h>

#include "kernels/wire/message_device.h"
#include "tests/unit.h"

/* The n-th line of the protocol's page that begins so. */
static json_t *example(const char *begins, int n)
{
    FILE *f = fopen("kernels/PROTOCOL.md", "r");
    char *line = NULL;
    size_t cap = 0;
    json_t *found = NULL;
    assert_non_null(f);
    while (!found && getline(&line, &cap, f) > 0)
        if (!strncmp(line, begins, strlen(begins)) && n-- == 0)
            found = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
    free(line);
    fclose(f);
    assert_non_null(found);
    return found;
}

static json_t *answer(void) { return example("{\"type\":\"links\"", 1); }

static void the_request_goes_round(void **state)
{
    struct msg_ask_links a, again;
    struct err err = {0};
    json_t *msg = example("{\"type\":\"links\"", 0);
    assert_int_equal(msg_ask_links_decode(&a, msg, &err), 0);
    assert_true(a.id == 9 && a.gpus == 2 && a.deadline_ms == 60000 && !a.measure);
    a.measure = true;
    json_t *other = msg_ask_links_encode(&a);
    assert_int_equal(msg_ask_links_decode(&again, other, &err), 0);
    assert_true(again.measure && again.gpus == 2 && again.id == 9);
    json_decref(other);
    json_decref(msg);
}

static void the_answer_goes_round(void **state)
{
    struct msg_links l, again;
    struct err err = {0};
    json_t *msg = answer();
    assert_int_equal(msg_links_decode(&l, msg, &err), 0);
    assert_true(l.n_pairs == 2 && l.pairs[1].from == 1 && l.pairs[1].direct.one_way == 0);
    assert_true(l.all_reduce.n_points == 2 && l.all_reduce.alpha == 1.1e-5);
    assert_true(l.hosts[1].both_ways == 4.6e10 && l.method == 2);
    assert_string_equal(l.nccl, "2.28.3");
    assert_non_null(strstr(l.no_peer, "GPU 1 cannot reach"));
    json_t *other = msg_links_encode(&l);
    assert_int_equal(msg_links_decode(&again, other, &err), 0);
    assert_memory_equal(&l, &again, sizeof l);
    json_decref(other);
    json_decref(msg);
}

static void a_device_has_them_too(void **state)
{
    struct msg_device d, again;
    struct err err = {0};
    double value = 0;
    json_t *msg = example("{\"type\":\"device\"", 0), *links = answer();
    assert_int_equal(msg_device_decode(&d, msg, &err), 0);
    assert_true(d.links.gpus == 0 && !msg_device_ceiling(&d, "to_device", &value));
    msg_device_free(&d);
    json_object_set(msg, "links", links);
    assert_int_equal(msg_device_decode(&d, msg, &err), 0);
    assert_true(msg_device_ceiling(&d, "to_device", &value) && value == 5.5e10);
    assert_true(msg_device_ceiling(&d, "copy", &value) && value == 4.2e12);
    json_t *other = msg_device_encode(&d);
    assert_int_equal(msg_device_decode(&again, other, &err), 0);
    assert_memory_equal(&d.links, &again.links, sizeof d.links);
    msg_device_free(&again);
    msg_device_free(&d);
    json_object_set_new(links, "gpus", json_integer(9));
    assert_int_not_equal(msg_device_decode(&d, msg, &err), 0);
    assert_non_null(strstr(err.text, "links"));
    json_decref(other);
    json_decref(links);
    json_decref(msg);
}

/* Path of members and indices, what is put there, and what the refusal names. */
static void what_cannot_be_is_refused_by_name(void **state)
{
    static const struct {
        const char *list, *key, *value, *says;
        int at;
    } cases[] = {
        {NULL, "gpus", "1", "gpus", 0},
        {NULL, "gpus", "9", "gpus", 0},
        {NULL, "gpus", "3", "host", 0},
        {NULL, "pairs", "7", "pairs", 0},
        {NULL, "host", "[]", "host", 0},
        {NULL, "all_reduce", "{\"points\":[{\"bytes\":1}]}", "all_reduce.points[0].seconds", 0},
        {NULL, "all_reduce", "{\"points\":[],\"alpha\":0,\"beta\":1,\"residual\":0}",
         "all_reduce.alpha", 0},
        {"pairs", "to", "2", "pairs[1].to", 1},
        {"pairs", "direct", "{\"one_way\":-1}", "pairs[0].direct.one_way", 0},
        {"pairs", "staged", "[]", "pairs[0].staged", 0},
        {"host", "to_host", "0", "host[1].to_host", 1},
        {"host", "latency", "\"fast\"", "host[0].latency", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct msg_links l;
        struct err err = {0};
        json_t *msg = answer(), *in = msg;
        if (cases[i].list)
            in = json_array_get(json_object_get(msg, cases[i].list), (size_t)cases[i].at);
        json_object_set_new(in, cases[i].key, json_loads(cases[i].value, JSON_DECODE_ANY, NULL));
        if (!msg_links_decode(&l, msg, &err) || !strstr(err.text, cases[i].says))
            fail_msg("%s: %s", cases[i].says, err.text);
        assert_int_equal(l.gpus, 0);
        json_decref(msg);
    }
}

static void one_figure_is_the_worst(void **state)
{
    struct msg_links l = {.gpus = 2,
                          .n_pairs = 2,
                          .pairs = {{0, 1, {4e11, 3e11, 2e-6}, {2e10, 1e10, 3e-5}},
                                    {1, 0, {3e11, 3e11, 4e-6}, {3e10, 1e10, 2e-5}}},
                          .hosts = {{5e10, 4e10, 3e10, 1e-6}, {6e10, 3e10, 3e10, 1e-6}},
                          .all_reduce = {.alpha = 1e-5, .beta = 3e11}};
    static const struct {
        const char *name;
        double value;
    } figures[] = {
        {"peer_copy", 3e11},     {"peer_copy_both", 3e11},   {"peer_latency", 4e-6},
        {"staged_copy", 2e10},   {"staged_copy_both", 1e10}, {"staged_latency", 3e-5},
        {"to_device", 5e10},     {"to_host", 3e10},          {"all_reduce_alpha", 1e-5},
        {"all_reduce_beta", 3e11},
    };
    double value;
    const char *unit;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        assert_true(links_number(&l, figures[i].name, &value) && value == figures[i].value);
        assert_string_equal(links_name((int)i, &unit), figures[i].name);
        assert_string_equal(unit, figures[i].value < 1 ? "s" : "B/s");
    }
    assert_null(links_name(sizeof figures / sizeof *figures, &unit));
    assert_false(links_number(&l, "copy", &value));
    l.pairs[0].direct = (struct link_way){0}; /* one pair that is not linked is the slowest */
    assert_false(links_number(&l, "peer_copy", &value));
    assert_false(links_number(&l, "peer_latency", &value));
    assert_false(links_number(&(struct msg_links){.gpus = 0}, "to_host", &value));
}

/* nccl-tests, doc/PERFORMANCE.md: all-reduce moves 2 (n - 1) / n of the data over the bus. */
static void the_bus_is_that_of_nccl_tests(void **state)
{
    struct link_point p = {1e9, 0.01};
    assert_true(fabs(links_bus(2, &p) / 1e11 - 1) < 1e-12);
    assert_true(fabs(links_bus(8, &p) / 1.75e11 - 1) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_request_goes_round),
        cmocka_unit_test(the_answer_goes_round),
        cmocka_unit_test(a_device_has_them_too),
        cmocka_unit_test(what_cannot_be_is_refused_by_name),
        cmocka_unit_test(one_figure_is_the_worst),
        cmocka_unit_test(the_bus_is_that_of_nccl_tests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

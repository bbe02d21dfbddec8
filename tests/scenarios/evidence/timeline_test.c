/* From a timeline's part to rows: labels, gaps, bytes; and what is no timeline. */
#include "scenarios/evidence/timeline.h"

#include <math.h>

#include "tests/unit.h"

/* scale x [0..10], scale y [0..20] on the other stream, sum [25..40]; us. */
static double kernel[] = {0, 1, 2}, stream[] = {0, 1, 0}, start[] = {0, 0, 25e-6},
              end[] = {10e-6, 20e-6, 40e-6};
static char *names[] = {"scale", "scale", "add"};

static struct msg_part part_of(struct msg_series s[4], int n)
{
    s[0] = (struct msg_series){"kernel", kernel, n};
    s[1] = (struct msg_series){"stream", stream, n};
    s[2] = (struct msg_series){"start", start, n};
    s[3] = (struct msg_series){"end", end, n};
    return (struct msg_part){.probe = PROBE_TIMELINE,
                             .run = "a",
                             .variant = -1,
                             .series = s,
                             .n_series = 4,
                             .lines = names,
                             .n_lines = n};
}

static struct msg_number attributes[] = {{.name = "l2_bytes", .value = 1 << 20}};
static const struct msg_device device = {.attributes = attributes, .n_attributes = 1};

static struct pack *open_steps(void)
{
    struct pack *p = NULL;
    struct err err = {0};
    if (pack_open(&p, "tests/packs/steps", &err))
        fail_msg("%s", err.text);
    return p;
}

static void rows_have_labels_gaps_and_bytes(void **state)
{
    struct pack *p = open_steps();
    const struct variant *v = p->stories[0].variants[0];
    struct msg_series s[4];
    struct msg_part part = part_of(s, 3);
    struct timeline step;
    assert_true(timeline_make(&step, &part, v, &device));
    assert_int_equal(step.n, 3);
    assert_int_equal(step.n_streams, 2);
    assert_int_equal(step.longest, 1);
    assert_true(fabs(step.length - 40e-6) < 1e-12);
    assert_string_equal(step.row[1].label, "scale y");
    assert_string_equal(step.row[1].kernel, "scale");
    assert_true(step.row[0].gap == 0 && step.row[1].gap == 0);
    assert_true(fabs(step.row[2].gap - 5e-6) <
                1e-12); /* after the end of scale y, though sum is on the stream of scale x */
    assert_int_equal(step.row[2].after, 1u << 1);
    assert_true(step.row[2].bytes == 12.0 * (1 << 20) && step.row[0].flops == 1 << 20 &&
                step.row[2].flops == 0);
    assert_true(timeline_make(&step, &part, v, NULL) && step.row[2].bytes == 0);
    assert_true(timeline_make(&step, &part, NULL, &device));
    assert_string_equal(step.row[1].label, "scale");
    pack_free(p);
}

static void other_launches_keep_their_kernels_names(void **state)
{
    struct pack *p = open_steps();
    const struct variant *v = p->stories[0].variants[0];
    struct msg_series s[4];
    struct msg_part part = part_of(s, 2);
    struct timeline step;
    assert_true(timeline_make(&step, &part, v, &device));
    assert_string_equal(step.row[1].label, "scale");
    assert_true(step.row[1].bytes == 0);
    pack_free(p);
}

static void what_is_no_timeline_is_refused(void **state)
{
    struct pack *p = open_steps();
    const struct variant *v = p->stories[0].variants[0];
    struct msg_series s[4];
    struct timeline step;
    double wild[] = {0, 9, 0}, early[] = {0, 0, 60e-6}, none[] = {0, 0, NAN};
    for (int k = 0; k < 6; k++) {
        struct msg_part part = part_of(s, 3);
        if (k == 0)
            part.probe = PROBE_TIMING;
        if (k == 1)
            part.n_series = 3;
        if (k == 2)
            s[3].n = 2;
        if (k == 3)
            s[1].values = wild;
        if (k == 4)
            s[2].values = early;                                   /* begins after its end */
        if (k == 5)
            s[2].values = none;
        assert_false(
            timeline_make(&step, &part, v, &device));
        assert_int_equal(step.n, 0);
    }
    assert_false(timeline_make(&step, NULL, v, &device));
    pack_free(p);
}

/* The host's calls are rows of their own, and the step is as long as the host is held up. */
static void calls_of_the_host_are_rows(void **state)
{
    static double host[] = {0, 1, 2}, from[] = {0, 2e-6, 9e-6}, to[] = {1e-6, 9e-6, 50e-6};
    static char *both[] = {"scale", "scale", "add", "launch", "read", "sync"};
    struct msg_series s[7];
    struct msg_part part = part_of(s, 3);
    struct timeline step;
    s[4] = (struct msg_series){"host", host, 3};
    s[5] = (struct msg_series){"host_start", from, 3};
    s[6] = (struct msg_series){"host_end", to, 3};
    part.n_series = 7, part.lines = both, part.n_lines = 6;
    assert_true(timeline_make(&step, &part, NULL, NULL));
    assert_true(step.n == 3 && step.n_calls == 3);
    assert_string_equal(step.call[1].label, "read");
    assert_true(step.call[1].start == 2e-6 && step.call[1].end == 9e-6);
    assert_true(step.length == 50e-6);
    part.n_series = 6;                              /* without their ends they are no rows */
    assert_false(timeline_make(&step, &part, NULL, NULL));
    assert_true(step.n == 0 && step.n_calls == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_of_the_host_are_rows),
        cmocka_unit_test(rows_have_labels_gaps_and_bytes),
        cmocka_unit_test(other_launches_keep_their_kernels_names),
        cmocka_unit_test(what_is_no_timeline_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

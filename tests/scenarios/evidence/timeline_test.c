/* From a timeline's part to rows: labels, gaps, bytes; and what is no timeline. */
#include "scenarios/evidence/timeline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>


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
    (void)state;
    struct pack *p = open_steps();
    const struct variant *v = p->stories[0].variants[0];
    struct msg_series s[4];
    struct msg_part part = part_of(s, 3);
    struct timeline step;
    int n = 0;
    const struct launch *l = variant_launches(v, "a", &n);
    assert_int_equal(n, 3);
    assert_true(timeline_make(&step, &part, v->story, l, n, &device));
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
    assert_true(timeline_make(&step, &part, v->story, l, n, NULL) && step.row[2].bytes == 0);
    variant_launches(v, "b", &n);
    assert_int_equal(n, 1);
    pack_free(p);
}

static void other_launches_keep_their_kernels_names(void **state)
{
    (void)state;
    struct pack *p = open_steps();
    const struct story *story = &p->stories[0];
    struct msg_series s[4];
    struct msg_part part = part_of(s, 2);
    struct timeline step;
    assert_true(timeline_make(&step, &part, story, story->launches, story->n_launches, &device));
    assert_string_equal(step.row[1].label, "scale");
    assert_true(step.row[1].bytes == 0);
    pack_free(p);
}

static void what_is_no_timeline_is_refused(void **state)
{
    (void)state;
    struct pack *p = open_steps();
    const struct story *story = &p->stories[0];
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
            timeline_make(&step, &part, story, story->launches, story->n_launches, &device));
        assert_int_equal(step.n, 0);
    }
    assert_false(timeline_make(&step, NULL, story, story->launches, story->n_launches, &device));
    pack_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_labels_gaps_and_bytes),
        cmocka_unit_test(other_launches_keep_their_kernels_names),
        cmocka_unit_test(what_is_no_timeline_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

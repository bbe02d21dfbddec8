/* warpdrill new without a terminal: what a draft says of its kernel, what its author is asked, and
 * that everything it makes loads. */
#include <stdlib.h>
#include <string.h>

#include "tests/scenarios/new/made_scaffold.h"

static const struct { const char *file, *kernel, *path, *holds;
} read_rightly[] = {
    {"one-arg.cu", NULL, SCENARIO, "x: {type: f32, count: elements, role: output}"},
    {"one-arg.cu", NULL, SCENARIO, "args: [x]"},
    {"host-code.cu", NULL, SCENARIO,
     "grid: [\"ceildiv(rows, 128)\"]\n"},
    {"host-code.cu", NULL, SCENARIO,
     "block: [128]\n"},
    {"host-code.cu", NULL, SCENARIO,
     "  cols: 1024    # what your case had\n"},
    {"host-code.cu", NULL, SCENARIO, "# your code, line 60: <<<grid, block>>>"},
    {"host-code.cu", NULL, SUSPECT,
     "extern \"C\" __global__ void __launch_bounds__(BLOCK) softmax_rows("},
    {"host-code.cu", NULL, SUSPECT, "#define FLT_MAX 3.402823466e+38f\n"},
    {"host-code.cu", NULL, SUSPECT, "constexpr float LOG2E"},
    {"host-code.cu", NULL, SUSPECT, "/* \"quoted {\" and 'c' */"},
    {"host-code.cu", NULL, ANSWER,
     "text: 'out[(size_t)row * cols + k] = exp2f((x[k] - top) * LOG2E) / sum;'"},
    {"several.cu", NULL, SCENARIO,
     "x: {type: f32, count: elements, role: inout, fill: \"uniform(-1, 1)\"}"},
    {"several.cu", NULL, SCENARIO, "args: [x, {f32: 1}, n]"},
    {"several.cu", "histogram", SCENARIO,
     "bins: {type: i32, count: elements, role: inout, fill: zeros}"},
    {"several.cu", "histogram", SCENARIO,
     "keys: {type: u8, count: elements, fill: \"uniform(0, 100)\"}"},
    {"several.cu", "histogram", SCENARIO, "args: [bins, keys, {i64: n}]"},
    {"several.cu", "histogram", SCENARIO, "tolerance: exact"},
    {"several.cu", "histogram", ANSWER, "cause: inst.atomic-contention"},
    {"several.cu", "histogram", SUSPECT, "// Second.\nextern \"C\" __global__ void histogram("},
    {"many-args.cu", NULL, SCENARIO,
     "args: [out, in, coef, scratch, nx, ny, nz, {i64: stride}, {f32: 1}, {f64: 1e-5}, periodic, "
     "steps, map, mask]"},
    {"many-args.cu", NULL, SCENARIO,
     "coef: {type: f32, count: 4 * elements, fill: \"uniform(-1, 1)\"}"},
    {"many-args.cu", NULL, SCENARIO, "scratch: {type: f32, count: elements, role: workspace}"},
    {"many-args.cu", NULL, SCENARIO, "grid: [\"ceildiv(nx, 32)\", \"ceildiv(ny, 8)\", nz]"},
    {"many-args.cu", NULL, REFERENCE,
     "void reference(double *out, const float *in, const float *coef, float *scratch, int nx, int "
     "ny, int nz, long long stride, float dt, double eps, int periodic, int steps, const int *map, "
     "const unsigned char *mask, long long elements)"},
    {"half.cu", NULL, SCENARIO, "out: {type: bf16, count: elements, role: output}"},
    {"half.cu", NULL, SCENARIO, "tolerance: {relative: 1e-2"},
    {"half.cu", NULL, SUSPECT, "struct __half {"},
    {"half.cu", NULL, REFERENCE,
     "void reference(double *out, const __half *in, int n, long long elements)"},
    {"clash.cu", NULL, SCENARIO, "time_: {type: f32, count: elements_, role: output}"},
    {"clash.cu", NULL, SCENARIO, "args: [time_, max_, work_, elements, i, value]"},
    {"clash.cu", NULL, REFERENCE,
     "void reference(double *time, const float *max, int work, int elements_, int i_, const float "
     "*value_, long long elements)"},
    {"../tutorial/drops.cu", NULL, SCENARIO,
     "args: [v_out, v_in, {f32: 0.01}, n, steps]\n"},
    {"../tutorial/drops.cu", NULL, SCENARIO, "  steps: 64    # what your case had\n"},
    {"../tutorial/drops.cu", NULL, SCENARIO, "block: [256]\n"},
    {"../tutorial/drops.cu", NULL, SCENARIO, "grid: [\"ceildiv(n, 256)\"]"},
    {"crlf.cu", NULL, SUSPECT, "// Made elsewhere.\nextern \"C\" __global__ void add("},
    {"matmul.cu", NULL, SCENARIO, "grid: [\"ceildiv(N, 16)\", \"ceildiv(M, 16)\"]"},
    {"matmul.cu", NULL, SCENARIO, "block: [16, 16]\n"},
    {"rows.cu", NULL, SCENARIO, "grid: [rows]"},
    {"rows.cu", NULL, SCENARIO, "shared: 1024    # guessed; FILL IN: dynamic shared memory"},
    {"rows.cu", NULL, SCENARIO, "block: [256]    # guessed; FILL IN: the threads of your launch"},
    {"many-args.cu", NULL, SCENARIO,
     "block: [32, 8]    # guessed; FILL IN: from __launch_bounds__; the threads of your launch"},
    {"many-args.cu", NULL, SCENARIO,
     "periodic: 1    # guessed; FILL IN: the number that your case had"},
    {"many-args.cu", NULL, SCENARIO, "    # guessed; FILL IN: the numbers for dt, eps\n"},
    {"many-args.cu", NULL, ANSWER,
     "{i64: elements}]    # guessed; FILL IN: the numbers for dt, eps\n"},
    {"many-args.cu", NULL, ANSWER,
     "cause: mem.uncoalesced    # guessed as the commonest; FILL IN: what it was"},
    {"several.cu", "histogram", ANSWER,
     "cause: inst.atomic-contention    # guessed because of atomicAdd; FILL IN: what it was"},
    {"left-out.cu", NULL, SCENARIO, "y: {type: f32, count: 4 * elements, role: output}"},
    {"left-out.cu", NULL, SUSPECT, "struct Used"},
    {"left-out.cu", NULL, SCENARIO,
     "  flip: 1    # guessed; FILL IN: the number that your case had\n"},
    {"left-out.cu", NULL, SCENARIO,
     "args: [y, x, n, k, {f32: 0.5}, {f32: 0.5}, {f32: -0.5}, flip, {i64: stride}, {i32: -3}, "
     "{f64: 0.1}]\n"},
    {"left-out.cu", NULL, SCENARIO,
     "  stride: k    # guessed; FILL IN: rows without gaps, or what your case had\n"},
    {"left-out.cu", NULL, SCENARIO, "# your code, line 30: <<<1 << 13, 4 * 32, 48 * 1024>>>\n"},
    {"left-out.cu", NULL, SCENARIO,
     "block: [256]    # guessed; FILL IN: the threads of your launch\n"},
    {"left-out.cu", NULL, SCENARIO,
     "shared: 1024    # guessed; FILL IN: dynamic shared memory, bytes\n"},
    {"launches.cu", "plain", SCENARIO, "block: [128]\n"},
    {"launches.cu", "plain", SCENARIO, "grid: [\"ceildiv(n, 128)\"]\n"},
    {"launches.cu", "strides", SCENARIO,
     "grid: [1320]    # guessed; FILL IN: as your launch has it; for these sizes ceildiv(elements, "
     "256)\n"},
    {"launches.cu", "strides", SCENARIO, "block: [256]\n"},
    {"launches.cu", "tiles", SCENARIO,
     "grid: [64, 135]    # guessed; FILL IN: as your launch has it; for these sizes ceildiv(width, "
     "32), ceildiv(height, 8)\n"},
    {"launches.cu", "tiles", SCENARIO, "block: [32, 8]\n"},
    {"launches.cu", "tiles", SCENARIO,
     "shared: 4096    # dynamic shared memory, bytes; what your case had\n"},
    {"launches.cu", "braces", SCENARIO, "grid: [8]    # guessed"},
    {"launches.cu", "braces", SCENARIO, "block: [64]\n"},
    {"launches.cu", "named", SCENARIO,
     "block: [512]    # guessed; FILL IN: from __launch_bounds__"},
    {"launches.cu", "named", SCENARIO, "grid: [n / 512]\n"},
    {"launches.cu", "computed", SCENARIO,
     "block: [128]    # guessed; FILL IN: from __launch_bounds__"},
    {"launches.cu", "too_many", SCENARIO,
     "grid: [\"ceildiv(elements, 256)\"]    # guessed; FILL IN: the blocks of your launch, as a "
     "formula of the sizes\n"},
    {"rows.cu", NULL, SCENARIO,
     "fill: \"uniform(-1, 1)\"}    # 16 bits taken for f16; bf16 if they are that"},
};

static void reads_kernels_rightly(void **state)
{
    for (size_t i = 0; i < sizeof read_rightly / sizeof *read_rightly; i++) {
        struct files *f;
        struct err err = {0};
        if (make(&f, read_rightly[i].file, read_rightly[i].kernel, NULL, &err))
            fail_msg("%s: %s", read_rightly[i].file, err.text);
        holds(f, read_rightly[i].path, read_rightly[i].holds);
        files_free(f);
    }
}

/* ---- ids ---- */

static void knows_a_name_that_tells(void **state)
{
    char out[200];
    assert_true(scaffold_tells(out, sizeof out, "slow-rows"));
    assert_string_equal(out, "'slow' says how it stands");
    assert_true(scaffold_tells(out, sizeof out, "sums-uncoalesced"));
    assert_string_equal(out, "'uncoalesced' names a cause: uncoalesced access");
    assert_false(scaffold_tells(out, sizeof out, "camera-frames"));
    assert_false(scaffold_tells(out, sizeof out, "image-rows"));
}

/* ---- what is asked ---- */

/* many-args.cu: two extents of a grid of three sides, numbers of both kinds, a pitch. */
static void open_many(struct scaffold *s)
{
    struct err err = {0};
    *s = (struct scaffold){.level = 2};
    assert_int_equal(scaffold_place(s, "nowhere/some-pack/some-rows", &err), 0);
    assert_int_equal(source_open_at(&s->source, "tests/new/many-args.cu", NULL, &err), 0);
    s->kernel = &s->source->kernels[0];
    assert_int_equal(source_params(s->source, &s->source->kernels[0], &err), 0);
    scaffold_guess(s);
}

static int param(const struct scaffold *s, const char *name)
{
    for (int i = 0; i < s->kernel->n_params; i++)
        if (!strcmp(s->kernel->params[i].name, name))
            return i;
    fail_msg("there is no %s", name);
    return -1;
}

static const char *const lacking[] = {"nx", "ny", "nz", "dt", "eps", "periodic", "steps"};

static void proposes_what_was_found(void **state)
{
    struct scaffold s;
    struct proposal now;
    enum { LACKING = sizeof lacking / sizeof *lacking };
    open_many(&s);
    scaffold_propose(&now, &s);
    assert_string_equal(now.block, "32, 8");
    assert_string_equal(now.grid, "ceildiv(nx, 32), ceildiv(ny, 8), nz");
    assert_int_equal(now.n_lacks, LACKING);
    for (int i = 0; i < LACKING; i++)
        assert_true(now.lacks[param(&s, lacking[i])]);
    assert_int_equal(scaffold_set_block(&s, " 64 ,4", NULL), 0);
    assert_int_equal(scaffold_set_number(&s, param(&s, "dt"), "0.5", NULL), 0);
    scaffold_propose(&now, &s);
    assert_string_equal(now.block, "64, 4");
    assert_string_equal(now.grid, "ceildiv(nx, 64), ceildiv(ny, 4), nz");
    assert_int_equal(now.n_lacks, LACKING - 1);
    scaffold_free(&s);
}

static const struct { const char *of, *param, *answer, *says;
} answers[] = {
    {"block", NULL, "0", "'0' is no block; one to three numbers of together at most 1024"},
    {"block", NULL, "", "is no block"},
    {"block", NULL, "256 threads", "is no block"},
    {"block", NULL, "1,1,1,1", "is no block"},
    {"block", NULL, "64, 32", "is no block"},
    {"block", NULL, "1024", NULL},
    {"grid", NULL, "ceildiv(nx, 32), gpu.sm_count", NULL},
    {"grid", NULL, "min(nx, ny), elements, 4 * (nz + 1)", NULL},
    {"grid", NULL, "", "'' is no formula"},
    {"grid", NULL, "nx,", "'' is no formula"},
    {"grid", NULL, "(nx + 31", "'(nx + 31' is no formula"},
    {"grid", NULL, "rows",
     "'rows' is no size of this scenario; nx, ny, nz, stride, periodic, steps, elements, "
     "gpu.sm_count"},
    {"grid", NULL, "gpu.cores", "'gpu.cores' is no size"},
    {"grid", NULL, "1, 2, 3, 4",
     "has 4 parts; one to three formulas were expected, such as ceildiv(nx, 32)"},
    {"number", "nx", "1000", NULL},
    {"number", "nx", "0", "'0' is no whole number; 1 or more was expected"},
    {"number", "nx", "1.5", "is no whole number"},
    {"number", "steps", "-3", NULL},
    {"number", "steps", "3u", "is no whole number"},
    {"number", "dt", "-2.5e-3", NULL},
    {"number", "dt", "0.5f", "'0.5f' is no number; one such as 0.5 or 1e-5 was expected"},
    {"number", "dt", "inf", "is no number"},
    {"number", "dt", "1 ms", "is no number"},
};

static int answer(struct scaffold *s, size_t i, struct err *err)
{
    if (!strcmp(answers[i].of, "block"))
        return scaffold_set_block(s, answers[i].answer, err);
    if (!strcmp(answers[i].of, "grid"))
        return scaffold_set_grid(s, answers[i].answer, err);
    return scaffold_set_number(s, param(s, answers[i].param), answers[i].answer, err);
}

/* What is taken makes a scenario that loads. */
static void takes_or_refuses_each_answer(void **state)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct scaffold s;
        struct err err = {0};
        struct files *f = NULL;
        const char **made = NULL;
        int n;
        open_many(&s);
        int rc = answer(&s, i, &err);
        if (answers[i].says ? !rc || !strstr(err.text, answers[i].says) : rc)
            fail_msg("%s: %s", answers[i].answer, err.text);
        if (!rc && scaffold_make(&f, &made, &n, &s, &err))
            fail_msg("%s: %s", answers[i].answer, err.text);
        free(made);
        files_free(f);
        scaffold_free(&s);
    }
}

static void what_was_said_bears_no_mark(void **state)
{
    struct scaffold s;
    struct err err = {0};
    struct files *f = NULL;
    const char **made = NULL;
    int n;
    open_many(&s);
    assert_int_equal(scaffold_set_block(&s, "64, 2", &err), 0);
    assert_int_equal(scaffold_set_grid(&s, "ceildiv(nx, 64), ny", &err), 0);
    assert_int_equal(scaffold_set_number(&s, param(&s, "nx"), "1000", &err), 0);
    assert_int_equal(scaffold_set_number(&s, param(&s, "steps"), "-3", &err), 0);
    assert_int_equal(scaffold_set_number(&s, param(&s, "dt"), "-0.5", &err), 0);
    assert_int_equal(scaffold_set_number(&s, param(&s, "eps"), "1e-3", &err), 0);
    assert_int_equal(scaffold_make(&f, &made, &n, &s, &err), 0);
    holds(f, SCENARIO, "    grid: [\"ceildiv(nx, 64)\", ny]\n    block: [64, 2]\n");
    holds(f, SCENARIO, "  nx: 1000    # what your case had\n");
    holds(f, SCENARIO,
          "nz, {i64: stride}, {f32: -0.5}, {f64: 1e-3}, periodic, {i32: -3}, map, mask]\n");
    holds(f, ANSWER,
          "{f32: -0.5}, {f64: 1e-3}, periodic, {i32: -3}, map, mask, {i64: elements}]\n");
    lacks(f, SCENARIO, "  steps:");
    free(made);
    files_free(f);
    scaffold_free(&s);
}

/* ---- causes ---- */

static void every_cause_makes_a_scenario_that_loads(void **state)
{
    size_t n;
    int drafts = 0;
    const struct hypothesis *t = taxonomy(&n);
    for (size_t i = 0; i < n; i++) {
        struct files *f;
        struct err err = {0};
        if (!cause_find(t[i].id))
            continue;
        if (make(&f, "host-code.cu", NULL, t[i].id, &err))
            fail_msg("%s: %s", t[i].id, err.text);
        char *cause = text_format("cause: %s\n", t[i].id);
        holds(f, ANSWER, cause);
        free(cause);
        files_free(f);
        drafts++;
    }
    assert_int_equal(drafts, 27);
}

/* Two rivals that one probe weighs alike would stay together whatever is bought. */
static void rivals_are_told_apart(void **state)
{
    size_t n;
    const struct hypothesis *t = taxonomy(&n);
    for (size_t i = 0; i < n; i++) {
        const struct cause *d = cause_find(t[i].id);
        for (int a = 0; d && a < CAUSE_RIVALS && d->rivals[a]; a++) {
            const struct cause *x = cause_find(d->rivals[a]);
            assert_non_null(x);
            assert_ptr_not_equal(x, d);
            for (int b = 0; b < a; b++) {
                const struct cause *y = cause_find(d->rivals[b]);
                if (!strcmp(x->speaks_against.probe, y->speaks_against.probe) &&
                    x->speaks_against.word == y->speaks_against.word)
                    fail_msg("%s: %s and %s weigh the same", d->id, x->id, y->id);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_kernels_rightly),
        cmocka_unit_test(knows_a_name_that_tells),
        cmocka_unit_test(proposes_what_was_found),
        cmocka_unit_test(takes_or_refuses_each_answer),
        cmocka_unit_test(what_was_said_bears_no_mark),
        cmocka_unit_test(every_cause_makes_a_scenario_that_loads),
        cmocka_unit_test(rivals_are_told_apart),
    };
    return cmocka_run_group_tests_name("scaffold", tests, NULL, NULL);
}

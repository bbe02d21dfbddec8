/* warpdrill new without a terminal: what is read of a kernel, what is refused and where, that
 * everything it makes loads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold.h"

/* Made in memory, in a pack that is not there. */
static int make(struct files **out, const char *file, const char *kernel, const char *cause,
                struct err *err)
{
    struct scaffold s = {.level = 2};
    const char **made = NULL;
    int n = 0;
    char *path = text_format("tests/new/%s", file);
    *out = NULL;
    int rc = scaffold_place(&s, "nowhere/some-pack/some-rows", err);
    if (!rc)
        rc = source_open(&s.source, path, err);
    if (!rc) {
        s.kernel = kernel ? source_kernel(s.source, kernel) : &s.source->kernels[0];
        assert_non_null(s.kernel);
        rc = source_params(s.source, (struct kernel *)s.kernel, err);
    }
    if (!rc) {
        s.cause = cause ? cause_find(cause) : NULL;
        scaffold_guess(&s);
        rc = scaffold_make(out, &made, &n, &s, err);
        assert_true(rc || n == 7);
    }
    free(made);
    free(path);
    scaffold_free(&s);
    return rc;
}

static const char *text_of(const struct files *f, const char *path)
{
    const struct file *found = files_find(f, path);
    if (!found)
        fail_msg("there is no %s", path);
    return found->text;
}

static void holds(const struct files *f, const char *path, const char *text)
{
    if (!strstr(text_of(f, path), text))
        fail_msg("%s does not hold: %s\n%s", path, text, text_of(f, path));
}

static void lacks(const struct files *f, const char *path, const char *text)
{
    if (strstr(text_of(f, path), text))
        fail_msg("%s holds: %s", path, text);
}

#define SCENARIO "some-rows/scenario.yaml"
#define SUSPECT "some-rows/a/suspect.cu"
#define REFERENCE "some-rows/a/sealed/reference.cu"
#define ANSWER "some-rows/a/sealed/answer.yaml"

static const struct { const char *file, *kernel, *path, *holds;
} read_rightly[] = {
    {"one-arg.cu", NULL, SCENARIO, "x: {type: f32, count: elements, role: output}"},
    {"one-arg.cu", NULL, SCENARIO, "args: [x]"},
    {"host-code.cu", NULL, SCENARIO,
     "grid: [\"ceildiv(rows, 256)\"]    # guessed; FILL IN: the blocks of your launch"},
    {"host-code.cu", NULL, SCENARIO,
     "block: [256]    # guessed; FILL IN: the threads of your launch"},
    {"host-code.cu", NULL, SCENARIO,
     "  cols: 1024    # guessed; FILL IN: the number that your case had\n"},
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
     "args: [v_out, v_in, {f32: 1}, n, steps]    # guessed; FILL IN: the numbers for dt\n"},
    {"../tutorial/drops.cu", NULL, SCENARIO,
     "  steps: 4    # guessed; FILL IN: the number that your case had\n"},
    {"../tutorial/drops.cu", NULL, SCENARIO, "block: [256]\n"},
    {"../tutorial/drops.cu", NULL, SCENARIO, "grid: [\"ceildiv(n, 256)\"]"},
    {"crlf.cu", NULL, SUSPECT, "// Made elsewhere.\nextern \"C\" __global__ void add("},
    {"matmul.cu", NULL, SCENARIO, "grid: [\"ceildiv(N, 32)\", \"ceildiv(M, 8)\"]"},
    {"matmul.cu", NULL, SCENARIO, "block: [32, 8]"},
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
     "  offset: 0    # guessed; FILL IN: the number that your case had\n"},
    {"left-out.cu", NULL, SCENARIO,
     "  stride: k    # guessed; FILL IN: rows without gaps, or what your case had\n"},
    {"left-out.cu", NULL, SCENARIO, "# your code, line 30: <<<1 << 13, 4 * 32, 48 * 1024>>>\n"},
    {"left-out.cu", NULL, SCENARIO,
     "block: [256]    # guessed; FILL IN: the threads of your launch\n"},
    {"left-out.cu", NULL, SCENARIO,
     "shared: 1024    # guessed; FILL IN: dynamic shared memory, bytes\n"},
    {"launches.cu", "plain", SCENARIO,
     "block: [256]    # guessed; FILL IN: the threads of your launch\n"},
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
    {"launches.cu", "computed", SCENARIO,
     "block: [256]    # guessed; FILL IN: the threads of your launch\n"},
    {"launches.cu", "too_many", SCENARIO,
     "grid: [\"ceildiv(elements, 256)\"]    # guessed; FILL IN: the blocks of your launch, as a "
     "formula of the sizes\n"},
    {"rows.cu", NULL, SCENARIO,
     "fill: \"uniform(-1, 1)\"}    # 16 bits taken for f16; bf16 if they are that"},
};

static void reads_kernels_rightly(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof read_rightly / sizeof *read_rightly; i++) {
        struct files *f;
        struct err err = {0};
        if (make(&f, read_rightly[i].file, read_rightly[i].kernel, NULL, &err))
            fail_msg("%s: %s", read_rightly[i].file, err.text);
        holds(f, read_rightly[i].path, read_rightly[i].holds);
        files_free(f);
    }
}

static void leaves_out_what_is_the_hosts(void **state)
{
    (void)state;
    static const char *const host[] = {"main",          "softmax_cpu", "CHECK",
                                       "vector",        "verbose",     "#include",
                                       "compared with", "\r",          "static __global__"};
    struct files *f;
    struct err err = {0};
    assert_int_equal(make(&f, "host-code.cu", NULL, NULL, &err), 0);
    for (size_t i = 0; i < sizeof host / sizeof *host; i++)
        lacks(f, SUSPECT, host[i]);
    files_free(f);
    assert_int_equal(make(&f, "several.cu", "histogram", NULL, &err), 0);
    lacks(f, SUSPECT, "scale");
    lacks(f, SUSPECT, "First");
    lacks(f, SUSPECT, "extern \"C\" {");
    files_free(f);
}

/* What was left out or changed is said, each at its line. */
static const struct { const char *file; int line; const char *says;
} noted[] = {
    {"left-out.cu", 1, "#include <cstdio> left out: device code of a pack stands alone"},
    {"left-out.cu", 2, "#include <cuda_fp16.h> left out; in its place: half comes as 16 bits"},
    {"left-out.cu", 3,
     "#include <cuda_pipeline.h> left out; in its place: write PTX: asm volatile(\"cp.async.cg"},
    {"left-out.cu", 4,
     "#include <cooperative_groups.h> left out; in its place: blocks: __syncthreads(); warps: "
     "__syncwarp()"},
    {"left-out.cu", 7, "Config was left out: nothing that stays uses it"},
    {"left-out.cu", 8, "Inner was left out: nothing that stays uses it"},
    {"left-out.cu", 9, "Outer was left out: nothing that stays uses it"},
    {"left-out.cu", 29,
     "cudaMemcpyToSymbol() to `taps` was left out, and so `taps` holds zeros: give it its values "
     "where it is declared"},
    {"quotes.cu", 2, "0xff'ffu became 0xffffu: numbers of a pack have no quotes"},
    {"quotes.cu", 3, "3.141'592'6 became 3.1415926: numbers of a pack have no quotes"},
    {"quotes.cu", 8, "1'000'000 became 1000000: numbers of a pack have no quotes"},
    {"quotes.cu", 10, "1'0.5f became 10.5f: numbers of a pack have no quotes"},
};

static bool has_note(const struct source *s, int line, const char *says)
{
    for (int n = 0; n < s->n_notes; n++)
        if (s->notes[n].line == line && !strncmp(s->notes[n].text, says, strlen(says)))
            return true;
    return false;
}

static struct source *take(char **out, const char *file)
{
    struct source *s;
    struct err err = {0};
    char *path = text_format("tests/new/%s", file);
    assert_int_equal(source_open(&s, path, &err), 0);
    assert_int_equal(source_params(s, &s->kernels[0], &err), 0);
    if (source_take(out, NULL, s, &s->kernels[0], &err))
        fail_msg("%s", err.text);
    free(path);
    return s;
}

static void says_what_was_left_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof noted / sizeof *noted; i++) {
        char *out;
        struct source *s = take(&out, noted[i].file);
        if (!has_note(s, noted[i].line, noted[i].says))
            fail_msg("line %d: %s", noted[i].line, noted[i].says);
        free(out);
        source_free(s);
    }
}

static void structures_that_nothing_uses_go(void **state)
{
    (void)state;
    char *out;
    struct source *s = take(&out, "left-out.cu");
    assert_null(strstr(out, "Config"));
    assert_null(strstr(out, "Inner"));
    assert_non_null(strstr(out, "struct Used"));
    free(out);
    source_free(s);
}

/* Comments, characters and what is the host's keep theirs, and bring no note. */
static void quotes_go_from_numbers(void **state)
{
    (void)state;
    static const char *const held[] = {"'1'000' in a comment", "#define MASK 0xffffu\n",
                                       "PI = 3.1415926;",      "{'a', u8'1', '2'}",
                                       "most = 1000000;\n",    "+ 10.5f;\n"};
    char *out;
    struct source *s = take(&out, "quotes.cu");
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        if (!strstr(out, held[i]))
            fail_msg("%s: %s", held[i], out);
    assert_false(has_note(s, 15, "4'096"));
    assert_int_equal(s->kernels[0].block[0], 128);
    assert_int_equal(s->kernels[0].grid[0], 4096);
    free(out);
    source_free(s);
}

/* ---- ids ---- */

static void knows_a_name_that_tells(void **state)
{
    (void)state;
    char out[200];
    assert_true(scaffold_tells(out, sizeof out, "slow-rows"));
    assert_string_equal(out, "'slow' says how it stands");
    assert_true(scaffold_tells(out, sizeof out, "sums-uncoalesced"));
    assert_string_equal(out, "'uncoalesced' names a cause: uncoalesced access");
    assert_false(scaffold_tells(out, sizeof out, "camera-frames"));
    assert_false(scaffold_tells(out, sizeof out, "image-rows"));
}

static const struct { const char *file, *says;
} refused[] = {
    {"template.cu",
     "tests/new/template.cu:2:17: kernel 'add' is a template; one instance of it was expected"},
    {"no-kernel.cu", "there is no kernel in it"},
    {"latin1.cu", "tests/new/latin1.cu:1:6: bytes that are not UTF-8"},
    {"struct-arg.cu", "tests/new/struct-arg.cu:2:22: a parameter of type `Particle *`"},
    {"pointers.cu", "tests/new/pointers.cu:1:36: a parameter of type `float **`"},
    {"read-only.cu", "kernel 'nothing' has no output"},
    {"braces.cu", "tests/new/braces.cu:2:60: brackets that do not match"},
    {"not-there.cu", "cannot read tests/new/not-there.cu"},
};

static void refuses_with_a_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct files *f;
        struct err err = {0};
        assert_int_not_equal(make(&f, refused[i].file, NULL, NULL, &err), 0);
        assert_null(f);
        if (!strstr(err.text, refused[i].says))
            fail_msg("%s: %s", refused[i].file, err.text);
    }
}

/* ---- what is asked ---- */

/* many-args.cu: two extents of a grid of three sides, numbers of both kinds, a pitch. */
static void open_many(struct scaffold *s)
{
    struct err err = {0};
    *s = (struct scaffold){.level = 2};
    assert_int_equal(scaffold_place(s, "nowhere/some-pack/some-rows", &err), 0);
    assert_int_equal(source_open(&s->source, "tests/new/many-args.cu", &err), 0);
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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

/* ---- pack.yaml ---- */

static const struct { const char *before, *after;
} lists[] = {
    {"id: p\nscenarios: [one]\n", "id: p\nscenarios: [one, new-one]\n"},
    {"id: p\nscenarios: [one, \"two\"]   # in this order\n",
     "id: p\nscenarios: [one, \"two\", new-one]   # in this order\n"},
    {"id: p\nscenarios: [\n  one,   # first\n  two    # second\n]\n",
     "id: p\nscenarios: [\n  one,   # first\n  two, new-one    # second\n]\n"},
    {"id: p\nscenarios:\n  - one\n  - two   # second\ntitle: T\n",
     "id: p\nscenarios:\n  - one\n  - two   # second\n  - new-one\ntitle: T\n"},
    {"scenarios:\n- one", "scenarios:\n- one\n- new-one\n"},
    {"scenarios: {one: 1}\n", NULL},
    {"title: \xc3\xa9\n", NULL},
};

static void the_list_of_scenarios_grows_in_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct files *f = files_new("p");
        struct err err = {0};
        files_add(f, "pack.yaml", lists[i].before, strlen(lists[i].before));
        char *after = scaffold_add_id(f, files_find(f, "pack.yaml"), "new-one", &err);
        if (lists[i].after)
            assert_string_equal(after, lists[i].after);
        else
            assert_true(!after && strstr(err.text, "p/pack.yaml has no list"));
        free(after);
        files_free(f);
    }
}

/* ---- the disk ---- */

static int write_scenario(const char *place, struct err *err)
{
    struct scaffold s = {.level = 1};
    struct files *f = NULL;
    const char **made = NULL;
    int n;
    int rc = scaffold_place(&s, place, err);
    if (!rc && !(rc = source_open(&s.source, "tests/new/host-code.cu", err))) {
        s.kernel = &s.source->kernels[0];
        rc = source_params(s.source, &s.source->kernels[0], err);
        scaffold_guess(&s);
        if (!rc && !(rc = scaffold_make(&f, &made, &n, &s, err)))
            rc = scaffold_write(&s, f, made, n, err);
    }
    free(made);
    files_free(f);
    scaffold_free(&s);
    return rc;
}

/* Every file that can be written up to `most` bytes is, and the first longer one fails. */
static int write_limited(const char *place, rlim_t most, struct err *err)
{
    struct rlimit before, now;
    getrlimit(RLIMIT_FSIZE, &before);
    now = before;
    now.rlim_cur = most;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &now);
    int rc = write_scenario(place, err);
    setrlimit(RLIMIT_FSIZE, &before);
    return rc;
}

static int count_below(const char *folder)
{
    char *command = text_format("find %s -mindepth 1 | wc -l", folder);
    FILE *f = popen(command, "r");
    int n = -1;
    assert_int_equal(fscanf(f, "%d", &n), 1);
    pclose(f);
    free(command);
    return n;
}

/* Debrief, reference, fix, answer, suspect, scenario and pack.yaml are written in this order, each
 * of another size. */
static void leaves_nothing_half(void **state)
{
    (void)state;
    char dir[] = "/tmp/scaffold.XXXXXX", command[200];
    struct err err = {0};
    assert_non_null(mkdtemp(dir));
    char *one = text_format("%s/there/deep/mine/first-one", dir),
         *two = text_format("%s/there/deep/mine/second-one", dir),
         *there = text_format("%s/there", dir);
    assert_int_equal(mkdir(there, 0700), 0);
    for (rlim_t most = 0; most < 4000 && write_limited(one, most, &err); most += 50) {
        assert_non_null(strstr(err.text, "cannot be written: File too large"));
        if (count_below(dir) != 1)
            fail_msg("%d left below %s at most %d bytes: %s", count_below(dir), dir, (int)most,
                     err.text);
    }
    if (count_below(there) == 0 && write_scenario(one, &err))
        fail_msg("%s", err.text);
    int whole = count_below(dir);
    assert_int_not_equal(write_limited(two, 1, &err), 0);
    assert_int_equal(count_below(dir), whole);
    char *manifest = text_format("%s/there/deep/mine/pack.yaml.new", dir);
    assert_int_equal(mkdir(manifest, 0700), 0);     /* the last step alone fails */
    assert_int_not_equal(write_scenario(two, &err), 0);
    assert_int_equal(count_below(dir), whole + 1);
    free(manifest);
    snprintf(command, sizeof command, "rm -r %s", dir);
    assert_int_equal(system(command), 0);
    free(one);
    free(two);
    free(there);
}

static void writes_and_never_overwrites(void **state)
{
    (void)state;
    char dir[] = "/tmp/scaffold.XXXXXX", command[200];
    struct err err = {0};
    struct pack *p;
    assert_non_null(mkdtemp(dir));
    char *one = text_format("%s/deep/packs/mine/first-one", dir),
         *two = text_format("%s/deep/packs/mine//second-one/", dir),
         *pack = text_format("%s/deep/packs/mine", dir);
    char *bad = text_format("%s/deep/packs/mine/First", dir),
         *odd = text_format("%s/deep/Packs/first", dir);
    if (write_scenario(one, &err) || write_scenario(two, &err) || pack_open(&p, pack, &err))
        fail_msg("%s", err.text);
    assert_int_equal(p->n_stories, 2);
    assert_string_equal(p->id, "mine");
    assert_string_equal(p->stories[1].id, "second-one");
    assert_int_equal(p->stories[0].level, 1);
    pack_free(p);
    assert_int_not_equal(write_scenario(two, &err), 0);
    assert_non_null(strstr(err.text, "second-one exists already, and nothing is overwritten"));
    assert_int_not_equal(write_scenario(bad, &err), 0);
    assert_non_null(strstr(err.text, "PACK/SCENARIO was expected"));
    assert_int_not_equal(write_scenario(odd, &err), 0);
    assert_non_null(strstr(err.text, "cannot be a pack's id"));
    assert_int_not_equal(write_scenario("alone", &err), 0);
    char *other = text_format("%s/deep/first", dir);
    assert_int_not_equal(write_scenario(other, &err), 0);
    assert_non_null(strstr(err.text, "/deep holds other things and no pack.yaml; a folder of its "
                                     "own was expected"));
    free(other);
    snprintf(command, sizeof command, "rm -r %s", dir);
    assert_int_equal(system(command), 0);
    free(one), free(two), free(pack), free(bad), free(odd);
}

/* ---- what was cut short ---- */

static void any_beginning_of_a_file_is_read_or_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"host-code.cu", "many-args.cu", "several.cu",
                                        "matmul.cu",    "braces.cu",    "half.cu",
                                        "left-out.cu",  "launches.cu",  "quotes.cu"};
    int made = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = text_format("tests/new/%s", names[i]), text[8192];
        FILE *f = fopen(path, "r");
        size_t len = fread(text, 1, sizeof text, f);
        fclose(f);
        for (size_t n = 1; n < len; n++) {
            struct source *s;
            struct err err = {0};
            char *out = NULL;
            if (source_read(&s, path, text, n, &err))
                continue;
            if (!source_params(s, &s->kernels[0], &err) &&
                !source_take(&out, NULL, s, &s->kernels[0], &err))
                made++;
            free(out);
            source_free(s);
        }
        free(path);
    }
    assert_true(made > 3);
}

/* What is looked up is what a search from the first byte would find. */
static void places_and_brackets_need_no_search(void **state)
{
    (void)state;
    struct source *s;
    assert_int_equal(source_open(&s, "tests/new/host-code.cu", NULL), 0);
    for (size_t i = 0; i <= s->file.len; i++) {
        int line, col, line_found, col_found;
        file_place(&s->file, i, &line, &col);
        source_place(s, i, &line_found, &col_found);
        assert_int_equal(line_found, line);
        assert_int_equal(col_found, col);
        if (i < s->file.len && s->code[i] && strchr("([{<", s->code[i]))
            assert_int_equal(s->close[i], code_close(s->code, i, s->file.len));
    }
    source_free(s);
}

static void blocks_lie_as_deep_as_they_like(void **state)
{
    (void)state;
    enum { DEEP = 50000 };
    static const char kernel[] = "__global__ void k(float *a) { a[0] = 1; }\n";
    char *text = malloc(DEEP * 14 + sizeof kernel), *at = text;
    for (int i = 0; i < DEEP; i++)
        at += sprintf(at, "namespace a{\n");
    at += sprintf(at, "%s", kernel);
    memset(at, '}', DEEP);
    struct source *s;
    assert_int_equal(source_read(&s, "deep.cu", text, (size_t)(at + DEEP - text), NULL), 0);
    assert_int_equal(s->n_kernels, 1);
    assert_int_equal(s->kernels[0].line, DEEP + 1);
    source_free(s);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_kernels_rightly),
        cmocka_unit_test(leaves_out_what_is_the_hosts),
        cmocka_unit_test(says_what_was_left_out),
        cmocka_unit_test(structures_that_nothing_uses_go),
        cmocka_unit_test(quotes_go_from_numbers),
        cmocka_unit_test(knows_a_name_that_tells),
        cmocka_unit_test(refuses_with_a_place),
        cmocka_unit_test(proposes_what_was_found),
        cmocka_unit_test(takes_or_refuses_each_answer),
        cmocka_unit_test(what_was_said_bears_no_mark),
        cmocka_unit_test(every_cause_makes_a_scenario_that_loads),
        cmocka_unit_test(rivals_are_told_apart),
        cmocka_unit_test(the_list_of_scenarios_grows_in_place),
        cmocka_unit_test(writes_and_never_overwrites),
        cmocka_unit_test(leaves_nothing_half),
        cmocka_unit_test(any_beginning_of_a_file_is_read_or_refused),
        cmocka_unit_test(places_and_brackets_need_no_search),
        cmocka_unit_test(blocks_lie_as_deep_as_they_like),
    };
    return cmocka_run_group_tests_name("scaffold", tests, NULL, NULL);
}
